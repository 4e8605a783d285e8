"""Search for broken laws: Hypothesis thinks of games, and every law that breaks is brought to a short one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable

from attrs import define, field

from aodrules.play.rules_context import RulesContext
from aodrules.testing.playing import GameObserver, Line, PlayedGame, lines_for, play
from aodrules.testing.properties import Property

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
        for breach in played.breaches:
            known = self.broken.get(breach.law.id)
            if known is None or len(played.answers) < len(known.answers):
                self.broken[breach.law.id] = played


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

    for line in imagined(book, games, seed):
        try_line(line)
    return search


def imagined(book: RulesContext, games: int, seed: int = 0) -> list[Line]:
    """Return games to be played: what Hypothesis thinks of, or an even mixture where it is not installed."""
    try:
        from aodrules.testing.strategies import thought_up
    except ImportError:
        return list(lines_for(book, games, seed))
    return thought_up(book, games, seed)
