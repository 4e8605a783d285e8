"""Short words for Python syntax trees, each node with the place in the YAML it came from."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, TypeVar

from aodrules.source.spans import Span

_OPERATORS: dict[str, type[ast.operator]] = {
    "+": ast.Add,
    "-": ast.Sub,
    "*": ast.Mult,
    "//": ast.FloorDiv,
    "%": ast.Mod,
    "<<": ast.LShift,
    ">>": ast.RShift,
    "&": ast.BitAnd,
    "|": ast.BitOr,
}
_COMPARISONS: dict[str, type[ast.cmpop]] = {
    "==": ast.Eq,
    "!=": ast.NotEq,
    "<": ast.Lt,
    "<=": ast.LtE,
    ">": ast.Gt,
    ">=": ast.GtE,
    "is": ast.Is,
    "is not": ast.IsNot,
    "in": ast.In,
    "not in": ast.NotIn,
}
LOAD, STORE = ast.Load(), ast.Store()
Statement = TypeVar("Statement", bound=ast.stmt)
_SPAN = "yaml_span"


@lru_cache(maxsize=20_000)
def _python_place(span: Span) -> dict[str, Any]:
    """Return a span as Python's syntax trees want it: lines from 1, columns from 0 in bytes."""
    start = len(span.source.line(span.line)[: span.column - 1].encode())
    end = len(span.source.line(span.end_line)[: span.end_column - 1].encode())
    line, end_line = max(span.line, 1), max(span.end_line, span.line, 1)
    end_column = max(end, start) if end_line == line else end
    return {"lineno": line, "col_offset": start, "end_lineno": end_line, "end_col_offset": end_column}


def span_of(statement: ast.stmt) -> Span | None:
    """Return the place that a generated statement came from, also if that is in another file than the function."""
    return getattr(statement, _SPAN, None)


