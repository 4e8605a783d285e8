"""What every engine offers to the game that drives it."""

from __future__ import annotations

from typing import Any, Protocol, Self

from aodrules.facts.state import LogEntry, PlainState, Question


class Machine(Protocol):
    """A running game. Between two calls it always waits for an answer or is over."""

    @property
    def pending(self) -> Question | None:
        """The question that waits, or nothing when the game is over."""

    @property
    def decision(self) -> str | None:
        """The address of the decision that waits, or nothing when the game is over."""

    @property
    def codes(self) -> tuple[int, ...]:
        """The legal answers, sorted."""

    @property
    def happenings(self) -> tuple[LogEntry, ...]:
        """What happened since the last answer (since the start, before the first)."""

    def apply(self, code: int) -> tuple[int, ...]:
        """Give a legal answer, play on to the next question and return its legal answers.

        The caller has checked that the answer is legal.
        """

    def plain(self) -> PlainState:
        """Return the state in plain form."""

    def points(self, seat: int) -> tuple[int, ...]:
        """Return a seat's points by source, in the order of the rules, as if the game ended now."""

    def total(self, seat: int) -> int:
        """Return a seat's points in all, as if the game ended now."""

    def standing(self, seat: int) -> tuple[int, ...]:
        """Return what decides who wins, more being better: is the seat in the game, may it win, then each number."""

    def keep(self) -> Any:
        """Return what is needed to go back to this point."""

    def go_back(self, kept: Any) -> None:
        """Go back to a point of this game that was kept."""

    def copy(self) -> Self:
        """Return a game that goes on from here on its own."""
