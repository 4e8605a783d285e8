"""One expression being checked, and what every check of a part of it asks: types, members, names in scope."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

from attrs import evolve, frozen

from aodrules.check import problems
from aodrules.check.context import Context, LocalName, Scope
from aodrules.check.resolve.types import fits, same_family
from aodrules.check.steps import FieldPlace
from aodrules.lang.expressions import BuiltinCall, Const, Expression, FieldRead, Local
from aodrules.lang.parsing import ExpressionText
from aodrules.lang.types import (
    OWNER,
    PLAYER,
    UNKNOWN,
    Bag,
    HiddenPiece,
    ListOf,
    Maybe,
    Member,
    Nothing,
    Owner,
    Player,
    SetOf,
    Type,
    Unknown,
    present,
)
from aodrules.source.spans import Span
from aodrules.source.wording import quotes

SETS = "a set"
_FEW = 12


@frozen(eq=False)
class ExpressionChecker:
    """One expression being checked. Nothing is raised: what is not understood is reported and becomes unknown."""

    text: ExpressionText
    scope: Scope

    @property
    def context(self) -> Context:
        """What is known of the ruleset."""
        return self.scope.context

    def with_scope(self, scope: Scope) -> ExpressionChecker:
        """Return the same with other names in scope."""
        return evolve(self, scope=scope)

    def given(self, condition: ast.expr, *, truth: bool) -> ExpressionChecker:
        """Return the same with what is known of its names once a condition came out as `truth`."""
        return self.with_scope(self.scope.narrowed(narrowed_types(self, condition, truth=truth)))

    def span_of(self, node: ast.AST) -> Span:
        """Return the place of a part of the text."""
        return self.text.span_of(node)

    def text_of(self, node: ast.AST) -> str:
        """Return a part of the text."""
        return self.text.part(node)

    def unknown(self, node: ast.AST) -> Expression:
        """Return an expression that fits everywhere, for what was reported already."""
        return Const(UNKNOWN, self.span_of(node), 0)


Check: TypeAlias = Callable[[ExpressionChecker, Any, "Type | None"], Expression]
CHECKS: dict[type[ast.expr], Check] = {}
"""What checks each part of an expression, by its syntax. `expressions` fills it: the parts need each other."""


def check(checker: ExpressionChecker, node: ast.expr, expected: Type | None = None) -> Expression:
    """Return the typed expression of a part of the text."""
    if type(node) in CHECKS:
        return as_owner(checker.context, CHECKS[type(node)](checker, node, expected), expected)
    return checker.context.reject(problems.invalid_expression("this stands only inside a call", checker.span_of(node)))


def as_owner(context: Context, found: Expression, expected: Type | None) -> Expression:
    """Return a side as an owner where one is wanted; anything else as it is."""
    wanted = None if expected is None else present(expected)
    side = found.type
    if isinstance(wanted, Owner) and isinstance(side, Member) and context.family(side.kind).is_side:
        return BuiltinCall(OWNER, found.span, "as_owner", (found,), (side.kind,))
    return found


def read_local(meaning: LocalName, name: str, at: Span) -> Expression:
    """Return what a local name means; a side, where it was found that the owner it names is one."""
    if meaning.is_owner and isinstance(meaning.type, Member):
        return BuiltinCall(meaning.type, at, "as_side", (Local(OWNER, at, name),), (meaning.type.kind,))
    return Local(meaning.type, at, name)


def reject_name(checker: ExpressionChecker, node: ast.expr, known: Iterable[str], what: str) -> Expression:
    """Report a name that nothing declares, and return an expression that fits everywhere."""
    name = node.id if isinstance(node, ast.Name) else checker.text_of(node)
    return checker.context.reject(problems.unknown_name(name, checker.span_of(node), known, what))


def check_as(checker: ExpressionChecker, node: ast.expr, expected: Type) -> Expression:
    """Check a part that must be of a type; report it if it is not."""
    found = check(checker, node, expected)
    if not fits(checker.context, found.type, expected):
        report_mismatch(checker, node, found.type, expected)
        return checker.unknown(node)
    return found


def check_collection(checker: ExpressionChecker, node: ast.expr) -> Expression:
    """Check a part that one can run over: a list, set, bag or whole kind."""
    items = check(checker, node)
    if not isinstance(items.type, ListOf | SetOf | Bag | Unknown):
        report_mismatch(checker, node, items.type, "a collection")
        return checker.unknown(node)
    return items


def report_mismatch(checker: ExpressionChecker, node: ast.expr, found: Type, expected: Type | str) -> None:
    """Report that a part has another type than is needed."""
    text, at = checker.text_of(node), checker.span_of(node)
    if isinstance(present(found), HiddenPiece):
        checker.context.add(problems.hidden_identity(text, at))
    elif (
        isinstance(found, Maybe | Nothing)
        and not isinstance(expected, str | Maybe)
        and _would_fit(checker, found, expected)
    ):
        checker.context.add(problems.may_be_none(text, found, at))
    else:
        help_ = _help_for_owner(text) if _is_side_for_player(expected, found) else _help_instead(checker, expected)
        checker.context.add(problems.type_mismatch(expected, found, text, at, help_))


def _would_fit(checker: ExpressionChecker, found: Type, expected: Type) -> bool:
    if isinstance(found, Nothing):
        return True
    inner = present(found)
    return not isinstance(inner, Unknown) and fits(checker.context, inner, expected)


def _is_side_for_player(expected: Type | str, found: Type) -> bool:
    return isinstance(expected, Player) and isinstance(found, Owner)


def _help_for_owner(text: str) -> str:
    """Return how an owner is found to be a player; only what has a name can be tested."""
    if text.isidentifier():
        return f"a side has no seat: test `{text} is player` before"
    return f"a side has no seat: write `let: one, be: {text}` and test `one is player` before"


def _help_instead(checker: ExpressionChecker, expected: Type | str) -> str | None:
    """Return what is fine where something else stands: the members of a kind, if they are few."""
    if expected == SETS:
        return "conditions are joined with `and` and `or`"
    wanted = None if isinstance(expected, str) else present(expected)
    kind = checker.context.kinds.get(wanted.kind) if isinstance(wanted, Member) else None
    if kind is None or not 0 < len(kind.members) <= _FEW:
        return None
    return f"write {quotes(kind.members, 'or')}, or what gives one of them"


def member_number(checker: ExpressionChecker, kind: str, name: str) -> int | None:
    """Return the number of a kind's member in its family, or nothing."""
    declared = checker.context.kinds.get(kind)
    if declared is None or name not in declared.members:
        return None
    return declared.places[declared.members.index(name)]


