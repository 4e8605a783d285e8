"""One look for many: options that need something of the same bag are listed under one test of it.

Before and after:

    if tiles & 4:                                 if tiles & 52:
        add 0                                         if tiles & 4:
    if box == 5 and tiles & 48:              →            add 0
        add 1                                         if box == 5 and tiles & 48:
                                                          add 1
"""

from __future__ import annotations

from functools import reduce
from itertools import groupby
from operator import or_

from aodrules.compiler.formulas import (
    CellRead,
    Formula,
    Literal,
    Op,
    conjuncts,
    nonzero,
)
from aodrules.compiler.nodes import Branch, Statement, Statements
from aodrules.compiler.visit import form


def merge_bag_tests(statements: Statements) -> Statements:
    """Return statements in which neighbours that need something of the same bag stand under one test of it."""
    found: list[Statement] = []
    for bag, neighbours in groupby(statements, _find_bag):
        branches = tuple(neighbours)
        found += (_put_under_one(branches),) if bag is not None and len(branches) > 1 else branches
    return tuple(found)


def _put_under_one(branches: Statements) -> Branch:
    """Return branches under the test whether the bag has anything that one of them needs."""
    looks = [look for one in branches if (look := _find_look(one)) is not None]
    read, span = looks[0][0], branches[0].span
    mask = Literal(span, reduce(or_, (mask for _, mask in looks)))
    return Branch(span, nonzero(read & mask), branches)


def _find_bag(statement: Statement) -> object:
    """Return which bag must hold something for a statement to do anything."""
    look = _find_look(statement)
    return None if look is None else form(look[0])


def _find_look(statement: Statement) -> tuple[CellRead, int] | None:
    """Return the bag, and the bits of it of which one must be there, or nothing happens."""
    if not isinstance(statement, Branch) or statement.otherwise:
        return None
    parts = conjuncts(statement.condition)
    return next((look for part in parts if (look := _match_look(part)) is not None), None)


def _match_look(test: Formula) -> tuple[CellRead, int] | None:
    match test:
        case Op(_, "nonzero", (Op(_, "&", (CellRead() as read, Literal(_, int(mask)))),)):
            return read, mask
    return None
