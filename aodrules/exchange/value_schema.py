"""The JSON Schema of all public values, made from their classes: names, types, and docstrings as descriptions."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator, Sequence
from functools import cache
from textwrap import dedent
from types import NoneType, UnionType
from typing import Any, Literal, TypeAlias, Union, get_args, get_origin

import attrs

from aodrules.exchange.values import public_fields
from aodrules.play.actions import Action
from aodrules.play.components import Clause, Component
from aodrules.play.events import Event, Learned
from aodrules.play.scores import Score, ScoreLine, Share, Standing
from aodrules.play.settings import Setting
from aodrules.play.states import Hidden
from aodrules.play.views import Decision, Played, Snapshot
from aodrules.reasons import Reason
from aodrules.source.diagnostics import Diagnostic, Report
from aodrules.source.spans import Span

VERSION = 1
"""Of the form of values: it grows when something that was read before is read no more, or means something else."""
DIALECT = "https://json-schema.org/draft/2020-12/schema"
VALUES: tuple[type, ...] = (
    Action,
    Clause,
    Component,
    Decision,
    Diagnostic,
    Event,
    Hidden,
    Learned,
    Played,
    Reason,
    Report,
    Score,
    ScoreLine,
    Setting,
    Share,
    Snapshot,
    Standing,
)
"""The classes that `to_json` writes; a view is written as a snapshot."""
JsonSchema: TypeAlias = "dict[str, Any]"


def json_schema() -> JsonSchema:
    """Return the JSON Schema (draft 2020-12) of all values that `to_json` writes, each under `$defs`.

    Example:
        >>> import aodrules
        >>> schema = aodrules.json_schema()
        >>> schema["$id"], sorted(schema["$defs"]["Played"]["properties"])
        ('urn:aodrules:values:1', ['player', 'text'])
    """
    maker = SchemaMaker()
    for value in VALUES:
        maker.of(value)
    return document(f"urn:aodrules:values:{VERSION}", "Values of aodrules", maker.defs)


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
        origin, inner = get_origin(type_), get_args(type_)
        if origin in (Union, UnionType):
            return any_of([self.of(each) for each in inner])
        if origin is Literal:
            return {"enum": list(inner)}
        if origin is dict:
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
        attrs.resolve_types(class_)
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


_SPECIAL = {Hidden: _hidden, Span: _place, Report: _report, Setting: _setting, Snapshot: _snapshot}
"""What is written otherwise than part by part."""


# What classes say of themselves.


def summary(class_: type) -> str:
    """Return the first paragraph of a docstring."""
    return " ".join((inspect.getdoc(class_) or "").split("\n\n")[0].split())


@cache
def described_parts(class_: type) -> tuple[tuple[str, str], ...]:
    """Return the parts of a class that have a docstring of their own, each with its first paragraph."""
    return tuple(_described(ast.parse(dedent(inspect.getsource(class_))).body[0]))


def _described(tree: Any) -> Iterator[tuple[str, str]]:
    for one, after in zip(tree.body, tree.body[1:], strict=False):
        is_text = isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant)
        if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name) and is_text:
            yield one.target.id, " ".join(str(after.value.value).split("\n\n")[0].split())
