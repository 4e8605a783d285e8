"""The types of a plan: what every formula, variable and cell can be, with bounds that a back end may rely on.

A type is the set of Python values that can be there. Two types are compared and joined as such sets; families are names
for people to read and play no part in that.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from attrs import evolve, frozen

from aodrules.compiler.place_layout import PlaceLayout
from aodrules.errors import InternalError

WORD = 64
"""How many bits a back end is taken to have in one word."""


@frozen
class NeverType:
    """Nothing can be there: an item of an empty list, or a formula that is never computed."""

    def __str__(self) -> str:
        return "never"


@frozen
class NoneType:
    """None alone."""

    def __str__(self) -> str:
        return "none"


@frozen
class NumberType:
    """A number between two bounds; an end that nothing bounds is `None`. With a family: a member of it, or a seat."""

    low: int | None
    high: int | None
    family: str = ""

    def __str__(self) -> str:
        ends = "..".join("?" if end is None else str(end) for end in (self.low, self.high))
        return f"{self.family or 'number'} {ends}"


@frozen
class FlagType:
    """True or false."""

    def __str__(self) -> str:
        return "flag"


@frozen
class BagType:
    """Counts packed into one number, `width` bits each; `counts` are the most there can be of each member."""

    family: str
    counts: tuple[int, ...]
    width: int

    @property
    def bits(self) -> int:
        """How many bits it takes."""
        return len(self.counts) * self.width

    @property
    def mask(self) -> int:
        """The bits of one count."""
        return (1 << self.width) - 1

    def is_packed_like(self, other: BagType) -> bool:
        """Whether counts stand at the same places."""
        return (len(self.counts), self.width) == (len(other.counts), other.width)

    def holding(self, bag: int) -> BagType:
        """Return the type of a known number that is packed in this way."""
        counts = tuple(bag >> self.width * member & self.mask for member in range(len(self.counts)))
        return evolve(self, counts=counts)

    def __str__(self) -> str:
        return f"bag of {self.family}: {len(self.counts)} x {self.width} bits, at most {sum(self.counts)}"


@frozen
class SetType:
    """A bit for each of so many members."""

    members: int

    @property
    def bits(self) -> int:
        """How many bits it takes."""
        return self.members

    def __str__(self) -> str:
        return f"set of {self.members}"


@frozen
class NullableType:
    """None or something else."""

    of: PlanType

    def __str__(self) -> str:
        return f"{self.of} or none"


@frozen
class ListType:
    """So many items at most."""

    item: PlanType
    capacity: int

    def __str__(self) -> str:
        return f"list of at most {self.capacity}: {self.item}"


@frozen
class TupleType:
    """Exactly these, one after the other."""

    items: tuple[PlanType, ...]

    def __str__(self) -> str:
        return f"({', '.join(map(str, self.items))})"


@frozen
class TextType:
    """A text: names in entries of the log."""

    def __str__(self) -> str:
        return "text"


@frozen
class PlaceType:
    """What is fixed about a place of pieces: always a constant."""

    ground: PlaceLayout

    def __str__(self) -> str:
        return "place"


PlanType: TypeAlias = (
    NeverType
    | NoneType
    | NumberType
    | FlagType
    | BagType
    | SetType
    | NullableType
    | ListType
    | TupleType
    | TextType
    | PlaceType
)
NEVER, NONE, FLAG, TEXT = NeverType(), NoneType(), FlagType(), TextType()


def exactly(number: int) -> NumberType:
    """Return the type of one number."""
    return NumberType(number, number)


def nullable(of: PlanType) -> PlanType:
    """Return the type of something or none."""
    if isinstance(of, NeverType):
        return NONE
    return of if isinstance(of, NullableType | NoneType) else NullableType(of)


def without_none(of: PlanType) -> PlanType:
    """Return what is left of a type when it is not none."""
    return NEVER if isinstance(of, NoneType) else of.of if isinstance(of, NullableType) else of


def most_bits(of: PlanType) -> int:
    """Return how many bits a set, or a number that is never negative, takes; -1 for what has no such form."""
    if isinstance(of, SetType):
        return of.members
    if isinstance(of, NumberType) and of.low is not None and of.high is not None and of.low >= 0:
        return of.high.bit_length()
    return -1


def words_of(of: BagType | SetType) -> int:
    """Return how many words a bag or set takes."""
    return max(1, -(-of.bits // WORD))


def narrow_number(of: PlanType, within: NumberType) -> PlanType:
    """Return the type of a number, perhaps none, that also lies within other bounds."""
    if isinstance(of, NullableType):
        return nullable(narrow_number(of.of, within))
    if not isinstance(of, NumberType):
        return of
    low = max((end for end in (of.low, within.low) if end is not None), default=None)
    high = min((end for end in (of.high, within.high) if end is not None), default=None)
    return of if low is not None and high is not None and low > high else evolve(of, low=low, high=high)


# Joining.


def join_types(*types: PlanType) -> PlanType:
    """Return the smallest type that has all values of some others; a mistake of ours if they have none in common."""
    found: PlanType = NEVER
    for one in types:
        found = _join(found, one)
    return found


def _join(one: PlanType, other: PlanType) -> PlanType:
    if one == other or isinstance(other, NeverType):
        return one
    if isinstance(one, NeverType):
        return other
    if isinstance(one, NoneType | NullableType) or isinstance(other, NoneType | NullableType):
        return nullable(_join(without_none(one), without_none(other)))
    joined = _join_present(one, other) or _join_present(other, one)
    if joined is None:
        raise InternalError(f"nothing can be {one} in one place and {other} in another")
    return joined


def _join_present(one: PlanType, other: PlanType) -> PlanType | None:
    match one, other:
        case NumberType(), NumberType():
            return join_numbers(one, other)
        case BagType(), BagType() if one.is_packed_like(other):
            counts = tuple(map(max, one.counts, other.counts))
            return evolve(one, counts=counts, family=one.family if one.family == other.family else "")
        case BagType(), NumberType(low, high) if low is not None and low == high and is_bag_number(one, low):
            return _join_present(one, one.holding(low))
        case SetType(), SetType() | NumberType():
            return None if most_bits(other) < 0 else SetType(max(one.members, most_bits(other)))
        case ListType(), ListType():
            return ListType(_join(one.item, other.item), max(one.capacity, other.capacity))
        case ListType(), TupleType():
            return _join(one, as_list(other))
        case TupleType(), TupleType():
            if len(one.items) == len(other.items):
                return TupleType(tuple(map(_join, one.items, other.items)))
            return _join(as_list(one), as_list(other))
    return None


def join_numbers(one: NumberType, other: NumberType) -> NumberType:
    """Return the smallest type that has the numbers of two others."""
    low = None if one.low is None or other.low is None else min(one.low, other.low)
    high = None if one.high is None or other.high is None else max(one.high, other.high)
    return NumberType(low, high, _common_family(one, other))


def _common_family(one: NumberType, other: NumberType) -> str:
    """Return the family of two numbers; a number that is known takes that of the other."""
    if one.family == other.family:
        return one.family
    named = [each.family for each in (one, other) if each.family]
    known = [each for each in (one, other) if each.low == each.high and not each.family]
    return named[0] if len(named) == len(known) == 1 else ""


def as_list(of: TupleType) -> ListType:
    """Return items of one type as a list."""
    return ListType(join_types(*of.items), len(of.items))


def is_bag_number(of: BagType, number: int) -> bool:
    """Whether a number has no bits beyond those of a bag."""
    return 0 <= number < 1 << of.bits


# Comparing.


def includes(wide: PlanType, narrow: PlanType) -> bool:
    """Whether all values of one type belong to another."""
    if wide == narrow or isinstance(narrow, NeverType):
        return True
    if isinstance(wide, NullableType):
        return isinstance(narrow, NoneType) or includes(wide.of, without_none(narrow))
    match wide, narrow:
        case ListType(item, capacity), ListType(inner, length):
            return length <= capacity and includes(item, inner)
        case ListType(), TupleType():
            return includes(wide, as_list(narrow))
        case TupleType(items), TupleType(others):
            return len(items) == len(others) and all(map(includes, items, others))
    return _includes_bits(wide, narrow)


def _includes_bits(wide: PlanType, narrow: PlanType) -> bool:
    match wide, narrow:
        case NumberType(), NumberType(low, high):
            return _is_inside(low, high, wide)
        case NumberType(), SetType(members):
            return _is_inside(0, (1 << members) - 1, wide)
        case SetType(members), SetType() | NumberType():
            return 0 <= most_bits(narrow) <= members
        case BagType(), BagType():
            return wide.is_packed_like(narrow) and all(map(int.__le__, narrow.counts, wide.counts))
        case BagType(), NumberType(low, high) if low is not None and low == high:
            return is_bag_number(wide, low) and _includes_bits(wide, wide.holding(low))
    return False


def _is_inside(low: int | None, high: int | None, wide: NumberType) -> bool:
    starts = wide.low is None or (low is not None and wide.low <= low)
    return starts and (wide.high is None or (high is not None and high <= wide.high))


def has_value(of: PlanType, value: Any) -> bool:
    """Whether a value of a running game belongs to a type."""
    if type(value) is int:
        return _has_number(of, value)
    match of:
        case NullableType(inner):
            return value is None or has_value(inner, value)
        case NoneType():
            return value is None
        case FlagType():
            return type(value) is bool
        case ListType(item, capacity):
            return isinstance(value, tuple | list | range) and len(value) <= capacity and _all(item, value)
        case TupleType(items):
            return isinstance(value, tuple) and len(value) == len(items) and all(map(has_value, items, value))
        case TextType():
            return isinstance(value, str)
        case PlaceType(ground):
            return bool(value == ground)
    return False


def _has_number(of: PlanType, value: int) -> bool:
    match of:
        case NullableType(inner):
            return _has_number(inner, value)
        case NumberType():
            return _is_inside(value, value, of)
        case SetType(members):
            return 0 <= value < 1 << members
        case BagType():
            return is_bag_number(of, value) and includes(of, of.holding(value))
    return False


def _all(item: PlanType, values: Any) -> bool:
    return all(has_value(item, value) for value in values)
