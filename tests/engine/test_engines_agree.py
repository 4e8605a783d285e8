"""Both engines agree on every question, answer, event and state of random games of the small games."""

from __future__ import annotations

import random
from functools import cache

import pytest

from aodrules.engine.compiled import Compiled, Program, compiled
from aodrules.engine.interpreter import Interpreter
from tests.games.rulesets import RULESETS, checked, player_counts

SEEDS = {"nim": 10, "harbour": 12, "caravan": 42, "isles": 36}
"""Random games for each ruleset and number of players, by game: together more than 20,000 decisions."""
GAMES = [(word, players) for word in RULESETS for players in player_counts(checked(word))]
LEAST_DECISIONS = 20_000


@cache
def program(word: str, players: int, *, log: bool = True) -> Program:
    return compiled(checked(word), players, log=log)


@pytest.mark.parametrize("word, players", GAMES)
def test_engines_agree(word: str, players: int) -> None:
    for seed in range(SEEDS[word.split("+")[0]]):
        compare(word, players, seed)


@pytest.mark.soak
@pytest.mark.parametrize("word, players", GAMES)
def test_engines_agree_in_many_games(word: str, players: int) -> None:
    for seed in range(1000, 1400):
        compare(word, players, seed)


def test_enough_is_compared() -> None:
    """Count what the first test plays with the quicker engine alone."""
    played = sum(
        length(word, players, seed) for word, players in GAMES for seed in range(SEEDS[word.split("+")[0]])
    )
    assert played >= LEAST_DECISIONS


def compare(word: str, players: int, seed: int) -> None:
    """Play one random game on both engines, and on generated code that keeps no log."""
    chance = random.Random(seed)
    reference = Interpreter(checked(word), players, seed)
    other = Compiled.new_game(program(word, players), seed)
    silent = Compiled.new_game(program(word, players, log=False), seed)
    taken: list[int] = []
    while True:
        where = f"{word}, {players} players, seed {seed}, after {taken}"
        assert_equal(reference, other, where)
        assert silent.cells == other.cells, where
        if reference.pending is None:
            return
        code = chance.choice(reference.codes)
        taken.append(code)
        if len(taken) % 5 == 0:
            other = other.copy()  # a copy goes on like the game it was made of, in the middle of anything
        for game in (reference, other, silent):
            game.apply(code)


def assert_equal(reference: Interpreter, other: Compiled, where: str) -> None:
    assert other.pending == reference.pending, where
    assert other.codes == reference.codes, where
    assert other.listed() == reference.codes, where
    assert other.happenings == reference.happenings, where
    assert other.plain() == reference.state, where


def length(word: str, players: int, seed: int) -> int:
    """Return how many decisions a random game has."""
    chance = random.Random(seed)
    game = Compiled.new_game(program(word, players, log=False), seed)
    decisions = 0
    while game.codes:
        game.apply(chance.choice(game.codes))
        decisions += 1
    return decisions
