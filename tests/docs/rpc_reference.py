"""The reference of the methods of JSON-RPC, made from what `rpc.discover` tells."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from aodrules.exchange.public_schema import json_schema
from aodrules.exchange.typescript import type_of
from aodrules.rpc.methods import description
from tests.docs.python_reference import in_cell

GROUPS = {
    "rpc": "The methods themselves",
    "catalogue": "What ships",
    "rules": "Rules",
    "schema": "Schemas",
    "game": "Games",
}
_THERE = "#/components/schemas/"


def rpc_parts() -> Iterator[str]:
    """Return the parts of the page."""
    found = description()
    yield "## Errors\n"
    yield _errors(found["components"]["errors"])
    for group, title in GROUPS.items():
        yield f"## {title}\n"
        for method in found["methods"]:
            if method["name"].split(".")[0] == group:
                yield from _method(method)
    yield "## What is told without being asked\n"
    for name, body in found["x-notifications"].items():
        yield f"### `{name}`\n"
        yield from _value(found["components"]["schemas"][body["params"]["$ref"].removeprefix(_THERE)])
    yield "## Values\n"
    yield "Those that are not listed are the ones of the library: see [Python](python.md) and `schema.values`.\n"
    known = json_schema()["$defs"].keys() | {
        body["params"]["$ref"].removeprefix(_THERE) for body in found["x-notifications"].values()
    }
    for name, schema in found["components"]["schemas"].items():
        if name not in known and "properties" in schema and name not in _PARTS_OF_LIBRARY:
            yield f"### `{name}`\n"
            yield from _value(schema)


_PARTS_OF_LIBRARY = frozenset({"Fix", "Label", "Note", "Place"})


def _errors(errors: dict[str, Any]) -> str:
    rows = [(f"`{kind}`", str(each["code"]), each["message"]) for kind, each in errors.items()]
    return _table(("kind", "code", "what it means"), rows)


def _method(method: dict[str, Any]) -> Iterator[str]:
    yield f"### `{method['name']}`\n"
    yield _lines(method["description"]) + "\n"
    rows = [_parameter(each) for each in method["params"]]
    if rows:
        yield _table(("parameter", "type", "what it is"), rows)
    yield f"Returns `{_type(method['result']['schema'])}`.\n"


def _parameter(parameter: dict[str, Any]) -> tuple[str, str, str]:
    name = f"`{parameter['name']}`"
    return (
        (f"**{name}**" if parameter["required"] else name),
        f"`{_type(parameter['schema'])}`",
        parameter["description"],
    )


def _value(schema: dict[str, Any]) -> Iterator[str]:
    yield _lines(schema["description"]) + "\n"
    rows = [
        (f"`{name}`", f"`{_type(part)}`", part.get("description", "")) for name, part in schema["properties"].items()
    ]
    yield _table(("part", "type", "what it is"), rows)


def _type(schema: Any) -> str:
    return " ".join(type_of(_here(schema)).split())


def _here(found: Any) -> Any:
    if isinstance(found, dict):
        return {name: _here(part) for name, part in found.items()}
    if isinstance(found, list):
        return [_here(part) for part in found]
    return found.replace(_THERE, "#/$defs/") if isinstance(found, str) else found


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = ["| " + " | ".join(in_cell(cell) for cell in row) + " |" for row in (head, *rows)]
    return "\n".join([lines[0], "|" + "---|" * len(head), *lines[1:]]) + "\n"


def _lines(text: str) -> str:
    """Return a text with a sentence on each line."""
    return re.sub(r"(?<=[a-z)`][.:;!?]) (?=[A-Z])", "\n", " ".join(text.split()))
