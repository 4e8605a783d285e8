"""Many games in one process: memory stays flat, and games are what their replays are. The long form is `make soak`."""

from __future__ import annotations

import gc
import resource
import tracemalloc
from random import Random

import pytest

import aodrules
from aodrules.simulate.bench import play_codes


def play(rules: aodrules.Rules, players: int, seeds: range) -> None:
    for seed in seeds:
        play_codes(rules.new_game(players=players, seed=seed, undo=False, log=False), Random(seed))


def held() -> int:
    gc.collect()
    return tracemalloc.get_traced_memory()[0]


@pytest.mark.parametrize("path", ["tests/games/harbour", "tests/games/caravan"])
def test_memory_stays_flat_over_many_games(path: str) -> None:
    rules = aodrules.load(path)
    play(rules, 2, range(60))
    tracemalloc.start()
    try:
        before = held()
        play(rules, 2, range(60, 120))
        grown = held() - before
    finally:
        tracemalloc.stop()
    assert grown < 200_000


@pytest.mark.parametrize("seed", range(5))
def test_a_game_equals_its_replay(seed: int) -> None:
    game = aodrules.load("tests/games/harbour").new_game(players=3, seed=seed)
    play_codes(game, Random(seed))
    assert aodrules.replay(game.record()).state == game.state


@pytest.mark.soak
def test_a_hundred_thousand_games_in_one_process(capsys: pytest.CaptureFixture[str]) -> None:
    rules = aodrules.load("empires", ["builders", "national-advantages"])
    figures: list[int] = []
    for part in range(10):
        for seed in range(part * 10_000, (part + 1) * 10_000, 100):
            play(rules, 4, range(seed, seed + 100))
            if seed % 1_000 == 0:
                _check_replay(rules, seed)
        figures.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
        with capsys.disabled():
            print(f"\n{(part + 1) * 10_000:7,} games: at most {figures[-1] / 1024:.0f} MiB", end="")  # noqa: T201 - a figure to be seen
    # Memories of generated code fill up in the first tenth; after that nothing may grow.
    assert figures[-1] < 1.1 * figures[0]


def _check_replay(rules: aodrules.Rules, seed: int) -> None:
    game = rules.new_game(players=4, seed=seed)
    play_codes(game, Random(seed))
    again = aodrules.replay(game.record())
    assert again.state == game.state
    assert [again.scores[player] for player in again.players] == [game.scores[player] for player in game.players]
