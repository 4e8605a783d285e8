"""Loops over bags run over the members that matter, and no others."""

from __future__ import annotations

from aodrules.compiler.formulas import (
    CellRead,
    Formula,
    Literal,
    Op,
    Variable,
    call_pure,
    nonzero,
    operation,
    read_table,
    reduce_over,
)
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


def lying(held: CellRead) -> Formula:
    one = Variable(AT, "tile_1_lying")
    return reduce_over(AT, "set", one, one, held)


def test_members_are_looked_for_in_the_list_that_a_test_names() -> None:
    some, single = Literal(AT, (3, 4, 6)), Literal(AT, (3,))
    there, counted = TILE.is_in(TILES), nonzero(call_pure(AT, "count_of", TILES, TILE))
    for test in (there, counted):
        domain, left = narrow_domain(some, TILE, [test])
        assert form(domain) == form(call_pure(AT, "set_items", lying(TILES) & 0b1011000))
        assert left == []
        assert narrow_domain(single, TILE, [test])[1] == [test]


def test_members_are_looked_for_in_the_few_lists_of_their_sorts() -> None:
    """Where the list is that of a sort, and a table says of which sort each member is."""
    sorts = read_table(AT, (0, 0, 1, 1, 0), TILE)
    domain, left = narrow_domain(Literal(AT, (0, 2, 3, 4)), TILE, [TILE.is_in(CellRead(AT, 20, SEAT + sorts))])
    first, second = (lying(CellRead(AT, 20, SEAT + sort)) for sort in (Literal(AT, 0), Literal(AT, 1)))
    assert form(domain) == form(call_pure(AT, "set_items", first & 0b10001 | second & 0b1100))
    assert left == []


def test_a_set_is_narrowed_to_the_sets_in_which_tests_look() -> None:
    near, open_, cheap = CellRead(AT, 8), CellRead(AT, 9, SEAT), CellRead(AT, 30, TILE) < 3
    within = nonzero((open_ >> TILE) & 1)
    domain, left = narrow_domain(call_pure(AT, "set_items", near), TILE, [within, cheap])
    assert form(domain) == form(call_pure(AT, "set_items", near & open_))
    assert left == [cheap]


def test_a_list_that_depends_on_the_member_itself_is_no_domain() -> None:
    many, own = Literal(AT, tuple(range(8))), TILE.is_in(CellRead(AT, 7, TILE))
    assert narrow_domain(many, TILE, [own])[1] == [own]
