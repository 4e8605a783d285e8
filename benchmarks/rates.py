"""What rules as data cost: decisions a second, copies and undo, for some rules on both engines."""

from __future__ import annotations

import json
import statistics
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

from attrs import frozen

from aodrules import svg
from aodrules.game import Game
from aodrules.rulebook import Rules, load
from benchmarks.larger_rules import double_members
from benchmarks.timing import Measure, microseconds, rate

BARE, CHECKED, LOGGED = "bare", "legality check + undo", "legality check + undo + event log"
ACTIONS, TWICE, INTERPRETED = "friendly actions", "twice the members", "interpreter"
COPY, PUSH_AND_POP = "game.copy()", "push + pop"
VIEW = "game.view(seat).plain()"
EVENTS = "game.events"
PICTURE = "svg.render(game)"
PATCH = "svg.patch after an answer"
_ANSWERS = 60
"""How many answers in the middle of a game are drawn to find what one of them costs in the median."""
CELLS, TEXT = "cells of a state", "state as JSON"
FORCED = "decisions with a single legal action, not counted in the rates"
BESIDE = "{rules}: {what}"
"""The name of what is measured of other rules in the same run."""


@frozen
class Subject:
    """What is measured: rules, others beside them, how many play, and the kind that is doubled."""

    rules: str
    beside: tuple[str, ...] = ()
    players: int = 4
    double: str | None = None

    @property
    def words(self) -> tuple[str, ...]:
        """All rules that are measured, the first ones first."""
        return (self.rules, *self.beside)


USUAL = Subject("empires+builders+national-advantages", ("empires", "harbour"), double="building")
"""What is measured if nothing is said."""


def rules_of(word: str) -> Rules:
    """Return the rules that a word stands for."""
    base, *variants = word.split("+")
    return load(base, variants)


def rate_measures(subject: Subject, seconds: float, folder: Path) -> Iterator[Measure]:
    """Return everything that is measured of our own engines."""
    rules, players = rules_of(subject.rules), subject.players
    for name, options in WAYS.items():
        yield Measure(name, "/s", _rate(rules, players, seconds, **options))
    yield Measure(ACTIONS, "/s", _rate(rules, players, seconds, play=play_actions, **WAYS[BARE]))
    if subject.double:
        twice, _ = double_members(rules, subject.double, players, folder)
        yield Measure(TWICE, "/s", _rate(twice, players, seconds, **WAYS[BARE]))
    yield _interpreted(INTERPRETED, rules, players)
    yield from _steps(rules, players, "{what}")
    yield from _sizes(rules, players)
    yield Measure(FORCED, "%", lambda: _forced(rules, players), most=1)
    for word in subject.beside:
        yield from _beside(word, players, seconds)


WAYS: dict[str, dict[str, Any]] = {
    BARE: {"undo": False, "log": False},
    CHECKED: {"undo": True, "log": False},
    LOGGED: {"undo": True, "log": True},
}


def _beside(word: str, players: int, seconds: float) -> Iterator[Measure]:
    rules = rules_of(word)
    seated = max(rules.players[0], min(players, rules.players[1]))
    yield Measure(BESIDE.format(rules=word, what=BARE), "/s", _rate(rules, seated, seconds, **WAYS[BARE]))
    yield _interpreted(BESIDE.format(rules=word, what=INTERPRETED), rules, seated)
    yield from _steps(rules, seated, BESIDE.replace("{rules}", word))


def _interpreted(name: str, rules: Rules, players: int) -> Measure:
    return Measure(name, "/s", _rate(rules, players, 0, engine="interpreter", **WAYS[BARE]))


def play_codes(game: Game, chance: Random) -> int:
    """Play to the end by codes, listed before every decision, and return how often there was a choice."""
    made, random = 0, chance.random
    while codes := game.codes:
        many = len(codes)
        made += many > 1
        game.push(codes[int(random() * many)])
    return made


