"""How much room a text takes, without a font to measure it by: on the large side, so that it fits in most of them."""

from __future__ import annotations

from functools import lru_cache

_NARROW = frozenset("ijlI.,:;'|!()[] ftr1·-")
_WIDE = frozenset("mwMW@%ЖШЩЮФМжшщюфм—×")
_SHORT, _USUAL, _CAPITAL, _BROAD = 0.38, 0.61, 0.72, 0.95


@lru_cache(maxsize=10_000)
def text_width(text: str, size: float, *, bold: bool = False) -> float:
    """Return about how wide a text of a size is."""
    return sum(map(_width, text)) * size * (1.1 if bold else 1)


def _width(letter: str) -> float:
    if letter in _NARROW:
        return _SHORT
    if letter in _WIDE:
        return _BROAD
    # What is beyond the alphabets that we know of is mostly as wide as high.
    return 1 if ord(letter) > 0x2000 else _CAPITAL if letter.isupper() else _USUAL


@lru_cache(maxsize=10_000)
def cut(text: str, size: float, room: float) -> str:
    """Return as much of a text as there is room for, with a sign that there is more."""
    if text_width(text, size) <= room:
        return text
    while text and text_width(f"{text}…", size) > room:
        text = text[:-1]
    return f"{text.rstrip()}…"


@lru_cache(maxsize=10_000)
def lines_of(text: str, size: float, room: float, most: int, *, bold: bool = False) -> tuple[str, ...]:
    """Return a text in at most so many lines that each have room."""
    weighed = size * 1.1 if bold else size
    lines = [""]
    for word in text.split():
        joined = f"{lines[-1]} {word}".strip()
        if text_width(joined, weighed) <= room or not lines[-1]:
            lines[-1] = joined
        else:
            lines.append(word)
    if len(lines) > most:
        lines[most - 1 :] = [" ".join(lines[most - 1 :])]
    return tuple(cut(line, weighed, room) for line in lines)


@lru_cache(maxsize=10_000)
def fitted(
    text: str, room: float, ways: tuple[tuple[float, int], ...], *, bold: bool = False
) -> tuple[float, tuple[str, ...]]:
    """Return a text in the first way, a size and a number of lines, in which all of it has room, or cut in the last."""
    for size, most in ways:
        lines = lines_of(text, size, room, most, bold=bold)
        if " ".join(lines) == " ".join(text.split()):
            break
    return size, lines
