"""Better bots beat worse ones, shown with intervals. The long form is `make soak`."""

from __future__ import annotations

import pytest

from aodrules.bots import LEVELS
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


def test_casual_beats_beginner_in_a_large_game() -> None:
    check_better(wins("empires", ("casual", "beginner"), 100))


@pytest.mark.parametrize("rules", SMALL)
def test_casual_beats_beginner_in_the_small_games(rules: str) -> None:
    check_better(wins(rules, ("casual", "beginner"), 12))


@pytest.mark.parametrize("rules", ["tests/games/harbour", "tests/games/caravan"])
def test_strong_beats_casual_in_small_games_with_a_fifth_of_its_playouts(rules: str) -> None:
    check_better(wins(rules, ("strong:20", "casual"), 12))


@pytest.mark.soak
@pytest.mark.parametrize("rules", [*SMALL, "empires", "aoe3-ru"])
@pytest.mark.parametrize("better, worse, games", [("casual", "beginner", 200), ("strong", "casual", 40)])
def test_each_level_beats_the_one_before_it(
    better: str, worse: str, games: int, rules: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert LEVELS.index(better) == LEVELS.index(worse) + 1
    found = wins(rules, (better, worse), games, workers=2)
    with capsys.disabled():
        print(f"\n{rules}: {better} wins {found} of the games against {worse}")  # noqa: T201 - a figure to be seen
    check_better(found)
