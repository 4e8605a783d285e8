"""The JSON Schema of what is sent in the games of some rules: views, actions, decisions and events, with their ids."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from aodrules.check.checked import Field
from aodrules.exchange.event_schema import tell_events
from aodrules.exchange.type_schema import TypeSchemas
from aodrules.exchange.value_schema import (
    VERSION,
    JsonSchema,
    SchemaMaker,
    any_of,
    document,
    record,
    ref,
    summary,
)
from aodrules.facts.action_codes import ActionSpace, Choice
from aodrules.lang.types import Type
from aodrules.play.actions import Action, ActionTable, parameter_names
from aodrules.play.game_log import LogGroup
from aodrules.play.going_back import UndoNeeds
from aodrules.play.ids import OUT, PLAYERS, dimension_names
from aodrules.play.outline import FieldPart, outline_of
from aodrules.play.rules_context import RulesContext
from aodrules.play.views import Decision, Played, Snapshot


def rules_schema(context: RulesContext) -> JsonSchema:
    """Return the schema of the values in games of some rules, whatever the number of players."""
    maker = SchemaMaker()
    for value in (Any, Snapshot, Played, LogGroup, UndoNeeds):
        maker.of(value)
    types = TypeSchemas(context.checked, {**maker.defs})
    low, high = context.checked.game.players
    tables = [context.actions(context.checked.game.seats[:many]) for many in range(low, high + 1)]
    types.defs["State"] = _state(types, tables)
    types.defs["Action"] = any_of(list(_actions(types, tables))) | {"description": summary(Action)}
    types.defs["Decision"] = any_of(list(_decisions(types, tables))) | {"description": summary(Decision)}
    for name, part in _seat_parts(types.defs):
        types.defs[name]["properties"][part] = _seat_in(types.defs[name]["properties"][part])
    tell_events(types)
    types.defs["Snapshot"]["properties"]["state"] = ref("State")
    name = context.summary.edition or context.summary.name
    called = "+".join((name, *context.summary.variants))
    id_ = f"urn:aodrules:values:{VERSION}:{context.summary.fingerprint}"
    return document(id_, f"Values in games of {called}", types.defs)


def _seat_parts(defs: JsonSchema) -> Iterator[tuple[str, str]]:
    """Iterate over the parts of values that are a seat, or none, or several."""
    yield from (("Snapshot", "seat"), ("Played", "player"), ("LogTurn", "player"), ("UndoNeeds", "seat"))
    yield from (("LeftEvent", "player"), ("RevealEvent", "to"))
    yield from ((name, "by") for name, schema in defs.items() if "by" in schema.get("properties", {}))


def _seat_in(schema: JsonSchema) -> JsonSchema:
    """Return the schema of a part that is a seat, or none, or several."""
    told = {"description": schema["description"]} if "description" in schema else {}
    if "items" in schema:
        return {**schema, "items": ref("Seat")}
    return (any_of([ref("Seat"), {"type": "null"}]) if "anyOf" in schema else ref("Seat")) | told


# The state.

_Cells = Mapping[str, FieldPart]


def _state(types: TypeSchemas, tables: list[ActionTable]) -> JsonSchema:
    outlines = [outline_of(table.names) for table in tables]
    properties: JsonSchema = {}
    optional: list[str] = []
    for plural in dict.fromkeys(name for each in outlines for name in each.things):
        members = [each.things.get(plural, {}) for each in outlines]
        properties[plural] = _things(types, tables, plural, members)
        if plural != PLAYERS and not all(any(one.values()) for one in members):
            optional.append(plural)
    of_table = _fields(types, tables, [each.table for each in outlines])
    properties |= of_table["properties"]
    for name, parts in ((OUT, [one.out for one in outlines]), ("used", [one.used for one in outlines])):
        if any(parts):
            properties[name] = _fields(types, tables, parts)
            optional += [] if all(parts) else [name]
    is_always = [name for name in properties if name not in optional or name in of_table["required"]]
    return record(properties, "The state as plain data.", [name for name in properties if name not in is_always])


def _things(
    types: TypeSchemas, tables: list[ActionTable], plural: str, members: list[Mapping[str, _Cells]]
) -> JsonSchema:
    """Return the schema of players, or of the members of a kind, by id; those without any field are left out."""
    ids = list(dict.fromkeys(id_ for each in members for id_, fields in each.items() if fields))
    found = {}
    for id_ in ids:
        there = [(table, each[id_]) for table, each in zip(tables, members, strict=True) if id_ in each]
        found[id_] = _fields(types, [table for table, _ in there], [fields for _, fields in there])
    alike = list(found.values())
    if len(alike) > 1 and all(each == alike[0] for each in alike):
        found = dict.fromkeys(found, types.named(f"{plural}_state", alike[0], f"The fields of one of {plural}."))
    return record(found, None, [id_ for id_ in ids if not all(each.get(id_) for each in members)])


def _fields(types: TypeSchemas, tables: list[ActionTable], parts: list[_Cells]) -> JsonSchema:
    """Return the schema of fields by name; those that are not there for each number of players may be left out."""
    found, optional = {}, []
    for name in dict.fromkeys(name for each in parts for name in each):
        there = [(table, each[name]) for table, each in zip(tables, parts, strict=True) if name in each]
        field, at = there[0][1]
        found[name] = _cells(types, [table for table, _ in there], field, len(at))
        optional += [name] if len(there) < len(parts) else []
    return record(found, None, optional)


def _cells(types: TypeSchemas, tables: list[ActionTable], field: Field, depth: int) -> JsonSchema:
    """Return the schema of a cell, or of a table of cells by the names of the next index."""
    if depth == len(field.dimensions):
        return types.cell(field)
    dimension = field.dimensions[depth]
    inner = _cells(types, tables, field, depth + 1)
    names = [dimension_names(table.names, dimension) for table in tables]
    every = list(dict.fromkeys(name for each in names for name in each))
    return record(
        dict.fromkeys(every, inner), None, [name for name in every if not all(name in each for each in names)]
    )


# Actions and decisions.


def _spaces(tables: list[ActionTable]) -> Iterator[ActionSpace]:
    """Iterate over all decisions, each once."""
    yield from {address: space for table in tables for address, space in table.spaces.items()}.values()


def _choices(tables: list[ActionTable]) -> Iterator[tuple[str, list[Choice]]]:
    """Iterate over all options, each with its decision and as it is for each number of players."""
    found: dict[tuple[str, str], list[Choice]] = {}
    for table in tables:
        for decision, space in table.spaces.items():
            for choice in space.choices:
                found.setdefault((decision, choice.address), []).append(choice)
    yield from ((decision, choices) for (decision, _), choices in found.items())


def _actions(types: TypeSchemas, tables: list[ActionTable]) -> Iterator[JsonSchema]:
    for decision, choices in _choices(tables):
        first = choices[0]
        names = parameter_names(first)
        args = {
            name: _argument(types, type_, place, choices) for place, (name, type_) in enumerate(_typed(first, names))
        }
        properties = {
            "decision": {"const": decision},
            "text": {"type": "string"},
            "code": {"type": "integer", "minimum": 0},
            "option": {"const": first.id},
            "address": {"const": first.address},
            "args": record(args),
            "hidden": {"const": first.option is not None and first.option.hidden},
        }
        yield types.named(f"{_short(first.address)}_action", record(properties))


def _typed(choice: Choice, names: Iterable[str]) -> Iterator[tuple[str, Type]]:
    return zip(names, choice.types, strict=True)


def _argument(types: TypeSchemas, type_: Type, place: int, choices: list[Choice]) -> JsonSchema:
    found = types.of(type_)
    if found.get("type") == "integer":
        low = min(choice.lows[place] for choice in choices)
        high = max(choice.lows[place] + choice.sizes[place] - 1 for choice in choices)
        return {"type": "integer", "minimum": low, "maximum": high}
    return found


def _decisions(types: TypeSchemas, tables: list[ActionTable]) -> Iterator[JsonSchema]:
    for space in _spaces(tables):
        declared = types.rules.decisions.get(space.decision)
        if declared is None:
            args = {"items": {"type": "array", "items": types.of(space.choices[0].types[0])}}
        else:
            args = {one.name: types.argument(one.type) for one in declared.parameters}
        properties = {
            "id": {"const": space.decision if declared is None else declared.id},
            "address": {"const": space.decision},
            "player": ref("Seat"),
            "args": record(args, None, [] if declared is None else _places(declared.parameters)),
            "step": {"anyOf": [{"type": "string"}, {"type": "null"}]},
            "around": ref("Surroundings"),
        }
        yield types.named(f"{_short(space.decision)}_decision", record(properties))


def _places(parameters: Iterable[Any]) -> list[str]:
    """Return the parameters that are places: a question does not tell them."""
    return [one.name for one in parameters if str(one.type).startswith("place of")]


def _short(address: str) -> str:
    """Return an address without the words that every one of its sort has."""
    return re.sub(r"^decision\.|\.options(?=\.)", "", address)
