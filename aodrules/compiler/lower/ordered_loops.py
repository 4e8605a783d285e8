"""Loops whose items a player puts in order: picked one by one, or the rest as they stand."""

from __future__ import annotations

from aodrules.check.steps import For
from aodrules.compiler.folding import branch, call_pure, negation, nonzero, operation
from aodrules.compiler.layout import LEFT
from aodrules.compiler.lower.decisions import DecisionPlanner
from aodrules.compiler.lower.planner import item_type
from aodrules.compiler.lower.scope import LowerScope
from aodrules.compiler.nodes import (
    AppendCode,
    Ask,
    Assign,
    Break,
    CellRead,
    ForEach,
    Formula,
    Generator,
    Labelled,
    Literal,
    Op,
    Reduce,
    Statements,
    Variable,
    WhileLoop,
)
from aodrules.compiler.passes.merge_bag_tests import restrict_to
from aodrules.lang.types import Number, Player
from aodrules.source.spans import Span


class _OrderedLoop:
    """The variables of one ordered loop: all items, the positions still to be done, where we are."""

    def __init__(self, planner: OrderPlanner, step: For) -> None:
        names = ("items", "left", "resting", "position", "player", "gone")
        self.items, self.left, self.resting, self.position, self.player, self.gone = (
            planner.variable(name, step.span) for name in names
        )
        of = item_type(step.items.type)
        self.low = of.low or 0 if isinstance(of, Number) else 0
        self.size = planner.domain_size(of)
        self.done, self.turn = planner.fresh("ordered"), planner.fresh("turn")


