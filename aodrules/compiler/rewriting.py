"""Nodes with parts replaced: variables under another name, and reads that occur twice kept in a variable."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeVar

from attrs import evolve

from aodrules.compiler.nodes import Bind, CallPure, CellRead, Formula, Literal, Memoized, Op, Reduce, Select, Variable
from aodrules.compiler.variables import PARTS, children, read_by

Node = TypeVar("Node")


def rewritten(node: Node, replace: Callable[[object], object]) -> Node:
    """Return a node with everything inside it replaced where `replace` returns another; it is asked from outside in."""
    found = replace(node)
    if found is not node:
        return found  # type: ignore[return-value]
    if isinstance(node, tuple):
        parts = tuple(rewritten(one, replace) for one in node)
        return node if all(new is old for new, old in zip(parts, node, strict=True)) else parts  # type: ignore[return-value]
    if type(node) not in PARTS:
        return node
    changes: dict[str, Any] = {}
    for name in PARTS[type(node)]:
        old = getattr(node, name)
        new = rewritten(old, replace)
        if new is not old:
            changes[name] = new
    return evolve(node, **changes) if changes else node  # type: ignore[misc]


def renamed(node: Node, names: Mapping[str, str]) -> Node:
    """Return a node with variables under other names."""

    def replace(part: object) -> object:
        if isinstance(part, Variable) and part.name in names:
            return Variable(part.span, names[part.name])
        return part

    return rewritten(node, replace) if names else node


def form(node: object) -> object:
    """Return a key that is equal for nodes that say the same, wherever they stand."""
    if isinstance(node, Literal):
        return "Literal", repr(node.value)
    if isinstance(node, tuple):
        return tuple(form(one) for one in node)
    if type(node) in PARTS:
        return type(node).__name__, tuple(form(getattr(node, name)) for name in PARTS[type(node)])
    return node


def certain_reads(formula: object) -> Iterator[CellRead]:
    """Iterate over the reads of cells that are made whenever a formula is computed."""
    if isinstance(formula, CellRead):
        yield formula
    parts: Iterable[object] = children(formula)
    if isinstance(formula, Op) and formula.operator in {"and", "or"}:
        parts = formula.operands[:1]
    elif isinstance(formula, Select):
        parts = (formula.condition,)
    elif isinstance(formula, Bind | Memoized | Reduce):
        parts = ()
    for part in parts:
        yield from certain_reads(part)


def repeated_reads(formula: object, outside: frozenset[str]) -> list[CellRead]:
    """Return the reads of cells that occur more than once and need only variables from outside, each once."""
    found: dict[object, CellRead] = {}
    counts = Counter[object]()
    for part in _parts(formula):
        if isinstance(part, CellRead) and read_by(part) <= outside:
            key = form(part)
            found.setdefault(key, part)
            counts[key] += 1
    return [read for key, read in found.items() if counts[key] > 1]


def replaced(node: Node, reads: Mapping[object, Variable]) -> Node:
    """Return a node in which some reads (by their form) are variables."""
    return rewritten(node, lambda part: reads.get(form(part), part) if isinstance(part, CellRead) else part)


def depends_on(formula: Formula) -> frozenset[str] | None:
    """Return the variables that alone decide what a formula is; nothing if cells do too."""
    reads = any(isinstance(part, CellRead) or (isinstance(part, CallPure) and part.planned) for part in _parts(formula))
    return None if reads else read_by(formula)


def _parts(formula: object) -> list[object]:
    found, waiting = [], [formula]
    while waiting:
        part = waiting.pop()
        found.append(part)
        waiting += reversed(list(children(part)))
    return found
