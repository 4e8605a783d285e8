"""Edits whose addresses are resolved, and the trees they make."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable
from collections.abc import Mapping as AbstractMapping
from typing import TypeAlias

from attrs import frozen

from aodrules.compose.addresses import TreePlace, locate
from aodrules.compose.tree_edits import node_at, rebuild, remove_at, replace_at, replace_items
from aodrules.source.spans import Source, Span
from aodrules.syntax.tree import Entry, Mapping, Node, Scalar, Sequence

ITEMS = "items"
"""Where an edit adds that adds to a list."""


@frozen(eq=False)
class Edit:
    """One thing that one document does at one address."""

    action: str
    """`declare`, `add`, `effect`, `change`, `remove` or `insert`."""
    parts: tuple[str, ...]
    """The address of what is added, changed or removed, or at which something is put in."""
    chain: tuple[str, ...]
    """What it touches, in the sense of `Place.chain`."""
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
_Application: TypeAlias = Callable[[Mapping, Edit, Container[Source], Inserted], Node]


def apply_edits(root: Mapping, edits: Iterable[Edit], hidden: AbstractMapping[str, Container[Source]]) -> Mapping:
    """Return the tree with edits of one layer done, in the order given.

    `hidden` has for each document the sources whose new steps it does not know: they do not take a step's name away.
    """
    inserted: Inserted = {}
    for edit in edits:
        tree = _APPLICATIONS[edit.action](root, edit, hidden.get(edit.document, ()), inserted)
        root = tree if isinstance(tree, Mapping) else root
    return root


def _add(root: Mapping, edit: Edit, hidden: Container[Source], _inserted: Inserted) -> Node:
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
    inner = root.get(name)
    if inner is None:
        inner = Mapping(entry.key.span)
    if not isinstance(inner, Mapping):
        return root
    key = root.key(name) if name in root else Scalar(entry.key.span, name, name)
    return root.with_entry(Entry(key, _add_entry(inner, rest, entry)))


def _change(root: Mapping, edit: Edit, hidden: Container[Source], _inserted: Inserted) -> Node:
    place = locate(root, edit.parts, hidden)
    return root if place is None else replace_at(root, place.path, edit.nodes[0])


def _remove(root: Mapping, edit: Edit, hidden: Container[Source], _inserted: Inserted) -> Node:
    place = locate(root, edit.parts, hidden)
    return root if place is None else remove_at(root, place.path)


def _insert(root: Mapping, edit: Edit, hidden: Container[Source], inserted: Inserted) -> Node:
    known = inserted.setdefault((edit.parts, edit.where), set())
    if edit.where in ("before", "after"):
        tree = _beside(root, edit, locate(root, edit.parts, hidden), known)
    else:
        tree = _at_end(root, edit, known)
    known.update(step.span for step in edit.nodes)
    return tree


def _beside(root: Mapping, edit: Edit, step: TreePlace | None, known: set[Span]) -> Node:
    if step is None or not step.is_step:
        return root
    position = step.path[-1]
    steps = node_at(root, step.path[:-1])
    if not isinstance(steps, Sequence) or not isinstance(position, int):
        return root
    if edit.where == "after":
        position = _past(steps, position + 1, known)
    return replace_at(root, step.path[:-1], replace_items(steps, position, position, edit.nodes))


def _at_end(root: Mapping, edit: Edit, known: set[Span]) -> Node:
    holder = locate(root, edit.parts)
    if holder is None and edit.parts[-1] == "do":
        return _new_list(root, edit)
    if holder is None or not isinstance(holder.node, Sequence):
        return root
    steps = holder.node
    position = _past(steps, 0, known) if edit.where == "first" else len(steps)
    return replace_at(root, holder.path, replace_items(steps, position, position, edit.nodes))


def _new_list(root: Mapping, edit: Edit) -> Node:
    body = locate(root, edit.parts[:-1])
    if body is None:
        return root
    entry = Entry(Scalar(edit.span, "do", "do"), Sequence(edit.span, edit.nodes))
    return rebuild(root, body.path, lambda node: node.with_entry(entry) if isinstance(node, Mapping) else node)


def _past(steps: Sequence, position: int, known: set[Span]) -> int:
    """Return the position behind the steps that documents of the same layer have put in at the same place."""
    while position < len(steps) and steps.items[position].span in known:
        position += 1
    return position


_APPLICATIONS: dict[str, _Application] = {
    "declare": _add,
    "add": _add,
    "effect": _add,
    "change": _change,
    "remove": _remove,
    "insert": _insert,
}
