"""The generator gives the same numbers everywhere, and they are fair."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import permutations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aodrules.facts import chance
from aodrules.facts.chance import generator_of, member_at, picked, roll, shuffled
from tests.engines.fairness import FLUKE, fit, tail

ROLLS = 12_000
STEP = roll(0, 2)[0]
"""How far the generator goes with each roll."""


def test_the_first_numbers_are_those_of_splitmix64() -> None:
    generator = generator_of(1234567)
    numbers = []
    for _ in range(3):
        generator, number = roll(generator, 1 << 64)
        numbers.append(number)
    assert numbers == [6457827717110365317, 3203168211198807973, 9817491932198370423]


def test_seeds_are_taken_modulo_two_to_the_64() -> None:
    assert generator_of(-1) == generator_of(2**64 - 1) == generator_of(2**65 - 1)


@pytest.mark.parametrize(
    "distance, freedom, likely", [(3.841, 1, 0.05), (9.210, 2, 0.01), (11.070, 5, 0.05), (148.230, 99, 0.001)]
)
def test_the_measure_of_fairness_is_that_of_the_tables(distance: float, freedom: int, likely: float) -> None:
    assert tail(distance, freedom) == pytest.approx(likely, rel=0.01)


def test_what_was_not_promised_does_not_fit() -> None:
    assert fit([0, 1] * 50, [0, 1]) > 0.99
    assert fit([0, 1, 2] * 50, [0, 1]) == 0.0


def stream(seed: int, sides: int, many: int) -> list[int]:
    """Return so many rolls from a seed on."""
    generator, numbers = generator_of(seed), []
    for _ in range(many):
        generator, number = chance.roll(generator, sides)
        numbers.append(number)
    return numbers


SEEDS = (0, 1, 2**32, 2**63, 2**64 - 1)


@pytest.mark.parametrize("sides", [2, 3, 5, 6, 7, 10, 36, 52, 100])
@pytest.mark.parametrize("seed", SEEDS)
def test_every_side_is_equally_likely(seed: int, sides: int) -> None:
    assert fit(stream(seed, sides, ROLLS), range(sides)) > FLUKE


@pytest.mark.parametrize("apart", [1, 2, 3, 64])
@pytest.mark.parametrize("seed", SEEDS)
def test_a_roll_tells_nothing_about_later_ones(seed: int, apart: int) -> None:
    assert fit(pairs_within(seed, apart), product(range(6), repeat=2)) > FLUKE


def test_two_rolls_tell_nothing_about_the_third() -> None:
    rolls = iter(stream(3, 5, ROLLS))
    assert fit(zip(rolls, rolls, rolls, strict=False), product(range(5), repeat=3)) > FLUKE


@pytest.mark.parametrize("step", [1, 2, 1000, 2**32, 2**51], ids="by {}".format)
def test_seeds_in_a_row_begin_fairly(step: int) -> None:
    assert fit((stream(number * step, 7, 1)[0] for number in range(ROLLS // 2)), range(7)) > FLUKE


@pytest.mark.parametrize("ahead", [0, 1])
@pytest.mark.parametrize("step", [1, 2, 2**32, 2**63], ids="by {}".format)
def test_neighbours_have_nothing_in_common(step: int, ahead: int) -> None:
    assert fit(pairs_of_neighbours(step, ahead), product(range(6), repeat=2)) > FLUKE


def test_a_bit_of_the_seed_changes_half_of_what_follows() -> None:
    for bit in range(64):
        numbers = (stream(seed, 2**64, 1)[0] ^ stream(seed ^ 1 << bit, 2**64, 1)[0] for seed in range(150))
        changed = Counter(place for number in numbers for place in range(64) if number >> place & 1)
        assert fit(changed.elements(), range(64)) > FLUKE
        assert abs(changed.total() - 150 * 32) < 5 * (150 * 64 / 4) ** 0.5


def test_streams_of_seeds_near_to_each_other_do_not_meet() -> None:
    """The stream of a seed is that of another one from its k-th roll on if they are k steps of the generator apart."""
    for many in range(1, 100_000):
        apart = many * STEP % 2**64
        assert min(apart, 2**64 - apart) > 2**45


# Each of these tests notices a generator that is bad at what it tests.


def pairs_within(seed: int, apart: int) -> list[tuple[int, int]]:
    """Return pairs of rolls so far apart, no roll in two of them."""
    rolls = stream(seed, 6, ROLLS)
    firsts = [start + each for start in range(0, ROLLS - 2 * apart, 2 * apart) for each in range(apart)]
    return [(rolls[first], rolls[first + apart]) for first in firsts]


def pairs_of_neighbours(step: int, ahead: int) -> list[tuple[int, int]]:
    """Return pairs of rolls of a seed and the next one; of the seed one that comes so much later."""
    seeds = [2 * step * number for number in range(ROLLS // 4)] if step < 2**63 else [*range(ROLLS // 4)]
    return [(stream(seed, 6, ahead + 1)[-1], stream(seed + step, 6, 1)[0]) for seed in seeds]


def plant(monkeypatch: pytest.MonkeyPatch, planted: Callable[[int, int], tuple[int, int]]) -> None:
    monkeypatch.setattr(chance, "roll", planted)


def test_sides_that_do_not_divide_what_is_rolled_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch, lambda generator, sides: (roll(generator, 64)[0], roll(generator, 64)[1] % sides))
    assert fit(stream(0, 36, ROLLS), range(36)) < FLUKE


def test_a_roll_that_leans_on_the_one_before_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def sticky(generator: int, sides: int) -> tuple[int, int]:
        after, number = roll(generator, sides)
        before = roll(generator - STEP, sides)[1]
        return after, before if roll(generator, 8)[1] == 0 else number

    plant(monkeypatch, sticky)
    assert fit(pairs_within(0, 1), product(range(6), repeat=2)) < FLUKE


def test_seeds_whose_streams_are_shifted_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch, lambda generator, sides: (generator + 1, roll(generator, sides)[1]))
    assert fit(pairs_of_neighbours(1, 0), product(range(6), repeat=2)) > FLUKE
    assert fit(pairs_of_neighbours(1, 1), product(range(6), repeat=2)) < FLUKE


def test_seeds_that_are_hardly_mixed_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch, lambda generator, sides: (generator + STEP, ((generator + STEP) % 2**64 * sides) >> 64))
    assert fit(pairs_of_neighbours(1, 0), product(range(6), repeat=2)) < FLUKE
    assert fit(pairs_within(0, 1), product(range(6), repeat=2)) < FLUKE


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


@pytest.mark.parametrize("many", [2, 3, 4, 5])
def test_every_order_is_equally_likely(many: int) -> None:
    orders = (shuffled(generator_of(seed), range(many))[1] for seed in range(ROLLS))
    assert fit(orders, permutations(range(many))) > FLUKE


def test_a_long_list_is_mixed_from_end_to_end() -> None:
    """More items than are mixed at once: where the first, the middle and the last one come to lie."""
    orders = [shuffled(generator_of(seed), range(130))[1] for seed in range(2600)]
    for item in (0, 65, 129):
        assert fit((order.index(item) for order in orders), range(130)) > FLUKE


@pytest.mark.parametrize("many", [1, 2, 3])
def test_every_choice_of_pieces_is_equally_likely(many: int) -> None:
    pieces = [0, 0, 0, 1, 1, 2]
    found = (tuple(picked(generator_of(seed), [*pieces], many)[1]) for seed in range(ROLLS))
    assert fit(found, permutations(pieces, many)) > FLUKE


def test_a_shuffle_that_swaps_with_any_place_is_noticed() -> None:
    """The common mistake: each place changes with any other, not with one that is still to come."""

    def wrong(seed: int) -> tuple[int, ...]:
        order = [0, 1, 2]
        for place, other in enumerate(stream(seed, 3, 3)):
            order[place], order[other] = order[other], order[place]
        return tuple(order)

    assert fit(map(wrong, range(ROLLS)), permutations(range(3))) < FLUKE


@given(st.lists(st.integers(0, 3), min_size=1).filter(any))
def test_places_of_a_bag_run_in_member_order(counts: list[int]) -> None:
    laid_out = [member for member, count in enumerate(counts) for _ in range(count)]
    assert [member_at(counts, place) for place in range(sum(counts))] == laid_out
