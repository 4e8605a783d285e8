"""What happened, as people read it; for a seat, only what it may know."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import groupby
from typing import Any, TypeAlias

from attrs import field, frozen

from aodrules.arguments import check_text, format_argument
from aodrules.check.checked import Field
from aodrules.errors import UnknownNameError
from aodrules.facts.state import LogEntry
from aodrules.lang.types import HiddenPiece as HiddenType
from aodrules.lang.types import Member, Piece, Player, Type
from aodrules.play.ids import IdTable, field_path, format_scalar
from aodrules.play.labels import Labels, fill, plain_words
from aodrules.play.rules_context import RulesContext
from aodrules.play.states import Hidden, hidden_piece
from aodrules.source.wording import listed


@frozen(eq=False)
class EventTexts:
    """Tells the entries of a log in any language."""

    book: RulesContext
    names: IdTable

    def text(self, entry: LogEntry, language: str) -> str:
        """Return what happened, in words."""
        return _TEXTS[entry[0]](_EventWriter(self.names, self.book.labels(language)), entry)

    def hidden_move(self, entry: LogEntry, what: Hidden, language: str) -> str:
        """Return how pieces moved that somebody could not see."""
        return _format_move(_EventWriter(self.names, self.book.labels(language)), entry, what, what.count)


@frozen(eq=False)
class _EventWriter:
    """Writes events in the words of a language."""

    names: IdTable
    labels: Labels

    def value(self, type_: Type, value: Any) -> str:
        return self.labels.value(type_, self.names.readable(type_, value))

    def place(self, field: str, at: Sequence[int | None]) -> str:
        return self.labels.place(self.names, field, at)

    def piece(self, kind: str, member: int, owner: int | None) -> str:
        name = self.labels.member(kind, self.names.member(kind, member))
        return name if owner is None else f"{self.labels.seat(self.names.seats[owner])} {name}"


def _move_text(writer: _EventWriter, entry: LogEntry) -> str:
    _, kind, member, owner, count, *_ = entry
    return _format_move(writer, entry, writer.piece(kind, member, owner), count)


def _format_move(writer: _EventWriter, entry: LogEntry, what: str | Hidden, count: int) -> str:
    _, _, _, _, _, source, source_at, target, target_at, _ = entry
    name = writer.labels.hidden(what) if isinstance(what, Hidden) else what
    many = f"{count} × {name}" if count > 1 and isinstance(what, str) else name
    places = {"from": writer.place(source, source_at), "to": writer.place(target, target_at)}
    return writer.labels.phrase("move", what=many, **places)


def _set_text(writer: _EventWriter, entry: LogEntry) -> str:
    _, name, at, old, new = entry
    type_ = writer.names.tables.rules.fields[name].type
    values = {"old": writer.value(type_, old), "new": writer.value(type_, new)}
    return writer.labels.phrase("set", field=writer.place(name, at), **values)


def _at_field_text(writer: _EventWriter, entry: LogEntry) -> str:
    return writer.labels.phrase(entry[0], field=writer.place(entry[1], entry[2]))


def _roll_text(writer: _EventWriter, entry: LogEntry) -> str:
    _, item, word = entry
    type_ = item_type(writer.names, word)
    return writer.labels.phrase("roll", item=str(item) if type_ is None else writer.value(type_, item))


def item_type(names: IdTable, word: str) -> Type | None:
    """Return the type of what was rolled; nothing for a number."""
    if word == "player":
        return Player()
    if word in names.tables.rules.kinds:
        return Member(word)
    kind = word.removeprefix("piece of ")
    return Piece(kind) if kind in names.tables.rules.kinds else None


def _reveal_text(writer: _EventWriter, entry: LogEntry) -> str:
    _, name, at, _, what, owner, seats = entry
    declared = writer.names.tables.rules.fields[name]
    told = writer.value(declared.type, what) if declared.holds is None else writer.piece(declared.holds, what, owner)
    given = {"what": told, "field": writer.place(name, at)}
    to = writer.names.seats_of(seats)
    if len(to) == len(writer.names.seats):
        return writer.labels.phrase("reveal-all", **given)
    return writer.labels.phrase("reveal", to=", ".join(map(writer.labels.seat, to)), **given)


def _happen_text(writer: _EventWriter, entry: LogEntry) -> str:
    """Return the words that the game has for an event, or its name with its arguments; who it is about comes first."""
    _, event, values = entry
    parameters = writer.names.tables.rules.events[event].parameters
    given = {
        one.name: writer.labels.hidden(Hidden(str(one.type.of)))
        if isinstance(one.type, HiddenType)
        else writer.value(one.type, value)
        for one, value in zip(parameters, values, strict=True)
    }
    words = writer.labels.find(f"event.{event}")
    if words is None:
        name = plain_words(event)
        return f"{name}: {', '.join(given.values())}" if given else name
    who = f"{given['player']}: " if "player" in given and "{player}" not in words else ""
    return who + fill(words, given)


def _cut_text(writer: _EventWriter, entry: LogEntry) -> str:
    _, name, at, wanted, got = entry
    return writer.labels.phrase("cut", field=writer.place(name, at), wanted=str(wanted), got=str(got))


def _stuck_text(writer: _EventWriter, entry: LogEntry) -> str:
    return writer.labels.phrase("stuck", decision=writer.labels.say(entry[1]))


_TEXTS: dict[str, Callable[[_EventWriter, LogEntry], str]] = {
    "move": _move_text,
    "set": _set_text,
    "shuffle": _at_field_text,
    "sort": _at_field_text,
    "roll": _roll_text,
    "reveal": _reveal_text,
    "happen": _happen_text,
    "step": lambda writer, entry: writer.labels.say(entry[1]),
    "cut": _cut_text,
    "bound": lambda writer, _entry: writer.labels.phrase("bound"),
    "stuck": _stuck_text,
    "left": lambda writer, entry: writer.labels.phrase("left", player=writer.labels.seat(writer.names.seats[entry[1]])),
    "over": lambda writer, _entry: writer.labels.phrase("over"),
}


@frozen
class Event:
    """One thing that happened: its kind, and the rest by name.

    Kinds are `move`, `set`, `shuffle`, `sort`, `roll`, `reveal`, `happen`, `step`, `cut`, `bound`, `stuck`, `left`
    and `over`; `happen` has the name of the event under `event` and its arguments beside it.
    """

    kind: str
    details: dict[str, Any] = field(factory=dict, hash=False)
    _words: Callable[[str], str] | None = field(default=None, eq=False, repr=False)

    def text(self, language: str = "en") -> str:
        """Return what happened in the words of a language; one that no game made has only its ids."""
        check_text("a language", language)
        return str(self) if self._words is None else self._words(language)

    def __reduce__(self) -> tuple[type[Event], tuple[str, dict[str, Any]]]:
        return Event, (self.kind, self.details)  # The words stay with the game that has them.

    def __getitem__(self, name: str) -> Any:
        if check_text("the name of a detail", name) not in self.details:
            known = listed(tuple(self.details)) or "nothing"
            raise UnknownNameError(f"`{self.kind}` tells no {format_argument(name)}; {known}")
        return self.details[name]

    def get(self, name: str, default: Any = None) -> Any:
        """Return a detail, or something else if it is not there."""
        return self.details.get(check_text("the name of a detail", name), default)

    def __str__(self) -> str:
        parts = (f"{name} {_format_detail(value)}" for name, value in self.details.items() if value is not None)
        return f"{self.kind}: {', '.join(parts)}" if self.details else self.kind


def events(texts: EventTexts, happenings: Iterable[LogEntry]) -> tuple[Event, ...]:
    """Return everything that happened."""
    return tuple(_event(texts, entry) for entry in happenings)


def _event(texts: EventTexts, entry: LogEntry) -> Event:
    return Event(entry[0], _DETAILS[entry[0]](texts.names, entry), partial(texts.text, entry))


def events_for(texts: EventTexts, happenings: Iterable[LogEntry], seat: int) -> tuple[Event, ...]:
    """Return what happened as far as a seat may know.

    Pieces it could not see are told as so many unknown ones: neither their order nor how they fall into equal ones.
    """
    found: list[Event] = []
    for is_masked, run in groupby(happenings, key=lambda entry: _hidden_way(entry, seat)):
        if is_masked is not None:
            found += _unseen_moves(texts, list(run))
        else:
            found += [_event(texts, entry) for entry in run if _may_notice(texts.names, entry, seat)]
    return tuple(found)


Way: TypeAlias = tuple[Any, ...]


def _hidden_way(entry: LogEntry, seat: int) -> Way | None:
    """Return from where to where unseen pieces moved; nothing for whatever the seat may see."""
    if entry[0] != "move" or entry[9] == -1 or entry[9] >> seat & 1:
        return None
    return (entry[1], *entry[5:9])


def _unseen_moves(texts: EventTexts, entries: list[LogEntry]) -> list[Event]:
    names, first = texts.names, entries[0]
    backs: Counter[tuple[Any, ...]] = Counter()
    for entry in entries:
        backs[_back(names, entry[5], entry[7], entry[2])] += entry[4]
    found = [Hidden(first[1], count, shows) for shows, count in sorted(backs.items(), key=lambda pair: str(pair[0]))]
    return [
        Event(
            "move", {"what": what, "count": what.count, **_ways(names, first)}, partial(texts.hidden_move, first, what)
        )
        for what in found
    ]


def _ways(names: IdTable, entry: LogEntry) -> dict[str, str]:
    """Return from where to where pieces moved."""
    return {"from": field_path(names, entry[5], entry[6]), "to": field_path(names, entry[7], entry[8])}


def _back(names: IdTable, source: str, target: str, member: int) -> tuple[Any, ...]:
    """Return what the back of a piece tells where it comes from or goes to."""
    fields = names.tables.rules.fields
    secret = next((fields[name] for name in (source, target) if fields[name].secret and fields[name].shows), None)
    return () if secret is None else hidden_piece(names, secret, member).shows


def _may_notice(names: IdTable, entry: LogEntry, seat: int) -> bool:
    """Whether a seat may know that something happened at all."""
    kind = entry[0]
    if kind in {"set", "cut"}:
        declared = names.tables.rules.fields[entry[1]]
        return declared.holds is not None or bool(names.tables.visible_to(entry[1], entry[2]) >> seat & 1)
    return kind != "reveal" or bool(entry[6] >> seat & 1)


def is_revealing(names: IdTable, entry: LogEntry) -> bool:
    """Whether somebody learned something by it that cannot be unlearned, or chance decided."""
    kind = entry[0]
    if kind in {"roll", "shuffle", "reveal"}:
        return True
    if kind != "move" or names.tables.rules.fields[entry[5]].secret is None:
        return False
    seen = names.tables.everybody if entry[9] == -1 else entry[9]
    return bool(seen & ~names.tables.visible_to(entry[5], entry[6]))


@frozen
class Learned:
    """A piece that a seat got to see, and where it lay."""

    piece: str
    place: str


def learned_by(names: IdTable, entry: LogEntry, seat: int) -> Learned | None:
    """Return the piece that a seat got to see and where it lay, if it could not always look there."""
    if entry[0] == "reveal" and entry[6] >> seat & 1:
        return Learned(str(_read_revealed(names, entry)), field_path(names, entry[1], entry[2]))
    if entry[0] != "move":
        return None
    _, kind, member, owner, _, source, at, _, _, seen = entry
    if names.tables.visible_to(source, at) >> seat & 1 or not seen >> seat & 1:
        return None
    return Learned(names.piece(kind, member, owner), field_path(names, source, at))


# What each kind of entry tells, by name; the entries are those of `docs/design/0001`.


def _move(names: IdTable, entry: LogEntry) -> dict[str, Any]:
    _, kind, member, owner, count, *_ = entry
    return {"what": names.piece(kind, member, owner), "count": count, **_ways(names, entry)}


def _set(names: IdTable, entry: LogEntry) -> dict[str, Any]:
    _, name, at, old, new = entry
    type_ = _field(names, name).type
    values = {"old": names.readable(type_, old), "new": names.readable(type_, new)}
    return {"field": field_path(names, name, at), **values}


def _at_field(names: IdTable, entry: LogEntry) -> dict[str, Any]:
    return {"field": field_path(names, entry[1], entry[2])}


def _roll(names: IdTable, entry: LogEntry) -> dict[str, Any]:
    _, item, word = entry
    type_ = item_type(names, word)
    return {"item": item if type_ is None else names.readable(type_, item)}


def _reveal(names: IdTable, entry: LogEntry) -> dict[str, Any]:
    _, name, at, index, _, _, seats = entry
    where = {"field": field_path(names, name, at), "index": index}
    return {"what": _read_revealed(names, entry), **where, "to": names.seats_of(seats)}


def _read_revealed(names: IdTable, entry: LogEntry) -> Any:
    """Return the piece that was shown, or what a field holds."""
    _, name, _, _, what, owner, _ = entry
    declared = _field(names, name)
    return names.readable(declared.type, what) if declared.holds is None else names.piece(declared.holds, what, owner)


def _happen(names: IdTable, entry: LogEntry) -> dict[str, Any]:
    _, event, values = entry
    parameters = names.tables.rules.events[event].parameters
    arguments = {
        one.name: Hidden(str(one.type.of)) if isinstance(one.type, HiddenType) else names.readable(one.type, value)
        for one, value in zip(parameters, values, strict=True)
    }
    return {"event": event, **arguments}


def _cut(names: IdTable, entry: LogEntry) -> dict[str, Any]:
    _, name, at, wanted, got = entry
    return {"field": field_path(names, name, at), "wanted": wanted, "got": got}


def _detail_named(key: str) -> Callable[[IdTable, LogEntry], dict[str, Any]]:
    return lambda _names, entry: {key: str(entry[1])}


_DETAILS: dict[str, Callable[[IdTable, LogEntry], dict[str, Any]]] = {
    "move": _move,
    "set": _set,
    "shuffle": _at_field,
    "sort": _at_field,
    "roll": _roll,
    "reveal": _reveal,
    "happen": _happen,
    "step": _detail_named("step"),
    "cut": _cut,
    "bound": _detail_named("where"),
    "stuck": _detail_named("decision"),
    "left": lambda names, entry: {"player": names.seats[entry[1]]},
    "over": lambda _names, _entry: {},
}


def _field(names: IdTable, name: str) -> Field:
    return names.tables.rules.fields[name]


def _format_detail(value: Any) -> str:
    """Return a detail as it stands in the text of an event."""
    return ", ".join(map(_format_detail, value)) if isinstance(value, tuple) else format_scalar(value)
