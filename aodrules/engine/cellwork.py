"""What generated code calls to change the state: moves, draws, order, knowledge, chance, the end."""

from __future__ import annotations

from itertools import product
from typing import Any, TypeAlias

from aodrules.engine.chance import roll, shuffled
from aodrules.engine.packed import bag_counts
from aodrules.engine.pieces import Cells, Log, Pair, Spot, Transfer
from aodrules.plan.layout import GENERATOR, LEFT

Description: TypeAlias = "tuple[Any, ...]"
Place: TypeAlias = "tuple[Description, int, int | None]"
"""What is fixed about a place, its cell, and an index: of the piece, or where pieces are put."""
How: TypeAlias = "tuple[bool, ...]"


class GameOver(Exception):  # noqa: N818 - it is no error but the end of the game
    """The end of the game, from inside a function that asks nobody."""


def move_some(
    cells: Cells, log: Log, kind: str, piece: int, count: int, source: Place, target: Place, how: How
) -> list[Pair]:
    """Move up to so many pieces of one sort, and return those that moved.

    `piece` is owner and member in one number if the pieces have owners; `how` says whether they have, whether everybody
    knows which piece is meant, and whether it may be fewer.
    """
    transfer = _transfer(cells, log, kind, source, target)
    owned, transfer.open, up_to = how
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
    transfer = _transfer(cells, log, kind, source, target)
    transfer.whole = True
    transfer.everything(owner)
    if not how[-1]:
        transfer.note_cut()
    return transfer.carried


def draw_pieces(
    cells: Cells, log: Log, kind: str, owner: int | None, count: int, source: Place, target: Place, how: How
) -> list[Pair]:
    """Draw so many pieces, by chance out of a bag or from the top of a list, and return them."""
    transfer = _transfer(cells, log, kind, source, target)
    for drawn in range(count):
        if not _draw_one(transfer, owner, count - drawn):
            break
    if not how[-1]:
        transfer.note_cut()
    return transfer.carried


def note_bag(
    _cells: Cells, log: Log, kind: str, owner: int | None, bag: int, ends: Description, packing: tuple[int, int]
) -> None:
    """Write to the log that all of a bag was moved."""
    assert log is not None
    for member, count in enumerate(bag_counts(bag, *packing)):
        if count:
            log(("move", kind, member, owner, count, *ends, -1))


def _transfer(cells: Cells, log: Log, kind: str, source: Place, target: Place) -> Transfer:
    return Transfer(cells, log, kind, Spot(*source), Spot(target[0], target[1]), target[2])


def _draw_one(transfer: Transfer, owner: int | None, wanted: int) -> bool:
    """Draw one more piece, and tell whether there was one and it fitted."""
    cells, source, target = transfer.cells, transfer.source, transfer.target
    parts = source.parts(owner)
    sizes = [_size(cells, source, cell) for cell in parts]
    total = sum(sizes)
    if not target.stride and total and not transfer.has_room(target.bottom):
        transfer.stayed += [target.bottom] * min(total, wanted)
    if not total or transfer.stayed:
        return False
    place = 0
    if source.container == "bag":
        cells[GENERATOR], place = roll(cells[GENERATOR], total)
    for cell, size in zip(parts, sizes, strict=True):
        if place < size:
            if source.container == "bag":
                transfer.out_of_bag(cell, _member_at(cells, source, cell, place), 1)
            else:
                transfer.out_of_row(cell, None, 1)
            break
        place -= size
    return True


def _size(cells: Cells, source: Spot, cell: int) -> int:
    if source.container == "bag":
        return sum(bag_counts(cells[cell], source.width, source.members))
    return len(source.items(cells, cell))


def _member_at(cells: Cells, source: Spot, cell: int, place: int) -> int:
    for member, count in enumerate(bag_counts(cells[cell], source.width, source.members)):
        if place < count:
            return member
        place -= count
    raise IndexError(place)


def roll_item(cells: Cells, _log: Log, items: Any) -> Any:
    """Return an equally likely item; none, and no roll, if there is none."""
    if not items:
        return None
    cells[GENERATOR], place = roll(cells[GENERATOR], len(items))
    return items[place]


def shuffle_list(cells: Cells, log: Log, place: Place) -> None:
    """Put a list into a random order."""
    spot, cell = Spot(*place), place[1]
    cells[GENERATOR], order = shuffled(cells[GENERATOR], range(len(cells[cell])))
    _reorder(cells, spot, cell, order)
    if log is not None:
        log(("shuffle", spot.name, spot.at(cell)))


def sort_list(cells: Cells, log: Log, place: Place, keys: tuple[int, ...]) -> None:
    """Sort a list by a number for each item; equal ones keep their order."""
    spot, cell = Spot(*place), place[1]
    _reorder(cells, spot, cell, tuple(sorted(range(len(keys)), key=keys.__getitem__)))
    if log is not None:
        log(("sort", spot.name, spot.at(cell)))


