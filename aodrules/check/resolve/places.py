"""Places: fields that hold pieces, as `from` and `to` name them."""

from __future__ import annotations

import ast

from attrs import evolve

from aodrules.check import problems
from aodrules.check.checked import SEAT, Field
from aodrules.check.context import Context
from aodrules.check.resolve.checker import ExpressionChecker, check_as, check_number
from aodrules.check.resolve.expressions import add_mistake, written_of
from aodrules.check.resolve.paths import Partial, finish_path, resolve_path
from aodrules.check.resolve.scope import Scope
from aodrules.check.steps import FieldPlace, FieldTarget, LocalTarget, ParameterPlace, PlaceReference, Target
from aodrules.lang.expressions import Const, Expression, FieldRead, ItemAt
from aodrules.lang.parsing import SyntaxMistake, parse
from aodrules.lang.types import UNKNOWN, Bag, ListOf, Maybe, Member, Piece, Place, Player, Type, Unknown
from aodrules.syntax.tree import Node, Scalar


def read_place(context: Context, node: Node, names: Scope, kind: str | None = None) -> PlaceReference | None:
    """Return the place a node names. `kind` is the family of the pieces, where that is known already."""
    if not isinstance(node, Scalar) or not isinstance(node.value, str):
        context.add(problems.not_a_place(str(node.plain()), node.span))
        return None
    written = written_of(node)
    tree = parse(written)
    if isinstance(tree, SyntaxMistake):
        add_mistake(context, written, tree)
        return None
    return _place(ExpressionChecker(context, written, names), tree, kind)


def _place(checker: ExpressionChecker, tree: ast.expr, kind: str | None) -> PlaceReference | None:
    if isinstance(tree, ast.Name):
        meaning = checker.scope.get(tree.id)
        if meaning is not None and isinstance(meaning.type, Place):
            return ParameterPlace(checker.span_of(tree), tree.id)
        if tree.id == "out":
            return _out(checker, tree, kind)
    if _is_of_unknown_type(checker, tree):
        return None
    owners = _owners_part(checker, tree)
    if owners is not None:
        return owners
    if isinstance(tree, ast.Subscript):
        inside = _place_quietly(checker, tree.value)
        if (
            isinstance(inside, FieldPlace)
            and None in inside.at
            and isinstance(element(checker.context, inside.field), ListOf)
        ):
            return evolve(inside, span=checker.span_of(tree), index=check_number(checker, tree.slice))
    path = resolve_path(checker, tree)
    if isinstance(path, Partial) and isinstance(path.of, Field):
        return _of_partial(checker, tree, path.of, path)
    return _of_expression(checker, tree, path)


def _is_of_unknown_type(checker: ExpressionChecker, tree: ast.expr) -> bool:
    """Whether this is a field of which it was told already that its type is none."""
    while isinstance(tree, ast.Subscript):
        tree = tree.value
    word = tree.id if isinstance(tree, ast.Name) else tree.attr if isinstance(tree, ast.Attribute) else ""
    return word in checker.context.untyped


def _place_quietly(checker: ExpressionChecker, tree: ast.expr) -> PlaceReference | None:
    return _owners_part(checker, tree) if isinstance(tree, ast.Name) else None


def _out(checker: ExpressionChecker, tree: ast.Name, kind: str | None) -> PlaceReference | None:
    field = checker.context.fields.get(f"out.{kind}") if kind else None
    if field is None:
        problem = problems.not_a_place("out", checker.span_of(tree), "only kinds with pieces have `out`")
        (checker.context.add if kind else checker.context.add_unless_known)(problem)
        return None
    return FieldPlace(checker.span_of(tree), field.name, (None,) if field.dimensions else ())


def _owners_part(checker: ExpressionChecker, tree: ast.expr) -> FieldPlace | None:
    """Return the place of a bare field of the piece's owner: `supply`, or `shelf[age]` for a table of them."""
    name, indices = tree, list[ast.expr]()
    while isinstance(name, ast.Subscript):
        indices.insert(0, name.slice)
        name = name.value
    if not isinstance(name, ast.Name) or checker.scope.get(name.id) is not None:
        return None
    field = checker.context.fields.get(f"player.{name.id}")
    if field is None or field.owner_dimension != 0 or len(indices) != len(field.dimensions) - 1:
        return None
    at = tuple(check_as(checker, each, type_) for each, type_ in zip(indices, field.dimensions[1:], strict=True))
    return FieldPlace(checker.span_of(tree), field.name, (None, *at))


