"""Bodies that are called: verbs, hooks, and reactions to events."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from aodrules.check.checked import Limit, Parameter, Reaction
from aodrules.check.steps import Call, Happen, RunHook
from aodrules.compiler.formulas import (
    Formula,
    Literal,
    Variable,
    all_of,
    call_pure,
    is_none,
    negate,
    nonzero,
    tuple_of,
)
from aodrules.compiler.lower.bodies import lower_steps
from aodrules.compiler.lower.expressions import lower_all, lower_expression, lower_items, read_field
from aodrules.compiler.lower.holders import EffectHolding, count_copies, find_holdings, holder_dimension
from aodrules.compiler.lower.numbers import keep_all, write_field
from aodrules.compiler.lower.places import Given, bind_arguments, lower_arguments, pass_arguments
from aodrules.compiler.lower.planner import Planner, to_identifier
from aodrules.compiler.lower.scope import LoweredPlace, LowerScope, Meaning
from aodrules.compiler.nodes import (
    CallRuntime,
    ForEach,
    IfLogging,
    Labelled,
    Procedure,
    Statement,
    Statements,
    Switch,
    WriteLog,
    assign,
    branch,
    write_log,
)
from aodrules.compiler.passes.loop_guards import guard_for_any_player
from aodrules.compiler.variables import asks, leaves
from aodrules.lang.expressions import BuiltinCall
from aodrules.lang.types import PLAYER, ListOf, Maybe, Player
from aodrules.source.spans import Span

Maker: TypeAlias = Callable[[LowerScope], Statements]


def _name_for_shape(planner: Planner, key: str, shape: str) -> str:
    shapes = planner.shapes.setdefault(key, [])
    if shape not in shapes:
        shapes.append(shape)
    number = shapes.index(shape)
    return key if number == 0 else f"{key}__{number + 1}"


def lower_body(planner: Planner, make: Maker, names: dict[str, Meaning], span: Span) -> Statements:
    """Return the statements of a body of its own, which `stop` may leave."""
    label = planner.fresh("body")
    statements = make(LowerScope(names, label))
    return (Labelled(span, label, statements),) if leaves(statements, label) else statements


def call_procedure(planner: Planner, key: str, given: Given, make: Maker, span: Span) -> Statements:
    """Return the call of a body, which is planned if it was not yet."""
    name = _name_for_shape(planner, key, given.shape)
    if name not in planner.procedures:
        statements = lower_body(planner, make, given.names, span)
        planner.procedures[name] = Procedure(name, span, given.parameters, statements, asks(statements))
    procedure = planner.procedures[name]
    if not procedure.body:
        return ()
    return (CallRuntime(span, name, given.arguments, None, planned=True, deciding=procedure.deciding),)


# Verbs.


def lower_call(planner: Planner, step: Call, scope: LowerScope) -> Statements:
    """Return the call of a verb."""
    verb = planner.rules.verbs[step.verb]
    meanings = lower_arguments(planner, step.arguments, scope)
    if planner.sizes.is_verb_in_place(step.verb):
        statements, names = bind_arguments(planner, verb.parameters, meanings, step.span)
        return statements + lower_steps(planner, verb.body, LowerScope(names))
    given = pass_arguments(planner, verb.parameters, meanings)
    return call_procedure(
        planner,
        f"verb_{to_identifier(step.verb)}",
        given,
        lambda inner: lower_steps(planner, verb.body, inner),
        verb.span,
    )


# Hooks.


def lower_run_hook(planner: Planner, step: RunHook, scope: LowerScope) -> Statements:
    """Return the run of a hook: what the subject has there."""
    hook = planner.rules.hooks[step.hook]
    subject = lower_expression(planner, step.subject, scope)
    meanings: list[Meaning] = [subject, *lower_arguments(planner, step.arguments, scope)]
    parameters = (Parameter("self", step.subject.type, step.span), *hook.parameters)
    if isinstance(subject, Literal):
        return _run_known_hook(planner, step, subject, meanings, parameters)
    given = pass_arguments(planner, parameters, meanings)
    name = f"hook_{to_identifier(step.hook)}"
    statements = call_procedure(planner, name, given, lambda inner: _lower_hook_switch(planner, step, inner), hook.span)
    if statements and isinstance(step.subject.type, Maybe):
        return branch(step.span, negate(is_none(subject)), statements)
    return statements


def _run_known_hook(
    planner: Planner, step: RunHook, subject: Literal, meanings: list[Meaning], parameters: Sequence[Parameter]
) -> Statements:
    member = subject.value if isinstance(subject.value, int) else -1
    steps = planner.rules.hooks[step.hook].bodies.get(member)
    if not steps:
        return ()
    if not planner.sizes.is_hook_in_place(step.hook, member):
        given, name = pass_arguments(planner, parameters, meanings), f"hook_{to_identifier(step.hook)}_of_{member}"
        return call_procedure(
            planner, name, given, lambda inner: lower_steps(planner, steps, inner.bind("self", subject)), step.span
        )
    statements, names = bind_arguments(planner, parameters, meanings, step.span)
    return statements + lower_body(planner, lambda inner: lower_steps(planner, steps, inner), names, step.span)


def _lower_hook_switch(planner: Planner, step: RunHook, scope: LowerScope) -> Statements:
    hook = planner.rules.hooks[step.hook]
    cases = []
    for member, steps in sorted(hook.bodies.items()):
        names = {**scope.names, "self": Literal(hook.span, member)}
        inner = lower_body(planner, lambda own, steps=steps: lower_steps(planner, steps, own), names, hook.span)  # type: ignore[misc]
        if inner:
            cases.append((member, inner))
    return (Switch(step.span, scope.formula("self"), tuple(cases)),) if cases else ()


# Events.


def lower_happen(planner: Planner, step: Happen, scope: LowerScope) -> Statements:
    """Return the raising of an event: an entry in the log, then the reactions."""
    event = planner.rules.events[step.event]
    formulas = lower_all(planner, step.arguments, scope)
    statements, kept = keep_all(planner, formulas, step.span)
    entry = (Literal(step.span, "happen"), Literal(step.span, step.event), tuple_of(step.span, *kept))
    statements += (write_log(step.span, *entry),)
    reactions = planner.rules.reactions.get(step.event, ())
    if not reactions:
        return (
            statements
            if any(not isinstance(one, WriteLog) for one in statements)
            else (IfLogging(step.span, statements),)
        )
    given = pass_arguments(planner, event.parameters, kept)
    return statements + call_procedure(
        planner,
        f"event_{to_identifier(step.event)}",
        given,
        lambda inner: _lower_reactions(planner, reactions, inner),
        event.span,
    )


def _lower_reactions(planner: Planner, reactions: Sequence[Reaction], scope: LowerScope) -> Statements:
    """Return the reactions: those nobody holds first, then by holder in the order of the game."""
    free: list[Statement] = []
    for reaction in reactions:
        if not _has_holders(planner, reaction):
            for holding in find_holdings(planner, reaction.scope, None, reaction.span):
                free += _lower_reaction(planner, reaction, holding, scope)
    held = [one for one in reactions if _has_holders(planner, one)]
    if not held:
        return tuple(free)
    # The order is that of the moment when the event happens, whatever the first reactions do to it.
    order = planner.variable("order", held[0].span)
    order_now = assign(order, _lower_game_order(planner, held[0].span))
    return (order_now, *free, *_react_by_holder(planner, held, order, scope))


def _has_holders(planner: Planner, reaction: Reaction) -> bool:
    field = reaction.scope.field
    return field is not None and holder_dimension(planner.layout.fields[field]) is not None


def _react_by_holder(planner: Planner, reactions: list[Reaction], order: Variable, scope: LowerScope) -> Statements:
    span = reactions[0].span
    if all(reaction.scope.owner for reaction in reactions):
        player = scope.formula("player")
        return branch(span, player.is_in(order), _react_for_seat(planner, reactions, player, scope))
    seat = planner.variable("owner", span)
    body = _react_for_seat(planner, reactions, seat, scope)
    return guard_loop_over_players(planner, seat, body, (ForEach(span, seat.name, order, body),)) if body else ()


def guard_loop_over_players(planner: Planner, player: Variable, body: Statements, loop: Statements) -> Statements:
    """Return a loop over players under the test whether its body does anything for one of them."""
    return branch(
        player.span, guard_for_any_player(body, player.name, range(planner.players), planner.procedures), loop
    )


def _react_for_seat(planner: Planner, reactions: list[Reaction], seat: Formula, scope: LowerScope) -> Statements:
    statements: list[Statement] = []
    for reaction in reactions:
        one: Statements = ()
        for number in reaction.scope.members:
            member = Literal(reaction.span, number)
            assert reaction.scope.field is not None
            assert reaction.scope.kind is not None
            copies = count_copies(planner, reaction.scope.field, member, seat, reaction.span)
            most = max(1, planner.piece_counts(reaction.scope.kind)[number])
            one += _lower_reaction(planner, reaction, EffectHolding(member, seat, copies, most), scope)
        if reaction.scope.owner and seat is not scope.formula("player"):
            one = branch(reaction.span, seat.equals(scope.formula("player")), one)
        statements += one
    return tuple(statements)


def _lower_reaction(planner: Planner, reaction: Reaction, holding: EffectHolding, scope: LowerScope) -> Statements:
    """Return what one holder's copies of a reaction do."""
    span = reaction.span
    names = {**scope.names, **held_names(holding)}
    statements = lower_body(planner, lambda inner: lower_steps(planner, reaction.body, inner), names, span)
    if reaction.limit is not None:
        statements = count_use(planner, reaction.limit, holding, LowerScope(names), span) + statements
        statements = branch(span, test_limit(planner, reaction.limit, holding, LowerScope(names), span), statements)
    if reaction.condition is not None:
        statements = branch(span, lower_expression(planner, reaction.condition, LowerScope(names)), statements)
    if not statements:
        return ()
    if holding.most > 1:
        return (ForEach(span, planner.fresh("copy"), call_pure(span, "range", holding.copies), statements),)
    return branch(span, nonzero(holding.copies), statements)


