"""What tests and modifiers do to intervals."""

from __future__ import annotations

from math import inf

from aodrules.lang.interval import (
    ANY,
    Interval,
    between,
    greatest,
    hull,
    least,
    plus,
    repeated,
    times,
)


def modified(operation: str, extent: Interval, amount: Interval, copies: int) -> Interval:
    """Return where a value lies after a modifier that holds once, or up to `copies` times if that is more."""
    if operation == "set":
        return amount
    if operation == "add":
        return plus(extent, amount if copies == 1 else repeated(amount, copies))
    if operation == "times":
        return _multiplied(extent, amount, copies)
    if operation == "at_least":
        return greatest([extent, amount])
    return least([extent, amount]) if operation == "at_most" else extent


def _multiplied(extent: Interval, amount: Interval, copies: int) -> Interval:
    result = changed = extent
    for _ in range(copies):
        changed = times(changed, amount)
        before, result = result, hull(result, changed)
        if result == before or not changed.is_bounded:
            break
    return changed if copies == 1 else result


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
