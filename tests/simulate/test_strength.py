"""Better bots beat worse ones, shown with intervals. The long form is `make soak`."""

from __future__ import annotations

import pytest

from aodrules.simulate.matches import Match, MatchSetting
from aodrules.simulate.runs import Run, play_run
from aodrules.simulate.statistics import Estimate, share

SMALL = ["tests/games/harbour", "tests/games/caravan", "tests/games/isles"]


def wins(rules: str, bots: tuple[str, str], games: int, workers: int = 1) -> Estimate:
    """Return the share of games that the first bot wins against the second, who change seats with each game."""
    matches = list(play_run(Run(rules, (), MatchSetting(2, bots), first=0, games=games), workers=workers))
    return share(sum(_won(match, bots[0]) for match in matches), len(matches))


def _won(match: Match, bot: str) -> float:
    winners = [seat["bot"] for seat in match.seats if seat["place"] == 1]
    return winners.count(bot) / len(winners)


def check_better(found: Estimate) -> None:
    assert found.low > 0.5, str(found)


def test_greedy_beats_random_in_empires() -> None:
    check_better(wins("empires", ("greedy", "random"), 100))


@pytest.mark.parametrize("rules", SMALL)
def test_greedy_beats_random_in_the_small_games(rules: str) -> None:
    check_better(wins(rules, ("greedy", "random"), 12))


@pytest.mark.parametrize("rules", ["tests/games/harbour", "tests/games/caravan"])
def test_search_beats_greedy_in_small_games(rules: str) -> None:
    check_better(wins(rules, ("search:20", "greedy"), 12))


@pytest.mark.soak
@pytest.mark.parametrize("rules", [*SMALL, "empires"])
def test_search_beats_greedy_with_a_hundred_rounds(rules: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = wins(rules, ("search:100", "greedy"), 40, workers=2)
    with capsys.disabled():
        print(f"\n{rules}: search:100 wins {found} of the games against greedy")  # noqa: T201 - a figure to be seen
    check_better(found)
