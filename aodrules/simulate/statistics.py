"""What numbers of games tell: shares and means with intervals, and differences of paired games."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from statistics import NormalDist, fmean, stdev

from attrs import frozen


@frozen
class Estimate:
    """A figure with its interval and the number of observations behind it."""

    value: float
    low: float
    high: float
    count: int

    @property
    def excludes_zero(self) -> bool:
        """Whether zero lies outside the interval: for a difference, more than chance."""
        return self.low > 0 or self.high < 0

    def __str__(self) -> str:
        return f"{self.value:.2f} ({self.low:.2f} to {self.high:.2f})"


def share(hits: float, count: int, confidence: float = 0.95) -> Estimate:
    """Return a share with Wilson's interval, which is honest for few games and for shares near 0 and 1."""
    if count == 0:
        return Estimate(0.0, 0.0, 1.0, 0)
    z, rate = _z(confidence), hits / count
    spread = 1 + z * z / count
    centre = (rate + z * z / (2 * count)) / spread
    half = z * sqrt(rate * (1 - rate) / count + z * z / (4 * count * count)) / spread
    return Estimate(rate, max(0.0, centre - half), min(1.0, centre + half), count)


def mean(values: Sequence[float], confidence: float = 0.95) -> Estimate:
    """Return a mean with its normal interval."""
    if not values:
        return Estimate(0.0, float("-inf"), float("inf"), 0)
    centre = fmean(values)
    half = _z(confidence) * stdev(values) / sqrt(len(values)) if len(values) > 1 else float("inf")
    return Estimate(centre, centre - half, centre + half, len(values))


def difference(before: Sequence[float], after: Sequence[float], confidence: float = 0.95) -> Estimate:
    """Return how much more there is after than before, games paired by their seed."""
    return mean([b - a for a, b in zip(before, after, strict=True)], confidence)


def _z(confidence: float) -> float:
    return NormalDist().inv_cdf(0.5 + confidence / 2)
