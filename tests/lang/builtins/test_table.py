"""Every example of the tables of builtins and operators is run in each way that there is to run it.

As it stands an example can mostly be computed before play. With its numbers, members and collections read from the
state it cannot, so that generated code must compute it.
"""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve, frozen

from aodrules.check.analyse.constants import UNSURE, ConstantEvaluator
from aodrules.check.analyse.interval_expressions import NOTHING_KNOWN, IntervalEvaluator
from aodrules.check.analyse.sizes import Sizes
from aodrules.check.checked import CheckedRules
from aodrules.check.context import Context, LocalName, Scope
from aodrules.check.from_ruleset import check, declared
from aodrules.check.resolve.expressions import read_expression
from aodrules.compiler.runtime.compiled import Compiled
from aodrules.compose.from_documents import compose
from aodrules.interpreter.evaluation import Evaluator
from aodrules.interpreter.setup import starting_state, tables_for
from aodrules.lang.builtins.entry import Builtin
from aodrules.lang.builtins.table import BUILTINS, MEANINGS
from aodrules.lang.expressions import Expression
from aodrules.lang.operators import OPERATORS
from aodrules.lang.types import PLAYER, Maybe, Member, Type
from aodrules.play.engines import program_of
from aodrules.source.diagnostics import Report
from aodrules.source.spans import Source, Span
from aodrules.syntax.from_source import read
from aodrules.syntax.tree import Scalar
from tests.engines.playing import Both

SAMPLE = (Path(__file__).parents[1] / "sample.yaml").read_text(encoding="utf-8")
MEMBERS = {"red": "colour", "green": "colour", "blue": "colour", "north": "post", "south": "post", "uncle": "guest"}
CELLS = ("a1", "b2")
NUMBERS = range(1, 10)
IN_STATE = f"""
state:
  table:
    outcome: {{is: number -99..99}}
    yes: {{is: flag, start: true}}
    no: {{is: flag, start: false}}
{"".join(f"    n{number}: {{is: number 1..9, start: {number}}}" + chr(10) for number in NUMBERS)}
{"".join(f"    the_{name}: {{is: {kind}, start: {kind}s.{name}}}" + chr(10) for name, kind in MEMBERS.items())}
{"".join(f"    the_{name}: {{is: cell, start: cells.{name}}}" + chr(10) for name in CELLS)}
"""
MORE: list[tuple[str, object]] = [
    ("index(range(1, 4), 9)", 3),
    ("len(range(4, 1))", 0),
    ("abs(5 - 2)", 3),
    ("-7 // 2", -4),
    ("-7 % 2", 1),
    ("1 < 2 < 2", False),
    ("sum(c.weight for c in colours if c.weight > 9)", 0),
    ("either(min(c.weight for c in colours if c.weight > 3), 9)", 9),
    ("max(c for c in colours)", "blue"),
    ("next(colours.blue) == none", True),
    ("first(seats_from(last(seats))) == last(seats)", True),
    ("last(seats_from(last(seats))) == first(seats)", True),
    ("size(connected(roads, north, neighbours(roads, north)))", 0),
    ("len(regions(roads, set([])))", 0),
    ("len(regions(set(c for c in cells if c.row != 2)))", 2),
    ("size(reach(cells.b2, 1, set(c for c in cells)))", 6),
    ("either(distance(cells.a1, cells.a1), 9)", 0),
    ("around(cells.b2, 9) == none", True),
    ("edge(cells.a1)", True),
    ("sets_worth(pairs, box)", 4),
]
"""Where a builtin or operator comes to its edges."""
EXAMPLES = pytest.mark.parametrize(
    "example, result",
    [
        *((each.example, each.result) for each in MEANINGS.values()),
        *((each.example, each.result) for each in OPERATORS),
        *MORE,
    ],
)


@frozen(eq=False)
class Sample:
    """The sample game, with what is needed to read an expression in it."""

    context: Context
    rules: CheckedRules

    def read(self, text: str) -> Expression:
        source = Source("example", text)
        scalar = Scalar(Span(source, 1, 1, 1, len(text) + 1), text, text)
        expression = read_expression(Scope(self.context, "", {"player": LocalName(PLAYER, "parameter")}), scalar)
        assert list(self.context.report) == []
        return expression

    def shown(self, type_: Type, value: Any) -> object:
        inner = type_.of if isinstance(type_, Maybe) else type_
        if isinstance(inner, Member) and value is not None:
            return self.context.family(inner.kind).members[value]
        return value


@cache
def sample(text: str = SAMPLE) -> Sample:
    report = Report()
    documents = [read(Source(name, each), report) for name, each in (("sample.yaml", text), ("more.yaml", IN_STATE))]
    ruleset = compose([each for each in documents if each is not None], None, [], report)
    rules = check(ruleset, report)
    assert [each.message for each in report] == []
    return Sample(declared(ruleset, report), rules)


