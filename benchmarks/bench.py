"""What rules as data cost: loading and playing a small game, beside python-chess measured in the same run.

Absolute figures depend on the machine and the moment; the ratios of one run are what counts.
"""

from __future__ import annotations

import os
import platform
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

import chess
from rich.console import Console
from rich.table import Table

import aodrules

GAME = Path(__file__).parent.parent / "tests" / "games" / "harbour"
ROUNDS, GAMES, PLAYERS = 7, 12, 4
Measure = Callable[[], float]


def decisions_per_second(rules: aodrules.Rules, engine: str, *, undo: bool, log: bool, games: int) -> float:
    """Play whole games at random and return how many choices were made in a second."""
    chance, made = random.Random(1), 0
    start = time.process_time()
    for seed in range(games):
        game = rules.new_game(players=PLAYERS, seed=seed, engine=engine, undo=undo, log=log)
        while not game.over:
            codes = game.codes
            made += len(codes) > 1
            game.push(chance.choice(codes))
    return made / (time.process_time() - start)


def plies_per_second(games: int) -> float:
    """Play chess at random and return how many moves were made in a second."""
    chance, made = random.Random(1), 0
    start = time.process_time()
    for _ in range(games):
        board = chess.Board()
        while not board.is_game_over() and board.ply() < 120:
            board.push(chance.choice(list(board.legal_moves)))
            made += 1
    return made / (time.process_time() - start)


def seconds(action: Callable[[], object], times: int = 1) -> float:
    """Return how long one of several runs takes."""
    start = time.perf_counter()
    for _ in range(times):
        action()
    return (time.perf_counter() - start) / times


def middle_of(rules: aodrules.Rules) -> aodrules.Game:
    """Return a game in its middle."""
    game, chance = rules.new_game(players=PLAYERS, seed=3), random.Random(3)
    for _ in range(60):
        game.push(chance.choice(game.codes))
    return game


def middle_of_chess() -> chess.Board:
    """Return a chess board in its middle."""
    board, chance = chess.Board(), random.Random(3)
    for _ in range(30):
        board.push(chance.choice(list(board.legal_moves)))
    return board


def push_and_pop(game: aodrules.Game) -> None:
    """Make the first legal choice and take it back."""
    game.push(game.codes[0])
    game.pop()


def push_and_pop_chess(board: chess.Board) -> None:
    """Make the first legal move and take it back."""
    board.push(next(iter(list(board.legal_moves))))
    board.pop()


def measures(rules: aodrules.Rules) -> dict[str, tuple[Measure, str]]:
    """Return what is measured: a name, how, and in which unit."""
    game, board = middle_of(rules), middle_of_chess()
    return {
        "python-chess, legal moves and push": (lambda: plies_per_second(1), "/s"),
        "generated code, bare": (
            lambda: decisions_per_second(rules, "compiled", undo=False, log=False, games=GAMES),
            "/s",
        ),
        "generated code, check, undo and log": (
            lambda: decisions_per_second(rules, "compiled", undo=True, log=True, games=GAMES),
            "/s",
        ),
        "interpreter": (lambda: decisions_per_second(rules, "interpreter", undo=True, log=True, games=1), "/s"),
        "copy of a game": (lambda: seconds(game.copy, 500) * 1e6, "µs"),
        "copy of a chess board": (lambda: seconds(lambda: board.copy(stack=False), 500) * 1e6, "µs"),
        "push and pop": (lambda: seconds(lambda: push_and_pop(game), 300) * 1e6, "µs"),
        "push and pop of python-chess": (lambda: seconds(lambda: push_and_pop_chess(board), 300) * 1e6, "µs"),
    }


def loads(folder: str) -> dict[str, float]:
    """Return how long a load takes with an empty and with a filled cache, in milliseconds."""
    os.environ["AODRULES_CACHE"] = folder

    def load() -> None:
        aodrules.load(str(GAME)).new_game(players=PLAYERS, seed=1)

    cold = seconds(load)
    return {"cold load and first game": cold * 1e3, "cached load and first game": seconds(load, 3) * 1e3}


def run(console: Console) -> None:
    """Measure everything, interleaved, and print the table."""
    with tempfile.TemporaryDirectory() as folder:
        loading = loads(folder)
        chosen = measures(aodrules.load(str(GAME)))
        found: dict[str, list[float]] = {name: [] for name in chosen}
        for _ in range(ROUNDS):
            for name, (measure, _) in chosen.items():
                found[name].append(measure())
    console.print(_table(loading, found, {name: unit for name, (_, unit) in chosen.items()}))
    console.print(_ratios(found))


def _table(loading: dict[str, float], found: dict[str, list[float]], units: dict[str, str]) -> Table:
    table = Table(title=f"{GAME.name}, {PLAYERS} players, {ROUNDS} rounds")
    for column in ("what", "median", "least", "most"):
        table.add_column(column, justify="left" if column == "what" else "right")
    for name, value in loading.items():
        table.add_row(name, f"{value:,.0f} ms", "", "")
    for name, values in found.items():
        shown = [statistics.median(values), min(values), max(values)]
        table.add_row(
            name, *(f"{value:,.1f} {units[name]}" if value < 100 else f"{value:,.0f} {units[name]}" for value in shown)
        )
    versions = f"Python {platform.python_version()}, aodrules {version('aodrules')}, chess {version('chess')}"
    table.caption = f"{versions}; only decisions with a choice are counted"
    return table


def _ratios(found: dict[str, list[float]]) -> str:
    middle = {name: statistics.median(values) for name, values in found.items()}
    chess_rate = middle["python-chess, legal moves and push"]
    lines = [
        f"{name} ÷ python-chess: {middle[name] / chess_rate:.2f}"
        for name in ("generated code, bare", "generated code, check, undo and log", "interpreter")
    ]
    lines.append(f"copy ÷ copy of a chess board: {middle['copy of a game'] / middle['copy of a chess board']:.2f}")
    lines.append(f"push and pop ÷ python-chess: {middle['push and pop'] / middle['push and pop of python-chess']:.2f}")
    return "\n".join(lines)


if __name__ == "__main__":
    run(Console(file=sys.stdout, width=110))
