"""What is measured in a match, and what each figure is called in the words of the rules."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from statistics import fmean
from typing import Any

from attrs import frozen

from aodrules.facts.tables import kind_of
from aodrules.lang.types import Member, Piece
from aodrules.play.actions import parameter_names
from aodrules.play.labels import Labels
from aodrules.play.words import plain_words
from aodrules.rulebook import Rules
from aodrules.simulate.matches import Match, has_won

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
        self._namers = [Labels(each.book) for each in rules]
        self._options: dict[str, set[str]] = defaultdict(set)
        """What each option is called, what it is used with left open; several if decisions differ in that."""
        self._kinds: dict[str, set[str]] = defaultdict(set)
        """The kinds whose members are used under the name of an argument."""
        for each in rules:
            for space in each.book.actions(each.book.checked.game.seats[: each.players[0]]).spaces.values():
                for choice in space.choices:
                    words = each.book.words.find(choice.address, "en") or plain_words(choice.id)
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
        declared = [each.book.checked.fields.get(f"player.{field}") for each in self._namers]
        return self._member({kind_of(each.type) for each in declared if each is not None}, member)

    def used(self, id_: str) -> str:
        """Return what was used: an option, or `ARGUMENT [OWNER] MEMBER`."""
        argument, *owner, member = id_.split(" ") if " " in id_ else ("", id_)
        if not argument:
            called = self._options[member]
            return next(iter(called)) if len(called) == 1 else plain_words(member)
        kinds = self._kinds[argument]
        is_named = len(argument) > 1 and argument != "item"
        before = plain_words(argument if is_named else min(kinds, default=argument))
        return f"{before}: {' '.join([*map(self.seat, owner), self._member(kinds, member)])}"

    def _member(self, kinds: set[str], member: str) -> str:
        found = (self._find(f"{kind}.{member}") for kind in sorted(kinds))
        return next((words for words in found if words), plain_words(member))

    def _find(self, address: str) -> str | None:
        found = (each.book.words.find(address, each.language) for each in self._namers)
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
