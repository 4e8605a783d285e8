"""Who holds an effect: how many copies of a member lie in a field, and for whom.

In a bag that is a test of bits. A list in which several carriers of a value's modifiers lie is looked through once, and
the bag of what lies in it remembered, instead of searched for each of them:

    if count_of(S[40 + player], 3): ...           t1 = K0.get(S[40 + player])      # 1 << 3 | 1 << 7
    if count_of(S[40 + player], 7): ...     →     if t1 & 8: ...
                                                  if t1 & 128: ...
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from typing import TypeAlias

from attrs import frozen

from aodrules.check.checked import EffectScope
from aodrules.compiler.formulas import Bind, Formula, Literal, Memoized, Variable, add_up, call_pure, select
from aodrules.compiler.layout import FieldCells
from aodrules.compiler.lower.builder import count_in_bag
from aodrules.compiler.lower.planner import Planner
from aodrules.compiler.lower.scope import LoweredPlace, LowerScope, Meaning
from aodrules.compiler.nodes import Assign, Statements, assign
from aodrules.compiler.visit import form
from aodrules.lang.types import Bag, Member, Owner, Piece, Player, item_type
from aodrules.source.spans import Span

PackedLists: TypeAlias = "Mapping[object, PackedList]"
"""By cell: the lists that were looked through beforehand."""
FEW_CARRIERS = 2
"""So many are searched for one by one: looking up what lies in a list costs about as much."""


@frozen(eq=False)
class PackedList:
    """What lies in a list, as a bag in a variable."""

    bag: Variable
    width: int

    def count(self, member: Formula) -> Formula:
        """Return how many of a member lie in the list."""
        return (self.bag >> member * self.width) & ((1 << self.width) - 1)


@frozen(eq=False)
class EffectHolding:
    """One way an effect can hold: the member that carries it, its holder, and how many copies there are."""

    member: Formula | None
    owner: Formula | None
    copies: Formula
    most: int
    """The most copies there can be."""

    def bind(self, scope: LowerScope) -> LowerScope:
        """Return the names with `self` and `owner`, where there is such."""
        named: dict[str, Meaning | None] = {"self": self.member, "owner": self.owner}
        return scope.bind_all({name: meaning for name, meaning in named.items() if meaning is not None})

    @property
    def is_nowhere(self) -> bool:
        """Whether it is known beforehand that nobody holds the effect."""
        return isinstance(self.copies, Literal) and not self.copies.value


def holder_dimension(cells: FieldCells) -> int | None:
    """Return the dimension of a field that says whose it is."""
    for number, dimension in enumerate(cells.field.dimensions):
        if isinstance(dimension, Player | Owner):
            return number
    return None


def find_holdings(
    planner: Planner, effect_scope: EffectScope, player: Formula | None, span: Span, packed: PackedLists | None = None
) -> Iterator[EffectHolding]:
    """Return every way an effect can hold; with `scope: owner` the holder is the player it is about."""
    one = Literal(span, 1)
    if effect_scope.kind is None:
        yield EffectHolding(None, None, one, 1)
        return
    for member in effect_scope.members:
        if effect_scope.field is None:
            yield EffectHolding(Literal(span, member), None, one, 1)
            continue
        for owner in _find_owners(planner, effect_scope, player, span):
            yield make_holding(planner, effect_scope, member, owner, span, packed)


def make_holding(
    planner: Planner,
    effect_scope: EffectScope,
    member: int,
    owner: Formula | None,
    span: Span,
    packed: PackedLists | None = None,
) -> EffectHolding:
    """Return how an effect that lies in a field holds for one of the members that carry it, and one holder."""
    assert effect_scope.field is not None
    assert effect_scope.kind is not None
    copies = count_copies(planner, effect_scope.field, Literal(span, member), owner, span, packed)
    return EffectHolding(Literal(span, member), owner, copies, max(1, planner.piece_counts(effect_scope.kind)[member]))


def has_holders(planner: Planner, effect_scope: EffectScope) -> bool:
    """Whether an effect lies in a field that is some player's."""
    return effect_scope.field is not None and holder_dimension(planner.layout.fields[effect_scope.field]) is not None


