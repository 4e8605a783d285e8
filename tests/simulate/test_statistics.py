"""Intervals hold what they promise."""

from __future__ import annotations

from random import Random

import pytest

from aodrules.simulate.statistics import difference, mean, share


def test_the_interval_of_a_share_covers_the_truth_about_as_often_as_promised() -> None:
    chance, covered = Random(1), 0
    for _ in range(1000):
        hits = sum(chance.random() < 0.3 for _ in range(80))
        found = share(hits, 80)
        covered += found.low <= 0.3 <= found.high
    assert 920 <= covered <= 980


def test_paired_games_tell_a_small_difference_from_chance() -> None:
    chance = Random(2)
    before = [chance.gauss(50, 20) for _ in range(200)]
    after = [value + 1 + chance.gauss(0, 2) for value in before]
    assert difference(before, after).excludes_zero
    assert not difference(before, [value + chance.gauss(0, 2) for value in before]).excludes_zero


@pytest.mark.parametrize("values", [[], [3.0]])
def test_too_few_games_tell_nothing(values: list[float]) -> None:
    assert mean(values).low == float("-inf")
