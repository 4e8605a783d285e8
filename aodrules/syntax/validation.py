"""Validation by our JSON Schemas: a schema becomes functions that return what does not fit, which is mostly nothing.

Only the words that our schemas use are known. What is accepted is what JSON Schema says; a test compares it with
another validator. But each mistake is told once: the keys say which alternative is meant, and no other one is tried.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import Any, TypeAlias

from attrs import define, field

from aodrules.source.shipped import shipped

Schema: TypeAlias = dict[str, Any]

SUFFIX = ".schema.json"


@define
class SchemaError:
    """One thing that does not fit."""

    keyword: str
    """The word of the schema that is not met; `missing` or `conflict` of the keys that choose an alternative."""
    asked: Any
    """What that word asks for; of keys, those that are missing or in conflict."""
    schema: Schema
    """The schema that the word stands in."""
    steps: list[str | int] = field(factory=list)
    """The way to the place in the document, from there upwards: what holds an error adds its step."""
    tag: str | None = None
    """The key that chose the schema, if the error is of what stands beside that key."""

    @property
    def is_of_keys(self) -> bool:
        """Whether it is about a key and not about what stands under it."""
        return self.keyword in ("additionalProperties", "propertyNames")


Check: TypeAlias = Callable[[Any], Sequence[SchemaError]]

_TYPES: dict[str, type] = {
    "object": dict,
    "array": list,
    "string": str,
    "integer": int,
    "boolean": bool,
    "null": type(None),
}
_ANNOTATIONS = frozenset({"title", "description", "examples", "$comment", "default"})
_PASSED_OVER = _ANNOTATIONS | {"x-called", "$defs", "$schema"}
# Looked at together, by one walk over the keys.
_KEYS = ("properties", "additionalProperties", "propertyNames")
_BRANCHES = ("if", "then", "else")


@cache
def schema_files() -> dict[str, Schema]:
    """Return every shipped schema under its file name."""
    paths = sorted(shipped("schemas").glob(f"*{SUFFIX}"))
    return {path.name: json.loads(path.read_text(encoding="utf-8")) for path in paths}


def validator(name: str) -> Check:
    """Return what checks a value against a shipped schema."""
    file = name + SUFFIX
    return _compiler(file).check(schema_files()[file])


@cache
def _compiler(file: str) -> SchemaCompiler:
    return SchemaCompiler(file)


class SchemaCompiler:
    """Makes one check of every schema of a file that is reached, also where schemas hold themselves."""

    def __init__(self, file: str = "") -> None:
        self._file = file
        self._made: dict[int, Check] = {}

    def check(self, schema: Any) -> Check:
        """Return the check of a schema.

        Raises:
            KeyError: It uses a word that is not known here.
        """
        if schema is True:
            return _accept
        if _is_bare_reference(schema):
            return self._check_of_reference(schema)
        if id(schema) not in self._made:
            # Whoever asks while it is being made gets the way to what it will be.
            self._made[id(schema)] = partial(self._later, id(schema))
            self._made[id(schema)] = _all_of(self._checks(schema))
        return self._made[id(schema)]

    def _later(self, schema: int, value: Any) -> Sequence[SchemaError]:
        return self._made[schema](value)

    def _check_of_reference(self, schema: Schema) -> Check:
        compiler, target = self._follow(schema)
        return compiler.check(target)

    def _follow(self, schema: Schema) -> tuple[SchemaCompiler, Schema]:
        """Return the schema that a reference leads to, with the compiler of its file."""
        name, _, pointer = schema["$ref"].partition("#")
        file = name or self._file
        target = schema_files()[file]
        for step in pointer.split("/")[1:]:
            target = target[step]
        return _compiler(file), target

    def _checks(self, schema: Schema) -> list[Check]:
        words = [word for word in schema if word not in _PASSED_OVER and word not in _KEYS and word not in _BRANCHES]
        checks = [self._check_of_word(word, schema) for word in words]
        if any(word in schema for word in _KEYS):
            checks.append(self._check_of_keys(schema))
        if "if" in schema:
            checks.append(self._check_of_branches(schema))
        return checks

    def _check_of_word(self, word: str, schema: Schema) -> Check:
        asked = schema[word]
        if word == "$ref":
            return self._check_of_reference(schema)
        if word == "items":
            return _check_of_items(self.check(asked))
        if word == "dependentSchemas":
            return _check_of_tagged({tag: self.check(branch) for tag, branch in asked.items()}, schema)
        if word == "allOf":
            return _all_of([self.check(part) for part in asked])
        if word == "type":
            return _check_of_type(asked, schema)
        if word == "required":
            return _check_of_required(asked, schema)
        if word in ("anyOf", "oneOf"):
            return _check_of_alternatives(asked, schema, most=1 if word == "oneOf" else len(asked))
        fits = _SIMPLE[word](asked)
        return lambda value: () if fits(value) else [SchemaError(word, asked, schema)]

    def _check_of_keys(self, schema: Schema) -> Check:
        known = {name: self.check(part) for name, part in schema.get("properties", {}).items()}
        allowed, names = schema.get("additionalProperties", True), schema.get("propertyNames", True)
        other = self.check(allowed) if allowed is not False else partial(_refuse_key, schema)
        check_name = self.check(names)
        if names is not True and _is_bare_reference(names):
            _, names = self._follow(names)

        def check(value: Any) -> Sequence[SchemaError]:
            if not isinstance(value, dict):
                return ()
            found: list[SchemaError] = []
            for name, item in value.items():
                if wrong := known.get(name, other)(item):
                    found += _at(name, wrong)
            if check_name is not _accept:
                found += [SchemaError("propertyNames", names, names, [name]) for name in value if check_name(name)]
            return found

        return check

    def _check_of_branches(self, schema: Schema) -> Check:
        condition, then, otherwise = (self.check(schema.get(word, True)) for word in _BRANCHES)
        return lambda value: otherwise(value) if condition(value) else then(value)


def _is_bare_reference(schema: Schema) -> bool:
    """Return whether a schema says nothing but where its meaning stands."""
    return "$ref" in schema and schema.keys() <= _ANNOTATIONS | {"$ref"}


def _accept(_: Any) -> Sequence[SchemaError]:
    return ()


def _refuse_key(schema: Schema, _: Any) -> Sequence[SchemaError]:
    return [SchemaError("additionalProperties", asked=False, schema=schema)]


def _at(step: str | int, errors: Sequence[SchemaError]) -> Sequence[SchemaError]:
    for error in errors:
        error.steps.append(step)
    return errors


def _all_of(checks: list[Check]) -> Check:
    if not checks:
        return _accept
    first, *rest = checks
    if not rest:
        return first
    second = _all_of(rest)

    def check(value: Any) -> Sequence[SchemaError]:
        found, more = first(value), second(value)
        return [*found, *more] if found and more else found or more

    return check


def _check_of_items(check_item: Check) -> Check:
    def check(value: Any) -> Sequence[SchemaError]:
        if not isinstance(value, list):
            return ()
        found: list[SchemaError] = []
        for index, item in enumerate(value):
            if wrong := check_item(item):
                found += _at(index, wrong)
        return found

    return check


def _check_of_tagged(branches: dict[str, Check], schema: Schema) -> Check:
    """Return the check of what is chosen by the one key that is there; two such keys are one mistake, not two."""

    def check(value: Any) -> Sequence[SchemaError]:
        tags = [name for name in value if name in branches] if isinstance(value, dict) else []
        if len(tags) != 1:
            return [SchemaError("conflict", tags[:2], schema)] if tags else ()
        found = branches[tags[0]](value)
        for error in found:
            if len(error.steps) == error.is_of_keys:
                error.tag = error.tag or tags[0]
        return found

    return check


def _check_of_type(asked: str | list[str], schema: Schema) -> Check:
    """Return the check that a value has one of some types; a flag is no number."""
    types = frozenset(_TYPES[name] for name in ([asked] if isinstance(asked, str) else asked))
    return lambda value: () if type(value) in types else [SchemaError("type", asked, schema)]


def _check_of_required(asked: list[str], schema: Schema) -> Check:
    names = frozenset(asked)

    def check(value: Any) -> Sequence[SchemaError]:
        if not isinstance(value, dict) or value.keys() >= names:
            return ()
        return [SchemaError("required", [name], schema) for name in asked if name not in value]

    return check


def _check_of_alternatives(branches: list[Schema], schema: Schema, most: int) -> Check:
    """Return the check that some of the required keys are there: the only use our schemas make of alternatives."""
    names = [name for branch in branches for name in branch["required"]]

    def check(value: Any) -> Sequence[SchemaError]:
        if not isinstance(value, dict):
            return ()
        there = [name for name in value if name in names]
        if not there:
            return [SchemaError("missing", names, schema)]
        return [SchemaError("conflict", there[:2], schema)] if len(there) > most else ()

    return check


def _has_size(kind: type[list[Any] | dict[str, Any]], low: int, high: float) -> Callable[[Any], bool]:
    return lambda value: not isinstance(value, kind) or low <= len(value) <= high


def _has_pattern(asked: str) -> Callable[[Any], bool]:
    search = re.compile(asked).search
    return lambda value: not isinstance(value, str) or search(value) is not None


_MANY = float("inf")
_SIMPLE: dict[str, Callable[[Any], Callable[[Any], bool]]] = {
    "enum": lambda asked: lambda value: isinstance(value, str | bool) and value in asked,
    "pattern": _has_pattern,
    "minimum": lambda asked: lambda value: type(value) is not int or value >= asked,
    "minItems": lambda asked: _has_size(list, asked, _MANY),
    "maxItems": lambda asked: _has_size(list, 0, asked),
    "minProperties": lambda asked: _has_size(dict, asked, _MANY),
    "maxProperties": lambda asked: _has_size(dict, 0, asked),
}
