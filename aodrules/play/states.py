"""The state as people read it: `state["players.red.cash"]`, `state.players["red"].cash`. Nothing can be changed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from attrs import define, frozen

from aodrules.arguments import check_text, format_argument
from aodrules.check.checked import Field
from aodrules.errors import NotationError, UnknownNameError
from aodrules.facts.state import PlainState
from aodrules.interpreter.places import PieceKnowledge, cell, is_kept, items_at, numbers_at, piece_of, unpacked
from aodrules.lang.types import Bag, ListOf, item_type
from aodrules.play.ids import (
    OUT,
    PLAYERS,
    SPECTATOR,
    IdTable,
    counters,
    dimension_index,
    dimension_names,
    field_path,
    format_scalar,
)
from aodrules.play.outline import fields_of_thing, index_type, kinds_of, outline_of
from aodrules.play.plain_states import CellReading, plan_of
from aodrules.source.wording import did_you_mean, listed, quote

_MISSING = object()
"""What a name leads to that there is not: nothing may stand at a path too."""


@frozen
class Hidden:
    """Something a seat may not know: what sort of thing, how many, and what their backs tell.

    Examples:
        >>> import aodrules
        >>> game = aodrules.load("caravan").new_game(players=["amber", "jade"], seed=5)
        >>> game.push("swear 1")
        >>> hidden = game.view("jade")["players.amber.hand"][0]
        >>> hidden.kind, hidden.count, str(hidden)
        ('card', 1, 'hidden card')
    """

    kind: str
    """What sort of thing it is: a kind, or the whole type of a field without pieces."""
    count: int = 1
    """How many."""
    shows: tuple[tuple[str, Any], ...] = ()
    """What the back tells, by name of the attribute."""

    def __str__(self) -> str:
        # A flag is told after its name; anything else stands for itself.
        told = (
            f"{name}: {format_scalar(value)}" if isinstance(value, bool) else str(value) for name, value in self.shows
        )
        backs = f" ({', '.join(told)})" if self.shows else ""
        return f"{f'{self.count} ' if self.count > 1 else ''}hidden {self.kind}{backs}"


def plain_value(value: Any) -> Any:
    """Return what stands somewhere in a state, an action or an event as it is written in JSON.

    What is hidden is an object with the key `hidden`, which tells the type.
    """
    if isinstance(value, Hidden):
        backs = {name: plain_value(told) for name, told in value.shows}
        return {"hidden": value.kind, "count": value.count, "shows": backs}
    if isinstance(value, Mapping):
        return {name: plain_value(part) for name, part in value.items()}
    if isinstance(value, tuple | list):
        return [plain_value(item) for item in value]
    return value if value is None or isinstance(value, bool | int | str) else str(value)


@define(eq=False)
class CellReader:
    """Says what a cell holds, as people read it."""

    names: IdTable
    state: PlainState

    def read(self, name: str, at: tuple[int, ...]) -> Any:
        """Return what a cell holds."""
        type_ = self.names.tables.rules.fields[name].type
        return self.names.readable(type_, cell(self.names.tables, self.state, name, at))

    def plain(self) -> dict[str, Any]:
        """Return the whole state as plain data."""
        return plan_of(self.names, None, lambda _field, _at: None).read(self.state)


@define(eq=False)
class SeatReader(CellReader):
    """Says only what one seat may know, or `SPECTATOR`."""

    seat: int

    def read(self, name: str, at: tuple[int, ...]) -> Any:
        """Return what a cell holds as far as the seat knows."""
        if self.names.sees(name, at, self.seat):
            return super().read(name, at)
        declared = self.names.tables.rules.fields[name]
        if declared.holds is None:
            return Hidden(str(declared.type))
        if isinstance(declared.type, Bag):
            return self._bag(declared, at)
        return self._pieces(declared, at)

    def plain(self) -> dict[str, Any]:
        """Return the whole state as plain data, as far as the seat knows."""
        return plan_of(self.names, self.seat, self._reading).read(self.state)

    def _reading(self, field: Field, at: tuple[int, ...]) -> CellReading | None:
        """Return what reads a cell that is not open to the seat in any state."""
        names, seat, name = self.names, self.seat, field.name
        if names.sees(name, at, seat):
            return None
        if isinstance(field.type, Bag):
            return lambda state: _plain_bag(field, SeatReader(names, state, seat).read(name, at))
        return lambda state: plain_value(SeatReader(names, state, seat).read(name, at))

    def inside(self, name: str, at: tuple[int, ...]) -> Counter[str]:
        """Return the pieces that the seat knows to be somewhere in a cell, wherever they lie in it."""
        tables = self.names.tables
        if not is_kept(self.state, name):
            is_open = self.names.sees(name, at, self.seat)
            return Counter(self._piece_names(name, at, self._items(name, at)) if is_open else ())
        items, numbers = self._items(name, at), numbers_at(tables, self.state, name, at)
        known = [
            item for item, number in zip(items, numbers, strict=False) if self._knows_inside(unpacked(tables, number))
        ]
        # In member order: their positions are not known.
        return Counter(self._piece_names(name, at, sorted(known)))

    def _knows_inside(self, knowledge: PieceKnowledge) -> bool:
        """Whether the seat knows that a piece of which so much is known is in its field.

        What each knows for itself is no common knowledge: a seat could learn from the view of a spectator that all
        others know of a piece too. So a spectator is told of those alone of which all know which they are.
        """
        who = knowledge.which if self.seat == SPECTATOR else knowledge.which | knowledge.within
        return self.names.is_among(who, self.seat)

    def _piece_names(self, name: str, at: tuple[int, ...], items: Iterable[int]) -> list[str]:
        kind = str(self.names.tables.rules.fields[name].holds)
        pieces = (piece_of(self.names.tables, name, at, item) for item in items)
        return [self.names.piece(kind, piece.member, piece.owner) for piece in pieces]

    def _items(self, name: str, at: tuple[int, ...]) -> tuple[int, ...]:
        return items_at(self.names.tables, self.state, name, at)

    def _bag(self, declared: Field, at: tuple[int, ...]) -> tuple[Hidden, ...]:
        backs: Counter[Hidden] = Counter()
        for member, count in Counter(self._items(declared.name, at)).items():
            backs[hidden_piece(self.names, declared, member)] += count
        groups = [Hidden(back.kind, count, back.shows) for back, count in backs.items()]
        return tuple(sorted(groups, key=str))

    def _pieces(self, declared: Field, at: tuple[int, ...]) -> Any:
        items = self._items(declared.name, at)
        numbers = numbers_at(self.names.tables, self.state, declared.name, at)
        pieces = tuple(
            self.names.readable(item_type(declared.type), item)
            if self.names.is_among(unpacked(self.names.tables, number).which, self.seat)
            else hidden_piece(self.names, declared, item)
            for item, number in zip(items, numbers, strict=False)
        )
        if isinstance(declared.type, ListOf):
            return pieces
        return pieces[0] if pieces else None


def public_reader(names: IdTable, state: PlainState) -> SeatReader:
    """Return what reads a state for those who have no seat: nothing that is secret to anybody."""
    return SeatReader(names, state, SPECTATOR)


def hidden_piece(names: IdTable, declared: Field, item: int) -> Hidden:
    """Return what everybody sees of a piece in a secret field: its back."""
    found: Hidden | None = names.backs.get((declared.name, item))
    if found is None:
        kind = str(declared.holds)
        member = item % names.tables.family_size(kind)
        found = Hidden(kind, 1, tuple(_back(names, attribute, member) for attribute in declared.shows))
        names.backs[declared.name, item] = found
    return found


def _back(names: IdTable, attribute: str, member: int) -> tuple[str, Any]:
    type_ = names.tables.rules.attributes[attribute].type
    return attribute.rsplit(".", maxsplit=1)[-1], names.readable(type_, names.tables.attributes[attribute][member])


def _plain_bag(field: Field, groups: tuple[Hidden, ...]) -> dict[str, Any]:
    """Return a bag that is hidden: how many are in it, and of which back how many. It stays an object, as bags are."""
    return {
        "hidden": str(field.type),
        "count": sum(group.count for group in groups),
        "backs": [plain_value(group) for group in groups],
    }


class State:
    """A state that can be read by path or by attribute.

    Examples:
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
        outline = outline_of(self._reader.names)
        if name in outline.table:
            return _cells(self._reader, *outline.table[name])
        if name == OUT:
            return OutOfGame(self._reader)
        kind = _kind_of_plural(self._reader.names, name)
        return _MISSING if kind is None else Things(self._reader, kind)

    def __dir__(self) -> list[str]:
        out = (OUT,) if outline_of(self._reader.names).out else ()
        return sorted({*object.__dir__(self), *filter(str.isidentifier, self._names()), *out})

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {', '.join(self._names())}>"

    def _ipython_key_completions_(self) -> list[str]:
        return self._names()

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
        return list(outline_of(self._reader.names).names)

    def cell(self, path: str) -> tuple[str, tuple[int, ...]] | None:
        """Return the field and indices of the one cell that a path leads to."""
        names = self._reader.names
        for name in names.tables.rules.fields:
            for at in names.tables.shapes[name].indices():
                if field_path(names, name, at) == path:
                    return name, at
        return None

    def plain(self) -> dict[str, Any]:
        """Return the whole state as plain data, which can be written as JSON.

        What a seat may not know keeps its place: an object with the key `hidden`, a list of such objects.
        """
        return self._reader.plain()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and self.plain() == other.plain()

    __hash__ = None  # type: ignore[assignment]  # a state compares by what it shows


