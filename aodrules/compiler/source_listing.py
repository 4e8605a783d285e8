"""Generated Python for people to read, with the YAML places beside it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from attrs import frozen

from aodrules.compiler.codegen.ast_builder import span_of
from aodrules.compiler.codegen.module import Generated
from aodrules.compiler.readable import Legend, readable_statement
from aodrules.source.spans import Span

WIDTH = 90
"""Where the places stand, if the line is not longer."""
_NOTE = (
    "# For reading: cells are named by their fields, bits by the members they count, frames by their variables.",
    "# K0, K1, ... are tables that are filled while games are played. `--raw` prints the Python that runs.",
)


@frozen
class SourceLine:
    """One line of generated Python, and the place in the YAML it came from; in words a wide one is broken up."""

    text: str
    span: Span | None


def format_listing(generated: Generated, legend: Legend | None = None) -> str:
    """Return all generated Python, as it runs or with a legend in words, and YAML places where they change."""
    functions = []
    for name, path, tree in generated.functions:
        label = None if legend is None else legend.label(name)
        title = path if label is None else f"{path}: {label.says}"
        functions += ["", f"# {title}", *_commented(lines_of(name, tree, legend))]
    if legend is None:
        tables = [f"{name} = {{}}" for name in generated.tables]
        return "\n".join([*constant_lines(generated), *tables, *functions]) + "\n"
    return "\n".join([*_NOTE, *constant_lines(generated, legend, functions), *functions]) + "\n"


def constant_lines(generated: Generated, legend: Legend | None = None, lines: Iterable[str] = ()) -> list[str]:
    """Return what the constants are: all of them as they run, or in words those that some lines mention."""
    if legend is None:
        return [f"{name} = {value!r}" for name, value in generated.constants.items()]
    mentioned = {word for line in lines for word in re.findall(r"\bC\d+\b", line)}
    texts = [f"{name} = {legend.table(name)}" for name in generated.constants if name in mentioned]
    return [text if len(text) <= WIDTH else f"{text[:WIDTH]} ..." for text in texts]


def excerpt(lines: Sequence[SourceLine], wanted: Iterable[int]) -> list[str]:
    """Return some lines of a function with the heads of all statements around them; heads of others have dots."""
    shown: set[int] = set()
    for number in wanted:
        depth = _depth(lines[number].text)
        shown.add(number)
        for before in range(number - 1, -1, -1):
            if _depth(lines[before].text) < depth:
                shown.add(before)
                # Before `else` there is the `if` it belongs to, at the same depth.
                depth = _depth(lines[before].text) + lines[before].text.lstrip().startswith("el")
    texts = [lines[number].text for number in sorted(shown)]
    dotted: list[str] = []
    for text, following in pairwise([*texts, ""]):
        dotted.append(text)
        if text.endswith(":") and _depth(following) <= _depth(text):
            dotted.append(f"{' ' * (_depth(text) + 4)}...")
    return dotted


def _depth(text: str) -> int:
    return len(text) - len(text.lstrip())


def _commented(lines: list[SourceLine]) -> Iterator[str]:
    before = None
    for line in lines:
        place = None if line.span is None else f"{line.span.path}:{line.span.line}"
        first, *more = line.text.split("\n")
        yield first if place is None or place == before else f"{first.ljust(WIDTH)}  # {place}"
        yield from more
        before = place or before


def lines_of(name: str, tree: ast.FunctionDef, legend: Legend | None = None) -> list[SourceLine]:
    """Return the lines of a function, each with the place of its statement: as they run, or with a legend in words."""
    return list(_lines(tree, 0, name, None if legend is None else legend.inside(tree)))


def _lines(
    statement: ast.stmt, depth: int, function: str, legend: Legend | None, *, is_else: bool = False
) -> Iterator[SourceLine]:
    indent = "    " * depth
    shown = statement if legend is None else readable_statement(legend, statement, function)
    bodies: list[ast.stmt] = getattr(statement, "body", [])
    if not bodies:
        yield SourceLine(f"{indent}{ast.unparse(shown)}", span_of(statement))
        return
    head = _head(shown, None if legend is None else WIDTH - 4 * depth, f"{indent}        ")
    yield SourceLine(f"{indent}{'el' if is_else else ''}{head}", span_of(statement))
    for inner in bodies:
        yield from _lines(inner, depth + 1, function, legend)
    otherwise: list[ast.stmt] = getattr(statement, "orelse", [])
    if len(otherwise) == 1 and isinstance(statement, ast.If) and isinstance(otherwise[0], ast.If):
        yield from _lines(otherwise[0], depth, function, legend, is_else=True)
    elif otherwise:
        yield SourceLine(f"{indent}else:", None)
        for inner in otherwise:
            yield from _lines(inner, depth + 1, function, legend)


def _head(statement: ast.stmt, width: int | None, indent: str) -> str:
    """Return the beginning of a statement that has others inside; a condition that is too wide is broken up."""
    if isinstance(statement, ast.If):
        return f"if {format_condition(statement.test, width, indent)}:"
    if isinstance(statement, ast.While):
        return f"while {format_condition(statement.test, width, indent)}:"
    if isinstance(statement, ast.For):
        return f"for {ast.unparse(statement.target)} in {ast.unparse(statement.iter)}:"
    assert isinstance(statement, ast.FunctionDef)
    return f"def {statement.name}({ast.unparse(statement.args)}):"


def format_condition(test: ast.expr, width: int | None, indent: str) -> str:
    """Return a condition on one line or, if it is too wide, each operand of `and` and `or` on a line of its own."""
    text = ast.unparse(test)
    if width is None or len(text) <= width or not isinstance(test, ast.BoolOp):
        return text
    word = "and" if isinstance(test.op, ast.And) else "or"
    operands = [
        f"({inner})" if isinstance(operand, ast.BoolOp | ast.IfExp) else inner
        for operand in test.values
        for inner in [format_condition(operand, width - 4, f"{indent}    ")]
    ]
    return f"\n{indent}{word} ".join(operands)
