"""A comparison as a page with charts: changes around zero, on scales with numbers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from importlib.metadata import version
from math import floor, log10

from attrs import frozen

from aodrules.pages import Markup, element, join, page, row, table
from aodrules.simulate.balance import HELD, USED, Association, Balance, ComparedFigure
from aodrules.simulate.statistics import Estimate

_WIDTH, _MARGIN, _HEIGHT = 280, 26, 18


def balance_page(found: Balance, worth: Sequence[Association]) -> str:
    """Return the page of a comparison."""
    groups = sorted(dict.fromkeys(line.group for line in found.lines), key=lambda group: group in (USED, HELD))
    seeds = f"{found.first} to {found.first + found.games - 1}"
    return page(
        found.changed,
        element("h1", f"{found.base} → {found.changed}"),
        element("p", f"{found.sample}, with the seeds {seeds}; aodrules {version('aodrules')}."),
        element(
            "p",
            element("b", f"{found.verdict}."),
            f" {found.sensitivity} Of everything else it cannot be told whether it differs. "
            "The intervals hold with 95 % for all figures together.",
        ),
        *_differing_section(found),
        *(part for name in groups for part in _section(name, [line for line in found.lines if line.group == name])),
        *_worth_section(worth),
    )


def _differing_section(found: Balance) -> Iterator[Markup]:
    """Return all that differs, whatever it is measured in, by the size of the effect."""
    if not found.differing:
        return
    scale = Scale(1.0)
    rows = (
        row(
            f"{line.group}: {line.name}",
            *_sides(line),
            _colour(line, f"{line.change.value:+.2f}"),
            scale.draw_bar(line.effect),
        )
        for line in found.differing
    )
    yield element("h2", "What differs")
    yield element(
        "p",
        "The larger the effect, the higher it stands here. An effect is the change beside how much two games of one "
        "seed differ: 0 is none, 1 is every game alike.",
    )
    yield table("What differs", ("", "before", "after", "change", scale.draw_axis("effect")), rows, "figures")


def _section(name: str, lines: Sequence[ComparedFigure]) -> Iterator[Markup]:
    scale = scale_for([line.change for line in lines])
    rows = (
        row(
            line.name,
            *_sides(line),
            f"{line.change.value:+.2f}",
            _spoken(line.change),
            _colour(line, line.verdict),
            scale.draw_interval(line.change),
            class_=_emphasis(line.change),
        )
        for line in lines
    )
    title = name[:1].upper() + name[1:]
    yield element("h2", title)
    yield table(title, ("", "before", "after", "change", "interval", "", scale.draw_axis("change")), rows, "figures")


def _worth_section(worth: Sequence[Association]) -> Iterator[Markup]:
    """Return what goes with each thing that some seats of a match had and others had not."""
    told = [each for each in worth if each.wins.count > 1]
    if not told:
        return
    scale = scale_for([each.points for each in told])
    rows = (
        row(
            f"{each.group}: {each.thing}",
            str(each.seats),
            f"{each.wins.value:+.2f}",
            f"{each.points.value:+.2f}",
            _spoken(each.points),
            scale.draw_interval(each.points),
            class_=_emphasis(each.points),
        )
        for each in told
    )
    title = "What goes with winning"
    yield element("h2", title)
    yield element(
        "p",
        "How much more often those seats won, and how many points more they had, that used or held a thing, than "
        "the others of the same match; changed rules. That is no proof of a cause.",
    )
    yield table(title, ("", "seats", "share of wins", "points", "interval", scale.draw_axis("points")), rows, "figures")


def _sides(line: ComparedFigure) -> tuple[str, str]:
    return line.before.shown, line.after.shown


def _spoken(change: Estimate) -> str:
    return f"{change.low:+.2f} to {change.high:+.2f}" if change.is_bounded else "too few games"


def _emphasis(change: Estimate) -> str:
    return "told" if change.excludes_zero else ""


def _colour(line: ComparedFigure, text: str) -> str:
    return element("span", text, class_=line.verdict) if line.change.excludes_zero else text


@frozen
class Scale:
    """A scale from minus a round number to the same number, with ticks at the halves."""

    limit: float

    def draw_axis(self, unit: str) -> Markup:
        """Return the scale with its numbers, to stand above the charts."""
        numbers = (element("text", _signed(tick), x=self._place(tick), y=30) for tick in self._ticks())
        lines = (self._line(tick, 34, 40) for tick in self._ticks())
        title = f"{unit}, from {_signed(-self.limit)} to {_signed(self.limit)}"
        return _picture(title, 40, element("text", unit, x=_WIDTH // 2, y=13), *numbers, *lines)

    def draw_interval(self, change: Estimate) -> Markup:
        """Return a picture of an interval; of one without bounds a dotted line."""
        low, high = (change.low, change.high) if change.is_bounded else (-self.limit, self.limit)
        style = "range" if change.is_bounded else "range unknown"
        middle = _HEIGHT // 2
        return self._chart(
            str(change),
            element("line", x1=self._place(low), x2=self._place(high), y1=middle, y2=middle, class_=style),
            element("circle", cx=self._place(change.value), cy=middle, r=3),
        )

    def draw_bar(self, value: float) -> Markup:
        """Return a bar from zero to a value."""
        left, right = sorted((self._place(0), self._place(value)))
        return self._chart(f"{value:+.2f}", element("rect", x=left, y=4, width=round(right - left, 1), height=10))

    def _chart(self, title: str, *drawn: Markup) -> Markup:
        return _picture(title, _HEIGHT, *(self._line(tick, 0, _HEIGHT) for tick in self._ticks()), *drawn)

    def _line(self, tick: float, top: int, bottom: int) -> Markup:
        x = self._place(tick)
        return element("line", x1=x, x2=x, y1=top, y2=bottom, class_="" if tick else "zero")

    def _ticks(self) -> tuple[float, ...]:
        return (-self.limit, -self.limit / 2, 0.0, self.limit / 2, self.limit)

    def _place(self, value: float) -> float:
        within = max(-1.0, min(1.0, value / self.limit))
        return round(_WIDTH / 2 + (_WIDTH / 2 - _MARGIN) * within, 1)


def scale_for(changes: Iterable[Estimate]) -> Scale:
    """Return the smallest scale to a round number that holds the intervals of all changes."""
    ends = [end for each in changes for end in ((each.low, each.high) if each.is_bounded else (each.value,))]
    widest = max((abs(end) for end in ends), default=0.0) or 1.0
    tens = 10.0 ** floor(log10(widest))
    return Scale(next(step * tens for step in (1, 2, 3, 4, 5, 6, 8, 10) if step * tens >= widest * (1 - 1e-9)))


def _picture(title: str, height: int, *drawn: Markup) -> Markup:
    return element("svg", element("title", title), join(*drawn), width=_WIDTH, height=height, role="img")


def _signed(tick: float) -> str:
    return f"{tick:+g}" if tick else "0"
