"""What `then` says beyond fields: scores, who won and why, what a seat sees, what happened, and what holds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import groupby
from typing import Any, TypeAlias

from attrs import define, field, frozen

from aodrules.check.context import Context, LocalName, Scope
from aodrules.check.resolve.expressions import read_expression
from aodrules.facts.state import PlainState
from aodrules.interpreter.evaluation import Evaluator
from aodrules.interpreter.places import cell
from aodrules.lang.builtins.table import MEANINGS
from aodrules.lang.expressions import Expression
from aodrules.lang.types import FLAG, PLAYER, Bag, Player
from aodrules.play.ids import IdTable, field_path, format_scalar
from aodrules.play.scores import ranking, reasons, words_at
from aodrules.play.states import Hidden, SeatReader
from aodrules.source.diagnostics import Report
from aodrules.source.spans import Span
from aodrules.source.wording import join, quote
from aodrules.syntax.tree import Mapping, Node, Scalar, Sequence
from aodrules.testing import problems
from aodrules.testing.law_values import format_values, values_of
from aodrules.testing.positions import HIDDEN, Content, ContentReader, format_node, split_address

SCORES, RANKING, DECIDED, SEEN, HAPPENED = "scores", "ranking", "decided", "seen", "happened"
HOLDS, OVER, WON = "holds", "over", "won"


@frozen(eq=False)
class ScoreSaid:
    """What a player's score is, in all or from one source."""

    player: int
    source: str | None
    value: int
    span: Span


@frozen(eq=False)
class RankingSaid:
    """Who stands where, the first first; players who share a place stand together."""

    places: tuple[tuple[str, ...], ...]
    span: Span


@frozen(eq=False)
class DecidedSaid:
    """What sets a player's place apart from the place before."""

    player: str
    reason: str
    span: Span


@frozen(eq=False)
class SeenSaid:
    """What a seat sees of a cell; what it may not know is `hidden`."""

    seat: int
    content: Content

    @property
    def span(self) -> Span:
        """Where it is said."""
        return self.content.span


@frozen(eq=False)
class HappenedSaid:
    """How often an event happened since the scenario began."""

    event: str
    times: int
    span: Span


@frozen(eq=False)
class HoldsSaid:
    """A condition that holds; it sees everything, as a property does."""

    law: Expression
    span: Span


@frozen(eq=False)
class OverSaid:
    """Whether the game is over."""

    is_over: bool
    span: Span


@frozen(eq=False)
class WonSaid:
    """Who wins, and nobody else; as if the game ended there."""

    seats: frozenset[str]
    span: Span


Claim: TypeAlias = (
    Content | ScoreSaid | RankingSaid | DecidedSaid | SeenSaid | HappenedSaid | HoldsSaid | OverSaid | WonSaid
)


