"""The one walk through all bodies of steps, callers first: an analysis says only what it knows and does at each place.

How parameters, options, inline decisions and effects are entered stands here and nowhere else.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, ClassVar, Generic, TypeAlias, TypeVar

from attrs import define, field

from aodrules.check.analyse.calls import Caller, Effect, effects_of, handed_over
from aodrules.check.checked import CheckedRules, DecisionDef, Option, Parameter
from aodrules.check.steps import AnyStep, Argument, Call, Choose, For, Happen, If, Repeat, RunHook, Step, Steps, While

Scope = TypeVar("Scope")
Loop: TypeAlias = For | Repeat | While
Handler: TypeAlias = "Callable[[Any, Any, Any], Any]"
"""What an analysis does at a step, given the scope: it returns the scope of the next step if that is another."""


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
        if caller.kind == "verb" and name in rules.verbs:
            self.body(rules.verbs[name].body, self.start(caller, rules.verbs[name].parameters))
        elif caller.kind == "hook":
            hook = rules.hooks[name]
            self.body(hook.bodies[caller.member], self.start(caller, hook.parameters))
        elif caller.kind == "decision" and name in rules.decisions and not rules.decisions[name].inline:
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
