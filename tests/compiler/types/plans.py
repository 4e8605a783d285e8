"""The plans whose types are tested: of the small games, of every edition, and of all that ships beside them."""

from __future__ import annotations

from functools import cache

import aodrules
from aodrules.authoring.check_files import Checked, bases_of, check_game
from aodrules.check.checked import CheckedRules
from aodrules.compiler.lower.from_checked import plan
from aodrules.compiler.plan import Plan
from aodrules.compiler.types.infer_types import PlanTypes, infer_types
from tests.engines.handmade import bazaar
from tests.games.rulesets import RULESETS, checked, player_counts

GAME = "aod"
BAZAAR = "bazaar"
BENCHMARK = "empires+builders+national-advantages"
SMALL = (BAZAAR, *RULESETS)
EDITIONS = tuple(bases_of(GAME))


@cache
def rules_of(word: str) -> CheckedRules:
    """Return the checked rules of a small game, or of an edition with variants."""
    if word == BAZAAR:
        return bazaar()
    if word in RULESETS:
        return checked(word)
    base, *variants = word.split("+")
    return aodrules.load(base, variants).book.checked


def players_of(word: str) -> range:
    """Return how many can play."""
    return player_counts(rules_of(word))


def shipped_words() -> list[str]:
    """Return compositions in which everything that ships takes part."""
    parts = check_game(GAME, lambda word: Checked(word, None, ()))
    return ["+".join((part.base, *part.variants)) for part in parts]


@cache
def planned(word: str, players: int) -> tuple[Plan, PlanTypes]:
    """Return the plan of rules, and its types."""
    made = plan(rules_of(word), players)
    return made, infer_types(made, rules_of(word))
