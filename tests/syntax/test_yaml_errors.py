from __future__ import annotations

import pytest

from aodrules.source.diagnostics import Report
from aodrules.source.spans import Source, Span
from aodrules.syntax.yaml_errors import expression_end, is_identifier, is_open, put_in_quotes
from aodrules.syntax.yaml_reader import read_yaml


@pytest.mark.parametrize(
    "text, expected",
    [
        ("max(a, b), c: d}", "max(a, b)"),
        ("table[a][b]}", "table[a][b]"),
        ("a in [b, c] , d", "a in [b, c]"),
        ("f(a,\n   b) }", "f(a,\n   b)"),
        ("f(a, b: c)}", None),
        ("f(a]}", None),
        ("f(a", None),
        ("f(a, # why\n b)}", None),
    ],
)
def test_an_expression_in_flow_style_ends_outside_its_brackets(text: str, expected: str | None) -> None:
    end = expression_end(text, 0, in_flow=True)
    assert (None if end is None else text[:end]) == expected


@pytest.mark.parametrize(
    "text, expected", [("[a, b] + c\nd", "[a, b] + c"), ("[a] + b", "[a] + b"), ("[a] + (b\n)", None)]
)
def test_an_expression_in_block_style_ends_with_its_line(text: str, expected: str | None) -> None:
    end = expression_end(text, 0, in_flow=False)
    assert (None if end is None else text[:end]) == expected


@pytest.mark.parametrize("text, expected", [("a, b", '"a, b"'), ('a "b"', "'a \"b\"'"), ("a \"b\" 'c'", None)])
def test_quotes_keep_the_text_as_it_is(text: str, expected: str | None) -> None:
    cure = put_in_quotes(Span(Source("a.yaml", text), 1, 1, 1, 1), text)
    assert (cure and cure.replacement) == expected


def test_open_parentheses_are_seen() -> None:
    assert is_open("max(settlers(p")
    assert not is_open("max(p)")


@pytest.mark.parametrize(
    "text, expected", [("cash", True), ("setup.money-base", True), ("or two", False), ("builder)", False), ("3", False)]
)
def test_keys_are_told_from_the_rest_of_an_expression(text: str, expected: bool) -> None:
    assert is_identifier(text) == expected


@pytest.mark.parametrize(
    "text, cure", [("a: 'it can't be'\n", '"it can\'t be"'), ("a: 'it\n  can't be'\n", None)], ids=["one line", "two"]
)
def test_an_apostrophe_is_cured_only_on_one_line(text: str, cure: str | None) -> None:
    report = Report()
    read_yaml(Source("a.yaml", text), report)
    (problem,) = report
    assert problem.message == "the quote ends the text here"
    assert (problem.fix and problem.fix.replacement) == cure
