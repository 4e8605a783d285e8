"""The small games are far from the bounds: what is like them loads too."""

from __future__ import annotations

import pytest

from aodrules.check.analyse.bounds import MOST_DECISIONS, MOST_IN_ALL, MOST_INSTANCES, MOST_WORK
from aodrules.check.analyse.calls import call_graph
from aodrules.check.analyse.interval_analysis import ranges
from aodrules.check.analyse.work import WorkAnalysis
from aodrules.source.diagnostics import Report
from tests.games.rulesets import RULESETS, checked

ROOM = 2
"""How many times what is needed each bound must leave."""


@pytest.mark.parametrize("word", RULESETS)
def test_every_bound_leaves_room(word: str) -> None:
    rules = checked(word)
    graph = call_graph(rules, Report())
    analysis = WorkAnalysis(rules, graph, ranges(rules, graph, Report()))
    assert analysis.added_up() == []
    game = analysis.whole_game
    assert ROOM * game.most.number <= MOST_WORK
    assert ROOM * game.most_in_all.number <= MOST_IN_ALL
    assert ROOM * game.most_decisions.number <= MOST_DECISIONS
    assert ROOM * analysis.most_instances <= MOST_INSTANCES
