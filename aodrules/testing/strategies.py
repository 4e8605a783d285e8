"""Hypothesis strategies: rulesets, sets of variants, seeds, lines of play, games, positions and actions.

They need Hypothesis, which the extra `aodrules[testing]` brings.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from os import PathLike

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import seed as seeded
from hypothesis import strategies as st

from aodrules.errors import RulesError
from aodrules.game import Action, Game
from aodrules.play.rules_context import RulesContext
from aodrules.rulebook import Rules, load
from aodrules.testing.playing import TEMPERS, Line, chooser, lines_for

__all__ = ["actions", "games", "lines", "positions", "rulesets", "seeds", "variant_sets"]

MOST_ACTIONS = 400

Name = str | PathLike[str]


def seeds() -> st.SearchStrategy[int]:
    """Return a strategy for seeds of games."""
    return st.integers(0, 2**48 - 1)


def variant_sets(variants: Sequence[Name]) -> st.SearchStrategy[tuple[Name, ...]]:
    """Return a strategy for sets of variants, in any order: that must not matter."""
    if not variants:
        return st.just(())
    return st.lists(st.sampled_from(list(variants)), unique=True).map(tuple)


def rulesets(base: Name, variants: Sequence[Name] = ()) -> st.SearchStrategy[Rules]:
    """Return a strategy for rules: a game or edition with any of some variants that go together."""
    known: dict[tuple[Name, ...], Rules | None] = {}

    def load_once(chosen: tuple[Name, ...]) -> Rules | None:
        key = tuple(sorted(chosen, key=str))
        if key not in known:
            try:
                known[key] = load(base, key)
            except RulesError:
                known[key] = None
        return known[key]

    return variant_sets(variants).map(load_once).filter(lambda found: found is not None).map(_sure)


def _sure(found: Rules | None) -> Rules:
    assert found is not None  # the filter before let no other through
    return found


def lines(book: RulesContext) -> st.SearchStrategy[Line]:
    """Return a strategy for lines of play."""
    low, high = book.checked.game.players
    return st.builds(Line, st.integers(low, high), seeds(), st.sampled_from(TEMPERS))


def games(rules: Rules, *, engine: str = "compiled", most: int = MOST_ACTIONS) -> st.SearchStrategy[Game]:
    """Return a strategy for games of which up to so many actions have been played."""
    return st.builds(_play, st.just(rules), lines(rules.book), st.integers(0, most), st.just(engine))


def positions(rules: Rules, *, engine: str = "compiled", most: int = MOST_ACTIONS) -> st.SearchStrategy[Game]:
    """Return a strategy for games that wait for an answer."""
    return st.builds(_play_to_open, st.just(rules), lines(rules.book), st.integers(0, most), st.just(engine))


def actions(game: Game) -> st.SearchStrategy[Action]:
    """Return a strategy for what is possible in a game now."""
    return st.sampled_from(game.actions)


def _play(rules: Rules, line: Line, many: int, engine: str) -> Game:
    return _replay(rules, line, _answers(rules, line, many), engine)


def _play_to_open(rules: Rules, line: Line, many: int, engine: str) -> Game:
    """Return a game that waits: of one that would have ended, any earlier position."""
    answers = _answers(rules, line, many)
    game = _replay(rules, line, answers, engine)
    return _replay(rules, line, answers[: many % len(answers)], engine) if game.over else game


def _answers(rules: Rules, line: Line, many: int) -> list[int]:
    """Return the first answers of a line of play."""
    game = rules.new_game(players=line.players, seed=line.seed, undo=False, log=False)
    choose = chooser(rules.book.actions(game.players).spaces, line)
    found: list[int] = []
    while len(found) < many and game.decision is not None:
        found.append(choose(game.decision.address, game.codes))
        game.push(found[-1])
    return found


def _replay(rules: Rules, line: Line, answers: Sequence[int], engine: str) -> Game:
    game = rules.new_game(players=line.players, seed=line.seed, engine=engine)
    for answer in answers:
        game.push(answer)
    return game


def hypothesis_lines(book: RulesContext, many: int, seed: int = 0) -> list[Line]:
    """Return lines of play that Hypothesis thinks of, each once; the same seed gives the same lines."""
    found: dict[Line, None] = dict.fromkeys(_first(book, many, seed))

    @seeded(seed)
    @settings(
        max_examples=max(many, 1),
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(lines(book))
    def think(line: Line) -> None:
        found.setdefault(line)

    think()
    return [*found, *lines_for(book, many, seed + many)][:many]


def _first(book: RulesContext, many: int, seed: int) -> Iterable[Line]:
    """Return one line for every number of players before Hypothesis has its turn."""
    low, high = book.checked.game.players
    return lines_for(book, min(many, high - low + 1), seed)
