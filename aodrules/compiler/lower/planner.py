"""What all parts of planning share: the rules, facts known beforehand, the layout, and what has been planned so far."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from itertools import product
from types import MappingProxyType
from typing import Any, TypeAlias

from attrs import define, field

from aodrules.check.analyse.constants import ConstantEvaluator, NotConstant
from aodrules.check.checked import Attribute, CheckedRules, Field
from aodrules.check.steps import Call, LeaveGame
from aodrules.check.visit import all_bodies, changed_names, walk_steps
from aodrules.compiler.formulas import Constant, Formula, Variable
from aodrules.compiler.layout import BagShape, KeptParameter, Layout, LayoutSizes, bag_shape, lay_out
from aodrules.compiler.lower.inlining import InlineSizes
from aodrules.compiler.lower.scope import LowerScope
from aodrules.compiler.nodes import DecisionPoint, Function, Procedure, Statements
from aodrules.lang.expressions import Expression
from aodrules.lang.types import Bag, Flag, ListOf, Maybe, Member, Number, Owner, Piece, Player, SetOf, Type, bare
from aodrules.source.spans import Span

NO_MEMBERS: Mapping[str, int] = MappingProxyType({})


LowerExpression: TypeAlias = "Callable[[Planner, Any, LowerScope], Formula]"
LowerStep: TypeAlias = "Callable[[Planner, Any, LowerScope], Statements]"
LowerBindingStep: TypeAlias = "Callable[[Planner, Any, LowerScope], tuple[Statements, LowerScope]]"
"""Of a step after which there is one more name: it returns the scope after it too."""


@define(eq=False)
class Planner:
    """The rules for one number of players on their way to a plan."""

    rules: CheckedRules
    players: int
    expressions: Mapping[type, LowerExpression]
    """How each kind of expression is lowered."""
    steps: Mapping[type, LowerStep]
    binding_steps: Mapping[type, LowerBindingStep]
    without: frozenset[str] = frozenset()
    """The passes (by their names in `PASSES`) that are left out."""
    functions: dict[str, Function] = field(factory=dict)
    procedures: dict[str, Procedure] = field(factory=dict)
    shapes: dict[str, list[str]] = field(factory=dict)
    """For each body that was planned, the shapes of places it was planned for."""
    decision_points: list[DecisionPoint] = field(factory=list)
    steps_seen: list[str] = field(factory=list)
    known: ConstantEvaluator = field(init=False)
    somebody_leaves: bool = field(init=False)
    called_once: frozenset[str] = field(init=False)
    """The verbs that stand in one step only."""
    changed: frozenset[str] = field(init=False)
    """The `let` names that some step changes."""
    reassigned: set[str] = field(factory=set)
    """The variables of such names."""
    counts: set[str] = field(factory=set)
    """Variables of parameters and turns that hold a number which is never negative."""
    inline_sizes: InlineSizes = field(init=False)
    layout_sizes: LayoutSizes = field(init=False)
    layout: Layout = field(init=False)
    attributes: dict[str, tuple[Constant, ...]] = field(init=False)
    """Each attribute of each member of its family, tables one after the other."""
    _taken: dict[str, int] = field(factory=dict)
    _pieces: dict[str, tuple[int, ...]] = field(factory=dict)
    _pieces_of: dict[tuple[str, int], tuple[int, ...]] = field(factory=dict)

    def __attrs_post_init__(self) -> None:
        """Find the facts, and lay the state out."""
        rules = self.rules
        self.known = ConstantEvaluator(rules, self.players, bounded=False)
        # In the order of the checker: what it could compute on its way can be computed here.
        self.attributes = {name: self._tabulate(attribute) for name, attribute in rules.attributes.items()}
        steps = [step for body in all_bodies(rules) for step in walk_steps(body)]
        self.somebody_leaves = any(isinstance(step, LeaveGame) for step in steps)
        calls = Counter(step.verb for step in steps if isinstance(step, Call))
        self.called_once = frozenset(verb for verb, number in calls.items() if number == 1)
        self.changed = changed_names(rules)
        self.inline_sizes = InlineSizes(rules, self.without)
        self.layout_sizes = self._measure()
        values = [one for one in rules.values.values() if one.kept] if self.does("keep_values") else []
        kept = {one.name: tuple(self._kept_parameter(parameter.type) for parameter in one.parameters) for one in values}
        self.layout = lay_out(rules.fields, self.layout_sizes, kept)

    def does(self, pass_name: str) -> bool:
        """Whether a pass is not left out."""
        return pass_name not in self.without

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

    def step_number(self, address: str) -> int:
        """Return the number of a named step; 0 is for none."""
        if address not in self.steps_seen:
            self.steps_seen.append(address)
        return self.steps_seen.index(address) + 1

    # Facts.

    def family(self, kind: str) -> str:
        """Return the name of the root of a kind's family."""
        return self.rules.kinds[kind].family

    def family_size(self, kind: str) -> int:
        """Return how many members the family of a kind has; of players, how many seats."""
        return self.players if kind == "player" else len(self.rules.family(kind).members)

    def _tabulate(self, attribute: Attribute) -> tuple[Constant, ...]:
        width = self.domain_size(attribute.per[0]) if attribute.per else 1
        places = ((member, at) for member in range(len(attribute.values)) for at in range(width))
        table = tuple(self.known.attribute(attribute.name, member, at) for member, at in places)
        assert not any(isinstance(one, NotConstant) for one in table), attribute
        return table  # type: ignore[return-value]

    def member_names(self, kind: str, member: int) -> dict[str, int]:
        """Return the names under which an expression about a member may know it."""
        return {"self": member, kind: member, self.family(kind): member}

    def starts(self, name: str) -> tuple[Constant, ...]:
        """Return what the cells of a field that holds no pieces hold at first and after a reset."""
        cells = self.layout.fields[name]
        return tuple(self._start(cells.field, at) for at in product(*map(range, cells.shape)))

    def _start(self, of: Field, at: tuple[int, ...]) -> Constant:
        if of.only is not None and not self._has(of, at[0]):
            return empty(of.type)
        if of.start is None:
            return self._lowest(of)
        names: dict[str, int] = {}
        for dimension, index in zip(of.dimensions, at, strict=True):
            if isinstance(dimension, Member):
                names |= {dimension.kind: index, self.family(dimension.kind): index}
            else:
                names[str(dimension)] = index
        return self.constant(of.start, names)

    def _has(self, of: Field, member: int) -> bool:
        kind = of.dimensions[0]
        assert isinstance(kind, Member)
        assert of.only is not None
        inside = member in self.rules.kinds[kind.kind].places
        return inside and bool(self.constant(of.only, self.member_names(kind.kind, member)))

    def _lowest(self, of: Field) -> Constant:
        if isinstance(of.type, Number):
            return of.type.low or 0
        if isinstance(of.type, Member):
            return self.rules.kinds[of.type.kind].places[0]
        return 0 if isinstance(of.type, Player | Owner) else empty(of.type)

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
        if isinstance(of, Owner):
            return self.players + len(self.rules.sides)
        if isinstance(of, Piece):
            return len(self.owners_of(of.kind)) * self.family_size(of.kind)
        if isinstance(of, Member):
            return self.family_size(of.kind)
        if isinstance(of, Number) and of.low is not None and of.high is not None:
            return of.high - of.low + 1
        return 2

    def _kept_parameter(self, of: Type) -> KeptParameter:
        """Return what a parameter of a kept value can be."""
        inner, is_maybe = bare(of), isinstance(of, Maybe)
        low = inner.low or 0 if isinstance(inner, Number) else 0
        return KeptParameter(low - is_maybe, self.domain_size(of) + is_maybe, is_maybe, isinstance(inner, Flag))

    def bag(self, of: Type) -> BagShape:
        """Return how bags of this type are packed."""
        assert isinstance(of, Bag)
        return self.layout_sizes.bags[self.family(of.kind)]

    def _measure(self) -> LayoutSizes:
        kinds = self.rules.kinds
        roots = sorted({kind.family for kind in kinds.values()})
        return LayoutSizes(
            self.players,
            {name: self.family_size(name) for name in kinds},
            {name: kind.family for name, kind in kinds.items()},
            {root: bag_shape(self.piece_counts(root)) for root in roots},
            len(self.rules.sides),
        )

    def owners_of(self, kind: str) -> range:
        """Return all who can own pieces of a kind: the players, and perhaps sides behind them."""
        return range(self.players + self.rules.sides_owning(kind))

    def piece_counts(self, family: str) -> tuple[int, ...]:
        """Return how many pieces of each member there are, for owned kinds the most that one owner has."""
        if family not in self._pieces:
            each = [self.pieces_of_owner(family, owner) for owner in (0, *self.owners_of(family)[self.players :])]
            self._pieces[family] = tuple(max(counts) for counts in zip(*each, strict=True))
        return self._pieces[family]

    def pieces_of_owner(self, family: str, owner: int) -> tuple[int, ...]:
        """Return how many pieces of each member an owner has: all players alike, and each side."""
        key = family, max(owner - self.players, -1)
        if key not in self._pieces_of:
            self._pieces_of[key] = self._count_pieces(family, owner)
        return self._pieces_of[key]

    def _count_pieces(self, family: str, owner: int) -> tuple[int, ...]:
        pieces = self.rules.kinds[family].pieces
        if pieces is None:
            return (0,) * self.family_size(family)
        side = owner - self.players
        if side < 0:
            counts = enumerate(pieces.counts)
            numbers = [self.constant(one, self.member_names(family, member)) for member, one in counts]
        else:
            names = self.member_names(*self.rules.sides[side])
            numbers = [self.constant(one, names) for one in pieces.of_sides[side]]
        return tuple(number if isinstance(number, int) else 0 for number in numbers)

    def is_owned(self, family: str) -> bool:
        """Whether the pieces of a family have owners."""
        pieces = self.rules.kinds[family].pieces if family in self.rules.kinds else None
        return pieces is not None and pieces.owned

    def common_members(self, family: str) -> frozenset[int]:
        """Return the members of a family whose pieces are nobody's until they are taken."""
        pieces = self.rules.kinds[family].pieces
        return frozenset() if pieces is None else pieces.common


def to_identifier(name: str) -> str:
    """Return a name with what cannot stand in a Python name replaced."""
    return "".join(letter if letter.isalnum() and letter.isascii() else "_" for letter in name)


def empty(of: Type) -> Constant:
    """Return what a field holds where a member lacks it: 0, false, none or empty."""
    if isinstance(of, Number | SetOf | Bag):
        return 0
    if isinstance(of, Flag):
        return False
    return () if isinstance(of, ListOf) else None
