"""The cells with which every game of a plan begins: start values, pieces in their places, and who knows of them."""

from __future__ import annotations

from itertools import product
from typing import Any

from aodrules.check.checked import Field
from aodrules.compiler.layout import LEFT, FieldCells
from aodrules.compiler.lower.holders import holder_dimension
from aodrules.compiler.lower.planner import Planner, empty
from aodrules.lang.types import ListOf, Member, Piece, item_type

_BY_OWNER = "owner"


def starting_cells(planner: Planner) -> list[Any]:
    """Return the cells before anything was done, those of frames left out."""
    cells: list[Any] = [0] * planner.layout.frames
    cells[LEFT] = ()
    for name, field in planner.layout.fields.items():
        held = [empty(field.field.type)] * field.size if field.field.holds else planner.starts(name)
        cells[field.base : field.base + field.size] = held
    families = [name for name, kind in planner.rules.kinds.items() if kind.pieces is not None]
    for family in [*families, "player"]:
        _place_pieces(planner, cells, family)
    for field in planner.layout.fields.values():
        if field.knowledge is not None:
            known = [_knowledge(field, cell, cells[field.base + cell], planner.players) for cell in range(field.size)]
            cells[field.knowledge : field.knowledge + field.size] = known
    planner.layout.forget_kept(cells)
    return cells


def _place_pieces(planner: Planner, cells: list[Any], family: str) -> None:
    """Put the pieces of a family where they start, as many at once as a place has room for."""
    homes = [one for one in planner.rules.fields.values() if one.holds == family and one.start_all]
    out = planner.layout.fields.get(f"out.{family}")
    owners = planner.owners_of(family) if planner.is_owned(family) else range(1)
    common = frozenset() if family == "player" else planner.common_members(family)
    for owner, member in product(owners, range(planner.family_size(family))):
        if owner and member in common:
            continue  # They are there once, for all.
        left = 1 if family == "player" else planner.pieces_of_owner(family, owner)[member]
        for home in homes:
            at = _home_of(planner, home, member, owner)
            if at is not None:
                left -= _put(planner, cells, planner.layout.fields[home.name], at, member, owner, left)
        if out is not None:
            _put(planner, cells, out, (owner,) * len(out.shape), member, owner, left)


def _home_of(planner: Planner, home: Field, member: int, owner: int) -> tuple[int, ...] | None:
    """Return where in a field a piece starts, or nothing if it does not start there."""
    at = [0] * len(home.dimensions)
    item = item_type(home.type)
    if not isinstance(item, Member | Piece):
        return tuple(at)
    names = planner.member_names(item.kind, member)
    if member not in planner.rules.kinds[item.kind].places:
        return None
    if home.is_stock != (member in planner.common_members(planner.family(item.kind))):
        return None
    if home.start_if is not None and not planner.constant(home.start_if, names):
        return None
    if home.owner_dimension is not None:
        if owner >= planner.domain_size(home.dimensions[home.owner_dimension]):
            return None  # Only players have a part of it.
        at[home.owner_dimension] = owner
    if home.start_by is not None:
        last = planner.constant(home.start_by, names)
        if last is None:
            return None
        assert isinstance(last, int)
        at[-1] = last
    return tuple(at)


def _put(
    planner: Planner, cells: list[Any], field: FieldCells, at: tuple[int, ...], member: int, owner: int, many: int
) -> int:
    """Put up to so many pieces into a cell, last where there is an order, and return how many it took."""
    cell = field.base + field.offset(at)
    if field.bag is not None:
        cells[cell] += many << field.bag.width * member
        return many
    of = item_type(field.field.type)
    item = owner * planner.family_size(of.kind) + member if isinstance(of, Piece) else member
    if isinstance(field.field.type, ListOf):
        limit = field.field.type.limit
        many = many if limit is None else max(0, min(many, limit - len(cells[cell])))
        cells[cell] += (item,) * many
        return many
    if many < 1 or cells[cell] is not None:
        return 0
    cells[cell] = item
    return 1


def _knowledge(field: FieldCells, cell: int, held: Any, players: int) -> Any:
    """Everybody knows that what starts in a field is there; which piece lies where, only who may look into it."""
    known = ((1 << players) - 1) << players
    owner = holder_dimension(field)
    if field.field.secret == _BY_OWNER and owner is not None:
        known |= 1 << cell // field.strides[owner] % field.shape[owner]
    if isinstance(held, tuple):
        return (known,) * len(held)
    return 0 if held is None else known
