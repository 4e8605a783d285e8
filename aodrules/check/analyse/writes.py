"""What steps can change: fields that may get more or less, another order, or be known to others."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, TypeAlias

from attrs import define, field

from aodrules.check.analyse.calls import Caller, CallGraph, bodies_of, called_by, effects_of
from aodrules.check.analyse.interval_analysis import Ranges
from aodrules.check.checked import CheckedRules, Limit, Option, Reaction
from aodrules.check.steps import (
    AddTo,
    AnyStep,
    Call,
    Choose,
    Draw,
    FieldPlace,
    FieldTarget,
    LeaveGame,
    LocalTarget,
    Move,
    Reveal,
    RunHook,
    SetTo,
    Shuffle,
    Sort,
    Step,
    Steps,
)
from aodrules.check.visit import Shapes, places, walk_steps
from aodrules.lang.types import Number

How: TypeAlias = Literal["less", "more", "order", "known", "name", "all"]
Change: TypeAlias = "tuple[str, How]"
"""A field (or a `let` name) and what becomes of it."""
EVERYTHING: Change = ("", "all")
"""What changes when a player leaves: anything that has to do with players."""


@define(eq=False)
class WriteAnalysis:
    """Finds what steps change, with everything that they call or set off. The graph of calls has no cycle."""

    rules: CheckedRules
    graph: CallGraph
    ranges: Ranges
    _known: dict[Caller, frozenset[Change]] = field(factory=dict, init=False)
    _shapes: Shapes = field(factory=Shapes, init=False)

    def by_option(self, decision: str, option: Option) -> frozenset[Change]:
        """Return what taking an option of a decision (by address) can change."""
        return frozenset((*_counted(option.limit), *self._by_steps(Caller("decision", decision), option.body)))

    def _by(self, caller: Caller) -> frozenset[Change]:
        if caller not in self._known:
            found = self._found(caller)
            # Only an inline decision changes names of others: those of the body around it.
            shares = caller.sort == "decision" and self.rules.decisions[caller.name].inline
            self._known[caller] = frozenset(change for change in found if shares or change[1] != "name")
        return self._known[caller]

    def _found(self, caller: Caller) -> Iterator[Change]:
        if caller.sort == "decision":
            for option in self.rules.decisions[caller.name].options:
                yield from _counted(option.limit)
        for effect in effects_of(self.rules, caller):
            yield from _counted(effect.limit if isinstance(effect, Reaction) else None)
        for steps in bodies_of(self.rules, caller):
            yield from self._by_steps(caller, steps)

    def _by_steps(self, caller: Caller, steps: Steps) -> Iterator[Change]:
        for step in walk_steps(steps):
            yield from self._by_step(caller, step)
            for called in called_by(self.rules, self.graph, caller, step):
                yield from self._by(called)

    def _by_step(self, caller: Caller, step: AnyStep) -> Iterator[Change]:
        match step:
            case Move() | Draw():
                yield from self._moved(caller, step)
            case Shuffle() | Sort():
                yield from ((step.place.field, how) for how in ("order", "known"))
            case Reveal():
                yield step.place.field, "known"
            case SetTo() | AddTo():
                yield from self._set(step)
            case Step():
                yield from self._reset(step)
            case LeaveGame():
                yield EVERYTHING
            case Call() | RunHook() | Choose():
                pass  # What they hand on is changed by what they call.
            case _:
                yield from self._anything(caller, step)

    def _anything(self, caller: Caller, step: AnyStep) -> Iterator[Change]:
        """Return all that may become of what a step names of which nothing more is known."""
        for place in places(step):
            if isinstance(place, LocalTarget):
                yield place.name, "name"
                continue
            fields = {place.field} if isinstance(place, FieldTarget) else self.graph.fields_of(caller, place)
            yield from ((name, how) for name in fields for how in ("less", "more", "order", "known"))

    def _reset(self, step: Step) -> Iterator[Change]:
        for each in self.rules.fields.values():
            if each.resets in (step.name, step.address):
                yield from ((each.name, how) for how in ("less", "more", "order", "known"))

    def _moved(self, caller: Caller, step: Move | Draw) -> Iterator[Change]:
        if self._stays(step):
            assert isinstance(step.source, FieldPlace)  # or it could not be told that it stays
            yield from ((step.source.field, how) for how in ("order", "known"))
            return
        for one in self.graph.fields_of(caller, step.source):
            yield from ((one, how) for how in ("less", "order", "known"))
        for one in self.graph.fields_of(caller, step.target):
            yield from ((one, how) for how in ("more", "order", "known"))

    def _stays(self, step: Move | Draw) -> bool:
        """Whether pieces only change their positions in one and the same list."""
        source, target = step.source, step.target
        if not isinstance(source, FieldPlace) or not isinstance(target, FieldPlace) or source.field != target.field:
            return False
        ends = ([None if each is None else self._shapes.of(each) for each in place.at] for place in (source, target))
        return next(ends) == next(ends)

    def _set(self, step: SetTo | AddTo) -> Iterator[Change]:
        if not isinstance(step.target, FieldTarget):
            yield step.target.name, "name"
            return
        name, signs = step.target.field, {1, -1}
        if isinstance(step, AddTo):
            amount = self.ranges.of(step.amount)
            if not isinstance(step.amount.type, Number) or (amount.low is not None and amount.low >= 0):
                signs = {step.sign}
        yield from ((name, "more" if sign > 0 else "less") for sign in signs)


def _counted(limit: Limit | None) -> Iterator[Change]:
    for _, counter, _ in limit.periods if limit is not None else ():
        yield counter, "more"
