"""`sum(x for y in z if ...)` and its kin, and loops over what they run over."""

from __future__ import annotations

import ast

from aodrules.check import problems
from aodrules.check.resolve.checker import (
    ExpressionChecker,
    bind_loop,
    check,
    check_collection,
    check_condition,
    report_mismatch,
)
from aodrules.lang.builtins.entry import Builtin, OverItems, Phrase
from aodrules.lang.builtins.table import MEANINGS
from aodrules.lang.expressions import BuiltinCall, Comprehension, Const, Expression, Local, Loop
from aodrules.lang.types import (
    FLAG,
    UNKNOWN,
    Flag,
    Member,
    Type,
    Unknown,
    item_of,
    maybe,
    present,
)


def check_aggregation(checker: ExpressionChecker, builtin: Builtin, over: OverItems, node: ast.Call) -> Expression:
    """Check an aggregation: over a generator, or over the items of one collection."""
    argument = node.args[0]
    if not isinstance(argument, ast.GeneratorExp):
        return _check_over_collection(checker, builtin, over, node)
    loops = []
    for clause in argument.generators:
        checker, loop = _check_loop(checker, clause)
        loops.append(loop)
    item = check(checker, argument.elt)
    return _aggregate(checker, builtin.name, over, node, argument.elt, item, tuple(loops))


def _check_over_collection(checker: ExpressionChecker, builtin: Builtin, over: OverItems, node: ast.Call) -> Expression:
    name, argument = builtin.name, node.args[0]
    if isinstance(builtin.takes[-1][0], Phrase):
        example = f"{name}(... for x in {checker.text_of(argument)})"
        checker.context.add(
            problems.wrong_arguments(f"`{name}` runs over items", checker.span_of(node), f"write `{example}`")
        )
        return checker.unknown(node)
    items = check_collection(checker, argument)
    local = f"item:{node.col_offset}"
    item = Local(item_of(items.type), checker.span_of(argument), local)
    return _aggregate(checker, name, over, node, node, item, (Loop(local, item.type, items, ()),))


def _check_loop(checker: ExpressionChecker, clause: ast.comprehension) -> tuple[ExpressionChecker, Loop]:
    if not isinstance(clause.target, ast.Name):
        checker.context.add(problems.invalid_expression("a loop has one name", checker.span_of(clause.target)))
        return checker, Loop("?", UNKNOWN, checker.unknown(clause.target), ())
    items = check_collection(checker, clause.iter)
    name, type_ = clause.target.id, item_of(items.type)
    checker = checker.with_scope(bind_loop(checker, clause.target, name, type_, items))
    conditions = []
    for condition in clause.ifs:
        conditions.append(check_condition(checker, condition))
        checker = checker.given(condition, truth=True)
    narrowed = checker.scope.names[name].type
    return checker, Loop(name, narrowed, items, tuple(conditions))


def _aggregate(
    checker: ExpressionChecker,
    name: str,
    over: OverItems,
    node: ast.Call,
    where: ast.expr,
    item: Expression,
    loops: tuple[Loop, ...],
) -> Expression:
    """Return the aggregation of an item over loops."""
    if isinstance(item.type, Unknown):
        return checker.unknown(node)
    if over.counts_things and not isinstance(item.type, Flag):
        item = Const(FLAG, item.span, value=True)
    if not _takes_item(checker, over, item.type) or (over.ranks and len(loops) > 1):
        report_mismatch(checker, where, item.type, over.wanted)
        return checker.unknown(node)
    type_ = over.gives(loops[0].item if over.ranks else item.type)
    if over.none_if_empty and not _never_empty(loops):
        type_ = maybe(type_)
    return Comprehension(type_, checker.span_of(node), name, item, loops)


def _takes_item(checker: ExpressionChecker, over: OverItems, item: Type) -> bool:
    if isinstance(item, Member) and over.takes_ordered:
        return checker.context.kinds[item.kind].ordered
    return isinstance(present(item) if over.skips_none else item, over.item)


def _never_empty(loops: tuple[Loop, ...]) -> bool:
    """Whether at least one item is certain: players, seats and whole kinds, without conditions."""
    return all(not loop.conditions and _is_whole(loop.items) for loop in loops)


def _is_whole(items: Expression) -> bool:
    if isinstance(items, BuiltinCall) and items.builtin in MEANINGS:
        return MEANINGS[items.builtin].never_empty
    return isinstance(items, Const) and bool(items.value)
