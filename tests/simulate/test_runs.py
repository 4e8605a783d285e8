"""A run gives the same rows whatever the number of workers, the executor or where it was broken off."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from aodrules.simulate.matches import Setting
from aodrules.simulate.runs import Run, play_run, rows

RUN = Run("tests/games/harbour", (), Setting(3, ("random", "greedy:1")), first=5, games=9)


@pytest.fixture(scope="module")
def expected() -> list[dict[str, object]]:
    return rows(play_run(RUN, workers=1))


def test_two_workers_give_the_same_rows(expected: list[dict[str, object]]) -> None:
    assert rows(play_run(RUN, workers=2)) == expected


def test_another_executor_gives_the_same_rows(expected: list[dict[str, object]]) -> None:
    with ThreadPoolExecutor(2) as executor:
        assert rows(play_run(RUN, executor=executor)) == expected


def test_a_run_goes_on_where_it_was_broken_off(expected: list[dict[str, object]]) -> None:
    matches = play_run(RUN, workers=1)
    first = [next(matches) for _ in range(4)]
    rest = list(play_run(RUN, done=[match.seed for match in first], workers=1))
    assert rows([*first, *rest]) == expected


def test_hash_seeds_do_not_show(expected: list[dict[str, object]]) -> None:
    code = "from tests.simulate.test_runs import *\nprint(rows(play_run(RUN, workers=1)))"
    found = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert found == {f"{expected}\n"}


def test_each_game_has_a_winner_and_points_that_add_up(expected: list[dict[str, object]]) -> None:
    for match in play_run(RUN, workers=1):
        assert min(seat["place"] for seat in match.seats) == 1
        assert all(sum(seat["points"].values()) == seat["total"] for seat in match.seats)
        assert sum(counts["asked"] for counts in match.decisions.values()) == match.length
