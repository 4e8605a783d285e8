"""What generated code calls to change the state, beside moves: chance, order, knowledge, and how a game ends."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import product
from math import prod
from types import MappingProxyType
from typing import Any, TypeAlias

from attrs import evolve

from aodrules.compiler.layout import GENERATOR, LEFT, PlaceLayout
from aodrules.compiler.runtime.moves import Cells, How, Log, PackedTransfer, Place
from aodrules.compiler.runtime.values import MOST_KEPT, bag_counts, packed
from aodrules.facts.chance import roll, shuffled

_EMPTY: Mapping[str, Any] = MappingProxyType({"bag": 0, "list": (), "maybe": None})
"""By container: what a cell holds in which nothing lies."""

SeatCells: TypeAlias = "tuple[int, int, int, Any]"
"""The cells of a seat in a field, as a slice, and what they hold where nothing lies."""


class GameOver(Exception):  # noqa: N818 - it is no error but the end of the game
    """The end of the game, from inside a function that asks nobody."""


def roll_item(cells: Cells, _log: Log, items: Any) -> Any:
    """Return an equally likely item; none, and no roll, if there is none."""
    if not items:
        return None
    cells[GENERATOR], place = roll(cells[GENERATOR], len(items))
    return items[place]


def shuffle_list(cells: Cells, log: Log, place: Place) -> None:
    """Put a list into a random order."""
    layout, cell, _ = place
    if layout.knowledge < 0:
        cells[GENERATOR], cells[cell] = shuffled(cells[GENERATOR], cells[cell])
    elif _is_uniform(numbers := cells[layout.known(cell)]):
        cells[GENERATOR], cells[cell] = shuffled(cells[GENERATOR], cells[cell])
        cells[layout.known(cell)] = _mingled(numbers, layout, cell)
    else:
        cells[GENERATOR], order = shuffled(cells[GENERATOR], range(len(cells[cell])))
        _reorder(cells, layout, cell, order)
    if log is not None:
        log(("shuffle", layout.name, layout.at(cell)))


def sort_list(cells: Cells, log: Log, place: Place, keys: tuple[int, ...]) -> None:
    """Sort a list by a number for each item; equal ones keep their order."""
    layout, cell, _ = place
    _reorder(cells, layout, cell, sorted(range(len(keys)), key=keys.__getitem__))
    if log is not None:
        log(("sort", layout.name, layout.at(cell)))


def _reorder(cells: Cells, layout: PlaceLayout, cell: int, order: Sequence[int]) -> None:
    """Put a list into a new order; who knew what lay where knows only that it is there."""
    held: tuple[int, ...] = cells[cell]
    items = cells[cell] = tuple([held[place] for place in order])
    if layout.knowledge < 0 or not items:
        return
    known, players, visible_to = layout.known(cell), layout.players, layout.visible_to(cell)
    numbers: tuple[int, ...] = cells[known]
    if _is_uniform(numbers):
        cells[known] = _mingled(numbers, layout, cell)
        return
    within: dict[int, list[int]] = {}
    for place, item in zip(order, items, strict=True):
        within.setdefault(item, []).append(numbers[place] >> players)
    masks = {item: iter(sorted(found)) for item, found in within.items()}
    cells[known] = tuple([visible_to | (next(masks[item]) | visible_to) << players for item in items])


def _is_uniform(numbers: tuple[int, ...]) -> bool:
    """Whether the same is known about all pieces of a list."""
    return not numbers or numbers.count(numbers[0]) == len(numbers)


def _mingled(numbers: tuple[int, ...], layout: PlaceLayout, cell: int) -> tuple[int, ...]:
    """Return what is known about pieces, the same about each, when their order was lost."""
    if not numbers:
        return ()
    visible_to = layout.visible_to(cell)
    within = numbers[0] >> layout.players | visible_to
    return (visible_to | within << layout.players,) * len(numbers)


def reveal_pieces(cells: Cells, log: Log, place: Place, what: int | None, seats: int, how: How) -> None:
    """Let seats know a piece, or (with the first flag of `how`) everything, in a place; or what a field holds."""
    layout, bottom, index = place
    everything, is_piece = how
    if not layout.container:
        new = seats & ~layout.visible_to(bottom)
        if new and log is not None:
            log(("reveal", layout.name, layout.at(bottom), None, what, None, new))
        return
    if layout.knowledge < 0 or (what is None and not everything):
        return
    wanted = what % layout.members if what is not None and is_piece and not layout.owner_coded else what
    for cell in layout.parts(bottom, None):
        if layout.container == "maybe":
            if cells[cell] is not None and (everything or cells[cell] == wanted):
                known = layout.known(cell)
                cells[known] = _learned(log, layout, cell, None, cells[cell], cells[known], seats)
            continue
        items = cells[cell]
        numbers = list(cells[layout.known(cell)])
        for position in _shown(items, index, None if everything else wanted):
            told = seats
            if not everything and position != index:  # who knows such a piece must not see that there are more
                for item, number in zip(items, numbers, strict=True):
                    told &= ~number if item == wanted else -1
            numbers[position] = _learned(log, layout, cell, position, items[position], numbers[position], told)
        cells[layout.known(cell)] = tuple(numbers)


def _shown(items: tuple[int, ...], index: int | None, wanted: int | None) -> Sequence[int]:
    """Return the positions that are shown: all or the one of the index, or the one where the wanted piece is."""
    is_there = index is not None and 0 <= index < len(items)
    if wanted is None:
        return range(len(items)) if index is None else [index] if is_there else ()
    if index is not None and is_there and items[index] == wanted:
        return [index]
    return [items.index(wanted)] if wanted in items else ()


def _learned(log: Log, layout: PlaceLayout, cell: int, position: int | None, item: int, number: int, seats: int) -> int:
    """Return what is known about a piece when some seats have seen it."""
    new = seats & ~number & layout.everybody
    if new and log is not None:
        log(("reveal", layout.name, layout.at(cell), position, *layout.pair(cell, item), new))
    return number | seats | seats << layout.players


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
    cells: Cells,
    log: Log,
    player: int,
    players: int,
    places: tuple[tuple[str, PlaceLayout, PlaceLayout, tuple[SeatCells | None, ...]], ...],
) -> None:
    """Let a player leave: out of all orders, all pieces to `out`. The last one of so many ends the game instead."""
    if player in cells[LEFT]:
        return
    if len(cells[LEFT]) == players - 1:
        raise GameOver
    cells[LEFT] = (*cells[LEFT], player)
    if log is not None:
        log(("left", player))
    for kind, source, target, of_seats in places:
        own = of_seats[player]
        if own is not None:
            first, end, step, empty = own
            held = cells[first:end:step]
            if held.count(empty) == len(held):
                continue
        _leave_field(cells, log, player, kind, source, target)


def cells_to_leave(kind: str, source: PlaceLayout, target: PlaceLayout, player: int) -> SeatCells | None:
    """Return the cells that a player leaves in a field, from, to and in which steps, and what they hold if empty.

    Nothing if they do not lie in such a row.
    """
    if kind == "player":
        return None
    cells = _cells_of_seat(source, player, anywhere=_has_owners(source, target))
    if not cells:
        return 0, 0, 1, None
    step = cells[1] - cells[0] if len(cells) > 1 else 1
    if cells != tuple(range(cells[0], cells[-1] + 1, step)):
        return None
    return cells[0], cells[-1] + 1, step, _EMPTY[source.container]


def _has_owners(source: PlaceLayout, target: PlaceLayout) -> bool:
    """Whether the pieces of a field have owners."""
    return target.owner_dimension >= 0 or source.owner_coded


def _leave_field(cells: Cells, log: Log, player: int, kind: str, source: PlaceLayout, target: PlaceLayout) -> None:
    """Move out of a field a player's own pieces, and all in the player's own part of it; seats just go."""
    owned = _has_owners(source, target)
    empty = _EMPTY[source.container]
    single: PlaceLayout | None = None
    if kind == "player":
        for cell in range(source.base, source.base + prod(source.shape)):
            cells[cell] = tuple([seat for seat in cells[cell] if seat != player])
        return
    for cell in _cells_of_seat(source, player, anywhere=owned):
        held = cells[cell]
        if held == empty:
            continue
        if log is None and not target.stride and not source.owner_coded:
            # Everybody sees what is out of the game, so that nothing is left to be known of what lay here.
            cells[target.base] += _as_bag(held, source, target)
            cells[cell] = empty
            if source.knowledge >= 0:
                cells[cell + source.to_known] = 0 if empty is None else empty
            continue
        single = single or evolve(source, stride=0)
        transfer = PackedTransfer(cells, log, kind, (single, cell, None), (target, target.base, None))
        transfer.whole = True
        transfer.everything(player if owned else None)


def _cells_of_seat(of: PlaceLayout, player: int, *, anywhere: bool) -> tuple[int, ...]:
    """Return the cells of a field in which pieces of a player may lie, or those that are the player's own."""
    dimensions = (of.owner_dimension, -1 if anywhere else of.holder)
    if not anywhere and of.holder < 0:
        return ()
    return _cells_at(of.base, of.shape, dimensions, player)


@lru_cache(MOST_KEPT)
def _cells_at(base: int, shape: tuple[int, ...], dimensions: tuple[int, ...], index: int) -> tuple[int, ...]:
    """Return the cells of a field with this index in some dimensions; those below 0 do not count."""
    places = [dimension for dimension in dimensions if dimension >= 0]
    every = enumerate(product(*map(range, shape)))
    return tuple([base + offset for offset, at in every if all(at[place] == index for place in places)])


def _as_bag(held: Any, source: PlaceLayout, target: PlaceLayout) -> int:
    """Return what a cell holds as a bag like those of another field."""
    if source.container == "maybe":
        return packed((held,), target.width)
    if source.container == "list":
        return packed(held, target.width)
    if source.width == target.width:
        return int(held)
    counts = bag_counts(held, source.width, source.members)
    return sum(count << target.width * member for member, count in enumerate(counts))


def end_game(_cells: Cells, _log: Log) -> tuple[int, ...]:
    """Return what a block returns when the game is over."""
    raise GameOver
