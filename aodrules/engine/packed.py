"""Small functions of generated code: packed bags, sets of bits, tuples. Pure, but for memories that are bounded."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from aodrules.check.checked import Sets, SetShape
from aodrules.engine.sets_worth import SetsWorth
from aodrules.engine.spaces import bits

Items = tuple[int, ...]
MOST_KEPT = 50_000

_bag_items: dict[tuple[int, int], Items] = {}
_bag_members: dict[tuple[int, int], Items] = {}
_set_items: dict[int, Items] = {}
_worths: dict[tuple[Any, ...], tuple[SetsWorth, dict[tuple[int, int], int]]] = {}


def item_at(items: Items, index: int) -> int | None:
    """Return the item at an index, none where there is none."""
    return items[index] if 0 <= index < len(items) else None


def end_item(items: Items, index: int) -> int | None:
    """Return the first (0) or last (-1) item, none if there is none."""
    return items[index] if items else None


def as_tuple(item: int | None) -> Items:
    """Return an item as a tuple, empty for none."""
    return () if item is None else (item,)


def bag_items(bag: int, width: int) -> Items:
    """Return the members of a packed bag in order, each copy."""
    key = bag, width
    found = _bag_items.get(key)
    if found is None:
        if len(_bag_items) >= MOST_KEPT:
            _bag_items.clear()
        found = _bag_items[key] = tuple(_unpacked(bag, width))
    return found


def bag_members(bag: int, width: int) -> Items:
    """Return the members of a packed bag in order, each once."""
    key = bag, width
    found = _bag_members.get(key)
    if found is None:
        if len(_bag_members) >= MOST_KEPT:
            _bag_members.clear()
        found = _bag_members[key] = tuple(dict.fromkeys(_unpacked(bag, width)))
    return found


def _unpacked(bag: int, width: int) -> list[int]:
    mask, member = (1 << width) - 1, 0
    found: list[int] = []
    while bag:
        found += [member] * (bag & mask)
        bag >>= width
        member += 1
    return found


def bag_of(items: Items, width: int, family: int) -> int:
    """Return items as a packed bag; of pieces (where `family` is not 0) the members count."""
    return sum(1 << width * (item % family if family else item) for item in items)


def bag_size(bag: int, planes: tuple[int, ...]) -> int:
    """Return how many pieces a bag holds, added up bit by bit of the counts."""
    total = 0
    for place, plane in enumerate(planes):
        total += (bag & plane).bit_count() << place
    return total


def bag_counts(bag: int, width: int, members: int) -> Items:
    """Return the counts by member."""
    mask = (1 << width) - 1
    return tuple(bag >> width * member & mask for member in range(members))


def set_items(mask: int) -> Items:
    """Return the members of a set in order."""
    found = _set_items.get(mask)
    if found is None:
        if len(_set_items) >= MOST_KEPT:
            _set_items.clear()
        found = _set_items[mask] = tuple(bits(mask))
    return found


def set_of(items: Items) -> int:
    """Return the set of some items."""
    mask = 0
    for item in items:
        mask |= 1 << item
    return mask


def set_size(mask: int) -> int:
    """Return how many members a set has."""
    return mask.bit_count()


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
    return sorted({item for item in items if item is not None})


def within(items: Sequence[int | None], low: int, high: int) -> list[int]:
    """Return the distinct numbers that lie in a range, in ascending order."""
    return sorted({item for item in items if item is not None and low <= item < high})


def min_item(items: Sequence[int | None]) -> int | None:
    """Return the least item, none if there is none."""
    return min((item for item in items if item is not None), default=None)


def max_item(items: Sequence[int | None]) -> int | None:
    """Return the greatest item, none if there is none."""
    return max((item for item in items if item is not None), default=None)


def sum_items(items: Sequence[int | None]) -> int:
    """Return the sum; none counts nothing."""
    return sum(item for item in items if item is not None)


def numbers(low: int, high: int) -> Items:
    """Return the whole numbers from one up to but not including the other."""
    return tuple(range(low, high))


def remaining(seats: Items, left: Items) -> Items:
    """Return the seats that have not left."""
    return tuple(seat for seat in seats if seat not in left)


def ranked(pairs: list[tuple[int, int]]) -> Items:
    """Return the items of pairs (worth, item) from the most to the least; equal ones keep their order."""
    return tuple(item for _, item in sorted(pairs, key=_falling))


def _falling(pair: tuple[int, int]) -> int:
    return -pair[0]


def connected(neighbours: Items, here: int, inside: int) -> int:
    """Return what can be reached from here inside a set; nothing if here is outside it."""
    found = new = (1 << here) & inside
    while new:
        new = _next_to(neighbours, new) & inside & ~found
        found |= new
    return found


def reach(neighbours: Items, here: int, steps: int, through: int) -> int:
    """Return what is at most so many steps away, not here itself; what is passed on the way must be in a set."""
    start = found = new = 1 << here
    for _ in range(steps):
        new = _next_to(neighbours, new) & ~found
        found |= new
        new &= through
        if not new:
            break
    return found & ~start


def _next_to(neighbours: Items, mask: int) -> int:
    near = 0
    for member in set_items(mask):
        near |= neighbours[member]
    return near


def packed_sets_worth(bag: int, wild: int, fixed: tuple[int, int, int, tuple[tuple[int, int, bool, bool], ...]]) -> int:
    """Return the most that a packed bag and wild pieces are worth; `fixed` is packing, wild ones per set and shapes."""
    found = _worths.get(fixed)
    if found is None:
        shapes = tuple(SetShape(size, worth, alike, different) for size, worth, alike, different in fixed[3])
        found = _worths[fixed] = (SetsWorth(Sets("", shapes, fixed[2])), {})
    worth, known = found
    key = bag, wild
    result = known.get(key)
    if result is None:
        if len(known) >= MOST_KEPT:
            known.clear()
        result = known[key] = worth(bag_counts(bag, fixed[1], fixed[0]), wild)
    return result


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


def fill_codes(
    table: dict[int, Items], key: int, options: tuple[tuple[int, int, tuple[tuple[tuple[int, int], ...], ...]], ...]
) -> Items:
    """Return the codes that belong to a key, and keep them in the table.

    Each option has its first code, the bit that must be set, and for each parameter what each value adds to the code
    and the bit it needs; a bit of 0 needs nothing.
    """
    found: list[int] = []
    for first, guard, parameters in options:
        if guard & ~key:
            continue
        codes = [first]
        for values in parameters:
            open_ = [more for more, bit in values if not bit & ~key]
            codes = [code + more for code in codes for more in open_]
        found += codes
    if len(table) >= MOST_KEPT:
        table.clear()
    table[key] = tuple(found)
    return table[key]
