"""Steps of a decision are counted alike each time, and Age of Discovery takes no more of them than it did."""

from __future__ import annotations

import sys

import pytest

import aodrules
from benchmarks.rates import BARE, LOGGED, WAYS
from benchmarks.steps import main, steps_of

MEASURED = (3, 11)
BEFORE = 369_637
"""Steps of two games of `empires` with 689 decisions, before the language got its short forms (commit 199ea61)."""


def test_the_same_games_take_the_same_steps() -> None:
    rules = aodrules.load("nim")
    first, again = (steps_of(rules, 2, 2, **WAYS[BARE]) for _ in range(2))
    assert first == again
    assert first[1] > 20 * first[0] > 0


def test_a_log_takes_more_steps() -> None:
    rules = aodrules.load("nim")
    assert steps_of(rules, 2, 1, **WAYS[LOGGED])[1] > steps_of(rules, 2, 1, **WAYS[BARE])[1]


def test_it_is_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    main("nim")
    head, *rows = capsys.readouterr().out.splitlines()
    assert head.split()[-2:] == ["steps", "each"]
    assert [row.split()[0] for row in rows] == ["nim"] * len(WAYS)


@pytest.mark.skipif(sys.version_info[:2] != MEASURED, reason="other versions of Python count other steps")
def test_age_of_discovery_takes_no_more_steps_than_before() -> None:
    assert steps_of(aodrules.load("empires"), 4, 2, **WAYS[BARE])[1] <= BEFORE
