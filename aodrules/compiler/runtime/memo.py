"""What generated code computes again and again is remembered, for each program apart and never without bound."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from aodrules.check.checked import Sets, SetShape
from aodrules.compiler.runtime.sets_worth import SetsWorth
from aodrules.compiler.runtime.values import Items, remembered

Fixed: TypeAlias = "tuple[int, int, int, tuple[tuple[int, int, bool, bool], ...]]"
"""A bag's members and width, wild pieces per set, and the shapes of scoring sets."""


class Memory:
    """Functions of generated code that remember their results."""

    NAMES = ("bag_items", "bag_members", "connected", "packed_sets_worth", "reach", "set_items")

    def __init__(self) -> None:
        self._bag_items: dict[tuple[int, int], Items] = {}
        self._bag_members: dict[tuple[int, int], Items] = {}
        self._set_items: dict[int, Items] = {}
        self._worths: dict[int, tuple[Fixed, SetsWorth, dict[tuple[int, int], int]]] = {}

    def functions(self) -> dict[str, Callable[..., Any]]:
        """Return the functions by the names that generated code has for them."""
        return {name: getattr(self, name) for name in self.NAMES}

    def bag_items(self, bag: int, width: int) -> Items:
        """Return the members of a packed bag in order, each copy."""
        key = bag, width
        found = self._bag_items.get(key)
        if found is None:
            found = remembered(self._bag_items, key, tuple(_unpacked(bag, width)))
        return found

    def bag_members(self, bag: int, width: int) -> Items:
        """Return the members of a packed bag in order, each once."""
        key = bag, width
        found = self._bag_members.get(key)
        if found is None:
            found = remembered(self._bag_members, key, tuple(_members(bag, width)))
        return found

    def set_items(self, mask: int) -> Items:
        """Return the members of a set in order."""
        found = self._set_items.get(mask)
        if found is None:
            found = remembered(self._set_items, mask, tuple(_members(mask, 1)))
        return found

    def connected(self, neighbours: Items, here: int, inside: int) -> int:
        """Return what can be reached from here inside a set; nothing if here is outside it."""
        found = new = (1 << here) & inside
        while new:
            new = self._next_to(neighbours, new) & inside & ~found
            found |= new
        return found

    def reach(self, neighbours: Items, here: int, steps: int, through: int) -> int:
        """Return what is at most so many steps away, not here itself; what is passed on the way must be in a set."""
        start = found = new = 1 << here
        for _ in range(steps):
            new = self._next_to(neighbours, new) & ~found
            found |= new
            new &= through
            if not new:
                break
        return found & ~start

    def _next_to(self, neighbours: Items, mask: int) -> int:
        near = 0
        for member in self.set_items(mask):
            near |= neighbours[member]
        return near

    def packed_sets_worth(self, bag: int, wild: int, fixed: Fixed) -> int:
        """Return the most that a packed bag and wild pieces are worth in scoring sets."""
        # What is fixed is a constant of the program, kept here so that its identity stays its own: hashing it is slow.
        kept = self._worths.get(id(fixed))
        if kept is None:
            shapes = tuple(SetShape(*shape) for shape in fixed[3])
            kept = self._worths[id(fixed)] = (fixed, SetsWorth(Sets("", shapes, fixed[2])), {})
        _, worth, known = kept
        key = bag, wild
        result = known.get(key)
        if result is None:
            result = remembered(known, key, worth(_counts(bag, fixed[1]), wild))
        return result


def _unpacked(bag: int, width: int) -> list[int]:
    """Return the members of a bag in order, each copy."""
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
    return found


def _members(bag: int, width: int) -> list[int]:
    """Return the members of a bag in order, each once."""
    found: list[int] = []
    member = -1
    while bag:
        skipped = ((bag & -bag).bit_length() - 1) // width + 1
        bag >>= skipped * width
        member += skipped
        found.append(member)
    return found


def _counts(bag: int, width: int) -> list[int]:
    """Return how many copies there are of each member that is there, in no order."""
    mask = (1 << width) - 1
    found: list[int] = []
    while bag:
        if count := bag & mask:
            found.append(count)
        bag >>= width
    return found
