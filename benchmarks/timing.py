"""Measuring: several figures taken in turn, round by round, so that a busy moment falls on all of them alike."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator, Sequence

from attrs import frozen


@frozen(eq=False)
class Measure:
    """Something to be measured: how it is done once, and in which unit."""

    name: str
    unit: str
    take: Callable[[], float]
    most: int | None = None
    """In how many rounds at most, for what takes long."""


@frozen
class Figure:
    """What was measured in all rounds."""

    name: str
    unit: str
    values: tuple[float, ...]

    @property
    def median(self) -> float:
        """The figure in the middle."""
        return statistics.median(self.values)


@frozen
class Missing:
    """What could not be measured, and why."""

    name: str
    because: str


def measure_in_turn(measures: Sequence[Measure], rounds: int) -> Iterator[dict[str, Figure]]:
    """Take every measure once a round, and yield all figures after each round."""
    found: dict[str, list[float]] = {each.name: [] for each in measures}
    units = {each.name: each.unit for each in measures}
    for number in range(rounds):
        for each in measures:
            if each.most is None or number < each.most:
                found[each.name].append(each.take())
        yield {name: Figure(name, units[name], tuple(values)) for name, values in found.items()}


def rate(play: Callable[[int], int], seconds: float) -> float:
    """Return how many choices a second are made: whole games until some processor time has passed.

    Args:
        play: Plays the game of a number and returns how many choices were made.
        seconds: How long games are begun.
    """
    start, made, number = time.process_time(), 0, 0
    while True:
        made += play(number)
        number += 1
        passed = time.process_time() - start
        if passed >= seconds:
            return made / passed


def microseconds(action: Callable[[], object], times: int) -> float:
    """Return how long one of many runs takes."""
    start = time.process_time()
    for _ in range(times):
        action()
    return (time.process_time() - start) / times * 1e6
