"""Which variables formulas and statements read and assign, and whether statements ask anybody."""

from __future__ import annotations

from collections.abc import Iterator
from typing import get_args

from attrs import fields

from aodrules.compiler.nodes import (
    Ask,
    Assign,
    Bind,
    Block,
    Branch,
    Break,
    CallRuntime,
    DecisionPoint,
    Exit,
    Finish,
    ForEach,
    Formula,
    Function,
    Generator,
    IfLogging,
    Labelled,
    Procedure,
    Reduce,
    Statement,
    Statements,
    Switch,
    Variable,
    WhileLoop,
)

NO_NAMES: frozenset[str] = frozenset()
PARTS: dict[type, tuple[str, ...]] = {
    of: tuple(one.name for one in fields(of) if one.name != "span")
    for of in (
        *get_args(Formula),
        *get_args(Statement),
        *get_args(Exit),
        Generator,
        Function,
        Procedure,
        Block,
        DecisionPoint,
    )
}
"""The attributes of each kind of node, its span left out."""


def children(node: object) -> Iterator[object]:
    """Return the nodes inside a node, tuples opened."""
    for name in PARTS[type(node)]:
        value = getattr(node, name)
        if isinstance(value, tuple):
            yield from _opened(value)
        elif type(value) in PARTS:
            yield value


def _opened(value: tuple[object, ...]) -> Iterator[object]:
    for one in value:
        if isinstance(one, tuple):
            yield from _opened(one)
        elif type(one) in PARTS:
            yield one


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


def bodies(statement: Statement) -> tuple[Statements, ...]:
    """Return the statements inside a statement."""
    if isinstance(statement, Branch):
        return statement.then, statement.otherwise
    if isinstance(statement, ForEach | WhileLoop | Labelled | IfLogging):
        return (statement.body,)
    if isinstance(statement, Switch):
        return tuple(body for _, body in statement.cases)
    return ()


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


def weight(node: object) -> int:
    """Return how many nodes a formula or statement has."""
    if isinstance(node, tuple):
        return sum(weight(one) for one in node)
    return 1 + sum(weight(one) for one in children(node) if not isinstance(one, Generator)) if node is not None else 0
