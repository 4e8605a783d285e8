"""Moving pieces from place to place: what fits, who learns what, and what is noted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf

from attrs import define, field, frozen

from aodrules.facts.state import Indices, LogEntry, PlaceRef, PlainState
from aodrules.interpreter.places import (
    PieceId,
    PieceKnowledge,
    blur,
    cell,
    forget_left,
    is_kept,
    item_of_piece,
    items_at,
    known_at,
    numbers_at,
    parts,
    piece_of,
    put_cell,
    put_numbers,
)
from aodrules.interpreter.tables import Tables
from aodrules.lang.types import Bag, ListOf


@frozen
class Moved:
    """One piece that was moved to another place."""

    piece: PieceId
    source: tuple[str, Indices]
    target: tuple[str, Indices]


@define
class Transfer:
    """One `move` or `draw` under way: pieces are carried one by one."""

    tables: Tables
    state: PlainState
    note: Callable[[LogEntry], None]
    kind: str
    source: PlaceRef
    target: PlaceRef
    position: int | None = None
    named: int | None = None
    """Who knows which pieces are taken, where they are named; nothing where their place tells which they are."""
    whole: bool = False
    """Whether all of a place is moved, not one position: then who knew that a piece lay there knows where it went."""
    carried: list[PieceId] = field(factory=list)
    """What was moved, also inside one place."""
    moved: list[Moved] = field(factory=list)
    """What came to another place."""
    taker: int | None = None
    """Who owns from now on what is nobody's in its place."""
    _arrivals: dict[Indices, int] = field(factory=dict)
    _stayed: list[Indices] = field(factory=list)

    def everything(self, owner: int | None) -> None:
        """Move all pieces, or all of one owner."""
        self.taker = owner
        self.whole = self.whole and self._takes_everything(owner)
        for at in self._parts(owner):
            if self._is_bag:
                for member, count in enumerate(cell(self.tables, self.state, self.source.field, at)):
                    self._out_of_bag(at, member, count)
            else:
                self._out_of_row(at, lambda piece: owner is None or piece.owner in (owner, None), None)

    def _takes_everything(self, owner: int | None) -> bool:
        """Whether there is room for all: else nobody can tell which of the pieces they knew to be there went."""
        pieces = sum(len(items_at(self.tables, self.state, self.source.field, at)) for at in self._parts(owner))
        return all(self._room(at) >= pieces for at in parts(self.tables, self.target, owner))

    def some(self, piece: PieceId, count: int) -> None:
        """Move up to so many pieces of one sort."""
        self.taker = piece.owner
        for at in self._parts(piece.owner):
            if self._is_bag:
                there = cell(self.tables, self.state, self.source.field, at)[piece.member]
                self._out_of_bag(at, piece.member, min(there, count))
            else:
                self._out_of_row(at, lambda one: _is_of_sort(one, piece), count)

    def draw(self, count: int, owner: int | None, roll: Callable[[int], int]) -> None:
        """Take so many pieces: by chance out of a bag, from the top of a list. A full target ends it."""
        self.taker = owner
        for drawn in range(count):
            cells = [(at, items_at(self.tables, self.state, self.source.field, at)) for at in self._parts(owner)]
            total = sum(len(items) for _, items in cells)
            to = None if self.target.is_shared else self.target.of(None)
            if to is not None and total and not self.has_room(to):
                self._stayed += [to] * min(total, count - drawn)
            if not total or self._stayed:
                break
            self._draw_one(cells, roll(total) if self._is_bag else 0)

    def _draw_one(self, cells: list[tuple[Indices, tuple[int, ...]]], place: int) -> None:
        for at, items in cells:
            if place < len(items):
                if self._is_bag:
                    self._out_of_bag(at, items[place], 1)
                else:
                    self._out_of_row(at, lambda _: True, 1)
                return
            place -= len(items)

    def _parts(self, owner: int | None) -> list[Indices]:
        return [*parts(self.tables, self.source, owner)]

    def note_cut(self) -> None:
        """Note that something did not fit, if so."""
        if self._stayed:
            got = len(self.carried)
            self.note(("cut", self.target.field, self._stayed[0], got + len(self._stayed), got))

    def has_room(self, at: Indices) -> bool:
        """Whether the target takes one more piece."""
        return self._room(at) > 0

    def _room(self, at: Indices) -> float:
        """Return how many more pieces the target takes."""
        type_ = self.tables.rules.fields[self.target.field].type
        held = cell(self.tables, self.state, self.target.field, at)
        if isinstance(type_, Bag | ListOf):
            pieces = sum(held) if isinstance(type_, Bag) else len(held)
            return inf if type_.limit is None else type_.limit - pieces
        return held is None

    @property
    def _is_bag(self) -> bool:
        return isinstance(self.tables.rules.fields[self.source.field].type, Bag)

    def _out_of_bag(self, at: Indices, member: int, count: int) -> None:
        carried = 0
        seen = 0
        for _ in range(count):
            found = self._carry(at, 0, member)
            if found is not None:
                carried, seen = carried + 1, found
        if carried:
            self._note_move(at, self._piece(at, member), carried, seen)

    def _out_of_row(self, at: Indices, wanted: Callable[[PieceId], bool], count: int | None) -> None:
        """Move pieces out of a list or maybe from the front; those that do not fit are passed over."""
        left = len(items_at(self.tables, self.state, self.source.field, at)) if count is None else count
        index, learned = 0, self.tables.everybody
        for _ in range(left):
            index = self._find(at, wanted, index)
            if index < 0:
                break
            item = items_at(self.tables, self.state, self.source.field, at)[index]
            left_before = len(self.moved)
            seen = self._carry(at, index, item)
            if seen is None:
                index += 1
            else:
                learned &= seen if len(self.moved) > left_before else self.tables.everybody
                self._note_move(at, self._piece(at, item), 1, seen)
        forget_left(self.tables, self.state, self.source.field, at, learned)

    def _find(self, at: Indices, wanted: Callable[[PieceId], bool], start: int) -> int:
        """Return the first position from `start` on with a piece that is wanted; -1 if there is none.

        If some seats name a piece, it is the first of those they know: another would show them that there are more.
        """
        items = items_at(self.tables, self.state, self.source.field, at)
        found = []
        for index in range(start, len(items)):
            here = self.source.index is None or (self.source.index == index and not self._arrivals)
            if here and wanted(piece_of(self.tables, self.source.field, at, items[index])):
                found.append(index)
        if self.named not in (None, self.tables.everybody):
            found.sort(key=lambda index: not self._is_known_to_all_who_name(at, index))
        return found[0] if found else -1

    def _is_known_to_all_who_name(self, at: Indices, index: int) -> bool:
        known = known_at(self.tables, self.state, self.source.field, at, index)
        return self.named is not None and known.which & self.named == self.named

    def _carry(self, at: Indices, index: int, item: int) -> int | None:
        """Move one piece and return the seats that know which it was; nothing if it did not fit and stays."""
        piece = self._piece(at, item)
        to = self.target.of(piece.owner)
        inside = (self.source.field, at) == (self.target.field, to)
        if not inside and not self.has_room(to):
            self._stayed.append(to)
            return None
        known = known_at(self.tables, self.state, self.source.field, at, index)
        seen = self._seen(at, known, to)
        if self.named is not None and self._is_looked_through:
            blur(self.tables, self.state, self.source.field, at, index, self.named, seen, stays=inside)
        within = seen | (known.within if self.whole or inside else 0)
        self._take(at, index, item)
        self._put(to, item_of_piece(self.tables, self.target.field, piece), PieceKnowledge(seen, within))
        self.carried.append(piece)
        if not inside:
            self.moved.append(Moved(piece, (self.source.field, at), (self.target.field, to)))
        return seen

    def _piece(self, at: Indices, item: int) -> PieceId:
        """Return the piece that is moved: out of a common stock it is whose it is from now on."""
        is_stock = self.tables.rules.fields[self.source.field].is_stock
        return PieceId(item, self.taker) if is_stock else piece_of(self.tables, self.source.field, at, item)

    @property
    def _is_looked_through(self) -> bool:
        """Whether pieces are looked for in a whole list."""
        return self.source.index is None and isinstance(self.tables.rules.fields[self.source.field].type, ListOf)

    def _seen(self, at: Indices, known: PieceKnowledge, to: Indices) -> int:
        """Return who knows which piece it is: by its name, by where it goes, and by its place where that is known."""
        by_place = known.which
        if self.named is not None and self._is_looked_through:
            by_place = self.tables.visible_to(self.source.field, at)
        return by_place | (self.named or 0) | self.tables.visible_to(self.target.field, to)

    def _take(self, at: Indices, index: int, item: int) -> None:
        name = self.source.field
        type_ = self.tables.rules.fields[name].type
        held = cell(self.tables, self.state, name, at)
        if isinstance(type_, Bag):
            put_cell(self.tables, self.state, name, at, _with_count(held, item, -1))
            return
        if is_kept(self.state, name):
            put_numbers(
                self.tables, self.state, name, at, _without(numbers_at(self.tables, self.state, name, at), index)
            )
        put_cell(self.tables, self.state, name, at, _without(held, index) if isinstance(type_, ListOf) else None)

    def _put(self, to: Indices, item: int, known: PieceKnowledge) -> None:
        name = self.target.field
        type_ = self.tables.rules.fields[name].type
        held = cell(self.tables, self.state, name, to)
        arrived = self._arrivals.get(to, 0)
        self._arrivals[to] = arrived + 1
        if isinstance(type_, Bag):
            put_cell(self.tables, self.state, name, to, _with_count(held, item, 1))
            return
        is_list = isinstance(type_, ListOf)
        place = 0
        if is_list:
            place = len(held) if self.position is None else min(max(self.position, 0) + arrived, len(held))
        if is_kept(self.state, name):
            numbers = numbers_at(self.tables, self.state, name, to) if is_list else ()
            put_numbers(self.tables, self.state, name, to, _with(numbers, place, known.packed(self.tables)))
        put_cell(self.tables, self.state, name, to, _with(held, place, item) if is_list else item)

    def _note_move(self, at: Indices, piece: PieceId, count: int, seen: int) -> None:
        to = self.target.of(piece.owner)
        places = (self.source.field, at, self.target.field, to)
        shown = -1 if seen == self.tables.everybody else seen
        self.note(("move", self.kind, piece.member, piece.owner, count, *places, shown))


def _is_of_sort(piece: PieceId, sort: PieceId) -> bool:
    return piece.member == sort.member and (sort.owner is None or piece.owner in (sort.owner, None))


def _with_count(counts: Sequence[int], member: int, change: int) -> tuple[int, ...]:
    return (*counts[:member], counts[member] + change, *counts[member + 1 :])


def _without(items: Sequence[int], index: int) -> tuple[int, ...]:
    return (*items[:index], *items[index + 1 :])


def _with(items: Sequence[int], index: int, item: int) -> tuple[int, ...]:
    return (*items[:index], item, *items[index:])
