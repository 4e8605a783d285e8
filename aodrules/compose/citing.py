"""Which clauses of the rulebook an edit may make untrue: those that stand for what it changes."""

from __future__ import annotations

from collections.abc import Iterator

from aodrules.compose.addresses import META_KEYS, UNPLAYED_KINDS
from aodrules.compose.edits import Edit
from aodrules.syntax.tree import Mapping, Node, Path, Scalar, Sequence, at, items_of, reason_in, walk


def clauses_touched(root: Mapping, path: Path, edit: Edit) -> tuple[str, ...]:
    """Return the clauses cited by what an edit changes, in the tree before it.

    They are those that are cited inside what is changed or removed; if there are none, and where something is added,
    those of the innermost node around it that cites some. For an effect they are those of the value that it modifies,
    for a step that is moved those around it, else its own.
    """
    if edit.parts[0] in UNPLAYED_KINDS or edit.parts[-1] in META_KEYS:
        return ()
    if edit.action == "effect":
        values = (at(root, "value", name) for name in _modified_values(edit))
        return tuple(dict.fromkeys(clause for value in values for clause in citations(value)))
    if edit.action == "move":
        # The order is a matter of what the step stands in; what is in the step stays as it is.
        return _walk(root, path[:-1])[0] or tuple(dict.fromkeys(cited_in(_walk(root, path)[1])))
    around, here = _walk(root, path)
    inside = tuple(dict.fromkeys(cited_in(here))) if edit.action in ("change", "remove") else ()
    return inside or around


def _walk(root: Mapping, path: Path) -> tuple[tuple[str, ...], Node]:
    """Return the clauses of the innermost node on the way to a path that cites some, and the last node on that way."""
    found: tuple[str, ...] = ()
    node: Node = root
    for part in path:
        inner = at(node, part)
        if inner is None:
            # Something new: what it is added to has the last word.
            break
        # What `game` as a whole stands for says nothing about any one key of it.
        found = found if node is root and part == "game" else citations(inner) or found
        node = inner
    return found or citations_of_kind(root, path), node


def _modified_values(edit: Edit) -> Iterator[str]:
    """Iterate over the values that new effects modify."""
    for body in edit.nodes:
        for node in walk(body):
            if isinstance(node, Mapping) and isinstance(node.get("modify"), Scalar):
                yield node.word("modify")


def clauses_said(edit: Edit) -> frozenset[str]:
    """Return every clause that is cited by what an edit puts in."""
    if edit.parts[-1] == "clauses":
        return frozenset(each.text for node in edit.nodes for each in walk(node) if isinstance(each, Scalar))
    return frozenset(clause for node in edit.nodes for clause in cited_in(node))


def citations_of_kind(root: Mapping, path: Path) -> tuple[str, ...]:
    """Return the clauses that a member stands for which cites none: those of its kind, or of the wider one."""
    kind = at(root, "kinds", path[0]) if len(path) > 1 else None
    if not isinstance(kind, Mapping):
        return ()
    return citations(kind) or citations(at(root, "kinds", kind.word("is_a")))


def refused_by(body: Mapping) -> Iterator[Scalar]:
    """Iterate over the clauses and texts by which the conditions of a body itself refuse something."""
    for group in (body.get("where"), body.get("for")):
        for node in _conditions(group):
            reason = reason_in(node) if isinstance(node, Mapping) else None
            if reason is not None:
                yield reason


def _conditions(group: Node | None) -> Iterator[Node]:
    """Iterate over conditions, which stand in a list or under ids, several perhaps under one."""
    if isinstance(group, Mapping):
        for entry in group:
            yield from items_of(entry.value)
    elif isinstance(group, Sequence):
        yield from group


def cited_in(node: Node) -> Iterator[str]:
    """Iterate over the clauses that are cited by a node or inside it."""
    for each in walk(node):
        yield from citations(each)


def citations(node: Node | None) -> tuple[str, ...]:
    """Return the clauses that a node itself names: what it stands for, and why it refuses something."""
    if not isinstance(node, Mapping):
        return ()
    named, reason = node.get("clauses"), reason_in(node)
    items = () if named is None else items_of(named)
    return tuple(each.text for each in (*items, reason) if isinstance(each, Scalar) and not each.is_empty)
