"""Intervals of whole numbers, and what arithmetic does to them."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from math import inf

from attrs import evolve, frozen

LARGEST = 10**18
"""Numbers beyond this are taken to be without bound."""
SWAPPED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}
"""By comparison: the same with its sides exchanged."""
OPPOSITE = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "==", "in": "not in", "not in": "in"}
"""By comparison: the one that holds where it does not."""


@frozen
class Interval:
    """From where to where a number can lie; of a collection, its size. An end that is not known is nothing."""

    low: int | None = None
    high: int | None = None
    item: Interval | None = None
    """Of a collection: what is known of its items."""
    member: int | None = None
    """Of a member or seat: which one it is, where that is known."""
    quiet: bool = False
    """Whether the missing end has been reported already."""

    @property
    def is_bounded(self) -> bool:
        """Whether both ends are known."""
        return self.low is not None and self.high is not None

    @property
    def floor(self) -> float:
        """The lower end as a number that can be compared."""
        return -inf if self.low is None else self.low

    @property
    def ceiling(self) -> float:
        """The upper end as a number that can be compared."""
        return inf if self.high is None else self.high

    @property
    def most(self) -> int:
        """The upper end, 0 where it is not known or negative: for counting what is not refused already."""
        return max(0, self.high or 0)

    def holds(self, number: int) -> bool:
        """Whether the number can be this one."""
        return self.floor <= number <= self.ceiling

    def covers(self, other: Interval) -> bool:
        """Whether another interval lies inside this one."""
        return self.floor <= other.floor and other.ceiling <= self.ceiling


ANY = Interval()
SOME = Interval(1, 1, quiet=True)
"""For what is unknown because of another mistake: gives no trouble anywhere."""


def exactly(number: int) -> Interval:
    """Return the interval of one number."""
    return Interval(number, number)


def up_to(number: int | None) -> Interval:
    """Return the interval from 0 to a number."""
    return Interval(0, number)


def between(low: float, high: float, *, quiet: bool = False) -> Interval:
    """Return an interval; ends beyond the largest number are not known."""
    return Interval(_end(low), _end(high), quiet=quiet)


def _end(number: float) -> int | None:
    return int(number) if -LARGEST <= number <= LARGEST else None


def hull(*intervals: Interval) -> Interval:
    """Return the smallest interval that covers some others, of which there is at least one."""
    return reduce(_hull, intervals)


def _hull(one: Interval, other: Interval) -> Interval:
    if one == other:
        return one
    items = [each.item for each in (one, other) if each.item is not None]
    return Interval(
        None if one.low is None or other.low is None else min(one.low, other.low),
        None if one.high is None or other.high is None else max(one.high, other.high),
        hull(*items) if items else None,
        one.member if one.member == other.member else None,
        one.quiet or other.quiet,
    )


def overlap(one: Interval, other: Interval) -> Interval:
    """Return what two intervals have in common; the first where that is nothing."""
    low, high = max(one.floor, other.floor), min(one.ceiling, other.ceiling)
    return one if low > high else evolve(one, low=_end(low), high=_end(high))


def plus(one: Interval, other: Interval) -> Interval:
    """Return where a sum lies."""
    return between(one.floor + other.floor, one.ceiling + other.ceiling, quiet=one.quiet or other.quiet)


def negated(one: Interval) -> Interval:
    """Return where the opposite lies."""
    return between(-one.ceiling, -one.floor, quiet=one.quiet)


def minus(one: Interval, other: Interval) -> Interval:
    """Return where a difference lies."""
    return plus(one, negated(other))


def times(one: Interval, other: Interval) -> Interval:
    """Return where a product lies."""
    corners = [_product(a, b) for a in (one.floor, one.ceiling) for b in (other.floor, other.ceiling)]
    return between(min(corners), max(corners), quiet=one.quiet or other.quiet)


def _product(one: float, other: float) -> float:
    return 0 if one == 0 or other == 0 else one * other


def divided(one: Interval, other: Interval) -> Interval:
    """Return where a quotient, rounded down, lies; a divisor of 0 is left out."""
    corners = [_quotient(a, b) for a in (one.floor, one.ceiling) for b in _divisors(other)]
    return between(min(corners), max(corners), quiet=one.quiet or other.quiet)


def _divisors(other: Interval) -> Iterable[float]:
    ends = {other.floor, other.ceiling} | {end for end in (-1, 1) if other.holds(end)}
    return (ends - {0}) or {1}


def _quotient(one: float, other: float) -> float:
    if abs(other) == inf:
        return 0 if one == 0 or (one > 0) == (other > 0) else -1
    return one * other if abs(one) == inf else one // other


def remainder(one: Interval, other: Interval) -> Interval:
    """Return where the rest of a division lies: it has the sign of the divisor."""
    low, high = min(0, other.floor + 1), max(0, other.ceiling - 1)
    if one.floor >= 0 and other.floor >= 0:
        high = min(high, one.ceiling)
    return between(low, high, quiet=one.quiet or other.quiet)


def least(intervals: Iterable[Interval]) -> Interval:
    """Return where the least of some numbers lies."""
    each = list(intervals)
    quiet = any(one.quiet for one in each)
    return between(min(one.floor for one in each), min(one.ceiling for one in each), quiet=quiet)


def greatest(intervals: Iterable[Interval]) -> Interval:
    """Return where the greatest of some numbers lies."""
    return negated(least(negated(one) for one in intervals))


def magnitude(one: Interval) -> Interval:
    """Return where a number without its sign lies."""
    low = 0 if one.holds(0) else min(abs(one.floor), abs(one.ceiling))
    return between(low, max(abs(one.floor), abs(one.ceiling)), quiet=one.quiet)


def repeated(one: Interval, most: int | None) -> Interval:
    """Return where the sum of 0 to `most` numbers lies."""
    return times(hull(one, exactly(0)), up_to(None) if most is None else exactly(most))


def side(sign: str, limit: Interval, before: Interval) -> Interval:
    """Return where a number lies that stands so (`<`, `==` ...) to a limit."""
    if sign == "==":
        return Interval(limit.low, limit.high)
    if sign in ("<", "<="):
        return between(-inf, limit.ceiling - (sign == "<"))
    if sign in (">", ">="):
        return between(limit.floor + (sign == ">"), inf)
    if limit.low is None or limit.low != limit.high:
        return ANY
    return between(before.floor + (before.low == limit.low), before.ceiling - (before.high == limit.low))
