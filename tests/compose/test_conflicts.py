from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aodrules.compose import conflicts as module
from aodrules.compose.conflicts import are_in_conflict, conflicts
from aodrules.compose.edit_resolver import EditResolver
from aodrules.compose.edits import Edit
from aodrules.compose.from_documents import compose
from aodrules.compose.ordering import Order
from aodrules.compose.units import EditSet
from aodrules.source.diagnostics import Report
from aodrules.source.spans import Source, Span
from aodrules.syntax.documents import Edits, Head
from aodrules.syntax.tree import Mapping, Scalar
from tests.compose.texts import document

SOURCE = Source("a.yaml", "")
SPAN = Span(SOURCE, 1, 1, 1, 1)
WHERE = ("before", "after", "first", "last")


def unit(name: str) -> EditSet:
    return EditSet(Head("variant", Scalar(SPAN, name, name)), SOURCE, Edits())


@st.composite
def edits(draw: st.DrawFn) -> Edit:
    action = draw(st.sampled_from(["add", "change", "remove", "insert"]))
    chain = tuple(draw(st.lists(st.sampled_from("ab"), max_size=3)))
    where = draw(st.sampled_from(WHERE)) if action == "insert" else ""
    return Edit(action, chain, chain, "a", "variant", SPAN, where=where, keeps_name=draw(st.booleans()))


def one_by_one(order: Order, askings: dict[str, EditResolver]) -> Iterator[tuple[Edit, Edit]]:
    """Try every pair."""
    for each in order.units:
        yield from combinations(askings[each.key].edits, 2)
    for one, other in combinations(order.units, 2):
        if not order.are_ordered(one, other):
            yield from ((first, second) for first in askings[one.key].edits for second in askings[other.key].edits)


@given(st.lists(st.lists(edits(), max_size=4), min_size=1, max_size=3), st.booleans())
def test_no_pair_is_missed(layer: list[list[Edit]], are_ordered: bool) -> None:
    units = [unit(name) for name, _ in zip("abc", layer, strict=False)]
    before = {each.key: frozenset[str]() for each in units}
    if are_ordered:
        before[units[-1].key] = frozenset(each.key for each in units[:1]) - {units[-1].key}
    order = Order(tuple(units), before)
    askings = {
        each.key: EditResolver(each, Mapping(SPAN), Report(), of_unit)
        for each, of_unit in zip(units, layer, strict=True)
    }
    expected = [pair for pair in one_by_one(order, askings) if are_in_conflict(*pair)]
    assert [(found.first, found.second) for found in conflicts(order, askings)] == expected


def test_edits_of_different_things_are_never_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[tuple[Edit, Edit]] = []
    monkeypatch.setattr(module, "are_in_conflict", lambda *pair: compared.append(pair))
    game = document("state: {table: {turn: number 1..8 = 1}}\n")
    more = []
    for name in "abcdefghi":
        added = ", ".join(f"{name}_{number}: {{is: 1}}" for number in range(9))
        more.append(document(f"variant: {name}\nadd: {{value: {{{added}}}}}\n"))
    report = Report()
    made = compose((game, *more), None, list("abcdefghi"), report)
    values = made.root.get("value")
    assert isinstance(values, Mapping)
    assert len(values) == 81
    assert compared == []
