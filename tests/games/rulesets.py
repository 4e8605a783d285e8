"""The small games as checked rules: `harbour+grand+dear-timber` is a game, an edition and a variant."""

from __future__ import annotations

from functools import cache

from aodrules.check.checked import CheckedRules
from aodrules.check.from_ruleset import check
from aodrules.compose.from_documents import compose
from aodrules.source.diagnostics import Report
from aodrules.source.rendering import format_report
from aodrules.source.spans import Source
from aodrules.syntax.from_source import read
from tests.games.constructs import GAMES, games

RULESETS = (
    "nim",
    "nim+misere",
    "harbour",
    "harbour+busy-season",
    "harbour+common-purse",
    "harbour+day-labourers",
    "harbour+foreign-crew",
    "harbour+full-stores",
    "harbour+guild-chests",
    "harbour+harbour-dues",
    "harbour+old-plans",
    "harbour+quiet-wagers",
    "harbour+scaffolds",
    "harbour+late-wages",
    "harbour+thrifty-builders",
    "harbour+spring-tide",
    "harbour+dear-timber",
    "harbour+dear-timber+town-subsidy",
    "harbour+grand",
    "harbour+grand+town-subsidy+guild-rule",
    "harbour+pocket",
    "caravan",
    "caravan+cards-put-back",
    "caravan+levellers",
    "caravan+light-fingers",
    "caravan+old-customs",
    "caravan+secret-ledgers",
    "caravan+tolls-at-the-gate",
    "caravan+round-trip",
    "caravan+street-stalls",
    "caravan+town-crier",
    "isles",
    "isles+far-villages",
    "isles+first-peoples",
    "isles+great-houses",
    "isles+one-crown",
    "isles+scattered-realms",
    "isles+tithed-villages",
)
"""What is played in the tests: every game, edition and variant at least once."""


@cache
def checked(word: str) -> CheckedRules:
    """Return the checked rules a word names; they must be without any problem."""
    game, *parts = word.split("+")
    report = Report()
    sources = [Source(path.name, path.read_text(encoding="utf-8")) for path in games()[game]]
    documents = [document for source in sources if (document := read(source, report)) is not None]
    editions = [part for part in parts if (GAMES / game / "editions" / f"{part}.yaml").exists()]
    variants = [part for part in parts if part not in editions]
    rules = check(compose(documents, editions[0] if editions else None, variants, report), report)
    assert not list(report), format_report(report)
    return rules


def name_of_game(word: str) -> str:
    """Return the game a word begins with."""
    return word.split("+", maxsplit=1)[0]


def player_counts(rules: CheckedRules) -> range:
    """Return how many can play."""
    low, high = rules.game.players
    return range(low, high + 1)
