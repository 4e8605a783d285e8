"""Who holds an effect: how many copies of a member lie in a field, and for whom."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from attrs import frozen

from aodrules.check.checked import EffectScope as Carriers
from aodrules.compiler.formulas import Formula, Literal, add_up, call_pure, read_cell, select
from aodrules.compiler.layout import FieldCells
from aodrules.compiler.lower.expressions import compute_offset, count_in_bag
from aodrules.compiler.lower.planner import Planner, item_type
from aodrules.lang.types import Piece, Player
from aodrules.source.spans import Span


@frozen(eq=False)
class EffectHolding:
    """One way an effect can hold: the member that carries it, its holder, and how many copies there are."""

    member: Formula | None
    owner: Formula | None
    copies: Formula
    most: int
    """The most copies there can be."""


def holder_dimension(cells: FieldCells) -> int | None:
    """Return the dimension of a field that says whose it is."""
    for number, dimension in enumerate(cells.field.dimensions):
        if isinstance(dimension, Player):
            return number
    return None


def find_holdings(planner: Planner, carriers: Carriers, player: Formula | None, span: Span) -> Iterator[EffectHolding]:
    """Return every way an effect can hold; with `scope: owner` the holder is the player it is about."""
    one = Literal(span, 1)
    if carriers.kind is None:
        yield EffectHolding(None, None, one, 1)
        return
    for number in carriers.members:
        member = Literal(span, number)
        if carriers.field is None:
            yield EffectHolding(member, None, one, 1)
            continue
        for owner in _find_owners(planner, carriers, player, span):
            most = max(1, planner.piece_counts(carriers.kind)[number])
            yield EffectHolding(member, owner, count_copies(planner, carriers.field, member, owner, span), most)


def _find_owners(planner: Planner, carriers: Carriers, player: Formula | None, span: Span) -> list[Formula | None]:
    """Return who may hold an effect; nobody (`None`) where the field is no player's."""
    assert carriers.field is not None
    if holder_dimension(planner.layout.fields[carriers.field]) is None:
        return [None]
    if carriers.owner and player is not None:
        return [player]
    return [Literal(span, seat) for seat in range(planner.players)]


def count_copies(planner: Planner, field: str, member: Formula, owner: Formula | None, span: Span) -> Formula:
    """Return how many copies of a member lie in a field, in the holder's part of it."""
    cells = planner.layout.fields[field]
    counts = [_count_in_cell(planner, cells, offset, member, span) for offset in _find_offsets(cells, owner, span)]
    return add_up(span, *counts)


def _find_offsets(cells: FieldCells, owner: Formula | None, span: Span) -> Iterator[Formula]:
    """Return the offset of every cell of a field that belongs to a holder."""
    whose = holder_dimension(cells)
    lengths = [1 if number == whose else length for number, length in enumerate(cells.shape)]
    for indices in product(*(range(length) for length in lengths)):
        at: list[Formula] = [Literal(span, index) for index in indices]
        if whose is not None and owner is not None:
            at[whose] = owner
        yield compute_offset(cells, tuple(at), span)


def _count_in_cell(planner: Planner, cells: FieldCells, offset: Formula, member: Formula, span: Span) -> Formula:
    held = read_cell(span, cells.base, offset)
    if cells.container == "bag":
        return count_in_bag(planner, held, member, cells.field.type)
    inner = item_type(cells.field.type)
    pieces = isinstance(inner, Piece)
    size = Literal(span, planner.family_size(inner.kind) if isinstance(inner, Piece) else 0)
    if cells.container == "list":
        if pieces:
            return call_pure(span, "count_members", held, member, size)
        return call_pure(span, "count_of", held, member)
    if pieces:
        return call_pure(span, "count_members", call_pure(span, "as_tuple", held), member, size)
    return select(span, held.equals(member), 1, 0)
