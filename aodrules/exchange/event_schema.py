"""Schemas of what happens in the games of some rules: one for each kind of event, and for each event of the rules."""

from __future__ import annotations

from collections.abc import Iterator

from aodrules.exchange.type_schema import TypeSchemas
from aodrules.exchange.value_schema import JsonSchema, any_of, record, ref

_TEXT: JsonSchema = {"type": "string"}
_WHOLE: JsonSchema = {"type": "integer"}
_VALUE = ref("Value")
_PIECE = any_of([_TEXT, ref("Hidden")])
_DETAILS: dict[str, JsonSchema] = {
    "move": {"what": _PIECE, "count": _WHOLE, "from": _TEXT, "to": _TEXT},
    "set": {"field": _TEXT, "old": _VALUE, "new": _VALUE},
    "shuffle": {"field": _TEXT},
    "sort": {"field": _TEXT},
    "roll": {"item": _VALUE},
    "reveal": {
        "what": _VALUE,
        "field": _TEXT,
        "index": any_of([_WHOLE, {"type": "null"}]),
        "to": {"type": "array", "items": ref("Seat")},
    },
    "tell": {"name": _TEXT, "what": _VALUE},
    "step": {"step": _TEXT},
    "cut": {"field": _TEXT, "wanted": _WHOLE, "got": _WHOLE},
    "bound": {"where": _TEXT},
    "stuck": {"decision": _TEXT},
    "left": {"player": ref("Seat")},
    "over": {},
}


def event_schemas(types: TypeSchemas) -> list[JsonSchema]:
    """Return the schemas of all events."""
    own = [types.named(f"{kind}_event", _event(kind, details)) for kind, details in _DETAILS.items()]
    return [*own, *_happenings(types)]


def _happenings(types: TypeSchemas) -> Iterator[JsonSchema]:
    for name, event in types.rules.events.items():
        arguments = {one.name: types.argument(one.type) for one in event.parameters}
        yield types.named(f"{name}_happens", _event("happen", {"event": {"const": name}, **arguments}))


def _event(kind: str, details: JsonSchema) -> JsonSchema:
    return record({"kind": {"const": kind}, "details": record(details)})
