"""What happened, as people read it; for a seat, only what it may know."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import groupby
from typing import Any, TypeAlias

from attrs import field, frozen

from aodrules.arguments import check_text, shown
from aodrules.check.checked import Field
from aodrules.engine.state import Happening
from aodrules.errors import UnknownNameError
from aodrules.lang.types import Hidden as HiddenType
from aodrules.lang.types import Member, Piece, Player, Type
from aodrules.play.names import Names
from aodrules.play.places import field_path
from aodrules.play.readers import Hidden, hidden_piece
from aodrules.source.wording import listed


@frozen
class Event:
    """One thing that happened: its kind, and the rest by name.

    Kinds are `move`, `set`, `shuffle`, `sort`, `roll`, `reveal`, `happen`, `step`, `cut`, `bound`, `stuck`, `left`
    and `over`; `happen` has the name of the event under `event` and its arguments beside it.
    """

    kind: str
    details: dict[str, Any] = field(factory=dict, hash=False)

    def __getitem__(self, name: str) -> Any:
        if check_text("the name of a detail", name) not in self.details:
            raise UnknownNameError(f"`{self.kind}` tells no {shown(name)}; {listed(tuple(self.details)) or 'nothing'}")
        return self.details[name]

    def get(self, name: str, default: Any = None) -> Any:
        """Return a detail, or something else if it is not there."""
        return self.details.get(check_text("the name of a detail", name), default)

    def __str__(self) -> str:
        parts = (f"{name} {_shown(value)}" for name, value in self.details.items() if value is not None)
        return f"{self.kind}: {', '.join(parts)}" if self.details else self.kind


def events(names: Names, happenings: Iterable[Happening]) -> tuple[Event, ...]:
    """Return everything that happened."""
    return tuple(_MAKERS[entry[0]](names, entry) for entry in happenings)


def events_for(names: Names, happenings: Iterable[Happening], seat: int) -> tuple[Event, ...]:
    """Return what happened as far as a seat may know.

    Pieces it could not see are told as so many unknown ones: neither their order nor how they fall into equal ones.
    """
    found: list[Event] = []
    for is_masked, run in groupby(happenings, key=lambda entry: _hidden_way(entry, seat)):
        if is_masked is not None:
            found += _unseen_moves(names, list(run))
        else:
            found += [_MAKERS[entry[0]](names, entry) for entry in run if _may_notice(names, entry, seat)]
    return tuple(found)


Way: TypeAlias = tuple[Any, ...]


def _hidden_way(entry: Happening, seat: int) -> Way | None:
    """Return from where to where unseen pieces moved; nothing for whatever the seat may see."""
    if entry[0] != "move" or entry[9] == -1 or entry[9] >> seat & 1:
        return None
    return (entry[1], *entry[5:9])


def _unseen_moves(names: Names, entries: list[Happening]) -> list[Event]:
    _, kind, _, _, _, source, source_at, target, target_at, _ = entries[0]
    backs: dict[tuple[Any, ...], int] = {}
    for entry in entries:
        shows = _back(names, entry[5], entry[7], entry[2])
        backs[shows] = backs.get(shows, 0) + entry[4]
    places = {"from": field_path(names, source, source_at), "to": field_path(names, target, target_at)}
    return [
        Event("move", {"what": Hidden(kind, count, shows), "count": count, **places})
        for shows, count in sorted(backs.items(), key=lambda pair: str(pair[0]))
    ]


def _back(names: Names, source: str, target: str, member: int) -> tuple[Any, ...]:
    """Return what the back of a piece tells where it comes from or goes to."""
    fields = names.tables.rules.fields
    secret = next((fields[name] for name in (source, target) if fields[name].secret and fields[name].shows), None)
    return () if secret is None else hidden_piece(names, secret, member).shows


def _may_notice(names: Names, entry: Happening, seat: int) -> bool:
    """Whether a seat may know that something happened at all."""
    kind = entry[0]
    if kind in {"set", "cut"}:
        declared = names.tables.rules.fields[entry[1]]
        return declared.holds is not None or bool(names.tables.seers(entry[1], entry[2]) >> seat & 1)
    return kind != "reveal" or bool(entry[6] >> seat & 1)


def is_revealing(names: Names, entry: Happening) -> bool:
    """Whether somebody learned something by it that cannot be unlearned, or chance decided."""
    kind = entry[0]
    if kind in {"roll", "shuffle", "reveal"}:
        return True
    if kind != "move" or names.tables.rules.fields[entry[5]].secret is None:
        return False
    seen = names.tables.everybody if entry[9] == -1 else entry[9]
    return bool(seen & ~names.tables.seers(entry[5], entry[6]))


def learned_by(names: Names, entry: Happening, seat: int) -> tuple[str, str] | None:
    """Return the piece that a seat got to see and where it lay, if it could not always look there."""
    if entry[0] == "reveal" and entry[6] >> seat & 1:
        _, name, at, _, member, owner, _ = entry
        return names.piece(str(names.tables.rules.fields[name].holds), member, owner), field_path(names, name, at)
    if entry[0] != "move":
        return None
    _, kind, member, owner, _, source, at, _, _, seen = entry
    if names.tables.seers(source, at) >> seat & 1 or not seen >> seat & 1:
        return None
    return names.piece(kind, member, owner), field_path(names, source, at)


# One maker for each kind of entry; the entries are those of `docs/design/0001`.


def _move(names: Names, entry: Happening) -> Event:
    _, kind, member, owner, count, source, source_at, target, target_at, _ = entry
    details = {"what": names.piece(kind, member, owner), "count": count}
    places = {"from": field_path(names, source, source_at), "to": field_path(names, target, target_at)}
    return Event("move", {**details, **places})


def _set(names: Names, entry: Happening) -> Event:
    _, name, at, old, new = entry
    type_ = _field(names, name).type
    values = {"old": names.readable(type_, old), "new": names.readable(type_, new)}
    return Event("set", {"field": field_path(names, name, at), **values})


def _at_field(names: Names, entry: Happening) -> Event:
    return Event(entry[0], {"field": field_path(names, entry[1], entry[2])})


def _roll(names: Names, entry: Happening) -> Event:
    _, item, word = entry
    type_ = _item_type(names, word)
    return Event("roll", {"item": item if type_ is None else names.readable(type_, item)})


def _item_type(names: Names, word: str) -> Type | None:
    if word == "player":
        return Player()
    if word in names.tables.rules.kinds:
        return Member(word)
    kind = word.removeprefix("piece of ")
    return Piece(kind) if kind in names.tables.rules.kinds else None


def _reveal(names: Names, entry: Happening) -> Event:
    _, name, at, index, member, owner, seats = entry
    piece = names.piece(str(_field(names, name).holds), member, owner)
    where = {"field": field_path(names, name, at), "index": index}
    return Event("reveal", {"what": piece, **where, "to": names.seats_of(seats)})


def _happen(names: Names, entry: Happening) -> Event:
    _, event, values = entry
    parameters = names.tables.rules.events[event].parameters
    arguments = {
        one.name: Hidden(str(one.type.of)) if isinstance(one.type, HiddenType) else names.readable(one.type, value)
        for one, value in zip(parameters, values, strict=True)
    }
    return Event("happen", {"event": event, **arguments})


def _cut(names: Names, entry: Happening) -> Event:
    _, name, at, wanted, got = entry
    return Event("cut", {"field": field_path(names, name, at), "wanted": wanted, "got": got})


def _named(key: str) -> Callable[[Names, Happening], Event]:
    return lambda _names, entry: Event(entry[0], {key: str(entry[1])})


_MAKERS: dict[str, Callable[[Names, Happening], Event]] = {
    "move": _move,
    "set": _set,
    "shuffle": _at_field,
    "sort": _at_field,
    "roll": _roll,
    "reveal": _reveal,
    "happen": _happen,
    "step": _named("step"),
    "cut": _cut,
    "bound": _named("where"),
    "stuck": _named("decision"),
    "left": lambda names, entry: Event("left", {"player": names.seats[entry[1]]}),
    "over": lambda _names, _entry: Event("over"),
}


def _field(names: Names, name: str) -> Field:
    return names.tables.rules.fields[name]


def _shown(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)
