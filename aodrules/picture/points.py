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
_LEAST = 40


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
    """Return a track from no points to the next full ten, on which a disc stands for each player."""
    (width, height), colour = size, style.theme.colour
    known = {seat: number for seat, number in points.items() if number is not None}
    last = max(_LEAST, -(-max(known.values(), default=0) // _STEP) * _STEP)
    start, end, middle = 34.0, width - 34.0, height / 2
    marks: list[Mark] = [
        box(0, 0, width, height, colour("panel"), colour("line"), 8),
        path(STAR, colour("accent"), ("transform", f"translate(6 {middle - 9:.1f}) scale(0.75)")),
        path(f"M{start} {middle:.1f}H{end:.1f}", "none", ("stroke", colour("line")), ("stroke-width", 3)),
    ]
    step = _STEP if last <= 10 * _STEP else 2 * _STEP if last <= 20 * _STEP else 10 * _STEP
    for number in range(0, last + 1, step):
        x = start + (end - start) * number / last
        marks.append(box(x - 15, middle - 9, 30, 18, colour("slot"), colour("line"), 9))
        marks.append(words(str(number), x, middle + 4.3, 12, colour("faint"), anchor="middle"))
    inside = [_disc(style, seat, known, (start, end, last), middle) for seat in known]
    label = style.labels.phrase("points")
    return Drawn(
        Node(id_, ("track", "points"), label=label, title=label, marks=tuple(marks), inside=tuple(inside)), *size
    )


def _disc(style: Style, seat: str, known: Mapping[str, int], ends: tuple[float, float, int], middle: float) -> Node:
    """Return the disc of a player, above or below the line so that all who are near each other can be seen."""
    start, end, last = ends
    near = [each for each in known if abs(known[each] - known[seat]) * (end - start) < 20 * last]
    place = near.index(seat) - (len(near) - 1) / 2
    x = start + (end - start) * max(0, known[seat]) / last
    look, said = style.seats[seat], f"{style.say('player', seat)}: {known[seat]}"
    letter = words(look.letter, 0, 4, 11, look.ink, anchor="middle", bold=True)
    node = Node(
        f"picture.track.{seat}", ("points", f"seat-{seat}"), label=str(known[seat]), title=said,
        marks=(disc(style, seat, 0, 0, 9.5), letter),
    )  # fmt: skip
    return node.at(x + place * 7, middle + place * 9)


def _said(points: int | None) -> str:
    return "?" if points is None else str(points)
