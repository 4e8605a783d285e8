"""The worst rules are rules: each shape loads and plays while it is small, and is refused when it is too large."""

from __future__ import annotations

import pytest

from aodrules.check.analyse.weights import NOTED
from aodrules.compiler.runtime.compiled import Compiled
from aodrules.play.engines import program_of
from benchmarks.worst_rules import SHAPE, SHAPES, Shape, cost_of, rules_of, slowest

LARGE = 10**6


@pytest.mark.parametrize("shape", SHAPES, ids=[each.name for each in SHAPES])
def test_a_small_one_plays_and_a_larger_one_costs_more(shape: Shape) -> None:
    (small, wrong), (larger, wrong_too) = rules_of(shape.text(1)), rules_of(shape.text(3))
    assert not wrong
    assert not wrong_too
    less, more = cost_of(small).most_in_all.number, cost_of(larger).most_in_all.number
    assert less < more
    assert slowest(small) >= 0


@pytest.mark.parametrize(
    "name",
    [
        "numbers that change",
        "things that happen",
        "steps with a name",
        "loops that end at a bound",
        "a secret that is told",
        "a piece between bags",
        "rolls of dice",
    ],
)
def test_what_the_log_tells_is_counted_as_work(name: str) -> None:
    # It stays in memory until the next answer, so that memory has a bound too.
    rules, _ = rules_of(SHAPE[name].text(3_000))
    most = cost_of(rules).most.number
    game = Compiled.new_game(program_of(rules, 2, log=True), 1)
    while game.codes:
        assert NOTED * len(game.happenings) <= most
        game.apply(game.codes[0])


@pytest.mark.parametrize("name", ["numbers that are set", "a sum over numbers", "ways with tests"])
def test_one_that_is_too_large_is_refused(name: str) -> None:
    [shape] = [each for each in SHAPES if each.name == name]
    _, wrong = rules_of(shape.text(LARGE))
    assert wrong
    assert all(each.startswith("too-") for each in wrong)
