"""What can happen in a game, as plain data: one class for each kind of event, with its names and types.

Every event has a `kind`, its `cause`, the seat it happened upon (`by`) and whether it is bookkeeping (`noise`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Literal, TypeAlias

from attrs import field, fields_dict, frozen

from aodrules.arguments import check_text
from aodrules.play.ids import format_scalar
from aodrules.play.states import Hidden

Value: TypeAlias = "str | int | bool | tuple[Value, ...] | Mapping[str, int] | None"
"""A value as people read it: ids of seats and members, a piece after its owner, counts by id for bags."""


@frozen
class EventPiece:
    """A piece, or so many that are alike."""

    kind: str
    """The family it is of; `player` for a seat that lies in a list."""
    member: str
    owner: str | None = None
    """The seat or side whose piece it is, where pieces have owners."""

    def __str__(self) -> str:
        return self.member if self.owner is None else f"{self.owner} {self.member}"


@frozen
class EventPlace:
    """A single field of the state."""

    path: str
    """As in `game.state[path]`."""
    field: str
    """The address of the field in the rules, without `state`."""
    at: tuple[str | None, ...] = ()
    """The seats and members by which it is indexed, in the order of the rules; none for an index nobody may know."""

    def __str__(self) -> str:
        return self.path


@frozen
class EventCause:
    """The body of the rules whose steps did something: a verb, a member's hook, an option, an effect."""

    address: str
    """Where it is written; `aodrules explain` shows it."""
    kind: str | None = None
    member: str | None = None
    """The id of the member whose body it is, and its family, where it is a member's."""
    _find_clauses: Callable[[], tuple[str, ...]] | None = field(default=None, eq=False, repr=False)

    @property
    def clauses(self) -> tuple[str, ...]:
        """The clauses of the rulebook that it models."""
        return () if self._find_clauses is None else self._find_clauses()

    def __reduce__(self) -> tuple[Any, ...]:
        return EventCause, (self.address, self.kind, self.member)  # The clauses stay with the game that has them.


@frozen(kw_only=True)
class EventBase:
    """What all events have."""

    cause: EventCause | None = None
    """The innermost body that did it; none at the end of the game, and where it would tell a secret."""
    by: str | None = None
    """The seat whose answer it came after; none before the first answer."""
    noise: bool = False
    """Whether it is bookkeeping, which `game.log` leaves out."""
    _words: Callable[[str], str] | None = field(default=None, eq=False, repr=False)

    def text(self, language: str = "en") -> str:
        """Return what happened in the words of a language; one that no game made has only its ids."""
        check_text("a language", language)
        return str(self) if self._words is None else self._words(language)

    def __str__(self) -> str:
        kind, told = "", []
        for name in fields_dict(type(self)):
            value = getattr(self, name)
            if name == "kind":
                kind = value
            elif name not in _ABOUT and value is not None and value != {}:
                told.append(f"{name} {_format(value)}")
        return f"{kind}: {', '.join(told)}" if told else kind

    def __reduce__(self) -> tuple[Any, ...]:
        given = {name: getattr(self, name) for name in fields_dict(type(self)) if name not in {"_words", "kind"}}
        return partial(type(self), **given), ()  # The words stay with the game that has them.


_ABOUT = frozenset({"cause", "by", "noise", "_words"})


@frozen(kw_only=True)
class MoveEvent(EventBase):
    """Pieces moved from one place to another."""

    kind: Literal["move"] = field(default="move", init=False)
    what: EventPiece | Hidden
    """Which; of those that a seat could not see the kind, how many, and what the backs tell."""
    count: int
    source: EventPlace
    target: EventPlace


@frozen(kw_only=True)
class SetEvent(EventBase):
    """A field that holds no pieces changed."""

    kind: Literal["set"] = field(default="set", init=False)
    place: EventPlace
    old: Value = field(hash=False)
    new: Value = field(hash=False)


@frozen(kw_only=True)
class ShuffleEvent(EventBase):
    """A list was put into a random order."""

    kind: Literal["shuffle"] = field(default="shuffle", init=False)
    place: EventPlace


@frozen(kw_only=True)
class SortEvent(EventBase):
    """A list was sorted."""

    kind: Literal["sort"] = field(default="sort", init=False)
    place: EventPlace


@frozen(kw_only=True)
class RollEvent(EventBase):
    """Chance decided."""

    kind: Literal["roll"] = field(default="roll", init=False)
    item: Value
    sort: str
    """What it is: the name of a kind, `player`, `piece of KIND` or `number`."""


@frozen(kw_only=True)
class RevealEvent(EventBase):
    """Somebody was shown a piece, or what a field holds."""

    kind: Literal["reveal"] = field(default="reveal", init=False)
    what: EventPiece | Value
    place: EventPlace
    index: int | None = None
    """The position in a list."""
    to: tuple[str, ...]
    """The seats that did not know it before."""


@frozen(kw_only=True)
class TellEvent(EventBase):
    """Everybody was told what something comes to that depends on secrets."""

    kind: Literal["tell"] = field(default="tell", init=False)
    name: str
    what: Value


@frozen(kw_only=True)
class HappenEvent(EventBase):
    """An event of the rules was raised."""

    kind: Literal["happen"] = field(default="happen", init=False)
    event: str
    """Its name in the rules."""
    arguments: dict[str, Value | Hidden] = field(factory=dict, hash=False)


@frozen(kw_only=True)
class StepEvent(EventBase):
    """A named step began."""

    kind: Literal["step"] = field(default="step", init=False)
    step: str
    """Its address."""


@frozen(kw_only=True)
class CutEvent(EventBase):
    """Something did not fit."""

    kind: Literal["cut"] = field(default="cut", init=False)
    place: EventPlace
    wanted: Value
    got: Value


@frozen(kw_only=True)
class BoundEvent(EventBase):
    """A loop reached its bound."""

    kind: Literal["bound"] = field(default="bound", init=False)
    where: str


@frozen(kw_only=True)
class StuckEvent(EventBase):
    """Nothing was possible at a decision, and the rules do not say what happens then."""

    kind: Literal["stuck"] = field(default="stuck", init=False)
    decision: str
    """Its address."""


@frozen(kw_only=True)
class LeftEvent(EventBase):
    """Somebody left the game; moves of what was theirs follow."""

    kind: Literal["left"] = field(default="left", init=False)
    player: str


@frozen(kw_only=True)
class OverEvent(EventBase):
    """The game ended."""

    kind: Literal["over"] = field(default="over", init=False)


Event: TypeAlias = (
    MoveEvent
    | SetEvent
    | ShuffleEvent
    | SortEvent
    | RollEvent
    | RevealEvent
    | TellEvent
    | HappenEvent
    | StepEvent
    | CutEvent
    | BoundEvent
    | StuckEvent
    | LeftEvent
    | OverEvent
)
"""Anything that can happen; `event.kind` tells which."""


def _format(value: object) -> str:
    """Return a detail as it stands in the text of an event."""
    if isinstance(value, tuple):
        return ", ".join(map(_format, value))
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {_format(one)}" for name, one in value.items())
    return format_scalar(value)
