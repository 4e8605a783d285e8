"""JSON Schema as we read it: jsonschema's validator with a few keywords made exact about the one thing that is wrong.

What is accepted is the same; a test compares it with the unchanged validator.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError
from jsonschema.validators import extend

from aodrules.syntax.schemas import Schema, linked_schema

_SIMPLE = frozenset({"title", "description", "type", "examples"})


@cache
def validator(name: str) -> Any:
    """Return the validator of a shipped schema."""
    changed = {
        "properties": _properties,
        "additionalProperties": _additional_properties,
        "propertyNames": _property_names,
        "items": _items,
        "dependentSchemas": _dependent_schemas,
        "anyOf": _any_of,
        "oneOf": _one_of,
    }
    ours = extend(Draft202012Validator, changed)  # type: ignore[no-untyped-call]
    return ours(linked_schema(name))


def _is_right(check: Any, value: Any, schema: Any) -> bool:
    """Return whether a value surely fits a schema that only asks for its type: most do, so this decides the speed."""
    if not isinstance(schema, dict) or not schema.keys() <= _SIMPLE:
        return False
    types = schema.get("type", ())
    return any(check.is_type(value, each) for each in ([types] if isinstance(types, str) else types))


def _properties(check: Any, properties: Schema, instance: Any, _: Schema) -> Iterator[ValidationError]:
    if isinstance(instance, dict):
        for name, value in instance.items():
            if name in properties and not _is_right(check, value, properties[name]):
                yield from check.descend(value, properties[name], path=name, schema_path=name)


def _items(check: Any, items: Schema, instance: Any, _: Schema) -> Iterator[ValidationError]:
    if isinstance(instance, list):
        for index, value in enumerate(instance):
            if not _is_right(check, value, items):
                yield from check.descend(value, items, path=index)


def _additional_properties(check: Any, allowed: Any, instance: Any, schema: Schema) -> Iterator[ValidationError]:
    if not isinstance(instance, dict):
        return
    known = schema.get("properties", {})
    for name, value in instance.items():
        if name in known:
            continue
        if allowed is False:
            yield ValidationError("unknown", path=(name,))
        elif not _is_right(check, value, allowed):
            yield from check.descend(value, allowed, path=name)


def _property_names(check: Any, names: Schema, instance: Any, _: Schema) -> Iterator[ValidationError]:
    if isinstance(instance, dict):
        for name in instance:
            if not check.evolve(schema=names).is_valid(name):
                yield ValidationError("name", path=(name,), schema=names)


def _dependent_schemas(check: Any, branches: Schema, instance: Any, _: Schema) -> Iterator[ValidationError]:
    """Follow the one branch whose key is there; two such keys are one mistake, not two."""
    if not isinstance(instance, dict):
        return
    tags = [name for name in instance if name in branches]
    if len(tags) > 1:
        yield ValidationError("conflict", validator="conflict", validator_value=tags[:2])
    elif tags:
        yield from check.descend(instance, branches[tags[0]], schema_path=tags[0])


def _any_of(_: Any, branches: list[Schema], instance: Any, __: Schema) -> Iterator[ValidationError]:
    yield from _required_of(branches, instance, most=len(branches))


def _one_of(_: Any, branches: list[Schema], instance: Any, __: Schema) -> Iterator[ValidationError]:
    yield from _required_of(branches, instance, most=1)


def _required_of(branches: list[Schema], instance: Any, most: int) -> Iterator[ValidationError]:
    """Test that some of the required keys are there: the only use our schemas make of alternatives."""
    if not isinstance(instance, dict):
        return
    names = [name for branch in branches for name in branch["required"]]
    there = [name for name in instance if name in names]
    if not there:
        yield ValidationError("missing", validator="missing", validator_value=names)
    elif len(there) > most:
        yield ValidationError("conflict", validator="conflict", validator_value=there[:2])
