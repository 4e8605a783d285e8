"""Every key that the language fixes, collected from the schemas: each must be read by the program."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from attrs import frozen

from aodrules.syntax.validation import schema_files


@frozen(order=True)
class LanguageKey:
    """A key of the language, and the place in the schemas that fixes it."""

    name: str
    place: str
    """The file and the pointer of the object it is a key of: `steps.schema.json#/$defs/move`."""


def language_keys() -> frozenset[LanguageKey]:
    """Return the keys of every object of the schemas that lists its keys."""
    return frozenset(key for file, schema in schema_files().items() for key in _keys(schema, f"{file}#"))


def _keys(schema: Any, place: str) -> Iterator[LanguageKey]:
    if isinstance(schema, list):
        for index, item in enumerate(schema):
            yield from _keys(item, f"{place}/{index}")
    if not isinstance(schema, dict):
        return
    for keyword, value in schema.items():
        if keyword == "properties":
            yield from (LanguageKey(name, place) for name in value)
        if keyword == "dependentSchemas":
            yield from (LanguageKey(name, place) for name in value)
        if keyword not in {"examples", "default"}:
            yield from _keys(value, f"{place}/{keyword}")
