"""Names, fields, attributes and indices: how `region.colony[player]` is read."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import TypeAlias

from attrs import evolve, frozen

from aodrules.check import problems
from aodrules.check.checked import Attribute, Field, Kind
from aodrules.check.context import Context, LocalName
from aodrules.check.resolve.checker import (
    ExpressionChecker,
    as_owner,
    check,
    check_as,
    expected_kind,
    member_number,
    read_local,
    report_mismatch,
)
from aodrules.check.resolve.types import type_in_words
from aodrules.check.steps import FieldPlace
from aodrules.lang.expressions import (
    AttributeRead,
    BagCount,
    BuiltinCall,
    Const,
    Expression,
    FieldRead,
    ItemAt,
    Local,
    PieceMember,
    PieceOwner,
    PlaceRead,
    WhenPresent,
)
from aodrules.lang.types import (
    FLAG,
    NOTHING,
    NUMBER,
    OWNER,
    PLAYER,
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
    maybe,
    present,
    without_limit,
)
from aodrules.source.spans import Span
from aodrules.source.wording import listed, quotes

_WORDS: dict[str, tuple[Type, bool | None]] = {"true": (FLAG, True), "false": (FLAG, False), "none": (NOTHING, None)}
_FLAGS = {"yes": "true", "on": "true", "no": "false", "off": "false"}


@frozen(eq=False)
class Partial:
    """A field or attribute of which not all indices have been read yet."""

    of: Field | Attribute
    at: tuple[Expression, ...]
    span: Span
    subject: Expression | None = None

    @property
    def missing(self) -> tuple[Type, ...]:
        """The dimensions that still need an index."""
        dimensions = self.of.dimensions if isinstance(self.of, Field) else self.of.per
        return dimensions[len(self.at) :]


Path: TypeAlias = Expression | Partial


def check_path(checker: ExpressionChecker, node: ast.expr, expected: Type | None) -> Expression:
    """Check a name, `a.b` or `a[b]`."""
    return finish_path(checker, resolve_path(checker, node, expected), node)


def resolve_path(checker: ExpressionChecker, node: ast.expr, expected: Type | None = None) -> Path:
    """Return what a path means, perhaps with indices still to come."""
    if isinstance(node, ast.Name):
        return _resolve_name(checker, node, expected)
    if isinstance(node, ast.Attribute):
        return _resolve_attribute(checker, node)
    if isinstance(node, ast.Subscript):
        return _resolve_subscript(checker, node)
    return check(checker, node, expected)


def finish_path(checker: ExpressionChecker, path: Path, node: ast.expr) -> Expression:
    """Return the expression of a path all of whose indices must have been read."""
    if not isinstance(path, Partial):
        return path
    if path.missing:
        problem = problems.missing_index(checker.text_of(node), path.missing[0], checker.span_of(node))
        return checker.context.reject(problem)
    if isinstance(path.of, Field):
        return FieldRead(seen_type(path.of), path.span, path.of.name, path.at)
    assert path.subject is not None
    return AttributeRead(path.of.type, path.span, path.of.name, path.subject, path.at)


def _resolve_name(checker: ExpressionChecker, node: ast.Name, expected: Type | None) -> Path:
    """Return what a single word means."""
    name, at = node.id, checker.span_of(node)
    local = checker.scope.get(name)
    if local is not None:
        return _check_local(checker, node, local)
    if name in _WORDS:
        return Const(_WORDS[name][0], at, _WORDS[name][1])
    if name in ("players", "seats"):
        return BuiltinCall(ListOf(PLAYER), at, name, ())
    if name == "owners":
        is_mixed = checker.context.has_sides
        return BuiltinCall(ListOf(OWNER), at, name, ()) if is_mixed else BuiltinCall(ListOf(PLAYER), at, "players", ())
    kind = checker.context.plural(name)
    if kind is not None:
        return whole_kind(checker.context, kind.name, at)
    if f"table.{name}" in checker.context.fields:
        return Partial(checker.context.fields[f"table.{name}"], (), at)
    return _resolve_bare_word(checker, node, expected)


def whole_kind(context: Context, kind: str, at: Span) -> Expression:
    """Return the collection of all members of a kind: fixed, unless some are not in each game."""
    members = ListOf(Member(kind))
    if context.family(kind).for_players:
        return BuiltinCall(members, at, "members", (), (kind,))
    return Const(members, at, context.kinds[kind].places)


def _check_local(checker: ExpressionChecker, node: ast.Name, local: LocalName) -> Expression:
    if isinstance(local.type, Place):
        return _read_parameter_place(checker, node, local.type.kind)
    if isinstance(local.type, FieldOf):
        return Local(local.type.of, checker.span_of(node), node.id)
    if local.member is not None and isinstance(local.type, Member):
        number = member_number(checker, local.type.kind, local.member)
        if number is not None:
            return Const(local.type, checker.span_of(node), number)
    return read_local(local, node.id, checker.span_of(node))


def _read_parameter_place(checker: ExpressionChecker, node: ast.Name, kind: str) -> Expression:
    """Return what the place given as a parameter holds: a list of owned pieces, a bag of others."""
    held = ListOf(Piece(kind)) if checker.context.has_owners(kind) else Bag(kind)
    return PlaceRead(held, checker.span_of(node), node.id)


def _resolve_bare_word(checker: ExpressionChecker, node: ast.Name, expected: Type | None) -> Path:
    kind = expected_kind(expected) or _kind_of_side(checker, node.id, expected)
    number = member_number(checker, kind, node.id) if kind else None
    if kind and number is not None:
        return Const(Member(kind), checker.span_of(node), number)
    attribute = checker.context.attribute_of(checker.scope.bare, node.id) if checker.scope.bare else None
    if attribute is not None and checker.scope.bare:
        subject = Local(Member(checker.scope.bare), checker.span_of(node), "self")
        return Partial(attribute, (), checker.span_of(node), subject)
    if not isinstance(expected, Unknown):
        _report_unknown_name(checker, node, kind, expected)
    return checker.unknown(node)


def _kind_of_side(checker: ExpressionChecker, name: str, expected: Type | None) -> str | None:
    """Return the kind of the side that a bare word names where an owner is wanted."""
    if expected is None or not isinstance(present(expected), Owner):
        return None
    sides = (kind for kind in checker.context.kinds.values() if kind.is_side and name in kind.members)
    return next((kind.name for kind in sides), None)


def _report_unknown_name(checker: ExpressionChecker, node: ast.Name, kind: str | None, expected: Type | None) -> None:
    context = checker.context
    if node.id in context.values:
        given = ", ".join(parameter.name for parameter in context.values[node.id].parameters)
        message, help_ = f"`{node.id}` is a value and is called", f"write `{node.id}({given})`"
        context.add(problems.wrong_arguments(message, checker.span_of(node), help_))
        return
    words = set(checker.scope.names) | {"players", "seats", "owners", "true", "false", "none"}
    words |= {each.plural for each in context.kinds.values()}
    words |= {name.removeprefix("table.") for name in context.fields if name.startswith("table.")}
    if kind:
        words |= set(context.kinds[kind].members)
    what, cure = f"{kind} or name" if kind else "name", _help_for_name(checker, node.id, expected)
    # The name of a kind is near to that of all its members, and means one of them.
    words = set() if node.id in context.kinds else words
    meant = _FLAGS.get(node.id.lower()) if isinstance(expected, Flag) else None
    if expected is None:
        meant = _as_member(checker, node.id)
    context.add(problems.unknown_name(node.id, checker.span_of(node), words, what, cure, meant))


def _as_member(checker: ExpressionChecker, name: str) -> str | None:
    """Return a member as it is named where nothing tells its kind, if just one family has one of that name."""
    kinds = [kind for kind in checker.context.kinds.values() if kind.name == kind.family and name in kind.members]
    return f"{kinds[0].plural}.{name}" if len(kinds) == 1 else None


def _help_for_name(checker: ExpressionChecker, name: str, expected: Type | None) -> str:
    """Return what could stand instead of a name: a number if one is expected, or a name of what is at hand."""
    known = sorted(each for each in checker.scope.names if each.isidentifier())
    known = known or ["players", *sorted(each.plural for each in checker.context.kinds.values())]
    at_hand = f"names here are {quotes(known)}"
    if name in checker.context.kinds:
        return f"it is not said which {name}; {at_hand}"
    kind = expected_kind(expected)
    if kind and checker.context.kinds[kind].members:
        return f"{listed(sorted(checker.context.kinds[kind].members))}; {at_hand}"
    return f"write a number, or a formula: {at_hand}" if isinstance(expected, Number) else at_hand


def _resolve_attribute(checker: ExpressionChecker, node: ast.Attribute) -> Path:
    """Return what `subject.name` means."""
    if isinstance(node.value, ast.Name) and checker.scope.get(node.value.id) is None:
        kind = checker.context.plural(node.value.id)
        if kind is not None:
            return _check_member_of(checker, node, kind)
    path = resolve_path(checker, node.value)
    subject = finish_path(checker, path, node.value)
    return _resolve_part(checker, subject, node)


def _check_member_of(checker: ExpressionChecker, node: ast.Attribute, kind: Kind) -> Expression:
    number = member_number(checker, kind.name, node.attr)
    if number is None:
        return reject_part(checker, node, kind.members, kind.name)
    return Const(Member(kind.name), checker.span_of(node), number)


def reject_part(checker: ExpressionChecker, node: ast.Attribute, known: Sequence[str], what: str) -> Expression:
    """Report the word after a dot as one that nothing declares."""
    at = checker.span_of(node)
    if at.line == at.end_line and checker.text.start is not None:
        at = at.within(at.end_column - at.column - len(node.attr), at.end_column - at.column)
    return checker.context.reject(problems.unknown_name(node.attr, at, known, what))


def _resolve_part(checker: ExpressionChecker, subject: Expression, node: ast.Attribute) -> Path:
    """Return the part of a subject that is named after the dot."""
    type_ = subject.type
    if isinstance(type_, Unknown):
        return checker.unknown(node)
    if isinstance(type_, Maybe):
        return _check_through_maybe(checker, subject, node)
    if isinstance(type_, HiddenPiece):
        return _resolve_back(checker, subject, type_, node)
    if isinstance(type_, Player | Owner):
        return _resolve_owner_part(checker, subject, node)
    if isinstance(type_, Piece):
        return _check_piece_part(checker, subject, type_, node)
    if isinstance(type_, Member):
        return _resolve_member_part(checker, subject, type_, node)
    text, at = checker.text_of(node.value), checker.span_of(node.value)
    return checker.context.reject(problems.type_mismatch("player, piece or member", type_, text, at))


def _check_through_maybe(checker: ExpressionChecker, subject: Expression, node: ast.Attribute) -> Expression:
    def read_part(inside: ExpressionChecker, there: Expression) -> Expression:
        return finish_path(inside, _resolve_part(inside, there, node), node)

    return read_through_maybe(checker, subject, node, read_part)


def read_through_maybe(
    checker: ExpressionChecker,
    subject: Expression,
    node: ast.expr,
    read: Callable[[ExpressionChecker, Expression], Expression],
) -> Expression:
    """Read a part of what may be none: none gives none."""
    name = f"{subject.span.line}:{subject.span.column}:{node.end_col_offset}"
    field = source_field(subject, checker.scope.names)
    place = FieldPlace(subject.span, field, ()) if field else None
    inside = checker.with_scope(checker.scope.bind(name, LocalName(present(subject.type), "let", place=place)))
    inner = read(inside, Local(present(subject.type), subject.span, name))
    return WhenPresent(maybe(inner.type), checker.span_of(node), name, subject, inner)


def _resolve_back(checker: ExpressionChecker, subject: Expression, hidden: HiddenPiece, node: ast.Attribute) -> Path:
    field = checker.context.fields.get(source_field(subject, checker.scope.names) or "")
    open_ = evolve(subject, type=hidden.of)
    if isinstance(hidden.of, Member) and field is not None:
        attribute = checker.context.attribute_of(hidden.of.kind, node.attr)
        if attribute is not None and attribute.name in field.shows:
            return Partial(attribute, (), checker.span_of(node), open_)
    return checker.context.reject(problems.hidden_identity(checker.text_of(node.value), checker.span_of(node.value)))


def _resolve_owner_part(checker: ExpressionChecker, subject: Expression, node: ast.Attribute) -> Path:
    """Return the field of a player or an owner: what every owner has, each player has too."""
    context, holders = checker.context, ("player.", "owner.") if isinstance(subject.type, Player) else ("owner.",)
    field = next((context.fields[each + node.attr] for each in holders if each + node.attr in context.fields), None)
    if field is None and node.attr == "seat" and isinstance(subject.type, Player):
        field = context.seat_field()
    if field is None:
        known = [name.partition(".")[2] for name in context.fields if name.startswith(holders)]
        return reject_part(checker, node, known, f"field of {type_in_words(subject.type)}")
    return Partial(field, (subject,), checker.span_of(node))


def _check_piece_part(checker: ExpressionChecker, subject: Expression, type_: Piece, node: ast.Attribute) -> Expression:
    family = checker.context.kinds[type_.kind].family
    if node.attr == "owner":
        return PieceOwner(checker.context.owner_of(family), checker.span_of(node), subject)
    if node.attr in (type_.kind, family):
        return PieceMember(Member(type_.kind), checker.span_of(node), subject)
    return reject_part(checker, node, [type_.kind, "owner"], "part of a piece")


def _resolve_member_part(checker: ExpressionChecker, subject: Expression, type_: Member, node: ast.Attribute) -> Path:
    own = _remembered_field(checker, subject, type_, node.attr)
    if own is not None:
        return Partial(own, (), checker.span_of(node))
    attribute = checker.context.attribute_of(type_.kind, node.attr)
    if attribute is not None:
        return Partial(attribute, (), checker.span_of(node), subject)
    field = checker.context.field_of(type_.kind, node.attr)
    if field is not None:
        return Partial(field, (subject,), checker.span_of(node))
    if f"owner.{node.attr}" in checker.context.fields and checker.context.family(type_.kind).is_side:
        return _resolve_owner_part(checker, as_owner(checker.context, subject, OWNER), node)
    hook = checker.context.hook_of(type_.kind, node.attr)
    if hook is not None and hook.form == "formula":
        given = ", ".join(parameter.name for parameter in hook.parameters)
        text, at = checker.text_of(node), checker.span_of(node)
        message, help_ = f"`{text}` is a formula and is called", f"write `{text}({given})`"
        return checker.context.reject(problems.wrong_arguments(message, at, help_))
    if any((kind, node.attr) in checker.context.meant for kind in checker.context.lineage(type_.kind)):
        return checker.unknown(node)
    return reject_part(checker, node, _parts_of(checker, type_.kind), f"part of a {type_.kind}")


def _remembered_field(checker: ExpressionChecker, subject: Expression, type_: Member, name: str) -> Field | None:
    if not isinstance(subject, Const) or not isinstance(subject.value, int):
        return None
    family = checker.context.family(type_.kind)
    member = family.members[subject.value]
    kind = checker.context.member_kinds.get((family.name, member), type_.kind)
    return checker.context.fields.get(f"{kind}.{member}.remembers.{name}")


def _resolve_subscript(checker: ExpressionChecker, node: ast.Subscript) -> Path:
    """Return what `table[index]` means."""
    base = resolve_path(checker, node.value)
    if isinstance(base, Partial) and base.missing:
        return evolve(base, at=(*base.at, check_as(checker, node.slice, base.missing[0])), span=checker.span_of(node))
    items = finish_path(checker, base, node.value)
    if isinstance(items.type, Maybe):
        report_mismatch(checker, node.value, items.type, "a table, bag or list")
        return checker.unknown(node)
    if isinstance(items, PlaceRead) and isinstance(items.type, ListOf):
        return _check_owners_part(checker, node, items, items.type)
    if isinstance(items.type, Bag):
        member = check_as(checker, node.slice, Member(items.type.kind))
        return BagCount(NUMBER, checker.span_of(node), items, member)
    if isinstance(items.type, ListOf) and isinstance(items.type.of, SetOf):
        report_mismatch(checker, node.value, items.type, "a list of single things")
        return checker.unknown(node)
    if isinstance(items.type, ListOf):
        return ItemAt(maybe(items.type.of), checker.span_of(node), items, check_as(checker, node.slice, NUMBER))
    if not isinstance(items.type, Unknown):
        report_mismatch(checker, node.value, items.type, "a table, bag or list")
    return checker.unknown(node)


def _check_owners_part(checker: ExpressionChecker, node: ast.Subscript, place: PlaceRead, held: ListOf) -> Expression:
    """Return what one owner has in a place of owned pieces."""
    assert isinstance(held.of, Piece)
    owner = checker.context.owner_of(held.of.kind)
    return PlaceRead(Bag(held.of.kind), checker.span_of(node), place.name, check_as(checker, node.slice, owner))


def seen_type(field: Field) -> Type:
    """Return the type of what one reads in a field: hidden where nobody may look."""
    if field.secret != "content":  # noqa: S105 - the word of the language
        return without_limit(field.type)
    if isinstance(field.type, Maybe) and not isinstance(field.type.of, Number):
        return Maybe(HiddenPiece(field.type.of))
    if isinstance(field.type, ListOf):
        return ListOf(HiddenPiece(field.type.of), field.type.limit)
    return without_limit(field.type)


def source_field(expression: Expression, names: dict[str, LocalName]) -> str | None:
    """Return the field that an expression reads a piece from, if it plainly does."""
    if isinstance(expression, FieldRead):
        return expression.field
    if isinstance(expression, ItemAt):
        return source_field(expression.items, names)
    if isinstance(expression, Local) and expression.name in names:
        place = names[expression.name].place
        return place.field if place else None
    return None


def _parts_of(checker: ExpressionChecker, kind: str) -> list[str]:
    """Return the names of all attributes and fields that a member of a kind has."""
    prefixes = tuple(f"{each}." for each in checker.context.lineage(kind))
    known = [*checker.context.attributes, *checker.context.fields]
    return [name.split(".", 1)[1] for name in known if name.startswith(prefixes) and name.count(".") == 1]
