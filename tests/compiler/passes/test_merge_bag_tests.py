"""What several branches need of a bag is looked at once."""

from __future__ import annotations

from aodrules.compiler.formulas import CellRead, Formula, Literal, Variable, all_of, nonzero, operation
from aodrules.compiler.nodes import Branch, CellWrite, Statement
from aodrules.compiler.passes.merge_bag_tests import merge_bag_tests
from aodrules.compiler.visit import form
from tests.engines.parts import AT

SEAT, BOX = Variable(AT, "seat_1"), Variable(AT, "box_1")
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
