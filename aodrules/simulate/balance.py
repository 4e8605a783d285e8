"""What a change does to a game: two runs with the same seeds, compared figure by figure."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from statistics import fmean
from typing import Any

from attrs import asdict, frozen

from aodrules.simulate.figures import HELD, LENGTH, POINTS, USED, WINS, Figure, FigureNames, every, figures_in, won
from aodrules.simulate.matches import Match
from aodrules.simulate.runs import in_order
from aodrules.simulate.statistics import Estimate, confidence_in_each, effect, fewest_games, mean, shift


@frozen
class ComparedFigure:
    """One figure in both rulesets, and how much more there is of it in the changed one."""

    group: str
    id: str
    name: str
    before: Estimate
    after: Estimate
    change: Estimate
    effect: float
    """How large the change is beside how much two games of one seed differ: 0 none, 1 or -1 all of the difference."""

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
    lines: tuple[ComparedFigure, ...]
    """What differs beyond chance comes first, and larger effects before smaller ones."""

    @property
    def sample(self) -> str:
        """What was played, so that others can play it again."""
        games = "1 game" if self.games == 1 else f"{self.games} games"
        return f"{games} each of {self.players} players, bots {', '.join(self.bots)}"

    @property
    def differing(self) -> tuple[ComparedFigure, ...]:
        """What differs beyond chance, after allowing for how many figures were looked at."""
        return tuple(line for line in self.lines if line.change.excludes_zero)

    @property
    def verdict(self) -> str:
        """How many figures differ beyond chance."""
        count = len(self.differing)
        return f"{count or 'None'} of {len(self.lines)} figures {'differ' if count > 1 else 'differs'} beyond chance"

    @property
    def sensitivity(self) -> str:
        """How small a difference so many games can show."""
        fewest = fewest_games(len(self.lines))
        if self.games < fewest:
            return f"Too few games: no difference among {len(self.lines)} figures can be seen in less than {fewest}."
        reach = {group: max(line.change.reach for line in self.lines if line.group == group) for group in _MEASURES}
        # Shares lie between 0 and 1, and so no two are further apart than that.
        said = {group: "any" if group == WINS and reach[group] >= 1 else f"{reach[group]:.2f}" for group in _MEASURES}
        *others, last = (f"{said[group]} {unit}" for group, unit in _MEASURES.items())
        return f"With {self.games} games a difference below {', '.join(others)} or {last} cannot be seen."

    def plain(self) -> dict[str, Any]:
        """Return the comparison as plain data. What cannot be bounded with so few games is none."""
        about = {"base": self.base, "changed": self.changed, "games": self.games, "players": self.players}
        lines = [{**_plain(line), "verdict": line.verdict} for line in self.lines]
        return {**about, "bots": list(self.bots), "seed": self.first, "sensitivity": self.sensitivity, "figures": lines}


_MEASURES = {POINTS: "points of a player", LENGTH: "decisions", WINS: "in a share of wins"}
"""What the sensitivity of a comparison is told by."""


def _plain(line: ComparedFigure) -> dict[str, Any]:
    def without_infinities(_: type, __: Any, value: Any) -> Any:
        return None if value in (inf, -inf) else value

    return asdict(line, value_serializer=without_infinities)


def compare(
    base: str, changed: str, before: Sequence[Match], after: Sequence[Match], names: FigureNames | None = None
) -> Balance:
    """Compare two runs of the same seeds. Intervals allow for the number of figures."""
    first, second = in_order(before), in_order(after)
    figures = list(figures_in([*first, *second], names or FigureNames()))
    confidence = confidence_in_each(len(figures))
    lines = [_line(figure, first, second, confidence) for figure in figures]
    lines.sort(key=lambda line: (not line.change.excludes_zero, -abs(line.effect)))
    bots = tuple(sorted({seat["bot"] for match in first for seat in match.seats}))
    return Balance(base, changed, len(first), len(first[0].seats), bots, first[0].seed, tuple(lines))


def _line(figure: Figure, first: Sequence[Match], second: Sequence[Match], confidence: float) -> ComparedFigure:
    before, after = [figure.measure(match) for match in first], [figure.measure(match) for match in second]
    # Rounded, so that fractions which are equal are equal as floats too.
    differences = [round(b - a, 9) for a, b in zip(before, after, strict=True) if a is not None and b is not None]
    old, new = (mean([value for value in side if value is not None]) for side in (before, after))
    return ComparedFigure(
        figure.group, figure.id, figure.name, old, new, shift(differences, confidence), effect(differences)
    )


@frozen
class Association:
    """What goes with a thing: how seats that used or held it fared, beside those of the same matches that did not."""

    group: str
    thing: str
    """In words."""
    seats: int
    """How many seats used or held it."""
    wins: Estimate
    """How much more often they won than the others in the same match."""
    points: Estimate
    """How many points more they had than the others in the same match."""
    effect: float
    """How large the difference in points is beside how much it varies."""


def worth_of_things(matches: Sequence[Match], names: FigureNames | None = None) -> list[Association]:
    """Return what goes with each thing that some seats of a match used or held and others did not, largest first."""
    names = names or FigureNames()
    things = [
        (group, key, name, say(name))
        for group, key, say in ((USED, "used", names.used), (HELD, "held", names.held))
        for name in every(matches, key)
    ]
    confidence = confidence_in_each(2 * len(things))
    found = [_worth(matches, *thing, confidence) for thing in things]
    return sorted(found, key=lambda each: (not each.points.excludes_zero, -abs(each.effect)))


def _worth(matches: Sequence[Match], group: str, key: str, id_: str, name: str, confidence: float) -> Association:
    wins, points, seats = [], [], 0
    for match in matches:
        having = [seat for seat in match.seats if id_ in seat[key]]
        others = [seat for seat in match.seats if id_ not in seat[key]]
        seats += len(having)
        if having and others:
            wins.append(fmean(won(match, seat) for seat in having) - fmean(won(match, seat) for seat in others))
            points.append(fmean(seat["total"] for seat in having) - fmean(seat["total"] for seat in others))
    return Association(group, name, seats, shift(wins, confidence), shift(points, confidence), effect(points))
