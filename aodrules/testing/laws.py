"""Hold a running game to properties: look on while it is played and note every law that is broken."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from attrs import define, field, frozen

from aodrules.check.steps import AnyStep
from aodrules.engine.evaluation import Evaluator
from aodrules.engine.interpreter import Interpreter
from aodrules.engine.options import Locals
from aodrules.engine.state import PlainState
from aodrules.testing.properties import Property


@frozen(eq=False)
class Breach:
    """A law that was broken, and after how many actions."""

    law: Property
    actions: int


@define(eq=False)
class Laws:
    """Looks on while a game is played. At each question and at the end it must be asked to judge."""

    properties: tuple[Property, ...]
    breaches: list[Breach] = field(factory=list, init=False)
    tested: Counter[str] = field(factory=Counter, init=False)
    """How often each property had something to say."""
    actions: int = field(default=-1, init=False)
    """How many actions were taken; -1 while the game is being set up."""
    _interpreter: Interpreter | None = field(default=None, init=False)
    _before: PlainState | None = field(default=None, init=False)
    _by_subject: dict[str, list[Property]] = field(factory=dict, init=False)
    _needs_before: bool = field(default=False, init=False)

    def __attrs_post_init__(self) -> None:
        for one in self.properties:
            for subject in one.subjects:
                self._by_subject.setdefault(subject, []).append(one)
        self._needs_before = any(one.moment in ("whenever", "upon", "after") for one in self.properties)

    def watch(self, interpreter: Interpreter) -> None:
        """Begin to look on, before anything has been done."""
        self._interpreter = interpreter
        self._before = interpreter.plain()

    def judge(self) -> None:
        """Test what must hold at a question or at the end, and what must hold of the change since the last one."""
        interpreter = self._watched()
        is_over = interpreter.pending is None
        now = Evaluator(interpreter.tables, interpreter.state, self._before)
        for one in self.properties:
            if self._speaks(one, now, is_over=is_over):
                self._test(one, now, {})
        if self._needs_before:
            self._before = interpreter.plain()
        self.actions += 1

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
        if not now.value(one.law, names) and not any(breach.law is one for breach in self.breaches):
            self.breaches.append(Breach(one, self.actions + 1))

    def _at_moment(self, subject: str, names: Locals) -> None:
        for one in self._by_subject.get(subject, ()):
            interpreter = self._watched()
            self._test(one, Evaluator(interpreter.tables, interpreter.state, self._before), names)

    # What a game tells those who look on.

    def does(self, step: AnyStep, names: Locals) -> None:
        """Steps are of no interest here."""

    def takes(self, decision: str, option: str) -> None:
        """An answer that is about to be done is of no interest here."""

    def taken(self, _decision: str, option: str, names: Locals) -> None:
        """Test the laws of an answer when its steps are done."""
        self._at_moment(option, names)

    def happened(self, event: str, names: Locals) -> None:
        """Test the laws of an event when everybody has reacted."""
        self._at_moment(event, names)


def only(properties: Iterable[Property], id_: str) -> tuple[Property, ...]:
    """Return the property with an id alone."""
    return tuple(one for one in properties if one.id == id_)
