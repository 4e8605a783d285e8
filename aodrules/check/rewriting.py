"""Change steps wherever they stand in checked rules. What is not changed stays the very same object."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias, TypeVar

from attrs import evolve

from aodrules.check.checked import CheckedRules, DecisionDef, EnterLeaveEffect, Hook, Option, Reaction, Verb
from aodrules.check.steps import AnyStep, For, If, Repeat, Step, Steps, While

Change: TypeAlias = Callable[[AnyStep], AnyStep]
Bodied = TypeVar("Bodied", Verb, Option, Reaction, EnterLeaveEffect)


def rewritten_steps(steps: Steps, change: Change) -> Steps:
    """Return steps with each one, the innermost first, put through `change`."""
    changed = tuple(change(_inside(step, change)) for step in steps)
    return steps if all(map(_same, steps, changed)) else changed


def rewritten(rules: CheckedRules, change: Change) -> CheckedRules:
    """Return rules with every step of theirs put through `change`."""
    return rules.with_parts(
        verbs={name: _with_body(verb, change) for name, verb in rules.verbs.items()},
        hooks={name: _hook(hook, change) for name, hook in rules.hooks.items()},
        decisions={address: _decision(each, change) for address, each in rules.decisions.items()},
        options={name: _with_body(option, change) for name, option in rules.options.items()},
        reactions={name: tuple(_with_body(one, change) for one in all_) for name, all_ in rules.reactions.items()},
        passages={name: tuple(_with_body(one, change) for one in all_) for name, all_ in rules.passages.items()},
    )


def _same(one: object, other: object) -> bool:
    return one is other


def _inside(step: AnyStep, change: Change) -> AnyStep:
    if isinstance(step, If):
        then, otherwise = rewritten_steps(step.then, change), rewritten_steps(step.otherwise, change)
        same = then is step.then and otherwise is step.otherwise
        return step if same else evolve(step, then=then, otherwise=otherwise)
    if isinstance(step, For | Repeat | While | Step):
        body = rewritten_steps(step.body, change)
        return step if body is step.body else evolve(step, body=body)
    return step


def _with_body(part: Bodied, change: Change) -> Bodied:
    body = rewritten_steps(part.body, change)
    return part if body is part.body else evolve(part, body=body)


def _hook(hook: Hook, change: Change) -> Hook:
    bodies = {member: rewritten_steps(body, change) for member, body in hook.bodies.items()}
    same = all(bodies[member] is body for member, body in hook.bodies.items())
    return hook if same else evolve(hook, bodies=bodies)


def _decision(decision: DecisionDef, change: Change) -> DecisionDef:
    options = tuple(_with_body(option, change) for option in decision.options)
    otherwise = rewritten_steps(decision.otherwise, change)
    same = otherwise is decision.otherwise and all(map(_same, options, decision.options))
    return decision if same else evolve(decision, options=options, otherwise=otherwise)
