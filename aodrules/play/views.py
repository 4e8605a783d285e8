"""A game as one seat may see it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from attrs import field, frozen

from aodrules.arguments import check_text
from aodrules.errors import NotationError
from aodrules.play.actions import Action
from aodrules.play.cell_views import SeatReader
from aodrules.play.events import Event
from aodrules.play.states import State
from aodrules.source.wording import quote


@frozen
class Decision:
    """A question that waits: who is asked what."""

    id: str
    address: str
    player: str
    """The seat that decides."""
    args: dict[str, Any] = field(hash=False)
    """What the question is about, by name, as people read it."""
    step: str | None
    """The address of the innermost named step that is active."""
    _clauses: Callable[[], tuple[str, ...]] = field(eq=False, repr=False)
    _words: Callable[[str], str] = field(eq=False, repr=False)

    @property
    def clauses(self) -> tuple[str, ...]:
        """The clauses of the rulebook that it models."""
        return self._clauses()

    def text(self, language: str = "en") -> str:
        """Return the question in the words of a language."""
        return self._words(check_text("a language", language))

    def __str__(self) -> str:
        return f"{self.player}: {self.id}"


@frozen
class Played:
    """An action that was taken, as a seat may see it: of a hidden one only the option."""

    player: str
    text: str


class View(State):
    """The state with its secrets hidden from one seat, and what that seat may do and has noticed."""

    __slots__ = ("_parts", "_seat_reader")

    def __init__(self, reader: SeatReader, parts: ViewParts) -> None:
        super().__init__(reader)
        self._seat_reader = reader
        self._parts = parts

    @property
    def seat(self) -> str:
        """Whose view it is."""
        return self._seat_reader.names.seats[self._seat_reader.seat]

    @property
    def decision(self) -> Decision | None:
        """The question that waits, whoever is asked."""
        return self._parts.decision

    @property
    def actions(self) -> tuple[Action, ...]:
        """What this seat may do now; nothing while others decide."""
        return self._parts.actions

    @property
    def events(self) -> tuple[Event, ...]:
        """What happened since the last decision, as far as this seat may know."""
        return self._parts.events

    @property
    def played(self) -> tuple[Played, ...]:
        """All actions taken so far, as far as this seat may know."""
        return self._parts.played

    def inside(self, path: str) -> Counter[str]:
        """Return the pieces this seat knows to be somewhere in a field, wherever they lie in it."""
        found = self.cell(check_text("a path of the state", path))
        if found is None:
            raise NotationError(f"{quote(path)} is no single field of the state")
        return self._seat_reader.inside(*found)


@frozen
class ViewParts:
    """What a view has beside the state."""

    decision: Decision | None
    actions: tuple[Action, ...]
    events: tuple[Event, ...]
    played: tuple[Played, ...]
