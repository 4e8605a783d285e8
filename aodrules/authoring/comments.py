"""The comments of a document, which its tree does not hold: found in its text, outside of every word."""

from __future__ import annotations

import re
from collections.abc import Iterator

from attrs import define

from aodrules.syntax.tree import Mapping, Node, Scalar, walk


@define
class Comment:
    """A comment with where it begins, and whether it has been written."""

    column: int
    text: str
    is_written: bool = False


def find_comments(root: Mapping) -> dict[int, Comment]:
    """Return the comments of a document by their lines: what follows a `#` outside of every word."""
    source = root.span.source
    lines = source.lines
    covered: dict[int, list[tuple[int, int]]] = {}
    for scalar in _all_scalars(root):
        span = scalar.span
        first, last, begins = span.line, span.end_line, span.column
        ends: int | None = span.end_column
        if scalar.block:
            first, begins, ends = span.line + 1, 1, None
            last = span.line + sum(1 for _ in lines_below(lines, span.line, scalar.text))
        for number in range(first, last + 1):
            whole = len(lines[number - 1]) + 1
            begin, end = begins if number == first else 1, ends if number == last and ends is not None else whole
            covered.setdefault(number, []).append((begin, end))
    found = {}
    for number, text in enumerate(lines, 1):
        for sign in re.finditer(r"(?:^|(?<=\s))#", text):
            column = sign.start() + 1
            if not any(begin <= column < end for begin, end in covered.get(number, ())):
                comment = text[sign.start() :].rstrip()
                found[number] = Comment(column, re.sub(r"^#(?=[^\s#!])", "# ", comment))
                break
    return found


def _all_scalars(node: Node) -> Iterator[Scalar]:
    for each in walk(node):
        if isinstance(each, Scalar):
            yield each
        elif isinstance(each, Mapping):
            yield from (entry.key for entry in each)


def lines_below(lines: tuple[str, ...], sign: int, text: str) -> Iterator[str]:
    """Iterate over the lines of a block scalar whose sign stands on a line."""
    opened = lines[sign - 1]
    # The dashes of a list count as indentation of what stands behind them.
    outer = len(opened) - len(opened.lstrip(" -"))
    content = []
    for line in lines[sign:]:
        if line.strip() and len(line) - len(line.lstrip()) <= outer:
            break
        content.append(line)
    while content and not content[-1].strip():
        content.pop()
    if text.strip():
        yield from content
