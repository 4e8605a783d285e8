"""The types of cells: what each field declares, as many pieces as there are, and the machine's own cells."""

from __future__ import annotations

from functools import cached_property

from attrs import frozen

from aodrules.check.analyse.calls import call_graph
from aodrules.check.analyse.constants import ConstantEvaluator
from aodrules.check.analyse.interval_analysis import Ranges, ranges
from aodrules.check.checked import MOST_USES, CheckedRules, Option, Reaction
from aodrules.check.steps import AnyStep, Let
from aodrules.check.visit import walk_parts
from aodrules.compiler.layout import GENERATOR, LEFT, OVER, PLAYER, POINT, STEP, FieldCells
from aodrules.compiler.plan import Plan
from aodrules.compiler.types.plan_type import (
    FLAG,
    NEVER,
    BagType,
    ListType,
    NumberType,
    PlanType,
    SetType,
    exactly,
    join_numbers,
    join_types,
    nullable,
    number_in,
)
from aodrules.errors import InternalError
from aodrules.lang.types import (
    Bag,
    Flag,
    HiddenPiece,
    ListOf,
    Maybe,
    Member,
    Number,
    Owner,
    Piece,
    Player,
    SetOf,
    Type,
    kind_of,
)
from aodrules.source.diagnostics import Report
from aodrules.source.spans import Span

SEATS = "player"


@frozen(eq=False)
class DeclaredTypes:
    """Types of the rules as types of a plan, for one number of players."""

    rules: CheckedRules
    players: int
    ranges: Ranges

    @cached_property
    def _known(self) -> ConstantEvaluator:
        return ConstantEvaluator(self.rules, self.players, bounded=False)

    @cached_property
    def counters(self) -> dict[str, int]:
        """By field that counts uses: as many as a limit allows at most, where that is known."""
        found: dict[str, int] = {}
        for part in walk_parts(self.rules):
            if isinstance(part, Option | Reaction) and part.limit is not None:
                copies = [1] if part.scope is None else [many for _, many in self.ranges.sizes.carriers(part.scope)]
                for _, counter, number in part.limit.periods:
                    often = self.ranges.of(number).high
                    most = MOST_USES if often is None else min(max(often, 0) * max([1, *copies]), MOST_USES)
                    found[counter] = max(found.get(counter, 0), most)
        return found

    @property
    def seat(self) -> NumberType:
        """The type of a seat."""
        return NumberType(0, self.players - 1, SEATS)

    @property
    def owner(self) -> NumberType:
        """The type of an owner."""
        return NumberType(0, self._owners - 1)

    @property
    def _owners(self) -> int:
        return self.players + len(self.rules.sides)

    def owner_in(self, field: str) -> NumberType:
        """The type of whose a piece in a field is: sides count only where pieces of that kind can be theirs."""
        return NumberType(0, self._owners_of(kind_of(self.rules.fields[field].type)) - 1)

    def of(self, declared: Type, *, of_one_owner: bool = False) -> PlanType:
        """Return the type of what is declared; a list of owned pieces may be that of one owner alone."""
        match declared:
            case HiddenPiece(of):
                return self.of(of)
            case Maybe(of):
                return nullable(self.of(of))
            case Number(low, high):
                return NumberType(low, high)
            case Flag():
                return FLAG
            case SetOf(of):
                return SetType(self._width(of))
            case ListOf():
                return ListType(self.of(declared.of), self._capacity(declared, of_one_owner=of_one_owner))
            case Player() | Owner():
                return self.seat if isinstance(declared, Player) else self.owner
            case Member(kind):
                places = self.rules.kinds[kind].places
                return NumberType(min(places, default=0), max(places, default=0), self.rules.kinds[kind].family)
            case Piece(kind):
                last = self._owners_of(kind) * self._size(kind) - 1
                return NumberType(0, last, f"piece of {self.rules.kinds[kind].family}")
        raise InternalError(f"a plan has nothing of type `{declared}`")

    def _owners_of(self, kind: str) -> int:
        return self.players + self.rules.sides_owning(kind)

    def _width(self, of: Member | Player | Owner) -> int:
        """Return how many bits a set has."""
        if isinstance(of, Member):
            return self._size(of.kind)
        return self.players if isinstance(of, Player) else self._owners

    def _size(self, kind: str) -> int:
        return len(self.rules.family(kind).members)

    def _capacity(self, declared: ListOf, *, of_one_owner: bool) -> int:
        item = declared.of.of if isinstance(declared.of, HiddenPiece) else declared.of
        bounds = [] if declared.limit is None else [declared.limit]
        if isinstance(item, Player):
            bounds.append(self.players)
        elif isinstance(item, Piece) or (isinstance(item, Member) and self.rules.family(item.kind).pieces is not None):
            bounds.append(self._pieces(item.kind, of_one_owner=of_one_owner))
        if not bounds:
            raise InternalError(f"nothing bounds how long a {declared} is")
        return min(bounds)

    def _pieces(self, kind: str, *, of_one_owner: bool) -> int:
        """Return how many pieces of a kind there are, of one owner or of all."""
        pieces = self.rules.family(kind).pieces
        owners = self._owners_of(kind) if pieces is not None and pieces.owned and not of_one_owner else 1
        common = frozenset() if pieces is None else pieces.common
        return sum(count if member in common else count * owners for member, count in enumerate(self.counts(kind)))

    def counts(self, kind: str) -> tuple[int, ...]:
        """Return how many pieces there are of each member of a family, of owned ones of one owner; of a kind alone."""
        own = frozenset(self.rules.kinds[kind].places)
        family = self.rules.kinds[kind].family
        each = [self._known.pieces(family) or (0,) * self._size(kind)]
        each += [self._known.pieces_of_side(family, side) for side in range(self.rules.sides_owning(family))]
        counts = [max(numbers) for numbers in zip(*each, strict=True)]
        return tuple(count if member in own else 0 for member, count in enumerate(counts))

    def field(self, cells: FieldCells) -> PlanType:
        """Return the type of each cell of a field."""
        declared = cells.field.type
        if isinstance(declared, Bag):
            assert cells.bag is not None
            counts, limit = self.counts(declared.kind), declared.limit
            if limit is not None:
                counts = tuple(min(count, limit) for count in counts)
            return BagType(self.rules.kinds[declared.kind].family, counts, cells.bag.width)
        if cells.name in self.counters:
            return NumberType(0, self.counters[cells.name])
        found = self.of(declared, of_one_owner=cells.field.owner_dimension is not None)
        # Where a member lacks the field it reads as 0, false, none or empty.
        if cells.field.only is None or isinstance(found, ListType | SetType) or found is FLAG:
            return found
        return join_types(found, exactly(0)) if isinstance(declared, Number) else nullable(found)

    def knowledge(self, cells: FieldCells) -> PlanType:
        """Return the type of what is known about each cell of a field: two bits for each seat."""
        number = NumberType(0, (1 << 2 * self.players) - 1)
        held = self.field(cells)
        return ListType(number, held.capacity) if isinstance(held, ListType) else number


