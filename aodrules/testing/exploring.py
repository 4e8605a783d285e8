"""Search for broken laws: in games that Hypothesis thinks of and in scenarios, which lead where chance seldom does.

Every law that breaks in a game is brought to a short one.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise, product

from attrs import define, field

from aodrules.interpreter.entry.enter_at_step import NoEntryError
from aodrules.interpreter.evaluation import Evaluator
from aodrules.play.rules_context import RulesContext
from aodrules.source.diagnostics import Report
from aodrules.testing.law_values import format_values, values_of
from aodrules.testing.playing import TEMPERS, Choice, GameObserver, Laws, Line, PlayedGame, lines_for, play
from aodrules.testing.properties import Property
from aodrules.testing.scenario_runner import ScenarioFailure, ScenarioRun, ScenarioRunner
from aodrules.testing.scenarios import Scenario

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
                kept = [*zip(self.best.asked, self.best.answers, strict=True)]
                del kept[start : start + size]
                if not self._try(self.best.line, kept):
                    start += size
            size //= 2

    def _try(self, line: Line, kept: list[tuple[str, int]] | None) -> bool:
        """Play a game and take it if the law breaks sooner than in the best so far."""
        choose = None if kept is None else follower(self.book, line, kept)
        played = play(self.book, line, [self.law], choose=choose, most=self._length - 1)
        self.left -= len(played.answers)
        if not played.breaches:
            return False
        self.best = played
        return True


def follower(book: RulesContext, line: Line, answers: Iterable[tuple[str, int]]) -> Choice:
    """Return how to choose so that a list of answers, each with its decision, is followed as far as it fits."""
    kept, spaces = list(answers), book.actions(book.checked.game.seats[: line.players]).spaces

    def choose(decision: str, codes: Sequence[int]) -> int:
        for place, (asked, code) in enumerate(kept[:_AHEAD]):
            if asked == decision and code in codes:
                del kept[: place + 1]
                return code
        passing = spaces[decision].passing
        return passing if passing is not None and passing in codes else codes[0]

    return choose


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

    def note_example(self, scenario: Scenario, law: Property, values: tuple[str, ...]) -> None:
        """Keep the first scenario in which a law breaks."""
        if law.id not in self.broken_examples:
            self.broken_examples[law.id] = scenario.id
            self.example_values[law.id] = values


def explore(
    book: RulesContext,
    properties: Iterable[Property],
    games: int,
    seed: int = 0,
    *,
    progress: Callable[[], None] = lambda: None,
    onlookers: Iterable[GameObserver] = (),
) -> Search:
    """Play games that Hypothesis thinks of and test laws in them; a law that broke is not tested again."""
    search, laws, watching = Search(), list(properties), tuple(onlookers)
    for line in imagine_lines(book, games, seed):
        open_ = [law for law in laws if law.id not in search.broken]
        search.note(play(book, line, open_, onlookers=watching))
        progress()
    return search


def imagine_lines(book: RulesContext, games: int, seed: int = 0) -> list[Line]:
    """Return games to be played: what Hypothesis thinks of, or an even mixture where it is not installed."""
    try:
        from aodrules.testing.strategies import hypothesis_lines
    except ImportError:
        return list(lines_for(book, games, seed))
    return hypothesis_lines(book, games, seed)


def hold_in_examples(
    runner: ScenarioRunner, scenarios: Iterable[Scenario], properties: Iterable[Property], search: Search
) -> None:
    """Play scenarios that hold once more and test in each the laws of the clauses it shows.

    Only laws of answers and of changes, and only as far as the scenario goes: a game may never come to the position
    of an example, but what is done there is lawful.
    """
    laws = defaultdict(list)
    for law in properties:
        for clause in law.clauses:
            laws[clause].append(law)
    for scenario in scenarios:
        mine = dict.fromkeys(law for clause in scenario.clauses for law in laws[clause])
        run = _run_example(runner, scenario) if mine else None
        if run is not None:
            _hold(run, tuple(mine), search)


def _run_example(runner: ScenarioRunner, scenario: Scenario) -> ScenarioRun | None:
    """Return a scenario that was played; nothing if it does not hold."""
    run = ScenarioRun(runner, scenario, runner.entry(scenario, Report()))
    try:
        run.run()
    except (ScenarioFailure, NoEntryError, KeyError):
        # What is wrong with it is told where scenarios are run.
        return None
    return run


def _hold(run: ScenarioRun, properties: Iterable[Property], search: Search) -> None:
    laws = Laws(tuple(law for law in properties if law.moment == "after"))
    game = run.runner.interpreter(run.scenario, run.entry, laws)
    laws.check()
    states = [game.plain()]
    for answer in run.answers:
        game.apply(answer)
        laws.check()
        states.append(game.plain())
    if run.answers:
        # What follows the last answer counts only as far as the scenario goes.
        states[-1] = run.checkpoint.state or run.interpreter.plain()
    search.tested += laws.tested
    names = run.runner.book.actions(run.scenario.seats).names
    for violation in laws.breaches:
        search.note_example(run.scenario, violation.law, format_values(names, violation.values))
    for law in (each for each in properties if each.moment == "whenever"):
        for before, after in pairwise(states):
            now = Evaluator(game.tables, after, before)
            if law.condition is not None and now.value(law.condition, {}):
                search.tested[law.id] += 1
                if not now.value(law.law, {}):
                    search.note_example(run.scenario, law, format_values(names, values_of(now, law.law, {})))
