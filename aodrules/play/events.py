"""What happened, as typed events with words; for a seat, only what it may know."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property, partial
from itertools import groupby
from typing import Any, TypeAlias

from attrs import define, frozen

from aodrules.check.checked import EffectScope
from aodrules.facts.state import Cause, Indices, LogEntry, PlainState
from aodrules.interpreter.places import cell, items_at, known_at, piece_of
from aodrules.lang.types import Bag, Flag, Member, Owner, Piece, Player, Type, bits
from aodrules.lang.types import HiddenPiece as HiddenType
from aodrules.play.event_types import (
    BoundEvent,
    CutEvent,
    Event,
    EventCause,
    EventPiece,
    EventPlace,
    HappenEvent,
    LeftEvent,
    MoveEvent,
    OverEvent,
    RevealEvent,
    RollEvent,
    SetEvent,
    ShuffleEvent,
    SortEvent,
    StepEvent,
    StuckEvent,
    TellEvent,
)
from aodrules.play.ids import OUT, IdTable, field_path, format_scalar
from aodrules.play.labels import Labels, fill, plain_words
from aodrules.play.rules_context import RulesContext
from aodrules.play.states import Hidden, hidden_piece


@frozen(eq=False)
class Happenings:
    """What a machine noted after one answer, and what events tell beside it."""

    entries: Sequence[LogEntry]
    causes: Sequence[Cause | None] = ()
    by: int | None = None
    """The seat that answered."""
    state: PlainState | None = None
    """The state after it; not needed where no member that may be hidden did anything."""

    def pairs(self) -> Iterator[tuple[LogEntry, Cause | None]]:
        """Iterate over the entries with their causes."""
        return zip(self.entries, self.causes or (None,) * len(self.entries), strict=True)

    def merged(self) -> Happenings:
        """Return them with equal moves one after another told as one."""
        found: list[tuple[LogEntry, Cause | None]] = []
        for entry, cause in self.pairs():
            if found and entry[0] == "move" and _without_count(*found[-1]) == _without_count(entry, cause):
                before = found[-1][0]
                found[-1] = ((*before[:4], before[4] + entry[4], *before[5:]), cause)
            else:
                found.append((entry, cause))
        return Happenings([entry for entry, _ in found], [cause for _, cause in found], self.by, self.state)


def _without_count(entry: LogEntry, cause: Cause | None) -> tuple[Any, ...]:
    return (*entry[:4], *entry[5:], cause)


@define(eq=False, slots=False)
class EventTexts:
    """Tells the entries of a log in any language, and who did what they tell."""

    context: RulesContext
    names: IdTable

    def text(self, entry: LogEntry, language: str) -> str:
        """Return what happened, in words."""
        labels = self.context.labels(self.context.words.check(language))
        namer = _Namer(self.names, labels)
        if entry[0] in _TEXTS:
            return _TEXTS[entry[0]](labels, namer, entry)
        return labels.phrase(entry[0], **_DETAILS[entry[0]](namer, entry))

    def hidden_move(self, entry: LogEntry, what: Hidden, language: str) -> str:
        """Return how pieces moved that somebody could not see."""
        labels = self.context.labels(self.context.words.check(language))
        return labels.phrase("move", what=labels.hidden(what), **_ways(_Namer(self.names, labels), entry))

    # Causes.

    def cause(self, cause: Cause | None) -> EventCause | None:
        """Return the body that did something."""
        if cause is None:
            return None
        if cause not in self._causes:
            self._causes[cause] = self._make_cause(cause)
        return self._causes[cause]

    def cause_for(self, cause: Cause | None, seat: int, state: PlainState | None) -> EventCause | None:
        """Return the body that did something, as far as a seat may know: no member that lies where it cannot see it."""
        if cause is None or cause.kind is None or self._is_known(cause, seat, state):
            return self.cause(cause)
        # That it was a hook of this kind is known: the rules let nothing be noticed that depends on whose it was.
        return self.cause(Cause(cause.body)) if cause.body in self.names.tables.rules.hooks else None

    def needs_state(self, causes: Iterable[Cause | None]) -> bool:
        """Whether a state must tell who may know what did something."""
        return any(cause is not None and cause.kind in self._secret_kinds for cause in causes)

    def _make_cause(self, cause: Cause) -> EventCause:
        rules, address, member = self.names.tables.rules, cause.body, None
        if cause.kind is not None and cause.member is not None:
            member = self.names.member(cause.kind, cause.member)
        if cause.body in rules.hooks:
            kind, name = cause.body.split(".")
            address = f"kinds.{kind}.hooks.{name}" if member is None else f"{kind}.{member}.{name}"
        clauses = partial(self.context.clauses_at, address)
        return EventCause(address, cause.kind if member is not None else None, member, clauses)

    def _is_known(self, cause: Cause, seat: int, state: PlainState | None) -> bool:
        if cause.kind is None or cause.kind not in self._secret_kinds:
            return True
        field = self._scopes.get(cause.body)
        if field is not None and self.names.tables.rules.fields[field].secret is None:
            return True
        return cause.member is None or (
            state is not None and _sees_all(self.names, state, seat, cause.kind, cause.member)
        )

    @cached_property
    def _causes(self) -> dict[Cause, EventCause]:
        return {}

    @cached_property
    def _secret_kinds(self) -> frozenset[str | None]:
        """The families of which pieces may be hidden."""
        return frozenset(field.holds for field in self.names.tables.rules.fields.values() if field.secret)

    @cached_property
    def _scopes(self) -> dict[str, str | None]:
        """The field in which those lie that carry an effect, by the address of the effect."""
        rules = self.names.tables.rules
        scopes: dict[str, EffectScope | None] = {
            one.address: one.scope for ones in rules.reactions.values() for one in ones
        }
        scopes |= {option.address: option.scope for one in rules.decisions.values() for option in one.options}
        return {address: scope.field for address, scope in scopes.items() if scope is not None}

    # Bookkeeping.

    def is_noise(self, entry: LogEntry) -> bool:
        """Whether an entry is bookkeeping.

        A counter of uses, a field that a step or another field starts anew, an order, a bound of a loop, and what has
        no words where the game has words for others of its sort.
        """
        kind = entry[0]
        if kind in {"sort", "bound"}:
            return True
        if kind == "step":
            return self.is_nameless(entry[1], "verb.")
        if kind == "happen":
            return self.is_nameless(f"event.{entry[1]}", "event.")
        if kind == "move":
            return all(self._is_nameless_field(name) for name in (entry[5], entry[7]))
        return kind in {"set", "cut"} and self._keeps_books(entry[1])

    def _keeps_books(self, field: str) -> bool:
        declared = self.names.tables.rules.fields[field]
        if declared.resets or declared.goes_with or ".limit." in field or field.startswith("limit."):
            return True
        return self._is_nameless_field(field)

    def _is_nameless_field(self, field: str) -> bool:
        return not field.startswith(f"{OUT}.") and self.is_nameless(f"state.{field}", "state.")

    def is_nameless(self, address: str, sort: str) -> bool:
        """Whether something has no words though others of its sort have."""
        return address not in self.context.words.texts and self._has_words[sort]

    @cached_property
    def _has_words(self) -> dict[str, bool]:
        texts = self.context.words.texts
        # Words with a place to fill are those of the turns of a loop.
        whole = (name for name, said in texts.items() if not any("{" in words for words in said.values()))
        steps = (name for name in whole if name.startswith("verb.") and name.count(".") > 1)
        found = {sort: any(name.startswith(sort) for name in texts) for sort in ("state.", "event.")}
        return {**found, "verb.": any(".options." not in name for name in steps)}


def _sees_all(names: IdTable, state: PlainState, seat: int, kind: str, member: int) -> bool:
    """Whether a seat sees every piece of a member that there is."""
    tables = names.tables
    return not any(
        _hides(names, state, (field.name, at), seat, member)
        for field in tables.rules.fields.values()
        if field.holds == kind and field.secret
        for at in tables.shapes[field.name].indices()
    )


def _hides(names: IdTable, state: PlainState, place: tuple[str, Indices], seat: int, member: int) -> bool:
    """Whether a piece of a member lies somewhere where a seat does not know it."""
    tables, (field, at) = names.tables, place
    if names.sees(field, at, seat):
        return False
    if isinstance(tables.rules.fields[field].type, Bag):
        held: Any = cell(tables, state, field, at)
        return bool(held[member])
    return any(
        piece_of(tables, field, at, item).member == member
        and not names.is_among(known_at(tables, state, field, at, index).which, seat)
        for index, item in enumerate(items_at(tables, state, field, at))
    )


@frozen(eq=False)
class _Namer:
    """Calls the things in a log by the words of a language."""

    names: IdTable
    labels: Labels

    def value(self, type_: Type, value: Any) -> Any:
        return self.labels.value(type_, self.names.readable(type_, value))

    def place(self, field: str, at: Sequence[int | None]) -> str:
        return self.labels.place(self.names, field, at)

    def piece(self, kind: str, member: int, owner: int | None) -> str:
        name = self.labels.member(kind, self.names.member(kind, member))
        return name if owner is None else f"{self.labels.owner(self.names.owners[owner])} {name}"

    def hidden(self, what: Hidden) -> Any:
        return self.labels.hidden(what)

    def seat(self, seat: int) -> str:
        return self.labels.seat(self.names.seats[seat])

    def node(self, address: str) -> str:
        return self.labels.say(address)


def events(texts: EventTexts, happenings: Happenings) -> tuple[Event, ...]:
    """Return everything that happened."""
    by = _seat_name(texts.names, happenings.by)
    return tuple(_event(texts, entry, texts.cause(cause), by) for entry, cause in happenings.pairs())


def _event(texts: EventTexts, entry: LogEntry, cause: EventCause | None, by: str | None) -> Event:
    about = {"cause": cause, "by": by, "noise": texts.is_noise(entry), "words": partial(texts.text, entry)}
    return _MAKERS[entry[0]](texts.names, entry, about)


def _seat_name(names: IdTable, seat: int | None) -> str | None:
    return None if seat is None else names.seats[seat]


def events_for(texts: EventTexts, happenings: Happenings, seat: int) -> tuple[Event, ...]:
    """Return what happened as far as a seat, or `SPECTATOR`, may know.

    Pieces it could not see are told as so many unknown ones: neither their order nor how they fall into equal ones.
    """
    found: list[Event] = []
    names, by = texts.names, _seat_name(texts.names, happenings.by)

    def key(pair: tuple[LogEntry, Cause | None]) -> tuple[Way | None, EventCause | None]:
        return _hidden_way(names, pair[0], seat), texts.cause_for(pair[1], seat, happenings.state)

    for (way, cause), run in groupby(happenings.pairs(), key=key):
        entries = [entry for entry, _ in run]
        if way is not None:
            found += _unseen_moves(texts, entries, cause, by)
        else:
            found += [_event(texts, entry, cause, by) for entry in entries if _may_notice(names, entry, seat)]
    return tuple(found)


Way: TypeAlias = tuple[Any, ...]


def _hidden_way(names: IdTable, entry: LogEntry, seat: int) -> Way | None:
    """Return from where to where unseen pieces moved; nothing for whatever the seat may see."""
    if entry[0] != "move" or entry[9] == -1 or names.is_among(entry[9], seat):
        return None
    return (entry[1], *entry[5:9])


def _unseen_moves(
    texts: EventTexts, entries: list[LogEntry], cause: EventCause | None, by: str | None
) -> Iterator[Event]:
    names, first = texts.names, entries[0]
    backs: Counter[tuple[Any, ...]] = Counter()
    for entry in entries:
        backs[_back(names, entry[5], entry[7], entry[2])] += entry[4]
    for shows, count in sorted(backs.items(), key=lambda pair: str(pair[0])):
        what = Hidden(first[1], count, shows)
        yield MoveEvent(
            what=what,
            count=count,
            **_ends(names, first),
            cause=cause,
            by=by,
            noise=texts.is_noise(first),
            words=partial(texts.hidden_move, first, what),
        )


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
        return declared.holds is not None or names.sees(entry[1], entry[2], seat)
    return kind != "reveal" or names.is_among(entry[6], seat)


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
    """A piece that a seat got to see, and where it lay.

    Examples:
        >>> import aodrules
        >>> game = aodrules.load("caravan").new_game(players=["amber", "jade"], seed=5)
        >>> game.push("swear 1")
        >>> game.learned("amber")[0]
        Learned(piece='carpets', place='deck')
    """

    piece: str
    """The id of the member."""
    place: str
    """The path of the field where it lay."""


def learned_by(names: IdTable, entry: LogEntry, seat: int) -> Learned | None:
    """Return the piece that a seat got to see and where it lay, if it could not always look there."""
    if entry[0] == "reveal" and entry[6] >> seat & 1:
        return Learned(str(_revealed(names, entry)), field_path(names, entry[1], entry[2]))
    if entry[0] != "move":
        return None
    _, kind, member, owner, _, source, at, _, _, seen = entry
    if names.tables.visible_to(source, at) >> seat & 1 or not seen >> seat & 1:
        return None
    return Learned(names.piece(kind, member, owner), field_path(names, source, at))


# What each kind of entry becomes; the entries are those of `docs/design/0001`.

About: TypeAlias = dict[str, Any]
"""What all events have, by name."""


def _piece(names: IdTable, kind: str, member: int, owner: int | None) -> EventPiece:
    return EventPiece(kind, names.member(kind, member), None if owner is None else names.owners[owner])


def _place(names: IdTable, field: str, at: Sequence[int | None]) -> EventPlace:
    pairs = zip(names.tables.rules.fields[field].dimensions, at, strict=True)
    indices = tuple(None if index is None else names.index(type_, index) for type_, index in pairs)
    return EventPlace(field_path(names, field, at), field, indices)


def _ends(names: IdTable, entry: LogEntry) -> dict[str, Any]:
    """Return from where to where pieces moved."""
    return {"source": _place(names, entry[5], entry[6]), "target": _place(names, entry[7], entry[8])}


def _make_move(names: IdTable, entry: LogEntry, about: About) -> Event:
    _, kind, member, owner, count, *_ = entry
    return MoveEvent(what=_piece(names, kind, member, owner), count=count, **_ends(names, entry), **about)


def _make_set(names: IdTable, entry: LogEntry, about: About) -> Event:
    _, name, at, old, new = entry
    type_ = names.tables.rules.fields[name].type
    old, new = names.readable(type_, old), names.readable(type_, new)
    return SetEvent(place=_place(names, name, at), old=old, new=new, **about)


def _make_roll(names: IdTable, entry: LogEntry, about: About) -> Event:
    _, item, word = entry
    return RollEvent(item=_readable(names, word, item), sort=word, **about)


def _make_reveal(names: IdTable, entry: LogEntry, about: About) -> Event:
    _, name, at, index, _, _, seats = entry
    to = tuple(names.seats[seat] for seat in bits(seats & names.tables.everybody))
    return RevealEvent(what=_revealed(names, entry), place=_place(names, name, at), index=index, to=to, **about)


def _revealed(names: IdTable, entry: LogEntry) -> Any:
    """Return the piece that was shown, or what a field holds."""
    _, name, _, _, what, owner, _ = entry
    declared = names.tables.rules.fields[name]
    return names.readable(declared.type, what) if declared.holds is None else _piece(names, declared.holds, what, owner)


def _make_tell(names: IdTable, entry: LogEntry, about: About) -> Event:
    _, name, value, word = entry
    if word.startswith("set of "):
        what: Any = tuple(_readable(names, word[7:], item) for item in bits(value))
    else:
        what = _readable(names, word.removeprefix("maybe "), value)
    return TellEvent(name=name, what=what, **about)


def _readable(names: IdTable, word: str, value: Any) -> Any:
    """Return what was rolled or told as people read it."""
    type_ = _type_of_word(names, word)
    return value if type_ is None else names.readable(type_, value)


def _make_happen(names: IdTable, entry: LogEntry, about: About) -> Event:
    _, event, values = entry
    parameters = names.tables.rules.events[event].parameters
    arguments = {
        one.name: Hidden(str(one.type.of)) if isinstance(one.type, HiddenType) else names.readable(one.type, value)
        for one, value in zip(parameters, values, strict=True)
    }
    return HappenEvent(event=event, arguments=arguments, **about)


def _make_cut(names: IdTable, entry: LogEntry, about: About) -> Event:
    _, name, at, wanted, got = entry
    return CutEvent(place=_place(names, name, at), wanted=wanted, got=got, **about)


_MAKERS: dict[str, Callable[[IdTable, LogEntry, About], Event]] = {
    "move": _make_move,
    "set": _make_set,
    "shuffle": lambda names, entry, about: ShuffleEvent(place=_place(names, entry[1], entry[2]), **about),
    "sort": lambda names, entry, about: SortEvent(place=_place(names, entry[1], entry[2]), **about),
    "roll": _make_roll,
    "reveal": _make_reveal,
    "tell": _make_tell,
    "happen": _make_happen,
    "step": lambda _names, entry, about: StepEvent(step=entry[1], **about),
    "cut": _make_cut,
    "bound": lambda _names, entry, about: BoundEvent(where=str(entry[1]), **about),
    "stuck": lambda _names, entry, about: StuckEvent(decision=entry[1], **about),
    "left": lambda names, entry, about: LeftEvent(player=names.seats[entry[1]], **about),
    "over": lambda _names, _entry, about: OverEvent(**about),
}


# What the phrase for each kind of entry is given, in words.


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
    return {"what": _revealed_words(namer, entry), "field": namer.place(name, at), "index": index, "to": to}


def _revealed_words(namer: _Namer, entry: LogEntry) -> Any:
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
