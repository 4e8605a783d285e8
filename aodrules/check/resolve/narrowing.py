"""What a test tells about the names in it: `x != none` and `x is kind`."""

from __future__ import annotations

import ast

from aodrules.check.resolve.reading import ReaderFrame
from aodrules.check.resolve.subtyping import same_family
from aodrules.lang.types import Maybe, Member, Type, present


def facts(reader: ReaderFrame, node: ast.expr, *, truth: bool) -> dict[str, Type]:
    """Return more exact types of names, given that a condition came out as `truth`."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return facts(reader, node.operand, truth=not truth)
    if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.And if truth else ast.Or):
        found: dict[str, Type] = {}
        for value in node.values:
            found |= facts(reader, value, truth=truth)
        return found
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and isinstance(node.left, ast.Name):
        return _of_comparison(reader, node.left.id, node.ops[0], node.comparators[0], truth=truth)
    return {}


def _of_comparison(
    reader: ReaderFrame, name: str, operator: ast.cmpop, other: ast.expr, *, truth: bool
) -> dict[str, Type]:
    meaning = reader.names.get(name)
    if meaning is None or not isinstance(other, ast.Name):
        return {}
    differs = isinstance(operator, ast.NotEq) if truth else isinstance(operator, ast.Eq)
    if other.id == "none" and differs and isinstance(meaning.type, Maybe):
        return {name: present(meaning.type)}
    is_kind = isinstance(operator, ast.Is) if truth else isinstance(operator, ast.IsNot)
    inner = present(meaning.type)
    if is_kind and isinstance(inner, Member) and other.id in reader.context.kinds:
        return {name: Member(other.id)} if same_family(reader.context, inner.kind, other.id) else {}
    return {}
