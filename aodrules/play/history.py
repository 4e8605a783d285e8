"""The answers of a game so far: how they are kept and taken back, and how they are played once more."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from attrs import define, field, frozen

from aodrules.facts.state import LogEntry, Machine, Question
from aodrules.play.engines import step_now
from aodrules.play.events import EventTexts, Happenings

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


@frozen(eq=False)
class Moment:
    """What happened upon one answer, or before the first."""

    happenings: Happenings
    step: str | None
    """The innermost named step that is active after it."""
    question: Question | None = None
    answer: int | None = None


@define(eq=False)
class Replay:
    """Plays the answers of a game once more, when somebody asks about its past.

    The game itself notes nothing but the answers, so that playing fast costs nothing.
    """

    _begin: Callable[[], Machine]
    _texts: EventTexts
    _machine: Machine | None = field(default=None, init=False)
    _line: Step | None = field(default=None, init=False)
    _answers: list[int] = field(factory=list, init=False)
    _moments: list[Moment] = field(factory=list, init=False)

    def questions(self, answers: Sequence[int]) -> list[Question]:
        """Return the question before each answer."""
        return [moment.question for moment in self.moments(answers) if moment.question is not None]

    def log_entries(self, answers: Sequence[int]) -> list[Sequence[LogEntry]]:
        """Return what happened before the first answer and after each."""
        return [moment.happenings.entries for moment in self.moments(answers)]

    def moments(self, answers: Sequence[int]) -> list[Moment]:
        """Return what happened before the first answer and after each; what was not taken back is the same object."""
        machine = self._machine
        if machine is None:
            machine = self._machine = self._begin()
            self._moments = [self._moment(machine, None, None)]
        self._go_back(machine, _alike(self._answers, answers))
        for answer in answers[len(self._answers) :]:
            question = machine.pending
            self._line = (self._line, answer, None if len(self._answers) % EVERY else machine.keep())
            self._answers.append(answer)
            machine.apply(answer)
            self._moments.append(self._moment(machine, question, answer))
        return self._moments

    def _go_back(self, machine: Machine, number: int) -> None:
        while len(self._answers) > number:
            assert self._line is not None  # one for each answer
            self._line = take_back(machine, self._line)
            self._answers.pop()
            self._moments.pop()

    def _moment(self, machine: Machine, question: Question | None, answer: int | None) -> Moment:
        causes = machine.causes
        state = machine.plain() if self._texts.needs_state(causes) else None
        by = None if question is None else question.player
        return Moment(Happenings(machine.happenings, causes, by, state), step_now(machine), question, answer)


def _alike(one: Sequence[int], other: Sequence[int]) -> int:
    """Return how many answers two games begin with alike."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((number for number, (mine, yours) in pairs if mine != yours), min(len(one), len(other)))
