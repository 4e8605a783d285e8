"""Chance: a small generator of numbers whose whole state is one integer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

Item = TypeVar("Item")

_MASK = (1 << 64) - 1
_STEP = 0x9E3779B97F4A7C15
_FIRST = 0xBF58476D1CE4E5B9
_SECOND = 0x94D049BB133111EB


def generator_of(seed: int) -> int:
    """Return the generator with which a game of this seed begins."""
    return seed & _MASK


def roll(generator: int, sides: int) -> tuple[int, int]:
    """Return the next generator and an equally likely number from 0 up to but not including `sides`."""
    generator = (generator + _STEP) & _MASK
    mixed = ((generator ^ (generator >> 30)) * _FIRST) & _MASK
    mixed = ((mixed ^ (mixed >> 27)) * _SECOND) & _MASK
    mixed ^= mixed >> 31
    return generator, (mixed * sides) >> 64


def shuffled(generator: int, items: Sequence[Item]) -> tuple[int, tuple[Item, ...]]:
    """Return the next generator and the items in a random order."""
    order = list(items)
    for last in range(len(order) - 1, 0, -1):
        # This is `roll`, written out: most of the time of a shuffle would be calls.
        generator = (generator + _STEP) & _MASK
        mixed = ((generator ^ (generator >> 30)) * _FIRST) & _MASK
        mixed = ((mixed ^ (mixed >> 27)) * _SECOND) & _MASK
        other = ((mixed ^ (mixed >> 31)) * (last + 1)) >> 64
        order[last], order[other] = order[other], order[last]
    return generator, tuple(order)


def picked(generator: int, left: list[int], many: int) -> tuple[int, list[int]]:
    """Return the next generator and so many members, drawn one after the other out of a bag with these counts."""
    if len(left) == 1:
        # Which one it is, is known: the generator goes on as if it had been asked.
        return (generator + _STEP * many) & _MASK, [0] * many
    members = []
    total = sum(left)
    for size in range(total, total - many, -1):
        generator, place = roll(generator, size)
        member = 0
        while place >= left[member]:
            place -= left[member]
            member += 1
        left[member] -= 1
        members.append(member)
    return generator, members


def member_at(counts: Sequence[int], place: int) -> int:
    """Return the member that lies at a place when a bag is laid out in member order."""
    for member, count in enumerate(counts):
        if place < count:
            return member
        place -= count
    raise IndexError(place)
