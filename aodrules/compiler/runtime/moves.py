"""Moving pieces between packed cells: what generated code calls where a move is not simple enough to be written out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from aodrules.compiler.place_layout import PlaceLayout
from aodrules.compiler.runtime.values import bag_counts

Cells: TypeAlias = "list[Any]"
Log: TypeAlias = "Callable[[tuple[Any, ...]], None] | None"
Pair: TypeAlias = "tuple[int, int | None]"
"""A piece: its member, and its owner if it has one."""
Place: TypeAlias = "tuple[PlaceLayout, int, int | None]"
"""What is fixed about a place, its cell, and an index: of the piece, or where pieces are put."""


class CellPlace:
    """A place while pieces are moved: what is fixed about it, and its cell (the first owner's, if it has parts)."""

    __slots__ = ("bottom", "index", "layout")

    def __init__(self, layout: PlaceLayout, cell: int, index: int | None = None) -> None:
        self.layout = layout
        self.bottom = cell
        self.index = index

    def cell(self, owner: int | None) -> int:
        """Return the cell in which the pieces of an owner lie."""
        return self.bottom + self.layout.stride * owner if owner is not None else self.bottom

    def parts(self, owner: int | None) -> list[int]:
        """Return the cells of the place, or the one of an owner."""
        stride = self.layout.stride
        if not stride:
            return [self.bottom]
        owners = range(self.layout.players) if owner is None else (owner,)
        return [self.bottom + stride * one for one in owners]

    def pair(self, cell: int, item: int) -> Pair:
        """Return the piece that an item of a cell is."""
        layout = self.layout
        if layout.owner_coded:
            owner, member = divmod(item, layout.members)
            return member, owner
        if layout.owner_dimension >= 0:
            return item, layout.at(cell)[layout.owner_dimension]
        return item, None

    def item(self, piece: Pair) -> int:
        """Return the item by which a cell holds a piece."""
        member, owner = piece
        return (owner or 0) * self.layout.members + member if self.layout.owner_coded else member

    def items(self, cells: Cells, cell: int) -> tuple[int, ...]:
        """Return the items of a cell that is a list or maybe."""
        held: Any = cells[cell]
        if self.layout.container == "list":
            items: tuple[int, ...] = held
            return items
        return () if held is None else (held,)

    def numbers(self, cells: Cells, cell: int) -> tuple[int, ...]:
        """Return what is known about each position of a cell."""
        held: Any = cells[self.layout.known(cell)]
        return held if self.layout.container == "list" else (held,)

    def put_numbers(self, cells: Cells, cell: int, numbers: tuple[int, ...]) -> None:
        """Replace what is known about each position of a cell."""
        single = numbers[0] if numbers else 0
        cells[self.layout.known(cell)] = numbers if self.layout.container == "list" else single


class PackedTransfer:
    """One move or draw under way."""

    __slots__ = (
        "arrivals",
        "carried",
        "cells",
        "everybody",
        "kind",
        "log",
        "named",
        "position",
        "source",
        "stayed",
        "target",
        "whole",
    )

    def __init__(
        self, cells: Cells, log: Log, kind: str, source: CellPlace, target: CellPlace, position: int | None
    ) -> None:
        self.cells = cells
        self.log = log
        self.kind = kind
        self.source = source
        self.target = target
        self.position = position
        self.named: int | None = None
        self.whole = False
        self.everybody = source.layout.everybody
        self.carried: list[Pair] = []
        self.arrivals: dict[int, int] = {}
        self.stayed: list[int] = []

    def everything(self, owner: int | None) -> None:
        """Move all pieces, or all of one owner."""
        source = self.source
        self.whole = self.whole and self.takes_everything(owner)
        for cell in source.parts(owner):
            if source.layout.container == "bag":
                for member, count in enumerate(
                    bag_counts(self.cells[cell], source.layout.width, source.layout.members)
                ):
                    self.out_of_bag(cell, member, count)
            else:
                self.out_of_row(cell, None if owner is None else _of_owner(owner), None)

    def takes_everything(self, owner: int | None) -> bool:
        """Whether there is room for all pieces, or all of one owner."""
        source, target = self.source, self.target
        if target.layout.container == "bag" or (target.layout.container == "list" and target.layout.room < 0):
            return True
        if source.layout.container == "bag":
            bags = (self.cells[cell] for cell in source.parts(owner))
            pieces = sum(sum(bag_counts(bag, source.layout.width, source.layout.members)) for bag in bags)
        else:
            pieces = sum(len(source.items(self.cells, cell)) for cell in source.parts(owner))
        return all(room_in(self.cells, target.layout, to) >= pieces for to in target.parts(owner))

    def some(self, piece: Pair, count: int) -> None:
        """Move up to so many pieces of one sort."""
        source = self.source
        for cell in source.parts(piece[1]):
            if source.layout.container == "bag":
                there = self.cells[cell] >> source.layout.width * piece[0] & (1 << source.layout.width) - 1
                self.out_of_bag(cell, piece[0], min(there, count))
            else:
                self.out_of_row(cell, _equal_to(piece), count)

    def out_of_bag(self, cell: int, member: int, count: int) -> None:
        """Move pieces of a member out of a bag."""
        carried = seen = 0
        for _ in range(count):
            found = self.carry(cell, 0, member)
            if found >= 0:
                carried, seen = carried + 1, found
        if carried and self.log is not None:
            self.note(cell, self.source.pair(cell, member), carried, seen)

    def out_of_row(self, cell: int, wanted: Callable[[Pair], bool] | None, count: int | None) -> None:
        """Move pieces out of a list or maybe from the front; those that do not fit are passed over."""
        left = len(self.source.items(self.cells, cell)) if count is None else count
        index, learned = 0, self.everybody
        for _ in range(left):
            index = self.find(cell, wanted, index)
            if index < 0:
                break
            item = self.source.items(self.cells, cell)[index]
            seen = self.carry(cell, index, item)
            if seen < 0:
                index += 1
                continue
            piece = self.source.pair(cell, item)
            if cell != self.target.cell(piece[1]):
                learned &= seen
            if self.log is not None:
                self.note(cell, piece, 1, seen)
        if self.source.layout.knowledge >= 0 and self.source.layout.container == "list":
            self.forget(cell, learned)

    def find(self, cell: int, wanted: Callable[[Pair], bool] | None, start: int) -> int:
        """Return the first position from `start` on with a piece that is wanted; -1 if there is none.

        Of pieces that some seats name it is the first that all of them know, if there is such a one.
        """
        source = self.source
        items = source.items(self.cells, cell)
        if source.index is not None:
            inside = start <= source.index < len(items) and not self.arrivals
            candidates = range(source.index, source.index + 1) if inside else range(0)
        else:
            candidates = range(start, len(items))
        found = -1
        chosen = None if self.named == self.everybody or source.layout.knowledge < 0 else self.named
        for index in candidates:
            if wanted is None or wanted(source.pair(cell, items[index])):
                if chosen is None or chosen & ~source.numbers(self.cells, cell)[index] == 0:
                    return index
                found = index if found < 0 else found
        return found

    def carry(self, cell: int, index: int, item: int) -> int:
        """Move one piece and return the seats that know which it was; -1 if it did not fit and stays."""
        source, target = self.source, self.target
        piece = source.pair(cell, item)
        to = target.cell(piece[1])
        inside = cell == to
        if not inside and not self.has_room(to):
            self.stayed.append(to)
            return -1
        which, within = self.knowers(cell, index)
        seen = target.layout.visible_to(to)
        if self.named is None:
            seen |= which
        elif source.index is None and source.layout.container == "list":
            seen |= self.named | source.layout.visible_to(cell)
            if source.layout.knowledge >= 0:
                numbers = source.numbers(self.cells, cell)
                ways = (self.named, seen, inside)
                source.put_numbers(self.cells, cell, blurred(numbers, self.cells[cell], index, ways, source.layout))
        else:
            seen |= self.named | which
        within = seen | (within if self.whole or inside else 0)
        self.take(cell, index, item)
        self.put(to, target.item(piece), seen | within << source.layout.players)
        self.carried.append(piece)
        return seen

    def has_room(self, to: int) -> bool:
        """Whether the target takes one more piece."""
        return room_in(self.cells, self.target.layout, to) > 0

    def knowers(self, cell: int, index: int) -> tuple[int, int]:
        """Return who knows which piece lies at a position, and who knows that it is in this field."""
        source = self.source
        if source.layout.knowledge >= 0:
            number = source.numbers(self.cells, cell)[index]
            return number & self.everybody, number >> source.layout.players
        visible_to = source.layout.visible_to(cell)
        return visible_to, visible_to

    def take(self, cell: int, index: int, item: int) -> None:
        """Take one piece away."""
        source, cells = self.source, self.cells
        if source.layout.container == "bag":
            cells[cell] -= 1 << source.layout.width * item
            return
        if source.layout.knowledge >= 0:
            numbers = source.numbers(cells, cell)
            source.put_numbers(cells, cell, numbers[:index] + numbers[index + 1 :])
        held = cells[cell]
        cells[cell] = held[:index] + held[index + 1 :] if source.layout.container == "list" else None

    def put(self, to: int, item: int, known: int) -> None:
        """Lay one piece down."""
        target, cells = self.target, self.cells
        arrived = self.arrivals.get(to, 0)
        self.arrivals[to] = arrived + 1
        if target.layout.container == "bag":
            cells[to] += 1 << target.layout.width * item
            return
        if target.layout.container == "maybe":
            if target.layout.knowledge >= 0:
                target.put_numbers(cells, to, (known,))
            cells[to] = item
            return
        held = cells[to]
        place = len(held) if self.position is None else min(max(self.position, 0) + arrived, len(held))
        if target.layout.knowledge >= 0:
            numbers = target.numbers(cells, to)
            target.put_numbers(cells, to, (*numbers[:place], known, *numbers[place:]))
        cells[to] = (*held[:place], item, *held[place:])

    def forget(self, cell: int, learned: int) -> None:
        """Let who did not learn which pieces left know less about those that stay."""
        numbers = self.source.numbers(self.cells, cell)
        self.source.put_numbers(self.cells, cell, forgotten(numbers, learned, self.source.layout))

    def note(self, cell: int, piece: Pair, count: int, seen: int) -> None:
        """Write a move to the log."""
        source, target = self.source, self.target
        to = target.cell(piece[1])
        shown = -1 if seen == self.everybody else seen
        places = (source.layout.name, source.layout.at(cell), target.layout.name, target.layout.at(to))
        assert self.log is not None
        self.log(("move", self.kind, *piece, count, *places, shown))

    def note_cut(self) -> None:
        """Write to the log that something did not fit, if so."""
        if self.stayed and self.log is not None:
            got = len(self.carried)
            self.log(
                ("cut", self.target.layout.name, self.target.layout.at(self.stayed[0]), got + len(self.stayed), got)
            )


def room_in(cells: Cells, layout: PlaceLayout, cell: int) -> int:
    """Return how many pieces a place still takes."""
    if layout.container == "maybe":
        return int(cells[cell] is None)
    if layout.container == "bag" or layout.room < 0:
        return 1 << 30
    return max(layout.room - len(cells[cell]), 0)


def blurred(
    numbers: tuple[int, ...], items: tuple[int, ...], index: int, ways: tuple[int, int, bool], layout: PlaceLayout
) -> tuple[int, ...]:
    """Return what is known of a list when one of its pieces is taken by name, so that its place tells no more.

    `ways` says which seats name the piece, which get to know it, and whether it stays in the list.
    """
    named, told, stays = ways
    everybody, players = layout.everybody, layout.players
    sure = told
    for number in numbers:
        sure &= number
    if named != everybody:
        sure |= named & numbers[index]
    unsure = everybody & ~sure
    if not unsure:
        return numbers
    rest = [number & ~unsure for number in numbers]
    fewer = 0 if stays else unsure & told & ~(numbers[index] >> players)
    for place, item in enumerate(items):
        if item == items[index]:
            gone = fewer & numbers[place] >> players
            rest[place] &= ~(gone << players)
            fewer &= ~gone
    return tuple(rest)


def forgotten(numbers: tuple[int, ...], learned: int, layout: PlaceLayout) -> tuple[int, ...]:
    """Return what is known of pieces that stay, when only some seats learned which others left."""
    everybody, players = layout.everybody, layout.players
    if learned == everybody or not numbers:
        return numbers
    if numbers.count(numbers[0]) == len(numbers):
        return (_less_known(numbers[0], learned, everybody, players),) * len(numbers)
    fewer = {number: _less_known(number, learned, everybody, players) for number in set(numbers)}
    return tuple([fewer[number] for number in numbers])


def _less_known(number: int, learned: int, everybody: int, players: int) -> int:
    which = number & everybody
    return which | (number >> players & (which | learned)) << players


def _of_owner(owner: int) -> Callable[[Pair], bool]:
    return lambda piece: piece[1] is None or piece[1] == owner


def _equal_to(wanted: Pair) -> Callable[[Pair], bool]:
    return lambda piece: piece[0] == wanted[0] and (piece[1] is None or piece[1] == wanted[1])