def _lower_game_order(planner: Planner, span: Span) -> Formula:
    """Return the seats in the order of the game."""
    order = planner.rules.game.order
    if order is None:
        return lower_expression(planner, BuiltinCall(ListOf(PLAYER), span, "players", ()), LowerScope())
    return lower_items(planner, order, LowerScope())


# Limits.


def test_limit(planner: Planner, limit: Limit, holding: EffectHolding, scope: LowerScope, span: Span) -> Formula:
    """Return whether something limited that is held may be used once more."""
    tests = []
    for _, counter, often in limit.periods:
        used = read_field(planner.layout.fields[counter], _find_counter(planner, limit, counter, holding, scope), span)
        allowed = lower_expression(planner, often, scope)
        if holding.most > 1:
            allowed = allowed * holding.copies
        tests.append(used < allowed)
    return all_of(span, *tests)


def count_use(planner: Planner, limit: Limit, holding: EffectHolding, scope: LowerScope, span: Span) -> Statements:
    """Return the statements that count one use."""
    statements: Statements = ()
    for _, counter, _often in limit.periods:
        cells = planner.layout.fields[counter]
        at = _find_counter(planner, limit, counter, holding, scope)
        new = planner.variable("uses", span)
        one_more = read_field(cells, at, span) + 1
        statements += (assign(new, one_more), *write_field(cells, at, new, span))
    return statements


def _find_counter(
    planner: Planner, limit: Limit, counter: str, holding: EffectHolding, scope: LowerScope
) -> tuple[Formula, ...]:
    zero: Formula = Literal(limit.periods[0][2].span, 0)
    player = scope.names.get("player")
    decider = player if player is not None and not isinstance(player, LoweredPlace) else None
    whose = holding.owner if limit.per == "owner" else decider
    dimensions = planner.layout.fields[counter].field.dimensions
    found = (whose if isinstance(one, Player) else holding.member for one in dimensions)
    return tuple(zero if one is None else one for one in found)


def held_names(holding: EffectHolding) -> dict[str, Meaning]:
    """Return the names `self` and `owner`, where there is such."""
    named = {"self": holding.member, "owner": holding.owner}
    return {name: meaning for name, meaning in named.items() if meaning is not None}
