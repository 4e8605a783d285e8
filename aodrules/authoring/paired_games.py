"""The same game on two rulesets side by side, and what is not the same in it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from attrs import define, frozen

from aodrules.check.checked import Field
from aodrules.compiler.runtime.compiled import Compiled
from aodrules.facts.state import PlainState
from aodrules.interpreter.places import cell
from aodrules.play.actions import ActionTable
from aodrules.play.ids import OUT, counters, field_path
from aodrules.play.rules_context import RulesContext
from aodrules.play.saves import SavedAction
from aodrules.rulebook import Rules


@frozen(eq=False)
class PairedGame:
    """A game as one of the rulesets has it."""

    book: RulesContext
    seats: tuple[str, ...]
    faces: ActionTable
    machine: Compiled

    @property
    def question(self) -> tuple[str, str] | None:
        """Which decision waits, and for whom; nothing when the game is over."""
        pending = self.machine.pending
        return None if pending is None else (pending.decision, self.seats[pending.player])

    def texts(self) -> dict[str, int]:
        """Return the legal actions by their texts."""
        decision = self.machine.decision
        actions = () if decision is None else self.faces.actions(decision, self.machine.codes)
        return {each.text: each.code for each in actions}

    def readable(self, name: str, state: PlainState) -> dict[str, Any]:
        """Return what the cells of a field hold, by their paths."""
        names, field = self.faces.names, self.book.checked.fields[name]
        return {
            field_path(names, name, at): names.readable(field.type, cell(names.tables, state, name, at))
            for at in names.tables.shapes[name].indices()
        }

    def cells(self, name: str) -> list[Any]:
        """Return a field as it lies in the state."""
        field = self.machine.program.plan.layout.fields[name]
        return self.machine.cells[field.base : field.base + field.size]


def begun(rules: Rules, seats: tuple[str, ...], seed: int) -> PairedGame:
    """Return a new game on these seats."""
    book = rules.book
    machine = book.machine("compiled", len(seats), seed, book.facts(seats), log=False)
    assert isinstance(machine, Compiled)  # as it was asked for
    return PairedGame(book, seats, book.actions(seats), machine)


@define(eq=False)
class Pair:
    """The same game on two rulesets."""

    one: PairedGame
    other: PairedGame
    shared: Sequence[Shared]

    @property
    def decider(self) -> str:
        """Who is asked, in both."""
        question = self.one.question
        assert question is not None  # asked only while both go on
        return question[1]

    @property
    def is_same_question(self) -> bool:
        """Whether both wait for the same, or are both over."""
        return self.one.question == self.other.question

    @property
    def is_over(self) -> bool:
        """Whether both are over."""
        return self.one.question is None and self.other.question is None

    def common(self) -> list[str]:
        """Return what both allow, if both ask the same."""
        allowed = self.other.texts() if self.is_same_question else {}
        return [text for text in self.one.texts() if text in allowed]

    def push(self, text: str) -> SavedAction:
        """Take an action in both."""
        move = SavedAction(self.decider, text)
        for side in (self.one, self.other):
            side.machine.apply(side.texts()[text])
        return move

    def differing(self) -> dict[str, tuple[Any, Any]]:
        """Return the cells that differ, by path: how each is in the one and in the other."""
        suspects = [
            each.name
            for each in self.shared
            if not each.is_alike or self.one.cells(each.name) != self.other.cells(each.name)
        ]
        if not suspects:
            return {}
        states = self.one.machine.plain(), self.other.machine.plain()
        found: dict[str, tuple[Any, Any]] = {}
        for name in suspects:
            left, right = self.one.readable(name, states[0]), self.other.readable(name, states[1])
            found |= {path: (left[path], right[path]) for path in left if path in right and left[path] != right[path]}
        return found


@frozen
class Shared:
    """An open field that both rulesets have."""

    name: str
    is_alike: bool
    """Whether its cells mean the same in both, so that they can be compared as they lie."""


def shared_fields(one: PairedGame, other: PairedGame) -> tuple[Shared, ...]:
    """Return the fields that can be compared. That chance falls otherwise in secret is no difference of the rules."""
    fields, others = one.book.checked.fields, other.book.checked.fields
    left_out = {*counters(one.faces.names), *counters(other.faces.names)}
    return tuple(
        Shared(name, _meaning(one, field) == _meaning(other, others[name]))
        for name, field in fields.items()
        if name in others and name not in left_out and not name.startswith(f"{OUT}.") and field.secret is None
    )


def _meaning(side: PairedGame, field: Field) -> tuple[object, ...]:
    """Return what the cells of a field depend on: their types, and the members these have here."""
    kinds = [side.book.checked.kinds[kind] for kind in side.book.checked.kinds if kind in _words(field)]
    families = [(kind.name, side.book.checked.family(kind.name).members) for kind in kinds]
    return (str(field.type), tuple(map(str, field.dimensions)), *families)


def _words(field: Field) -> set[str]:
    return {word for type_ in (field.type, *field.dimensions) for word in str(type_).split()}
