"""Whether a decision costs more late than early: in a game, in a very long game, after many other games."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from random import Random
from time import process_time

from aodrules.game import Game, Seating
from aodrules.rulebook import Rules
from benchmarks.larger_rules import load_echo
from benchmarks.loads import printed_by
from benchmarks.rates import BARE, LOGGED, WAYS, Subject, line_of, play_codes, rules_of
from benchmarks.timing import Measure

LATE = "a decision in the last quarter of a game ÷ the same without a past, {}"
LONG = "a decision in the second half of {:,} ÷ in the first, {}"
SEASON = "a decision after {:,} games ÷ in the first games"
ANSWERS, GAMES, RUNS = 8_000, 1_000, 5


def growth_measures(subject: Subject, folder: Path) -> Iterator[Measure]:
    """Return how growth is measured: each figure is a ratio, 1 where there is none."""
    rules, players = rules_of(subject.rules), subject.players
    lines = [line_of(rules, players, seed) for seed in range(10)]
    for way in (BARE, LOGGED):
        yield Measure(LATE.format(way), "×", partial(_late, rules, players, lines, way))
    for way in (BARE, LOGGED):
        yield Measure(LONG.format(ANSWERS, way), "×", partial(_long, load_echo(folder, ANSWERS), way))
    yield Measure(SEASON.format(GAMES), "×", partial(_season, subject, folder), most=3)


def _late(rules: Rules, players: int, lines: Sequence[Sequence[int]], way: str) -> float:
    """Return what the decisions in the last quarter of a game cost, as a multiple of the same ones without a past."""
    with_past = without = 0.0
    for seed, codes in enumerate(lines):
        runs = [_time_last_quarter(rules, players, seed, codes, way) for _ in range(RUNS)]
        # The least of some runs: whatever else the machine does only adds.
        with_past += min(one for one, _ in runs)
        without += min(one for _, one in runs)
    return with_past / without


def _time_last_quarter(rules: Rules, players: int, seed: int, codes: Sequence[int], way: str) -> tuple[float, float]:
    quarter = len(codes) // 4
    game = rules.new_game(players=players, seed=seed, **WAYS[way])
    _time_pushes(game, codes[:-quarter])
    forgetful = Game(game.book, Seating(game.players, seed, **WAYS[way]), game.machine.copy())
    return _time_pushes(game, codes[-quarter:]), _time_pushes(forgetful, codes[-quarter:])


def _time_pushes(game: Game, codes: Sequence[int]) -> float:
    start = process_time()
    for code in codes:
        game.push(code)
    return process_time() - start


def _long(rules: Rules, way: str) -> float:
    """Return what the second half of a very long game costs, as a multiple of the first."""
    halves = []
    for _ in range(RUNS):
        game = rules.new_game(players=1, seed=0, **WAYS[way])
        half = [game.codes[0]] * (ANSWERS // 2)
        halves.append((_time_pushes(game, half), _time_pushes(game, half)))
    return min(second for _, second in halves) / min(first for first, _ in halves)


def _season(subject: Subject, folder: Path) -> float:
    """Return what games cost after many others, as a multiple of what they cost before, in a process of its own."""
    call = f"season({subject.rules!r}, {subject.players}, {GAMES})"
    return printed_by(f"from benchmarks.growth import season; print({call})", folder / "cache")


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
        made += play_codes(game, Random(seed))
    return (process_time() - start) / made
