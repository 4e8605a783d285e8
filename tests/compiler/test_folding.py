"""What is known beforehand is computed while planning."""

from __future__ import annotations

import pytest

from aodrules.compiler.folding import branch, negation, nonzero, operation, select, split_offset, table_read, total
from aodrules.compiler.nodes import CellRead, Finish, Formula, Literal, Op, Variable
from aodrules.compiler.visit import form
from tests.engines.parts import AT

X = Variable(AT, "x_1")


def number(value: int) -> Literal:
    return Literal(AT, value)


@pytest.mark.parametrize(
    "formula, value",
    [
        (operation(AT, "+", number(2), number(3)), 5),
        (operation(AT, "and", Literal(AT, value=True), Literal(AT, value=False), X), False),
        (operation(AT, "or", X, Literal(AT, value=True)), True),
        (operation(AT, "*", X, number(0)), 0),
        (select(AT, Literal(AT, value=True), number(1), X), 1),
        (table_read(AT, (4, 5, 6), number(1)), 5),
        (table_read(AT, (7, 7), X), 7),
        (nonzero(number(4)), True),
    ],
)
def test_what_is_known_is_a_literal(formula: Formula, value: object) -> None:
    assert isinstance(formula, Literal)
    assert formula.value == value


def test_a_flag_and_a_number_in_a_table_are_not_the_same() -> None:
    assert not isinstance(table_read(AT, (1, True), X), Literal)


def test_neutral_operands_vanish() -> None:
    assert operation(AT, "+", X, number(0)) is X
    assert operation(AT, "and", Literal(AT, value=True), X) is X
    assert total(AT, X, number(0)) is X


def test_the_known_part_of_an_offset_goes_into_the_base() -> None:
    assert split_offset(10, total(AT, X, number(3), number(4))) == (17, X)


def test_whether_a_count_is_0_is_seen_without_a_shift() -> None:
    held = CellRead(AT, 5)
    test = nonzero(operation(AT, "&", operation(AT, ">>", held, number(6)), number(7)))
    assert isinstance(test, Op)
    masked = test.operands[0]
    assert isinstance(masked, Op)
    assert masked.operands[0] is held
    mask = masked.operands[1]
    assert isinstance(mask, Literal)
    assert mask.value == 7 << 6


def test_a_dead_branch_is_dropped() -> None:
    assert branch(AT, Literal(AT, value=False), (Finish(AT),)) == ()


@pytest.mark.parametrize("sign, limit, is_there", [(">", 0, True), (">=", 1, True), ("==", 0, False), ("<", 1, False)])
def test_whether_a_bag_is_empty_is_seen_without_counting(sign: str, limit: int, is_there: bool) -> None:
    bag = CellRead(AT, 7)
    size = Op(AT, "size", (bag, number(127)))
    found = operation(AT, sign, size, number(limit))
    test = nonzero(bag)
    assert form(found) == form(test if is_there else negation(test))


def test_some_counts_are_more_than_nothing_if_one_is() -> None:
    one, other = (Op(AT, "size", (CellRead(AT, cell), number(127))) for cell in (7, 8))
    found = operation(AT, ">", operation(AT, "+", one, other), number(0))
    assert form(found) == form(operation(AT, "or", nonzero(CellRead(AT, 7)), nonzero(CellRead(AT, 8))))


def test_what_may_be_negative_is_compared() -> None:
    found = operation(AT, ">", operation(AT, "-", CellRead(AT, 7), number(3)), number(0))
    assert isinstance(found, Op)
    assert found.operator == ">"
