"""Hold a running game to properties: look on while it is played and note every law that is broken."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from attrs import define, field, frozen

from aodrules.check.steps import AnyStep, Call, Step
from aodrules.facts.state import PlainState
from aodrules.interpreter.evaluation import Evaluator
from aodrules.interpreter.interpreter import Interpreter
from aodrules.interpreter.options import Locals
from aodrules.lang.types import NUMBER, PLAYER
from aodrules.testing.law_values import PartValue, values_of
from aodrules.testing.properties import Property
from aodrules.testing.reads import Reads


@frozen(eq=False)
class Violation:
    """A law that was broken, and after how many actions."""

    law: Property
    actions: int
    values: tuple[PartValue, ...] = ()
    """What the names of the part that does not hold were worth."""


@define(eq=False)
class Laws:
    """Looks on while a game is played. At each question and at the end it must be asked to judge."""

    properties: tuple[Property, ...]
    breaches: list[Violation] = field(factory=list, init=False)
    tested: Counter[str] = field(factory=Counter, init=False)
    """How often each property had something to say."""
    actions: int = field(default=-1, init=False)
    """How many actions were taken; -1 while the game is being set up."""
    _interpreter: Interpreter | None = field(default=None, init=False)
    _before: PlainState | None = field(default=None, init=False)
    _by_subject: dict[str, list[Property]] = field(factory=dict, init=False)
    _needs_before: bool = field(default=False, init=False)
    _still: dict[str, int] = field(factory=dict, init=False)
    """How often in a row each law was tested while nothing that it reads changed."""
    _reads: dict[str, frozenset[str] | None] = field(factory=dict, init=False)
    _counts: Counter[tuple[str, str | None, object]] = field(factory=Counter, init=False)
    """How often an answer was given: by law, step and player."""

    def __attrs_post_init__(self) -> None:
        for one in self.properties:
            for subject in one.subjects:
                self._by_subject.setdefault(subject, []).append(one)
        self._needs_before = any(one.moment != "finally" for one in self.properties)

    def watch(self, interpreter: Interpreter) -> None:
        """Begin to look on, before anything has been done."""
        self._interpreter = interpreter
        self._before = interpreter.plain()
        reads = Reads(interpreter.tables.rules)
        self._reads = {
            one.id: reads.fields([one.law, *([] if one.condition is None else [one.condition])])
            for one in self.properties
            if one.moment in ("always", "whenever")
        }

    def judge(self) -> None:
        """Test what must hold at a question or at the end, and what must hold of the change since the last one."""
        interpreter = self._watched()
        is_over = interpreter.pending is None
        now = Evaluator(interpreter.tables, interpreter.state, self._before)
        changed = self._changed(interpreter.state)
        for one in self.properties:
            if self._is_settled(one, changed):
                self.tested[one.id] += one.moment == "always"
            elif self._speaks(one, now, is_over=is_over):
                self._test(one, now, {})
        if self._needs_before:
            self._before = interpreter.plain()
        self.actions += 1

    def _changed(self, state: PlainState) -> frozenset[str] | None:
        """Return the fields that changed since the last question; nothing if anything may have."""
        before = self._before
        if before is None or self.actions < 0 or before.left != state.left:
            return None
        return frozenset(name for name, cells in state.fields.items() if cells != before.fields[name])

    def _is_settled(self, one: Property, changed: frozenset[str] | None) -> bool:
        """Whether a law was tested when all that it reads was, and had been, as it is now."""
        reads = self._reads.get(one.id)
        if reads is None or changed is None or reads & changed:
            self._still[one.id] = 0
            return False
        self._still[one.id] = self._still.get(one.id, 0) + 1
        # A law of a change is asked once more: what it saw last was the change, and now nothing changes.
        return self._still[one.id] > (one.moment == "whenever")

    def _speaks(self, one: Property, now: Evaluator, *, is_over: bool) -> bool:
        """Whether a law has something to say at a question or at the end."""
        if one.moment == "whenever":
            return self.actions >= 0 and one.condition is not None and bool(now.value(one.condition, {}))
        return one.moment == "always" or (one.moment == "finally" and is_over)

    def _watched(self) -> Interpreter:
        assert self._interpreter is not None  # `watch` comes first
        return self._interpreter

    def _test(self, one: Property, now: Evaluator, names: Locals) -> None:
        self.tested[one.id] += 1
        if not now.value(one.law, names):
            self._note(one, now, names)

    def _note(self, one: Property, now: Evaluator, names: Locals, *more: PartValue) -> None:
        if not any(breach.law is one for breach in self.breaches):
            self.breaches.append(Violation(one, self.actions + 1, more or values_of(now, one.law, names)))

    def _at_moment(self, subject: str, names: Locals) -> None:
        for one in self._by_subject.get(subject, ()):
            interpreter = self._watched()
            now = Evaluator(interpreter.tables, interpreter.state, self._before)
            self._test(one, now, names)
            self._count(one, now, names)

    def _count(self, one: Property, now: Evaluator, names: Locals) -> None:
        """Count an answer or event, and note if it came too often."""
        for bound in one.bounds:
            key = (one.id, bound.step, names.get("player"))
            self._counts[key] += 1
            most = now.value(bound.times, names)
            if self._counts[key] > most:
                times = PartValue("how often it came", NUMBER, self._counts[key])
                who = [PartValue("player", PLAYER, names["player"])] if "player" in names else []
                counted = [*who, times, PartValue("limit", NUMBER, most)]
                self._note(one, now, names, *counted)

    # What a game tells those who look on.

    def on_step(self, step: AnyStep, _names: Locals) -> None:
        """Begin to count anew what is counted while this step lasts."""
        if self._counts and isinstance(step, Step | Call):
            place = step.address if isinstance(step, Step) else step.verb
            for key in [key for key in self._counts if key[1] == place]:
                del self._counts[key]

    def on_skip(self, decision: str, names: Locals) -> None:
        """What is not asked is of no interest here."""

    def on_option(self, decision: str, option: str) -> None:
        """An answer that is about to be done is of no interest here."""

    def after_option(self, _decision: str, option: str, names: Locals) -> None:
        """Test the laws of an answer when its steps are done."""
        self._at_moment(option, names)

    def on_event(self, event: str, names: Locals) -> None:
        """Test the laws of an event when everybody has reacted."""
        self._at_moment(event, names)


def only(properties: Iterable[Property], id_: str) -> tuple[Property, ...]:
    """Return the property with an id alone."""
    return tuple(one for one in properties if one.id == id_)
