"""Bots choose legal actions of any game, and better ones beat worse ones."""

from __future__ import annotations

from random import Random

import pytest

import aodrules
from aodrules.simulate.bots import GreedyBot, RandomBot, SearchBot, bot_of
from aodrules.simulate.turns import Bot, Turn

GAMES = ("tests/games/nim.yaml", "tests/games/harbour", "tests/games/caravan", "tests/games/isles")


def play(game: aodrules.Game, bots: list[Bot], seed: int) -> None:
    chance = Random(seed)
    while not game.over:
        assert game.decision is not None
        seat = game.players.index(game.decision.player)
        game.push(bots[seat].choose(Turn(game, seat, chance)))


@pytest.mark.parametrize("path", GAMES)
@pytest.mark.parametrize(
    "bot", [RandomBot(), GreedyBot(), SearchBot(iterations=5, depth=5)], ids=["random", "greedy", "search"]
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
        play(game, [SearchBot(iterations=300), RandomBot()], seed)
        won += game.scores["first"].total
    assert won >= 9


def test_greedy_beats_random_at_harbour() -> None:
    rules = aodrules.load("tests/games/harbour")
    ahead = 0
    for seed in range(20):
        game = rules.new_game(players=2, seed=seed)
        bots: list[Bot] = [GreedyBot(), RandomBot()] if seed % 2 else [RandomBot(), GreedyBot()]
        play(game, bots, seed)
        totals = [game.scores[player].total for player in game.players]
        ahead += (totals[0] > totals[1]) == bool(seed % 2)
    assert ahead >= 15


def test_a_bot_that_does_not_exist_is_named_with_those_that_do() -> None:
    with pytest.raises(ValueError, match="there are `greedy`, `random`, `search`"):
        bot_of("grandmaster")
