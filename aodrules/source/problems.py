"""What can be wrong with a file before anything in it is read."""

from __future__ import annotations

from aodrules.source.diagnostics import Diagnostic, error
from aodrules.source.disk import LARGEST_FILE
from aodrules.source.spans import Source, Span
from aodrules.source.wording import quote


def _start(path: str) -> Span:
    return Span(Source(path, ""), 1, 1, 1, 1)


def unreadable_file(path: str, reason: str) -> Diagnostic:
    """A file that is named does not exist or cannot be opened."""
    return error("unreadable-file", f"{quote(path)} cannot be read: {reason}", at=_start(path))


def file_too_large(path: str, size: int) -> Diagnostic:
    """A file is larger than a document may be."""
    return error(
        "file-too-large",
        f"expected at most {LARGEST_FILE:,} bytes in one document, found {size:,}",
        at=_start(path),
        help="cut the document into several files",
    )


def not_utf8(path: str, text: str, line: int, column: int) -> Diagnostic:
    """A file is not text in the encoding of all documents."""
    return error(
        "not-utf8",
        "expected text in UTF-8, found a byte that does not belong there",
        at=Span(Source(path, text), line, column, line, column + 1),
        label="not UTF-8",
        help="save the file as UTF-8",
    )
