"""Tempus is played to its end: alike on both engines, in ten eras, by its examples and laws, and no bound is near."""

from __future__ import annotations

from pathlib import Path

import pytest

from aodrules.check.from_ruleset import check
from aodrules.source.diagnostics import Report
from aodrules.testing import Suite, read_suite
from aodrules.testing.playing import TEMPERS, Line, play
from aodrules.testing.scenario_runner import ScenarioRunner
from aodrules.testing.suites import scenario_result
from tests.content.tempus.playing import (
    PLAYERS,
    VARIANTS,
    Chooser,
    at_random,
    eagerly,
    greedily,
    play_alike,
    rules_of,
)
from tests.room import assert_room

ROOM = 4
"""How many times what is needed each bound must leave."""
SOAKED_GAMES = 8


@pytest.mark.parametrize("players, choose", [(3, eagerly), (5, at_random)])
def test_both_engines_play_it_alike(players: int, choose: Chooser) -> None:
    assert play_alike(rules_of(), players, players, choose)["decision.turn"] >= 40 * players


@pytest.mark.slow
def test_both_engines_play_greedy_people_alike() -> None:
    assert play_alike(rules_of(), 3, 1, greedily)["decision.turn"] >= 40 * 3


@pytest.mark.soak
@pytest.mark.parametrize("choose", [at_random, eagerly, greedily])
@pytest.mark.parametrize("players", PLAYERS)
def test_both_engines_play_many_games_alike(players: int, choose: Chooser) -> None:
    for seed in range(SOAKED_GAMES):
        asked = play_alike(rules_of(), players, seed, choose)
        assert 40 * players <= asked["decision.turn"] <= 50 * players


@pytest.mark.soak
@pytest.mark.parametrize("choose", [at_random, eagerly])
@pytest.mark.parametrize("variant", VARIANTS)
def test_both_engines_play_each_reading_alike(variant: str, choose: Chooser) -> None:
    for seed in range(SOAKED_GAMES):
        play_alike(rules_of(variant), PLAYERS[seed % len(PLAYERS)], seed, choose)


# Examples and laws.


def broken_examples(suite: Suite, first: int = 0, step: int = 1) -> list[tuple[str, str]]:
    stage = ScenarioRunner(suite.book)
    results = [scenario_result(stage, scenario) for scenario in suite.scenarios[first::step]]
    return [(result.id, result.message) for result in results if result.is_wrong]


def test_its_examples_hold() -> None:
    suite = read_suite(rules_of())
    assert list(suite.problems) == []
    assert broken_examples(suite) == []


@pytest.mark.parametrize("number", range(len(VARIANTS)))
def test_its_examples_hold_with_another_reading(number: int) -> None:
    """Every eighth of them by turns, and all that the reading brings along; in the soak all of them."""
    suite = read_suite(rules_of(VARIANTS[number]))
    assert list(suite.problems) == []
    assert broken_examples(suite, number % 8, 8) == []
    mine = [each for each in suite.scenarios if Path(each.statement.span.path).stem == VARIANTS[number]]
    assert mine
    stage = ScenarioRunner(suite.book)
    assert [result.message for each in mine if (result := scenario_result(stage, each)).is_wrong] == []


@pytest.mark.soak
@pytest.mark.parametrize("variants", [*((name,) for name in VARIANTS), VARIANTS], ids="+".join)
def test_all_its_examples_hold_with_other_readings(variants: tuple[str, ...]) -> None:
    assert broken_examples(read_suite(rules_of(*variants))) == []


@pytest.mark.parametrize("variants", [VARIANTS, *(pytest.param((name,), marks=pytest.mark.soak) for name in VARIANTS)])
def test_its_laws_hold(variants: tuple[str, ...]) -> None:
    suite = read_suite(rules_of(*variants))
    breaches = play(suite.book, Line(PLAYERS[0], 0, TEMPERS[0]), suite.properties).breaches
    assert [breach.law.id for breach in breaches] == []


@pytest.mark.soak
@pytest.mark.parametrize("players", PLAYERS)
def test_its_laws_hold_in_many_games(players: int) -> None:
    suite = read_suite(rules_of())
    for seed in range(SOAKED_GAMES):
        line = Line(players, seed, TEMPERS[seed % len(TEMPERS)])
        assert [breach.law.id for breach in play(suite.book, line, suite.properties).breaches] == []


@pytest.mark.parametrize("variants", [(), VARIANTS], ids=["alone", "with-variants"])
def test_every_bound_leaves_room(variants: tuple[str, ...]) -> None:
    assert_room(check(rules_of(*variants).book.ruleset, Report()), ROOM)
