"""A schema for variants that add names of their own, which no schema can know.

All other documents keep to the names there are, so that an editor marks one that is misspelt.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from aodrules.syntax.schemas import Schema

OPEN = {"$comment": "A document may add such names."}
"""Marks a schema that is closed over the names of the game and that a document can open by adding some."""
_MARK = " with own names"
_VARIANT = "#/$defs/variant"
_NAME = {"type": "string", "pattern": r"^[a-z][a-z0-9_]*(?!\n)$"}
_DEFINITION = re.compile(r"#/\$defs/([^/]+)(?:/\$defs/([^/]+))?$")

# What closes a schema, beside an enumeration.
_CLOSING = ("additionalProperties", "pattern", "$comment")
# What has names that steps, effects and members use; it stands under `add`, nested or with a dot.
_KEY = r"^(?:verb|value|decision|option|event|kinds)(?:\.|$)"
_ADDS: Schema = {"required": ["add"], "properties": {"add": {"not": {"patternProperties": {_KEY: False}}}}}
_ADDS_WITH: Schema = {"required": ["with"], "properties": {"with": {"not": {"additionalProperties": {"not": _ADDS}}}}}


def with_own_names(parts: dict[str, Schema]) -> Schema:
    """Return the schema of variants: where one adds names, a second form counts, in which others are fine too.

    The second form of all that is closed over names is added to the parts.
    """
    bodies = {reference: _without_definitions(_at(parts, reference)) for reference in _all(parts)}
    uses = {reference: set(_references(body)) for reference, body in bodies.items()}
    closed = {reference for reference, body in bodies.items() if _is_marked(body)}
    second = _reaching(uses, closed) & _reached(uses)
    for reference in sorted(second):
        name, definition = _names(reference)
        into, made = parts.setdefault(name + _MARK, {}), _opened(bodies[reference], second)
        if definition is None:
            into |= made
        else:
            into.setdefault("$defs", {})[definition] = made
    return {"if": {"anyOf": [_ADDS, _ADDS_WITH]}, "then": {"$ref": _VARIANT + _MARK}, "else": {"$ref": _VARIANT}}


def _reaching(uses: dict[str, set[str]], closed: set[str]) -> set[str]:
    """Return the references to all definitions in which something closed can stand, however deep."""
    found = set(closed)
    while more := {reference for reference, used in uses.items() if used & found} - found:
        found |= more
    return found


def _reached(uses: dict[str, set[str]]) -> set[str]:
    """Return the references to all definitions that a variant can come to."""
    found = {_VARIANT}
    while more := {used for reference in found for used in uses[reference]} - found:
        found |= more
    return found


def _all(parts: dict[str, Schema]) -> Iterator[str]:
    for name, part in parts.items():
        yield f"#/$defs/{name}"
        yield from (f"#/$defs/{name}/$defs/{definition}" for definition in part.get("$defs", {}))


def _names(reference: str) -> tuple[str, str | None]:
    found = _DEFINITION.match(reference)
    assert found is not None  # the shipped schemas refer to nothing but parts and their definitions
    return found[1], found[2]


def _at(parts: dict[str, Schema], reference: str) -> Schema:
    name, definition = _names(reference)
    part = parts[name]
    found: Schema = part if definition is None else part["$defs"][definition]
    return found


def _without_definitions(schema: Schema) -> Schema:
    return {key: value for key, value in schema.items() if key != "$defs"}


def _parts_of(part: Any) -> Iterator[Schema]:
    """Iterate over a schema and all that is written inside it."""
    if isinstance(part, dict):
        yield part
        part = list(part.values())
    for item in part if isinstance(part, list) else ():
        yield from _parts_of(item)


def _references(body: Schema) -> Iterator[str]:
    return (part["$ref"] for part in _parts_of(body) if isinstance(part.get("$ref"), str))


def _is_marked(body: Schema) -> bool:
    return any(part.get("$comment") == OPEN["$comment"] for part in _parts_of(body))


def _opened(part: Any, second: set[str]) -> Any:
    """Return a part in which other names are fine too, and that refers to the second form of all that has one."""
    if isinstance(part, list):
        return [_opened(item, second) for item in part]
    if not isinstance(part, dict):
        return part
    found = {key: _opened(value, second) for key, value in part.items()}
    if found.get("$ref") in second:
        name, definition = _names(found["$ref"])
        found["$ref"] = f"#/$defs/{name}{_MARK}" + (f"/$defs/{definition}" if definition else "")
    return _open(found) if found.get("$comment") == OPEN["$comment"] else found


def _open(found: Schema) -> Schema:
    if "enum" not in found:
        return {key: value for key, value in found.items() if key not in _CLOSING}
    told: Schema = {key: found[key] for key in ("title", "description") if key in found}
    known = {key: found[key] for key in ("enum", "enumDescriptions") if key in found}
    return {**told, "anyOf": [known, _NAME]}
