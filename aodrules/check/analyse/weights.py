"""What one thing costs to do, in operations: what a step or a part of an expression takes beside its loops and calls.

An operation is something like adding two numbers. The weights are measured on the compiled engine
(`benchmarks/worst_rules.py`) and rounded up: what does much at once must not count as little.
"""

from __future__ import annotations

from aodrules.check.analyse.interval_analysis import Ranges
from aodrules.check.checked import CheckedRules, EffectScope, Field
from aodrules.check.steps import (
    AddTo,
    AnyStep,
    Draw,
    Happen,
    If,
    Let,
    LocalTarget,
    Move,
    Reveal,
    Roll,
    SetTo,
    Step,
    Stop,
    While,
)
from aodrules.check.visit import children
from aodrules.lang.expressions import AttributeRead, BuiltinCall, Comprehension, Const, Expression, Local, Operation
from aodrules.lang.types import Bag, ListOf, SetOf

CALL = 3
"""A call of a value, verb, event, hook or effect."""
CHANGED = 3
"""A change of a name."""
NOTED = 20
"""What the log tells: a change of a field, what happens, a named step, a loop that reaches its bound. It stays
in memory until the next answer, and Python looks through it for garbage."""
INSTANCE = 10
"""A way to fill in an option: it is looked at, and becomes an action that can be chosen."""
PICKED = 20
"""An answer that chance gives."""
MOVED = 20
"""A piece that is moved, beside the places that it comes from and goes to."""
SHUFFLED = 15
"""A piece that is put in another order, by chance or by a number."""
SOUGHT = 35
"""A step of the search for the best sets."""
REACHED = 10
"""A place that a way over a map may lead through."""
_IN_A_BAG, _IN_A_SET = 64, 256
"""So many members of a bag or a set are looked at in one operation."""
_KEPT = 8
"""An item that is put into a list, or in order."""
WRITTEN_OUT = 20
"""A number of a range that nothing runs over: it takes more memory than time."""
_WITHOUT_SEARCH = ("len", "first", "last", "either")


def weight_of(expression: Expression, ranges: Ranges) -> int:
    """Return what an expression itself takes, without what stands in it."""
    if isinstance(expression, Const | Local):
        return 0
    if isinstance(expression, Operation):
        return 1 + sum(size_of(each, ranges) for each in expression.operands)
    if isinstance(expression, BuiltinCall) and expression.builtin not in _WITHOUT_SEARCH:
        return 1 + sum(size_of(each, ranges) for each in expression.arguments)
    if isinstance(expression, AttributeRead | BuiltinCall | Comprehension):
        return 1
    return 1 + sum(_packed_size(each, ranges) for each in children(expression))


def weight_of_item(comprehension: Comprehension) -> int:
    """Return what it takes to put one item of a comprehension to the others."""
    return _KEPT if comprehension.gives in ("ranked", "places", "list") else 0


def size_of(expression: Expression, ranges: Ranges) -> int:
    """Return what it takes to look through what an expression gives: nothing for a single thing."""
    if isinstance(expression.type, ListOf):
        return ranges.of(expression).most
    return _packed_size(expression, ranges)


def unpacking(items: Expression, ranges: Ranges) -> int:
    """Return what it takes to find the things that a set or a bag holds."""
    return ranges.of(items).most * (1 + _packed_size(items, ranges)) if isinstance(items.type, Bag | SetOf) else 0


def _packed_size(expression: Expression, ranges: Ranges) -> int:
    of = expression.type
    if isinstance(of, Bag):
        return len(ranges.sizes.members(of.kind)) // _IN_A_BAG
    return (ranges.sizes.how_many(of.of) or 0) // _IN_A_SET if isinstance(of, SetOf) else 0


def weight_of_step(step: AnyStep, rules: CheckedRules, ranges: Ranges) -> int:
    """Return what a step itself takes, without its expressions, the steps in it, and what it calls."""
    if isinstance(step, If | Stop):
        return 0
    if isinstance(step, SetTo | AddTo | Let):
        changed = step.amount if isinstance(step, AddTo) else step.value
        is_told = step.told if isinstance(step, Let) else not isinstance(step.target, LocalTarget)
        return (NOTED if is_told else CHANGED) + size_of(changed, ranges)
    if isinstance(step, Roll):
        return SHUFFLED + size_of(step.items, ranges)
    if isinstance(step, Step):
        anew = (each for each in rules.fields.values() if each.resets in (step.name, step.address))
        return NOTED + sum(ranges.sizes.cells(each) for each in anew)
    if isinstance(step, Reveal):
        field = rules.fields.get(step.place.field)
        return MOVED + (room_to_search(field, ranges) if field else 0)
    if isinstance(step, Happen | While):
        return NOTED
    return MOVED if isinstance(step, Move | Draw) else CALL


def weight_of_question(rules: CheckedRules, ranges: Ranges) -> int:
    """Return what it takes to ask and to answer: play is left and entered again, and the state before is kept."""
    return 100 + weight_of_copy(rules, ranges)


def weight_of_copy(rules: CheckedRules, ranges: Ranges) -> int:
    """Return what it takes to copy the state."""
    return sum(ranges.sizes.cells(each) for each in rules.fields.values()) // 8


def room_to_search(of: Field, ranges: Ranges) -> int:
    """Return what it takes to find a piece in one part of a field, or to put it there."""
    most = ranges.sizes.field(of).most
    if isinstance(of.type, ListOf):
        return 2 * most if of.secret is not None else most // 2
    return len(ranges.sizes.members(of.type.kind)) // _IN_A_BAG if isinstance(of.type, Bag) else 0


def room_to_look_through(of: Field, ranges: Ranges) -> int:
    """Return what it takes to look once through one part of a field that holds pieces."""
    is_bag = isinstance(of.type, Bag)
    return len(ranges.sizes.members(of.holds or "")) if is_bag else room_to_search(of, ranges)


def weight_of_carrier(scope: EffectScope, rules: CheckedRules, ranges: Ranges) -> int:
    """Return what it takes to find out whether something that carries an effect lies where it must."""
    field = rules.fields.get(scope.field) if scope.field is not None else None
    if field is None:
        return CALL
    return CALL + (1 + room_to_search(field, ranges)) * (1 if scope.owner else ranges.sizes.cells(field))
