"""Whether a decision costs more late than early: in a game, in a very long game, after many other games."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from random import Random
from time import process_time

from aodrules.game import Game
from aodrules.rulebook import Rules
from aodrules.simulate.bench import BARE, LOGGED, WAYS, Subject, line_of, play_codes, rules_of
from aodrules.simulate.bench_loads import printed_by
from aodrules.simulate.growth import echo
from aodrules.simulate.timing import Measure

LATE = "a decision in the last quarter of a game ÷ in the first, {}"
LONG = "a decision after {:,} others ÷ after none, {}"
SEASON = "a decision after {:,} games ÷ in the first games"
ANSWERS, GAMES = 4_000, 1_000


def growth(subject: Subject, folder: Path) -> Iterator[Measure]:
    """Return how growth is measured: each figure is a ratio, 1 where there is none."""
    rules, players = rules_of(subject.rules), subject.players
    lines = [line_of(rules, players, seed) for seed in range(10)]
    for way in (BARE, LOGGED):
        yield Measure(LATE.format(way), "×", partial(_late, rules, players, lines, way))  # noqa: RUF001 - times
    for way in (BARE, LOGGED):
        yield Measure(LONG.format(ANSWERS, way), "×", partial(_long, echo(folder, ANSWERS), way))  # noqa: RUF001
    yield Measure(SEASON.format(GAMES), "×", partial(_season, subject, folder), most=3)  # noqa: RUF001


def _late(rules: Rules, players: int, lines: Sequence[Sequence[int]], way: str) -> float:
    """Return what the decisions in the last quarter of a game cost, as a multiple of those in the first."""
    spent, made = [0.0, 0.0], [0, 0]
    for seed, codes in enumerate(lines):
        game, quarter = rules.new_game(players=players, seed=seed, **WAYS[way]), len(codes) // 4
        spent[0] += _pushed(game, codes[:quarter])
        _pushed(game, codes[quarter:-quarter])
        spent[1] += _pushed(game, codes[-quarter:])
        made = [count + quarter for count in made]
    return (spent[1] / made[1]) / (spent[0] / made[0])


def _pushed(game: Game, codes: Sequence[int]) -> float:
    start = process_time()
    for code in codes:
        game.push(code)
    return process_time() - start


def _long(rules: Rules, way: str) -> float:
    """Return what the last tenth of a very long game costs, as a multiple of the first."""
    first = last = 0.0
    for seed in range(5):
        game = rules.new_game(players=1, seed=seed, **WAYS[way])
        tenth = [game.codes[0]] * (ANSWERS // 10)
        spent = [_pushed(game, tenth) for _ in range(10)]
        first, last = first + spent[0], last + spent[-1]
    return last / first


def _season(subject: Subject, folder: Path) -> float:
    """Return what games cost after many others, as a multiple of what they cost before, in a process of its own."""
    call = f"season({subject.rules!r}, {subject.players}, {GAMES})"
    return printed_by(f"from aodrules.simulate.bench_growth import season; print({call})", folder / "cache")


def season(word: str, players: int, games: int) -> float:
    """Return what some games cost after so many others, as a multiple of what the same games cost before."""
    rules, some = rules_of(word), range(games // 10)
    # What is made once, when it is first needed, is no growth.
    _cost(rules, players, some)
    before = _cost(rules, players, some)
    _cost(rules, players, range(games))
    return _cost(rules, players, some) / before


def _cost(rules: Rules, players: int, seeds: range) -> float:
    start, made = process_time(), 0
    for seed in seeds:
        game = rules.new_game(players=players, seed=seed, **WAYS[BARE])
        made += play_codes(game, Random(seed))  # noqa: S311 - games, not secrets
    return (process_time() - start) / made
