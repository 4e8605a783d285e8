"""The one way through plan nodes: what is in a node, which nodes say the same, and nodes with parts replaced.

Then what all passes ask: which variables and cells nodes read and assign, and whether anybody is asked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar, get_args

from attrs import evolve, fields

from aodrules.compiler.formulas import (
    FORMULAS,
    Bind,
    CallPure,
    CellRead,
    Formula,
    Generator,
    Literal,
    Reduce,
    Variable,
)
from aodrules.compiler.layout import PlaceLayout
from aodrules.compiler.nodes import (
    Ask,
    Assign,
    Block,
    Branch,
    Break,
    CallRuntime,
    DecisionPoint,
    Exit,
    Finish,
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

Node = TypeVar("Node")

NO_NAMES: frozenset[str] = frozenset()
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
_PLAIN = frozenset(
    {"Span", "str", "int", "bool", "str | None", "tuple[str, ...]", "Constant", "tuple[Constant, ...]", "Cause | None"}
)
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


def map_children(node: Node, change: Callable[[Any], Any]) -> Node:
    """Return a node with something else in the place of each node, or tuple of nodes, right inside it."""
    changes: dict[str, Any] = {}
    for name in PARTS[type(node)]:
        old = getattr(node, name)
        new = change(old) if type(old) is tuple or type(old) in PARTS else old
        if new is not old:
            changes[name] = new
    return evolve(node, **changes) if changes else node  # type: ignore[misc]


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


# Variables.


def read_by(formula: object) -> frozenset[str]:
    """Return the variables that a formula, or a statement as a whole, reads from outside."""
    if isinstance(formula, Variable):
        return frozenset((formula.name,))
    if isinstance(formula, Bind):
        return read_by(formula.value) | (read_by(formula.body) - {formula.name})
    if isinstance(formula, Reduce):
        return _read_by_fold(formula)
    names: set[str] = set()
    for one in children(formula):
        names |= read_by(one)
    return frozenset(names)


def _read_by_fold(fold: Reduce) -> frozenset[str]:
    names = read_by(fold.item)
    for loop in reversed(fold.loops):
        for condition in loop.conditions:
            names |= read_by(condition)
        names = (names - {loop.name}) | read_by(loop.items)
    return names


def flow(statements: Statements) -> tuple[frozenset[str], frozenset[str]]:
    """Return the variables read before they are assigned here, and those certainly assigned."""
    needed: set[str] = set()
    assigned: set[str] = set()
    for statement in statements:
        reads, writes = _flow_of(statement)
        needed.update(name for name in reads if name not in assigned)
        assigned.update(writes)
    return frozenset(needed), frozenset(assigned)


def _flow_of(statement: Statement) -> tuple[frozenset[str], frozenset[str]]:
    if isinstance(statement, Assign):
        return read_by(statement.value), frozenset((statement.name,))
    if isinstance(statement, CallRuntime):
        return read_by(statement), frozenset((statement.result,)) if statement.result else NO_NAMES
    if isinstance(statement, Branch):
        then, otherwise = flow(statement.then), flow(statement.otherwise)
        return read_by(statement.condition) | then[0] | otherwise[0], then[1] & otherwise[1]
    if isinstance(statement, ForEach):
        return read_by(statement.items) | (flow(statement.body)[0] - {statement.name}), NO_NAMES
    if isinstance(statement, WhileLoop):
        return read_by(statement.condition) | flow(statement.body)[0], NO_NAMES
    if isinstance(statement, IfLogging):
        return flow(statement.body)
    if isinstance(statement, Labelled):
        return flow(statement.body)[0], NO_NAMES
    if isinstance(statement, Switch):
        needed = [flow(body)[0] for _, body in statement.cases]
        return read_by(statement.subject).union(*needed), NO_NAMES
    return read_by(statement), NO_NAMES


def assigned_in(statements: Statements) -> frozenset[str]:
    """Return every variable that some statement assigns."""
    names: set[str] = set()
    for statement in statements:
        if isinstance(statement, Assign | ForEach):
            names.add(statement.name)
        if isinstance(statement, CallRuntime) and statement.result:
            names.add(statement.result)
        for body in bodies(statement):
            names |= assigned_in(body)
    return frozenset(names)


def asks(statements: Statements) -> bool:
    """Whether somebody may be asked in these statements."""
    return any(
        isinstance(one, Ask) or (isinstance(one, CallRuntime) and one.deciding) or any(map(asks, bodies(one)))
        for one in statements
    )


def leaves(statements: Statements, label: str) -> bool:
    """Whether these statements may leave the body with a label."""
    return any(
        (isinstance(one, Break) and one.label == label) or any(leaves(body, label) for body in bodies(one))
        for one in statements
    )


def never_goes_on(statements: Statements) -> bool:
    """Whether nothing that stands after these statements can run."""
    if not statements:
        return False
    last = statements[-1]
    if isinstance(last, Break | Finish):
        return True
    return isinstance(last, Branch) and never_goes_on(last.then) and never_goes_on(last.otherwise)


def rename_variables(node: Node, names: Mapping[str, str]) -> Node:
    """Return a node with variables under other names."""

    def replace(part: object) -> object:
        if isinstance(part, Variable) and part.name in names:
            return Variable(part.span, names[part.name])
        return part

    return transform(node, replace) if names else node


def repeated_reads(formula: object, outside: frozenset[str]) -> list[CellRead]:
    """Return the reads of cells that occur more than once and need only variables from outside, each once."""
    found: dict[object, CellRead] = {}
    counts = Counter[object]()
    for part in walk(formula):
        if isinstance(part, CellRead) and read_by(part) <= outside:
            key = form(part)
            found.setdefault(key, part)
            counts[key] += 1
    return [read for key, read in found.items() if counts[key] > 1]


def replace_reads(node: Node, reads: Mapping[object, Variable]) -> Node:
    """Return a node in which some reads (by their form) are variables."""
    return transform(node, lambda part: reads.get(form(part), part) if isinstance(part, CellRead) else part)


def depends_on(formula: Formula) -> frozenset[str] | None:
    """Return the variables that alone decide what a formula is; nothing if cells do too."""
    reads = any(isinstance(part, CellRead) or (isinstance(part, CallPure) and part.planned) for part in walk(formula))
    return None if reads else read_by(formula)
