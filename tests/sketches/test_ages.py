"""A large game: it loads at every level, plays alike on both engines, and keeps its examples."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path

import pytest
from click.testing import CliRunner

import aodrules
from aodrules.check.from_ruleset import check
from aodrules.cli.main import cli
from aodrules.source.diagnostics import Report
from tests.room import assert_room

AGES = Path(__file__).parent / "ages"
VARIANTS = tuple(sorted(path.stem for path in (AGES / "variants").glob("*.yaml")))
TOGETHER = ("corruption", "draw-action", "easier", "fewer-scoring", "no-gang", "open-scoring", "peaceful")
LEVELS = ("no-resigning", "advanced", "simple")
"""What is played: at the full level somebody who plays at random resigns in the second round."""
QUITTING = ("done", "pass", "stay", "decline")
"""Answers that a weighted player gives only now and then."""
PATIENCE = 0.8
ROOM = 4
"""So far must every bound be from what the rules may need."""


@cache
def rules_of(*variants: str) -> aodrules.Rules:
    return aodrules.load(AGES, variants)


def play_alike(rules: aodrules.Rules, players: int, seed: int, *, eager: bool) -> int:
    """Play a game on both engines, and return how many decisions it had."""
    chance = random.Random(seed)
    engines = [
        rules.new_game(players=players, seed=seed, engine=name, undo=False) for name in ("compiled", "interpreter")
    ]
    game, reference = engines
    decisions = 0
    while not game.over:
        assert list(game.codes) == list(reference.codes)
        action = chance.choice(game.actions)
        if eager and str(action).startswith(QUITTING) and chance.random() < PATIENCE:
            action = chance.choice(game.actions)
        for each in engines:
            each.push(action)
        decisions += 1
    assert reference.over
    assert game.scores == reference.scores
    return decisions


def test_it_loads_with_many_variants_at_once() -> None:
    assert rules_of(*TOGETHER).players == (2, 4)


@pytest.mark.soak
@pytest.mark.parametrize("variant", VARIANTS)
def test_it_loads_with_each_variant(variant: str) -> None:
    assert rules_of(variant).players == (2, 4)


@pytest.mark.parametrize("level, players", [("no-resigning", 2), ("advanced", 3), ("simple", 4)])
def test_both_engines_play_it_alike(level: str, players: int) -> None:
    assert play_alike(rules_of(level), players, seed=players, eager=False) > 50


@pytest.mark.soak
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("eager", [False, True])
def test_both_engines_play_more_of_it_alike(level: str, players: int, *, eager: bool) -> None:
    for seed in range(3):
        assert play_alike(rules_of(level), players, seed, eager=eager) > 50


@pytest.mark.slow
@pytest.mark.parametrize("games", [1, pytest.param(8, marks=pytest.mark.soak)])
def test_its_laws_hold_in_games_in_which_nobody_resigns(games: int) -> None:
    result = CliRunner().invoke(cli, ["test", f"{AGES}+no-resigning", "--properties", "--games", str(games)])
    assert result.exit_code == 0, result.output


def test_its_examples_hold_at_the_simple_level() -> None:
    result = CliRunner().invoke(cli, ["test", f"{AGES}+simple"])
    assert "18 passed, 4 interrupted" in result.output, result.output


@pytest.mark.parametrize("variants", [(), TOGETHER], ids=["base", "variants"])
def test_every_bound_leaves_room(variants: tuple[str, ...]) -> None:
    assert_room(check(rules_of(*variants).book.ruleset, Report()), ROOM)
