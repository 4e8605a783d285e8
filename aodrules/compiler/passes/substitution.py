"""Formulas in which some variables are known: what follows from their values is computed at once.

    with x = 2:    S[20 + x] > (1, 4, 9)[x] and x < 5    →    S[22] > 9

Other passes use it, and generated code where a case or an assignment tells what a variable is.
"""

from __future__ import annotations

from collections.abc import Mapping

from attrs import evolve

from aodrules.compiler.formulas import (
    BINARY,
    CallPure,
    CellRead,
    Constant,
    Formula,
    Literal,
    Op,
    Select,
    TableRead,
    Variable,
    all_of,
    any_of,
    negate,
    nonzero,
    operation,
    read_cell,
    read_table,
    select,
)


def substitute(formula: Formula, values: Mapping[str, Constant]) -> Formula:
    """Return a formula in which variables have their values (numbers and flags), as far as that is easily put in.

    What a value makes impossible, such as a place outside a table, is left as it stands: a test beside it rules it out.
    """
    if not values:
        return formula
    match formula:
        case Variable(span, name):
            return Literal(span, values[name]) if name in values else formula
        case CellRead(span, base, index) if index is not None:
            return read_cell(span, base, substitute(index, values))
        case TableRead(span, table, index):
            place = substitute(index, values)
            is_outside = isinstance(place, Literal) and place.value not in range(len(table))
            return formula if is_outside else read_table(span, table, place)
        case Select(span, condition, then, otherwise):
            return select(span, *(substitute(one, values) for one in (condition, then, otherwise)))
        case CallPure(_, _, arguments):
            return evolve(formula, arguments=tuple(substitute(one, values) for one in arguments))
        case Op():
            return _operation(formula, tuple(substitute(one, values) for one in formula.operands))
    return formula


def _operation(formula: Op, operands: tuple[Formula, ...]) -> Formula:
    sign = formula.operator
    if sign == "not":
        return negate(operands[0])
    if sign == "nonzero":
        return nonzero(operands[0])
    if sign == "and":
        return all_of(formula.span, *operands)
    if sign == "or":
        return any_of(formula.span, *operands)
    if sign in BINARY:
        try:
            return operation(formula.span, sign, *operands)
        except (ArithmeticError, ValueError):
            pass  # A test beside it says when this counts.
    return evolve(formula, operands=operands)
