"""Games run by generated Python: the state is one flat list, so a copy is a slice."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeAlias

from attrs import frozen

from aodrules.compiler.layout import GENERATOR, LEFT, OVER, PLAYER, POINT, STEP, Layout
from aodrules.compiler.nodes import LoopValue
from aodrules.compiler.plan import Plan
from aodrules.compiler.runtime import steps
from aodrules.facts.state import Cause, Facts, LogEntry, LogNote, PlaceRef, PlainState, Question, UnderWay

Code: TypeAlias = "Callable[..., Any]"
SCORING = ("score_points", "score_total", "score_outlook", "score_standing")
"""The generated functions that tell how the game stands for a seat."""


@frozen(eq=False)
class DecisionTable:
    """What belongs to a place where somebody is asked."""

    decision: str
    answer: Code
    legal: Code
    legal_cells: tuple[int, ...]
    """The cells of what `legal` is given."""
    shown: Code
    shown_cells: tuple[int, ...]
    names: tuple[str, ...]
    """Of the first values that `shown` gives: the arguments of the question."""
    around: tuple[tuple[str, str | None], ...]
    """Of the others: names of the body around, and places with their fields."""


@frozen(eq=False)
class Program:
    """Generated code that has been loaded, ready to play."""

    plan: Plan
    start: tuple[Any, ...]
    """The cells of a new game, before anything was done; the generator is still 0."""
    blocks: tuple[Any, ...]
    answers: tuple[Any, ...]
    """By number of the site: what an answer does."""
    questions: tuple[DecisionTable | None, ...]
    """By number of the site."""
    scoring: dict[str, Code]
    """The functions of `SCORING`, by name."""
    log: bool
    end: Code | None = None
    """What is done when the game is over, however it ends."""


Noted: TypeAlias = "list[LogEntry | Cause | None]"
"""What a log takes: entries that begin with a note of their cause, and after a cause those of the runtime, which have
no note; none before the end of the game."""
Kept: TypeAlias = "tuple[tuple[Any, ...], tuple[int, ...], Noted]"
_new = object.__new__  # A copy is made attribute by attribute: nothing is computed, and copying is often what counts.


class Compiled:
    """A running game of generated code. Between two calls it waits for an answer or is over."""

    __slots__ = ("_log", "_shares", "cells", "codes", "program")

    cells: list[Any]
    """The state, to be read only: a copy may share it."""
    codes: tuple[int, ...]
    """The legal answers, sorted."""

    def __init__(self, program: Program, cells: list[Any]) -> None:
        self.program = program
        self.cells = cells
        self.codes = self.listed()
        self._log: Noted = []
        self._shares = False

    @classmethod
    def new_game(cls, program: Program, seed: int, facts: Facts | None = None) -> Compiled:
        """Return a new game, begun with these facts and played on to its first question."""
        game = cls(program, list(program.start))
        game.cells[GENERATOR] = seed & (1 << 64) - 1
        for name, cells in (facts or {}).items():
            field = program.plan.layout.fields.get(name)
            if field is not None:
                game.cells[field.base : field.base + field.size] = cells
                program.plan.layout.forget_kept(game.cells)
        game._go_on(program.blocks[program.plan.graph.first])
        return game

    @property
    def pending(self) -> Question | None:
        """The question that waits, or nothing when the game is over."""
        cells = self.cells
        question = self.program.questions[cells[POINT]]
        if question is None:
            return None
        values = question.shown(cells, *(cells[cell] for cell in question.shown_cells))
        return Question(question.decision, cells[PLAYER], tuple(zip(question.names, values, strict=False)))

    def names(self) -> dict[str, Any]:
        """Return what the names stand for on which it depends what is legal now: values, and places."""
        cells = self.cells
        question = self.program.questions[cells[POINT]]
        if question is None:
            return {}
        values = question.shown(cells, *(cells[cell] for cell in question.shown_cells))
        found = dict(zip(question.names, values, strict=False))
        for (name, field), value in zip(question.around, values[len(question.names) :], strict=True):
            found[name] = value if field is None else PlaceRef(field, value[:-1], value[-1])
        return {**found, "player": cells[PLAYER]}

    @property
    def under_way(self) -> tuple[UnderWay, ...]:
        """The named steps and loops in which the question is asked, the outermost first."""
        cells, plan = self.cells, self.program.plan
        if cells[POINT] not in plan.askers:
            return ()
        procedure, within = plan.askers[cells[POINT]]
        while procedure in plan.frames.returns:
            procedure, outer = plan.callers[cells[plan.frames.returns[procedure]]]
            within = outer + within
        return tuple(self._entered(*entered) for entered in within)

    def _entered(
        self, kind: Any, address: str, names: tuple[tuple[str, LoopValue], ...], turn: LoopValue | None
    ) -> UnderWay:
        told = tuple((name, self._loop_value(value)) for name, value in names)
        return UnderWay(kind, address, told, None if turn is None else self._loop_value(turn) + 1)

    def _loop_value(self, value: LoopValue) -> Any:
        cells, frames = self.cells, self.program.plan.frames.cells
        number: Any = value.offset if value.variable is None else cells[frames[value.variable]] + value.offset
        if value.items is None:
            return number
        items = cells[frames[value.items]] if isinstance(value.items, str) else value.items
        return items[number]

    @property
    def decision(self) -> str | None:
        """The address of the decision that waits."""
        question = self.program.questions[self.cells[POINT]]
        return None if question is None else question.decision

    def listed(self) -> tuple[int, ...]:
        """Return the legal answers, listed anew from the cells alone."""
        cells = self.cells
        question = self.program.questions[cells[POINT]]
        if question is None:
            return ()
        codes: tuple[int, ...] = question.legal(cells, *(cells[cell] for cell in question.legal_cells))
        return codes

    @property
    def happenings(self) -> tuple[LogEntry, ...]:
        """What happened since the last answer (since the start, before the first); nothing without a log."""
        entries = [one for one in self._log if type(one) is tuple]
        return tuple([(one[0].what, *one[1:]) if type(one[0]) is LogNote else one for one in entries])

    @property
    def causes(self) -> tuple[Cause | None, ...]:
        """For each of what happened: the innermost body that did it; none for the end of the game."""
        found: list[Cause | None] = []
        cause: Cause | None = None
        for one in self._log:
            if type(one) is tuple:
                found.append(one[0].cause if type(one[0]) is LogNote else cause)
            else:
                cause = one  # type: ignore[assignment]  # what is no entry is a cause
        return tuple(found)

    @property
    def generator(self) -> int:
        """What all chance to come is made from."""
        generator: int = self.cells[GENERATOR]
        return generator

    def apply(self, code: int) -> tuple[int, ...]:
        """Give a legal answer, play on to the next question and return its legal answers."""
        if self._shares:
            self.cells = self.cells[:]
            self._shares = False
        program, cells = self.program, self.cells
        if program.log:
            self._log = []
            return self._go_on(program.answers[cells[POINT]], code)
        try:
            result = program.answers[cells[POINT]](cells, code)
            while type(result) is not tuple:
                result = result(cells)
        except steps.GameOver:
            result = self._end()
        self.codes = result
        return result  # type: ignore[no-any-return]

    def _go_on(self, block: Code, *given: int) -> tuple[int, ...]:
        """Run a block, and those it leads to, up to a question; blocks return the next, or the legal answers."""
        before = (self.cells, self._log.append) if self.program.log else (self.cells,)
        try:
            result = block(*before, *given)
            while type(result) is not tuple:
                result = result(*before)
        except steps.GameOver:
            result = self._end()
        self.codes = result
        return result  # type: ignore[no-any-return]

    def _end(self) -> tuple[int, ...]:
        """Let the game be over: nothing waits, and no frame is left. There are no answers any more."""
        cells, frames = self.cells, self.program.plan.frames
        if self.program.end is not None:
            with suppress(steps.GameOver):
                self.program.end(cells, *((self._log.append,) if self.program.log else ()))
        cells[POINT] = cells[PLAYER] = cells[STEP] = 0
        cells[OVER] = 1
        cells[frames.first :] = [0] * frames.size
        if self.program.log:
            self._log += [None, ("over",)]
        return ()

    def plain(self) -> PlainState:
        """Return the state in plain form."""
        return unpack(self.program.plan.layout, self.cells)

    def copy(self) -> Compiled:
        """Return a game that goes on from here on its own. Whichever plays on first makes its own cells."""
        other: Compiled = _new(Compiled)
        other.program = self.program
        other.cells = self.cells
        other.codes = self.codes
        other._log = self._log
        other._shares = self._shares = True
        return other

    @property
    def size(self) -> int:
        """How many values are kept to go back to this point."""
        return len(self.cells) + len(self.codes) + len(self._log)

    def keep(self) -> Kept:
        """Return what is needed to go back to this point. The collector does not have to look into it."""
        return (tuple(self.cells), self.codes, self._log)

    def go_back(self, kept: Kept) -> None:
        """Go back to a point that was kept."""
        self.cells, self.codes, self._log = list(kept[0]), kept[1], kept[2]
        self._shares = False

    @property
    def player(self) -> int:
        """The seat that is asked."""
        player: int = self.cells[PLAYER]
        return player

    def points(self, seat: int) -> tuple[int, ...]:
        """Return a seat's points by source, as if the game ended now."""
        points: tuple[int, ...] = self.program.scoring["score_points"](self.cells, seat)
        return points

    def total(self, seat: int) -> int:
        """Return a seat's points in all, as if the game ended now."""
        total: int = self.program.scoring["score_total"](self.cells, seat)
        return total

    def outlook(self, seat: int) -> int:
        """Return what bots compare: what the position promises a seat, by the game's own outlook, else its points."""
        outlook: int = self.program.scoring["score_outlook"](self.cells, seat)
        return outlook

    def standing(self, seat: int) -> tuple[int, ...]:
        """Return what decides who wins, more being better: is the seat in the game, may it win, then each number."""
        standing: tuple[int, ...] = self.program.scoring["score_standing"](self.cells, seat)
        return standing


