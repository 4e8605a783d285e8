"""A running game as both engines show it: its state in plain form, its questions, and what can be done with it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple, Protocol, Self, TypeAlias

from attrs import define, field, frozen

Cell: TypeAlias = "int | bool | tuple[int, ...] | None"
LogEntry: TypeAlias = "tuple[Any, ...]"
"""One entry of the event log; see `docs/design/0001`."""
Facts: TypeAlias = "Mapping[str, tuple[Cell, ...]]"
"""What is told when a game is made: by field, its cells. Who sits where, and settings."""
Indices: TypeAlias = tuple[int, ...]


class Cause(NamedTuple):
    """The body whose steps did something: a verb, a member's hook, an option, an effect, what is done otherwise."""

    body: str
    """Its address; of a hook its name, `KIND.HOOK`."""
    kind: str | None = None
    member: int | None = None
    """The member whose body it is, by number in the family, where it is one's alone or known whose it is."""


class LogNote(NamedTuple):
    """The first part of an entry in the log of generated code: what it notes, and whose body did it."""

    what: str
    cause: Cause


@frozen
class PlaceRef:
    """A place with its indices known; the owner's is `None` where the owner of a piece fills it."""

    field: str
    at: tuple[int | None, ...]
    index: int | None = None
    """One position of a list."""

    def of(self, owner: int | None) -> Indices:
        """Return the indices of the part of an owner."""
        return tuple(owner if index is None else index for index in self.at)  # type: ignore[misc]

    @property
    def is_shared(self) -> bool:
        """Whether each owner has a part of its own here."""
        return None in self.at


@define
class PlainState:
    """All cells by field, row-major over the field's dimensions; bags are tuples of counts by member of the family."""

    fields: dict[str, list[Cell]] = field(factory=dict)
    knowledge: dict[str, list[Cell]] = field(factory=dict)
    """For secret lists a tuple per cell, for secret maybes a number: `k1 | k2 << seats` for each position."""
    generator: int = 0
    left: tuple[int, ...] = ()
    """Seats that left the game, in order."""
    over: bool = False
    step: str | None = None
    """The address of the innermost named step that is active."""

    def copy(self) -> PlainState:
        """Return a state that can be changed without changing this one."""
        fields = {name: cells[:] for name, cells in self.fields.items()}
        knowledge = {name: cells[:] for name, cells in self.knowledge.items()}
        return PlainState(fields, knowledge, self.generator, self.left, self.over, self.step)


@frozen
class Question:
    """A question that waits for an answer."""

    decision: str
    """The address of the decision."""
    player: int
    arguments: tuple[tuple[str, Any], ...] = ()
    """The decision's arguments by name, places left out; for `order` the remaining items under `items`."""


@frozen
class UnderWay:
    """A named step, or the turn of a loop, that is under way while a question waits."""

    kind: Literal["step", "for", "repeat"]
    address: str
    names: tuple[tuple[str, Any], ...] = ()
    """Of a `for`: the item whose turn it is, and its position where that has a name."""
    turn: int | None = None
    """Of a `repeat`: which time it is, from 1."""


class Scoring(Protocol):
    """What a running game, or a state, tells about how it stands."""

    def points(self, seat: int) -> tuple[int, ...]:
        """Return a seat's points by source, in the order of the rules, as if the game ended now."""

    def total(self, seat: int) -> int:
        """Return a seat's points in all, as if the game ended now."""

    def outlook(self, seat: int) -> int:
        """Return what bots compare: what the position promises a seat, by the game's own outlook, else its points."""

    def standing(self, seat: int) -> tuple[int, ...]:
        """Return what decides who wins, more being better: is the seat in the game, may it win, then each number."""


class Machine(Scoring, Protocol):
    """A running game. Between two calls it always waits for an answer or is over."""

    @property
    def pending(self) -> Question | None:
        """The question that waits, or nothing when the game is over."""

    @property
    def decision(self) -> str | None:
        """The address of the decision that waits, or nothing when the game is over."""

    @property
    def under_way(self) -> tuple[UnderWay, ...]:
        """The named steps and loops in which the question is asked, the outermost first."""

    @property
    def codes(self) -> tuple[int, ...]:
        """The legal answers, sorted."""

    @property
    def happenings(self) -> tuple[LogEntry, ...]:
        """What happened since the last answer (since the start, before the first)."""

    @property
    def generator(self) -> int:
        """What all chance to come is made from."""

    @property
    def causes(self) -> tuple[Cause | None, ...]:
        """For each of what happened: the innermost body that did it; none for the end of the game."""

    def apply(self, code: int) -> tuple[int, ...]:
        """Give a legal answer, play on to the next question and return its legal answers.

        The caller has checked that the answer is legal.
        """

    def plain(self) -> PlainState:
        """Return the state in plain form."""

    @property
    def size(self) -> int:
        """How many values are kept to go back to this point."""

    def keep(self) -> Any:
        """Return what is needed to go back to this point."""

    def go_back(self, kept: Any) -> None:
        """Go back to a point of this game that was kept."""

    def copy(self) -> Self:
        """Return a game that goes on from here on its own."""
