"""What YAML's own parser says, in the words of our problems."""

from __future__ import annotations

import re

import yaml

from aodrules.source.diagnostics import Diagnostic, Fix
from aodrules.source.spans import Source, Span
from aodrules.syntax import problems
from aodrules.syntax.common_mistakes import cut_by_apostrophe, missing_space, second_colon, slip_above
from aodrules.syntax.flow_style import expression_end, in_quotes, last_open

# Patterns of both parsers, the one in C and the one in Python, in the order they are tried.
_REASONS = (
    (r"tab character", "tab"),
    (r"unexpected end of stream", "quote"),
    (r"escape|did not find expected hexdecimal|expected escape sequence", "escape"),
    (r"mapping values are not allowed", "colon"),
    (r"found unexpected ':'", "no-value"),
    (r"could not find expected ':'", "no-colon"),
    (r"expected ',' or|expected (the )?node content", "bracket"),
    (r"cannot start any token", "start"),
    (
        r"expected key|'-' indicator|<block end>|block end|entries are not allowed|<document start>|mapping keys",
        "indent",
    ),
)
# A word with an index behind a bracket, a comma or a key.
_INDEXED = re.compile(r"(?:[\[{,]|: )\s*(?P<word>[A-Za-z_][\w.]*)(?:\[[^\[\]\n]*\][\w.]*)+\s*")
_LONG_KEY = re.compile(r"\s*[^\s:]{1000,}:")  # YAML looks no further for the colon.
_FEATURES = (
    (r"alias", "aliases"),
    (r"anchor", "anchors"),
    (r"tag", "tags"),
    (r"directive", "directives"),
)


def yaml_problem(error: Exception, source: Source, last: tuple[int, int] | None) -> Diagnostic:
    """Return our problem for one of YAML's.

    Args:
        error: What the parser raised.
        source: What it was reading.
        last: Where the last value before it starts and ends, as indices into the text.
    """
    if not isinstance(error, yaml.MarkedYAMLError) or error.problem_mark is None:
        return problems.invalid_yaml(Span(source, 1, 1, 1, 1), "other")
    words = f"{error.context or ''} {error.problem or ''}"
    mark = min(error.problem_mark.index, len(source.text))
    at = _span(source, mark)
    feature = next(
        (
            name
            for pattern, name in _FEATURES
            if re.search(rf"(parsing|scanning) an? (%?\w+ )?{pattern}|{pattern} handle", words)
        ),
        None,
    )
    if feature is not None:
        start = error.context_mark.index if error.context_mark else mark
        return problems.forbidden_yaml_feature(_span(source, start), feature)
    reason = next((reason for pattern, reason in _REASONS if re.search(pattern, words)), "other")
    found = None
    if reason in {"bracket", "indent"} and last is not None:
        found = _cut_expression(source, mark, last, in_flow=reason == "bracket")
        found = found or (cut_by_apostrophe(source, last[0], mark) if last[1] == mark else None)
    elif reason == "start":
        found = _indexed_expression(source, mark)
    if found is not None:
        return found
    return _locate(error, source, at, reason)


