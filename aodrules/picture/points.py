"""Who has how many points, as far as somebody may know: on panels, and as a track with a disc for each player."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from aodrules.picture.scene import Mark, Node
from aodrules.picture.style import Drawn, Style, box, path, words
from aodrules.picture.text_size import text_width
from aodrules.picture.tokens import disc
from aodrules.play.states import CellReader, SeatReader
from aodrules.play.values import totals

Totals: TypeAlias = "Mapping[str, int | None]"
"""The points of each seat; nothing where the one who looks may not know them."""

STAR = "M12 2L14.9 8.6L22 9.3L16.600 14L18.200 21L12 17.300L5.800 21L7.400 14L2 9.300L9.100 8.600Z"
_STEP = 10
_STEPS = (5, 10, 20, 50, 100, 500, 10**4, 10**6)
_LEAST = 40
_DISC = 23.0
_TOP = 15.0


def has_points(style: Style) -> bool:
    """Whether players of the game have points at all."""
    rules = style.names.tables.rules
    return bool(rules.game.points) or "total" in rules.values


def totals_of(reader: CellReader) -> tuple[Totals, frozenset[str]]:
    """Return the points that a reader may know, and the fields on which they depend."""
    seat = reader.seat if isinstance(reader, SeatReader) else None
    found, fields = totals(reader.names, reader.state, seat)
    return dict(zip(reader.names.seats, found, strict=True)), fields


def badge(style: Style, seat: str, points: Totals, right: float) -> Node | None:
    """Return the points of a player, as they stand in the head of a panel up to a right edge."""
    if seat not in points:
        return None
    ink, said = style.seats[seat].ink, _said(points[seat])
    star = path(
        STAR, ink, ("transform", f"translate({right - text_width(said, 16, bold=True) - 22:.1f} 5.5) scale(0.75)")
    )
    number = words(said, right, 20, 16, ink, anchor="end", bold=True)
    return Node(
        f"picture.points.{seat}", ("points",), label=f"{style.labels.phrase('points')}: {said}",
        title=f"{style.labels.phrase('points')}: {said}", marks=(star, number),
    )  # fmt: skip


def track(style: Style, id_: str, points: Totals, size: tuple[int, int]) -> Drawn:
    """Return a track from no points to the next full ten, above which a disc for each player points to a place."""
    (width, height), colour = size, style.theme.colour
    known = {seat: number for seat, number in points.items() if number is not None}
    last = max(_LEAST, -(-max(known.values(), default=0) // _STEP) * _STEP)
    start, end, line = 46.0, width - 30.0, height - 24.0
    marks: list[Mark] = [
        box(0, 0, width, height, colour("panel"), colour("line"), 8),
        path(STAR, colour("accent"), ("transform", f"translate(10 {height / 2 - 9:.1f}) scale(0.75)")),
        path(f"M{start} {line:.1f}H{end:.1f}", "none", ("stroke", colour("line")), ("stroke-width", 3)),
    ]
    for number in range(0, last + 1, next((each for each in _STEPS if last <= 20 * each), last)):
        x = start + (end - start) * number / last
        marks.append(("circle", (("cx", round(x, 1)), ("cy", line), ("r", 3.5), ("fill", colour("line"))), ""))
        marks.append(words(str(number), x, height - 6, 12, colour("faint"), anchor="middle"))
    exact = {seat: start + (end - start) * max(0, number) / last for seat, number in known.items()}
    places = _apart(exact, start, end)
    inside = tuple(_disc(style, seat, known[seat], places[seat], exact[seat], line) for seat in known)
    label = style.labels.phrase("points")
    node = Node(id_, ("track", "points"), label=label, title=label, marks=tuple(marks), inside=inside)
    return Drawn(node, width, height)


def _apart(exact: Mapping[str, float], start: float, end: float) -> dict[str, float]:
    """Return places for discs, as near to where they belong as can be without one lying over another."""
    found, least = dict[str, float](), start
    for seat, x in sorted(exact.items(), key=lambda one: one[1]):
        found[seat] = max(x, least)
        least = found[seat] + _DISC
    most = end
    for seat in reversed(found):
        found[seat] = min(found[seat], most)
        most = found[seat] - _DISC
    return found


def _disc(style: Style, seat: str, points: int, x: float, exact: float, line: float) -> Node:
    """Return the disc of a player, and a line from it to its place on the track."""
    look, said = style.seats[seat], f"{style.say('player', seat)}: {points}"
    letter = words(look.letter, 0, 4, 11, look.ink, anchor="middle", bold=True)
    down = line - _TOP
    pointer = path(
        f"M0 0L{exact - x:.1f} {down:.1f}", "none", ("stroke", style.theme.colour("faint")), ("stroke-width", 1.5)
    )
    marks = (pointer, disc(style, seat, 0, 0, 10), letter)
    node = Node(f"picture.track.{seat}", ("points", f"seat-{seat}"), label=str(points), title=said, marks=marks)
    return node.at(x, _TOP)


def _said(points: int | None) -> str:
    return "?" if points is None else str(points)
