"""What a change does to a game: two runs with the same seeds, compared figure by figure."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from statistics import fmean
from typing import Any

from attrs import frozen

from aodrules.simulate.matches import Match, has_won
from aodrules.simulate.runs import in_order
from aodrules.simulate.statistics import Estimate, difference, mean

Figure = Callable[[Match], float | None]
"""What is measured in a match; nothing if the match does not tell."""
USED, HELD = "how often used", "held in the end"
_TOGETHER = 0.05
"""How often any of all intervals may miss the truth."""


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
    players: int
    bots: tuple[str, ...]
    """All that took part, sorted."""
    first: int
    """The seed of the first game."""
    lines: tuple[Line, ...]

    @property
    def sample(self) -> str:
        """What was played, so that others can play it again."""
        return f"{self.games} games each of {self.players} players, bots {', '.join(self.bots)}"

    @property
    def differing(self) -> tuple[Line, ...]:
        """What differs beyond chance, after allowing for how many figures were looked at."""
        return tuple(line for line in self.lines if line.change.excludes_zero)


def compare(base: str, changed: str, before: Sequence[Match], after: Sequence[Match]) -> Balance:
    """Compare two runs of the same seeds. Intervals allow for the number of figures (Bonferroni)."""
    first, second = in_order(before), in_order(after)
    figures = list(_figures([*first, *second]))
    confidence = 1 - _TOGETHER / max(1, len(figures))
    lines = [_line(group, name, figure, first, second, confidence) for group, name, figure in figures]
    bots = tuple(sorted({seat["bot"] for match in first for seat in match.seats}))
    return Balance(base, changed, len(first), len(first[0].seats), bots, first[0].seed, tuple(lines))


def _line(
    group: str, name: str, figure: Figure, first: Sequence[Match], second: Sequence[Match], confidence: float
) -> Line:
    before, after = [figure(match) for match in first], [figure(match) for match in second]
    pairs = [(a, b) for a, b in zip(before, after, strict=True) if a is not None and b is not None]
    change = difference([a for a, _ in pairs], [b for _, b in pairs], confidence)
    return Line(group, name, _told(before), _told(after), change)


def _told(values: Sequence[float | None]) -> Estimate:
    return mean([value for value in values if value is not None])


def _figures(matches: Sequence[Match]) -> Iterator[tuple[str, str, Figure]]:
    """Iterate over everything that is measured in a match: its group, name and how."""
    yield "length", "decisions", lambda match: float(match.length)
    yield "decisiveness", "lead of the winner", _lead
    for name in dict.fromkeys(seat["seat"] for match in matches for seat in match.seats):
        yield "share of wins", name, _wins("seat", name)
    for role in _every(matches, "roles"):
        for name in sorted({seat["roles"].get(role) for match in matches for seat in match.seats} - {None}):
            yield f"share of wins by {role}", name, _wins_in_role(role, name)
    yield "points", "mean of all seats", lambda match: fmean(seat["total"] for seat in match.seats)
    for name in _every(matches, "points"):
        yield "points by source", name, _points(name)
    for group, key in ((USED, "used"), (HELD, "held")):
        for name in _every(matches, key):
            yield group, name, _count(key, name)


def _every(matches: Sequence[Match], key: str) -> list[str]:
    return sorted({name for match in matches for seat in match.seats for name in seat[key]})


def _lead(match: Match) -> float | None:
    """Return how far who wins is ahead of the best other; nothing where nobody wins."""
    best, *others = sorted(match.seats, key=lambda seat: (not has_won(seat), -seat["total"]))
    if not has_won(best):
        return None
    return float(best["total"] - max(seat["total"] for seat in others)) if others else 0.0


def _wins(key: str, name: str) -> Figure:
    return lambda match: sum(won(match, seat) for seat in match.seats if seat[key] == name)


def _wins_in_role(role: str, name: str) -> Figure:
    def figure(match: Match) -> float | None:
        found = [won(match, seat) for seat in match.seats if seat["roles"].get(role) == name]
        return sum(found) if found else None

    return figure


def _points(source: str) -> Figure:
    return lambda match: fmean(seat["points"].get(source, 0) for seat in match.seats)


def _count(key: str, name: str) -> Figure:
    return lambda match: float(sum(seat[key].get(name, 0) for seat in match.seats))


def won(match: Match, seat: dict[str, Any]) -> float:
    """Return which part of a match a seat won: several who win share it, and where nobody wins there is none."""
    winners = sum(map(has_won, match.seats))
    return 1 / winners if has_won(seat) else 0.0


@frozen
class Worth:
    """What goes with a thing: how seats that used or held it fared, beside those of the same matches that did not."""

    group: str
    thing: str
    seats: int
    """How many seats used or held it."""
    wins: Estimate
    """How much more often they won than the others in the same match."""
    points: Estimate
    """How many points more they had than the others in the same match."""


def worth_of_things(matches: Sequence[Match]) -> list[Worth]:
    """Return what goes with each thing that some seats of a match used or held and others did not."""
    things = [(group, key, name) for group, key in ((USED, "used"), (HELD, "held")) for name in _every(matches, key)]
    confidence = 1 - _TOGETHER / max(1, 2 * len(things))
    return [_worth(matches, group, key, name, confidence) for group, key, name in things]


def _worth(matches: Sequence[Match], group: str, key: str, name: str, confidence: float) -> Worth:
    wins, points, seats = [], [], 0
    for match in matches:
        having = [seat for seat in match.seats if name in seat[key]]
        others = [seat for seat in match.seats if name not in seat[key]]
        seats += len(having)
        if having and others:
            wins.append(fmean(won(match, seat) for seat in having) - fmean(won(match, seat) for seat in others))
            points.append(fmean(seat["total"] for seat in having) - fmean(seat["total"] for seat in others))
    return Worth(group, name, seats, mean(wins, confidence), mean(points, confidence))
