"""The games of the tests, loaded once, and random play with them."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path

from hypothesis import settings

import aodrules

GAMES = Path(__file__).parent / "games"
WORDS = ("nim.yaml", "harbour", "harbour+dear-timber+town-subsidy", "caravan", "isles")
ENGINES = ("compiled", "interpreter")
fewer = settings(max_examples=max(5, settings().max_examples // 4))
"""For properties whose every example plays whole games: a quarter of what the profile says."""


@cache
def rules_of(word: str) -> aodrules.Rules:
    """Return the rules of one of the games, with variants by name."""
    base, *variants = word.split("+")
    return aodrules.load(GAMES / base, variants, cache=False)


def random_game(word: str, seed: int, actions: int, engine: str = "compiled", *, undo: bool = True) -> aodrules.Game:
    """Return a game after so many random actions, or when it is over."""
    rules = rules_of(word)
    low, high = rules.players
    game = rules.new_game(players=low + seed % (high - low + 1), seed=seed, engine=engine, undo=undo)
    chance = random.Random(seed)
    for _ in range(actions):
        if game.over:
            break
        game.push(chance.choice(game.codes))
    return game


def finished_game(word: str, seed: int, engine: str = "compiled") -> aodrules.Game:
    """Return a game played to its end at random."""
    return random_game(word, seed, 10**6, engine, undo=False)


def staying(game: aodrules.Game) -> tuple[int, ...]:
    """Return the answers by which nobody leaves: where all answers are as likely, games would end in a few of them."""
    if game.decision is None:
        return ()
    leaving = game.leaving(game.decision.player)
    return tuple(code for code, action in zip(game.codes, game.actions, strict=True) if action not in leaving)
