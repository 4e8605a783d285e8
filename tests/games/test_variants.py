"""Two variants of Harbour touch one value: the order in which they are named never shows."""

from __future__ import annotations

from itertools import permutations

import pytest

from aodrules.interpreter.evaluation import Evaluator
from aodrules.interpreter.setup import starting_state, tables_for
from tests.games.rulesets import checked

RED = 0


def value(word: str, name: str, *arguments: int) -> int:
    """Return what a value is worth at the beginning."""
    tables = tables_for(checked(word), 2)
    found: int = Evaluator(tables, starting_state(tables, seed=1)).named_value(name, arguments)
    return found


@pytest.mark.parametrize(
    "word, house, expected",
    [
        ("harbour", "nets", 3),
        ("harbour", "excise", 6),
        ("harbour+dear-timber", "nets", 3),
        ("harbour+dear-timber", "inn", 5),
        ("harbour+dear-timber", "excise", 7),
        ("harbour+town-subsidy", "excise", 5),
        ("harbour+dear-timber+town-subsidy", "inn", 5),
        ("harbour+dear-timber+town-subsidy", "excise", 5),
        ("harbour+grand", "inn", 5),
        ("harbour+grand+town-subsidy+guild-rule", "excise", 4),
        ("harbour+grand+town-subsidy+guild-rule", "lighthouse", 5),
    ],
)
def test_floors_and_ceilings_come_after_additions(word: str, house: str, expected: int) -> None:
    number = checked(word).kinds["house"].members.index(house)
    assert value(word, "price", RED, number) == expected


@pytest.mark.parametrize("variants", [("dear-timber", "town-subsidy"), ("grand", "town-subsidy", "guild-rule")])
def test_naming_order_never_shows(variants: tuple[str, ...]) -> None:
    words = ["+".join(("harbour", *order)) for order in permutations(variants)]
    assert len({checked(word).fingerprint for word in words}) == 1


def test_what_comes_after_settles_a_conflict() -> None:
    assert value("harbour+grand+town-subsidy+guild-rule", "silver_per_point") == 6


@pytest.mark.parametrize(
    "word, expected",
    [
        ("harbour", 4),
        ("harbour+dear-timber", 4),
        ("harbour+town-subsidy", 5),
        ("harbour+dear-timber+town-subsidy", 6),
    ],
)
def test_edits_for_two_variants_count_only_together(word: str, expected: int) -> None:
    assert value(word, "silver_per_point") == expected
