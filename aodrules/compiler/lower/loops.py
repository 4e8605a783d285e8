"""Loops whose items a player puts in order: picked one by one, or the rest as they stand."""

from __future__ import annotations

from aodrules.check.steps import For, Repeat, While
from aodrules.compiler.formulas import (
    CellRead,
    Formula,
    Generator,
    Literal,
    Op,
    Reduce,
    Variable,
    all_of,
    any_of,
    call_pure,
    negate,
    nonzero,
    operation,
)
from aodrules.compiler.layout import LEFT
from aodrules.compiler.lower.bodies import lower_steps
from aodrules.compiler.lower.calls import guard_loop_over_players
from aodrules.compiler.lower.decisions import add_listing, add_site, call_listing
from aodrules.compiler.lower.expressions import lower_expression, lower_items
from aodrules.compiler.lower.planner import Planner, item_type
from aodrules.compiler.lower.scope import LowerScope
from aodrules.compiler.nodes import (
    AppendCode,
    Ask,
    Assign,
    Break,
    ForEach,
    IfLogging,
    Labelled,
    Statements,
    WhileLoop,
    WriteLog,
    branch,
)
from aodrules.compiler.passes.merge_bag_tests import relevant_members, restrict_to
from aodrules.compiler.variables import asks
from aodrules.lang.types import Number, Player
from aodrules.source.spans import Span


class _OrderedLoop:
    """The variables of one ordered loop: all items, the positions still to be done, where we are."""

    def __init__(self, planner: Planner, step: For) -> None:
        names = ("items", "left", "resting", "position", "player", "gone")
        self.items, self.left, self.resting, self.position, self.player, self.gone = (
            planner.variable(name, step.span) for name in names
        )
        of = item_type(step.items.type)
        self.low = of.low or 0 if isinstance(of, Number) else 0
        self.size = planner.domain_size(of)
        self.done, self.turn = planner.fresh("ordered"), planner.fresh("turn")


def lower_ordered_for(planner: Planner, step: For, scope: LowerScope) -> Statements:
    """Return a loop whose items a player puts in order."""
    assert step.ordered_by is not None
    span, order = step.span, _OrderedLoop(planner, step)
    fixed = Assign(span, order.items.name, _fix_items(planner, step, scope))
    before = (
        Assign(
            span, order.left.name, call_pure(span, "numbers", Literal(span, 0), call_pure(span, "len", order.items))
        ),
        Assign(span, order.resting.name, Literal(span, value=False)),
        Assign(span, order.player.name, lower_expression(planner, step.ordered_by, scope)),
        Assign(span, order.gone.name, CellRead(span, LEFT)),
    )
    item = Op(span, "item", (order.items, order.position))
    variable = planner.variable(step.name, span)
    inner = scope.bind(step.name, variable)
    if step.index is not None:
        inner = inner.bind(step.index, order.position)
    turn = (
        *_pick_item(planner, step, order, scope),
        *_take_in_turn(planner, step, order, scope),
        Assign(span, variable.name, item),
        *lower_steps(planner, step.body, inner),
    )
    loop = WhileLoop(span, Literal(span, value=True), (Labelled(span, order.turn, turn),))
    # Most often there is nothing to put in order.
    some = nonzero(call_pure(span, "len", order.items))
    return (fixed, *branch(span, some, (*before, Labelled(span, order.done, (loop,)))))


def _fix_items(planner: Planner, step: For, scope: LowerScope) -> Formula:
    items = lower_items(planner, step.items, scope)
    if step.worth_asking is not None and step.index is None:
        # An item that is not worth asking for is never done: it need not be there.
        variable = planner.variable(step.name, step.span)
        items = restrict_to(
            items, _members(lower_expression(planner, step.worth_asking, scope.bind(step.name, variable)))
        )
    return call_pure(step.span, "tuple", items)


def _test_open(planner: Planner, step: For, order: _OrderedLoop, scope: LowerScope, position: Formula) -> Formula:
    """Return whether the item at a position is to be done."""
    inner = scope.bind(step.name, Op(step.span, "item", (order.items, position)))
    if step.index is not None:
        inner = inner.bind(step.index, position)
    return lower_item_tests(planner, step, inner)