def _locate(error: yaml.MarkedYAMLError, source: Source, at: Span, reason: str) -> Diagnostic:
    """Return the problem where a bracket or quote was opened, at the tab, or else where the parser stopped."""
    opened = at if error.context_mark is None else _span(source, min(error.context_mark.index, len(source.text)))
    line = source.line(at.line)
    tab = line.find("\t", 0, len(line) - len(line.lstrip()))
    if tab >= 0 and reason in {"start", "indent", "other", "tab", "colon"}:
        return problems.invalid_yaml(Span(source, at.line, tab + 1, at.line, tab + 2), "tab")
    if reason == "bracket":
        last = last_open(source.text) if _is_end(source, at) else None
        opened = opened if last is None else _span(source, last)
        if opened.line != at.line:
            return problems.invalid_yaml(opened, "unclosed")
    in_flow = reason == "bracket"
    reason = _closer_reason(reason, line[: at.column - 1], line[at.column - 1 : at.column])
    if reason in {"no-colon-above", "no-colon"} and _LONG_KEY.match(line):
        start = len(line) - len(line.lstrip()) + 1
        return problems.invalid_yaml(Span(source, at.line, start, at.line, line.index(":") + 1), "long-key")
    slip = {"no-colon-above": slip_above, "no-colon": missing_space}.get(reason)
    found = None if slip is None else slip(source, opened.line if reason == "no-colon" else at.line)
    if found is not None:
        return found
    if reason == "no-colon-above":
        at = Span(source, at.line, len(line) - len(line.lstrip()) + 1, at.line, at.column)
    fix = second_colon(at, in_flow=in_flow) if reason == "colon" else None
    return problems.invalid_yaml(opened if reason in {"quote", "no-colon"} else at, reason, fix)


def _is_end(source: Source, at: Span) -> bool:
    """Whether nothing follows a place."""
    return at.line >= source.text.rstrip().count("\n") + 2


def _closer_reason(reason: str, before: str, sign: str) -> str:
    """Return a reason that fits better, by what stands on the line."""
    if reason == "bracket":
        return {":": "colon", "]": "unopened", "}": "unopened", "": "end"}.get(sign, reason)
    if reason == "colon" and ":" not in before:
        return "no-colon-above"
    if reason in {"indent", "other", "start"} and not sign:
        return "end"
    return "after" if reason == "indent" and before.strip() else reason


def _cut_expression(source: Source, mark: int, last: tuple[int, int], *, in_flow: bool) -> Diagnostic | None:
    """Return the problem of an expression that was cut at a bracket, if that is what happened."""
    text = source.text
    start, end = last
    if not start < end <= mark or "\n" in text[end:mark].strip(" "):
        return None
    sign, closing = text[mark : mark + 1], text[end - 1]
    follows_bracket = closing in "]}" and text[start] in "[{"
    if not (follows_bracket or (in_flow and sign in "[{" and sign)):
        return None
    whole_end = expression_end(text, start, in_flow=in_flow)
    if whole_end is None or whole_end <= mark:
        return problems.unquoted_expression(
            _span(source, mark), text[start:end], closing if follows_bracket else sign, None, None
        )
    whole = text[start:whole_end]
    quoted = in_quotes(whole)
    fix = None if quoted is None else Fix(_span(source, start, whole_end), quoted)
    return problems.unquoted_expression(
        _span(source, mark), text[start:end], closing if follows_bracket else sign, whole, fix
    )


def _indexed_expression(source: Source, mark: int) -> Diagnostic | None:
    """Return the problem of an expression in flow style that goes on behind an index: `[stock[good] > 0]`."""
    text = source.text
    found = _INDEXED.search(text, text.rfind("\n", 0, mark) + 1, mark)
    if found is None or found.end() != mark:
        return None
    start, end = found.start("word"), found.end("word")
    whole_end = expression_end(text, start, in_flow=True)
    if whole_end is None:
        return None
    whole = text[start:whole_end]
    quoted = in_quotes(whole)
    fix = None if quoted is None else Fix(_span(source, start, whole_end), quoted)
    return problems.unquoted_expression(_span(source, end), text[start:end], "[", whole, fix)


def _span(source: Source, start: int, end: int | None = None) -> Span:
    """Return the span between two indices into the text; one sign if there is no end."""
    end = start + 1 if end is None else end
    line, column = _place(source.text, start)
    end_line, end_column = _place(source.text, end) if end <= len(source.text) else (line, column + 1)
    return Span(source, line, column, *((end_line, end_column) if end_line == line else (line, column + 1)))


def _place(text: str, index: int) -> tuple[int, int]:
    return text.count("\n", 0, index) + 1, index - text.rfind("\n", 0, index)
