"""Where pieces lie: fields seen as places, whatever form they have."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from attrs import frozen

from aodrules.facts.state import Indices, PlaceRef, PlainState
from aodrules.interpreter.tables import Tables
from aodrules.lang.types import Bag, ListOf, Piece, item_type


@frozen
class PieceId:
    """A piece as events and rules speak of it: what it is, and whose."""

    member: int
    owner: int | None = None


def parts(tables: Tables, place: PlaceRef, owner: int | None = None) -> Iterator[Indices]:
    """Return the cells of a place: one, or one for each owner (or for this owner)."""
    if not place.is_shared:
        yield place.of(None)
    else:
        yield from (place.of(seat) for seat in range(tables.players) if owner is None or seat == owner)


def cell(tables: Tables, state: PlainState, field: str, at: Indices) -> Any:
    """Return what a cell holds."""
    return state.fields[field][tables.shapes[field].offset(at)]


def put_cell(tables: Tables, state: PlainState, field: str, at: Indices, value: Any) -> None:
    """Let a cell hold something else."""
    state.fields[field][tables.shapes[field].offset(at)] = value


def piece_of(tables: Tables, field: str, at: Indices, item: int) -> PieceId:
    """Return the piece that an item of a cell is."""
    declared = tables.rules.fields[field]
    if isinstance(item_type(declared.type), Piece):
        owner, member = divmod(item, tables.family_size(declared.holds or ""))
        return PieceId(member, owner)
    return PieceId(item, None if declared.owner_dimension is None else at[declared.owner_dimension])


def item_of_piece(tables: Tables, field: str, piece: PieceId) -> int:
    """Return the item by which a cell holds a piece."""
    declared = tables.rules.fields[field]
    if isinstance(item_type(declared.type), Piece):
        return (piece.owner or 0) * tables.family_size(declared.holds or "") + piece.member
    return piece.member


def items_at(tables: Tables, state: PlainState, field: str, at: Indices) -> tuple[int, ...]:
    """Return the items of a cell in order, each copy on its own."""
    held = cell(tables, state, field, at)
    type_ = tables.rules.fields[field].type
    if isinstance(type_, Bag):
        return tuple(member for member, count in enumerate(held) for _ in range(count))
    if isinstance(type_, ListOf):
        return tuple(held)
    return () if held is None else (held,)


def pieces_at(tables: Tables, state: PlainState, place: PlaceRef, owner: int | None = None) -> Iterator[PieceId]:
    """Return the pieces in a place, or those of one owner."""
    for at in parts(tables, place, owner):
        items = items_at(tables, state, place.field, at)
        chosen = items if place.index is None else items[max(place.index, 0) : place.index + 1]
        for item in chosen:
            piece = piece_of(tables, place.field, at, item)
            if owner is None or piece.owner in (owner, None):
                yield piece
