"""One layer of a ruleset: the edits of all its documents, done as if at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from aodrules.compose import problems
from aodrules.compose.additions import read_additions
from aodrules.compose.addresses import TreePlace, step_name
from aodrules.compose.changes import read_changes, read_insertion, read_removals
from aodrules.compose.citing import clauses_said
from aodrules.compose.conflicts import adder, conflicts
from aodrules.compose.edit_resolver import EditResolver
from aodrules.compose.edits import Edit, apply_edits
from aodrules.compose.ordering import Order, order_units
from aodrules.compose.ruleset import OriginEntry
from aodrules.compose.units import EditSet
from aodrules.source.diagnostics import Report
from aodrules.source.spans import Source
from aodrules.syntax.tree import Entry, Mapping, Scalar


def apply_layer(root: Mapping, units: Sequence[EditSet], report: Report) -> tuple[Mapping, list[OriginEntry]]:
    """Return the tree with a layer's edits done, and the hand each of its documents has in it.

    A unit knows the tree below the layer and what the units it comes after have done; nothing else of its layer.
    So the result cannot depend on the order in which documents are named.
    """
    order = order_units(units, report)
    hidden = _hidden(order)
    resolvers: dict[str, EditResolver] = {}
    for unit in order.units:
        known = [edit for each in order.earlier(unit) for edit in resolvers[each.key].edits]
        resolvers[unit.key] = _resolve_edits(unit, apply_edits(root, known, hidden), report)
    _report_unresolved(order, resolvers, report)
    edits = _drop_conflicts(order, resolvers, report)
    return apply_edits(root, edits, hidden), [touch for edit in edits for touch in _touches(edit)]


def _hidden(order: Order) -> dict[str, frozenset[Source]]:
    """Return for each document the sources of the layer whose new steps it does not know."""
    return {
        unit.name: frozenset(
            other.source
            for other in order.units
            if other.source is not unit.source and not order.are_ordered(unit, other)
        )
        for unit in order.units
        if unit.partner is None
    }


def _resolve_edits(unit: EditSet, root: Mapping, report: Report) -> EditResolver:
    resolver, edits = EditResolver(unit, root, report), unit.edits
    if unit.declarations is not None and len(unit.declarations):
        read_additions(resolver, "declare", unit.declarations)
    if edits.add is not None:
        read_additions(resolver, "add", edits.add)
    if edits.effects is not None:
        read_additions(resolver, "effect", _effects(unit.name, edits.effects))
    if edits.change is not None:
        read_changes(resolver, edits.change, TreePlace(root))
    if edits.remove is not None:
        read_removals(resolver, edits.remove)
    for insertion in edits.insert:
        read_insertion(resolver, insertion)
    return resolver


def _effects(name: str, body: Mapping) -> Mapping:
    """Return effects of a document as they stand in the tree: under `effects` and its name."""
    for key in (name, "effects"):
        body = Mapping(body.span, {key: Entry(Scalar(body.span, key, key), body)})
    return body


def _report_unresolved(order: Order, resolvers: dict[str, EditResolver], report: Report) -> None:
    """Report what was not found; what another document of the layer adds is a conflict and not unknown."""
    for resolver in resolvers.values():
        for lost in resolver.unresolved:
            added = adder(lost, order, resolvers)
            report.add(lost.problem if added is None else problems.conflicting_changes(lost.edit, added))


def _drop_conflicts(order: Order, resolvers: dict[str, EditResolver], report: Report) -> list[Edit]:
    left_out: set[Edit] = set()
    for conflict in conflicts(order, resolvers):
        report.add(problems.conflicting_changes(conflict.first, conflict.second))
        left_out.add(conflict.second)
    return [edit for unit in order.units for edit in resolvers[unit.key].edits if edit not in left_out]


def _touches(edit: Edit) -> Iterator[OriginEntry]:
    said = clauses_said(edit)
    yield OriginEntry(edit.address, edit.document, edit.kind, edit.action, edit.span, edit.clauses, said)
    if edit.action != "insert":
        return
    names = [step_name(step) for step in edit.nodes]
    for name in names:
        if name is not None:
            address = ".".join((*_container(edit), name.text))
            yield OriginEntry(address, edit.document, edit.kind, "insert", name.span)


def _container(edit: Edit) -> tuple[str, ...]:
    """Return the address of the verb, hook or option whose child an inserted step is."""
    if edit.where in ("before", "after") or edit.parts[-1] == "do":
        return edit.parts[:-1]
    return edit.parts
