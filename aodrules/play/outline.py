"""What people meet where in the states of a game: its fields, its things, and the cells of each, worked out once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias
from weakref import WeakKeyDictionary

from attrs import frozen

from aodrules.check.checked import CheckedRules, Field, Kind
from aodrules.lang.types import Member, Player, Type
from aodrules.play.ids import OUT, PLAYERS, IdTable, counters, dimension_index, dimension_names

FieldPart: TypeAlias = "tuple[Field, tuple[int, ...]]"
"""A field and the first of its indices; what is left of them makes a table."""


@frozen(eq=False)
class Outline:
    """The names in the states of a game, outermost first; each in the order in which it is told."""

    table: Mapping[str, FieldPart]
    """The fields of the table."""
    things: Mapping[str, Mapping[str, Mapping[str, FieldPart]]]
    """The fields of every player and member that has some, by plural and id."""
    out: Mapping[str, FieldPart]
    """What is out of the game, by kind."""
    used: Mapping[str, FieldPart]
    """The counters of what was used, by their own names."""

    @property
    def names(self) -> tuple[str, ...]:
        """The outermost names, each once."""
        return tuple(dict.fromkeys((*self.table, *self.things)))


_KEPT: WeakKeyDictionary[IdTable, Outline] = WeakKeyDictionary()


def outline_of(names: IdTable) -> Outline:
    """Return the outline of the states of a game."""
    if names not in _KEPT:
        _KEPT[names] = _make_outline(names)
    return _KEPT[names]


def _make_outline(names: IdTable) -> Outline:
    rules = names.tables.rules
    kinds = {PLAYERS: "player"}
    kinds |= {kind.plural: kind.name for kind in rules.kinds.values() if _has_fields(rules, kind)}
    things = {
        plural: {id_: fields_of_thing(names, kind, id_) for id_ in dimension_names(names, index_type(kind))}
        for plural, kind in kinds.items()
    }
    return Outline(
        _starting_with(rules, "table"),
        things,
        _starting_with(rules, OUT),
        {name: _whole(rules, name) for name in counters(names)},
    )


def _starting_with(rules: CheckedRules, owner: str) -> dict[str, FieldPart]:
    return {name.partition(".")[2]: _whole(rules, name) for name in rules.fields if name.startswith(f"{owner}.")}


def _whole(rules: CheckedRules, name: str) -> FieldPart:
    return rules.fields[name], ()


def fields_of_thing(names: IdTable, kind: str, id_: str) -> dict[str, FieldPart]:
    """Return the fields of a player or member by name; those it lacks are left out."""
    tables, index = names.tables, dimension_index(names, index_type(kind), id_)
    found: dict[str, FieldPart] = {}
    for each, number in kinds_of(names, kind, index):
        for field in fields_of(tables.rules, each):
            if number not in tables.lacking.get(field.name, ()):
                found[field.name.split(".")[1]] = (field, (number,))
    prefix = f"{kind}.{id_}.remembers."
    own = [field for field in tables.rules.fields.values() if field.name.startswith(prefix)]
    return found | {field.name.removeprefix(prefix): (field, ()) for field in own}


def index_type(kind: str) -> Type:
    """Return the type of what a field of players or of a kind is indexed by."""
    return Player() if kind == "player" else Member(kind)


def kinds_of(names: IdTable, kind: str, index: int) -> list[tuple[str, int]]:
    """Return whose fields a player or member has, each with its number there: its own, and those of what it is too."""
    if kind == "player":
        return [("player", index), ("owner", index)]
    rules = names.tables.rules
    family = rules.family(kind)
    found = [(each.name, index) for each in rules.kinds.values() if each.family == family.name and index in each.places]
    return [*found, ("owner", names.tables.players + rules.first_side(kind) + index)] if family.is_side else found


def _has_fields(rules: CheckedRules, kind: Kind) -> bool:
    return bool(fields_of(rules, kind.name) or (kind.is_side and fields_of(rules, "owner")))


def fields_of(rules: CheckedRules, kind: str) -> list[Field]:
    """Return the fields that each player or member of a kind has."""
    return [field for name, field in rules.fields.items() if name.split(".")[0] == kind and name.count(".") == 1]