def _pick_item(planner: Planner, step: For, order: _OrderedLoop, scope: LowerScope) -> Statements:
    """Return the question which item is next, as long as there is a choice."""
    span = step.span
    number = planner.variable("number", span)
    found = _find_open_items(planner, step, order, scope)
    many = operation(span, ">=", number, Literal(span, 1 if step.optional else 2))
    if planner.somebody_leaves:
        many = all_of(span, operation(span, "not in", order.player, CellRead(span, LEFT)), many)
    # If nothing is to be done now, nothing will change so that there is.
    over: Statements = (Break(span, order.done),)
    rest = Assign(span, order.resting.name, Literal(span, value=True))
    ended = over if step.optional else branch(span, nonzero(number), (rest,), over)
    ask = _ask_for_item(planner, step, order, scope, found)
    counted = Assign(span, number.name, call_pure(span, "len", found))
    return branch(span, negate(order.resting), (counted, *branch(span, many, ask, ended)))


def _find_open_items(planner: Planner, step: For, order: _OrderedLoop, scope: LowerScope) -> Formula:
    position = planner.variable("place", step.span)
    item = Op(step.span, "item", (order.items, position))
    test = _test_open(planner, step, order, scope, position)
    return Reduce(step.span, "list", item, (Generator(position.name, order.left, (test,)),))


def _ask_for_item(planner: Planner, step: For, order: _OrderedLoop, scope: LowerScope, found: Formula) -> Statements:
    span, address = step.span, f"{step.address}.order"
    code, codes, item = (planner.variable(name, span) for name in ("code", "codes", "item"))
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
    legal = add_listing(planner, address, listed, span)
    size = order.size + 1 + step.optional
    site = add_site(planner, address, order.player, legal, (("items", found),), size, span)
    return (
        Assign(span, codes.name, call_listing(legal, span)),
        Ask(span, site, codes, code.name),
        *_take_answer(planner, step, order, scope, code),
    )


def _take_answer(planner: Planner, step: For, order: _OrderedLoop, scope: LowerScope, code: Variable) -> Statements:
    span = step.span
    position = planner.variable("place", span)
    item = Op(span, "item", (order.items, position))
    wanted = operation(span, "+", code, Literal(span, order.low))
    tests = (operation(span, "==", item, wanted), _test_open(planner, step, order, scope, position))
    first = Reduce(span, "first", position, (Generator(position.name, order.left, tests),))
    taken = (
        Assign(span, order.position.name, first),
        Assign(span, order.left.name, call_pure(span, "without", order.left, order.position)),
    )
    rest = Assign(span, order.resting.name, Literal(span, value=True))
    after = branch(span, operation(span, "==", code, Literal(span, order.size)), (rest,), (Break(span, order.done),))
    return branch(span, operation(span, "<", code, Literal(span, order.size)), taken, after)


def _take_in_turn(planner: Planner, step: For, order: _OrderedLoop, scope: LowerScope) -> Statements:
    """Return the next of the remaining items in order; those that do not pass are dropped."""
    span, zero = step.span, Literal(step.span, 0)
    passes = _test_open(planner, step, order, scope, order.position)
    if planner.somebody_leaves and isinstance(item_type(step.items.type), Player):
        passes = all_of(span, _test_still_here(order, span), passes)
    taken = (
        *branch(span, negate(nonzero(call_pure(span, "len", order.left))), (Break(span, order.done),)),
        Assign(span, order.position.name, Op(span, "item", (order.left, zero))),
        Assign(span, order.left.name, call_pure(span, "without", order.left, order.position)),
        *branch(span, negate(passes), (Break(span, order.turn),)),
    )
    return branch(span, order.resting, taken)


def _test_still_here(order: _OrderedLoop, span: Span) -> Formula:
    item = Op(span, "item", (order.items, order.position))
    now = operation(span, "not in", item, CellRead(span, LEFT))
    return any_of(span, now, operation(span, "in", item, order.gone))


