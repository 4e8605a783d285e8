"""Conflicts: two edits of one layer that touch one thing, and nothing says which comes last."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from attrs import frozen

from aodrules.compose.edit_resolver import EditResolver, UnresolvedEdit
from aodrules.compose.edits import Edit
from aodrules.compose.ordering import Order

_Pair: TypeAlias = tuple[bool, int, int, int, int]
"""Whether two edits are of different units, the numbers of these units, and the numbers of the edits in them."""


@frozen(eq=False)
class Conflict:
    """Two edits that cannot both be done; the second one is left out of what can be made."""

    first: Edit
    second: Edit


def conflicts(order: Order, resolvers: dict[str, EditResolver]) -> Iterator[Conflict]:
    """Iterate over the conflicts of a layer: first those within one unit, then those between two."""
    edits = [[*resolvers[unit.key].edits] for unit in order.units]
    for is_between, one, other, first, second in sorted(_related_pairs(edits)):
        if is_between and order.are_ordered(order.units[one], order.units[other]):
            continue
        if are_in_conflict(edits[one][first], edits[other][second]):
            yield Conflict(edits[one][first], edits[other][second])


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
        chain = edits[place[0]][place[1]].chain
        for other in (other for cut in range(len(chain) + 1) for other in touching.get(chain[:cut], ())):
            if other != place:
                (one, first), (two, second) = sorted((place, other))
                found.add((one != two, one, two, first, second))
    return found


def are_in_conflict(first: Edit, second: Edit) -> bool:
    """Return whether two edits cannot both be done without an order."""
    if first.action == "insert" and second.action == "insert":
        return False
    if first.action == "insert" or second.action == "insert":
        insertion, other = (first, second) if first.action == "insert" else (second, first)
        return _moves_place(other, insertion)
    return _begins_with(first.chain, second.chain) or _begins_with(second.chain, first.chain)


def _moves_place(edit: Edit, insertion: Edit) -> bool:
    """Return whether an edit takes away the place at which steps are put in: what encloses it, or the step itself."""
    if edit.chain == insertion.chain and insertion.where in ("before", "after"):
        return not edit.keeps_name
    return _begins_with(insertion.chain, edit.chain)


def _begins_with(chain: tuple[str, ...], start: tuple[str, ...]) -> bool:
    return chain[: len(start)] == start


def adder(lost: UnresolvedEdit, order: Order, resolvers: dict[str, EditResolver]) -> Edit | None:
    """Return the edit of another unit of the layer that adds what was not found, if there is one."""
    for unit in order.units:
        if unit.name == lost.edit.document:
            continue
        for edit in resolvers[unit.key].edits:
            if edit.is_addition and _begins_with(lost.edit.parts, edit.parts):
                return edit
    return None
