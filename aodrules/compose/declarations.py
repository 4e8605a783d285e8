"""The plain documents of a game put together, in the long form: how its files are cut and abridged does not matter."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from aodrules.compose import problems
from aodrules.compose.addresses import NEVER_IDS, PARAMETER_LISTS, UNPLAYED_KINDS
from aodrules.source.diagnostics import Report
from aodrules.source.spans import Source, Span
from aodrules.syntax.scalars import meaning
from aodrules.syntax.tree import Entry, Mapping, Node, Scalar, Sequence

_DEPTHS = {"game": 1, "state": 2, "text": 2}
"""How many keys lead to a declaration below its kind; one, if not said."""


def merge_documents(documents: Iterable[Mapping], report: Report) -> Mapping:
    """Return one tree of all declarations, in long form; what is declared twice is reported and the first one kept."""
    result: Mapping | None = None
    for declarations in documents:
        result = declarations if result is None else _merge(result, declarations, (), report)
    if result is None:
        return Mapping(Span(Source("", ""), 1, 1, 1, 1))
    return long_tree(result)


def _merge(left: Mapping, right: Mapping, path: tuple[str, ...], report: Report) -> Mapping:
    entries = dict(left.entries)
    for entry in right:
        first = entries.get(entry.name)
        entries[entry.name] = entry if first is None else _merge_entries(first, entry, (*path, entry.name), report)
    return Mapping(left.span, entries)


def _merge_entries(first: Entry, second: Entry, path: tuple[str, ...], report: Report) -> Entry:
    is_open = len(path) <= _DEPTHS.get(path[0], 1)
    if is_open and isinstance(first.value, Mapping) and isinstance(second.value, Mapping):
        return Entry(first.key, _merge(first.value, second.value, path, report))
    report.add(problems.duplicate_declaration(".".join(path), second.key.span, first.key.span))
    return first


def iter_declarations(root: Mapping, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Span]]:
    """Iterate over the addresses of a tree's declarations, with the places of their ids."""
    for entry in root:
        there = (*path, entry.name)
        is_open = there != ("game",) and len(there) <= _DEPTHS.get(there[0], 1)
        if is_open and isinstance(entry.value, Mapping):
            yield from iter_declarations(entry.value, there)
        else:
            yield there, entry.key.span


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
    return Mapping.of(node.span, (Entry(entry.key, long_form(entry.value, (*path, entry.name))) for entry in node))


def _key_of_default(path: tuple[str, ...]) -> str | None:
    """Return the key under which the long form keeps what follows `=`; nothing where no type is declared."""
    match path:
        case ("kinds", _, "hooks", _, "is"):
            return "default"
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
    return Mapping.of(scalar.span, (Entry.of(name, part) for name, part in parts.items()))


def _part(scalar: Scalar, start: int, end: int) -> Scalar:
    text = scalar.text[start:end]
    return Scalar(part_span(scalar, start, end), meaning(text), text)


def part_span(scalar: Scalar, start: int, end: int) -> Span:
    """Return the place of a part of what was written, by offsets into its text."""
    if scalar.block:
        return scalar.span
    shift = 1 if scalar.quoted else 0
    return scalar.span.within(start + shift, end + shift)
