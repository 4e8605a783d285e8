"""Insertions: steps put before or after a step, or first or last in what holds steps."""

from __future__ import annotations

from attrs import evolve

from aodrules.compose import problems
from aodrules.compose.addresses import STEP_LISTS, TreePlace
from aodrules.compose.edit_resolver import EditResolver
from aodrules.compose.long_form import long_form
from aodrules.syntax.documents import EFFECTS, Insertion
from aodrules.syntax.tree import Mapping, Node, Sequence


def read_insertion(asking: EditResolver, insertion: Insertion) -> None:
    """Ask for steps to be put in."""
    place = asking.find(TreePlace(asking.root), insertion.address, "insert")
    if place is None:
        return
    target = _beside(place) if insertion.where in ("before", "after") else _holder(place)
    steps = _steps(insertion.steps)
    if target is None:
        found = problems.misplaced_steps(place.address, insertion.where, insertion.address.span)
        asking.report.add(found)
    elif not steps:
        found = problems.change_without_effect("no steps are inserted here", insertion.span, "empty")
        asking.report.add(found)
    else:
        new = [long_form(step, (*target.parts, "")) for step in steps]
        asking.ask("insert", target, insertion.address.span, *new, where=insertion.where)


def _steps(node: Node) -> tuple[Node, ...]:
    return node.items if isinstance(node, Sequence) else (node,)


def _beside(place: TreePlace) -> TreePlace | None:
    return place if place.is_step else None


def _holder(place: TreePlace) -> TreePlace | None:
    """Return the list of steps that belongs to an address."""
    if isinstance(place.node, Sequence):
        return place if place.has_steps or place.parts[-1] in STEP_LISTS else None
    if not isinstance(place.node, Mapping):
        return None
    if "do" in place.node:
        return place.under(place.node.entries["do"])
    if _may_have_steps(place, place.node):
        return evolve(place, parts=(*place.parts, "do"), chain=(*place.chain, "do"))
    return None


def _may_have_steps(place: TreePlace, body: Mapping) -> bool:
    is_option = len(place.parts) > 1 and (place.parts[-2] == "options" or place.parts[0] == "option")
    return is_option or any(key in body for key, changed in EFFECTS.items() if changed != "values")
