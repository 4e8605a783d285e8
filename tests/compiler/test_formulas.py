"""What is known beforehand, or of some variables, is computed while planning."""

from __future__ import annotations

import pytest
from attrs import evolve

from aodrules.compiler.formulas import (
    CellRead,
    Constant,
    Formula,
    Literal,
    Op,
    Variable,
    add_up,
    all_of,
    any_of,
    call_pure,
    lift,
    negate,
    nonzero,
    operation,
    read_table,
    select,
    split_offset,
    substitute,
)
from aodrules.compiler.nodes import Finish, branch
from aodrules.compiler.visit import form
from tests.engines.parts import AT

X, Y = Variable(AT, "x_1"), Variable(AT, "y_1")
ITEMS = Variable(AT, "items_1")


def number(value: int) -> Literal:
    return Literal(AT, value)


@pytest.mark.parametrize(
    "formula, value",
    [
        (operation(AT, "+", number(2), number(3)), 5),
        (all_of(AT, Literal(AT, value=True), Literal(AT, value=False), X), False),
        (any_of(AT, X, Literal(AT, value=True)), True),
        (operation(AT, "*", X, number(0)), 0),
        (select(AT, Literal(AT, value=True), number(1), X), 1),
        (read_table(AT, (4, 5, 6), number(1)), 5),
        (read_table(AT, (7, 7), X), 7),
        (nonzero(number(4)), True),
    ],
)
def test_what_is_known_is_a_literal(formula: Formula, value: object) -> None:
    assert isinstance(formula, Literal)
    assert formula.value == value


def test_a_flag_and_a_number_in_a_table_are_not_the_same() -> None:
    assert not isinstance(read_table(AT, (1, True), X), Literal)


def test_neutral_operands_vanish() -> None:
    assert operation(AT, "+", X, number(0)) is X
    assert all_of(AT, Literal(AT, value=True), X) is X
    assert add_up(AT, X, number(0)) is X


def test_the_known_part_of_an_offset_goes_into_the_base() -> None:
    assert split_offset(10, add_up(AT, X, number(3), number(4))) == (17, X)


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
    assert form(found) == form(test if is_there else negate(test))


def test_some_counts_are_more_than_nothing_if_one_is() -> None:
    one, other = (Op(AT, "size", (CellRead(AT, cell), number(127))) for cell in (7, 8))
    found = operation(AT, ">", operation(AT, "+", one, other), number(0))
    assert form(found) == form(any_of(AT, nonzero(CellRead(AT, 7)), nonzero(CellRead(AT, 8))))


def test_what_may_be_negative_is_compared() -> None:
    found = operation(AT, ">", operation(AT, "-", CellRead(AT, 7), number(3)), number(0))
    assert isinstance(found, Op)
    assert found.operator == ">"


@pytest.mark.parametrize(
    "formula, sign, operands",
    [
        (X + 2, "+", (X, 2)),
        (2 + X, "+", (2, X)),
        (X - Y, "-", (X, Y)),
        (5 - X, "-", (5, X)),
        (X * 3, "*", (X, 3)),
        (X // 3, "//", (X, 3)),
        (X % 3, "%", (X, 3)),
        (X << 3, "<<", (X, 3)),
        (1 << X, "<<", (1, X)),
        (X >> 3, ">>", (X, 3)),
        (6 >> X, ">>", (6, X)),
        (X & 3, "&", (X, 3)),
        (X | Y, "|", (X, Y)),
        (X < 3, "<", (X, 3)),
        (X <= 3, "<=", (X, 3)),
        (X > 3, ">", (X, 3)),
        (X >= 3, ">=", (X, 3)),
        (X.equals(3), "==", (X, 3)),
        (X.differs(Y), "!=", (X, Y)),
        (X.is_in((1, 2)), "in", (X, (1, 2))),
        (X.is_not_in((1, 2)), "not in", (X, (1, 2))),
    ],
)
def test_operators_make_operations(formula: Formula, sign: str, operands: tuple[Formula | Constant, ...]) -> None:
    assert form(formula) == form(Op(AT, sign, tuple(lift(AT, one) for one in operands)))


def test_arithmetic_with_constants_is_folded() -> None:
    assert (X + 0) * 1 is X
    assert form((number(7) - 3) // 2) == form(number(2))


def test_a_result_stands_where_its_left_operand_stands() -> None:
    elsewhere = evolve(AT, line=AT.line + 1)
    there = Variable(elsewhere, "y_1")
    assert (X + there).span == AT
    assert (there + X).span == elsewhere
    assert (1 << there).span == elsewhere
    assert (X + there).at(elsewhere).span == elsewhere


def test_formulas_are_equal_to_themselves_alone() -> None:
    assert X == X  # noqa: PLR0124 - that is the question
    assert Variable(AT, "x_1") != X
    assert len({X, Y, Variable(AT, "x_1")}) == 3


# Variables that are known.


@pytest.mark.parametrize(
    "formula, expected",
    [
        (operation(AT, "+", X, number(1)), Literal(AT, 3)),
        (all_of(AT, Y, operation(AT, "<", X, number(2))), Literal(AT, value=False)),
        (any_of(AT, Y, operation(AT, "<", X, number(2))), Y),
        (operation(AT, "<", X, call_pure(AT, "len", ITEMS)), Op(AT, "<", (number(2), call_pure(AT, "len", ITEMS)))),
        (select(AT, operation(AT, "==", X, number(2)), Y, number(1)), Y),
        (read_table(AT, (5, 6, 7), X), Literal(AT, 7)),
        (CellRead(AT, 40, X), CellRead(AT, 42)),
        (operation(AT, "-", Y, number(1)), operation(AT, "-", Y, number(1))),
    ],
)
def test_what_is_known_is_put_in(formula: Formula, expected: Formula) -> None:
    assert form(substitute(formula, {"x_1": 2})) == form(expected)


def test_from_the_first_item_on_there_is_one_if_the_list_is_not_empty() -> None:
    found = substitute(operation(AT, "<", X, call_pure(AT, "len", ITEMS)), {"x_1": 0})
    assert form(found) == form(Op(AT, "nonzero", (call_pure(AT, "len", ITEMS),)))


@pytest.mark.parametrize(
    "formula", [read_table(AT, (5, 6, 7), X), operation(AT, "//", number(1), operation(AT, "-", X, number(1)))]
)
def test_what_cannot_be_is_left_to_the_test_beside_it(formula: Formula) -> None:
    assert not isinstance(substitute(formula, {"x_1": 1 if isinstance(formula, Op) else 3}), Literal)


def test_nothing_known_changes_nothing() -> None:
    formula = operation(AT, "+", X, number(1))
    assert substitute(formula, {}) is formula
