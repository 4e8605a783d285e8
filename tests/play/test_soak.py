"""Many games in one process: memory stays flat, and games are what their replays are. The long form is `make soak`."""

from __future__ import annotations

import gc
import tracemalloc
from random import Random

import pytest

import aodrules
from benchmarks.rates import play_codes
from tests.play.endurance import check_replay, points
from tests.sampling import sampled

pytestmark = pytest.mark.slow


def play(rules: aodrules.Rules, players: int, seeds: range) -> None:
    for seed in seeds:
        play_codes(rules.new_game(players=players, seed=seed, undo=False, log=False), Random(seed))


def held() -> int:
    gc.collect()
    return tracemalloc.get_traced_memory()[0]


@pytest.mark.parametrize("path", sampled(["tests/games/harbour", "tests/games/caravan"], 2))
def test_memory_stays_flat_over_many_games(path: str) -> None:
    rules = aodrules.load(path)
    play(rules, 2, range(20))
    tracemalloc.start()
    try:
        before = held()
        play(rules, 2, range(20, 40))
        grown = held() - before
    finally:
        tracemalloc.stop()
    assert grown < 200_000


@pytest.mark.parametrize("seed", range(5))
def test_a_game_equals_its_replay(seed: int) -> None:
    check_replay(aodrules.load("tests/games/harbour"), 3, seed)


@pytest.mark.soak
def test_memory_stays_flat_over_a_hundred_thousand_games(capsys: pytest.CaptureFixture[str]) -> None:
    found = []
    for point in points():
        found.append(point)
        with capsys.disabled():
            print(f"\n{point.games:8,} games: {point.memory:6.1f} MiB", end="")  # noqa: T201 - a figure to be seen
    assert found[-1].games == 100_000
    # Nothing is kept of a game. What generated code remembers fills up at first; each memory has a bound.
    early, late = (max(point.memory for point in part) for part in (found[:2], found[2:]))
    assert late < early + 5
