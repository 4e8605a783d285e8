"""Conditions of `remove: {KIND: condition}`: comparisons of attributes with constants, decided for each member."""

from __future__ import annotations

import ast
import operator
import warnings
from collections.abc import Callable, Iterator
from typing import TypeAlias

from attrs import frozen

from aodrules.source.wording import quote
from aodrules.syntax.tree import Mapping, Node, Scalar, at, word_of

Value: TypeAlias = str | int | bool | None
_ORDERS: dict[type[ast.cmpop], Callable[[int, int], bool]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}
_LONGEST = 1000
_CONSTANTS: dict[str, Value] = {"true": True, "false": False}


class UndecidableError(Exception):
    """A condition holds something that cannot be decided before the game: what."""


@frozen(eq=False)
class ConditionMember:
    """A member of a kind: its address, and the constants of its attributes."""

    parts: tuple[str, ...]
    values: dict[str, Value]
    """Nothing for an attribute that is missing or no constant."""
    kinds: tuple[str, ...]
    """The kinds it is of, the widest first."""


def members(root: Mapping, kind: str) -> Iterator[ConditionMember]:
    """Iterate over the members of a kind and of those that are narrower, the rows of families among them."""
    wider = at(root, "kinds", kind, "is_a")
    if isinstance(wider, Scalar):
        yield from _members_of(root, (wider.text, kind))
        return
    yield from _members_of(root, (kind,))
    for entry in root.mapping("kinds"):
        if word_of(at(entry.value, "is_a")) == kind:
            yield from _members_of(root, (kind, entry.name))


def _members_of(root: Mapping, kinds: tuple[str, ...]) -> Iterator[ConditionMember]:
    """Iterate over the members that stand under the last of some kinds."""
    attributes = [entry for kind in kinds for entry in root.mapping("kinds").mapping(kind).mapping("attributes")]
    defaults = {entry.name: _constant(at(entry.value, "default")) for entry in attributes}
    kind = kinds[-1]
    for entry in root.mapping(kind):
        values = _overlaid(defaults, entry.value)
        if "each" not in entry.body:
            yield ConditionMember((kind, entry.name), values, kinds)
        for row in entry.body.mapping("each"):
            yield ConditionMember((kind, entry.name, "each", row.name), _overlaid(values, row.value), kinds)


def _overlaid(values: dict[str, Value], body: Node) -> dict[str, Value]:
    given = {name: at(body, name) for name in values}
    return {name: values[name] if node is None else _constant(node) for name, node in given.items()}


def _constant(node: Node | None) -> Value:
    if not isinstance(node, Scalar) or (isinstance(node.value, str) and not node.value.isidentifier()):
        return None
    return node.value


def parse_condition(text: str) -> ast.expr:
    """Return the tree of a condition."""
    if len(text) > _LONGEST:
        raise UndecidableError(quote(text))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(" ".join(text.split()), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise UndecidableError(quote(text)) from None


def holds(condition: ast.expr, member: ConditionMember) -> bool:
    """Return whether a condition holds for a member."""
    match condition:
        case ast.BoolOp(ast.And(), values):
            return all(_each(values, member))
        case ast.BoolOp(ast.Or(), values):
            return any(_each(values, member))
        case ast.UnaryOp(ast.Not(), operand):
            return not holds(operand, member)
        case ast.Compare(left, [comparison], [right]):
            return _compare(left, comparison, right, member)
    value = _attribute(condition, member)
    if not isinstance(value, bool):
        raise UndecidableError(_format(condition))
    return value


def _each(conditions: list[ast.expr], member: ConditionMember) -> list[bool]:
    # Every part is decided, so that what cannot be is found whatever the others say.
    return [holds(each, member) for each in conditions]


def _compare(left: ast.expr, comparison: ast.cmpop, right: ast.expr, member: ConditionMember) -> bool:
    if isinstance(comparison, ast.In | ast.NotIn) and isinstance(right, ast.List | ast.Tuple | ast.Set):
        equal = [_compare(left, ast.Eq(), each, member) for each in right.elts]
        return any(equal) is isinstance(comparison, ast.In)
    one, other = _sides(left, right, member)
    if isinstance(comparison, ast.Eq | ast.NotEq):
        return (type(one) is type(other) and one == other) is isinstance(comparison, ast.Eq)
    compare = _ORDERS.get(type(comparison))
    if compare is None or type(one) is not int or type(other) is not int:
        raise UndecidableError(f"{_format(left)} compared with {_format(right)}")
    return compare(one, other)


def _sides(left: ast.expr, right: ast.expr, member: ConditionMember) -> tuple[Value, Value]:
    """Return the values of two expressions, at least one of them an attribute."""
    if _attribute_name(left, member) is not None:
        one = _attribute(left, member)
        return one, _attribute(right, member) if _attribute_name(right, member) is not None else _written(right)
    if _attribute_name(right, member) is not None or not isinstance(left, ast.Name):
        return _written(left), _attribute(right, member)
    return _attribute(left, member), _written(right)


def _attribute_name(node: ast.expr, member: ConditionMember) -> str | None:
    match node:
        case ast.Name(name) | ast.Attribute(ast.Name(), name) if name in member.values:
            return name if isinstance(node, ast.Name) or ast.unparse(node.value) in member.kinds else None
    return None


def _attribute(node: ast.expr, member: ConditionMember) -> Value:
    name = _attribute_name(node, member)
    if name is None:
        raise UndecidableError(f"{_format(node)}, which is no attribute of {quote(member.parts[0])}")
    value = member.values[name]
    if value is None:
        raise UndecidableError(f"{_format(node)}, which is no constant for {quote('.'.join(member.parts))}")
    return value


def _written(node: ast.expr) -> Value:
    match node:
        case ast.Name(name):
            return _CONSTANTS.get(name, name)
        case ast.Constant(int(value)):
            return value
        case ast.UnaryOp(ast.USub(), ast.Constant(int(value))):
            return -value
    raise UndecidableError(_format(node))


def _format(node: ast.expr) -> str:
    return quote(ast.unparse(node))
