"""Words for people: names and texts by address and language."""

from __future__ import annotations

from collections.abc import Iterator

from aodrules.check.context import Context
from aodrules.syntax.tree import Mapping, Node, Scalar


def read_texts(context: Context) -> dict[str, dict[str, str]]:
    """Return all names and texts: address → language → words."""
    found: dict[str, dict[str, str]] = {}
    for entry in context.root:
        if entry.name == "text" and isinstance(entry.value, Mapping):
            found |= {each.name: _words(each.value) for each in entry.value}
        else:
            for address, words in _names(entry.value, entry.name):
                found.setdefault(address, words)
    return found


def _names(node: Node, address: str) -> Iterator[tuple[str, dict[str, str]]]:
    if not isinstance(node, Mapping):
        return
    name = node.get("name")
    if name is not None:
        yield address, _words(name)
    for key in ("text", "description"):
        words = node.get(key)
        if isinstance(words, Mapping):
            yield f"{address}.{key}", _words(words)
    for entry in node:
        yield from _names(entry.value, f"{address}.{entry.name}")


def _words(node: Node) -> dict[str, str]:
    if isinstance(node, Mapping):
        return {entry.name: entry.value.text for entry in node if isinstance(entry.value, Scalar)}
    return {"en": node.text} if isinstance(node, Scalar) else {}
