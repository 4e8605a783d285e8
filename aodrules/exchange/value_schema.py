"""JSON Schemas of classes of data: names, types, and docstrings as descriptions."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from textwrap import dedent
from types import NoneType
from typing import Any, Literal, TypeAlias, get_args, get_origin

import attrs

from aodrules.exchange.values import is_union, public_fields
from aodrules.play.event_types import Event
from aodrules.play.settings import Setting
from aodrules.play.states import Hidden
from aodrules.play.surroundings import Around, Surroundings
from aodrules.play.views import Decision, Snapshot
from aodrules.source.diagnostics import Diagnostic, Report
from aodrules.source.spans import Span

VERSION = 1
"""Of the form of values: it grows when something that was read before is read no more, or means something else."""
DIALECT = "https://json-schema.org/draft/2020-12/schema"
JsonSchema: TypeAlias = "dict[str, Any]"


def document(id_: str, title: str, defs: JsonSchema) -> JsonSchema:
    """Return a schema for any of some values; each of them is found under `$defs`."""
    return {"$schema": DIALECT, "$id": id_, "title": title, "version": VERSION, "$defs": dict(sorted(defs.items()))}


def ref(name: str) -> JsonSchema:
    """Return a reference to a definition."""
    return {"$ref": f"#/$defs/{name}"}


def any_of(schemas: Sequence[JsonSchema]) -> JsonSchema:
    """Return a schema for what fits one of several; for a single one that one, for none what nothing fits."""
    if not schemas:
        return {"not": {}}
    return dict(schemas[0]) if len(schemas) == 1 else {"anyOf": list(schemas)}


def record(properties: JsonSchema, description: str | None = None, optional: Sequence[str] = ()) -> JsonSchema:
    """Return the schema of an object with these keys and no others."""
    told = {} if description is None else {"description": description}
    required = [name for name in properties if name not in optional]
    return {"type": "object", **told, "properties": properties, "required": required, "additionalProperties": False}


_WHOLE = {"type": "integer"}
_SCALARS: dict[Any, JsonSchema] = {
    int: _WHOLE,
    str: {"type": "string"},
    bool: {"type": "boolean"},
    float: {"type": "number"},
    NoneType: {"type": "null"},
}


class SchemaMaker:
    """Makes definitions of classes, and of all that is in their parts."""

    def __init__(self) -> None:
        self.defs: JsonSchema = {}

    def of(self, type_: Any) -> JsonSchema:
        """Return the schema of what has a type."""
        if type_ in _SCALARS:
            return dict(_SCALARS[type_])
        if type_ is Any:
            return self._named("Value", _any_value)
        if type_ == Event:
            return self._named("Event", _any_event)
        origin, inner = get_origin(type_), get_args(type_)
        if is_union(type_):
            kinds = [each for each in inner if each is not Hidden] if Any in inner else inner
            return any_of([self.of(each) for each in kinds])
        if origin is Literal:
            return {"enum": list(inner)}
        if origin in (dict, Mapping):
            return {"type": "object", "additionalProperties": self.of(inner[1])}
        if origin is tuple and inner[-1:] != (...,):
            return _tuple([self.of(each) for each in inner])
        if origin in (list, tuple, Sequence):
            return {"type": "array", "items": self.of(inner[0])}
        return self._named("Place" if type_ is Span else type_.__name__, _SPECIAL.get(type_) or _class_schema(type_))

    def _named(self, name: str, make: Any) -> JsonSchema:
        if name not in self.defs:
            self.defs[name] = {}  # for values that hold values like themselves
            self.defs[name] = make(self)
        return ref(name)


def _tuple(items: list[JsonSchema]) -> JsonSchema:
    return {"type": "array", "prefixItems": items, "items": False, "minItems": len(items), "maxItems": len(items)}


def _class_schema(class_: type) -> Any:
    def make(maker: SchemaMaker) -> JsonSchema:
        told = dict(described_parts(class_))
        properties = {}
        for part in public_fields(class_):
            text = told.get(part.name)
            properties[part.name] = maker.of(part.type) | ({"description": text} if text else {})
        return record(properties, summary(class_))

    return make


def _any_value(maker: SchemaMaker) -> JsonSchema:
    """Return the schema of a value of the rules, of whatever type."""
    return {
        "description": "A value of the rules: an id, number, flag or nothing, several, counts by id, something hidden.",
        "anyOf": [
            {"type": ["string", "integer", "boolean", "null"]},
            maker.of(Hidden),
            {"type": "array", "items": ref("Value")},
            {"type": "object", "additionalProperties": ref("Value")},
        ],
    }


def _any_event(maker: SchemaMaker) -> JsonSchema:
    schemas = [maker.of(each) for each in get_args(Event)]
    return any_of(schemas) | {"description": "Anything that can happen; `kind` tells which."}


def hidden_schema(kind: JsonSchema | None = None) -> JsonSchema:
    """Return the schema of what is hidden, of one type or of any."""
    properties = {
        "hidden": {"type": "string", **(kind or {}), "description": "What sort of thing it is: a type of the rules."},
        "count": {"type": "integer", "minimum": 0},
        "shows": {
            "type": "object",
            "additionalProperties": ref("Value"),
            "description": "What the back tells, by name of the attribute.",
        },
    }
    return record(properties, summary(Hidden))


def _hidden(maker: SchemaMaker) -> JsonSchema:
    maker.of(Any)
    return hidden_schema()


def _place(_maker: SchemaMaker) -> JsonSchema:
    numbers = {name: {"type": "integer", "minimum": 1} for name in ("line", "column", "end_line", "end_column")}
    return record({"path": {"type": "string"}, **numbers}, summary(Span))


def _report(maker: SchemaMaker) -> JsonSchema:
    return record({"diagnostics": {"type": "array", "items": maker.of(Diagnostic)}}, "All problems found, sorted.")


def _setting(maker: SchemaMaker) -> JsonSchema:
    numbers = record({"from": _WHOLE, "to": _WHOLE})
    choices = {"anyOf": [{"type": "array", "items": maker.of(Any)}, numbers]}
    texts: JsonSchema = {name: {"type": "string"} for name in ("id", "type")}
    return record({**texts, "choices": choices, "default": maker.of(Any)}, summary(Setting))


def _snapshot(maker: SchemaMaker) -> JsonSchema:
    found: JsonSchema = _class_schema(Snapshot)(maker)
    found["properties"]["state"] |= {"description": "The state as plain data."}
    return found


def _surroundings(maker: SchemaMaker) -> JsonSchema:
    return {"type": "array", "items": maker.of(Around), "description": summary(Surroundings)}


def _decision(maker: SchemaMaker) -> JsonSchema:
    made: JsonSchema = _class_schema(Decision)(maker)
    return record({**made["properties"], "around": maker.of(Surroundings)}, made["description"])


_SPECIAL = {
    Decision: _decision,
    Hidden: _hidden,
    Span: _place,
    Report: _report,
    Setting: _setting,
    Snapshot: _snapshot,
    Surroundings: _surroundings,
}
"""What is written otherwise than part by part."""


# What classes say of themselves.


def summary(class_: type) -> str:
    """Return the first paragraph of a docstring."""
    return " ".join((inspect.getdoc(class_) or "").split("\n\n")[0].split())


@cache
def described_parts(class_: type) -> tuple[tuple[str, str], ...]:
    """Return the parts of a class, inherited ones too, that have a docstring, each with its first paragraph."""
    classes = [one for one in reversed(class_.__mro__) if attrs.has(one)]
    return tuple(part for one in classes for part in _described(ast.parse(dedent(inspect.getsource(one))).body[0]))


def _described(tree: Any) -> Iterator[tuple[str, str]]:
    for one, after in zip(tree.body, tree.body[1:], strict=False):
        is_text = isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant)
        if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name) and is_text:
            yield one.target.id, " ".join(str(after.value.value).split("\n\n")[0].split())
