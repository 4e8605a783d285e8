"""Draws out of places without owners into open places without owners: the plain case, done at once."""

from __future__ import annotations

from typing import Any, TypeAlias

from aodrules.engine.chance import roll
from aodrules.engine.packed import bag_counts
from aodrules.engine.pieces import Cells, Log, Pair, Spot
from aodrules.plan.layout import GENERATOR

Place: TypeAlias = "tuple[tuple[Any, ...], int, int | None]"


def draw_top(cells: Cells, log: Log, kind: str, count: int, source: Place, target: Place, up_to: bool) -> list[Pair]:  # noqa: FBT001 - generated code calls by position
    """Take so many pieces from the top of a list, as far as they fit, and return them."""
    cell, spot = source[1], Spot(*source)
    items: tuple[int, ...] = cells[cell]
    end = Spot(target[0], target[1])
    wanted = min(max(count, 0), len(items))
    taken = min(wanted, _room(cells, end))
    if taken:
        cells[cell] = items[taken:]
        if spot.knowledge >= 0:
            known = spot.known(cell)
            cells[known] = cells[known][taken:]
        _put(cells, end, items[:taken], target[2])
    _note(log, kind, spot, end, items[:taken], 0 if up_to else wanted - taken)
    return [(item, None) for item in items[:taken]]


def draw_chance(cells: Cells, log: Log, kind: str, count: int, source: Place, target: Place, up_to: bool) -> list[Pair]:  # noqa: FBT001 - generated code calls by position
    """Take so many pieces by chance out of a bag, as far as they fit, and return them."""
    cell, spot = source[1], Spot(*source)
    end = Spot(target[0], target[1])
    counts = bag_counts(cells[cell], spot.width, spot.members)
    wanted = min(max(count, 0), sum(counts))
    taken = min(wanted, _room(cells, end))
    if taken:
        cells[GENERATOR], members = _drawn(cells[GENERATOR], counts, taken)
        cells[cell] -= sum([1 << spot.width * member for member in members])
        _put(cells, end, members, target[2])
    else:
        members = ()
    _note(log, kind, spot, end, members, 0 if up_to else wanted - taken)
    return [(member, None) for member in members]


def _drawn(generator: int, counts: tuple[int, ...], count: int) -> tuple[int, tuple[int, ...]]:
    """Return the next generator and so many pieces, each equally likely, out of what is there of each member."""
    pool = [member for member, there in enumerate(counts) for _ in range(there)]
    members = []
    for left in range(len(pool), len(pool) - count, -1):
        generator, place = roll(generator, left)
        members.append(pool.pop(place))
    return generator, tuple(members)


def _room(cells: Cells, end: Spot) -> int:
    """Return how many pieces a place still takes."""
    if end.container == "maybe":
        return int(cells[end.bottom] is None)
    if end.container == "bag" or end.room < 0:
        return 1 << 30
    return max(end.room - len(cells[end.bottom]), 0)


def _put(cells: Cells, end: Spot, items: tuple[int, ...], position: int | None) -> None:
    """Lay pieces down where there is room for them."""
    to = end.bottom
    if end.container == "bag":
        cells[to] += sum([1 << end.width * item for item in items])
    elif end.container == "list":
        held: tuple[int, ...] = cells[to]
        place = len(held) if position is None else min(max(position, 0), len(held))
        cells[to] = held[:place] + items + held[place:]
    elif items:
        cells[to] = items[0]


def _note(log: Log, kind: str, spot: Spot, end: Spot, items: tuple[int, ...], stayed: int) -> None:
    """Write to the log what was drawn, and that some did not fit."""
    if log is None:
        return
    ends = (spot.name, spot.at(spot.bottom), end.name, end.at(end.bottom))
    for item in items:
        log(("move", kind, item, None, 1, *ends, -1))
    if stayed:
        log(("cut", end.name, ends[3], len(items) + stayed, len(items)))
