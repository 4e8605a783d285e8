"""The frame in which expressions are read: context, names, the text, and the small questions every reader asks."""

from __future__ import annotations

import ast
from typing import Self

from attrs import evolve, frozen

from aodrules.check import problems
from aodrules.check.context import Context
from aodrules.check.resolve.scope import LocalName, Scope
from aodrules.check.resolve.subtyping import fits
from aodrules.check.steps import FieldPlace
from aodrules.lang.expressions import Const, Expression, FieldRead
from aodrules.lang.parsing import ExpressionText
from aodrules.lang.types import UNKNOWN, Flag, HiddenPiece, Maybe, Member, Nothing, Number, Type, Unknown, present
from aodrules.source.spans import Span
from aodrules.source.wording import quotes

SETS = "a set"
_FEW = 12


@frozen(eq=False)
class ReaderFrame:
    """One expression being read. Readers never raise: what is not understood is reported and becomes unknown."""

    context: Context
    written: ExpressionText
    names: Scope

    def read(self, node: ast.expr, expected: Type | None = None) -> Expression:
        """Return the typed expression of a part of the text."""
        raise NotImplementedError  # pragma: no cover - the last class of the chain has it

    def with_names(self, names: Scope) -> Self:
        """Return the same reader with other names in scope."""
        return evolve(self, names=names)

    def at(self, node: ast.AST) -> Span:
        """Return the place of a part of the text."""
        return self.written.span_of(node)

    def text(self, node: ast.AST) -> str:
        """Return a part of the text."""
        return self.written.part(node)

    def unknown(self, node: ast.AST) -> Expression:
        """Return an expression that fits everywhere, for what was reported already."""
        return Const(UNKNOWN, self.at(node), 0)

    def read_as(self, node: ast.expr, expected: Type) -> Expression:
        """Read a part that must be of a type; report it if it is not."""
        found = self.read(node, expected)
        if not fits(self.context, found.type, expected):
            self.mismatch(node, found.type, expected)
            return self.unknown(node)
        return found

    def read_number(self, node: ast.expr) -> Expression:
        """Read a part that must be a number."""
        return self.read_as(node, Number())

    def read_condition(self, node: ast.expr) -> Expression:
        """Read a part that must be a flag."""
        return self.read_as(node, Flag())

    def mismatch(self, node: ast.expr, found: Type, expected: Type | str) -> None:
        """Report that a part has another type than is needed."""
        text, at = self.text(node), self.at(node)
        if isinstance(present(found), HiddenPiece):
            self.context.add(problems.hidden_identity(text, at))
        elif (
            isinstance(found, Maybe | Nothing)
            and not isinstance(expected, str | Maybe)
            and _would_fit(self, found, expected)
        ):
            self.context.add(problems.may_be_none(text, found, at))
        else:
            self.context.add(problems.type_mismatch(expected, found, text, at, self._instead(expected)))

    def _instead(self, expected: Type | str) -> str | None:
        """Return what is fine where something else stands: the members of a kind, if they are few."""
        if expected == SETS:
            return "conditions are joined with `and` and `or`"
        wanted = None if isinstance(expected, str) else present(expected)
        kind = self.context.kinds.get(wanted.kind) if isinstance(wanted, Member) else None
        if kind is None or not 0 < len(kind.members) <= _FEW:
            return None
        return f"write {quotes(kind.members, 'or')}, or what gives one of them"

    def member(self, kind: str, name: str) -> int | None:
        """Return the number of a kind's member in its family, or nothing."""
        declared = self.context.kinds.get(kind)
        if declared is None or name not in declared.members:
            return None
        return declared.places[declared.members.index(name)]

    def bind_loop(self, node: ast.AST, name: str, type_: Type, items: Expression) -> Scope:
        """Return the names with one more loop name; report it if it hides another."""
        hidden = self.names.get(name)
        if hidden is not None or self.is_global(name):
            self.context.add(problems.shadowed_name(name, self.at(node), hidden.span if hidden else None))
        place = FieldPlace(items.span, items.field, items.at) if isinstance(items, FieldRead) else None
        meaning = LocalName(type_, "loop", self.at(node), place)
        return self.names.bind(name, meaning)

    def is_global(self, name: str) -> bool:
        """Whether a name means a collection, a field of the table, sets or a graph."""
        context = self.context
        return (
            name in ("players", "seats")
            or f"table.{name}" in context.fields
            or context.plural(name) is not None
            or name in context.sets
            or name in context.graphs
        )

    def is_bare_member(self, node: ast.expr) -> bool:
        """Whether a part is a word that only an expected type can explain."""
        if not isinstance(node, ast.Name) or node.id in ("true", "false", "none"):
            return False
        return self.names.get(node.id) is None and not self.is_global(node.id) and not self._is_bare_attribute(node.id)

    def _is_bare_attribute(self, name: str) -> bool:
        bare = self.names.bare
        return bare is not None and self.context.attribute_of(bare, name) is not None


def _would_fit(reader: ReaderFrame, found: Type, expected: Type) -> bool:
    if isinstance(found, Nothing):
        return True
    inner = present(found)
    return not isinstance(inner, Unknown) and fits(reader.context, inner, expected)


def expected_kind(expected: Type | None) -> str | None:
    """Return the kind a bare word is looked up in, where the expected type tells one."""
    inner = present(expected) if expected is not None else None
    if isinstance(inner, HiddenPiece):
        inner = inner.of
    return inner.kind if isinstance(inner, Member) else None
