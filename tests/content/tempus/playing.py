"""Games of Tempus on both engines at once, and what is chosen in them."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from functools import cache

import aodrules
from aodrules.bots.one_step import GreedyBot
from aodrules.bots.turns import Turn
from aodrules.compiler.runtime.compiled import Compiled
from aodrules.facts.state import Machine
from aodrules.game import Game
from tests.content.playing import pieces
from tests.engines.playing import left_over

VARIANTS = tuple(sorted(entry.id for entry in aodrules.catalogue()["tempus"].other_readings))
PLAYERS = (3, 4, 5)
ERAS = 10
Chooser = Callable[[Game, random.Random], int]
_UNWANTED = ("cut", "bound", "stuck")
_EVERY = 16
"""After how many answers whole positions are compared; what was done is compared after each."""


@cache
def rules_of(*variants: str) -> aodrules.Rules:
    return aodrules.load("tempus", variants)


def at_random(game: Game, chance: random.Random) -> int:
    return chance.choice(game.codes)


def eagerly(game: Game, chance: random.Random) -> int:
    """Do something rather than nothing, and of what can be done each sort as often: people multiply, cities stand."""
    sorts: dict[str, list[int]] = {}
    for code, action in zip(game.codes, game.actions, strict=True):
        sorts.setdefault(action.option, []).append(code)
    liked = sorted(set(sorts) - {"done", "pass"}) or sorted(sorts)
    idle = sorted(set(sorts) & {"done", "pass"})
    chosen = chance.choice(idle) if idle and chance.random() < 0.2 else chance.choice(liked)
    return chance.choice(sorts[chosen])


def greedily(game: Game, chance: random.Random) -> int:
    machine = game.machine
    assert isinstance(machine, Compiled)
    return GreedyBot().choose(Turn(game, machine.player, chance))


def play_alike(rules: aodrules.Rules, players: int, seed: int, choose: Chooser, eras: int = ERAS) -> Counter[str]:
    """Play a game on both engines, which must agree at every step, and return how often each decision was asked."""
    game, chance = rules.new_game(players=players, seed=seed, undo=False), random.Random(seed)
    machine, reference = game.machine, rules.book.interpreter(players, seed)
    assert isinstance(machine, Compiled)
    stock, asked, fronts = pieces(rules.book.checked, reference.state), Counter[str](), [0]
    while reference.pending is not None:
        agree(machine, reference)
        if asked.total() % _EVERY == 0:
            assert machine.plain() == reference.state
            assert pieces(rules.book.checked, machine.plain()) == stock
        asked[reference.pending.decision] += 1
        code = choose(game, chance)
        game.push(code)
        reference.apply(code)
        (front,) = reference.state.fields["table.front"]
        if front != fronts[-1]:
            fronts.append(int(str(front)))
    assert fronts == sorted({0, *range(ERAS - eras, ERAS + 1)}), "somebody enters a new row in each era"
    agree(machine, reference)
    assert machine.plain() == reference.state
    assert not left_over(machine)
    assert pieces(rules.book.checked, machine.plain()) == stock
    return asked


def agree(machine: Compiled, reference: Machine) -> None:
    """Hold one engine to the other: what is asked, what can be answered, what was done and why."""
    assert machine.pending == reference.pending
    assert machine.codes == reference.codes
    assert machine.happenings == reference.happenings
    assert machine.causes == reference.causes
    assert [entry for entry in reference.happenings if entry[0] in _UNWANTED] == []
