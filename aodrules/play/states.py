"""The state as people read it: `state["players.red.cash"]`, `state.players["red"].cash`. Nothing can be changed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from attrs import define, frozen

from aodrules.arguments import check_text, format_argument
from aodrules.check.checked import Field, Kind
from aodrules.errors import NotationError, UnknownNameError
from aodrules.facts.state import PlainState
from aodrules.interpreter.places import cell, is_kept, items_at, numbers_at, piece_of, unpacked
from aodrules.lang.types import Bag, ListOf, Member, Player, Type, item_type
from aodrules.play.ids import (
    OUT,
    PLAYERS,
    IdTable,
    counters,
    dimension_index,
    dimension_names,
    field_path,
    format_scalar,
)
from aodrules.source.wording import did_you_mean, listed, quote

_MISSING = object()
"""What a name leads to that there is not: nothing may stand at a path too."""


@frozen
class Hidden:
    """Something a seat may not know: what sort of thing, how many, and what their backs tell."""

    kind: str
    count: int = 1
    shows: tuple[tuple[str, Any], ...] = ()
    """What the back tells, by name of the attribute."""

    def __str__(self) -> str:
        # A flag is told after its name; anything else stands for itself.
        told = (
            f"{name}: {format_scalar(value)}" if isinstance(value, bool) else str(value) for name, value in self.shows
        )
        backs = f" ({', '.join(told)})" if self.shows else ""
        return f"{f'{self.count} ' if self.count > 1 else ''}hidden {self.kind}{backs}"


@define(eq=False)
class CellReader:
    """Says what a cell holds, as people read it."""

    names: IdTable
    state: PlainState

    def read(self, name: str, at: tuple[int, ...]) -> Any:
        """Return what a cell holds."""
        type_ = self.names.tables.rules.fields[name].type
        return self.names.readable(type_, cell(self.names.tables, self.state, name, at))


@define(eq=False)
class SeatReader(CellReader):
    """Says only what one seat may know."""

    seat: int

    def read(self, name: str, at: tuple[int, ...]) -> Any:
        """Return what a cell holds as far as the seat knows."""
        if self.names.tables.visible_to(name, at) >> self.seat & 1:
            return super().read(name, at)
        declared = self.names.tables.rules.fields[name]
        if declared.holds is None:
            return Hidden(str(item_type(declared.type)))
        if isinstance(declared.type, Bag):
            return self._bag(declared, at)
        return self._pieces(declared, at)

    def inside(self, name: str, at: tuple[int, ...]) -> Counter[str]:
        """Return the pieces that the seat knows to be somewhere in a cell, wherever they lie in it."""
        tables = self.names.tables
        if not is_kept(self.state, name):
            is_open = tables.visible_to(name, at) >> self.seat & 1
            return Counter(self._piece_names(name, at, self._items(name, at)) if is_open else ())
        items, numbers = self._items(name, at), numbers_at(tables, self.state, name, at)
        known = [
            item
            for item, number in zip(items, numbers, strict=False)
            if (unpacked(tables, number).which | unpacked(tables, number).within) >> self.seat & 1
        ]
        # In member order: their positions are not known.
        return Counter(self._piece_names(name, at, sorted(known)))

    def _piece_names(self, name: str, at: tuple[int, ...], items: Iterable[int]) -> list[str]:
        kind = str(self.names.tables.rules.fields[name].holds)
        pieces = (piece_of(self.names.tables, name, at, item) for item in items)
        return [self.names.piece(kind, piece.member, piece.owner) for piece in pieces]

    def _items(self, name: str, at: tuple[int, ...]) -> tuple[int, ...]:
        return items_at(self.names.tables, self.state, name, at)

    def _bag(self, declared: Field, at: tuple[int, ...]) -> tuple[Hidden, ...]:
        backs = Counter(hidden_piece(self.names, declared, item) for item in self._items(declared.name, at))
        groups = [Hidden(back.kind, count, back.shows) for back, count in backs.items()]
        return tuple(sorted(groups, key=str))

    def _pieces(self, declared: Field, at: tuple[int, ...]) -> Any:
        items = self._items(declared.name, at)
        numbers = numbers_at(self.names.tables, self.state, declared.name, at)
        pieces = tuple(
            self.names.readable(item_type(declared.type), item)
            if unpacked(self.names.tables, number).which >> self.seat & 1
            else hidden_piece(self.names, declared, item)
            for item, number in zip(items, numbers, strict=False)
        )
        if isinstance(declared.type, ListOf):
            return pieces
        return pieces[0] if pieces else None


def hidden_piece(names: IdTable, declared: Field, item: int) -> Hidden:
    """Return what everybody sees of a piece in a secret field: its back."""
    kind = str(declared.holds)
    member = item % names.tables.family_size(kind)
    return Hidden(kind, 1, tuple(_back(names, attribute, member) for attribute in declared.shows))


def _back(names: IdTable, attribute: str, member: int) -> tuple[str, Any]:
    type_ = names.tables.rules.attributes[attribute].type
    return attribute.rsplit(".", maxsplit=1)[-1], names.readable(type_, names.tables.attributes[attribute][member])


class State:
    """A state that can be read by path or by attribute.

    Example:
        >>> import aodrules
        >>> state = aodrules.load("nim").new_game(players=2, seed=1).state
        >>> state["last_taker"] is None
        True
        >>> list(state.heaps) == list(state["heaps"])
        True
    """

    __slots__ = ("_reader",)

    def __init__(self, reader: CellReader) -> None:
        self._reader = reader

    def __getitem__(self, path: str) -> Any:
        """Return what stands at a path: a cell, a table by index, a thing or a collection of things."""
        here: Any = self
        rest = check_text("a path of the state", path)
        for name in counters(self._reader.names):
            if f"{path}.".startswith(f"{name}."):
                here = _cells(self._reader, self._reader.names.tables.rules.fields[name], ())
                rest = path.removeprefix(name).removeprefix(".")
        for word in rest.split(".") if rest or here is self else ():
            here = _child(here, word, path)
        return here

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        found = self._child(name)
        if found is _MISSING:
            raise AttributeError(f"the state has no {quote(name)}")
        return found

    def _child(self, name: str) -> Any:
        rules = self._reader.names.tables.rules
        field = rules.fields.get(f"table.{name}")
        if field is not None:
            return _cells(self._reader, field, ())
        if name == OUT:
            return _Out(self._reader)
        kind = _kind_of_plural(self._reader.names, name)
        return _MISSING if kind is None else Things(self._reader, kind)

    def __dir__(self) -> list[str]:
        return sorted(self._names())

    # A state can be gone through like a mapping of its outermost names, and `dict(state)` is one.

    def keys(self) -> Sequence[str]:
        """Return the outermost names: the fields of the table, the players, the kinds that have fields."""
        return tuple(self._names())

    def __iter__(self) -> Iterator[str]:
        return iter(self._names())

    def __len__(self) -> int:
        return len(self._names())

    def __contains__(self, name: object) -> bool:
        return name in self._names()

    def _names(self) -> list[str]:
        rules = self._reader.names.tables.rules
        tables = [name.partition(".")[2] for name in rules.fields if name.startswith("table.")]
        return [*tables, PLAYERS, *(kind.plural for kind in rules.kinds.values() if _has_fields(rules, kind))]

    def cell(self, path: str) -> tuple[str, tuple[int, ...]] | None:
        """Return the field and indices of the one cell that a path leads to."""
        names = self._reader.names
        for name in names.tables.rules.fields:
            for at in names.tables.shapes[name].indices():
                if field_path(names, name, at) == path:
                    return name, at
        return None

    def plain(self) -> dict[str, Any]:
        """Return the whole state as plain data, which can be written as JSON."""
        found = {name: _plain(self[name]) for name in self._names()}
        found[OUT] = _plain(self[OUT])
        found["used"] = {name: _plain(self[name]) for name in counters(self._reader.names)}
        optional = {OUT, "used", *(kind.plural for kind in self._reader.names.tables.rules.kinds.values())}
        return {name: part for name, part in found.items() if part or name not in optional}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and self.plain() == other.plain()

    __hash__ = None  # type: ignore[assignment]  # a state compares by what it shows


class Things(Mapping[str, "Thing"]):
    """The players, or the members of a kind, by name."""

    __slots__ = ("_kind", "_reader")

    def __init__(self, reader: CellReader, kind: str) -> None:
        self._reader = reader
        self._kind = kind

    def __getitem__(self, name: str) -> Thing:
        if name not in self._all():
            raise UnknownNameError(f"there is no {self._kind} {format_argument(name)}; {listed(self._all())}")
        return Thing(self._reader, self._kind, name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())

    def __repr__(self) -> str:
        return f"<{self._kind}: {', '.join(self)}>"

    def _all(self) -> tuple[str, ...]:
        return dimension_names(self._reader.names, _index_type(self._kind))


class Thing:
    """A player, or a member of a kind: its fields and attributes."""

    __slots__ = ("_index", "_kind", "_name", "_reader")

    def __init__(self, reader: CellReader, kind: str, name: str) -> None:
        self._reader = reader
        self._kind = kind
        self._name = name
        self._index = dimension_index(reader.names, _index_type(kind), name)

    def __getattr__(self, name: str) -> Any:
        found = _MISSING if name.startswith("_") else self._child(name)
        if found is _MISSING:
            raise AttributeError(f"{self._kind} `{self._name}` has no `{name}`")
        return found

    def _child(self, name: str) -> Any:
        tables = self._reader.names.tables
        own = tables.rules.fields.get(f"{self._kind}.{self._name}.remembers.{name}")
        if own is not None:
            return _cells(self._reader, own, ())
        for kind, index in _kinds_of(self._reader.names, self._kind, self._index):
            field = tables.rules.fields.get(f"{kind}.{name}")
            if field is not None:
                return _cells(self._reader, field, (index,))
            attribute = tables.rules.attributes.get(f"{kind}.{name}")
            if attribute is not None and not attribute.per:
                value = tables.attributes[attribute.name][self._index]
                return self._reader.names.readable(attribute.type, value)
        return _MISSING

    def __dir__(self) -> list[str]:
        return sorted(self.fields())

    def fields(self) -> dict[str, Any]:
        """Return its fields by name; those it lacks are left out."""
        tables = self._reader.names.tables
        found = {}
        for kind, index in _kinds_of(self._reader.names, self._kind, self._index):
            for field in _fields_of(tables.rules, kind):
                if index not in tables.lacking.get(field.name, ()):
                    found[field.name.split(".")[1]] = _cells(self._reader, field, (index,))
        prefix = f"{self._kind}.{self._name}.remembers."
        own = [field for field in tables.rules.fields.values() if field.name.startswith(prefix)]
        return found | {field.name.removeprefix(prefix): _cells(self._reader, field, ()) for field in own}

    def __repr__(self) -> str:
        return f"<{self._kind} {self._name}>"


class _Out:
    """The pieces that are out of the game."""

    __slots__ = ("_reader",)

    def __init__(self, reader: CellReader) -> None:
        self._reader = reader

    def _child(self, name: str) -> Any:
        field = self._reader.names.tables.rules.fields.get(f"{OUT}.{name}")
        return _MISSING if field is None else _cells(self._reader, field, ())

    def fields(self) -> dict[str, Any]:
        fields = self._reader.names.tables.rules.fields
        return {
            name.partition(".")[2]: _cells(self._reader, field, ())
            for name, field in fields.items()
            if name.startswith(f"{OUT}.")
        }


def _child(here: Any, word: str, path: str) -> Any:
    known: list[str]
    if isinstance(here, State | Thing | _Out):
        found = here._child(word)  # noqa: SLF001 - the parts of a state know each other
        if found is not _MISSING:
            return found
        known = dir(here)
    elif isinstance(here, Mapping):
        if word in here:
            return here[word]
        known = list(here)
    else:
        raise NotationError(f"{quote(path)} goes on where nothing is inside: at {quote(word)}")
    help_ = did_you_mean(word, known)
    raise NotationError(f"the state has no {quote(path)}: there is no {quote(word)}" + (f"; {help_}" if help_ else ""))


def _cells(reader: CellReader, field: Field, at: tuple[int, ...]) -> Any:
    """Return a cell, or a table of cells by the names of the next index."""
    if len(at) == len(field.dimensions):
        return reader.read(field.name, at)
    type_ = field.dimensions[len(at)]
    names = dimension_names(reader.names, type_)
    return {name: _cells(reader, field, (*at, dimension_index(reader.names, type_, name))) for name in names}


def _index_type(kind: str) -> Type:
    return Player() if kind == "player" else Member(kind)


def _kind_of_plural(names: IdTable, plural: str) -> str | None:
    if plural == PLAYERS:
        return "player"
    return next((kind.name for kind in names.tables.rules.kinds.values() if kind.plural == plural), None)


def _kinds_of(names: IdTable, kind: str, index: int) -> list[tuple[str, int]]:
    """Return whose fields a player or member has, each with its number there: its own, and those of what it is too."""
    if kind == "player":
        return [("player", index), ("owner", index)]
    rules = names.tables.rules
    family = rules.family(kind)
    found = [(each.name, index) for each in rules.kinds.values() if each.family == family.name and index in each.places]
    return [*found, ("owner", names.tables.players + rules.first_side(kind) + index)] if family.is_side else found


def _has_fields(rules: Any, kind: Kind) -> bool:
    return bool(_fields_of(rules, kind.name) or (kind.is_side and _fields_of(rules, "owner")))


def _fields_of(rules: Any, kind: str) -> list[Field]:
    return [field for name, field in rules.fields.items() if name.split(".")[0] == kind and name.count(".") == 1]


def _plain(part: Any) -> Any:
    """Return part of a state as dictionaries, lists, texts and numbers."""
    if isinstance(part, Thing | _Out):
        return {name: _plain(value) for name, value in part.fields().items()}
    if isinstance(part, Mapping):
        inner = {name: _plain(value) for name, value in part.items()}
        return {name: value for name, value in inner.items() if not isinstance(part, Things) or value}
    if isinstance(part, tuple):
        return [_plain(item) for item in part]
    return part if part is None or isinstance(part, bool | int | str) else str(part)
