"""From formulas to Python expressions: what needs loops is computed in statements before the expression."""

from __future__ import annotations

import ast
from collections.abc import Callable

from aodrules.compiler.codegen.trees import AstBuilder
from aodrules.compiler.nodes import (
    Bind,
    CallPure,
    CellRead,
    Constant,
    Formula,
    Literal,
    Memoized,
    Op,
    Reduce,
    Select,
    TableRead,
    Variable,
)
from aodrules.compiler.place_layout import PlaceLayout
from aodrules.source.spans import Span

STATE, LOG = "S", "log"
SHORT = 6
"""Tuples of at most so many plain items stand in the code; longer ones get a name."""


class ConstantPool:
    """The named constants of generated code: equal ones share a name."""

    def __init__(self) -> None:
        self.names: dict[tuple[str, Constant], str] = {}
        self.tables: list[str] = []
        """Names of tables that are empty at first and filled while games are played."""

    def name(self, value: Constant) -> str:
        """Return the name of a constant."""
        # `True == 1`, so equality alone would mix flags and numbers.
        key = (repr(value), value)
        return self.names.setdefault(key, f"C{len(self.names)}")

    def table(self) -> str:
        """Return the name of a new table."""
        self.tables.append(f"K{len(self.tables)}")
        return self.tables[-1]

    def values(self) -> dict[str, Constant]:
        """Return the constants by name."""
        return {name: value for (_, value), name in self.names.items()}


