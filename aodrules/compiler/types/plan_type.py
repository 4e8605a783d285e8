"""The types of a plan: what every formula, variable and cell can be, with bounds that a back end may rely on.

A type is the set of Python values that can be there. Two types are compared and joined as such sets; families are names
for people to read and play no part in that.
"""

from __future__ import annotations

from enum import Enum
from typing import Any, Final, TypeAlias

from attrs import evolve, frozen

from aodrules.compiler.layout import PlaceLayout
from aodrules.errors import InternalError
from aodrules.lang.interval import Interval, hull, overlap

WORD = 64
"""How many bits a back end is taken to have in one word."""


class PlainType(Enum):
    """Types without bounds."""

    NEVER = "never"
    """Nothing can be there: an item of an empty list, or a formula that is never computed."""
    NONE = "none"
    """None alone."""
    FLAG = "flag"
    """True or false."""
    TEXT = "text"
    """Names in entries of the log."""

    def __str__(self) -> str:
        return self.value


NEVER: Final = PlainType.NEVER
NONE: Final = PlainType.NONE
FLAG: Final = PlainType.FLAG
TEXT: Final = PlainType.TEXT


@frozen
class NumberType:
    """A number between two bounds; an end that nothing bounds is `None`. With a family: a member of it, or a seat."""

    low: int | None
    high: int | None
    family: str = ""

    @property
    def interval(self) -> Interval:
        """Where it lies."""
        return Interval(self.low, self.high)

    @property
    def known(self) -> int | None:
        """Which number it is, where it can only be one."""
        return self.low if self.low == self.high else None

    def __str__(self) -> str:
        ends = "..".join("?" if end is None else str(end) for end in (self.low, self.high))
        return f"{self.family or 'number'} {ends}"


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

    def can_hold(self, number: int | None) -> bool:
        """Whether a number is known and has no bits beyond those of this bag."""
        return number is not None and 0 <= number < 1 << self.bits

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
class PlaceType:
    """What is fixed about a place of pieces: always a constant."""

    layout: PlaceLayout

    def __str__(self) -> str:
        return "place"


PlanType: TypeAlias = PlainType | NumberType | BagType | SetType | NullableType | ListType | TupleType | PlaceType
EMPTY_LIST = ListType(NEVER, 0)


def exactly(number: int) -> NumberType:
    """Return the type of one number."""
    return NumberType(number, number)


def number_in(bounds: Interval, family: str = "") -> NumberType:
    """Return the type of a number that lies in an interval."""
    return NumberType(bounds.low, bounds.high, family)


def nullable(of: PlanType) -> PlanType:
    """Return the type of something or none."""
    if of is NEVER or of is NONE:
        return NONE
    return of if isinstance(of, NullableType) else NullableType(of)


def without_none(of: PlanType) -> PlanType:
    """Return what is left of a type when it is not none."""
    return NEVER if of is NONE else of.of if isinstance(of, NullableType) else of


def most_bits(of: PlanType) -> int:
    """Return how many bits a set, or a number that is never negative, takes; -1 for what has no such form."""
    if isinstance(of, SetType):
        return of.members
    if isinstance(of, NumberType) and of.low is not None and of.high is not None and of.low >= 0:
        return of.high.bit_length()
    return -1


def narrow_number(of: PlanType, within: Interval) -> PlanType:
    """Return the type of a number, perhaps none, that also lies within other bounds."""
    if isinstance(of, NullableType):
        return nullable(narrow_number(of.of, within))
    return number_in(overlap(of.interval, within), of.family) if isinstance(of, NumberType) else of


# Joining.


def join_types(*types: PlanType) -> PlanType:
    """Return the smallest type that has all values of some others; a mistake of ours if they have none in common."""
    found: PlanType = NEVER
    for one in types:
        found = _join(found, one)
    return found


def _join(one: PlanType, other: PlanType) -> PlanType:
    if one == other or other is NEVER:
        return one
    if one is NEVER:
        return other
    if any(each is NONE or isinstance(each, NullableType) for each in (one, other)):
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
        case BagType(), NumberType(known=int(number)) if one.can_hold(number):
            return _join_present(one, one.holding(number))
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
    """Return the smallest type that has the numbers of two others; a number that is known takes the other's family."""
    families = {each.family for each in (one, other) if each.family or each.known is None}
    return number_in(hull(one.interval, other.interval), families.pop() if len(families) == 1 else "")


def as_list(of: TupleType) -> ListType:
    """Return items of one type as a list."""
    return ListType(join_types(*of.items), len(of.items))


# Comparing.


def includes(wide: PlanType, narrow: PlanType) -> bool:
    """Whether all values of one type belong to another."""
    if wide == narrow or narrow is NEVER:
        return True
    if isinstance(wide, NullableType):
        return narrow is NONE or includes(wide.of, without_none(narrow))
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
        case NumberType(), NumberType():
            return wide.interval.covers(narrow.interval)
        case NumberType(), SetType(members):
            return wide.interval.covers(Interval(0, (1 << members) - 1))
        case SetType(members), SetType() | NumberType():
            return 0 <= most_bits(narrow) <= members
        case BagType(), BagType():
            return wide.is_packed_like(narrow) and all(map(int.__le__, narrow.counts, wide.counts))
        case BagType(), NumberType(known=int(number)):
            return wide.can_hold(number) and _includes_bits(wide, wide.holding(number))
    return False


def has_value(of: PlanType, value: Any) -> bool:
    """Whether a value of a running game belongs to a type."""
    if type(value) is int:
        return includes(of, exactly(value))
    if value is None:
        return includes(of, NONE)
    match without_none(of):
        case PlainType.FLAG:
            return type(value) is bool
        case PlainType.TEXT:
            return isinstance(value, str)
        case ListType(item, capacity):
            is_list = isinstance(value, tuple | list | range) and len(value) <= capacity
            return is_list and all(has_value(item, one) for one in value)
        case TupleType(items):
            return isinstance(value, tuple) and len(value) == len(items) and all(map(has_value, items, value))
        case PlaceType(layout):
            return bool(value == layout)
    return False
