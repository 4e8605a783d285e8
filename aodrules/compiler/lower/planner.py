"""What all parts of planning share: the rules, facts known beforehand, the layout, and what has been planned so far."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping
from itertools import product
from types import MappingProxyType

from aodrules.check.analyse.constants import ConstantEvaluator, NotConstant
from aodrules.check.checked import Attribute, CheckedRules, Field, Option
from aodrules.check.steps import LeaveGame, Steps
from aodrules.check.visit import all_bodies, changed_names, walk_steps
from aodrules.compiler.layout import BagShape, Layout, LayoutSizes, bag_shape, lay_out
from aodrules.compiler.lower.scope import LowerScope
from aodrules.compiler.nodes import Constant, DecisionPoint, Formula, Function, Procedure, Statements, Variable
from aodrules.compiler.passes.inlining import InlineSizes
from aodrules.lang.expressions import Expression
from aodrules.lang.types import Bag, Flag, HiddenPiece, ListOf, Maybe, Member, Number, Piece, Player, SetOf, Type
from aodrules.source.spans import Span

NO_MEMBERS: Mapping[str, int] = MappingProxyType({})


class Planner(ABC):
    """The rules for one number of players on their way to a plan."""

    def __init__(self, rules: CheckedRules, players: int) -> None:
        self.rules = rules
        self.players = players
        self.functions: dict[str, Function] = {}
        self.procedures: dict[str, Procedure] = {}
        self.sites: list[DecisionPoint] = []
        self.steps_seen: list[str] = []
        self._taken: dict[str, int] = {}
        self.known = ConstantEvaluator(rules, players, bounded=False)
        # In the order of the checker: what it could compute on its way can be computed here.
        self._tables = {name: self._attribute(attribute) for name, attribute in rules.attributes.items()}
        self._pieces: dict[str, tuple[int, ...]] = {}
        steps = (step for body in all_bodies(rules) for step in walk_steps(body))
        self.somebody_leaves = any(isinstance(step, LeaveGame) for step in steps)
        self.changed = changed_names(rules)
        self.sizes = InlineSizes(rules)
        self.layout = self._laid_out()

    @abstractmethod
    def expression(self, expression: Expression, scope: LowerScope) -> Formula:
        """Return the formula of an expression."""

    @abstractmethod
    def items(self, expression: Expression, scope: LowerScope) -> Formula:
        """Return the items of a collection in order, as a tuple or a range."""

    @abstractmethod
    def items_of(self, formula: Formula, of: Type, span: Span) -> Formula:
        """Return the items of a collection of a type as a tuple."""

    @abstractmethod
    def steps(self, steps: Steps, scope: LowerScope) -> Statements:
        """Return the statements of steps."""

    @abstractmethod
    def value(self, name: str, arguments: tuple[Formula, ...], span: Span) -> Formula:
        """Return the formula of a named value with its modifiers."""

    @abstractmethod
    def possible(self, option: Option, scope: LowerScope, span: Span) -> Formula:
        """Return whether an option has a legal instance."""

    # Names.

    def fresh(self, name: str) -> str:
        """Return a name like this one that nothing in the plan has yet."""
        stem = re.sub(r"\W", "_", name).strip("_") or "item"
        stem = stem if stem[0].isalpha() and stem.isascii() else f"x_{stem.encode('ascii', 'ignore').decode()}"
        number = self._taken[stem] = self._taken.get(stem, 0) + 1
        return f"{stem}_{number}"

    def variable(self, name: str, span: Span) -> Variable:
        """Return a new variable."""
        return Variable(span, self.fresh(name))

    # Facts.

    def family(self, kind: str) -> str:
        """Return the name of the root of a kind's family."""
        return self.rules.kinds[kind].family

    def family_size(self, kind: str) -> int:
        """Return how many members the family of a kind has; of players, how many seats."""
        return self.players if kind == "player" else len(self.rules.family(kind).members)

    def attribute(self, name: str) -> tuple[Constant, ...]:
        """Return an attribute of each member of the family, tables one after the other."""
        return self._tables[name]

    def _attribute(self, attribute: Attribute) -> tuple[Constant, ...]:
        width = self.domain_size(attribute.per[0]) if attribute.per else 1
        places = ((member, at) for member in range(len(attribute.values)) for at in range(width))
        table = tuple(self.known.attribute(attribute.name, member, at) for member, at in places)
        assert not any(isinstance(one, NotConstant) for one in table), attribute
        return table  # type: ignore[return-value]

    def member_names(self, kind: str, member: int) -> dict[str, int]:
        """Return the names under which an expression about a member may know it."""
        return {"self": member, kind: member, self.family(kind): member}

    def starts(self, field: str) -> tuple[Constant, ...]:
        """Return what the cells of a field that holds no pieces hold at first and after a reset."""
        cells = self.layout.fields[field]
        return tuple(self._start(cells.field, at) for at in product(*map(range, cells.shape)))

    def _start(self, field: Field, at: tuple[int, ...]) -> Constant:
        if field.only is not None and not self._has(field, at[0]):
            return empty(field.type)
        if field.start is None:
            return self._lowest(field)
        names: dict[str, int] = {}
        for dimension, index in zip(field.dimensions, at, strict=True):
            if isinstance(dimension, Member):
                names |= {dimension.kind: index, self.family(dimension.kind): index}
            else:
                names["player"] = index
        return self.constant(field.start, names)

    def _has(self, field: Field, member: int) -> bool:
        kind = field.dimensions[0]
        assert isinstance(kind, Member)
        assert field.only is not None
        inside = member in self.rules.kinds[kind.kind].places
        return inside and bool(self.constant(field.only, self.member_names(kind.kind, member)))

    def _lowest(self, field: Field) -> Constant:
        if isinstance(field.type, Number):
            return field.type.low or 0
        if isinstance(field.type, Member):
            return self.rules.kinds[field.type.kind].places[0]
        return 0 if isinstance(field.type, Player) else empty(field.type)

    def constant(self, expression: Expression, names: Mapping[str, int] = NO_MEMBERS) -> Constant:
        """Return the value of an expression over constants, the number of players and some names."""
        found = self.known.value(expression, names)
        assert not isinstance(found, NotConstant), expression
        return found

    def domain_size(self, of: Type) -> int:
        """Return how many values a type has: seats, members of the family, owned pieces."""
        of = bare(of)
        if isinstance(of, Player):
            return self.players
        if isinstance(of, Piece):
            return self.players * self.family_size(of.kind)
        if isinstance(of, Member):
            return self.family_size(of.kind)
        if isinstance(of, Number) and of.low is not None and of.high is not None:
            return of.high - of.low + 1
        return 2

    def bag(self, of: Type) -> BagShape:
        """Return how bags of this type are packed."""
        assert isinstance(of, Bag)
        return self.measures.bags[self.family(of.kind)]

    def _laid_out(self) -> Layout:
        kinds = self.rules.kinds
        roots = sorted({kind.family for kind in kinds.values()})
        self.measures = LayoutSizes(
            self.players,
            {name: self.family_size(name) for name in kinds},
            {name: kind.family for name, kind in kinds.items()},
            {root: bag_shape(self.piece_counts(root)) for root in roots},
        )
        return lay_out(self.rules.fields, self.measures)

    def piece_counts(self, family: str) -> tuple[int, ...]:
        """Return how many pieces of each member there are, for owned kinds for each player."""
        if family not in self._pieces:
            self._pieces[family] = self._counted(family)
        return self._pieces[family]

    def _counted(self, family: str) -> tuple[int, ...]:
        pieces = self.rules.kinds[family].pieces
        if pieces is None:
            return (0,) * self.family_size(family)
        counts = [self.constant(count, self.member_names(family, member)) for member, count in enumerate(pieces.counts)]
        return tuple(count if isinstance(count, int) else 0 for count in counts)

    def is_owned(self, family: str) -> bool:
        """Whether the pieces of a family have owners."""
        pieces = self.rules.kinds[family].pieces if family in self.rules.kinds else None
        return pieces is not None and pieces.owned


def empty(of: Type) -> Constant:
    """Return what a field holds where a member lacks it: 0, false, none or empty."""
    if isinstance(of, Number | SetOf | Bag):
        return 0
    if isinstance(of, Flag):
        return False
    return () if isinstance(of, ListOf) else None


def bare(of: Type) -> Type:
    """Return a type without its `maybe` and `hidden`."""
    while isinstance(of, Maybe | HiddenPiece):
        of = of.of
    return of


def item_type(of: Type) -> Type:
    """Return the bare type of the items of a collection."""
    of = bare(of)
    if isinstance(of, ListOf | SetOf):
        return bare(of.of)
    return Member(of.kind) if isinstance(of, Bag) else of