def reader_of(state: State) -> CellReader:
    """Return what a state is read by; of a view, what its seat may know."""
    return state._reader  # noqa: SLF001 - the fields of a game may have any name that does not begin like this


class Things(Mapping[str, "Thing"]):
    """The players, or the members of a kind, by name: `state.regions["north"]` or `state.regions.north`."""

    __slots__ = ("_kind", "_reader")

    def __init__(self, reader: CellReader, kind: str) -> None:
        self._reader = reader
        self._kind = kind

    def __getitem__(self, name: str) -> Thing:
        if name not in self._all():
            raise UnknownNameError(f"there is no {self._kind} {format_argument(name)}; {listed(self._all())}")
        return Thing(self._reader, self._kind, name)

    def __getattr__(self, name: str) -> Thing:
        if name.startswith("_") or name not in self._all():
            raise AttributeError(f"there is no {self._kind} {format_argument(name)}")
        return Thing(self._reader, self._kind, name)

    def __dir__(self) -> list[str]:
        return sorted({*object.__dir__(self), *filter(str.isidentifier, self._all())})

    def __iter__(self) -> Iterator[str]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())

    def __repr__(self) -> str:
        return f"<{self._kind}: {', '.join(self)}>"

    def _ipython_key_completions_(self) -> list[str]:
        return list(self._all())

    def _all(self) -> tuple[str, ...]:
        return dimension_names(self._reader.names, index_type(self._kind))


