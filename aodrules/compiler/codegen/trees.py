"""Short words for Python syntax trees, each node with the place in the YAML it came from."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, TypeAlias, TypeVar

from aodrules.source.spans import Span

Where: TypeAlias = "tuple[int, int, int, int]"

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
def where_of(span: Span) -> Where:
    """Return a span as Python counts: lines from 1, columns from 0 in bytes."""
    start = len(span.source.line(span.line)[: span.column - 1].encode())
    end = len(span.source.line(span.end_line)[: span.end_column - 1].encode())
    line, end_line = max(span.line, 1), max(span.end_line, span.line, 1)
    return line, start, end_line, max(end, start) if end_line == line else end


def span_of(statement: ast.stmt) -> Span | None:
    """Return the place that a generated statement came from, also if that is in another file than the function."""
    return getattr(statement, _SPAN, None)


class AstBuilder:
    """Makes nodes at one place; `span` says which."""

    def __init__(self, span: Span) -> None:
        self.home = span
        self.span = span
        self.place = where_of(span)

    def go_to(self, span: Span) -> None:
        """Let the next nodes come from a span; what Python shows of another file is where the function stands."""
        if span is not self.span:
            self.span = span
            self.place = where_of(span if span.source is self.home.source else self.home)

    def marked(self, statement: Statement) -> Statement:
        """Return a statement that knows its span."""
        setattr(statement, _SPAN, self.span)
        return statement

    def at(self) -> dict[str, Any]:
        """Return the place as Python's syntax trees want it."""
        line, column, end_line, end_column = self.place
        return {"lineno": line, "col_offset": column, "end_lineno": end_line, "end_col_offset": end_column}

    def name(self, name: str) -> ast.expr:
        """Return a name that is read."""
        return ast.Name(name, LOAD, **self.at())

    def stored(self, name: str) -> ast.expr:
        """Return a name that is assigned."""
        return ast.Name(name, STORE, **self.at())

    def constant(self, value: object) -> ast.expr:
        """Return a constant; a negative number as Python writes it."""
        if isinstance(value, int) and not isinstance(value, bool) and value < 0:
            return ast.UnaryOp(ast.USub(), ast.Constant(-value, **self.at()), **self.at())
        if isinstance(value, tuple):
            return ast.Tuple([self.constant(one) for one in value], LOAD, **self.at())
        return ast.Constant(value, **self.at())  # type: ignore[arg-type]

    def binary(self, sign: str, left: ast.expr, right: ast.expr) -> ast.expr:
        """Return an operation or comparison."""
        if sign in _COMPARISONS:
            return ast.Compare(left, [_COMPARISONS[sign]()], [right], **self.at())
        return ast.BinOp(left, _OPERATORS[sign](), right, **self.at())

    def connected(self, sign: str, operands: list[ast.expr]) -> ast.expr:
        """Return `and` or `or` of its operands."""
        return ast.BoolOp(ast.And() if sign == "and" else ast.Or(), operands, **self.at())

    def negated(self, operand: ast.expr) -> ast.expr:
        """Return `not` of an operand."""
        return ast.UnaryOp(ast.Not(), operand, **self.at())

    def item(self, collection: ast.expr, index: ast.expr) -> ast.expr:
        """Return an item that is read."""
        return ast.Subscript(collection, index, LOAD, **self.at())

    def from_on(self, collection: ast.expr, index: ast.expr) -> ast.expr:
        """Return the items from an index on."""
        return ast.Subscript(collection, ast.Slice(index, None, None, **self.at()), LOAD, **self.at())

    def stored_item(self, collection: ast.expr, index: ast.expr) -> ast.expr:
        """Return an item that is assigned."""
        return ast.Subscript(collection, index, STORE, **self.at())

    def tuple(self, items: list[ast.expr]) -> ast.expr:
        """Return a tuple."""
        return ast.Tuple(items, LOAD, **self.at())

    def call(self, function: str, arguments: list[ast.expr]) -> ast.expr:
        """Return a call."""
        return ast.Call(self.name(function), arguments, [], **self.at())

    def method(self, owner: str, method: str, arguments: list[ast.expr]) -> ast.stmt:
        """Return the statement that calls a method."""
        return self.marked(ast.Expr(self.asked(owner, method, arguments), **self.at()))

    def asked(self, owner: str, method: str, arguments: list[ast.expr]) -> ast.expr:
        """Return what a method gives."""
        return ast.Call(self.part(owner, method), arguments, [], **self.at())

    def part(self, owner: str, name: str) -> ast.expr:
        """Return an attribute."""
        return ast.Attribute(self.name(owner), name, LOAD, **self.at())

    def empty_list(self) -> ast.expr:
        """Return an empty list."""
        return ast.List([], LOAD, **self.at())

    def choice(self, condition: ast.expr, then: ast.expr, otherwise: ast.expr) -> ast.expr:
        """Return one of two expressions."""
        return ast.IfExp(condition, then, otherwise, **self.at())

    def named(self, name: str, value: ast.expr) -> ast.expr:
        """Return a value that gets a name on the way."""
        return ast.NamedExpr(ast.Name(name, STORE, **self.at()), value, **self.at())

    def assign(self, targets: list[ast.expr], value: ast.expr) -> ast.stmt:
        """Return an assignment."""
        return self.marked(ast.Assign(targets, value, **self.at()))

    def augmented(self, target: ast.expr, sign: str, value: ast.expr) -> ast.stmt:
        """Return an assignment that adds to what is there."""
        return self.marked(ast.AugAssign(target, _OPERATORS[sign](), value, **self.at()))  # type: ignore[arg-type]

    def expression(self, value: ast.expr) -> ast.stmt:
        """Return a statement that only computes something."""
        return self.marked(ast.Expr(value, **self.at()))

    def if_(self, condition: ast.expr, then: list[ast.stmt], otherwise: list[ast.stmt]) -> ast.stmt:
        """Return a branch."""
        return self.marked(ast.If(condition, then or [self.nothing()], otherwise, **self.at()))

    def for_(self, name: str, items: ast.expr, body: list[ast.stmt], otherwise: Sequence[ast.stmt] = ()) -> ast.stmt:
        """Return a loop over items, and what follows if it is not broken off."""
        return self.marked(ast.For(self.stored(name), items, body or [self.nothing()], [*otherwise], **self.at()))

    def while_(self, condition: ast.expr, body: list[ast.stmt]) -> ast.stmt:
        """Return a loop with a condition."""
        return self.marked(ast.While(condition, body or [self.nothing()], [], **self.at()))

    def nothing(self) -> ast.stmt:
        """Return a statement that does nothing."""
        return self.marked(ast.Pass(**self.at()))

    def break_(self) -> ast.stmt:
        """Return the way out of a loop."""
        return self.marked(ast.Break(**self.at()))

    def continue_(self) -> ast.stmt:
        """Return the way to the start of a loop."""
        return self.marked(ast.Continue(**self.at()))

    def return_(self, value: ast.expr | None = None) -> ast.stmt:
        """Return the way out of a function."""
        return self.marked(ast.Return(value, **self.at()))

    def raise_(self, error: str) -> ast.stmt:
        """Return the raising of an exception."""
        return self.marked(ast.Raise(self.name(error), None, **self.at()))

    def function(self, name: str, parameters: list[str], body: list[ast.stmt]) -> ast.FunctionDef:
        """Return a function."""
        arguments = ast.arguments(
            [], [ast.arg(one, None, None, **self.at()) for one in parameters], None, [], [], None, []
        )
        return self.marked(ast.FunctionDef(name, arguments, body or [self.nothing()], [], None, None, **self.at()))
