"""How much room a text takes, without a font to measure it by: on the large side, so that it fits in most of them."""

from __future__ import annotations

from functools import lru_cache

# The letters of each width, in sizes of the letters: of wide fonts (DejaVu Sans, Noto Sans), rounded up.
_PLAIN = {
    0.28: "'ijl",
    0.32: " ,.Jł·",
    0.36: ":;If",
    0.4: "()-/[\\]t",
    0.44: "!r",
    0.48: '"',
    0.52: "_`–„”°",
    0.56: "*?Lcsz|ćśźżгзсэ",
    0.6: "FkvxyŁвтухь",
    0.64: "$0123456789EPSTYabdeghnopqu{}ąęńóĘŚГЕРТУабеклорчяЁё«»",
    0.68: "KЗийнп",
    0.72: "ABCRVXZĄĆŹŻАБВКСХЧЬЭЯдцъ",
    0.76: "HNUŃЛНПм",
    0.8: "&DGOQÓДИЙОЦы",
    0.84: "#+<=>^w~Ъ×",
    0.88: "Ффю",
    0.92: "MМЫжш",
    0.96: "%щ",
    1.0: "@Wm—…",
    1.08: "ЖШЮ",
    1.12: "Щ",
}
_BOLD = {
    0.32: "'",
    0.36: " ijl",
    0.4: ",.:;IJł·",
    0.44: "-/\\f",
    0.48: "!()[]t",
    0.52: "_`r–°",
    0.56: '"*|г',
    0.6: "?cszćśźżзстэ",
    0.64: "LГвь",
    0.68: "aekvxyąęŁаекухяё„”«»",
    0.72: "$0123456789EFSTbdghnopqu{}ńóĘŚЕЗТбийнопрчЁ",
    0.76: "CPYZĆŹŻРСЭлцъ",
    0.8: "ABKRVXĄАБВУХЬЯ",
    0.84: "#+<=>DGHNU^~ŃИЙКЛНПЧд×",
    0.88: "&OQÓОм",
    0.92: "Ды",
    0.96: "wЦЪ",
    1.0: "@MМФжфю—…",
    1.04: "%Ы",
    1.08: "mш",
    1.12: "Wщ",
    1.2: "Ю",
    1.24: "ЖШ",
    1.36: "Щ",
}
_WIDTHS = {
    is_bold: {letter: width for width, letters in groups.items() for letter in letters}
    for is_bold, groups in ((False, _PLAIN), (True, _BOLD))
}


@lru_cache(maxsize=10_000)
def text_width(text: str, size: float, *, bold: bool = False) -> float:
    """Return about how wide a text of a size is."""
    known = _WIDTHS[bold]
    return size * sum(known[letter] if letter in known else _unknown(letter) for letter in text)


def _unknown(letter: str) -> float:
    """Return about how wide a letter is of which nothing is known: beyond the alphabets mostly as wide as high."""
    return 1 if ord(letter) > 0x2000 else 0.9 if letter.isupper() else 0.72


@lru_cache(maxsize=10_000)
def cut(text: str, size: float, room: float, *, bold: bool = False) -> str:
    """Return as much of a text as there is room for, with a sign that there is more."""
    if text_width(text, size, bold=bold) <= room:
        return text
    while text and text_width(f"{text}…", size, bold=bold) > room:
        text = text[:-1]
    return f"{text.rstrip()}…"


@lru_cache(maxsize=10_000)
def lines_of(text: str, size: float, room: float, most: int, *, bold: bool = False) -> tuple[str, ...]:
    """Return a text in at most so many lines that each have room."""
    lines = [""]
    for word in text.split():
        joined = f"{lines[-1]} {word}".strip()
        if text_width(joined, size, bold=bold) <= room or not lines[-1]:
            lines[-1] = joined
        else:
            lines.append(word)
    if len(lines) > most:
        lines[most - 1 :] = [" ".join(lines[most - 1 :])]
    return tuple(cut(line, size, room, bold=bold) for line in lines)


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
