"""Formulas made simple as they are built: what is known beforehand is computed here and never again."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from aodrules.compiler.nodes import (
    Bind,
    Branch,
    CallPure,
    CellRead,
    Constant,
    Formula,
    Literal,
    Op,
    Select,
    Statements,
    TableRead,
    Variable,
)
from aodrules.source.spans import Span

BINARY: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "//": operator.floordiv,
    "%": operator.mod,
    "<<": operator.lshift,
    ">>": operator.rshift,
    "&": operator.and_,
    "|": operator.or_,
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "is": operator.is_,
    "is not": operator.is_not,
    "in": lambda item, items: item in items,
    "not in": lambda item, items: item not in items,
}
_OPPOSITES = {
    "==": "!=",
    "!=": "==",
    "<": ">=",
    ">=": "<",
    ">": "<=",
    "<=": ">",
    "is": "is not",
    "is not": "is",
    "in": "not in",
    "not in": "in",
}


def is_true(formula: Formula) -> bool:
    """Whether a formula is known to hold."""
    return isinstance(formula, Literal) and bool(formula.value)


def is_literal(formula: Formula) -> bool:
    """Whether a formula is known beforehand."""
    return isinstance(formula, Literal)


def is_length(formula: Formula) -> bool:
    """Whether a formula is how many items a list has."""
    return isinstance(formula, CallPure) and formula.function == "len"


def is_simple(formula: Formula) -> bool:
    """Whether a formula is cheap to write down twice."""
    return isinstance(formula, Literal | Variable)


def operation(span: Span, sign: str, *operands: Formula) -> Formula:
    """Return a binary operation, folded where its operands are known."""
    if sign in {"and", "or"}:
        return _connected(span, sign, operands)
    left, right = operands
    if isinstance(left, Literal) and isinstance(right, Literal):
        return Literal(span, BINARY[sign](left.value, right.value))
    compared = _compared_with_nothing(sign, left, right) or _compared_entries(sign, left, right)
    return compared or _neutral(sign, left, right) or Op(span, sign, (left, right))


def _compared_entries(sign: str, left: Formula, right: Formula) -> Formula | None:
    """Return a table of flags for the entries of a table that are compared with a number."""
    if sign not in {"<", "<=", ">", ">=", "==", "!="} or not isinstance(left, TableRead):
        return None
    if not isinstance(right, Literal) or not all(isinstance(one, int) for one in (right.value, *left.table)):
        return None
    return table_read(left.span, tuple(BINARY[sign](entry, right.value) for entry in left.table), left.index)


def _compared_with_nothing(sign: str, left: Formula, right: Formula) -> Formula | None:
    """Return the test whether a count is 0, the cheapest of all."""
    if sign == "<" and isinstance(left, Literal):
        left, sign, right = right, ">", left
    if isinstance(right, Literal) and type(right.value) is int and is_count(left):
        if (sign, right.value) in {(">", 0), ("!=", 0), (">=", 1)}:
            return nonzero(left)
        if (sign, right.value) in {("==", 0), ("<=", 0), ("<", 1)}:
            return negation(nonzero(left))
    return None


def is_count(formula: Formula) -> bool:
    """Whether a formula is a number that cannot be negative."""
    match formula:
        case Literal(_, int(number)):
            return number >= 0
        case Op(_, "size") | CallPure(_, "len" | "bag_size" | "set_size"):
            return True
        case Op(_, "&", (_, Literal(_, int(mask)))):
            return mask >= 0
        case Op(_, "+", operands):
            return all(map(is_count, operands))
    return False


def _neutral(sign: str, left: Formula, right: Formula) -> Formula | None:
    """Return the operand that a neutral element leaves as it is."""
    if sign in {"+", "-", "<<", ">>", "|"} and _is_number(right, 0):
        return left
    if sign in {"+", "|"} and _is_number(left, 0):
        return right
    if sign in {"*", "//"} and _is_number(right, 1):
        return left
    if sign == "*" and _is_number(left, 1):
        return right
    if sign in {"*", "&"} and (_is_number(left, 0) or _is_number(right, 0)):
        return Literal(left.span, 0)
    return None


def _is_number(formula: Formula, number: int) -> bool:
    return isinstance(formula, Literal) and type(formula.value) is int and formula.value == number


def _connected(span: Span, sign: str, operands: tuple[Formula, ...]) -> Formula:
    """Return `and` or `or` of its operands: neutral ones dropped, cut short by a deciding one, nested ones flat."""
    neutral = sign == "and"
    kept: list[Formula] = []
    for one in operands:
        if isinstance(one, Literal):
            if bool(one.value) is neutral:
                continue
            kept.append(one)
            break
        if isinstance(one, Op) and one.operator == sign:
            kept += one.operands
        else:
            kept.append(one)
    if not kept:
        return Literal(span, neutral)
    # Formulas are pure, so a deciding literal at the end decides the whole.
    if isinstance(kept[-1], Literal):
        return Literal(span, not neutral)
    return kept[0] if len(kept) == 1 else Op(span, sign, tuple(kept))


def conjuncts(condition: Formula) -> tuple[Formula, ...]:
    """Return the parts of a condition that all must hold."""
    return condition.operands if isinstance(condition, Op) and condition.operator == "and" else (condition,)


def disjuncts(condition: Formula) -> tuple[Formula, ...]:
    """Return the parts of a condition of which one must hold."""
    return condition.operands if isinstance(condition, Op) and condition.operator == "or" else (condition,)


def negation(formula: Formula) -> Formula:
    """Return the opposite of a flag."""
    if isinstance(formula, Literal):
        return Literal(formula.span, not formula.value)
    if isinstance(formula, Op):
        if formula.operator == "not":
            return formula.operands[0]
        if formula.operator in _OPPOSITES:
            return Op(formula.span, _OPPOSITES[formula.operator], formula.operands)
    return Op(formula.span, "not", (formula,))


def nonzero(formula: Formula) -> Formula:
    """Return whether a number is not 0."""
    if isinstance(formula, Literal):
        return Literal(formula.span, bool(formula.value))
    if isinstance(formula, Select) and isinstance(formula.then, Literal) and isinstance(formula.otherwise, Literal):
        return select(formula.span, formula.condition, nonzero(formula.then), nonzero(formula.otherwise))
    match formula:
        case Op(_, "size", (bag, _)) | CallPure(_, "len", (CallPure(_, "bag_items", (bag, _)),)):
            return nonzero(bag)
        case CallPure(span, "len", (CallPure(_, "tuple", (items,)),)):
            return nonzero(CallPure(span, "len", (items,)))
        case Op(span, "+", operands) if is_count(formula):
            return operation(span, "or", *map(nonzero, operands))
    return Op(formula.span, "nonzero", (_unshifted(formula),))


def _unshifted(formula: Formula) -> Formula:
    """Return `x & (mask << n)` for `(x >> n) & mask`: as good to see whether a count is 0, and one operation less."""
    if isinstance(formula, Op) and formula.operator == "&":
        shifted, mask = formula.operands
        if isinstance(mask, Literal) and isinstance(shifted, Op) and shifted.operator == ">>":
            held, places = shifted.operands
            if isinstance(places, Literal):
                return operation(formula.span, "&", held, operation(formula.span, "<<", mask, places))
    return formula


def total(span: Span, *parts: Formula) -> Formula:
    """Return the sum, known parts added up and put first."""
    known, others = 0, []
    for part in parts:
        if isinstance(part, Literal) and isinstance(part.value, int):
            known += part.value
        else:
            others.append(part)
    result: Formula | None = Literal(span, known) if known or not others else None
    for part in others:
        result = part if result is None else Op(span, "+", (result, part))
    assert result is not None
    return result


def select(span: Span, condition: Formula, then: Formula, otherwise: Formula) -> Formula:
    """Return one of two formulas; the one, if the condition is known."""
    if isinstance(condition, Literal):
        return then if condition.value else otherwise
    if isinstance(then, Literal) and isinstance(otherwise, Literal):
        if then.value is True and otherwise.value is False:
            return condition
        if then.value is False and otherwise.value is True:
            return negation(condition)
        if type(then.value) is type(otherwise.value) and then.value == otherwise.value:
            return then
    return Select(span, condition, then, otherwise)


def branch(span: Span, condition: Formula, then: Statements, otherwise: Statements = ()) -> Statements:
    """Return the statements of a branch; none if nothing is left of it."""
    if isinstance(condition, Literal):
        return then if condition.value else otherwise
    if not then and not otherwise:
        return ()
    if not then:
        return (Branch(span, negation(condition), otherwise),)
    return (Branch(span, condition, then, otherwise),)


def table_read(span: Span, table: tuple[Constant, ...], index: Formula) -> Formula:
    """Return an entry of a table; the entry itself where the index is known or all entries are the same."""
    if not table:
        return Literal(span, 0)  # a table over nothing is never read
    if isinstance(index, Literal):
        assert isinstance(index.value, int)
        return Literal(span, table[index.value])
    if all(type(entry) is type(table[0]) and entry == table[0] for entry in table[1:]):
        return Literal(span, table[0])
    if isinstance(index, TableRead) and all(entry in range(len(table)) for entry in index.table):
        return table_read(span, tuple(table[entry] for entry in index.table), index.index)  # type: ignore[index]
    return TableRead(span, table, index)


def cell_read(span: Span, base: int, offset: Formula) -> Formula:
    """Return what a cell holds; a known part of the offset goes into the base."""
    base, index = split_offset(base, offset)
    return CellRead(span, base, index)


def split_offset(base: int, offset: Formula) -> tuple[int, Formula | None]:
    """Return base and index of a cell, with the known part of the offset in the base."""
    if isinstance(offset, Literal):
        assert isinstance(offset.value, int)
        return base + offset.value, None
    if isinstance(offset, Op) and offset.operator == "+":
        first = offset.operands[0]
        if isinstance(first, Literal) and isinstance(first.value, int):
            return base + first.value, offset.operands[1]
    return base, offset


def is_none(formula: Formula) -> Formula:
    """Return whether a formula gives none."""
    return operation(formula.span, "is", formula, Literal(formula.span, None))


def bind(span: Span, name: str, value: Formula, body: Formula) -> Formula:
    """Return `body` with a name bound, or `body` alone where it does not depend on it."""
    return body if isinstance(body, Literal) else Bind(span, name, value, body)


def call_pure(span: Span, function: str, *arguments: Formula) -> Formula:
    """Return a call of a function of the runtime."""
    return CallPure(span, function, arguments)
