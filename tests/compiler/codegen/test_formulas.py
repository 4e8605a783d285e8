"""How some formulas are written in Python."""

from __future__ import annotations

import ast

from aodrules.compiler.codegen.ast_builder import AstBuilder
from aodrules.compiler.codegen.formulas import write_formula
from aodrules.compiler.codegen.writer import ConstantPool, FunctionWriter
from aodrules.compiler.formulas import CellRead, Formula, Generator, Reduce, Variable, call_pure, tuple_of
from tests.engines.parts import AT

ONE, OTHER = Variable(AT, "one_1"), Variable(AT, "other_1")
SOME, REST = CellRead(AT, 7), CellRead(AT, 8)


def written(formula: Formula) -> list[str]:
    """Return the lines that compute a formula, and the expression that is left."""
    writer = FunctionWriter(AstBuilder(AT), ConstantPool(), log=False)
    left = write_formula(writer, formula)
    return [ast.unparse(line) for line in (*writer.lines, left)]


def gathered(*loops: Generator) -> Formula:
    return Reduce(AT, "set", Variable(AT, loops[-1].name), loops)


def test_what_is_taken_out_of_a_set_is_read_once() -> None:
    assert written(SOME - (SOME & REST)) == ["S[7] & ~S[8]"]
    assert written(SOME - (REST & SOME)) == ["S[7] - (S[8] & S[7])"]


def test_sets_and_lists_are_asked_by_the_methods_of_python() -> None:
    assert written(call_pure(AT, "set_size", SOME)) == ["S[7].bit_count()"]
    assert written(call_pure(AT, "count_of", SOME, ONE)) == ["S[7].count(one_1)"]


def test_a_set_of_members_that_are_written_out_takes_no_loop() -> None:
    assert written(gathered(Generator("n_1", tuple_of(AT, ONE, OTHER), ()))) == ["1 << one_1 | 1 << other_1"]
    assert len(written(gathered(Generator("n_1", tuple_of(AT, ONE, OTHER), (Variable(AT, "n_1") > 3,))))) > 1


def test_sets_are_united_at_once() -> None:
    seats, held = Generator("p_1", tuple_of(AT, ONE), ()), CellRead(AT, 20, Variable(AT, "p_1"))
    whole = written(gathered(seats, Generator("h_1", call_pure(AT, "set_items", held), ())))
    assert whole == ["t1 = 0", "for p_1 in (one_1,):\n    t1 |= S[20 + p_1]", "t1"]
