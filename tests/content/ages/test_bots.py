"""Bots make sense of Through the Ages: better ones beat worse ones, and a game of theirs has all that a game has."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from aodrules.bots import bot_of
from aodrules.bots.turns import Turn
from aodrules.simulate.matches import MatchSetting
from aodrules.simulate.runs import Run, play_run
from aodrules.simulate.statistics import Estimate, share
from tests.content.ages.playing import STAYS, rules_of

UNITS = ("warriors", "swordsmen", "knights", "riflemen", "cannon")


def wins(bots: tuple[str, str], games: int, workers: int = 1) -> Estimate:
    """Return the share of games for two that the first bot wins; nobody may resign."""
    matches = list(play_run(Run("ages", (STAYS,), MatchSetting(2, bots), first=0, games=games), workers=workers))
    first = [[seat["bot"] for seat in match.seats if seat["place"] == 1] for match in matches]
    return share(sum(winners.count(bots[0]) / len(winners) for winners in first), len(matches))


def test_greedy_beats_random() -> None:
    assert wins(("greedy", "random"), 8).low > 0.5


@pytest.mark.soak
def test_search_beats_greedy() -> None:
    assert wins(("search:100", "greedy"), 10, workers=2).low > 0.5


def test_in_a_greedy_game_of_four_armies_are_built_wonders_finished_and_wars_declared() -> None:
    game, chance, bot = rules_of().new_game(players=4, seed=3, undo=False), random.Random(3), bot_of("greedy")
    done, wonders, armies, technologies = Counter[str](), set[str](), 0, 0
    kinds = rules_of().components
    while not game.over:
        asked = game.decision
        assert asked is not None
        code = bot.choose(Turn(game, game.players.index(asked.player), chance))
        option = str(game.actions[game.codes.index(code)].option)
        done[option] += 1
        game.push(code)
        if option != "done":
            continue
        players = game.state.players.values()
        wonders |= {card for player in players for card in player.tableau if card in kinds["wonder"]}
        armies = max(armies, *(sum(player.on[unit]["yellow"] for unit in UNITS) for player in players))
        technologies = max(technologies, *(sum(map(len, player.known.values())) for player in players))
    assert game.state["round"] > 12
    assert done["resign"] == 0
    assert len(wonders) >= 3
    assert armies >= 3
    assert technologies >= 8
    assert done["declare"] >= 4
    assert done["attack"] >= 4
    assert done["sail"] >= 2
    assert max(score.total for score in game.scores.values()) > 100
