"""What the figures of a bench should be, and whether they are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from attrs import frozen

from aodrules.simulate import bench, rivals
from aodrules.simulate.bench import Growth, Size
from aodrules.simulate.bench_loads import Loads
from aodrules.simulate.timing import Figure


@frozen
class Target:
    """A figure that was asked for: what was found, the bound, and what we would like."""

    name: str
    found: float | None
    """Nothing if it could not be measured here."""
    bound: float
    aim: float | None = None
    at_most: bool = False
    unit: str = " ×"  # noqa: RUF001 - the sign of times

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
    (bench.BARE, rivals.CHESS, 8, 12),
    (bench.BARE, _SPIEL_CHESS, 1.2, 1.8),
    (bench.BARE, _SPIEL_CARDS, 4, 6),
    (bench.BARE, rivals.ISLANDS, 8, 20),
    (bench.CHECKED, rivals.CHESS, 5, 8),
    (bench.LOGGED, rivals.CHESS, 4, 7),
    (bench.ACTIONS, bench.BARE, 0.7, 0.8),
    (bench.TWICE, bench.BARE, 0.9, 0.95),
)
_TIMES: tuple[tuple[str, str, float], ...] = (
    (bench.COPY, rivals.CHESS_COPY, 0.5),
    (bench.PUSH_AND_POP, rivals.CHESS_PUSH, 1),
)


def rate_targets(figures: Mapping[str, Figure]) -> Iterator[Target]:
    """Return the targets that are ratios of medians of one run."""
    for ours, other, least, aim in _RATES:
        yield Target(f"{ours} ÷ {other}", _ratio(figures, ours, other), least, aim)
    for ours, other, most in _TIMES:
        yield Target(f"{ours} ÷ {other}", _ratio(figures, ours, other), most, at_most=True)


def _ratio(figures: Mapping[str, Figure], ours: str, other: str) -> float | None:
    if ours not in figures or other not in figures:
        return None
    return figures[ours].median / figures[other].median


def other_targets(size: Size, loads: Loads, growth: Growth) -> Iterator[Target]:
    """Return the targets about sizes, loading and growth."""
    yield Target("cells of a state", size.cells, 600, at_most=True, unit="")
    yield Target("state as JSON", size.json, 4096, at_most=True, unit=" B")
    cached = None if loads.chess is None else loads.cached / loads.chess
    yield Target("import and cached load ÷ `import chess` and a board", cached, 3, at_most=True)
    yield Target("cold load with all checks", loads.cold, 1.5, at_most=True, unit=" s")
    yield Target("load for each part of 16-fold content ÷ of 4-fold", loads.growing, 1.1, at_most=True)
    yield Target("a decision late in a game ÷ early: what its past adds", growth.with_length, 1.15, at_most=True)
    yield Target("a decision after many games ÷ in the first", growth.with_games, 1.15, at_most=True)
