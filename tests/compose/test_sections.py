from __future__ import annotations

import pytest

from aodrules.syntax.tree import Mapping, Node, Scalar, at
from tests.compose.texts import Composed, composed, correct

KINDS = "kinds: {good: {plural: goods, attributes: {copies: number, worth: number = 0}, clauses: [wares]}}\n"


def clauses(made: Composed, *keys: str) -> object:
    return made.plain(*keys, "clauses")


def written(node: Node | None) -> str:
    assert isinstance(node, Scalar)
    span = node.span
    return span.source.line(span.line)[span.column - 1 : span.end_column - 1]


# Columns.


@pytest.mark.parametrize(
    "rows,expected",
    [
        ("columns: [copies, worth], silk: [4, 2]", {"copies": 4, "worth": 2}),
        ("columns: [copies], silk: 4", {"copies": 4}),
        ("columns: [copies], silk: [4]", {"copies": 4}),
        ("columns: [copies], silk: {copies: 3, worth: 1}", {"copies": 3, "worth": 1}),
        ("columns: [copies, worth], silk: [2 * 3, {tea: 2}]", {"copies": "2 * 3", "worth": {"tea": 2}}),
    ],
)
def test_a_row_has_an_attribute_for_each_column(rows: str, expected: object) -> None:
    assert correct(f"good: {{{rows}}}").plain("good") == {"silk": expected}


def test_rows_under_each_have_the_columns_of_their_group_or_of_its_section() -> None:
    text = "good: {columns: [copies], a: {each: {tea: 2}}, b: {columns: [worth], price: 1, each: {silk: 3}}}"
    expected = {"a": {"each": {"tea": {"copies": 2}}}, "b": {"price": 1, "each": {"silk": {"worth": 3}}}}
    assert correct(text).plain("good") == expected


def test_columns_are_those_of_one_document() -> None:
    made = correct("good: {columns: [copies], tea: 1}", "good: {columns: [worth], silk: 2}")
    assert made.plain("good") == {"tea": {"copies": 1}, "silk": {"worth": 2}}


def test_a_variant_adds_rows_and_edits_cells() -> None:
    variant = "variant: v\nadd: {good: {columns: [copies, worth], tea: [1, 2]}}\nchange: {good.silk.copies: 7}"
    made = correct("good: {columns: [copies], silk: 4}", variant)
    assert made.plain("good") == {"silk": {"copies": 7}, "tea": {"copies": 1, "worth": 2}}


def test_the_fingerprint_is_that_of_the_long_form() -> None:
    short = correct("good: {clauses: a, columns: [copies, worth], silk: [4, 2]}")
    assert short.rules.fingerprint == correct("good: {silk: {worth: 2, copies: 4, clauses: [a]}}").rules.fingerprint


def test_a_cell_knows_its_place_and_its_column() -> None:
    root = correct("good:\n  columns: [copies, worth]\n  silk:    [4, 25]").rules.root
    member = at(root, "good", "silk")
    assert isinstance(member, Mapping)
    assert (written(member.key("worth")), written(member.get("worth"))) == ("worth", "25")


@pytest.mark.parametrize(
    "rows,message",
    [
        ("columns: [copies, worth], silk: [4]", "`silk` has 1 cell for 2 columns"),
        ("columns: [copies], silk: [4, 2]", "`silk` has 2 cells for 1 column"),
        ("silk: [4, 2]", "`silk` is a row, and no columns are given"),
        ("silk: 4", "`silk` is a row, and no columns are given"),
        ("columns: [copies, copies], silk: [4, 2]", "`columns.copies` is declared twice"),
    ],
)
def test_a_row_that_does_not_fit_is_told(rows: str, message: str) -> None:
    assert composed(f"good: {{{rows}}}").messages == [message]


# Clauses.


@pytest.mark.parametrize(
    "section,body",
    [("good", "{}"), ("value", "{is: 1}"), ("verb", "{do: []}"), ("decision", "{do: []}"), ("option", "{do: []}")],
)
def test_clauses_beside_declarations_are_those_of_each(section: str, body: str) -> None:
    more = body.replace("}", ", clauses: [c, a]}").replace("{, ", "{")
    made = correct(f"{section}: {{clauses: [a, b], one: {body}, two: {more}}}")
    assert clauses(made, section, "one") == ["a", "b"]
    assert clauses(made, section, "two") == ["a", "b", "c"]
    assert clauses(made, section) is None


def test_clauses_beside_declarations_are_those_of_one_document() -> None:
    made = correct("verb: {clauses: a, one: {do: []}}", "verb: {two: {do: []}}")
    assert clauses(made, "verb", "one") == ["a"]
    assert clauses(made, "verb", "two") is None


def test_one_clause_needs_no_brackets() -> None:
    made = correct("verb: {go: {do: [{step: a, do: [], clauses: b}], clauses: a}}")
    assert clauses(made, "verb", "go") == ["a"]
    assert made.plain("verb", "go", "do") == [{"step": "a", "do": [], "clauses": ["b"]}]


def test_what_a_document_cites_counts_for_declarations_that_cite_nothing() -> None:
    made = correct("clauses: [a]\nverb: {one: {do: []}, two: {do: [], clauses: [b]}}\ntext: {one: One}")
    assert clauses(made, "verb", "one") == ["a"]
    assert clauses(made, "verb", "two") == ["b"]
    assert made.plain("text") == {"one": "One"}
    assert made.plain("clauses") is None


def test_rows_have_the_clauses_of_their_group_beside_their_own() -> None:
    made = correct("good: {a: {clauses: [x], each: {tea: {clauses: [y]}, silk: {}}}}")
    assert clauses(made, "good", "a", "each", "tea") == ["x", "y"]
    assert clauses(made, "good", "a", "each", "silk") is None


def test_a_variant_adds_declarations_with_clauses_beside_them() -> None:
    variant = "variant: v\nadd: {good: {clauses: [b], tea: {copies: 1}, silk.worth: 3}}"
    made = correct(KINDS + "good: {silk: {copies: 4}}", variant)
    assert clauses(made, "good", "tea") == ["b"]
    assert made.plain("good", "silk") == {"copies": 4, "worth": 3}
