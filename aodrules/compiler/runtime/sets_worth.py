"""What a bag is worth in scoring sets: the best way to part it into disjoint sets, found exactly.

A set need not be made and a piece need not be used. At most `wild_per_set` pieces of a set are wild; a wild piece is
like the others of an alike set and unlike those of a different one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from aodrules.check.checked import Sets, SetShape
from aodrules.compiler.runtime.values import MOST_KEPT

Loose: TypeAlias = tuple[int, ...]
"""How many of each kind are left for sets that are not alike, most first."""


class SetsWorth:
    """The worth of bags in one declaration of scoring sets. Remembers results by sorted counts."""

    def __init__(self, sets: Sets) -> None:
        self._alike = _made_of_pieces(sets, [shape for shape in sets.shapes if shape.alike])
        self._different = _with_wild(sets, [shape for shape in sets.shapes if shape.different and not shape.alike])
        plain = [shape for shape in sets.shapes if not shape.different and not shape.alike]
        wild_only = [shape for shape in sets.shapes if shape.alike and 0 < shape.size <= sets.wild_per_set]
        self._plain = _with_wild(sets, plain) + [(0, shape.size, shape.worth) for shape in wild_only]
        # Which pieces are left matters only to sets of different ones; else their number is enough.
        self._kept = _sorted if self._different else _counted
        self._known: dict[tuple[Loose, int], int] = {}
        self._known_loose: dict[tuple[Loose, int], int] = {}
        self._plainly: list[list[int]] = [[]]

    def __call__(self, counts: Sequence[int], wild: int = 0) -> int:
        """Return the most that pieces (so many of each member) and wild ones are worth."""
        key = (_sorted(counts), max(wild, 0))
        found = self._known.get(key)
        if found is None:
            if len(self._known) >= MOST_KEPT:
                self._known.clear()
                self._known_loose.clear()
            found = self._known[key] = self._best(*key)
        return found

    def _best(self, counts: Loose, wild: int) -> int:
        """Try every way to make alike sets, kind by kind; the pieces that are left are loose."""
        self._best_plain(sum(counts), wild)  # The largest first: the smaller ones are found on the way.
        ways: dict[tuple[Loose, int], int] = {((), wild): 0}
        for count in counts:
            alike = self._alike_ways(count, wild)
            ways = _most(
                (self._kept((*loose, count - used)), left - spent, worth + more)
                for (loose, left), worth in ways.items()
                for (used, spent), more in alike.items()
                if spent <= left
            )
        return max(worth + self._best_loose(loose, left) for (loose, left), worth in ways.items())

    def _alike_ways(self, count: int, wild: int) -> dict[tuple[int, int], int]:
        """Return the most that alike sets of one kind are worth, by how many pieces and wild ones they use."""
        ways = {(0, 0): 0}
        for used in range(count + 1):
            for spent in range(wild + 1):
                worth = ways.get((used, spent))
                if worth is None:
                    continue
                for pieces, wilds, more in self._alike:
                    after = (used + pieces, spent + wilds)
                    if after[0] <= count and after[1] <= wild:
                        ways[after] = max(ways.get(after, 0), worth + more)
        return ways

    def _best_loose(self, loose: Loose, wild: int) -> int:
        """Return the most without alike sets.

        A set of different kinds takes those of which most are left: with any other choice one could swap.
        """
        key = (loose, wild)
        if key not in self._known_loose:
            best = self._best_plain(sum(loose), wild)
            for pieces, wilds, worth in self._different:
                if pieces <= len(loose) and wilds <= wild and (pieces or wilds):
                    rest = _sorted((*(count - 1 for count in loose[:pieces]), *loose[pieces:]))
                    best = max(best, worth + self._best_loose(rest, wild - wilds))
            self._known_loose[key] = best
        return self._known_loose[key]

    def _best_plain(self, pieces: int, wild: int) -> int:
        """Return the most of sets for which only their size counts."""
        if pieces >= len(self._plainly) or wild >= len(self._plainly[0]):
            self._plainly = self._all_plain(pieces, wild)
        return self._plainly[pieces][wild]

    def _all_plain(self, pieces: int, wild: int) -> list[list[int]]:
        """Return the most for each number of pieces and of wild ones up to these."""
        best = [[0] * (wild + 1) for _ in range(pieces + 1)]
        for many in range(pieces + 1):
            for left in range(wild + 1):
                best[many][left] = max(
                    [best[many - 1][left] if many else 0]
                    + [
                        worth + best[many - used][left - spent]
                        for used, spent, worth in self._plain
                        if used <= many and spent <= left and (used or spent)
                    ]
                )
        return best


def _sorted(counts: Iterable[int]) -> Loose:
    return tuple(sorted([count for count in counts if count > 0], reverse=True))


def _counted(counts: Iterable[int]) -> Loose:
    return (sum(counts),)


def _with_wild(sets: Sets, shapes: Iterable[SetShape]) -> list[tuple[int, int, int]]:
    """Return (pieces, wild ones, worth) for each way to fill each shape that is worth something."""
    return [
        (shape.size - wild, wild, shape.worth)
        for shape in shapes
        if shape.worth > 0
        for wild in range(min(sets.wild_per_set, shape.size) + 1)
    ]


def _made_of_pieces(sets: Sets, shapes: Iterable[SetShape]) -> list[tuple[int, int, int]]:
    return [way for way in _with_wild(sets, shapes) if way[0] > 0]


def _most(ways: Iterable[tuple[Loose, int, int]]) -> dict[tuple[Loose, int], int]:
    best: dict[tuple[Loose, int], int] = {}
    for loose, left, worth in ways:
        best[loose, left] = max(worth, best.get((loose, left), 0))
    return best
