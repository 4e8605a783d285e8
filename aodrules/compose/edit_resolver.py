"""From the edits of one document, as written, to edits with resolved addresses, and targets that were not found."""

from __future__ import annotations

from typing import Any

from attrs import define, evolve, field

from aodrules.compose import problems
from aodrules.compose.addresses import (
    UNPLAYED_KINDS,
    MissingAddress,
    TreePlace,
    child,
    is_id_mapping,
    known_names,
    locate,
    named_steps,
    places_ending_with,
    resolve_from,
    step_holders,
    step_name,
)
from aodrules.compose.citing import clauses_touched
from aodrules.compose.conditions import UndecidableError, holds, members, parse_condition
from aodrules.compose.declarations import long_form, part_span, spread_offers
from aodrules.compose.edits import ITEMS, Edit
from aodrules.compose.ordering import EditSet
from aodrules.compose.sections import spread_sections
from aodrules.source.diagnostics import Diagnostic, Label, Report
from aodrules.source.spans import Span
from aodrules.source.wording import nearest, quote
from aodrules.syntax.documents import EFFECTS, Insertion, StepMove
from aodrules.syntax.tree import Entry, Mapping, Node, Scalar, Sequence, items_of


@define(eq=False)
class EditResolver:
    """A unit, the tree it knows, and what it has asked for so far."""

    unit: EditSet
    root: Mapping
    report: Report
    edits: list[Edit] = field(factory=list)
    unresolved: list[tuple[Edit, Diagnostic]] = field(factory=list)
    """Edits whose target does not exist in that tree, and what to say about them."""

    def read(self) -> None:
        """Read all edits of the unit."""
        declarations, edits = self.unit.declarations, self.unit.edits
        if declarations is not None and len(declarations):
            _read_additions(self, "declare", declarations)
        if edits.add is not None:
            _read_additions(self, "add", edits.add)
        if edits.effects is not None:
            # They stand in the tree under `effects` and the name of their document.
            effects = edits.effects
            for name in (self.unit.name, "effects"):
                effects = Mapping.of(effects.span, [Entry.of(name, effects)])
            _read_additions(self, "effect", effects)
        if edits.change is not None:
            _read_changes(self, edits.change, TreePlace(self.root))
        if edits.remove is not None:
            _read_removals(self, edits.remove)
        for insertion in edits.insert:
            _read_insertion(self, insertion)
        for move in edits.move:
            _read_move(self, move)

    def add(self, action: str, place: TreePlace, span: Span, *nodes: Node, **details: Any) -> None:
        """Add an edit at a place; `details` are further fields of the edit."""
        head = self.unit.head
        edit = Edit(action, place.parts, place.chain, head.name.text, head.kind, span, nodes, **details)
        self.edits.append(evolve(edit, clauses=clauses_touched(self.root, place.path, edit)))

    def find(self, address: Scalar, action: str, start: TreePlace | None = None) -> TreePlace | None:
        """Return the place an address stands for, seen from another; if there is none, that is kept as unresolved."""
        found = resolve_from(start or TreePlace(self.root), address.text)
        if isinstance(found, TreePlace):
            return found
        self.add_unresolved(found, address, action)
        return None

    def add_unresolved(self, missing: MissingAddress, address: Scalar, action: str) -> None:
        """Keep an edit whose target does not exist."""
        problem = self._problem(missing, address, action)
        parts, head = (*missing.deepest.parts, *missing.rest), self.unit.head
        edit = Edit(action, parts, (), head.name.text, head.kind, address.span)
        self.unresolved.append((edit, problem))

    def _problem(self, missing: MissingAddress, address: Scalar, action: str) -> Diagnostic:
        name, where, known = missing.rest[0], missing.deepest, known_names(missing.deepest)
        end = missing.start + len(name)
        moved = [] if nearest(name, known) is not None else self._elsewhere(missing, address)
        elsewhere = (moved[0].address, moved[0].span) if len(moved) == 1 else None
        is_whole = elsewhere is not None and not where.has_steps
        span = part_span(address, 0 if elsewhere else missing.start, len(address.text) if is_whole else end)
        return problems.unknown_target(where.address, name, span, known, action, elsewhere, self._parts(where))

    def _elsewhere(self, missing: MissingAddress, address: Scalar) -> list[TreePlace]:
        """Return what may be meant by a step that is in another verb, or by an address without its beginning."""
        if missing.deepest.has_steps:
            steps = [step for holder in step_holders(TreePlace(self.root)) for step in named_steps(holder)]
            return [step for step in steps if step.parts[-1] == missing.rest[0]]
        if missing.deepest.parts:
            return []
        places = places_ending_with(self.root, address.text)
        return [place for place in places if place.parts[0] not in UNPLAYED_KINDS]

    def _parts(self, place: TreePlace) -> list[str]:
        """Return the attributes and hooks that a member can have; nothing if a place is no member."""
        if len(place.parts) != 2:
            return []
        kind = self.root.mapping("kinds").mapping(place.parts[0])
        return [entry.name for group in ("attributes", "hooks") for entry in kind.mapping(group)]


