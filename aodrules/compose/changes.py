"""Changes, removals and insertions: another body for what stands at an address, nothing, or steps beside it."""

from __future__ import annotations

from attrs import evolve

from aodrules.compose import problems
from aodrules.compose.addresses import STEP_LISTS, TreePlace, locate, step_name
from aodrules.compose.conditions import UndecidableError, holds, members, parse_condition
from aodrules.compose.edit_resolver import EditResolver
from aodrules.compose.long_form import long_form
from aodrules.source.diagnostics import Label
from aodrules.source.wording import quote
from aodrules.syntax.documents import EFFECTS, Insertion
from aodrules.syntax.tree import Entry, Mapping, Node, Scalar, Sequence


def read_changes(resolver: EditResolver, body: Mapping, start: TreePlace) -> None:
    """Add an edit for each change in a mapping, whose keys are addresses, or families with addresses in them."""
    for entry in body:
        place = resolver.find(start, entry.key, "change")
        if place is None:
            continue
        if _is_open(place) and isinstance(entry.value, Mapping):
            read_changes(resolver, entry.value, place)
        else:
            _read_change(resolver, entry, place)


def _is_open(place: TreePlace) -> bool:
    """Return whether an address is not yet that of a declaration."""
    return len(place.parts) == 1 or (len(place.parts) == 2 and place.parts[0] == "state")


def _read_change(resolver: EditResolver, entry: Entry, place: TreePlace) -> None:
    body = long_form(entry.value, place.parts)
    if place.is_step and isinstance(body, Sequence):
        place, body = _step_with(place, body)
    if body.plain() == place.node.plain():
        also = [Label(place.span, "it is so here")]
        message = f"{quote(place.address)} is changed to what it is already"
        resolver.report.add(problems.change_without_effect(message, entry.key.span, "nothing changes", also))
        return
    name = step_name(body) if place.is_step else None
    keeps_name = name is not None and name.text == place.parts[-1]
    resolver.add("change", place, entry.key.span, body, key=entry.key, keeps_name=keeps_name)


def _step_with(place: TreePlace, steps: Sequence) -> tuple[TreePlace, Node]:
    """Return where a list of steps goes that is given as the body of a step: the name of the step stays."""
    if isinstance(place.node, Mapping) and "do" in place.node:
        inner = place.under(place.node.entries["do"])
        return inner, steps
    name = place.parts[-1]
    label = Scalar(place.span, name, name)
    entries = {
        "step": Entry(Scalar(place.span, "step", "step"), label),
        "do": Entry(Scalar(steps.span, "do", "do"), steps),
    }
    return place, Mapping(steps.span, entries)


def read_removals(resolver: EditResolver, body: Node) -> None:
    """Add edits for the removal of addresses, and of the members of a kind for which a condition holds."""
    items = body.items if isinstance(body, Sequence) else (body,)
    for item in items:
        place = resolver.find(TreePlace(resolver.root), item, "remove") if isinstance(item, Scalar) else None
        if place is not None:
            resolver.add("remove", place, item.span)
    for item in items:
        for entry in item if isinstance(item, Mapping) else ():
            _read_condition(resolver, entry)


def _read_condition(resolver: EditResolver, entry: Entry) -> None:
    kind = resolver.find(TreePlace(resolver.root), entry.key, "remove")
    if kind is None or not isinstance(entry.value, Scalar):
        return
    try:
        found = _matching(resolver.root, kind.address, entry.value.text)
    except UndecidableError as cause:
        resolver.report.add(problems.undecidable_condition(entry.value.span, cause.found))
        return
    if not found:
        message = f"{quote(kind.address)} has no member for which {quote(entry.value.text)}"
        resolver.report.add(problems.change_without_effect(message, entry.value.span, "removes nothing"))
    removed = {edit.parts for edit in resolver.edits if edit.action == "remove"}
    for place in found:
        # What an address or an earlier condition of the same document takes out is taken out once.
        if not any(place.parts[:length] in removed for length in range(len(place.parts) + 1)):
            resolver.add("remove", evolve(place, key=entry.key), entry.value.span)


def _matching(root: Mapping, kind: str, text: str) -> list[TreePlace]:
    condition = parse_condition(text)
    fitting = [member for member in members(root, kind) if holds(condition, member)]
    places = [locate(root, member.parts) for member in fitting]
    return [place for place in places if place is not None]


def read_insertion(resolver: EditResolver, insertion: Insertion) -> None:
    """Add an edit that puts steps in."""
    place = resolver.find(TreePlace(resolver.root), insertion.address, "insert")
    if place is None:
        return
    target = _beside(place) if insertion.where in ("before", "after") else _holder(place)
    steps = _steps(insertion.steps)
    if target is None:
        found = problems.misplaced_steps(place.address, insertion.where, insertion.address.span)
        resolver.report.add(found)
    elif not steps:
        found = problems.change_without_effect("no steps are inserted here", insertion.span, "empty")
        resolver.report.add(found)
    else:
        new = [long_form(step, (*target.parts, "")) for step in steps]
        resolver.add("insert", target, insertion.address.span, *new, where=insertion.where)


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
