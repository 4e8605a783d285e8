"""One look for many: what several branches need of a bag is looked at once, and what cannot matter not at all."""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce
from itertools import groupby
from operator import or_

from aodrules.compiler.formulas import (
    CallPure,
    CellRead,
    Formula,
    Literal,
    Op,
    Variable,
    call_pure,
    conjuncts,
    nonzero,
)
from aodrules.compiler.nodes import Branch, CallRuntime, Procedure, Statement, Statements, Switch
from aodrules.compiler.visit import form


def merge_bag_tests(statements: Statements) -> Statements:
    """Return statements in which neighbours that need something of the same bag stand under one test of it."""
    found: list[Statement] = []
    for bag, neighbours in groupby(statements, _bag):
        branches = tuple(neighbours)
        found += (_under_one(branches),) if bag is not None and len(branches) > 1 else branches
    return tuple(found)


def relevant_members(statements: Statements, name: str, procedures: Mapping[str, Procedure]) -> frozenset[int] | None:
    """Return the values of a name for which statements do anything, if it is easily seen that others do nothing."""
    match statements:
        case (Switch(_, Variable(_, subject), cases),) if subject == name:
            return frozenset(number for number, _ in cases)
        case (CallRuntime(_, function, arguments, planned=True),):
            procedure = procedures[function]
            for parameter, argument in zip(procedure.parameters, arguments, strict=True):
                if isinstance(argument, Variable) and argument.name == name:
                    return relevant_members(procedure.body, parameter, procedures)
    return None


def restrict_to(items: Formula, members: frozenset[int] | None) -> Formula:
    """Return the items of a bag that are among some members; other collections as they are."""
    match items:
        case CallPure(span, "bag_items", (bag, Literal(_, int(width)) as bits)) if members is not None:
            mask = sum((1 << width) - 1 << width * member for member in members)
            return call_pure(span, "bag_items", bag & mask, bits)
    return items


def _under_one(branches: Statements) -> Branch:
    """Return branches under the test whether the bag has anything that one of them needs."""
    looks = [look for one in branches if (look := _look(one)) is not None]
    read, span = looks[0][0], branches[0].span
    mask = Literal(span, reduce(or_, (mask for _, mask in looks)))
    return Branch(span, nonzero(read & mask), branches)


def _bag(statement: Statement) -> object:
    """Return which bag must hold something for a statement to do anything."""
    look = _look(statement)
    return None if look is None else form(look[0])


def _look(statement: Statement) -> tuple[CellRead, int] | None:
    """Return the bag, and the bits of it of which one must be there, or nothing happens."""
    if not isinstance(statement, Branch) or statement.otherwise:
        return None
    parts = conjuncts(statement.condition)
    return next((look for part in parts if (look := _look_of(part)) is not None), None)


def _look_of(test: Formula) -> tuple[CellRead, int] | None:
    match test:
        case Op(_, "nonzero", (Op(_, "&", (CellRead() as read, Literal(_, int(mask)))),)):
            return read, mask
    return None
