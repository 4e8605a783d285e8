"""The line of play so far: who was asked what before each answer, and what happened after it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from attrs import define, field

from aodrules.facts.machine import Machine
from aodrules.facts.state import LogEntry, Question


@define(eq=False)
class Replay:
    """Plays the answers of a game once more, when somebody asks about its past.

    The game itself notes nothing but the answers, so that playing fast costs nothing.
    """

    _begin: Callable[[], Machine]
    _machine: Machine | None = field(default=None, init=False)
    _answers: list[int] = field(factory=list, init=False)
    _asked: list[Question] = field(factory=list, init=False)
    _happened: list[tuple[LogEntry, ...]] = field(factory=list, init=False)

    def machine(self, answers: Sequence[int]) -> Machine:
        """Return a game at the very same point, to be asked and never to be played on."""
        self._follow(answers)
        assert self._machine is not None  # it followed
        return self._machine

    def asked(self, answers: Sequence[int]) -> list[Question]:
        """Return the question before each answer."""
        self._follow(answers)
        return self._asked

    def happened(self, answers: Sequence[int]) -> list[tuple[LogEntry, ...]]:
        """Return what happened before the first answer and after each."""
        self._follow(answers)
        return self._happened

    def _follow(self, answers: Sequence[int]) -> None:
        machine = self._machine
        if machine is None or self._answers != list(answers[: len(self._answers)]):
            machine = self._machine = self._begin()
            self._answers, self._asked, self._happened = [], [], [machine.happenings]
        for answer in answers[len(self._answers) :]:
            assert machine.pending is not None  # it was answered
            self._asked.append(machine.pending)
            self._answers.append(answer)
            machine.apply(answer)
            self._happened.append(machine.happenings)
