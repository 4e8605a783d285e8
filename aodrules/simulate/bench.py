"""What rules as data cost: decisions a second, copies and undo, for some rules on both engines."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from statistics import median
from time import process_time
from typing import Any

import cattrs
from attrs import frozen

from aodrules.game import Game
from aodrules.rulebook import Rules, load
from aodrules.simulate.growth import doubled
from aodrules.simulate.timing import Measure, microseconds, rate
from aodrules.source.shipped import shipped

BARE, CHECKED, LOGGED = "bare", "legality check + undo", "legality check + undo + event log"
ACTIONS, TWICE, SINGLE, INTERPRETED = "friendly actions", "twice the members", "as many members", "interpreter"
COPY, PUSH_AND_POP = "game.copy()", "push + pop"


@frozen
class Subject:
    """What is measured: rules, others beside them, how many play, and the kind that is doubled."""

    rules: str
    beside: tuple[str, ...] = ()
    players: int = 4
    double: str | None = None


def usual_subject() -> Subject:
    """Return what is measured if nothing is said: the content names it."""
    found: Subject = cattrs.structure(json.loads((shipped("content") / "bench.json").read_text("utf-8")), Subject)
    return found


def rules_of(word: str) -> Rules:
    """Return the rules that a word stands for."""
    base, *variants = word.split("+")
    return load(base, variants)


def rates(subject: Subject, seconds: float, folder: Path) -> Iterator[Measure]:
    """Return everything that is measured of our own engines."""
    rules, players = rules_of(subject.rules), subject.players
    for name, options in _WAYS.items():
        yield Measure(name, "/s", _rate(rules, players, seconds, **options))
    yield Measure(ACTIONS, "/s", _rate(rules, players, seconds, play=play_actions, undo=False, log=False))
    if subject.double:
        twice, _ = doubled(rules, subject.double, players, folder)
        yield Measure(TWICE, "/s", _rate(twice, players, seconds, undo=False, log=False))
    yield Measure(INTERPRETED, "/s", _rate(rules, players, 0, engine="interpreter", undo=False, log=False))
    for word in subject.beside:
        beside = rules_of(word)
        yield Measure(f"{word}, {BARE}", "/s", _rate(beside, players, seconds, undo=False, log=False))
        yield Measure(
            f"{word}, {INTERPRETED}", "/s", _rate(beside, players, 0, engine="interpreter", undo=False, log=False)
        )
    yield from _single_steps(rules, players)


_WAYS: dict[str, dict[str, Any]] = {
    BARE: {"undo": False, "log": False},
    CHECKED: {"undo": True, "log": False},
    LOGGED: {"undo": True, "log": True},
}


def play_codes(game: Game, chance: Random) -> int:
    """Play to the end by codes, listed before every decision, and return how often there was a choice."""
    made, choice = 0, chance.choice
    while codes := game.codes:
        made += len(codes) > 1
        game.push(choice(codes))
    return made


def play_actions(game: Game, chance: Random) -> int:
    """Play to the end by actions that people can read, and return how often there was a choice."""
    made, choice = 0, chance.choice
    while actions := game.actions:
        made += len(actions) > 1
        game.push(choice(actions))
    return made


def _rate(
    rules: Rules, players: int, seconds: float, play: Callable[[Game, Random], int] = play_codes, **options: Any
) -> Callable[[], float]:
    chance = Random(1)  # noqa: S311 - games, not secrets
    play(rules.new_game(players=players, seed=0, **options), chance)
    return lambda: rate(lambda number: play(rules.new_game(players=players, seed=number, **options), chance), seconds)


def middle(rules: Rules, players: int, **options: Any) -> Game:
    """Return a game in its middle, at a choice."""
    game, chance = rules.new_game(players=players, seed=3, **options), Random(3)  # noqa: S311 - games, not secrets
    for _ in range(120):
        game.push(chance.choice(game.codes))
    while len(game.codes) < 2:
        game.push(game.codes[0])
    return game


def _single_steps(rules: Rules, players: int) -> Iterator[Measure]:
    game = middle(rules, players, undo=True, log=False)

    def push_and_pop() -> None:
        game.push(game.codes[0])
        game.pop()

    bare = middle(rules, players, undo=False, log=False)
    yield Measure(COPY, "µs", lambda: microseconds(bare.copy, 1000))
    yield Measure(PUSH_AND_POP, "µs", lambda: microseconds(push_and_pop, 500))


@frozen
class Size:
    """How large a state is."""

    cells: int
    json: int


def size(rules: Rules, players: int) -> Size:
    """Return how large a state in the middle of a game is."""
    cells = getattr(middle(rules, players).machine, "cells", [])
    return Size(len(cells), len(json.dumps(cells, separators=(",", ":"))))


@frozen
class Growth:
    """Whether a decision costs more late than early, as ratios: 1 is no growth."""

    with_length: float
    """Last quarter of a game to its first with undo, over the same without: what a longer past costs."""
    with_games: float
    """Games after many others in the same process to the first ones."""


def growth(rules: Rules, players: int, games: int, rounds: int = 5) -> Growth:
    """Return how the cost of a decision grows with the length of a game and with the number of earlier games."""
    lengths = []
    for _ in range(rounds + 1):
        with_past, bare = (_quarters(rules, players, games, past=past) for past in (True, False))
        lengths.append(with_past / bare)
    early, late = (median(_cost(rules, players, range(games)) for _ in range(rounds)) for _ in range(2))
    return Growth(median(lengths[1:]), late / early)


def _quarters(rules: Rules, players: int, games: int, *, past: bool) -> float:
    """Return what the decisions in the last quarter of a game cost, as a multiple of those in the first."""
    spent = [0.0] * 4
    for seed in range(games):
        codes = _line(rules, players, seed)
        game = rules.new_game(players=players, seed=seed, undo=past, log=False)
        for quarter in range(4):
            start = process_time()
            for code in codes[quarter * len(codes) // 4 : (quarter + 1) * len(codes) // 4]:
                game.push(code)
            spent[quarter] += process_time() - start
    return spent[3] / spent[0]


def _line(rules: Rules, players: int, seed: int) -> list[int]:
    game, chance = rules.new_game(players=players, seed=seed, undo=False, log=False), Random(seed)  # noqa: S311
    line = []
    while game.codes:
        line.append(chance.choice(game.codes))
        game.push(line[-1])
    return line


def _cost(rules: Rules, players: int, seeds: range) -> float:
    chance, made, start = Random(1), 0, process_time()  # noqa: S311 - games, not secrets
    for seed in seeds:
        made += play_codes(rules.new_game(players=players, seed=seed, undo=False, log=False), chance)
    return (process_time() - start) / made