class Thing:
    """A player, or a member of a kind: its fields and attributes, as `thing.field` or `thing["field"]`."""

    __slots__ = ("_index", "_kind", "_name", "_reader")

    def __init__(self, reader: CellReader, kind: str, name: str) -> None:
        self._reader = reader
        self._kind = kind
        self._name = name
        self._index = dimension_index(reader.names, index_type(kind), name)

    def __getattr__(self, name: str) -> Any:
        found = _MISSING if name.startswith("_") else self._child(name)
        if found is _MISSING:
            raise AttributeError(f"{self._kind} `{self._name}` has no `{name}`")
        return found

    def __getitem__(self, name: str) -> Any:
        """Return a field or an attribute, whatever it is called."""
        found = self._child(check_text("the name of a field", name))
        if found is _MISSING:
            known = listed(tuple(self._names())) or "nothing"
            raise UnknownNameError(f"{self._kind} `{self._name}` has no {format_argument(name)}; {known}")
        return found

    def _child(self, name: str) -> Any:
        tables = self._reader.names.tables
        own = tables.rules.fields.get(f"{self._kind}.{self._name}.remembers.{name}")
        if own is not None:
            return _cells(self._reader, own, ())
        for kind, index in kinds_of(self._reader.names, self._kind, self._index):
            field = tables.rules.fields.get(f"{kind}.{name}")
            if field is not None:
                return _cells(self._reader, field, (index,))
            attribute = tables.rules.attributes.get(f"{kind}.{name}")
            if attribute is not None and not attribute.per:
                value = tables.attributes[attribute.name][self._index]
                return self._reader.names.readable(attribute.type, value)
        return _MISSING

    def __dir__(self) -> list[str]:
        return sorted({*object.__dir__(self), *filter(str.isidentifier, self._names())})

    def _ipython_key_completions_(self) -> list[str]:
        return self._names()

    def _names(self) -> list[str]:
        """Return the names of its fields, and then of its attributes."""
        names = self._reader.names
        kinds = {kind for kind, _ in kinds_of(names, self._kind, self._index)}
        attributes = (one for one in names.tables.rules.attributes.values() if not one.per)
        known = (one.name.partition(".")[2] for one in attributes if one.name.partition(".")[0] in kinds)
        return list(dict.fromkeys((*fields_of_thing(names, self._kind, self._name), *known)))

    def fields(self) -> dict[str, Any]:
        """Return its fields by name; those it lacks are left out."""
        parts = fields_of_thing(self._reader.names, self._kind, self._name)
        return {name: _cells(self._reader, *part) for name, part in parts.items()}

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Thing):
            return NotImplemented
        return (self._kind, self._name, self.fields()) == (other._kind, other._name, other.fields())

    __hash__ = None  # type: ignore[assignment]  # a thing compares by what it shows

    def __repr__(self) -> str:
        return f"<{self._kind} {self._name}>"


