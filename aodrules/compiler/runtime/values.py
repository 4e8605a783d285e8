"""Small pure functions of generated code: packed bags, sets of bits, tuples."""

from __future__ import annotations

import sys
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from functools import lru_cache
from operator import itemgetter
from typing import Any, TypeVar

Items = tuple[int, ...]
Value = TypeVar("Value")
MOST_KEPT = 5_000
"""Entries of a table of results; when it is full it is emptied, so that memory stays flat."""
_WORTH = itemgetter(0)


def item_at(items: Items, index: int) -> int | None:
    """Return the item at an index, none where there is none."""
    return items[index] if 0 <= index < len(items) else None


def as_tuple(item: int | None) -> Items:
    """Return an item as a tuple, empty for none."""
    return () if item is None else (item,)


def bag_of(items: Items, width: int, family: int) -> int:
    """Return items as a packed bag; of pieces (where `family` is not 0) the members count."""
    return packed([item % family for item in items] if family else items, width)


def packed(items: Sequence[int], width: int) -> int:
    """Return items as a packed bag."""
    bag = 0
    for item in items:
        bag += 1 << width * item
    return bag


def bag_size(bag: int, planes: tuple[int, ...]) -> int:
    """Return how many pieces a bag holds, added up bit by bit of the counts."""
    total = 0
    for place, plane in enumerate(planes):
        total += (bag & plane).bit_count() << place
    return total


def bag_counts(bag: int, width: int, members: int) -> Items:
    """Return the counts by member."""
    mask = (1 << width) - 1
    return tuple([bag >> shift & mask for shift in range(0, width * members, width)])


def set_size(mask: int) -> int:
    """Return how many members a set has."""
    return mask.bit_count()


def first_members(members: int, kept: int, limit: int) -> int:
    """Return so many of a set's members: those that are kept, then the first of the others."""
    left = members & ~kept
    for _ in range(limit - kept.bit_count()):
        kept |= left & -left
        left &= left - 1
    return kept


def index_of(items: Items, item: int | None) -> int:
    """Return the place of the first such item; the length if there is none."""
    return items.index(item) if item in items else len(items)


def count_of(items: Items, item: int) -> int:
    """Return how often an item is there."""
    return items.count(item)


def count_members(items: Items, member: int, family: int) -> int:
    """Return how many of some pieces are of a member."""
    return sum(item % family == member for item in items)


def holds_member(items: Items, member: int, family: int) -> bool:
    """Whether one of some pieces is of a member."""
    return any(item % family == member for item in items)


def distinct(items: Sequence[int | None]) -> list[int]:
    """Return the items in ascending order, each once, none left out."""
    found = set(items)
    found.discard(None)
    return sorted(found)  # type: ignore[arg-type]  # none was taken out


def between(items: Sequence[int | None], low: int, high: int) -> list[int]:
    """Return the distinct items from one up to and with another, in ascending order."""
    found = distinct(items)
    return found[bisect_left(found, low) : bisect_right(found, high)]


def nth_last(items: Items, many: int) -> int:
    """Return the greatest number that so many items reach; any number is reached by none, and -1 by too few."""
    if many <= 0:
        return sys.maxsize
    return sorted(items)[-many] if many <= len(items) else -1


def within(items: Sequence[int | None], low: int, high: int) -> list[int]:
    """Return the distinct numbers that lie in a range, in ascending order."""
    return sorted({item for item in items if item is not None and low <= item < high})


def numbers(low: int, high: int) -> Items:
    """Return the whole numbers from one up to but not including the other."""
    return tuple(range(low, high))


@lru_cache(MOST_KEPT)
def remaining(seats: Items, left: Items) -> Items:
    """Return the seats that have not left."""
    return tuple([seat for seat in seats if seat not in left])


def ranked(pairs: list[tuple[int, int]]) -> Items:
    """Return the items of pairs (worth, item) from the most to the least; equal ones keep their order."""
    return tuple([item for _, item in _falling(pairs)])


def places(pairs: list[tuple[int, int]]) -> Items:
    """Return the items of pairs (worth, item) from the most to the least, equal ones as one set."""
    groups: list[int] = []
    last = None
    for worth, item in _falling(pairs):
        if worth == last:
            groups[-1] |= 1 << item
        else:
            groups.append(1 << item)
            last = worth
    return tuple(groups)


def _falling(pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    return sorted(pairs, key=_WORTH, reverse=True)  # Reversed too, sorting lets equal ones keep their order.


def knows_at(items: Items, numbers: Items, index: int, player: int) -> bool:
    """Whether a seat knows which piece lies at an index; true where there is none."""
    return not 0 <= index < len(items) or bool(numbers[index] >> player & 1)


def without(items: Items, item: int) -> Items:
    """Return the items without the first that is equal to one."""
    place = items.index(item)
    return items[:place] + items[place + 1 :]


def moved_piece(moved: Sequence[tuple[int, int | None]], family: int) -> int | None:
    """Return the first of some pieces as a value of the language, none if there is none."""
    if not moved:
        return None
    member, owner = moved[0]
    return member if owner is None else owner * family + member


def copy_cells(cells: list[Any]) -> list[Any]:
    """Return a copy of the state, to try something out."""
    return cells[:]


def forget_entry(_: tuple[Any, ...]) -> None:
    """Take an entry of the log of something that is only tried out."""


def fill_codes(
    table: dict[int, Items], key: int, options: tuple[tuple[int, int, tuple[tuple[tuple[int, int], ...], ...]], ...]
) -> Items:
    """Return the codes that belong to a key, and keep them in the table.

    Each option has its first code, the bit that must be set, and for each parameter what each value adds to the code
    and the bit it needs; a bit of 0 needs nothing.
    """
    found: list[int] = []
    missing = ~key
    for first, guard, parameters in options:
        if guard & missing:
            continue
        codes = [first]
        for values in parameters:
            open_ = [more for more, bit in values if not bit & missing]
            codes = [code + more for code in codes for more in open_]
        found += codes
    return remembered(table, key, tuple(found))


def remembered(table: dict[int, Value], key: int, value: Value) -> Value:
    """Return a value, and keep it in a table that does not grow without bound."""
    if len(table) >= MOST_KEPT:
        table.clear()
    table[key] = value
    return value
