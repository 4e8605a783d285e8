"""The plain documents of a game put together: how its files are cut does not matter."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from aodrules.compose import problems
from aodrules.compose.long_form import long_tree
from aodrules.source.diagnostics import Report
from aodrules.source.spans import Source, Span
from aodrules.syntax.tree import Entry, Mapping

_DEPTHS = {"game": 1, "state": 2, "text": 2}
"""How many keys lead to a declaration below its kind; one, if not said."""

Declared = tuple[tuple[str, ...], Span]


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
        entries[entry.name] = entry if first is None else _both(first, entry, (*path, entry.name), report)
    return Mapping(left.span, entries)


def _both(first: Entry, second: Entry, path: tuple[str, ...], report: Report) -> Entry:
    is_open = len(path) <= _DEPTHS.get(path[0], 1)
    if is_open and isinstance(first.value, Mapping) and isinstance(second.value, Mapping):
        return Entry(first.key, _merge(first.value, second.value, path, report))
    report.add(problems.duplicate_declaration(".".join(path), second.key.span, first.key.span))
    return first


def iter_declarations(root: Mapping, path: tuple[str, ...] = ()) -> Iterator[Declared]:
    """Iterate over the addresses of a tree's declarations, with the places of their ids."""
    for entry in root:
        there = (*path, entry.name)
        if there == ("game",):
            yield there, entry.key.span
        elif len(there) <= _DEPTHS.get(there[0], 1) and isinstance(entry.value, Mapping):
            yield from iter_declarations(entry.value, there)
        else:
            yield there, entry.key.span
