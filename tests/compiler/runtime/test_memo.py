"""What generated code remembers is bounded, and the same as if it were computed."""

from __future__ import annotations

import pytest

from aodrules.compiler.runtime import memo, values
from aodrules.compiler.runtime.memo import Memory


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (memo, values):
        monkeypatch.setattr(module, "MOST_KEPT", 10)


def test_a_table_is_emptied_when_it_is_full() -> None:
    table: dict[int, int] = {}
    for key in range(95):
        assert values.remembered(table, key, -key) == -key
        assert 1 <= len(table) <= 10
        assert table[key] == -key


def test_members_of_bags_are_right_beyond_the_bound() -> None:
    remembering = Memory()
    for _ in range(2):
        for bag in range(1 << 6):  # three members, two bits each
            counts = values.bag_counts(bag, 2, 3)
            items = tuple(member for member, count in enumerate(counts) for _ in range(count))
            assert remembering.bag_items(bag, 2) == items
            assert remembering.bag_members(bag, 2) == tuple(dict.fromkeys(items))
    assert remembering.bag_items.cache_info().currsize == 10
    assert remembering.bag_members.cache_info().currsize == 10


def test_members_of_sets_are_in_order_however_many_there_are() -> None:
    everything = (1 << 150) - 1
    for mask in (0, 1, 1 << 149, 1 << 149 | 5, everything, everything & ~6, everything // 3):
        assert memo.list_set(mask) == tuple(member for member in range(150) if mask >> member & 1)
