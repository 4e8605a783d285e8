"""What happened, as people read it; for a seat, only what it may know."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import groupby
from typing import Any, TypeAlias

from attrs import field, frozen

from aodrules.arguments import check_text, format_argument
from aodrules.errors import UnknownNameError
from aodrules.facts.state import LogEntry
from aodrules.lang.types import Flag, Member, Owner, Piece, Player, Type, bits
from aodrules.lang.types import HiddenPiece as HiddenType
from aodrules.play.ids import IdTable, field_path, format_scalar
from aodrules.play.labels import Labels, fill, plain_words
from aodrules.play.rules_context import RulesContext
from aodrules.play.states import Hidden, hidden_piece
from aodrules.source.wording import listed


@frozen(eq=False)
class EventTexts:
    """Tells the entries of a log in any language."""

    context: RulesContext
    names: IdTable

    def text(self, entry: LogEntry, language: str) -> str:
        """Return what happened, in words."""
        labels = self.context.labels(language)
        namer = _Namer(self.names, labels)
        if entry[0] in _TEXTS:
            return _TEXTS[entry[0]](labels, namer, entry)
        return labels.phrase(entry[0], **_DETAILS[entry[0]](namer, entry))

    def hidden_move(self, entry: LogEntry, what: Hidden, language: str) -> str:
        """Return how pieces moved that somebody could not see."""
        labels = self.context.labels(language)
        return labels.phrase("move", what=labels.hidden(what), **_ways(_Namer(self.names, labels), entry))


@frozen(eq=False)
class _Namer:
    """Calls the things in a log by their ids; with labels, by the words of a language."""

    names: IdTable
    labels: Labels | None = None

    def value(self, type_: Type, value: Any) -> Any:
        found = self.names.readable(type_, value)
        return found if self.labels is None else self.labels.value(type_, found)

    def place(self, field: str, at: Sequence[int | None]) -> str:
        return field_path(self.names, field, at) if self.labels is None else self.labels.place(self.names, field, at)

    def piece(self, kind: str, member: int, owner: int | None) -> str:
        if self.labels is None:
            return self.names.piece(kind, member, owner)
        name = self.labels.member(kind, self.names.member(kind, member))
        return name if owner is None else f"{self.seat(owner)} {name}"

    def hidden(self, what: Hidden) -> Any:
        return what if self.labels is None else self.labels.hidden(what)

    def seat(self, seat: int) -> str:
        name = self.names.seats[seat]
        return name if self.labels is None else self.labels.seat(name)

    def node(self, address: str) -> str:
        return address if self.labels is None else self.labels.say(address)


@frozen
class Event:
    """One thing that happened: its kind, and the rest by name.

    Kinds are `move`, `set`, `shuffle`, `sort`, `roll`, `reveal`, `tell`, `happen`, `step`, `cut`, `bound`, `stuck`,
    `left` and `over`; `happen` has the name of the event under `event` and its arguments beside it.
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
    return Event(entry[0], _DETAILS[entry[0]](_Namer(texts.names), entry), partial(texts.text, entry))


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
    ways = _ways(_Namer(names), first)
    return [
        Event("move", {"what": what, "count": what.count, **ways}, partial(texts.hidden_move, first, what))
        for what in found
    ]


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
    if kind in {"roll", "shuffle", "reveal", "tell"}:
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
        return Learned(str(_revealed(_Namer(names), entry)), field_path(names, entry[1], entry[2]))
    if entry[0] != "move":
        return None
    _, kind, member, owner, _, source, at, _, _, seen = entry
    if names.tables.visible_to(source, at) >> seat & 1 or not seen >> seat & 1:
        return None
    return Learned(names.piece(kind, member, owner), field_path(names, source, at))


# What each kind of entry tells, by name; the entries are those of `docs/design/0001`.


def _move(namer: _Namer, entry: LogEntry) -> dict[str, Any]:
    _, kind, member, owner, count, *_ = entry
    return {"what": namer.piece(kind, member, owner), "count": count, **_ways(namer, entry)}


def _ways(namer: _Namer, entry: LogEntry) -> dict[str, str]:
    """Return from where to where pieces moved."""
    return {"from": namer.place(entry[5], entry[6]), "to": namer.place(entry[7], entry[8])}


def _set(namer: _Namer, entry: LogEntry) -> dict[str, Any]:
    _, name, at, old, new = entry
    type_ = namer.names.tables.rules.fields[name].type
    return {"field": namer.place(name, at), "old": namer.value(type_, old), "new": namer.value(type_, new)}


def _at_field(namer: _Namer, entry: LogEntry) -> dict[str, Any]:
    return {"field": namer.place(entry[1], entry[2])}


def _roll(namer: _Namer, entry: LogEntry) -> dict[str, Any]:
    _, item, word = entry
    return {"item": _value_of_word(namer, word, item)}


