"""Small charts of changes around zero, on a scale with numbers."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from math import floor, log10

from attrs import frozen

from aodrules.simulate.statistics import Estimate

_WIDTH, _MARGIN, _HEIGHT = 280, 26, 18


@frozen
class Scale:
    """A scale from minus a round number to the same number, with ticks at the halves."""

    limit: float

    def draw_axis(self, unit: str) -> str:
        """Return the scale with its numbers, to stand above the charts."""
        numbers = "".join(
            f"<text x='{self._place(tick):.1f}' y='30' text-anchor='middle'>{_signed(tick)}</text>"
            for tick in self._ticks()
        )
        return (
            f"<svg width='{_WIDTH}' height='40' font-size='11' font-weight='400' fill='#555' role='img'>"
            f"<text x='{_WIDTH / 2}' y='13' text-anchor='middle'>{escape(unit)}</text>{numbers}"
            f"{''.join(self._line(tick, 34, 40) for tick in self._ticks())}</svg>"
        )

    def draw_interval(self, change: Estimate) -> str:
        """Return a picture of an interval; of one without bounds a dotted line."""
        low, high = (change.low, change.high) if change.is_bounded else (-self.limit, self.limit)
        dots = "" if change.is_bounded else " stroke-dasharray='2 4'"
        return self._picture(
            str(change),
            f"<line x1='{self._place(low):.1f}' x2='{self._place(high):.1f}' y1='9' y2='9' stroke='#555' "
            f"stroke-width='2'{dots}/><circle cx='{self._place(change.value):.1f}' cy='9' r='3' fill='#1f4e8c'/>",
        )

    def draw_bar(self, value: float) -> str:
        """Return a bar from zero to a value."""
        left, right = sorted((self._place(0), self._place(value)))
        return self._picture(
            f"{value:+.2f}",
            f"<rect x='{left:.1f}' y='4' width='{right - left:.1f}' height='10' fill='#1f4e8c'/>",
        )

    def _picture(self, title: str, drawn: str) -> str:
        lines = "".join(self._line(tick, 0, _HEIGHT) for tick in self._ticks())
        return f"<svg width='{_WIDTH}' height='{_HEIGHT}' role='img'><title>{escape(title)}</title>{lines}{drawn}</svg>"

    def _line(self, tick: float, top: int, bottom: int) -> str:
        x, colour = f"{self._place(tick):.1f}", "#888" if tick == 0 else "#ddd"
        return f"<line x1='{x}' x2='{x}' y1='{top}' y2='{bottom}' stroke='{colour}'/>"

    def _ticks(self) -> tuple[float, ...]:
        return (-self.limit, -self.limit / 2, 0.0, self.limit / 2, self.limit)

    def _place(self, value: float) -> float:
        within = max(-1.0, min(1.0, value / self.limit))
        return _WIDTH / 2 + (_WIDTH / 2 - _MARGIN) * within


def scale_for(changes: Iterable[Estimate]) -> Scale:
    """Return the smallest scale to a round number that holds the intervals of all changes."""
    ends = [end for each in changes for end in ((each.low, each.high) if each.is_bounded else (each.value,))]
    widest = max((abs(end) for end in ends), default=0.0) or 1.0
    tens = 10.0 ** floor(log10(widest))
    return Scale(next(step * tens for step in (1, 2, 3, 4, 5, 6, 8, 10) if step * tens >= widest * (1 - 1e-9)))


def _signed(tick: float) -> str:
    return f"{tick:+g}" if tick else "0"
