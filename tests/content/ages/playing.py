"""Games of Through the Ages on both engines at once."""

from __future__ import annotations

import random
from functools import cache

import aodrules

LEVELS = ("", "advanced", "simple")
"""The full game, and the smaller ones."""
STAYS = "no-resigning"
"""Somebody who plays at random resigns in the second round."""
QUITTING = ("done", "pass", "stay", "decline")
"""Answers that a weighted player gives only now and then."""
PATIENCE = 0.8
COMPARED = 20
"""After so many answers what bots look at is compared."""


@cache
def rules_of(*variants: str) -> aodrules.Rules:
    return aodrules.load("ages", tuple(name for name in variants if name))


def level_of(level: str) -> aodrules.Rules:
    """Return the rules of a level in which everybody plays to the end."""
    return rules_of(level or STAYS)


def play_alike(rules: aodrules.Rules, players: int, seed: int, *, eager: bool) -> int:
    """Play a game on both engines, and return how many decisions it had."""
    chance = random.Random(seed)
    engines = [
        rules.new_game(players=players, seed=seed, engine=name, undo=False) for name in ("compiled", "interpreter")
    ]
    game, reference = engines
    decisions = 0
    while not game.over:
        assert list(game.codes) == list(reference.codes)
        action = chance.choice(game.actions)
        if eager and str(action).startswith(QUITTING) and chance.random() < PATIENCE:
            action = chance.choice(game.actions)
        for each in engines:
            each.push(action)
        decisions += 1
        seats = range(players) if decisions % COMPARED == 0 else ()
        assert [game.machine.outlook(seat) for seat in seats] == [reference.machine.outlook(seat) for seat in seats]
    assert reference.over
    assert game.scores == reference.scores
    return decisions
