"""Moves of secret pieces where nothing is logged, each told beforehand all that is fixed about its two places.

Generated code without a log calls these for the pieces that games move most: one from the top of a list, one out of a
list by name, all of a list. `moves` does the same for every place; what is rare is left to it.
"""

from __future__ import annotations

import sys
from typing import Any, TypeAlias

from aodrules.compiler.layout import Pair, PlaceLayout
from aodrules.compiler.runtime.moves import (
    Cells,
    PackedTransfer,
    draw_top,
    forgotten,
    move_some,
    taken_by_name,
)

Fixed: TypeAlias = "tuple[Any, ...]"
"""Both layouts, from a cell of each to what is known about it (0: nothing is kept), who sees each, room, seats."""
_NO_LIMIT = sys.maxsize


def fixed_parts(source: PlaceLayout, target: PlaceLayout) -> Fixed:
    """Return what is fixed about a move between two places; room only of a list."""
    return (
        source,
        target,
        source.to_known if source.knowledge >= 0 else 0,
        target.to_known if target.knowledge >= 0 else 0,
        sight_of(source),
        sight_of(target),
        target.room if target.room >= 0 else _NO_LIMIT,
        source.everybody,
        source.players,
    )


def sight_of(layout: PlaceLayout) -> int | None:
    """Return the seats that see into each cell; minus the first cell if a cell is seen by the seat of its number.

    Nothing if it is neither.
    """
    if layout.seen_by >= 0:
        return layout.seen_by
    return -layout.base if len(layout.shape) == 1 else None


def draw_one(cells: Cells, cell: int, to: int, fixed: Fixed) -> list[Pair]:
    """Take a piece from the top of a list and put it at the end of another that has room, and return it."""
    source, target, known, to_known, _, sight, room, everybody, players = fixed
    held, there = cells[cell], cells[to]
    if not held:
        return []
    if len(there) >= room:
        return draw_top(cells, None, "", 1, (source, cell, None), (target, to, None), False)  # noqa: FBT003 - as generated code does
    item = held[0]
    cells[cell] = held[1:]
    cells[to] = (*there, item)
    if sight < 0:
        sight = 1 << to + sight
    if known:
        numbers = cells[cell + known]
        rest = numbers[1:]
        sight |= numbers[0] & everybody
        # Where nobody knows anything there is nothing to forget.
        cells[cell + known] = forgotten(rest, sight, source) if sight != everybody and any(rest) else rest
    else:
        sight = everybody
    if to_known:
        cells[to + to_known] += (sight | sight << players,)
    return [(item, None)]


def move_named(cells: Cells, item: int, named: int, cell: int, to: int, fixed: Fixed) -> list[Pair]:
    """Take a piece that some seats name out of a secret list, put it at the end of another, and return it."""
    source, target, known, to_known, own, sight, room, everybody, players = fixed
    items, there = cells[cell], cells[to]
    if item not in items or len(there) >= room:
        return []
    numbers = cells[cell + known]
    first = numbers[0]
    if numbers.count(first) != len(numbers):  # Somebody knows more of one than of another.
        return move_some(cells, None, "", item, 1, (source, cell, None), (target, to, None), (False, named, False))
    place = items.index(item)
    cells[cell] = items[:place] + items[place + 1 :]
    cells[to] = (*there, item)
    if own < 0:
        own = 1 << cell + own
    if sight < 0:
        sight = 1 << to + sight
    seen = sight | named | own
    cells[cell + known] = (taken_by_name(first, named, seen, everybody, players),) * (len(numbers) - 1)
    if to_known:
        cells[to + to_known] += (seen | seen << players,)
    return [(item, None)]


def move_row(cells: Cells, cell: int, to: int, fixed: Fixed) -> None:
    """Put all of a list at the end of another."""
    source, target, known, to_known, _, sight, room, everybody, players = fixed
    items, there = cells[cell], cells[to]
    if not items:
        return
    if len(there) + len(items) > room:
        transfer = PackedTransfer(cells, None, "", (source, cell, None), (target, to, None))
        transfer.whole = True
        transfer.everything(None)
        return
    cells[cell] = ()
    cells[to] = there + items
    if to_known:
        if sight < 0:
            sight = 1 << to + sight
        # What is no secret is known to all.
        numbers = cells[cell + known] if known else (everybody | everybody << players,) * len(items)
        sight |= sight << players
        if numbers.count(numbers[0]) == len(numbers):
            number = numbers[0]
            cells[to + to_known] += (number | (number & everybody) << players | sight,) * len(numbers)
        else:
            cells[to + to_known] += tuple([one | (one & everybody) << players | sight for one in numbers])
    if known:
        cells[cell + known] = ()
