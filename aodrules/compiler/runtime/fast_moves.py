"""Moves that nobody notes, in plain cases: out of one bag or row into one place of which no seat keeps knowledge."""

from __future__ import annotations

from aodrules.compiler.place_layout import PlaceLayout
from aodrules.compiler.runtime.moves import Cells, Pair, Place, room_in
from aodrules.compiler.runtime.values import packed


def some_quietly(
    cells: Cells, piece: int, count: int, source: Place, target: Place, *, owned: bool
) -> list[Pair] | None:
    """Move up to so many pieces of one sort out of a bag and return them; nothing if this is not a plain case."""
    layout, cell, _ = source
    end, to, position = target
    if layout.container != "bag" or end.knowledge >= 0:
        return None
    owner: int | None = None
    member = piece
    if owned:
        owner, member = divmod(piece, layout.members)
        if layout.stride:
            cell += layout.stride * owner
        elif layout.owner_dimension >= 0:
            owner = layout.at(cell)[layout.owner_dimension]
        to += end.stride * owner
    one = 1 << layout.width * member
    there = cells[cell] >> layout.width * member & (1 << layout.width) - 1
    many = max(min(there, count, room_in(cells, end, to)), 0)
    if many:
        cells[cell] -= one * many
        put_row(cells, end, to, position, ((owner or 0) * end.members + member if end.owner_coded else member,) * many)
    return [(member, owner)] * many


def all_quietly(cells: Cells, source: Place, target: Place) -> list[Pair] | None:
    """Move a whole row and return its pieces; nothing if this is not a plain case."""
    layout, cell, index = source
    end, to, position = target
    if layout.container != "list" or index is not None or end.knowledge >= 0 or cell == to:
        return None
    if layout.stride or end.stride or layout.owner_dimension >= 0:
        return None
    items: tuple[int, ...] = cells[cell]
    if layout.owner_coded != end.owner_coded or len(items) > room_in(cells, end, to):
        return None
    cells[cell] = ()
    if layout.knowledge >= 0:
        cells[layout.known(cell)] = ()
    if items:
        put_row(cells, end, to, position, items)
    if not layout.owner_coded:
        return [(item, None) for item in items]
    return [(item % layout.members, item // layout.members) for item in items]


def put_row(cells: Cells, layout: PlaceLayout, cell: int, position: int | None, items: tuple[int, ...]) -> int:
    """Lay pieces down where there is room for them, and return the place of the first one in a list."""
    if layout.container == "bag":
        cells[cell] += packed(items, layout.width)
        return 0
    if layout.container == "maybe":
        cells[cell] = items[0]
        return 0
    held: tuple[int, ...] = cells[cell]
    place = len(held) if position is None else min(max(position, 0), len(held))
    cells[cell] = held[:place] + items + held[place:]
    return place
