"""The answers of a game so far: how they are kept and taken back, and how they are played once more."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, TypeAlias

from attrs import define, field, frozen

from aodrules.facts.state import LogEntry, Machine, Question

Step: TypeAlias = "tuple[Any, int, Any]"
"""The step before, the answer, and the point before the answer if it was kept."""

EVERY = 8
"""How many answers share a point: to keep each costs as much as playing, and few are ever taken back."""


def answers(last: Step | None) -> list[int]:
    """Return all answers, the first one first."""
    found = []
    while last is not None:
        found.append(last[1])
        last = last[0]
    found.reverse()
    return found


def has_passed(last: Step | None, before: Step | None) -> bool:
    """Whether a game that came to a step has come through another one."""
    while last is not None and last is not before:
        last = last[0]
    return last is before


def take_back(machine: Machine, last: Step) -> Step | None:
    """Take a machine back to before the last answer, and return the step before it.

    Where no point was kept, the answers since the one before it are played again. This time each gets its point, so
    that taking back many answers plays none of them more than twice.
    """
    before, _, kept = last
    if kept is not None:
        machine.go_back(kept)
        return before  # type: ignore[no-any-return]
    again = [before[1]]
    while before[2] is None:
        before = before[0]
        again.append(before[1])
    machine.go_back(before[2])
    line: Step | None = before[0]
    for answer in reversed(again):
        line = (line, answer, machine.keep())
        machine.apply(answer)
    return line


def go_to(machine: Machine, last: Step, number: int) -> Step | None:
    """Take a machine back to where so many answers had been given, and return the last of them.

    The nearest point kept before is the way in; what lies between is played again.
    """
    line: list[Step] = [last]
    while line[-1][0] is not None:
        line.append(line[-1][0])
    line.reverse()
    first = next(place for place in range(number, -1, -1) if line[place][2] is not None)
    machine.go_back(line[first][2])
    for _, answer, _ in line[first:number]:
        machine.apply(answer)
    return line[number - 1] if number else None


@frozen(eq=False)
class Ahead:
    """Answers that were taken back and can be given again, as long as the game is where it went back to."""

    last: Step | None
    """The last answer where the game went back to."""
    codes: tuple[int, ...] = ()
    marks: tuple[int, ...] = ()
    """How many answers there were each time, the last time last."""


@define(eq=False)
class Replay:
    """Plays the answers of a game once more, when somebody asks about its past.

    The game itself notes nothing but the answers, so that playing fast costs nothing.
    """

    _begin: Callable[[], Machine]
    _machine: Machine | None = field(default=None, init=False)
    _answers: list[int] = field(factory=list, init=False)
    _questions: list[Question] = field(factory=list, init=False)
    _log_entries: list[tuple[LogEntry, ...]] = field(factory=list, init=False)
    _generators: list[int] = field(factory=list, init=False)

    def questions(self, answers: Sequence[int]) -> list[Question]:
        """Return the question before each answer."""
        self._follow(answers)
        return self._questions[: len(answers)]

    def log_entries(self, answers: Sequence[int]) -> list[tuple[LogEntry, ...]]:
        """Return what happened before the first answer and after each."""
        self._follow(answers)
        return self._log_entries[: len(answers) + 1]

    def chances(self, answers: Sequence[int]) -> list[bool]:
        """Return for each answer whether chance decided anything after it."""
        self._follow(answers)
        return [before != after for before, after in pairwise(self._generators)]

    def _follow(self, answers: Sequence[int]) -> None:
        machine = self._machine
        # What was asked about before may have been taken back since: then nothing is played.
        shared = min(len(self._answers), len(answers))
        if machine is None or self._answers[:shared] != list(answers[:shared]):
            machine = self._machine = self._begin()
            self._answers, self._questions, self._log_entries = [], [], [machine.happenings]
            self._generators = [machine.generator]
        for answer in answers[len(self._answers) :]:
            assert machine.pending is not None  # it was answered
            self._questions.append(machine.pending)
            self._answers.append(answer)
            machine.apply(answer)
            self._log_entries.append(machine.happenings)
            self._generators.append(machine.generator)
