"""What a plain word of YAML means: a flag, an integer, or text as written."""

from __future__ import annotations

import re
from typing import Any

_FLAGS = {"true": True, "false": False}
_SIGNS_OF_NUMBERS = frozenset("-0123456789")
_INTEGER = re.compile(r"-?(?:0|[1-9][0-9]*)")
# What another reader of YAML would take for a number, a time or a date, and so for something else than was written.
_NUMBER_LIKE = re.compile(
    r"""[-+]?0[0-9_]+                              # 010
      | \+[0-9][0-9_]*                             # +5
      | -0                                         # -0
      | [-+]?[0-9]+_[0-9_]*                        # 1_000
      | [-+]?0[xob][0-9a-fA-F_]+                   # 0x1F
      | [-+]?(?:[0-9][0-9_]*)?\.[0-9]+(?:[eE][-+]?[0-9]+)?   # 1.10
      | [-+]?[0-9][0-9_]*\.(?:[eE][-+]?[0-9]+)?    # 1.
      | [-+]?[0-9]+[eE][-+]?[0-9]+                 # 1e3
      | [-+]?[0-9]+(?::[0-9]{1,2})+(?:\.[0-9]*)?   # 12:30
      | [0-9]{4}-[0-9]{1,2}-[0-9]{1,2}.*           # 2024-01-31
    """,
    re.VERBOSE,
)
# Longer than any number a game needs, and short enough to be read in no time.
_MOST_DIGITS = 18


def meaning(text: str) -> str | int | bool | None:
    """Return what a plain word means; nothing written means nothing.

    Examples:
        >>> [meaning(text) for text in ("7", "-7", "true", "on", "1..4", "")]
        [7, -7, True, 'on', '1..4', None]
    """
    if not text:
        return None
    if text[0] in _SIGNS_OF_NUMBERS:
        return int(text) if is_integer(text) else text
    return _FLAGS.get(text, text)


def is_integer(text: str) -> bool:
    """Return whether a plain word is an integer of the language."""
    return len(text.removeprefix("-")) <= _MOST_DIGITS and text != "-0" and _INTEGER.fullmatch(text) is not None


def is_ambiguous(text: str) -> bool:
    """Return whether a plain word looks like a number but is not written as an integer.

    Examples:
        >>> [text for text in ("10", "010", "1.10", "12:30", "1..4", "on", "x_1") if is_ambiguous(text)]
        ['010', '1.10', '12:30']
    """
    if not (text[:1].isdigit() or text[:1] in "+-."):
        return False
    is_number = _INTEGER.fullmatch(text) is not None and not is_integer(text)
    return is_number or _NUMBER_LIKE.fullmatch(text) is not None


def as_integer(text: str) -> str | None:
    """Return the integer an ambiguous word surely means, as text, if there is one: `010` is 10, `1_000` is 1000."""
    digits = text.replace("_", "").removeprefix("+")
    plain = digits.lstrip("0") or "0"
    return plain if digits.isascii() and digits.isdigit() and is_integer(plain) else None


def shown(value: Any) -> str:
    """Return a plain value as one would write it on a line.

    Examples:
        >>> shown({"modify": "price", "if": "a in [b, c]", "add": -1})
        '{modify: price, if: "a in [b, c]", add: -1}'
    """
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {shown(each)}" for key, each in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(shown, value)) + "]"
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return f'"{text}"' if re.search(r"[,\[\]{}#]|: ", text) else text
