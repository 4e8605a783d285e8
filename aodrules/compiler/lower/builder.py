"""What the formulas of builtins and operators are built with, where that takes the planner."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from attrs import frozen

from aodrules.check.checked import Graph, Sets
from aodrules.compiler.formulas import (
    Bind,
    CellRead,
    Formula,
    Literal,
    Op,
    Term,
    add_up,
    all_of,
    any_of,
    call_pure,
    is_none,
    is_simple,
    lift,
    negate,
    nonzero,
    operation,
    read_table,
    select,
    tuple_of,
)
from aodrules.compiler.layout import LEFT
from aodrules.compiler.lower.planner import Planner
from aodrules.lang.types import Bag, HiddenPiece, Maybe, Nothing, Piece, SetOf, Type, bare
from aodrules.source.spans import Span

Body: TypeAlias = Callable[[Formula], Formula]


def unpack_items(planner: Planner, formula: Formula, of: Type, span: Span) -> Formula:
    """Return the items of a collection of a type as a tuple."""
    if isinstance(of, Maybe | HiddenPiece):
        return call_pure(span, "as_tuple", formula)
    if isinstance(of, SetOf):
        if isinstance(formula, Literal) and isinstance(formula.value, int):
            bits = formula.value
            return Literal(span, tuple(one for one in range(bits.bit_length()) if bits >> one & 1))
        return call_pure(span, "set_items", formula)
    if isinstance(of, Bag):
        return call_pure(span, "bag_items", formula, planner.bag(of).width)
    return formula


def if_present(planner: Planner, of: Formula, type_: Type, then: Body, otherwise: Formula) -> Formula:
    """Return `then` of something, or `otherwise` where it is none."""
    if isinstance(of, Literal):
        return otherwise if of.value is None else then(of)
    if not isinstance(type_, Maybe | Nothing):
        return then(of)
    return share(planner, of, lambda one: select(of.span, is_none(one), otherwise, then(one)))


def share(planner: Planner, formula: Formula, body: Body) -> Formula:
    """Return `body` of a formula that is computed only once."""
    if is_simple(formula):
        return body(formula)
    variable = planner.variable("it", formula.span)
    return Bind(formula.span, variable.name, formula, body(variable))


def count_in_bag(planner: Planner, bag: Formula, member: Formula, of: Type) -> Formula:
    """Return how many of a member a packed bag holds."""
    shape = planner.bag(of)
    return (bag >> member * shape.width) & shape.mask


@frozen(eq=False)
class PlanBuilder:
    """Makes the formulas of one call, as `lang.builtins.entry.FormulaBuilder` says."""

    planner: Planner
    span: Span

    @property
    def seats(self) -> int:
        """How many began the game."""
        return self.planner.players

    def sides(self) -> tuple[int, ...]:
        """Return the sides in the game as owners, in order."""
        return tuple(self.planner.players + place for place in self.planner.rules.sides_in_game())

    def first_side(self, kind: str) -> int:
        """Return the first side of a kind's family as an owner."""
        return self.planner.players + self.planner.rules.first_side(kind)

    def constant(self, value: Any) -> Formula:
        """Return the formula of a constant."""
        return Literal(self.span, value)

    def is_known(self, term: Term) -> bool:
        """Whether a formula is a constant."""
        return isinstance(term, Literal) or not isinstance(term, Formula)

    def value(self, term: Term) -> Any:
        """Return the constant that a formula is known to be."""
        return term.value if isinstance(term, Literal) else term

    def op(self, sign: str, left: Term, right: Term) -> Formula:
        """Return Python's binary operator of that sign."""
        return operation(self.span, sign, left, right)

    negate = staticmethod(negate)
    nonzero = staticmethod(nonzero)
    is_none = staticmethod(is_none)

    def all_of(self, *tests: Formula) -> Formula:
        """Return whether all tests hold."""
        return all_of(self.span, *tests)

    def any_of(self, *tests: Formula) -> Formula:
        """Return whether one of some tests holds."""
        return any_of(self.span, *tests)

    def add_up(self, *numbers: Term) -> Formula:
        """Return a sum."""
        return add_up(self.span, *numbers)

    def select(self, condition: Formula, then: Term, otherwise: Term) -> Formula:
        """Return one of two."""
        return select(self.span, condition, then, otherwise)

    def call(self, function: str, *arguments: Term) -> Formula:
        """Return what a function of the runtime gives."""
        return call_pure(self.span, function, *arguments)

    def table(self, entries: Sequence[Any], index: Term) -> Formula:
        """Return an entry of a table of constants."""
        return read_table(self.span, tuple(entries), lift(self.span, index))

    def tuple_of(self, items: Sequence[Term]) -> Formula:
        """Return a tuple of formulas."""
        return tuple_of(self.span, *items)

    def once(self, term: Formula, body: Callable[[Formula], Formula]) -> Formula:
        """Return `body` of a formula that is computed only once."""
        return share(self.planner, term, body)

    def if_present(self, term: Formula, of: Type, then: Body, otherwise: Formula) -> Formula:
        """Return `then` of something, or `otherwise` where it is none."""
        return if_present(self.planner, term, of, then, otherwise)

    def member_of(self, item: Formula, of: Type) -> Formula:
        """Return the member that a member or a piece is."""
        of = bare(of)
        return item % self.planner.family_size(of.kind) if isinstance(of, Piece) else item

    def items(self, held: Formula, of: Type) -> Formula:
        """Return the items of a collection as a tuple."""
        return unpack_items(self.planner, held, of, self.span)

    def bag_size(self, bag: Formula, of: Type) -> Formula:
        """Return how many pieces a bag holds."""
        shape = self.planner.bag(bare(of))
        if isinstance(bag, Literal):
            return bag
        if shape.sums_by_remainder:
            return Op(self.span, "size", (bag, Literal(self.span, shape.mask)))
        members = range(shape.members)
        planes = tuple(sum(1 << shape.width * member + bit for member in members) for bit in range(shape.width))
        return call_pure(self.span, "bag_size", bag, planes)

    def bag_count(self, bag: Formula, member: Formula, of: Type) -> Formula:
        """Return how many pieces of a member a bag holds."""
        return count_in_bag(self.planner, bag, member, of)

    def bag_packing(self, of: Type) -> tuple[int, int]:
        """Return for how many members a bag has counts, and how many bits each."""
        shape = self.planner.bag(bare(of))
        return shape.members, shape.width

    def without_left(self, seats: Formula) -> Formula:
        """Return the seats without those who left the game."""
        left = CellRead(self.span, LEFT)
        return call_pure(self.span, "remaining", seats, left) if self.planner.somebody_leaves else seats

    def places(self, kind: str) -> tuple[int, ...]:
        """Return the members of a kind, in order."""
        return self.planner.rules.kinds[kind].places

    def family_size(self, kind: str) -> int:
        """Return how many members the family of a kind has."""
        return self.planner.family_size(kind)

    def graph(self, name: str) -> Graph:
        """Return a graph or grid."""
        return self.planner.rules.graphs[name]

    def sets(self, name: str) -> Sets:
        """Return a declaration of scoring sets."""
        return self.planner.rules.sets[name]
