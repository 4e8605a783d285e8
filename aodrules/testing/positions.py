"""Positions: what a scenario gives, put into a state so that no piece appears from nowhere."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, TypeAlias

from attrs import define, evolve, field, frozen

from aodrules.check import problems as check_problems
from aodrules.check.checked import Field
from aodrules.facts.state import Indices, PlainState
from aodrules.interpreter.places import PieceId, cell, items_at, piece_of, put_cell
from aodrules.interpreter.setup import add_piece, first_knowledge, first_place
from aodrules.interpreter.tables import Tables
from aodrules.lang.types import (
    Bag,
    Flag,
    ListOf,
    Maybe,
    Member,
    Number,
    Owner,
    Piece,
    Player,
    SetOf,
    Type,
    item_type,
    items_in,
)
from aodrules.play.ids import OUT, PLAYERS, IdTable, dimension_index, dimension_names, field_path
from aodrules.source.diagnostics import Report
from aodrules.source.spans import Span
from aodrules.syntax.tree import Mapping, Node, Scalar, Sequence
from aodrules.testing import problems

HIDDEN = "hidden"
"""Stands for what a seat may not know."""


@frozen(eq=False)
class Content:
    """What one cell holds. With a member only the count of that member in a bag is meant."""

    field: str
    at: tuple[int, ...]
    value: Any
    span: Span
    member: int | None = None


@define(eq=False)
class ContentReader:
    """Reads addresses and what is said to lie there; whatever is not understood is reported."""

    names: IdTable
    report: Report
    may_hide: bool = False
    """Whether what lies somewhere may be said to be `hidden`."""

    def read(self, position: Node | None) -> tuple[Content, ...]:
        """Return what a position says."""
        entries = position if isinstance(position, Mapping) else ()
        return tuple(one for entry in entries for one in self.at(split_address(entry.key), entry.value))

    def report_unknown(self, word: Scalar, known: Iterable[str], what: str) -> None:
        """Report a word that names nothing of what is known."""
        self.report.add(check_problems.unknown_name(word.text, word.span, known, what))

    # Addresses.

    def at(self, path: list[Scalar], value: Node) -> Iterator[Content]:
        """Iterate over what is said of the cells at an address."""
        found = self._field(path)
        if found is not None:
            field, at, rest = found
            yield from self._cells(field, at, rest, value, path[-1].span)

    def _field(self, path: list[Scalar]) -> tuple[Field, tuple[int, ...], list[Scalar]] | None:
        """Return the field that an address begins with, the indices so far, and the words that are left."""
        fields, first = self.names.tables.rules.fields, path[0]
        for length in range(len(path), 0, -1):
            whole = ".".join(word.text for word in path[:length])
            if whole in fields and whole.split(".")[0] not in {"table", "player", "owner"}:
                return fields[whole], (), path[length:]
        if f"table.{first.text}" in fields:
            return fields[f"table.{first.text}"], (), path[1:]
        kind = "player" if first.text == PLAYERS else self._kind(first.text)
        if kind is None:
            self.report_unknown(first, self._first_words(), "part of the state")
            return None
        return self._of_thing(kind, path)

    def _of_thing(self, kind: str, path: list[Scalar]) -> tuple[Field, tuple[int, ...], list[Scalar]] | None:
        type_: Type = Player() if kind == "player" else Member(kind)
        if len(path) < 3:
            self.report_unknown(path[-1], (), "field of the state")
            return None
        index = self.index(type_, path[1])
        if index is None:
            return None
        fields = self._fields_of(kind, path[1].text)
        if path[2].text not in fields:
            self.report_unknown(path[2], list(fields), f"field of a {kind}")
            return None
        field = fields[path[2].text]
        if field.name.startswith("owner."):
            index = dimension_index(self.names, Owner(), path[1].text)
        return field, (index,) if field.dimensions and ".remembers." not in field.name else (), path[3:]

    def _fields_of(self, kind: str, member: str) -> dict[str, Field]:
        rules = self.names.tables.rules
        lineage = {kind} if kind == "player" else {kind, rules.kinds[kind].family}
        if kind == "player" or rules.family(kind).is_side:
            lineage.add("owner")
        found = {}
        for name, declared in rules.fields.items():
            holder, _, last = name.rpartition(".")
            if holder in lineage or holder in {f"{each}.{member}.remembers" for each in rules.kinds}:
                found[last] = declared
        return found

    def index(self, type_: Type, word: Scalar) -> int | None:
        """Return the number of a seat or member; one that is not known is reported."""
        known = dimension_names(self.names, type_)
        if word.text not in known:
            self.report_unknown(word, known, "seat" if isinstance(type_, Player) else str(type_))
            return None
        parsed = self.names.parse(type_, [word.text])
        return None if parsed is None else parsed[0]

    def _kind(self, plural: str) -> str | None:
        kinds = self.names.tables.rules.kinds.values()
        return next((kind.name for kind in kinds if kind.plural == plural), None)

    def _first_words(self) -> list[str]:
        rules = self.names.tables.rules
        tables = [name.removeprefix("table.") for name in rules.fields if name.startswith("table.")]
        return [*tables, PLAYERS, OUT, *(kind.plural for kind in rules.kinds.values())]

    # Cells.

    def _cells(
        self, field: Field, at: tuple[int, ...], path: list[Scalar], value: Node, last: Span
    ) -> Iterator[Content]:
        """Go through the indices that are left, first those of the address and then those of the value."""
        missing = field.dimensions[len(at) :]
        if missing and path:
            index = self.index(missing[0], path[0])
            if index is not None:
                yield from self._cells(field, (*at, index), path[1:], value, last)
        elif missing and isinstance(value, Mapping):
            for entry in value:
                index = self.index(missing[0], entry.key)
                if index is not None:
                    yield from self._cells(field, (*at, index), [], entry.value, entry.key.span)
        elif missing:
            self.report.add(check_problems.missing_index(field.name.rpartition(".")[2], missing[0], last))
        elif path:
            yield from self._count(field, at, path, value)
        else:
            yield from self._cell(field, at, value)

    def _count(self, field: Field, at: tuple[int, ...], path: list[Scalar], value: Node) -> Iterator[Content]:
        if not isinstance(field.type, Bag) or len(path) > 1:
            self.report_unknown(path[0], (), "part of this field")
            return
        member = self.index(Member(field.type.kind), path[0])
        count = self._number(field, at, value, Number(0, None))
        if member is not None and count is not _WRONG:
            yield Content(field.name, at, count, value.span, member)

    def _cell(self, field: Field, at: tuple[int, ...], value: Node) -> Iterator[Content]:
        found, type_ = self._value(field, at, value), field.type
        limit = type_.limit if isinstance(type_, Bag | SetOf) else None
        if limit is not None and found not in (_WRONG, HIDDEN) and len(items_in(type_, found)) > limit:
            found = self._report_wrong(field, at, value, f"a {type_} up to {limit}")
        if found is not _WRONG:
            yield Content(field.name, at, found, value.span)

    def _value(self, field: Field, at: tuple[int, ...], value: Node) -> Any:
        type_ = field.type
        if self._is_hidden(value):
            return HIDDEN
        if isinstance(type_, Bag):
            return self._bag(field, at, value)
        if isinstance(type_, ListOf | SetOf):
            if not isinstance(value, Sequence):
                return self._report_wrong(field, at, value, f"a {type_}")
            items = [self._single(field, at, item_type(type_), item) for item in value]
            if any(item is _WRONG for item in items):
                return _WRONG
            return tuple(items) if isinstance(type_, ListOf) else sum({1 << item for item in items})
        return self._single(field, at, type_, value)

    def _bag(self, field: Field, at: tuple[int, ...], value: Node) -> Any:
        counts = [0] * self.names.tables.family_size(str(field.holds))
        kind = Member(field.type.kind)  # type: ignore[union-attr]  # asked only of bags
        if isinstance(value, Sequence):
            items = [self._single(field, at, kind, item) for item in value]
            for item in items:
                counts[0 if item is _WRONG else item] += 1
            return _WRONG if any(item is _WRONG for item in items) else tuple(counts)
        if not isinstance(value, Mapping):
            return self._report_wrong(field, at, value, "counts of pieces")
        for entry in value:
            member = self.index(kind, entry.key)
            count = self._number(field, at, entry.value, Number(0, None))
            if member is None or count is _WRONG:
                return _WRONG
            counts[member] = count
        return tuple(counts)

    def _number(self, field: Field, at: tuple[int, ...], value: Node, type_: Number) -> Any:
        number = value.value if isinstance(value, Scalar) else None
        is_number = isinstance(number, int) and not isinstance(number, bool)
        low, high = type_.low, type_.high
        if not is_number or (low is not None and number < low) or (high is not None and number > high):  # type: ignore[operator]
            return self._report_wrong(field, at, value, f"a {type_}")
        return number

    def _single(self, field: Field, at: tuple[int, ...], type_: Type, value: Node) -> Any:
        """Return a flag, number, member, player, piece or none."""
        if self._is_hidden(value):
            return HIDDEN
        if isinstance(value, Scalar) and isinstance(type_, Maybe):
            if value.text == "none":
                return None
            type_ = item_type(type_)
        if isinstance(type_, Flag):
            flag = value.value if isinstance(value, Scalar) else None
            return flag if isinstance(flag, bool) else self._report_wrong(field, at, value, "true or false")
        if isinstance(type_, Number):
            return self._number(field, at, value, type_)
        return self._read_named(field, at, type_, value)

    def _is_hidden(self, value: Node) -> bool:
        return self.may_hide and isinstance(value, Scalar) and value.text == HIDDEN

    def _read_named(self, field: Field, at: tuple[int, ...], type_: Type, value: Node) -> Any:
        if not isinstance(value, Scalar):
            return self._report_wrong(field, at, value, f"a {type_}")
        text = value.text.split()
        found = self.names.parse(type_, text)
        if found is not None and found[1] == len(text):
            return found[0]
        if isinstance(type_, Piece):
            return self._report_wrong(field, at, value, "a piece such as `SEAT MEMBER`")
        self.index(type_, value)
        return _WRONG

    def _report_wrong(self, field: Field, at: tuple[int, ...], value: Node, expected: str) -> Any:
        place = field_path(self.names, field.name, at)
        self.report.add(problems.wrong_content(place, expected, format_node(value), value.span))
        return _WRONG


_WRONG: Any = object()
"""Stands for what was reported already."""


def split_address(key: Scalar) -> list[Scalar]:
    """Return the words of an address with their places."""
    start, found = 1 if key.quoted else 0, []
    for text in key.text.split("."):
        found.append(Scalar(key.span.within(start, start + len(text)), text, text))
        start += len(text) + 1
    return found


def format_node(value: Node) -> str:
    """Return a value as it is written down, as far as it is one word."""
    return value.text if isinstance(value, Scalar) else "a list" if isinstance(value, Sequence) else "a group"


def lay_over(base: Iterable[Content], more: Iterable[Content]) -> tuple[Content, ...]:
    """Return what a position holds that builds on another: of each cell what it says itself, else what that says."""
    found = {(one.field, one.at, one.member): one for one in base}
    for one in more:
        whole = found.get((one.field, one.at, None))
        if one.member is None:
            found = {key: other for key, other in found.items() if key[:2] != (one.field, one.at)}
        elif whole is not None:
            counts = (*whole.value[: one.member], one.value, *whole.value[one.member + 1 :])
            one = evolve(whole, value=counts, span=one.span)  # noqa: PLW2901 - the same, as the whole bag
        found[one.field, one.at, one.member] = one
    return tuple(found.values())


Cell: TypeAlias = tuple[str, Indices]


def place_contents(names: IdTable, state: PlainState, contents: Iterable[Content], report: Report) -> None:
    """Let cells hold what is given; pieces come from the supply of their kind and go back there."""
    given = tuple(contents)
    pieces = [content for content in given if names.tables.rules.fields[content.field].holds is not None]
    _PositionPieces(names, state, report).lay(pieces)
    put_plain(names.tables, state, given)


def put_plain(tables: Tables, state: PlainState, contents: Iterable[Content]) -> None:
    """Let the cells that hold no pieces hold what is given."""
    for content in contents:
        if tables.rules.fields[content.field].holds is None:
            put_cell(tables, state, content.field, content.at, content.value)


@define(eq=False)
class _PositionPieces:
    """The pieces of a state while a position is laid out."""

    names: IdTable
    state: PlainState
    report: Report
    _given: set[Cell] = field(factory=set, init=False)
    _touched: set[Cell] = field(factory=set, init=False)
    _pool: Counter[tuple[str, PieceId]] = field(factory=Counter, init=False)
    """Pieces that were taken out of the cells that are given."""

    @property
    def tables(self) -> Tables:
        return self.names.tables

    def lay(self, contents: list[Content]) -> None:
        """Empty the cells that are given, fill them anew and put back what is left over."""
        wanted = [(content, self._wanted_pieces(content)) for content in contents]
        for content, _ in wanted:
            self._take_all(content)
        for content, pieces in wanted:
            self._fill(content, pieces)
        self._put_back(contents)
        for name, at in self._touched:
            self._forget(name, at)

    def _wanted_pieces(self, content: Content) -> list[PieceId]:
        """Return the pieces a cell is to hold, in order."""
        value = content.value
        if content.member is not None:
            held = cell(self.tables, self.state, content.field, content.at)
            value = (*held[: content.member], content.value, *held[content.member + 1 :])
        type_ = self._field(content.field).type
        if isinstance(type_, Bag):
            items = tuple(member for member, count in enumerate(value) for _ in range(count))
        else:
            items = value if isinstance(type_, ListOf) else () if value is None else (value,)
        return [piece_of(self.tables, content.field, content.at, item) for item in items]

    def _field(self, name: str) -> Field:
        return self.tables.rules.fields[name]

    def _pieces_at(self, name: str, at: Indices) -> list[PieceId]:
        return [piece_of(self.tables, name, at, item) for item in items_at(self.tables, self.state, name, at)]

    def _put(self, name: str, at: Indices, pieces: Iterable[PieceId]) -> None:
        """Let a cell hold these pieces and no others."""
        put_cell(self.tables, self.state, name, at, self.tables.starts[name][self.tables.shapes[name].offset(at)])
        self._touched.add((name, at))
        for piece in pieces:
            add_piece(self.tables, self.state, self._field(name), at, piece)

    def _take_all(self, content: Content) -> None:
        kind = str(self._field(content.field).holds)
        self._pool.update((kind, self._sort(kind, piece)) for piece in self._pieces_at(content.field, content.at))
        self._put(content.field, content.at, ())
        self._given.add((content.field, content.at))

    def _fill(self, content: Content, pieces: list[PieceId]) -> None:
        kind, missing = str(self._field(content.field).holds), Counter[PieceId]()
        for piece in pieces:
            sort = self._sort(kind, piece)
            if self._pool[kind, sort]:
                self._pool[kind, sort] -= 1
            elif not self._from_supply(kind, piece) and not self._by_exchange(kind, piece):
                missing[piece] += 1
                continue
            add_piece(self.tables, self.state, self._field(content.field), content.at, piece)
        for piece, count in missing.items():
            called, where = self.names.piece(kind, piece.member, piece.owner), self._find_place(kind, piece, count)
            self.report.add(problems.unbalanced_pieces(called, count, content.span, where))

    def _from_supply(self, kind: str, piece: PieceId) -> bool:
        """Take a piece out of where its kind starts, else from what is out of the game."""
        for name, at in self._cells(kind, supply=True):
            pieces = self._pieces_at(name, at)
            sorts = [self._sort(kind, each) for each in pieces]
            if self._sort(kind, piece) in sorts:
                del pieces[sorts.index(self._sort(kind, piece))]
                self._put(name, at, pieces)
                return True
        return False

    def _sort(self, kind: str, piece: PieceId) -> PieceId:
        """Return what pieces are alike with: whose one is does not matter where any player may take it."""
        return PieceId(piece.member) if piece.member in self.tables.common(kind) else piece

    def _by_exchange(self, kind: str, piece: PieceId) -> bool:
        """Take a piece that chance laid elsewhere, and lay another one there from the supply.

        Only pieces that are nobody's are exchanged: the set-up might as well have drawn the other one.
        """
        if piece.owner is not None or kind == "player":
            return False
        for name, at in self._cells(kind, supply=False):
            if piece in self._pieces_at(name, at):
                other = self._any_from_supply(kind)
                if other is not None:
                    pieces = self._pieces_at(name, at)
                    pieces[pieces.index(piece)] = other
                    self._put(name, at, pieces)
                return other is not None
        return False

    def _any_from_supply(self, kind: str) -> PieceId | None:
        for name, at in self._cells(kind, supply=True):
            pieces = self._pieces_at(name, at)
            if pieces:
                self._put(name, at, pieces[1:])
                return pieces[0]
        return None

    def _cells(self, kind: str, *, supply: bool) -> Iterator[Cell]:
        """Iterate over the cells for pieces of a kind that are not given: all of them, or where pieces come from."""
        fields = [declared for declared in self.tables.rules.fields.values() if declared.holds == kind]
        fields.sort(key=lambda declared: declared.name.startswith("out."))
        for declared in fields:
            if not supply or declared.start_all or declared.name.startswith("out."):
                cells = ((declared.name, at) for at in self.tables.shapes[declared.name].indices())
                yield from (place for place in cells if place not in self._given)

    def _find_place(self, kind: str, piece: PieceId, count: int) -> str | None:
        """Return where as many such pieces lie as the supply lacks."""
        for name, at in self._cells(kind, supply=False):
            if self._pieces_at(name, at).count(piece) >= count:
                return field_path(self.names, name, at)
        return None

    def _put_back(self, contents: list[Content]) -> None:
        for (kind, piece), count in self._pool.items():
            for _ in range(count):
                if not self._return(kind, piece):
                    called = self.names.piece(kind, piece.member, piece.owner)
                    at = next(one.span for one in contents if self._field(one.field).holds == kind)
                    self.report.add(problems.unbalanced_pieces(called, -1, at, None))

    def _return(self, kind: str, piece: PieceId) -> bool:
        """Put a piece back to where it starts, else out of the game; players have no place there."""
        for declared in self.tables.rules.fields.values():
            at = first_place(self.tables, declared, piece) if declared.holds == kind and declared.start_all else None
            if at is not None and (declared.name, at) not in self._given and kind != "player":
                add_piece(self.tables, self.state, declared, at, piece)
                self._touched.add((declared.name, at))
                return True
        out = self.tables.rules.fields.get(f"out.{kind}")
        if out is None:
            return False
        add_piece(self.tables, self.state, out, (piece.owner or 0,) * len(out.dimensions), piece)
        return True

    def _forget(self, name: str, at: Indices) -> None:
        """Let everybody know of a changed secret field what is known of one that has just been filled."""
        if name in self.state.knowledge:
            known = first_knowledge(self.tables, self.state, self._field(name), at)
            self.state.knowledge[name][self.tables.shapes[name].offset(at)] = known
