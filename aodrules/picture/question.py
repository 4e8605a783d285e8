"""What a game waits for: whose turn it is and what is asked, in one line."""

from __future__ import annotations

from typing import NamedTuple

from aodrules.picture.scene import Mark, Node
from aodrules.picture.style import Drawn, Style, box, words
from aodrules.picture.text_size import cut, text_width

_SIZES = (17, 15.5, 14, 12.5, 11)
_PAD = 16


class ShownQuestion(NamedTuple):
    """A question that waits for an answer."""

    seat: str
    text: str


def banner(
    style: Style, id_: str, question: ShownQuestion | None, size: tuple[float, float], *, is_over: bool
) -> Drawn:
    """Return who is asked what, in the colour of who is asked; that the game is over; or nothing but room."""
    (width, height), colour, start = size, style.theme.colour, float(_PAD)
    if question is None:
        if not is_over:
            return Drawn(Node(id_, ("question",)), 0, height)
        text, fill, ink = str(style.labels.phrase("over")), colour("ink"), colour("panel")
    else:
        look = style.seats[question.seat]
        text, fill, ink, start = f"{style.heading(question.seat)}: {question.text}", look.fill, look.ink, height + 4
    room = width - start - _PAD
    fitting = (each for each in _SIZES if text_width(text, each, bold=True) <= room)
    letters = next(fitting, _SIZES[-1])
    shown = cut(text, letters, room, bold=True)
    taken = start + text_width(shown, letters, bold=True) + _PAD
    marks: list[Mark] = [box(0, 0, taken, height, fill, None, height / 2)]
    if question is not None:
        middle = height / 2
        ring = (("cx", middle), ("cy", middle), ("r", middle - 4), ("fill", ink))
        marks.append(("circle", ring, ""))
        letter = style.seats[question.seat].letter
        marks.append(words(letter, middle, middle * 1.36, height * 0.5, fill, anchor="middle", bold=True))
    marks.append(words(shown, start, height / 2 + letters * 0.36, letters, ink, bold=True))
    classes = ("question",) if question is None else ("question", f"seat-{question.seat}")
    return Drawn(Node(id_, classes, label=text, title=text, marks=tuple(marks)), taken, height)
