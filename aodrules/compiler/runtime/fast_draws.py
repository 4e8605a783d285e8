"""Draws of pieces without owners out of one field into another: the plain case, done at once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import and_

from aodrules.compiler.layout import GENERATOR
from aodrules.compiler.runtime.fast_moves import put_row
from aodrules.compiler.runtime.moves import Cells, Log, Pair, Place, forgotten, room_in
from aodrules.compiler.runtime.values import packed
from aodrules.facts.chance import picked


def draw_top(cells: Cells, log: Log, kind: str, count: int, source: Place, target: Place, up_to: bool) -> list[Pair]:  # noqa: FBT001 - generated code calls by position
    """Take so many pieces from the top of a list, as far as they fit, and return them."""
    cell = source[1]
    held: tuple[int, ...] = cells[cell]
    wanted = min(max(count, 0), len(held))
    taken = min(wanted, room_in(cells, target[0], target[1]))
    items = held[:taken]
    seen: Sequence[int] = ()
    if taken:
        cells[cell] = held[taken:]
        seen = _uncovered(cells, source, target, taken)
        _put(cells, target, items, seen)
    if log is not None:
        _note(log, kind, source, target, items, seen, 0 if up_to else wanted - taken)
    return [(item, None) for item in items]


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
            _put(cells, target, tuple(members), seen)
        if log is not None:
            _note(log, kind, source, target, members, seen, 0 if up_to else wanted - taken)
    return [(member, None) for member in members]


def _put(cells: Cells, target: Place, items: tuple[int, ...], seen: Sequence[int]) -> None:
    """Lay pieces down where there is room for them, and who saw them knows."""
    layout, cell, position = target
    place = put_row(cells, layout, cell, position, items)
    if layout.knowledge >= 0:
        known, players = layout.known(cell), layout.players
        numbers = tuple([seats | seats << players for seats in seen])
        is_list = layout.container == "list"
        cells[known] = cells[known][:place] + numbers + cells[known][place:] if is_list else numbers[0]


def _note(
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
