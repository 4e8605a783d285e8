"""Bots make sense of Tempus: each beats the one before it."""

from __future__ import annotations

import pytest

from aodrules.simulate.matches import MatchSetting
from aodrules.simulate.runs import Run, play_run
from aodrules.simulate.statistics import Estimate, share

FAIR = 1 / 3


def wins(one: str, others: str, games: int, workers: int = 1) -> Estimate:
    """Return the share of games for three that the first bot wins against two of the others."""
    setting = MatchSetting(3, (one, others, others))
    matches = list(play_run(Run("tempus", (), setting, first=0, games=games), workers=workers))
    first = [[seat["bot"] for seat in match.seats if seat["place"] == 1] for match in matches]
    return share(sum(winners.count(one) / len(winners) for winners in first), len(matches))


@pytest.mark.slow
def test_greedy_beats_random() -> None:
    assert wins("greedy", "random", 16).low > FAIR


@pytest.mark.soak
def test_search_beats_greedy() -> None:
    assert wins("search:100", "greedy", 24, workers=2).low > FAIR
