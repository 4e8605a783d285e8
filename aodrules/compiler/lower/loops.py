"""Loops: over items, over items that a player puts in order, of so many turns, and under a condition."""

from __future__ import annotations

from attrs import frozen

from aodrules.check.steps import For, Repeat, While, is_written
from aodrules.compiler.formulas import (
    CellRead,
    Formula,
    Literal,
    Op,
    Select,
    Variable,
    all_of,
    any_of,
    call_pure,
    get_item,
    length,
    negate,
    nonzero,
    reduce_over,
)
from aodrules.compiler.layout import LEFT
from aodrules.compiler.lower.bodies import lower_steps
from aodrules.compiler.lower.calls import guard_loop_over_players
from aodrules.compiler.lower.decisions import add_listing, add_site, call_listing
from aodrules.compiler.lower.expressions import is_playing, lower_all, lower_expression, lower_items
from aodrules.compiler.lower.planner import Planner
from aodrules.compiler.lower.scope import LowerScope
from aodrules.compiler.nodes import (
    Ask,
    Break,
    ForEach,
    Labelled,
    Statements,
    WhileLoop,
    append_code,
    assign,
    branch,
    log,
)
from aodrules.compiler.passes.narrowing import relevant_members, restrict_to
from aodrules.compiler.visit import asks
from aodrules.lang.types import Number, Owner, Player, item_type


def lower_for(planner: Planner, step: For, scope: LowerScope) -> Statements:
    """Return a loop."""
    if step.ordered_by is not None:
        return _lower_ordered_for(planner, step, scope)
    span, item = step.span, item_type(step.items.type)
    variable = planner.variable(step.name, span)
    before, count, inner = _count_turns(planner, step, scope.bind(step.name, variable))
    own = lower_steps(planner, step.body, inner)
    items = lower_items(planner, step.items, scope)
    if not count and planner.does("restrict_loops"):
        items = restrict_to(items, relevant_members(own, variable.name, planner.procedures))
    told = _tell_turn(planner, step, inner, own)
    body = branch(span, _lower_tests(planner, step, inner), told)
    if not body:
        return ()
    if planner.somebody_leaves and isinstance(item, Player | Owner):
        left = planner.variable("left", span)
        before += (assign(left, CellRead(span, LEFT)),)
        body = branch(span, _test_stays(variable, left), body)
    loop = (*before, ForEach(span, variable.name, items, count + body))
    # Most windows stay shut for everybody, and most hooks are nobody's.
    return guard_loop_over_players(planner, variable, own, loop) if isinstance(item, Player) and asks(own) else loop


def _tell_turn(planner: Planner, step: For, scope: LowerScope, body: Statements) -> Statements:
    """Return the body of a loop, so that who is asked in it can be told whose turn it is."""
    if not asks(body):
        return body
    made = (name for name in (step.name, step.index) if name is not None and is_written(name))
    names = tuple((name, scope.formula(name)) for name in made)
    return (Labelled(step.span, planner.fresh("turn"), body, ("for", step.address, names, None)),)


def _lower_tests(planner: Planner, step: For, scope: LowerScope) -> Formula:
    tests = (one for one in (step.where, step.worth_asking) if one is not None)
    return all_of(step.span, *lower_all(planner, tests, scope))


def _test_stays(player: Formula, gone: Variable) -> Formula:
    """Return whether a player has not left since a loop began."""
    return any_of(gone.span, is_playing(player, gone.span), player.is_in(gone))


def _count_turns(planner: Planner, step: For, scope: LowerScope) -> tuple[Statements, Statements, LowerScope]:
    """Return statements before a loop and at the start of its body that count its turns, and the inner scope."""
    if step.index is None:
        return (), (), scope
    counter = planner.variable(step.index, step.span)
    planner.counts.add(counter.name)
    return (assign(counter, -1),), (assign(counter, counter + 1),), scope.bind(step.index, counter)


def lower_repeat(planner: Planner, step: Repeat, scope: LowerScope) -> Statements:
    """Return a loop of so many turns."""
    body = lower_steps(planner, step.body, scope)
    count = lower_expression(planner, step.count, scope)
    if not body or (isinstance(count, Literal) and count.value == 0):
        return ()
    is_once, turn = isinstance(count, Literal) and count.value == 1, planner.variable("turn", step.span)
    if asks(body):
        told = Literal(step.span, 0) if is_once else turn
        body = (Labelled(step.span, planner.fresh("inside"), body, ("repeat", step.address, (), told)),)
    return body if is_once else (ForEach(step.span, turn.name, call_pure(step.span, "range", count), body),)


def lower_while(planner: Planner, step: While, scope: LowerScope) -> Statements:
    """Return a loop with a condition."""
    span, left = step.span, planner.variable("turns_left", step.span)
    condition = lower_expression(planner, step.condition, scope)
    most = lower_expression(planner, step.at_most, scope)
    turned: Statements = (assign(left, left - 1),)
    if step.uses_up:
        number = planner.variable("not_used_up", span)
        turned = (assign(number, most), assign(left, Select(span, number < left, number, Literal(span, 0))))
    body = (*lower_steps(planner, step.body, scope), *turned)
    return (
        assign(left, most),
        WhileLoop(span, all_of(span, left > 0, condition), body),
        # Only where the last turn was used up can the condition still hold.
        log(span, "bound", str(span), when=all_of(span, left <= 0, condition)),
    )


# Loops whose items a player puts in order: picked one by one, or the rest as they stand.


