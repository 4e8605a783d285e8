"""Formulas: what is computed, pure and without failure, made simple as it is built.

What is known beforehand is computed here and never again. Formulas are written as arithmetic: `(code - 3) // 4 % 5`.
A result stands where its left operand stands, unless `at` says where.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Container, Mapping
from typing import Any, Self, TypeAlias

from attrs import evolve, frozen

from aodrules.compiler.layout import PlaceLayout
from aodrules.facts.state import Cause, LogNote
from aodrules.lang.interval import OPPOSITE
from aodrules.source.spans import Span

Constant: TypeAlias = "int | bool | str | PlaceLayout | Cause | LogNote | tuple[Constant, ...] | None"
Term: TypeAlias = "Formula | Constant"
"""An operand: a formula, or a constant that becomes a literal."""


def _binary(sign: str) -> Callable[[Formula, Term], Formula]:
    return lambda left, right: operation(left.span, sign, left, right)


def _reflected(sign: str) -> Callable[[Formula, Constant], Formula]:
    return lambda right, left: operation(right.span, sign, left, right)


@frozen(eq=False)
class Formula:
    """Something to compute. Of operators all but `==` and `!=` make formulas; those stay what they are in Python."""

    span: Span

    def at(self, span: Span) -> Self:
        """Return the same formula as one that stands elsewhere."""
        return evolve(self, span=span)

    def equals(self, other: Term) -> Formula:
        """Return whether this is the same value as another."""
        return operation(self.span, "==", self, other)

    def differs(self, other: Term) -> Formula:
        """Return whether this is another value."""
        return operation(self.span, "!=", self, other)

    def is_in(self, items: Term) -> Formula:
        """Return whether this is among some items."""
        return operation(self.span, "in", self, items)

    def is_not_in(self, items: Term) -> Formula:
        """Return whether this is not among some items."""
        return operation(self.span, "not in", self, items)

    __add__ = _binary("+")
    __sub__ = _binary("-")
    __mul__ = _binary("*")
    __floordiv__ = _binary("//")
    __mod__ = _binary("%")
    __lshift__ = _binary("<<")
    __rshift__ = _binary(">>")
    __and__ = _binary("&")
    __or__ = _binary("|")
    __lt__ = _binary("<")
    __le__ = _binary("<=")
    __gt__ = _binary(">")
    __ge__ = _binary(">=")
    __radd__ = _reflected("+")
    __rsub__ = _reflected("-")
    __rlshift__ = _reflected("<<")
    __rrshift__ = _reflected(">>")


@frozen(eq=False)
class Literal(Formula):
    """A number, flag, none, text or tuple known beforehand."""

    value: Constant


@frozen(eq=False)
class Variable(Formula):
    """A local of a procedure; its name is unique in the plan."""

    name: str


@frozen(eq=False)
class CellRead(Formula):
    """What the cell `base + index` holds."""

    base: int
    index: Formula | None = None


@frozen(eq=False)
class TableRead(Formula):
    """An entry of a table of constants."""

    table: tuple[Constant, ...]
    index: Formula


@frozen(eq=False)
class Op(Formula):
    """Python's operator of that name: arithmetic, bits, comparison, `and or not`, `in`, `is`; or `item` and `tuple`.

    `nonzero` tells whether a number is not 0; `size` is how many pieces a bag holds whose counts have so many bits that
    the remainder of the whole tells it.
    """

    operator: str
    operands: tuple[Formula, ...]


@frozen(eq=False)
class Select(Formula):
    """One of two formulas."""

    condition: Formula
    then: Formula
    otherwise: Formula


@frozen(eq=False)
class Bind(Formula):
    """`body` with a variable bound to a value."""

    name: str
    value: Formula
    body: Formula


@frozen(eq=False)
class Memoized(Formula):
    """What `value` is for this `key`, on which alone it depends: computed once and remembered."""

    key: Variable
    value: Formula


@frozen(eq=False)
class ComputedOnce(Formula):
    """What `value` is, computed where a function first needs it and remembered until it ends, under a name."""

    name: str
    value: Formula


@frozen(eq=False)
class CallPure(Formula):
    """A function called for its result: one that the runtime lists, or one of the plan (then it is given the state)."""

    function: str
    arguments: tuple[Formula, ...]
    planned: bool = False


@frozen(eq=False)
class Generator:
    """One loop of a fold: a variable, what it runs over (a tuple), and what must hold for an item to count."""

    name: str
    items: Formula
    conditions: tuple[Formula, ...]


@frozen(eq=False)
class Reduce(Formula):
    """A result gathered over loops: `sum count any all min max first last list set ranked best places`.

    `best` is the first of what is `ranked`, if there is one.
    """

    gives: str
    item: Formula
    loops: tuple[Generator, ...]
    skips_none: bool = False


FORMULAS = (Literal, Variable, CellRead, TableRead, Op, Select, Bind, Memoized, ComputedOnce, CallPure, Reduce)
"""All kinds of formulas."""

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
_OPPOSITES = {**OPPOSITE, "is": "is not", "is not": "is"}


def lift(span: Span, term: Term) -> Formula:
    """Return a formula as it is, and a constant as a literal."""
    return term if isinstance(term, Formula) else Literal(span, term)


def is_true(formula: Formula) -> bool:
    """Whether a formula is known to hold."""
    return isinstance(formula, Literal) and bool(formula.value)


def is_simple(formula: Formula) -> bool:
    """Whether a formula is cheap to write down twice."""
    return isinstance(formula, Literal | Variable)


def operation(span: Span, sign: str, left: Term, right: Term) -> Formula:
    """Return a binary operation, folded where its operands are known."""
    left, right = lift(span, left), lift(span, right)
    if isinstance(left, Literal) and isinstance(right, Literal):
        return Literal(span, BINARY[sign](left.value, right.value))
    compared = _compare_with_zero(sign, left, right) or _compare_entries(sign, left, right)
    return compared or _drop_neutral(sign, left, right) or Op(span, sign, (left, right))


def _compare_entries(sign: str, left: Formula, right: Formula) -> Formula | None:
    """Return a table of flags for the entries of a table that are compared with a number."""
    if sign not in {"<", "<=", ">", ">=", "==", "!="} or not isinstance(left, TableRead):
        return None
    if not isinstance(right, Literal) or not all(isinstance(one, int) for one in (right.value, *left.table)):
        return None
    return read_table(left.span, tuple(BINARY[sign](entry, right.value) for entry in left.table), left.index)


def _compare_with_zero(sign: str, left: Formula, right: Formula) -> Formula | None:
    """Return the test whether a count is 0, the cheapest of all."""
    if sign == "<" and isinstance(left, Literal):
        left, sign, right = right, ">", left
    if isinstance(right, Literal) and type(right.value) is int and is_count(left):
        if (sign, right.value) in {(">", 0), ("!=", 0), (">=", 1)}:
            return nonzero(left)
        if (sign, right.value) in {("==", 0), ("<=", 0), ("<", 1)}:
            return negate(nonzero(left))
    return None


def is_count(formula: Formula, counts: Container[str] = ()) -> bool:
    """Whether a formula is a number that cannot be negative; `counts` are variables that hold such numbers."""
    match formula:
        case Variable(_, name):
            return name in counts
        case Literal(_, int(number)):
            return number >= 0
        case Op(_, "size") | CallPure(_, "len" | "bag_size" | "set_size"):
            return True
        case Op(_, "&", (_, Literal(_, int(mask)))):
            return mask >= 0
        case Op(_, "+" | "*", operands):
            return all(is_count(one, counts) for one in operands)
    return False


def _drop_neutral(sign: str, left: Formula, right: Formula) -> Formula | None:
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


def all_of(span: Span, *tests: Formula) -> Formula:
    """Return whether all tests hold."""
    return _connect(span, "and", tests)


def any_of(span: Span, *tests: Formula) -> Formula:
    """Return whether one of some tests holds."""
    return _connect(span, "or", tests)


def _connect(span: Span, sign: str, operands: tuple[Formula, ...]) -> Formula:
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


def negate(formula: Formula) -> Formula:
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
        case CallPure(_, "set_size", (members,)):
            return nonzero(members)
        case CallPure(_, "count_of", (items, item)):
            return item.is_in(items)
        case CallPure(span, "len", (CallPure(_, "tuple", (items,)),)):
            return nonzero(CallPure(span, "len", (items,)))
        case Op(span, "+", operands) if is_count(formula):
            return any_of(span, *map(nonzero, operands))
    return Op(formula.span, "nonzero", (_drop_shift(formula),))


def _drop_shift(formula: Formula) -> Formula:
    """Return `x & (mask << n)` for `(x >> n) & mask`: as good to see whether a count is 0, and one operation less."""
    if isinstance(formula, Op) and formula.operator == "&":
        shifted, mask = formula.operands
        if isinstance(mask, Literal) and isinstance(shifted, Op) and shifted.operator == ">>":
            held, places = shifted.operands
            if isinstance(places, Literal):
                return (held & (mask << places)).at(formula.span)
    return formula


def add_up(span: Span, *parts: Term) -> Formula:
    """Return the sum, known parts added up and put first."""
    known, others = 0, []
    for part in (lift(span, part) for part in parts):
        if isinstance(part, Literal) and isinstance(part.value, int):
            known += part.value
        else:
            others.append(part)
    result: Formula | None = Literal(span, known) if known or not others else None
    for part in others:
        result = part if result is None else Op(span, "+", (result, part))
    assert result is not None
    return result


def select(span: Span, condition: Formula, then: Term, otherwise: Term) -> Formula:
    """Return one of two formulas; the one, if the condition is known."""
    then, otherwise = lift(span, then), lift(span, otherwise)
    if isinstance(condition, Literal):
        return then if condition.value else otherwise
    if isinstance(then, Literal) and isinstance(otherwise, Literal):
        if then.value is True and otherwise.value is False:
            return condition
        if then.value is False and otherwise.value is True:
            return negate(condition)
        if type(then.value) is type(otherwise.value) and then.value == otherwise.value:
            return then
    return Select(span, condition, then, otherwise)


def read_table(span: Span, table: tuple[Constant, ...], index: Formula) -> Formula:
    """Return an entry of a table; the entry itself where the index is known or all entries are the same."""
    if not table:
        return Literal(span, 0)  # a table over nothing is never read
    if isinstance(index, Literal):
        assert isinstance(index.value, int)
        return Literal(span, table[index.value])
    if all(type(entry) is type(table[0]) and entry == table[0] for entry in table[1:]):
        return Literal(span, table[0])
    if isinstance(index, TableRead) and all(entry in range(len(table)) for entry in index.table):
        return read_table(span, tuple(table[entry] for entry in index.table), index.index)  # type: ignore[index]
    return TableRead(span, table, index)


def read_cell(span: Span, base: int, offset: Formula) -> Formula:
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
    return operation(formula.span, "is", formula, None)


def call_pure(span: Span, function: str, *arguments: Term) -> Formula:
    """Return a call of a function of the runtime."""
    return CallPure(span, function, tuple(lift(span, one) for one in arguments))


def length(items: Formula) -> Formula:
    """Return how many items a tuple has."""
    return CallPure(items.span, "len", (items,))


def reduce_over(span: Span, gives: str, item: Formula, variable: Variable, items: Formula, *tests: Formula) -> Formula:
    """Return a result gathered over some items, each under the name of a variable, as far as tests hold for it."""
    return Reduce(span, gives, item, (Generator(variable.name, items, tests),))


def get_item(items: Formula, index: Term) -> Formula:
    """Return an item of a tuple, which is there."""
    return Op(items.span, "item", (items, lift(items.span, index)))


def tuple_of(span: Span, *parts: Term) -> Formula:
    """Return several formulas as one, made anew each time."""
    return Op(span, "tuple", tuple(lift(span, part) for part in parts))


def fold_tuple(span: Span, *parts: Term) -> Formula:
    """Return several formulas as one, which is a constant if they are."""
    formulas = [lift(span, part) for part in parts]
    known = tuple(part.value for part in formulas if isinstance(part, Literal))
    return Literal(span, known) if len(known) == len(formulas) else tuple_of(span, *formulas)


def substitute(formula: Formula, values: Mapping[str, Constant]) -> Formula:
    """Return a formula in which variables have their values (numbers and flags), as far as that is easily put in.

        with x = 2:    S[20 + x] > (1, 4, 9)[x] and x < 5    →    S[22] > 9

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
            return rebuild(formula, tuple(substitute(one, values) for one in formula.operands))
    return formula


def rebuild(formula: Op, operands: tuple[Formula, ...]) -> Formula:
    """Return an operation on other operands, folded where they are known."""
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
