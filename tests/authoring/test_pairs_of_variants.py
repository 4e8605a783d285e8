"""Every pair of shipped variants composes order-free, or is refused with both places and a reason players understand.

A sample runs with every change; all pairs, and random sets of up to six, run in `make soak`.
"""

from __future__ import annotations

import random
from itertools import combinations

import pytest

from tests.authoring.shipped_rules import Composed, check_problems, closed, composed, editions, heads, places
from tests.sampling import sampled

SAMPLE = 4
"""How many pairs of each edition are tried with every change."""
SETS = 300
# What may be said about variants that do not go together: each says which two, and why.
REASONS = {"conflicting-changes", "conflicting-variants", "conflicting-sets"}

Pair = tuple[str, frozenset[str]]


def pairs() -> list[Pair]:
    found = {
        (edition, closed(edition, frozenset(names)))
        for edition in editions()
        for names in combinations(heads(edition), 2)
    }
    return sorted(found, key=lambda pair: (pair[0], sorted(pair[1])))


def sample() -> list[Pair]:
    chance = random.Random(1)
    return [pair for edition in editions() for pair in _some([each for each in pairs() if each[0] == edition], chance)]


def _some(found: list[Pair], chance: random.Random) -> list[Pair]:
    return chance.sample(found, min(SAMPLE, len(found)))


def sets() -> list[Pair]:
    chance = random.Random(2)
    found = []
    for _ in range(SETS):
        edition = chance.choice(editions())
        known = list(heads(edition))
        names = frozenset(chance.sample(known, min(chance.randint(3, 6), len(known))))
        found.append((edition, closed(edition, names)))
    return found


def shown(pair: Pair) -> str:
    return "+".join((pair[0], *sorted(pair[1])))


def assert_sound(pair: Pair) -> None:
    """Compose in both orders and look at what came of it."""
    edition, names = pair
    one, other = composed(edition, names), composed(edition, names, backwards=True)
    assert one.outcome == other.outcome
    if one.problems:
        assert_refused(edition, names, one)
        return
    wrong = check_problems(one)
    told = [f"{each.primary.span}: {each.code}: {each.message}" for each in wrong]
    assert {each.code for each in wrong} <= REASONS, told
    for problem in wrong:
        assert len(places(problem)) > 1, told


def assert_refused(edition: str, names: frozenset[str], found: Composed) -> None:
    files = {name: heads(edition)[name].name.span.path for name in names}
    for problem in found.problems:
        told = f"{problem.primary.span}: {problem.code}: {problem.message}"
        assert problem.code in REASONS, told
        named = {name for name, path in files.items() if path in places(problem)}
        assert len(named) == 2, told
        assert all(f"`{name}`" in problem.message + str(problem.secondary) + problem.primary.text for name in named), (
            told
        )
        assert problem.help, told


def failures(found: list[Pair]) -> list[str]:
    """Return what is wrong with each composition that is not sound; the documents are parsed when first needed."""
    wrong = []
    for pair in found:
        try:
            assert_sound(pair)
        except AssertionError as cause:
            wrong.append(f"{shown(pair)}: {cause}")
    return wrong


@pytest.mark.slow
def test_two_variants_compose_in_any_order_or_are_refused_with_a_reason() -> None:
    assert failures(sample()) == []


@pytest.mark.soak
def test_all_pairs_compose_in_any_order_or_are_refused_with_a_reason() -> None:
    assert failures(pairs()) == []


@pytest.mark.soak
def test_random_sets_compose_in_any_order_or_are_refused_with_a_reason() -> None:
    assert failures(sets()) == []


@pytest.mark.slow
@pytest.mark.parametrize("edition", sampled(editions(), 3))
def test_every_variant_composes_with_every_edition_it_claims(edition: str) -> None:
    wrong = {
        (edition, name): found.outcome
        for name in heads(edition)
        if (found := composed(edition, closed(edition, frozenset({name})))).problems
    }
    assert wrong == {}


def test_there_are_pairs_to_try() -> None:
    assert len(pairs()) > 300
    assert len(sample()) <= 3 * SAMPLE
