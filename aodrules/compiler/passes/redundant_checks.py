"""Tests that need not be made again: an answer was listed because they held, and nothing has changed since.

Before and after, in steps of an answer that is legal only with more than 3:

    if S[8 + player] > 3:                    →    S[8 + player] = S[8 + player] - 3
        S[8 + player] = S[8 + player] - 3
"""

from __future__ import annotations

from attrs import evolve

from aodrules.compiler.formulas import Formula, Literal, Op, all_of
from aodrules.compiler.nodes import Assign, Branch, IfLogging, Statement, Statements, WriteLog, branch
from aodrules.compiler.visit import form


def drop_known_conditions(statements: Statements, known: frozenset[object]) -> Statements:
    """Return statements that begin when some conditions (by their form) hold, without testing these again.

    As soon as something may have changed the state, nothing is granted any more.
    """
    found: list[Statement] = []
    for number, statement in enumerate(statements):
        found += _drop_in(statement, known)
        if not _keeps_state(statement):
            return (*found, *statements[number + 1 :])
    return tuple(found)


def _drop_in(statement: Statement, known: frozenset[object]) -> Statements:
    if not isinstance(statement, Branch):
        return (statement,)
    condition = _drop_from(statement.condition, known)
    then = drop_known_conditions(statement.then, known)
    if isinstance(condition, Literal):
        return branch(statement.span, condition, then, statement.otherwise)
    return (
        evolve(statement, condition=condition, then=then, otherwise=drop_known_conditions(statement.otherwise, known)),
    )


def _drop_from(condition: Formula, known: frozenset[object]) -> Formula:
    if form(condition) in known:
        return Literal(condition.span, value=True)
    if isinstance(condition, Op) and condition.operator == "and":
        return all_of(condition.span, *(_drop_from(one, known) for one in condition.operands))
    return condition


def _keeps_state(statement: Statement) -> bool:
    if isinstance(statement, Branch):
        return all(map(_keeps_state, statement.then + statement.otherwise))
    return isinstance(statement, Assign | WriteLog | IfLogging)
