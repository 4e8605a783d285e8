"""Bodies that are called: verbs, hooks, and reactions to events; what they are given, and how often they may run."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TypeAlias

from attrs import evolve

from aodrules.check.checked import Limit, Parameter, Reaction
from aodrules.check.steps import Argument, Call, FieldPlace, Happen, ParameterPlace, PlaceReference, RunHook
from aodrules.check.visit import walk
from aodrules.compiler.formulas import (
    CallPure,
    Formula,
    Literal,
    Variable,
    all_of,
    call_pure,
    is_count,
    is_none,
    is_simple,
    negate,
    nonzero,
    tuple_of,
)
from aodrules.compiler.lower.bodies import lower_steps, write_and_log
from aodrules.compiler.lower.causes import cause_of_hook, caused_by
from aodrules.compiler.lower.expressions import (
    keep_all,
    keep_place,
    lower_all,
    lower_expression,
    lower_items,
    lower_place,
)
from aodrules.compiler.lower.holders import EffectHolding, find_holdings, has_holders, make_holding
from aodrules.compiler.lower.planner import Planner, to_identifier
from aodrules.compiler.lower.scope import LoweredPlace, LowerScope, Meaning
from aodrules.compiler.nodes import (
    CallRuntime,
    ForEach,
    Function,
    IfLogging,
    Labelled,
    Procedure,
    Statement,
    Statements,
    Switch,
    assign,
    branch,
    write_log,
)
from aodrules.compiler.passes.guards import guard_for_any_player
from aodrules.compiler.visit import asks, leaves
from aodrules.facts.state import Cause
from aodrules.lang.expressions import AfterVerb, BuiltinCall, Local
from aodrules.lang.types import OWNER, PLAYER, ListOf, Maybe, Number, Owner, Player
from aodrules.source.spans import Span

Maker: TypeAlias = Callable[[LowerScope], Statements]


def _name_for_shape(planner: Planner, key: str, shape: str) -> str:
    shapes = planner.shapes.setdefault(key, [])
    if shape not in shapes:
        shapes.append(shape)
    number = shapes.index(shape)
    return key if number == 0 else f"{key}__{number + 1}"


def lower_body(planner: Planner, make: Maker, names: dict[str, Meaning], span: Span, cause: Cause | None) -> Statements:
    """Return the statements of a body of its own, which `stop` may leave; without a cause it only holds bodies."""
    label = planner.fresh("body")
    statements = make(LowerScope(names, label))
    if cause is not None:
        statements = caused_by(statements, cause)
    return (Labelled(span, label, statements),) if leaves(statements, label) else statements


def call_procedure(
    planner: Planner,
    key: str,
    meanings: Mapping[str, Meaning],
    make: Maker,
    span: Span,
    cause: Cause | None,
    active: str | None = None,
) -> Statements:
    """Return the call of a body, which is planned if it was not yet; one for each step that is known to be active."""
    names, arguments, shape = _pass_arguments(planner, meanings)
    name = _name_for_shape(planner, to_identifier(key), f"{shape} {active}")
    if name not in planner.procedures:
        statements = lower_body(planner, lambda scope: make(evolve(scope, active=active)), names, span, cause)
        planner.procedures[name] = Procedure(name, span, tuple(arguments), statements, asks(statements))
    procedure = planner.procedures[name]
    if not procedure.body:
        return ()
    return (CallRuntime(span, name, tuple(arguments.values()), None, planned=True, deciding=procedure.deciding),)


# Verbs.


def lower_call(planner: Planner, step: Call, scope: LowerScope) -> Statements:
    """Return the call of a verb."""
    verb = planner.rules.verbs[step.verb]
    meanings, cause = lower_arguments(planner, verb.parameters, step.arguments, scope), Cause(verb.address)
    if planner.inline_sizes.is_verb_in_place(step.verb):
        statements, names = bind_arguments(planner, meanings, step.span)
        _note_counts(planner, step.arguments, meanings, names)
        return statements + caused_by(lower_steps(planner, verb.body, LowerScope(names, active=scope.active)), cause)
    steps = partial(lower_steps, planner, verb.body)
    # What is called from one place only knows what is active around it.
    active = scope.active if step.verb in planner.called_once else None
    return call_procedure(planner, f"verb_{step.verb}", meanings, steps, verb.span, cause, active)


def lower_after_verb(planner: Planner, expression: AfterVerb, scope: LowerScope) -> Formula:
    """Return what an expression is worth after a verb: a function does the verb on a copy of the state."""
    read = sorted({part.name for part in walk(expression) if isinstance(part, Local)} & {*scope.names})
    names, arguments, shape = _pass_arguments(planner, {name: scope.names[name] for name in read})
    key = f"after_{expression.verb}_{expression.span.line}_{expression.span.column}"
    name = _name_for_shape(planner, to_identifier(key), shape)
    if name not in planner.functions:
        verb, inner = planner.rules.verbs[expression.verb], LowerScope(names)
        meanings = lower_arguments(planner, verb.parameters, expression.arguments, inner)
        steps = partial(lower_steps, planner, verb.body)
        cause = Cause(verb.address)
        body = call_procedure(planner, f"verb_{expression.verb}", meanings, steps, verb.span, cause)
        then = lower_expression(planner, expression.then, inner)
        planner.functions[name] = Function(name, expression.span, tuple(arguments), body, then, on_copy=True)
    return CallPure(expression.span, name, tuple(arguments.values()), planned=True)


# Hooks.


def lower_run_hook(planner: Planner, step: RunHook, scope: LowerScope) -> Statements:
    """Return the run of a hook: what the subject has there."""
    hook = planner.rules.hooks[step.hook]
    subject = lower_expression(planner, step.subject, scope)
    meanings = {"self": subject, **lower_arguments(planner, hook.parameters, step.arguments, scope)}
    if isinstance(subject, Literal):
        return _run_known_hook(planner, step, subject, meanings)
    switch = partial(_lower_hook_switch, planner, step)
    statements = call_procedure(planner, f"hook_{step.hook}", meanings, switch, hook.span, None)
    if statements and isinstance(step.subject.type, Maybe):
        return branch(step.span, negate(is_none(subject)), statements)
    return statements


def _run_known_hook(planner: Planner, step: RunHook, subject: Literal, meanings: dict[str, Meaning]) -> Statements:
    member = subject.value if isinstance(subject.value, int) else -1
    hook = planner.rules.hooks[step.hook]
    body, cause = hook.bodies.get(member), cause_of_hook(hook, member)
    if not body:
        return ()
    if not planner.inline_sizes.is_hook_in_place(step.hook, member):
        key = f"hook_{step.hook}_of_{member}"
        make: Maker = lambda inner: lower_steps(planner, body, inner.bind("self", subject))  # noqa: E731
        return call_procedure(planner, key, meanings, make, step.span, cause)
    statements, names = bind_arguments(planner, meanings, step.span)
    return statements + lower_body(planner, partial(lower_steps, planner, body), names, step.span, cause)


def _lower_hook_switch(planner: Planner, step: RunHook, scope: LowerScope) -> Statements:
    hook = planner.rules.hooks[step.hook]
    cases = []
    for member, steps in sorted(hook.bodies.items()):
        names = {**scope.names, "self": Literal(hook.span, member)}
        make = partial(lower_steps, planner, steps)
        body = lower_body(planner, make, names, hook.span, cause_of_hook(hook, member))
        if body:
            cases.append((member, body))
    return (Switch(step.span, scope.formula("self"), tuple(cases)),) if cases else ()


# Events.


def lower_happen(planner: Planner, step: Happen, scope: LowerScope) -> Statements:
    """Return the raising of an event: an entry in the log, then the reactions."""
    event, span = planner.rules.events[step.event], step.span
    before, kept = keep_all(planner, lower_all(planner, step.arguments, scope), span)
    note = write_log(span, "happen", step.event, tuple_of(span, *kept))
    reactions = planner.rules.reactions.get(step.event, ())
    if not reactions:
        return (*before, note) if before else (IfLogging(span, (note,)),)
    meanings = dict(zip((one.name for one in event.parameters), kept, strict=True))
    react = partial(_lower_reactions, planner, reactions)
    return (*before, note, *call_procedure(planner, f"event_{step.event}", meanings, react, event.span, None))


def _lower_reactions(planner: Planner, reactions: Sequence[Reaction], scope: LowerScope) -> Statements:
    """Return the reactions: those nobody holds first, then by holder in the order of the game."""
    free: list[Statement] = []
    for reaction in reactions:
        if not has_holders(planner, reaction.scope):
            for holding in find_holdings(planner, reaction.scope, None, reaction.span):
                free += _lower_reaction(planner, reaction, holding, scope)
    held = [one for one in reactions if has_holders(planner, one.scope)]
    if not held:
        return tuple(free)
    # The order is that of the moment when the event happens, whatever the first reactions do to it.
    order = planner.variable("order", held[0].span)
    order_now = assign(order, _lower_game_order(planner, held[0].span))
    return (order_now, *free, *_react_by_holder(planner, held, order, scope))


def _react_by_holder(planner: Planner, reactions: list[Reaction], order: Variable, scope: LowerScope) -> Statements:
    span = reactions[0].span
    if all(reaction.scope.owner for reaction in reactions):
        player = scope.formula("player")
        return branch(span, player.is_in(order), _react_for_seat(planner, reactions, player, scope))
    seat = planner.variable("owner", span)
    body = _react_for_seat(planner, reactions, seat, scope)
    loop = guard_loop_over_players(planner, seat, body, (ForEach(span, seat.name, order, body),)) if body else ()
    return (*loop, *_react_by_side(planner, reactions, scope))


def _react_by_side(planner: Planner, reactions: list[Reaction], scope: LowerScope) -> Statements:
    """Return what sides do about it, after all players."""
    fields = planner.rules.fields
    held = [one for one in reactions if not one.scope.owner and OWNER in fields[one.scope.field or ""].dimensions]
    sides = [planner.players + place for place in planner.rules.sides_in_game()] if held else []
    span, found = reactions[0].span, list[Statement]()
    for side in sides:
        found += _react_for_seat(planner, held, Literal(span, side), scope)
    return tuple(found)


def guard_loop_over_players(planner: Planner, player: Variable, body: Statements, loop: Statements) -> Statements:
    """Return a loop over players under the test whether its body does anything for one of them."""
    if not planner.does("loop_guards"):
        return loop
    guard = guard_for_any_player(body, player.name, range(planner.players), planner.procedures)
    return branch(player.span, guard, loop)


def _react_for_seat(planner: Planner, reactions: list[Reaction], seat: Formula, scope: LowerScope) -> Statements:
    statements: list[Statement] = []
    for reaction in reactions:
        one: Statements = ()
        for member in reaction.scope.members:
            holding = make_holding(planner, reaction.scope, member, seat, reaction.span)
            one += _lower_reaction(planner, reaction, holding, scope)
        if reaction.scope.owner and seat is not scope.formula("player"):
            one = branch(reaction.span, seat.equals(scope.formula("player")), one)
        statements += one
    return tuple(statements)


def _lower_reaction(planner: Planner, reaction: Reaction, holding: EffectHolding, scope: LowerScope) -> Statements:
    """Return what one holder's copies of a reaction do."""
    span, inner = reaction.span, holding.bind(LowerScope(scope.names))
    member = holding.member.value if isinstance(holding.member, Literal) else None
    cause = Cause(reaction.address, reaction.scope.kind, member if isinstance(member, int) else None)
    statements = lower_body(planner, partial(lower_steps, planner, reaction.body), inner.names, span, cause)
    if reaction.limit is not None:
        statements = caused_by(count_use(planner, reaction.limit, holding, inner, span), cause) + statements
        statements = branch(span, test_limit(planner, reaction.limit, holding, inner, span), statements)
    if reaction.condition is not None:
        statements = branch(span, lower_expression(planner, reaction.condition, inner), statements)
    if not statements:
        return ()
    if holding.most > 1:
        return (ForEach(span, planner.fresh("copy"), call_pure(span, "range", holding.copies), statements),)
    return branch(span, nonzero(holding.copies), statements)


