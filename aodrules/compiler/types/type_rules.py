"""Which types operators and functions of the runtime take, and what they give: one rule for each of them.

What needs a number takes one that could be none too: the checker saw to it that it is there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate
from math import prod

from attrs import evolve

from aodrules.compiler.types.plan_type import (
    FLAG,
    NEVER,
    NONE,
    WORD,
    BagType,
    FlagType,
    ListType,
    NeverType,
    NoneType,
    NullableType,
    NumberType,
    PlanType,
    SetType,
    TupleType,
    as_list,
    exactly,
    is_bag_number,
    join_types,
    most_bits,
    nullable,
    without_none,
)
from aodrules.errors import InternalError
from aodrules.lang import interval
from aodrules.lang.interval import Interval

UNBOUNDED = 1 << 20
"""The capacity of a list that nothing bounds, and the size of a set whose members nothing bounds."""


# What a type must be.


def number_of(of: PlanType) -> NumberType:
    """Return a type as that of a number."""
    found = without_none(of)
    if isinstance(found, NumberType):
        return found
    if isinstance(found, SetType) and found.members < WORD:
        return NumberType(0, (1 << found.members) - 1)
    if isinstance(found, NeverType):
        return exactly(0)
    raise InternalError(f"expected a number, found {of}")


def list_of(of: PlanType) -> ListType:
    """Return a type as that of a list."""
    if isinstance(of, TupleType):
        return as_list(of)
    if isinstance(of, ListType):
        return of
    raise InternalError(f"expected a list, found {of}")


def set_of(of: PlanType) -> SetType:
    """Return a type as that of a set."""
    bits = most_bits(without_none(of))
    if bits < 0:
        raise InternalError(f"expected a set, found {of}")
    return SetType(bits)


def bag_of(of: PlanType, width: PlanType) -> BagType:
    """Return a type as that of a bag whose counts have so many bits."""
    bits = known_number(width)
    if isinstance(of, BagType) and of.width == bits:
        return of
    if isinstance(of, NumberType) and of.low is not None and of.low == of.high:
        members = -(-of.low.bit_length() // bits)
        return BagType("", (0,) * members, bits).holding(of.low)
    raise InternalError(f"expected a bag with {bits} bits for each count, found {of}")


def known_number(of: PlanType) -> int:
    """Return the one number that a type has."""
    if isinstance(of, NumberType) and of.low is not None and of.low == of.high:
        return of.low
    raise InternalError(f"expected a known number, found {of}")


def like(of: PlanType, bag: BagType) -> PlanType:
    """Return a number that is known, or of no more bits than a count has, as a bag that is packed like another."""
    if not isinstance(of, NumberType) or of.low is None or of.high is None or of.low < 0:
        return of
    if of.low == of.high and is_bag_number(bag, of.low):
        return bag.holding(of.low)
    return bag.holding(of.high) if of.high <= bag.mask else of


# Arithmetic.


def _interval(of: NumberType) -> Interval:
    return Interval(of.low, of.high)


def _by_interval(rule: Callable[[Interval, Interval], Interval]) -> Callable[[PlanType, PlanType], PlanType]:
    def result(left: PlanType, right: PlanType) -> PlanType:
        found = rule(_interval(number_of(left)), _interval(number_of(right)))
        return NumberType(found.low, found.high)

    return result


_plus, _minus, _times, _divided, _remainder = map(
    _by_interval, (interval.plus, interval.minus, interval.times, interval.divided, interval.remainder)
)


def _add(left: PlanType, right: PlanType) -> PlanType:
    if isinstance(left, BagType) or isinstance(right, BagType):
        one, other = _two_bags(left, right)
        counts = (min(sum(each), one.mask) for each in zip(one.counts, other.counts, strict=True))
        return evolve(one, counts=tuple(counts))
    if isinstance(left, ListType | TupleType):
        first, second = list_of(left), list_of(right)
        return ListType(join_types(first.item, second.item), first.capacity + second.capacity)
    return _plus(left, right)


def _subtract(left: PlanType, right: PlanType) -> PlanType:
    if isinstance(left, BagType):
        return _two_bags(left, right)[0]
    if isinstance(left, SetType):
        set_of(right)
        return left
    return _minus(left, right)


def _multiply(left: PlanType, right: PlanType) -> PlanType:
    if isinstance(right, BagType):
        most = number_of(left).high
        counts = (right.mask if most is None else min(count * max(most, 0), right.mask) for count in right.counts)
        return evolve(right, counts=tuple(counts))
    return _times(left, right)


def _two_bags(left: PlanType, right: PlanType) -> tuple[BagType, BagType]:
    shape = left if isinstance(left, BagType) else right
    assert isinstance(shape, BagType)
    one, other = like(left, shape), like(right, shape)
    if isinstance(one, BagType) and isinstance(other, BagType) and one.is_packed_like(other):
        return one, other
    raise InternalError(f"expected two bags of the same form, found {left} and {right}")


# Bits.


def _shift_left(left: PlanType, right: PlanType) -> PlanType:
    one, by = number_of(left), _places_of(right)
    if one.low is None or one.high is None or one.low < 0:
        raise InternalError(f"{left} cannot be shifted")
    return SetType(UNBOUNDED) if by.high is None else _number_or_set(one.low << (by.low or 0), one.high << by.high)


def _places_of(by: PlanType) -> NumberType:
    """Return by how many places something is shifted, which is never negative."""
    found = number_of(by)
    return evolve(found, low=max(found.low or 0, 0))


def _number_or_set(low: int, high: int) -> PlanType:
    return NumberType(low, high) if high.bit_length() < WORD else SetType(high.bit_length())


def _shift_right(left: PlanType, right: PlanType) -> PlanType:
    by = _places_of(right)
    if isinstance(left, BagType):
        return _shift_bag(left, by)
    bits = most_bits(left)
    if bits < 0:
        raise InternalError(f"{left} cannot be shifted to the right")
    if isinstance(left, SetType):
        return SetType(max(bits - (by.low or 0), 0))
    high = number_of(left).high
    assert high is not None
    return NumberType(0, high >> (by.low or 0))


def _shift_bag(bag: BagType, by: NumberType) -> BagType:
    counts: Sequence[int] = bag.counts
    if by.low == by.high:
        assert by.low is not None
        return evolve(bag, counts=(*counts[by.low // bag.width :], *(0,) * (by.low // bag.width))[: len(counts)])
    return evolve(bag, counts=tuple(accumulate(reversed(counts), max))[::-1])


def _common_bits(left: PlanType, right: PlanType) -> PlanType:
    if isinstance(left, BagType) or isinstance(right, BagType):
        one, other = _two_bags(left, right)
        counts = tuple(map(min, one.counts, other.counts))
        # What is left of the first count alone is a number.
        return evolve(one, counts=counts) if any(counts[1:]) or not counts else NumberType(0, counts[0])
    if isinstance(left, SetType) or isinstance(right, SetType):
        known = [bits for bits in map(most_bits, (left, right)) if bits >= 0]
        return SetType(min(known))
    highs = [one.high for one in map(number_of, (left, right)) if one.low is not None and one.low >= 0]
    ends = [high for high in highs if high is not None]
    if not ends:
        raise InternalError(f"{left} and {right} have no bits in common that could be named")
    return NumberType(0, min(ends))


def _united_bits(left: PlanType, right: PlanType) -> PlanType:
    if isinstance(left, BagType) or isinstance(right, BagType):
        return _add(left, right)
    bits = max(set_of(left).members, set_of(right).members)
    if isinstance(left, SetType) or isinstance(right, SetType) or bits >= WORD:
        return SetType(bits)
    return NumberType(0, (1 << bits) - 1)


# Conditions.


def _compare(left: PlanType, right: PlanType) -> PlanType:
    number_of(left)
    number_of(right)
    return FLAG


def _equal(left: PlanType, right: PlanType) -> PlanType:
    if not isinstance(left, BagType) and not isinstance(right, BagType):
        join_types(left, right)
    return FLAG


def _is_none(left: PlanType, right: PlanType) -> PlanType:
    if isinstance(left, NoneType) or isinstance(right, NoneType):
        return FLAG
    raise InternalError(f"whether {left} is {right} is only asked of none")


def _within(item: PlanType, items: PlanType) -> PlanType:
    join_types(item, list_of(items).item)
    return FLAG


def _connect(*operands: PlanType) -> PlanType:
    for operand in operands:
        if not isinstance(operand, FlagType | NeverType):
            raise InternalError(f"expected a flag, found {operand}")
    return FLAG


def _nonzero(operand: PlanType) -> PlanType:
    if not isinstance(operand, BagType | SetType | FlagType):
        number_of(operand)
    return FLAG


def _remainder_size(bag: PlanType, mask: PlanType) -> PlanType:
    found = bag_of(bag, exactly(known_number(mask).bit_length()))
    total = sum(found.counts)
    if total >= known_number(mask) and len(found.counts) > 1:
        total = known_number(mask) - 1
    return NumberType(0, total)


OPERATORS: dict[str, Callable[..., PlanType]] = {
    "+": _add,
    "-": _subtract,
    "*": _multiply,
    "//": _divided,
    "%": _remainder,
    "<<": _shift_left,
    ">>": _shift_right,
    "&": _common_bits,
    "|": _united_bits,
    "<": _compare,
    "<=": _compare,
    ">": _compare,
    ">=": _compare,
    "==": _equal,
    "!=": _equal,
    "is": _is_none,
    "is not": _is_none,
    "in": _within,
    "not in": _within,
    "and": _connect,
    "or": _connect,
    "not": _connect,
    "nonzero": _nonzero,
    "size": _remainder_size,
    "tuple": lambda *operands: TupleType(operands),
}
"""By operator: the type of the result from those of the operands. `item` needs the index itself."""


def item_of(items: PlanType, index: int | None) -> PlanType:
    """Return the type of an item, at an index if that is known."""
    if isinstance(items, TupleType) and index is not None:
        return items.items[index]
    return list_of(items).item


# Functions.


def _least(*operands: PlanType) -> PlanType:
    found = interval.least(_interval(number_of(one)) for one in operands)
    return NumberType(found.low, found.high)


def _greatest(*operands: PlanType) -> PlanType:
    found = interval.greatest(_interval(number_of(one)) for one in operands)
    return NumberType(found.low, found.high)


def _absolute(operand: PlanType) -> PlanType:
    found = interval.magnitude(_interval(number_of(operand)))
    return NumberType(found.low, found.high)


def _numbers(*ends: PlanType) -> PlanType:
    low, high = (number_of(ends[0]), number_of(ends[1])) if len(ends) > 1 else (exactly(0), number_of(ends[0]))
    last = None if high.high is None else high.high - 1
    if low.low is None or last is None:
        return ListType(NumberType(low.low, last), UNBOUNDED)
    return ListType(NumberType(low.low, last), last - low.low + 1) if low.low <= last else ListType(NEVER, 0)


def _bag_items(bag: PlanType, width: PlanType) -> PlanType:
    found = bag_of(bag, width)
    return ListType(_member_of(found), sum(found.counts))


def _bag_members(bag: PlanType, width: PlanType) -> PlanType:
    found = bag_of(bag, width)
    return ListType(_member_of(found), sum(map(bool, found.counts)))


def _member_of(bag: BagType) -> PlanType:
    there = [member for member, count in enumerate(bag.counts) if count]
    return NumberType(there[0], there[-1], bag.family) if there else NEVER


def _bag_counts(bag: PlanType, width: PlanType, members: PlanType) -> PlanType:
    return ListType(NumberType(0, max(bag_of(bag, width).counts, default=0)), known_number(members))


def _bag_size(bag: PlanType, planes: PlanType) -> PlanType:
    return NumberType(0, sum(bag_of(bag, exactly(list_of(planes).capacity)).counts))


def _pack_items(items: PlanType, width: PlanType, family: PlanType) -> PlanType:
    found, size = list_of(items), known_number(family)
    last = number_of(found.item).high
    if last is None:
        raise InternalError(f"nothing bounds the members {found}")
    count = min(found.capacity, (1 << known_number(width)) - 1)
    return BagType("", (count,) * (size or last + 1), known_number(width))


def _set_items(members: PlanType) -> PlanType:
    bits = set_of(members).members
    return ListType(NumberType(0, bits - 1) if bits else NEVER, bits)


def _set_of_items(items: PlanType) -> PlanType:
    last = number_of(list_of(items).item).high
    return SetType(UNBOUNDED if last is None else last + 1)


def _item_or_none(items: PlanType, index: PlanType) -> PlanType:
    number_of(index)
    return nullable(list_of(items).item)


def _distinct(items: PlanType, *_: PlanType) -> PlanType:
    found = list_of(items)
    item = without_none(found.item)
    many = found.capacity
    if isinstance(item, NumberType) and item.low is not None and item.high is not None:
        many = min(many, item.high - item.low + 1)
    return ListType(item, many)


def _numbers_within(items: PlanType, low: PlanType, high: PlanType) -> PlanType:
    first, end = number_of(low).low, number_of(high).high
    item = NumberType(first, None if end is None else end - 1)
    return _distinct(ListType(item, list_of(items).capacity))


def _without_item(items: PlanType, _: PlanType) -> PlanType:
    found = list_of(items)
    return ListType(found.item, max(found.capacity - 1, 0))


def sum_of(item: PlanType, most: int) -> PlanType:
    """Return the type of the sum of at most so many numbers; none counts nothing."""
    if isinstance(item, NeverType | NoneType) or not most:
        return exactly(0)
    found = interval.repeated(_interval(number_of(item)), most)
    return NumberType(found.low, found.high)


def _moved_piece(moved: PlanType, family: PlanType) -> PlanType:
    piece = list_of(moved).item
    if isinstance(piece, NeverType):
        return NONE
    assert isinstance(piece, TupleType)
    member, owner = piece.items
    if isinstance(owner, NoneType):
        return nullable(member)
    owner_coded = _plus(_times(owner, family), member)
    return nullable(owner_coded if not isinstance(owner, NullableType) else join_types(member, owner_coded))


def _worth_of_sets(bag: PlanType, wild: PlanType, fixed: PlanType) -> PlanType:
    assert isinstance(fixed, TupleType)
    found = bag_of(bag, fixed.items[1])
    shapes = fixed.items[3]
    parts = shapes.items if isinstance(shapes, TupleType) else (list_of(shapes).item,)
    worths = [known_number(shape.items[1]) for shape in parts if isinstance(shape, TupleType)]
    most = number_of(wild).high
    if most is None:
        raise InternalError(f"nothing bounds the pieces that stand for any other: {wild}")
    # A set takes one piece at least.
    return NumberType(min(0, *worths, 0), max(0, *worths, 0) * (sum(found.counts) + max(most, 0)))


def _neighbours(rows: PlanType, *_: PlanType) -> PlanType:
    return SetType(list_of(rows).capacity)


def _holds(items: PlanType, *_: PlanType) -> PlanType:
    list_of(items)
    return FLAG


def _knows(items: PlanType, numbers: PlanType, index: PlanType, seat: PlanType) -> PlanType:
    list_of(items)
    number_of(list_of(numbers).item)
    return _compare(index, seat)


def _remaining(seats: PlanType, left: PlanType) -> PlanType:
    list_of(left)
    return list_of(seats)


FUNCTIONS: dict[str, Callable[..., PlanType]] = {
    "abs": _absolute,
    "as_tuple": lambda item: ListType(without_none(item), 1),
    "bag_counts": _bag_counts,
    "bag_items": _bag_items,
    "bag_members": _bag_members,
    "bag_of": _pack_items,
    "bag_size": _bag_size,
    "connected": _neighbours,
    "count_members": lambda items, *_: NumberType(0, list_of(items).capacity),
    "count_of": lambda items, _: NumberType(0, list_of(items).capacity),
    "distinct": _distinct,
    "end_item": _item_or_none,
    "holds_member": _holds,
    "index_of": lambda items, _: NumberType(0, list_of(items).capacity),
    "item_at": _item_or_none,
    "knows_at": _knows,
    "len": lambda items: NumberType(0, list_of(items).capacity),
    "max": _greatest,
    "max_item": lambda items: nullable(without_none(list_of(items).item)),
    "min": _least,
    "min_item": lambda items: nullable(without_none(list_of(items).item)),
    "moved_piece": _moved_piece,
    "numbers": _numbers,
    "packed_sets_worth": _worth_of_sets,
    "range": _numbers,
    "reach": _neighbours,
    "remaining": _remaining,
    "set_items": _set_items,
    "set_of": _set_of_items,
    "set_size": lambda members: NumberType(0, set_of(members).members),
    "sum_items": lambda items: sum_of(list_of(items).item, list_of(items).capacity),
    "tuple": list_of,
    "within": _numbers_within,
    "without": _without_item,
}
"""By pure function of the runtime: the type of the result from those of the arguments."""


def reduce_type(gives: str, item: PlanType, last: PlanType, capacities: Sequence[int], *, skips_none: bool) -> PlanType:
    """Return the type of what is gathered over loops with so many turns; `last` is what the innermost runs over."""
    most = prod(capacities)
    item = without_none(item) if skips_none and gives in {"sum", "min", "max", "set"} else item
    if gives in {"any", "all"}:
        return FLAG
    if gives == "count":
        return NumberType(0, most)
    if gives == "sum":
        return sum_of(item, most)
    if gives == "set":
        return _set_of_items(ListType(item, most)) if most and not isinstance(item, NeverType) else SetType(0)
    if gives in {"list", "ranked"}:
        return ListType(item if gives == "list" else last, most)
    return nullable(item)
