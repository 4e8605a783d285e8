"""The worst rules are rules: each shape loads and plays while it is small, and is refused when it is too large."""

from __future__ import annotations

import pytest

from benchmarks.worst_rules import SHAPES, Shape, cost_of, rules_of, slowest

LARGE = 10**6


@pytest.mark.parametrize("shape", SHAPES, ids=[each.name for each in SHAPES])
def test_a_small_one_plays_and_a_larger_one_costs_more(shape: Shape) -> None:
    (small, wrong), (larger, wrong_too) = rules_of(shape.text(1)), rules_of(shape.text(3))
    assert not wrong
    assert not wrong_too
    less, more = cost_of(small).most_in_all.number, cost_of(larger).most_in_all.number
    assert less < more
    assert slowest(small) >= 0


@pytest.mark.parametrize("name", ["numbers that are set", "a sum over numbers", "ways with tests"])
def test_one_that_is_too_large_is_refused(name: str) -> None:
    [shape] = [each for each in SHAPES if each.name == name]
    _, wrong = rules_of(shape.text(LARGE))
    assert wrong
    assert all(each.startswith("too-") for each in wrong)
