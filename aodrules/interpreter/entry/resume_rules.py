"""What is left of a game from a step on, as rules of their own: that is how generated code enters a game.

The interpreter walks to the step and tells how it got there; each thing on the way becomes one that begins there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from attrs import define, evolve, field

from aodrules.check.checked import CheckedRules, Condition, DecisionDef, Hook, Option, Parameter, Reaction, Verb
from aodrules.check.steps import (
    AnyStep,
    Argument,
    Call,
    Choose,
    FieldTarget,
    For,
    Happen,
    If,
    Let,
    ParameterPlace,
    Repeat,
    RunHook,
    SetTo,
    Step,
    Steps,
    While,
)
from aodrules.facts.state import PlaceRef, PlainState
from aodrules.interpreter.entry.enter_at_step import EntryPath, Passed
from aodrules.interpreter.tables import Tables
from aodrules.lang.expressions import Const, Expression, IfElse, Local, Operation
from aodrules.lang.types import FLAG, NUMBER, PLAYER, Bag, ListOf, Number, Place, Type, item_of
from aodrules.source.spans import Span

FROM = "__from"
"""Stands in the name of a body that begins in the middle of another."""


class NoResumeError(Exception):
    """A way in that cannot be told in rules of its own."""


def resume_rules(tables: Tables, way: EntryPath, trail: tuple[Passed, ...], state: PlainState) -> CheckedRules:
    """Return rules that begin at the step where the interpreter arrived, in the state it had there.

    Raises:
        NoResumeError: The way leads through an inline decision, whose steps share their names with what is around.
    """
    return _ResumeRules(tables, way, trail, state).build()


@define(eq=False)
class _ResumeRules:
    """Makes the rules, from the inside out."""

    tables: Tables
    way: EntryPath
    trail: tuple[Passed, ...]
    state: PlainState
    _verbs: dict[str, Verb] = field(factory=dict, init=False)
    _hooks: dict[str, Hook] = field(factory=dict, init=False)
    _decisions: dict[str, DecisionDef] = field(factory=dict, init=False)

    def build(self) -> CheckedRules:
        rules, frame = self.tables.rules, self.tables.rules.game
        first = rules.verbs[self.way.verb]
        body = self._from(0) if self.trail else first.body
        if self.way.verb == frame.begin and self.way.verb != frame.play:
            body = (Call(first.span, self._verb(first, body), ()), Call(first.span, frame.play, ()))
        name = self._verb(rules.verbs[frame.play], body)
        return rules.with_parts(
            verbs={**rules.verbs, **self._verbs},
            hooks={**rules.hooks, **self._hooks},
            decisions={**rules.decisions, **self._decisions},
            game=evolve(frame, begin=None, play=name, end=None if self.way.verb == frame.end else frame.end),
        )

    def _verb(self, verb: Verb, body: Steps, parameters: tuple[Parameter, ...] | None = None) -> str:
        """Declare a verb that begins in the middle of another and return its name."""
        name = f"{verb.name}{FROM}{len(self._verbs)}"
        given = verb.parameters if parameters is None else parameters
        self._verbs[name] = Verb(name, given, body, verb.span)
        return name

    def _from(self, depth: int) -> Steps:
        """Return what is left of the steps of one link."""
        passed = self.trail[depth]
        link, span = passed.link, passed.link.step.span
        lets = tuple(self._let(span, *one, link.steps[: link.index]) for one in passed.lets)
        is_last = depth == len(self.trail) - 1
        entered = self._target(link.step) if is_last else tuple(self._entered(passed, depth))
        return (*lets, *entered, *link.steps[link.index + 1 :])

    def _let(self, span: Span, name: str, type_: Type, value: Any, before: Steps) -> AnyStep:
        if isinstance(type_, Bag) or isinstance(value, PlaceRef):
            return next(step for step in before if isinstance(step, Let) and step.name == name)
        return Let(span, name, Const(type_, span, value))

    def _target(self, step: AnyStep) -> Steps:
        """Return the step itself; what is given holds although the steps around it put fields back to their start."""
        if isinstance(step, Step):
            return (evolve(step, body=(*self._put_back(step.span), *step.body)),)
        return (*self._put_back(step.span), step)

    def _put_back(self, span: Span) -> Iterator[AnyStep]:
        begun = [passed.link.step for passed in self.trail if isinstance(passed.link.step, Step)]
        resets = self.tables.resets
        fields = [one for step in begun for name in (step.name, step.address) for one in resets.get(name, ())]
        for one in dict.fromkeys(fields):
            for at, start, value in zip(
                self.tables.shapes[one.name].indices(),
                self.tables.starts[one.name],
                self.state.fields[one.name],
                strict=True,
            ):
                if value != start:
                    indices = tuple(Const(type_, span, index) for type_, index in zip(one.dimensions, at, strict=True))
                    yield SetTo(span, FieldTarget(span, one.name, indices), Const(one.type, span, value))

    def _entered(self, passed: Passed, depth: int) -> Iterator[AnyStep]:
        inner = self._from(depth + 1)
        makers: dict[type, Callable[[Any, Passed, Steps], Iterator[AnyStep]]] = {
            If: self._in_branch,
            Step: self._in_step,
            Repeat: self._in_repeat,
            While: self._in_while,
            For: self._in_loop,
            Call: self._in_call,
            RunHook: self._in_hook,
            Choose: self._in_choice,
            Happen: self._in_reaction,
        }
        return makers[type(passed.link.step)](passed.link.step, passed, inner)

    def _in_branch(self, step: If, _passed: Passed, inner: Steps) -> Iterator[AnyStep]:
        yield If(step.span, _true(step.span), inner)

    def _in_step(self, step: Step, _passed: Passed, inner: Steps) -> Iterator[AnyStep]:
        yield evolve(step, body=inner)

    def _in_repeat(self, step: Repeat, passed: Passed, inner: Steps) -> Iterator[AnyStep]:
        yield If(step.span, _true(step.span), inner)
        yield evolve(step, count=_number(step.span, max(passed.fixed - 1, 0)))

    def _in_while(self, step: While, passed: Passed, inner: Steps) -> Iterator[AnyStep]:
        yield If(step.span, _true(step.span), inner)
        left: Expression = _number(step.span, max(passed.fixed - 1, 0))
        if step.uses_up:
            is_less = Operation(FLAG, step.span, "<", (step.at_most, _number(step.span, passed.fixed)))
            left = IfElse(NUMBER, step.span, is_less, step.at_most, _number(step.span, 0))
        yield evolve(step, at_most=left)

    def _in_loop(self, step: For, passed: Passed, inner: Steps) -> Iterator[AnyStep]:
        items, chosen = passed.fixed
        if step.index is not None and step.ordered_by is None:
            yield self._in_counted_loop(step, items, chosen, inner)
            return
        rest = items[chosen + 1 :] if step.ordered_by is None else (*items[:chosen], *items[chosen + 1 :])
        once = evolve(step, items=_list(step, (items[chosen],)), body=inner, address=f"{step.address}{FROM}")
        yield evolve(once, where=None, ordered_by=None, optional=False, worth_asking=None)
        yield evolve(step, items=_list(step, rest))

    def _in_counted_loop(self, step: For, items: tuple[Any, ...], chosen: int, inner: Steps) -> AnyStep:
        """Return a loop that does nothing before the chosen item, so that positions are what they were."""
        span = step.span
        place = Local(NUMBER, span, str(step.index))
        later = [Operation(FLAG, span, ">", (place, _number(span, chosen)))]
        later += [test for test in (step.where, step.worth_asking) if test is not None]  # type: ignore[misc]
        go_on = If(span, Operation(FLAG, span, "and", (*later, _true(span))), step.body)
        is_it = Operation(FLAG, span, "==", (place, _number(span, chosen)))
        body = (If(span, is_it, inner, (go_on,)),)
        return evolve(step, items=_list(step, items), where=None, worth_asking=None, body=body)

    def _in_call(self, step: Call, _passed: Passed, inner: Steps) -> Iterator[AnyStep]:
        yield evolve(step, verb=self._verb(self.tables.rules.verbs[step.verb], inner))

    def _in_hook(self, step: RunHook, passed: Passed, inner: Steps) -> Iterator[AnyStep]:
        hook, member = self.tables.rules.hooks[step.hook], passed.link.inside
        assert isinstance(member, int)  # of a hook one enters a member's body
        name = f"{step.hook}{FROM}{len(self._hooks)}"
        self._hooks[name] = evolve(hook, name=name, bodies={member: inner})
        subject = Const(step.subject.type, step.span, member)
        yield evolve(step, hook=name, subject=subject)

    def _in_choice(self, step: Choose, passed: Passed, inner: Steps) -> Iterator[AnyStep]:
        decision = self.tables.rules.decisions[step.decision]
        option = passed.link.inside
        if decision.inline or not isinstance(option, Option):
            raise NoResumeError
        parameters, arguments = decision.parameters, step.arguments
        if step.by is not None:
            parameters = (*parameters, Parameter("player", PLAYER, step.span))
            arguments = (*arguments, step.by)
        types = {one.name: one.type for one in (*option.parameters, *option.given)}
        body = self._named(step.span, types, passed.fixed, inner)
        if option.again is not None:
            # The steps are a body of their own, so that a `stop` in them leaves the answer and not the decision.
            handed = tuple(_handed_on(one) for one in parameters)
            by = None if step.by is None else Local(PLAYER, step.span, "player")
            asked = Choose(step.span, self._asked_on(decision, option), by, handed[: len(decision.parameters)])
            body = (self._as_call(step, parameters, handed, body), asked)
        yield self._as_call(step, parameters, arguments, body)

    def _asked_on(self, decision: DecisionDef, taken: Option) -> str:
        """Declare a decision of which an option was taken once, and return its name."""
        if not isinstance(taken.again, Const) or not isinstance(taken.again.value, int):
            raise NoResumeError  # how often more is known only when its steps are done
        span, left = taken.span, taken.again.value - 1
        again = _number(span, left)
        never = () if left >= 0 else (Condition("again", Const(FLAG, span, value=False), span),)
        once = evolve(taken, again=again, conditions=(*never, *taken.conditions))
        name = f"{decision.address}{FROM}{len(self._decisions)}"
        options = tuple(once if one.address == taken.address else one for one in decision.options)
        self._decisions[name] = evolve(decision, options=options)
        return name

    def _in_reaction(self, step: Happen, passed: Passed, inner: Steps) -> Iterator[AnyStep]:
        event = self.tables.rules.events[step.event]
        assert isinstance(passed.link.inside, Reaction)  # of an event one enters a reaction
        yield self._as_call(step, event.parameters, step.arguments, self._named(step.span, {}, passed.fixed, inner))

    def _as_call(
        self, step: Choose | Happen, parameters: tuple[Parameter, ...], arguments: tuple[Argument, ...], body: Steps
    ) -> Call:
        around = self.tables.rules.verbs[self.tables.rules.game.play]
        return Call(step.span, self._verb(around, body, parameters), arguments)

    def _named(self, span: Span, types: dict[str, Type], names: dict[str, Any] | None, inner: Steps) -> Steps:
        """Return steps with names bound to what they stood for."""
        if any(isinstance(value, PlaceRef) for value in (names or {}).values()):
            raise NoResumeError
        lets = [Let(span, name, Const(types.get(name, NUMBER), span, value)) for name, value in (names or {}).items()]
        return (*lets, *inner)


def _handed_on(parameter: Parameter) -> Argument:
    """Return what hands a parameter on under its own name."""
    if isinstance(parameter.type, Place):
        return ParameterPlace(parameter.span, parameter.name)
    return Local(parameter.type, parameter.span, parameter.name)


def _true(span: Span) -> Expression:
    return Const(FLAG, span, value=True)


def _number(span: Span, number: int) -> Const:
    return Const(Number(number, number), span, number)


def _list(step: For, items: tuple[Any, ...]) -> Const:
    return Const(ListOf(item_of(step.items.type)), step.items.span, items)  # type: ignore[arg-type]  # an item's type
