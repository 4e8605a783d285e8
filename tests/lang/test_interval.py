"""Arithmetic on intervals covers arithmetic on the numbers in them."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aodrules.lang.interval import (
    Interval,
    between,
    divided,
    exactly,
    greatest,
    hull,
    least,
    magnitude,
    minus,
    negated,
    overlap,
    plus,
    remainder,
    repeated,
    times,
    up_to,
)

ENDS = st.integers(-30, 30)


@st.composite
def intervals(draw: st.DrawFn) -> tuple[Interval, int]:
    """An interval, perhaps without an end, and a number in it."""
    low, number, high = sorted(draw(st.tuples(ENDS, ENDS, ENDS)))
    ends = draw(st.sampled_from([(low, high), (None, high), (low, None), (None, None)]))
    return Interval(*ends), number


BINARY: dict[str, tuple[Callable[[Interval, Interval], Interval], Callable[[int, int], int]]] = {
    "plus": (plus, lambda a, b: a + b),
    "minus": (minus, lambda a, b: a - b),
    "times": (times, lambda a, b: a * b),
    "least": (lambda a, b: least([a, b]), min),
    "greatest": (lambda a, b: greatest([a, b]), max),
}


@pytest.mark.parametrize("name", BINARY)
@given(intervals(), intervals())
def test_an_operation_covers_its_results(name: str, one: tuple[Interval, int], other: tuple[Interval, int]) -> None:
    on_extents, on_numbers = BINARY[name]
    assert on_extents(one[0], other[0]).holds(on_numbers(one[1], other[1]))


@given(intervals(), intervals())
def test_division_covers_its_results(one: tuple[Interval, int], other: tuple[Interval, int]) -> None:
    if other[1] != 0:
        assert divided(one[0], other[0]).holds(one[1] // other[1])
        assert remainder(one[0], other[0]).holds(one[1] % other[1])


@given(intervals())
def test_signs_are_covered(one: tuple[Interval, int]) -> None:
    assert negated(one[0]).holds(-one[1])
    assert magnitude(one[0]).holds(abs(one[1]))


@given(intervals(), st.integers(0, 5), st.integers(0, 5))
def test_a_sum_of_some_numbers_is_covered(one: tuple[Interval, int], count: int, more: int) -> None:
    assert repeated(one[0], count + more).holds(one[1] * count)


@given(intervals(), intervals())
def test_a_hull_holds_both_and_an_overlap_what_is_in_both(
    one: tuple[Interval, int], other: tuple[Interval, int]
) -> None:
    assert hull(one[0], other[0]).holds(one[1])
    assert hull(one[0], other[0]).holds(other[1])
    if other[0].holds(one[1]):
        assert overlap(one[0], other[0]).holds(one[1])


def test_a_number_beyond_all_bounds_has_none() -> None:
    assert times(exactly(10**18), exactly(10)) == Interval(None, None)
    assert between(0, 10**19) == up_to(None)
    assert repeated(exactly(1), None) == up_to(None)


def test_what_is_unknown_counts_nothing() -> None:
    assert Interval().most == 0
    assert Interval(-5, -2).most == 0
    assert Interval(0, 7).most == 7
