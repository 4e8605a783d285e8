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

from aodrules.compiler.formulas import CellRead, Literal, Op, conjuncts, nonzero
from aodrules.compiler.nodes import Branch, Statement, Statements
from aodrules.compiler.visit import form


def merge_bag_tests(statements: Statements) -> Statements:
    """Return statements in which neighbours that need something of the same bag stand under one test of it."""
    found: list[Statement] = []
    pairs = ((statement, _find_look(statement)) for statement in statements)
    for bag, neighbours in groupby(pairs, lambda pair: pair[1] and form(pair[1][0])):
        branches, looks = zip(*neighbours, strict=True)
        if bag is None or len(branches) == 1:
            found += branches
            continue
        span, read = branches[0].span, looks[0][0]
        mask = reduce(or_, (mask for _, mask in looks))
        found.append(Branch(span, nonzero(read & Literal(span, mask)), branches))
    return tuple(found)


def _find_look(statement: Statement) -> tuple[CellRead, int] | None:
    """Return the bag, and the bits of it of which one must be there, or nothing happens."""
    if not isinstance(statement, Branch) or statement.otherwise:
        return None
    for test in conjuncts(statement.condition):
        match test:
            case Op(_, "nonzero", (Op(_, "&", (CellRead() as read, Literal(_, int(mask)))),)):
                return read, mask
    return None
