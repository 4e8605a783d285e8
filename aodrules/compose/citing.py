"""Which clauses of the rulebook an edit may make untrue: those that stand for what it changes."""

from __future__ import annotations

from collections.abc import Iterator

from aodrules.compose.addresses import META_KEYS, UNPLAYED_KINDS
from aodrules.compose.edits import Edit
from aodrules.syntax.tree import Mapping, Node, Path, Scalar, at, items_of, reason_in, walk


def clauses_touched(root: Mapping, path: Path, edit: Edit) -> tuple[str, ...]:
    """Return the clauses cited by what an edit changes, in the tree before it.

    They are those that are cited inside what is changed or removed; if there are none, and where something is added,
    those of the innermost node around it that cites some. For an effect they are those of the value that it modifies.
    """
    if edit.parts[0] in UNPLAYED_KINDS or edit.parts[-1] in META_KEYS:
        return ()
    if edit.action == "effect":
        values = (at(root, "value", name) for name in _modified_values(edit))
        return tuple(dict.fromkeys(clause for value in values for clause in _citations(value)))
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
        found = found if node is root and part == "game" else _citations(inner) or found
        node = inner
    return found, node


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


def cited_in(node: Node) -> Iterator[str]:
    """Iterate over the clauses that are cited by a node or inside it."""
    for each in walk(node):
        yield from _citations(each)


def _citations(node: Node | None) -> tuple[str, ...]:
    """Return the clauses that a node itself names: what it stands for, and why it refuses something."""
    if not isinstance(node, Mapping):
        return ()
    named, reason = node.get("clauses"), reason_in(node)
    items = () if named is None else items_of(named)
    return tuple(each.text for each in (*items, reason) if isinstance(each, Scalar) and not each.is_empty)
