"""Both engines agree on every question, answer, event and state of random games of the small games."""

from __future__ import annotations

import random
from functools import cache

import pytest

from aodrules.compiler.runtime.compiled import Compiled, Program
from aodrules.interpreter.interpreter import Interpreter
from aodrules.play.comparison import first_difference
from aodrules.play.engines import program_of
from tests.engines.playing import left_over
from tests.games.rulesets import RULESETS, checked, name_of_game, player_counts
from tests.sampling import sampled

pytestmark = pytest.mark.slow

SEEDS = {"nim": 5, "harbour": 6, "caravan": 18, "isles": 12}
"""Random games for each ruleset and number of players, by game."""
DECISIONS = {"nim": 2, "harbour": 20, "caravan": 16, "isles": 16}
"""How many decisions each player makes in a game, at least and on average."""
LEAST_DECISIONS = 3_000
GAMES = [(word, players) for word in RULESETS for players in player_counts(checked(word))]


@cache
def program(word: str, players: int, *, log: bool = True) -> Program:
    return program_of(checked(word), players, log=log)


def expected(word: str, players: int) -> int:
    """Return how many decisions the games of a ruleset have at least."""
    game = name_of_game(word)
    return SEEDS[game] * players * DECISIONS[game]


@pytest.mark.parametrize("word, players", sampled(GAMES, 3))
def test_engines_agree(word: str, players: int) -> None:
    played = sum(compare(word, players, seed) for seed in range(SEEDS[name_of_game(word)]))
    assert played >= expected(word, players)


def test_enough_is_compared() -> None:
    assert sum(expected(word, players) for word, players in GAMES[::3]) >= LEAST_DECISIONS


@pytest.mark.soak
@pytest.mark.parametrize("word, players", GAMES)
def test_engines_agree_in_many_games(word: str, players: int) -> None:
    for seed in range(1000, 1400):
        compare(word, players, seed)


def compare(word: str, players: int, seed: int) -> int:
    """Play one random game on both engines, and on generated code that keeps no log; return its decisions."""
    chance = random.Random(seed)
    reference = Interpreter(checked(word), players, seed)
    other = Compiled.new_game(program(word, players), seed)
    silent = Compiled.new_game(program(word, players, log=False), seed)
    taken: list[int] = []
    while True:
        difference = find_difference(reference, other, silent, len(taken))
        assert difference is None, f"{difference} differ: {word}, {players} players, seed {seed}, after {taken}"
        if reference.pending is None:
            return len(taken)
        code = chance.choice(reference.codes)
        taken.append(code)
        if len(taken) % 5 == 0:
            other = other.copy()  # a copy goes on like the game it was made of, in the middle of anything
        for game in (reference, other, silent):
            game.apply(code)


def cells_of(game: Compiled) -> list[object]:
    """Return the cells without those of kept values, which tell nothing that the fields do not."""
    kept = game.program.plan.layout.kept_cells
    return [cell for number, cell in enumerate(game.cells) if number not in kept]


def find_difference(reference: Interpreter, other: Compiled, silent: Compiled, answered: int) -> str | None:
    """Return what the engines do not agree on."""
    parts = {
        "answers listed anew": other.listed() == reference.codes,
        "states without a log": cells_of(silent) == cells_of(other),
        "cells that are not live and 0": not left_over(other),
    }
    different = first_difference(reference, other, reference.tables.players, answered)
    return different or next((part for part, agree in parts.items() if not agree), None)
