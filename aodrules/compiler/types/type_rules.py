"""Which types operators and functions of the runtime take, and what they give: one rule for each of them.

What needs a number takes one that could be none too: the checker saw to it that it is there.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from itertools import accumulate
from typing import TypeAlias

from attrs import evolve

from aodrules.compiler.types.plan_type import (
    EMPTY_LIST,
    FLAG,
    NEVER,
    NONE,
    WORD,
    BagType,
    ListType,
    NullableType,
    NumberType,
    PlanType,
    SetType,
    TupleType,
    as_list,
    exactly,
    join_types,
    most_bits,
    nullable,
    number_in,
    without_none,
)
from aodrules.errors import InternalError
from aodrules.lang import interval
from aodrules.lang.interval import Interval

Rule: TypeAlias = Callable[..., PlanType]
"""From the types of operands or arguments to that of the result."""
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
    if found is NEVER:
        return exactly(0)
    raise InternalError(f"expected a number, found {of}")


def known_number(of: PlanType) -> int:
    """Return the one number that a type has."""
    if isinstance(of, NumberType) and of.known is not None:
        return of.known
    raise InternalError(f"expected a known number, found {of}")


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


def bag_of(of: PlanType, width: int) -> BagType:
    """Return a type as that of a bag whose counts have so many bits."""
    if isinstance(of, BagType) and of.width == width:
        return of
    if isinstance(of, NumberType) and of.known is not None:
        return BagType("", (0,) * -(-of.known.bit_length() // width), width).holding(of.known)
    raise InternalError(f"expected a bag with {width} bits for each count, found {of}")


def like(of: PlanType, bag: BagType) -> PlanType:
    """Return a number that is known, or of no more bits than a count has, as a bag that is packed like another."""
    if not isinstance(of, NumberType) or of.low is None or of.high is None or of.low < 0:
        return of
    return bag.holding(of.high) if bag.can_hold(of.known) or of.high <= bag.mask else of


def _two_bags(left: PlanType, right: PlanType) -> tuple[BagType, BagType] | None:
    """Return two operands as bags of the same form, if one of them is a bag."""
    shape = next((one for one in (left, right) if isinstance(one, BagType)), None)
    if shape is None:
        return None
    one, other = like(left, shape), like(right, shape)
    if isinstance(one, BagType) and isinstance(other, BagType) and one.is_packed_like(other):
        return one, other
    raise InternalError(f"expected two bags of the same form, found {left} and {right}")


# Arithmetic.


def _by_interval(rule: Callable[..., Interval]) -> Rule:
    return lambda *operands: number_in(rule(*(number_of(one).interval for one in operands)))


_plus, _minus, _times = map(_by_interval, (interval.plus, interval.minus, interval.times))


def _add(left: PlanType, right: PlanType) -> PlanType:
    if bags := _two_bags(left, right):
        sums = (min(one + other, bags[0].mask) for one, other in zip(bags[0].counts, bags[1].counts, strict=True))
        return evolve(bags[0], counts=tuple(sums))
    if isinstance(left, ListType | TupleType):
        first, second = list_of(left), list_of(right)
        return ListType(join_types(first.item, second.item), first.capacity + second.capacity)
    return _plus(left, right)


def _subtract(left: PlanType, right: PlanType) -> PlanType:
    if bags := _two_bags(left, right):
        return bags[0]
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


# Bits.


def _places_of(by: PlanType) -> tuple[int, int | None]:
    """Return by how many places something is shifted, at least and at most; it is never a negative number."""
    found = number_of(by)
    return max(found.low or 0, 0), found.high


def _shift_left(left: PlanType, right: PlanType) -> PlanType:
    one, (least, most) = number_of(left), _places_of(right)
    if one.low is None or one.high is None or one.low < 0:
        raise InternalError(f"{left} cannot be shifted")
    if most is None:
        return SetType(UNBOUNDED)
    high = one.high << most
    return NumberType(one.low << least, high) if high.bit_length() < WORD else SetType(high.bit_length())


def _shift_right(left: PlanType, right: PlanType) -> PlanType:
    least, most = _places_of(right)
    if isinstance(left, BagType):
        dropped = left.counts[: least // left.width]
        counts = left.counts[len(dropped) :] + (0,) * len(dropped)
        return evolve(left, counts=counts if least == most else tuple(accumulate(reversed(left.counts), max))[::-1])
    bits = most_bits(left)
    if bits < 0:
        raise InternalError(f"{left} cannot be shifted to the right")
    if isinstance(left, SetType):
        return SetType(max(bits - least, 0))
    return NumberType(0, (number_of(left).high or 0) >> least)


def _common_bits(left: PlanType, right: PlanType) -> PlanType:
    if bags := _two_bags(left, right):
        counts = tuple(map(min, bags[0].counts, bags[1].counts))
        # What is left of the first count alone is a number.
        return evolve(bags[0], counts=counts) if any(counts[1:]) or not counts else NumberType(0, counts[0])
    natural = [one for one in map(without_none, (left, right)) if most_bits(one) >= 0]
    if not natural:
        raise InternalError(f"{left} and {right} have no bits in common that could be named")
    if isinstance(left, SetType) or isinstance(right, SetType):
        return SetType(min(map(most_bits, natural)))
    return NumberType(0, min(number_of(one).high or 0 for one in natural))


def _united_bits(left: PlanType, right: PlanType) -> PlanType:
    if _two_bags(left, right):
        return _add(left, right)
    bits = max(set_of(left).members, set_of(right).members)
    if isinstance(left, SetType) or isinstance(right, SetType) or bits >= WORD:
        return SetType(bits)
    return NumberType(0, (1 << bits) - 1)


# Conditions.


def _test(*checks: Callable[[PlanType], object]) -> Rule:
    """Return the rule of a test whose first operands must be such."""

    def rule(*operands: PlanType) -> PlanType:
        for check, operand in zip(checks, operands, strict=False):
            check(operand)
        return FLAG

    return rule


_compare = _test(number_of, number_of)


def _equal(left: PlanType, right: PlanType) -> PlanType:
    if not isinstance(left, BagType) and not isinstance(right, BagType):
        join_types(left, right)
    return FLAG


def _is_none(left: PlanType, right: PlanType) -> PlanType:
    if NONE in (left, right):
        return FLAG
    raise InternalError(f"whether {left} is {right} is only asked of none")


def _within(item: PlanType, items: PlanType) -> PlanType:
    join_types(item, list_of(items).item)
    return FLAG


def _connect(*operands: PlanType) -> PlanType:
    for operand in operands:
        if operand is not FLAG and operand is not NEVER:
            raise InternalError(f"expected a flag, found {operand}")
    return FLAG


def _nonzero(operand: PlanType) -> PlanType:
    return FLAG if operand is FLAG or isinstance(operand, BagType | SetType) else _compare(operand)


def _remainder_size(bag: PlanType, mask: PlanType) -> PlanType:
    most = known_number(mask)
    found = bag_of(bag, most.bit_length())
    total = sum(found.counts)
    return NumberType(0, min(total, most - 1) if len(found.counts) > 1 else total)


def _item(items: PlanType, index: PlanType) -> PlanType:
    """Return the type of an item, at an index if that is known."""
    if isinstance(items, TupleType) and isinstance(index, NumberType) and index.known is not None:
        return items.items[index.known]
    return list_of(items).item


OPERATORS: dict[str, Rule] = {
    "+": _add,
    "-": _subtract,
    "*": _multiply,
    "//": _by_interval(interval.divided),
    "%": _by_interval(interval.remainder),
    "<<": _shift_left,
    ">>": _shift_right,
    "&": _common_bits,
    "|": _united_bits,
    **dict.fromkeys(("<", "<=", ">", ">="), _compare),
    **dict.fromkeys(("==", "!="), _equal),
    **dict.fromkeys(("is", "is not"), _is_none),
    **dict.fromkeys(("in", "not in"), _within),
    **dict.fromkeys(("and", "or", "not"), _connect),
    "nonzero": _nonzero,
    "size": _remainder_size,
    "item": _item,
    "tuple": lambda *operands: TupleType(operands),
}
"""By operator."""


# Functions.


def _length(items: PlanType, *_: PlanType) -> PlanType:
    """Return the type of what counts items, or places among them."""
    return NumberType(0, list_of(items).capacity)


def _numbers(*ends: PlanType) -> PlanType:
    low, high = number_of(ends[0] if len(ends) > 1 else exactly(0)).low, number_of(ends[-1]).high
    if low is None or high is None:
        return ListType(NumberType(low, None if high is None else high - 1), UNBOUNDED)
    return ListType(NumberType(low, high - 1), high - low) if low < high else EMPTY_LIST


def _bag_members(bag: PlanType, width: PlanType, *, many: Callable[[int], int] = bool) -> PlanType:
    found = bag_of(bag, known_number(width))
    there = [member for member, count in enumerate(found.counts) if count]
    member = NumberType(there[0], there[-1], found.family) if there else NEVER
    return ListType(member, sum(map(many, found.counts)))


def _bag_items(bag: PlanType, width: PlanType) -> PlanType:
    return _bag_members(bag, width, many=int)


def _bag_counts(bag: PlanType, width: PlanType, members: PlanType) -> PlanType:
    counts = bag_of(bag, known_number(width)).counts
    return ListType(NumberType(0, max(counts, default=0)), known_number(members))


def _bag_size(bag: PlanType, planes: PlanType) -> PlanType:
    return NumberType(0, sum(bag_of(bag, list_of(planes).capacity).counts))


def _pack_items(items: PlanType, width: PlanType, family: PlanType) -> PlanType:
    found, bits = list_of(items), known_number(width)
    last = number_of(found.item).high
    if last is None:
        raise InternalError(f"nothing bounds the members {found}")
    return BagType("", (min(found.capacity, (1 << bits) - 1),) * (known_number(family) or last + 1), bits)


def _set_items(members: PlanType) -> PlanType:
    return _numbers(exactly(set_of(members).members))


def _set_of_items(items: PlanType) -> PlanType:
    found = list_of(items)
    if not found.capacity or found.item is NEVER:
        return SetType(0)
    last = number_of(found.item).high
    return SetType(UNBOUNDED if last is None else last + 1)


def _item_or_none(items: PlanType, *index: PlanType) -> PlanType:
    _compare(*index)
    return nullable(list_of(items).item)


def _distinct(items: PlanType, *_: PlanType) -> PlanType:
    found = list_of(items)
    item, many = without_none(found.item), found.capacity
    if isinstance(item, NumberType) and item.low is not None and item.high is not None:
        many = min(many, item.high - item.low + 1)
    return ListType(item, many)


def _numbers_within(items: PlanType, low: PlanType, high: PlanType) -> PlanType:
    return _distinct(ListType(list_of(_numbers(low, high)).item, list_of(items).capacity))


def _without_item(items: PlanType, _: PlanType) -> PlanType:
    found = list_of(items)
    return ListType(found.item, max(found.capacity - 1, 0))


def _sum_items(items: PlanType) -> PlanType:
    """Return the type of the sum of numbers; none counts nothing."""
    found = list_of(items)
    item = without_none(found.item)
    return exactly(0) if item is NEVER else number_in(interval.repeated(number_of(item).interval, found.capacity))


def _moved_piece(moved: PlanType, family: PlanType) -> PlanType:
    piece = list_of(moved).item
    if piece is NEVER:
        return NONE
    assert isinstance(piece, TupleType)
    member, owner = piece.items
    if owner is NONE:
        return nullable(member)
    owner_coded = _plus(_times(owner, family), member)
    return nullable(join_types(member, owner_coded) if isinstance(owner, NullableType) else owner_coded)


def _worth_of_sets(bag: PlanType, wild: PlanType, fixed: PlanType) -> PlanType:
    assert isinstance(fixed, TupleType)
    found = bag_of(bag, known_number(fixed.items[1]))
    shapes = fixed.items[3]
    parts = shapes.items if isinstance(shapes, TupleType) else (list_of(shapes).item,)
    worths = [known_number(shape.items[1]) for shape in parts if isinstance(shape, TupleType)]
    most = number_of(wild).high
    if most is None:
        raise InternalError(f"nothing bounds the pieces that stand for any other: {wild}")
    # A set takes one piece at least.
    return NumberType(min([0, *worths]), max([0, *worths]) * (sum(found.counts) + max(most, 0)))


def _neighbours(rows: PlanType, *_: PlanType) -> PlanType:
    return SetType(list_of(rows).capacity)


def _nth_last(items: PlanType, many: PlanType) -> PlanType:
    list_of(items)
    number_of(many)
    return NumberType(-1, sys.maxsize)


def _regions(rows: PlanType, inside: PlanType) -> PlanType:
    return ListType(_neighbours(rows), set_of(inside).members)


def _remaining(seats: PlanType, left: PlanType) -> PlanType:
    list_of(left)
    return list_of(seats)


FUNCTIONS: dict[str, Rule] = {
    "abs": _by_interval(interval.magnitude),
    "as_tuple": lambda item: ListType(without_none(item), 1),
    "bag_counts": _bag_counts,
    "bag_items": _bag_items,
    "bag_members": _bag_members,
    "bag_of": _pack_items,
    "bag_size": _bag_size,
    "between": lambda items, *_: _distinct(items),
    **dict.fromkeys(("connected", "reach"), _neighbours),
    **dict.fromkeys(("count_members", "count_of", "index_of", "len"), _length),
    "distinct": _distinct,
    **dict.fromkeys(("end_item", "item_at", "max_item", "min_item"), _item_or_none),
    "first_members": lambda members, *_: set_of(members),
    "holds_member": _test(list_of),
    "knows_at": _test(list_of, lambda numbers: number_of(list_of(numbers).item), number_of, number_of),
    "max": _by_interval(lambda *each: interval.greatest(each)),
    "min": _by_interval(lambda *each: interval.least(each)),
    "moved_piece": _moved_piece,
    "nth_last": _nth_last,
    **dict.fromkeys(("numbers", "range"), _numbers),
    "packed_sets_worth": _worth_of_sets,
    "regions": _regions,
    "remaining": _remaining,
    "set_items": _set_items,
    "set_of": _set_of_items,
    "set_size": lambda members: NumberType(0, set_of(members).members),
    "sum_items": _sum_items,
    "tuple": list_of,
    "united": lambda rows, _: set_of(list_of(rows).item),
    "within": _numbers_within,
    "without": _without_item,
}
"""By pure function of the runtime."""
_GATHERED = {"sum": _sum_items, "count": _length, "any": _test(), "all": _test(), "set": _set_of_items, "list": list_of}


def reduce_type(gives: str, item: PlanType, last: PlanType, turns: int) -> PlanType:
    """Return the type of what is gathered over so many turns of loops; `last` is what the innermost runs over."""
    items = ListType(last if gives in {"ranked", "best", "places"} else item, turns)
    if gives == "places":
        return ListType(_set_of_items(items), turns)
    return items if gives == "ranked" else _GATHERED.get(gives, _item_or_none)(items)
