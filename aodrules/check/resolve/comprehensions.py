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
from aodrules.lang.expressions import BuiltinCall, Comprehension, Const, Expression, Local, Loop
from aodrules.lang.types import (
    FLAG,
    NUMBER,
    UNKNOWN,
    Flag,
    HiddenPiece,
    ListOf,
    Member,
    Number,
    Piece,
    Player,
    SetOf,
    Type,
    Unknown,
    item_of,
    maybe,
    present,
)

OVER_ITEMS = ("sum", "count", "any", "all", "min", "max", "first", "last", "list", "set", "ranked")
_NEED_CONDITIONS = ("any", "all")


def check_aggregation(checker: ExpressionChecker, gives: str, node: ast.Call) -> Expression:
    """Check an aggregation: over a generator, or over the items of one collection."""
    argument = node.args[0]
    if isinstance(argument, ast.GeneratorExp):
        return _check_over_generator(checker, gives, node, argument)
    if gives in ("count", "any", "all", "ranked"):
        example = f"{gives}(... for x in {checker.text_of(argument)})"
        checker.context.add(
            problems.wrong_arguments(f"`{gives}` runs over items", checker.span_of(node), f"write `{example}`")
        )
        return checker.unknown(node)
    return _check_over_collection(checker, gives, node, argument)


def _check_over_collection(checker: ExpressionChecker, gives: str, node: ast.Call, argument: ast.expr) -> Expression:
    items = check_collection(checker, argument)
    name = f"item:{node.col_offset}"
    item = Local(item_of(items.type), checker.span_of(argument), name)
    return _aggregate(checker, gives, node, item, (Loop(name, item.type, items, ()),))


def _check_over_generator(
    checker: ExpressionChecker, gives: str, node: ast.Call, generator: ast.GeneratorExp
) -> Expression:
    loops = []
    for clause in generator.generators:
        checker, loop = _check_loop(checker, clause)
        loops.append(loop)
    item = check(checker, generator.elt)
    return _aggregate(checker, gives, node, item, tuple(loops), generator.elt)


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
    gives: str,
    node: ast.Call,
    item: Expression,
    loops: tuple[Loop, ...],
    where: ast.expr | None = None,
) -> Expression:
    """Return the aggregation of an item over loops."""
    if isinstance(item.type, Unknown):
        return Const(UNKNOWN, checker.span_of(node), 0)
    if gives == "count" and not isinstance(item.type, Flag):
        item = Const(FLAG, item.span, value=True)
    type_ = _result_type(checker, gives, item.type, loops)
    if type_ is None:
        report_mismatch(checker, where or node, item.type, _wanted(gives))
        return checker.unknown(node)
    return Comprehension(type_, checker.span_of(node), gives, item, loops)


def _result_type(checker: ExpressionChecker, gives: str, item: Type, loops: tuple[Loop, ...]) -> Type | None:
    if gives in ("any", "all"):
        return FLAG if isinstance(item, Flag) else None
    if gives in ("sum", "count"):
        return NUMBER if isinstance(present(item), Number | Flag) else None
    if gives in ("min", "max"):
        return _extreme_type(checker, item, loops)
    if gives in ("first", "last"):
        return item if _never_empty(loops) else maybe(item)
    if gives == "ranked":
        return ListOf(loops[0].item) if isinstance(item, Number) and len(loops) == 1 else None  # type: ignore[arg-type]
    if gives == "set":
        return SetOf(item) if isinstance(item, Member | Player) else None
    return ListOf(item) if isinstance(item, Number | Flag | Member | Player | Piece | HiddenPiece) else None


def _extreme_type(checker: ExpressionChecker, item: Type, loops: tuple[Loop, ...]) -> Type | None:
    ordered = isinstance(item, Member) and checker.context.kinds[item.kind].ordered
    if not isinstance(item, Number) and not ordered:
        return None
    return item if _never_empty(loops) else maybe(item)


def _never_empty(loops: tuple[Loop, ...]) -> bool:
    """Whether at least one item is certain: players, seats and whole kinds, without conditions."""
    return all(not loop.conditions and _is_whole(loop.items) for loop in loops)


def _is_whole(items: Expression) -> bool:
    if isinstance(items, BuiltinCall):
        return items.builtin in ("players", "seats", "seats_from")
    return isinstance(items, Const) and bool(items.value)


def _wanted(gives: str) -> str | Type:
    if gives in _NEED_CONDITIONS:
        return FLAG
    if gives in ("sum", "min", "max", "ranked"):
        return NUMBER
    return "a member or player" if gives == "set" else "a single thing"
