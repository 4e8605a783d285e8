"""Pieces that a seat cannot see, dealt anew among the places where they may lie.

Every deal that agrees with what the seat knows is equally likely, and none depends on how the pieces truly lie.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, TypeAlias

from attrs import frozen

from aodrules.compiler.layout import FieldCells
from aodrules.compiler.runtime.compiled import Compiled
from aodrules.errors import SampleError
from aodrules.facts.chance import roll, shuffled
from aodrules.facts.state_shape import StateShape
from aodrules.lang.types import Piece, item_type

Item: TypeAlias = "tuple[int, int]"
"""A piece: its owner, or -1, and its member."""
Shows: TypeAlias = "tuple[str, ...]"
"""The attributes that a back tells."""
Attributes: TypeAlias = "Mapping[str, tuple[Any, ...]]"
"""By attribute: what each member of the family has."""
Back: TypeAlias = "tuple[Any, ...]"
"""What everybody sees of a hidden piece: whose it is, and what its back tells."""
Slots: TypeAlias = "dict[Back, list[tuple[int, int]]]"
"""By what lies there: the row and the position."""


@frozen(eq=False)
class _Row:
    """One cell of a secret field: the pieces in it, in order, and what a seat cannot tell about them."""

    cells: FieldCells
    shows: Shows
    """What backs tell here, in order."""
    cell: int
    owner_coded: int
    """By how much a piece of the next owner differs, where the cell holds pieces with their owners; else 0."""
    items: tuple[Item, ...]
    backs: tuple[Back, ...]
    """What everybody sees of each."""
    numbers: tuple[int, ...]
    """What is known about each position; nothing for bags."""
    free: tuple[int, ...]
    """Positions with pieces that could as well lie elsewhere."""
    kept: tuple[int, ...]
    """Positions with pieces that the seat knows to be somewhere in this cell, but not where."""

    def write(self, cells: list[Any], items: Sequence[Item], numbers: Sequence[int]) -> None:
        """Let the cell hold other pieces."""
        found = tuple([member + self.owner_coded * max(owner, 0) for owner, member in items])
        if self.cells.bag is not None:
            cells[self.cell] = sum(1 << self.cells.bag.width * member for member in found)
            return
        is_list = self.cells.container == "list"
        cells[self.cell] = found if is_list else found[0]
        if self.cells.knowledge is not None:
            known = self.cell - self.cells.base + self.cells.knowledge
            cells[known] = tuple(numbers) if is_list else numbers[0]


@frozen(eq=False)
class _AlikePieces:
    """Pieces of one back in one cell that the seat cannot tell from each other, and what others know of them."""

    places: tuple[int, ...]
    """All their positions: of those that could lie elsewhere, and of those that the seat knows to be here."""
    here: tuple[Item, ...]
    """The pieces that the seat knows to be here."""
    knowers: tuple[tuple[int, ...], tuple[int, ...]] | None
    """Who knows of one of them that it is here, but not where: of those that could lie elsewhere, and of the others.

    Nothing where the same is known of them all.
    """


@frozen(eq=False)
class Pool:
    """All pieces of one kind in places that a seat cannot see."""

    seats: int
    rows: tuple[_Row, ...]
    stages: tuple[tuple[Shows, Slots], ...]
    """The places to be filled, those whose backs tell most first."""
    items: tuple[Item, ...]
    """What they are filled with, in order."""
    groups: tuple[tuple[_AlikePieces, ...], ...]
    """For each row: what else changes places in it."""
    attributes: Attributes

    def deal(self, cells: list[Any], generator: int) -> int:
        """Deal the pieces anew into these cells, and return the next generator."""
        held = [list(row.items) for row in self.rows]
        left = self.items
        for shows, slots in self.stages:
            by_back = self._by_back(left, shows)
            rest: list[Item] = []
            for back, group in by_back.items():
                generator, dealt = shuffled(generator, group)
                wanted = slots.get(back, ())
                for (number, place), item in zip(wanted, dealt, strict=False):
                    held[number][place] = item
                rest += dealt[len(wanted) :]
            left = tuple(rest)
        for row, items, groups in zip(self.rows, held, self.groups, strict=True):
            numbers = list(row.numbers)
            for one in groups:
                generator = self._reorder(row, one, items, numbers, generator)
            row.write(cells, items, numbers)
        return generator

    def _by_back(self, items: Iterable[Item], shows: Shows) -> dict[Back, list[Item]]:
        found: dict[Back, list[Item]] = {}
        tables = [self.attributes[attribute] for attribute in shows]
        for item in items:
            found.setdefault((item[0], *[table[item[1]] for table in tables]), []).append(item)
        return found

    def _reorder(self, row: _Row, group: _AlikePieces, items: list[Item], numbers: list[int], generator: int) -> int:
        """Shuffle what a seat cannot tell from each other in a cell, and who else knows that it is there."""
        if group.knowers is None:
            generator, same = shuffled(generator, group.here)
            for place, item in zip(group.places, same, strict=True):
                items[place] = item
            return generator
        elsewhere = [items[place] for place in group.places if place in row.free]
        pieces = [*((item, 0) for item in elsewhere), *((item, 1) for item in group.here)]
        generator, dealt = shuffled(generator, pieces)
        places: tuple[list[int], list[int]] = ([], [])
        everybody = (1 << self.seats) - 1
        for place, (item, sort) in zip(group.places, dealt, strict=True):
            which = numbers[place] & everybody
            items[place], numbers[place] = item, which | which << self.seats
            places[sort].append(place)
        for open_places, knowers in zip(places, group.knowers, strict=True):
            for seats in knowers:
                fit = [place for place in open_places if not numbers[place] & seats] or open_places
                generator, number = roll(generator, len(fit))
                numbers[fit[number]] |= seats << self.seats
                open_places.remove(fit[number])
        return generator


def pools(machine: Compiled, shape: StateShape, attributes: Attributes, seat: int) -> tuple[Pool, ...]:
    """Return what a seat cannot see now, by kind of piece.

    Raises:
        SampleError: The backs of pieces in different places tell different things, neither of them more.
    """
    hidden: dict[str, list[_Row]] = {}
    for _, cells in sorted(machine.program.plan.layout.fields.items()):
        kind = cells.field.holds
        if cells.field.secret and kind is not None:
            for row in _rows(machine.cells, shape, attributes, cells, seat):
                hidden.setdefault(kind, []).append(row)
    return tuple(
        _pool(shape.players, attributes, tuple(rows)) for _, rows in sorted(hidden.items()) if not _is_lone_bag(rows)
    )


def _is_lone_bag(rows: list[_Row]) -> bool:
    """Whether there is nothing to be dealt: what lies in a bag has no order."""
    return len(rows) == 1 and rows[0].cells.bag is not None


def _pool(players: int, attributes: Attributes, rows: tuple[_Row, ...]) -> Pool:
    levels = sorted({row.shows for row in rows if row.free}, key=lambda shows: (-len(shows), shows))
    for more, less in pairwise(levels):
        if not set(less) < set(more):
            names = sorted({row.cells.name for row in rows if row.shows in (more, less)})
            raise SampleError(f"the backs of what lies in {' and '.join(names)} tell different things")
    stages: list[tuple[Shows, Slots]] = []
    for shows in levels:
        slots: Slots = {}
        for number, row in enumerate(rows):
            for place in row.free if row.shows == shows else ():
                slots.setdefault(row.backs[place], []).append((number, place))
        stages.append((shows, slots))
    items = sorted(row.items[place] for row in rows for place in row.free)
    groups = tuple(tuple(_groups(players, row)) for row in rows)
    return Pool(players, rows, tuple(stages), tuple(items), groups, attributes)


def _groups(players: int, row: _Row) -> Iterator[_AlikePieces]:
    """Iterate over the pieces in a cell that must be shuffled there, those with equal backs together."""
    places: dict[Back, list[int]] = {}
    if len(row.numbers) < 2:
        return
    for place in sorted((*row.free, *row.kept)):
        places.setdefault(row.backs[place], []).append(place)
    for group in places.values():
        if len({row.numbers[place] for place in group}) == 1:
            if group[0] in row.kept:
                yield _AlikePieces(tuple(group), tuple(sorted(row.items[place] for place in group)), None)
            continue
        kept = [place for place in group if place in row.kept]
        free = [place for place in group if place in row.free]
        knowers = _knowers(players, row, free), _knowers(players, row, kept)
        yield _AlikePieces(tuple(group), tuple(sorted(row.items[place] for place in kept)), knowers)


def _knowers(players: int, row: _Row, places: Iterable[int]) -> tuple[int, ...]:
    """Return who knows that a piece is in a cell but not where, for each of some pieces of which somebody does."""
    numbers = (row.numbers[place] for place in places)
    found = (number >> players & ~number for number in numbers)
    return tuple(sorted((seats for seats in found if seats), reverse=True))


def _rows(state: list[Any], shape: StateShape, attributes: Attributes, cells: FieldCells, seat: int) -> Iterator[_Row]:
    """Iterate over the cells of a field that hold something which a seat cannot tell."""
    size = shape.family_size(str(cells.field.holds))
    owner_coded = size if isinstance(item_type(cells.field.type), Piece) else 0
    shows = tuple(sorted(cells.field.shows))
    told = [attributes[attribute] for attribute in shows]
    for offset, at in enumerate(shape.shapes[cells.name].indices()):
        if shape.visible_to(cells.name, at) >> seat & 1:
            continue
        held = _held(cells, state[cells.base + offset])
        if not held:
            continue
        whose = -1 if cells.field.owner_dimension is None else at[cells.field.owner_dimension]
        items = tuple([(item // size if owner_coded else whose, item % size) for item in held])
        numbers: tuple[int, ...] = ()
        if cells.knowledge is not None:
            known = state[cells.knowledge + offset]
            numbers = known if isinstance(known, tuple) else (known,)
        loose = [index for index in range(len(items)) if not (numbers and numbers[index] >> seat & 1)]
        free = [index for index in loose if not (numbers and numbers[index] >> shape.players + seat & 1)]
        kept = [index for index in loose if index not in free]
        if loose:
            backs = tuple([(owner, *[attribute[member] for attribute in told]) for owner, member in items])
            yield _Row(cells, shows, cells.base + offset, owner_coded, items, backs, numbers, tuple(free), tuple(kept))


def _held(cells: FieldCells, held: Any) -> tuple[int, ...]:
    if cells.bag is not None:
        counts = cells.bag.unpack(held)
        return tuple([member for member, count in enumerate(counts) for _ in range(count)])
    if cells.container == "list":
        items: tuple[int, ...] = held
        return items
    return () if held is None else (held,)
