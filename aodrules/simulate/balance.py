"""What is measured in matches, and what a change does to a game: two runs with the same seeds, figure by figure."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from math import inf
from statistics import fmean
from typing import Any

from attrs import asdict, frozen

from aodrules.lang.types import Member, Piece, kind_of
from aodrules.play.actions import parameter_names
from aodrules.play.labels import plain_words
from aodrules.rulebook import Rules
from aodrules.simulate.matches import Match, has_won
from aodrules.simulate.runs import in_order
from aodrules.simulate.statistics import Estimate, confidence_in_each, effect, fewest_games, mean, shift

USED, HELD = "how often used", "held in the end"
LENGTH, POINTS, WINS = "length", "points", "share of wins"


@frozen
class Figure:
    """One thing that is measured."""

    group: str
    id: str
    """As the rows of matches spell it."""
    name: str
    """In words."""
    measure: Callable[[Match], float | None]
    """What it is in a match; nothing if the match does not tell."""


class FigureNames:
    """Names figures in the words of some rules, those named first before others; without rules, in plain letters."""

    def __init__(self, *rules: Rules) -> None:
        contexts = [each.book for each in rules]
        self._labels = [context.labels() for context in contexts]
        self._options: dict[str, set[str]] = defaultdict(set)
        """What each option is called, what it is used with left open; several if decisions differ in that."""
        self._kinds: dict[str, set[str]] = defaultdict(set)
        """The kinds whose members are used under the name of an argument."""
        for context in contexts:
            game = context.checked.game
            for space in context.actions(game.seats[: game.players[0]]).spaces.values():
                for choice in space.choices:
                    words = context.words.find(choice.address, "en") or plain_words(choice.id)
                    self._options[choice.id].add(_without_arguments(words))
                    for name, type_ in zip(parameter_names(choice), choice.types, strict=True):
                        if isinstance(type_, Member | Piece):
                            self._kinds[name].add(type_.kind)

    def seat(self, seat: str) -> str:
        """Return what a seat is called."""
        return self._find(f"player.{seat}") or plain_words(seat)

    def source(self, source: str) -> str:
        """Return what a source of points is called."""
        return self._find(f"game.points.{source}") or plain_words(source)

    def field(self, field: str) -> str:
        """Return what a player's field is called."""
        return self._find(f"state.player.{field}") or plain_words(field)

    def held(self, id_: str) -> str:
        """Return what is held and where: `FIELD MEMBER`."""
        field, _, member = id_.partition(" ")
        return f"{self.field(field)}: {self.role(field, member)}" if member else plain_words(field)

    def role(self, field: str, member: str) -> str:
        """Return what a member in a player's field is called."""
        declared = [each.rules.fields.get(f"player.{field}") for each in self._labels]
        return self._member({kind_of(each.type) for each in declared if each is not None}, member)

    def used(self, id_: str) -> str:
        """Return what was used: an option, or `ARGUMENT [OWNER] MEMBER`."""
        argument, *owner, member = id_.split(" ") if " " in id_ else ("", id_)
        if not argument:
            called = self._options[member]
            alike = [id_ for id_, words in self._options.items() if words == called]
            return next(iter(called)) if len(called) == len(alike) == 1 else plain_words(member)
        kinds = self._kinds[argument]
        is_named = len(argument) > 1 and argument != "item"
        before = plain_words(argument if is_named else min(kinds, default=argument))
        return f"{before}: {' '.join([*map(self.seat, owner), self._member(kinds, member)])}"

    def _member(self, kinds: set[str], member: str) -> str:
        known = ((each, kind) for kind in sorted(kinds) for each in self._labels if kind in each.rules.kinds)
        found = (each.member(kind, member) for each, kind in known if member in each.rules.kinds[kind].members)
        return next(found, plain_words(member))

    def _find(self, address: str) -> str | None:
        found = (each.find(address) for each in self._labels)
        return next((words for words in found if words), None)


def figures_in(matches: Sequence[Match], names: FigureNames) -> Iterator[Figure]:
    """Iterate over everything that is measured in matches."""
    yield Figure(LENGTH, "decisions", "decisions", lambda match: float(match.length))
    yield Figure("decisiveness", "lead", "lead of the winner", _lead)
    for seat in dict.fromkeys(seat["seat"] for match in matches for seat in match.seats):
        yield Figure(WINS, seat, names.seat(seat), _wins(seat))
    for role in every(matches, "roles"):
        for name in sorted({seat["roles"].get(role) for match in matches for seat in match.seats} - {None}):
            yield Figure(f"{WINS} by {names.field(role)}", name, names.role(role, name), _wins_in_role(role, name))
    yield Figure(POINTS, "mean", "mean of all seats", lambda match: fmean(seat["total"] for seat in match.seats))
    for name in every(matches, "points"):
        yield Figure("points by source", name, names.source(name), _points(name))
    for group, key, say in ((USED, "used", names.used), (HELD, "held", names.held)):
        for name in every(matches, key):
            yield Figure(group, name, say(name), _count(key, name))


def _without_arguments(words: str) -> str:
    """Return the words for an option, what it is used with left open: `Take: {count} of {heap}` gives `Take`."""
    return re.sub(r"[\W]*…[\W]*$", "", re.sub(r"\{\w+\}(\W+\{\w+\})*", "…", words)) or "…"


def every(matches: Sequence[Match], key: str) -> list[str]:
    """Return all names that the seats of matches keep something under."""
    return sorted({name for match in matches for seat in match.seats for name in seat[key]})


def won(match: Match, seat: dict[str, Any]) -> float:
    """Return which part of a match a seat won: several who win share it, and where nobody wins there is none."""
    winners = sum(map(has_won, match.seats))
    return 1 / winners if has_won(seat) else 0.0


def _lead(match: Match) -> float | None:
    """Return how far who wins is ahead of the best other; nothing where nobody wins."""
    best, *others = sorted(match.seats, key=lambda seat: (not has_won(seat), -seat["total"]))
    if not has_won(best):
        return None
    return float(best["total"] - max(seat["total"] for seat in others)) if others else 0.0


def _wins(name: str) -> Callable[[Match], float]:
    return lambda match: sum(won(match, seat) for seat in match.seats if seat["seat"] == name)


def _wins_in_role(role: str, name: str) -> Callable[[Match], float | None]:
    def measure(match: Match) -> float | None:
        found = [won(match, seat) for seat in match.seats if seat["roles"].get(role) == name]
        return sum(found) if found else None

    return measure


def _points(source: str) -> Callable[[Match], float]:
    return lambda match: fmean(seat["points"].get(source, 0) for seat in match.seats)


def _count(key: str, name: str) -> Callable[[Match], float]:
    return lambda match: float(sum(seat[key].get(name, 0) for seat in match.seats))


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
