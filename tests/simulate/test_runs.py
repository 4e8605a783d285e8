"""A run gives the same rows whatever the number of workers, the executor or where it was broken off."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import cattrs
import pytest
from attrs import evolve

from aodrules.rulebook import Rules
from aodrules.simulate import runs
from aodrules.simulate.matches import Match, MatchSetting, play_match
from aodrules.simulate.runs import CHUNK, Run, chunks_left, in_order, play_run, rows

RUN = Run("tests/games/harbour", (), MatchSetting(3, ("random", "greedy", "search:4")), first=5, games=12)
OTHERS = [evolve(RUN, base=base, games=2) for base in ("tests/games/caravan", "tests/games/isles")]


def everything(matches: Iterable[Match]) -> str:
    """Return all that is kept of some matches, as text, in the order in which it stands there."""
    return repr([cattrs.unstructure(match) for match in in_order(matches)])


@pytest.fixture(scope="module")
def matches() -> list[Match]:
    return list(play_run(RUN, workers=1))


@pytest.fixture(scope="module")
def expected(matches: list[Match]) -> str:
    return everything(matches)


@pytest.mark.parametrize("workers", [2, 3])
def test_more_workers_give_the_same_rows(workers: int, expected: str) -> None:
    assert everything(play_run(RUN, workers=workers)) == expected


@pytest.mark.parametrize("kind", [ThreadPoolExecutor, ProcessPoolExecutor])
def test_another_executor_gives_the_same_rows(
    kind: type[ThreadPoolExecutor | ProcessPoolExecutor], expected: str
) -> None:
    with kind(2) as executor:
        assert everything(play_run(RUN, executor=executor)) == expected


def test_a_run_goes_on_where_it_was_broken_off(expected: str) -> None:
    first = [match for match, _ in zip(play_run(RUN, workers=1), range(5), strict=False)]
    rest = list(play_run(RUN, done=[match.seed for match in first], workers=1))
    assert len(rest) == RUN.games - len(first)
    assert everything([*first, *rest]) == expected


def test_each_game_is_known_as_it_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    played: list[int] = []

    def play(rules: Rules, setting: MatchSetting, seed: int) -> Match:
        played.append(seed)
        return play_match(rules, setting, seed)

    monkeypatch.setattr(runs, "play_match", play)
    next(play_run(RUN, workers=1))
    assert played == [RUN.first]


@pytest.mark.parametrize(
    "bots, size",
    [(("random", "greedy"), CHUNK), (("greedy", "search:100"), 1), (("tests.simulate.test_bots.LastBot",), 1)],
)
def test_bots_that_may_take_long_are_given_one_game_at_a_time(bots: tuple[str, ...], size: int) -> None:
    """So that the bar moves, and little is lost when a run is stopped."""
    run = evolve(RUN, setting=MatchSetting(2, bots), games=3 * CHUNK)
    assert {len(chunk) for chunk in chunks_left(run, ())} == {size}


def digest() -> str:
    """Return a digest of all that is kept of some games."""
    kept = "".join(everything(play_run(some, workers=1)) for some in (evolve(RUN, games=3), *OTHERS))
    return hashlib.sha256(kept.encode()).hexdigest()


def test_hash_seeds_do_not_show() -> None:
    code = "from tests.simulate.test_runs import digest\nprint(digest())"
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
    assert len(found) == 1
    assert found == {f"{digest()}\n"}


def test_each_game_has_a_winner_and_points_that_add_up(matches: list[Match]) -> None:
    assert len(rows(matches)) == RUN.games
    for match in matches:
        assert min(seat["place"] for seat in match.seats) == 1
        assert all(sum(seat["points"].values()) == seat["total"] for seat in match.seats)
        assert sum(counts["asked"] for counts in match.decisions.values()) == match.length
