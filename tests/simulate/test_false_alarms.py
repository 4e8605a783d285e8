"""A comparison claims nothing where nothing was changed, and sees what was: shown on games that were played."""

from __future__ import annotations

from functools import cache
from random import Random

import attrs
import pytest

import aodrules
from aodrules.simulate.balance import Balance, compare
from aodrules.simulate.matches import Match, MatchSetting, play_match

RUNS = 200


@cache
def played(rules: str) -> tuple[Match, ...]:
    loaded = aodrules.load(rules)
    return tuple(play_match(loaded, MatchSetting(2, ("random",)), seed) for seed in range(150))


def drawn(chance: Random, rules: str, count: int, more: int = 0) -> list[Match]:
    """Return so many games, drawn from those that were played; with so many more points for everybody."""
    found = chance.choices(played(rules), k=count)
    return [attrs.evolve(match, seed=seed, seats=_richer(match, more)) for seed, match in enumerate(found)]


def _richer(match: Match, more: int) -> tuple[dict[str, object], ...]:
    return tuple({**seat, "total": seat["total"] + more} for seat in match.seats)


def runs(rules: str, count: int, more: int = 0) -> list[Balance]:
    """Return comparisons of two runs that differ in their chance alone, and in points if more of them are given."""
    chance = Random(f"{rules} {count}")
    return [
        compare("one", "other", drawn(chance, rules, count), drawn(chance, rules, count, more)) for _ in range(RUNS)
    ]


@pytest.mark.parametrize(
    "rules, count",
    [
        *(("tests/games/harbour", count) for count in (2, 4, 8, 15, 20, 40)),
        pytest.param("tests/games/harbour", 100, marks=pytest.mark.slow),
        *(("tests/games/nim.yaml", count) for count in (2, 4, 8, 12, 20, 100)),
    ],
)
def test_at_most_one_run_in_twenty_claims_something_if_nothing_was_changed(rules: str, count: int) -> None:
    assert sum(bool(found.differing) for found in runs(rules, count)) <= RUNS * 0.05


def test_what_is_a_quarter_more_than_the_least_that_can_be_seen_is_seen_four_times_in_five() -> None:
    """In Harbour four points more for everybody are a quarter above what 55 games can show."""
    found = runs("tests/games/harbour", 55, 4)
    (points,) = zip(*([line for line in each.lines if line.group == "points"] for each in found), strict=True)
    assert sum(line.change.reach for line in points) / RUNS == pytest.approx(4 / 1.25, rel=0.1)
    assert RUNS * 0.75 <= sum(line.verdict == "more" for line in points) <= RUNS * 0.95
    assert not any(line.verdict == "less" for line in points)


def test_what_is_below_the_least_that_can_be_seen_is_not_claimed() -> None:
    for each in runs("tests/games/harbour", 30, 1):
        assert all(abs(line.change.value) >= line.change.reach for line in each.differing)
        assert all(abs(line.change.value) <= line.change.reach for line in each.lines if line not in each.differing)
