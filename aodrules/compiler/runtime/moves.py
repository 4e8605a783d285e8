"""Moving and drawing pieces: what generated code calls where a move is not simple enough to be written out.

Most moves are plain: pieces that nobody notes, or that have no owners, are taken and laid down at once. The others are
moved one by one, since where one comes to lie decides who knows of it, and whether there is room for the next.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache, reduce
from operator import and_
from typing import Any, TypeAlias

from aodrules.compiler.layout import GENERATOR, Pair, PlaceLayout
from aodrules.compiler.runtime.memo import unpack_bag
from aodrules.compiler.runtime.values import MOST_KEPT, bag_counts, packed
from aodrules.facts.chance import member_at, picked, roll

Cells: TypeAlias = "list[Any]"
Log: TypeAlias = "Callable[[tuple[Any, ...]], None] | None"
Place: TypeAlias = "tuple[PlaceLayout, int, int | None]"
"""What is fixed about a place, its cell (the first owner's, if it has parts), and an index: of the piece, or where
pieces are put."""
How: TypeAlias = "tuple[bool, ...]"
Named: TypeAlias = "tuple[bool, int | None, bool]"

# What generated code calls.


def move_some(
    cells: Cells, log: Log, kind: str, piece: int, count: int, source: Place, target: Place, how: Named
) -> list[Pair]:
    """Move up to so many pieces of one sort, and return those that moved.

    `piece` is owner and member in one number if the pieces have owners; `how` says whether they have, which seats
    know which piece is meant (nothing where its place tells), and whether it may be fewer.
    """
    if log is None and (quiet := _some_quietly(cells, piece, count, source, target, how)) is not None:
        return quiet
    owned, named, up_to = how
    transfer = PackedTransfer(cells, log, kind, source, target)
    transfer.named = named
    if owned:
        owner, member = divmod(piece, transfer.source.members)
        transfer.some((member, owner), count)
    else:
        transfer.some((piece, None), count)
    if not up_to:
        transfer.note_cut()
    return transfer.carried


def move_all(
    cells: Cells, log: Log, kind: str, owner: int | None, source: Place, target: Place, how: How
) -> list[Pair]:
    """Move everything, or everything of one owner, and return what moved."""
    if log is None and owner is None and (quiet := _all_quietly(cells, source, target)) is not None:
        return quiet
    transfer = PackedTransfer(cells, log, kind, source, target)
    transfer.whole = transfer.index is None
    transfer.everything(owner)
    if not how[-1]:
        transfer.note_cut()
    return transfer.carried


def draw_pieces(
    cells: Cells, log: Log, kind: str, owner: int | None, count: int, source: Place, target: Place, how: How
) -> list[Pair]:
    """Draw so many pieces, by chance out of a bag or from the top of a list, and return them."""
    transfer = PackedTransfer(cells, log, kind, source, target)
    for drawn in range(count):
        if not transfer.draw(owner, count - drawn):
            break
    if not how[-1]:
        transfer.note_cut()
    return transfer.carried


def draw_top(cells: Cells, log: Log, kind: str, count: int, source: Place, target: Place, up_to: bool) -> list[Pair]:  # noqa: FBT001 - generated code calls by position
    """Take so many pieces from the top of a list, as far as they fit, and return them."""
    cell = source[1]
    held: tuple[int, ...] = cells[cell]
    wanted = min(count, len(held))
    if wanted <= 0:
        return []
    taken = min(wanted, room_in(cells, target[0], target[1]))
    seen: Sequence[int] = ()
    if log is None and taken == 1:
        cells[cell] = held[1:]
        put_one(cells, target, held[0], _uncovered_one(cells, source, target))
        return [(held[0], None)]
    items = held[:taken]
    if taken:
        cells[cell] = held[taken:]
        seen = _uncovered(cells, source, target, taken)
        put(cells, target, items, _known_by(target, seen))
    if log is not None:
        _note_draw(log, kind, source, target, items, seen, 0 if up_to else wanted - taken)
    return [(item, None) for item in items]


def draw_chance(cells: Cells, log: Log, kind: str, count: int, source: Place, target: Place, up_to: bool) -> list[Pair]:  # noqa: FBT001 - generated code calls by position
    """Take so many pieces by chance out of a bag, as far as they fit, and return them."""
    layout, cell, _ = source
    bag, width = cells[cell], layout.width
    mask = (1 << width) - 1
    pieces: list[int] = []
    for member in range(layout.members):
        pieces += [member] * (bag >> member * width & mask)
    wanted = min(max(count, 0), len(pieces))
    taken = min(wanted, room_in(cells, target[0], target[1]))
    cells[GENERATOR], members = picked(cells[GENERATOR], pieces, taken)
    drawn = packed(members, width)
    cells[cell] = bag - drawn
    end = target[0]
    if log is None and end.container == "bag" and end.width == width:
        cells[target[1]] += drawn
    else:
        seen = (layout.visible_to(cell) | end.visible_to(target[1]),) * taken
        if taken:
            put(cells, target, tuple(members), _known_by(target, seen))
        if log is not None:
            _note_draw(log, kind, source, target, members, seen, 0 if up_to else wanted - taken)
    return [(member, None) for member in members]


def note_bag(
    _cells: Cells, log: Log, kind: str, owner: int | None, bag: int, ends: tuple[Any, ...], packing: tuple[int, int]
) -> None:
    """Write to the log that all of a bag was moved."""
    assert log is not None
    for member, count in enumerate(bag_counts(bag, *packing)):
        if count:
            log(("move", kind, member, owner, count, *ends, -1))


# Plain moves and draws, done at once.


def _some_quietly(cells: Cells, piece: int, count: int, source: Place, target: Place, how: Named) -> list[Pair] | None:
    """Move up to so many pieces of one sort and return them; nothing if this is not a plain case."""
    layout, cell, _ = source
    if layout.container == "list":
        return _one_quietly(cells, piece, source, target, how[1]) if count == 1 and not how[0] else None
    end, to, position = target
    if layout.container != "bag" or end.knowledge >= 0:
        return None
    owner: int | None = None
    member = piece
    if how[0]:
        owner, member = divmod(piece, layout.members)
        if layout.stride:
            cell += layout.stride * owner
        elif layout.owner_dimension >= 0:
            owner = layout.at(cell)[layout.owner_dimension]
        to += end.stride * owner
    shift = layout.width * member
    there = cells[cell] >> shift & (1 << layout.width) - 1
    many = max(min(there, count if cell == to else min(count, room_in(cells, end, to))), 0)
    if many:
        cells[cell] -= many << shift
        put(cells, (end, to, position), (end.item((member, owner)),) * many)
    return [(member, owner)] * many


def _one_quietly(cells: Cells, item: int, source: Place, target: Place, named: int | None) -> list[Pair] | None:
    """Move a piece without an owner out of a list and return it; nothing if this is not a plain case."""
    layout, cell, index = source
    end, to, _ = target
    if index is not None or named is None or layout.stride or end.stride or cell == to:
        return None
    items: tuple[int, ...] = cells[cell]
    if item not in items or not room_in(cells, end, to):
        return []
    place = items.index(item)
    seen = end.visible_to(to) | named | layout.visible_to(cell)
    if layout.knowledge >= 0:
        known = cell + layout.to_known
        numbers: tuple[int, ...] = cells[known]
        first = numbers[0]
        if numbers.count(first) == len(numbers):  # Most often nobody knows more of one than of another.
            left = taken_by_name(first, named, seen, layout.everybody, layout.players)
            cells[known] = (left,) * (len(numbers) - 1)
        else:
            if named != layout.everybody:
                knowing = (one for one in range(place, len(items)) if items[one] == item and not named & ~numbers[one])
                place = next(knowing, place)
            numbers = blurred(numbers, items, place, (named, seen, False), layout)
            cells[known] = forgotten(numbers[:place] + numbers[place + 1 :], seen, layout)
    cells[cell] = items[:place] + items[place + 1 :]
    put_one(cells, target, item, seen)
    return [(item, None)]


def _all_quietly(cells: Cells, source: Place, target: Place) -> list[Pair] | None:
    """Move a whole row and return its pieces; nothing if this is not a plain case."""
    layout, cell, index = source
    end, to, _ = target
    if index is not None or cell == to or layout.stride or end.stride or layout.owner_dimension >= 0:
        return None
    if layout.container == "bag":
        return _bag_quietly(cells, layout.width, cell, to) if _are_bags_alike(layout, end) else None
    is_list, held = layout.container == "list", cells[cell]
    items: tuple[int, ...] = held if is_list else () if held is None else (held,)
    if layout.owner_coded != end.owner_coded:
        return None
    if not items:
        return []
    if len(items) > room_in(cells, end, to):
        return None
    numbers = _known_together(cells, layout, cell, end.visible_to(to)) if end.knowledge >= 0 else ()
    cells[cell] = () if is_list else None
    if layout.knowledge >= 0:
        cells[cell + layout.to_known] = () if is_list else 0
    put(cells, target, items, numbers)
    if not layout.owner_coded:
        return [(item, None) for item in items]
    return [(item % layout.members, item // layout.members) for item in items]


def _are_bags_alike(layout: PlaceLayout, end: PlaceLayout) -> bool:
    return end.container == "bag" and end.room < 0 and layout.width == end.width and not layout.is_stock


def _bag_quietly(cells: Cells, width: int, cell: int, to: int) -> list[Pair]:
    """Move all of a bag into another, and return its pieces."""
    bag: int = cells[cell]
    cells[cell] = 0
    cells[to] += bag
    return [(member, None) for member in unpack_bag(bag, width)]


def _known_together(cells: Cells, layout: PlaceLayout, cell: int, visible_to: int) -> list[int]:
    """Return what is known of each piece of a row when all of them come to lie where some seats see them."""
    everybody, players = layout.everybody, layout.players
    before: tuple[int, ...]
    if layout.knowledge < 0:
        seats = layout.visible_to(cell)
        held = cells[cell]
        before = (seats | seats << players,) * (len(held) if layout.container == "list" else 1)
    else:
        known = cells[layout.known(cell)]
        before = known if layout.container == "list" else (known,)
    return [number | visible_to | (number & everybody | visible_to) << players for number in before]


def _uncovered(cells: Cells, source: Place, target: Place, taken: int) -> Sequence[int]:
    """Let pieces be gone from the top of a list in what is known of it, and return which seats know each of them."""
    layout, cell, _ = source
    visible_to = target[0].visible_to(target[1])
    if layout.knowledge < 0:
        return (visible_to | layout.visible_to(cell),) * taken
    known, everybody = layout.known(cell), layout.everybody
    numbers: tuple[int, ...] = cells[known]
    if visible_to == everybody:
        cells[known] = numbers[taken:]
        return (everybody,) * taken
    seen = [number & everybody | visible_to for number in numbers[:taken]]
    cells[known] = forgotten(numbers[taken:], reduce(and_, seen), layout)
    return seen


def _uncovered_one(cells: Cells, source: Place, target: Place) -> int:
    """Let a piece be gone from the top of a list in what is known of it, and return which seats know it."""
    layout, cell, _ = source
    visible_to = target[0].visible_to(target[1])
    if layout.knowledge < 0:
        return visible_to | layout.visible_to(cell)
    known, everybody = cell + layout.to_known, layout.everybody
    numbers: tuple[int, ...] = cells[known]
    seen = numbers[0] & everybody | visible_to
    cells[known] = forgotten(numbers[1:], seen, layout)
    return seen


def _note_draw(
    log: Log, kind: str, source: Place, target: Place, items: Sequence[int], seen: Sequence[int], stayed: int
) -> None:
    """Write to the log what was drawn, and that some did not fit."""
    assert log is not None
    layout, end = source[0], target[0]
    ends = (layout.name, layout.at(source[1]), end.name, end.at(target[1]))
    for item, seats in zip(items, seen, strict=True):
        log(("move", kind, item, None, 1, *ends, -1 if seats == layout.everybody else seats))
    if stayed:
        log(("cut", end.name, ends[3], len(items) + stayed, len(items)))


# All others.


class PackedTransfer:
    """One move or draw under way, piece by piece."""

    __slots__ = (
        "arrivals",
        "carried",
        "cells",
        "everybody",
        "index",
        "kind",
        "log",
        "named",
        "position",
        "source",
        "source_cell",
        "stayed",
        "taker",
        "target",
        "target_cell",
        "whole",
    )

    def __init__(self, cells: Cells, log: Log, kind: str, source: Place, target: Place) -> None:
        self.cells = cells
        self.log = log
        self.kind = kind
        self.source, self.source_cell, self.index = source
        self.target, self.target_cell, self.position = target
        self.named: int | None = None
        self.taker: int | None = None
        self.whole = False
        self.everybody = self.source.everybody
        self.carried: list[Pair] = []
        self.arrivals: dict[int, int] = {}
        self.stayed: list[int] = []

    # Which pieces.

    def everything(self, owner: int | None) -> None:
        """Move all pieces, or all of one owner."""
        source = self.source
        self._let_take(owner)
        self.whole = self.whole and self._takes_everything(owner)
        wanted = None if owner is None else lambda piece: piece[1] is None or piece[1] == owner
        for cell in source.parts(self.source_cell, owner):
            if source.container == "bag":
                for member, count in enumerate(bag_counts(self.cells[cell], source.width, source.members)):
                    self._out_of_bag(cell, member, count)
            else:
                self._out_of_row(cell, wanted, None)

    def _takes_everything(self, owner: int | None) -> bool:
        """Whether there is room for all pieces, or all of one owner."""
        target = self.target
        if target.container != "maybe" and target.room < 0:
            return True
        pieces = sum(self._size(cell) for cell in self.source.parts(self.source_cell, owner))
        return all(room_in(self.cells, target, to) >= pieces for to in target.parts(self.target_cell, owner))

    def some(self, piece: Pair, count: int) -> None:
        """Move up to so many pieces of one sort."""
        source, (member, owner) = self.source, piece
        self._let_take(owner)
        for cell in source.parts(self.source_cell, owner):
            if source.container == "bag":
                there = self.cells[cell] >> source.width * member & (1 << source.width) - 1
                self._out_of_bag(cell, member, min(there, count))
            else:
                self._out_of_row(cell, lambda one: one[0] == member and (one[1] is None or one[1] == owner), count)

    def draw(self, owner: int | None, wanted: int) -> bool:
        """Draw one of so many pieces that are wanted, and tell whether there was one and it fitted."""
        cells, source, target = self.cells, self.source, self.target
        self._let_take(owner)
        parts = source.parts(self.source_cell, owner)
        sizes = [self._size(cell) for cell in parts]
        total = sum(sizes)
        if not target.stride and total and not room_in(cells, target, self.target_cell):
            self.stayed += [self.target_cell] * min(total, wanted)
        if not total or self.stayed:
            return False
        place = 0
        if source.container == "bag":
            cells[GENERATOR], place = roll(cells[GENERATOR], total)
        for cell, size in zip(parts, sizes, strict=True):
            if place < size:
                if source.container == "bag":
                    self._out_of_bag(cell, member_at(bag_counts(cells[cell], source.width, source.members), place), 1)
                else:
                    self._out_of_row(cell, None, 1)
                break
            place -= size
        return True

    # Out of a cell of the source.

    def _row(self, cell: int) -> tuple[int, ...]:
        held: Any = self.cells[cell]
        if self.source.container == "list":
            items: tuple[int, ...] = held
            return items
        return () if held is None else (held,)

    def _size(self, cell: int) -> int:
        source = self.source
        if source.container == "bag":
            return sum(bag_counts(self.cells[cell], source.width, source.members))
        return len(self._row(cell))

    def _numbers(self, cell: int) -> tuple[int, ...]:
        """Return what is known about each position."""
        held: Any = self.cells[self.source.known(cell)]
        return held if self.source.container == "list" else (held,)

    def _out_of_bag(self, cell: int, member: int, count: int) -> None:
        carried = seen = 0
        for _ in range(count):
            found = self._carry(cell, 0, member)
            if found >= 0:
                carried, seen = carried + 1, found
        if carried and self.log is not None:
            self._note(cell, self._pair(cell, member), carried, seen)

    def _out_of_row(self, cell: int, wanted: Callable[[Pair], bool] | None, count: int | None) -> None:
        """Move pieces out of a list or maybe from the front; those that do not fit are passed over."""
        source = self.source
        left = len(self._row(cell)) if count is None else count
        index, learned = 0, self.everybody
        for _ in range(left):
            index = self._find(cell, wanted, index)
            if index < 0:
                break
            item = self._row(cell)[index]
            seen = self._carry(cell, index, item)
            if seen < 0:
                index += 1
                continue
            piece = source.pair(cell, item)
            if cell != self.target.cell_of(self.target_cell, piece[1]):
                learned &= seen
            if self.log is not None:
                self._note(cell, piece, 1, seen)
        if source.knowledge >= 0 and source.container == "list":
            self.cells[source.known(cell)] = forgotten(self._numbers(cell), learned, source)

    def _find(self, cell: int, wanted: Callable[[Pair], bool] | None, start: int) -> int:
        """Return the first position from `start` on with a piece that is wanted; -1 if there is none.

        Of pieces that some seats name it is the first that all of them know, if there is such a one.
        """
        source = self.source
        items = self._row(cell)
        if self.index is not None:
            inside = start <= self.index < len(items) and not self.arrivals
            candidates = range(self.index, self.index + 1) if inside else range(0)
        else:
            candidates = range(start, len(items))
        found = -1
        chosen = None if self.named == self.everybody or source.knowledge < 0 else self.named
        for index in candidates:
            if wanted is None or wanted(source.pair(cell, items[index])):
                if chosen is None or chosen & ~self._numbers(cell)[index] == 0:
                    return index
                found = index if found < 0 else found
        return found

    # One piece.

    def _carry(self, cell: int, index: int, item: int) -> int:
        """Move one piece and return the seats that know which it was; -1 if it did not fit and stays."""
        source, target = self.source, self.target
        piece = self._pair(cell, item)
        to = target.cell_of(self.target_cell, piece[1])
        inside = cell == to
        if not inside and not room_in(self.cells, target, to):
            self.stayed.append(to)
            return -1
        which, within = self._knowers(cell, index)
        seen = target.visible_to(to)
        if self.named is None:
            seen |= which
        elif self.index is None and source.container == "list":
            seen |= self.named | source.visible_to(cell)
            if source.knowledge >= 0:
                ways = (self.named, seen, inside)
                known = blurred(self._numbers(cell), self.cells[cell], index, ways, source)
                self.cells[source.known(cell)] = known
        else:
            seen |= self.named | which
        within = seen | (within if self.whole or inside else 0)
        self._take(cell, index, item)
        arrived = self.arrivals.get(to, 0)
        self.arrivals[to] = arrived + 1
        position = None if self.position is None else max(self.position, 0) + arrived
        put(self.cells, (target, to, position), (target.item(piece),), (seen | within << source.players,))
        self.carried.append(piece)
        return seen

    def _let_take(self, owner: int | None) -> None:
        """Say whose pieces are from now on that are nobody's in their place."""
        self.taker = owner if self.source.is_stock else None

    def _pair(self, cell: int, item: int) -> Pair:
        return self.source.pair(cell, item) if self.taker is None else (item, self.taker)

    def _knowers(self, cell: int, index: int) -> tuple[int, int]:
        """Return who knows which piece lies at a position, and who knows that it is in this field."""
        source = self.source
        if source.knowledge >= 0:
            number = self._numbers(cell)[index]
            return number & self.everybody, number >> source.players
        visible_to = source.visible_to(cell)
        return visible_to, visible_to

    def _take(self, cell: int, index: int, item: int) -> None:
        source, cells = self.source, self.cells
        if source.container == "bag":
            cells[cell] -= 1 << source.width * item
            return
        is_list, held = source.container == "list", cells[cell]
        cells[cell] = held[:index] + held[index + 1 :] if is_list else None
        if source.knowledge >= 0:
            numbers = self._numbers(cell)
            cells[source.known(cell)] = numbers[:index] + numbers[index + 1 :] if is_list else 0

    # The log.

    def _note(self, cell: int, piece: Pair, count: int, seen: int) -> None:
        source, target = self.source, self.target
        to = target.cell_of(self.target_cell, piece[1])
        shown = -1 if seen == self.everybody else seen
        places = (source.name, source.at(cell), target.name, target.at(to))
        assert self.log is not None
        self.log(("move", self.kind, *piece, count, *places, shown))

    def note_cut(self) -> None:
        """Write to the log that something did not fit, if so."""
        if self.stayed and self.log is not None:
            target, got = self.target, len(self.carried)
            self.log(("cut", target.name, target.at(self.stayed[0]), got + len(self.stayed), got))


# Room, and what is known.


def put(cells: Cells, target: Place, items: tuple[int, ...], numbers: Sequence[int] = ()) -> None:
    """Lay pieces down where there is room for them, with what is known about each where that is kept."""
    layout, cell, position = target
    if layout.container == "bag":
        cells[cell] += packed(items, layout.width)
    elif layout.container == "maybe":
        cells[cell] = items[0]
        if layout.knowledge >= 0:
            cells[layout.known(cell)] = numbers[0]
    else:
        held: tuple[int, ...] = cells[cell]
        place = len(held) if position is None else min(max(position, 0), len(held))
        cells[cell] = held[:place] + items + held[place:]
        if layout.knowledge >= 0:
            known = cell + layout.to_known
            cells[known] = (*cells[known][:place], *numbers, *cells[known][place:])


def put_one(cells: Cells, target: Place, item: int, seen: int) -> None:
    """Lay a piece down where there is room for it, and let be known what some seats saw of it."""
    layout, cell, position = target
    container, number = layout.container, seen | seen << layout.players
    if container == "bag":
        cells[cell] += 1 << layout.width * item
    elif container == "maybe":
        cells[cell] = item
        if layout.knowledge >= 0:
            cells[cell + layout.to_known] = number
    elif position is None:
        cells[cell] += (item,)
        if layout.knowledge >= 0:
            cells[cell + layout.to_known] += (number,)
    else:
        put(cells, target, (item,), (number,))


def _known_by(target: Place, seen: Sequence[int]) -> Sequence[int]:
    """Return what is known about pieces that so many seats saw each, where that is kept."""
    layout = target[0]
    return [seats | seats << layout.players for seats in seen] if layout.knowledge >= 0 else ()


def room_in(cells: Cells, layout: PlaceLayout, cell: int) -> int:
    """Return how many pieces a place still takes."""
    if layout.container == "maybe":
        return int(cells[cell] is None)
    if layout.room < 0:
        return 1 << 30
    is_bag = layout.container == "bag"
    pieces = sum(bag_counts(cells[cell], layout.width, layout.members)) if is_bag else len(cells[cell])
    return max(layout.room - pieces, 0)


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


@lru_cache(MOST_KEPT)
def taken_by_name(number: int, named: int, told: int, everybody: int, players: int) -> int:
    """Return what is known of each piece that stays in a list of which the same is known of all, as `blurred` has it.

    One was taken by name, and those who were told which know of the others what they knew.
    """
    sure = told & number if named == everybody else told & number | named & number
    return _less_known(number & ~(everybody & ~sure), told, everybody, players)


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
