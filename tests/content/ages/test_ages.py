"""Through the Ages loads at every level, plays alike on both engines, keeps its examples and laws, and leaves room."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from aodrules.check.from_ruleset import check
from aodrules.cli.main import cli
from aodrules.compose.library import shipped_files
from aodrules.source.diagnostics import Report
from tests.content.ages.playing import LEVELS, STAYS, level_of, play_alike, rules_of
from tests.room import assert_room

VARIANTS = tuple(shipped_files("ages").names("variant"))
TOGETHER = ("corruption", "draw-action", "easier", "fewer-scoring", "no-gang", "open-scoring", "peaceful")
ROOM = 4
"""So far must every bound be from what the rules may need."""


@pytest.mark.soak
def test_it_loads_with_many_variants_at_once() -> None:
    assert rules_of(*TOGETHER).players == (2, 4)


@pytest.mark.soak
@pytest.mark.parametrize("variant", VARIANTS)
def test_it_loads_with_each_variant(variant: str) -> None:
    assert rules_of(variant).players == (2, 4)


@pytest.mark.slow
@pytest.mark.parametrize("level, players", [("advanced", 3), ("simple", 4)])
def test_both_engines_play_it_alike(level: str, players: int) -> None:
    assert play_alike(level_of(level), players, seed=players, eager=False) > 50


@pytest.mark.soak
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("eager", [False, True])
def test_both_engines_play_more_of_it_alike(level: str, players: int, *, eager: bool) -> None:
    for seed in range(3):
        assert play_alike(level_of(level), players, seed, eager=eager) > 50


@pytest.mark.soak
@pytest.mark.parametrize("games", [4])
def test_its_laws_hold_in_games_in_which_nobody_resigns(games: int) -> None:
    result = CliRunner().invoke(cli, ["test", f"ages+{STAYS}", "--properties", "--games", str(games)])
    assert result.exit_code == 0, result.output


@pytest.mark.parametrize("level", ["", pytest.param("advanced", marks=pytest.mark.soak), "simple"])
def test_its_examples_hold_at_every_level(level: str) -> None:
    result = CliRunner().invoke(cli, ["test", f"ages+{level}"])
    assert result.exit_code == 0, result.output


@pytest.mark.parametrize("variants", [(), pytest.param(TOGETHER, marks=pytest.mark.soak)], ids=["base", "variants"])
def test_every_bound_leaves_room(variants: tuple[str, ...]) -> None:
    assert_room(check(rules_of(*variants).book.ruleset, Report()), ROOM)


@pytest.mark.soak
@pytest.mark.parametrize("variant", ["", *VARIANTS])
def test_every_clause_is_modelled_and_tested(variant: str) -> None:
    result = CliRunner().invoke(cli, ["clauses", f"ages+{variant}"])
    assert "no gap" in result.output, result.output


def test_the_clauses_of_the_full_game_are_modelled_and_tested() -> None:
    result = CliRunner().invoke(cli, ["clauses", "ages"])
    assert result.exit_code == 0, result.output
    assert "254 clauses" in result.output
    assert "no gap" in result.output


def test_every_question_and_answer_has_english_words() -> None:
    checked = rules_of("corruption", "draw-action", "secret-scoring").book.checked
    addresses = {each.address for each in checked.decisions.values()}
    addresses |= {option.address for each in checked.decisions.values() for option in each.options}
    assert {each for each in addresses if "en" not in checked.texts.get(each, ())} == set()
    members = {f"{kind.name}.{member}" for kind in checked.kinds.values() for member in kind.members}
    cards = {"civil", "military"}
    assert {each for each in members if each.split(".")[0] not in cards and each not in checked.texts} == set()