@define(eq=False)
class ExpectationReader:
    """Reads what `then` says; whatever is not understood is reported."""

    names: IdTable
    report: Report
    laws: Callable[[Report], Context]
    """Gives what conditions are read in."""
    _contents: ContentReader = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._contents = ContentReader(self.names, self.report)

    def read(self, position: Node | None) -> tuple[Claim, ...]:
        """Return all that is said."""
        found: list[Claim] = []
        for entry in position if isinstance(position, Mapping) else ():
            found += self._read_claims(split_address(entry.key), entry.key.span, entry.value)
        return tuple(found)

    def _read_claims(self, path: list[Scalar], at: Span, value: Node) -> Iterator[Claim]:
        word = path[0].text
        # A field of the game comes first if it bears one of these names.
        if f"table.{word}" in self.names.tables.rules.fields:
            yield from self._contents.at(path, value)
        elif word == SCORES:
            yield from self._read_score(path[1:], at, value)
        elif word == RANKING and len(path) == 1:
            yield from self._read_ranking(value)
        elif word == DECIDED:
            yield from self._read_decided(path[1:], at, value)
        elif word == SEEN and len(path) > 2:
            yield from self._read_seen(path[1:], value)
        elif word == HAPPENED:
            yield from self._read_happened(path[1:], at, value)
        elif word == HOLDS and len(path) == 1:
            yield from self._read_holds(value)
        elif word == OVER and len(path) == 1:
            yield from self._read_over(value)
        elif word == WON and len(path) == 1:
            yield from self._read_won(value)
        else:
            yield from self._contents.at(path, value)

    def _report_wrong(self, what: str, expected: str, value: Node, at: Span) -> None:
        self.report.add(problems.wrong_content(what, expected, format_node(value), at))

    def _read_score(self, path: list[Scalar], at: Span, value: Node) -> Iterator[ScoreSaid]:
        number = value.value if isinstance(value, Scalar) else None
        if not path or not isinstance(number, int) or isinstance(number, bool):
            self._report_wrong(SCORES, "a number for each seat", value, at)
            return
        player = self._contents.index(Player(), path[0])
        sources = [source.id for source in self.names.tables.rules.game.points]
        if len(path) > 1 and path[1].text not in sources:
            self._contents.report_unknown(path[1], sources, "source of points")
        elif player is not None:
            yield ScoreSaid(player, path[1].text if len(path) > 1 else None, number, value.span)

    def _read_ranking(self, value: Node) -> Iterator[RankingSaid]:
        rows = list(value) if isinstance(value, Sequence) else []
        groups = [list(row) if isinstance(row, Sequence) else [row] for row in rows]
        places = [[each for each in group if isinstance(each, Scalar)] for group in groups]
        words = [each for place in places for each in place]
        if None in [self._contents.index(Player(), word) for word in words]:
            return
        if sorted(word.text for word in words) != sorted(self.names.seats):
            self._report_wrong(RANKING, "every seat once", value, value.span)
            return
        yield RankingSaid(tuple(tuple(each.text for each in place) for place in places), value.span)

    def _read_decided(self, path: list[Scalar], at: Span, value: Node) -> Iterator[DecidedSaid]:
        if len(path) != 1 or not isinstance(value, Scalar):
            self._report_wrong(DECIDED, "what sets a seat apart from the place before", value, at)
            return
        known = reasons(self.names)
        if value.text not in known:
            self._contents.report_unknown(value, known, "reason for a place")
        elif self._contents.index(Player(), path[0]) is not None:
            yield DecidedSaid(path[0].text, value.text, value.span)

    def _read_seen(self, path: list[Scalar], value: Node) -> Iterator[SeenSaid]:
        seat = self._contents.index(Player(), path[0])
        if seat is not None:
            reader = ContentReader(self.names, self.report, may_hide=True)
            yield from (SeenSaid(seat, content) for content in reader.at(path[1:], value))

    def _read_happened(self, path: list[Scalar], at: Span, value: Node) -> Iterator[HappenedSaid]:
        number = value.value if isinstance(value, Scalar) else None
        known = self.names.tables.rules.events
        if len(path) != 1 or not isinstance(number, int) or isinstance(number, bool):
            self._report_wrong(HAPPENED, "how often an event happened", value, at)
        elif path[0].text not in known:
            self._contents.report_unknown(path[0], known, "event")
        else:
            yield HappenedSaid(path[0].text, number, value.span)

    def _read_holds(self, value: Node) -> Iterator[HoldsSaid]:
        scope = Scope(self.laws(self.report), f"scenario.{HOLDS}", judges=True)
        scope = scope.bind_all({seat: LocalName(PLAYER, "parameter") for seat in seats_as_names(self.names)})
        for each in value if isinstance(value, Sequence) else [value]:
            yield HoldsSaid(read_expression(scope, each, FLAG), each.span)

    def _read_over(self, value: Node) -> Iterator[OverSaid]:
        is_over = value.value if isinstance(value, Scalar) else None
        if isinstance(is_over, bool):
            yield OverSaid(is_over, value.span)
        else:
            self._report_wrong(OVER, "true or false", value, value.span)

    def _read_won(self, value: Node) -> Iterator[WonSaid]:
        if not isinstance(value, Sequence):
            self._report_wrong(WON, "a list of seats", value, value.span)
            return
        words = [each for each in value if isinstance(each, Scalar)]
        if None not in [self._contents.index(Player(), word) for word in words]:
            yield WonSaid(frozenset(word.text for word in words), value.span)


# What is so.


def disagreement(names: IdTable, state: PlainState, happened: Counter[str], one: Claim) -> str | None:
    """Return what is not as it is said to be, in words; nothing if it is."""
    match one:
        case HappenedSaid(event, times):
            return _difference(f"{HAPPENED}.{event}", happened[event], times)
        case HoldsSaid():
            return _law_line(names, state, one)
        case OverSaid(is_over):
            return _difference(OVER, state.over, is_over)
        case WonSaid(seats):
            evaluator = Evaluator(names.tables, state)
            winners = tuple(name for seat, name in enumerate(names.seats) if evaluator.has_won(seat))
            return _difference(WON, winners, tuple(name for name in names.seats if name in seats))
        case Content():
            return _content_line(names, state, one)
        case SeenSaid():
            return _seen_line(names, state, one)
        case ScoreSaid(player, source, value):
            sources = [source.id for source in names.tables.rules.game.points]
            points = Evaluator(names.tables, state).points(player)
            found = sum(points) if source is None else points[sources.index(source)]
            return _difference(".".join((SCORES, names.seats[player], *([source] if source else []))), found, value)
        case _:
            return _ranking_line(names, state, one)


