"""From the text of an expression to a typed expression."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from attrs import evolve

from aodrules.check import problems
from aodrules.check.checked import Parameter
from aodrules.check.context import Context
from aodrules.check.resolve.builtins import BuiltinReader
from aodrules.check.resolve.narrowing import facts
from aodrules.check.resolve.reading import SETS
from aodrules.check.resolve.scope import Scope
from aodrules.check.resolve.subtyping import comparable, fits, joined, same_family
from aodrules.check.resolve.type_parser import argument_in_words
from aodrules.check.steps import FieldPlace, ParameterPlace
from aodrules.lang.expressions import BuiltinCall, Const, Expression, IfElse, IsKind, Operation, ValueCall
from aodrules.lang.operators import BUILTINS
from aodrules.lang.parsing import ExpressionText, SyntaxMistake, parse
from aodrules.lang.types import (
    FLAG,
    NUMBER,
    UNKNOWN,
    Bag,
    HiddenPiece,
    ListOf,
    Member,
    Number,
    Piece,
    SetOf,
    Type,
    Unknown,
    item_of,
    present,
)
from aodrules.source.diagnostics import Fix
from aodrules.syntax.tree import Node, Scalar

_SIGNS: dict[type[ast.AST], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
}
_ON_SETS: dict[type[ast.AST], str] = {ast.BitOr: "union", ast.BitAnd: "intersection", ast.Sub: "difference"}


class ExpressionChecker(BuiltinReader):
    """Reads any expression."""

    def read(self, node: ast.expr, expected: Type | None = None) -> Expression:
        """Return the typed expression of a part of the text."""
        if isinstance(node, ast.Name | ast.Attribute | ast.Subscript):
            return self.finished(self.read_path(node, expected), node)
        if isinstance(node, ast.Constant):
            assert isinstance(node.value, int)
            return Const(Number(node.value, node.value), self.at(node), node.value)
        if isinstance(node, ast.BinOp):
            return self._arithmetic(node)
        if isinstance(node, ast.Compare):
            return self._comparison(node)
        if isinstance(node, ast.BoolOp):
            return self._conditions(node)
        if isinstance(node, ast.UnaryOp):
            return self._unary(node)
        if isinstance(node, ast.IfExp):
            return self._choice(node, expected)
        if isinstance(node, ast.List):
            return self._display(node, expected)
        if isinstance(node, ast.Call):
            return self._call(node, expected)
        self.context.add(problems.invalid_expression("this stands only inside a call", self.at(node)))
        return self.unknown(node)

    def _arithmetic(self, node: ast.BinOp) -> Expression:
        left = self.read(node.left)
        if type(node.op) in _ON_SETS and isinstance(left.type, SetOf):
            right = self.read_as(node.right, left.type)
            return Operation(left.type, self.at(node), _ON_SETS[type(node.op)], (left, right))
        if type(node.op) not in _SIGNS:
            if not isinstance(left.type, Unknown):
                self.mismatch(node.left, left.type, SETS)
            return self.unknown(node)
        for part, found in ((node.left, left),):
            if not fits(self.context, found.type, NUMBER):
                self.mismatch(part, found.type, NUMBER)
                return self.unknown(node)
        right = self.read_number(node.right)
        type_ = UNKNOWN if Unknown in (type(left.type), type(right.type)) else NUMBER
        return Operation(type_, self.at(node), _SIGNS[type(node.op)], (left, right))

    def _unary(self, node: ast.UnaryOp) -> Expression:
        if isinstance(node.op, ast.Not):
            return Operation(FLAG, self.at(node), "not", (self.read_condition(node.operand),))
        if isinstance(node.operand, ast.Constant) and isinstance(node.operand.value, int):
            return Const(Number(-node.operand.value, -node.operand.value), self.at(node), -node.operand.value)
        return Operation(NUMBER, self.at(node), "negate", (self.read_number(node.operand),))

    def _conditions(self, node: ast.BoolOp) -> Expression:
        reader, parts = self, []
        truth = isinstance(node.op, ast.And)
        for value in node.values:
            parts.append(reader.read_condition(value))
            reader = reader.with_names(reader.names.narrowed(facts(reader, value, truth=truth)))
        return Operation(FLAG, self.at(node), "and" if truth else "or", tuple(parts))

    def _comparison(self, node: ast.Compare) -> Expression:
        sides = [node.left, *node.comparators]
        parts = [
            self._compared(node, left, operator, right)
            for left, operator, right in zip(sides, node.ops, sides[1:], strict=False)
        ]
        return parts[0] if len(parts) == 1 else Operation(FLAG, self.at(node), "and", tuple(parts))

    def _compared(self, node: ast.Compare, left: ast.expr, operator: ast.cmpop, right: ast.expr) -> Expression:
        if isinstance(operator, ast.Is | ast.IsNot):
            return self._is_kind(node, left, operator, right)
        if isinstance(operator, ast.In | ast.NotIn):
            return self._contained(node, left, operator, right)
        one, other = self._sides(left, right)
        if Unknown in (type(one.type), type(other.type)):
            return Const(UNKNOWN, self.at(node), 0)
        sign = _SIGNS[type(operator)]
        if sign in ("==", "!="):
            if not comparable(self.context, one.type, other.type):
                self._incomparable(left, one, right, other)
                return self.unknown(node)
        elif not self._can_be_ordered(left, one, right, other):
            return self.unknown(node)
        return Operation(FLAG, self.at(node), sign, (one, other))

    def _incomparable(self, left: ast.expr, one: Expression, right: ast.expr, other: Expression) -> None:
        inner = present(other.type)
        if isinstance(present(one.type), Piece) and isinstance(inner, Member):
            kind = inner.kind
            self.context.add(problems.type_mismatch(f"a {kind}", one.type, self.text(left), self.at(left)))
        elif isinstance(present(one.type), HiddenPiece):
            self.mismatch(left, one.type, other.type)
        else:
            self.mismatch(right, other.type, one.type)

    def _sides(self, left: ast.expr, right: ast.expr) -> tuple[Expression, Expression]:
        """Read both sides, the one that explains the other first."""
        if self.is_bare_member(left) and not self.is_bare_member(right):
            other = self.read(right)
            return self.read(left, other.type), other
        one = self.read(left)
        return one, self.read(right, one.type)

    def _can_be_ordered(self, left: ast.expr, one: Expression, right: ast.expr, other: Expression) -> bool:
        for part, found in ((left, one), (right, other)):
            kind = found.type.kind if isinstance(found.type, Member) else None
            if not isinstance(found.type, Number) and not (kind and self.context.kinds[kind].ordered):
                self.mismatch(part, found.type, NUMBER)
                return False
        if isinstance(one.type, Member) and isinstance(other.type, Member):
            if same_family(self.context, one.type.kind, other.type.kind):
                return True
        elif type(one.type) is type(other.type):
            return True
        self.mismatch(right, other.type, one.type)
        return False

    def _is_kind(self, node: ast.Compare, left: ast.expr, operator: ast.cmpop, right: ast.expr) -> Expression:
        subject = self.read(left)
        if not isinstance(right, ast.Name) or right.id not in self.context.kinds:
            known = list(self.context.kinds)
            self.context.add(problems.unknown_name(self.text(right), self.at(right), known, "kind"))
            return self.unknown(node)
        inner = present(subject.type)
        if isinstance(inner, Unknown):
            return self.unknown(node)
        if not isinstance(inner, Member) or not same_family(self.context, inner.kind, right.id):
            self.mismatch(left, subject.type, f"a {self.context.kinds[right.id].family}")
            return self.unknown(node)
        test = IsKind(FLAG, self.at(node), subject, right.id)
        return test if isinstance(operator, ast.Is) else Operation(FLAG, self.at(node), "not", (test,))

    def _contained(self, node: ast.Compare, left: ast.expr, operator: ast.cmpop, right: ast.expr) -> Expression:
        sign = "in" if isinstance(operator, ast.In) else "not in"
        if isinstance(right, ast.List):
            item = self.read(left)
            items = self._display(right, ListOf(present(item.type)) if not isinstance(item.type, Bag) else None)  # type: ignore[arg-type]
            return Operation(FLAG, self.at(node), sign, (item, items))
        items = self.read_items(right)
        wanted = item_of(items.type)
        item = self.read(
            left, Member(wanted.kind) if isinstance(wanted, Piece) and self.is_bare_member(left) else wanted
        )
        is_member = isinstance(wanted, Piece) and isinstance(present(item.type), Member)
        if not is_member and not comparable(self.context, item.type, wanted):
            self.mismatch(left, item.type, wanted)
            return self.unknown(node)
        return Operation(FLAG, self.at(node), sign, (item, items))

    def _choice(self, node: ast.IfExp, expected: Type | None) -> Expression:
        condition = self.read_condition(node.test)
        yes = self.with_names(self.names.narrowed(facts(self, node.test, truth=True)))
        no = self.with_names(self.names.narrowed(facts(self, node.test, truth=False)))
        if expected is None and self.is_bare_member(node.body):
            otherwise = no.read(node.orelse)
            then = yes.read(node.body, otherwise.type)
        else:
            then = yes.read(node.body, expected)
            otherwise = no.read(node.orelse, expected or then.type)
        type_ = joined(self.context, then.type, otherwise.type)
        if type_ is None:
            self.mismatch(node.orelse, otherwise.type, then.type)
            return self.unknown(node)
        return IfElse(type_, self.at(node), condition, then, otherwise)

    def _display(self, node: ast.List, expected: Type | None) -> Expression:
        wanted = item_of(expected) if isinstance(expected, ListOf | SetOf) else None
        items = [self.read(each, wanted) for each in node.elts]
        if not all(isinstance(each, Const) for each in items):
            self.context.add(problems.invalid_expression("a list written out holds constants only", self.at(node)))
            return self.unknown(node)
        numbers = tuple(each.value for each in items if isinstance(each, Const))
        type_ = items[0].type if items else (wanted or UNKNOWN)
        if isinstance(type_, Number):
            type_ = NUMBER
        if any(not fits(self.context, each.type, type_) for each in items):
            self.context.add(problems.invalid_expression("a list holds things of one type", self.at(node)))
            return self.unknown(node)
        return Const(ListOf(type_), self.at(node), numbers)  # type: ignore[arg-type]

    def _call(self, node: ast.Call, expected: Type | None) -> Expression:
        if isinstance(node.func, ast.Attribute) and self.text(node.func) in self.context.values:
            return self._value(node, self.text(node.func))
        if not isinstance(node.func, ast.Name):
            self.context.add(problems.invalid_expression("only values and builtins are called", self.at(node.func)))
            return self.unknown(node)
        name = node.func.id
        if name in self.context.values:
            return self._value(node, name)
        if name in BUILTINS:
            return self.read_builtin(node, name, expected)
        if name == "before":
            return self._before(node, expected)
        known = [*BUILTINS, *self.context.values]
        self.context.add(problems.unknown_name(name, self.at(node.func), known, "value"))
        return self.unknown(node)

    def _before(self, node: ast.Call, expected: Type | None) -> Expression:
        """Read what something was at the last decision: a word of properties alone."""
        if not self.names.past or len(node.args) != 1 or node.keywords:
            message = "`before(...)` takes one thing" if self.names.past else "there is no `before` here"
            help_ = None if self.names.past else "only a property about a change can speak of what was before"
            self.context.add(problems.wrong_arguments(message, self.at(node), help_))
            return self.unknown(node)
        was = self.with_names(evolve(self.names, past=False)).read(node.args[0], expected)
        return BuiltinCall(was.type, self.at(node), "before", (was,))

    def _value(self, node: ast.Call, name: str) -> Expression:
        signature = self.context.values[name]
        named = {each.arg: each.value for each in node.keywords if each.arg}
        arguments = self.read_arguments(node, name, signature.parameters, node.args, named)
        type_ = self.context.value_type(name)
        return ValueCall(type_, self.at(node), name, arguments)

    def read_arguments(
        self,
        node: ast.Call,
        name: str,
        parameters: Iterable[Parameter],
        positional: list[ast.expr],
        named: dict[str, ast.expr],
    ) -> tuple[Expression, ...]:
        """Read the arguments of a call in the order of its parameters."""
        wanted = tuple(parameters)
        given = dict(zip((each.name for each in wanted), positional, strict=False))
        extra = [each for each in named if each in given or each not in {p.name for p in wanted}]
        if len(positional) > len(wanted) or extra:
            shown = ", ".join(each.name for each in wanted)
            self.context.add(
                problems.wrong_arguments(f"`{name}` takes ({shown})", self.at(node), f"write `{name}({shown})`")
            )
            return tuple(Const(UNKNOWN, self.at(node), 0) for _ in wanted)
        given |= named
        return tuple(self._argument(node, name, each, given.get(each.name)) for each in wanted)

    def _argument(self, node: ast.Call, name: str, parameter: Parameter, given: ast.expr | None) -> Expression:
        if given is not None:
            return self.read_as(given, parameter.type)
        if parameter.default is not None and not isinstance(parameter.default, FieldPlace | ParameterPlace):
            return parameter.default
        needed = argument_in_words(parameter.name, parameter.type)
        self.context.add(problems.wrong_arguments(f"`{name}` needs {needed}", self.at(node)))
        return self.unknown(node)


def read_expression(context: Context, node: Node, names: Scope, expected: Type | None = None) -> Expression:
    """Return the typed expression a node of the tree says; report what is wrong with it."""
    if not isinstance(node, Scalar) or node.value is None:
        context.add(problems.invalid_expression("an expression is expected here", node.span))
        return Const(UNKNOWN, node.span, 0)
    return _checked(context, _read_scalar(context, node, names, expected), node, expected)


def _read_scalar(context: Context, node: Scalar, names: Scope, expected: Type | None) -> Expression:
    if isinstance(node.value, bool):
        return Const(FLAG, node.span, node.value)
    if isinstance(node.value, int):
        return Const(Number(node.value, node.value), node.span, node.value)
    written = written_of(node)
    tree = parse(written)
    if isinstance(tree, SyntaxMistake):
        add_mistake(context, written, tree)
        return Const(UNKNOWN, node.span, 0)
    return ExpressionChecker(context, written, names).read(tree, expected)


def add_mistake(context: Context, written: ExpressionText, slip: SyntaxMistake) -> None:
    """Report why a text is no expression, with its cure where that is certain."""
    has_place = slip.node is not None and hasattr(slip.node, "col_offset")
    at = written.span_of(slip.node) if slip.node is not None and has_place else written.span
    fix = None
    if slip.cure is not None and written.start is not None:
        whole = written.span.within(written.start, written.start + len(written.text))
        fix = Fix(at if has_place else whole, slip.cure)
    context.add(problems.invalid_expression(slip.message, at, slip.help, fix))


def _checked(context: Context, found: Expression, node: Scalar, expected: Type | None) -> Expression:
    if expected is None or fits(context, found.type, expected):
        return found
    frame = ExpressionChecker(context, written_of(node), Scope(""))
    frame.mismatch(
        ast.Name(node.text, lineno=1, col_offset=0, end_lineno=1, end_col_offset=len(node.text.encode())),
        found.type,
        expected,
    )
    return Const(UNKNOWN, node.span, 0)


def read_condition(context: Context, node: Node, names: Scope) -> Expression:
    """Return a typed condition."""
    return read_expression(context, node, names, FLAG)


def narrowed_by(context: Context, node: Node, names: Scope, *, truth: bool) -> Scope:
    """Return the names with what a condition tells about them."""
    if not isinstance(node, Scalar) or not isinstance(node.value, str):
        return names
    written = written_of(node)
    tree = parse(written)
    if isinstance(tree, SyntaxMistake):
        return names
    return names.narrowed(facts(ExpressionChecker(context, written, names), tree, truth=truth))


def written_of(node: Scalar) -> ExpressionText:
    """Return the text of a scalar as the text of an expression."""
    single = node.span.line == node.span.end_line and not node.block
    return ExpressionText(str(node.text), node.span, (1 if node.quoted else 0) if single else None)