def _lower_game_order(planner: Planner, span: Span) -> Formula:
    order = planner.rules.game.order
    if order is None:
        return lower_expression(planner, BuiltinCall(ListOf(PLAYER), span, "players", ()), LowerScope())
    return lower_items(planner, order, LowerScope())


# Limits.


def test_limit(planner: Planner, limit: Limit, holding: EffectHolding, scope: LowerScope, span: Span) -> Formula:
    """Return whether something limited that is held may be used once more."""
    tests = []
    for _, counter, often in limit.periods:
        used = _find_counter(planner, limit, counter, holding, scope, span).read()
        allowed = lower_expression(planner, often, scope)
        tests.append(used < (allowed * holding.copies if holding.most > 1 else allowed))
    return all_of(span, *tests)


def count_use(planner: Planner, limit: Limit, holding: EffectHolding, scope: LowerScope, span: Span) -> Statements:
    """Return the statements that count one use."""
    statements: Statements = ()
    for _, counter, _often in limit.periods:
        cell = _find_counter(planner, limit, counter, holding, scope, span)
        new = planner.variable("uses", span)
        statements += (assign(new, cell.read() + 1), *write_and_log(cell, new))
    return statements


def _find_counter(
    planner: Planner, limit: Limit, counter: str, holding: EffectHolding, scope: LowerScope, span: Span
) -> LoweredPlace:
    """Return the cell that counts uses: the holder's or the decider's, and the member's."""
    player = scope.names.get("player")
    decider = None if isinstance(player, LoweredPlace) else player
    whose = holding.owner if limit.per == "owner" else decider
    cells = planner.layout.fields[counter]
    found = (whose if isinstance(one, Player | Owner) else holding.member for one in cells.field.dimensions)
    return LoweredPlace(span, cells, tuple(Literal(span, 0) if one is None else one for one in found))


