"""What made an answer legal is not tested again, until something may have changed."""

from __future__ import annotations

from aodrules.compiler.formulas import CellRead, Literal, Variable, all_of, operation
from aodrules.compiler.nodes import Assign, Branch, CellWrite, Statements
from aodrules.compiler.passes.redundant_checks import drop_known_conditions
from aodrules.compiler.visit import form
from tests.engines.parts import AT

PILE = CellRead(AT, 7)
ENOUGH = operation(AT, ">", PILE, Literal(AT, 2))
MINE = Variable(AT, "mine_1")
KNOWN = frozenset({form(ENOUGH)})
LESS = CellWrite(AT, 7, None, Literal(AT, 0))
NOTHING: Statements = ()


def asking(*then: Branch | CellWrite) -> Branch:
    # Another place in the file: what counts is what a condition says.
    return Branch(AT, operation(AT, ">", CellRead(AT, 7), Literal(AT, 2)), then, NOTHING)


def test_a_condition_that_is_known_to_hold_is_not_tested() -> None:
    assert drop_known_conditions((asking(LESS),), KNOWN) == (LESS,)


def test_of_several_conditions_the_others_are_left() -> None:
    both = Branch(AT, all_of(AT, MINE, ENOUGH), (LESS,), NOTHING)
    (found,) = drop_known_conditions((both,), KNOWN)
    assert isinstance(found, Branch)
    assert found.condition is MINE


def test_what_is_not_known_is_tested_and_what_is_inside_granted() -> None:
    outer = Branch(AT, MINE, (asking(LESS),), (asking(LESS),))
    (found,) = drop_known_conditions((outer,), KNOWN)
    assert isinstance(found, Branch)
    assert (found.then, found.otherwise) == ((LESS,), (LESS,))


def test_after_a_change_everything_is_tested() -> None:
    again = asking(LESS)
    assert drop_known_conditions((LESS, again), KNOWN) == (LESS, again)
    assert drop_known_conditions((asking(LESS), again), KNOWN) == (LESS, again)


def test_a_variable_is_no_change() -> None:
    kept = Assign(AT, "kept_1", PILE)
    assert drop_known_conditions((kept, asking(LESS)), KNOWN) == (kept, LESS)
