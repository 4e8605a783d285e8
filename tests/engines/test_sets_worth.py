"""The worth of sets is what trying everything finds, on each engine by itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from itertools import combinations_with_replacement
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aodrules.check.checked import Sets, SetShape
from aodrules.compiler.runtime import sets_worth
from aodrules.compiler.runtime.sets_worth import SetsWorth
from aodrules.interpreter import best_sets
from aodrules.interpreter.best_sets import BestSets

INCOME = Sets("income", (SetShape(3, 1), SetShape(3, 3, alike=True), SetShape(4, 6, alike=True)), 1)

both = pytest.mark.parametrize("engine", [SetsWorth, BestSets])
Engine = Callable[[Sets], SetsWorth | BestSets]

shapes = st.builds(
    lambda size, worth, sort: SetShape(size, worth, alike=sort == "alike", different=sort == "different"),
    st.integers(1, 4),
    st.integers(-1, 9),
    st.sampled_from(["plain", "alike", "different"]),
)
declarations = st.builds(
    lambda found, wild: Sets("s", tuple(found), wild), st.lists(shapes, max_size=4), st.integers(0, 3)
)


def best_by_trying(sets: Sets, counts: tuple[int, ...], wild: int) -> int:
    """Take any set out in any way, and go on."""

    @cache
    def best(left: tuple[int, ...], wilds: int) -> int:
        found = [0]
        for shape in sets.shapes:
            for spent in range(min(sets.wild_per_set, wilds, shape.size) + 1):
                rests = fillings(shape, left, shape.size - spent)
                found += [shape.worth + best(rest, wilds - spent) for rest in rests]
        return max(found)

    return best(counts, wild)


def fillings(shape: SetShape, counts: tuple[int, ...], pieces: int) -> Iterator[tuple[int, ...]]:
    for chosen in combinations_with_replacement(range(len(counts)), pieces):
        kinds = set(chosen)
        if (shape.alike and len(kinds) > 1) or (shape.different and len(kinds) < len(chosen)):
            continue
        rest = tuple(count - chosen.count(kind) for kind, count in enumerate(counts))
        if min(rest, default=0) >= 0:
            yield rest


@both
def test_many_kinds_of_pieces_take_no_longer_than_a_moment(engine: Engine) -> None:
    began = process_time()
    assert engine(INCOME)([20] * 12, 5) > 0
    assert process_time() - began < 2


@given(declarations, st.lists(st.integers(0, 3), max_size=4).filter(lambda c: sum(c) <= 7), st.integers(0, 3))
def test_the_best_is_found(sets: Sets, counts: list[int], wild: int) -> None:
    best = best_by_trying(sets, tuple(counts), wild)
    assert SetsWorth(sets)(counts, wild) == best
    assert BestSets(sets)(counts, wild) == best


@pytest.mark.parametrize(
    "counts, wild, worth",
    [
        ((), 0, 0),
        ((3,), 0, 3),
        ((4,), 0, 6),
        ((2,), 1, 3),
        ((3,), 1, 6),
        ((1, 1, 1), 0, 1),
        ((1, 1), 5, 1),
        ((2, 2), 2, 6),
    ],
)
@both
def test_an_example_by_hand(engine: Engine, counts: tuple[int, ...], wild: int, worth: int) -> None:
    assert engine(INCOME)(counts, wild) == worth


@both
def test_a_big_bag_takes_a_moment_only(engine: Engine) -> None:
    mixed = Sets("mixed", (*INCOME.shapes, SetShape(5, 8, different=True), SetShape(3, 2, different=True)), 2)
    start = process_time()
    for counts in ([2] * 8 + [1] * 4, [5, 4, 3, 2, 1, 1, 1, 1, 1, 1], [4] * 5, [20]):
        engine(mixed)(counts, 5)
    assert process_time() - start < 2


@both
def test_results_are_not_kept_without_end(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sets_worth, "MOST_KEPT", 3)
    monkeypatch.setattr(best_sets, "MOST_KNOWN", 3)
    worth = engine(INCOME)
    assert [worth([n]) for n in range(10)] == [0, 0, 0, 3, 6, 6, 6, 9, 12, 12]
    assert len(worth._known) <= 3
