"""Formulas in which some variables are known: what follows from their values is computed at once."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import evolve

from aodrules.compiler.folding import BINARY, cell_read, negation, nonzero, operation, select, table_read
from aodrules.compiler.nodes import (
    CallPure,
    CellRead,
    Constant,
    Formula,
    Literal,
    Op,
    Select,
    TableRead,
    Variable,
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
            return cell_read(span, base, substitute(index, values))
        case TableRead(span, table, index):
            place = substitute(index, values)
            is_outside = isinstance(place, Literal) and place.value not in range(len(table))
            return formula if is_outside else table_read(span, table, place)
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
        return negation(operands[0])
    if sign == "nonzero":
        return nonzero(operands[0])
    if sign in BINARY or sign in {"and", "or"}:
        try:
            return operation(formula.span, sign, *operands)
        except (ArithmeticError, ValueError):
            pass  # A test beside it says when this counts.
    return evolve(formula, operands=operands)
