"""The generator gives the same numbers everywhere, and they are fair."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from aodrules.engine.chance import generator_of, member_at, picked, roll, shuffled


def test_the_first_numbers_are_those_of_splitmix64() -> None:
    generator = generator_of(1234567)
    numbers = []
    for _ in range(3):
        generator, number = roll(generator, 1 << 64)
        numbers.append(number)
    assert numbers == [6457827717110365317, 3203168211198807973, 9817491932198370423]


def test_seeds_are_taken_modulo_two_to_the_64() -> None:
    assert generator_of(-1) == generator_of(2**64 - 1) == generator_of(2**65 - 1)


def test_every_side_comes_up_about_equally_often() -> None:
    generator, seen = 0, Counter[int]()
    for _ in range(6000):
        generator, number = roll(generator, 6)
        seen[number] += 1
    assert set(seen) == set(range(6))
    assert all(900 < count < 1100 for count in seen.values())


@given(st.integers(0, 2**64 - 1), st.lists(st.integers()))
def test_a_shuffle_keeps_all_items(seed: int, items: list[int]) -> None:
    _, order = shuffled(seed, items)
    assert sorted(order) == sorted(items)


@given(st.integers(0, 2**64 - 1), st.integers(0, 150))
def test_a_shuffle_is_a_roll_for_each_place_from_the_last(seed: int, many: int) -> None:
    generator, order = seed, [*range(many)]
    for last in range(many - 1, 0, -1):
        generator, other = roll(generator, last + 1)
        order[last], order[other] = order[other], order[last]
    assert shuffled(seed, range(many)) == (generator, tuple(order))


@given(st.integers(0, 2**64 - 1), st.lists(st.integers(0, 5)), st.data())
def test_items_are_picked_by_a_roll_for_each(seed: int, items: list[int], data: st.DataObject) -> None:
    items.sort()
    many = data.draw(st.integers(0, len(items)))
    generator, left, found = seed, [*items], []
    for _ in range(many):
        generator, place = roll(generator, len(left))
        found.append(left.pop(place))
    assert picked(seed, [*items], many) == (generator, found)


def test_every_order_of_three_comes_up() -> None:
    orders = {shuffled(seed, "abc")[1] for seed in range(100)}
    assert len(orders) == 6


@given(st.lists(st.integers(0, 3), min_size=1).filter(any))
def test_places_of_a_bag_run_in_member_order(counts: list[int]) -> None:
    laid_out = [member for member, count in enumerate(counts) for _ in range(count)]
    assert [member_at(counts, place) for place in range(sum(counts))] == laid_out