class OrderPlanner(DecisionPlanner):
    """Turns loops with `ordered_by` into statements."""

    def ordered(self, step: For, scope: LowerScope) -> Statements:
        """Return a loop whose items a player puts in order."""
        assert step.ordered_by is not None
        span, order = step.span, _OrderedLoop(self, step)
        fixed = Assign(span, order.items.name, self._fixed_items(step, scope))
        before = (
            Assign(
                span, order.left.name, call_pure(span, "numbers", Literal(span, 0), call_pure(span, "len", order.items))
            ),
            Assign(span, order.resting.name, Literal(span, value=False)),
            Assign(span, order.player.name, self.expression(step.ordered_by, scope)),
            Assign(span, order.gone.name, CellRead(span, LEFT)),
        )
        item = Op(span, "item", (order.items, order.position))
        variable = self.variable(step.name, span)
        inner = scope.bind(step.name, variable)
        if step.index is not None:
            inner = inner.bind(step.index, order.position)
        turn = (
            *self._picked(step, order, scope),
            *self._in_turn(step, order, scope),
            Assign(span, variable.name, item),
            *self.steps(step.body, inner),
        )
        loop = WhileLoop(span, Literal(span, value=True), (Labelled(span, order.turn, turn),))
        # Most often there is nothing to put in order.
        some = nonzero(call_pure(span, "len", order.items))
        return (fixed, *branch(span, some, (*before, Labelled(span, order.done, (loop,)))))

    def _fixed_items(self, step: For, scope: LowerScope) -> Formula:
        items = self.items(step.items, scope)
        if step.worth_asking is not None and step.index is None:
            # An item that is not worth asking for is never done: it need not be there.
            variable = self.variable(step.name, step.span)
            items = restrict_to(items, _members(self.expression(step.worth_asking, scope.bind(step.name, variable))))
        return call_pure(step.span, "tuple", items)

    def _open(self, step: For, order: _OrderedLoop, scope: LowerScope, position: Formula) -> Formula:
        """Return whether the item at a position is to be done."""
        inner = scope.bind(step.name, Op(step.span, "item", (order.items, position)))
        if step.index is not None:
            inner = inner.bind(step.index, position)
        return self.passes(step, inner)

    def _picked(self, step: For, order: _OrderedLoop, scope: LowerScope) -> Statements:
        """Return the question which item is next, as long as there is a choice."""
        span = step.span
        number = self.variable("number", span)
        found = self._open_items(step, order, scope)
        many = operation(span, ">=", number, Literal(span, 1 if step.optional else 2))
        if self.somebody_leaves:
            many = operation(span, "and", operation(span, "not in", order.player, CellRead(span, LEFT)), many)
        # If nothing is to be done now, nothing will change so that there is.
        over: Statements = (Break(span, order.done),)
        rest = Assign(span, order.resting.name, Literal(span, value=True))
        ended = over if step.optional else branch(span, nonzero(number), (rest,), over)
        ask = self._question(step, order, scope, found)
        counted = Assign(span, number.name, call_pure(span, "len", found))
        return branch(span, negation(order.resting), (counted, *branch(span, many, ask, ended)))

    def _open_items(self, step: For, order: _OrderedLoop, scope: LowerScope) -> Formula:
        position = self.variable("place", step.span)
        item = Op(step.span, "item", (order.items, position))
        test = self._open(step, order, scope, position)
        return Reduce(step.span, "list", item, (Generator(position.name, order.left, (test,)),))

    def _question(self, step: For, order: _OrderedLoop, scope: LowerScope, found: Formula) -> Statements:
        span, address = step.span, f"{step.address}.order"
        code, codes, item = (self.variable(name, span) for name in ("code", "codes", "item"))
        listed: Statements = (
            ForEach(
                span,
                item.name,
                call_pure(span, "distinct", found),
                (AppendCode(span, operation(span, "-", item, Literal(span, order.low))),),
            ),
            AppendCode(span, Literal(span, order.size)),
        )
        if step.optional:
            listed += (AppendCode(span, Literal(span, order.size + 1)),)
        legal = self.new_listing(address, listed, span)
        size = order.size + 1 + step.optional
        site = self.new_site(address, order.player, legal, (("items", found),), size, span)
        return (
            Assign(span, codes.name, self.listing(legal, span)),
            Ask(span, site, codes, code.name),
            *self._answered(step, order, scope, code),
        )

    def _answered(self, step: For, order: _OrderedLoop, scope: LowerScope, code: Variable) -> Statements:
        span = step.span
        position = self.variable("place", span)
        item = Op(span, "item", (order.items, position))
        wanted = operation(span, "+", code, Literal(span, order.low))
        tests = (operation(span, "==", item, wanted), self._open(step, order, scope, position))
        first = Reduce(span, "first", position, (Generator(position.name, order.left, tests),))
        taken = (
            Assign(span, order.position.name, first),
            Assign(span, order.left.name, call_pure(span, "without", order.left, order.position)),
        )
        rest = Assign(span, order.resting.name, Literal(span, value=True))
        after = branch(
            span, operation(span, "==", code, Literal(span, order.size)), (rest,), (Break(span, order.done),)
        )
        return branch(span, operation(span, "<", code, Literal(span, order.size)), taken, after)

    def _in_turn(self, step: For, order: _OrderedLoop, scope: LowerScope) -> Statements:
        """Return the next of the remaining items in order; those that do not pass are dropped."""
        span, zero = step.span, Literal(step.span, 0)
        passes = self._open(step, order, scope, order.position)
        if self.somebody_leaves and isinstance(item_type(step.items.type), Player):
            passes = operation(span, "and", self._still_here(order, span), passes)
        taken = (
            *branch(span, negation(nonzero(call_pure(span, "len", order.left))), (Break(span, order.done),)),
            Assign(span, order.position.name, Op(span, "item", (order.left, zero))),
            Assign(span, order.left.name, call_pure(span, "without", order.left, order.position)),
            *branch(span, negation(passes), (Break(span, order.turn),)),
        )
        return branch(span, order.resting, taken)

    def _still_here(self, order: _OrderedLoop, span: Span) -> Formula:
        item = Op(span, "item", (order.items, order.position))
        now = operation(span, "not in", item, CellRead(span, LEFT))
        return operation(span, "or", now, operation(span, "in", item, order.gone))


def _members(test: Formula) -> frozenset[int] | None:
    """Return the members for which a test holds that looks for a variable among them."""
    match test:
        case Op(_, "in", (Variable(), Literal(_, tuple(members)))):
            return frozenset(one for one in members if isinstance(one, int))
    return None
