"""Documents in the house form: the same declarations in the same order with all comments, evenly laid out."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import yaml
from attrs import define, field

from aodrules.authoring.comments import Comment, find_comments, lines_below
from aodrules.authoring.shortening import shorten
from aodrules.errors import InternalError
from aodrules.source.diagnostics import Report
from aodrules.source.spans import Source
from aodrules.syntax.scalars import is_ambiguous, meaning
from aodrules.syntax.tree import Entry, Mapping, Node, Scalar, Sequence, items_of, walk
from aodrules.syntax.yaml_reader import read_yaml

WIDTH = 150
"""What is written in braces or brackets stands on one line up to this column."""
_INDENT = "  "


def format_document(source: Source, report: Report) -> str | None:
    """Return a document in the house form; nothing where it cannot be read, and why is reported."""
    root = read_yaml(source, report)
    if root is None or report.has_errors:
        return None
    root = shorten(root)
    text = _DocumentWriter(root.span.source, find_comments(root)).write(root)
    again = read_yaml(Source(source.path, text), Report())
    if again is None or again.plain() != root.plain():
        raise InternalError(f"{source.path} would mean something else in the house form")
    return text


@define
class _Line:
    """A line to write: what opens it, what follows after a gap, and a comment behind both."""

    start: str
    rest: str = ""
    gap: int = 1
    """How many spaces stood between the two."""
    comment: Comment | None = None
    is_row: bool = False
    """Whether the line is a whole entry, so that its value may stand in a column with those of its neighbours."""


@define
class _DocumentWriter:
    """Writes a tree as text, with the comments of its source."""

    source: Source
    comments: dict[int, Comment]
    _lines: list[_Line] = field(factory=list)
    _done: int = 0
    """The last line of the source whose comments were looked at."""

    def write(self, root: Mapping) -> str:
        """Return the whole text."""
        self._mapping(root, 0, "")
        self._write_lead(len(self.source.lines) + 1, 0, 1)
        lost = [comment.text for comment in self.comments.values() if not comment.is_written]
        if lost:
            raise InternalError(f"{self.source.path}: the comment {lost[0]!r} has no place in the house form")
        while self._lines and not self._lines[-1].start:
            self._lines.pop()
        _align(self._lines)
        return "".join(f"{_joined(line)}\n" for line in self._lines)

    # Collections in block form.

    def _mapping(self, mapping: Mapping, indent: int, dash: str) -> None:
        """Write the entries of a mapping under each other; a dash stands before the first one of an item."""
        for number, entry in enumerate(mapping):
            opening = " " * indent
            if dash and number == 0:
                opening = dash
            else:
                self._write_lead(entry.key.span.line, indent, entry.key.span.column)
            self._entry(entry, indent, opening)

    def _sequence(self, sequence: Sequence, indent: int, outer: str = "") -> None:
        for number, item in enumerate(sequence):
            if outer and number == 0:
                dash = f"{outer}- "
            else:
                self._write_lead(self._first_line(item), indent, max(1, item.span.column - 2))
                dash = f"{' ' * indent}- "
            if isinstance(item, Scalar):
                self._scalar(dash.rstrip(" "), item, indent, is_row=False)
            elif self._stands_on_one_line(item, len(dash)):
                self._add(_Line(f"{dash}{_flow(item)}"), item.span.end_line)
            elif isinstance(item, Mapping):
                self._mapping(item, indent + 2, dash)
            else:
                self._sequence(item, indent + 2, dash)

    def _first_line(self, item: Node) -> int:
        """Return where the first word of an item stands: dashes before it may stand on lines of their own."""
        while isinstance(item, Sequence) and not self._is_flow(item):
            item = item.items[0]
        return item.span.line

    def _entry(self, entry: Entry, indent: int, opening: str) -> None:
        start, value = f"{opening}{_key(entry.key)}:", entry.value
        if isinstance(value, Scalar):
            self._scalar(start, value, indent, is_row=True, after=entry.key)
        elif self._stands_on_one_line(value, len(start) + 1):
            self._add(_Line(start, _flow(value), self._gap(entry.key, value), is_row=True), value.span.end_line)
        elif self._is_list_of_words(value):
            self._filled(start, value, indent)
        else:
            # A comment behind braces that are opened belongs to what stands in them.
            line = _Line(start, comment=None if self._is_flow(value) else self._comment_at(entry.key.span.line))
            self._lines.append(line)
            self._done = max(self._done, entry.key.span.line - self._is_flow(value))
            if isinstance(value, Mapping):
                self._mapping(value, indent + 2, "")
            else:
                self._sequence(value, indent + 2)

    def _stands_on_one_line(self, node: Mapping | Sequence, column: int) -> bool:
        """Whether a collection is written in braces or brackets: it was, has no comment inside, and fits."""
        if not self._is_flow(node):
            return False
        inside = range(node.span.line, node.span.end_line)
        if any(line in self.comments for line in inside):
            return len(node) == 0
        has_lines = any(isinstance(each, Scalar) and each.span.line != each.span.end_line for each in walk(node))
        return len(node) == 0 or (not has_lines and column + len(_flow(node)) <= WIDTH)

    def _is_flow(self, node: Mapping | Sequence) -> bool:
        return self.source.line(node.span.line)[node.span.column - 1 : node.span.column] in ("{", "[")

    def _is_list_of_words(self, node: Node) -> bool:
        """Whether a list of words in brackets is only too long for one line."""
        if not isinstance(node, Sequence) or not self._is_flow(node):
            return False
        has_comment = any(line in self.comments for line in range(node.span.line, node.span.end_line))
        return not has_comment and len(node) > 1 and all(isinstance(item, Scalar) for item in node)

    def _filled(self, start: str, node: Node, indent: int) -> None:
        """Write a list of words in brackets over as many lines as it needs."""
        first, *words = [f"{_flow(item)}," for item in items_of(node)]
        lines = [f"{start} [{first}"]
        for word in [*words[:-1], f"{words[-1][:-1]}]"]:
            if len(lines[-1]) + 1 + len(word) <= WIDTH:
                lines[-1] += f" {word}"
            else:
                lines.append(f"{' ' * (indent + 2)}{word}")
        self._lines += [_Line(line) for line in lines[:-1]]
        self._add(_Line(lines[-1]), node.span.end_line)

    # Scalars.

    def _scalar(self, start: str, scalar: Scalar, indent: int, *, is_row: bool, after: Scalar | None = None) -> None:
        if scalar.block:
            self._block_scalar(start, scalar, indent)
        elif scalar.is_empty:
            self._add(_Line(start), after.span.line if after is not None else scalar.span.line)
        elif scalar.span.line != scalar.span.end_line:
            self._folded(start, scalar, indent)
        else:
            gap = self._gap(after, scalar) if after is not None else 1
            self._add(
                _Line(start, _plain_or_quoted(self._written(scalar), "block"), gap, is_row=is_row), scalar.span.line
            )

    def _block_scalar(self, start: str, scalar: Scalar, indent: int) -> None:
        """Write a text of several lines as it was, under its sign."""
        lines = self.source.lines
        sign = lines[scalar.span.line - 1][scalar.span.column - 1 :].split(" #")[0].strip()
        self._add(_Line(start, sign), scalar.span.line)
        content = list(lines_below(lines, scalar.span.line, scalar.text))
        width = min((len(line) - len(line.lstrip()) for line in content if line.strip()), default=0)
        for line in content:
            self._lines.append(_Line(f"{' ' * (indent + 2)}{line[width:]}".rstrip()))
        self._done = scalar.span.line + len(content)

    def _folded(self, start: str, scalar: Scalar, indent: int) -> None:
        """Write a word that goes over several lines as it was, its further lines one step in."""
        first, *rest = self._written(scalar).split("\n")
        self._lines.append(_Line(start, first.strip()))
        self._lines += [_Line(f"{' ' * (indent + 2)}{line.strip()}".rstrip()) for line in rest]
        self._done = scalar.span.end_line
        self._lines[-1].comment = self._comment_at(scalar.span.end_line)

    def _written(self, scalar: Scalar) -> str:
        """Return what stands in the source, with quotes."""
        span, lines = scalar.span, self.source.lines
        if span.line == span.end_line:
            return lines[span.line - 1][span.column - 1 : span.end_column - 1]
        between = lines[span.line : span.end_line - 1]
        return "\n".join(
            (lines[span.line - 1][span.column - 1 :], *between, lines[span.end_line - 1][: span.end_column - 1])
        )

    def _gap(self, key: Scalar, value: Node) -> int:
        """Return how far a value stands from its key; 1 if on another line."""
        if value.span.line != key.span.end_line:
            return 1
        return max(1, value.span.column - key.span.end_column - 1)

    # Comments and empty lines.

    def _add(self, line: _Line, at: int) -> None:
        """Add a line, with the comment that stands behind it in the source."""
        line.comment = self._comment_at(at)
        self._lines.append(line)
        self._done = max(self._done, at)

    def _comment_at(self, line: int) -> Comment | None:
        comment = self.comments.get(line)
        if comment is None or comment.is_written:
            return None
        comment.is_written = True
        return comment

    def _write_lead(self, until: int, indent: int, column: int) -> None:
        """Write the comments and empty lines above a line; comments that stood further in stay so."""
        for number in range(self._done + 1, until):
            comment = self.comments.get(number)
            if comment is not None and not comment.is_written:
                comment.is_written = True
                self._lines.append(_Line(f"{' ' * (indent + max(0, comment.column - column))}{comment.text}"))
            elif not self.source.line(number).strip() and self._lines and self._lines[-1].start:
                self._lines.append(_Line(""))
        self._done = max(self._done, until - 1)


# Flow form.


def _flow(node: Node) -> str:
    """Return a node on one line, as it stands in braces and brackets."""
    if isinstance(node, Mapping):
        return f"{{{', '.join(_flow_entry(entry) for entry in node)}}}"
    if isinstance(node, Sequence):
        return f"[{', '.join(_flow(item) for item in node)}]"
    return "" if node.is_empty else _plain_or_quoted(_one_line(node), "flow")


def _flow_entry(entry: Entry) -> str:
    return f"{_key(entry.key)}: {_flow(entry.value)}"


def _key(key: Scalar) -> str:
    return _plain_or_quoted(_one_line(key), "key")


def _one_line(scalar: Scalar) -> str:
    span = scalar.span
    return span.source.line(span.line)[span.column - 1 : span.end_column - 1]


@lru_cache(4096)
def _plain_or_quoted(written: str, where: str) -> str:
    """Return a word without its quotes where they are not needed."""
    if not written.startswith(('"', "'")):
        return written
    text = yaml.safe_load(written)
    around = {"flow": "{{k: {}}}", "block": "k: {}", "key": "{}: k"}[where]
    if not isinstance(text, str) or not text or meaning(text) != text or is_ambiguous(text) or "#" in text:
        return written
    try:
        again = yaml.load(around.format(text), yaml.BaseLoader)  # noqa: S506 - it makes words only
    except yaml.YAMLError:
        return written
    expected = {text: "k"} if where == "key" else {"k": text}
    return text if again == expected and text == text.strip() else written


# Columns.


def _joined(line: _Line) -> str:
    text = f"{line.start}{' ' * line.gap}{line.rest}" if line.rest else line.start
    if line.comment is None:
        return text
    return f"{text}{' ' * max(2, line.comment.column - 1 - len(text))}{line.comment.text}"


def _align(lines: list[_Line]) -> None:
    """Let values stand in one column where they did in the source, as near to the longest key as can be."""
    for run in _runs(lines):
        is_column = len(run) > 1 and any(line.gap > 1 for line in run)
        column = max(len(line.start) for line in run) + 1
        for line in run:
            line.gap = column - len(line.start) if is_column else 1


def _runs(lines: list[_Line]) -> Iterator[list[_Line]]:
    """Iterate over neighbours whose values stand in one column, at the same depth."""
    run: list[_Line] = []
    for line in lines:
        if run and line.is_row and _column(line) == _column(run[-1]) and _depth(line) == _depth(run[-1]):
            run.append(line)
            continue
        if run:
            yield run
        run = [line] if line.is_row else []
    if run:
        yield run


def _column(line: _Line) -> int:
    return len(line.start) + line.gap


def _depth(line: _Line) -> int:
    return len(line.start) - len(line.start.lstrip(" -"))