# Between the cells and the plain form of a state.


def unpack(layout: Layout, cells: list[Any]) -> PlainState:
    """Return the plain form of a list of cells."""
    state = PlainState(generator=cells[GENERATOR], left=cells[LEFT], over=bool(cells[OVER]))
    state.step = layout.steps[cells[STEP] - 1] if cells[STEP] else None
    for name, field in layout.fields.items():
        held = cells[field.base : field.base + field.size]
        state.fields[name] = [field.bag.unpack(one) for one in held] if field.bag is not None else held
        if field.knowledge is not None:
            state.knowledge[name] = cells[field.knowledge : field.knowledge + field.size]
    return state


def pack(layout: Layout, state: PlainState) -> list[Any]:
    """Return the cells of a plain state; the frames are empty, so no question waits."""
    cells: list[Any] = [0] * layout.size
    cells[GENERATOR], cells[LEFT], cells[OVER] = state.generator, state.left, int(state.over)
    cells[STEP] = layout.steps.index(state.step) + 1 if state.step in layout.steps else 0
    for name, field in layout.fields.items():
        held: list[Any] = state.fields[name]
        packed = [field.bag.pack(one) for one in held] if field.bag is not None else held
        cells[field.base : field.base + field.size] = packed
        if field.knowledge is not None:
            cells[field.knowledge : field.knowledge + field.size] = state.knowledge[name]
    layout.forget_kept(cells)
    return cells
