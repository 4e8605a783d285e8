"""Loops whose items a player puts in order: picked one by one, or the rest as they stand."""

from __future__ import annotations

from aodrules.check.steps import For, Repeat, While
from aodrules.compiler.formulas import (
    CellRead,
    Formula,
    Literal,
    Op,
    Variable,
    all_of,
    any_of,
    call_pure,
    item_of,
    length,
    negate,
    nonzero,
    reduce_over,
)
from aodrules.compiler.layout import LEFT
from aodrules.compiler.lower.bodies import lower_steps
from aodrules.compiler.lower.calls import guard_loop_over_players
from aodrules.compiler.lower.decisions import add_listing, add_site, call_listing
from aodrules.compiler.lower.expressions import lower_expression, lower_items
from aodrules.compiler.lower.planner import Planner, item_type
from aodrules.compiler.lower.scope import LowerScope
from aodrules.compiler.nodes import (
    Ask,
    Break,
    ForEach,
    IfLogging,
    Labelled,
    Statements,
    WhileLoop,
    append_code,
    assign,
    branch,
    write_log,
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
    fixed = assign(order.items, _fix_items(planner, step, scope))
    before = (
        assign(order.left, call_pure(span, "numbers", 0, length(order.items))),
        assign(order.resting, value=False),
        assign(order.player, lower_expression(planner, step.ordered_by, scope)),
        assign(order.gone, CellRead(span, LEFT)),
    )
    item = item_of(order.items, order.position)
    variable = planner.variable(step.name, span)
    inner = scope.bind(step.name, variable)
    if step.index is not None:
        inner = inner.bind(step.index, order.position)
    turn = (
        *_pick_item(planner, step, order, scope),
        *_take_in_turn(planner, step, order, scope),
        assign(variable, item),
        *lower_steps(planner, step.body, inner),
    )
    loop = WhileLoop(span, Literal(span, value=True), (Labelled(span, order.turn, turn),))
    # Most often there is nothing to put in order.
    some = nonzero(length(order.items))
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
    inner = scope.bind(step.name, item_of(order.items, position))
    if step.index is not None:
        inner = inner.bind(step.index, position)
    return lower_item_tests(planner, step, inner)


def _pick_item(planner: Planner, step: For, order: _OrderedLoop, scope: LowerScope) -> Statements:
    """Return the question which item is next, as long as there is a choice."""
    span = step.span
    number = planner.variable("number", span)
    found = _find_open_items(planner, step, order, scope)
    many = number >= (1 if step.optional else 2)
    if planner.somebody_leaves:
        many = all_of(span, order.player.is_not_in(CellRead(span, LEFT)), many)
    # If nothing is to be done now, nothing will change so that there is.
    over: Statements = (Break(span, order.done),)
    rest = assign(order.resting, value=True)
    ended = over if step.optional else branch(span, nonzero(number), (rest,), over)
    ask = _ask_for_item(planner, step, order, scope, found)
    counted = assign(number, length(found))
    return branch(span, negate(order.resting), (counted, *branch(span, many, ask, ended)))


def _find_open_items(planner: Planner, step: For, order: _OrderedLoop, scope: LowerScope) -> Formula:
    position = planner.variable("place", step.span)
    item = item_of(order.items, position)
    test = _test_open(planner, step, order, scope, position)
    return reduce_over(step.span, "list", item, position, order.left, test)


def _ask_for_item(planner: Planner, step: For, order: _OrderedLoop, scope: LowerScope, found: Formula) -> Statements:
    span, address = step.span, f"{step.address}.order"
    code, codes, item = (planner.variable(name, span) for name in ("code", "codes", "item"))
    listed: Statements = (
        ForEach(
            span,
            item.name,
            call_pure(span, "distinct", found),
            (append_code(span, item - order.low),),
        ),
        append_code(span, order.size),
    )
    if step.optional:
        listed += (append_code(span, order.size + 1),)
    legal = add_listing(planner, address, listed, span)
    size = order.size + 1 + step.optional
    site = add_site(planner, address, order.player, legal, (("items", found),), size, span)
    return (
        assign(codes, call_listing(legal, span)),
        Ask(span, site, codes, code.name),
        *_take_answer(planner, step, order, scope, code),
    )


def _take_answer(planner: Planner, step: For, order: _OrderedLoop, scope: LowerScope, code: Variable) -> Statements:
    span = step.span
    position = planner.variable("place", span)
    item = item_of(order.items, position)
    wanted = code + order.low
    tests = (item.equals(wanted), _test_open(planner, step, order, scope, position))
    first = reduce_over(span, "first", position, position, order.left, *tests)
    taken = (
        assign(order.position, first),
        assign(order.left, call_pure(span, "without", order.left, order.position)),
    )
    rest = assign(order.resting, value=True)
    after = branch(span, code.equals(order.size), (rest,), (Break(span, order.done),))
    return branch(span, code < order.size, taken, after)


def _take_in_turn(planner: Planner, step: For, order: _OrderedLoop, scope: LowerScope) -> Statements:
    """Return the next of the remaining items in order; those that do not pass are dropped."""
    span, zero = step.span, Literal(step.span, 0)
    passes = _test_open(planner, step, order, scope, order.position)
    if planner.somebody_leaves and isinstance(item_type(step.items.type), Player):
        passes = all_of(span, _test_still_here(order, span), passes)
    taken = (
        *branch(span, negate(nonzero(length(order.left))), (Break(span, order.done),)),
        assign(order.position, item_of(order.left, zero)),
        assign(order.left, call_pure(span, "without", order.left, order.position)),
        *branch(span, negate(passes), (Break(span, order.turn),)),
    )
    return branch(span, order.resting, taken)


def _test_still_here(order: _OrderedLoop, span: Span) -> Formula:
    item = item_of(order.items, order.position)
    now = item.is_not_in(CellRead(span, LEFT))
    return any_of(span, now, item.is_in(order.gone))


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
        before += (assign(left, CellRead(step.span, LEFT)),)
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
    now = player.is_not_in(CellRead(span, LEFT))
    return any_of(span, now, player.is_in(before))


def _count_turns(planner: Planner, step: For, scope: LowerScope) -> tuple[Statements, Statements, LowerScope]:
    """Return statements before a loop and at the start of its body that count its turns, and the inner scope."""
    if step.index is None:
        return (), (), scope
    counter = planner.variable(step.index, step.span)
    start = assign(counter, -1)
    count = assign(counter, counter + 1)
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
    less = assign(left, left - 1)
    inner = (*lower_steps(planner, step.body, scope), less)
    bounded = all_of(span, left > 0, condition)
    note = write_log(span, "bound", str(span))
    # Only where the last turn was used up can the condition still hold.
    reached = all_of(span, left <= 0, condition)
    return (
        assign(left, lower_expression(planner, step.at_most, scope)),
        WhileLoop(span, bounded, inner),
        IfLogging(span, branch(span, reached, (note,))),
    )
