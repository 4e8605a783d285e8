"""From the text of an expression, place or target to what it means."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import TypeVar

from attrs import evolve

from aodrules.check import problems
from aodrules.check.checked import SEAT, Field
from aodrules.check.context import Context, Scope
from aodrules.check.resolve.calls import check_call, check_reference
from aodrules.check.resolve.checker import (
    CHECKS,
    SETS,
    ExpressionChecker,
    as_owner,
    check,
    check_as,
    check_collection,
    is_bare_member,
    needs_type,
    owner_called,
    reject_name,
    report_mismatch,
)
from aodrules.check.resolve.paths import Partial, check_path, finish_path, resolve_path
from aodrules.check.resolve.types import comparable, fits, joined, same_family
from aodrules.check.steps import FieldPlace, FieldTarget, LocalTarget, ParameterPlace, PlaceReference, Target
from aodrules.lang.expressions import Const, Expression, FieldRead, IfElse, IsKind, ItemAt, Operation
from aodrules.lang.operators import ORDERED, operator_of
from aodrules.lang.parsing import ExpressionText, SyntaxMistake, is_usable_name, parse
from aodrules.lang.types import (
    FLAG,
    NUMBER,
    OWNER,
    PLAYER,
    UNKNOWN,
    Bag,
    FieldOf,
    Flag,
    HiddenPiece,
    ListOf,
    Maybe,
    Member,
    Number,
    Owner,
    Piece,
    Place,
    Player,
    SetOf,
    Type,
    Unknown,
    ValueOf,
    item_of,
    present,
    without_limit,
)
from aodrules.source.diagnostics import Fix
from aodrules.syntax.tree import Node, Scalar, word_of

_T = TypeVar("_T")


def _check_constant(checker: ExpressionChecker, node: ast.Constant, _: Type | None) -> Expression:
    assert isinstance(node.value, int)
    return Const(Number(node.value, node.value), checker.span_of(node), node.value)


def _check_arithmetic(checker: ExpressionChecker, node: ast.BinOp, _: Type | None) -> Expression:
    explained = check(checker, node.right).type if needs_type(checker, node.left) else None
    left = check(checker, node.left, explained if isinstance(explained, SetOf) else None)
    on_sets = operator_of(node.op, on_sets=True)
    if on_sets is not None and isinstance(left.type, SetOf):
        right = check_as(checker, node.right, left.type)
        return Operation(left.type, checker.span_of(node), on_sets.name, (left, right))
    operator = operator_of(node.op)
    if operator is None:
        if not isinstance(left.type, Unknown):
            report_mismatch(checker, node.left, left.type, SETS)
        return checker.unknown(node)
    if not fits(checker.context, left.type, NUMBER):
        report_mismatch(checker, node.left, left.type, NUMBER)
        return checker.unknown(node)
    right = check_as(checker, node.right, NUMBER)
    type_ = UNKNOWN if Unknown in (type(left.type), type(right.type)) else NUMBER
    return Operation(type_, checker.span_of(node), operator.name, (left, right))


def _check_unary(checker: ExpressionChecker, node: ast.UnaryOp, _: Type | None) -> Expression:
    if isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant) and isinstance(node.operand.value, int):
        return Const(Number(-node.operand.value, -node.operand.value), checker.span_of(node), -node.operand.value)
    operator = operator_of(node.op)
    assert operator is not None
    (pattern,) = operator.takes
    assert isinstance(pattern, Number | Flag)
    return Operation(pattern, checker.span_of(node), operator.name, (check_as(checker, node.operand, pattern),))


def _check_connected(checker: ExpressionChecker, node: ast.BoolOp, _: Type | None) -> Expression:
    parts = []
    operator = operator_of(node.op)
    assert operator is not None
    for value in node.values:
        parts.append(check_as(checker, value, FLAG))
        checker = checker.given(value, truth=not operator.deciding)
    return Operation(FLAG, checker.span_of(node), operator.name, tuple(parts))


def _check_comparison(checker: ExpressionChecker, node: ast.Compare, _: Type | None) -> Expression:
    sides = [node.left, *node.comparators]
    parts = [
        _check_pair(checker, node, left, operator, right)
        for left, operator, right in zip(sides, node.ops, sides[1:], strict=False)
    ]
    return parts[0] if len(parts) == 1 else Operation(FLAG, checker.span_of(node), "and", tuple(parts))


def _check_pair(
    checker: ExpressionChecker, node: ast.Compare, left: ast.expr, operator: ast.cmpop, right: ast.expr
) -> Expression:
    if isinstance(operator, ast.Is | ast.IsNot):
        return _check_is_kind(checker, node, left, operator, right)
    if isinstance(operator, ast.In | ast.NotIn):
        return _check_contained(checker, node, left, operator, right)
    one, other = _check_sides(checker, left, right)
    if Unknown in (type(one.type), type(other.type)):
        return checker.unknown(node)
    found = operator_of(operator)
    assert found is not None
    if found.takes[0] is not ORDERED:
        if not comparable(checker.context, one.type, other.type):
            _report_incomparable(checker, left, one, right, other)
            return checker.unknown(node)
    elif not _can_be_ordered(checker, left, one, right, other):
        return checker.unknown(node)
    return Operation(FLAG, checker.span_of(node), found.name, (one, other))


def _report_incomparable(
    checker: ExpressionChecker, left: ast.expr, one: Expression, right: ast.expr, other: Expression
) -> None:
    inner = present(other.type)
    if isinstance(present(one.type), Piece) and isinstance(inner, Member):
        kind = inner.kind
        checker.context.add(problems.type_mismatch(f"a {kind}", one.type, checker.text_of(left), checker.span_of(left)))
    elif isinstance(present(one.type), HiddenPiece):
        report_mismatch(checker, left, one.type, other.type)
    else:
        report_mismatch(checker, right, other.type, one.type)


def _check_sides(checker: ExpressionChecker, left: ast.expr, right: ast.expr) -> tuple[Expression, Expression]:
    """Read both sides, the one that explains the other first."""
    if needs_type(checker, left) and not needs_type(checker, right):
        other = check(checker, right)
        return check(checker, left, other.type), other
    one = check(checker, left)
    other = check(checker, right, one.type)
    return as_owner(checker.context, one, other.type), other


def _can_be_ordered(
    checker: ExpressionChecker, left: ast.expr, one: Expression, right: ast.expr, other: Expression
) -> bool:
    for part, found in ((left, one), (right, other)):
        kind = found.type.kind if isinstance(found.type, Member) else None
        if not isinstance(found.type, Number) and not (kind and checker.context.kinds[kind].ordered):
            report_mismatch(checker, part, found.type, NUMBER)
            return False
    if isinstance(one.type, Member) and isinstance(other.type, Member):
        if same_family(checker.context, one.type.kind, other.type.kind):
            return True
    elif type(one.type) is type(other.type):
        return True
    report_mismatch(checker, right, other.type, one.type)
    return False


def _check_is_kind(
    checker: ExpressionChecker, node: ast.Compare, left: ast.expr, operator: ast.cmpop, right: ast.expr
) -> Expression:
    subject = check(checker, left)
    inner = present(subject.type)
    if isinstance(inner, Player | Owner) and isinstance(right, ast.Name):
        return _check_is_owner(checker, node, subject, operator, right)
    if not isinstance(right, ast.Name) or right.id not in checker.context.kinds:
        return reject_name(checker, right, checker.context.kinds, "kind")
    if isinstance(inner, Unknown):
        return checker.unknown(node)
    if not isinstance(inner, Member) or not same_family(checker.context, inner.kind, right.id):
        report_mismatch(checker, left, subject.type, f"a {checker.context.kinds[right.id].family}")
        return checker.unknown(node)
    test = IsKind(FLAG, checker.span_of(node), subject, right.id)
    return test if isinstance(operator, ast.Is) else Operation(FLAG, checker.span_of(node), "not", (test,))


def _check_is_owner(
    checker: ExpressionChecker, node: ast.Compare, subject: Expression, operator: ast.cmpop, right: ast.Name
) -> Expression:
    """Return the test whether an owner is a player, or a side of a kind."""
    context = checker.context
    if owner_called(context, right.id) is None:
        sides = [kind for kind in context.kinds if context.family(kind).is_side]
        return reject_name(checker, right, ["player", *sides], "sort of owner")
    test: Expression = IsKind(FLAG, checker.span_of(node), subject, right.id)
    if isinstance(subject.type, Player):  # where there are no sides each owner is one
        test = Const(FLAG, checker.span_of(node), right.id == "player")
    return test if isinstance(operator, ast.Is) else Operation(FLAG, checker.span_of(node), "not", (test,))


def _check_contained(
    checker: ExpressionChecker, node: ast.Compare, left: ast.expr, operator: ast.cmpop, right: ast.expr
) -> Expression:
    sign = "in" if isinstance(operator, ast.In) else "not in"
    if isinstance(right, ast.List):
        item = check(checker, left)
        items = _check_list(checker, right, ListOf(present(item.type)) if not isinstance(item.type, Bag) else None)  # type: ignore[arg-type]
        return Operation(FLAG, checker.span_of(node), sign, (item, items))
    items = check_collection(checker, right)
    wanted = item_of(items.type)
    item = check(
        checker, left, Member(wanted.kind) if isinstance(wanted, Piece) and is_bare_member(checker, left) else wanted
    )
    is_member = isinstance(wanted, Piece) and isinstance(present(item.type), Member)
    if not is_member and not comparable(checker.context, item.type, wanted):
        report_mismatch(checker, left, item.type, wanted)
        return checker.unknown(node)
    return Operation(FLAG, checker.span_of(node), sign, (item, items))


def _check_choice(checker: ExpressionChecker, node: ast.IfExp, expected: Type | None) -> Expression:
    condition = check_as(checker, node.test, FLAG)
    yes = checker.given(node.test, truth=True)
    no = checker.given(node.test, truth=False)
    if expected is None and needs_type(checker, node.body):
        otherwise = check(no, node.orelse)
        # Where nothing tells what the one is, it is asked for by itself: else it would be taken for what was reported.
        is_told = not isinstance(otherwise.type, Unknown)
        then = check(yes, node.body, otherwise.type if is_told else None)
    else:
        then = check(yes, node.body, expected)
        otherwise = check(no, node.orelse, expected or then.type)
    type_ = joined(checker.context, then.type, otherwise.type)
    if type_ is None:
        report_mismatch(checker, node.orelse, otherwise.type, then.type)
        return checker.unknown(node)
    return IfElse(type_, checker.span_of(node), condition, then, otherwise)


def _check_list(checker: ExpressionChecker, node: ast.List, expected: Type | None) -> Expression:
    wanted = item_of(expected) if isinstance(expected, ListOf | SetOf) else None
    at = checker.span_of(node)
    if not node.elts and (wanted is None or isinstance(wanted, Unknown)):
        plural = next((kind.plural for kind in checker.context.kinds.values()), "players")
        cure = f"say it by a loop that takes none, such as `set(x for x in {plural} if false)`"
        message = "nothing says what this empty list would hold"
        return checker.context.reject(problems.invalid_expression(message, at, cure))
    items = _check_items(checker, node.elts, wanted)
    if not all(isinstance(each, Const) for each in items):
        return _gather_list(checker, node, items)
    numbers = tuple(each.value for each in items if isinstance(each, Const))
    type_ = items[0].type if items else (wanted or UNKNOWN)
    if isinstance(type_, Number):
        type_ = NUMBER
    if any(not fits(checker.context, each.type, type_) for each in items):
        return checker.context.reject(problems.invalid_expression("a list holds things of one type", at))
    return Const(ListOf(type_), at, numbers)  # type: ignore[arg-type]


def _check_items(checker: ExpressionChecker, nodes: list[ast.expr], wanted: Type | None) -> list[Expression]:
    """Check what stands in a list; a word that only its type explains takes that of the others."""
    if wanted is None:
        plain = [each for each in nodes if not is_bare_member(checker, each)]
        wanted = check(checker, plain[0]).type if 0 < len(plain) < len(nodes) else None
    return [check(checker, each, wanted) for each in nodes]


def _gather_list(checker: ExpressionChecker, node: ast.List, items: list[Expression]) -> Expression:
    """Return a list of what is worked out when it is read."""
    type_ = NUMBER if isinstance(items[0].type, Number) else items[0].type
    for each, found in zip(node.elts, items, strict=True):
        if isinstance(found.type, Unknown):
            return checker.unknown(node)
        if not isinstance(found.type, Number | Flag | Member | Player | Owner | Piece):
            report_mismatch(checker, each, found.type, present(type_) if isinstance(found.type, Maybe) else "one thing")
            return checker.unknown(node)
        common = joined(checker.context, type_, found.type)
        if common is None:
            report_mismatch(checker, each, found.type, type_)
            return checker.unknown(node)
        type_ = common
    return Operation(ListOf(type_), checker.span_of(node), "listed", tuple(items))  # type: ignore[arg-type]


CHECKS.update(
    {
        ast.Name: check_path,
        ast.Attribute: check_path,
        ast.Subscript: check_path,
        ast.Constant: _check_constant,
        ast.BinOp: _check_arithmetic,
        ast.UnaryOp: _check_unary,
        ast.BoolOp: _check_connected,
        ast.Compare: _check_comparison,
        ast.IfExp: _check_choice,
        ast.List: _check_list,
        ast.Call: check_call,
    }
)


# Expressions as YAML has them.


def read_expression(scope: Scope, node: Node, expected: Type | None = None) -> Expression:
    """Return the typed expression a node of the tree says; report what is wrong with it."""
    if not isinstance(node, Scalar) or node.value is None:
        return scope.context.reject(problems.invalid_expression("an expression is expected here", node.span))
    found = _read_scalar(scope, node, expected)
    if expected is None or fits(scope.context, found.type, expected):
        return found
    checker = ExpressionChecker(written_of(node), scope)
    whole = ast.Name(node.text, lineno=1, col_offset=0, end_lineno=1, end_col_offset=len(node.text.encode()))
    report_mismatch(checker, whole, found.type, expected)
    return checker.unknown(whole)


def _read_scalar(scope: Scope, node: Scalar, expected: Type | None) -> Expression:
    if isinstance(node.value, bool):
        return Const(FLAG, node.span, node.value)
    if isinstance(node.value, int):
        return Const(Number(node.value, node.value), node.span, node.value)
    parsed = _parse(scope, node)
    return Const(UNKNOWN, node.span, 0) if parsed is None else check(*parsed, expected)


def _parse(scope: Scope, node: Scalar) -> tuple[ExpressionChecker, ast.expr] | None:
    """Return the syntax of a text and what checks it; nothing if it is no expression, which is reported."""
    written = written_of(node)
    tree = parse(written)
    if isinstance(tree, SyntaxMistake):
        _report_mistake(scope.context, written, tree)
        return None
    return ExpressionChecker(written, scope), tree


def _report_mistake(context: Context, written: ExpressionText, mistake: SyntaxMistake) -> None:
    """Report why a text is no expression, with its cure where that is certain."""
    at, fix = written.span_of(mistake.node), None
    if mistake.cure is not None and written.start is not None:
        whole = written.span.within(written.start, written.start + len(written.text))
        fix = Fix(at if hasattr(mistake.node, "col_offset") else whole, mistake.cure)
    context.add(problems.invalid_expression(mistake.message, at, mistake.help, fix))


def read_if_given(scope: Scope, node: Node | None, expected: Type) -> Expression | None:
    """Return the typed expression of what may be left out."""
    return None if node is None else read_expression(scope, node, expected)


def narrowed_by(scope: Scope, node: Node, *, truth: bool) -> Scope:
    """Return the names with what a condition tells about them."""
    if not isinstance(node, Scalar) or not isinstance(node.value, str):
        return scope
    written = written_of(node)
    tree = parse(written)
    if isinstance(tree, SyntaxMistake):
        return scope
    return ExpressionChecker(written, scope).given(tree, truth=truth).scope


def written_of(node: Scalar) -> ExpressionText:
    """Return the text of a scalar as the text of an expression."""
    single = node.span.line == node.span.end_line and not node.block
    return ExpressionText(str(node.text), node.span, (1 if node.quoted else 0) if single else None)


# Names, as YAML has them.


def check_name(context: Context, key: Scalar, *reserved: str) -> None:
    """Report a name that could not be used in expressions."""
    if not is_usable_name(key.text) or key.text in reserved:
        context.add(problems.reserved_name(key.text, key.span))


def find_named(context: Context, node: Node, declared: Mapping[str, _T], what: str) -> _T | None:
    """Return what a word names; report it if nothing bears that name."""
    name = word_of(node)
    if name not in declared:
        context.add(problems.unknown_name(name, node.span, declared, what))
    return declared.get(name)


# Places: fields that hold pieces, as `from` and `to` name them; and what `set`, `add` and `take` change.


def read_place(scope: Scope, node: Node, kind: str | None = None) -> PlaceReference | None:
    """Return the place a node names. `kind` is the family of the pieces, where that is known already."""
    if not isinstance(node, Scalar) or not isinstance(node.value, str):
        scope.context.add(problems.not_a_place(str(node.plain()), node.span))
        return None
    parsed = _parse(scope, node)
    return None if parsed is None else _resolve_place(*parsed, kind)


def _resolve_place(checker: ExpressionChecker, tree: ast.expr, kind: str | None) -> PlaceReference | None:
    if isinstance(tree, ast.Name):
        meaning = checker.scope.get(tree.id)
        if meaning is not None and isinstance(meaning.type, Place):
            return ParameterPlace(checker.span_of(tree), tree.id)
        if tree.id == "out":
            return _resolve_out(checker, tree, kind)
    if _is_of_unknown_type(checker, tree):
        return None
    owners = _resolve_owners_place(checker, tree)
    if owners is not None:
        return owners
    if isinstance(tree, ast.Subscript):
        inside = _resolve_owners_place(checker, tree.value) if isinstance(tree.value, ast.Name) else None
        if inside is not None and None in inside.at and isinstance(checker.context.fields[inside.field].type, ListOf):
            return evolve(inside, span=checker.span_of(tree), index=check_as(checker, tree.slice, NUMBER))
    path = resolve_path(checker, tree)
    if isinstance(path, Partial) and isinstance(path.of, Field):
        return _resolve_partial_place(checker, tree, path.of, path)
    return _resolve_item_place(checker, tree, path)


def _is_of_unknown_type(checker: ExpressionChecker, tree: ast.expr) -> bool:
    """Whether this is a field of which it was told already that its type is none."""
    while isinstance(tree, ast.Subscript):
        tree = tree.value
    word = tree.id if isinstance(tree, ast.Name) else tree.attr if isinstance(tree, ast.Attribute) else ""
    return word in checker.context.untyped


def _resolve_out(checker: ExpressionChecker, tree: ast.Name, kind: str | None) -> PlaceReference | None:
    field = checker.context.fields.get(f"out.{kind}") if kind else None
    if field is None:
        problem = problems.not_a_place("out", checker.span_of(tree), "only kinds with pieces have `out`")
        (checker.context.add if kind else checker.context.add_unless_known)(problem)
        return None
    return FieldPlace(checker.span_of(tree), field.name, (None,) if field.dimensions else ())


def _resolve_owners_place(checker: ExpressionChecker, tree: ast.expr) -> FieldPlace | None:
    """Return the place of a bare field of the piece's owner: `supply`, or `shelf[age]` for a table of them."""
    name, indices = tree, list[ast.expr]()
    while isinstance(name, ast.Subscript):
        indices.insert(0, name.slice)
        name = name.value
    if not isinstance(name, ast.Name) or checker.scope.get(name.id) is not None:
        return None
    field = checker.context.fields.get(f"player.{name.id}") or checker.context.fields.get(f"owner.{name.id}")
    if field is None or field.owner_dimension != 0 or len(indices) != len(field.dimensions) - 1:
        return None
    at = tuple(check_as(checker, each, type_) for each, type_ in zip(indices, field.dimensions[1:], strict=True))
    return FieldPlace(checker.span_of(tree), field.name, (None, *at))


