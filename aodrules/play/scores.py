"""Scores as if the game ended now, where each point comes from, and who stands where."""

from __future__ import annotations

from itertools import groupby

from attrs import frozen

from aodrules.interpreter.evaluation import Contribution as EngineShare
from aodrules.interpreter.evaluation import Evaluator
from aodrules.lang.expressions import Expression
from aodrules.play.ids import IdTable
from aodrules.source.spans import Span


@frozen
class Share:
    """A part of a score and what gives it."""

    origin: str
    """The address of a value or of a modifier."""
    points: int
    holder: str | None = None
    """The player whose effect it is."""
    member: str | None = None
    """The member that carries the effect."""
    kind: str | None = None
    """The family of that member."""


@frozen
class ScoreLine:
    """One line of the score sheet and what it is made of."""

    source: str
    points: int
    shares: tuple[Share, ...] = ()


@frozen
class Score:
    """A player's points, in all and by source."""

    player: str
    total: int
    lines: tuple[ScoreLine, ...] = ()

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
    """A player's place among all, what it was judged by, and which of these set it apart from the place before."""

    place: int
    """From 1, the place of those who win; equal players share one. Where nobody may win nobody is first."""
    player: str
    shared: bool
    judged: tuple[tuple[str, int], ...]
    """What counted, in order, and how much the player has of it."""
    decided_by: str | None = None
    """What sets it apart from the place before: one of `judged`, `may not win` or `left the game`."""

    @property
    def won(self) -> bool:
        """Whether the player wins, alone or with others."""
        return self.place == 1

    def __str__(self) -> str:
        return f"{self.place}. {self.player}" + (" (shared)" if self.shared else "")


def scores(names: IdTable, evaluator: Evaluator) -> dict[str, Score]:
    """Return each player's score."""
    return {name: _score(names, evaluator, seat) for seat, name in enumerate(names.seats)}


def _score(names: IdTable, evaluator: Evaluator, seat: int) -> Score:
    rules = names.tables.rules
    lines = tuple(_line(names, evaluator, source.id, source.value, seat) for source in rules.game.points)
    total = evaluator.named_value("total", (seat,)) if "total" in rules.values else sum(line.points for line in lines)
    return Score(names.seats[seat], total, lines)


def _line(names: IdTable, evaluator: Evaluator, id_: str, value: str, seat: int) -> ScoreLine:
    shares = tuple(_share(names, share) for share in evaluator.shares(value, (seat,)) if share.amount)
    return ScoreLine(id_, evaluator.named_value(value, (seat,)), shares)


def _share(names: IdTable, share: EngineShare) -> Share:
    holder = None if share.holder is None else names.seats[share.holder]
    if share.kind is None or share.member is None:
        return Share(share.address, share.amount, holder)
    return Share(share.address, share.amount, holder, names.member(share.kind, share.member), share.kind)


@frozen
class _Judged:
    seat: int
    key: tuple[int, ...]
    """What counts, less being better: left, may not win, then each number negated."""

    @property
    def may_win(self) -> bool:
        """Whether it can be first at all."""
        return not any(self.key[:2])


def ranking(names: IdTable, evaluator: Evaluator) -> tuple[Standing, ...]:
    """Return where each player stands, the first first; players who are equal in everything share a place.

    The first place is for those who win: where nobody may, it stays empty and the best are second.
    """
    measures = _measures(names)
    judged = sorted((_judge(names, evaluator, measures, seat) for seat in range(len(names.seats))), key=_order)
    first = 1 if judged[0].may_win else 2
    standings: list[Standing] = []
    # An empty first place is that of somebody like the best, but who may win.
    before = None if first == 1 else (0, 0, *judged[0].key[2:])
    for key, group in groupby(judged, key=lambda each: each.key):
        equal = list(group)
        place = len(standings) + first
        reason = None if before is None else _difference(before, key, reasons(names))
        for each in equal:
            numbers = tuple((name, -number) for (name, _), number in zip(measures, key[2:], strict=True))
            standings.append(Standing(place, names.seats[each.seat], len(equal) > 1, numbers, reason))
        before = key
    return tuple(standings)


def _order(judged: _Judged) -> tuple[tuple[int, ...], int]:
    return judged.key, judged.seat


def _measures(names: IdTable) -> list[tuple[str, Expression]]:
    """Return what players are compared by, each with the words of the rules for it."""
    game = names.tables.rules.game
    first = () if game.winner_most is None else (game.winner_most,)
    return [(words_at(expression.span), expression) for expression in (*first, *game.winner_then)]


def _judge(names: IdTable, evaluator: Evaluator, measures: list[tuple[str, Expression]], seat: int) -> _Judged:
    game = names.tables.rules.game
    local = {"player": seat}
    may_win = game.winner_if is None or evaluator.value(game.winner_if, local)
    numbers = [-evaluator.value(expression, local) for _, expression in measures]
    return _Judged(seat, (int(seat in evaluator.state.left), int(not may_win), *numbers))


def reasons(names: IdTable) -> list[str]:
    """Return all that can set a place apart from the place before, what counts first coming first."""
    return [*NOT_WINNING, *(name for name, _ in _measures(names))]


def _difference(before: tuple[int, ...], after: tuple[int, ...], labels: list[str]) -> str:
    return next(label for label, one, other in zip(labels, before, after, strict=True) if one != other)


def words_at(span: Span) -> str:
    """Return the text that stands at a place of one line."""
    line = span.source.line(span.line)
    end = span.end_column - 1 if span.end_line == span.line else len(line)
    return line[span.column - 1 : end].strip().strip("\"'")
