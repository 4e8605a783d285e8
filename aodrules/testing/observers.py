"""Games on the reference engine with somebody who looks on from the first step."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

from aodrules.check.steps import AnyStep
from aodrules.interpreter.entry.enter_at_step import EntryPoint
from aodrules.interpreter.interpreter import Interpreter
from aodrules.interpreter.options import Locals
from aodrules.play.rules_context import RulesContext
from aodrules.play.settings import Settings


class GameObserver:
    """An `Observer` who is told of the game before it begins; each kind overrides what it notes."""

    def watch(self, interpreter: Interpreter) -> None:
        """Begin to look on."""

    def on_step(self, step: AnyStep, names: Locals) -> None:
        """See `Observer`, as for all that follow."""

    def on_skip(self, decision: str, names: Locals) -> None:
        """A decision is not asked."""

    def on_option(self, decision: str, option: str) -> None:
        """An answer was given."""

    def after_option(self, decision: str, option: str, names: Locals) -> None:
        """Its steps are done."""

    def on_event(self, event: str, names: Locals) -> None:
        """Everybody has reacted to an event."""


@frozen(eq=False)
class _Observers(GameObserver):
    """Several who look on."""

    members: tuple[GameObserver, ...]

    def watch(self, interpreter: Interpreter) -> None:
        for member in self.members:
            member.watch(interpreter)

    def on_step(self, step: AnyStep, names: Locals) -> None:
        for member in self.members:
            member.on_step(step, names)

    def on_skip(self, decision: str, names: Locals) -> None:
        for member in self.members:
            member.on_skip(decision, names)

    def on_option(self, decision: str, option: str) -> None:
        for member in self.members:
            member.on_option(decision, option)

    def after_option(self, decision: str, option: str, names: Locals) -> None:
        for member in self.members:
            member.after_option(decision, option, names)

    def on_event(self, event: str, names: Locals) -> None:
        for member in self.members:
            member.on_event(event, names)


def observed_game(
    book: RulesContext,
    seats: tuple[str, ...],
    seed: int,
    observers: Sequence[GameObserver],
    *,
    settings: Settings = (),
    entry: EntryPoint | None = None,
) -> Interpreter:
    """Return a game at its first question, its set-up or way in looked on as well."""
    observer = observers[0] if len(observers) == 1 else _Observers(tuple(observers))
    return Interpreter(
        book.checked,
        len(seats),
        seed,
        book.tables(len(seats), book.facts(seats, settings)),
        spaces=book.actions(seats).spaces,
        entry=entry,
        observer=observer,
        on_start=observer.watch,
    )
