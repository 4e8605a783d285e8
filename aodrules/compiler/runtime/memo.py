"""What generated code computes again and again is remembered, for each program apart and never without bound."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, reduce
from itertools import compress
from operator import or_
from typing import Any, TypeAlias

from aodrules.check.checked import Sets, SetShape
from aodrules.compiler.runtime.sets_worth import SetsWorth
from aodrules.compiler.runtime.values import MOST_KEPT, Items

Fixed: TypeAlias = "tuple[int, int, int, tuple[tuple[int, int, bool, bool], ...]]"
"""A bag's members and width, wild pieces per set, and the shapes of scoring sets."""

FEW = 12
"""Of a set with fewer than one member in so many places the members are looked for one by one."""
_DIGITS = bytes.maketrans(b"01", b"\0\1")


class Memory:
    """Functions of generated code that remember their results."""

    NAMES = ("bag_items", "bag_members", "connected", "packed_sets_worth", "reach", "regions", "set_items", "united")

    def __init__(self) -> None:
        self.bag_items = lru_cache(MOST_KEPT)(unpack_bag)
        self.bag_members = lru_cache(MOST_KEPT)(list_members)
        self.set_items = lru_cache(MOST_KEPT)(list_set)
        self._rows: dict[int, tuple[Callable[[int, int, int], int], Callable[[int], int], Items]] = {}
        self._worths: dict[int, tuple[Fixed, Callable[[int, int], int]]] = {}

    def functions(self) -> dict[str, Callable[..., Any]]:
        """Return the functions by the names that generated code has for them."""
        return {name: getattr(self, name) for name in self.NAMES}

    def connected(self, neighbours: Items, here: int, inside: int) -> int:
        """Return what can be reached from here inside a set; nothing if here is outside it."""
        found = new = (1 << here) & inside
        while new:
            new = self._unite(neighbours, new) & inside & ~found
            found |= new
        return found

    def regions(self, neighbours: Items, inside: int) -> Items:
        """Return the parts of a set that hang together."""
        found, left = [], inside
        for member in self.set_items(inside):
            if left >> member & 1:
                found.append(self.connected(neighbours, member, inside))
                left &= ~found[-1]
        return tuple(found)

    def reach(self, neighbours: Items, here: int, steps: int, through: int) -> int:
        """Return what is at most so many steps away, not here itself; what is passed on the way must be in a set."""
        return self._of_rows(neighbours)[0](here, steps, through)

    def united(self, rows: Items, members: int) -> int:
        """Return all that is in the rows of some members."""
        return self._of_rows(rows)[1](members)

    def _of_rows(self, rows: Items) -> tuple[Callable[[int, int, int], int], Callable[[int], int], Items]:
        """Return `reach` and `united` of one table, and the table itself: it is a constant, and hashing it is slow."""
        kept = self._rows.get(id(rows))
        if kept is None:
            united = lru_cache(MOST_KEPT)(lambda members: self._unite(rows, members))
            reach = lru_cache(MOST_KEPT)(lambda here, steps, through: self._reach(rows, here, steps, through))
            kept = self._rows[id(rows)] = reach, united, rows
        return kept

    def _reach(self, neighbours: Items, here: int, steps: int, through: int) -> int:
        if steps <= 0:
            return 0
        start = 1 << here
        near = neighbours[here] & ~start
        found, new = near | start, near & through
        for _ in range(steps - 1):
            if not new:
                break
            new = self._unite(neighbours, new) & ~found
            found |= new
            new &= through
        return found & ~start

    def _unite(self, rows: Items, members: int) -> int:
        return reduce(or_, map(rows.__getitem__, self.set_items(members)), 0)

    def packed_sets_worth(self, bag: int, wild: int, fixed: Fixed) -> int:
        """Return the most that a packed bag and wild pieces are worth in scoring sets."""
        # What is fixed is a constant of the program, kept here so that its identity stays its own: hashing it is slow.
        kept = self._worths.get(id(fixed))
        if kept is None:
            kept = self._worths[id(fixed)] = (fixed, lru_cache(MOST_KEPT)(_worth_by_counts(fixed)))
        return kept[1](bag, wild)


def _worth_by_counts(fixed: Fixed) -> Callable[[int, int], int]:
    worth = SetsWorth(Sets("", tuple(SetShape(*shape) for shape in fixed[3]), fixed[2]))
    return lambda bag, wild: worth(_counts(bag, fixed[1]), wild)


def unpack_bag(bag: int, width: int) -> Items:
    """Return the members of a packed bag in order, each copy."""
    mask = (1 << width) - 1
    found: list[int] = []
    member = 0
    while bag:
        skipped = ((bag & -bag).bit_length() - 1) // width  # Most members of a large kind are not there.
        bag >>= skipped * width
        member += skipped
        found += [member] * (bag & mask)
        bag >>= width
        member += 1
    return tuple(found)


def list_set(members: int) -> Items:
    """Return the members of a set in order."""
    if members.bit_count() * FEW < members.bit_length():
        return list_members(members)
    bits = bin(members)[:1:-1].encode()
    return tuple(compress(range(len(bits)), bits.translate(_DIGITS)))


def list_members(bag: int, width: int = 1) -> Items:
    """Return the members of a packed bag, or of a set, in order, each once."""
    found: list[int] = []
    member = -1
    while bag:
        skipped = ((bag & -bag).bit_length() - 1) // width + 1
        bag >>= skipped * width
        member += skipped
        found.append(member)
    return tuple(found)


def _counts(bag: int, width: int) -> list[int]:
    """Return how many copies there are of each member that is there, in no order."""
    mask = (1 << width) - 1
    found: list[int] = []
    while bag:
        if count := bag & mask:
            found.append(count)
        bag >>= width
    return found
