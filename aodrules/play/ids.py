"""Ids of the rules for the numbers of the engines, and back: seats, members, values, and the paths of cells."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from attrs import define, field

from aodrules.arguments import check_text, format_argument
from aodrules.errors import ArgumentError
from aodrules.interpreter.tables import Tables
from aodrules.lang.types import (
    Bag,
    Flag,
    HiddenPiece,
    ListOf,
    Maybe,
    Member,
    Number,
    Owner,
    Piece,
    Player,
    SetOf,
    Type,
    bits,
    item_type,
)

PLAYERS = "players"
OWNER = "owner"
OUT = "out"
SPECTATOR = -1
"""Who has no seat, where a seat is asked for: sees and hears only what is for everybody."""


@define(eq=False)
class IdTable:
    """The names of seats and members in a game of so many players."""

    tables: Tables
    seats: tuple[str, ...]
    backs: dict[tuple[str, int], Any] = field(factory=dict, init=False, repr=False)
    """What everybody sees of pieces in secret fields, by field and item: worked out when somebody looks."""
    _readers: dict[Type, Callable[[Any], Any]] = field(factory=dict, init=False, repr=False)

    def __reduce__(self) -> tuple[type[IdTable], tuple[Tables, tuple[str, ...]]]:
        return IdTable, (self.tables, self.seats)  # what was worked out is worked out again

    def sees(self, name: str, at: Sequence[int | None], seat: int) -> bool:
        """Whether a seat may always look into a field."""
        if seat == SPECTATOR:
            return self.tables.rules.fields[name].secret is None
        return bool(self.tables.visible_to(name, at) >> seat & 1)

    def is_among(self, seats: int, seat: int) -> bool:
        """Whether what some seats know is known to a seat.

        To a spectator it is if all know it; who plays alone, and knows all there is to know, does not stand for all.
        """
        if seat == SPECTATOR:
            everybody = self.tables.everybody
            return seats == -1 or (len(self.seats) > 1 and seats & everybody == everybody)
        return bool(seats >> seat & 1)

    @property
    def owners(self) -> tuple[str, ...]:
        """The names of all who can own pieces: the seats, and behind them the sides."""
        rules = self.tables.rules
        return (*self.seats, *(rules.kinds[family].members[number] for family, number in rules.sides))

    def collection_of(self, owner: int) -> str:
        """Return where an owner is found: among the players, or the members of a kind."""
        side = owner - len(self.seats)
        return PLAYERS if side < 0 else self.tables.rules.kinds[self.tables.rules.sides[side][0]].plural

    def seat(self, name: str) -> int:
        """Return the number of a seat.

        Raises:
            ArgumentError: Nobody sits there.
        """
        if check_text("a seat", name) not in self.seats:
            raise ArgumentError(f"{format_argument(name)} has no seat here; seated are {', '.join(self.seats)}")
        return self.seats.index(name)

    def member(self, kind: str, number: int) -> str:
        """Return the id of a member of a family."""
        return self.seats[number] if kind == "player" else self.tables.rules.family(kind).members[number]

    def piece(self, kind: str, member: int, owner: int | None) -> str:
        """Return what a piece is called: the member, after its owner where it is somebody's."""
        name = self.member(kind, member)
        return name if owner is None else f"{self.owners[owner]} {name}"

    def readable(self, type_: Type, value: Any) -> Any:
        """Return a value as people read it: ids for members and seats, counts by id for bags."""
        return self.reader(type_)(value)

    def reader(self, type_: Type) -> Callable[[Any], Any]:
        """Return what makes values of a type readable; nothing stays nothing."""
        found = self._readers.get(type_)
        if found is None:
            found = self._readers[type_] = self._make_reader(type_)
        return found

    def _make_reader(self, type_: Type) -> Callable[[Any], Any]:
        if isinstance(type_, Bag):
            members = self.tables.rules.family(type_.kind).members
            return lambda held: (
                None if held is None else Counter({members[place]: count for place, count in enumerate(held) if count})
            )
        if isinstance(type_, ListOf):
            of_list = self.reader(item_type(type_))
            return lambda items: None if items is None else tuple(map(of_list, items))
        if isinstance(type_, SetOf):
            of_set = self.reader(type_.of)
            return lambda mask: None if mask is None else tuple(map(of_set, bits(mask)))
        single = self._single_reader(type_)
        return lambda value: None if value is None else single(value)

    def _single_reader(self, type_: Type) -> Callable[[Any], Any]:
        if isinstance(type_, Maybe | HiddenPiece):
            return self._single_reader(type_.of)
        if isinstance(type_, Player) or (isinstance(type_, Member) and type_.kind == "player"):
            return self.seats.__getitem__
        if isinstance(type_, Owner):
            return self.owners.__getitem__
        if isinstance(type_, Member):
            return self.tables.rules.family(type_.kind).members.__getitem__
        if isinstance(type_, Piece):
            kind, size = type_.kind, self.tables.family_size(type_.kind)
            return lambda value: self.piece(kind, value % size, value // size)
        return bool if isinstance(type_, Flag) else lambda value: value

    def index(self, type_: Type, number: int) -> str:
        """Return the name of an index of a field."""
        return str(self.readable(type_, number))

    def text(self, type_: Type, value: Any) -> str:
        """Return a value as it stands in the text of an action."""
        return format_scalar(self.readable(type_, value))

    def parse(self, type_: Type, words: Sequence[str]) -> tuple[int, int] | None:
        """Return the value that words begin with and how many they are; nothing if they do not fit."""
        if isinstance(type_, HiddenPiece):
            return self.parse(type_.of, words)
        if isinstance(type_, Piece):
            return self._parse_piece(type_.kind, words)
        number = self._parse_word(type_, words[0]) if words else None
        return None if number is None else (number, 1)

    def _parse_piece(self, kind: str, words: Sequence[str]) -> tuple[int, int] | None:
        if len(words) < 2:
            return None
        owner, member = self._parse_word(Owner(), words[0]), self._parse_word(Member(kind), words[1])
        if owner is None or member is None or owner >= self.tables.owners_of(kind):
            return None
        return owner * self.tables.family_size(kind) + member, 2

    def _parse_word(self, type_: Type, word: str) -> int | None:
        if isinstance(type_, Number):
            is_number = word.removeprefix("-").isdecimal() and word.isascii() and len(word) < 20
            return int(word) if is_number else None
        known: Sequence[str] = ()
        if isinstance(type_, Flag):
            known = ("false", "true")
        elif isinstance(type_, Player):
            known = self.seats
        elif isinstance(type_, Owner):
            known = self.owners
        elif isinstance(type_, Member):
            known = self.tables.rules.family(type_.kind).members
        return known.index(word) if word in known else None


def format_scalar(value: Any) -> str:
    """Return an id, a number, a flag or nothing as it is written in rules."""
    return str(value).lower() if value is None or isinstance(value, bool) else str(value)


def field_path(names: IdTable, field: str, at: Sequence[int | None]) -> str:
    """Return what a cell is called; an index that is not known is left out."""
    dimensions = names.tables.rules.fields[field].dimensions
    indices = [None if one is None else names.index(type_, one) for type_, one in zip(dimensions, at, strict=True)]
    owner = at[0] if field.startswith(f"{OWNER}.") else None
    return _path(names, field, indices, PLAYERS if owner is None else names.collection_of(owner))


def field_patterns(names: IdTable, field: str) -> tuple[str, ...]:
    """Return what the cells of a field are called, with SEAT or the name of a kind for each index.

    What every owner has is found with the players, and with the sides of each kind.
    """
    dimensions = names.tables.rules.fields[field].dimensions
    words = ["SEAT" if isinstance(each, Player) else str(each).upper() for each in dimensions]
    if not field.startswith(f"{OWNER}."):
        return (_path(names, field, words, PLAYERS),)
    kinds = names.tables.rules.kinds.values()
    holders = [(PLAYERS, "SEAT"), *((kind.plural, kind.name.upper()) for kind in kinds if kind.is_side)]
    return tuple(_path(names, field, [whose, *words[1:]], head) for head, whose in holders)


def _path(names: IdTable, field: str, indices: Sequence[str | None], owners: str) -> str:
    head, label = _head(names, field)
    head = owners if head == OWNER else head
    if head is not None and label is not None and indices and _is_family(names, field):
        first, *rest = indices
        words = [head, first, label, *rest]
    else:
        words = [head, label, *indices]
    return ".".join(word for word in words if word is not None)


def _is_family(names: IdTable, field: str) -> bool:
    """Whether the first index of a field is the thing it belongs to."""
    owner, *rest = field.split(".")
    return len(rest) == 1 and (owner in ("player", OWNER) or owner in names.tables.rules.kinds)


def _head(names: IdTable, field: str) -> tuple[str | None, str | None]:
    """Return the collection a field belongs to and what it is called there."""
    owner, *rest = field.split(".")
    kinds = names.tables.rules.kinds
    if owner == "table" and len(rest) == 1:
        return None, rest[0]
    if owner == "player" and len(rest) == 1:
        return PLAYERS, rest[0]
    if owner == OWNER and len(rest) == 1:
        return OWNER, rest[0]
    if owner in kinds and len(rest) == 1:
        return kinds[owner].plural, rest[0]
    if owner in kinds and len(rest) == 3 and rest[1] == "remembers":
        return f"{kinds[owner].plural}.{rest[0]}", rest[2]
    return None, field


def counters(names: IdTable) -> tuple[str, ...]:
    """Return the fields that count how often something was used: they are called by their own names."""
    fields = names.tables.rules.fields
    return tuple(name for name in fields if _head(names, name) == (None, name) and not name.startswith(f"{OUT}."))


def dimension_names(names: IdTable, type_: Type) -> tuple[str, ...]:
    """Return the names that an index of a field, a seat, an owner or a member, can have, in order."""
    if isinstance(type_, Owner):
        first = len(names.seats)
        return (*names.seats, *(names.owners[first + place] for place in names.tables.rules.sides_in_game()))
    if not isinstance(type_, Member):
        return names.seats
    members = names.tables.rules.family(type_.kind).members
    return tuple(members[place] for place in names.tables.rules.kinds[type_.kind].places)


def dimension_index(names: IdTable, type_: Type, name: str) -> int:
    """Return the number of an index by its name."""
    known = names.tables.rules.family(type_.kind).members if isinstance(type_, Member) else names.owners
    return known.index(name)
