"""What a loop runs over, and results gathered over loops: written out where the items are few and known."""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from operator import or_
from typing import TypeAlias

from aodrules.compiler.formulas import (
    Formula,
    Generator,
    Literal,
    Reduce,
    add_up,
    all_of,
    any_of,
    call_pure,
    fold_tuple,
    select,
)
from aodrules.compiler.lower.expressions import lower_all, lower_expression, lower_items
from aodrules.compiler.lower.planner import Planner
from aodrules.compiler.lower.scope import LowerScope
from aodrules.compiler.passes.inlining import WRITTEN_OUT
from aodrules.lang import expressions as typed
from aodrules.lang.types import Flag, Maybe
from aodrules.source.spans import Span

Pair: TypeAlias = tuple[Formula, Formula]
"""A condition and the item that counts if it holds."""


def lower_comprehension(planner: Planner, expression: typed.Comprehension, scope: LowerScope) -> Formula:
    """Return the result of a comprehension: written out where its turns are few and known, else a loop."""
    pairs = _unroll(planner, expression, scope) if planner.sizes.is_written_out(expression) else None
    if pairs is not None:
        written = _written_out(expression, pairs)
        if written is not None:
            return written
    return _lower_reduce(planner, expression, scope)


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
        tested = (lower_expression(planner, one, inner) for one in loops[0].conditions)
        yield from _unroll_loops(planner, expression, loops[1:], inner, all_of(expression.span, condition, *tested))


def _lower_reduce(planner: Planner, expression: typed.Comprehension, scope: LowerScope) -> Formula:
    loops = []
    for loop in expression.loops:
        variable = planner.variable(loop.name, loop.items.span)
        items = lower_items(planner, loop.items, scope)
        scope = scope.bind(loop.name, variable)
        loops.append(Generator(variable.name, items, lower_all(planner, loop.conditions, scope)))
    item = lower_expression(planner, expression.item, scope)
    if expression.gives == "count" and not isinstance(expression.item.type, Flag):
        item = Literal(expression.item.span, value=True)
    return Reduce(expression.span, expression.gives, item, tuple(loops), isinstance(expression.item.type, Maybe))


def _written_out(expression: typed.Comprehension, pairs: list[Pair]) -> Formula | None:
    """Return the result over known turns as one formula, or nothing where a loop is better."""
    span, gives = expression.span, expression.gives
    if gives in {"any", "all"}:
        return _flags(span, gives, pairs)
    if gives in {"sum", "count"}:
        return _sum(expression, pairs)
    if gives == "set":
        return reduce(or_, (select(span, condition, 1 << item, 0) for condition, item in pairs), Literal(span, 0))
    if gives in {"first", "last"}:
        return _first(span, pairs if gives == "last" else pairs[::-1])
    if all(isinstance(condition, Literal) for condition, _ in pairs):
        return _certain(span, gives, [item for _, item in pairs])
    return None


def _flags(span: Span, gives: str, pairs: list[Pair]) -> Formula:
    if gives == "any":
        return any_of(span, *(all_of(span, condition, item) for condition, item in pairs))
    return all_of(span, *(select(span, condition, item, Literal(span, value=True)) for condition, item in pairs))


def _sum(expression: typed.Comprehension, pairs: list[Pair]) -> Formula | None:
    span = expression.span
    if expression.gives == "count" and isinstance(expression.item.type, Flag):
        return add_up(span, *(select(span, all_of(span, *pair), 1, 0) for pair in pairs))
    if expression.gives == "count":
        return add_up(span, *(select(span, condition, 1, 0) for condition, _ in pairs))
    if any(isinstance(item, Literal) and item.value is None for _, item in pairs):
        pairs = [pair for pair in pairs if not (isinstance(pair[1], Literal) and pair[1].value is None)]
    if isinstance(expression.item.type, Maybe) and not all(isinstance(item, Literal) for _, item in pairs):
        return None
    return add_up(span, *(select(span, condition, item, 0) for condition, item in pairs))


def _first(span: Span, pairs: list[Pair]) -> Formula:
    result: Formula = Literal(span, None)
    for condition, item in pairs:
        result = select(span, condition, item, result)
    return result


def _certain(span: Span, gives: str, items: list[Formula]) -> Formula | None:
    """Return the result over items that all count."""
    known = [item.value for item in items if isinstance(item, Literal)]
    if gives == "list":
        return fold_tuple(span, *items)
    if gives in {"min", "max"} and items and None not in known:
        if len(known) == len(items):
            return Literal(span, min(known) if gives == "min" else max(known))  # type: ignore[type-var]
        return call_pure(span, gives, *items) if len(items) > 1 else items[0]
    if gives in {"min", "max"} and not items:
        return Literal(span, None)
    return None
