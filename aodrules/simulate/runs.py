"""Many games, on all cores or any executor: the same seed gives the same rows whatever the number of workers."""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor, as_completed
from contextlib import nullcontext
from typing import Any

from attrs import frozen

from aodrules.rulebook import Rules, load
from aodrules.simulate.matches import Match, MatchSetting, play_match

CHUNK = 8
"""How many games a worker is given at once, if its bots are quick: sending them costs about as much as a short game."""
_QUICK = re.compile(r"(random|greedy)(:\d+)?")
_loaded: dict[tuple[str, tuple[str, ...]], Rules] = {}
"""Rules that this process has loaded: a worker plays many chunks of one run."""


@frozen
class Run:
    """A run: the rules by name, the setting, and the seeds of its games."""

    base: str
    variants: tuple[str, ...]
    setting: MatchSetting
    first: int
    games: int

    @property
    def seeds(self) -> range:
        """The seeds of the games."""
        return range(self.first, self.first + self.games)


def play_chunk(run: Run, seeds: Sequence[int]) -> list[Match]:
    """Play some games of a run; what workers do."""
    key = (run.base, run.variants)
    if key not in _loaded:
        _loaded.clear()
        _loaded[key] = load(run.base, run.variants)
    return [play_match(_loaded[key], run.setting, seed) for seed in seeds]


def chunks_left(run: Run, done: Iterable[int]) -> list[list[int]]:
    """Return the seeds whose games are not known yet, in the parts that workers are given."""
    known = set(done)
    left = [seed for seed in run.seeds if seed not in known]
    size = CHUNK if all(_QUICK.fullmatch(bot) for bot in run.setting.bots) else 1
    return [left[start : start + size] for start in range(0, len(left), size)]


def play_run(
    run: Run, *, done: Iterable[int] = (), workers: int | None = None, executor: Executor | None = None
) -> Iterator[Match]:
    """Play all games of a run that are not done yet, and yield each as it is finished.

    Args:
        run: What to play.
        done: Seeds whose games are known already.
        workers: How many processes; as many as there are cores if not given; 1 plays in this process.
        executor: Any executor that takes functions of this module; it is not shut down.
    """
    chunks = chunks_left(run, done)
    count = workers or os.cpu_count() or 1
    if executor is None and (count == 1 or len(chunks) == 1):
        for seed in (seed for chunk in chunks for seed in chunk):
            yield from play_chunk(run, [seed])
        return
    # A worker that is stopped while it holds the queue would leave all others waiting for ever: the command stops them.
    with nullcontext(executor) if executor else ProcessPoolExecutor(count, initializer=_leave_stops_alone) as pool:
        yield from _collected(pool.submit, run, chunks)


def _leave_stops_alone() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _collected(
    submit: Callable[..., Future[list[Match]]], run: Run, chunks: Sequence[Sequence[int]]
) -> Iterator[Match]:
    futures = [submit(play_chunk, run, chunk) for chunk in chunks]
    try:
        for future in as_completed(futures):
            yield from future.result()
    finally:
        for future in futures:
            future.cancel()


def in_order(matches: Iterable[Match]) -> list[Match]:
    """Return matches by their seed, in which order every run of the same games is the same."""
    return sorted(matches, key=lambda match: match.seed)


def rows(matches: Iterable[Match]) -> list[dict[str, Any]]:
    """Return one row for each game, by seed."""
    return [match.row() for match in in_order(matches)]