def declared_types(rules: CheckedRules, players: int) -> DeclaredTypes:
    """Return the types that rules declare, with the bounds that the checker finds."""
    return DeclaredTypes(rules, players, ranges(rules, call_graph(rules, Report()), Report()))


def bounds_of_lets(declared: DeclaredTypes) -> dict[Span, NumberType]:
    """Return what names that steps change can be, by the place of their `let`; only for places that tell it apart."""
    found: dict[Span, NumberType] = {}
    others = {
        part.span for part in walk_parts(declared.rules) if isinstance(part, AnyStep) and not isinstance(part, Let)
    }
    for let, extent in declared.ranges.changed.items():
        if let.span not in others:
            bounds = number_in(extent)
            found[let.span] = join_numbers(found.get(let.span, bounds), bounds)
    return found


def cell_types(plan: Plan, declared: DeclaredTypes) -> list[PlanType]:
    """Return the types of all cells before the frames."""
    found: list[PlanType] = [NEVER] * plan.layout.frames
    found[POINT] = NumberType(0, max(plan.decision_points, default=0))
    found[PLAYER] = declared.seat
    found[GENERATOR] = NumberType(0, (1 << 64) - 1)
    found[OVER] = NumberType(0, 1)
    found[STEP] = NumberType(0, len(plan.layout.steps))
    found[LEFT] = ListType(declared.seat, max(plan.players - 1, 0))
    for cells in plan.layout.fields.values():
        found[cells.base : cells.base + cells.size] = [declared.field(cells)] * cells.size
        if cells.knowledge is not None:
            found[cells.knowledge : cells.knowledge + cells.size] = [declared.knowledge(cells)] * cells.size
    for kept in plan.layout.kept.values():
        # Of other results nothing is known until their functions are run: what they give is what they kept.
        result, mark = (SetType(kept.members),) * 2 if kept.members else (NEVER, NumberType(0, 1))
        found[kept.results : kept.results + kept.ways] = [result] * kept.ways
        found[kept.marks : kept.marks + kept.ways] = [mark] * kept.ways
    return found


def field_ranges(plan: Plan) -> list[range]:
    """Return for each cell before the frames the cells of its field."""
    found = [range(cell, cell + 1) for cell in range(plan.layout.frames)]
    for cells in plan.layout.fields.values():
        for base in (cells.base, cells.knowledge):
            if base is not None:
                found[base : base + cells.size] = [range(base, base + cells.size)] * cells.size
    for kept in plan.layout.kept.values():
        for base in (kept.results, kept.marks):
            found[base : base + kept.ways] = [range(base, base + kept.ways)] * kept.ways
    return found
