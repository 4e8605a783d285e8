"""Search for broken laws: Hypothesis thinks of games, and every law that breaks is brought to a short one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import product

from attrs import define, field

from aodrules.facts.action_codes import ActionSpace
from aodrules.play.rules_context import RulesContext
from aodrules.testing.observers import GameObserver
from aodrules.testing.playing import TEMPERS, Line, PlayedGame, lines_for, play
from aodrules.testing.properties import Property

MOST_ACTIONS = 15_000
"""How many actions may be played while a shorter game is sought."""
SHORT = 12
"""A game with so few actions is short enough."""
_AHEAD = 6


def shorten_game(book: RulesContext, law: Property, played: PlayedGame, most: int = MOST_ACTIONS) -> PlayedGame:
    """Return a game in which the law breaks that is as short as can be found with so many actions."""
    reducer = _Reducer(book, law, played, most)
    reducer.try_other_games()
    reducer.leave_out_actions()
    return reducer.best


@define(eq=False)
class _Reducer:
    """A search for a shorter game."""

    book: RulesContext
    law: Property
    best: PlayedGame
    left: int
    """How many actions may still be played."""
    _tried: set[tuple[int, ...]] = field(factory=set, init=False)

    @property
    def _length(self) -> int:
        return len(self.best.answers)

    def try_other_games(self) -> None:
        """Look for a game that breaks the law sooner."""
        low, high = self.book.checked.game.players
        for seed, temper, players in product(range(40), TEMPERS, range(low, high + 1)):
            if self.left <= 0 or self._length <= SHORT:
                return
            self._try(Line(players, seed, temper), None)

    def leave_out_actions(self) -> None:
        """Leave out stretches of the game, long ones first, as long as the law still breaks."""
        size = self._length // 2
        while size and self.left > 0:
            start = 0
            while start < self._length and self.left > 0:
                if not self._try_without(start, size):
                    start += size
            size //= 2

    def _try_without(self, start: int, size: int) -> bool:
        kept = [*zip(self.best.asked, self.best.answers, strict=True)]
        del kept[start : start + size]
        key = (start, size, self._length)
        if key in self._tried:
            return False
        self._tried.add(key)
        return self._try(self.best.line, kept)

    def _try(self, line: Line, kept: list[tuple[str, int]] | None) -> bool:
        """Play a game and take it if the law breaks sooner than in the best so far."""
        spaces = self.book.actions(self.book.checked.game.seats[: line.players]).spaces
        choose = None if kept is None else follower(kept, spaces)
        played = play(self.book, line, [self.law], choose=choose, most=self._length - 1)
        self.left -= len(played.answers)
        if not played.breaches:
            return False
        self.best = played
        return True


def follower(kept: Sequence[tuple[str, int]], spaces: dict[str, ActionSpace]) -> Callable[[str, Sequence[int]], int]:
    """Return how to choose so that a list of answers is followed as far as it fits."""
    return partial(_next_answer, list(kept), spaces)


def _next_answer(
    kept: list[tuple[str, int]], spaces: dict[str, ActionSpace], decision: str, codes: Sequence[int]
) -> int:
    for place, (asked, code) in enumerate(kept[:_AHEAD]):
        if asked == decision and code in codes:
            del kept[: place + 1]
            return code
    passing = spaces[decision].passing
    return passing if passing is not None and passing in codes else codes[0]


Progress = Callable[[], None]


@define(eq=False)
class Search:
    """What a search found: which laws broke, in which games, and how often each had something to say."""

    broken: dict[str, PlayedGame] = field(factory=dict)
    """By id of the property: the shortest game seen in which it broke."""
    broken_examples: dict[str, str] = field(factory=dict)
    """By id of the property: a scenario in which it broke."""
    example_values: dict[str, tuple[str, ...]] = field(factory=dict)
    """By id of the property: what its names were worth then."""
    tested: Counter[str] = field(factory=Counter)
    games: int = 0
    actions: int = 0

    def note(self, played: PlayedGame) -> None:
        """Add what came of a game."""
        self.games += 1
        self.actions += len(played.answers)
        self.tested += played.tested
        for violation in played.breaches:
            known = self.broken.get(violation.law.id)
            if known is None or len(played.answers) < len(known.answers):
                self.broken[violation.law.id] = played


def explore(
    book: RulesContext,
    properties: Iterable[Property],
    games: int,
    seed: int = 0,
    *,
    progress: Progress = lambda: None,
    onlookers: Iterable[GameObserver] = (),
) -> Search:
    """Play games that Hypothesis thinks of and test laws in them; a law that broke is not tested again."""
    search, laws, watching = Search(), list(properties), tuple(onlookers)

    def try_line(line: Line) -> None:
        open_ = [one for one in laws if one.id not in search.broken]
        search.note(play(book, line, open_, onlookers=watching))
        progress()

    for line in imagine_lines(book, games, seed):
        try_line(line)
    return search


def imagine_lines(book: RulesContext, games: int, seed: int = 0) -> list[Line]:
    """Return games to be played: what Hypothesis thinks of, or an even mixture where it is not installed."""
    try:
        from aodrules.testing.strategies import hypothesis_lines
    except ImportError:
        return list(lines_for(book, games, seed))
    return hypothesis_lines(book, games, seed)