# Arguments.


def lower_argument(planner: Planner, argument: Argument, scope: LowerScope) -> Meaning:
    """Return what is given for a parameter."""
    if isinstance(argument, FieldPlace | ParameterPlace):
        return lower_place(planner, argument, scope)
    return lower_expression(planner, argument, scope)


def lower_arguments(
    planner: Planner, parameters: Sequence[Parameter], arguments: Sequence[Argument], scope: LowerScope
) -> dict[str, Meaning]:
    """Return what is given for some parameters, by their names."""
    given = zip(parameters, arguments, strict=True)
    return {parameter.name: lower_argument(planner, argument, scope) for parameter, argument in given}


def bind_arguments(
    planner: Planner, meanings: Mapping[str, Meaning], span: Span
) -> tuple[Statements, dict[str, Meaning]]:
    """Return statements that fix arguments, and the names they get in a body that is written in place."""
    statements: Statements = ()
    names: dict[str, Meaning] = {**meanings}
    for name, meaning in meanings.items():
        if isinstance(meaning, LoweredPlace):
            before, names[name] = keep_place(planner, meaning)
            statements += before
        elif not is_fixed(planner, meaning):
            names[name] = variable = planner.variable(name, span)
            statements += (assign(variable, meaning),)
    return statements, names


def _note_counts(
    planner: Planner, arguments: Sequence[Argument], meanings: Mapping[str, Meaning], names: Mapping[str, Meaning]
) -> None:
    """Note which variables of parameters hold a number that is never negative."""
    for argument, (name, meaning) in zip(arguments, meanings.items(), strict=True):
        variable = names[name]
        if isinstance(argument, PlaceReference) or isinstance(meaning, LoweredPlace):
            continue
        of = argument.type
        is_low = isinstance(of, Number) and of.low is not None and of.low >= 0
        if isinstance(variable, Variable) and (is_low or is_count(meaning, planner.counts)):
            planner.counts.add(variable.name)