def _resolve_partial_place(
    checker: ExpressionChecker, tree: ast.expr, field: Field, path: Partial
) -> FieldPlace | None:
    text, at = checker.text_of(tree), checker.span_of(tree)
    if field.holds is None:
        help_ = "pieces lie in bags, lists and maybes of a kind with pieces"
        checker.context.add(problems.not_a_place(text, at, help_))
        return None
    owner = field.owner_dimension
    if owner is None:
        if path.missing:
            checker.context.add(problems.missing_index(text, path.missing[0], at))
            return None
        return FieldPlace(at, field.name, path.at)
    if owner == len(path.at) and len(path.missing) == 1:
        return FieldPlace(at, field.name, (*path.at, None))
    help_ = "leave the player's index out: a piece stays with its owner"
    if owner == 0:
        help_ = f"a piece stays with its owner: write `{field.name.split('.')[-1]}` without saying whose"
    checker.context.add(problems.not_a_place(text, at, help_))
    return None


def _resolve_item_place(checker: ExpressionChecker, tree: ast.expr, path: object) -> FieldPlace | None:
    if isinstance(path, ItemAt) and isinstance(path.items, FieldRead):
        field = checker.context.fields[path.items.field]
        if field.holds is not None:
            return FieldPlace(checker.span_of(tree), field.name, path.items.at, path.index)
    if not (isinstance(path, Const) and isinstance(path.type, Unknown)):
        checker.context.add(problems.not_a_place(checker.text_of(tree), checker.span_of(tree)))
    return None


