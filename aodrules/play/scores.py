"""Scores as if the game ended now, where each point comes from, and who stands where."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import groupby
from typing import Any, TypeAlias

from attrs import field, frozen

from aodrules.arguments import check_text
from aodrules.facts.state import Scoring
from aodrules.interpreter.evaluation import Contribution as EngineShare
from aodrules.interpreter.evaluation import Evaluator
from aodrules.play.ids import IdTable
from aodrules.play.labels import Labels, phrase, pickle_without
from aodrules.source.spans import Span

Speak: TypeAlias = Callable[[str], Labels]
"""Gives what things are called in a language."""
POINTS = "game.points."
"""What comes before a source in the address of its words."""
_SOURCE = re.compile(r"^value\.points\.")


@frozen
class Share:
    """A part of a score and what gives it.

    Examples:
        >>> import aodrules
        >>> game = aodrules.load("harbour").new_game(players=2, seed=1)
        >>> silver = game.scores["red"].lines[-1]
        >>> [(share.origin, share.points, share.text()) for share in silver.shares]
        [('value.points.silver', 2, 'Silver')]
    """

    origin: str
    """The address of a value or of a modifier."""
    points: int
    holder: str | None = None
    """The player whose effect it is."""
    member: str | None = None
    """The member that carries the effect."""
    kind: str | None = None
    """The family of that member."""
    _speak: Speak | None = field(default=None, eq=False, repr=False)

    def text(self, language: str = "en") -> str:
        """Return what gives it, in the words of a language; one that no game made has only its ids."""
        check_text("a language", language)
        address = f"{self.kind}.{self.member}" if self.member is not None else _SOURCE.sub(POINTS, self.origin)
        return address if self._speak is None else self._speak(language).say(address)

    def __reduce__(self) -> tuple[Any, ...]:
        return pickle_without(self, "_speak")


@frozen
class ScoreLine:
    """One line of the score sheet and what it is made of.

    Examples:
        >>> import aodrules
        >>> game = aodrules.load("harbour").new_game(players=2, seed=1)
        >>> [(line.source, line.points, line.text()) for line in game.scores["red"].lines][-1]
        ('silver', 2, 'Silver')
    """

    source: str
    """The id of the source, as `game.points` calls it."""
    points: int
    shares: tuple[Share, ...] = ()
    """What gave the points."""
    _speak: Speak | None = field(default=None, eq=False, repr=False)

    def text(self, language: str = "en") -> str:
        """Return what the source is called in a language; of a line that no game made its id."""
        check_text("a language", language)
        return self.source if self._speak is None else self._speak(language).say(f"{POINTS}{self.source}")

    def __reduce__(self) -> tuple[Any, ...]:
        return pickle_without(self, "_speak")


@frozen
class Score:
    """A player's points, in all and by source.

    Examples:
        >>> import aodrules
        >>> game = aodrules.load("nim").new_game(players=2, seed=1)
        >>> while not game.over:
        ...     game.push(game.actions[-1])
        >>> game.scores["first"].total, game.scores["second"].sources
        (1, {'won': 0})
    """

    player: str
    total: int
    lines: tuple[ScoreLine, ...] = ()
    """Where they come from, in the order of the rules."""

    @property
    def sources(self) -> dict[str, int]:
        """The points by source."""
        return {line.source: line.points for line in self.lines}

    def __str__(self) -> str:
        parts = ", ".join(f"{line.source} {line.points}" for line in self.lines)
        return f"{self.total} ({parts})" if parts else str(self.total)


NOT_WINNING = ("left the game", "may not win")
"""What keeps a player from winning, whatever the points are."""


@frozen
class Standing:
    """A player's place among all, what it was judged by, and which of these set it apart from the place before.

    Examples:
        >>> import aodrules
        >>> game = aodrules.load("nim").new_game(players=2, seed=1)
        >>> while not game.over:
        ...     game.push(game.actions[-1])
        >>> [(standing.text(), standing.won, standing.because()) for standing in game.ranking]
        [('1. first', True, ''), ('2. second', False, 'place 2 was decided by: total')]
    """

    place: int
    """From 1, the place of those who win; equal players share one. Where nobody may win nobody is first."""
    player: str
    shared: bool
    """Whether others have the same place."""
    judged: tuple[tuple[str, int], ...]
    """What counted, in order, and how much the player has of it."""
    decided_by: str | None = None
    """What sets it apart from the place before: one of `judged`, `may not win` or `left the game`."""
    _speak: Speak | None = field(default=None, eq=False, repr=False)

    @property
    def won(self) -> bool:
        """Whether the player wins, alone or with others."""
        return self.place == 1

    def text(self, language: str = "en") -> str:
        """Return the place and who has it, in the words of a language."""
        check_text("a language", language)
        if self._speak is None:
            return str(self)
        shared = f" ({phrase('shared', language)})" if self.shared else ""
        return f"{self.place}. {self._speak(language).seat(self.player)}{shared}"

    def because(self, language: str = "en") -> str:
        """Return what set it apart from the place before, in the words of a language; nothing for who is first."""
        check_text("a language", language)
        labels, why = None if self._speak is None else self._speak(language), self.decided_by
        if why is None:
            return ""
        if why in NOT_WINNING:
            why = phrase(why.replace(" ", "-"), language)
        return phrase("decided-by", language, place=self.place, criterion=labels.criterion(why) if labels else why)

    def __reduce__(self) -> tuple[Any, ...]:
        return pickle_without(self, "_speak")

    def __str__(self) -> str:
        return f"{self.place}. {self.player}" + (" (shared)" if self.shared else "")


def scores(names: IdTable, machine: Scoring, evaluator: Evaluator, speak: Speak | None = None) -> dict[str, Score]:
    """Return each player's score: the points that the engine counts, and how they come about."""
    return {name: _score(names, machine, evaluator, seat, speak) for seat, name in enumerate(names.seats)}


