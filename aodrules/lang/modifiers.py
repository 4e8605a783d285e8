"""What effects can do to a value: the operations of modifiers, in the order in which they apply."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, Final, Literal, TypeAlias

from attrs import frozen

from aodrules.lang.interval import Interval, greatest, hull, least, plus, repeated, times

ModifierOperation: TypeAlias = Literal["set", "add", "times", "at_least", "at_most", "allow", "forbid"]


@frozen
class ModifierRule:
    """What one operation does."""

    apply: Callable[[Any, Any], Any]
    """(result, amount) → result; once for each copy that is held."""
    interval: Callable[[Interval, Interval, int], Interval]
    """(result, amount, copies) → result, if it applies once, or up to so many times where that is more."""


def _times_interval(result: Interval, amount: Interval, copies: int) -> Interval:
    widest = changed = result
    for _ in range(copies):
        changed = times(changed, amount)
        before, widest = widest, hull(widest, changed)
        if widest == before or not changed.is_bounded:
            break
    return changed if copies == 1 else widest


MODIFIERS: Final[dict[ModifierOperation, ModifierRule]] = {
    "set": ModifierRule(lambda _, amount: amount, lambda _, amount, __: amount),
    "add": ModifierRule(
        operator.add,
        lambda result, amount, copies: plus(result, amount if copies == 1 else repeated(amount, copies)),
    ),
    "times": ModifierRule(operator.mul, _times_interval),
    "at_least": ModifierRule(max, lambda result, amount, _: greatest([result, amount])),
    "at_most": ModifierRule(min, lambda result, amount, _: least([result, amount])),
    "allow": ModifierRule(lambda result, amount: result or amount, lambda result, _, __: result),
    "forbid": ModifierRule(lambda result, amount: result and not amount, lambda result, _, __: result),
}
MODIFIER_OPERATIONS: Final = tuple(MODIFIERS)
"""The operations in the order in which they apply, wherever in the rules their effects stand."""
