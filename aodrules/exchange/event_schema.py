"""Schemas of what happens in games of some rules: each kind of event with its ids, each event of the rules."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from aodrules.exchange.type_schema import TypeSchemas
from aodrules.exchange.value_schema import JsonSchema, any_of, record, ref, summary
from aodrules.play.event_types import EventPiece, HappenEvent

_NULL = {"type": "null"}
_HAPPEN = HappenEvent.__name__


def tell_events(types: TypeSchemas) -> None:
    """Put the ids of the rules into the schemas of events."""
    shared = types.defs.pop(_HAPPEN)["properties"]
    happenings = list(_happenings(types, shared))
    types.defs["EventPlace"]["properties"]["field"]["enum"] = list(types.rules.fields)
    types.defs["EventPiece"] = any_of(list(_pieces(types))) | {"description": summary(EventPiece)}
    plain = [one for one in types.defs["Event"]["anyOf"] if one != ref(_HAPPEN)]
    types.defs["Event"]["anyOf"] = [*plain, *happenings]


def _happenings(types: TypeSchemas, shared: JsonSchema) -> Iterator[JsonSchema]:
    for name, event in types.rules.events.items():
        arguments = record({one.name: types.argument(one.type) for one in event.parameters})
        own: dict[str, Any] = {"event": {"const": name}, "arguments": arguments}
        yield types.named(f"{name}_happens", record({**shared, **own}, f"The event {name} was raised."))


def _pieces(types: TypeSchemas) -> Iterator[JsonSchema]:
    """Iterate over the schemas of pieces, one for each kind, and one for seats that lie in lists."""
    yield record({"kind": {"const": "player"}, "member": ref("Seat"), "owner": _NULL})
    for kind in types.rules.kinds:
        properties = {"kind": {"const": kind}, "member": types.kind(kind), "owner": any_of([types.owner(), _NULL])}
        yield record(properties)