def _difference(place: str, found: Any, said: Any) -> str | None:
    return None if found == said else f"{quote(place)} is {format_value(found)}, not {format_value(said)}"


def seats_as_names(names: IdTable) -> dict[str, int]:
    """Return the seats that conditions may name: those by whose id nothing else of the game is called."""
    rules = names.tables.rules
    taken = {member for kind in rules.kinds.values() for member in (kind.plural, *kind.members)}
    taken |= {name.removeprefix("table.") for name in rules.fields} | {*rules.values} | {*MEANINGS}
    return {seat: number for number, seat in enumerate(names.seats) if seat not in taken}


def _law_line(names: IdTable, state: PlainState, one: HoldsSaid) -> str | None:
    evaluator, seats = Evaluator(names.tables, state), seats_as_names(names)
    if evaluator.value(one.law, seats):
        return None
    parts = format_values(names, tuple(part for part in values_of(evaluator, one.law, seats) if part.text not in seats))
    return f"{quote(words_at(one.span))} does not hold" + (f": {join(parts)}" if parts else "")


def _content_line(names: IdTable, state: PlainState, one: Content) -> str | None:
    found = cell(names.tables, state, one.field, one.at)
    declared = names.tables.rules.fields[one.field]
    place = field_path(names, one.field, one.at)
    if one.member is not None:
        return _difference(f"{place}.{names.member(str(declared.holds), one.member)}", found[one.member], one.value)
    return _difference(place, names.readable(declared.type, found), names.readable(declared.type, one.value))


def _ranking_line(names: IdTable, state: PlainState, one: RankingSaid | DecidedSaid) -> str | None:
    standings = ranking(names, Evaluator(names.tables, state))
    if isinstance(one, DecidedSaid):
        reason = next(each.decided_by for each in standings if each.player == one.player)
        return _difference(f"{DECIDED}.{one.player}", quote(reason) if reason else "nothing", quote(one.reason))
    groups = groupby(standings, key=lambda each: each.place)
    places = tuple(tuple(each.player for each in group) for _, group in groups)
    same = [set(place) for place in places] == [set(place) for place in one.places]
    return None if same else _difference(RANKING, _format_places(places), _format_places(one.places))


def _format_places(places: tuple[tuple[str, ...], ...]) -> str:
    return format_value(tuple(place[0] if len(place) == 1 else format_value(place) for place in places))


def _seen_line(names: IdTable, state: PlainState, one: SeenSaid) -> str | None:
    content = one.content
    found = SeatReader(names, state, one.seat).read(content.field, content.at)
    if isinstance(names.tables.rules.fields[content.field].type, Bag) and isinstance(found, tuple):
        found = HIDDEN if found else Counter()
    found, expected = _as_seen(found), _as_said(names, content)
    if expected == HIDDEN and isinstance(found, tuple) and set(found) == {HIDDEN}:
        found = HIDDEN
    place = f"{SEEN}.{names.seats[one.seat]}.{field_path(names, content.field, content.at)}"
    return _difference(place, found, expected)


def _as_seen(value: Any) -> Any:
    """Return what a view shows with one word for all that it hides."""
    if isinstance(value, tuple):
        return tuple(map(_as_seen, value))
    return HIDDEN if isinstance(value, Hidden) else value


def _as_said(names: IdTable, content: Content) -> Any:
    type_ = names.tables.rules.fields[content.field].type
    if content.value == HIDDEN:
        return HIDDEN
    if isinstance(content.value, tuple) and HIDDEN in content.value:
        return tuple(each if each == HIDDEN else names.readable(type_, (each,))[0] for each in content.value)
    return names.readable(type_, content.value)


def format_value(value: Any) -> str:
    """Return what a field holds in words."""
    if isinstance(value, dict):
        return join([f"{count} {name}" for name, count in value.items()]) or "empty"
    if isinstance(value, tuple):
        return f"[{', '.join(map(str, value))}]"
    return format_scalar(value)
