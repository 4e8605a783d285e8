"""From formulas to Python expressions: what needs loops is computed in statements before the expression.

sum(price(h) for h in houses)       t1 = 0
                                    for h_1 in C0:
                                        t1 += value_price(S, h_1)
                                    ... t1 ...
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from functools import partial, reduce
from types import MappingProxyType
from typing import Any, TypeAlias

from aodrules.compiler.codegen.ast_builder import AstBuilder
from aodrules.compiler.codegen.writer import FunctionWriter
from aodrules.compiler.formulas import (
    Bind,
    CallPure,
    CellRead,
    ComputedOnce,
    Constant,
    Formula,
    Generator,
    Literal,
    Memoized,
    Op,
    Reduce,
    Select,
    TableRead,
    Variable,
)
from aodrules.compiler.layout import PlaceLayout
from aodrules.compiler.visit import form

SHORT = 6
"""Tuples of at most so many plain items stand in the code; longer ones get a name."""
METHODS: Mapping[str, str] = MappingProxyType({"count_of": "count", "set_size": "bit_count"})
"""Functions of the runtime that are a method of their first argument, which is called at once."""
Write: TypeAlias = Callable[[FunctionWriter, Formula], ast.expr]


def write_formula(writer: FunctionWriter, formula: Formula) -> ast.expr:
    """Write what a formula needs, and return the expression that is left."""
    before = writer.build.span
    writer.build.at(formula.span)
    expression = _FORMULAS[type(formula)](writer, formula)
    writer.build.at(before)
    return expression


def write_formulas(writer: FunctionWriter, formulas: tuple[Formula, ...]) -> list[ast.expr]:
    """Write formulas one after the other."""
    return [write_formula(writer, one) for one in formulas]


def write_condition(writer: FunctionWriter, formula: Formula) -> ast.expr:
    """Write a formula whose result is true or false like a flag, though it need not be one."""
    before = writer.build.span
    writer.build.at(formula.span)
    expression = _condition(writer, formula)
    writer.build.at(before)
    return expression


def _condition(writer: FunctionWriter, formula: Formula) -> ast.expr:
    if isinstance(formula, Op):
        if formula.operator == "nonzero":
            return write_formula(writer, _without_length(formula.operands[0]))
        if formula.operator in {"and", "or"}:
            return _connect(writer, formula, write_condition)
        if formula.operator == "not":
            return writer.build.negate(write_condition(writer, formula.operands[0]))
    if isinstance(formula, Select):
        return _select(writer, formula, write_condition)
    if isinstance(formula, Bind):
        return _bind(writer, formula, write_condition)
    return write_formula(writer, formula)


def _literal(writer: FunctionWriter, formula: Literal) -> ast.expr:
    value = formula.value
    is_long = isinstance(value, tuple) and (len(value) > SHORT or not all(map(_is_plain, value)))
    if is_long or isinstance(value, PlaceLayout):
        return writer.build.name(writer.constants.name(value))
    return writer.build.constant(value)


def _variable(writer: FunctionWriter, formula: Variable) -> ast.expr:
    return writer.build.name(formula.name)


def _cell_read(writer: FunctionWriter, formula: CellRead) -> ast.expr:
    return writer.build.item(writer.state(), write_cell_number(writer, formula.base, formula.index))


def write_cell_number(writer: FunctionWriter, base: int, index: Formula | None) -> ast.expr:
    """Write which cell is meant."""
    if index is None:
        return writer.build.constant(base)
    return writer.build.binary("+", writer.build.constant(base), write_formula(writer, index))


def _table_read(writer: FunctionWriter, formula: TableRead) -> ast.expr:
    index = write_formula(writer, formula.index)
    return writer.build.item(writer.build.name(writer.constants.name(formula.table)), index)


def _call(writer: FunctionWriter, formula: CallPure) -> ast.expr:
    if formula.function in METHODS and not formula.planned:
        owner, *arguments = write_formulas(writer, formula.arguments)
        return writer.build.call_own(owner, METHODS[formula.function], arguments)
    given = [writer.state()] if formula.planned else []
    return writer.build.call(formula.function, given + write_formulas(writer, formula.arguments))


def _shared(writer: FunctionWriter, formula: ComputedOnce) -> ast.expr:
    """Write what computes a value where it is not yet known; a function knows nothing when it begins."""
    build, name = writer.build, formula.name
    found = build.walrus(name, write_formula(writer, formula.value))
    return build.choice(build.is_none(name), found, build.name(name))


def _memoized(writer: FunctionWriter, formula: Memoized) -> ast.expr:
    """Write what looks a value up, and computes it where it is not yet known."""
    build, result, table = writer.build, writer.fresh_name(), writer.constants.table_of(formula)
    key = build.name(formula.key.name)
    writer.assign(result, build.call_method(table, "get", [key]))
    lines, value = writer.apart(write_formula, formula.value)
    lines.append(build.assign(result, build.call("remembered", [build.name(table), key, value])))
    writer.add(build.if_(build.is_none(result), lines))
    return build.name(result)


# Operators.


def _operation(writer: FunctionWriter, formula: Op) -> ast.expr:
    build, sign, operands = writer.build, formula.operator, formula.operands
    if sign in {"and", "or"}:
        return _connect(writer, formula, write_formula)
    if sign == "not":
        return _not(writer, operands[0])
    if sign == "nonzero":
        return build.binary("!=", write_formula(writer, operands[0]), build.constant(0))
    if sign == "tuple":
        return build.tuple(write_formulas(writer, operands))
    if sign == "-" and (without := _taken_out(*operands)) is not None:
        return build.binary("&", write_formula(writer, operands[0]), build.invert(write_formula(writer, without)))
    left, right = write_formulas(writer, operands)
    if sign == "item":
        return build.item(left, right)
    return build.binary("%" if sign == "size" else sign, left, right)


def _taken_out(members: Formula, common: Formula) -> Formula | None:
    """Return what is taken out of a set, if what is subtracted is all that the set has in common with it."""
    match common:
        case Op(_, "&", (same, others)) if form(same) == form(members):
            return others
    return None


def _not(writer: FunctionWriter, operand: Formula) -> ast.expr:
    if isinstance(operand, Op) and operand.operator == "nonzero":
        return writer.build.binary("==", write_formula(writer, operand.operands[0]), writer.build.constant(0))
    return writer.build.negate(write_condition(writer, operand))


def _connect(writer: FunctionWriter, formula: Op, write: Write) -> ast.expr:
    """Write `and` or `or`; where a later operand needs statements, these run only if it counts."""
    build, sign = writer.build, formula.operator
    first = write(writer, formula.operands[0])
    rest = [writer.apart(write, one) for one in formula.operands[1:]]
    if not any(lines for lines, _ in rest):
        return build.connect(sign, [first, *(operand for _, operand in rest)])
    result = writer.fresh_name()
    writer.assign(result, first)
    for lines, operand in rest:
        goes_on = build.name(result) if sign == "and" else build.negate(build.name(result))
        writer.add(build.if_(goes_on, [*lines, build.assign(result, operand)]))
    return build.name(result)


def _select(writer: FunctionWriter, formula: Select, write: Write = write_formula) -> ast.expr:
    return _choose(writer, formula, write_condition(writer, formula.condition), write)


def _choose(writer: FunctionWriter, formula: Select, condition: ast.expr, write: Write) -> ast.expr:
    """Write one of two formulas; where one needs statements, both become branches that assign the result."""
    build = writer.build
    then, first = writer.apart(write, formula.then)
    otherwise, second = writer.apart(write, formula.otherwise)
    if not then and not otherwise:
        return build.choice(condition, first, second)
    result = writer.fresh_name()
    then.append(build.assign(result, first))
    otherwise.append(build.assign(result, second))
    writer.add(build.if_(condition, then, otherwise))
    return build.name(result)


def _bind(writer: FunctionWriter, formula: Bind, write: Write = write_formula) -> ast.expr:
    """Write the body; the name is bound inside it where it is first read, else in a statement before."""
    build, body = writer.build, formula.body
    if isinstance(body, Select) and _begins_with_none_test(body.condition, formula.name):
        assert isinstance(body.condition, Op)
        lines, value = writer.apart(write_formula, formula.value)
        if not lines:
            none = build.constant(value=None)
            test = build.binary(body.condition.operator, build.walrus(formula.name, value), none)
            return _choose(writer, body, test, write)
    writer.assign(formula.name, write_formula(writer, formula.value))
    return write(writer, body)


# Loops.


def _reduce(writer: FunctionWriter, formula: Reduce) -> ast.expr:
    build, result = writer.build, writer.fresh_name()
    members = _written_out(formula)
    if members is not None:
        bits = [build.binary("<<", build.constant(1), one) for one in write_formulas(writer, members)]
        return reduce(partial(build.binary, "|"), bits)
    writer.assign(result, _START[formula.gives](build))
    lines, is_whole = writer.apart(_gather_whole, formula, result)
    if not is_whole:
        lines, _ = writer.apart(_gather, formula, result)
    for number in reversed(range(len(formula.loops) - is_whole)):
        lines = _loop(writer, formula, number, lines, result)
    writer.lines += lines
    gathered = build.name(result)
    if formula.gives == "list":
        return build.call("tuple", [gathered])
    if formula.gives in _OF_PAIRS:
        return build.call(formula.gives, [gathered])
    if _is_boxed(formula):
        return build.choice(gathered, build.item(build.name(result), build.constant(0)), build.constant(value=None))
    return gathered


def _written_out(formula: Reduce) -> tuple[Formula, ...] | None:
    """Return the members of a set that are written out one by one."""
    match formula:
        case Reduce(_, "set", Variable(_, item), (Generator(name, Op(_, "tuple", members), ()),), skips_none):
            return members if item == name and members and not skips_none else None
    return None


def _loop(writer: FunctionWriter, formula: Reduce, number: int, inner: list[ast.stmt], result: str) -> list[ast.stmt]:
    build, loop = writer.build, formula.loops[number]
    for condition in reversed(loop.conditions):
        lines, test = writer.apart(write_condition, condition)
        inner = [*lines, build.if_(test, inner)]
    before, items = writer.apart(write_formula, loop.items)
    lines = [*before, build.for_(loop.name, items, inner)]
    if number and formula.gives in _IS_DECIDED:
        lines.append(build.if_(_IS_DECIDED[formula.gives](build, result), [build.break_()]))
    return lines


def _gather(writer: FunctionWriter, formula: Reduce, result: str) -> None:
    build, gives = writer.build, formula.gives
    if gives in {"any", "all", "count"}:
        _gather_flag(writer, formula, result)
        return
    item = write_formula(writer, formula.item)
    if formula.skips_none and gives in {"sum", "min", "max", "set"}:
        name = writer.fresh_name()
        writer.assign(name, item)
        present = build.binary("is not", build.name(name), build.constant(value=None))
        body, _ = writer.apart(_gather_item, formula, result, build.name(name))
        writer.add(build.if_(present, body))
    else:
        _gather_item(writer, formula, result, item)


def _gather_flag(writer: FunctionWriter, formula: Reduce, result: str) -> None:
    build = writer.build
    test = write_condition(writer, formula.item)
    if formula.gives == "count":
        more = [build.augment(build.stored(result), "+", build.constant(1))]
    else:
        more = [build.assign(result, build.constant(formula.gives == "any")), build.break_()]
    if isinstance(formula.item, Literal) and formula.item.value is (formula.gives != "all"):
        writer.lines += more
    else:
        writer.add(build.if_(test if formula.gives != "all" else build.negate(test), more))


def _gather_item(writer: FunctionWriter, formula: Reduce, result: str, item: ast.expr) -> None:
    build, gives = writer.build, formula.gives
    if gives == "sum":
        writer.add(build.augment(build.stored(result), "+", item))
    elif gives == "set":
        bit = build.binary("<<", build.constant(1), item)
        writer.add(build.augment(build.stored(result), "|", bit))
    elif gives in {"min", "max"}:
        name = writer.fresh_name()
        writer.assign(name, item)
        better = build.binary("<" if gives == "min" else ">", build.name(name), build.name(result))
        is_first_or_better = build.connect("or", [build.is_none(result), better])
        writer.add(build.if_(is_first_or_better, [build.assign(result, build.name(name))]))
    elif gives == "best":
        number, most = writer.fresh_name(), writer.fresh_name()
        writer.assign(number, item)
        better = build.binary(">", build.name(number), build.name(most))
        taken = [build.assign(most, build.name(number)), build.assign(result, build.name(formula.loops[-1].name))]
        writer.add(build.if_(build.connect("or", [build.is_none(result), better]), taken))
    elif gives == "list" or gives in _OF_PAIRS:
        if gives in _OF_PAIRS:
            item = build.tuple([item, build.name(formula.loops[-1].name)])
        writer.add(build.expression(build.call_method(result, "append", [item])))
    else:
        writer.assign(result, build.tuple([item]) if _is_boxed(formula) else item)
        if gives == "first":
            writer.add(build.break_())


def _gather_whole(writer: FunctionWriter, formula: Reduce, result: str) -> bool:
    """Write what takes in all of a set at once, and say whether that was possible."""
    build, loop = writer.build, formula.loops[-1]
    is_set = isinstance(loop.items, CallPure) and loop.items.function == "set_items" and not loop.conditions
    is_itself = isinstance(formula.item, Variable) and formula.item.name == loop.name and not formula.skips_none
    if formula.gives != "set" or not is_set or not is_itself:
        return False
    assert isinstance(loop.items, CallPure)
    writer.add(build.augment(build.stored(result), "|", write_formula(writer, loop.items.arguments[0])))
    return True


def _begins_with_none_test(condition: Formula, name: str) -> bool:
    """Whether a condition begins with the question whether a name is none."""
    if not isinstance(condition, Op) or condition.operator not in {"is", "is not"}:
        return False
    left, right = condition.operands
    return isinstance(left, Variable) and left.name == name and isinstance(right, Literal)


def _without_length(formula: Formula) -> Formula:
    """Return the collection whose length is asked: it is true where its length is not 0."""
    if isinstance(formula, CallPure) and formula.function == "len":
        return formula.arguments[0]
    return formula


def _is_boxed(formula: Reduce) -> bool:
    """Whether the result is kept in a tuple meanwhile, so that none as an item is told from no item."""
    return formula.gives == "first" and len(formula.loops) > 1


def _is_plain(value: Constant) -> bool:
    return not isinstance(value, tuple | PlaceLayout)


_OF_PAIRS = ("ranked", "places")
"""What functions of the runtime make of pairs: how much something is worth, and what."""
_FORMULAS: dict[type, Callable[[FunctionWriter, Any], ast.expr]] = {
    Literal: _literal,
    Variable: _variable,
    CellRead: _cell_read,
    TableRead: _table_read,
    Op: _operation,
    Select: _select,
    Bind: _bind,
    Memoized: _memoized,
    ComputedOnce: _shared,
    CallPure: _call,
    Reduce: _reduce,
}
_START: dict[str, Callable[[AstBuilder], ast.expr]] = {
    **dict.fromkeys(("sum", "count", "set"), lambda build: build.constant(0)),
    **dict.fromkeys(("min", "max", "first", "last", "best"), lambda build: build.constant(value=None)),
    **dict.fromkeys(("list", *_OF_PAIRS), AstBuilder.empty_list),
    "any": lambda build: build.constant(value=False),
    "all": lambda build: build.constant(value=True),
}
_IS_DECIDED: dict[str, Callable[[AstBuilder, str], ast.expr]] = {
    "any": lambda build, name: build.name(name),
    "all": lambda build, name: build.negate(build.name(name)),
    "first": lambda build, name: build.binary("is not", build.name(name), build.constant(value=None)),
}
"""What tells that a result cannot change any more."""