# Additions: nested or dotted keys down to the first that does not exist, and items of lists.


def _read_additions(resolver: EditResolver, action: str, body: Mapping) -> None:
    """Add an edit for everything a mapping adds to the tree."""
    reader = _AdditionReader(resolver, action)
    reader.read(spread_sections(body, resolver.report), TreePlace(resolver.root))
    for place in reader.new.values():
        resolver.add(action, place, place.span, long_form(place.node, place.parts, place.key), key=place.key)


@define(eq=False)
class _AdditionReader:
    """One mapping of additions as it is read; keys of one new thing that are written apart come together in `new`."""

    resolver: EditResolver
    action: str
    new: dict[tuple[str, ...], TreePlace] = field(factory=dict)

    def read(self, body: Mapping, place: TreePlace) -> None:
        """Read what is added at a place."""
        body = spread_offers(body)
        if not len(body):
            at_ = body.span if place.key is None else place.key.span
            self.resolver.report.add(problems.change_without_effect("nothing is added here", at_, "empty"))
        for entry in body:
            found = resolve_from(place, entry.name)
            if isinstance(found, MissingAddress):
                self._read_new(entry, found)
            else:
                self._read_existing(entry, found)

    def _read_existing(self, entry: Entry, place: TreePlace) -> None:
        """Read what is added inside something that exists."""
        old, new = place.node, entry.value
        if isinstance(old, Mapping) and isinstance(new, Mapping) and not _is_repeated(old, new, place):
            self.read(new, evolve(place, key=entry.key))
        elif isinstance(old, Sequence) and isinstance(new, Sequence):
            self._read_items(entry.key, old, new, place)
        else:
            self._report_duplicate(place, entry.key.span, place.span)

    def _read_items(self, key: Scalar, old: Sequence, new: Sequence, place: TreePlace) -> None:
        report = self.resolver.report
        if place.is_step_list:
            report.add(problems.misplaced_steps(place.address, "", key.span, is_list=True))
            return
        if not len(new):
            report.add(problems.change_without_effect("nothing is added here", key.span, "empty"))
        known = {str(item.plain()): item for item in old}
        for item in items_of(long_form(new, place.parts, place.key)):
            same = known.setdefault(str(item.plain()), item)
            if same is not item:
                self._report_duplicate(place, item.span, same.span)
                continue
            there = evolve(place, chain=(*place.chain, f"item {item.plain()}"))
            self.resolver.add(self.action, there, item.span, item, where=ITEMS)

    def _report_duplicate(self, place: TreePlace, again: Span, first: Span) -> None:
        self.resolver.report.add(problems.duplicate_declaration(place.address, again, first, is_edit=True))

    def _read_new(self, entry: Entry, missing: MissingAddress) -> None:
        """Read something that does not exist yet; what holds it must exist."""
        missing = self._try_whole_id(entry, missing)
        place = missing.deepest
        if not isinstance(place.node, Mapping) or place.is_step:
            self.resolver.add_unresolved(missing, entry.key, self.action)
            return
        there = place.under(_nest_entry(entry, missing))
        if isinstance(there.node, Mapping) and is_id_mapping(there.parts, self.resolver.root):
            self.read(there.node, evolve(there, node=Mapping(there.node.span)))
            return
        old = self.new.get(there.parts)
        self.new[there.parts] = there if old is None else evolve(old, node=self._join_places(old, there))

    def _try_whole_id(self, entry: Entry, missing: MissingAddress) -> MissingAddress:
        """Return the same with its id taken whole if it only begins like that of another text: words are no mapping."""
        place = missing.deepest
        is_text = len(place.parts) == 2 and place.parts[0] == "text" and missing.start > 0
        if not is_text or not isinstance(entry.value, Mapping):
            return missing
        family = child(TreePlace(self.resolver.root), "text")
        assert family is not None  # the text that it begins like stands there
        id_ = place.parts[1]
        return MissingAddress(family, (".".join((id_, *missing.rest)),), missing.start - len(id_) - 1)

    def _join_places(self, one: TreePlace, other: TreePlace) -> Node:
        """Return the body of something new whose keys are written in two places."""
        left, right = one.node, other.node
        if not isinstance(left, Mapping) or not isinstance(right, Mapping):
            self.resolver.report.add(problems.duplicate_declaration(one.address, other.span, one.span))
            return left
        for entry in right:
            old = left.entries.get(entry.name)
            joined = entry if old is None else Entry(old.key, self._join_places(one.under(old), other.under(entry)))
            left = left.with_entry(joined)
        return left


def _is_repeated(old: Mapping, new: Mapping, place: TreePlace) -> bool:
    """Return whether a step or a whole declaration is added anew, told by several of its parts."""
    both = [name for name in new.entries if name in old and not isinstance(old.get(name), Mapping)]
    return place.is_step or (len(place.parts) > 1 and len(both) > 1)


