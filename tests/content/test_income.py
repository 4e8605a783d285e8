"""The income of goods and ships is the best of all ways to put them into sets."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations

import pytest

from aodrules.compiler.runtime.sets_worth import SetsWorth
from tests.content.compositions import EDITIONS, rules_of

MOST_GOODS = 9
MOST_SHIPS = 3
KINDS = 11


def partitions(total: int, largest: int, parts: int) -> Iterator[tuple[int, ...]]:
    """Iterate over the bags of so many goods, up to renaming: how many of each kind, the most first."""
    if total == 0:
        yield ()
    elif parts:
        for first in range(min(total, largest), 0, -1):
            yield from ((first, *rest) for rest in partitions(total - first, first, parts - 1))


def worth(goods: tuple[int, ...], ships: int) -> int:
    """Return what a set is worth, told from the words of the rules: at most one ship, three or four pieces."""
    size = len(goods) + ships
    if ships > 1 or size not in (3, 4):
        return 0
    if len(set(goods)) == 1:
        return 3 if size == 3 else 6
    return 1 if size == 3 else 0


@cache
def best(goods: tuple[int, ...], ships: int) -> int:
    """Return the most by trying every set that holds the first good, and leaving it out."""
    if not goods:
        return 0
    first, others = goods[0], goods[1:]
    found = best(others, ships)
    for taken in (1, 2, 3):
        for chosen in combinations(range(len(others)), taken):
            rest = tuple(good for place, good in enumerate(others) if place not in chosen)
            together = (first, *(others[place] for place in chosen))
            found = max(found, worth(together, 0) + best(rest, ships))
            if ships and len(together) <= 3:
                found = max(found, worth(together, 1) + best(rest, ships - 1))
    return found


@pytest.mark.slow
def test_income_is_the_best_of_all_partitions() -> None:
    worth_of = SetsWorth(rules_of("empires").book.checked.sets["income_sets"])
    for total in range(MOST_GOODS + 1):
        for counts in partitions(total, total, KINDS):
            goods = tuple(kind for kind, number in enumerate(counts) for _ in range(number))
            for ships in range(MOST_SHIPS + 1):
                assert worth_of(counts, ships) == best(goods, ships), (counts, ships)


@pytest.mark.parametrize(
    "counts, ships, income",
    [
        ((1, 1, 1), 0, 1),
        ((2,), 1, 3),
        ((4,), 0, 6),
        ((6,), 0, 6),
        ((6,), 1, 9),
        ((6,), 2, 12),
        ((3,), 1, 6),
        ((2, 2), 2, 6),
        ((1,), 2, 0),
        ((2, 1), 2, 3),
        ((3, 1, 1, 1), 0, 4),
    ],
)
def test_the_incomes_of_the_examples(counts: tuple[int, ...], ships: int, income: int) -> None:
    for edition in EDITIONS:
        assert SetsWorth(rules_of(edition).book.checked.sets["income_sets"])(counts, ships) == income
