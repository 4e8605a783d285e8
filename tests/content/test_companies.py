"""Variants that make sense together compose in any order; sets that do not are refused with both places."""

from __future__ import annotations

import pytest

import aodrules
from tests.content.compositions import EDITIONS, fitting

NAMES = {
    "two-player", "builders", "national-advantages", "auction", "random-nations", "no-survivors", "scouting",
    "advanced-reconnaissance", "reduced-randomness", "buy-victory-points",
}  # fmt: skip


def test_all_variants_are_there_by_name() -> None:
    assert {name for name, head in fitting("empires").items() if not head.is_ruling} == NAMES
    for edition in ("aoe3-pl", "aoe3-ru"):
        assert {name for name, head in fitting(edition).items() if not head.is_ruling} == {"auction"}


def test_there_are_rulings_to_choose_from() -> None:
    assert len({name for edition in EDITIONS for name, head in fitting(edition).items() if head.is_ruling}) >= 15


@pytest.mark.parametrize(
    "edition, variants, code, said",
    [
        ("empires", ["auction"], "missing-requirement", "national-advantages"),
        ("empires", ["random-nations"], "missing-requirement", "national-advantages"),
        ("empires", ["national-advantages", "auction", "random-nations"], "conflicting-variants", "auction"),
        ("aoe3-pl", ["builders"], "wrong-edition", "empires"),
        ("aoe3-ru", ["two-player"], "wrong-edition", "empires"),
        ("empires", ["nine-ships"], "missing-requirement", "builders"),
    ],
)
def test_what_does_not_go_together_is_refused(edition: str, variants: list[str], code: str, said: str) -> None:
    with pytest.raises(aodrules.RulesError) as caught:
        aodrules.load(edition, variants, cache=False)
    assert code in [problem.code for problem in caught.value.report]
    assert said in str(caught.value)


def test_two_player_needs_two_players() -> None:
    rules = aodrules.load("empires", ["two-player"], cache=False)
    assert rules.players == (2, 2)
    with pytest.raises(ValueError, match="2"):
        rules.new_game(players=3)


def test_naming_order_never_shows() -> None:
    names = ["builders", "national-advantages", "auction", "scouting", "buy-victory-points"]
    one, other = (aodrules.load("empires", each, cache=False) for each in (names, names[::-1]))
    assert one.fingerprint == other.fingerprint
