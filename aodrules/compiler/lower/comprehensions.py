"""What a loop runs over, and results gathered over loops: written out where the items are few and known."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from aodrules.compiler.formulas import (
    Formula,
    Generator,
    Literal,
    Reduce,
    all_of,
    lift,
)
from aodrules.compiler.lower.builder import PlanBuilder
from aodrules.compiler.lower.expressions import lower_expression, lower_items, lower_tests
from aodrules.compiler.lower.inlining import WRITTEN_OUT
from aodrules.compiler.lower.planner import Planner
from aodrules.compiler.lower.scope import LowerScope
from aodrules.lang import expressions as typed
from aodrules.lang.builtins.entry import OverItems
from aodrules.lang.builtins.table import BUILTINS
from aodrules.lang.types import Maybe
from aodrules.source.spans import Span

Pair: TypeAlias = tuple[Formula, Formula]
"""A condition and the item that counts if it holds."""


def lower_comprehension(planner: Planner, expression: typed.Comprehension, scope: LowerScope) -> Formula:
    """Return the result of a comprehension: written out where its turns are few and known, else a loop."""
    over = BUILTINS[expression.gives].over
    assert over is not None
    build = PlanBuilder(planner, expression.span)
    if over.unroll is not None and planner.inline_sizes.is_written_out(expression):
        pairs = _unroll(planner, expression, scope)
        written = None if pairs is None else _fold(expression.span, over, pairs)
        if written is None and pairs is not None:
            written = over.unroll(build, expression, pairs)
        if written is not None:
            return lift(expression.span, written)
    if over.reduce is None:
        return _lower_reduce(planner, expression, scope, expression.gives)
    made = over.reduce(build, lambda gives: _lower_reduce(planner, expression, scope, gives))
    return lift(expression.span, made)


def _fold(span: Span, over: OverItems, pairs: list[Pair]) -> Formula | None:
    """Return what is gathered where every item is known beforehand."""
    if not all(isinstance(part, Literal) for pair in pairs for part in pair):
        return None
    return Literal(span, over.evaluate(item.value for _, item in pairs if isinstance(item, Literal)))


def _unroll(planner: Planner, expression: typed.Comprehension, scope: LowerScope) -> list[Pair] | None:
    """Return condition and item for every turn of the loops, or nothing if they are too many or not known."""
    found: list[Pair] = []
    truth = Literal(expression.span, value=True)
    for pair in _unroll_loops(planner, expression, expression.loops, scope, truth):
        if pair is None or len(found) >= WRITTEN_OUT:
            return None
        found.append(pair)
    return found


def _unroll_loops(
    planner: Planner,
    expression: typed.Comprehension,
    loops: tuple[typed.Loop, ...],
    scope: LowerScope,
    condition: Formula,
) -> Iterator[Pair | None]:
    if isinstance(condition, Literal) and not condition.value:
        return
    if not loops:
        yield condition, lower_expression(planner, expression.item, scope)
        return
    items = lower_items(planner, loops[0].items, scope)
    if not isinstance(items, Literal) or not isinstance(items.value, tuple) or len(items.value) > WRITTEN_OUT:
        yield None
        return
    for value in items.value:
        inner = scope.bind(loops[0].name, Literal(loops[0].items.span, value))
        tested = lower_tests(planner, loops[0].conditions, inner)
        yield from _unroll_loops(planner, expression, loops[1:], inner, all_of(expression.span, condition, *tested))


def _lower_reduce(planner: Planner, expression: typed.Comprehension, scope: LowerScope, gives: str) -> Formula:
    loops = []
    for loop in expression.loops:
        variable = planner.variable(loop.name, loop.items.span)
        items = lower_items(planner, loop.items, scope)
        scope = scope.bind(loop.name, variable)
        loops.append(Generator(variable.name, items, lower_tests(planner, loop.conditions, scope)))
    item = lower_expression(planner, expression.item, scope)
    return Reduce(expression.span, gives, item, tuple(loops), isinstance(expression.item.type, Maybe))
