"""What happened, told in the words of a game and a language: nothing of it is an id."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from attrs import frozen

from aodrules.facts.state import LogEntry
from aodrules.lang.types import HiddenPiece as HiddenType
from aodrules.lang.types import Member, Piece, Player, Type
from aodrules.play.cell_views import Hidden
from aodrules.play.ids import IdTable
from aodrules.play.labels import Labels
from aodrules.play.phrases import phrase
from aodrules.play.rules_context import RulesContext
from aodrules.play.words import plain_words


@frozen(eq=False)
class EventTexts:
    """Tells the entries of a log in any language."""

    book: RulesContext
    names: IdTable

    def text(self, entry: LogEntry, language: str) -> str:
        """Return what happened, in words."""
        return _TEXTS[entry[0]](_Voice(self.names, Labels(self.book, language)), entry)

    def hidden_move(self, entry: LogEntry, what: Hidden, language: str) -> str:
        """Return how pieces moved that somebody could not see."""
        return _moved(_Voice(self.names, Labels(self.book, language)), entry, what, what.count)


@frozen(eq=False)
class _Voice:
    """Who tells: the names of a game of so many players, in a language."""

    names: IdTable
    namer: Labels

    def phrase(self, name: str, **given: str) -> str:
        return self.namer.book.words.filled(phrase(name, self.namer.language), given)

    def value(self, type_: Type, value: Any) -> str:
        return self.namer.value(type_, self.names.readable(type_, value))

    def place(self, field: str, at: Sequence[int | None]) -> str:
        return self.namer.place(self.names, field, at)

    def piece(self, kind: str, member: int, owner: int | None) -> str:
        name = self.namer.member(kind, self.names.member(kind, member))
        return name if owner is None else f"{self.namer.seat(self.names.seats[owner])} {name}"


def _move(voice: _Voice, entry: LogEntry) -> str:
    _, kind, member, owner, count, *_ = entry
    return _moved(voice, entry, voice.piece(kind, member, owner), count)


def _moved(voice: _Voice, entry: LogEntry, what: str | Hidden, count: int) -> str:
    _, _, _, _, _, source, source_at, target, target_at, _ = entry
    name = voice.namer.hidden(what) if isinstance(what, Hidden) else what
    many = f"{count} × {name}" if count > 1 and isinstance(what, str) else name
    places = {"from": voice.place(source, source_at), "to": voice.place(target, target_at)}
    return voice.phrase("move", what=many, **places)


def _set(voice: _Voice, entry: LogEntry) -> str:
    _, name, at, old, new = entry
    type_ = voice.names.tables.rules.fields[name].type
    return voice.phrase("set", field=voice.place(name, at), old=voice.value(type_, old), new=voice.value(type_, new))


def _at_field(voice: _Voice, entry: LogEntry) -> str:
    return voice.phrase(entry[0], field=voice.place(entry[1], entry[2]))


def _roll(voice: _Voice, entry: LogEntry) -> str:
    _, item, word = entry
    type_ = item_type(voice.names, word)
    return voice.phrase("roll", item=str(item) if type_ is None else voice.value(type_, item))


def item_type(names: IdTable, word: str) -> Type | None:
    """Return the type of what was rolled; nothing for a number."""
    if word == "player":
        return Player()
    if word in names.tables.rules.kinds:
        return Member(word)
    kind = word.removeprefix("piece of ")
    return Piece(kind) if kind in names.tables.rules.kinds else None


def _reveal(voice: _Voice, entry: LogEntry) -> str:
    _, name, at, _, what, owner, seats = entry
    declared = voice.names.tables.rules.fields[name]
    told = voice.value(declared.type, what) if declared.holds is None else voice.piece(declared.holds, what, owner)
    given = {"what": told, "field": voice.place(name, at)}
    to = voice.names.seats_of(seats)
    if len(to) == len(voice.names.seats):
        return voice.phrase("reveal-all", **given)
    return voice.phrase("reveal", to=", ".join(map(voice.namer.seat, to)), **given)


def _happen(voice: _Voice, entry: LogEntry) -> str:
    """Return the words that the game has for an event, or its name with its arguments; who it is about comes first."""
    _, event, values = entry
    parameters = voice.names.tables.rules.events[event].parameters
    given = {
        one.name: voice.namer.hidden(Hidden(str(one.type.of)))
        if isinstance(one.type, HiddenType)
        else voice.value(one.type, value)
        for one, value in zip(parameters, values, strict=True)
    }
    words = voice.namer.book.words.find(f"event.{event}", voice.namer.language)
    return _named(plain_words(event), given) if words is None else _filled(voice, words, given)


def _filled(voice: _Voice, words: str, given: Mapping[str, str]) -> str:
    who = f"{given['player']}: " if "player" in given and "{player}" not in words else ""
    return who + voice.namer.book.words.filled(words, given)


def _named(name: str, given: Mapping[str, str]) -> str:
    return f"{name}: {', '.join(given.values())}" if given else name


def _cut(voice: _Voice, entry: LogEntry) -> str:
    _, name, at, wanted, got = entry
    return voice.phrase("cut", field=voice.place(name, at), wanted=str(wanted), got=str(got))


def _stuck(voice: _Voice, entry: LogEntry) -> str:
    return voice.phrase("stuck", decision=voice.namer.book.words.say(entry[1], voice.namer.language))


_TEXTS: dict[str, Callable[[_Voice, LogEntry], str]] = {
    "move": _move,
    "set": _set,
    "shuffle": _at_field,
    "sort": _at_field,
    "roll": _roll,
    "reveal": _reveal,
    "happen": _happen,
    "step": lambda voice, entry: voice.namer.book.words.say(entry[1], voice.namer.language),
    "cut": _cut,
    "bound": lambda voice, _entry: voice.phrase("bound"),
    "stuck": _stuck,
    "left": lambda voice, entry: voice.phrase("left", player=voice.namer.seat(voice.names.seats[entry[1]])),
    "over": lambda voice, _entry: voice.phrase("over"),
}
