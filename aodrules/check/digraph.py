"""Directed graphs: what can be reached, strong components in order, and a shortest way round."""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Iterable, Iterator, Mapping
from typing import TypeVar

NodeType = TypeVar("NodeType", bound=Hashable)


def reached(start: NodeType, edges: Mapping[NodeType, Iterable[NodeType]]) -> frozenset[NodeType]:
    """Return a node and all that it leads to."""
    return frozenset(_explore(start, edges, set()))


def components(edges: Mapping[NodeType, Iterable[NodeType]]) -> list[list[NodeType]]:
    """Return the strong components, each before those that lead to it (Kosaraju's way)."""
    backward: dict[NodeType, list[NodeType]] = {}
    for node, targets in edges.items():
        for target in targets:
            backward.setdefault(target, []).append(node)
    seen: set[NodeType] = set()
    order = [node for root in edges for node in _explore(root, edges, seen)]
    seen.clear()
    found = [list(_explore(node, backward, seen)) for node in reversed(order)]
    return [component for component in reversed(found) if component]


def _explore(start: NodeType, edges: Mapping[NodeType, Iterable[NodeType]], seen: set[NodeType]) -> Iterator[NodeType]:
    """Iterate over the unseen nodes that one leads to and itself, each after those it leads to; without recursion."""
    if start in seen:
        return
    seen.add(start)
    path = [(start, iter(edges.get(start, ())))]
    while path:
        node, rest = path[-1]
        for target in rest:
            if target not in seen:
                seen.add(target)
                path.append((target, iter(edges.get(target, ()))))
                break
        else:
            path.pop()
            yield node


def way_round(
    start: NodeType, edges: Mapping[NodeType, Iterable[NodeType]], within: frozenset[NodeType]
) -> list[NodeType]:
    """Return a shortest path from a node back to itself inside some nodes, the node at both ends."""
    came_from: dict[NodeType, NodeType] = {}
    waiting = deque([start])
    while waiting:
        node = waiting.popleft()
        for target in edges.get(node, ()):
            if target == start:
                path = [start, node]
                while path[-1] != start:
                    path.append(came_from[path[-1]])
                return path[::-1]
            if target in within and target not in came_from:
                came_from[target] = node
                waiting.append(target)
    return []
