"""How much what a field holds can come to, counted by its members: each is there no more often than it has pieces."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from aodrules.check.analyse.constants import is_number
from aodrules.check.analyse.sizes import Sizes
from aodrules.check.checked import CheckedRules
from aodrules.lang.expressions import Comprehension, Const, Expression, FieldRead, Loop
from aodrules.lang.interval import Interval, up_to
from aodrules.lang.types import Bag, ListOf, Member, SetOf, item_of


def rounds_by_member(loop: Loop, rules: CheckedRules, sizes: Sizes) -> Interval:
    """Return how often the conditions of a loop can hold: for pieces of those members only for which they can."""
    held = _held(loop, rules, sizes)
    if held is None:
        return Interval(0, None)
    return up_to(sum(copies for member, copies in held if _may_hold(loop, loop.conditions, member, sizes)))


def sum_by_member(comprehension: Comprehension, rules: CheckedRules, sizes: Sizes) -> Interval | None:
    """Return where a sum or count over what one field holds lies; nothing where play decides what a member adds."""
    loop, item = comprehension.loops[0], comprehension.item
    if comprehension.gives not in ("sum", "count") or len(comprehension.loops) > 1:
        return None
    held = _held(loop, rules, sizes)
    if held is None:
        return None
    is_count = comprehension.gives == "count"
    tests = (*loop.conditions, item) if is_count else loop.conditions
    ends: list[tuple[int, int, int]] = []
    for member, copies in held:
        if _may_hold(loop, tests, member, sizes):
            values = [0, 1] if is_count else [one.value(item, {loop.name: member}) for one in sizes.in_play]
            numbers = [each for each in values if is_number(each)]
            if not numbers or len(numbers) < len(values):
                return None
            ends.append((min(numbers), max(numbers), copies))
    most = _room(loop.items, rules, sizes)
    low = -_largest(((-low, copies) for low, _, copies in ends), most)
    return Interval(low, _largest(((high, copies) for _, high, copies in ends), most))


def _held(loop: Loop, rules: CheckedRules, sizes: Sizes) -> list[tuple[int, int]] | None:
    """Return the members a loop can come to, each with the most times; nothing where no field holds them."""
    items, kind = loop.items, item_of(loop.items.type)
    if isinstance(items, Const) and isinstance(kind, Member) and isinstance(items.value, tuple):
        return [(member, 1) for member in items.value]
    field = rules.fields.get(items.field) if isinstance(items, FieldRead) else None
    if field is None or not isinstance(kind, Member):
        return None
    if isinstance(field.type, SetOf):
        return [(member, 1) for member in sizes.members(kind.kind)]
    if field.holds is None or not isinstance(field.type, Bag | ListOf):
        return None
    copies = sizes.copies(field.holds)
    owners = sizes.most_owners(field.holds) if sizes.is_owned(field.holds) and field.owner_dimension is None else 1
    return [(each, copies[each] * owners) for each in sizes.members(kind.kind) if each < len(copies)]


def _may_hold(loop: Loop, tests: Iterable[Expression], member: int, sizes: Sizes) -> bool:
    """Whether some tests may hold for a member, whatever else happens in play."""
    names = {loop.name: member}
    return not any(all(one.value(test, names) is False for one in sizes.in_play) for test in tests)


def _room(items: Expression, rules: CheckedRules, sizes: Sizes) -> int:
    if isinstance(items, Const):
        return len(items.value) if isinstance(items.value, tuple) else 0
    assert isinstance(items, FieldRead)
    return sizes.field(rules.fields[items.field]).most


def _largest(parts: Iterable[tuple[int, int]], most: int) -> int:
    """Return the largest sum of at most so many numbers, each there so often; at least 0, for there may be none."""
    total = 0
    for number, copies in _from_the_largest(parts):
        total += number * min(copies, most)
        most -= min(copies, most)
    return total


def _from_the_largest(parts: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    return iter(sorted(((number, copies) for number, copies in parts if number > 0), reverse=True))
