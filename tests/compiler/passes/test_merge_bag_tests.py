"""What several branches or all rounds of a loop need is looked at once, and what cannot matter not at all."""

from __future__ import annotations

from aodrules.compiler.formulas import CellRead, Formula, Literal, Op, Variable, all_of, call_pure, nonzero, operation
from aodrules.compiler.nodes import Branch, CallRuntime, CellWrite, Procedure, Statement, Switch
from aodrules.compiler.passes.merge_bag_tests import merge_bag_tests, relevant_members, restrict_to
from aodrules.compiler.visit import form
from tests.engines.parts import AT

SEAT, TILE, BOX = Variable(AT, "seat_1"), Variable(AT, "tile_1"), Variable(AT, "box_1")
TILES, GOODS = CellRead(AT, 7, SEAT), CellRead(AT, 20, SEAT)
CHANGE = CellWrite(AT, 3, None, Literal(AT, 0))


def holds(bag: CellRead, mask: int) -> Formula:
    return nonzero(operation(AT, "&", bag, Literal(AT, mask)))


def under(test: Formula, *then: Statement) -> Branch:
    return Branch(AT, test, then or (CHANGE,))


def test_neighbours_that_need_the_same_bag_stand_under_one_look() -> None:
    here = operation(AT, "==", BOX, Literal(AT, 5))
    first, second, other = under(holds(TILES, 4)), under(all_of(AT, here, holds(TILES, 48))), under(here)
    outer, left = merge_bag_tests((first, second, other))
    assert isinstance(outer, Branch)
    assert form(outer.condition) == form(holds(TILES, 52))
    assert outer.then == (first, second)
    assert left is other


def test_what_needs_another_bag_or_stands_alone_stays_as_it_is() -> None:
    statements = (under(holds(TILES, 4)), under(holds(GOODS, 4)), CHANGE, under(holds(TILES, 4)))
    assert merge_bag_tests(statements) == statements


def test_what_else_is_done_without_the_bag_is_not_put_under_it() -> None:
    statements = (under(holds(TILES, 4)), Branch(AT, holds(TILES, 8), (CHANGE,), (CHANGE,)))
    assert merge_bag_tests(statements) == statements


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