class FromState(ast.NodeTransformer):
    """Replaces all that is constant in an expression by what the state holds."""

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        return ast.Name(f"n{node.value!r}")

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        is_member = isinstance(node.value, ast.Name) and node.value.id in ("colours", "cells", "guests")
        return ast.Name(f"the_{node.attr}") if is_member else node

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id == "colours":
            return ast.parse("list(set(one for one in box))", mode="eval").body
        if node.id == "posts":
            return ast.parse("list(one for one in posts if yes)", mode="eval").body
        return ast.Name(
            {"true": "yes", "false": "no"}.get(node.id) or ("the_" + node.id if node.id in MEMBERS else node.id)
        )


def from_state(example: str) -> str:
    return ast.unparse(FromState().visit(ast.parse(example, mode="eval")))


def playing(expression: str, result: object) -> CheckedRules:
    """Return the sample game in which a field is set to what an expression comes to."""
    if isinstance(result, str):
        shown = f"1 if ({expression}) == {MEMBERS[result]}s.{result} else 0"
    else:
        shown = f"1 if {expression} else 0" if isinstance(result, bool) else f"either({expression}, 99)"
    step = f'{{for: player, in: players, do: [{{set: outcome, to: "{shown}"}}]}}'
    text = SAMPLE.replace("{choose: look, by: opener}", f"{step}, {{choose: look, by: opener}}")
    # Where somebody can leave, who the players are is known in play alone.
    text = text.replace("{peek: {use: peek}}", "{peek: {use: peek}, leave: {do: [{leave_game: player}]}}")
    return sample(text).rules


def outcome(result: object) -> int:
    return 1 if isinstance(result, str) else int(result)  # type: ignore[call-overload]


@EXAMPLES
def test_the_interpreter_gives_what_the_table_says(example: str, result: object) -> None:
    tables = tables_for(sample().rules, 2)
    evaluator = Evaluator(tables, starting_state(tables, 1))
    for text in (example, from_state(example)):
        expression = sample().read(text)
        assert sample().shown(expression.type, evaluator.value(expression, {"player": 0})) == result, text


@EXAMPLES
def test_before_play_the_same_is_known_or_nothing(example: str, result: object) -> None:
    expression = sample().read(example)
    found = ConstantEvaluator(sample().rules, 2).value(expression)
    depends = any(word in example for word in ("box", "token", "opener", "peek"))
    assert found is UNSURE if depends else sample().shown(expression.type, found) == result


@EXAMPLES
def test_the_interval_holds_the_result(example: str, result: object) -> None:
    for text in (example, from_state(example)):
        report = Report()
        interval = IntervalEvaluator(sample().rules, Sizes(sample().rules), report).read(
            sample().read(text), NOTHING_KNOWN
        )
        assert list(report) == []
        assert not isinstance(result, int) or isinstance(result, bool) or interval.holds(result), text


@EXAMPLES
def test_both_engines_give_what_the_table_says(example: str, result: object) -> None:
    for text in (example, from_state(example)):
        game = Both(playing(text, result), 2, 1)
        assert game.plain().fields["table.outcome"] == [outcome(result)], text


def refuse(*_: object) -> None:
    raise AssertionError("computed, not lowered")


@pytest.mark.parametrize("entry", [each for each in MEANINGS.values() if each.lower], ids=lambda each: each.name)
def test_generated_code_does_not_come_from_the_meaning(entry: Builtin, monkeypatch: pytest.MonkeyPatch) -> None:
    example, result = ("min(2, 5, 3)", 2) if entry.name == "min" else (entry.example, entry.result)
    rules = playing(from_state(example), result)
    lowered = []

    def lower(*given: Any) -> Any:
        assert entry.lower is not None
        lowered.append(entry.name)
        return entry.lower(*given)

    monkeypatch.setitem(MEANINGS, entry.name, evolve(entry, evaluate=refuse, lower=lower, lower_for_loop=None))
    game = Compiled.new_game(program_of(rules, 2, log=True), 1)
    assert lowered
    assert game.plain().fields["table.outcome"] == [outcome(result)]


@pytest.mark.parametrize("entry", [each for each in BUILTINS.values() if each.over], ids=lambda each: each.name)
def test_generated_loops_do_not_come_from_the_meaning(entry: Builtin, monkeypatch: pytest.MonkeyPatch) -> None:
    example, result = ("max(c.weight for c in colours)", 3) if entry.name == "max" else (entry.example, entry.result)
    rules = playing(from_state(example), result)
    assert entry.over is not None
    monkeypatch.setitem(BUILTINS, entry.name, evolve(entry, over=evolve(entry.over, evaluate=refuse)))
    game = Compiled.new_game(program_of(rules, 2, log=True), 1)
    assert game.plain().fields["table.outcome"] == [outcome(result)]


@pytest.mark.parametrize("entry", [each for each in BUILTINS.values() if each.over], ids=lambda each: each.name)
def test_a_loop_is_written_out_as_it_would_run(entry: Builtin) -> None:
    """Over a whole kind with a test that only play decides, so that nothing is left out beforehand."""
    example, result = ("max(c.weight for c in colours)", 3) if entry.name == "max" else (entry.example, entry.result)
    text = re.sub(r" in (colours|box)( if )?", r" in colours if yes and not (no or c.weight > n9)\2", example)
    text = text.replace(") if c.", ") if c.").replace("list(box)", "list(c for c in box if yes)")
    game = Both(playing(text, result), 2, 1)
    assert game.plain().fields["table.outcome"] == [outcome(result)]
