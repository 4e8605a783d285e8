"""Generate Python from a plan: a syntax tree for each function, with the places of the YAML it came from."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from types import CodeType

from attrs import frozen

from aodrules.compiler.codegen.blocks import BlockWriter, EntryBlocks, block_name
from aodrules.compiler.codegen.formulas import LOG, STATE, ConstantPool
from aodrules.compiler.codegen.statements import ADD, StatementWriter
from aodrules.compiler.nodes import (
    AppendByKey,
    AppendCode,
    Branch,
    Constant,
    Function,
    Labelled,
    Procedure,
    Statement,
    Statements,
)
from aodrules.compiler.plan import Plan
from aodrules.compiler.visit import bodies
from aodrules.source.spans import Span


@frozen(eq=False)
class Generated:
    """Generated Python: functions by name, each with the file whose lines its places are, and named constants."""

    functions: tuple[tuple[str, str, ast.FunctionDef], ...]
    """(name, path of the YAML, tree)."""
    constants: dict[str, Constant]
    tables: tuple[str, ...] = ()
    """Names of tables that are empty at first."""

    def code(self) -> list[tuple[str, CodeType]]:
        """Return a code object for each function; to run one defines the function."""
        return [(name, _compiled(tree, path)) for name, path, tree in self.functions]


def generate(plan: Plan, *, log: bool) -> Generated:
    """Return the Python of a plan, with or without the entries of the log."""
    constants = ConstantPool()
    functions: list[tuple[str, str, ast.FunctionDef]] = []
    for span, tree in _trees(plan, constants, log=log):
        functions.append((tree.name, span.path, tree))
    return Generated(tuple(functions), constants.values(), tuple(constants.tables))


def _trees(plan: Plan, constants: ConstantPool, *, log: bool) -> Iterator[tuple[Span, ast.FunctionDef]]:
    for function in plan.functions.values():
        yield function.span, _function(function, constants)
    for procedure in plan.procedures.values():
        yield procedure.span, _procedure(procedure, constants, log=log)
    roots = EntryBlocks(plan)
    for root in plan.graph.roots:
        writer = BlockWriter(roots, root, constants, log=log)
        yield writer.trees.home, writer.function()


def _function(function: Function, constants: ConstantPool) -> ast.FunctionDef:
    if function.lists:
        return _listing(function, constants)
    writer = StatementWriter(function.span, constants, log=False)
    trees = writer.trees
    writer.statements(function.body)
    assert function.result is not None
    result = writer.formula(function.result)
    trees.go_to(function.span)
    writer.lines.append(trees.return_(result))
    return trees.function(function.name, [STATE, *function.parameters], writer.lines)


def _listing(function: Function, constants: ConstantPool) -> ast.FunctionDef:
    """Return a function that lists codes. What is looked up last is the result itself if nothing came before it."""
    writer = ListingWriter(function, constants)
    trees = writer.trees
    if writer.adds:
        writer.begin_list()
    writer.statements(function.body)
    trees.go_to(function.span)
    if not writer.by_key:
        writer.lines.append(trees.return_(trees.call("tuple", [trees.name("codes")])))
    return trees.function(function.name, [STATE, *function.parameters], writer.lines)


class ListingWriter(StatementWriter):
    """Writes a function that lists codes."""

    def __init__(self, function: Function, constants: ConstantPool) -> None:
        super().__init__(function.span, constants, log=False)
        self._only: Branch | None = None
        last = function.body[-1] if function.body else None
        self.by_key = isinstance(last, AppendByKey)
        self.last = last
        self._adding = [one for one in function.body if one is not last and _adds(one)]
        self.adds = not self.by_key or bool(self._adding)
        self._now: object = None

    def begin_list(self) -> None:
        """Write the list to which codes are added; where they all come from one branch, only there."""
        trees, adding = self.trees, self._adding
        self._only = adding[0] if self.by_key and len(adding) == 1 and isinstance(adding[0], Branch) else None
        if self._only is None:
            self._new_list()
        else:
            self.lines.append(trees.assign([trees.stored("codes")], trees.constant(())))

    def _new_list(self) -> None:
        trees = self.trees
        self.lines.append(trees.assign([trees.stored("codes")], trees.empty_list()))
        self.lines.append(trees.assign([trees.stored(ADD)], trees.part("codes", "append")))

    def statements(self, statements: Statements) -> None:
        """Write statements."""
        if self._only is not None and statements is self._only.then:
            self._new_list()
        for statement in statements:
            self._now = statement
            super().statements((statement,))

    def keyed(self, found: str) -> None:
        """Write what happens to codes that were looked up: at the end they are returned."""
        trees = self.trees
        if self._now is not self.last:
            super().keyed(found)
            return
        if self.adds:
            whole = trees.binary("+", trees.call("tuple", [trees.name("codes")]), trees.name(found))
            self.lines.append(trees.if_(trees.name("codes"), [trees.return_(whole)], []))
        self.lines.append(trees.return_(trees.name(found)))


def _adds(statement: Statement) -> bool:
    """Whether a statement adds codes to the list."""
    if isinstance(statement, AppendCode | AppendByKey):
        return True
    return any(_adds(one) for body in bodies(statement) for one in body)


def _procedure(procedure: Procedure, constants: ConstantPool, *, log: bool) -> ast.FunctionDef:
    writer = StatementWriter(procedure.span, constants, log=log)
    body = procedure.body
    if len(body) == 1 and isinstance(body[0], Labelled):
        writer.returns = body[0].label
        body = body[0].body
    writer.statements(body)
    writer.trees.go_to(procedure.span)
    parameters = [STATE, *([LOG] if log else []), *procedure.parameters]
    return writer.trees.function(procedure.name, parameters, writer.lines)


def _compiled(tree: ast.FunctionDef, path: str) -> CodeType:
    module = ast.Module([tree], [])
    return compile(module, path, "exec")


__all__ = ["Generated", "block_name", "generate"]
