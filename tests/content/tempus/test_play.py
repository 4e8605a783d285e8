"""Tempus: it plays alike on both engines, keeps its examples and laws, and leaves room to bounds."""

from __future__ import annotations

import random
from functools import cache

import pytest
from click.testing import CliRunner

import aodrules
from aodrules.check.from_ruleset import check
from aodrules.cli.main import cli
from aodrules.source.diagnostics import Report
from tests.room import assert_room

VARIANTS = tuple(entry.id for entry in aodrules.catalogue()["tempus"].other_readings)
PLAYERS = (3, 4, 5)
ROOM = 4
"""How many times what is needed each bound must leave."""


@cache
def rules_of(*variants: str) -> aodrules.Rules:
    return aodrules.load("tempus", variants)


def play_alike(rules: aodrules.Rules, players: int, seed: int) -> int:
    """Play a game on both engines, and return how many decisions it had."""
    chance = random.Random(seed)
    game, reference = (
        rules.new_game(players=players, seed=seed, engine=name, undo=False) for name in ("compiled", "interpreter")
    )
    decisions = 0
    while not game.over:
        assert list(game.codes) == list(reference.codes)
        action = chance.choice(game.actions)
        game.push(action)
        reference.push(action)
        decisions += 1
    assert reference.over
    assert game.scores == reference.scores
    return decisions


@pytest.mark.parametrize("players", PLAYERS)
def test_both_engines_play_it_alike(players: int) -> None:
    assert play_alike(rules_of(), players, seed=players) > 300


@pytest.mark.soak
@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("players", PLAYERS)
def test_both_engines_play_it_alike_with_each_variant(variant: str, players: int) -> None:
    for seed in range(3):
        assert play_alike(rules_of(variant), players, seed) > 300


def test_it_loads_with_all_variants_at_once() -> None:
    assert rules_of(*VARIANTS).players == (3, 5)


def test_its_examples_hold_with_all_variants() -> None:
    result = CliRunner().invoke(cli, ["test", "+".join(["tempus", *VARIANTS])])
    assert result.exit_code == 0, result.output


@pytest.mark.slow
@pytest.mark.parametrize("games", [1, pytest.param(8, marks=pytest.mark.soak)])
def test_its_laws_hold_in_games_played_at_random(games: int) -> None:
    result = CliRunner().invoke(cli, ["test", "tempus", "--properties", "--games", str(games)])
    assert result.exit_code == 0, result.output


@pytest.mark.parametrize("variants", [(), VARIANTS], ids=["alone", "with-variants"])
def test_every_bound_leaves_room(variants: tuple[str, ...]) -> None:
    assert_room(check(rules_of(*variants).book.ruleset, Report()), ROOM)