class CellTable(dict[str, Any]):
    """Cells by the names of an index: `table["id"]` or `table.id`."""

    __slots__ = ()

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name not in self:
            raise AttributeError(f"there is no {format_argument(name)} here")
        return self[name]

    def __dir__(self) -> list[str]:
        return sorted({*object.__dir__(self), *filter(str.isidentifier, self)})


class OutOfGame:
    """The pieces that are out of the game, by kind."""

    __slots__ = ("_reader",)

    def __init__(self, reader: CellReader) -> None:
        self._reader = reader

    def __getattr__(self, name: str) -> Any:
        found = _MISSING if name.startswith("_") else self._child(name)
        if found is _MISSING:
            raise AttributeError(f"nothing of {format_argument(name)} can be out of the game")
        return found

    def __getitem__(self, name: str) -> Any:
        found = self._child(check_text("a kind", name))
        if found is _MISSING:
            raise UnknownNameError(f"nothing of {format_argument(name)} can be out of the game")
        return found

    def _child(self, name: str) -> Any:
        part = outline_of(self._reader.names).out.get(name)
        return _MISSING if part is None else _cells(self._reader, *part)

    def __dir__(self) -> list[str]:
        return sorted({*object.__dir__(self), *self._names()})

    def _names(self) -> list[str]:
        return list(outline_of(self._reader.names).out)

    def __repr__(self) -> str:
        return f"<out of the game: {', '.join(self._names())}>"


def _child(here: Any, word: str, path: str) -> Any:
    known: list[str]
    if isinstance(here, State | Thing | OutOfGame):
        found = here._child(word)  # noqa: SLF001 - the parts of a state know each other
        if found is not _MISSING:
            return found
        known = here._names()  # noqa: SLF001
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
    cells = ((name, (*at, dimension_index(reader.names, type_, name))) for name in names)
    return CellTable({name: _cells(reader, field, inner) for name, inner in cells})


def _kind_of_plural(names: IdTable, plural: str) -> str | None:
    if plural == PLAYERS:
        return "player"
    return next((kind.name for kind in names.tables.rules.kinds.values() if kind.plural == plural), None)
