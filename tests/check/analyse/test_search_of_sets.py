"""The search for the best sets takes no more steps than it is charged with."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aodrules.check.analyse import bounds, set_search
from aodrules.check.analyse.costs import FREE, one_after_other, plain, question, work
from aodrules.check.analyse.set_search import steps_of_search
from aodrules.check.checked import Sets, SetShape
from aodrules.compiler.runtime import sets_worth, values
from aodrules.source.spans import Source, Span

SHAPES = st.builds(
    lambda size, kind: SetShape(size, size, alike=kind == "alike", different=kind == "different"),
    st.integers(1, 4),
    st.sampled_from(["alike", "different", "plain"]),
)
SETS = st.builds(
    lambda shapes, wild_per_set: Sets("rings", tuple(shapes), wild_per_set),
    st.lists(SHAPES, min_size=1, max_size=3),
    st.integers(0, 2),
)
COPIES = st.lists(st.integers(0, 5), max_size=4)
PAIR, FOUR, FIVE = SetShape(2, 2, alike=True), SetShape(4, 7, different=True), SetShape(5, 11, different=True)


def steps_taken(sets: Sets, bags: Sequence[Sequence[int]], wild: int) -> tuple[int, int]:
    """Return the most ways to make alike sets that one search tries and is left with, and all rests looked at."""
    tried = most_tried = left = 0
    most = sets_worth._most

    def counted(ways: Iterable[Any]) -> Iterator[Any]:
        nonlocal tried
        for each in ways:
            tried += 1
            yield each

    def found(ways: Iterable[Any]) -> Any:
        nonlocal left
        best = most(counted(ways))
        left = len(best)
        return best

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sets_worth, "_most", found)
        search = sets_worth.SetsWorth(sets)
        for counts in bags:
            tried = left = 0
            search(counts, wild)
            most_tried = max(most_tried, tried + left)
    return most_tried, len(search._known_loose)


@given(SETS, COPIES, st.integers(0, 4), st.data())
def test_searches_take_no_more_steps_than_are_counted(
    sets: Sets, copies: list[int], wild: int, data: st.DataObject
) -> None:
    some = st.tuples(*(st.integers(0, most) for most in copies))
    bags = [copies, *data.draw(st.lists(some, max_size=4))]
    charged = steps_of_search(sets, copies, wild)
    each, looked_at = steps_taken(sets, bags, wild)
    assert each <= charged.each
    if any(shape.different for shape in sets.shapes):
        assert looked_at <= charged.once


@given(SETS, COPIES, st.integers(0, 4))
def test_an_estimate_is_no_less_than_a_close_count(sets: Sets, copies: list[int], wild: int) -> None:
    close = steps_of_search(sets, copies, wild)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(set_search, "MOST_COUNTED", -1)
        rough = steps_of_search(sets, copies, wild)
    assert close.each <= rough.each
    assert close.once == rough.once


@pytest.mark.parametrize(
    "shapes, copies, times",
    [((PAIR, FOUR), (16, 12, 8, 6), 3), ((PAIR, FOUR, FIVE), (16, 12, 8, 6, 2), 3), ((PAIR,), (6, 6, 5, 5, 4, 4), 2)],
)
def test_what_is_counted_is_near_to_what_is_done(
    shapes: tuple[SetShape, ...], copies: tuple[int, ...], times: int
) -> None:
    sets = Sets("rings", shapes, 1)
    assert steps_of_search(sets, copies, 3).each <= times * steps_taken(sets, [copies], 3)[0]


def test_results_are_remembered_as_long_as_the_bounds_say() -> None:
    assert values.MOST_KEPT == bounds.MOST_REMEMBERED


def test_what_is_done_once_may_be_done_between_any_two_questions() -> None:
    here = Span(Source("game.yaml", "play: go"), 1, 1, 1, 5)
    before, after = work(plain(5)), work(plain(3))
    asked = one_after_other(before, question(here), after, question(here)).with_anywhere(plain(100))
    assert (asked.head, asked.peak.number, asked.most.number) == (plain(105), 103, 105)
    assert asked.most_in_all.number == 108
    assert FREE.with_anywhere(plain(100)).most.number == 100
