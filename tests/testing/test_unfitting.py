"""A scenario that only a variant made impossible is interrupted, a property left out; what is wrong is still told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import aodrules
from aodrules.cli.main import run
from aodrules.source.diagnostics import Report
from aodrules.testing import format_results, read_suite, run_suite
from aodrules.testing.reports import to_json
from aodrules.testing.suites import Results, check_statements
from tests.testing.texts import HARBOUR, written

HEAD = "variant: less\ngame: harbour\nhouse: true\n"
NO_MASONS = f"{HEAD}remove: [house.masons]\n"
LATE = f"{HEAD}change: {{era.sail.first_round: 2, state.table.round.start: 2}}\n"
SMALL_CREWS = f"{HEAD}change: {{worker.sailor.each_player: 2}}\n"


def results_of(folder: Path, variant: str, more: str) -> Results:
    paths = written(folder, "less.yaml", variant), written(folder, "more.yaml", more)
    return run_suite(read_suite(aodrules.load(HARBOUR, [paths[0]], cache=False), paths[1:]))


def unfitting(results: Results) -> dict[str, str]:
    laws = {each.statement.id: each.why for each in results.left_out if each.group == "unfitting"}
    return {each.id: each.message for each in results.interrupted} | laws


@pytest.mark.parametrize(
    "variant, statement, why",
    [
        (NO_MASONS, "scenario: {one: {given: {players.red.town: {masons: 1}}}}", "`masons`"),
        (NO_MASONS, 'property: {one: {always: "all(p.town[masons] < 2 for p in players)"}}', "`masons`"),
        (LATE, "scenario: {one: {at: {step: wages, r: 1}}}", "the step cannot be entered: there is no `r: 1`"),
        (
            SMALL_CREWS,
            "scenario: {one: {given: {quays.yard.row: [red sailor, red sailor, red sailor]}}}",
            "1 red sailor",
        ),
    ],
)
def test_what_a_variant_makes_impossible_is_told_with_a_reason(
    variant: str, statement: str, why: str, tmp_path: Path
) -> None:
    results = results_of(tmp_path, variant, statement)
    assert why in unfitting(results)["one"]
    assert "error[" not in unfitting(results)["one"]
    assert "one" not in [each.id for each in results.wrong]
    assert list(results.suite.problems) == []
    plain = json.loads(to_json(results))
    if statement.startswith("property"):
        assert "left out: 1 about what variants took away" in format_results(results)
        assert [(each["id"], each["group"]) for each in plain["left_out"]] == [("one", "unfitting")]
    else:
        assert "which is no failure" in format_results(results)
        assert [each["status"] for each in plain["results"] if each["id"] == "one"] == ["interrupted"]


@pytest.mark.parametrize(
    "statement",
    [
        "scenario: {one: {given: {players.red.town: {mansons: 1}}}}",
        "scenario: {one: {at: {step: wages, r: 9}}}",
        "scenario: {one: {given: {players.red.lodging: {sailor: 40}}}}",
    ],
)
def test_what_is_wrong_on_its_own_is_told_with_variants_too(statement: str, tmp_path: Path) -> None:
    results = results_of(tmp_path, NO_MASONS, statement)
    assert "one" not in unfitting(results)
    assert not results.is_fine


def test_what_a_variant_itself_makes_impossible_is_told(tmp_path: Path) -> None:
    own = f"{NO_MASONS}scenario: {{one: {{given: {{players.red.town: {{masons: 1}}}}}}}}\n"
    results = results_of(tmp_path, own, "scenario: {other: {players: 2}}")
    assert [each.code for each in results.suite.problems] == ["unknown-name"]


def test_what_a_variant_only_breaks_is_not_left_out(tmp_path: Path) -> None:
    results = results_of(tmp_path, LATE, "scenario: {one: {at: {step: round}, then: {round: 1}}}")
    assert unfitting(results).get("one") is None
    assert [each.id for each in results.wrong] == ["one"]


def test_check_is_silent_about_what_is_not_for_the_rules(tmp_path: Path) -> None:
    path = written(tmp_path, "less.yaml", SMALL_CREWS)
    report = Report()
    check_statements(aodrules.load(HARBOUR, [path], cache=False).book, report)
    assert [each.message for each in report.errors] == []


def test_the_report_names_them_when_asked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path, "less.yaml", NO_MASONS)
    assert run(["test", f"{HARBOUR}+{path}", "-v"]) == 0
    said = capsys.readouterr().out
    assert f"interrupted by variant `less` ({path}:1:10): 1 scenario" in said
    assert "yard.a-bosun-bargains-and-builds-twice (tests/games/harbour/scenarios.yaml:54:3): it is not for" in said
