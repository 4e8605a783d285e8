"""Components and ways round."""

from __future__ import annotations

from graphlib import TopologicalSorter

from hypothesis import given
from hypothesis import strategies as st

from aodrules.check.digraph import components, reached, way_round


def test_components_come_before_those_that_lead_to_them() -> None:
    assert components({"a": ["b"], "b": ["c"], "c": []}) == [["c"], ["b"], ["a"]]


def test_a_cycle_is_one_component() -> None:
    found = components({"a": ["b"], "b": ["c"], "c": ["a", "d"], "d": []})
    assert [sorted(each) for each in found] == [["d"], ["a", "b", "c"]]


def test_what_is_reached_includes_the_start() -> None:
    assert reached("a", {"a": ["b"], "b": ["a", "c"], "d": ["a"]}) == {"a", "b", "c"}


def test_a_way_round_is_a_shortest_one() -> None:
    edges = {"a": ["b", "c"], "b": ["c"], "c": ["a"]}
    assert way_round("a", edges, frozenset("abc")) == ["a", "c", "a"]
    assert way_round("a", {"a": ["a"]}, frozenset("a")) == ["a", "a"]
    assert way_round("a", {"a": ["b"], "b": []}, frozenset("ab")) == []


def test_long_chains_need_no_recursion() -> None:
    edges = {n: [n + 1] for n in range(20_000)} | {20_000: []}
    assert len(components(edges)) == 20_001


@given(st.dictionaries(st.integers(0, 8), st.lists(st.integers(0, 8), max_size=4), max_size=9))
def test_what_is_in_a_component_leads_to_each_other(edges: dict[int, list[int]]) -> None:
    whole = {node: edges.get(node, []) for node in range(9)}
    ways = {node: reached(node, whole) for node in whole}
    found = {frozenset(component) for component in components(whole)}
    assert found == {frozenset(each for each in ways[node] if node in ways[each]) for node in whole}


@given(st.dictionaries(st.integers(0, 8), st.lists(st.integers(0, 8), max_size=4), max_size=9))
def test_without_cycles_components_are_an_order(edges: dict[int, list[int]]) -> None:
    forward = {node: [each for each in targets if each > node] for node, targets in edges.items()}
    whole = {node: forward.get(node, []) for node in range(9)}
    found = [node for component in components(whole) for node in component]
    assert len(found) == 9
    assert set(TopologicalSorter(whole).static_order()) == set(found)
    assert all(found.index(target) < found.index(node) for node, targets in whole.items() for target in targets)
