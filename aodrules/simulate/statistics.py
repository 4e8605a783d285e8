"""What numbers of games tell: shares and means with intervals, and differences of paired games.

All of it needs only the standard library; design page 0041 says why these intervals and no others.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import exp, floor, inf, lgamma, log, log1p, sqrt
from statistics import NormalDist, fmean

from attrs import frozen

_RADEMACHER = 1 / (4 * (1 - NormalDist().cdf(sqrt(2))))
"""How much likelier than a normal one a weighted sum of fair signs can be to go beyond any bound (about 3.18)."""


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

    @property
    def reach(self) -> float:
        """How far the interval reaches to either side: for a difference, the least that can be seen."""
        return (self.high - self.low) / 2

    @property
    def is_bounded(self) -> bool:
        """Whether there were observations enough for an interval."""
        return self.reach < inf

    @property
    def shown(self) -> str:
        """The figure alone; a dash if nothing was observed."""
        return f"{self.value:.2f}" if self.count else "-"

    def __str__(self) -> str:
        return f"{self.shown} ({self.low:.2f} to {self.high:.2f})" if self.is_bounded else self.shown


def share(hits: float, count: int, confidence: float = 0.95) -> Estimate:
    """Return a share with the exact interval of Clopper and Pearson, which is never too narrow."""
    if count == 0:
        return Estimate(0.0, 0.0, 1.0, 0)
    tail = (1 - confidence) / 2
    low = _beta_quantile(tail, hits, count - hits + 1) if hits > 0 else 0.0
    high = _beta_quantile(1 - tail, hits + 1, count - hits) if hits < count else 1.0
    return Estimate(hits / count, low, high, count)


def mean(values: Sequence[float], confidence: float = 0.95) -> Estimate:
    """Return a mean with Student's interval."""
    count = len(values)
    if count < 2:
        return Estimate(values[0] if values else 0.0, -inf, inf, count)
    half = _student(confidence, count - 1) * sqrt(_variance(values) / (count - 1)) or _unseen(confidence, count)
    centre = fmean(values)
    return Estimate(centre, centre - half, centre + half, count)


def shift(differences: Sequence[float], confidence: float = 0.95) -> Estimate:
    """Return the mean of paired differences with an interval that holds for any number and any sort of them.

    Where a change does nothing, each difference is as likely as its opposite. Then the sum of all, over the root of
    the sum of their squares, is a weighted sum of fair signs, and its tails have a known bound: whatever the
    differences are, however many are equal or zero, and however few there are.
    """
    count, bound = len(differences), _bound(confidence)
    centre = fmean(differences) if differences else 0.0
    if count <= bound**2:
        return Estimate(centre, -inf, inf, count)
    spread = _variance(differences)
    # All alike: a rare exception may have been missed.
    half = bound * sqrt(spread / (count - bound**2)) or _unseen(confidence, count) * (abs(centre) or 1)
    return Estimate(centre, centre - half, centre + half, count)


def effect(differences: Sequence[float]) -> float:
    """Return the size of a change beside how much two paired games differ: 0 none, 1 or -1 all of the difference."""
    typical = sqrt(fmean([each * each for each in differences])) if differences else 0.0
    return fmean(differences) / typical if typical else 0.0


def confidence_in_each(figures: int) -> float:
    """Return how sure each of so many figures must be, so that all together hold with 95 % (Bonferroni)."""
    return 1 - 0.05 / max(1, figures)


def fewest_games(figures: int) -> int:
    """Return the least number of pairs of games that can show any difference, if so many figures are looked at."""
    return floor(_bound(confidence_in_each(figures)) ** 2) + 1


def _variance(values: Sequence[float]) -> float:
    """Return the mean square of what values are off their mean; of equal ones exactly zero."""
    if min(values) == max(values):
        return 0.0
    centre = fmean(values)
    return fmean([(value - centre) ** 2 for value in values])


def _bound(confidence: float) -> float:
    """Return what a weighted sum of fair signs, of variance 1, exceeds on either side with no more than the rest."""
    return NormalDist().inv_cdf(1 - (1 - confidence) / (2 * _RADEMACHER))


def _unseen(confidence: float, count: int) -> float:
    """Return the largest share of games that may go another way, though none of so many did."""
    return float(1 - (1 - confidence) ** (1 / count))


@lru_cache
def _student(confidence: float, freedom: int) -> float:
    """Return what Student's t exceeds on either side with the rest of a confidence."""
    part = _beta_quantile(1 - confidence, freedom / 2, 0.5)
    return sqrt(freedom * (1 - part) / part)


def _beta_quantile(chance: float, a: float, b: float) -> float:
    """Return below which share the beta distribution lies with a chance."""
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if _beta(middle, a, b) < chance else (low, middle)
    return (low + high) / 2


def _beta(x: float, a: float, b: float) -> float:
    """Return the regularised incomplete beta function, 0 < x < 1, by its continued fraction (Lentz)."""
    if x > (a + 1) / (a + b + 2):
        return 1 - _beta(1 - x, b, a)
    scale = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x)) / a
    above, below = 1.0, 1 / (1 - (a + b) * x / (a + 1))
    found = below
    for m in range(1, 10_000):
        before = found
        for term in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            above, below = 1 + term / above, 1 / (1 + term * below)
            found *= above * below
        if abs(found - before) < 1e-15 * abs(found):
            break
    return scale * found
