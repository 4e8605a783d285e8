"""Generate Python from a plan: a syntax tree for each function, with the places of the YAML it came from."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from types import CodeType

from attrs import frozen

from aodrules.compiler.codegen.ast_builder import AstBuilder
from aodrules.compiler.codegen.blocks import EntryBlocks, write_block_function
from aodrules.compiler.codegen.formulas import write_formula
from aodrules.compiler.codegen.statements import CODES, begin_code_list, write_statements
from aodrules.compiler.codegen.writer import STATE, CodeList, ConstantPool, FunctionWriter
from aodrules.compiler.formulas import ComputedOnce, Constant
from aodrules.compiler.nodes import AppendByKey, AppendCode, Branch, Function, Labelled, Procedure, Statement
from aodrules.compiler.plan import Plan
from aodrules.compiler.visit import bodies, walk
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
        return [(name, compile(ast.Module([tree], []), path, "exec")) for name, path, tree in self.functions]


def generate(plan: Plan, *, log: bool) -> Generated:
    """Return the Python of a plan, with or without the entries of the log."""
    constants = ConstantPool()
    functions = tuple((tree.name, span.path, tree) for span, tree in _write_functions(plan, constants, log=log))
    return Generated(functions, constants.values(), tuple(constants.tables))


def _write_functions(plan: Plan, constants: ConstantPool, *, log: bool) -> Iterator[tuple[Span, ast.FunctionDef]]:
    for function in plan.functions.values():
        write = _write_code_lister if function.lists else _write_function
        writer = FunctionWriter(AstBuilder(function.span), constants, log=False, calls_log=log)
        yield function.span, write(function, writer)
    for procedure in plan.procedures.values():
        writer = FunctionWriter(AstBuilder(procedure.span), constants, log)
        yield procedure.span, _write_procedure(procedure, writer)
    entries = EntryBlocks(plan)
    for entry in plan.graph.entries:
        build, tree = write_block_function(entries, entry, constants, log=log)
        yield build.home, tree


def _write_function(function: Function, writer: FunctionWriter) -> ast.FunctionDef:
    if function.on_copy:
        writer.assign(STATE, writer.build.call("copy_cells", [writer.state()]))
    _begin_shared(function, writer)
    write_statements(writer, function.body)
    assert function.result is not None
    result = write_formula(writer, function.result)
    writer.build.at(function.span)
    writer.add(writer.build.return_(result))
    return writer.build.function(function.name, [STATE, *function.parameters], writer.lines)


def _begin_shared(function: Function, writer: FunctionWriter) -> None:
    """Write that nothing is known yet of what a function computes once."""
    names = sorted({part.name for part in walk(function) if isinstance(part, ComputedOnce)})
    if names:
        targets = [writer.build.stored(name) for name in names]
        writer.add(writer.build.assign_to(targets, writer.build.constant(value=None)))


def _write_code_lister(function: Function, writer: FunctionWriter) -> ast.FunctionDef:
    """Write a function that lists codes. What is looked up last is the result itself if nothing came before it."""
    build = writer.build
    _begin_shared(function, writer)
    if function.first_only and not any(isinstance(part, AppendByKey) for part in walk(function)):
        return _write_search(function, writer)
    last = function.body[-1] if function.body else None
    by_key = last if isinstance(last, AppendByKey) else None
    adding = [one for one in function.body if one is not by_key and _adds_codes(one)]
    writer.codes = CodeList(last=by_key, is_made=by_key is None or bool(adding))
    if by_key is not None and len(adding) == 1 and isinstance(adding[0], Branch):
        writer.codes.begins_in = adding[0].then
        writer.assign(CODES, build.constant(()))
    elif writer.codes.is_made:
        begin_code_list(writer)
    write_statements(writer, function.body)
    build.at(function.span)
    if by_key is None:
        writer.add(build.return_(build.call("tuple", [build.name(CODES)])))
    return build.function(function.name, [STATE, *function.parameters], writer.lines)


def _write_search(function: Function, writer: FunctionWriter) -> ast.FunctionDef:
    """Write a function that gives the first code alone, or none."""
    writer.codes = CodeList(first_only=True)
    write_statements(writer, function.body)
    writer.build.at(function.span)
    writer.add(writer.build.return_(writer.build.constant(())))
    return writer.build.function(function.name, [STATE, *function.parameters], writer.lines)


def _adds_codes(statement: Statement) -> bool:
    if isinstance(statement, AppendCode | AppendByKey):
        return True
    return any(_adds_codes(one) for body in bodies(statement) for one in body)


def _write_procedure(procedure: Procedure, writer: FunctionWriter) -> ast.FunctionDef:
    body = procedure.body
    if len(body) == 1 and isinstance(body[0], Labelled):
        writer.returns = body[0].label
        body = body[0].body
    write_statements(writer, body)
    writer.build.at(procedure.span)
    return writer.build.function(procedure.name, [*writer.parameters(), *procedure.parameters], writer.lines)
