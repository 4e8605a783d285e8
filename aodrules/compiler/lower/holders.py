"""Who holds an effect: how many copies of a member lie in a field, and for whom."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from attrs import frozen

from aodrules.check.checked import EffectScope as Carriers
from aodrules.compiler.folding import call_pure, cell_read, operation, select, total
from aodrules.compiler.layout import FieldCells
from aodrules.compiler.lower.builtins import BuiltinPlanner
from aodrules.compiler.lower.planner import item_type
from aodrules.compiler.nodes import Formula, Literal
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


class HolderPlanner(BuiltinPlanner):
    """Finds the holders of effects."""

    def holdings(self, carriers: Carriers, player: Formula | None, span: Span) -> Iterator[EffectHolding]:
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
            for owner in self.possible_owners(carriers, player, span):
                most = max(1, self.piece_counts(carriers.kind)[number])
                yield EffectHolding(member, owner, self.copies(carriers.field, member, owner, span), most)

    def possible_owners(self, carriers: Carriers, player: Formula | None, span: Span) -> list[Formula | None]:
        """Return who may hold an effect; nobody (`None`) where the field is no player's."""
        assert carriers.field is not None
        if holder_dimension(self.layout.fields[carriers.field]) is None:
            return [None]
        if carriers.owner and player is not None:
            return [player]
        return [Literal(span, seat) for seat in range(self.players)]

    def copies(self, field: str, member: Formula, owner: Formula | None, span: Span) -> Formula:
        """Return how many copies of a member lie in a field, in the holder's part of it."""
        cells = self.layout.fields[field]
        counts = [self._held(cells, offset, member, span) for offset in self._parts(cells, owner, span)]
        return total(span, *counts)

    def _parts(self, cells: FieldCells, owner: Formula | None, span: Span) -> Iterator[Formula]:
        """Return the offset of every cell of a field that belongs to a holder."""
        whose = holder_dimension(cells)
        lengths = [1 if number == whose else length for number, length in enumerate(cells.shape)]
        for indices in product(*(range(length) for length in lengths)):
            at: list[Formula] = [Literal(span, index) for index in indices]
            if whose is not None and owner is not None:
                at[whose] = owner
            yield self.offset(cells, tuple(at), span)

    def _held(self, cells: FieldCells, offset: Formula, member: Formula, span: Span) -> Formula:
        held = cell_read(span, cells.base, offset)
        if cells.container == "bag":
            return self.count_in(held, member, cells.field.type, span)
        inner = item_type(cells.field.type)
        pieces = isinstance(inner, Piece)
        size = Literal(span, self.family_size(inner.kind) if isinstance(inner, Piece) else 0)
        if cells.container == "list":
            if pieces:
                return call_pure(span, "count_members", held, member, size)
            return call_pure(span, "count_of", held, member)
        if pieces:
            return call_pure(span, "count_members", call_pure(span, "as_tuple", held), member, size)
        return select(span, operation(span, "==", held, member), Literal(span, 1), Literal(span, 0))
