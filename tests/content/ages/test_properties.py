"""The laws of Through the Ages hold in games, and each of them breaks in a wrong copy of the rules."""

from __future__ import annotations

from pathlib import Path

import pytest

from aodrules.testing import read_suite
from aodrules.testing.playing import TEMPERS, Line, play
from tests.content.ages.playing import STAYS, rules_of
from tests.content.wrong_copies import WrongCopy, wrong_copies

COPIES = wrong_copies(Path(__file__).with_name("property_kills.yaml"), "ages")
GAMES = 12


def test_every_law_is_broken_by_a_wrong_copy() -> None:
    broken = [name for copy in COPIES for name in copy.breaks]
    assert sorted(broken) == sorted(law.id for law in read_suite(rules_of(STAYS)).properties)


@pytest.mark.parametrize("copy", COPIES[:1], ids=lambda copy: copy.breaks[0])
def test_a_wrong_copy_is_noticed(copy: WrongCopy, tmp_path: Path) -> None:
    assert copy.unnoticed(tmp_path) == set()


@pytest.mark.soak
@pytest.mark.parametrize("copy", COPIES, ids=lambda copy: copy.breaks[0])
def test_every_wrong_copy_is_noticed(copy: WrongCopy, tmp_path: Path) -> None:
    assert copy.unnoticed(tmp_path) == set()


def broken(level: str, players: int, seed: int) -> list[str]:
    rules = rules_of(level)
    line = Line(players, seed, TEMPERS[seed % len(TEMPERS)])
    return [each.law.id for each in play(rules.book, line, read_suite(rules).properties).breaches]


def test_the_laws_hold_in_games() -> None:
    assert broken(STAYS, 3, 1) == []


@pytest.mark.soak
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("level", [STAYS, "advanced", "simple"])
def test_the_laws_hold_in_many_games(level: str, players: int) -> None:
    assert [broken(level, players, seed) for seed in range(GAMES)] == [[]] * GAMES
