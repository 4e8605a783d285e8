"""Which variables and cells plan nodes read and assign, variables under other names, and whether anybody is asked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TypeVar

from aodrules.compiler.formulas import Bind, CallPure, CellRead, Formula, Reduce, Variable
from aodrules.compiler.nodes import (
    Ask,
    Assign,
    Branch,
    Break,
    CallRuntime,
    Finish,
    ForEach,
    IfLogging,
    Labelled,
    Statement,
    Statements,
    Switch,
    WhileLoop,
)
from aodrules.compiler.visit import bodies, children, form, transform, walk

Node = TypeVar("Node")

NO_NAMES: frozenset[str] = frozenset()


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
