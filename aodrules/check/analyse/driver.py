"""The one walk through all bodies of steps, callers first: an analysis says only what it knows and does at each place.

What a caller does, what a step calls, how parameters, options, inline decisions and effects are entered stands here.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, ClassVar, Generic, TypeAlias, TypeVar

from attrs import define, field

from aodrules.check.analyse.calls import Caller, CallGraph, members_met
from aodrules.check.checked import (
    CheckedRules,
    DecisionDef,
    EnterLeaveEffect,
    EventDef,
    Hook,
    Option,
    Parameter,
    Reaction,
    Verb,
)
from aodrules.check.steps import (
    AnyStep,
    Argument,
    Call,
    Choose,
    Draw,
    FieldPlace,
    For,
    Happen,
    If,
    Move,
    ParameterPlace,
    Repeat,
    RunHook,
    Step,
    Steps,
    While,
)
from aodrules.lang.expressions import Expression

Scope = TypeVar("Scope")
Effect: TypeAlias = Reaction | EnterLeaveEffect
Loop: TypeAlias = For | Repeat | While
Handler: TypeAlias = "Callable[[Any, Any, Any], Any]"
"""What an analysis does at a step, given the scope: it returns the scope of the next step if that is another."""


def effects_of(rules: CheckedRules, caller: Caller) -> tuple[Effect, ...]:
    """Return the effects that an event, or entering or leaving a field, sets off."""
    if caller.sort == "event":
        return rules.reactions.get(caller.name, ())
    if caller.sort not in {"entering", "leaving"}:
        return ()
    passages = rules.passages.get(caller.name, ())
    return tuple(one for one in passages if one.entering is (caller.sort == "entering"))


def bodies_of(rules: CheckedRules, caller: Caller) -> Iterator[Steps]:
    """Iterate over the steps that a caller can do itself."""
    if caller.sort == "verb" and caller.name in rules.verbs:
        yield rules.verbs[caller.name].body
    elif caller.sort == "hook":
        yield rules.hooks[caller.name].bodies.get(caller.member, ())
    elif caller.sort == "decision" and caller.name in rules.decisions:
        yield from (option.body for option in rules.decisions[caller.name].options)
        yield rules.decisions[caller.name].otherwise
    yield from (effect.body for effect in effects_of(rules, caller))


def called_by(rules: CheckedRules, graph: CallGraph, caller: Caller, step: AnyStep) -> Iterator[Caller]:
    """Iterate over what a step of a caller can call or set off."""
    if isinstance(step, Call):
        yield Caller("verb", step.verb)
    elif isinstance(step, Happen):
        yield Caller("event", step.event)
    elif isinstance(step, Choose):
        yield Caller("decision", step.decision)
    elif isinstance(step, RunHook):
        yield from (Caller("hook", step.hook, member) for member in members_met(rules, step))
    elif isinstance(step, Move | Draw):
        for sort, place in (("leaving", step.source), ("entering", step.target)):
            yield from (Caller(sort, name) for name in sorted(graph.fields_of(caller, place)))


def handed_over(
    rules: CheckedRules, step: Call | Happen | RunHook | Choose
) -> tuple[Caller, tuple[Parameter, ...], tuple[Argument, ...]]:
    """Return to whom a step gives something, the parameters there, and what is given for them."""
    declared: Verb | EventDef | Hook | DecisionDef | None
    if isinstance(step, Call):
        called, declared = Caller("verb", step.verb), rules.verbs.get(step.verb)
    elif isinstance(step, Happen):
        called, declared = Caller("event", step.event), rules.events.get(step.event)
    elif isinstance(step, RunHook):
        called, declared = Caller("run", step.hook), rules.hooks.get(step.hook)
    else:
        called, declared = Caller("decision", step.decision), rules.decisions.get(step.decision)
    return called, declared.parameters if declared else (), step.arguments


def receiver(caller: Caller) -> Caller:
    """Return the one to whom the parameters of a body are given: those of a hook to all members alike."""
    return Caller("run", caller.name) if caller.sort == "hook" else caller


def plain_arguments(
    parameters: Iterable[Parameter], arguments: Iterable[Argument]
) -> Iterator[tuple[Parameter, Expression]]:
    """Iterate over parameters and what is given for them, places left out."""
    for parameter, argument in zip(parameters, arguments, strict=False):
        if not isinstance(argument, FieldPlace | ParameterPlace):
            yield parameter, argument


@define(eq=False)
class BodyWalk(ABC, Generic[Scope]):
    """Walks through bodies with a scope: what an analysis knows at one place of a body."""

    rules: CheckedRules
    _inside: set[str] = field(factory=set, init=False)
    """The inline decisions around; one that leads to itself is refused elsewhere."""

    # What an analysis says.

    @abstractmethod
    def start(self, caller: Caller, parameters: Sequence[Parameter]) -> Scope:
        """Return what is known where a verb, a hook or a decision begins."""

    @abstractmethod
    def in_effect(self, caller: Caller, effect: Effect) -> Scope | None:
        """Return what is known in the steps of an effect; nothing if they are not to be walked through."""

    @abstractmethod
    def in_option(self, decision: DecisionDef, option: Option, scope: Scope) -> Scope:
        """Return what is known in the steps of an option."""

    def in_branches(self, step: If, scope: Scope) -> tuple[Scope, Scope]:
        """Return what is known in either branch."""
        return scope, scope

    def in_loop(self, step: Loop, scope: Scope) -> Scope:
        """Return what is known in the body of a loop."""
        return scope

    def in_choice(self, step: Choose, scope: Scope) -> Scope:
        """Return what is known in a decision that is written inside a body."""
        return scope

    def read_subject(self, step: RunHook | Choose, scope: Scope) -> None:
        """Look at whose steps are run, or at who decides."""

    def hand_over(
        self, called: Caller, parameters: Sequence[Parameter], arguments: Sequence[Argument], scope: Scope
    ) -> None:
        """Look at what a verb, event, hook (as `run`) or decision is given."""

    def other_step(self, step: AnyStep, scope: Scope) -> None:
        """Look at a step for which there is no handler."""

    # The walk.

    def visit(self, caller: Caller) -> None:
        """Walk through what a caller does."""
        rules, name = self.rules, caller.name
        if caller.sort == "verb" and name in rules.verbs:
            self.body(rules.verbs[name].body, self.start(caller, rules.verbs[name].parameters))
        elif caller.sort == "hook":
            hook = rules.hooks[name]
            self.body(hook.bodies[caller.member], self.start(caller, hook.parameters))
        elif caller.sort == "decision" and name in rules.decisions and not rules.decisions[name].inline:
            decision = rules.decisions[name]
            self.options(decision, self.start(caller, decision.parameters), self.body)
        for effect in effects_of(rules, caller):
            scope = self.in_effect(caller, effect)
            if scope is not None:
                self.body(effect.body, scope)

    def options(self, decision: DecisionDef, scope: Scope, walk: Callable[[Steps, Scope], None]) -> None:
        """Walk through the answers to a decision, and through what happens without one."""
        for option in decision.options:
            walk(option.body, self.in_option(decision, option, scope))
        walk(decision.otherwise, scope)

    def body(self, steps: Steps, scope: Scope) -> None:
        """Walk through a whole body."""
        self.walk(steps, scope)

    def walk(self, steps: Steps, scope: Scope) -> None:
        """Walk through steps one after the other."""
        for step in steps:
            scope = self.step(step, scope)

    def step(self, step: AnyStep, scope: Scope) -> Scope:
        """Look at a step and what is inside it; return what is known after it."""
        handler = self.handlers.get(type(step))
        if handler is None:
            self.other_step(step, scope)
            return scope
        return handler(self, step, scope) or scope

    def _branch(self, step: If, scope: Scope) -> None:
        then, otherwise = self.in_branches(step, scope)
        self.walk(step.then, then)
        self.walk(step.otherwise, otherwise)

    def _loop(self, step: Loop, scope: Scope) -> None:
        self.walk(step.body, self.in_loop(step, scope))

    def _named(self, step: Step, scope: Scope) -> None:
        self.walk(step.body, scope)

    def _call(self, step: Call | Happen | RunHook, scope: Scope) -> None:
        if isinstance(step, RunHook):
            self.read_subject(step, scope)
        self.hand_over(*handed_over(self.rules, step), scope)

    def _choose(self, step: Choose, scope: Scope) -> None:
        self.read_subject(step, scope)
        self.hand_over(*handed_over(self.rules, step), scope)
        decision = self.rules.decisions.get(step.decision)
        if decision is not None and decision.inline and step.decision not in self._inside:
            self._inside.add(step.decision)
            self.options(decision, self.in_choice(step, scope), self.walk)
            self._inside.discard(step.decision)

    handlers: ClassVar[dict[type, Handler]] = {
        If: _branch,
        For: _loop,
        Repeat: _loop,
        While: _loop,
        Step: _named,
        Call: _call,
        Happen: _call,
        RunHook: _call,
        Choose: _choose,
    }
    """By class of step. An analysis adds its own; what it has no handler for goes to `other_step`."""
