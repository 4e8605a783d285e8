"""What was found to be there is not tested again."""

from __future__ import annotations

import pytest

from aodrules.compiler.formulas import (
    Bind,
    CellRead,
    Formula,
    Generator,
    Literal,
    Memoized,
    Reduce,
    Variable,
    all_of,
    any_of,
    is_none,
    negate,
    read_table,
    select,
    tuple_of,
)
from aodrules.compiler.passes.known_presence import KnownPresence
from aodrules.compiler.visit import form
from tests.engines.parts import AT

CARD, SEAT, IT = Variable(AT, "card_1"), Variable(AT, "seat_1"), Variable(AT, "it_1")
LYING = CellRead(AT, 20, SEAT)
COST = (4, 2, 7)


def cost_of(card: Formula) -> Formula:
    return select(AT, is_none(card), 9, read_table(AT, COST, card))


def worth(card: Formula) -> Formula:
    return read_table(AT, COST, card)


@pytest.mark.parametrize("card", [CARD, LYING])
def test_what_a_test_has_shown_holds_for_what_comes_after_it(card: Formula) -> None:
    there = negate(is_none(card))
    cases = [
        (all_of(AT, there, cost_of(card) < 3), all_of(AT, there, worth(card) < 3)),
        (any_of(AT, is_none(card), cost_of(card) < 3), any_of(AT, is_none(card), worth(card) < 3)),
        (select(AT, there, cost_of(card), 1), select(AT, there, worth(card), 1)),
        (select(AT, is_none(card), 1, cost_of(card)), select(AT, is_none(card), 1, worth(card))),
        (all_of(AT, is_none(card), cost_of(card) < 3), Literal(AT, value=False)),
    ]
    for before, after in cases:
        assert form(KnownPresence().drop_tests(before)) == form(after)


def test_what_comes_before_a_test_and_what_only_an_or_shows_is_not_known() -> None:
    there = negate(is_none(CARD))
    for formula in (all_of(AT, cost_of(CARD) < 3, there), any_of(AT, there, cost_of(CARD) < 3)):
        dropped = KnownPresence().drop_tests(formula)
        assert "is" in str(form(dropped))
    either = all_of(AT, any_of(AT, there, SEAT > 1), cost_of(CARD) < 3)
    assert form(KnownPresence().drop_tests(either)) == form(either)


def test_names_for_other_names_and_conditions_of_loops_are_seen_through() -> None:
    there = negate(is_none(CARD))
    bound = all_of(AT, there, Bind(AT, "it_1", CARD, cost_of(IT) < 3))
    assert form(KnownPresence().drop_tests(bound)) == form(all_of(AT, there, worth(CARD) < 3))
    inner = negate(is_none(IT))
    fold = Reduce(AT, "sum", cost_of(IT), (Generator("it_1", tuple_of(AT, CARD, None), (inner,)),))
    plain = Reduce(AT, "sum", worth(IT), fold.loops)
    assert form(KnownPresence().drop_tests(fold)) == form(plain)


def test_what_is_remembered_stays_one_and_knows_nothing_of_what_is_around() -> None:
    remembered = Memoized(AT, CARD, Bind(AT, "it_1", CARD, cost_of(IT)))
    there = negate(is_none(CARD))
    first, second = (KnownPresence(),) * 2
    one = first.drop_tests(all_of(AT, there, remembered < 3))
    other = second.drop_tests(remembered)
    assert isinstance(other, Memoized)
    assert form(other.value) == form(cost_of(CARD))
    assert one.operands[1].operands[0] is other  # type: ignore[attr-defined]
