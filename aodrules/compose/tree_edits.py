"""Copies of a tree with one part replaced, taken out or put in; the tree itself is never changed."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias

from aodrules.syntax.tree import Entry, Mapping, Node, Sequence

Path: TypeAlias = tuple[str | int, ...]
"""Where a node stands in its tree: keys of mappings and positions in lists."""


def replace_at(root: Node, path: Path, new: Node) -> Node:
    """Return the tree with another node at a path."""
    return rebuild(root, path, lambda _: new)


def rebuild(node: Node, path: Path, change: Callable[[Node], Node]) -> Node:
    """Return the tree with the node at a path made anew from what it was."""
    if not path:
        return change(node)
    head, rest = path[0], path[1:]
    if isinstance(node, Mapping) and isinstance(head, str):
        entry = node.entries[head]
        return node.with_entry(Entry(entry.key, rebuild(entry.value, rest, change)))
    if isinstance(node, Sequence) and isinstance(head, int):
        return replace_items(node, head, head + 1, (rebuild(node.items[head], rest, change),))
    raise KeyError(path)


def remove_at(root: Node, path: Path) -> Node:
    """Return the tree without the node at a path."""
    last = path[-1]

    def cut(node: Node) -> Node:
        if isinstance(node, Mapping) and isinstance(last, str):
            return node.without(last)
        if isinstance(node, Sequence) and isinstance(last, int):
            return replace_items(node, last, last + 1, ())
        raise KeyError(path)

    return rebuild(root, path[:-1], cut)


def replace_items(node: Sequence, start: int, end: int, items: Iterable[Node]) -> Sequence:
    """Return a list with other items in place of those from `start` up to `end`."""
    return Sequence(node.span, (*node.items[:start], *items, *node.items[end:]))


def node_at(node: Node, path: Path) -> Node:
    """Return the node at a path."""
    for part in path:
        if isinstance(node, Mapping) and isinstance(part, str):
            node = node.entries[part].value
        elif isinstance(node, Sequence) and isinstance(part, int):
            node = node.items[part]
        else:
            raise KeyError(path)
    return node


def drop_empty_rows(root: Mapping) -> Mapping:
    """Return the tree without members by rows of which every row was taken out."""
    for section in root:
        for entry in section.value if isinstance(section.value, Mapping) else ():
            rows = entry.value.get("each") if isinstance(entry.value, Mapping) else None
            if isinstance(rows, Mapping) and not rows:
                rest = remove_at(root, (section.name, entry.name))
                root = rest if isinstance(rest, Mapping) else root
    return root
