"""The walk through all bodies comes to every step once, and to an end."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import define, evolve, field

from aodrules.check.analyse.calls import Caller, Effect, call_graph
from aodrules.check.analyse.driver import BodyWalk
from aodrules.check.checked import CheckedRules, DecisionDef, Option, Parameter
from aodrules.check.steps import AnyStep, Choose
from aodrules.check.visit import all_bodies, walk_steps
from aodrules.source.diagnostics import Report
from tests.check.over_small_game import over
from tests.engines.handmade import bazaar, nim


@define(eq=False)
class Steps(BodyWalk[str]):
    """Keeps the steps it comes to; the scope is where it began."""

    seen: list[AnyStep] = field(factory=list)

    def start(self, caller: Caller, parameters: Sequence[Parameter]) -> str:
        return caller.name

    def in_effect(self, caller: Caller, effect: Effect) -> str:
        return effect.address

    def in_option(self, decision: DecisionDef, option: Option, scope: str) -> str:
        return option.address

    def step(self, step: AnyStep, scope: str) -> str:
        self.seen.append(step)
        return super().step(step, scope)


def walked(rules: CheckedRules) -> list[AnyStep]:
    walk = Steps(rules)
    for caller in call_graph(rules, Report()).order:
        walk.visit(caller)
    return walk.seen


def test_every_step_is_come_to_once() -> None:
    for rules in (nim(), bazaar(), over().rules):
        # A shared option is walked through in the decisions that use it.
        shared = {step for option in rules.options.values() for step in walk_steps(option.body)}
        expected = [step for body in all_bodies(rules) for step in walk_steps(body) if step not in shared]
        seen = [step for step in walked(rules) if step not in shared]
        assert len(seen) == len(expected)
        assert set(seen) == set(expected)


def test_what_happens_without_an_answer_is_walked_through() -> None:
    rules = bazaar()
    address, decision = next((address, one) for address, one in rules.decisions.items() if not one.inline)
    (step, *_) = rules.verbs[rules.game.play].body
    changed = rules.with_parts(decisions={**rules.decisions, address: evolve(decision, otherwise=(step,))})
    assert walked(changed).count(step) == 1 + walked(rules).count(step)


def test_an_inline_decision_that_leads_to_itself_is_entered_once() -> None:
    rules = bazaar()
    address, decision = next(iter(rules.decisions.items()))
    again = Choose(decision.span, address, None, ())
    options = tuple(evolve(option, body=(again,)) for option in decision.options)
    verb = evolve(rules.verbs[rules.game.play], body=(again,))
    changed = rules.with_parts(
        verbs={rules.game.play: verb},
        decisions={address: evolve(decision, options=options, inline=True)},
        hooks={},
    )
    assert walked(changed).count(again) == 1 + len(options)
