"""What one unit asks for while its edits are read: edits with resolved addresses, and targets that were not found."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from attrs import define, evolve, field, frozen

from aodrules.compose import problems
from aodrules.compose.addresses import UNPLAYED_KINDS, MissingAddress, TreePlace, at, named_steps, resolve_from
from aodrules.compose.citing import clauses_touched
from aodrules.compose.edits import Edit
from aodrules.compose.long_form import part_span
from aodrules.compose.units import EditSet
from aodrules.source.diagnostics import Diagnostic, Report
from aodrules.source.spans import Span
from aodrules.source.wording import nearest
from aodrules.syntax.tree import Mapping, Node, Scalar


@frozen(eq=False)
class UnresolvedEdit:
    """An edit whose target does not exist in the tree its document knows, and what to say about it."""

    edit: Edit
    problem: Diagnostic


@define(eq=False)
class EditResolver:
    """A unit, the tree it knows, and what it has asked for so far."""

    unit: EditSet
    root: Mapping
    report: Report
    edits: list[Edit] = field(factory=list)
    unresolved: list[UnresolvedEdit] = field(factory=list)

    def add(self, action: str, place: TreePlace, span: Span, *nodes: Node, **details: Any) -> None:
        """Add an edit at a place; `details` are further fields of the edit."""
        head = self.unit.head
        edit = Edit(action, place.parts, place.chain, head.name.text, head.kind, span, nodes, **details)
        self.edits.append(evolve(edit, clauses=clauses_touched(self.root, place.path, edit)))

    def find(self, start: TreePlace, address: Scalar, action: str) -> TreePlace | None:
        """Return the place an address stands for, seen from another; if there is none, that is kept as unresolved."""
        found = resolve_from(start, address.text)
        if isinstance(found, TreePlace):
            return found
        self.add_unresolved(found, address, action)
        return None

    def add_unresolved(self, missing: MissingAddress, address: Scalar, action: str) -> None:
        """Keep an edit whose target does not exist."""
        problem = self._problem(missing, address, action)
        parts, head = (*missing.deepest.parts, *missing.rest), self.unit.head
        edit = Edit(action, parts, (), head.name.text, head.kind, address.span)
        self.unresolved.append(UnresolvedEdit(edit, problem))

    def _problem(self, missing: MissingAddress, address: Scalar, action: str) -> Diagnostic:
        name, where, known = missing.rest[0], missing.deepest, _known(missing.deepest)
        end = missing.start + len(name)
        moved = [] if nearest(name, known) is not None else list(self._elsewhere(missing, address))
        elsewhere = (moved[0].address, moved[0].span) if len(moved) == 1 else None
        is_whole = elsewhere is not None and not where.has_steps
        span = part_span(address, 0 if elsewhere else missing.start, len(address.text) if is_whole else end)
        return problems.unknown_target(where.address, name, span, known, action, elsewhere, self._parts(where))

    def _elsewhere(self, missing: MissingAddress, address: Scalar) -> Iterator[TreePlace]:
        """Iterate over what may be meant by a step that is in another verb, or by an address without its beginning."""
        if missing.deepest.has_steps:
            yield from _steps_called(TreePlace(self.root), missing.rest[0])
        elif not missing.deepest.parts:
            found = [resolve_from(TreePlace(self.root), f"{entry.name}.{address.text}") for entry in self.root]
            yield from (
                place for place in found if isinstance(place, TreePlace) and place.parts[0] not in UNPLAYED_KINDS
            )

    def _parts(self, place: TreePlace) -> list[str]:
        """Return the attributes and hooks that a member can have; nothing if a place is no member."""
        kind = at(self.root, "kinds", place.parts[0]) if len(place.parts) == 2 else None
        groups = [at(kind, name) for name in ("attributes", "hooks")] if isinstance(kind, Mapping) else []
        return [entry.name for group in groups if isinstance(group, Mapping) for entry in group]


def _steps_called(place: TreePlace, name: str) -> Iterator[TreePlace]:
    """Iterate over the named steps of a name anywhere inside a place."""
    if place.has_steps:
        yield from (step for step in named_steps(place) if step.parts[-1] == name)
    elif isinstance(place.node, Mapping):
        for entry in place.node:
            yield from _steps_called(place.under(entry), name)


def _known(place: TreePlace) -> dict[str, Span]:
    """Return the names that may stand next in an address, with their places."""
    names = {}
    if place.has_steps:
        names = {step.parts[-1]: step.span for step in named_steps(place)}
    if isinstance(place.node, Mapping):
        names |= {entry.name: entry.key.span for entry in place.node}
    return names
