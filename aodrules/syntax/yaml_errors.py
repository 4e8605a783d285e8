"""What YAML's own parser says, in the words of our problems, and what the author most likely meant."""

from __future__ import annotations

import re

import yaml

from aodrules.source.diagnostics import Diagnostic, Fix
from aodrules.source.spans import Source, Span
from aodrules.syntax import problems

# Flow style, where YAML ends an expression at a comma or bracket: how far the author meant it to go.

_PAIRS = {"(": ")", "[": "]", "{": "}"}
_CLOSING = frozenset(_PAIRS.values())
_LONGEST = 2000
# What stands in quotes or in a comment is passed over.
_BRACKET = re.compile(r"""(?<!\w)"(?:\\.|[^"\\])*"|(?<!\w)'(?:''|[^'])*'|(?<!\S)\#[^\n]*|[\[\]{}]""")
_KEY_INSIDE = re.compile(r":\s")
_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*")


def _last_open(text: str) -> int | None:
    """Return where the innermost bracket of flow style stands that is not closed."""
    opened: list[int] = []
    for found in _BRACKET.finditer(text):
        if found[0] in "[{":
            opened.append(found.start())
        elif found[0] in "]}" and opened:
            opened.pop()
    return opened[-1] if opened else None


def is_open(text: str) -> bool:
    """Return whether more parentheses are opened than closed."""
    return text.count("(") > text.count(")")


def is_identifier(text: str) -> bool:
    """Return whether a text could be a key: a name, an address or the id of a clause."""
    return _IDENTIFIER.fullmatch(text) is not None


def expression_end(text: str, start: int, *, in_flow: bool) -> int | None:
    """Return where an expression that starts at an index ends: the whole of it, brackets balanced.

    In flow style it ends at a comma or bracket outside its own brackets, elsewhere at the end of the line. Returns
    nothing where its brackets do not match or something in it looks like a key: nobody can be sure what was meant.
    """
    expected: list[str] = []
    for index in range(start, min(len(text), start + _LONGEST)):
        sign = text[index]
        if sign == "\n" and not in_flow:
            return None if expected else _trim(text, start, index)
        if sign in _PAIRS:
            expected.append(_PAIRS[sign])
        elif expected and sign == expected[-1]:
            expected.pop()
        elif in_flow and not expected and sign in ",]}":
            return _trim(text, start, index)
        elif sign in _CLOSING:
            return None
    return None if expected or in_flow else _trim(text, start, min(len(text), start + _LONGEST))


def _trim(text: str, start: int, end: int) -> int | None:
    expression = text[start:end]
    if _KEY_INSIDE.search(expression) or " #" in expression:
        return None
    return start + len(expression.rstrip())


def put_in_quotes(at: Span, text: str) -> Fix | None:
    """Return the cure that puts a text in quotes; nothing if neither sort of quote would keep it as it is."""
    if "\\" not in text and '"' not in text:
        return Fix(at, f'"{text}"')
    return Fix(at, f"'{text}'") if "'" not in text else None


def next_sign(text: str, index: int) -> str:
    """Return the next sign that is no space; nothing at the end."""
    return text[index : index + _LONGEST].lstrip()[:1]


# Slips of the pen at which YAML's parser stops a line too late: found by looking at the lines around.

GLUED = re.compile(r"(?P<key>[A-Za-z_][\w.-]*):(?P<rest>[^\s:/].*)")
"""A key and its value without a space between them."""
_GLUED_LINE = re.compile(rf"(?P<white>\s*(?:- +)?){GLUED.pattern}")
_COMPLETE = re.compile(r"(?P<white> *)(?:- +)?[A-Za-z_][\w.-]*: +(?![|>])\S.*")
_LAST_KEY = re.compile(r"(?:^|[\s{,-])[A-Za-z_][\w.-]*: +(?=\S)")


def _slip_above(source: Source, line: int) -> Diagnostic | None:
    """Return what is wrong with the line above one that cannot stand there."""
    above = next((number for number in range(line - 1, 0, -1) if source.line(number).strip()), None)
    return None if above is None else _missing_space(source, above) or _too_deep(source, line, above)


def _missing_space(source: Source, line: int) -> Diagnostic | None:
    """Return that a line lacks the space behind the colon of its key, if that is so."""
    found = _GLUED_LINE.fullmatch(source.line(line))
    if found is None:
        return None
    start = found.start("key")
    return glued(Span(source, line, start + 1, line, found.end() + 1), found.end("key") - start)


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


