"""What follows from known variables is computed beforehand; what they make impossible is left alone."""

from __future__ import annotations

import pytest

from aodrules.compiler.formulas import (
    CellRead,
    Formula,
    Literal,
    Op,
    Variable,
    all_of,
    any_of,
    call_pure,
    operation,
    read_table,
    select,
)
from aodrules.compiler.passes.substitution import substitute
from aodrules.compiler.visit import form
from tests.engines.parts import AT

N, OTHER = Variable(AT, "n_1"), Variable(AT, "other_1")
LIST = Variable(AT, "items_1")
ZERO, ONE, TWO = (Literal(AT, number) for number in range(3))


@pytest.mark.parametrize(
    "formula, expected",
    [
        (operation(AT, "+", N, ONE), Literal(AT, 3)),
        (all_of(AT, OTHER, operation(AT, "<", N, TWO)), Literal(AT, value=False)),
        (any_of(AT, OTHER, operation(AT, "<", N, TWO)), OTHER),
        (operation(AT, "<", N, call_pure(AT, "len", LIST)), Op(AT, "<", (TWO, call_pure(AT, "len", LIST)))),
        (select(AT, operation(AT, "==", N, TWO), OTHER, ONE), OTHER),
        (read_table(AT, (5, 6, 7), N), Literal(AT, 7)),
        (CellRead(AT, 40, N), CellRead(AT, 42)),
        (operation(AT, "-", OTHER, ONE), operation(AT, "-", OTHER, ONE)),
    ],
)
def test_what_is_known_is_put_in(formula: Formula, expected: Formula) -> None:
    assert form(substitute(formula, {"n_1": 2})) == form(expected)


def test_from_the_first_item_on_there_is_one_if_the_list_is_not_empty() -> None:
    found = substitute(operation(AT, "<", N, call_pure(AT, "len", LIST)), {"n_1": 0})
    assert form(found) == form(Op(AT, "nonzero", (call_pure(AT, "len", LIST),)))


@pytest.mark.parametrize(
    "formula", [read_table(AT, (5, 6, 7), N), operation(AT, "//", ONE, operation(AT, "-", N, ONE))]
)
def test_what_cannot_be_is_left_to_the_test_beside_it(formula: Formula) -> None:
    assert not isinstance(substitute(formula, {"n_1": 1 if isinstance(formula, Op) else 3}), Literal)


def test_nothing_known_changes_nothing() -> None:
    formula = operation(AT, "+", N, ONE)
    assert substitute(formula, {}) is formula
