"""Generated Python for people to read, with the YAML places beside it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from attrs import frozen

from aodrules.compiler.codegen.ast_builder import span_of
from aodrules.compiler.codegen.module import Generated
from aodrules.source.spans import Span

WIDTH = 90
"""Where the places stand, if the line is not longer."""


@frozen
class SourceLine:
    """One line of generated Python, and the place in the YAML it came from."""

    function: str
    text: str
    span: Span | None


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
