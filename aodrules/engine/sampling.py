"""Full states that a seat could believe in: what it cannot know is dealt anew among the places it cannot see.

Numbers, flags and members that others keep secret stay as they are: nothing says how likely their values would be.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TypeAlias

from attrs import frozen

from aodrules.engine.chance import generator_of, roll, shuffled
from aodrules.engine.compiled import Compiled
from aodrules.engine.tables import Tables, item_type
from aodrules.lang.types import Piece
from aodrules.plan.layout import GENERATOR, FieldCells

Item: TypeAlias = "tuple[int, int | None]"
"""A piece: its member and its owner."""
Shows: TypeAlias = "tuple[str, ...]"
"""The attributes that a back tells."""


@frozen(eq=False)
class _Row:
    """One cell of a secret field: the pieces in it, in order, and what a seat cannot tell about them."""

    cells: FieldCells
    cell: int
    coded: int
    """By how much a piece of the next owner differs, where the cell holds pieces with their owners; else 0."""
    items: tuple[Item, ...]
    numbers: tuple[int, ...]
    """What is known about each position; nothing for bags."""
    free: tuple[int, ...]
    """Positions with pieces that could as well lie elsewhere."""
    loose: tuple[int, ...]
    """Positions whose order is not known: the free ones, and those of pieces known to be somewhere in this cell."""

    def write(self, cells: list[Any], items: Sequence[Item], numbers: Sequence[int]) -> None:
        """Let the cell hold other pieces."""
        found = tuple([member + self.coded * (owner or 0) for member, owner in items])
        if self.cells.bag is not None:
            cells[self.cell] = sum(1 << self.cells.bag.width * member for member in found)
            return
        is_list = self.cells.container == "list"
        cells[self.cell] = found if is_list else found[0]
        if self.cells.knowledge is not None:
            known = self.cell - self.cells.base + self.cells.knowledge
            cells[known] = tuple(numbers) if is_list else numbers[0]


@frozen(eq=False)
class _Pool:
    """All pieces of one kind in places that a seat cannot see."""

    tables: Tables
    rows: tuple[_Row, ...]

    def deal(self, cells: list[Any], generator: int) -> int:
        """Deal the pieces anew into these cells, and return the next generator."""
        held = [list(row.items) for row in self.rows]
        for rows, shows in self._sweeps():
            slots = [(held[row], index) for row in rows for index in self.rows[row].free]
            generator = self._mix(slots, shows, generator)
        for row, items in zip(self.rows, held, strict=True):
            numbers = list(row.numbers)
            if row.cells.bag is None:
                generator = self._reorder(row, items, numbers, generator)
            row.write(cells, items, numbers)
        return generator

    def _sweeps(self) -> Iterator[tuple[list[int], Shows]]:
        """Iterate over rows that swap pieces with equal backs.

        Where backs tell different things in different places, pieces first go round among all places, then among
        those alike, and again: no single swap reaches every deal that is possible.
        """
        rows = [number for number, row in enumerate(self.rows) if row.free]
        kinds = sorted({self.rows[row].cells.field.shows for row in rows})
        if len(rows) < 2:
            return
        everything = tuple(sorted({attribute for shows in kinds for attribute in shows}))
        yield rows, everything
        if len(kinds) > 1:
            for shows in kinds:
                yield [row for row in rows if self.rows[row].cells.field.shows == shows], shows
            yield rows, everything

    def _mix(self, slots: Iterable[tuple[list[Item], int]], shows: Shows, generator: int) -> int:
        """Shuffle the pieces in some places among those with equal backs."""
        groups: dict[tuple[Any, ...], list[tuple[list[Item], int]]] = {}
        for items, index in slots:
            groups.setdefault(self._back(items[index], shows), []).append((items, index))
        for group in groups.values():
            generator, dealt = shuffled(generator, [items[index] for items, index in group])
            for (items, index), item in zip(group, dealt, strict=True):
                items[index] = item
        return generator

    def _reorder(self, row: _Row, items: list[Item], numbers: list[int], generator: int) -> int:
        """Shuffle what lies in one cell; who knows that a piece is in it goes along with the piece."""
        seats = self.tables.players
        groups: dict[tuple[Any, ...], list[int]] = {}
        for index in row.loose:
            groups.setdefault(self._back(items[index], row.cells.field.shows), []).append(index)
        for group in groups.values():
            pairs = [(items[index], numbers[index] >> seats) for index in group]
            generator, dealt = shuffled(generator, pairs)
            for index, (item, within) in zip(group, dealt, strict=True):
                which = numbers[index] & self.tables.everybody
                items[index], numbers[index] = item, which | (within | which) << seats
        return generator

    def _back(self, item: Item, shows: Shows) -> tuple[Any, ...]:
        """Return what everybody sees of a hidden piece: what its back shows, and whose it is."""
        member, owner = item
        return (owner, *[self.tables.attributes[attribute][member] for attribute in shows])


@frozen(eq=False)
class Dealer:
    """Deals positions that a seat could believe it is in, as many as are asked for."""

    machine: Compiled
    pools: tuple[_Pool, ...]

    @classmethod
    def of(cls, machine: Compiled, tables: Tables, seat: int) -> Dealer:
        """Return a dealer for what a seat knows now. It must be made anew when the game has gone on."""
        hidden: dict[str, list[_Row]] = {}
        for name, cells in sorted(machine.program.plan.layout.fields.items()):
            kind = cells.field.holds
            if cells.field.secret and kind is not None and kind != "player":
                hidden.setdefault(kind, []).extend(_rows(machine.cells, tables, cells, name, seat))
        pools = (_Pool(tables, tuple(rows)) for _, rows in sorted(hidden.items()) if rows)
        return cls(machine, tuple(pools))

    def deal(self, seed: int) -> Compiled:
        """Return a game that waits at the same question in one of those positions; future chance is new too."""
        cells, generator = self.machine.cells[:], roll(generator_of(seed), 2)[0]
        for pool in self.pools:
            generator = pool.deal(cells, generator)
        cells[GENERATOR] = generator
        return Compiled(self.machine.program, cells)


def sampled_machine(machine: Compiled, tables: Tables, seat: int, seed: int) -> Compiled:
    """Return a game that waits at the same question in a state that a seat could believe in."""
    return Dealer.of(machine, tables, seat).deal(seed)


def _rows(state: list[Any], tables: Tables, cells: FieldCells, name: str, seat: int) -> Iterator[_Row]:
    """Iterate over the cells of a field that hold something which a seat cannot tell."""
    size = tables.family_size(str(cells.field.holds))
    coded = size if isinstance(item_type(cells.field.type), Piece) else 0
    for offset, at in enumerate(tables.shapes[name].indices()):
        if tables.seers(name, at) >> seat & 1:
            continue
        held = _held(cells, state[cells.base + offset])
        owner = None if cells.field.owner_dimension is None else at[cells.field.owner_dimension]
        items = tuple([(item % size, item // size if coded else owner) for item in held])
        numbers: tuple[int, ...] = ()
        if cells.knowledge is not None:
            known = state[cells.knowledge + offset]
            numbers = known if isinstance(known, tuple) else (known,)
        loose = [index for index in range(len(items)) if not (numbers and numbers[index] >> seat & 1)]
        free = [index for index in loose if not (numbers and numbers[index] >> tables.players + seat & 1)]
        if loose:
            yield _Row(cells, cells.base + offset, coded, items, numbers, tuple(free), tuple(loose))


def _held(cells: FieldCells, held: Any) -> tuple[int, ...]:
    if cells.bag is not None:
        counts = cells.bag.unpack(held)
        return tuple([member for member, count in enumerate(counts) for _ in range(count)])
    if cells.container == "list":
        items: tuple[int, ...] = held
        return items
    return () if held is None else (held,)
