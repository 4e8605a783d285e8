"""Whether people can read the pictures: nothing is cut, covered or too faint, in every language, on light and dark."""

from __future__ import annotations

import itertools
import math
import random
from functools import cache

import pytest

import aodrules
from aodrules import svg
from aodrules.picture import text_size
from aodrules.picture.theme import PATTERNS, THEMES, letters, seat_fills
from tests.picture.geometry import Area, Box, Label, contrast, painted, text_width

# Rules, how many play, and after how many decisions.
POSITIONS = [
    ("aod+aoe3-pl", 5, 0),
    ("aod+aoe3-pl", 5, 10**4),
    ("aod+aoe3-ru", 2, 120),
    ("empires", 6, 10**4),
    ("empires", 2, 10**4),
    ("empires+builders+national-advantages", 6, 350),
    ("harbour", 4, 60),
    ("caravan", 4, 60),
    ("isles", 4, 80),
    ("tempus", 5, 300),
    ("ages+no-resigning", 3, 200),
    ("isles", 2, 10**4),
]


@cache
def position(rules: str, players: int, decisions: int) -> aodrules.Game:
    word, *variants = rules.split("+")
    game, chance = (
        aodrules.load(word, variants).new_game(players=players, seed=11, undo=False, log=False),
        random.Random(5),
    )
    while not game.over and decisions:
        game.push(chance.choice(game.codes))
        decisions -= 1
    return game


CASES = [
    pytest.param(one, language, id=f"{one[0]}-{one[1]}-{one[2]}-{language}")
    for one in POSITIONS
    for language in (
        ("en", "pl", "ru") if one[0] not in ("harbour", "caravan", "isles", "tempus", "ages+no-resigning") else ("en",)
    )
]


@pytest.mark.parametrize("one, language", CASES)
def test_texts_have_room_and_do_not_touch(one: tuple[str, int, int], language: str) -> None:
    scene = svg.scene(position(*one), language)
    labels = [each for each in painted(scene) if isinstance(each, Label)]
    assert [each.text for each in labels if each.text.endswith("…")] == []
    page = Box(0, 0, scene.width, scene.height)
    outside = [(each.text, each.node.id) for each in labels if not each.box.is_within(each.frame or page, 2.5)]
    assert outside == []
    rows = sorted(labels, key=lambda each: each.box.top)
    for place, label in enumerate(rows):
        below = itertools.takewhile(lambda each: each.box.top < label.box.bottom, rows[place + 1 :])  # noqa: B023
        assert [(label.text, each.text, label.node.id) for each in below if label.box.overlaps(each.box, 1)] == []


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("one", POSITIONS, ids=str)
def test_texts_can_be_read_on_what_lies_below_them(one: tuple[str, int, int], theme: str) -> None:
    things = painted(svg.scene(position(*one), "ru" if "aod" in one[0] else "en", theme=theme))
    areas = [(place, each) for place, each in enumerate(things) if isinstance(each, Area)]
    faint, covered = [], []
    for place, label in enumerate(things):
        if not isinstance(label, Label):
            continue
        near = [(at, each) for at, each in areas if each.box.overlaps(label.box)]
        y = (label.box.top + label.box.bottom) / 2
        for share in (0.1, 0.5, 0.9):
            x = label.box.left + share * (label.box.right - label.box.left)
            under = [(at, each) for at, each in near if each.covers(x, y)]
            ground = max((at, each.fill) for at, each in under if at < place)[1]
            if contrast(label.fill, ground) < 4.5:
                faint.append((label.text, label.node.id, label.fill, ground))
            if any(at > place for at, _ in under) and "track" not in label.node.classes:
                covered.append((label.text, label.node.id))
    assert (faint, covered) == ([], [])


@pytest.mark.parametrize("bold", [False, True])
def test_texts_are_measured_on_the_large_side(bold: bool) -> None:
    said = {
        text
        for word in ("aod", "harbour", "isles")
        for texts in aodrules.load(word).book.words.texts.values()
        for text in texts.values()
    }
    narrow = [
        each for each in said if text_size.text_width(each, 10, bold=bold) < text_width(each, 10, bold=bold) - 0.1
    ]
    assert [each for each in narrow if each.isprintable() and "→" not in each] == []


def test_seats_differ_for_every_kind_of_colour_blindness() -> None:
    seats = aodrules.load("empires").seats
    fills = seat_fills(seats)
    for matrix in SEEN.values():
        for one, other in itertools.combinations(seats, 2):
            assert _distance(_seen(fills[one], matrix), _seen(fills[other], matrix)) > 18, (one, other)


def test_seats_differ_by_letter_and_pattern_too() -> None:
    game = position("empires", 6, 10**4)
    for language in ("en", "pl", "ru"):
        from aodrules.picture.picture import PictureMaker
        from aodrules.play.states import reader_of

        style = PictureMaker.of(reader_of(game.state).names, language, "light").style
        assert (
            len({look.letter for look in style.seats.values()})
            == len({look.pattern for look in style.seats.values()})
            == 6
        )
    assert len(PATTERNS) == 6


def test_letters_of_seats_are_not_alike() -> None:
    names = {"yellow": "żółty", "green": "zielony", "black": "zza", "white": "Éva", "red": "Ewa", "grey": "Z"}
    assert letters(names) == {"yellow": "Ż", "green": "I", "black": "A", "white": "É", "red": "W", "grey": "6"}


# What people see who lack one kind of cones (Machado and others, 2009, severity 1).
SEEN = {
    "all cones": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    "no long ones": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "no middle ones": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "no short ones": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}


def _seen(colour: str, matrix: tuple[tuple[float, ...], ...]) -> tuple[float, ...]:
    """Return a colour in CIELAB as somebody sees it."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    red, green, blue = (min(1, max(0, sum(a * b for a, b in zip(row, linear, strict=True)))) for row in matrix)
    x = (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505
    y = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    z = (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089
    x, y, z = (part ** (1 / 3) if part > 0.008856 else 7.787 * part + 16 / 116 for part in (x, y, z))
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def _distance(one: tuple[float, ...], other: tuple[float, ...]) -> float:
    return math.dist(one, other)