def _members(test: Formula) -> frozenset[int] | None:
    """Return the members for which a test holds that looks for a variable among them."""
    match test:
        case Op(_, "in", (Variable(), Literal(_, tuple(members)))):
            return frozenset(one for one in members if isinstance(one, int))
    return None


def lower_for(planner: Planner, step: For, scope: LowerScope) -> Statements:
    """Return a loop."""
    if step.ordered_by is not None:
        return lower_ordered_for(planner, step, scope)
    variable = planner.variable(step.name, step.span)
    inner = scope.bind(step.name, variable)
    before, count, inner = _count_turns(planner, step, inner)
    body = lower_steps(planner, step.body, inner)
    items = lower_items(planner, step.items, scope)
    if not count:
        items = restrict_to(items, relevant_members(body, variable.name, planner.procedures))
    own = body
    body = branch(step.span, lower_item_tests(planner, step, inner), body)
    if not body:
        return ()
    if planner.somebody_leaves and isinstance(item_type(step.items.type), Player):
        left = planner.variable("left", step.span)
        before += (Assign(step.span, left.name, CellRead(step.span, LEFT)),)
        body = branch(step.span, _test_stays(variable, left, step.span), body)
    loop = (*before, ForEach(step.span, variable.name, items, count + body))
    # Most windows stay shut for everybody, and most hooks are nobody's.
    is_window = isinstance(item_type(step.items.type), Player) and asks(own)
    return guard_loop_over_players(planner, variable, own, loop) if is_window else loop


def lower_item_tests(planner: Planner, step: For, scope: LowerScope) -> Formula:
    """Return whether an item passes the tests of a loop."""
    tests = (one for one in (step.where, step.worth_asking) if one is not None)
    return all_of(step.span, *(lower_expression(planner, one, scope) for one in tests))


def _test_stays(player: Variable, before: Variable, span: Span) -> Formula:
    """Return whether a player has not left since a loop began."""
    now = operation(span, "not in", player, CellRead(span, LEFT))
    return any_of(span, now, operation(span, "in", player, before))


def _count_turns(planner: Planner, step: For, scope: LowerScope) -> tuple[Statements, Statements, LowerScope]:
    """Return statements before a loop and at the start of its body that count its turns, and the inner scope."""
    if step.index is None:
        return (), (), scope
    counter = planner.variable(step.index, step.span)
    start = Assign(step.span, counter.name, Literal(step.span, -1))
    count = Assign(step.span, counter.name, operation(step.span, "+", counter, Literal(step.span, 1)))
    return (start,), (count,), scope.bind(step.index, counter)


def lower_repeat(planner: Planner, step: Repeat, scope: LowerScope) -> Statements:
    """Return a loop of so many turns."""
    body = lower_steps(planner, step.body, scope)
    count = lower_expression(planner, step.count, scope)
    if not body or (isinstance(count, Literal) and count.value == 0):
        return ()
    if isinstance(count, Literal) and count.value == 1:
        return body
    return (ForEach(step.span, planner.fresh("turn"), call_pure(step.span, "range", count), body),)


def lower_while(planner: Planner, step: While, scope: LowerScope) -> Statements:
    """Return a loop with a condition."""
    span = step.span
    left = planner.variable("turns_left", span)
    condition = lower_expression(planner, step.condition, scope)
    less = Assign(span, left.name, operation(span, "-", left, Literal(span, 1)))
    inner = (*lower_steps(planner, step.body, scope), less)
    bounded = all_of(span, operation(span, ">", left, Literal(span, 0)), condition)
    note = WriteLog(span, (Literal(span, "bound"), Literal(span, str(span))))
    # Only where the last turn was used up can the condition still hold.
    reached = all_of(span, operation(span, "<=", left, Literal(span, 0)), condition)
    return (
        Assign(span, left.name, lower_expression(planner, step.at_most, scope)),
        WhileLoop(span, bounded, inner),
        IfLogging(span, branch(span, reached, (note,))),
    )
