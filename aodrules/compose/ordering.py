"""The order of the units of one layer: as `after` says, and by name where it says nothing."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from typing import TypeAlias

from attrs import frozen

from aodrules.compose import problems
from aodrules.source.diagnostics import Report
from aodrules.source.spans import Source
from aodrules.syntax.documents import Document, Edits, Head
from aodrules.syntax.tree import Mapping, Scalar


@frozen(eq=False)
class EditSet:
    """Edits that are done together, and the document they stand in."""

    head: Head
    source: Source
    edits: Edits
    declarations: Mapping | None = None
    partner: str | None = None
    """The document together with which they count: `with: {PARTNER: edits}`."""

    @property
    def name(self) -> str:
        """The name of the document."""
        return self.head.name.text

    @property
    def key(self) -> str:
        """A name of its own, that sorts behind the document's."""
        return self.name if self.partner is None else f"{self.name} with {self.partner}"


def edit_sets_of(document: Document, active: Container[str]) -> Iterator[EditSet]:
    """Iterate over the units of a document, given the names of all documents in use."""
    if document.head is None:
        return
    yield EditSet(document.head, document.source, document.edits, document.declarations)
    for partner, edits in document.edits.with_.items():
        if partner in active:
            yield EditSet(document.head, document.source, edits, partner=partner)


Edges: TypeAlias = dict[str, set[str]]
"""For each unit those that come before it."""


@frozen(eq=False)
class Order:
    """Units in the order in which they are applied, and which of them are said to come before which."""

    units: tuple[EditSet, ...]
    before: dict[str, frozenset[str]]

    def earlier(self, unit: EditSet) -> list[EditSet]:
        """Return the units that are said to come before a unit, in order."""
        return [each for each in self.units if each.key in self.before[unit.key]]

    def are_ordered(self, one: EditSet, other: EditSet) -> bool:
        """Return whether it is said which of two units comes last."""
        return one.key in self.before[other.key] or other.key in self.before[one.key]


def order_units(units: Sequence[EditSet], report: Report) -> Order:
    """Return the order of a layer's units; circles are reported and cut."""
    by_key = {unit.key: unit for unit in sorted(units, key=lambda unit: unit.key)}
    edges: Edges = {key: _said(unit, by_key) for key, unit in by_key.items()}
    _cut_circles(edges, by_key, report)
    for unit in by_key.values():
        _follow_partners(unit, by_key, edges)
    before = {key: frozenset(_reachable(key, edges)) for key in edges}
    return Order(tuple(by_key[key] for key in _sort(before)), before)


def _said(unit: EditSet, by_key: dict[str, EditSet]) -> set[str]:
    partners = () if unit.partner is None else (unit.partner, unit.name)
    return {*(name.text for name in _predecessors(unit)), *partners} & by_key.keys()


def _predecessors(unit: EditSet) -> tuple[Scalar, ...]:
    head = unit.head
    base = () if head.based_on is None else (head.based_on,)
    return (*head.after, *base, *head.includes)


def _follow_partners(unit: EditSet, by_key: dict[str, EditSet], edges: Edges) -> None:
    """Let what comes after a document also come after what that document does together with others, if it can."""
    after = {name.text for name in _predecessors(unit)}
    for other in by_key.values():
        follows = other is not unit and other.partner is not None and other.name in after
        if follows and unit.key not in _reachable(other.key, edges):
            edges[unit.key].add(other.key)


def _reachable(key: str, edges: Edges) -> set[str]:
    found: set[str] = set()
    waiting = [key]
    while waiting:
        new = edges[waiting.pop()] - found
        found |= new
        waiting += new
    return found


def _sort(before: dict[str, frozenset[str]]) -> list[str]:
    done: list[str] = []
    waiting = sorted(before)
    while waiting:
        ready = next(key for key in waiting if before[key] <= set(done))
        waiting.remove(ready)
        done.append(ready)
    return done


def _cut_circles(edges: Edges, by_key: dict[str, EditSet], report: Report) -> None:
    while (circle := _circle(edges)) is not None:
        spans = [_span(by_key[key], circle[(index + 1) % len(circle)]) for index, key in enumerate(circle)]
        names = [by_key[key].name for key in circle]
        if not all(span is by_key[key].head.based_on for key, span in zip(circle, spans, strict=True)):
            report.add(problems.variant_cycle(names, [span.span for span in spans], "comes after"))
        for key in circle:
            edges[key] -= set(circle)


def _span(unit: EditSet, other: str) -> Scalar:
    return next((name for name in _predecessors(unit) if name.text == other), unit.head.name)


def _circle(edges: Edges) -> list[str] | None:
    """Return a circle, each unit followed by one that comes before it; the one that begins with the least name."""
    for start in sorted(edges):
        path = _way_back(start, start, edges, set())
        if path is not None:
            return path
    return None


def _way_back(key: str, start: str, edges: Edges, seen: set[str]) -> list[str] | None:
    for other in sorted(edges[key]):
        if other == start:
            return [key]
        if other not in seen:
            seen.add(other)
            rest = _way_back(other, start, edges, seen)
            if rest is not None:
                return [key, *rest]
    return None
