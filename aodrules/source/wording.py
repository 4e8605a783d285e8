"""The words our messages share: what an author wrote in backticks or may have meant, counted nouns, lists."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence

_LONGEST = 60
_MOST_LISTED = 12
_UNPRINTABLE = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
_GONE = "\ufffd"


def has_controls(text: str) -> bool:
    """Whether signs are in a text that control a terminal or the order of what is read, or halves of signs."""
    return not text.isprintable() and _CONTROLS.search(text) is not None


def harmless(text: str) -> str:
    """Return a text of any number of lines with those signs replaced; ends of lines and tabs stay.

    Whatever goes to a terminal passes through here or through `printable`.
    """
    return text if text.isprintable() else _CONTROLS.sub(lambda found: found[0] if found[0] in "\t\n" else _GONE, text)


def printable(text: str) -> str:
    """Return the text with every sign that could disturb a terminal replaced, its length unchanged."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(_printable(sign) for sign in text)


def _printable(sign: str) -> str:
    if sign == "\t":
        return " "
    return _GONE if unicodedata.category(sign) in _UNPRINTABLE else sign


def quote(text: object) -> str:
    """Return what an author wrote in backticks, on one line and not too long."""
    line = " ".join(str(text).split())
    if len(line) > _LONGEST:
        line = line[: _LONGEST - 3] + "..."
    return f"`{printable(line)}`"


def count(number: int, noun: str) -> str:
    """Return a number with its noun: `1 error`, `3 errors`."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def count_range(low: int, high: int, noun: str) -> str:
    """Return how many there may be: `2 players`, `2 to 4 players`."""
    return count(high, noun) if low == high else f"{low:,} to {count(high, noun)}"


def join(words: Sequence[str], last: str = "and") -> str:
    """Return words as they stand in a sentence: `a, b and c`."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"


def quotes(names: Iterable[str], last: str = "and") -> str:
    """Return names in backticks as they stand in a sentence."""
    return join([quote(name) for name in names], last)


def listed(known: Sequence[str]) -> str | None:
    """Return what there is, or the first of it."""
    rest = len(known) - _MOST_LISTED
    shown = [quote(each) for each in (known if rest <= 1 else known[:_MOST_LISTED])]
    more = [f"{rest} more"] if rest > 1 else []
    return f"there {'is' if len(known) == 1 else 'are'} {join([*shown, *more])}" if known else None


def nearest(name: str, candidates: Iterable[str]) -> str | None:
    """Return the one candidate near to a name: at most a third of its length away, and nearer than any other."""
    limit = len(name) // 3
    best: list[str] = []
    for candidate in sorted(set(candidates) - {name}):
        distance = _distance(name.casefold(), candidate.casefold(), limit)
        if distance > limit:
            continue
        if distance < limit:
            best, limit = [], distance
        best.append(candidate)
    return best[0] if len(best) == 1 else None


def did_you_mean(name: str, candidates: Iterable[str]) -> str | None:
    """Return the help that names the one near candidate, if there is one."""
    found = nearest(name, candidates)
    return None if found is None else f"did you mean {quote(found)}?"


def _distance(left: str, right: str, limit: int) -> int:
    """Return how many letters must be changed, added, left out or swapped, or anything above `limit`."""
    if abs(len(left) - len(right)) > limit:
        return limit + 1
    before: list[int] = []
    row = list(range(len(right) + 1))
    for i, letter in enumerate(left, 1):
        before, last = row, before
        row = [i]
        for j, other in enumerate(right, 1):
            cost = min(row[-1] + 1, before[j] + 1, before[j - 1] + (letter != other))
            if i > 1 and j > 1 and letter == right[j - 2] and left[i - 2] == other:
                cost = min(cost, last[j - 2] + 1)
            row.append(cost)
        if min(row) > limit:
            return limit + 1
    return row[-1]
