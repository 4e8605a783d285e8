"""How often play exercised each clause: counted by looking on while steps are done and values are computed."""

from __future__ import annotations

from collections import Counter

from attrs import define, field

from aodrules.check.steps import AnyStep
from aodrules.interpreter.interpreter import Interpreter
from aodrules.interpreter.options import Locals
from aodrules.play.rules_context import RulesContext
from aodrules.source.spans import Span
from aodrules.testing.citations import Citations


@define(eq=False)
class Exercise:
    """Looks on and counts steps by their place, and values, modifiers and answers by their address."""

    places: Counter[Span] = field(factory=Counter)
    addresses: Counter[str] = field(factory=Counter)
    _last: Interpreter | None = None

    def watch(self, interpreter: Interpreter) -> None:
        """Begin to look on."""
        self.finish()
        self._last = interpreter
        interpreter.evaluator.on_use = self._used

    def finish(self) -> None:
        """Count the scores of the last game too: they are computed when somebody asks for them."""
        if self._last is not None and self._last.pending is None:
            for player in range(self._last.tables.players):
                self._last.points(player)
        self._last = None

    def _used(self, address: str) -> None:
        # The lines of the score sheet are values, and are declared with the game.
        self.addresses[address.replace("value.points.", "game.points.", 1)] += 1

    def on_step(self, step: AnyStep, _names: Locals) -> None:
        """Count a step."""
        self.places[step.span] += 1

    def on_skip(self, decision: str, names: Locals) -> None:
        """What is not asked does not count."""

    def on_option(self, decision: str, option: str) -> None:
        """Count an answer."""
        self.addresses[option] += 1
        self.addresses[decision] += 1

    def after_option(self, decision: str, option: str, names: Locals) -> None:
        """An answer was counted when it was given."""

    def on_event(self, event: str, _names: Locals) -> None:
        """Count an event."""
        self.addresses[f"event.{event}"] += 1

    def clauses(self, book: RulesContext, citations: Citations) -> Counter[str]:
        """Return how often each clause was exercised."""
        self.finish()
        found: Counter[str] = Counter()
        for span, many in self.places.items():
            for clause in citations.at(span):
                found[clause] += many
        for address, many in self.addresses.items():
            for clause in book.clauses_at(address):
                found[clause] += many
        return found
