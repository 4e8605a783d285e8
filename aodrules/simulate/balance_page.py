"""A comparison as a page with charts: changes around zero, on scales with numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib.metadata import version
from math import floor, log10
from typing import TypeVar

from attrs import frozen

from aodrules.pages import Markup, Section, anchor, element, join, page, row, table
from aodrules.simulate.balance import HELD, POINTS, USED, WINS, Association, Balance, ComparedFigure
from aodrules.simulate.statistics import Estimate
from aodrules.source.wording import count

_WIDTH, _MARGIN, _HEIGHT = 240, 24, 18
_MINUS = "\N{MINUS SIGN}"
_MOST_SHOWN = 12
"""More figures that cannot be told from chance are shown only to those who ask."""
_HEADS = ("change", "interval", "before", "after", "")

T = TypeVar("T")


def balance_page(found: Balance, worth: Sequence[Association], titles: tuple[str, str] | None = None) -> str:
    """Return the page of a comparison.

    Args:
        found: The comparison.
        worth: What goes with each thing in the changed rules.
        titles: What both rulesets are called; the words they were asked for with if not given.
    """
    title = " → ".join(titles or (found.base, found.changed))
    groups = sorted(dict.fromkeys(line.group for line in found.lines), key=_place_of_group)
    return page(
        title,
        *_differing_section(found),
        *(_section(name, [line for line in found.lines if line.group == name]) for name in groups),
        *_worth_section(worth),
        lead=_lead(found),
    )


def _place_of_group(group: str) -> tuple[int, str]:
    """Return where a group stands: what decides a game first, and last what is counted of each single thing."""
    before = [begin for begin in (WINS, POINTS, "", USED, HELD) if group.startswith(begin)]
    return (WINS, POINTS, "", USED, HELD).index(max(before, key=len)), group


def _lead(found: Balance) -> Iterator[Markup]:
    seeds = f"{found.first} to {found.first + found.games - 1}"
    yield element("p", f"{found.verdict}.", class_="lead")
    yield element("p", f"{found.sensitivity} Of everything else it cannot be told whether it differs.")
    compared = element("code", f"{found.base} {found.changed}")
    told = f": {found.sample}, with the seeds {seeds}. The intervals hold with 95 % for all figures together."
    yield element("p", "Played by aodrules ", version("aodrules"), ", ", compared, told, class_="faint")


def _differing_section(found: Balance) -> Iterator[Section]:
    """Return all that differs, whatever it is measured in, by the size of the effect."""
    if not found.differing:
        return
    scale = Scale(1.0)
    rows = (
        row(
            f"{_title(line.group)}: {line.name}",
            scale.draw_bar(line.effect),
            _colour(line, _signed_figure(line.change.value)),
            *_sides(line),
        )
        for line in sorted(found.differing, key=lambda line: -abs(line.effect))
    )
    name = "What differs"
    about = element(
        "p",
        "The larger the effect, the higher it stands here. An effect is the change beside how much two games of one "
        "seed differ: 0 is none, 1 is every game alike.",
    )
    heads = ("", scale.draw_axis("effect"), "change", "before", "after")
    yield Section(name, "differs", (about, table(name, heads, rows, "figures")))


def _section(group: str, lines: Sequence[ComparedFigure]) -> Section:
    """Return a group of figures, larger changes first; long ones show what cannot be told only to those who ask."""
    ordered = sorted(lines, key=lambda line: -abs(line.change.value))
    scale = scale_for([line.change for line in ordered])
    title = _title(group)

    def shown(some: Sequence[ComparedFigure]) -> Markup:
        return table(
            title, ("", scale.draw_axis("change"), *_HEADS), (_figure_row(scale, line) for line in some), "figures"
        )

    return Section(title, anchor("group", group), _fold(ordered, shown, lambda line: line.change.excludes_zero))


def _figure_row(scale: Scale, line: ComparedFigure) -> Markup:
    return row(
        line.name,
        scale.draw_interval(line.change),
        _signed_figure(line.change.value),
        _spoken(line.change),
        *_sides(line),
        _colour(line, line.verdict),
        class_=_emphasis(line.change),
    )


def _fold(
    lines: Sequence[T], shown: Callable[[Sequence[T]], Markup], is_told: Callable[[T], bool]
) -> tuple[Markup, ...]:
    """Return a table of what is more than chance, and one of all else, closed if it is long."""
    told, others = [each for each in lines if is_told(each)], [each for each in lines if not is_told(each)]
    if len(others) <= _MOST_SHOWN:
        return (shown(lines),)
    summary = element("summary", f"{count(len(others), 'figure')} that cannot be told from chance")
    return (*((shown(told),) if told else ()), element("details", summary, shown(others), class_="wide-details"))


def _worth_section(worth: Sequence[Association]) -> Iterator[Section]:
    """Return what goes with each thing that some seats of a match had and others had not."""
    told = sorted((each for each in worth if each.wins.count > 1), key=lambda each: -abs(each.points.value))
    if not told:
        return
    scale = scale_for([each.points for each in told])
    title = "What goes with winning"

    def shown(some: Sequence[Association]) -> Markup:
        rows = (
            row(
                f"{_title(each.group)}: {each.thing}",
                scale.draw_interval(each.points),
                _signed_figure(each.points.value),
                _spoken(each.points),
                _signed_figure(each.wins.value),
                str(each.seats),
                class_=_emphasis(each.points),
            )
            for each in some
        )
        heads = ("", scale.draw_axis("points"), "points", "interval", "share of wins", "seats")
        return table(title, heads, rows, "figures")

    about = element(
        "p",
        "How many points more those seats had, and how much more often they won, that used or held a thing, than "
        "the others of the same match; changed rules. That is no proof of a cause.",
    )
    yield Section(title, "worth", (about, *_fold(told, shown, lambda each: each.points.excludes_zero)))


def _title(group: str) -> str:
    return group[:1].upper() + group[1:]


def _signed_figure(value: float) -> str:
    return f"{value:+.2f}".replace("-", _MINUS)


def _sides(line: ComparedFigure) -> tuple[str, str]:
    return line.before.shown, line.after.shown


def _spoken(change: Estimate) -> str:
    ends = (_signed_figure(end) for end in (change.low, change.high))
    return " to ".join(ends) if change.is_bounded else "too few games"


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
        return self._chart(_signed_figure(value), element("rect", x=left, y=4, width=round(right - left, 1), height=10))

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
    inside = (element("title", title), join(*drawn))
    return element("svg", *inside, class_="chart", width=_WIDTH, height=height, role="img")


def _signed(tick: float) -> str:
    return f"{tick:+g}".replace("-", _MINUS) if tick else "0"
