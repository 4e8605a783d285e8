"""Declarations in the long form: `T = x` becomes `{is: T, start: x}` and a bare type `{is: T}`, each with its place."""

from __future__ import annotations

import re

from aodrules.compose.addresses import NEVER_IDS, PARAMETER_LISTS, UNPLAYED_KINDS
from aodrules.source.spans import Span
from aodrules.syntax.scalars import meaning
from aodrules.syntax.tree import Entry, Mapping, Node, Scalar, Sequence

_WITH_DEFAULT = re.compile(r"(?P<type>[^=]*[^=\s])\s*=(?!=)\s*(?P<value>\S.*)", re.DOTALL)


def long_form(node: Node, path: tuple[str, ...] = ()) -> Node:
    """Return a node that stands at a path of keys with every declaration in it in the long form."""
    if path and path[0] in UNPLAYED_KINDS:
        return node
    default = _key_of_default(path)
    if default is not None and isinstance(node, Scalar) and isinstance(node.value, str):
        return _declaration(node, default)
    if isinstance(node, Mapping):
        return long_tree(node, path)
    if isinstance(node, Sequence):
        return Sequence(node.span, tuple(long_form(item, (*path, "")) for item in node))
    return node


def long_tree(node: Mapping, path: tuple[str, ...] = ()) -> Mapping:
    """Return a mapping that stands at a path of keys with every declaration in it in the long form."""
    entries = {entry.name: Entry(entry.key, long_form(entry.value, (*path, entry.name))) for entry in node}
    return Mapping(node.span, entries)


def _key_of_default(path: tuple[str, ...]) -> str | None:
    """Return the key under which the long form keeps what follows `=`; nothing where no type is declared."""
    match path:
        case (*_, last) if last in NEVER_IDS:
            return None
        case ("state", _, _) | (_, _, *_, "remembers", _):
            return "start"
        case ("kinds", _, "attributes", _) | ("game", "settings", _):
            return "default"
        case (_, *_, parameters, _) if parameters in PARAMETER_LISTS and len(path) > 3:
            return "default"
    return None


def _declaration(scalar: Scalar, default: str) -> Mapping:
    found = _WITH_DEFAULT.fullmatch(scalar.text.rstrip())
    parts = {"is": scalar}
    if found is not None:
        parts = {"is": _part(scalar, *found.span("type")), default: _part(scalar, *found.span("value"))}
    return Mapping(scalar.span, {name: Entry(Scalar(part.span, name, name), part) for name, part in parts.items()})


def _part(scalar: Scalar, start: int, end: int) -> Scalar:
    text = scalar.text[start:end]
    return Scalar(part_span(scalar, start, end), meaning(text), text)


def part_span(scalar: Scalar, start: int, end: int) -> Span:
    """Return the place of a part of what was written, by offsets into its text."""
    if scalar.block:
        return scalar.span
    shift = 1 if scalar.quoted else 0
    return scalar.span.within(start + shift, end + shift)
