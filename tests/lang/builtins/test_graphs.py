"""Ways through graphs and grids."""

from __future__ import annotations

from typing import Any

from attrs import frozen

from aodrules.check.checked import Graph
from aodrules.lang.builtins.table import BUILTINS
from aodrules.lang.expressions import BuiltinCall
from aodrules.lang.types import UNKNOWN, bits, mask_of
from aodrules.source.spans import Source, Span

HERE = Span(Source("graphs", ""), 1, 1, 1, 1)


@frozen
class Asked:
    """A graph that is asked by the names of builtins."""

    links: Graph

    def graph(self, _: str) -> Graph:
        return self.links

    def __getattr__(self, name: str) -> Any:
        evaluate = BUILTINS[name].evaluate
        assert evaluate is not None
        return lambda *given: evaluate(self, BuiltinCall(UNKNOWN, HERE, name, (), ("it",)), *given)


# 0 - 1 - 2 - 3    4 - 5
LINE = Asked(Graph("roads", "post", ((1,), (0, 2), (1, 3), (2,), (5,), (4,))))
SQUARE = Asked(
    Graph(
        "square",
        "cell",
        ((1, 2), (0, 3), (0, 3), (1, 2)),
        ((None, 1), (None, None), (None, 3), (None, None)),
        frozenset({0, 1}),
    )
)
ALL = 0b111111


def test_sets_are_numbers() -> None:
    assert mask_of([0, 3]) == 0b1001
    assert list(bits(0b1001)) == [0, 3]


def test_neighbours_are_what_the_graph_says() -> None:
    assert list(bits(LINE.neighbours(1))) == [0, 2]


def test_what_is_connected_stays_inside_the_set() -> None:
    assert list(bits(LINE.connected(0, ALL))) == [0, 1, 2, 3]
    assert list(bits(LINE.connected(0, mask_of([0, 1, 3])))) == [0, 1]
    assert LINE.connected(0, mask_of([1, 2])) == 0


def test_regions_are_the_parts_of_a_set_that_hang_together() -> None:
    assert [list(bits(each)) for each in LINE.regions(ALL)] == [[0, 1, 2, 3], [4, 5]]
    assert [list(bits(each)) for each in LINE.regions(mask_of([5, 3, 0, 1]))] == [[0, 1], [3], [5]]
    assert LINE.regions(0) == ()


def test_reach_passes_only_through_the_set_but_may_end_outside() -> None:
    assert list(bits(LINE.reach(0, 2, ALL))) == [1, 2]
    assert list(bits(LINE.reach(0, 5, mask_of([1])))) == [1, 2]
    assert list(bits(LINE.reach(0, 5, 0))) == [1]
    assert LINE.reach(0, 0, ALL) == 0


def test_distance_counts_steps() -> None:
    assert LINE.distance(0, 0) == 0
    assert LINE.distance(0, 3) == 3
    assert LINE.distance(0, 4) is None


def test_a_grid_has_directions_and_an_edge() -> None:
    assert SQUARE.around(0, 1) == 1
    assert SQUARE.around(0, 0) is None
    assert SQUARE.around(0, 7) is None
    assert SQUARE.around(0, -1) is None
    assert SQUARE.edge(0)
    assert not SQUARE.edge(3)
