"""Positions: what a scenario gives, put into a state so that no piece appears from nowhere."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TypeAlias

from attrs import define, field

from aodrules.check.checked import Field
from aodrules.facts.state import Indices, PlainState
from aodrules.facts.tables import Tables
from aodrules.interpreter.places import PieceId, cell, item_of_piece, items_at, piece_of, put_cell
from aodrules.interpreter.setup import add_piece, first_knowledge, first_place
from aodrules.lang.types import Bag, ListOf
from aodrules.play.ids import IdTable, field_path
from aodrules.source.diagnostics import Report
from aodrules.testing import problems
from aodrules.testing.given_values import Content

Cell: TypeAlias = tuple[str, Indices]


def place_contents(names: IdTable, state: PlainState, contents: Iterable[Content], report: Report) -> None:
    """Let cells hold what is given; pieces come from the supply of their kind and go back there."""
    given = tuple(contents)
    pieces = [one for one in given if names.tables.rules.fields[one.field].holds is not None]
    _PositionPieces(names, state, report).lay(pieces)
    put_plain(names.tables, state, given)


def put_plain(tables: Tables, state: PlainState, contents: Iterable[Content]) -> None:
    """Let the cells that hold no pieces hold what is given."""
    for one in contents:
        if tables.rules.fields[one.field].holds is None:
            put_cell(tables, state, one.field, one.at, one.value)


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
        wanted = [(one, self._wanted(one)) for one in contents]
        for one, _ in wanted:
            self._take_all(one)
        for one, pieces in wanted:
            self._fill(one, pieces)
        self._put_back(contents)
        for name, at in self._touched:
            self._forget(name, at)

    def _wanted(self, one: Content) -> list[PieceId]:
        """Return the pieces a cell is to hold, in order."""
        value = one.value
        if one.member is not None:
            held = cell(self.tables, self.state, one.field, one.at)
            value = (*held[: one.member], one.value, *held[one.member + 1 :])
        type_ = self._field(one.field).type
        if isinstance(type_, Bag):
            items = tuple(member for member, count in enumerate(value) for _ in range(count))
        else:
            items = value if isinstance(type_, ListOf) else () if value is None else (value,)
        return [piece_of(self.tables, one.field, one.at, item) for item in items]

    def _field(self, name: str) -> Field:
        return self.tables.rules.fields[name]

    def _take_all(self, one: Content) -> None:
        kind = str(self._field(one.field).holds)
        for item in items_at(self.tables, self.state, one.field, one.at):
            self._pool[kind, piece_of(self.tables, one.field, one.at, item)] += 1
        self._empty(one.field, one.at)
        self._given.add((one.field, one.at))

    def _empty(self, name: str, at: Indices) -> None:
        put_cell(self.tables, self.state, name, at, self.tables.starts[name][self.tables.shapes[name].offset(at)])
        self._touched.add((name, at))

    def _fill(self, one: Content, pieces: list[PieceId]) -> None:
        kind, missing = str(self._field(one.field).holds), Counter[PieceId]()
        for piece in pieces:
            if self._pool[kind, piece]:
                self._pool[kind, piece] -= 1
            elif not self._from_supply(kind, piece) and not self._by_exchange(kind, piece):
                missing[piece] += 1
                continue
            add_piece(self.tables, self.state, self._field(one.field), one.at, piece)
        for piece, count in missing.items():
            called = self.names.piece(kind, piece.member, piece.owner)
            self.report.add(problems.unbalanced_pieces(called, count, one.span, self._lies(kind, piece, count)))

    def _from_supply(self, kind: str, piece: PieceId) -> bool:
        """Take a piece out of where its kind starts, else from what is out of the game."""
        for name, at in self._cells(kind, supply=True):
            if (name, at) not in self._given and self._take(name, at, piece):
                return True
        return False

    def _by_exchange(self, kind: str, piece: PieceId) -> bool:
        """Take a piece that chance laid elsewhere, and lay another one there from the supply.

        Only pieces that are nobody's are exchanged: the set-up might as well have drawn the other one.
        """
        if piece.owner is not None or kind == "player":
            return False
        for name, at in self._cells(kind, supply=False):
            items = items_at(self.tables, self.state, name, at)
            if (name, at) not in self._given and item_of_piece(self.tables, name, piece) in items:
                other = self._any_from_supply(kind)
                if other is not None:
                    self._swap(name, at, piece, other)
                return other is not None
        return False

    def _any_from_supply(self, kind: str) -> PieceId | None:
        for name, at in self._cells(kind, supply=True):
            items = () if (name, at) in self._given else items_at(self.tables, self.state, name, at)
            for item in items[:1]:
                piece = piece_of(self.tables, name, at, item)
                self._take(name, at, piece)
                return piece
        return None

    def _swap(self, name: str, at: Indices, old: PieceId, new: PieceId) -> None:
        items = [piece_of(self.tables, name, at, item) for item in items_at(self.tables, self.state, name, at)]
        items[items.index(old)] = new
        self._empty(name, at)
        for each in items:
            add_piece(self.tables, self.state, self._field(name), at, each)

    def _cells(self, kind: str, *, supply: bool) -> Iterator[Cell]:
        fields = [one for one in self.tables.rules.fields.values() if one.holds == kind]
        fields.sort(key=lambda one: one.name.startswith("out."))
        for one in fields:
            if not supply or one.start_all or one.name.startswith("out."):
                yield from ((one.name, at) for at in self.tables.shapes[one.name].indices())

    def _take(self, name: str, at: Indices, piece: PieceId) -> bool:
        items = list(items_at(self.tables, self.state, name, at))
        pieces = [piece_of(self.tables, name, at, item) for item in items]
        if piece not in pieces:
            return False
        pieces.remove(piece)
        self._empty(name, at)
        for each in pieces:
            add_piece(self.tables, self.state, self._field(name), at, each)
        return True

    def _lies(self, kind: str, piece: PieceId, count: int) -> str | None:
        """Return where as many such pieces lie as the supply lacks."""
        for name, at in self._cells(kind, supply=False):
            pieces = (piece_of(self.tables, name, at, item) for item in items_at(self.tables, self.state, name, at))
            if (name, at) not in self._given and sum(each == piece for each in pieces) >= count:
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
        for one in self.tables.rules.fields.values():
            at = first_place(self.tables, one, piece) if one.holds == kind and one.start_all else None
            if at is not None and (one.name, at) not in self._given and kind != "player":
                add_piece(self.tables, self.state, one, at, piece)
                self._touched.add((one.name, at))
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
