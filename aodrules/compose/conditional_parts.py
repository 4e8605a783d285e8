"""What falls away when all edits are done: nodes whose `needs` are absent, and families without rows."""

from __future__ import annotations

from collections.abc import Container, Iterator

from aodrules.compose.addresses import UNPLAYED_KINDS, MissingAddress, is_meta, resolve
from aodrules.compose.edits import remove_at
from aodrules.syntax.tree import Entry, Mapping, Node, Path, Scalar, Sequence, at, items_of


def drop_unmet_parts(root: Mapping, active: Container[str]) -> Mapping:
    """Return the tree without the nodes whose needs are absent, until nothing more falls away, and without `needs`."""
    while True:
        unmet = [path for path, needs in _needing(root, (), root) if not _are_met(needs, root, active)]
        if not unmet:
            return _without_needs(root, (), root)
        for path in sorted(unmet, key=_last_first, reverse=True):
            root = _drop(root, path)


def _needing(node: Node, path: Path, root: Mapping) -> Iterator[tuple[Path, list[str]]]:
    """Iterate over the nodes that need something."""
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
    if not path or body is None or not is_meta("needs", body, path, root):
        return []
    return [item.text for item in items_of(body) if isinstance(item, Scalar)]


def _are_met(needs: list[str], root: Mapping, active: Container[str]) -> bool:
    return all(name in active or not isinstance(resolve(root, name), MissingAddress) for name in needs)


def _last_first(path: Path) -> tuple[tuple[bool, str | int], ...]:
    """Return a key that sorts items of a list by position, so that they can be taken out from the end."""
    return tuple((isinstance(part, int), part) for part in path)


def _drop(root: Mapping, path: Path) -> Mapping:
    """Return the tree without a node; the members and fields of a kind go with it."""
    is_kind = len(path) == 2 and path[0] == "kinds"
    for gone in (path, path[1:], ("state", path[1])) if is_kind else (path,):
        if at(root, *gone) is not None:
            root = remove_at(root, gone)
    return root


def _without_needs(node: Mapping, path: Path, root: Mapping) -> Mapping:
    kept = node.without("needs") if _needs(node, path, root) else node
    for entry in tuple(kept):
        value = _clean(entry.value, (*path, entry.name), root)
        if value is not entry.value:
            kept = kept.with_entry(Entry(entry.key, value))
    return kept


def _clean(node: Node, path: Path, root: Mapping) -> Node:
    if path[0] in UNPLAYED_KINDS - {"position", "property", "scenario"}:
        return node
    if isinstance(node, Sequence):
        return Sequence(node.span, tuple(_clean(item, (*path, ""), root) for item in node))
    return _without_needs(node, path, root) if isinstance(node, Mapping) else node


def drop_empty_rows(root: Mapping) -> Mapping:
    """Return the tree without members by rows of which every row was taken out."""
    for section in root:
        for entry in section.body:
            rows = at(entry.value, "each")
            if isinstance(rows, Mapping) and not rows:
                root = remove_at(root, (section.name, entry.name))
    return root
