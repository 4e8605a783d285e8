"""The layout of problems as text: the samples of the style guide, sign by sign."""

from __future__ import annotations

import json

from aodrules.source.diagnostics import Diagnostic, Fix, Label, Note, Report, error, warning
from aodrules.source.rendering import format_diagnostic, format_json, format_line, format_lines, format_report
from aodrules.source.spans import Source, Span

HOUSE = Source(
    "variants/house/long_market.yaml",
    "# A comment\ntitle: A longer market row\nextends: base\n\nchanges:\n"
    "  - set: parameters.market.row_lenght\n    to: 15\n\n"
    "  - replace: actions.take_card.cost\n    with: player.actions >= card.price\n",
)
MARKET = Source("content/parameters/market.yaml", "# The market.\nrow_length:\n  is: 13\n")
SHORT = Source("variants/official/short_game.yaml", "\n\n\n\nchanges:\n  - replace: actions.take_card.cost\n")


def span(source: Source, line: int, text: str) -> Span:
    column = source.line(line).index(text) + 1
    return Span(source, line, column, line, column + len(text))


def unknown_target() -> Diagnostic:
    return error(
        "unknown-target",
        "`parameters.market` has no parameter `row_lenght`",
        at=span(HOUSE, 6, "row_lenght"),
        label="not declared",
        help="did you mean `row_length`?",
        notes=[Note("`row_length` is declared here", span(MARKET, 2, "row_length:").within(0, 10))],
        fix=Fix(span(HOUSE, 6, "row_lenght"), "row_length"),
    )


def test_a_problem_with_a_note_elsewhere() -> None:
    assert (
        format_diagnostic(unknown_target())
        == """\
error[unknown-target]: `parameters.market` has no parameter `row_lenght`
 --> variants/house/long_market.yaml:6:28
  |
6 |   - set: parameters.market.row_lenght
  |                            ^^^^^^^^^^ not declared
  |
help: did you mean `row_length`?
note: `row_length` is declared here
 --> content/parameters/market.yaml:2:1
  |
2 | row_length:
  | ----------"""
    )


def test_a_problem_with_two_sides_in_two_files() -> None:
    problem = error(
        "conflicting-changes",
        "two variants replace `actions.take_card.cost` and neither is said to come last",
        at=span(HOUSE, 9, "actions.take_card.cost"),
        label="replaced by `house.long_market`",
        also=[Label(span(SHORT, 6, "actions.take_card.cost"), "and by `official.short_game`")],
        help="if `house.long_market` should win, give it `after: [official.short_game]`",
        notes=[Note("the order in which variants are named to `load()` never settles a conflict")],
    )
    assert (
        format_diagnostic(problem)
        == """\
error[conflicting-changes]: two variants replace `actions.take_card.cost` and neither is said to come last
 --> variants/house/long_market.yaml:9:14
  |
9 |   - replace: actions.take_card.cost
  |              ^^^^^^^^^^^^^^^^^^^^^^ replaced by `house.long_market`
  |
 ::: variants/official/short_game.yaml:6:14
  |
6 |   - replace: actions.take_card.cost
  |              ---------------------- and by `official.short_game`
  |
help: if `house.long_market` should win, give it `after: [official.short_game]`
note: the order in which variants are named to `load()` never settles a conflict"""
    )


def test_a_problem_with_two_sides_in_one_file() -> None:
    problem = error(
        "type-mismatch",
        "expected a cost, found a condition",
        at=span(HOUSE, 10, "player.actions >= card.price"),
        label="a condition is true or false",
        also=[Label(span(HOUSE, 9, "actions.take_card.cost"), "a cost says how much of each resource to pay")],
        help="write the amount to pay: `with: {actions: card.price}`",
    )
    assert (
        format_diagnostic(problem)
        == """\
error[type-mismatch]: expected a cost, found a condition
  --> variants/house/long_market.yaml:10:11
   |
 9 |   - replace: actions.take_card.cost
   |              ---------------------- a cost says how much of each resource to pay
10 |     with: player.actions >= card.price
   |           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ a condition is true or false
   |
help: write the amount to pay: `with: {actions: card.price}`"""
    )


def test_lines_far_apart_have_a_gap_between_them() -> None:
    problem = error("x", "m", at=span(HOUSE, 6, "set"), also=[Label(span(HOUSE, 2, "title"))])
    assert format_diagnostic(problem).splitlines()[5] == "..."


def test_one_line_is_for_editors() -> None:
    assert format_line(unknown_target()) == (
        "variants/house/long_market.yaml:6:28: error[unknown-target]: `parameters.market` has no parameter `row_lenght`"
    )


def problems(count: int, severity: str = "error") -> Report:
    report = Report()
    make = error if severity == "error" else warning
    for number in range(count):
        report.add(make("x", f"problem {number:03}", at=span(HOUSE, 1, "A")))
    return report


def test_the_closing_line_counts() -> None:
    assert format_report(problems(3)).splitlines()[-1] == (
        "3 errors in 1 file; `aodrules explain <code>` tells more about each"
    )
    assert format_report(problems(1, "warning")).splitlines()[-1] == (
        "1 warning in 1 file; `aodrules explain <code>` tells more about it"
    )


def test_errors_and_warnings_are_counted_apart() -> None:
    report = problems(2)
    report.add(warning("y", "m", at=span(MARKET, 2, "row")))
    assert "2 errors and 1 warning in 2 files;" in format_report(report)


def test_no_problems_are_no_text() -> None:
    assert format_report(Report()) == ""
    assert format_lines(Report()) == ""


def test_after_a_hundred_the_rest_is_only_counted() -> None:
    report = problems(250)
    assert format_report(report).count("error[x]") == 100
    assert "\n... and 150 more\n" in format_report(report)
    assert format_lines(report).splitlines()[-1] == "... and 150 more"


def test_json_has_every_place_in_full() -> None:
    report = Report()
    report.add(unknown_target())
    [found] = json.loads(format_json(report))
    assert (found["code"], found["path"], found["line"], found["column"]) == ("unknown-target", HOUSE.path, 6, 28)
    assert found["fix"]["replacement"] == "row_length"
    assert found["primary"]["span"]["end_column"] == 38
    assert found["notes"][0]["span"]["path"] == MARKET.path


def test_a_text_cannot_disturb_a_terminal() -> None:
    source = Source("x\x1b[31m.yaml", "a\tb\x1b[0m\u202ec\n")
    text = format_diagnostic(error("x", "found `\x1b[31m`", at=Span(source, 1, 3, 1, 4)))
    assert text.replace("\n", "").isprintable()


def test_a_very_long_line_is_cut_to_what_matters() -> None:
    source = Source("x", "a" * 5000 + "HERE" + "b" * 5000)
    text = format_diagnostic(error("x", "m", at=Span(source, 1, 5001, 1, 5005)))
    shown, marked = text.splitlines()[3:5]
    assert len(shown) < 200
    assert shown[marked.index("^") : marked.rindex("^") + 1] == "HERE"


def test_a_span_over_several_lines_is_shown_by_its_first() -> None:
    text = format_diagnostic(error("x", "m", at=Span(HOUSE, 6, 5, 7, 3)))
    assert text.splitlines()[4] == "  |     " + "^" * len("set: parameters.market.row_lenght")


def test_an_empty_source_has_no_picture() -> None:
    text = format_diagnostic(error("x", "m", at=Span(Source("gone.yaml", ""), 1, 1, 1, 1), help="h"))
    assert text == "error[x]: m\n --> gone.yaml:1:1\nhelp: h"
