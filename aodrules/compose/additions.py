"""Additions: nested or dotted keys down to the first that does not exist, and items of lists."""

from __future__ import annotations

from attrs import evolve

from aodrules.compose import problems
from aodrules.compose.addresses import STEP_LISTS, Missing, Place, resolve_from
from aodrules.compose.asking import Asking
from aodrules.compose.edits import ITEMS
from aodrules.compose.families import is_family
from aodrules.compose.long_form import long_form, part_span
from aodrules.source.spans import Span
from aodrules.syntax.tree import Entry, Mapping, Node, Scalar, Sequence


def read_additions(asking: Asking, action: str, body: Mapping, place: Place) -> None:
    """Ask for everything a mapping adds at a place."""
    if not len(body):
        at = body.span if place.key is None else place.key.span
        asking.report.add(problems.change_without_effect("nothing is added here", at, "empty"))
    for entry in body:
        found = resolve_from(place, entry.name)
        if isinstance(found, Missing):
            _read_new(asking, action, entry, found)
        else:
            _read_existing(asking, action, entry, found)


def _read_existing(asking: Asking, action: str, entry: Entry, place: Place) -> None:
    """Ask for what is added inside something that exists."""
    old, new = place.node, entry.value
    if isinstance(old, Mapping) and isinstance(new, Mapping) and not _is_repeated(old, new, place):
        read_additions(asking, action, new, evolve(place, key=entry.key))
    elif isinstance(old, Sequence) and isinstance(new, Sequence):
        _read_items(asking, action, entry, place)
    else:
        asking.report.add(problems.duplicate_declaration(place.address, entry.key.span, place.span, is_edit=True))


def _is_repeated(old: Mapping, new: Mapping, place: Place) -> bool:
    """Return whether a step or a whole declaration is added anew, told by several of its parts."""
    both = [name for name in new.entries if name in old and not isinstance(old.get(name), Mapping)]
    return place.is_step or (len(place.parts) > 1 and len(both) > 1)


def _read_items(asking: Asking, action: str, entry: Entry, place: Place) -> None:
    key, old, new = entry.key, _items(place.node), _items(entry.value)
    if _holds_steps(place):
        asking.report.add(problems.misplaced_steps(place.address, "", key.span, is_list=True))
        return
    if not new:
        asking.report.add(problems.change_without_effect("nothing is added here", key.span, "empty"))
    known = {str(item.plain()): item for item in old}
    for item in new:
        same = known.setdefault(str(item.plain()), item)
        if same is not item:
            asking.report.add(problems.duplicate_declaration(place.address, item.span, same.span, is_edit=True))
            continue
        there = evolve(place, chain=(*place.chain, f"item {item.plain()}"))
        asking.ask(action, there, item.span, long_form(item, (*place.parts, "")), where=ITEMS)


def _items(node: Node) -> tuple[Node, ...]:
    return node.items if isinstance(node, Sequence) else ()


def _holds_steps(place: Place) -> bool:
    return place.has_steps or place.parts[-1] in STEP_LISTS


def _read_new(asking: Asking, action: str, entry: Entry, missing: Missing) -> None:
    """Ask for something that does not exist yet; what holds it must exist."""
    place = missing.deepest
    if not isinstance(place.node, Mapping) or place.is_step:
        asking.lose(missing, entry.key, action)
        return
    key, value = _nested(entry, missing)
    there = place.under(Entry(key, value))
    if isinstance(value, Mapping) and is_family(there.parts, asking.root):
        read_additions(asking, action, value, evolve(there, node=Mapping(value.span)))
    else:
        asking.ask(action, there, key.span, long_form(value, there.parts), key=key)


def _nested(entry: Entry, missing: Missing) -> tuple[Scalar, Node]:
    """Return the first key that does not exist and its body: the keys behind it mean nested ones."""
    keys = _keys(entry.key, missing)
    value = entry.value
    for key in reversed(keys[1:]):
        value = Mapping(value.span, {key.text: Entry(key, value)})
    return keys[0], value


def _keys(key: Scalar, missing: Missing) -> list[Scalar]:
    start, keys = missing.start, []
    for name in missing.rest:
        span: Span = part_span(key, start, start + len(name))
        keys.append(Scalar(span, name, name))
        start += len(name) + 1
    return keys
