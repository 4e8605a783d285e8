"""TypeScript types of a JSON Schema of ours: a type for each definition, unions of literals for ids."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from aodrules.exchange.value_schema import JsonSchema
from aodrules.source.wording import printable

_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
_SCALARS = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}
_LONGEST = 100


def typescript(schema: JsonSchema) -> str:
    """Return the types of all definitions of a schema."""
    opening = [
        f"// {printable(schema['title'])}: TypeScript types, made by `aodrules types`.",
        f"// Version {schema['version']} of the values; {printable(schema['$id'])}",
    ]
    return "\n".join([*opening, "", *(line for part in schema["$defs"].items() for line in _definition(*part))])


def type_of(schema: JsonSchema) -> str:
    """Return the type of what fits a schema, with the names of definitions."""
    return _type(schema, "")


def _definition(name: str, schema: JsonSchema) -> Iterator[str]:
    yield from _comment(schema, "")
    yield f"export type {name} = {_type(schema, '')};".replace("= \n", "=\n")
    yield ""


def _comment(schema: JsonSchema, indent: str) -> Iterator[str]:
    if "description" in schema:
        text = printable(schema["description"]).replace("*/", "* /")
        yield f"{indent}/** {text} */"


def _type(schema: JsonSchema, indent: str) -> str:
    """Return the type of what fits a schema."""
    if "$ref" in schema:
        return str(schema["$ref"]).removeprefix("#/$defs/")
    if "const" in schema:
        return _literal(schema["const"])
    if "enum" in schema:
        return _union([_literal(each) for each in schema["enum"]], indent)
    if "anyOf" in schema:
        return _union([_type(each, indent) for each in schema["anyOf"]], indent)
    if "not" in schema:
        return "never"
    if "x-words" in schema:
        return "`" + " ".join(f"${{{_type(each, indent)}}}" for each in schema["x-words"]) + "`"
    if isinstance(schema["type"], list):
        return _union([_SCALARS[each] for each in schema["type"]], indent)
    if schema["type"] == "array":
        return _array(schema, indent)
    return _object(schema, indent) if schema["type"] == "object" else _SCALARS[schema["type"]]


def _literal(value: Any) -> str:
    return json.dumps(value)


def _union(types: list[str], indent: str) -> str:
    """Return what is one of several types, on lines of their own if that is long."""
    types = list(dict.fromkeys(types))
    line = " | ".join(types)
    if len(line) <= _LONGEST:
        return line
    return "".join(f"\n{indent}  | {each}" for each in types)


def _array(schema: JsonSchema, indent: str) -> str:
    if "prefixItems" in schema:
        return f"[{', '.join(_type(each, indent) for each in schema['prefixItems'])}]"
    item = _type(schema["items"], indent)
    return f"{item}[]" if _PLAIN.match(item) else f"Array<{item}>"


def _object(schema: JsonSchema, indent: str) -> str:
    if "properties" not in schema:
        inner = _type(schema["additionalProperties"], indent)
        if "propertyNames" in schema:
            return f"{{ [id in {_type(schema['propertyNames'], indent)}]?: {inner} }}"
        return f"{{ [name: string]: {inner} }}"
    if not schema["properties"]:
        return "{ [name: string]: never }"
    return "\n".join(["{", *_properties(schema, indent + "  "), f"{indent}}}"])


def _properties(schema: JsonSchema, indent: str) -> Iterator[str]:
    for name, part in schema["properties"].items():
        if "$ref" not in part or len(part) > 1:
            yield from _comment(part, indent)
        key = name if _PLAIN.match(name) else json.dumps(name)
        yield f"{indent}{key}{'' if name in schema['required'] else '?'}: {_type(part, indent)};"