def _find_owners(
    planner: Planner, effect_scope: EffectScope, player: Formula | None, span: Span
) -> list[Formula | None]:
    """Return who may hold an effect; nobody (`None`) where the field is no player's."""
    if not has_holders(planner, effect_scope):
        return [None]
    if effect_scope.owner and player is not None:
        return [player]
    field = planner.layout.fields[effect_scope.field or ""]
    return [Literal(span, owner) for owner in range(field.shape[holder_dimension(field) or 0])]


def count_copies(
    planner: Planner,
    field: str,
    member: Formula,
    owner: Formula | None,
    span: Span,
    packed: PackedLists | None = None,
) -> Formula:
    """Return how many copies of a member lie in a field, in the holder's part of it."""
    cells = _find_cells(planner.layout.fields[field], owner, span)
    return add_up(span, *(_count_in_cell(planner, cell, member, span, packed or {}) for cell in cells))


def pack_lists(
    planner: Planner, scopes: Iterable[EffectScope], player: Formula | None, span: Span
) -> tuple[Statements, PackedLists]:
    """Return what looks through each list in which several carriers of some effects may lie, and where that is kept."""
    cells: dict[object, LoweredPlace] = {}
    carriers: Counter[object] = Counter()
    for scope in scopes:
        if scope.field is None or planner.layout.fields[scope.field].container != "list":
            continue
        for owner in _find_owners(planner, scope, player, span):
            for cell in _find_cells(planner.layout.fields[scope.field], owner, span):
                cells.setdefault(form(cell.read()), cell)
                carriers[form(cell.read())] += len(scope.members)
    many = {key: cell for key, cell in cells.items() if carriers[key] > FEW_CARRIERS}
    packed = {key: _pack_list(planner, cell, span) for key, cell in many.items()}
    return tuple(statement for statement, _ in packed.values()), {key: one for key, (_, one) in packed.items()}


def _pack_list(planner: Planner, cell: LoweredPlace, span: Span) -> tuple[Assign, PackedList]:
    """Return what packs what lies in a list into a variable; the same list is packed once for all games."""
    inner = item_type(cell.cells.field.type)
    assert isinstance(inner, Piece | Member)
    shape = planner.bag(Bag(inner.kind))
    owners = len(planner.owners_of(inner.kind)) if isinstance(inner, Piece) else 1
    width = shape.width if owners == 1 else (shape.mask * owners).bit_length()
    family = planner.family_size(inner.kind) if isinstance(inner, Piece) else 0
    key = planner.variable("lying", span)
    memoized = Memoized(span, key, call_pure(span, "bag_of", key, width, family))
    bag = planner.variable("carried", span)
    return assign(bag, Bind(span, key.name, cell.read(), memoized)), PackedList(bag, width)


def _find_cells(cells: FieldCells, owner: Formula | None, span: Span) -> Iterator[LoweredPlace]:
    whose = holder_dimension(cells)
    lengths = [1 if number == whose else length for number, length in enumerate(cells.shape)]
    for indices in product(*(range(length) for length in lengths)):
        at: list[Formula] = [Literal(span, index) for index in indices]
        if whose is not None and owner is not None:
            at[whose] = owner
        yield LoweredPlace(span, cells, tuple(at))


def _count_in_cell(planner: Planner, cell: LoweredPlace, member: Formula, span: Span, packed: PackedLists) -> Formula:
    held, container, of = cell.read(), cell.cells.container, cell.cells.field.type
    if container == "list" and (known := packed.get(form(held))) is not None:
        return known.count(member)
    if container == "bag":
        return count_in_bag(planner, held, member, of)
    inner = item_type(of)
    if isinstance(inner, Piece):
        items = held if container == "list" else call_pure(span, "as_tuple", held)
        return call_pure(span, "count_members", items, member, planner.family_size(inner.kind))
    if container == "list":
        return call_pure(span, "count_of", held, member)
    return select(span, held.equals(member), 1, 0)
