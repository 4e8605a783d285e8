"""Edits whose addresses are resolved, and the trees they make; a tree itself is never changed."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable
from collections.abc import Mapping as AbstractMapping
from typing import TypeAlias

from attrs import evolve, frozen

from aodrules.compose.addresses import TreePlace, locate
from aodrules.source.spans import Source, Span
from aodrules.syntax.tree import Entry, Mapping, Node, Path, Scalar, Sequence, at

ITEMS = "items"
"""Where an edit adds that adds to a list."""


@frozen(eq=False)
class Edit:
    """One thing that one document does at one address."""

    action: str
    """`declare`, `add`, `effect`, `change`, `remove`, `insert` or `move`."""
    parts: tuple[str, ...]
    """The address of what is added, changed, removed or moved, or at which something is put in."""
    chain: tuple[str, ...]
    """What it touches, in the sense of `TreePlace.chain`."""
    document: str
    kind: str
    """What the document is: a module, an edition or a variant."""
    span: Span
    nodes: tuple[Node, ...] = ()
    """The new body, the new items or the new steps."""
    key: Scalar | None = None
    """The key under which something new is added."""
    where: str = ""
    """`before`, `after`, `first`, `last`; `items` for what adds to a list."""
    to: TreePlace | None = None
    """Where a step is moved: the step beside which it goes, or the list of steps in which."""
    keeps_name: bool = False
    """Whether a changed step still bears its name."""
    clauses: tuple[str, ...] = ()
    """The clauses that stand for what it changes."""

    @property
    def address(self) -> str:
        """The address as text."""
        return ".".join(self.parts)

    @property
    def is_addition(self) -> bool:
        """Whether it puts something new under an id of its own."""
        return self.action in ("declare", "add", "effect")


Inserted: TypeAlias = dict[tuple[tuple[str, ...], str], set[Span]]
"""The steps already put in at one place of this layer."""


def apply_edits(root: Mapping, edits: Iterable[Edit], hidden: AbstractMapping[str, Container[Source]]) -> Mapping:
    """Return the tree with edits of one layer done, in the order given.

    `hidden` has for each document the sources whose new steps it does not know: they do not take a step's name away.
    """
    inserted: Inserted = {}
    moved: list[Edit] = []
    for original in edits:
        unknown = hidden.get(original.document, ())
        edit = _follow_moves(original, moved, unknown)
        if edit.is_addition:
            root = _add(root, edit, unknown)
        elif edit.action == "insert":
            root = _insert(root, edit, unknown, inserted)
        elif edit.action == "move":
            root = _move(root, edit, unknown, inserted)
            moved.append(original)
        else:
            root = _change(root, edit, unknown)
    return root


def _add(root: Mapping, edit: Edit, hidden: Container[Source]) -> Mapping:
    if edit.where == ITEMS:
        place = locate(root, edit.parts, hidden)
        if place is None or not isinstance(place.node, Sequence):
            return root
        return replace_at(root, place.path, replace_items(place.node, len(place.node), len(place.node), edit.nodes))
    if edit.key is None:
        return root
    return _add_entry(root, edit.parts, Entry(edit.key, edit.nodes[0]))


def _add_entry(root: Mapping, parts: tuple[str, ...], entry: Entry) -> Mapping:
    """Return the tree with an entry at an address; families on the way that do not exist yet are made."""
    name, rest = parts[0], parts[1:]
    if not rest:
        return root if name in root else root.with_entry(entry)
    there = root.entries.get(name) or Entry.of(name, Mapping(entry.key.span))
    if not isinstance(there.value, Mapping):
        return root
    return root.with_entry(Entry(there.key, _add_entry(there.value, rest, entry)))


def _change(root: Mapping, edit: Edit, hidden: Container[Source]) -> Mapping:
    place = locate(root, edit.parts, hidden)
    if place is None:
        return root
    return remove_at(root, place.path) if edit.action == "remove" else replace_at(root, place.path, edit.nodes[0])


def _insert(root: Mapping, edit: Edit, hidden: Container[Source], inserted: Inserted) -> Mapping:
    known = inserted.setdefault((edit.parts, edit.where), set())
    if edit.where in ("before", "after"):
        root = _insert_beside(root, edit, locate(root, edit.parts, hidden), known)
    else:
        root = _insert_at_end(root, edit, known)
    known.update(step.span for step in edit.nodes)
    return root


def _move(root: Mapping, edit: Edit, hidden: Container[Source], inserted: Inserted) -> Mapping:
    step = locate(root, edit.parts, hidden)
    if step is None or edit.to is None or locate(root, edit.to.parts[:-1], hidden) is None:
        return root
    placed = evolve(edit, parts=edit.to.parts, nodes=(step.node,))
    return _insert(remove_at(root, step.path), placed, hidden, inserted)


def _follow_moves(edit: Edit, moved: Iterable[Edit], hidden: Container[Source]) -> Edit:
    """Return an edit with the address that a place in a step has since that was moved to another verb, hook or option.

    Only what was read before the move has the old one: edits of the same document, and of those that do not know it.
    """
    for move in moved:
        is_known = move.document != edit.document and move.span.source not in hidden
        if not is_known and move.to is not None and edit.chain[: len(move.chain)] == move.chain:
            edit = evolve(edit, parts=(*move.to.holder, *edit.parts[len(move.parts) - 1 :]))
    return edit


def _insert_beside(root: Mapping, edit: Edit, step: TreePlace | None, known: set[Span]) -> Mapping:
    if step is None:
        return root
    holder, position = step.path[:-1], step.path[-1]
    steps = at(root, *holder)
    if not isinstance(steps, Sequence) or not isinstance(position, int):
        return root
    if edit.where == "after":
        position = _past(steps, position + 1, known)
    return replace_at(root, holder, replace_items(steps, position, position, edit.nodes))


def _insert_at_end(root: Mapping, edit: Edit, known: set[Span]) -> Mapping:
    holder = locate(root, edit.parts)
    if holder is None and edit.parts[-1] == "do":
        return _add_list(root, edit)
    if holder is None or not isinstance(holder.node, Sequence):
        return root
    steps = holder.node
    position = _past(steps, 0, known) if edit.where == "first" else len(steps)
    return replace_at(root, holder.path, replace_items(steps, position, position, edit.nodes))


def _add_list(root: Mapping, edit: Edit) -> Mapping:
    body = locate(root, edit.parts[:-1])
    if body is None or not isinstance(body.node, Mapping):
        return root
    return replace_at(root, body.path, body.node.with_entry(Entry.of("do", Sequence(edit.span, edit.nodes))))


def _past(steps: Sequence, position: int, known: set[Span]) -> int:
    """Return the position behind the steps that documents of the same layer have put in at the same place."""
    while position < len(steps) and steps.items[position].span in known:
        position += 1
    return position


# Copies of a tree with one part replaced or taken out.


def replace_at(root: Mapping, path: Path, new: Node) -> Mapping:
    """Return the tree with another node at a path."""
    return _rebuild(root, path, lambda _: new)


def remove_at(root: Mapping, path: Path) -> Mapping:
    """Return the tree without the node at a path."""
    last = path[-1]

    def cut(node: Node) -> Node:
        if isinstance(node, Mapping):
            return node.without(str(last))
        assert isinstance(node, Sequence)  # a word holds nothing
        return replace_items(node, int(last), int(last) + 1, ())

    return _rebuild(root, path[:-1], cut)


def _rebuild(root: Mapping, path: Path, change: Callable[[Node], Node]) -> Mapping:
    """Return the tree with the node at a path made anew from what it was."""

    def rebuild(node: Node, rest: Path) -> Node:
        if not rest:
            return change(node)
        if isinstance(node, Mapping):
            entry = node.entries[str(rest[0])]
            return node.with_entry(Entry(entry.key, rebuild(entry.value, rest[1:])))
        assert isinstance(node, Sequence)  # a word holds nothing
        position = int(rest[0])
        return replace_items(node, position, position + 1, (rebuild(node.items[position], rest[1:]),))

    tree = rebuild(root, path)
    assert isinstance(tree, Mapping)  # whatever changes inside it
    return tree


def replace_items(node: Sequence, start: int, end: int, items: Iterable[Node]) -> Sequence:
    """Return a list with other items in place of those from `start` up to `end`."""
    return Sequence(node.span, (*node.items[:start], *items, *node.items[end:]))