@frozen(eq=False)
class OrderedLoop:
    """One ordered loop and its variables."""

    planner: Planner
    step: For
    scope: LowerScope
    done: str
    turn: str
    items: Variable
    left: Variable
    """The positions of the items still to be done."""
    resting: Variable
    """Whether the player leaves the rest as it stands."""
    position: Variable
    """Where we are."""
    player: Variable
    gone: Variable
    """Who had left before the loop began."""

    def bind(self, item: Formula, position: Formula) -> LowerScope:
        """Return the names inside the loop."""
        inner = self.scope.bind(self.step.name, item)
        return inner if self.step.index is None else inner.bind(self.step.index, position)

    def test_open(self, position: Formula) -> Formula:
        """Return whether the item at a position is to be done."""
        return _lower_tests(self.planner, self.step, self.bind(get_item(self.items, position), position))

    def take(self, position: Formula) -> Statements:
        """Return what makes a position the next one."""
        without = call_pure(self.step.span, "without", self.left, self.position)
        return assign(self.position, position), assign(self.left, without)


def _lower_ordered_for(planner: Planner, step: For, scope: LowerScope) -> Statements:
    assert step.ordered_by is not None
    span, names = step.span, ("items", "left", "resting", "position", "player", "gone")
    variables = (planner.variable(name, span) for name in names)
    loop = OrderedLoop(planner, step, scope, planner.fresh("ordered"), planner.fresh("turn"), *variables)
    fixed = assign(loop.items, _fix_items(planner, step, scope))
    before = (
        assign(loop.left, call_pure(span, "numbers", 0, length(loop.items))),
        assign(loop.resting, value=False),
        assign(loop.player, lower_expression(planner, step.ordered_by, scope)),
        assign(loop.gone, CellRead(span, LEFT)),
    )
    variable = planner.variable(step.name, span)
    inner = loop.bind(variable, loop.position)
    turn = (
        *_pick_item(loop),
        *_take_in_turn(loop),
        assign(variable, get_item(loop.items, loop.position)),
        *_tell_turn(planner, step, inner, lower_steps(planner, step.body, inner)),
    )
    turns = WhileLoop(span, Literal(span, value=True), (Labelled(span, loop.turn, turn),))
    # Most often there is nothing to put in order.
    return fixed, *branch(span, nonzero(length(loop.items)), (*before, Labelled(span, loop.done, (turns,))))


def _fix_items(planner: Planner, step: For, scope: LowerScope) -> Formula:
    items = lower_items(planner, step.items, scope)
    if step.worth_asking is not None and step.index is None and planner.does("restrict_loops"):
        # An item that is not worth asking for is never done: it need not be there.
        inner = scope.bind(step.name, planner.variable(step.name, step.span))
        items = restrict_to(items, _find_members(lower_expression(planner, step.worth_asking, inner)))
    return call_pure(step.span, "tuple", items)


def _find_members(test: Formula) -> frozenset[int] | None:
    """Return the members for which a test holds that looks for a variable among them."""
    match test:
        case Op(_, "in", (Variable(), Literal(_, tuple(members)))):
            return frozenset(one for one in members if isinstance(one, int))
    return None


def _pick_item(loop: OrderedLoop) -> Statements:
    """Return the question which item is next, as long as there is a choice."""
    planner, step, span = loop.planner, loop.step, loop.step.span
    number, position = planner.variable("number", span), planner.variable("place", span)
    item = get_item(loop.items, position)
    open_items = reduce_over(span, "list", item, position, loop.left, loop.test_open(position))
    many = number >= (1 if step.optional else 2)
    if planner.somebody_leaves:
        many = all_of(span, is_playing(loop.player, span), many)
    # If nothing is to be done now, nothing will change so that there is.
    over: Statements = (Break(span, loop.done),)
    ended = over if step.optional else branch(span, nonzero(number), (assign(loop.resting, value=True),), over)
    asked = branch(span, many, _ask_for_item(loop, open_items), ended)
    return branch(span, negate(loop.resting), (assign(number, length(open_items)), *asked))


def _ask_for_item(loop: OrderedLoop, open_items: Formula) -> Statements:
    planner, step, span = loop.planner, loop.step, loop.step.span
    of, address = item_type(step.items.type), f"{step.address}.order"
    low, rest = of.low or 0 if isinstance(of, Number) else 0, planner.domain_size(of)
    code, codes, item = (planner.variable(name, span) for name in ("code", "codes", "item"))
    listed: Statements = (
        ForEach(span, item.name, call_pure(span, "distinct", open_items), (append_code(span, item - low),)),
        *(append_code(span, rest + number) for number in range(1 + step.optional)),
    )
    legal = add_listing(planner, address, listed, span)
    shown, size = (("items", open_items),), rest + 1 + step.optional
    point = add_site(planner, address, loop.player, legal, shown, size, span)
    position = planner.variable("place", span)
    tests = (get_item(loop.items, position).equals(code + low), loop.test_open(position))
    picked = reduce_over(span, "first", position, position, loop.left, *tests)
    over = branch(span, code.equals(rest), (assign(loop.resting, value=True),), (Break(span, loop.done),))
    return (
        assign(codes, call_listing(legal, span)),
        Ask(span, point, codes, code.name),
        *branch(span, code < rest, loop.take(picked), over),
    )


def _take_in_turn(loop: OrderedLoop) -> Statements:
    """Return the next of the remaining items in order; those that do not pass are dropped."""
    span, passes = loop.step.span, loop.test_open(loop.position)
    if loop.planner.somebody_leaves and isinstance(item_type(loop.step.items.type), Player | Owner):
        passes = all_of(span, _test_stays(get_item(loop.items, loop.position), loop.gone), passes)
    taken = (
        *branch(span, negate(nonzero(length(loop.left))), (Break(span, loop.done),)),
        *loop.take(get_item(loop.left, 0)),
        *branch(span, negate(passes), (Break(span, loop.turn),)),
    )
    return branch(span, loop.resting, taken)
