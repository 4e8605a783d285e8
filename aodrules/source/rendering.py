"""Problems as text: in full with the lines they speak of, one line each, or as JSON.

Plain text; colour is for the command line.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from attrs import asdict
from attrs.filters import exclude

from aodrules.source.diagnostics import Diagnostic, Label, Note, Report
from aodrules.source.spans import Span
from aodrules.source.wording import count, join, printable

MOST_SHOWN = 100
_WIDEST_LINE = 160


def format_report(report: Report) -> str:
    """Return the first problems in full, with a closing line."""
    blocks = [format_diagnostic(each) for each in list(report)[:MOST_SHOWN]]
    return "\n\n".join([*blocks, *_more(report), _closing(report)]) + "\n" if blocks else ""


def format_lines(report: Report) -> str:
    """Return the first problems, one line each, for editors and continuous integration."""
    lines = [format_line(each) for each in list(report)[:MOST_SHOWN]]
    return "\n".join([*lines, *_more(report)]) + "\n" if lines else ""


def format_line(diagnostic: Diagnostic) -> str:
    """Return one problem on one line."""
    return f"{printable(str(diagnostic.primary.span))}: {_headline(diagnostic)}"


def format_json(report: Report) -> str:
    """Return all problems as JSON, with every span in full."""
    return json.dumps([_plain(each) for each in report], ensure_ascii=False, indent=2) + "\n"


def format_diagnostic(diagnostic: Diagnostic) -> str:
    """Return one problem in full: message, lines with carets, help and notes."""
    gutter = _gutter(diagnostic)
    after = [f"help: {printable(diagnostic.help)}"] if diagnostic.help else []
    for note in diagnostic.notes:
        after += _note(note, gutter)
    lines = [_headline(diagnostic), *_blocks(diagnostic, gutter)]
    bar = [" " * gutter + " |"] if after and diagnostic.primary.span.source.text else []
    return "\n".join([*lines, *bar, *after])


def _headline(diagnostic: Diagnostic) -> str:
    return f"{diagnostic.severity}[{diagnostic.code}]: {printable(diagnostic.message)}"


def _gutter(diagnostic: Diagnostic) -> int:
    labels = [diagnostic.primary, *diagnostic.secondary]
    spans = [label.span for label in labels] + [note.span for note in diagnostic.notes if note.span]
    return max(len(str(span.line)) for span in spans)


def _blocks(diagnostic: Diagnostic, gutter: int) -> Iterator[str]:
    """Yield the lines of every file the problem speaks of, that of the primary span first."""
    labels = [diagnostic.primary, *diagnostic.secondary]
    for index, path in enumerate(dict.fromkeys(label.span.path for label in labels)):
        if index:
            yield " " * gutter + " |"
        here = [label for label in labels if label.span.path == path]
        yield from _block(here, gutter, ":::" if index else "-->", diagnostic.primary)


def _block(labels: list[Label], gutter: int, arrow: str, primary: Label | None = None) -> Iterator[str]:
    """Yield the lines of one file; the first label gives the place that is named."""
    bar = " " * gutter + " |"
    yield f"{' ' * gutter}{arrow} {printable(str(labels[0].span))}"
    if not labels[0].span.source.text:
        return
    yield bar
    last = None
    for line in sorted({label.span.line for label in labels}):
        if last is not None and line > last + 1:
            yield "..."
        last = line
        yield from _marked_line([label for label in labels if label.span.line == line], gutter, primary)


def _marked_line(labels: list[Label], gutter: int, primary: Label | None) -> Iterator[str]:
    """Yield one line of the source and under it a line for each label."""
    span = labels[0].span
    text = span.source.line(span.line)
    start = 0 if len(text) <= _WIDEST_LINE else max(0, span.column - 1 - _WIDEST_LINE // 4)
    text = printable(text[start : start + _WIDEST_LINE])
    yield f"{span.line:>{gutter}} | {text}".rstrip()
    for label in sorted(labels, key=lambda each: each.span.sort_key):
        line = _underline(label.span, "^" if label is primary else "-", start, len(text))
        yield f"{' ' * gutter} | {line} {printable(label.text)}".rstrip()


def _underline(span: Span, sign: str, start: int, width: int) -> str:
    left = min(max(span.column - 1 - start, 0), width)
    right = span.end_column - 1 - start if span.end_line == span.line else width
    return " " * left + sign * max(1, min(right, width) - left)


def _note(note: Note, gutter: int) -> Iterator[str]:
    yield f"note: {printable(note.text)}"
    if note.span:
        yield from _block([Label(note.span)], gutter, "-->")


def _closing(report: Report) -> str:
    errors = len(report.errors)
    counts = [count(errors, "error")] if errors else []
    if len(report) > errors:
        counts.append(count(len(report) - errors, "warning"))
    files = count(len({each.path for each in report}), "file")
    each = "each" if len(report) > 1 else "it"
    return f"{join(counts)} in {files}; `aodrules explain <code>` tells more about {each}"


def _more(report: Report) -> list[str]:
    left = len(report) - MOST_SHOWN
    return [f"... and {left:,} more"] if left > 0 else []


def _plain(diagnostic: Diagnostic) -> dict[str, Any]:
    place = {"path": diagnostic.path, "line": diagnostic.line, "column": diagnostic.column}
    rest = asdict(diagnostic, filter=exclude("repeats"), value_serializer=_plain_span)
    return {**place, **rest, "repeats": [_plain(each) for each in diagnostic.repeats]}


def _plain_span(_holder: object, _field: object, value: Any) -> Any:
    return {"path": value.path, **asdict(value, filter=exclude("source"))} if isinstance(value, Span) else value
