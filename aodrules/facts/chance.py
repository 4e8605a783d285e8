"""Chance: a small generator of numbers whose whole state is one integer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from struct import Struct
from typing import TypeVar

Item = TypeVar("Item")

_MASK = (1 << 64) - 1
_STEP = 0x9E3779B97F4A7C15
_FIRST = 0xBF58476D1CE4E5B9
_SECOND = 0x94D049BB133111EB
_LANES = 64
"""How many rolls are mixed at once, at most."""


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
    last = len(order) - 1
    generator, numbers = _mixed(generator, last)
    for number in numbers:
        other = number * (last + 1) >> 64
        order[last], order[other] = order[other], order[last]
        last -= 1
    return generator, tuple(order)


def picked(generator: int, items: list[int], many: int) -> tuple[int, list[int]]:
    """Return the next generator and so many of some items in ascending order, taken out one after the other."""
    if not items or items[0] == items[-1]:
        # Which ones it will be is known: the generator goes on as if it had been asked.
        return (generator + _STEP * many) & _MASK, items[:many]
    generator, numbers = _mixed(generator, many)
    return generator, [items.pop(number * len(items) >> 64) for number in numbers]


def _mixed(generator: int, many: int) -> tuple[int, list[int]]:
    """Return the generator after so many rolls, and of each the number below 2^64 that is scaled to its sides."""
    numbers: list[int] = []
    for done in range(0, many, _LANES):
        numbers += _mixed_at_once(generator, min(_LANES, many - done))
        generator = (generator + _STEP * min(_LANES, many - done)) & _MASK
    return generator, numbers


def _mixed_at_once(generator: int, many: int) -> tuple[int, ...]:
    """Do what `roll` does for many rolls at a time, in one long number with a lane of 128 bits for each of them."""
    ones, steps, masks, unpack = _lanes(many)
    mixed = (generator * ones + steps) & masks
    mixed = ((mixed ^ (mixed >> 30 & masks)) * _FIRST) & masks
    mixed = ((mixed ^ (mixed >> 27 & masks)) * _SECOND) & masks
    mixed ^= mixed >> 31 & masks
    return unpack(mixed.to_bytes(16 * many, "little"))


@cache
def _lanes(many: int) -> tuple[int, int, int, Callable[[bytes], tuple[int, ...]]]:
    """Return for so many lanes: a 1 in each, how far the generator has gone in each, all low halves, and a reader."""
    ones = sum(1 << 128 * lane for lane in range(many))
    steps = sum((_STEP * (lane + 1) & _MASK) << 128 * lane for lane in range(many))
    return ones, steps, ones * _MASK, Struct("<" + "Q8x" * many).unpack


def member_at(counts: Sequence[int], place: int) -> int:
    """Return the member that lies at a place when a bag is laid out in member order."""
    for member, count in enumerate(counts):
        if place < count:
            return member
        place -= count
    raise IndexError(place)
