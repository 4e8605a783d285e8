"""The cells of a game: bags packed without carry, and plain states that come back as they were."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from aodrules.compiler.layout import FIRST_FIELD, bag_shape
from aodrules.compiler.lower.from_checked import plan
from aodrules.compiler.runtime.compiled import Compiled, pack, unpack
from aodrules.play.engines import program_of
from tests.engines.handmade import bazaar


@given(st.lists(st.integers(0, 300), min_size=1, max_size=30), st.data())
def test_a_packed_bag_keeps_its_counts(most: list[int], data: st.DataObject) -> None:
    shape = bag_shape(tuple(most))
    counts = tuple(data.draw(st.integers(0, one)) for one in most)
    assert shape.unpack(shape.pack(counts)) == counts
    if shape.sums_by_remainder:
        assert shape.pack(counts) % shape.mask == sum(counts)


@given(st.lists(st.integers(0, 300), min_size=1, max_size=80))
def test_no_count_of_a_bag_straddles_two_words(most: list[int]) -> None:
    shape = bag_shape(tuple(most))
    assert shape.members * shape.width < 64 or 64 % shape.width == 0
    assert all(count <= shape.mask for count in most)


def test_moving_between_full_bags_never_carries() -> None:
    shape = bag_shape((3, 2))
    assert shape.unpack(shape.pack((3, 0)) + shape.pack((0, 2))) == (3, 2)


def test_the_cells_of_fields_do_not_overlap() -> None:
    layout = plan(bazaar(), 3).layout
    taken = [cell for one in layout.fields.values() for cell in range(one.base, one.base + one.size)]
    known = [(one.knowledge, one.size) for one in layout.fields.values() if one.knowledge is not None]
    taken += [cell for first, size in known for cell in range(first, first + size)]
    assert sorted(taken) == list(range(FIRST_FIELD, layout.frames))


def test_a_plain_state_comes_back_as_it_was() -> None:
    program = program_of(bazaar(), 3)
    game = Compiled.new_game(program, 7)
    plain = game.plain()
    assert unpack(program.plan.layout, pack(program.plan.layout, plain)) == plain
