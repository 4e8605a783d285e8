"""Samples of mutants: drawn from each document in proportion, and what they say about all of them."""

from __future__ import annotations

import random
from collections.abc import Sequence
from math import sqrt

from attrs import frozen

from aodrules.testing.mutants import Mutant

_NORMAL = 1.96
"""How many standard errors an interval of 95 in a hundred reaches to either side."""


@frozen
class MutationScore:
    """The share of mutants that were noticed, and between which bounds it lies for all of them."""

    noticed: int
    tried: int
    share: float
    low: float
    high: float

    def __str__(self) -> str:
        shown = f"{self.share:.1%} ({self.noticed} of {self.tried}"
        return f"{shown}, interval {self.low:.1%} to {self.high:.1%})" if self.low < self.high else f"{shown})"


def sample(mutants: Sequence[Mutant], size: int, seed: int = 0) -> list[Mutant]:
    """Return so many mutants, of each document and kind in proportion; the same seed draws the same."""
    if size >= len(mutants):
        return list(mutants)
    # The draw is no secret, and must be the same on every machine.
    chance = random.Random(seed)  # noqa: S311
    strata: dict[tuple[str, str], list[Mutant]] = {}
    for mutant in mutants:
        strata.setdefault((mutant.span.path, mutant.kind), []).append(mutant)
    chosen: list[Mutant] = []
    # Every stratum is walked through in random order; taking each `step`-th of all keeps the proportions.
    ordered = [one for key in sorted(strata) for one in chance.sample(strata[key], len(strata[key]))]
    step, start = len(ordered) / size, chance.random()
    chosen = [ordered[min(int((place + start) * step), len(ordered) - 1)] for place in range(size)]
    order = {id(mutant): place for place, mutant in enumerate(mutants)}
    return sorted(dict.fromkeys(chosen), key=lambda mutant: order[id(mutant)])


def score(noticed: int, tried: int, all_: int) -> MutationScore:
    """Return the share of noticed mutants with Wilson's interval, narrower the more of all were tried."""
    if not tried:
        return MutationScore(0, 0, 1.0, 1.0, 1.0)
    share = noticed / tried
    if tried >= all_:
        return MutationScore(noticed, tried, share, share, share)
    z = _NORMAL * sqrt((all_ - tried) / max(all_ - 1, 1))
    middle = (share + z * z / (2 * tried)) / (1 + z * z / tried)
    reach = z * sqrt(share * (1 - share) / tried + z * z / (4 * tried * tried)) / (1 + z * z / tried)
    return MutationScore(noticed, tried, share, max(middle - reach, 0.0), min(middle + reach, 1.0))
