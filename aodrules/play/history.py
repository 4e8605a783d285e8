"""The answers of a game so far: how they are kept and taken back, and how they are played once more."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, TypeAlias

from attrs import define, field, frozen

from aodrules.facts.state import LogEntry, Machine, Question
from aodrules.play.engines import step_now
from aodrules.play.events import EventTexts, Happenings

Step: TypeAlias = "tuple[Any, int, Any]"
"""The step before, the answer, and the point before the answer if it was kept."""

EVERY = 8
"""How many answers share a point: to keep each costs as much as playing, and few are ever taken back."""
ROOM = 2**20
"""How many values all points of a distance may hold together: then they stand twice as far apart."""


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


def wider(every: int, room: int, size: int) -> tuple[int, int]:
    """Return how far apart points stand, and the room that is left, after one more of a size was kept."""
    room -= size
    while room < 0:
        every, room = 2 * every, room + ROOM
    return every, room


def take_back(machine: Machine, last: Step) -> Step | None:
    """Take a machine back to before the last answer, and return the step before it.

    Where no point was kept, the answers since the one before it are played again. This time each gets its point, or
    every so manyth where there are many, so that taking back many answers plays none of them often.
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
    apart, room = -(-len(again) // EVERY), ROOM
    for number, answer in enumerate(reversed(again)):
        is_kept = number % apart == 0 and (room > 0 or not number)
        line = (line, answer, machine.keep() if is_kept else None)
        room -= machine.size if is_kept else 0
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


@frozen(eq=False)
class Moment:
    """What happened upon one answer, or before the first."""

    happenings: Happenings
    step: str | None
    """The innermost named step that is active after it."""
    generator: int
    """What all chance to come was made from then."""
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

    def chances(self, answers: Sequence[int]) -> list[bool]:
        """Return for each answer whether chance decided anything after it."""
        return [before.generator != after.generator for before, after in pairwise(self.moments(answers))]

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
        happenings = Happenings(machine.happenings, causes, by, state)
        return Moment(happenings, step_now(machine), machine.generator, question, answer)


def _alike(one: Sequence[int], other: Sequence[int]) -> int:
    """Return how many answers two games begin with alike."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((number for number, (mine, yours) in pairs if mine != yours), min(len(one), len(other)))
