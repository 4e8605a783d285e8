"""What a function computes several times is computed once; what depends on more than its parameters is not shared."""

from __future__ import annotations

import sys
from types import FrameType

from aodrules.compiler.formulas import (
    CallPure,
    CellRead,
    ComputedOnce,
    Formula,
    Generator,
    Literal,
    Reduce,
    Variable,
    call_pure,
)
from aodrules.compiler.nodes import AppendCode, Assign, Branch, ForEach, Function, Statement
from aodrules.compiler.passes.share_formulas import find_shared, share_formulas
from aodrules.compiler.runtime.compiled import Compiled
from aodrules.compiler.visit import walk
from aodrules.play.engines import program_of
from tests.engines.parts import AT
from tests.engines.playing import Both, rules_of

SEAT, TECH = Variable(AT, "seat_1"), Variable(AT, "tech_1")


def worth(item: str, of: Formula = SEAT) -> Formula:
    """Return a sum over the items of a list; the variable of the loop has its own name each time."""
    loop = Generator(item, CellRead(AT, 20, of), ())
    return Reduce(AT, "sum", CellRead(AT, 40, Variable(AT, item)), (loop,))


def add(test: Formula) -> Branch:
    return Branch(AT, test, (AppendCode(AT, Literal(AT, 1)),))


def shared_in(*body: Statement) -> tuple[list[str], dict[str, Function]]:
    """Return the names of what is shared, once for each place, and all functions."""
    functions = share_formulas({"legal": Function("legal", AT, ("seat_1",), body, None, lists=True)})
    return [part.name for part in walk(functions["legal"]) if isinstance(part, ComputedOnce)], functions


def test_equal_formulas_are_one_whatever_their_loops_are_called() -> None:
    names, functions = shared_in(add(worth("a_1") > 3), add(worth("b_1") > 5))
    assert names == ["once1", "once1"]
    assert [name for name in functions if name != "legal"] == ["formula_1"]


def test_what_stands_once_is_left_alone_unless_a_loop_is_around_it() -> None:
    assert shared_in(add(worth("a_1") > 3))[0] == []
    techs = Literal(AT, (0, 1, 2))
    assert shared_in(ForEach(AT, "tech_1", techs, (add(worth("a_1") > TECH),)))[0] == ["once1"]


def test_what_depends_on_a_loop_is_not_shared() -> None:
    techs = Literal(AT, (0, 1, 2))
    inside = (add(worth("a_1", TECH) > 3), add(worth("b_1", TECH) > 4))
    assert shared_in(ForEach(AT, "tech_1", techs, inside))[0] == []


def test_what_stands_only_inside_a_larger_formula_that_is_shared_is_shared_with_it() -> None:
    def larger(item: str) -> Formula:
        return Reduce(AT, "sum", worth(f"{item}_1"), (Generator(f"{item}_2", CellRead(AT, 30, SEAT), ()),))

    names, functions = shared_in(add(larger("a") > 3), add(larger("b") > 5))
    assert names == ["once1", "once1"]
    assert list(functions) == ["legal", "formula_1", "formula_2"]  # Inside its loop the smaller one is computed once.


def test_what_works_on_a_copy_shares_nothing() -> None:
    """What it does in between changes what it reads."""
    body = (Assign(AT, "paid_1", worth("a_1")),)
    function = Function("after", AT, ("seat_1",), body, worth("b_1"), on_copy=True)
    assert share_formulas({"after": function}) == {"after": function}


def test_what_keeps_a_number_within_bounds_is_shared_where_it_stands_at_many_places() -> None:
    left = call_pure(AT, "max", 0, CellRead(AT, 20, SEAT) - CellRead(AT, 30, SEAT))
    few, many = (shared_in(*(add(left > number) for number in range(times)))[0] for times in (3, 4))
    assert few == []
    assert many == ["once1"] * 4


def test_calls_of_values_are_shared_as_they_are() -> None:
    call = CallPure(AT, "value_worth", (SEAT,), planned=True)
    names, functions = shared_in(add(call > 3), add(call > 5))
    assert names == ["once1", "once1"]
    assert list(functions) == ["legal"]


TWICE = """
    game: {players: 2..4, seats: [ann, bob, cid, dan], play: main}
    grid: {cell: {plural: cells, cells: squares, columns: 4, rows: 4}}
    state: {table: {n: number 0..9}, cell: {height: number 0..9}}
    value: {top: {is: "max(c.height for c in cells)"}}
    verb: {main: {do: [{repeat: 3, do: [{for: player, in: players, do: [{choose: go, by: player}]}]}]}}
    option: {climb: {for: {cell: cell}, where: ["cell.height <= top()"], do: [{add: 1, to: cell.height}]}}
    decision:
      go:
        options:
          up:    {where: [possible(climb)], do: [{add: 1, to: cells.a1.height}]}
          over:  {where: [possible(climb)], do: [{add: 1, to: cells.b1.height}]}
          under: {where: [possible(climb), top() < 9], do: [{add: 1, to: cells.c1.height}]}
    """


def test_what_three_options_ask_is_worked_out_once_for_a_decision() -> None:
    rules = rules_of(TWICE)
    game = Compiled.new_game(program_of(rules, 2, log=False), 1)
    called: list[str] = []

    def trace(frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            called.append(frame.f_code.co_name)

    sys.settrace(trace)
    try:
        assert len(game.listed()) == 3
    finally:
        sys.settrace(None)
    assert called.count("possible_climb") == 1
    Both(rules, 2, 1).apply(0)


def large(number: int) -> Formula:
    """Return a formula of many nodes without a loop."""
    formula: Formula = CellRead(AT, 50, SEAT)
    for base in range(60, 60 + number):
        formula = formula + CellRead(AT, base, SEAT)
    return formula


def test_a_large_formula_is_shared_though_it_takes_no_loop() -> None:
    names, functions = shared_in(add(large(9) > 3), add(large(9) > 5))
    assert names == ["once1", "once1"]
    assert "formula_1" in functions
    assert shared_in(add(large(1) > 3), add(large(1) > 5))[0] == []


def test_little_around_what_is_shared_is_not_shared_with_it() -> None:
    names, functions = shared_in(add(worth("a_1") + 1 > 3), add(worth("b_1") + 1 > 3))
    assert names == ["once1", "once1"]
    assert isinstance(functions["formula_1"].result, Reduce)


def test_what_is_shared_is_found_by_the_identity_of_its_nodes() -> None:
    first, second, other = worth("a_1"), worth("b_1"), worth("c_1", TECH)
    assert set(find_shared((first > 3, second > 4, other > 5))) == {id(first), id(second)}


def test_the_same_of_two_parameters_is_not_one() -> None:
    other = Variable(AT, "seat_2")
    body = (add(worth("a_1") > worth("b_1", other)), add(worth("c_1") > worth("d_1", other)))
    functions = share_formulas({"legal": Function("legal", AT, ("seat_1", "seat_2"), body, None, lists=True)})
    names = [part.name for part in walk(functions["legal"]) if isinstance(part, ComputedOnce)]
    assert sorted(names) == ["once1", "once1", "once2", "once2"]
    assert names[:2] == names[2:]
