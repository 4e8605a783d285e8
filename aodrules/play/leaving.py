"""Which answers let who gives them leave the game: those in whose steps, called ones too, the decider leaves."""

from __future__ import annotations

from collections.abc import Iterator

from aodrules.check.checked import CheckedRules
from aodrules.check.steps import AnyStep, Call, For, If, LeaveGame, Repeat, Step, Steps, While
from aodrules.lang.expressions import Local

_DECIDER = "player"


def leaving_options(rules: CheckedRules) -> frozenset[str]:
    """Return the addresses of the options whose steps let who decides leave the game."""
    return frozenset(
        option.address
        for decision in rules.decisions.values()
        for option in decision.options
        if _leaves(rules, option.body, frozenset({_DECIDER}), frozenset())
    )


def _leaves(rules: CheckedRules, steps: Steps, me: frozenset[str], inside: frozenset[str]) -> bool:
    """Whether in some steps a seat may leave that is called by one of these names."""
    for step in steps:
        if isinstance(step, LeaveGame):
            if isinstance(step.player, Local) and step.player.name in me:
                return True
        elif isinstance(step, Call):
            verb = rules.verbs[step.verb]
            given = zip(verb.parameters, step.arguments, strict=True)
            mine = frozenset(one.name for one, said in given if isinstance(said, Local) and said.name in me)
            if mine and step.verb not in inside and _leaves(rules, verb.body, mine, inside | {step.verb}):
                return True
        elif any(_leaves(rules, body, me, inside) for body in _bodies(step)):
            return True
    return False


def _bodies(step: AnyStep) -> Iterator[Steps]:
    if isinstance(step, If):
        yield from (step.then, step.otherwise)
    elif isinstance(step, For | Repeat | While | Step):
        yield step.body
