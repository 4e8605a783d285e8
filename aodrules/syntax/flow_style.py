"""Flow style, where YAML ends an expression at a comma or bracket: how far the author meant it to go."""

from __future__ import annotations

import re

_PAIRS = {"(": ")", "[": "]", "{": "}"}
_CLOSING = frozenset(_PAIRS.values())
_LONGEST = 2000
# What stands in quotes or in a comment is passed over.
_BRACKET = re.compile(r"""(?<!\w)"(?:\\.|[^"\\])*"|(?<!\w)'(?:''|[^'])*'|(?<!\S)\#[^\n]*|[\[\]{}]""")
_KEY_INSIDE = re.compile(r":\s")
_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*")


def last_open(text: str) -> int | None:
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


def in_quotes(text: str) -> str | None:
    """Return a text in quotes, or nothing if neither sort of quote would keep it as it is."""
    if "\\" not in text and '"' not in text:
        return f'"{text}"'
    return f"'{text}'" if "'" not in text else None


def next_sign(text: str, index: int) -> str:
    """Return the next sign that is no space; nothing at the end."""
    return text[index : index + _LONGEST].lstrip()[:1]
