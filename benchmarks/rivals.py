"""Other engines, where they are installed, playing uniformly random legal actions: what our speed is compared with."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from functools import partial
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from random import Random
from typing import Any

from benchmarks.timing import Measure, Missing, microseconds, rate

PLIES = 200
"""Where a random game of chess is broken off; the same in both engines that play it."""
CHESS = "python-chess"
CHESS_COPY = "python-chess, board.copy(stack=False)"
CHESS_PUSH = "python-chess, legal moves, push and pop"
ISLANDS = "Catanatron"
SPIEL = "OpenSpiel {}"
SPIEL_GAMES = ("chess", "gin_rummy", "backgammon")
BOARDGAME = "boardgame.io"
NODE = Path(__file__).parent / "boardgame"
"""Where the script lies that plays in Node; boardgame.io is installed beside it."""
_SCRIPT = "play.cjs"
_DISTRIBUTIONS = {"chess": "chess", "catanatron": "catanatron", "pyspiel": "open_spiel"}


def versions() -> dict[str, str]:
    """Return the version of every other engine that is installed."""
    found = node_versions(NODE)
    for distribution in _DISTRIBUTIONS.values():
        try:
            found[distribution] = version(distribution)
        except PackageNotFoundError:
            continue
    return found


def rival_measures(seconds: float) -> tuple[list[Measure], list[Missing]]:
    """Return what can be measured beside us on this machine, and what cannot.

    Args:
        seconds: Processor time for each rate.
    """
    measures: list[Measure] = []
    missing: list[Missing] = []
    for module, measuring in (("chess", _chess), ("catanatron", _islands), ("pyspiel", _spiel)):
        try:
            engine = import_module(module)
        except ImportError:
            missing.append(Missing(_DISTRIBUTIONS[module], "not installed; the extra `bench` has it"))
        else:
            measures += measuring(engine, seconds)
    found = boardgame(NODE, seconds)
    if isinstance(found, Missing):
        missing.append(found)
    else:
        measures.append(found)
    return measures, missing


def _chess(chess: Any, seconds: float) -> list[Measure]:
    chance = Random(1)
    board = chess.Board()
    for _ in range(30):
        board.push(chance.choice(list(board.legal_moves)))

    def push_and_pop() -> None:
        board.push(next(iter(list(board.legal_moves))))
        board.pop()

    return [
        Measure(CHESS, "/s", lambda: rate(partial(_play_chess, chess, chance), seconds)),
        Measure(CHESS_COPY, "µs", lambda: microseconds(lambda: board.copy(stack=False), 1000)),
        Measure(CHESS_PUSH, "µs", lambda: microseconds(push_and_pop, 300)),
    ]


def _play_chess(chess: Any, chance: Random, _number: int) -> int:
    board, made = chess.Board(), 0
    for _ in range(PLIES):
        moves = list(board.legal_moves)
        if not moves:
            break
        made += len(moves) > 1
        board.push(moves[int(chance.random() * len(moves))])
    return made


def _islands(catanatron: Any, seconds: float) -> list[Measure]:
    chance = Random(1)

    def play(number: int) -> int:
        made = 0

        def decide(_player: Any, _game: Any, actions: Any) -> Any:
            nonlocal made
            made += len(actions) > 1
            return actions[int(chance.random() * len(actions))]

        game = catanatron.Game([catanatron.RandomPlayer(color) for color in catanatron.Color], seed=number)
        while game.winning_color() is None and game.state.num_turns < 1000:
            game.play_tick(decide_fn=decide)
        return made

    return [Measure(ISLANDS, "/s", lambda: rate(play, seconds))]


def _spiel(pyspiel: Any, seconds: float) -> list[Measure]:
    def measure(name: str) -> Measure:
        play = _play_spiel(pyspiel.load_game(name))
        return Measure(SPIEL.format(name), "/s", lambda: rate(play, seconds))

    return [measure(name) for name in SPIEL_GAMES]


def _play_spiel(game: Any) -> Callable[[int], int]:
    """Return what plays one game; chance is played and not counted."""
    chance = Random(1)

    def play(_number: int) -> int:
        state, made = game.new_initial_state(), 0
        while not state.is_terminal() and made < PLIES:
            if state.is_chance_node():
                outcomes, weights = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(chance.choices(outcomes, weights)[0])
                continue
            actions = state.legal_actions()
            made += len(actions) > 1
            state.apply_action(actions[int(chance.random() * len(actions))])
        return made

    return play


def boardgame(folder: Path, seconds: float) -> Measure | Missing:
    """Return how boardgame.io is measured, or why it cannot be: a script plays in Node and prints its rate.

    Args:
        folder: Where the script lies and the package is installed.
        seconds: How much processor time it is given.
    """
    node = shutil.which("node")
    if node is None:
        return Missing(BOARDGAME, "there is no Node on this machine")
    if not _package(folder).exists():
        return Missing(BOARDGAME, f"not installed: `npm install --prefix {folder}`")
    return Measure(f"{BOARDGAME}, noughts and crosses", "/s", partial(_node_rate, node, folder, seconds))


def node_versions(folder: Path) -> dict[str, str]:
    """Return the versions of Node and of the package, if both are there."""
    node = shutil.which("node")
    if node is None or not _package(folder).exists():
        return {}
    told = subprocess.run([node, "--version"], check=True, capture_output=True, text=True)
    package = json.loads(_package(folder).read_text(encoding="utf-8"))
    return {"Node": told.stdout.strip().removeprefix("v"), BOARDGAME: package["version"]}


def _package(folder: Path) -> Path:
    return folder / "node_modules" / "boardgame.io" / "package.json"


def _node_rate(node: str, folder: Path, seconds: float) -> float:
    done = subprocess.run([node, str(folder / _SCRIPT), str(seconds)], check=True, capture_output=True, text=True)
    return float(json.loads(done.stdout)["rate"])
