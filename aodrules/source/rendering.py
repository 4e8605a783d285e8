"""Problems as text: in full with the lines they speak of, one line each, or as JSON.

Plain text; colour is for the command line.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from attrs import frozen

from aodrules.source.diagnostics import Diagnostic, Label, Note, Report
from aodrules.source.spans import Span
from aodrules.source.wording import count, join, printable

MOST_SHOWN = 100
_WIDEST_LINE = 160


@frozen
class _Mark:
    """A label together with the sign that underlines it."""

    label: Label
    sign: str


def format_report(report: Report, limit: int = MOST_SHOWN) -> str:
    """Return all problems in full, at most `limit` of them, with a closing line."""
    shown = list(report)[:limit]
    blocks = [format_diagnostic(each) for each in shown]
    return "\n\n".join([*blocks, *_closing(report, len(shown))]) + "\n" if blocks else ""


def format_lines(report: Report, limit: int = MOST_SHOWN) -> str:
    """Return all problems, one line each, for editors and continuous integration."""
    lines = [format_line(each) for each in list(report)[:limit]]
    return "\n".join([*lines, *_more(report, len(lines))]) + "\n" if lines else ""


def format_line(diagnostic: Diagnostic) -> str:
    """Return one problem on one line."""
    return f"{printable(str(diagnostic.primary.span))}: {_headline(diagnostic)}"


def format_json(report: Report) -> str:
    """Return all problems as JSON, with every span in full."""
    return json.dumps([_converter().unstructure(each) for each in report], ensure_ascii=False, indent=2) + "\n"


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
    marks = [_Mark(diagnostic.primary, "^"), *(_Mark(label, "-") for label in diagnostic.secondary)]
    for index, path in enumerate(dict.fromkeys(mark.label.span.path for mark in marks)):
        if index:
            yield " " * gutter + " |"
        here = [mark for mark in marks if mark.label.span.path == path]
        yield from _block(here, gutter, ":::" if index else "-->")


def _block(marks: list[_Mark], gutter: int, arrow: str) -> Iterator[str]:
    """Yield the lines of one file; the first mark gives the place that is named."""
    bar = " " * gutter + " |"
    yield f"{' ' * gutter}{arrow} {printable(str(marks[0].label.span))}"
    if not marks[0].label.span.source.text:
        return
    yield bar
    last = None
    for line in sorted({mark.label.span.line for mark in marks}):
        if last is not None and line > last + 1:
            yield "..."
        last = line
        yield from _marked_line([mark for mark in marks if mark.label.span.line == line], gutter)


def _marked_line(marks: list[_Mark], gutter: int) -> Iterator[str]:
    """Yield one line of the source and under it a line for each mark."""
    span = marks[0].label.span
    text = span.source.line(span.line)
    start = 0 if len(text) <= _WIDEST_LINE else max(0, span.column - 1 - _WIDEST_LINE // 4)
    text = printable(text[start : start + _WIDEST_LINE])
    yield f"{span.line:>{gutter}} | {text}".rstrip()
    for mark in sorted(marks, key=lambda each: each.label.span.sort_key):
        yield f"{' ' * gutter} | {_underline(mark, start, len(text))} {printable(mark.label.text)}".rstrip()


def _underline(mark: _Mark, start: int, width: int) -> str:
    span = mark.label.span
    left = min(max(span.column - 1 - start, 0), width)
    right = span.end_column - 1 - start if span.end_line == span.line else width
    return " " * left + mark.sign * max(1, min(right, width) - left)


def _note(note: Note, gutter: int) -> Iterator[str]:
    yield f"note: {printable(note.text)}"
    if note.span:
        yield from _block([_Mark(Label(note.span), "-")], gutter, "-->")


def _closing(report: Report, shown: int) -> Iterator[str]:
    errors = len(report.errors)
    counts = [count(errors, "error")] if errors else []
    if len(report) > errors:
        counts.append(count(len(report) - errors, "warning"))
    files = count(len({each.path for each in report}), "file")
    each = "each" if len(report) > 1 else "it"
    yield from _more(report, shown)
    yield f"{join(counts)} in {files}; `aodrules explain <code>` tells more about {each}"


def _more(report: Report, shown: int) -> Iterable[str]:
    left = len(report) - shown
    return [f"... and {left:,} more"] if left else []


def _converter() -> Any:
    from cattrs import Converter  # lazy: only reports for machines need it

    converter = Converter()
    converter.register_unstructure_hook(Span, _plain_span)
    plain = converter.gen_unstructure_attrs_fromdict(Diagnostic)
    converter.register_unstructure_hook(Diagnostic, lambda each: {**_plain_place(each), **plain(each)})
    return converter


def _plain_place(diagnostic: Diagnostic) -> dict[str, object]:
    return {"path": diagnostic.path, "line": diagnostic.line, "column": diagnostic.column}


def _plain_span(span: Span) -> dict[str, object]:
    return {
        "path": span.path,
        "line": span.line,
        "column": span.column,
        "end_line": span.end_line,
        "end_column": span.end_column,
    }
