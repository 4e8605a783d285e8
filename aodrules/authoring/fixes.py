"""Certain cures put into the files they are for."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from attrs import frozen

from aodrules.source.diagnostics import Diagnostic, Fix
from aodrules.source.spans import Span


@frozen(eq=False)
class Fixed:
    """A problem that was cured."""

    problem: Diagnostic
    before: str
    after: str


def fix_files(found: Iterable[Diagnostic], allowed: Iterable[Path]) -> list[Fixed]:
    """Put the cures of problems into files, as far as these are allowed to be written; return what was cured.

    Of two cures that touch each other the first is done; the other shows again in the next check.
    """
    mine = {path.absolute() for path in allowed}
    chosen: dict[Path, list[Diagnostic]] = {}
    for problem in (one for each in found for one in (each, *each.repeats)):
        path = Path(problem.fix.span.path).absolute() if problem.fix is not None else None
        if path is not None and path in mine and not _touches(problem, chosen.get(path, [])):
            chosen.setdefault(path, []).append(problem)
    return [fixed for path, problems in chosen.items() for fixed in _fix_file(path, problems)]


def _touches(problem: Diagnostic, others: Iterable[Diagnostic]) -> bool:
    return any(_overlap(_fix(problem).span, _fix(other).span) for other in others)


def _fix(problem: Diagnostic) -> Fix:
    assert problem.fix is not None  # only problems with a cure are looked at
    return problem.fix


def _overlap(one: Span, other: Span) -> bool:
    first, second = sorted((one, other), key=lambda span: span.sort_key)
    return (first.end_line, first.end_column) > (second.line, second.column) or first.sort_key == second.sort_key


def _fix_file(path: Path, problems: list[Diagnostic]) -> list[Fixed]:
    """Write one file anew, from its end to its beginning, so that places stay true."""
    text = path.read_bytes().decode("utf-8")
    done: list[Fixed] = []
    for problem in sorted(problems, key=lambda each: _fix(each).span.sort_key, reverse=True):
        start, end = offsets(text, _fix(problem).span)
        done.append(Fixed(problem, text[start:end], _fix(problem).replacement))
        text = text[:start] + _fix(problem).replacement + text[end:]
    path.write_bytes(text.encode("utf-8"))
    return done[::-1]


def offsets(text: str, span: Span) -> tuple[int, int]:
    """Return where a span begins and ends in a text, whatever ends its lines; a byte order mark is kept."""
    lines = text.splitlines(keepends=True)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    mark = 1 if text.startswith("\ufeff") else 0
    places = ((span.line, span.column), (span.end_line, span.end_column))
    first, last = (starts[min(line - 1, len(lines))] + column - 1 + mark * (line == 1) for line, column in places)
    return first, last
