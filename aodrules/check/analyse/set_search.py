"""How many steps the search for the best sets takes at most (`aodrules/compiler/runtime/sets_worth.py`).

All bounds grow with the pieces of each kind, so what holds for all pieces that there are holds for any bag of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate

from attrs import frozen

from aodrules.check.analyse.bounds import MOST_COUNTED, MOST_DIFFERENT
from aodrules.check.checked import Sets, SetShape


@frozen
class SearchSteps:
    """The steps of searches for the best sets among some pieces."""

    each: int
    """Of each search, beside what earlier ones found."""
    once: int
    """Of all searches together: what sets of different pieces are worth is remembered from search to search."""


ENDLESS = SearchSteps(10**12, 10**12)
"""As good as without end."""


def steps_of_search(sets: Sets, copies: Iterable[int], wild: int) -> SearchSteps:
    """Return the most steps to search for sets among so many of each kind, with at most so many wild pieces."""
    copies = sorted((each for each in copies if each > 0), reverse=True)
    different = [each for each in sets.shapes if each.different and not each.alike]
    if different and sum(copies) + wild > MOST_DIFFERENT:
        return ENDLESS
    plain = (sum(copies) + 1) * (wild + 1) * _ways_to_fill(sets, sets.shapes)
    once = _fitting(copies) * (wild + 1) * _ways_to_fill(sets, different)
    alike = _at_most(sets, copies, wild, is_different=bool(different))
    if alike <= MOST_COUNTED:
        alike = min(alike, _by_rows(sets, copies, wild) if different else _by_sums(sets, copies, wild))
    return SearchSteps(alike + plain, once)


def _ways_to_fill(sets: Sets, shapes: Iterable[SetShape]) -> int:
    return sum(min(sets.wild_per_set, each.size) + 1 for each in shapes)


def _at_most(sets: Sets, copies: Sequence[int], wild: int, *, is_different: bool) -> int:
    """Return roughly how many ways to make alike sets are tried and left: all rests of the kinds before, for each."""
    sizes = [each.size for each in sets.shapes if each.alike]
    fewest = min((max(1, size - sets.wild_per_set) for size in sizes), default=0)
    total = 0
    for number, many in enumerate(copies):
        used = range(fewest, many + 1) if fewest else ()
        ways = 1 + sum(1 + min(wild, sets.wild_per_set * (each // fewest)) for each in used)
        total += _rests(copies[:number], is_different=is_different) * ways
    return (wild + 1) * (total + _rests(copies, is_different=is_different))


def _rests(copies: Sequence[int], *, is_different: bool) -> int:
    """Return how many different rests there are: told by their number, unless some sets are of different pieces."""
    return _fitting(copies) if is_different else sum(copies) + 1


def _fitting(copies: Sequence[int]) -> int:
    """Return how many rows of numbers that do not grow fit under such a row."""
    rows = [1]
    for many in reversed(copies):
        smaller = list(accumulate(rows))  # by the largest number of the rest
        rows = [smaller[min(each, len(smaller) - 1)] for each in range(many + 1)]
    return sum(rows)


def _by_sums(sets: Sets, copies: Sequence[int], wild: int) -> int:
    """Return how many ways are tried and left where only the number of pieces that are left counts."""
    total, reached = 0, {(0, 0)}
    for many in copies:
        alike = _alike_ways(sets, many, wild)
        total += sum(spent + more <= wild for _, spent in reached for _, more in alike)
        reached = {
            (used + pieces, spent + more) for used, spent in reached for pieces, more in alike if spent + more <= wild
        }
    return total + len(reached)


def _by_rows(sets: Sets, copies: Sequence[int], wild: int) -> int:
    """Return how many ways are tried and left where it counts how many of each kind are left."""
    total, ways_by_spent = 0, Counter({0: 1})  # by the fewest wild pieces that they take
    for number, many in enumerate(copies):
        alike = _alike_ways(sets, many, wild)
        left = list(_left_by_spent(ways_by_spent, _fitting(copies[:number]), wild))
        tried = list(accumulate(Counter(spent for _, spent in alike)[each] for each in range(wild + 1)))
        total += sum(each * tried[wild - spent] for spent, each in enumerate(left))
        fewest = dict(sorted(alike, reverse=True))  # The last one of each number of pieces stays.
        after: Counter[int] = Counter()
        for spent, ways in ways_by_spent.items():
            for more in fewest.values():
                if spent + more <= wild:
                    after[spent + more] += ways
        ways_by_spent = after
    return total + sum(_left_by_spent(ways_by_spent, _fitting(copies), wild))


def _left_by_spent(ways_by_spent: Counter[int], most: int, wild: int) -> Iterator[int]:
    """Iterate over how many different rests there can be, by the wild pieces that were spent."""
    for ways in accumulate(ways_by_spent[spent] for spent in range(wild + 1)):
        yield min(ways, most)


def _alike_ways(sets: Sets, many: int, wild: int) -> set[tuple[int, int]]:
    """Return how many pieces of one kind and how many wild ones alike sets can use."""
    shapes = {
        (each.size - spent, spent)
        for each in sets.shapes
        if each.alike
        for spent in range(min(sets.wild_per_set, each.size - 1, wild) + 1)
    }
    found, new = {(0, 0)}, {(0, 0)}
    while new:
        reached = {(used + pieces, spent + more) for used, spent in new for pieces, more in shapes}
        new = {each for each in reached if each[0] <= many and each[1] <= wild} - found
        found |= new
    return found
