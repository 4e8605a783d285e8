"""Schemas of the types of the rules language: what values, cells and arguments of a type are in JSON."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from attrs import define, field

from aodrules.check.checked import CheckedRules, Field
from aodrules.exchange.value_schema import JsonSchema, any_of, hidden_schema, record, ref
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
    item_type,
)

_NULL = {"type": "null"}


@define(eq=False)
class TypeSchemas:
    """Makes schemas of types, and keeps one definition for each kind, and for each sort of hidden thing."""

    rules: CheckedRules
    defs: JsonSchema
    _names: dict[str, str] = field(factory=dict, init=False)
    """The name of the definition of each kind, and of whatever else is defined."""

    def __attrs_post_init__(self) -> None:
        seats = self.rules.game.seats
        self.defs["Seat"] = {"enum": list(seats), "description": "A seat at the table."}

    def named(self, word: str, schema: JsonSchema, description: str | None = None) -> JsonSchema:
        """Keep a schema as a definition with a name made of some words, and return a reference to it."""
        name = self._free(_pascal(word))
        self.defs[name] = schema | ({} if description is None else {"description": description})
        return ref(name)

    def _free(self, name: str) -> str:
        """Return the name, or with a number behind it if it is taken."""
        found, number = name, 2
        while found in self.defs:
            found, number = f"{name}{number}", number + 1
        return found

    def _once(self, key: str, word: str, make: Callable[[], JsonSchema]) -> JsonSchema:
        if key not in self._names:
            self._names[key] = self._free(_pascal(word))
            self.defs[self._names[key]] = make()
        return ref(self._names[key])

    def of(self, type_: Type) -> JsonSchema:
        """Return the schema of a value that is known."""
        if isinstance(type_, Number):
            low = {} if type_.low is None else {"minimum": type_.low}
            return {"type": "integer", **low, **({} if type_.high is None else {"maximum": type_.high})}
        if isinstance(type_, Flag):
            return {"type": "boolean"}
        if isinstance(type_, Player) or (isinstance(type_, Member) and type_.kind == "player"):
            return ref("Seat")
        if isinstance(type_, Owner | Member):
            return self.owner() if isinstance(type_, Owner) else self.kind(type_.kind)
        if isinstance(type_, Piece):
            return self._piece(type_.kind)
        if isinstance(type_, Maybe):
            return any_of([self.of(type_.of), _NULL])
        if isinstance(type_, Bag):
            return self._bag(type_.kind)
        if isinstance(type_, ListOf):
            return {"type": "array", "items": self.of(type_.of)}
        if isinstance(type_, SetOf):
            return {"type": "array", "items": self.of(type_.of), "uniqueItems": True}
        return self.of(type_.of) if isinstance(type_, HiddenPiece) else ref("Value")

    def owner(self) -> JsonSchema:
        """Return the schema of who can own pieces: a seat, or one of the sides that rules may have besides."""
        rules = self.rules
        if not rules.sides:
            return ref("Seat")
        ids = [*rules.game.seats, *(rules.kinds[kind].members[number] for kind, number in rules.sides)]
        return self._once("owner", "owner", lambda: {"enum": ids, "description": "A seat, or a side without one."})

    def kind(self, kind: str) -> JsonSchema:
        """Return the schema of a member of a kind: its id."""
        declared = self.rules.kinds[kind]
        family = self.rules.family(kind).members
        ids = [family[place] for place in declared.places]
        text = f"A member of the kind {kind}, by its id."
        return self._once(kind, f"{kind}_id", lambda: {"enum": ids, "description": text} if ids else {"not": {}})

    def _piece(self, kind: str) -> JsonSchema:
        owner, members = self.owner(), self.rules.family(kind).members
        owners = self.defs[owner["$ref"].rpartition("/")[2]]["enum"]
        pattern = f"^({'|'.join(map(re.escape, owners))}) ({'|'.join(map(re.escape, members))})$"
        parts = [owner, self.kind(kind)]
        text = f"A piece of the kind {kind}: its owner and its id."
        return self._once(
            f"piece of {kind}",
            f"{kind}_piece",
            lambda: {"type": "string", "pattern": pattern, "x-words": parts, "description": text},
        )

    def _bag(self, kind: str) -> JsonSchema:
        ids = self.kind(kind)
        counts = {"type": "object", "propertyNames": ids, "additionalProperties": {"type": "integer", "minimum": 1}}
        text = f"How many there are of each member of the kind {kind}."
        return self._once(f"bag of {kind}", f"{kind}_counts", lambda: {**counts, "description": text})

    def argument(self, type_: Type) -> JsonSchema:
        """Return the schema of an argument of a question or an event, of which a seat may not know everything."""
        if isinstance(type_, HiddenPiece):
            return any_of([self.of(type_.of), self.hidden(str(type_.of))])
        return self.of(type_)

    def hidden(self, kind: str) -> JsonSchema:
        """Return the schema of something hidden of some type."""
        word = re.sub(r"\.\.|-", "_", kind)
        return self._once(f"hidden {kind}", f"hidden_{word}", lambda: hidden_schema({"const": kind}))

    def cell(self, declared: Field) -> JsonSchema:
        """Return the schema of a cell of a field: what it holds, or what is told of it to those who may not know."""
        type_ = declared.type
        if declared.secret is None:
            return self.of(type_)
        if declared.holds is None:
            return any_of([self.of(type_), self.hidden(str(type_))])
        hidden = self.hidden(str(declared.holds))
        if isinstance(type_, Bag):
            return any_of([self.of(type_), self._hidden_bag(type_, hidden)])
        if isinstance(type_, ListOf):
            return {"type": "array", "items": any_of([self.of(item_type(type_)), hidden])}
        return any_of([self.of(item_type(type_)), hidden, _NULL])

    def _hidden_bag(self, type_: Bag, hidden: JsonSchema) -> JsonSchema:
        properties: dict[str, Any] = {
            "hidden": {"const": str(type_)},
            "count": {"type": "integer", "minimum": 0},
            "backs": {"type": "array", "items": hidden},
        }
        text = "A bag that one may not look into: how many are in it, and of which back how many."
        return self._once(f"hidden {type_}", f"hidden_{type_}", lambda: record(properties, text))


def _pascal(words: str) -> str:
    """Return words as the name of a type."""
    return "".join(part[:1].upper() + part[1:] for part in re.split(r"[^A-Za-z0-9]+", words) if part)
