"""What a bag is worth in scoring sets: the best way to part it into disjoint sets, found exactly.

A set need not be made and a piece need not be used. At most `wild_per_set` pieces of a set are wild; a wild piece is
like the others of an alike set and unlike those of a different one.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import TypeAlias

from aodrules.check.checked import Sets

MOST_KNOWN = 5_000
"""So many results are remembered; then all are forgotten."""

Filling: TypeAlias = tuple[int, int, int]
"""One way to fill a set: how many pieces, how many wild ones, and its worth."""


class BestSets:
    """Finds the most that bags are worth in one declaration of scoring sets."""

    def __init__(self, sets: Sets) -> None:
        self._alike: list[Filling] = []
        self._different: list[Filling] = []
        self._any: list[Filling] = []
        for shape in sets.shapes:
            for wild in range(min(sets.wild_per_set, shape.size) + 1 if shape.worth > 0 else 0):
                filling = (shape.size - wild, wild, shape.worth)
                if shape.alike and wild < shape.size:
                    self._alike.append(filling)
                elif shape.different and not shape.alike:
                    self._different.append(filling)
                else:  # Also a set of wild pieces alone, which are alike.
                    self._any.append(filling)
        self._known: dict[tuple[tuple[int, ...], int], int] = {}
        self._known_mixed: dict[tuple[tuple[int, ...], int], int] = {}
        self._known_any: dict[tuple[int, int], int] = {}

    def __call__(self, counts: Sequence[int], wild: int = 0) -> int:
        """Return the most that pieces (so many of each member) and wild ones are worth."""
        kinds, wild = _falling(counts), max(wild, 0)
        if (kinds, wild) not in self._known:
            if len(self._known) >= MOST_KNOWN:
                self._known.clear()
                self._known_mixed.clear()
            self._known[kinds, wild] = self._best(kinds, wild)
        return self._known[kinds, wild]

    def _best(self, kinds: tuple[int, ...], wild: int) -> int:
        """Make alike sets of one kind after the other; of what they leave the other sets are made."""
        worths: dict[tuple[tuple[int, ...], int], int] = {((), wild): 0}
        for count in kinds:
            after: dict[tuple[tuple[int, ...], int], int] = {}
            for ((rest, left), worth), (pieces, wilds, more) in product(worths.items(), self._all_alike(count, wild)):
                if wilds <= left:
                    key = self._add_rest(rest, count - pieces), left - wilds
                    after[key] = max(after.get(key, 0), worth + more)
            worths = after
        return max(worth + self._best_mixed(rest, left) for (rest, left), worth in worths.items())

    def _add_rest(self, rest: tuple[int, ...], pieces: int) -> tuple[int, ...]:
        """Return what is left for other sets; where none of them is of different kinds their number is enough."""
        return _falling((*rest, pieces)) if self._different else (sum(rest) + pieces,)

    def _all_alike(self, count: int, wild: int) -> list[Filling]:
        """Return all ways to make alike sets of one kind: pieces and wild ones used, and the most these are worth."""
        best = {(0, 0): 0}
        for used in product(range(count + 1), range(wild + 1)):
            for pieces, wilds, worth in self._alike:
                before = best.get((used[0] - pieces, used[1] - wilds))
                if before is not None:
                    best[used] = max(best.get(used, 0), before + worth)
        return [(*used, worth) for used, worth in best.items()]

    def _best_mixed(self, kinds: tuple[int, ...], wild: int) -> int:
        """Return the most without alike sets.

        A set of different kinds takes those of which most are left: with any other choice one could swap.
        """
        if (kinds, wild) not in self._known_mixed:
            best = self._best_any(sum(kinds), wild)
            for pieces, wilds, worth in self._different:
                if pieces <= len(kinds) and wilds <= wild:
                    rest = _falling([count - 1 for count in kinds[:pieces]] + [*kinds[pieces:]])
                    best = max(best, worth + self._best_mixed(rest, wild - wilds))
            self._known_mixed[kinds, wild] = best
        return self._known_mixed[kinds, wild]

    def _best_any(self, pieces: int, wild: int) -> int:
        """Return the most of sets for which only their size counts."""
        known = self._known_any
        if (pieces, wild) not in known:
            for many, left in product(range(pieces + 1), range(wild + 1)):
                fits = [one for one in self._any if one[0] <= many and one[1] <= left]
                worths = [worth + known[many - used, left - spent] for used, spent, worth in fits]
                known[many, left] = max(known[many - 1, left] if many else 0, *worths, 0)
        return known[pieces, wild]


def _falling(counts: Sequence[int]) -> tuple[int, ...]:
    return tuple(sorted((count for count in counts if count > 0), reverse=True))
