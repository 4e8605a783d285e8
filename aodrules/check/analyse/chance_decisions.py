"""Questions that chance answers: there nobody decides, so nothing in them can speak of the one who does."""

from __future__ import annotations

from collections.abc import Iterator

from aodrules.check import analysis_problems
from aodrules.check.checked import CheckedRules, DecisionDef
from aodrules.check.steps import Choose
from aodrules.check.visit import all_bodies, expressions, tests_of, walk, walk_steps
from aodrules.lang.expressions import Expression, Local
from aodrules.source.diagnostics import Report

_DECIDER = "player"


def check_chance_decisions(rules: CheckedRules, report: Report) -> None:
    """Report decisions that chance takes although they speak of the player who decides."""
    for step in (step for body in all_bodies(rules) for step in walk_steps(body)):
        decision = rules.decisions.get(step.decision) if isinstance(step, Choose) and step.by is None else None
        if decision is None or decision.inline:
            continue
        read = next((each for part in _parts(decision) for each in walk(part) if _is_decider(each)), None)
        if read is not None:
            name = decision.address.removeprefix("decision.")
            report.add(analysis_problems.missing_decider(name, step.span, read.span))


def _parts(decision: DecisionDef) -> Iterator[Expression]:
    """Iterate over the expressions of a decision in which `player` is who decides."""
    if _DECIDER in {each.name for each in decision.parameters}:
        return
    yield from (each for step in walk_steps(decision.otherwise) for each in expressions(step))
    for option in decision.options:
        is_offered = option.scope is not None and option.scope.owner  # to the owner, so never to chance
        if is_offered or _DECIDER in {each.name for each in option.parameters}:
            continue
        yield from tests_of(option)
        yield from (each for step in walk_steps(option.body) for each in expressions(step))
        if option.again is not None:
            yield option.again


def _is_decider(expression: Expression) -> bool:
    return isinstance(expression, Local) and expression.name == _DECIDER
