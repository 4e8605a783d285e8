"""Changes and removals: another body for what stands at an address, or nothing."""

from __future__ import annotations

from attrs import evolve

from aodrules.compose import problems
from aodrules.compose.addresses import TreePlace, locate, step_name
from aodrules.compose.conditions import UndecidableError, holds, members, parse_condition
from aodrules.compose.edit_resolver import EditResolver
from aodrules.compose.long_form import long_form
from aodrules.source.diagnostics import Label
from aodrules.source.wording import quote
from aodrules.syntax.tree import Entry, Mapping, Node, Scalar, Sequence


def read_changes(asking: EditResolver, body: Mapping, start: TreePlace) -> None:
    """Ask for everything a mapping changes: its keys are addresses, or the names of families with addresses in them."""
    for entry in body:
        place = asking.find(start, entry.key, "change")
        if place is None:
            continue
        if _is_open(place) and isinstance(entry.value, Mapping):
            read_changes(asking, entry.value, place)
        else:
            _read_change(asking, entry, place)


def _is_open(place: TreePlace) -> bool:
    """Return whether an address is not yet that of a declaration."""
    return len(place.parts) == 1 or (len(place.parts) == 2 and place.parts[0] == "state")


def _read_change(asking: EditResolver, entry: Entry, place: TreePlace) -> None:
    body = long_form(entry.value, place.parts)
    if place.is_step and isinstance(body, Sequence):
        place, body = _step_with(place, body)
    if body.plain() == place.node.plain():
        also = [Label(place.span, "it is so here")]
        message = f"{quote(place.address)} is changed to what it is already"
        asking.report.add(problems.change_without_effect(message, entry.key.span, "nothing changes", also))
        return
    name = step_name(body) if place.is_step else None
    keeps_name = name is not None and name.text == place.parts[-1]
    asking.ask("change", place, entry.key.span, body, key=entry.key, keeps_name=keeps_name)


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


def read_removals(asking: EditResolver, body: Node) -> None:
    """Ask for the removal of addresses, and of the members of a kind for which a condition holds."""
    items = body.items if isinstance(body, Sequence) else (body,)
    for item in items:
        place = asking.find(TreePlace(asking.root), item, "remove") if isinstance(item, Scalar) else None
        if place is not None:
            asking.ask("remove", place, item.span)
    for item in items:
        for entry in item if isinstance(item, Mapping) else ():
            _read_condition(asking, entry)


def _read_condition(asking: EditResolver, entry: Entry) -> None:
    kind = asking.find(TreePlace(asking.root), entry.key, "remove")
    if kind is None or not isinstance(entry.value, Scalar):
        return
    try:
        found = _matching(asking.root, kind.address, entry.value.text)
    except UndecidableError as cause:
        asking.report.add(problems.undecidable_condition(entry.value.span, cause.found))
        return
    if not found:
        message = f"{quote(kind.address)} has no member for which {quote(entry.value.text)}"
        asking.report.add(problems.change_without_effect(message, entry.value.span, "removes nothing"))
    removed = {edit.parts for edit in asking.edits if edit.action == "remove"}
    for place in found:
        # What an address or an earlier condition of the same document takes out is taken out once.
        if not any(place.parts[:length] in removed for length in range(len(place.parts) + 1)):
            asking.ask("remove", evolve(place, key=entry.key), entry.value.span)


def _matching(root: Mapping, kind: str, text: str) -> list[TreePlace]:
    condition = parse_condition(text)
    fitting = [member for member in members(root, kind) if holds(condition, member)]
    places = [locate(root, member.parts) for member in fitting]
    return [place for place in places if place is not None]
