"""Generate Python from a plan: a syntax tree for each function, with the places of the YAML it came from."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from types import CodeType

from attrs import frozen

from aodrules.engine.codegen_blocks import BlockWriter, block_name
from aodrules.engine.codegen_formulas import LOG, STATE, Constants
from aodrules.engine.codegen_statements import ADD, StatementWriter
from aodrules.plan.nodes import Constant, Function, Labelled, Procedure
from aodrules.plan.planned import Plan
from aodrules.source.spans import Span


@frozen(eq=False)
class Generated:
    """Generated Python: functions by name, each with the file whose lines its places are, and named constants."""

    functions: tuple[tuple[str, str, ast.FunctionDef], ...]
    """(name, path of the YAML, tree)."""
    constants: dict[str, Constant]

    def code(self) -> list[tuple[str, CodeType]]:
        """Return a code object for each function; to run one defines the function."""
        return [(name, _compiled(tree, path)) for name, path, tree in self.functions]


def generate(plan: Plan, *, log: bool) -> Generated:
    """Return the Python of a plan, with or without the entries of the log."""
    constants = Constants()
    functions: list[tuple[str, str, ast.FunctionDef]] = []
    for span, tree in _trees(plan, constants, log=log):
        functions.append((tree.name, span.path, tree))
    return Generated(tuple(functions), constants.values())


def _trees(plan: Plan, constants: Constants, *, log: bool) -> Iterator[tuple[Span, ast.FunctionDef]]:
    for function in plan.functions.values():
        yield function.span, _function(function, constants)
    for procedure in plan.procedures.values():
        yield procedure.span, _procedure(procedure, constants, log=log)
    for root in plan.graph.roots:
        writer = BlockWriter(plan, root, constants, log=log)
        yield writer.trees.home, writer.function()


def _function(function: Function, constants: Constants) -> ast.FunctionDef:
    writer = StatementWriter(function.span, constants, log=False)
    trees = writer.trees
    if function.lists:
        codes = trees.assign([trees.stored("codes")], ast.List([], ast.Load(), **trees.at()))
        add = ast.Attribute(trees.name("codes"), "append", ast.Load(), **trees.at())
        writer.lines += [codes, trees.assign([trees.stored(ADD)], add)]
        writer.statements(function.body)
        trees.go_to(function.span)
        writer.lines.append(trees.return_(trees.call("tuple", [trees.name("codes")])))
    else:
        writer.statements(function.body)
        assert function.result is not None
        result = writer.formula(function.result)
        trees.go_to(function.span)
        writer.lines.append(trees.return_(result))
    return trees.function(function.name, [STATE, *function.parameters], writer.lines)


def _procedure(procedure: Procedure, constants: Constants, *, log: bool) -> ast.FunctionDef:
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
