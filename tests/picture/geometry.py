"""What a picture looks like, worked out without drawing it: where texts and areas are, and what lies over what."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from aodrules.picture.scene import Mark, Node, Scene

_WIDTHS: dict[str, dict[str, int]] = json.loads(
    (Path(__file__).parent / "letter_widths.json").read_text(encoding="utf-8")
)
"""The widths of letters in two wide fonts, DejaVu Sans and Noto Sans, in thousandths of their size: the larger one."""


class Box(NamedTuple):
    """A rectangle on the page."""

    left: float
    top: float
    right: float
    bottom: float

    def holds(self, x: float, y: float) -> bool:
        """Whether a point lies in it."""
        return self.left <= x <= self.right and self.top <= y <= self.bottom

    def overlaps(self, other: Box, by: float = 0) -> bool:
        """Whether it shares more than so much with another."""
        wide = min(self.right, other.right) - max(self.left, other.left)
        return wide > by and min(self.bottom, other.bottom) - max(self.top, other.top) > by

    def is_within(self, other: Box, slack: float) -> bool:
        """Whether all of it lies in another, or almost."""
        return (
            self.left >= other.left - slack
            and self.right <= other.right + slack
            and self.top >= other.top - slack
            and self.bottom <= other.bottom + slack
        )


class Area(NamedTuple):
    """Something filled: where it is, in which colour, and its outline where that is no rectangle."""

    box: Box
    fill: str
    rings: tuple[tuple[tuple[float, float], ...], ...] = ()

    def covers(self, x: float, y: float) -> bool:
        """Whether a point is painted."""
        if not self.box.holds(x, y):
            return False
        return not self.rings or sum(_winding(ring, x, y) for ring in self.rings) != 0


class Label(NamedTuple):
    """A text that is drawn."""

    text: str
    box: Box
    fill: str
    node: Node
    frame: Box | None
    """The nearest rectangle with which something begins that holds it."""


def painted(scene: Scene) -> list[Area | Label]:
    """Return all areas and texts, those that lie below others first."""
    return list(_painted(scene.root, 0, 0, 1, None))


def _painted(node: Node, x: float, y: float, scale: float, frame: Box | None) -> Iterator[Area | Label]:
    x, y, scale = x + node.x * scale, y + node.y * scale, scale * node.scale
    if node.marks and node.marks[0][0] == "rect" and _is_frame(node):
        first = _area(node.marks[0], x, y, scale)
        frame = frame if first is None else first.box
    for mark in node.marks:
        if mark[0] == "text":
            yield Label(mark[2], _text_box(mark, x, y, scale), str(dict(mark[1])["fill"]), node, frame)
        else:
            area = _area(mark, x, y, scale)
            if area is not None:
                yield area
    for inner in node.inside:
        yield from _painted(inner, x, y, scale, frame)


def _is_frame(node: Node) -> bool:
    """Whether something begins with a ground on which all of it stands: a panel, a tile, or a card."""
    if {"panel", "tile"} & set(node.classes):
        return True
    return bool({"piece", "mention"} & set(node.classes)) and dict(node.marks[0][1])["x"] in (0, 0.5)


def text_width(text: str, size: float, *, bold: bool) -> float:
    """Return how wide a text is in a wide font."""
    known = _WIDTHS["bold" if bold else "regular"]
    return sum(known.get(letter, 1000) for letter in text) * size / 1000


def _text_box(mark: Mark, x: float, y: float, scale: float) -> Box:
    _, attributes, text = mark
    given: dict[str, Any] = dict(attributes)
    size = given["font-size"] * scale
    width = text_width(text, size, bold="font-weight" in given)
    left, base = x + given["x"] * scale, y + given["y"] * scale
    left -= {"start": 0.0, "middle": width / 2, "end": width}[given.get("text-anchor", "start")]
    return Box(left, base - 0.74 * size, left + width, base + 0.12 * size)


def _area(mark: Mark, x: float, y: float, scale: float) -> Area | None:
    tag, attributes, _ = mark
    given: dict[str, Any] = dict(attributes)
    fill = given["fill"]
    if fill == "none":
        return None
    if tag == "rect":
        left, top = x + given["x"] * scale, y + given["y"] * scale
        return Area(Box(left, top, left + given["width"] * scale, top + given["height"] * scale), fill)
    if tag == "circle":
        middle, radius = (x + given.get("cx", 0) * scale, y + given.get("cy", 0) * scale), given["r"] * scale * 0.9
        return Area(Box(middle[0] - radius, middle[1] - radius, middle[0] + radius, middle[1] + radius), fill)
    moved = re.fullmatch(r"translate\((\S+) (\S+)\) scale\((\S+)\)", given.get("transform", "translate(0 0) scale(1)"))
    assert moved is not None
    dx, dy, own = map(float, moved.groups())
    if tag == "polygon":
        rings: tuple[tuple[tuple[float, float], ...], ...] = (
            tuple((float(a), float(b)) for a, b in (pair.split(",") for pair in given["points"].split())),
        )
    else:
        rings = rings_of(given["d"])
    placed = tuple(tuple((x + (dx + a * own) * scale, y + (dy + b * own) * scale) for a, b in ring) for ring in rings)
    points = [point for ring in placed for point in ring]
    columns, rows = [a for a, _ in points], [b for _, b in points]
    return Area(Box(min(columns), min(rows), max(columns), max(rows)), fill, placed)


def _winding(ring: tuple[tuple[float, float], ...], x: float, y: float) -> int:
    found = 0
    for (ax, ay), (bx, by) in zip(ring, (*ring[1:], ring[0]), strict=True):
        if (ay <= y) != (by <= y) and x < ax + (y - ay) * (bx - ax) / (by - ay):
            found += 1 if by > ay else -1
    return found


_TAKES = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Q": 4, "T": 2, "A": 7}


@cache
def rings_of(data: str) -> tuple[tuple[tuple[float, float], ...], ...]:
    """Return the closed lines of an outline; curves by some of their points, arcs by their ends."""
    rings, ring, place, command = list[list[tuple[float, float]]](), list[tuple[float, float]](), (0.0, 0.0), ""
    words = re.findall(r"[A-Za-z]|[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?", data)
    while words:
        if words[0].isalpha():
            command = words.pop(0)
        if command in "Zz":
            place = ring[0] if ring else place
            continue
        numbers = [float(words.pop(0)) for _ in range(_TAKES[command.upper()])]
        place, points = _drawn(command, numbers, place)
        if command in "Mm":
            ring = []
            rings.append(ring)
            command = "L" if command == "M" else "l"
        ring.extend(points)
    return tuple(tuple(each) for each in rings if len(each) > 2)


def _drawn(
    command: str, numbers: list[float], place: tuple[float, float]
) -> tuple[tuple[float, float], list[tuple[float, float]]]:
    """Return where a command ends, and points on the way."""
    x, y = place if command.islower() else (0.0, 0.0)
    if command in "HhVv":
        end = (x + numbers[0], place[1]) if command in "Hh" else (place[0], y + numbers[0])
        return end, [end]
    if command in "Aa":
        end = (x + numbers[5], y + numbers[6])
        return end, [end]
    points = [(x + a, y + b) for a, b in zip(numbers[::2], numbers[1::2], strict=True)]
    if command in "Cc":
        return points[-1], [_on_curve(place, *points, at=at) for at in (0.25, 0.5, 0.75, 1)]
    if command in "Qq":
        middle = points[0]
        first, second = _between(place, middle), _between(points[1], middle)
        return points[-1], [_on_curve(place, first, second, points[1], at=at) for at in (0.25, 0.5, 0.75, 1)]
    return points[-1], [points[-1]]


def _between(end: tuple[float, float], middle: tuple[float, float]) -> tuple[float, float]:
    return (end[0] + 2 * middle[0]) / 3, (end[1] + 2 * middle[1]) / 3


def _on_curve(*points: tuple[float, float], at: float) -> tuple[float, float]:
    shares = ((1 - at) ** 3, 3 * at * (1 - at) ** 2, 3 * at**2 * (1 - at), at**3)
    return sum(s * x for s, (x, _) in zip(shares, points, strict=True)), sum(
        s * y for s, (_, y) in zip(shares, points, strict=True)
    )


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours, as WCAG 2 counts it."""
    dark, light = sorted(map(_luminance, (one, other)))
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(share * part for share, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))
