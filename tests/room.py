"""How far rules are from the bounds: what is like them must load too."""

from __future__ import annotations

from aodrules.check.analyse.bounds import MOST_DECISIONS, MOST_IN_ALL, MOST_INSTANCES, MOST_WORK
from aodrules.check.analyse.calls import call_graph
from aodrules.check.analyse.interval_analysis import ranges
from aodrules.check.analyse.work import WorkAnalysis
from aodrules.check.checked import CheckedRules
from aodrules.source.diagnostics import Report


def assert_room(rules: CheckedRules, times: int) -> None:
    """Fail unless every bound leaves so many times what the rules may need."""
    graph = call_graph(rules, Report())
    analysis = WorkAnalysis(rules, graph, ranges(rules, graph, Report()))
    assert analysis.added_up() == []
    game = analysis.whole_game
    assert times * game.most.number <= MOST_WORK
    assert times * game.most_in_all.number <= MOST_IN_ALL
    assert times * game.most_decisions.number <= MOST_DECISIONS
    assert times * analysis.most_instances <= MOST_INSTANCES
