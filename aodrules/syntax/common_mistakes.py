"""Slips of the pen at which YAML's parser stops a line too late: found by looking at the lines around."""

from __future__ import annotations

import re

from aodrules.source.diagnostics import Diagnostic, Fix
from aodrules.source.spans import Source, Span
from aodrules.syntax import problems
from aodrules.syntax.flow_style import in_quotes

GLUED = re.compile(r"(?P<key>[A-Za-z_][\w.-]*):(?P<rest>[^\s:/].*)")
"""A key and its value without a space between them."""
_GLUED_LINE = re.compile(rf"(?P<white>\s*(?:- +)?){GLUED.pattern}")
_COMPLETE = re.compile(r"(?P<white> *)(?:- +)?[A-Za-z_][\w.-]*: +(?![|>])\S.*")
_LAST_KEY = re.compile(r"(?:^|[\s{,-])[A-Za-z_][\w.-]*: +(?=\S)")


def slip_above(source: Source, line: int) -> Diagnostic | None:
    """Return what is wrong with the line above one that cannot stand there."""
    above = next((number for number in range(line - 1, 0, -1) if source.line(number).strip()), None)
    return None if above is None else missing_space(source, above) or _too_deep(source, line, above)


def missing_space(source: Source, line: int) -> Diagnostic | None:
    """Return that a line lacks the space behind the colon of its key, if that is so."""
    found = _GLUED_LINE.fullmatch(source.line(line))
    if found is None:
        return None
    return glued(
        Span(source, line, found.start("key") + 1, line, found.end() + 1), found.end("key") - found.start("key")
    )


def glued(at: Span, key: int) -> Diagnostic:
    """Return that a key, so long, stands together with its value."""
    colon = at.column + key
    fix = Fix(Span(at.source, at.line, colon, at.line, colon + 1), ": ")
    return problems.invalid_yaml(at, "no-space", fix)


def _too_deep(source: Source, line: int, above: int) -> Diagnostic | None:
    """Return that a line is indented deeper than the one above, which has its value already."""
    complete, text = _COMPLETE.fullmatch(source.line(above)), source.line(line)
    white = len(text) - len(text.lstrip(" "))
    if complete is None or white <= len(complete["white"]):
        return None
    at = Span(source, line, white + 1, line, len(text) + 1)
    return problems.invalid_yaml(at, "deeper", Fix(Span(source, line, 1, line, white + 1), complete["white"]))


def cut_by_apostrophe(source: Source, start: int, mark: int) -> Diagnostic | None:
    """Return that a text in single quotes ends at its own apostrophe, if that is so."""
    text = source.text
    if text[start : start + 1] != "'" or text[mark - 1] != "'" or not text[mark : mark + 1].isalpha():
        return None
    end = text.find("\n", mark)
    last = text.rfind("'", mark, end if end >= 0 else len(text))
    whole = None if last < 0 or '"' in text[start:last] else f'"{text[start + 1 : last]}"'
    at, line = _column(text, mark - 1), text.count("\n", 0, mark) + 1
    fix = None if whole is None else Fix(Span(source, line, _column(text, start), line, _column(text, last + 1)), whole)
    return problems.invalid_yaml(Span(source, line, at, line, at + 1), "apostrophe", fix)


def second_colon(at: Span, *, in_flow: bool) -> Fix | None:
    """Return the quotes around a text with a colon in it, if it is certain where it begins and ends."""
    line = at.source.line(at.line)
    keys = list(_LAST_KEY.finditer(line, 0, at.column - 1))
    if not keys:
        return None
    start = keys[-1].end()
    closing = re.search(r"[,}\]]", line[at.column - 1 :]) if in_flow else None
    whole = line[start : len(line) if closing is None else at.column - 1 + closing.start()].rstrip()
    quoted = None if " #" in whole or whole[:1] in "\"'" else in_quotes(whole)
    return None if quoted is None else Fix(Span(at.source, at.line, start + 1, at.line, start + len(whole) + 1), quoted)


def _column(text: str, index: int) -> int:
    return index - text.rfind("\n", 0, index)
