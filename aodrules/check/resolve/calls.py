"""Calls of values and builtins: the types they take and give."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable

from attrs import evolve

from aodrules.check import problems
from aodrules.check.checked import Graph, Parameter
from aodrules.check.context import KnownLimit
from aodrules.check.resolve.checker import (
    ExpressionChecker,
    check,
    check_as,
    check_collection,
    check_number,
    report_mismatch,
)
from aodrules.check.resolve.comprehensions import OVER_ITEMS, check_aggregation
from aodrules.check.resolve.scope import LocalName
from aodrules.check.resolve.subtyping import joined
from aodrules.check.resolve.type_parser import argument_in_words
from aodrules.check.steps import FieldPlace, ParameterPlace
from aodrules.lang.expressions import (
    BuiltinCall,
    Const,
    Expression,
    FieldRead,
    ItemAt,
    Knows,
    LimitUsed,
    Local,
    Possible,
    ValueCall,
)
from aodrules.lang.operators import BUILTINS
from aodrules.lang.types import (
    FLAG,
    NUMBER,
    PLAYER,
    UNKNOWN,
    Bag,
    HiddenPiece,
    ListOf,
    Maybe,
    Member,
    Number,
    Piece,
    SetOf,
    Type,
    Unknown,
    item_of,
    maybe,
)

_SPATIAL = ("neighbours", "around", "edge", "connected", "reach", "distance")


def check_call(checker: ExpressionChecker, node: ast.Call, expected: Type | None) -> Expression:
    """Check a call of a value or of a builtin."""
    if isinstance(node.func, ast.Attribute) and checker.text_of(node.func) in checker.context.values:
        return _check_value_call(checker, node, checker.text_of(node.func))
    if not isinstance(node.func, ast.Name):
        checker.context.add(
            problems.invalid_expression("only values and builtins are called", checker.span_of(node.func))
        )
        return checker.unknown(node)
    name = node.func.id
    if name in checker.context.values:
        return _check_value_call(checker, node, name)
    if name in BUILTINS:
        return _check_builtin(checker, node, name, expected)
    if name == "before":
        return _check_before(checker, node, expected)
    known = [*BUILTINS, *checker.context.values]
    checker.context.add(problems.unknown_name(name, checker.span_of(node.func), known, "value"))
    return checker.unknown(node)


def _check_before(checker: ExpressionChecker, node: ast.Call, expected: Type | None) -> Expression:
    """Read what something was at the last decision: a word of properties alone."""
    if not checker.scope.past or len(node.args) != 1 or node.keywords:
        message = "`before(...)` takes one thing" if checker.scope.past else "there is no `before` here"
        help_ = None if checker.scope.past else "only a property about a change can speak of what was before"
        checker.context.add(problems.wrong_arguments(message, checker.span_of(node), help_))
        return checker.unknown(node)
    was = check(checker.with_scope(evolve(checker.scope, past=False)), node.args[0], expected)
    return BuiltinCall(was.type, checker.span_of(node), "before", (was,))


def _check_value_call(checker: ExpressionChecker, node: ast.Call, name: str) -> Expression:
    signature = checker.context.values[name]
    named = {each.arg: each.value for each in node.keywords if each.arg}
    arguments = _check_arguments(checker, node, name, signature.parameters, node.args, named)
    type_ = checker.context.value_type(name)
    return ValueCall(type_, checker.span_of(node), name, arguments)


def _check_arguments(
    checker: ExpressionChecker,
    node: ast.Call,
    name: str,
    parameters: Iterable[Parameter],
    positional: list[ast.expr],
    named: dict[str, ast.expr],
) -> tuple[Expression, ...]:
    """Read the arguments of a call in the order of its parameters."""
    wanted = tuple(parameters)
    given = dict(zip((each.name for each in wanted), positional, strict=False))
    extra = [each for each in named if each in given or each not in {p.name for p in wanted}]
    if len(positional) > len(wanted) or extra:
        shown = ", ".join(each.name for each in wanted)
        checker.context.add(
            problems.wrong_arguments(f"`{name}` takes ({shown})", checker.span_of(node), f"write `{name}({shown})`")
        )
        return tuple(Const(UNKNOWN, checker.span_of(node), 0) for _ in wanted)
    given |= named
    return tuple(_check_argument(checker, node, name, each, given.get(each.name)) for each in wanted)


def _check_argument(
    checker: ExpressionChecker, node: ast.Call, name: str, parameter: Parameter, given: ast.expr | None
) -> Expression:
    if given is not None:
        return check_as(checker, given, parameter.type)
    if parameter.default is not None and not isinstance(parameter.default, FieldPlace | ParameterPlace):
        return parameter.default
    needed = argument_in_words(parameter.name, parameter.type)
    checker.context.add(problems.wrong_arguments(f"`{name}` needs {needed}", checker.span_of(node)))
    return checker.unknown(node)


def _check_builtin(checker: ExpressionChecker, node: ast.Call, name: str, expected: Type | None) -> Expression:
    """Return the typed call of a builtin."""
    if name in OVER_ITEMS and len(node.args) == 1 and not node.keywords:
        return check_aggregation(checker, name, node)
    if name in _SPATIAL:
        return _check_spatial(checker, node, name)
    special: dict[str, Callable[[ExpressionChecker, ast.Call, Type | None], Expression]] = {
        "min": _check_extreme,
        "max": _check_extreme,
        "size": _check_size,
        "len": _check_size,
        "index": _check_index,
        "either": _check_either,
        "abs": _check_numbers,
        "range": _check_numbers,
        "next": _check_next,
        "seats_from": _check_seats_from,
        "knows": _check_knows,
        "used": _check_used,
        "possible": _check_possible,
        "sets_worth": _check_sets_worth,
    }
    if name not in special:
        return _report_wrong_call(checker, node, name)
    return special[name](checker, node, expected)


def _report_wrong_call(checker: ExpressionChecker, node: ast.Call, name: str) -> Expression:
    takes = " or ".join(f"{name}({each})" for each in BUILTINS[name].takes)
    checker.context.add(
        problems.wrong_arguments(
            f"`{name}` does not fit its arguments", checker.span_of(node), f"it is called like `{takes}`"
        )
    )
    return checker.unknown(node)


def _has_arguments(node: ast.Call, low: int, high: int) -> bool:
    return low <= len(node.args) <= high and not node.keywords


def _made(
    checker: ExpressionChecker,
    node: ast.Call,
    name: str,
    type_: Type,
    *arguments: Expression,
    names: tuple[str, ...] = (),
) -> Expression:
    """Return the call of a builtin."""
    return BuiltinCall(type_, checker.span_of(node), name, arguments, names)


def _check_extreme(checker: ExpressionChecker, node: ast.Call, _: Type | None) -> Expression:
    name = _name(node)
    if not _has_arguments(node, 2, 20):
        return _report_wrong_call(checker, node, name)
    return _made(checker, node, name, NUMBER, *(check_number(checker, each) for each in node.args))


def _check_numbers(checker: ExpressionChecker, node: ast.Call, _: Type | None) -> Expression:
    name = _name(node)
    if not _has_arguments(node, 1, 2 if name == "range" else 1):
        return _report_wrong_call(checker, node, name)
    arguments = [check_number(checker, each) for each in node.args]
    if name == "abs":
        return _made(checker, node, name, NUMBER, *arguments)
    if len(arguments) == 1:
        arguments.insert(0, Const(Number(0, 0), checker.span_of(node), 0))
    return _made(checker, node, name, ListOf(NUMBER), *arguments)


def _check_size(checker: ExpressionChecker, node: ast.Call, _: Type | None) -> Expression:
    name = _name(node)
    if not _has_arguments(node, 1, 1):
        return _report_wrong_call(checker, node, name)
    items = check(checker, node.args[0])
    wanted = ListOf if name == "len" else Bag | SetOf
    if isinstance(items.type, Unknown):
        return checker.unknown(node)
    if not isinstance(items.type, wanted):
        words = "a list" if name == "len" else "a bag or set"
        report_mismatch(checker, node.args[0], items.type, words)
        return checker.unknown(node)
    return _made(checker, node, name, NUMBER, items)


def _check_index(checker: ExpressionChecker, node: ast.Call, _: Type | None) -> Expression:
    if not _has_arguments(node, 2, 2):
        return _report_wrong_call(checker, node, "index")
    items = check_collection(checker, node.args[0])
    item = check_as(checker, node.args[1], item_of(items.type))
    return _made(checker, node, "index", NUMBER, items, item)


def _check_either(checker: ExpressionChecker, node: ast.Call, expected: Type | None) -> Expression:
    if not _has_arguments(node, 2, 2):
        return _report_wrong_call(checker, node, "either")
    first = check(checker, node.args[0], maybe(expected) if expected else None)
    inner = first.type.of if isinstance(first.type, Maybe) else first.type
    second = check(checker, node.args[1], inner)
    type_ = joined(checker.context, inner, second.type)
    if type_ is None or isinstance(inner, HiddenPiece):
        report_mismatch(checker, node.args[1], second.type, inner)
        return checker.unknown(node)
    return _made(checker, node, "either", type_, first, second)


def _check_next(checker: ExpressionChecker, node: ast.Call, expected: Type | None) -> Expression:
    if not _has_arguments(node, 1, 1):
        return _report_wrong_call(checker, node, "next")
    member = check(checker, node.args[0], expected)
    if isinstance(member.type, Member) and checker.context.kinds[member.type.kind].ordered:
        return _made(checker, node, "next", Maybe(member.type), member)
    if not isinstance(member.type, Unknown):
        report_mismatch(checker, node.args[0], member.type, "a member of an ordered kind")
    return checker.unknown(node)


def _check_seats_from(checker: ExpressionChecker, node: ast.Call, _: Type | None) -> Expression:
    if not _has_arguments(node, 1, 1):
        return _report_wrong_call(checker, node, "seats_from")
    return _made(checker, node, "seats_from", ListOf(PLAYER), check_as(checker, node.args[0], PLAYER))


def _check_knows(checker: ExpressionChecker, node: ast.Call, _: Type | None) -> Expression:
    if not _has_arguments(node, 2, 2):
        return _report_wrong_call(checker, node, "knows")
    player = check_as(checker, node.args[0], PLAYER)
    piece = check(checker, node.args[1])
    at = checker.span_of(node)
    if isinstance(piece, FieldRead) and isinstance(piece.type, Maybe):
        return Knows(FLAG, at, player, piece.field, piece.at)
    if isinstance(piece, ItemAt) and isinstance(piece.items, FieldRead):
        return Knows(FLAG, at, player, piece.items.field, piece.items.at, piece.index)
    place = _place_of(checker, piece)
    if place is not None and place.place is not None:
        fixed = tuple(each for each in place.place.at if each is not None)
        return Knows(FLAG, at, player, place.place.field, fixed, place.place.index)
    if not isinstance(piece.type, Unknown):
        report_mismatch(checker, node.args[1], piece.type, "a place of one piece")
    return checker.unknown(node)


def _place_of(checker: ExpressionChecker, piece: Expression) -> LocalName | None:
    return checker.scope.get(piece.name) if isinstance(piece, Local) else None


def _check_used(checker: ExpressionChecker, node: ast.Call, _: Type | None) -> Expression:
    if not _has_arguments(node, 1, 2) or not isinstance(node.args[0], ast.Name):
        return _report_wrong_call(checker, node, "used")
    name = node.args[0].id
    found = checker.context.limits.get(name, [])
    if not found:
        checker.context.add(problems.unknown_name(name, checker.span_of(node.args[0]), checker.context.limits, "limit"))
        return checker.unknown(node)
    if len(found) > 1:
        checker.context.add(
            problems.ambiguous_limit(name, checker.span_of(node.args[0]), [each.span for each in found])
        )
        return checker.unknown(node)
    return LimitUsed(NUMBER, checker.span_of(node), found[0].counter, _check_whose(checker, node, found[0]))


def _check_whose(checker: ExpressionChecker, node: ast.Call, limit: KnownLimit) -> Expression | None:
    if limit.is_for_all:
        return None
    if len(node.args) == 2:
        return check_as(checker, node.args[1], PLAYER)
    return check(checker, ast.Name("player", lineno=1, col_offset=node.col_offset, end_col_offset=node.end_col_offset))


def _check_possible(checker: ExpressionChecker, node: ast.Call, _: Type | None) -> Expression:
    if len(node.args) != 1 or not isinstance(node.args[0], ast.Name):
        return _report_wrong_call(checker, node, "possible")
    name = node.args[0].id
    signature = checker.context.options.get(name)
    if signature is None:
        checker.context.add(
            problems.unknown_name(name, checker.span_of(node.args[0]), checker.context.options, "option")
        )
        return checker.unknown(node)
    given = {each.arg: each.value for each in node.keywords if each.arg}
    player = given.pop("player", None) or ast.Name(
        "player", lineno=1, col_offset=node.col_offset, end_col_offset=node.end_col_offset
    )
    arguments = _check_arguments(checker, node, name, signature.parameters, [], given)
    return Possible(FLAG, checker.span_of(node), name, check_as(checker, player, PLAYER), arguments)


def _check_sets_worth(checker: ExpressionChecker, node: ast.Call, _: Type | None) -> Expression:
    if not _has_arguments(node, 2, 3) or not isinstance(node.args[0], ast.Name):
        return _report_wrong_call(checker, node, "sets_worth")
    name = node.args[0].id
    if name not in checker.context.sets:
        checker.context.add(
            problems.unknown_name(name, checker.span_of(node.args[0]), checker.context.sets, "sets declaration")
        )
        return checker.unknown(node)
    bag = check(checker, node.args[1])
    if not isinstance(bag.type, Bag | Unknown):
        report_mismatch(checker, node.args[1], bag.type, "a bag")
    wild = check_number(checker, node.args[2]) if len(node.args) == 3 else Const(Number(0, 0), checker.span_of(node), 0)
    return _made(checker, node, "sets_worth", NUMBER, bag, wild, names=(name,))


def _check_spatial(checker: ExpressionChecker, node: ast.Call, name: str) -> Expression:
    rest = list(node.args)
    graph = checker.context.graphs.get(rest[0].id) if rest and isinstance(rest[0], ast.Name) else None
    if graph is not None and checker.scope.get(graph.name) is None:
        rest = rest[1:]
    elif rest:
        graph = _graph_of(checker, rest[0])
    wanted = _takes(name, graph.kind) if graph is not None else ()
    if graph is None or len(wanted) != len(rest) or node.keywords:
        return _report_wrong_call(checker, node, name)
    arguments = tuple(check_as(checker, each, type_) for each, type_ in zip(rest, wanted, strict=True))
    return _made(checker, node, name, _gives(name, graph.kind), *arguments, names=(graph.name,))


def _graph_of(checker: ExpressionChecker, node: ast.expr) -> Graph | None:
    type_ = check(checker, node).type
    kind = type_.kind if isinstance(type_, Member | Piece) else None
    return next((each for each in checker.context.graphs.values() if each.name == kind), None)


def _name(node: ast.Call) -> str:
    return node.func.id if isinstance(node.func, ast.Name) else ""


def _takes(name: str, kind: str) -> tuple[Type, ...]:
    member = Member(kind)
    return {
        "neighbours": (member,),
        "around": (member, NUMBER),
        "edge": (member,),
        "connected": (member, SetOf(member)),
        "reach": (member, NUMBER, SetOf(member)),
        "distance": (member, member),
    }[name]


def _gives(name: str, kind: str) -> Type:
    member = Member(kind)
    gives: dict[str, Type] = {"around": Maybe(member), "edge": FLAG, "distance": Maybe(NUMBER)}
    return gives.get(name, SetOf(member))