def _tell(namer: _Namer, entry: LogEntry) -> dict[str, Any]:
    _, name, value, word = entry
    if word.startswith("set of "):
        return {"name": name, "what": tuple(_value_of_word(namer, word[7:], item) for item in bits(value))}
    return {"name": name, "what": _value_of_word(namer, word.removeprefix("maybe "), value)}


def _value_of_word(namer: _Namer, word: str, value: Any) -> Any:
    type_ = _type_of_word(namer.names, word)
    return value if type_ is None else namer.value(type_, value)


def _type_of_word(names: IdTable, word: str) -> Type | None:
    """Return the type of what was rolled or told; nothing for a number."""
    if word == "player":
        return Player()
    if word == "owner":
        return Owner()
    if word == "flag":
        return Flag()
    if word in names.tables.rules.kinds:
        return Member(word)
    kind = word.removeprefix("piece of ")
    return Piece(kind) if kind in names.tables.rules.kinds else None


def _reveal(namer: _Namer, entry: LogEntry) -> dict[str, Any]:
    _, name, at, index, _, _, seats = entry
    to = tuple(namer.seat(seat) for seat in bits(seats & namer.names.tables.everybody))
    return {"what": _revealed(namer, entry), "field": namer.place(name, at), "index": index, "to": to}


def _revealed(namer: _Namer, entry: LogEntry) -> Any:
    """Return the piece that was shown, or what a field holds."""
    _, name, _, _, what, owner, _ = entry
    declared = namer.names.tables.rules.fields[name]
    return namer.value(declared.type, what) if declared.holds is None else namer.piece(declared.holds, what, owner)


def _arguments(namer: _Namer, entry: LogEntry) -> dict[str, Any]:
    """Return the arguments of an event of the rules."""
    _, event, values = entry
    parameters = namer.names.tables.rules.events[event].parameters
    return {
        one.name: namer.hidden(Hidden(str(one.type.of)))
        if isinstance(one.type, HiddenType)
        else namer.value(one.type, value)
        for one, value in zip(parameters, values, strict=True)
    }


def _cut(namer: _Namer, entry: LogEntry) -> dict[str, Any]:
    _, name, at, wanted, got = entry
    return {"field": namer.place(name, at), "wanted": wanted, "got": got}


_DETAILS: dict[str, Callable[[_Namer, LogEntry], dict[str, Any]]] = {
    "move": _move,
    "set": _set,
    "shuffle": _at_field,
    "sort": _at_field,
    "roll": _roll,
    "reveal": _reveal,
    "tell": _tell,
    "happen": lambda namer, entry: {"event": entry[1], **_arguments(namer, entry)},
    "step": lambda namer, entry: {"step": namer.node(entry[1])},
    "cut": _cut,
    "bound": lambda _namer, entry: {"where": str(entry[1])},
    "stuck": lambda namer, entry: {"decision": namer.node(entry[1])},
    "left": lambda namer, entry: {"player": namer.seat(entry[1])},
    "over": lambda _namer, _entry: {},
}


def _move_text(labels: Labels, namer: _Namer, entry: LogEntry) -> str:
    told = _move(namer, entry)
    many = f"{told['count']} × {told['what']}" if told["count"] > 1 else told["what"]
    return labels.phrase("move", **told | {"what": many})


def _reveal_text(labels: Labels, namer: _Namer, entry: LogEntry) -> str:
    told = _reveal(namer, entry)
    is_open = len(told["to"]) == len(namer.names.seats)
    return labels.phrase("reveal-all" if is_open else "reveal", **told | {"to": ", ".join(told["to"])})


def _tell_text(labels: Labels, namer: _Namer, entry: LogEntry) -> str:
    what = _tell(namer, entry)["what"]
    told = ", ".join(map(str, what)) if isinstance(what, tuple) else what
    return labels.phrase("tell", name=plain_words(entry[1]), what=format_scalar(told))


def _happen_text(labels: Labels, namer: _Namer, entry: LogEntry) -> str:
    """Return the words that the game has for an event, or its name with its arguments; who it is about comes first."""
    given = _arguments(namer, entry)
    words = labels.find(f"event.{entry[1]}")
    if words is None:
        name = plain_words(entry[1])
        return f"{name}: {', '.join(given.values())}" if given else name
    who = f"{given['player']}: " if "player" in given and "{player}" not in words else ""
    return who + fill(words, given)


_TEXTS: dict[str, Callable[[Labels, _Namer, LogEntry], str]] = {
    "move": _move_text,
    "reveal": _reveal_text,
    "tell": _tell_text,
    "happen": _happen_text,
    "step": lambda labels, _namer, entry: labels.say(entry[1]),
}
"""Of all others there is a phrase, in which the details stand."""


def _format_detail(value: Any) -> str:
    """Return a detail as it stands in the text of an event."""
    return ", ".join(map(_format_detail, value)) if isinstance(value, tuple) else format_scalar(value)
