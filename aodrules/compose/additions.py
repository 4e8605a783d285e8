"""Additions: nested or dotted keys down to the first that does not exist, and items of lists."""

from __future__ import annotations

from attrs import define, evolve, field

from aodrules.compose import problems
from aodrules.compose.addresses import STEP_LISTS, MissingAddress, TreePlace, child, is_id_mapping, resolve_from
from aodrules.compose.edit_resolver import EditResolver
from aodrules.compose.edits import ITEMS
from aodrules.compose.long_form import long_form, part_span
from aodrules.source.diagnostics import Report
from aodrules.source.spans import Span
from aodrules.syntax.tree import Entry, Mapping, Node, Scalar, Sequence


@define(eq=False)
class _Reading:
    """One mapping of additions as it is read; keys of one new thing that are written apart come together in `new`."""

    resolver: EditResolver
    action: str
    new: dict[tuple[str, ...], TreePlace] = field(factory=dict)

    @property
    def report(self) -> Report:
        """Where problems go."""
        return self.resolver.report


def read_additions(resolver: EditResolver, action: str, body: Mapping) -> None:
    """Add an edit for everything a mapping adds to the tree."""
    reading = _Reading(resolver, action)
    _read(reading, body, TreePlace(resolver.root))
    for place in reading.new.values():
        resolver.add(action, place, place.span, long_form(place.node, place.parts), key=place.key)


def _read(reading: _Reading, body: Mapping, place: TreePlace) -> None:
    if not len(body):
        at = body.span if place.key is None else place.key.span
        reading.report.add(problems.change_without_effect("nothing is added here", at, "empty"))
    for entry in body:
        found = resolve_from(place, entry.name)
        if isinstance(found, MissingAddress):
            _read_new(reading, entry, found)
        else:
            _read_existing(reading, entry, found)


def _read_existing(reading: _Reading, entry: Entry, place: TreePlace) -> None:
    """Read what is added inside something that exists."""
    old, new = place.node, entry.value
    if isinstance(old, Mapping) and isinstance(new, Mapping) and not _is_repeated(old, new, place):
        _read(reading, new, evolve(place, key=entry.key))
    elif isinstance(old, Sequence) and isinstance(new, Sequence):
        _read_items(reading, entry, place)
    else:
        reading.report.add(problems.duplicate_declaration(place.address, entry.key.span, place.span, is_edit=True))


def _is_repeated(old: Mapping, new: Mapping, place: TreePlace) -> bool:
    """Return whether a step or a whole declaration is added anew, told by several of its parts."""
    both = [name for name in new.entries if name in old and not isinstance(old.get(name), Mapping)]
    return place.is_step or (len(place.parts) > 1 and len(both) > 1)


def _read_items(reading: _Reading, entry: Entry, place: TreePlace) -> None:
    key, old, new = entry.key, _items(place.node), _items(entry.value)
    if _holds_steps(place):
        reading.report.add(problems.misplaced_steps(place.address, "", key.span, is_list=True))
        return
    if not new:
        reading.report.add(problems.change_without_effect("nothing is added here", key.span, "empty"))
    known = {str(item.plain()): item for item in old}
    for item in new:
        same = known.setdefault(str(item.plain()), item)
        if same is not item:
            reading.report.add(problems.duplicate_declaration(place.address, item.span, same.span, is_edit=True))
            continue
        there = evolve(place, chain=(*place.chain, f"item {item.plain()}"))
        reading.resolver.add(reading.action, there, item.span, long_form(item, (*place.parts, "")), where=ITEMS)


def _items(node: Node) -> tuple[Node, ...]:
    return node.items if isinstance(node, Sequence) else ()


def _holds_steps(place: TreePlace) -> bool:
    return place.has_steps or place.parts[-1] in STEP_LISTS


def _read_new(reading: _Reading, entry: Entry, missing: MissingAddress) -> None:
    """Read something that does not exist yet; what holds it must exist."""
    missing = _try_whole_id(reading, entry, missing)
    place = missing.deepest
    if not isinstance(place.node, Mapping) or place.is_step:
        reading.resolver.add_unresolved(missing, entry.key, reading.action)
        return
    there = place.under(_nest_entry(entry, missing))
    if isinstance(there.node, Mapping) and is_id_mapping(there.parts, reading.resolver.root):
        _read(reading, there.node, evolve(there, node=Mapping(there.node.span)))
        return
    old = reading.new.get(there.parts)
    reading.new[there.parts] = there if old is None else evolve(old, node=_join_places(old, there, reading.report))


def _try_whole_id(reading: _Reading, entry: Entry, missing: MissingAddress) -> MissingAddress:
    """Return the same with its id taken whole if it only begins like that of another text: words are no mapping."""
    place = missing.deepest
    if len(place.parts) != 2 or place.parts[0] != "text" or not isinstance(entry.value, Mapping):
        return missing
    family = child(TreePlace(reading.resolver.root), "text")
    assert family is not None  # the text that it begins like stands there
    id_ = place.parts[1]
    return MissingAddress(family, (".".join((id_, *missing.rest)),), missing.start - len(id_) - 1)


def _join_places(one: TreePlace, other: TreePlace, report: Report) -> Node:
    """Return the body of something new whose keys are written in two places."""
    left, right = one.node, other.node
    if not isinstance(left, Mapping) or not isinstance(right, Mapping):
        report.add(problems.duplicate_declaration(one.address, other.span, one.span))
        return left
    for entry in right:
        old = left.entries.get(entry.name)
        body = entry.value if old is None else _join_places(one.under(old), other.under(entry), report)
        left = left.with_entry(Entry(entry.key if old is None else old.key, body))
    return left


def _nest_entry(entry: Entry, missing: MissingAddress) -> Entry:
    """Return the first key that does not exist with its body: the keys behind it mean nested ones."""
    keys = _keys(entry.key, missing)
    value = entry.value
    for key in reversed(keys[1:]):
        value = Mapping(value.span, {key.text: Entry(key, value)})
    return Entry(keys[0], value)


def _keys(key: Scalar, missing: MissingAddress) -> list[Scalar]:
    start, keys = missing.start, []
    for name in missing.rest:
        span: Span = part_span(key, start, start + len(name))
        keys.append(Scalar(span, name, name))
        start += len(name) + 1
    return keys