def bind_loop(checker: ExpressionChecker, node: ast.AST, name: str, type_: Type, items: Expression) -> Scope:
    """Return the names with one more loop name; report it if it hides another."""
    hidden = checker.scope.get(name)
    if hidden is not None or is_global(checker, name):
        checker.context.add(problems.shadowed_name(name, checker.span_of(node), hidden.span if hidden else None))
    place = FieldPlace(items.span, items.field, items.at) if isinstance(items, FieldRead) else None
    return checker.scope.bind(name, LocalName(type_, "loop", checker.span_of(node), place))


def is_global(checker: ExpressionChecker, name: str) -> bool:
    """Whether a name means a collection, a field of the table, sets or a graph."""
    context = checker.context
    return context.is_global(name) or name in context.sets or name in context.graphs


def is_bare_member(checker: ExpressionChecker, node: ast.expr) -> bool:
    """Whether a part is a word that only an expected type can explain."""
    if not isinstance(node, ast.Name) or node.id in ("true", "false", "none"):
        return False
    is_named = checker.scope.get(node.id) is not None or is_global(checker, node.id)
    return not is_named and not _is_bare_attribute(checker, node.id)


def needs_type(checker: ExpressionChecker, node: ast.expr) -> bool:
    """Whether only an expected type can explain a part: a bare member, `[]` or `set([])`."""
    inner = node.args[0] if isinstance(node, ast.Call) and len(node.args) == 1 and not node.keywords else node
    return is_bare_member(checker, node) or (isinstance(inner, ast.List) and not inner.elts)


def _is_bare_attribute(checker: ExpressionChecker, name: str) -> bool:
    bare = checker.scope.bare
    return bare is not None and checker.context.attribute_of(bare, name) is not None


def expected_kind(expected: Type | None) -> str | None:
    """Return the kind a bare word is looked up in, where the expected type tells one."""
    inner = present(expected) if expected is not None else None
    if isinstance(inner, HiddenPiece):
        inner = inner.of
    return inner.kind if isinstance(inner, Member) else None


# What a test tells about the names in it: `x != none` and `x is kind`.


def narrowed_types(checker: ExpressionChecker, node: ast.expr, *, truth: bool) -> dict[str, Type]:
    """Return more exact types of names, given that a condition came out as `truth`."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return narrowed_types(checker, node.operand, truth=not truth)
    if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.And if truth else ast.Or):
        found: dict[str, Type] = {}
        for value in node.values:
            found |= narrowed_types(checker, value, truth=truth)
        return found
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and isinstance(node.left, ast.Name):
        return _narrowed_by_comparison(checker, node.left.id, node.ops[0], node.comparators[0], truth=truth)
    return {}


def _narrowed_by_comparison(
    checker: ExpressionChecker, name: str, operator: ast.cmpop, other: ast.expr, *, truth: bool
) -> dict[str, Type]:
    meaning = checker.scope.get(name)
    if meaning is None or not isinstance(other, ast.Name):
        return {}
    differs = isinstance(operator, ast.NotEq) if truth else isinstance(operator, ast.Eq)
    if other.id == "none" and differs and isinstance(meaning.type, Maybe):
        return {name: present(meaning.type)}
    is_kind = isinstance(operator, ast.Is) if truth else isinstance(operator, ast.IsNot)
    inner = present(meaning.type)
    if is_kind and isinstance(inner, Member) and other.id in checker.context.kinds:
        return {name: Member(other.id)} if same_family(checker.context, inner.kind, other.id) else {}
    if is_kind and isinstance(meaning.type, Owner):
        return {name: found} if (found := owner_called(checker.context, other.id)) is not None else {}
    return {}


def owner_called(context: Context, word: str) -> Player | Member | None:
    """Return the type of the owners that a word after `is` means: players, or the sides of a kind."""
    if word == "player":
        return PLAYER
    return Member(word) if word in context.kinds and context.family(word).is_side else None
