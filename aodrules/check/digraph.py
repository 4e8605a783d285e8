"""Directed graphs whose edges have places: strong components, an order, and a shortest way round."""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Iterable, Iterator, Mapping
from typing import TypeVar

NodeType = TypeVar("NodeType", bound=Hashable)


def components(edges: Mapping[NodeType, Iterable[NodeType]]) -> list[list[NodeType]]:
    """Return the strong components, each before those that lead to it (Tarjan's way, without recursion)."""
    found: list[list[NodeType]] = []
    numbers: dict[NodeType, int] = {}
    lowest: dict[NodeType, int] = {}
    stack: list[NodeType] = []
    on_stack: set[NodeType] = set()
    for root in edges:
        if root in numbers:
            continue
        path: list[tuple[NodeType, Iterator[NodeType]]] = [(root, iter(edges[root]))]
        _enter(root, numbers, lowest, stack, on_stack)
        while path:
            node, rest = path[-1]
            unseen = _advance(node, rest, numbers, lowest, on_stack)
            if unseen is not None:
                _enter(unseen, numbers, lowest, stack, on_stack)
                path.append((unseen, iter(edges.get(unseen, ()))))
                continue
            path.pop()
            if path:
                lowest[path[-1][0]] = min(lowest[path[-1][0]], lowest[node])
            if lowest[node] == numbers[node]:
                found.append(_cut_off(node, stack, on_stack))
    return found


def _enter(
    node: NodeType,
    numbers: dict[NodeType, int],
    lowest: dict[NodeType, int],
    stack: list[NodeType],
    on_stack: set[NodeType],
) -> None:
    numbers[node] = lowest[node] = len(numbers)
    stack.append(node)
    on_stack.add(node)


def _advance(
    node: NodeType,
    rest: Iterator[NodeType],
    numbers: dict[NodeType, int],
    lowest: dict[NodeType, int],
    on_stack: set[NodeType],
) -> NodeType | None:
    for target in rest:
        if target not in numbers:
            return target
        if target in on_stack:
            lowest[node] = min(lowest[node], numbers[target])
    return None


def _cut_off(node: NodeType, stack: list[NodeType], on_stack: set[NodeType]) -> list[NodeType]:
    component: list[NodeType] = []
    while not component or component[-1] != node:
        component.append(stack.pop())
        on_stack.discard(component[-1])
    return component


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
                return [*reversed(list(_back(node, start, came_from))), start]
            if target in within and target not in came_from:
                came_from[target] = node
                waiting.append(target)
    return []


def _back(node: NodeType, start: NodeType, came_from: Mapping[NodeType, NodeType]) -> Iterator[NodeType]:
    yield node
    while node != start:
        node = came_from[node]
        yield node
