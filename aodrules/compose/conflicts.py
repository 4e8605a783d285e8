"""Conflicts: two edits of one layer that touch one thing, and nothing says which comes last."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from attrs import frozen

from aodrules.compose.asking import Asking, Lost
from aodrules.compose.edits import Edit
from aodrules.compose.ordering import Order


@frozen(eq=False)
class Conflict:
    """Two edits that cannot both be done; the second one is left out of what can be made."""

    first: Edit
    second: Edit


def conflicts(order: Order, askings: dict[str, Asking]) -> Iterator[Conflict]:
    """Iterate over the conflicts of a layer; each edit is left out at most once."""
    for unit in order.units:
        yield from _pairs(askings[unit.key].edits, None)
    for one, other in combinations(order.units, 2):
        if not order.are_ordered(one, other):
            yield from _pairs(askings[one.key].edits, askings[other.key].edits)


def _pairs(edits: list[Edit], others: list[Edit] | None) -> Iterator[Conflict]:
    pairs = combinations(edits, 2) if others is None else ((one, other) for one in edits for other in others)
    for first, second in pairs:
        if are_in_conflict(first, second):
            yield Conflict(first, second)


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


def adder(lost: Lost, order: Order, askings: dict[str, Asking]) -> Edit | None:
    """Return the edit of another unit of the layer that adds what was not found, if there is one."""
    for unit in order.units:
        if unit.name == lost.edit.document:
            continue
        for edit in askings[unit.key].edits:
            if edit.is_addition and _begins_with(lost.edit.parts, edit.parts):
                return edit
    return None