def is_fixed(planner: Planner, formula: Formula) -> bool:
    """Whether a formula stays the same while a body runs: a literal, or a variable that nothing changes."""
    if isinstance(formula, Variable):
        return formula.name not in planner.reassigned
    return is_simple(formula)


def _pass_arguments(
    planner: Planner, meanings: Mapping[str, Meaning]
) -> tuple[dict[str, Meaning], dict[str, Formula], str]:
    """Return the names in a body that several places share, what is given for its parameters, and the places' shape.

    Indices of places become parameters of their own; calls that give places of the same shape can share one body.
    """
    names: dict[str, Meaning] = {}
    arguments: dict[str, Formula] = {}
    shapes: list[str] = []

    def hand(name: str, formula: Formula) -> Variable:
        variable = planner.variable(name, formula.span)
        arguments[variable.name] = formula
        return variable

    def hand_index(name: str, formula: Formula | None) -> Formula | None:
        return formula if formula is None or isinstance(formula, Literal) else hand(name, formula)

    for name, meaning in meanings.items():
        if isinstance(meaning, LoweredPlace):
            shapes.append(_name_shape(meaning))
            at = tuple(hand_index("at", one) for one in meaning.at)
            names[name] = evolve(meaning, at=at, index=hand_index("index", meaning.index))
        else:
            names[name] = hand(name, meaning)
    return names, arguments, "|".join(shapes)


def _name_shape(place: LoweredPlace) -> str:
    """Return what is fixed about a place, as a text; equal for places that can share one body."""
    parts = ["owner" if one is None else str(one.value) if isinstance(one, Literal) else "*" for one in place.at]
    index = place.index
    position = "" if index is None else f"@{index.value}" if isinstance(index, Literal) else "@*"
    return f"{place.cells.name}[{','.join(parts)}]{position}"