def _cut_by_apostrophe(source: Source, start: int, mark: int) -> Diagnostic | None:
    """Return that a text in single quotes ends at its own apostrophe, if that is so."""
    text = source.text
    if text[start : start + 1] != "'" or text[mark - 1] != "'" or not text[mark : mark + 1].isalpha():
        return None
    end = text.find("\n", mark)
    last = text.rfind("'", mark, end if end >= 0 else len(text))
    is_certain = last >= 0 and not re.search(r'["\n]', text[start:last])
    fix = Fix(_span(source, start, last + 1), f'"{text[start + 1 : last]}"') if is_certain else None
    return problems.invalid_yaml(_span(source, mark - 1), "apostrophe", fix)


def _second_colon(at: Span, *, in_flow: bool) -> Fix | None:
    """Return the quotes around a text with a colon in it, if it is certain where it begins and ends."""
    line = at.source.line(at.line)
    keys = list(_LAST_KEY.finditer(line, 0, at.column - 1))
    if not keys:
        return None
    start = keys[-1].end()
    closing = re.search(r"[,}\]]", line[at.column - 1 :]) if in_flow else None
    whole = line[start : len(line) if closing is None else at.column - 1 + closing.start()].rstrip()
    if " #" in whole or whole[:1] in "\"'":
        return None
    return put_in_quotes(Span(at.source, at.line, start + 1, at.line, start + len(whole) + 1), whole)


# What the parser raises. Patterns of both parsers, the one in C and the one in Python, in the order they are tried.
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
        found = found or (_cut_by_apostrophe(source, last[0], mark) if last[1] == mark else None)
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
        last = _last_open(source.text) if _is_end(source, at) else None
        opened = opened if last is None else _span(source, last)
        if opened.line != at.line:
            return problems.invalid_yaml(opened, "unclosed")
    in_flow = reason == "bracket"
    reason = _closer_reason(reason, line[: at.column - 1], line[at.column - 1 : at.column])
    if reason in {"no-colon-above", "no-colon"} and _LONG_KEY.match(line):
        start = len(line) - len(line.lstrip()) + 1
        return problems.invalid_yaml(Span(source, at.line, start, at.line, line.index(":") + 1), "long-key")
    slip = {"no-colon-above": _slip_above, "no-colon": _missing_space}.get(reason)
    found = None if slip is None else slip(source, opened.line if reason == "no-colon" else at.line)
    if found is not None:
        return found
    if reason == "no-colon-above":
        at = Span(source, at.line, len(line) - len(line.lstrip()) + 1, at.line, at.column)
    fix = _second_colon(at, in_flow=in_flow) if reason == "colon" else None
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
    at, cut, sign = _span(source, mark), text[start:end], closing if follows_bracket else sign
    whole_end = expression_end(text, start, in_flow=in_flow)
    if whole_end is None or whole_end <= mark:
        return problems.unquoted_expression(at, cut, sign, None, None)
    whole = text[start:whole_end]
    return problems.unquoted_expression(at, cut, sign, whole, put_in_quotes(_span(source, start, whole_end), whole))


def _indexed_expression(source: Source, mark: int) -> Diagnostic | None:
    """Return the problem of an expression in flow style that goes on behind an index: `[stock[good] > 0]`."""
    text, line = source.text, source.text.rfind("\n", 0, mark) + 1
    found = _INDEXED.search(text, line, mark)
    if found is not None and found.end() == mark:
        start, end = found.start("word"), found.end("word")
    else:
        # It may be longer than one word: `be: first(x for x in xs if x.row[good] > 0)`.
        keys = list(_LAST_KEY.finditer(text, line, mark))
        start = keys[-1].end() if keys else mark
        end = text.find("[", start, mark)
        if end < 0 or not (text[end - 1].isalnum() and text[start].isalpha()):
            return None
    whole_end = expression_end(text, start, in_flow=True)
    if whole_end is None:
        return None
    whole = text[start:whole_end]
    fix = put_in_quotes(_span(source, start, whole_end), whole)
    return problems.unquoted_expression(_span(source, end), text[start:end], "[", whole, fix)


def _span(source: Source, start: int, end: int | None = None) -> Span:
    """Return the span between two indices into the text; one sign if there is no end."""
    end = start + 1 if end is None else end
    line, column = source.place(start)
    end_line, end_column = source.place(end) if end <= len(source.text) else (line, column + 1)
    return Span(source, line, column, line, end_column if end_line == line else column + 1)