class AstBuilder:
    """Makes syntax trees at one place of the YAML: where `at` was last told."""

    def __init__(self, span: Span) -> None:
        self.home = span
        self.span = span
        self._place = _python_place(span)

    def at(self, span: Span) -> None:
        """Let the next nodes come from a span; what Python shows of another file is where the function stands."""
        if span is not self.span:
            self.span = span
            self._place = _python_place(span if span.source is self.home.source else self.home)

    def _mark(self, statement: Statement) -> Statement:
        setattr(statement, _SPAN, self.span)
        return statement

    # Expressions.

    def name(self, name: str) -> ast.expr:
        """`name`."""
        return ast.Name(name, LOAD, **self._place)

    def constant(self, value: object) -> ast.expr:
        """A constant; a negative number as Python writes it."""
        if isinstance(value, int) and not isinstance(value, bool) and value < 0:
            return ast.UnaryOp(ast.USub(), ast.Constant(-value, **self._place), **self._place)
        if isinstance(value, tuple):
            return self.tuple([self.constant(one) for one in value])
        return ast.Constant(value, **self._place)  # type: ignore[arg-type]

    def binary(self, sign: str, left: ast.expr, right: ast.expr) -> ast.expr:
        """`left + right`, `left < right` and the like."""
        if sign in _COMPARISONS:
            return ast.Compare(left, [_COMPARISONS[sign]()], [right], **self._place)
        return ast.BinOp(left, _OPERATORS[sign](), right, **self._place)

    def is_none(self, name: str) -> ast.expr:
        """`name is None`."""
        return self.binary("is", self.name(name), self.constant(value=None))

    def connect(self, sign: str, operands: list[ast.expr]) -> ast.expr:
        """`a and b and c`, or the same with `or`."""
        return ast.BoolOp(ast.And() if sign == "and" else ast.Or(), operands, **self._place)

    def negate(self, operand: ast.expr) -> ast.expr:
        """`not operand`."""
        return ast.UnaryOp(ast.Not(), operand, **self._place)

    def invert(self, operand: ast.expr) -> ast.expr:
        """`~operand`."""
        return ast.UnaryOp(ast.Invert(), operand, **self._place)

    def choice(self, condition: ast.expr, then: ast.expr, otherwise: ast.expr) -> ast.expr:
        """`then if condition else otherwise`."""
        return ast.IfExp(condition, then, otherwise, **self._place)

    def walrus(self, name: str, value: ast.expr) -> ast.expr:
        """`(name := value)`."""
        return ast.NamedExpr(ast.Name(name, STORE, **self._place), value, **self._place)

    def item(self, collection: ast.expr, index: ast.expr) -> ast.expr:
        """`collection[index]`."""
        return ast.Subscript(collection, index, LOAD, **self._place)

    def items_from(self, collection: ast.expr, index: ast.expr) -> ast.expr:
        """`collection[index:]`."""
        return ast.Subscript(collection, ast.Slice(index, None, None, **self._place), LOAD, **self._place)

    def tuple(self, items: list[ast.expr]) -> ast.expr:
        """`(a, b, c)`."""
        return ast.Tuple(items, LOAD, **self._place)

    def empty_list(self) -> ast.expr:
        """`[]`."""
        return ast.List([], LOAD, **self._place)

    def call(self, function: str, arguments: list[ast.expr]) -> ast.expr:
        """`function(a, b)`."""
        return ast.Call(self.name(function), arguments, [], **self._place)

    def call_own(self, owner: ast.expr, method: str, arguments: list[ast.expr]) -> ast.expr:
        """`(any expression).method(a, b)`."""
        return ast.Call(ast.Attribute(owner, method, LOAD, **self._place), arguments, [], **self._place)

    def call_method(self, owner: str, method: str, arguments: list[ast.expr]) -> ast.expr:
        """`owner.method(a, b)`."""
        return ast.Call(self.attribute(owner, method), arguments, [], **self._place)

    def attribute(self, owner: str, name: str) -> ast.expr:
        """`owner.name`."""
        return ast.Attribute(self.name(owner), name, LOAD, **self._place)

    # What is assigned.

    def stored(self, name: str) -> ast.expr:
        """`name`, on the left of `=`."""
        return ast.Name(name, STORE, **self._place)

    def stored_item(self, collection: ast.expr, index: ast.expr) -> ast.expr:
        """`collection[index]`, on the left of `=`."""
        return ast.Subscript(collection, index, STORE, **self._place)

    def stored_items(self, collection: ast.expr, first: ast.expr, end: ast.expr) -> ast.expr:
        """`collection[first:end]`, on the left of `=`."""
        return ast.Subscript(collection, ast.Slice(first, end, None, **self._place), STORE, **self._place)

    # Statements.

    def assign(self, name: str, value: ast.expr) -> ast.stmt:
        """`name = value`."""
        return self.assign_to([self.stored(name)], value)

    def assign_to(self, targets: list[ast.expr], value: ast.expr) -> ast.stmt:
        """`target = target = value`."""
        return self._mark(ast.Assign(targets, value, **self._place))

    def augment(self, target: ast.expr, sign: str, value: ast.expr) -> ast.stmt:
        """`target += value` and the like."""
        return self._mark(ast.AugAssign(target, _OPERATORS[sign](), value, **self._place))  # type: ignore[arg-type]

    def expression(self, value: ast.expr) -> ast.stmt:
        """An expression as a statement."""
        return self._mark(ast.Expr(value, **self._place))

    def if_(self, condition: ast.expr, then: list[ast.stmt], otherwise: Sequence[ast.stmt] = ()) -> ast.stmt:
        """`if condition: then else: otherwise`."""
        return self._mark(ast.If(condition, then or [self.pass_()], [*otherwise], **self._place))

    def for_(self, name: str, items: ast.expr, body: list[ast.stmt], otherwise: Sequence[ast.stmt] = ()) -> ast.stmt:
        """`for name in items: body else: otherwise`."""
        return self._mark(ast.For(self.stored(name), items, body or [self.pass_()], [*otherwise], **self._place))

    def while_(self, condition: ast.expr, body: list[ast.stmt]) -> ast.stmt:
        """`while condition: body`."""
        return self._mark(ast.While(condition, body or [self.pass_()], [], **self._place))

    def pass_(self) -> ast.stmt:
        """`pass`."""
        return self._mark(ast.Pass(**self._place))

    def break_(self) -> ast.stmt:
        """`break`."""
        return self._mark(ast.Break(**self._place))

    def continue_(self) -> ast.stmt:
        """`continue`."""
        return self._mark(ast.Continue(**self._place))

    def return_(self, value: ast.expr | None = None) -> ast.stmt:
        """`return value`."""
        return self._mark(ast.Return(value, **self._place))

    def raise_(self, error: str) -> ast.stmt:
        """`raise error`."""
        return self._mark(ast.Raise(self.name(error), None, **self._place))

    def function(self, name: str, parameters: list[str], body: list[ast.stmt]) -> ast.FunctionDef:
        """`def name(parameters): body`."""
        arguments = [ast.arg(one, None, None, **self._place) for one in parameters]
        signature = ast.arguments([], arguments, None, [], [], None, [])
        return self._mark(ast.FunctionDef(name, signature, body or [self.pass_()], [], None, None, **self._place))
