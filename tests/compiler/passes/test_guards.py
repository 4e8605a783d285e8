"""A loop over players begins only where it does anything for one of them."""

from __future__ import annotations

from aodrules.compiler.formulas import (
    CallPure,
    CellRead,
    Formula,
    Literal,
    Variable,
    all_of,
    any_of,
    call_pure,
    nonzero,
    operation,
)
from aodrules.compiler.nodes import (
    Assign,
    Branch,
    Break,
    CallRuntime,
    CellWrite,
    ForEach,
    Labelled,
    Procedure,
    Statement,
    Switch,
    WhileLoop,
)
from aodrules.compiler.passes.guards import guard_for_any_player
from aodrules.compiler.visit import form
from tests.engines.parts import AT

SEAT, BOX, CODES = Variable(AT, "seat_1"), Variable(AT, "box_1"), Variable(AT, "codes_1")
CHANGE = CellWrite(AT, 3, None, Literal(AT, 0))
HERE = operation(AT, "==", BOX, Literal(AT, 6))
ALWAYS, NEVER = Literal(AT, value=True), Literal(AT, value=False)


def bag(seat: Formula) -> CellRead:
    return CellRead(AT, 7 + seat.value) if isinstance(seat, Literal) else CellRead(AT, 7, seat)  # type: ignore[operator]


def holds(seat: Formula, mask: int = 4) -> Formula:
    return nonzero(operation(AT, "&", bag(seat), Literal(AT, mask)))


ANYBODY = any_of(AT, holds(Literal(AT, 0)), holds(Literal(AT, 1)))


def needed(*statements: Statement, **procedures: Procedure) -> object:
    return form(guard_for_any_player(statements, "seat_1", range(2), procedures))


def test_what_is_the_same_for_all_is_asked_once() -> None:
    expected = form(all_of(AT, HERE, ANYBODY))
    assert needed(Branch(AT, all_of(AT, holds(SEAT), HERE), (CHANGE,))) == expected
    assert needed(Branch(AT, holds(SEAT), (Branch(AT, HERE, (CHANGE,)),))) != form(ALWAYS)


def test_what_is_always_done_needs_nothing() -> None:
    assert needed(CHANGE) == form(ALWAYS)
    assert needed(Branch(AT, holds(SEAT), (CHANGE,)), CHANGE) == form(ALWAYS)
    assert needed(Branch(AT, HERE, (CHANGE,), (CHANGE,))) == form(ALWAYS)


def test_what_only_gives_names_needs_never_be_done() -> None:
    assert needed(Assign(AT, "kept_1", bag(SEAT))) == form(NEVER)


def test_a_question_asked_again_is_left_where_its_window_is_shut() -> None:
    # The list of answers takes long: only what is looked at before it counts.
    listed = Assign(AT, "codes_1", CallPure(AT, "legal_1", (SEAT,), planned=True))
    some = operation(AT, ">", call_pure(AT, "len", CODES), Literal(AT, 1))
    leave = Break(AT, "answered_1")
    asked = Branch(AT, some, (CHANGE,), (leave,))
    window = WhileLoop(AT, ALWAYS, (Branch(AT, holds(SEAT), (listed, asked), (leave,)),))
    again = Assign(AT, "again_1", Literal(AT, 0))
    assert needed(again, Labelled(AT, "answered_1", (window,))) == form(ANYBODY)
    assert needed(again, window) == form(ALWAYS), "to leave something further out matters"


def test_what_is_called_needs_what_it_needs_of_what_it_is_given() -> None:
    owner = Variable(AT, "owner_1")
    called = Procedure("hook", AT, ("owner_1",), (Branch(AT, holds(owner), (CHANGE,)),))
    assert needed(CallRuntime(AT, "hook", (SEAT,), planned=True), hook=called) == form(ANYBODY)


def test_a_loop_over_a_bag_needs_something_in_it() -> None:
    items = call_pure(AT, "bag_items", operation(AT, "&", bag(SEAT), Literal(AT, 4)), Literal(AT, 2))
    tile = Variable(AT, "tile_1")
    body = (Switch(AT, tile, ((1, (CHANGE,)),)),)
    assert needed(ForEach(AT, "tile_1", items, body)) == form(ANYBODY)
    kept = Assign(AT, "items_1", call_pure(AT, "tuple", items))
    some = nonzero(call_pure(AT, "len", Variable(AT, "items_1")))
    assert needed(kept, Branch(AT, some, (CHANGE,))) == form(ANYBODY)


def test_what_was_changed_on_the_way_is_not_known() -> None:
    given = CallRuntime(AT, "draw_top", (), "drawn_1")
    some = nonzero(call_pure(AT, "len", Variable(AT, "drawn_1")))
    inside = Branch(AT, holds(SEAT), (Assign(AT, "found_1", bag(SEAT)),))
    found = Branch(AT, nonzero(Variable(AT, "found_1")), (CHANGE,))
    assert needed(given, Branch(AT, some, (CHANGE,))) == form(ALWAYS)
    assert needed(Assign(AT, "found_1", Literal(AT, 0)), inside, found) == form(ALWAYS)
