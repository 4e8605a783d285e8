"""Bots know no more than their seats: where knowing would win they win no more often than chance lets them."""

from __future__ import annotations

from math import comb
from random import Random

import pytest

import aodrules
from aodrules.bots.turns import Turn
from aodrules.bots.words import bot_of
from aodrules.compiler.runtime.compiled import Compiled
from aodrules.play.beliefs import Dealer
from tests.play import secret_games as small

BOTS = ("greedy:8", "search:64")
GAMES = {"a hidden number": small.GUESS, "a roll to come": small.DICE, "the next card": small.STACK}
ROUNDS = 120
CHANCE = 1 / 4
ERROR = 1e-4
"""How often, over all choices of seeds, a bot that knows nothing would fail here, and one that knows would pass."""


def too_many() -> int:
    """Return how many wins of so many rounds come by chance less often than the error allows."""
    return next(least for least in range(ROUNDS) if _at_least(least) < ERROR)


def _at_least(wins: int) -> float:
    return sum(comb(ROUNDS, n) * CHANCE**n * (1 - CHANCE) ** (ROUNDS - n) for n in range(wins, ROUNDS + 1))


def wins(text: str, word: str) -> int:
    """Return how often a bot on the last seat guesses what is hidden, or what chance will bring."""
    won = 0
    for seed in range(ROUNDS):
        game = small.rules_of(text).new_game(players=2, seed=seed)
        chance = Random(seed)
        while not game.over:
            assert game.decision is not None
            if game.decision.player == "bob":
                game.push(bot_of(word).choose(Turn(game, 1, chance)))
            else:
                game.push(chance.choice(game.codes))
        won += game.scores["bob"].total > 0
    return won


@pytest.mark.parametrize("word", BOTS)
@pytest.mark.parametrize("text", GAMES.values(), ids=GAMES)
def test_a_bot_does_not_know_what_would_win(text: str, word: str) -> None:
    assert wins(text, word) < too_many()


@pytest.mark.parametrize("word", BOTS)
@pytest.mark.parametrize("text", GAMES.values(), ids=GAMES)
def test_a_bot_that_knew_would_win(text: str, word: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The tests above would notice: bots that look ahead in the true position win nearly always."""

    def truth(dealer: Dealer, seed: int) -> Compiled:
        return dealer._machine.copy()

    monkeypatch.setattr(Dealer, "deal", truth)
    assert wins(text, word) > 0.9 * ROUNDS
    assert too_many() < 0.5 * ROUNDS


WIDE = small.GUESS.replace("number 0..3", "number 0..9999").replace(
    "hide: {hidden: true, for: {n: 0..3}", "hide: {hidden: true, for: {n: 0..9998}"
)


@pytest.mark.parametrize("word", BOTS)
def test_where_nothing_can_be_dealt_a_bot_takes_any_action(word: str) -> None:
    chosen = set()
    for seed in range(40):
        game = small.rules_of(WIDE).new_game(players=2, seed=1)
        game.push("hide 2")
        with pytest.raises(aodrules.SampleError):
            game.sample("bob", 1)
        chosen.add(bot_of(word).choose(Turn(game, 1, Random(seed))))
    assert chosen == set(game.codes)
