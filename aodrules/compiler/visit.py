"""The one way through plan nodes: what is in a node, which nodes say the same, and nodes with parts replaced."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeVar, get_args

from attrs import evolve, fields

from aodrules.compiler.formulas import FORMULAS, Generator, Literal
from aodrules.compiler.nodes import (
    Block,
    Branch,
    DecisionPoint,
    Exit,
    ForEach,
    Function,
    IfLogging,
    Labelled,
    Procedure,
    Statement,
    Statements,
    Switch,
    WhileLoop,
)
from aodrules.compiler.place_layout import PlaceLayout

Node = TypeVar("Node")

_NODES = (
    *FORMULAS,
    *get_args(Statement),
    *get_args(Exit),
    Generator,
    Function,
    Procedure,
    Block,
    DecisionPoint,
    PlaceLayout,
)
_PLAIN = frozenset({"Span", "str", "int", "bool", "str | None", "tuple[str, ...]", "Constant", "tuple[Constant, ...]"})
"""Annotations of attributes that hold no other node."""
SAID: dict[type, tuple[str, ...]] = {of: tuple(one.name for one in fields(of) if one.name != "span") for of in _NODES}
"""What each node says: all its attributes but where it comes from."""
PARTS: dict[type, tuple[str, ...]] = {
    of: tuple(one.name for one in fields(of) if one.type not in _PLAIN) for of in _NODES
}
"""The attributes of each node that may hold other nodes."""


def children(node: object) -> list[Any]:
    """Return the nodes inside a node, tuples opened."""
    found: list[Any] = []
    for name in PARTS[type(node)]:
        value = getattr(node, name)
        if type(value) is tuple:
            _open(value, found)
        elif type(value) in PARTS:
            found.append(value)
    return found


def _open(value: tuple[Any, ...], found: list[Any]) -> None:
    for one in value:
        if type(one) is tuple:
            _open(one, found)
        elif type(one) in PARTS:
            found.append(one)


def walk(node: object) -> Iterator[Any]:
    """Iterate over a node and all inside it."""
    waiting = [node]
    while waiting:
        part = waiting.pop()
        yield part
        inside = children(part)
        inside.reverse()
        waiting += inside


def transform(node: Node, replace: Callable[[Any], Any]) -> Node:
    """Return a node with every node inside it replaced where `replace` returns another; asked from outside in.

    What is not replaced stays the very same object.
    """
    if isinstance(node, tuple):
        parts = tuple(transform(one, replace) for one in node)
        return node if all(new is old for new, old in zip(parts, node, strict=True)) else parts  # type: ignore[return-value]
    if type(node) not in PARTS:
        return node
    found = replace(node)
    if found is not node:
        return found  # type: ignore[no-any-return]
    changes: dict[str, Any] = {}
    for name in PARTS[type(node)]:
        old = getattr(node, name)
        new = transform(old, replace)
        if new is not old:
            changes[name] = new
    return evolve(node, **changes) if changes else node


def form(node: object) -> object:
    """Return a key that is equal for nodes that say the same, wherever they stand."""
    if isinstance(node, Literal):
        return "Literal", repr(node.value)
    if isinstance(node, tuple):
        return tuple(form(one) for one in node)
    if type(node) in SAID:
        return type(node).__name__, tuple(form(getattr(node, name)) for name in SAID[type(node)])
    return node


def bodies(statement: Statement) -> tuple[Statements, ...]:
    """Return the statements inside a statement."""
    if isinstance(statement, Branch):
        return statement.then, statement.otherwise
    if isinstance(statement, ForEach | WhileLoop | Labelled | IfLogging):
        return (statement.body,)
    if isinstance(statement, Switch):
        return tuple(body for _, body in statement.cases)
    return ()


def weight(node: object) -> int:
    """Return how many nodes a formula or statement has."""
    if isinstance(node, tuple):
        return sum(weight(one) for one in node)
    return 1 + sum(weight(one) for one in children(node) if not isinstance(one, Generator)) if node is not None else 0
