"""Names, fields, attributes and indices: how `region.colony[player]` is read."""

from __future__ import annotations

import ast
from typing import TypeAlias

from attrs import evolve, frozen

from aodrules.check import problems
from aodrules.check.checked import Attribute, Field, Kind
from aodrules.check.resolve.reading import ReaderFrame, expected_kind
from aodrules.check.resolve.scope import LocalName
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
    PLAYER,
    Bag,
    Flag,
    HiddenPiece,
    ListOf,
    Maybe,
    Member,
    Number,
    Piece,
    Place,
    Player,
    Type,
    Unknown,
    maybe,
    present,
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


class PathReader(ReaderFrame):
    """Reads names, `a.b` and `a[b]`."""

    def read_path(self, node: ast.expr, expected: Type | None = None) -> Path:
        """Return what a path means, perhaps with indices still to come."""
        if isinstance(node, ast.Name):
            return self.read_name(node, expected)
        if isinstance(node, ast.Attribute):
            return self.read_attribute(node)
        if isinstance(node, ast.Subscript):
            return self.read_subscript(node)
        return self.read(node, expected)

    def finished(self, path: Path, node: ast.expr) -> Expression:
        """Return the expression of a path all of whose indices must have been read."""
        if not isinstance(path, Partial):
            return path
        if path.missing:
            self.context.add(problems.missing_index(self.text(node), path.missing[0], self.at(node)))
            return self.unknown(node)
        if isinstance(path.of, Field):
            return FieldRead(seen_type(path.of), path.span, path.of.name, path.at)
        assert path.subject is not None
        return AttributeRead(path.of.type, path.span, path.of.name, path.subject, path.at)

    def read_name(self, node: ast.Name, expected: Type | None) -> Path:
        """Return what a single word means."""
        name, at = node.id, self.at(node)
        local = self.names.get(name)
        if local is not None:
            return self._local(node, local)
        if name in _WORDS:
            return Const(_WORDS[name][0], at, _WORDS[name][1])
        if name in ("players", "seats"):
            return BuiltinCall(ListOf(PLAYER), at, name, ())
        kind = self.context.plural(name)
        if kind is not None:
            return Const(ListOf(Member(kind.name)), at, kind.places)
        if f"table.{name}" in self.context.fields:
            return Partial(self.context.fields[f"table.{name}"], (), at)
        return self._bare(node, expected)

    def _local(self, node: ast.Name, local: LocalName) -> Expression:
        if isinstance(local.type, Place):
            return self._held(node, local.type.kind)
        if local.member is not None and isinstance(local.type, Member):
            number = self.member(local.type.kind, local.member)
            if number is not None:
                return Const(local.type, self.at(node), number)
        return Local(local.type, self.at(node), node.id)

    def _held(self, node: ast.Name, kind: str) -> Expression:
        """Return what the place given as a parameter holds: a list of owned pieces, a bag of others."""
        held = ListOf(Piece(kind)) if self.context.has_owners(kind) else Bag(kind)
        return PlaceRead(held, self.at(node), node.id)

    def _bare(self, node: ast.Name, expected: Type | None) -> Path:
        kind = expected_kind(expected)
        number = self.member(kind, node.id) if kind else None
        if kind and number is not None:
            return Const(Member(kind), self.at(node), number)
        attribute = self.context.attribute_of(self.names.bare, node.id) if self.names.bare else None
        if attribute is not None and self.names.bare:
            subject = Local(Member(self.names.bare), self.at(node), "self")
            return Partial(attribute, (), self.at(node), subject)
        if not isinstance(expected, Unknown):
            self._report_unknown(node, kind, expected)
        return self.unknown(node)

    def _report_unknown(self, node: ast.Name, kind: str | None, expected: Type | None) -> None:
        context = self.context
        if node.id in context.values:
            given = ", ".join(parameter.name for parameter in context.values[node.id].parameters)
            context.add(
                problems.wrong_arguments(
                    f"`{node.id}` is a value and is called", self.at(node), f"write `{node.id}({given})`"
                )
            )
            return
        words = set(self.names.names) | {"players", "seats", "true", "false", "none"}
        words |= {each.plural for each in context.kinds.values()}
        words |= {name.removeprefix("table.") for name in context.fields if name.startswith("table.")}
        if kind:
            words |= set(context.kinds[kind].members)
        what, cure = f"{kind} or name" if kind else "name", self._around(node.id, expected)
        # The name of a kind is near to that of all its members, and means one of them.
        words = set() if node.id in context.kinds else words
        meant = _FLAGS.get(node.id.lower()) if isinstance(expected, Flag) else None
        context.add(problems.unknown_name(node.id, self.at(node), words, what, cure, meant))

    def _around(self, name: str, expected: Type | None) -> str:
        """Return what could stand instead of a name: a number if one is expected, or a name of what is at hand."""
        known = sorted(each for each in self.names.names if each.isidentifier())
        known = known or ["players", *sorted(each.plural for each in self.context.kinds.values())]
        at_hand = f"names here are {quotes(known)}"
        if name in self.context.kinds:
            return f"it is not said which {name}; {at_hand}"
        kind = expected_kind(expected)
        if kind and self.context.kinds[kind].members:
            return f"{listed(sorted(self.context.kinds[kind].members))}; {at_hand}"
        return f"write a number, or a formula: {at_hand}" if isinstance(expected, Number) else at_hand

    def read_attribute(self, node: ast.Attribute) -> Path:
        """Return what `subject.name` means."""
        if isinstance(node.value, ast.Name) and self.names.get(node.value.id) is None:
            kind = self.context.plural(node.value.id)
            if kind is not None:
                return self._member_of(node, kind)
        path = self.read_path(node.value)
        subject = self.finished(path, node.value)
        return self.part_of(subject, node)

    def _member_of(self, node: ast.Attribute, kind: Kind) -> Expression:
        number = self.member(kind.name, node.attr)
        if number is None:
            self.context.add(problems.unknown_name(node.attr, self._word(node), kind.members, kind.name))
            return self.unknown(node)
        return Const(Member(kind.name), self.at(node), number)

    def _word(self, node: ast.Attribute) -> Span:
        """Return the place of the word after the dot."""
        whole = self.at(node)
        if whole.line != whole.end_line or self.written.start is None:
            return whole
        return whole.within(whole.end_column - whole.column - len(node.attr), whole.end_column - whole.column)

    def part_of(self, subject: Expression, node: ast.Attribute) -> Path:
        """Return the part of a subject that is named after the dot."""
        type_ = subject.type
        if isinstance(type_, Unknown):
            return self.unknown(node)
        if isinstance(type_, Maybe):
            return self._through(subject, node)
        if isinstance(type_, HiddenPiece):
            return self._back_of(subject, type_, node)
        if isinstance(type_, Player):
            return self._of_player(subject, node)
        if isinstance(type_, Piece):
            return self._of_piece(subject, type_, node)
        if isinstance(type_, Member):
            return self._of_member(subject, type_, node)
        self.context.add(
            problems.type_mismatch("player, piece or member", type_, self.text(node.value), self.at(node.value))
        )
        return self.unknown(node)

    def _through(self, subject: Expression, node: ast.Attribute) -> Expression:
        """Read through a maybe: none gives none."""
        name = f"{subject.span.line}:{subject.span.column}:{node.end_col_offset}"
        field = source_field(subject, self.names.names)
        place = FieldPlace(subject.span, field, ()) if field else None
        inside = self.with_names(self.names.bind(name, LocalName(present(subject.type), "let", place=place)))
        inner = inside.finished(inside.part_of(Local(present(subject.type), subject.span, name), node), node)
        return WhenPresent(maybe(inner.type), self.at(node), name, subject, inner)

    def _back_of(self, subject: Expression, hidden: HiddenPiece, node: ast.Attribute) -> Path:
        field = self.context.fields.get(source_field(subject, self.names.names) or "")
        open_ = evolve(subject, type=hidden.of)
        if isinstance(hidden.of, Member) and field is not None:
            attribute = self.context.attribute_of(hidden.of.kind, node.attr)
            if attribute is not None and attribute.name in field.shows:
                return Partial(attribute, (), self.at(node), open_)
        self.context.add(problems.hidden_identity(self.text(node.value), self.at(node.value)))
        return self.unknown(node)

    def _of_player(self, subject: Expression, node: ast.Attribute) -> Path:
        field = self.context.fields.get(f"player.{node.attr}")
        if field is None and node.attr == "seat":
            field = self.context.seat_field()
        if field is None:
            known = [name.removeprefix("player.") for name in self.context.fields if name.startswith("player.")]
            self.context.add(problems.unknown_name(node.attr, self._word(node), known, "field of a player"))
            return self.unknown(node)
        return Partial(field, (subject,), self.at(node))

    def _of_piece(self, subject: Expression, type_: Piece, node: ast.Attribute) -> Expression:
        family = self.context.kinds[type_.kind].family
        if node.attr == "owner":
            return PieceOwner(PLAYER, self.at(node), subject)
        if node.attr in (type_.kind, family):
            return PieceMember(Member(type_.kind), self.at(node), subject)
        self.context.add(problems.unknown_name(node.attr, self._word(node), [type_.kind, "owner"], "part of a piece"))
        return self.unknown(node)

    def _of_member(self, subject: Expression, type_: Member, node: ast.Attribute) -> Path:
        own = self._remembered(subject, type_, node.attr)
        if own is not None:
            return Partial(own, (), self.at(node))
        attribute = self.context.attribute_of(type_.kind, node.attr)
        if attribute is not None:
            return Partial(attribute, (), self.at(node), subject)
        field = self.context.field_of(type_.kind, node.attr)
        if field is not None:
            return Partial(field, (subject,), self.at(node))
        if not any((kind, node.attr) in self.context.meant for kind in self.context.lineage(type_.kind)):
            known = parts_of(self, type_.kind)
            self.context.add(problems.unknown_name(node.attr, self._word(node), known, f"part of a {type_.kind}"))
        return self.unknown(node)

    def _remembered(self, subject: Expression, type_: Member, name: str) -> Field | None:
        if not isinstance(subject, Const) or not isinstance(subject.value, int):
            return None
        family = self.context.family(type_.kind)
        member = family.members[subject.value]
        kind = self.context.member_kinds.get((family.name, member), type_.kind)
        return self.context.fields.get(f"{kind}.{member}.remembers.{name}")

    def read_subscript(self, node: ast.Subscript) -> Path:
        """Return what `table[index]` means."""
        base = self.read_path(node.value)
        if isinstance(base, Partial) and base.missing:
            return evolve(base, at=(*base.at, self.read_as(node.slice, base.missing[0])), span=self.at(node))
        items = self.finished(base, node.value)
        if isinstance(items.type, Maybe):
            self.mismatch(node.value, items.type, "a table, bag or list")
            return self.unknown(node)
        if isinstance(items, PlaceRead) and isinstance(items.type, ListOf):
            return self._owners_part(node, items, items.type)
        if isinstance(items.type, Bag):
            member = self.read_as(node.slice, Member(items.type.kind))
            return BagCount(NUMBER, self.at(node), items, member)
        if isinstance(items.type, ListOf):
            return ItemAt(maybe(items.type.of), self.at(node), items, self.read_number(node.slice))
        if not isinstance(items.type, Unknown):
            self.mismatch(node.value, items.type, "a table, bag or list")
        return self.unknown(node)

    def _owners_part(self, node: ast.Subscript, place: PlaceRead, held: ListOf) -> Expression:
        """Return what one player has in a place of owned pieces."""
        assert isinstance(held.of, Piece)
        return PlaceRead(Bag(held.of.kind), self.at(node), place.name, self.read_as(node.slice, PLAYER))


def seen_type(field: Field) -> Type:
    """Return the type of what one reads in a field: hidden where nobody may look."""
    if field.secret != "content":  # noqa: S105 - the word of the language
        return field.type
    if isinstance(field.type, Maybe) and not isinstance(field.type.of, Number):
        return Maybe(HiddenPiece(field.type.of))
    if isinstance(field.type, ListOf):
        return ListOf(HiddenPiece(field.type.of), field.type.limit)
    return field.type


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


def parts_of(reader: ReaderFrame, kind: str) -> list[str]:
    """Return the names of all attributes and fields that a member of a kind has."""
    prefixes = tuple(f"{each}." for each in reader.context.lineage(kind))
    known = [*reader.context.attributes, *reader.context.fields]
    return [name.split(".", 1)[1] for name in known if name.startswith(prefixes) and name.count(".") == 1]
