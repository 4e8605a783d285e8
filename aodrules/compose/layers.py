"""One layer of a ruleset: the edits of all its documents, done as if at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from attrs import evolve

from aodrules.compose import problems
from aodrules.compose.addresses import step_name
from aodrules.compose.citing import clauses_said
from aodrules.compose.edit_resolver import EditResolver
from aodrules.compose.edits import Edit, apply_edits
from aodrules.compose.ordering import EditSet, Order, order_units
from aodrules.compose.ruleset import OriginEntry
from aodrules.source.diagnostics import Report
from aodrules.source.spans import Source
from aodrules.syntax.tree import Mapping

_Pair: TypeAlias = tuple[bool, int, int, int, int]
"""Whether two edits are of different units, the numbers of these units, and the numbers of the edits in them."""


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
        resolvers[unit.key] = EditResolver(unit, apply_edits(root, known, hidden), report)
        resolvers[unit.key].read()
    _report_unresolved(order, resolvers, report)
    edits = _drop_conflicts(order, resolvers, report)
    return apply_edits(root, edits, hidden), [entry for edit in edits for entry in _origin_entries(edit)]


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


def _report_unresolved(order: Order, resolvers: dict[str, EditResolver], report: Report) -> None:
    """Report what was not found; what another document of the layer adds is a conflict and not unknown."""
    for resolver in resolvers.values():
        for lost, problem in resolver.unresolved:
            added = _adder(lost, order, resolvers)
            report.add(problem if added is None else problems.conflicting_changes(lost, added))


def _adder(lost: Edit, order: Order, resolvers: dict[str, EditResolver]) -> Edit | None:
    """Return the edit of another unit of the layer that adds what was not found, if there is one."""
    others = (edit for unit in order.units if unit.name != lost.document for edit in resolvers[unit.key].edits)
    return next((edit for edit in others if edit.is_addition and _begins_with(lost.parts, edit.parts)), None)


def _origin_entries(edit: Edit) -> Iterator[OriginEntry]:
    said = clauses_said(edit)
    yield OriginEntry(edit.address, edit.document, edit.kind, edit.action, edit.span, edit.clauses, said)
    if edit.to is not None and edit.to.holder != edit.parts[:-1]:
        address = ".".join((*edit.to.holder, edit.parts[-1]))
        yield OriginEntry(address, edit.document, edit.kind, edit.action, edit.span)
    if edit.action != "insert":
        return
    # New steps are children of the verb, hook or option in which the step beside them or their list stands.
    holder = edit.parts[:-1] if edit.where in ("before", "after") or edit.parts[-1] == "do" else edit.parts
    for name in map(step_name, edit.nodes):
        if name is not None:
            yield OriginEntry(".".join((*holder, name.text)), edit.document, edit.kind, "insert", name.span)


# Conflicts: two edits of one layer that touch one thing, and nothing says which comes last.


def _drop_conflicts(order: Order, resolvers: dict[str, EditResolver], report: Report) -> list[Edit]:
    """Return the edits of a layer; of two that cannot both be done, that is reported and the second left out."""
    left_out: set[Edit] = set()
    for first, second in conflicts(order, resolvers):
        report.add(problems.conflicting_changes(first, second))
        left_out.add(second)
    return [edit for unit in order.units for edit in resolvers[unit.key].edits if edit not in left_out]


def conflicts(order: Order, resolvers: dict[str, EditResolver]) -> Iterator[tuple[Edit, Edit]]:
    """Iterate over the conflicts of a layer: first those within one unit, then those between two."""
    edits = [resolvers[unit.key].edits for unit in order.units]
    for is_between, one, other, first, second in sorted(_related_pairs(edits)):
        if is_between and order.are_ordered(order.units[one], order.units[other]):
            continue
        if are_in_conflict(edits[one][first], edits[other][second]):
            yield edits[one][first], edits[other][second]


def _related_pairs(edits: list[list[Edit]]) -> set[_Pair]:
    """Return the pairs of edits of which one touches what the other touches or encloses: no others can conflict.

    They are looked up by what they touch, so that a layer of many edits takes no longer for each of them.
    """
    places = [(unit, number) for unit, of_unit in enumerate(edits) for number in range(len(of_unit))]
    touching: dict[tuple[str, ...], list[tuple[int, int]]] = {}
    for unit, number in places:
        if edits[unit][number].action != "insert":
            touching.setdefault(edits[unit][number].chain, []).append((unit, number))
    found = set()
    for place in places:
        chains = _chains(edits[place[0]][place[1]])
        parts = (chain[:cut] for chain in chains for cut in range(len(chain) + 1))
        for other in (other for part in parts for other in touching.get(part, ())):
            if other != place:
                (one, first), (two, second) = sorted((place, other))
                found.add((one != two, one, two, first, second))
    return found


def _chains(edit: Edit) -> list[tuple[str, ...]]:
    """Return what an edit touches: for a step that is moved also where it goes."""
    return [edit.chain] if edit.to is None else [edit.chain, edit.to.chain]


def are_in_conflict(first: Edit, second: Edit) -> bool:
    """Return whether two edits cannot both be done without an order."""
    if first.action == "move" or second.action == "move":
        move, other = (first, second) if first.action == "move" else (second, first)
        return _is_move_in_conflict(move, other)
    if first.action == "insert" and second.action == "insert":
        return False
    if first.action == "insert" or second.action == "insert":
        insertion, other = (first, second) if first.action == "insert" else (second, first)
        return _moves_place(other, insertion)
    return _begins_with(first.chain, second.chain) or _begins_with(second.chain, first.chain)


def _is_move_in_conflict(move: Edit, other: Edit) -> bool:
    """Return whether a step cannot be moved together with another edit; what is in the step goes along unharmed."""
    assert move.to is not None  # every move has a target
    target = evolve(move, chain=move.to.chain)
    if other.action == "insert":
        return other.chain == move.chain and other.where in ("before", "after")
    if other.to is not None:
        there = other.to.chain
        return other.chain == move.chain or _begins_with(target.chain, other.chain) or _begins_with(there, move.chain)
    return _moves_place(other, target) or _moves_place(other, evolve(move, where="before"))


def _moves_place(edit: Edit, insertion: Edit) -> bool:
    """Return whether an edit takes away the place at which steps are put in: what encloses it, or the step itself."""
    if edit.chain == insertion.chain and insertion.where in ("before", "after"):
        return not edit.keeps_name
    return _begins_with(insertion.chain, edit.chain)


def _begins_with(chain: tuple[str, ...], start: tuple[str, ...]) -> bool:
    return chain[: len(start)] == start
