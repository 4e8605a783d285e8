"""What can happen in a game, as plain data: one class for each kind of event, with its names and types.

Every event has a `kind`, its `cause`, the seat it happened upon (`by`) and whether it is bookkeeping (`noise`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal, TypeAlias

from attrs import field, fields_dict, frozen

from aodrules.arguments import check_text
from aodrules.play.ids import format_scalar
from aodrules.play.labels import pickle_without
from aodrules.play.states import Hidden

Value: TypeAlias = "str | int | bool | tuple[Value, ...] | Mapping[str, int] | None"
"""A value as people read it: ids of seats and members, a piece after its owner, counts by id for bags."""


@frozen
class EventPiece:
    """A piece, or so many that are alike.

    Examples:
        >>> import aodrules
        >>> game = aodrules.load("nim").new_game(players=2, seed=1)
        >>> game.push("take low_heap 1")
        >>> move = game.events[0]
        >>> move.kind == "move" and move.what
        EventPiece(kind='stone', member='pebble', owner=None)
    """

    kind: str
    """The family it is of; `player` for a seat that lies in a list."""
    member: str
    """Its id; pieces of one member are alike."""
    owner: str | None = None
    """The seat or side whose piece it is, where pieces have owners."""

    def __str__(self) -> str:
        return self.member if self.owner is None else f"{self.owner} {self.member}"


@frozen
class EventPlace:
    """A single field of the state.

    Examples:
        >>> import aodrules
        >>> game = aodrules.load("nim").new_game(players=2, seed=1)
        >>> game.push("take low_heap 1")
        >>> move = game.events[0]
        >>> move.kind == "move" and move.source
        EventPlace(path='heaps.low_heap.lying', field='heap.lying', at=('low_heap',))
    """

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
    """The body of the rules whose steps did something: a verb, a member's hook, an option, an effect.

    Examples:
        >>> import aodrules
        >>> game = aodrules.load("nim").new_game(players=2, seed=1)
        >>> game.push("take low_heap 1")
        >>> cause = game.events[0].cause
        >>> cause and cause.address
        'decision.take.options.take'
    """

    address: str
    """Where it is written; `aodrules explain` shows it."""
    kind: str | None = None
    """The family of that member."""
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
        return pickle_without(self, "_words")


_ABOUT = frozenset({"cause", "by", "noise", "_words"})


@frozen(kw_only=True)
class MoveEvent(EventBase):
    """Pieces moved from one place to another.

    Examples:
        >>> import aodrules
        >>> game = aodrules.load("nim").new_game(players=2, seed=1)
        >>> game.push("take low_heap 2")
        >>> move = game.events[0]
        >>> assert move.kind == "move"
        >>> move.kind, str(move.what), move.count, move.source.path, move.target.path
        ('move', 'pebble', 2, 'heaps.low_heap.lying', 'taken')
        >>> move.text("en")
        '2 × Pebble: Lying (Low heap) → Taken'
    """

    kind: Literal["move"] = field(default="move", init=False)
    what: EventPiece | Hidden
    """Which; of those that a seat could not see the kind, how many, and what the backs tell."""
    count: int
    source: EventPlace
    target: EventPlace


@frozen(kw_only=True)
class SetEvent(EventBase):
    """A field that holds no pieces changed.

    Examples:
        >>> import aodrules
        >>> game = aodrules.load("nim").new_game(players=2, seed=1)
        >>> game.push("take low_heap 1")
        >>> change = game.events[1]
        >>> assert change.kind == "set"
        >>> change.kind, change.place.path, change.old, change.new
        ('set', 'last_taker', None, 'first')
    """

    kind: Literal["set"] = field(default="set", init=False)
    place: EventPlace
    old: Value = field(hash=False)
    new: Value = field(hash=False)


@frozen(kw_only=True)
class ShuffleEvent(EventBase):
    """A list was put into a random order.

    Examples:
        >>> import aodrules
        >>> game = aodrules.load("isles").new_game(players=2, seed=1)
        >>> next(event.place.path for event in game.events if event.kind == "shuffle")
        'turn_order'
    """

    kind: Literal["shuffle"] = field(default="shuffle", init=False)
    place: EventPlace


@frozen(kw_only=True)
class SortEvent(EventBase):
    """A list was sorted.

    Examples:
        >>> import aodrules
        >>> game = aodrules.load("harbour").new_game(players=2, seed=1)
        >>> while not any(event.kind == "sort" for event in game.events):
        ...     game.push(game.actions[-1])
        >>> next((event.place.path, event.noise) for event in game.events if event.kind == "sort")
        ('turn_order', True)
    """

    kind: Literal["sort"] = field(default="sort", init=False)
    place: EventPlace


@frozen(kw_only=True)
class RollEvent(EventBase):
    """Chance decided.

    Examples:
        >>> import aodrules
        >>> game = aodrules.load("isles").new_game(players=2, seed=1)
        >>> while not any(event.kind == "roll" for event in game.events):
        ...     game.push(game.actions[0])
        >>> next((event.sort, event.item in range(1, 7)) for event in game.events if event.kind == "roll")
        ('number', True)
    """

    kind: Literal["roll"] = field(default="roll", init=False)
    item: Value
    """What came out."""
    sort: str
    """What it is: the name of a kind, `player`, `piece of KIND` or `number`."""


@frozen(kw_only=True)
class RevealEvent(EventBase):
    """Somebody was shown a piece, or what a field holds.

    Examples:
        >>> import aodrules
        >>> game = aodrules.load("caravan").new_game(players=["amber", "jade"], seed=5)
        >>> while not any(event.kind == "reveal" for event in game.events):
        ...     game.push(game.actions[-1])
        >>> next(sorted(event.to) for event in game.events if event.kind == "reveal")
        ['amber']
    """

    kind: Literal["reveal"] = field(default="reveal", init=False)
    what: EventPiece | Value
    """What was shown."""
    place: EventPlace
    """Where it lies."""
    index: int | None = None
    """The position in a list."""
    to: tuple[str, ...]
    """The seats that did not know it before."""


@frozen(kw_only=True)
class TellEvent(EventBase):
    """Everybody was told what something comes to that depends on secrets.

    Examples:
        >>> import aodrules
        >>> print(aodrules.TellEvent(name="strength", what=7))
        tell: name strength, what 7
    """

    kind: Literal["tell"] = field(default="tell", init=False)
    name: str
    """What is told: the name that the rules give it."""
    what: Value
    """What it comes to."""


@frozen(kw_only=True)
class HappenEvent(EventBase):
    """An event of the rules was raised.

    Examples:
        >>> import aodrules
        >>> print(aodrules.HappenEvent(event="built", arguments={"player": "red", "house": "inn"}))
        happen: event built, arguments player red, house inn
    """

    kind: Literal["happen"] = field(default="happen", init=False)
    event: str
    """Its name in the rules."""
    arguments: dict[str, Value | Hidden] = field(factory=dict, hash=False)
    """What it was raised with, by name."""


@frozen(kw_only=True)
class StepEvent(EventBase):
    """A named step began.

    Examples:
        >>> import aodrules
        >>> game = aodrules.load("harbour").new_game(players=2, seed=1)
        >>> next(event.step for event in game.events if event.kind == "step")
        'verb.set_up.order'
    """

    kind: Literal["step"] = field(default="step", init=False)
    step: str
    """Its address."""


@frozen(kw_only=True)
class CutEvent(EventBase):
    """Something did not fit.

    Examples:
        >>> import aodrules
        >>> place = aodrules.EventPlace(path="players.red.silver", field="player.silver", at=("red",))
        >>> event = aodrules.CutEvent(place=place, wanted=25, got=20)
        >>> print(event)
        cut: place players.red.silver, wanted 25, got 20
    """

    kind: Literal["cut"] = field(default="cut", init=False)
    place: EventPlace
    wanted: Value
    """How much there should have been."""
    got: Value
    """How much there was, or was room for."""


@frozen(kw_only=True)
class BoundEvent(EventBase):
    """A loop reached its bound.

    Examples:
        >>> import aodrules
        >>> print(aodrules.BoundEvent(where="verb.main.repeat"))
        bound: where verb.main.repeat
    """

    kind: Literal["bound"] = field(default="bound", init=False)
    where: str
    """The address of the loop."""


@frozen(kw_only=True)
class StuckEvent(EventBase):
    """Nothing was possible at a decision, and the rules do not say what happens then.

    Examples:
        >>> import aodrules
        >>> print(aodrules.StuckEvent(decision="decision.take"))
        stuck: decision decision.take
    """

    kind: Literal["stuck"] = field(default="stuck", init=False)
    decision: str
    """Its address."""


@frozen(kw_only=True)
class LeftEvent(EventBase):
    """Somebody left the game; moves of what was theirs follow.

    Examples:
        >>> import aodrules
        >>> print(aodrules.LeftEvent(player="red"))
        left: player red
    """

    kind: Literal["left"] = field(default="left", init=False)
    player: str
    """The seat that left."""


@frozen(kw_only=True)
class OverEvent(EventBase):
    """The game ended.

    Examples:
        >>> import aodrules
        >>> game = aodrules.load("nim").new_game(players=2, seed=1)
        >>> while not game.over:
        ...     game.push(game.actions[-1])
        >>> game.events[-1].kind, game.events[-1].text("en")
        ('over', 'The game is over')
    """

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