def _reorder(cells: Cells, spot: Spot, cell: int, order: tuple[int, ...]) -> None:
    """Put a list into a new order; who knew what lay where knows only that it is there."""
    held: tuple[int, ...] = cells[cell]
    items = tuple([held[place] for place in order])
    cells[cell] = items
    if spot.knowledge >= 0 and items:
        numbers, players, seers = spot.numbers(cells, cell), spot.players, spot.seers(cell)
        if len({number >> players for number in numbers}) == 1:
            number = seers | (numbers[0] >> players | seers) << players
            spot.put_numbers(cells, cell, (number,) * len(items))
            return
        within: dict[int, list[int]] = {}
        for place, item in zip(order, items, strict=True):
            within.setdefault(item, []).append(numbers[place] >> players)
        masks = {item: iter(sorted(found)) for item, found in within.items()}
        spot.put_numbers(cells, cell, tuple(seers | (next(masks[item]) | seers) << players for item in items))


def reveal_pieces(cells: Cells, log: Log, place: Place, what: int | None, seats: int, how: How) -> None:
    """Let seats know a piece, or (with the first flag of `how`) everything, in a place."""
    spot = Spot(*place)
    everything, is_piece = how
    for cell in spot.parts(None):
        if spot.container == "bag":
            continue
        items = spot.items(cells, cell)
        shown = _all_shown(spot, items) if everything else _shown(spot, items, what, is_piece=is_piece)
        for position in shown:
            if 0 <= position < len(items):
                _learn(cells, log, spot, cell, position, seats)


def _all_shown(spot: Spot, items: tuple[int, ...]) -> list[int]:
    return [*range(len(items))] if spot.index is None else [spot.index]


def _shown(spot: Spot, items: tuple[int, ...], what: int | None, *, is_piece: bool) -> list[int]:
    if what is None:
        return []
    index = spot.index
    wanted = what if spot.coded or not is_piece else what % spot.members
    if index is not None and 0 <= index < len(items) and items[index] == wanted:
        return [index]
    return [items.index(wanted)] if wanted in items else []


def _learn(cells: Cells, log: Log, spot: Spot, cell: int, position: int, seats: int) -> None:
    if spot.knowledge < 0:
        return
    numbers = list(spot.numbers(cells, cell))
    new = seats & ~numbers[position] & (1 << spot.players) - 1
    numbers[position] |= seats | seats << spot.players
    spot.put_numbers(cells, cell, tuple(numbers))
    if new and log is not None:
        shown = position if spot.container == "list" else None
        item = spot.items(cells, cell)[position]
        log(("reveal", spot.name, spot.at(cell), shown, *spot.pair(cell, item), new))


def reset_cells(cells: Cells, log: Log, field: str, base: int, shape: tuple[int, ...], starts: tuple[Any, ...]) -> None:
    """Put the cells of a field back to their start."""
    if log is None:
        cells[base : base + len(starts)] = starts
        return
    for offset, at in enumerate(product(*map(range, shape))):
        old, new = cells[base + offset], starts[offset]
        if old != new:
            cells[base + offset] = new
            log(("set", field, at, old, new))


def leave_game(
    cells: Cells, log: Log, player: int, players: int, places: tuple[tuple[str, Description, Description], ...]
) -> None:
    """Let a player leave: out of all orders, all pieces to `out`. The last one of so many ends the game instead."""
    if player in cells[LEFT]:
        return
    if len(cells[LEFT]) == players - 1:
        raise GameOver
    cells[LEFT] = (*cells[LEFT], player)
    if log is not None:
        log(("left", player))
    for kind, source, target in places:
        _leave_field(cells, log, player, kind, source, target)


def _leave_field(cells: Cells, log: Log, player: int, kind: str, source: Description, target: Description) -> None:
    """Move out of a field a player's own pieces, and all in the player's own part of it; seats just go."""
    whole = Spot(source, 0)
    stride, owned = whole.owner_dimension >= 0, target[9] >= 0 or whole.coded
    for offset, at in enumerate(product(*map(range, whole.shape))):
        cell = whole.base + offset
        if kind == "player":
            cells[cell] = tuple(seat for seat in cells[cell] if seat != player)
            continue
        mine = owned or (whole.holder >= 0 and at[whole.holder] == player)
        if mine and (not stride or at[whole.owner_dimension] == player):
            spot = Spot(source, cell)
            spot.stride = 0
            transfer = Transfer(cells, log, kind, spot, Spot(target, target[1]), None)
            transfer.whole = True
            transfer.everything(player if owned else None)


def end_game(_cells: Cells, _log: Log) -> tuple[int, ...]:
    """Return what a block returns when the game is over."""
    raise GameOver
