"""Rules whose values are sent in tests, and positions of random games with them."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

import aodrules
from tests.content.compositions import rules_of as shipped_rules
from tests.games.rulesets import RULESETS
from tests.play import secret_games as small
from tests.play.worlds import TEXTS
from tests.playing import rules_of as rules_of_test

SHIPPED = ("empires", "empires+builders+national-advantages", "aoe3-pl", "aoe3-ru", "empires+secret-objectives")
SAMPLE = ("nim", "caravan", "isles", "sorts", "told", "empires")
"""What `make test` looks at; of the rest `make soak` does."""
EVERY = [pytest.param(word, marks=() if word in SAMPLE else pytest.mark.soak) for word in (*RULESETS, *TEXTS, *SHIPPED)]


def rules_of(word: str) -> aodrules.Rules:
    """Return the rules that a word stands for."""
    if word in TEXTS:
        return small.rules_of(TEXTS[word])
    base, *variants = word.split("+")
    if word in SHIPPED:
        return shipped_rules(base, tuple(variants))
    return rules_of_test("+".join(["nim.yaml" if base == "nim" else base, *_files(base, variants)]))


def _files(base: str, variants: list[str]) -> list[str]:
    return ["tests/games/nim-misere.yaml" if base == "nim" else variant for variant in variants]


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