def place_kind(scope: Scope, place: PlaceReference | None) -> str | None:
    """Return the kind of the pieces a place holds, as narrow as it is declared."""
    if isinstance(place, ParameterPlace):
        meaning = scope.get(place.name)
        return meaning.type.kind if meaning is not None and isinstance(meaning.type, Place) else None
    return None if place is None else held_kind(scope.context.fields[place.field].type)


def is_of_players(context: Context, place: PlaceReference | None) -> bool:
    """Whether a place has a part for each player, and none for sides that own such pieces too."""
    if not isinstance(place, FieldPlace) or None not in place.at:
        return False
    field = context.fields[place.field]
    whose = None if field.owner_dimension is None else field.dimensions[field.owner_dimension]
    return whose == PLAYER and field.holds is not None and context.owner_of(field.holds) == OWNER


def held_kind(type_: Type) -> str | None:
    """Return the kind of the pieces a field of a type holds: `player` for a list of players."""
    if isinstance(type_, Bag):
        return type_.kind
    inner = type_.of if isinstance(type_, ListOf | Maybe) else UNKNOWN
    if isinstance(inner, Player):
        return "player"
    return inner.kind if isinstance(inner, Member | Piece) else None


def read_target(scope: Scope, node: Node) -> tuple[Target, Type] | None:
    """Return the field or `let` name that a step changes, and its type."""
    if not isinstance(node, Scalar) or not isinstance(node.value, str):
        scope.context.add(problems.unchangeable_name(str(node.plain()), node.span))
        return None
    parsed = _parse(scope, node)
    if parsed is None:
        return None
    checker, tree = parsed
    local = scope.get(tree.id) if isinstance(tree, ast.Name) else None
    if isinstance(tree, ast.Name) and local is not None and local.role == "let":
        return LocalTarget(checker.span_of(tree), tree.id), local.type
    if isinstance(tree, ast.Name) and local is not None and isinstance(local.type, FieldOf):
        return LocalTarget(checker.span_of(tree), tree.id), local.type.of
    return _resolve_field_target(checker, tree)


def read_reference(scope: Scope, node: Node, wanted: FieldOf | ValueOf) -> Expression:
    """Return the field or value that is named for a parameter."""
    parsed = _parse(scope, node) if isinstance(node, Scalar) and isinstance(node.value, str) else None
    if parsed is None:
        return scope.context.reject(problems.invalid_expression(f"a {wanted} is named here", node.span))
    if isinstance(wanted, FieldOf) and read_target(scope, node) is None:
        return Const(UNKNOWN, node.span, 0)
    return check_reference(*parsed, wanted)


def _resolve_field_target(checker: ExpressionChecker, tree: ast.expr) -> tuple[Target, Type] | None:
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
        return FieldTarget(checker.span_of(tree), path.of.name, path.at), without_limit(path.of.type)
    if not (isinstance(path, Const) and isinstance(path.type, Unknown)):
        checker.context.add(problems.unchangeable_name(checker.text_of(tree), checker.span_of(tree)))
    return None


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