def _nest_entry(entry: Entry, missing: MissingAddress) -> Entry:
    """Return the first key that does not exist with its body: the keys behind it mean nested ones."""
    start, keys = missing.start, []
    for name in missing.rest:
        keys.append(Scalar(part_span(entry.key, start, start + len(name)), name, name))
        start += len(name) + 1
    value = entry.value
    for key in reversed(keys[1:]):
        value = Mapping.of(value.span, [Entry(key, value)])
    return Entry(keys[0], value)


# Changes: another body for what stands at an address.


def _read_changes(resolver: EditResolver, body: Mapping, start: TreePlace) -> None:
    """Add an edit for each change in a mapping, whose keys are addresses, or families with addresses in them."""
    for entry in body:
        place = resolver.find(entry.key, "change", start)
        if place is None:
            continue
        if _is_open(place) and isinstance(entry.value, Mapping):
            _read_changes(resolver, entry.value, place)
        else:
            _read_change(resolver, entry, place)


def _is_open(place: TreePlace) -> bool:
    """Return whether an address is not yet that of a declaration."""
    return len(place.parts) == 1 or (len(place.parts) == 2 and place.parts[0] == "state")


def _read_change(resolver: EditResolver, entry: Entry, place: TreePlace) -> None:
    body = long_form(entry.value, place.parts, place.key)
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
        return place.under(place.node.entries["do"]), steps
    name = place.parts[-1]
    label = Entry.of("step", Scalar(place.span, name, name))
    return place, Mapping.of(steps.span, [label, Entry.of("do", steps)])


# Removals: nothing for what stands at an address, or for the members of a kind for which a condition holds.


def _read_removals(resolver: EditResolver, body: Node) -> None:
    for item in items_of(body):
        place = resolver.find(item, "remove") if isinstance(item, Scalar) else None
        if place is not None:
            resolver.add("remove", place, item.span)
    for item in items_of(body):
        for entry in item if isinstance(item, Mapping) else ():
            _read_condition(resolver, entry)


def _read_condition(resolver: EditResolver, entry: Entry) -> None:
    kind = resolver.find(entry.key, "remove")
    if kind is None or not isinstance(entry.value, Scalar):
        return
    try:
        found = _matching(resolver.root, kind.address, entry.value.text)
    except UndecidableError as cause:
        resolver.report.add(problems.undecidable_condition(entry.value.span, str(cause)))
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


# Insertions: steps beside what stands at an address, or in it.


def _read_insertion(resolver: EditResolver, insertion: Insertion) -> None:
    place = resolver.find(insertion.address, "insert")
    if place is None:
        return
    steps = items_of(insertion.steps)
    target = _target(place, insertion.where)
    if target is None:
        resolver.report.add(problems.misplaced_steps(place.address, insertion.where, insertion.address.span))
    elif not steps:
        resolver.report.add(problems.change_without_effect("no steps are inserted here", insertion.span, "empty"))
    else:
        new = [long_form(step, (*target.parts, "")) for step in steps]
        resolver.add("insert", target, insertion.address.span, *new, where=insertion.where)


# Moves: a named step that goes beside another, or first or last among others.


def _read_move(resolver: EditResolver, move: StepMove) -> None:
    step, place = resolver.find(move.step, "move"), resolver.find(move.address, "move")
    if step is None or place is None:
        return
    target = _target(place, move.where)
    if not step.is_step:
        resolver.report.add(problems.misplaced_steps(step.address, "moved", move.step.span))
    elif target is None:
        resolver.report.add(problems.misplaced_steps(place.address, move.where, move.address.span))
    elif target.path[: len(step.path)] == step.path:
        resolver.report.add(problems.misplaced_steps(step.address, "itself", move.address.span))
    elif _is_there(step, target, move.where):
        message = f"{quote(step.address)} stands there already"
        resolver.report.add(problems.change_without_effect(message, move.step.span, "nothing is moved"))
    else:
        resolver.add("move", step, move.step.span, where=move.where, to=target)


def _is_there(step: TreePlace, target: TreePlace, where: str) -> bool:
    """Return whether a step is already where it is to go."""
    holder, position = step.path[:-1], int(step.path[-1])
    if where in ("before", "after"):
        return target.path == (*holder, position + (1 if where == "before" else -1))
    return target.path == holder and position == (0 if where == "first" else len(items_of(target.node)) - 1)


def _target(place: TreePlace, where: str) -> TreePlace | None:
    """Return the step beside which steps are put, or the list of steps in which; nothing if there is none."""
    if where in ("before", "after"):
        return place if place.is_step else None
    if not isinstance(place.node, Mapping):
        return place if place.is_step_list else None
    if "do" in place.node:
        return place.under(place.node.entries["do"])
    if _may_have_steps(place, place.node):
        return evolve(place, parts=(*place.parts, "do"), chain=(*place.chain, "do"))
    return None


def _may_have_steps(place: TreePlace, body: Mapping) -> bool:
    is_option = len(place.parts) > 1 and (place.parts[-2] == "options" or place.parts[0] == "option")
    return is_option or any(key in body for key, changed in EFFECTS.items() if changed != "values")
