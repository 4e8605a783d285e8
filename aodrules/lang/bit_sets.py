"""Sets of members or seats as numbers with a bit for each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator


def bits(mask: int) -> Iterator[int]:
    """Return the members or seats of a set, in order."""
    place = 0
    while mask:
        if mask & 1:
            yield place
        mask >>= 1
        place += 1


def mask_of(items: Iterable[int]) -> int:
    """Return the set of some members or seats."""
    mask = 0
    for item in items:
        mask |= 1 << item
    return mask
