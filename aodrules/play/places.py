"""What the cells of the state are called: from a field and its indices to `PLURAL.MEMBER.FIELD.SEAT` and back."""

from __future__ import annotations

from collections.abc import Sequence

from aodrules.lang.types import Member, Player, Type
from aodrules.play.ids import IdTable

PLAYERS = "players"
OUT = "out"


def field_path(names: IdTable, field: str, at: Sequence[int | None]) -> str:
    """Return what a cell is called; an index that is not known is left out."""
    dimensions = names.tables.rules.fields[field].dimensions
    indices = zip(dimensions, at, strict=True)
    return _path(names, field, [None if index is None else names.index(type_, index) for type_, index in indices])


def field_pattern(names: IdTable, field: str) -> str:
    """Return what the cells of a field are called, with SEAT or the name of a kind for each index."""
    dimensions = names.tables.rules.fields[field].dimensions
    return _path(names, field, ["SEAT" if isinstance(each, Player) else str(each).upper() for each in dimensions])


def _path(names: IdTable, field: str, indices: Sequence[str | None]) -> str:
    head, label = _head(names, field)
    if head is not None and label is not None and indices and _is_family(names, field):
        first, *rest = indices
        words = [head, first, label, *rest]
    else:
        words = [head, label, *indices]
    return ".".join(word for word in words if word is not None)


def _is_family(names: IdTable, field: str) -> bool:
    """Whether the first index of a field is the thing it belongs to."""
    owner, *rest = field.split(".")
    return len(rest) == 1 and (owner == "player" or owner in names.tables.rules.kinds)


def _head(names: IdTable, field: str) -> tuple[str | None, str | None]:
    """Return the collection a field belongs to and what it is called there."""
    owner, *rest = field.split(".")
    kinds = names.tables.rules.kinds
    if owner == "table" and len(rest) == 1:
        return None, rest[0]
    if owner == "player" and len(rest) == 1:
        return PLAYERS, rest[0]
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
    """Return the names that an index of a type can have, in order."""
    if isinstance(type_, Player):
        return names.seats
    if isinstance(type_, Member):
        kind = names.tables.rules.kinds[type_.kind]
        members = names.tables.rules.family(type_.kind).members
        return tuple(members[place] for place in kind.places)
    return tuple(str(number) for number in range(names.tables.size_of(type_)))


def dimension_index(names: IdTable, type_: Type, name: str) -> int | None:
    """Return the number of an index by its name."""
    known: Sequence[str] = names.seats
    if isinstance(type_, Member):
        known = names.tables.rules.family(type_.kind).members
    return known.index(name) if name in known else None
