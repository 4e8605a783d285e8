"""Generated Python for people to read: with the YAML places beside it, and what came from one place."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from attrs import frozen

from aodrules.compiler.codegen.module import Generated
from aodrules.compiler.codegen.trees import span_of
from aodrules.compiler.plan import Plan
from aodrules.compiler.visit import children
from aodrules.source.spans import Span

WIDTH = 90
"""Where the places stand, if the line is not longer."""


@frozen
class SourceLine:
    """One line of generated Python, and the place in the YAML it came from."""

    function: str
    text: str
    span: Span | None


@frozen
class Trace:
    """What became of a stretch of YAML: the plan's nodes and the lines of Python."""

    nodes: tuple[tuple[str, str], ...]
    """(function, procedure or block; kind of node), in order."""
    lines: tuple[SourceLine, ...]


def printed(generated: Generated) -> str:
    """Return all generated Python, with YAML places as comments where they change."""
    parts = []
    for name, value in generated.constants.items():
        parts.append(f"{name} = {value!r}")
    parts += [f"{name} = {{}}" for name in generated.tables]
    for name, path, tree in generated.functions:
        parts += ["", f"# {path}", *_commented(lines_of(name, tree))]
    return "\n".join(parts) + "\n"


def _commented(lines: list[SourceLine]) -> Iterator[str]:
    before = None
    for line in lines:
        place = None if line.span is None else f"{line.span.path}:{line.span.line}"
        if place is None or place == before:
            yield line.text
        else:
            yield f"{line.text.ljust(WIDTH)}  # {place}"
        before = place or before


def lines_of(name: str, tree: ast.FunctionDef) -> list[SourceLine]:
    """Return the lines of a function, each with the place of the statement that begins on it."""
    text = ast.unparse(tree)
    spans: dict[int, Span] = {}
    # What is printed and read again has the same statements in the same order.
    for ours, read in zip(_statements(tree), _statements(ast.parse(text).body[0]), strict=True):
        span = span_of(ours)
        if span is not None:
            spans.setdefault(read.lineno, span)
    return [SourceLine(name, line, spans.get(number)) for number, line in enumerate(text.split("\n"), 1)]


def _statements(tree: ast.stmt) -> Iterator[ast.stmt]:
    yield tree
    for child in ast.iter_child_nodes(tree):
        if isinstance(child, ast.stmt):
            yield from _statements(child)


def trace(plan: Plan, generated: Generated, span: Span) -> Trace:
    """Return the nodes of the plan and the lines of Python that came from a stretch of YAML."""
    nodes = tuple((name, type(node).__name__) for name, node in _nodes(plan) if _is_inside(_span(node), span))
    lines = (line for name, _, tree in generated.functions for line in lines_of(name, tree))
    return Trace(nodes, tuple(line for line in lines if _is_inside(line.span, span)))


def _nodes(plan: Plan) -> Iterator[tuple[str, object]]:
    for function in plan.functions.values():
        yield from ((function.name, node) for node in _all_nodes(function))
    for procedure in plan.procedures.values():
        yield from ((procedure.name, node) for node in _all_nodes(procedure))
    for block in plan.graph.blocks.values():
        yield from ((f"block {block.number}", node) for node in _all_nodes(block))


def _all_nodes(node: object) -> Iterator[object]:
    yield node
    for child in children(node):
        yield from _all_nodes(child)


def _span(node: object) -> Span | None:
    span = getattr(node, "span", None)
    return span if isinstance(span, Span) else None


def _is_inside(inner: Span | None, outer: Span) -> bool:
    if inner is None or inner.path != outer.path:
        return False
    starts = (outer.line, outer.column) <= (inner.line, inner.column)
    return starts and (inner.end_line, inner.end_column) <= (outer.end_line, outer.end_column)
