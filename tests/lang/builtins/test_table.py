"""Every example in the table of operators and builtins is run, and gives what the table says."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from aodrules.check.context import Context
from aodrules.check.from_ruleset import check, declared
from aodrules.check.resolve.expressions import read_expression
from aodrules.check.resolve.scope import LocalName, Scope
from aodrules.compose.from_documents import compose
from aodrules.interpreter.evaluation import Evaluator
from aodrules.interpreter.setup import starting_state, tables_for
from aodrules.lang.builtins.table import BUILTINS
from aodrules.lang.operators import OPERATORS
from aodrules.lang.types import PLAYER, Maybe, Member, Type
from aodrules.source.diagnostics import Report
from aodrules.source.spans import Source, Span
from aodrules.syntax.from_source import read
from aodrules.syntax.tree import Scalar

SAMPLE = Path(__file__).parents[1] / "sample.yaml"
EXAMPLES = [
    *((each.example, each.result) for each in BUILTINS.values()),
    *((each.example, each.result) for each in OPERATORS),
]


@pytest.fixture(scope="module")
def sample() -> tuple[Context, Evaluator]:
    report = Report()
    document = read(Source("sample.yaml", SAMPLE.read_text(encoding="utf-8")), report)
    assert document is not None
    ruleset = compose([document], None, [], report)
    rules = check(ruleset, report)
    assert list(report) == []
    tables = tables_for(rules, 2)
    return declared(ruleset, report), Evaluator(tables, starting_state(tables, 1))


@pytest.mark.parametrize("example, result", EXAMPLES)
def test_an_example_gives_what_the_table_says(sample: tuple[Context, Evaluator], example: str, result: object) -> None:
    context, evaluator = sample
    expression = read_expression(context, _scalar(example), Scope("", {"player": LocalName(PLAYER, "parameter")}))
    assert list(context.report) == []
    found = evaluator.value(expression, {"player": 0})
    assert _shown(context, expression.type, found) == result


def _scalar(text: str) -> Scalar:
    source = Source("example", text)
    return Scalar(Span(source, 1, 1, 1, len(text) + 1), text, text)


def _shown(context: Context, type_: Type, value: Any) -> object:
    inner = type_.of if isinstance(type_, Maybe) else type_
    if isinstance(inner, Member) and value is not None:
        return context.family(inner.kind).members[value]
    return value
