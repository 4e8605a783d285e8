"""Loops over bags run over the members that matter, and no others."""

from __future__ import annotations

from aodrules.compiler.formulas import CellRead, Literal, Op, Variable, call_pure, nonzero, operation
from aodrules.compiler.nodes import CallRuntime, CellWrite, Procedure, Switch
from aodrules.compiler.passes.narrowing import narrow_domain, relevant_members, restrict_to
from aodrules.compiler.visit import form
from tests.engines.parts import AT

SEAT, TILE = Variable(AT, "seat_1"), Variable(AT, "tile_1")
TILES = CellRead(AT, 7, SEAT)
CHANGE = CellWrite(AT, 3, None, Literal(AT, 0))


def test_members_that_matter_are_those_of_the_cases_also_in_what_is_called() -> None:
    switch = Switch(AT, TILE, ((2, (CHANGE,)), (9, (CHANGE,))))
    called = Procedure("hook_run", AT, ("seat_1", "tile_1"), (switch,))
    call = CallRuntime(AT, "hook_run", (SEAT, Variable(AT, "mine_1")), planned=True)
    assert relevant_members((switch,), "tile_1", {}) == frozenset({2, 9})
    assert relevant_members((call,), "mine_1", {"hook_run": called}) == frozenset({2, 9})
    assert relevant_members((call,), "seat_1", {"hook_run": called}) is None
    assert relevant_members((switch, CHANGE), "tile_1", {}) is None


def test_only_some_members_of_a_bag_are_run_over() -> None:
    items = call_pure(AT, "bag_items", TILES, Literal(AT, 2))
    masked = call_pure(AT, "bag_items", operation(AT, "&", TILES, Literal(AT, 0b110011)), Literal(AT, 2))
    assert form(restrict_to(items, frozenset({0, 2}))) == form(masked)
    assert restrict_to(items, None) is items
    row = Op(AT, "tuple", (SEAT,))
    assert restrict_to(row, frozenset({0, 2})) is row


def test_many_members_are_looked_for_in_the_list_that_a_test_names() -> None:
    many, few = (Literal(AT, tuple(range(size))) for size in (8, 7))
    there, counted = TILE.is_in(TILES), nonzero(call_pure(AT, "count_of", TILES, TILE))
    for test in (there, counted):
        domain, left = narrow_domain(many, TILE, [test])
        assert form(domain) == form(call_pure(AT, "distinct", TILES))
        assert left == []
        assert narrow_domain(few, TILE, [test])[1] == [test]
    some = Literal(AT, tuple(range(1, 9)))
    assert list(map(form, narrow_domain(some, TILE, [there])[1])) == [form(TILE.is_in(some))]


def test_a_list_that_depends_on_the_member_itself_is_no_domain() -> None:
    many, own = Literal(AT, tuple(range(8))), TILE.is_in(CellRead(AT, 7, TILE))
    assert narrow_domain(many, TILE, [own])[1] == [own]
