"""All rules that ship, each variant in a game that it fits, and small games with every sort of secret."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import cache
from typing import Any

import pytest

import aodrules
from aodrules.games import CatalogueEntry, CatalogueGame
from tests.content.compositions import rules_of as shipped_rules
from tests.games.rulesets import RULESETS, name_of_game
from tests.play import secret_games as small
from tests.play.worlds import TEXTS
from tests.playing import rules_of as rules_of_test


def _with_needs(entry: CatalogueEntry, entries: Sequence[CatalogueEntry], edition: str) -> list[str]:
    """Return a variant after all that it needs."""
    needed = [one for one in entries if one.id in entry.needs and edition in (one.editions or (edition,))]
    return [*dict.fromkeys(name for one in needed for name in _with_needs(one, entries, edition)), entry.id]


def _of_the_large_game() -> tuple[str, ...]:
    found = aodrules.catalogue()["aod"]
    editions = [one.id for one in found.editions]
    entries = (*found.variants, *found.other_readings, *found.house_rules)
    words = [
        "+".join((edition, *_with_needs(entry, entries, edition)))
        for entry in entries
        for edition in [(entry.editions or ("empires",))[-1]]
    ]
    return tuple(dict.fromkeys((*editions, "empires+builders+national-advantages", *words)))


def _of_other_games() -> tuple[str, ...]:
    """Return what else ships, each edition alone and with each variant."""
    others = [game for game in aodrules.catalogue().values() if game.id not in {"aod", *map(name_of_game, RULESETS)}]
    return tuple(
        "+".join((edition, *names))
        for game in others
        for edition in ([one.id for one in game.editions] or [game.id])
        for names in ((), *_variants_of(game, edition))
    )


def _variants_of(game: CatalogueGame, edition: str) -> Iterator[list[str]]:
    entries = (*game.variants, *game.other_readings, *game.house_rules)
    for entry in entries:
        if not entry.editions or edition in entry.editions:
            yield _with_needs(entry, entries, edition)


EVERY = (*RULESETS, *TEXTS, *_of_the_large_game(), *_of_other_games())
"""Words for all of them."""


@cache
def rules_of(word: str) -> aodrules.Rules:
    """Return the rules that a word stands for."""
    base, *variants = word.split("+")
    if word in TEXTS:
        return small.rules_of(TEXTS[word])
    if word not in RULESETS:
        return shipped_rules(base, tuple(variants))
    if base == "nim":
        return rules_of_test("+".join(["nim.yaml", *(f"tests/games/nim-{variant}.yaml" for variant in variants)]))
    return rules_of_test(word)


@cache
def has_secrets(word: str) -> bool:
    """Whether anything in a game by these rules can be hidden from somebody."""
    return any(field.secret is not None for field in rules_of(word).book.checked.fields.values())


def marked(sample: Collection[str], words: Sequence[str] = EVERY) -> list[Any]:
    """Return the words as parameters of a test; those outside the sample are left to `make soak`."""
    assert set(sample) <= set(words)
    return [pytest.param(word, marks=() if word in sample else pytest.mark.soak) for word in words]