class FormulaWriter:
    """Writes formulas into a list of statements, and returns the expression that is left."""

    def __init__(self, span: Span, constants: ConstantPool) -> None:
        self.trees = AstBuilder(span)
        self.constants = constants
        self.lines: list[ast.stmt] = []
        self._temporaries = 0

    def temporary(self) -> str:
        """Return the name of a new local; plan variables never look like it."""
        self._temporaries += 1
        return f"t{self._temporaries}"

    def inside(self, write: Callable[[], ast.expr | None]) -> tuple[list[ast.stmt], ast.expr | None]:
        """Return what is written apart: the statements and the expression that is left."""
        before, self.lines = self.lines, []
        try:
            left = write()
            return self.lines, left
        finally:
            self.lines = before

    def block(self, write: Callable[[], None]) -> list[ast.stmt]:
        """Return statements that are written apart."""
        return self.inside(write)[0]

    def formula(self, formula: Formula) -> ast.expr:
        """Return the expression of a formula."""
        before = self.trees.span
        self.trees.go_to(formula.span)
        try:
            return self._formula(formula)
        finally:
            self.trees.go_to(before)

    def formulas(self, formulas: tuple[Formula, ...]) -> list[ast.expr]:
        """Return the expressions of formulas."""
        return [self.formula(one) for one in formulas]

    def _formula(self, formula: Formula) -> ast.expr:
        if isinstance(formula, Literal):
            return self.literal(formula.value)
        if isinstance(formula, Variable):
            return self.variable(formula.name)
        if isinstance(formula, CellRead):
            return self.trees.item(self.trees.name(STATE), self.cell(formula.base, formula.index))
        if isinstance(formula, TableRead):
            index = self.formula(formula.index)
            return self.trees.item(self.trees.name(self.constants.name(formula.table)), index)
        if isinstance(formula, Op):
            return self._operation(formula)
        if isinstance(formula, Select):
            return self._select(formula, self.formula)
        if isinstance(formula, Bind):
            return self._bind(formula, self.formula)
        if isinstance(formula, Memoized):
            return self._recall(formula)
        if isinstance(formula, CallPure):
            given = [self.trees.name(STATE)] if formula.planned else []
            return self.trees.call(formula.function, given + self.formulas(formula.arguments))
        return self._fold(formula)

    def variable(self, name: str) -> ast.expr:
        """Return a variable that is read."""
        return self.trees.name(name)

    def literal(self, value: Constant) -> ast.expr:
        """Return a constant, under a name if it is long."""
        is_long = isinstance(value, tuple) and (len(value) > SHORT or not all(map(_is_plain, value)))
        if is_long or isinstance(value, PlaceLayout):
            return self.trees.name(self.constants.name(value))
        return self.trees.constant(value)

    def cell(self, base: int, index: Formula | None) -> ast.expr:
        """Return the number of a cell."""
        if index is None:
            return self.trees.constant(base)
        return self.trees.binary("+", self.trees.constant(base), self.formula(index))

    # Operators.

    def _operation(self, formula: Op) -> ast.expr:
        sign, operands = formula.operator, formula.operands
        if sign in {"and", "or"}:
            return self._connected(sign, operands, self.formula)
        if sign == "not":
            return self._not(operands[0])
        if sign == "nonzero":
            return self.trees.binary("!=", self.formula(operands[0]), self.trees.constant(0))
        if sign == "tuple":
            return self.trees.tuple(self.formulas(operands))
        left, right = self.formulas(operands)
        if sign == "size":
            return self.trees.binary("%", left, right)
        return self.trees.item(left, right) if sign == "item" else self.trees.binary(sign, left, right)

    def _not(self, operand: Formula) -> ast.expr:
        if isinstance(operand, Op) and operand.operator == "nonzero":
            return self.trees.binary("==", self.formula(operand.operands[0]), self.trees.constant(0))
        return self.trees.negated(self.condition(operand))

    def condition(self, formula: Formula) -> ast.expr:
        """Return an expression that is true or false like a flag, though it need not be one."""
        before = self.trees.span
        self.trees.go_to(formula.span)
        try:
            return self._condition(formula)
        finally:
            self.trees.go_to(before)

    def _condition(self, formula: Formula) -> ast.expr:
        if isinstance(formula, Op):
            if formula.operator == "nonzero":
                return self.formula(_without_length(formula.operands[0]))
            if formula.operator in {"and", "or"}:
                return self._connected(formula.operator, formula.operands, self.condition)
            if formula.operator == "not":
                return self.trees.negated(self.condition(formula.operands[0]))
        if isinstance(formula, Select):
            return self._select(formula, self.condition)
        if isinstance(formula, Bind):
            return self._bind(formula, self.condition)
        return self.formula(formula)

    def _connected(self, sign: str, operands: tuple[Formula, ...], write: Callable[[Formula], ast.expr]) -> ast.expr:
        """Return `and` or `or`; where a later operand needs statements, these run only if it counts."""
        first = write(operands[0])
        parts = [self.inside(lambda one=one: write(one)) for one in operands[1:]]  # type: ignore[misc]
        if not any(lines for lines, _ in parts):
            return self.trees.connected(sign, [first, *(part for _, part in parts if part is not None)])
        result = self.temporary()
        self.lines.append(self.trees.assign([self.trees.stored(result)], first))
        for lines, part in parts:
            assert part is not None
            goes_on = self.trees.name(result) if sign == "and" else self.trees.negated(self.trees.name(result))
            last = self.trees.assign([self.trees.stored(result)], part)
            self.lines.append(self.trees.if_(goes_on, [*lines, last], []))
        return self.trees.name(result)

    def _select(self, formula: Select, write: Callable[[Formula], ast.expr]) -> ast.expr:
        return self._selected(formula, self.condition(formula.condition), write)

    def _bind(self, formula: Bind, write: Callable[[Formula], ast.expr]) -> ast.expr:
        """Return the body; the name is bound inside it where it is first read, else in a statement before."""
        body = formula.body
        if isinstance(body, Select) and _tests_first(body.condition, formula.name):
            assert isinstance(body.condition, Op)
            value, parts = self.inside(lambda: self.formula(formula.value))
            if not value and parts is not None:
                named = self.trees.named(formula.name, parts)
                test = self.trees.binary(body.condition.operator, named, self.trees.constant(value=None))
                return self._selected(body, test, write)
        self.lines.append(self.trees.assign([self.trees.stored(formula.name)], self.formula(formula.value)))
        return write(body)

    def _recall(self, formula: Memoized) -> ast.expr:
        """Write what looks a value up, and computes it where it is not yet known."""
        trees, found, table = self.trees, self.temporary(), self.constants.table()
        key = trees.name(formula.key.name)
        self.lines.append(trees.assign([trees.stored(found)], trees.asked(table, "get", [key])))
        lines, value = self.inside(lambda: self.formula(formula.value))
        assert value is not None
        lines.append(trees.assign([trees.stored(found)], trees.call("remembered", [trees.name(table), key, value])))
        self.lines.append(trees.if_(trees.binary("is", trees.name(found), trees.constant(value=None)), lines, []))
        return trees.name(found)

    def _selected(self, formula: Select, condition: ast.expr, write: Callable[[Formula], ast.expr]) -> ast.expr:
        then, first = self.inside(lambda: write(formula.then))
        otherwise, second = self.inside(lambda: write(formula.otherwise))
        assert first is not None
        assert second is not None
        if not then and not otherwise:
            return self.trees.choice(condition, first, second)
        result = self.temporary()
        then.append(self.trees.assign([self.trees.stored(result)], first))
        otherwise.append(self.trees.assign([self.trees.stored(result)], second))
        self.lines.append(self.trees.if_(condition, then, otherwise))
        return self.trees.name(result)

    # Loops.

    def _fold(self, fold: Reduce) -> ast.expr:
        result = self.temporary()
        self.lines.append(self.trees.assign([self.trees.stored(result)], _START[fold.gives](self.trees)))
        lines = self.block(lambda: self._gather(fold, result))
        for number in reversed(range(len(fold.loops))):
            lines = self._loop(fold, number, lines, result)
        self.lines += lines
        if fold.gives == "list":
            return self.trees.call("tuple", [self.trees.name(result)])
        if fold.gives == "ranked":
            return self.trees.call("ranked", [self.trees.name(result)])
        found = self.trees.name(result)
        if _is_boxed(fold):
            item = self.trees.item(self.trees.name(result), self.trees.constant(0))
            return self.trees.choice(found, item, self.trees.constant(value=None))
        return found

    def _loop(self, fold: Reduce, number: int, inner: list[ast.stmt], result: str) -> list[ast.stmt]:
        """Return one loop of a fold around what is done inside it."""
        loop = fold.loops[number]
        for condition in reversed(loop.conditions):
            lines, test = self.inside(lambda condition=condition: self.condition(condition))  # type: ignore[misc]
            assert test is not None
            inner = [*lines, self.trees.if_(test, inner, [])]
        before, items = self.inside(lambda: self.formula(loop.items))
        assert items is not None
        lines = [*before, self.trees.for_(loop.name, items, inner)]
        if number and fold.gives in _SHORT_CUTS:
            lines.append(self.trees.if_(_SHORT_CUTS[fold.gives](self.trees, result), [self.trees.break_()], []))
        return lines

    def _gather(self, fold: Reduce, result: str) -> None:
        """Write what happens to one item."""
        trees, gives = self.trees, fold.gives
        if gives in {"any", "all", "count"}:
            self._gather_flag(fold, result)
            return
        item = self.formula(fold.item)
        if fold.skips_none and gives in {"sum", "min", "max", "set"}:
            name = self.temporary()
            self.lines.append(trees.assign([trees.stored(name)], item))
            present = trees.binary("is not", trees.name(name), trees.constant(value=None))
            body = self.block(lambda: self._gather_item(fold, result, trees.name(name)))
            self.lines.append(trees.if_(present, body, []))
            return
        self._gather_item(fold, result, item)

    def _gather_flag(self, fold: Reduce, result: str) -> None:
        trees = self.trees
        test = self.condition(fold.item)
        if fold.gives == "count":
            more = [trees.augmented(trees.stored(result), "+", trees.constant(1))]
        else:
            value = trees.constant(fold.gives == "any")
            more = [trees.assign([trees.stored(result)], value), trees.break_()]
        if isinstance(fold.item, Literal) and fold.item.value is (fold.gives != "all"):
            self.lines += more
            return
        self.lines.append(trees.if_(test if fold.gives != "all" else trees.negated(test), more, []))

    def _gather_item(self, fold: Reduce, result: str, item: ast.expr) -> None:
        trees, gives = self.trees, fold.gives
        if gives == "sum":
            self.lines.append(trees.augmented(trees.stored(result), "+", item))
        elif gives == "set":
            bit = trees.binary("<<", trees.constant(1), item)
            self.lines.append(trees.augmented(trees.stored(result), "|", bit))
        elif gives in {"min", "max"}:
            name = self.temporary()
            self.lines.append(trees.assign([trees.stored(name)], item))
            better = trees.binary("<" if gives == "min" else ">", trees.name(name), trees.name(result))
            first = trees.binary("is", trees.name(result), trees.constant(value=None))
            change = trees.assign([trees.stored(result)], trees.name(name))
            self.lines.append(trees.if_(trees.connected("or", [first, better]), [change], []))
        elif gives == "list":
            self.lines.append(trees.method(result, "append", [item]))
        elif gives == "ranked":
            pair = trees.tuple([item, trees.name(fold.loops[-1].name)])
            self.lines.append(trees.method(result, "append", [pair]))
        else:
            value = trees.tuple([item]) if _is_boxed(fold) else item
            self.lines.append(trees.assign([trees.stored(result)], value))
            if gives == "first":
                self.lines.append(trees.break_())


