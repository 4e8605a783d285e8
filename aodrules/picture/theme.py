"""The colours of pictures, light and dark, and what tells seats apart: colour, letter and pattern."""

from __future__ import annotations

from functools import lru_cache
from unicodedata import normalize

from attrs import frozen

THEMES = ("light", "dark")
# Each colour for a light and for a dark ground.
_COLOURS = {
    "ground": ("#f4efe4", "#171b21"),
    "panel": ("#fffdf8", "#222831"),
    "slot": ("#f3ecdd", "#2b323c"),
    "line": ("#cfc4ad", "#434c59"),
    "ink": ("#2a2723", "#ece6da"),
    "faint": ("#645c4f", "#a9a294"),
    "accent": ("#9a3f1f", "#e9a06b"),
    "water": ("#cfe3ea", "#1d3440"),
    "land": ("#e6dcb8", "#4c4a35"),
    "card": ("#fffaf0", "#2f3742"),
    "back": ("#6b6356", "#59616d"),
}  # fmt: skip
# Seats that are called by one of these words have that colour; the others take what is left, in this order. The
# first six can be told apart with any kind of colour blindness, by their lightness where not by their hue.
_SEATS = {
    "blue": "#2f6db3",
    "orange": "#e07b1a",
    "green": "#3aa878",
    "red": "#b3283f",
    "yellow": "#f2cf3b",
    "purple": "#4f2678",
    "white": "#f7f4ec",
    "black": "#33363b",
    "pink": "#e79bb6",
    "brown": "#80552f",
    "grey": "#8d9299",
    "teal": "#4fb3bf",
}
_INKS = ("#000000", "#ffffff")
# Whatever a colour is, one of these two has a contrast of 4.58 or more on it; with a softer black it would be less.
PATTERNS = ("plain", "dashes", "dots", "double", "long", "mixed")
_DASHES = {"plain": "", "dashes": "4 2.5", "dots": "0.1 3.2", "double": "9 3", "long": "13 4", "mixed": "8 2.5 1 2.5"}
# Members without a colour of their own.
_HUES = (
    ("#c9a227", "#d9b84a"), ("#7a8fa6", "#93a8bf"), ("#a4583c", "#c97b5d"), ("#5c8a4e", "#82b573"),
    ("#4a7fa0", "#73a9ca"), ("#b98a5e", "#d3a97f"), ("#8b5e83", "#b389ab"), ("#6b5a45", "#a18d74"),
    ("#3f8f86", "#6bbab1"), ("#b5651d", "#d98f4c"), ("#3e5a8c", "#7d99cc"), ("#9c3d54", "#cf7189"),
)  # fmt: skip


@frozen
class SeatLook:
    """How what belongs to a seat looks."""

    fill: str
    ink: str
    letter: str
    pattern: str

    @property
    def dashes(self) -> str:
        """The pattern as the dashes of a line; nothing for a plain one."""
        return _DASHES[self.pattern]


@frozen
class Theme:
    """The colours of one picture."""

    name: str = "light"

    @property
    def _place(self) -> int:
        return THEMES.index(self.name)

    def colour(self, name: str) -> str:
        """Return one of our colours by name."""
        return _COLOURS[name][self._place]

    def hue(self, number: int) -> str:
        """Return a colour for one of many things."""
        return _HUES[number % len(_HUES)][self._place]


def is_colour_name(name: str) -> bool:
    """Whether a word names one of our colours."""
    return name in _COLOURS


def seat_fills(seats: tuple[str, ...]) -> dict[str, str]:
    """Return the colour of each seat: that of its own name where there is one."""
    left = [each for each in _SEATS if each not in seats]
    free = iter(left * (len(seats) // len(left) + 1))
    return {seat: _SEATS[seat] if seat in _SEATS else _SEATS[next(free)] for seat in seats}


def letters(names: dict[str, str]) -> dict[str, str]:
    """Return a letter for each seat, the first one of its name that no other has taken; else its number.

    Letters that differ only in a mark are taken to be the same: on a small disc they look alike.
    """
    found: dict[str, str] = {}
    taken = set[str]()
    for number, (seat, name) in enumerate(names.items(), 1):
        fitting = (letter.upper() for letter in name if letter.isalnum())
        found[seat] = next((letter for letter in fitting if _bare(letter) not in taken), str(number))
        taken.add(_bare(found[seat]))
    return found


def _bare(letter: str) -> str:
    """Return a letter without its marks."""
    return normalize("NFD", letter)[0]


def mixed(one: str, other: str, share: float) -> str:
    """Return a colour that has so large a share of another in it."""
    parts = ((int(one[place : place + 2], 16), int(other[place : place + 2], 16)) for place in (1, 3, 5))
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in parts)


@lru_cache(maxsize=500)
def readable_on(fill: str) -> str:
    """Return black or white, whichever is easier to read on a colour."""
    return max(_INKS, key=lambda ink: contrast(ink, fill))


def contrast(one: str, other: str) -> float:
    """Return how well one colour can be read on another: from 1, not at all, to 21, black on white."""
    dark, light = sorted((_light(one), _light(other)))
    return (light + 0.05) / (dark + 0.05)


def _light(colour: str) -> float:
    """Return how much light a colour gives, as WCAG counts it."""
    parts = (int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5))
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