def play_actions(game: Game, chance: Random) -> int:
    """Play to the end by actions that people can read, and return how often there was a choice."""
    made, random = 0, chance.random
    while actions := game.actions:
        many = len(actions)
        made += many > 1
        game.push(actions[int(random() * many)])
    return made


def _rate(
    rules: Rules, players: int, seconds: float, play: Callable[[Game, Random], int] = play_codes, **options: Any
) -> Callable[[], float]:
    chance = Random(1)
    play(rules.new_game(players=players, seed=0, **options), chance)
    return lambda: rate(lambda number: play(rules.new_game(players=players, seed=number, **options), chance), seconds)


def middle(rules: Rules, players: int, **options: Any) -> Game:
    """Return a game in its middle, at a choice."""
    line = line_of(rules, players, 3)
    game = rules.new_game(players=players, seed=3, **options)
    for code in line[: len(line) // 2]:
        game.push(code)
    while len(game.codes) < 2:
        game.push(game.codes[0])
    return game


def line_of(rules: Rules, players: int, seed: int) -> list[int]:
    """Return the answers of a random game."""
    game, chance = rules.new_game(players=players, seed=seed, **WAYS[BARE]), Random(seed)
    line = []
    while game.codes:
        line.append(chance.choice(game.codes))
        game.push(line[-1])
    return line


def _steps(rules: Rules, players: int, naming: str) -> Iterator[Measure]:
    """Measure single steps in the middle of a game."""
    game = middle(rules, players, undo=True, log=False)

    def push_and_pop() -> None:
        game.push(game.codes[0])
        game.pop()

    seen = middle(rules, players, undo=True, log=True)

    def look() -> None:
        # What was read of a position is kept: each look is at another one.
        seen.push(seen.codes[0])
        seen.view(seen.players[0]).plain()
        seen.pop()

    logged = middle(rules, players)

    def tell() -> None:
        logged.push(logged.codes[0])
        _ = logged.events
        logged.pop()

    yield Measure(naming.format(what=EVENTS), "µs", lambda: microseconds(tell, 100))
    bare = middle(rules, players, **WAYS[BARE])
    yield Measure(naming.format(what=VIEW), "µs", lambda: microseconds(look, 50))
    yield Measure(naming.format(what=PICTURE), "µs", lambda: microseconds(lambda: svg.render(logged), 5))
    yield Measure(naming.format(what=PATCH), "µs", lambda: _patch_after_an_answer(bare))
    yield Measure(naming.format(what=COPY), "µs", lambda: microseconds(bare.copy, 1000))
    yield Measure(naming.format(what=PUSH_AND_POP), "µs", lambda: microseconds(push_and_pop, 500))


def _patch_after_an_answer(middle: Game) -> float:
    """Return what a picture that follows the game costs after an answer, as data to be sent: the median of many."""
    game, pictures, chance, costs = middle.copy(), svg.Pictures(), Random(4), list[float]()
    before = pictures.scene(game)
    while game.codes and len(costs) < _ANSWERS:
        game.push(chance.choice(game.codes))
        start = time.process_time()
        after = pictures.scene(game)
        svg.patch(before, after).plain()
        costs.append((time.process_time() - start) * 1e6)
        before = after
    return statistics.median(costs)


def _forced(rules: Rules, players: int) -> float:
    """Return which part of all decisions has a single legal action, in per cent."""
    games = (rules.new_game(players=players, seed=seed, **WAYS[BARE]) for seed in range(10))
    choices = sum(play_codes(game, Random(seed)) for seed, game in enumerate(games))
    return 100 * (1 - choices / sum(len(line_of(rules, players, seed)) for seed in range(10)))


def _sizes(rules: Rules, players: int) -> Iterator[Measure]:
    """Measure how large a state in the middle of a game is."""
    cells = getattr(middle(rules, players).machine, "cells", [])
    text = json.dumps(cells, separators=(",", ":"))
    yield Measure(CELLS, "", lambda: len(cells), most=1)
    yield Measure(TEXT, "B", lambda: len(text.encode()), most=1)
