"""The shipped JSON Schemas, made ready to validate: the only module that follows references between them."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

from aodrules.source.shipped import shipped

Schema: TypeAlias = dict[str, Any]

SUFFIX = ".schema.json"
# What only says where something stands.
_LEFT_OUT = frozenset({"$ref", "$defs", "$schema"})
_ANNOTATIONS = frozenset({"$ref", "title", "description", "examples", "$comment", "default"})


@cache
def schema_files() -> dict[str, Schema]:
    """Return every shipped schema under its file name."""
    paths = sorted(shipped("schemas").glob(f"*{SUFFIX}"))
    return {path.name: _read(path) for path in paths}


def _read(path: Path) -> Schema:
    schema: Schema = json.loads(path.read_text(encoding="utf-8"))
    return schema


@cache
def linked_schema(name: str) -> Schema:
    """Return a schema with each reference replaced by what it refers to.

    Validation then needs no look-ups, which makes it more than twice as fast. The result refers to itself where the
    language does (steps hold steps), so it cannot be printed.
    """
    return _Linker().at(name + SUFFIX, "")


class _Linker:
    """Makes one linked copy of every part of the schemas that is reached."""

    def __init__(self) -> None:
        self._made: dict[tuple[str, str], Schema] = {}

    def at(self, file: str, pointer: str) -> Schema:
        """Return the linked copy of one part of a file."""
        place = (file, pointer)
        part = _part(schema_files()[file], pointer)
        if _is_bare_reference(part):
            return self._target(file, part)
        if place not in self._made:
            self._made[place] = linked = {}
            linked.update(self._copy(file, part))
        return self._made[place]

    def _target(self, file: str, reference: Schema) -> Schema:
        target, _, pointer = reference["$ref"].partition("#")
        return self.at(target or file, pointer)

    def _copy(self, file: str, schema: Schema) -> Schema:
        """Return a copy in which references are linked; what stands beside one goes on counting."""
        rest = {key: self._linked(file, value) for key, value in schema.items() if key not in _LEFT_OUT}
        return {"allOf": [self._target(file, schema)], **rest} if "$ref" in schema else rest

    def _linked(self, file: str, value: Any) -> Any:
        if isinstance(value, list):
            return [self._linked(file, item) for item in value]
        if not isinstance(value, dict):
            return value
        return self._target(file, value) if _is_bare_reference(value) else self._copy(file, value)


def _is_bare_reference(schema: Schema) -> bool:
    """Return whether a schema says nothing but where its meaning stands."""
    return "$ref" in schema and schema.keys() <= _ANNOTATIONS


def _part(schema: Schema, pointer: str) -> Schema:
    for step in pointer.split("/")[1:]:
        schema = schema[step]
    return schema
