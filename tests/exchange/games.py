"""Positions of random games whose values are sent in tests."""

from __future__ import annotations

import random
from collections.abc import Iterator

import aodrules
from tests.every_ruleset import marked, rules_of

SAMPLE = ("nim", "caravan", "isles", "isles+first-peoples", "sorts", "told", "empires")
"""What `make test` looks at; of the rest `make soak` does."""
EVERY = marked(SAMPLE)


def positions(word: str, every: int = 9, most: int = 60) -> Iterator[aodrules.Game]:
    """Iterate over positions of a random game for as few as can play, and of one for as many."""
    rules = rules_of(word)
    for players in dict.fromkeys(rules.players):
        game, chance = rules.new_game(players=players, seed=players), random.Random(players)
        for number in range(most):
            if number % every == 0 or game.over:
                yield game
            if game.over:
                break
            game.push(chance.choice(game.codes))
