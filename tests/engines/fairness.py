"""Chi-square: how well what was seen fits what was promised."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable
from itertools import count
from math import erfc, exp, gamma, sqrt

FLUKE = 1e-6
"""What fits worse than this is called unfair.

With fixed seeds a test passes always or never. Of a million tests of fair chance one would never pass.
"""


def fit(seen: Iterable[Hashable], likely: Iterable[Hashable]) -> float:
    """Return how likely fair chance is to fit no better.

    `likely` are equally likely cases, of which several may have the same outcome.
    """
    counts, cases = Counter(seen), Counter(likely)
    if not counts or counts.keys() - cases.keys():
        return 0.0
    share = counts.total() / cases.total()
    least = min(cases.values()) * share
    assert least >= 5, f"{least:.1f} of an outcome are expected: too few to tell anything"
    distance = sum((counts[outcome] - many * share) ** 2 / (many * share) for outcome, many in cases.items())
    return tail(distance, len(cases) - 1)


def tail(distance: float, freedom: int) -> float:
    """Return how likely a chi-square with so many degrees of freedom is at least so large."""
    half = distance / 2
    found = exp(-half) if freedom % 2 == 0 else erfc(sqrt(half))
    for degrees in count(2 - freedom % 2, 2):
        if degrees >= freedom:
            return found
        found += half ** (degrees / 2) * exp(-half) / gamma(degrees / 2 + 1)
    raise AssertionError