def _tests_first(condition: Formula, name: str) -> bool:
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


def _is_boxed(fold: Reduce) -> bool:
    """Whether the result is kept in a tuple meanwhile, so that none as an item is told from no item."""
    return fold.gives == "first" and len(fold.loops) > 1


def _is_plain(value: Constant) -> bool:
    """Whether a value can stand in the code."""
    return not isinstance(value, tuple | PlaceLayout)


def _empty_list(trees: AstBuilder) -> ast.expr:
    return ast.List([], ast.Load(), **trees.at())


_START: dict[str, Callable[[AstBuilder], ast.expr]] = {
    "sum": lambda trees: trees.constant(0),
    "count": lambda trees: trees.constant(0),
    "set": lambda trees: trees.constant(0),
    "any": lambda trees: trees.constant(value=False),
    "all": lambda trees: trees.constant(value=True),
    "min": lambda trees: trees.constant(value=None),
    "max": lambda trees: trees.constant(value=None),
    "first": lambda trees: trees.constant(value=None),
    "last": lambda trees: trees.constant(value=None),
    "list": _empty_list,
    "ranked": _empty_list,
}
_SHORT_CUTS: dict[str, Callable[[AstBuilder, str], ast.expr]] = {
    "any": lambda trees, name: trees.name(name),
    "all": lambda trees, name: trees.negated(trees.name(name)),
    "first": lambda trees, name: trees.binary("is not", trees.name(name), trees.constant(value=None)),
}
