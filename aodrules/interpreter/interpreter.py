"""The interpreter: plays checked rules as they are written. It is the meaning of the language."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from aodrules.check.checked import CheckedRules
from aodrules.facts.action_codes import ActionSpace, action_spaces
from aodrules.facts.state import Cause, LogEntry, PlainState, Question, UnderWay
from aodrules.interpreter.entry.enter_at_step import EntryPoint, EntryRunner
from aodrules.interpreter.evaluation import Evaluator
from aodrules.interpreter.executor import Executor, Observer, OpenQuestion
from aodrules.interpreter.options import Failure, Locals, refusals
from aodrules.interpreter.setup import starting_state, tables_for
from aodrules.interpreter.state_changes import StateChanges
from aodrules.interpreter.tables import Tables


class Interpreter:
    """A running game of checked rules. Slow and plain; a copy is made by playing the same answers again."""

    def __init__(
        self,
        rules: CheckedRules,
        players: int,
        seed: int,
        tables: Tables | None = None,
        *,
        spaces: dict[str, ActionSpace] | None = None,
        entry: EntryPoint | None = None,
        observer: Observer | None = None,
        on_start: Callable[[Interpreter], None] = lambda _: None,
    ) -> None:
        self.tables = tables or tables_for(rules, players)
        self.spaces: dict[str, ActionSpace] = action_spaces(self.tables) if spaces is None else spaces
        self._seed = seed
        self._answers: list[int] = []
        self._entry = entry
        state = starting_state(self.tables, seed) if entry is None else entry.state.copy()
        self._changes = StateChanges(self.tables, state)
        runner = (
            Executor(self._changes, self.spaces, observer)
            if entry is None
            else EntryRunner(self._changes, self.spaces, entry, observer)
        )
        self._runner = runner
        self._flow = runner.game()
        self._question: OpenQuestion | None = None
        self._happenings: tuple[LogEntry, ...] = ()
        self._causes: tuple[Cause | None, ...] = ()
        on_start(self)
        self._play(None)

    @property
    def pending(self) -> Question | None:
        """The question that waits, or nothing when the game is over."""
        return None if self._question is None else self._question.pending

    @property
    def decision(self) -> str | None:
        """The address of the decision that waits, or nothing when the game is over."""
        return None if self._question is None else self._question.pending.decision

    @property
    def under_way(self) -> tuple[UnderWay, ...]:
        """The named steps and loops in which the question is asked, the outermost first."""
        return () if self._question is None else tuple(self._runner.under_way)

    @property
    def codes(self) -> tuple[int, ...]:
        """The legal answers, sorted."""
        return () if self._question is None else self._question.codes

    @property
    def happenings(self) -> tuple[LogEntry, ...]:
        """What happened since the last answer (since the start, before the first)."""
        return self._happenings

    @property
    def generator(self) -> int:
        """What all chance to come is made from."""
        return self._changes.state.generator

    @property
    def causes(self) -> tuple[Cause | None, ...]:
        """For each of what happened: the innermost body that did it; none for the end of the game."""
        return self._causes

    @property
    def state(self) -> PlainState:
        """The state itself, to be read only; `plain` gives a copy."""
        return self._changes.state

    @property
    def evaluator(self) -> Evaluator:
        """What says what expressions are worth in this game."""
        return self._changes.evaluator

    @property
    def answered(self) -> int:
        """How many answers were given."""
        return len(self._answers)

    @property
    def noted(self) -> int:
        """How many entries the log has, also while steps are being done."""
        return len(self._changes.log)

    def apply(self, code: int) -> tuple[int, ...]:
        """Give a legal answer, play on to the next question and return its legal answers."""
        self._answers.append(code)
        self._play(code)
        return self.codes

    def plain(self) -> PlainState:
        """Return the state in plain form."""
        return self._changes.state.copy()

    def points(self, seat: int) -> tuple[int, ...]:
        """Return a seat's points by source, in the order of the rules, as if the game ended now."""
        return self.evaluator.points(seat)

    def total(self, seat: int) -> int:
        """Return a seat's points in all, as if the game ended now."""
        return self.evaluator.total(seat)

    def outlook(self, seat: int) -> int:
        """Return what bots compare: what the position promises a seat, by the game's own outlook, else its points."""
        return self.evaluator.outlook(seat)

    def standing(self, seat: int) -> tuple[int, ...]:
        """Return what decides who wins, more being better: is the seat in the game, may it win, then each number."""
        return self.evaluator.standing(seat)

    @property
    def size(self) -> int:
        """How many values are kept to go back to this point."""
        return 1

    def keep(self) -> int:
        """Return how many answers were given so far."""
        return len(self._answers)

    def go_back(self, kept: int) -> None:
        """Play the first answers again, up to a point that was kept."""
        self.__dict__.update(self._replay(self._answers[:kept]).__dict__)

    def copy(self) -> Interpreter:
        """Return a game that goes on from here on its own."""
        return self._replay(self._answers)

    def _replay(self, answers: list[int]) -> Interpreter:
        tables = self.tables
        other = Interpreter(tables.rules, tables.players, self._seed, tables, spaces=self.spaces, entry=self._entry)
        for answer in answers:
            other.apply(answer)
        return other

    def names(self) -> tuple[Locals, frozenset[str]]:
        """Return what the names stand for on which it depends what is legal now, and the options that are closed."""
        question = self._question
        return ({}, frozenset()) if question is None else (dict(question.locals), question.closed)

    def failures(self, option: str, arguments: tuple[Any, ...]) -> list[Failure]:
        """Return why an instance of an option (by address) is not legal now; nothing if it is."""
        if self._question is None:
            return []
        question, space = self._question, self.spaces[self._question.pending.decision]
        choice = space.choice(option)
        if choice.option is None:
            return []
        return refusals(self.evaluator, space, choice.option, question.locals, arguments, question.closed)

    def _play(self, code: int | None) -> None:
        self._changes.forget_log()
        try:
            self._question = next(self._flow) if code is None else self._flow.send(code)
        except StopIteration:
            self._question = None
        self._happenings = tuple(self._changes.log)
        self._causes = tuple(self._changes.causes)
