"""Keys of all branches in one place: editors complete what stands under `properties`, not what a tag chooses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from aodrules.syntax.schemas import Schema


def list_keys(parts: dict[str, Schema], holder: Schema, branches: Schema) -> None:
    """Put the keys of all branches under the properties of what chooses among them; what fits does not change.

    A key that means something else in another branch is only explained.
    """
    known: dict[str, list[Schema]] = {}
    for tag, branch in branches.items():
        for key, body in _properties(parts, branch):
            found = known.setdefault(key, [])
            found.insert(0 if key == tag else len(found), body)
    holder["properties"] = {key: _shared(bodies) for key, bodies in sorted(known.items())}


def _properties(parts: dict[str, Schema], branch: Schema) -> Iterator[tuple[str, Schema]]:
    """Iterate over the keys of a branch, and of those it chooses among."""
    branch = _resolved(parts, branch)
    yield from branch.get("properties", {}).items()
    for word in ("then", "else"):
        if word in branch:
            yield from _properties(parts, branch[word])


def _resolved(parts: dict[str, Schema], schema: Schema) -> Schema:
    if "$ref" not in schema:
        return schema
    found: Any = {"$defs": parts}
    for word in str(schema["$ref"]).removeprefix("#/").split("/"):
        found = found[word]
    resolved: Schema = found
    return resolved


def _shared(bodies: list[Schema]) -> Schema:
    first = bodies[0]
    if all(body == first for body in bodies):
        return first
    return {word: first[word] for word in ("title", "description") if word in first}
