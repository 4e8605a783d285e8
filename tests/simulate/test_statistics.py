"""Intervals hold what they promise, however few the games are."""

from __future__ import annotations

from itertools import product
from math import comb, inf, sqrt
from random import Random
from statistics import stdev

import pytest

from aodrules.simulate.statistics import effect, fewest_games, mean, share, shift


@pytest.mark.parametrize("count", [1, 2, 5, 12, 40])
def test_the_interval_of_a_share_covers_every_truth_at_least_as_often_as_promised(count: int) -> None:
    found = [share(hits, count) for hits in range(count + 1)]
    for truth in (0.01, 0.1, 0.25, 0.5, 0.83):
        chances = [comb(count, hits) * truth**hits * (1 - truth) ** (count - hits) for hits in range(count + 1)]
        covered = sum(each for each, one in zip(chances, found, strict=True) if one.low <= truth <= one.high)
        assert covered >= 0.95


def test_the_interval_of_a_share_is_known_from_tables() -> None:
    found = share(3, 10)
    assert (round(found.low, 4), round(found.high, 4)) == (0.0667, 0.6525)
    assert share(0, 10).low == 0
    assert share(10, 10).high == 1


@pytest.mark.parametrize("count, factor", [(2, 12.7062), (3, 4.3027), (11, 2.2281), (101, 1.9840)])
def test_the_interval_of_a_mean_is_students(count: int, factor: float) -> None:
    values = [float(number % 7) for number in range(count)]
    found = mean(values)
    assert found.reach == pytest.approx(factor * stdev(values) / sqrt(count), rel=1e-4)


@pytest.mark.parametrize("values", [[], [3.0]])
def test_too_few_games_tell_nothing(values: list[float]) -> None:
    assert mean(values).low == -inf
    assert shift(values).low == -inf


@pytest.mark.parametrize("value", [0.0, 3.0])
def test_an_interval_has_a_width_even_if_all_games_were_alike(value: float) -> None:
    found = [mean([value] * 20).reach, shift([value] * 20).reach, share(20, 20).reach]
    assert all(0 < reach < 1 for reach in found)


@pytest.mark.parametrize("confidence", [0.5, 0.8, 0.95, 0.999])
def test_no_set_of_differences_is_taken_for_more_than_chance_too_often(confidence: float) -> None:
    """Each difference is as likely as its opposite: all ways the signs can fall are tried, with ties and zeros."""
    chance = Random(3)
    sorts = [[1] * 11, [0] * 5 + [1] * 6, [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024]]
    sorts += [[chance.randrange(4) for _ in range(11)] for _ in range(3)]
    for sizes in sorts:
        ways = list(product((-1, 1), repeat=len(sizes)))
        claimed = sum(
            shift([sign * size for sign, size in zip(way, sizes, strict=True)], confidence).excludes_zero
            for way in ways
        )
        assert claimed <= (1 - confidence) * len(ways)


def test_paired_games_tell_a_small_difference_from_chance() -> None:
    chance = Random(2)
    noise = [chance.gauss(0, 2) for _ in range(200)]
    assert shift([1 + each for each in noise]).excludes_zero
    assert not shift(noise).excludes_zero


def test_fewer_games_than_the_least_can_never_show_anything() -> None:
    fewest = fewest_games(90)
    confidence = 1 - 0.05 / 90
    assert shift([1.0] * fewest, confidence).excludes_zero
    assert not shift([1.0] * (fewest - 1), confidence).excludes_zero
    assert fewest_games(1) < fewest < fewest_games(300) < 20


def test_an_effect_is_the_change_beside_what_games_differ_by() -> None:
    assert effect([]) == effect([0.0, 0.0]) == effect([1.0, -1.0]) == 0
    assert effect([2.0, 2.0]) == 1
    assert effect([-0.5] * 3) == -1
    assert effect([3.0, 1.0]) > effect([3.0, 0.0]) > effect([3.0, -1.0])
