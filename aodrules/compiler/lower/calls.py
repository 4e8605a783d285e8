"""Bodies that are called: verbs, hooks, and reactions to events."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from aodrules.check.checked import Limit, Parameter, Reaction
from aodrules.check.steps import Call, Happen, RunHook
from aodrules.compiler.folding import branch, call_pure, is_none, negation, nonzero, operation
from aodrules.compiler.lower.holders import EffectHolding, holder_dimension
from aodrules.compiler.lower.places import Given, PlacePlanner
from aodrules.compiler.lower.scope import LoweredPlace, LowerScope, Meaning
from aodrules.compiler.nodes import (
    Assign,
    CallRuntime,
    ForEach,
    Formula,
    IfLogging,
    Labelled,
    Literal,
    Op,
    Procedure,
    Statement,
    Statements,
    Switch,
    Variable,
    WriteLog,
)
from aodrules.compiler.passes.loop_guards import guard_for_any_player
from aodrules.compiler.variables import asks, leaves
from aodrules.lang.expressions import BuiltinCall
from aodrules.lang.types import PLAYER, ListOf, Maybe, Player
from aodrules.source.spans import Span

Maker: TypeAlias = Callable[[LowerScope], Statements]


class ProcedurePlanner(PlacePlanner):
    """Turns calls of bodies into statements, and plans each body once for each shape of places."""

    def _names_of_shapes(self, key: str, shape: str) -> str:
        shapes = self.shapes.setdefault(key, [])
        if shape not in shapes:
            shapes.append(shape)
        number = shapes.index(shape)
        return key if number == 0 else f"{key}__{number + 1}"

    @property
    def shapes(self) -> dict[str, list[str]]:
        """For each body that was planned, the shapes of places it was planned for."""
        found: dict[str, list[str]] = self.__dict__.setdefault("_shapes", {})
        return found

    def body(self, make: Maker, names: dict[str, Meaning], span: Span) -> Statements:
        """Return the statements of a body of its own, which `stop` may leave."""
        label = self.fresh("body")
        statements = make(LowerScope(names, label))
        return (Labelled(span, label, statements),) if leaves(statements, label) else statements

    def called(self, key: str, given: Given, make: Maker, span: Span) -> Statements:
        """Return the call of a body, which is planned if it was not yet."""
        name = self._names_of_shapes(key, given.shape)
        if name not in self.procedures:
            statements = self.body(make, given.names, span)
            self.procedures[name] = Procedure(name, span, given.parameters, statements, asks(statements))
        procedure = self.procedures[name]
        if not procedure.body:
            return ()
        return (CallRuntime(span, name, given.arguments, None, planned=True, deciding=procedure.deciding),)

    # Verbs.

    def call(self, step: Call, scope: LowerScope) -> Statements:
        """Return the call of a verb."""
        verb = self.rules.verbs[step.verb]
        meanings = self.meanings(step.arguments, scope)
        if self.sizes.is_verb_in_place(step.verb):
            statements, names = self.bound(verb.parameters, meanings, step.span)
            return statements + self.steps(verb.body, LowerScope(names))
        given = self.given(verb.parameters, meanings)
        return self.called(f"verb_{_word(step.verb)}", given, lambda inner: self.steps(verb.body, inner), verb.span)

    # Hooks.

    def run(self, step: RunHook, scope: LowerScope) -> Statements:
        """Return the run of a hook: what the subject has there."""
        hook = self.rules.hooks[step.hook]
        subject = self.expression(step.subject, scope)
        meanings: list[Meaning] = [subject, *self.meanings(step.arguments, scope)]
        parameters = (Parameter("self", step.subject.type, step.span), *hook.parameters)
        if isinstance(subject, Literal):
            return self._run_known(step, subject, meanings, parameters)
        given = self.given(parameters, meanings)
        name = f"hook_{_word(step.hook)}"
        statements = self.called(name, given, lambda inner: self._switch(step, inner), hook.span)
        if statements and isinstance(step.subject.type, Maybe):
            return branch(step.span, negation(is_none(subject)), statements)
        return statements

    def _run_known(
        self, step: RunHook, subject: Literal, meanings: list[Meaning], parameters: Sequence[Parameter]
    ) -> Statements:
        member = subject.value if isinstance(subject.value, int) else -1
        steps = self.rules.hooks[step.hook].bodies.get(member)
        if not steps:
            return ()
        if not self.sizes.is_hook_in_place(step.hook, member):
            given, name = self.given(parameters, meanings), f"hook_{_word(step.hook)}_of_{member}"
            return self.called(name, given, lambda inner: self.steps(steps, inner.bind("self", subject)), step.span)
        statements, names = self.bound(parameters, meanings, step.span)
        return statements + self.body(lambda inner: self.steps(steps, inner), names, step.span)

    def _switch(self, step: RunHook, scope: LowerScope) -> Statements:
        hook = self.rules.hooks[step.hook]
        cases = []
        for member, steps in sorted(hook.bodies.items()):
            names = {**scope.names, "self": Literal(hook.span, member)}
            inner = self.body(lambda own, steps=steps: self.steps(steps, own), names, hook.span)  # type: ignore[misc]
            if inner:
                cases.append((member, inner))
        return (Switch(step.span, scope.formula("self"), tuple(cases)),) if cases else ()

    # Events.

    def happen(self, step: Happen, scope: LowerScope) -> Statements:
        """Return the raising of an event: an entry in the log, then the reactions."""
        event = self.rules.events[step.event]
        formulas = tuple(self.expression(one, scope) for one in step.arguments)
        statements, kept = self.kept_all(formulas, step.span)
        entry = (Literal(step.span, "happen"), Literal(step.span, step.event), Op(step.span, "tuple", kept))
        statements += (WriteLog(step.span, entry),)
        reactions = self.rules.reactions.get(step.event, ())
        if not reactions:
            return (
                statements
                if any(not isinstance(one, WriteLog) for one in statements)
                else (IfLogging(step.span, statements),)
            )
        given = self.given(event.parameters, kept)
        return statements + self.called(
            f"event_{_word(step.event)}", given, lambda inner: self._reactions(reactions, inner), event.span
        )

    def _reactions(self, reactions: Sequence[Reaction], scope: LowerScope) -> Statements:
        """Return the reactions: those nobody holds first, then by holder in the order of the game."""
        free: list[Statement] = []
        for reaction in reactions:
            if not self._has_holders(reaction):
                for holding in self.holdings(reaction.scope, None, reaction.span):
                    free += self.reaction(reaction, holding, scope)
        held = [one for one in reactions if self._has_holders(one)]
        if not held:
            return tuple(free)
        # The order is that of the moment when the event happens, whatever the first reactions do to it.
        order = self.variable("order", held[0].span)
        order_now = Assign(held[0].span, order.name, self.game_order(held[0].span))
        return (order_now, *free, *self._by_holder(held, order, scope))

    def _has_holders(self, reaction: Reaction) -> bool:
        field = reaction.scope.field
        return field is not None and holder_dimension(self.layout.fields[field]) is not None

    def _by_holder(self, reactions: list[Reaction], order: Variable, scope: LowerScope) -> Statements:
        span = reactions[0].span
        if all(reaction.scope.owner for reaction in reactions):
            player = scope.formula("player")
            return branch(span, operation(span, "in", player, order), self._of_seat(reactions, player, scope))
        seat = self.variable("owner", span)
        body = self._of_seat(reactions, seat, scope)
        return self.if_anybody(seat, body, (ForEach(span, seat.name, order, body),)) if body else ()

    def if_anybody(self, player: Variable, body: Statements, loop: Statements) -> Statements:
        """Return a loop over players under the test whether its body does anything for one of them."""
        return branch(player.span, guard_for_any_player(body, player.name, range(self.players), self.procedures), loop)

    def _of_seat(self, reactions: list[Reaction], seat: Formula, scope: LowerScope) -> Statements:
        statements: list[Statement] = []
        for reaction in reactions:
            one: Statements = ()
            for number in reaction.scope.members:
                member = Literal(reaction.span, number)
                assert reaction.scope.field is not None
                assert reaction.scope.kind is not None
                copies = self.copies(reaction.scope.field, member, seat, reaction.span)
                most = max(1, self.piece_counts(reaction.scope.kind)[number])
                one += self.reaction(reaction, EffectHolding(member, seat, copies, most), scope)
            if reaction.scope.owner and seat is not scope.formula("player"):
                one = branch(reaction.span, operation(reaction.span, "==", seat, scope.formula("player")), one)
            statements += one
        return tuple(statements)

    def reaction(self, reaction: Reaction, holding: EffectHolding, scope: LowerScope) -> Statements:
        """Return what one holder's copies of a reaction do."""
        span = reaction.span
        names = {**scope.names, **held_names(holding)}
        statements = self.body(lambda inner: self.steps(reaction.body, inner), names, span)
        if reaction.limit is not None:
            statements = self.counted(reaction.limit, holding, LowerScope(names), span) + statements
            statements = branch(span, self.within_limit(reaction.limit, holding, LowerScope(names), span), statements)
        if reaction.condition is not None:
            statements = branch(span, self.expression(reaction.condition, LowerScope(names)), statements)
        if not statements:
            return ()
        if holding.most > 1:
            return (ForEach(span, self.fresh("copy"), call_pure(span, "range", holding.copies), statements),)
        return branch(span, nonzero(holding.copies), statements)

    def game_order(self, span: Span) -> Formula:
        """Return the seats in the order of the game."""
        order = self.rules.game.order
        if order is None:
            return self.expression(BuiltinCall(ListOf(PLAYER), span, "players", ()), LowerScope())
        return self.items(order, LowerScope())

    # Limits.

    def within_limit(self, limit: Limit, holding: EffectHolding, scope: LowerScope, span: Span) -> Formula:
        """Return whether something limited that is held may be used once more."""
        tests = []
        for _, counter, often in limit.periods:
            used = self.field_read(self.layout.fields[counter], self._counter_at(limit, counter, holding, scope), span)
            allowed = self.expression(often, scope)
            if holding.most > 1:
                allowed = operation(span, "*", allowed, holding.copies)
            tests.append(operation(span, "<", used, allowed))
        return operation(span, "and", *tests)

    def counted(self, limit: Limit, holding: EffectHolding, scope: LowerScope, span: Span) -> Statements:
        """Return the statements that count one use."""
        statements: Statements = ()
        for _, counter, _often in limit.periods:
            cells = self.layout.fields[counter]
            at = self._counter_at(limit, counter, holding, scope)
            new = self.variable("uses", span)
            one_more = operation(span, "+", self.field_read(cells, at, span), Literal(span, 1))
            statements += (Assign(span, new.name, one_more), *self.written(cells, at, new, span))
        return statements

    def _counter_at(self, limit: Limit, counter: str, holding: EffectHolding, scope: LowerScope) -> tuple[Formula, ...]:
        zero: Formula = Literal(limit.periods[0][2].span, 0)
        player = scope.names.get("player")
        decider = player if player is not None and not isinstance(player, LoweredPlace) else None
        whose = holding.owner if limit.per == "owner" else decider
        dimensions = self.layout.fields[counter].field.dimensions
        found = (whose if isinstance(one, Player) else holding.member for one in dimensions)
        return tuple(zero if one is None else one for one in found)


def held_names(holding: EffectHolding) -> dict[str, Meaning]:
    """Return the names `self` and `owner`, where there is such."""
    named = {"self": holding.member, "owner": holding.owner}
    return {name: meaning for name, meaning in named.items() if meaning is not None}


def _word(name: str) -> str:
    return "".join(letter if letter.isalnum() and letter.isascii() else "_" for letter in name)
