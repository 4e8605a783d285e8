"""What the figures of a bench should be, and whether they are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from attrs import frozen

from benchmarks import growth, loads, rates, rivals
from benchmarks.rates import Subject
from benchmarks.timing import Figure


@frozen
class Target:
    """A figure that was asked for: what was found, the bound, and what we would like."""

    name: str
    found: float | None
    """Nothing if it could not be measured here."""
    bound: float
    aim: float | None = None
    at_most: bool = False
    unit: str = " ×"

    @property
    def verdict(self) -> str:
        """`pass`, `miss` or `not measured`."""
        if self.found is None:
            return "not measured"
        met = self.found <= self.bound if self.at_most else self.found >= self.bound
        return "pass" if met else "miss"


_SPIEL_CHESS, _SPIEL_CARDS, _ = (rivals.SPIEL.format(name) for name in rivals.SPIEL_GAMES)
# Ours, what it is compared with, the least ratio of medians, and the ratio we would like.
_RATES: tuple[tuple[str, str, float, float], ...] = (
    (rates.BARE, rivals.CHESS, 8, 12),
    (rates.BARE, _SPIEL_CHESS, 1.2, 1.8),
    (rates.BARE, _SPIEL_CARDS, 4, 6),
    (rates.BARE, rivals.ISLANDS, 8, 20),
    (rates.CHECKED, rivals.CHESS, 5, 8),
    (rates.LOGGED, rivals.CHESS, 4, 7),
    (rates.ACTIONS, rates.BARE, 0.7, 0.8),
    (rates.TWICE, rates.BARE, 0.9, 0.95),
)
_TIMES: tuple[tuple[str, str, float], ...] = (
    (rates.COPY, rivals.CHESS_COPY, 0.5),
    (rates.PUSH_AND_POP, rivals.CHESS_PUSH, 1),
)
# What does not grow may still come out a little above 1: nothing can be measured more exactly than this.
_FLAT = 1.1


def targets(subject: Subject, figures: Mapping[str, Figure]) -> Iterator[Target]:
    """Return all that was asked for, each with what was found."""
    for ours, other, least, aim in _RATES:
        yield Target(f"{ours} ÷ {other}", _ratio(figures, ours, other), least, aim)
    for ours, other, most in _TIMES:
        yield Target(f"{ours} ÷ {other}", _ratio(figures, ours, other), most, at_most=True)
    yield Target(rates.CELLS, _median(figures, rates.CELLS), 600, at_most=True, unit="")
    yield Target(rates.TEXT, _median(figures, rates.TEXT), 4096, at_most=True, unit=" B")
    yield Target(rates.VIEW, _median(figures, rates.VIEW), 1000, at_most=True, unit=" µs")
    yield Target(rates.EVENTS, _median(figures, rates.EVENTS), 200, at_most=True, unit=" µs")
    yield Target(rates.PICTURE, _median(figures, rates.PICTURE), 15_000, at_most=True, unit=" µs")
    yield Target(rates.PATCH, _median(figures, rates.PATCH), 1000, at_most=True, unit=" µs")
    for word in subject.words:
        interpreted = rates.BESIDE.format(rules=word, what=rates.INTERPRETED)
        if interpreted in figures:
            yield Target(interpreted, _median(figures, interpreted), 500, unit=" /s")
    yield from _loads(subject, figures)
    yield from _growth(figures)


def _loads(subject: Subject, figures: Mapping[str, Figure]) -> Iterator[Target]:
    for word in subject.words:
        cached, cold = loads.CACHED.format(word), loads.COLD.format(word)
        ratio = _ratio(figures, cached, loads.CHESS)
        yield Target(f"{cached} ÷ {loads.CHESS}", ratio, 3, at_most=True)
        yield Target(cold, _median(figures, cold), 1500, at_most=True, unit=" ms")
    yield Target(
        "a straight line from 1-fold to 16-fold content ÷ cold load of 4-fold",
        linearity(figures),
        _FLAT,
        at_most=True,
    )


def linearity(figures: Mapping[str, Figure]) -> float | None:
    """Return what a straight line from the least to the most content says of what lies between, as a multiple of that.

    If loading grew faster than its content, the line would lie above. To look between two measures makes no error
    larger, as looking beyond them would.
    """
    names = [loads.FOLD.format(times) for times in loads.FOLDS]
    if any(name not in figures for name in names):
        return None
    few, some, many = (figures[name].median for name in names)
    one, four, sixteen = loads.FOLDS
    return (few + (many - few) * (four - one) / (sixteen - one)) / some


def _growth(figures: Mapping[str, Figure]) -> Iterator[Target]:
    for way in (rates.BARE, rates.LOGGED):
        late = growth.LATE.format(way)
        yield Target(late, _median(figures, late), _FLAT, at_most=True)
    for way in (rates.BARE, rates.LOGGED):
        long = growth.LONG.format(growth.ANSWERS, way)
        yield Target(long, _median(figures, long), _FLAT, at_most=True)
    season = growth.SEASON.format(growth.GAMES)
    yield Target(season, _median(figures, season), _FLAT, at_most=True)


def _median(figures: Mapping[str, Figure], name: str) -> float | None:
    return figures[name].median if name in figures else None


def _ratio(figures: Mapping[str, Figure], ours: str, other: str) -> float | None:
    if ours not in figures or other not in figures:
        return None
    return figures[ours].median / figures[other].median