def _score(names: IdTable, machine: Scoring, evaluator: Evaluator, seat: int, speak: Speak | None) -> Score:
    sources = zip(names.tables.rules.game.points, machine.points(seat), strict=True)
    lines = []
    for source, points in sources:
        shares = tuple(_share(names, share, speak) for share in evaluator.shares(source.value, (seat,)) if share.amount)
        lines.append(ScoreLine(source.id, points, shares, speak))
    return Score(names.seats[seat], machine.total(seat), tuple(lines))


def _share(names: IdTable, share: EngineShare, speak: Speak | None) -> Share:
    holder = None if share.holder is None else names.seats[share.holder]
    if share.kind is None or share.member is None:
        return Share(share.address, share.amount, holder, speak=speak)
    return Share(share.address, share.amount, holder, names.member(share.kind, share.member), share.kind, speak)


def ranking(names: IdTable, machine: Scoring, speak: Speak | None = None) -> tuple[Standing, ...]:
    """Return where each player stands, the first first; players who are equal in everything share a place.

    The first place is for those who win: where nobody may, it stays empty and the best are second.
    """
    judged = [(tuple(map(int, machine.standing(seat))), seat) for seat in range(len(names.seats))]
    judged.sort(key=lambda one: ([-number for number in one[0]], one[1]))
    best, _ = judged[0]
    first = 1 if all(best[:2]) else 2
    # An empty first place is that of somebody like the best, but who may win.
    before = None if first == 1 else (1, 1, *best[2:])
    standings: list[Standing] = []
    for numbers, group in groupby(judged, key=lambda one: one[0]):
        equal = [names.seats[seat] for _, seat in group]
        place = len(standings) + first
        reason = None if before is None else _difference(before, numbers, reasons(names))
        told = tuple(zip(_compared_by(names), numbers[2:], strict=True))
        standings += [Standing(place, player, len(equal) > 1, told, reason, speak) for player in equal]
        before = numbers
    return tuple(standings)


def _compared_by(names: IdTable) -> list[str]:
    """Return what players are compared by in the words of the rules."""
    game = names.tables.rules.game
    first = () if game.winner_most is None else (game.winner_most,)
    return [words_at(expression.span) for expression in (*first, *game.winner_then)]


def reasons(names: IdTable) -> list[str]:
    """Return all that can set a place apart from the place before, what counts first coming first."""
    return [*NOT_WINNING, *_compared_by(names)]


def _difference(before: tuple[int, ...], after: tuple[int, ...], labels: list[str]) -> str:
    return next(label for label, one, other in zip(labels, before, after, strict=True) if one != other)


def words_at(span: Span) -> str:
    """Return the text that stands at a place of one line."""
    line = span.source.line(span.line)
    end = span.end_column - 1 if span.end_line == span.line else len(line)
    return line[span.column - 1 : end].strip().strip("\"'")
