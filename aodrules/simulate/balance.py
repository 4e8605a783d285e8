"""What a change does to a game: two runs with the same seeds, compared figure by figure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain
from statistics import fmean
from typing import Any

from attrs import frozen

from aodrules.simulate.matches import Match
from aodrules.simulate.runs import in_order
from aodrules.simulate.statistics import Estimate, difference, mean, share

Figure = Callable[[Match], float]


@frozen
class Line:
    """One figure in both rulesets, and how much more there is of it in the changed one."""

    group: str
    name: str
    before: Estimate
    after: Estimate
    change: Estimate

    @property
    def verdict(self) -> str:
        """What can be said: more, less, or that it cannot be told from chance."""
        if not self.change.excludes_zero:
            return "cannot be told"
        return "more" if self.change.value > 0 else "less"


@frozen
class Balance:
    """A comparison of two rulesets over the same seeds."""

    base: str
    changed: str
    games: int
    lines: tuple[Line, ...]

    @property
    def differing(self) -> tuple[Line, ...]:
        """What differs beyond chance, after allowing for how many figures were looked at."""
        return tuple(line for line in self.lines if line.change.excludes_zero)


def compare(base: str, changed: str, before: Sequence[Match], after: Sequence[Match]) -> Balance:
    """Compare two runs of the same seeds. Intervals allow for the number of figures (Bonferroni)."""
    first, second = in_order(before), in_order(after)
    figures = list(_figures([*first, *second]))
    confidence = 1 - 0.05 / max(1, len(figures))
    lines = [
        Line(
            group,
            name,
            mean([figure(match) for match in first]),
            mean([figure(match) for match in second]),
            difference([figure(match) for match in first], [figure(match) for match in second], confidence),
        )
        for group, name, figure in figures
    ]
    return Balance(base, changed, len(first), tuple(lines))


def _figures(matches: Sequence[Match]) -> list[tuple[str, str, Figure]]:
    """Return everything that is measured in a match: its group, name and how."""
    seats = list(dict.fromkeys(seat["seat"] for match in matches for seat in match.seats))
    sources = sorted({source for match in matches for seat in match.seats for source in seat["points"]})
    deeds = _common_deeds(matches)
    return [
        ("length", "decisions", lambda match: float(match.length)),
        ("decisiveness", "lead of the winner", _lead),
        *(("share of wins", name, _wins(name)) for name in seats),
        ("points", "total of all", lambda match: fmean(seat["total"] for seat in match.seats)),
        *(("points by source", name, _points(name)) for name in sources),
        *(("how often", name, _uses(name)) for name in deeds),
    ]


def _common_deeds(matches: Sequence[Match], most: int = 60) -> list[str]:
    """Return the deeds that occur in the most matches."""
    counts: dict[str, int] = {}
    for match in matches:
        for deed in set(chain.from_iterable(seat["done"] for seat in match.seats)):
            counts[deed] = counts.get(deed, 0) + 1
    ordered = sorted(counts, key=lambda deed: (-counts[deed], deed))
    return sorted(ordered[:most])


def _lead(match: Match) -> float:
    totals = sorted((seat["total"] for seat in match.seats), reverse=True)
    return float(totals[0] - totals[1]) if len(totals) > 1 else 0.0


def _wins(name: str) -> Figure:
    def figure(match: Match) -> float:
        winners = [seat["seat"] for seat in match.seats if seat["place"] == 1]
        return (name in winners) / len(winners)

    return figure


def _points(source: str) -> Figure:
    return lambda match: fmean(seat["points"].get(source, 0) for seat in match.seats)


def _uses(deed: str) -> Figure:
    return lambda match: float(sum(seat["done"].get(deed, 0) for seat in match.seats))


@frozen
class Worth:
    """What doing a thing goes with: the share of wins of the seats that did it, beside the rest."""

    deed: str
    wins: Estimate
    wins_without: Estimate


def worth_of_deeds(matches: Sequence[Match]) -> list[Worth]:
    """Return for each common deed how often those won who did it, and those who did not."""
    found = []
    for deed in _common_deeds(matches):
        did = [_won(match, seat) for match in matches for seat in match.seats if deed in seat["done"]]
        did_not = [_won(match, seat) for match in matches for seat in match.seats if deed not in seat["done"]]
        found.append(Worth(deed, share(sum(did), len(did)), share(sum(did_not), len(did_not))))
    return found


def _won(match: Match, seat: dict[str, Any]) -> float:
    winners = sum(each["place"] == 1 for each in match.seats)
    return 1 / winners if seat["place"] == 1 else 0.0