def _of_partial(checker: ExpressionChecker, tree: ast.expr, field: Field, path: Partial) -> FieldPlace | None:
    text, at = checker.text_of(tree), checker.span_of(tree)
    if field.holds is None:
        checker.context.add(
            problems.not_a_place(text, at, "pieces lie in bags, lists and maybes of a kind with pieces")
        )
        return None
    owner = field.owner_dimension
    if owner is None:
        if path.missing:
            checker.context.add(problems.missing_index(text, path.missing[0], at))
            return None
        return FieldPlace(at, field.name, path.at)
    if owner == len(path.at) and len(path.missing) == 1:
        return FieldPlace(at, field.name, (*path.at, None))
    short = field.name.split(".")[-1]
    checker.context.add(
        problems.not_a_place(
            text,
            at,
            f"a piece stays with its owner: write `{short}` without saying whose"
            if owner == 0
            else "leave the player's index out: a piece stays with its owner",
        )
    )
    return None


def _of_expression(checker: ExpressionChecker, tree: ast.expr, path: object) -> FieldPlace | None:
    if isinstance(path, ItemAt) and isinstance(path.items, FieldRead):
        field = checker.context.fields[path.items.field]
        if field.holds is not None:
            return FieldPlace(checker.span_of(tree), field.name, path.items.at, path.index)
    if not (isinstance(path, Const) and isinstance(path.type, Unknown)):
        checker.context.add(problems.not_a_place(checker.text_of(tree), checker.span_of(tree)))
    return None


def element(context: Context, field: str) -> Type:
    """Return the type of a field, by its name."""
    return context.fields[field].type


def place_kind(context: Context, place: PlaceReference | None, names: Scope) -> str | None:
    """Return the kind of the pieces a place holds, as narrow as it is declared."""
    if isinstance(place, ParameterPlace):
        meaning = names.get(place.name)
        return meaning.type.kind if meaning is not None and isinstance(meaning.type, Place) else None
    if place is None:
        return None
    return field_kind(context.fields[place.field])


def field_kind(field: Field) -> str | None:
    """Return the kind of the pieces a field holds: `player` for a list of players."""
    type_ = field.type
    if isinstance(type_, Bag):
        return type_.kind
    inner = type_.of if isinstance(type_, ListOf | Maybe) else UNKNOWN
    if isinstance(inner, Player):
        return "player"
    return inner.kind if isinstance(inner, Member | Piece) else None


def read_target(context: Context, node: Node, names: Scope) -> tuple[Target, Type] | None:
    """Return the field or `let` name that a step changes, and its type."""
    if not isinstance(node, Scalar) or not isinstance(node.value, str):
        context.add(problems.unchangeable_name(str(node.plain()), node.span))
        return None
    written = written_of(node)
    tree = parse(written)
    if isinstance(tree, SyntaxMistake):
        add_mistake(context, written, tree)
        return None
    checker = ExpressionChecker(context, written, names)
    local = names.get(tree.id) if isinstance(tree, ast.Name) else None
    if isinstance(tree, ast.Name) and local is not None and local.role == "let":
        return LocalTarget(checker.span_of(tree), tree.id), local.type
    return _field_target(checker, tree)


def _field_target(checker: ExpressionChecker, tree: ast.expr) -> tuple[Target, Type] | None:
    path = resolve_path(checker, tree)
    if isinstance(path, Partial) and isinstance(path.of, Field):
        if path.missing:
            finish_path(checker, path, tree)
            return None
        if path.of.name == SEAT or path.of.is_setting:
            checker.context.add(problems.unchangeable_name(checker.text_of(tree), checker.span_of(tree)))
            return None
        if path.of.holds is not None:
            checker.context.add(problems.piece_from_nowhere(checker.text_of(tree), checker.span_of(tree)))
            return None
        return FieldTarget(checker.span_of(tree), path.of.name, path.at), path.of.type
    if not _is_unknown(path):
        checker.context.add(problems.unchangeable_name(checker.text_of(tree), checker.span_of(tree)))
    return None


def _is_unknown(path: object) -> bool:
    return isinstance(path, Const) and isinstance(path.type, Unknown)


def tracked_place(context: Context, expression: Expression) -> FieldPlace | None:
    """Return where the piece lies that an expression reads, if it reads one plainly."""
    if isinstance(expression, FieldRead):
        field = context.fields[expression.field]
        is_secret_fact = field.secret is not None and field.holds is None
        if isinstance(field.type, Maybe) or is_secret_fact:
            return FieldPlace(expression.span, expression.field, expression.at)
    if isinstance(expression, ItemAt) and isinstance(expression.items, FieldRead):
        return FieldPlace(expression.span, expression.items.field, expression.items.at, expression.index)
    return None
