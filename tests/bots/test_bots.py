"""Bots choose legal actions of any game, and better ones beat worse ones."""

from __future__ import annotations

import pickle
from itertools import count
from math import ceil, log2
from random import Random
from typing import Any

import pytest

import aodrules
from aodrules.bots import BotError, GreedyBot, RandomBot, SearchBot, Turn, bot_of, searching
from aodrules.bots.turns import Bot
from aodrules.simulate.matches import MatchSetting
from aodrules.simulate.runs import Run, play_run

GAMES = ("tests/games/nim.yaml", "tests/games/harbour", "tests/games/caravan", "tests/games/isles")


def player(game: aodrules.Game) -> str:
    assert game.decision is not None
    return game.decision.player


def play(game: aodrules.Game, bots: list[Bot], seed: int) -> None:
    chance = Random(seed)
    while not game.over:
        seat = game.players.index(player(game))
        game.push(bots[seat].choose(Turn(game, seat, chance)))


@pytest.mark.parametrize("path", GAMES)
@pytest.mark.parametrize(
    "bot", [RandomBot(), GreedyBot(), SearchBot(playouts=5, depth=5)], ids=["random", "greedy", "search"]
)
def test_a_bot_plays_any_game_to_the_end(path: str, bot: Bot) -> None:
    game = aodrules.load(path).new_game(players=2, seed=3)
    play(game, [bot, RandomBot()], 1)
    assert game.over


def test_search_wins_a_game_of_nim_that_can_be_won() -> None:
    rules = aodrules.load("tests/games/nim.yaml")
    won = 0
    for seed in range(10):
        game = rules.new_game(players=2, seed=seed)
        play(game, [SearchBot(playouts=300), RandomBot()], seed)
        won += game.scores["first"].total
    assert won >= 9


def test_greedy_looks_one_step_ahead_and_no_further() -> None:
    """Harbour after some answers: what greedy takes leads to the best margin that any single answer leads to."""
    rules = aodrules.load("tests/games/harbour")
    compared = 0
    for seed in range(5):
        game, chance = rules.new_game(players=2, seed=seed), Random(seed)
        for _ in range(12):
            game.push(chance.choice(game.codes))
        seat = game.players.index(player(game))
        worth = {code: _margin_after(game, code, seat) for code in game.codes}
        chosen = GreedyBot().choose(Turn(game, seat, chance))
        compared += len(set(worth.values())) > 1
        assert worth[chosen] == max(worth.values())
    assert compared > 0


def _margin_after(game: aodrules.Game, code: int, seat: int) -> int:
    after = game.copy()
    after.push(code)
    totals = [after.scores[player].total for player in after.players]
    return totals[seat] - totals[1 - seat]


@pytest.mark.parametrize("rounds", [2, 3, 50])
def test_a_search_plays_about_as_many_rounds_as_it_may(rounds: int, monkeypatch: pytest.MonkeyPatch) -> None:
    played = 0
    once = searching._TreeSearch._round

    def counted(*given: Any) -> float:
        nonlocal played
        played += 1
        return once(*given)

    monkeypatch.setattr(searching._TreeSearch, "_round", counted)
    game = aodrules.load("tests/games/isles").new_game(players=2, seed=3)
    seat = game.players.index(player(game))
    assert SearchBot(rounds, depth=3).choose(Turn(game, seat, Random(1))) in game.codes
    assert rounds / 2 < played <= rounds


@pytest.mark.parametrize("budget", [1, 4, 30])
def test_a_search_stops_in_time(budget: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a clock that goes on by a millisecond whenever somebody looks at it."""
    looks = count()
    monkeypatch.setattr(searching, "monotonic", lambda: next(looks) / 1000)
    game = aodrules.load("tests/games/isles").new_game(players=2, seed=3)
    for bot in (bot_of(f"search:{budget}ms"), bot_of("strong", ms=budget)):
        begun = next(looks)
        assert bot.choose(Turn(game, game.players.index(player(game)), Random(1))) in game.codes
        phases = ceil(log2(len(game.codes)))
        assert budget < next(looks) - begun <= budget + phases + 2


def test_a_bot_that_does_not_exist_is_named_with_those_that_do() -> None:
    for word in ("grandmaster", "search:", "search:ten", "greedy:2s", "casual:5", "strong:5h", "search:1e9s"):
        with pytest.raises(aodrules.ArgumentError, match="there are `beginner`, `casual`, `strong`, `random`"):
            bot_of(word)
    for word in ("nowhere.Clever", "random.NoSuchClass"):
        with pytest.raises(aodrules.ArgumentError, match=f"there is no bot `{word}`"):
            bot_of(word)


class LastBot:
    def choose(self, turn: Turn) -> int:
        return turn.codes[-1]


def test_a_bot_of_ones_own_plays_by_the_path_of_its_class() -> None:
    run = Run("tests/games/nim.yaml", (), MatchSetting(2, ("tests.bots.test_bots.LastBot", "random")), first=0, games=3)
    assert [match.seats[0]["bot"] for match in play_run(run, workers=1)].count("random") == 1


class NeedsBot(LastBot):
    def __init__(self, depth: int) -> None:
        self.depth = depth


class MuteBot:
    pass


class CheatingBot:
    def choose(self, turn: Turn) -> int:
        return turn.codes[-1] + 1_000_000


class BrokenBot:
    def choose(self, turn: Turn) -> int:
        raise KeyError(turn.player)


@pytest.mark.parametrize(
    "name, said", [("NeedsBot", "'depth'"), ("MuteBot", "no method `choose`"), ("no_bot", "no_bot")]
)
def test_a_class_that_is_no_bot_is_not_taken_for_one(name: str, said: str) -> None:
    with pytest.raises(ValueError, match=f"there is no bot `tests.bots.test_bots.{name}`: .*{said}"):
        bot_of(f"tests.bots.test_bots.{name}")


@pytest.mark.parametrize(
    "name, said",
    [
        ("BrokenBot", r"`tests\.bots\.test_bots\.BrokenBot` failed: KeyError: 'first' \(test_bots\.py:\d+\)"),
        ("CheatingBot", r"`tests\.bots\.test_bots\.CheatingBot` chose 100\d+, which is none of the legal codes"),
    ],
)
def test_a_mistake_of_somebody_elses_bot_is_told_as_theirs(name: str, said: str) -> None:
    bots = (f"tests.bots.test_bots.{name}", "random")
    run = Run("tests/games/nim.yaml", (), MatchSetting(2, bots), first=0, games=1)
    with pytest.raises(BotError, match=said) as found:
        list(play_run(run, workers=1))
    # As a worker sends it.
    assert str(pickle.loads(pickle.dumps(found.value))) == str(found.value)
