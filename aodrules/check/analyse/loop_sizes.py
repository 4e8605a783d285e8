"""How often a loop goes round with one known member, and how long it may take to find the best scoring sets."""

from __future__ import annotations

from math import comb
from typing import TypeAlias

from aodrules.check.analyse.bounds import MOST_DIFFERENT
from aodrules.check.analyse.interval_analysis import Ranges
from aodrules.check.analyse.sizes import Sizes
from aodrules.check.checked import CheckedRules
from aodrules.check.steps import AnyStep, For, RunHook
from aodrules.check.visit import walk, walk_steps
from aodrules.lang.expressions import AttributeRead, BuiltinCall, Const, Expression, FieldRead, Local, Operation
from aodrules.lang.types import Bag, Member, SetOf, Type, item_of

_WITHOUT_END = 10**12
KnownItem: TypeAlias = tuple[str, int]
"""The name of a loop that stands for one known member, and that member."""


def members_of_loop(ranges: Ranges, step: For, most: int) -> list[tuple[int, int]]:
    """Return the members a loop can come to, each with the most times, if that says more than their number.

    It does where a loop over a whole kind or its pieces runs hooks, or loops over what a member says.
    """
    items, kind = step.items, item_of(step.items.type)
    if not isinstance(kind, Member) or not any(_depends(each, step.name) for each in walk_steps(step.body)):
        return []
    if isinstance(items, Const) and isinstance(items.value, tuple):
        return [(member, 1) for member in items.value]
    return _members_held(ranges, items.type, kind.kind, most) if isinstance(items, FieldRead) else []


def _members_held(ranges: Ranges, of: Type, kind: str, most: int) -> list[tuple[int, int]]:
    """Return the members a field can hold, each with the most times; nothing where their number says as much."""
    measures = ranges.measures
    if isinstance(of, SetOf):
        return [(member, 1) for member in measures.members(kind)]
    copies = measures.copies(kind)
    if measures.is_owned(kind) or most < measures.pieces(kind):
        return []
    return [(member, copies[member]) for member in measures.members(kind)]


def length_of(ranges: Ranges, items: Expression, known: KnownItem | None) -> int:
    """Return the most items of a collection; a range between attributes of a known member is exact."""
    most = ranges.of(items).most
    if known is None or not (isinstance(items, BuiltinCall) and items.builtin == "range"):
        return most
    ends = [_number(ranges, each, known) for each in items.arguments]
    first, last = (0, ends[0]) if len(ends) == 1 else ends
    return most if first is None or last is None else max(0, min(most, last - first))


def _number(ranges: Ranges, expression: Expression, known: KnownItem) -> int | None:
    """Return a number that is the same in every game: a constant, an attribute of the known member, or a sum."""
    if isinstance(expression, Const):
        return expression.value if isinstance(expression.value, int) else None
    if isinstance(expression, Operation) and expression.operator == "+":
        parts = [_number(ranges, each, known) for each in expression.operands]
        return None if None in parts else sum(each for each in parts if each is not None)
    if isinstance(expression, AttributeRead) and isinstance(expression.of, Local):
        name, member = known
        interval = ranges.measures.attribute(expression.attribute, member)
        return interval.low if expression.of.name == name and interval.low == interval.high else None
    return None


def _depends(step: AnyStep, name: str) -> bool:
    """Return whether a step runs a hook of what a name stands for, or loops over a range that it gives."""
    if isinstance(step, RunHook):
        return isinstance(step.subject, Local) and step.subject.name == name
    return isinstance(step, For) and mentions(step.items, {name})


def mentions(expression: Expression, names: set[str]) -> bool:
    """Whether an expression speaks of one of some names."""
    return any(isinstance(part, Local) and part.name in names for part in walk(expression))


def work_of_sets(rules: CheckedRules, measures: Sizes, call: BuiltinCall, wild: int) -> int:
    """Return the most steps of a search for sets in a bag, with at most so many wild pieces."""
    sets, bag = rules.sets.get(call.names[0]), call.arguments[0].type
    if sets is None or not isinstance(bag, Bag):
        return 0
    copies, members = measures.copies(bag.kind), len(measures.members(bag.kind))
    pieces, most = sum(copies), max(copies, default=0)
    ways = sum(min(sets.wild_per_set, each.size) + 1 for each in sets.shapes)
    # What is left is told by its number alone, unless some sets are of different pieces.
    left = pieces + 1
    before = members * left  # What can be left before each kind in turn is looked at.
    if any(each.different and not each.alike for each in sets.shapes):
        if pieces + wild > MOST_DIFFERENT:
            return _WITHOUT_END
        left, before = comb(members + most, most), comb(members + most, most + 1)
    return (before * min(most + 1, ways) + left * ways) * (wild + 1)
