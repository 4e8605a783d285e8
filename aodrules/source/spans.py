"""Places in source texts: the only module that knows how lines and columns are counted."""

from __future__ import annotations

from functools import cached_property

from attrs import field, frozen


@frozen(eq=False)
class Source:
    """One text that was read: where it came from and what it says."""

    path: str
    """As shown to people: relative to where the user stands, with forward slashes."""
    text: str = field(repr=False)

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """The lines of the text, without their ends."""
        return tuple(self.text.split("\n"))

    def line(self, number: int) -> str:
        """Return line `number`, counted from 1; empty beyond the end."""
        return self.lines[number - 1] if 0 < number <= len(self.lines) else ""

    def place(self, index: int) -> tuple[int, int]:
        """Return the line and column of an index into the text."""
        return self.text.count("\n", 0, index) + 1, index - self.text.rfind("\n", 0, index)


@frozen(order=False)
class Span:
    """A stretch of a source. Lines and columns start at 1 and count characters; the end is exclusive."""

    source: Source
    line: int
    column: int
    end_line: int
    end_column: int

    @property
    def path(self) -> str:
        """The path of the source, as shown to people."""
        return self.source.path

    @property
    def sort_key(self) -> tuple[str, int, int, int, int]:
        """A key that sorts spans by file and place."""
        return (self.path, self.line, self.column, self.end_line, self.end_column)

    def within(self, start: int, end: int) -> Span:
        """Return the part of a one-line span between two character offsets."""
        if self.line != self.end_line:
            return self
        width = self.end_column - self.column
        start, end = min(start, width), min(end, width)
        return Span(self.source, self.line, self.column + start, self.line, self.column + end)

    # As of the nodes of a tree, there are very many in a cached ruleset.
    def __reduce__(self) -> tuple[type[Span], tuple[object, ...]]:
        return Span, (self.source, self.line, self.column, self.end_line, self.end_column)

    def __str__(self) -> str:
        return f"{self.path}:{self.line}:{self.column}"
