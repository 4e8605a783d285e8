"""What stands in a ruleset only together with something else: `needs` is read here and taken out of the tree."""

from __future__ import annotations

from collections.abc import Container, Iterator

from aodrules.compose.addresses import UNPLAYED_KINDS, MissingAddress, is_meta, resolve
from aodrules.compose.tree_edits import Path, node_at, remove_at
from aodrules.syntax.tree import Entry, Mapping, Node, Scalar, Sequence


def drop_unmet_parts(root: Mapping, active: Container[str]) -> Mapping:
    """Return the tree without the nodes whose needs are absent, until nothing more falls away, and without `needs`."""
    while True:
        unmet = [path for path, needs in _needing(root, (), root) if not _are_met(needs, root, active)]
        if not unmet:
            return _remove_needs(root)
        for path in sorted(unmet, key=_last_first, reverse=True):
            root = _drop(root, path)


def _needing(node: Node, path: Path, root: Mapping) -> Iterator[tuple[Path, list[str]]]:
    """Iterate over the outermost nodes that need something."""
    if isinstance(node, Sequence):
        for position, item in enumerate(node):
            yield from _needing(item, (*path, position), root)
    elif isinstance(node, Mapping):
        needs = _needs(node, path, root)
        if needs:
            yield path, needs
        for entry in node:
            yield from _needing(entry.value, (*path, entry.name), root)


def _needs(node: Mapping, path: Path, root: Mapping) -> list[str]:
    body = node.get("needs")
    if not path or body is None or not is_meta("needs", body, _keys(path), root):
        return []
    items = body.items if isinstance(body, Sequence) else (body,)
    return [item.text for item in items if isinstance(item, Scalar)]


def _keys(path: Path) -> tuple[str, ...]:
    return tuple(part if isinstance(part, str) else "" for part in path)


def _are_met(needs: list[str], root: Mapping, active: Container[str]) -> bool:
    return all(name in active or not isinstance(resolve(root, name), MissingAddress) for name in needs)


def _last_first(path: Path) -> tuple[tuple[bool, str | int], ...]:
    """Return a key that sorts items of a list by position, so that they can be taken out from the end."""
    return tuple((isinstance(part, int), part) for part in path)


def _drop(root: Mapping, path: Path) -> Mapping:
    """Return the tree without a node; the members and fields of a kind go with it."""
    paths: list[Path] = [path]
    match path:
        case ("kinds", str(kind)):
            paths += [(kind,), ("state", kind)]
    for each in paths:
        if _exists(root, each):
            tree = remove_at(root, each)
            root = tree if isinstance(tree, Mapping) else root
    return root


def _exists(root: Mapping, path: Path) -> bool:
    try:
        node_at(root, path)
    except (KeyError, IndexError):
        return False
    return True


def _remove_needs(root: Mapping) -> Mapping:
    tree = _clean(root, (), root)
    return tree if isinstance(tree, Mapping) else root


def _clean(node: Node, path: tuple[str, ...], root: Mapping) -> Node:
    if path and path[0] in UNPLAYED_KINDS - {"property", "scenario"}:
        return node
    if isinstance(node, Sequence):
        return Sequence(node.span, tuple(_clean(item, (*path, ""), root) for item in node))
    if not isinstance(node, Mapping):
        return node
    kept = node if not path or not _needs(node, path, root) else node.without("needs")
    for entry in tuple(kept):
        value = _clean(entry.value, (*path, entry.name), root)
        if value is not entry.value:
            kept = kept.with_entry(Entry(entry.key, value))
    return kept
