"""Positions that scenarios and other positions build on: what counts, where they stand, what is said of wrong ones."""

from __future__ import annotations

from pathlib import Path

import pytest

import aodrules
from aodrules.source.diagnostics import Report
from aodrules.source.rendering import format_report
from aodrules.testing import read_suite, run_suite
from aodrules.testing.scenarios import format_vocabulary
from aodrules.testing.suites import Suite
from tests.testing.texts import HARBOUR, rules, written

BASE = """
position:
  begun:
    players: [red, blue]
    given: {players.red.silver: 5, players.red.store: {rum: 2, cod: 1}, quays.exchange.row: [red sailor]}
    at: {step: berth, quay: exchange}
  richer: {from: begun, given: {players.red.silver: 9}}
"""


def suite(folder: Path, text: str, *more: str) -> Suite:
    files = [written(folder, f"{number}.yaml", each) for number, each in enumerate((text, *more))]
    return read_suite(rules(), files, wanted=lambda each: each.span.path.startswith(folder.as_posix()))


def outcomes(found: Suite) -> dict[str, str]:
    assert [each.message for each in found.problems] == []
    return {each.id: each.message for each in run_suite(found, both_engines=True).results}


@pytest.mark.parametrize(
    "body, silver, store",
    [
        ("{from: begun, when: [{red: sell cod}]", 7, "{rum: 2}"),
        ("{from: richer, when: [{red: sell cod}]", 11, "{rum: 2}"),
        # What a scenario says itself counts, of a bag also for one member.
        (
            "{from: richer, given: {players.red.silver: 1, players.red.store.rum: 1}, when: [{red: sell cod}]",
            3,
            "{rum: 1}",
        ),
        ("{from: begun, given: {players.red.store: {salt: 1}}, when: []", 5, "{salt: 1}"),
        ("{from: begun, at: {step: placement}, when: []", 5, "{rum: 2, cod: 1}"),
    ],
)
def test_what_is_said_nearest_counts(body: str, silver: int, store: str, tmp_path: Path) -> None:
    then = f"then: {{players.red.silver: {silver}, players.red.store: {store}}}}}"
    assert outcomes(suite(tmp_path, f"{BASE}\nscenario:\n  tried: {body}, {then}\n")) == {"tried": ""}


def test_the_count_of_a_member_is_replaced_by_the_whole_bag(tmp_path: Path) -> None:
    text = """
position: {few: {players: 2, given: {players.red.store.rum: 2, players.red.store.cod: 1}}}
scenario: {tried: {from: few, given: {players.red.store: {salt: 1}}, then: {players.red.store: {salt: 1}}}}
"""
    assert outcomes(suite(tmp_path, text)) == {"tried": ""}


def test_seed_settings_and_seats_come_from_the_position(tmp_path: Path) -> None:
    text = """
position: {three: {players: 3, seed: 4}, of-three: {from: three}}
scenario: {tried: {from: of-three, when: [], then: {holds: [len(players) == 3]}}}
"""
    found = suite(tmp_path, text)
    assert outcomes(found) == {"tried": ""}
    assert found.scenarios[0].seed == 4


def test_a_position_may_stand_in_another_file(tmp_path: Path) -> None:
    lines = "scenario: {tried: {from: richer, then: {players.red.silver: 9}}}\n"
    assert outcomes(suite(tmp_path, lines, BASE)) == {"tried": ""}


def test_a_scenario_elsewhere_builds_on_a_position_of_the_game(tmp_path: Path) -> None:
    lines = "scenario: {tried: {from: at-the-exchange, when: [{red: sell cod}], then: {players.red.silver: 2}}}\n"
    assert outcomes(suite(tmp_path, lines)) == {"tried": ""}


VARIANT = """
variant: silver-days
house: true
position: {silvery: {from: at-the-exchange, given: {players.red.silver: 20}}}
scenario:
  silver.lies-there: {from: silvery, when: [{red: sell cod}], then: {players.red.silver: 22}}
change: {position.at-the-yard.given: {players.red.silver: 4, "quays.yard.row": [red sailor]}}
"""


def test_a_variant_has_positions_of_its_own_and_may_change_those_of_the_game(tmp_path: Path) -> None:
    made = aodrules.load(HARBOUR, [written(tmp_path, "silver.yaml", VARIANT)], cache=False)
    results = {each.id: each for each in run_suite(read_suite(made)).results}
    assert results["silver.lies-there"].status == "passed"
    # With one silver more the inn is no longer too dear.
    assert results["yard.too-dear"].status == "failed"
    assert results["yard.a-bosun-bargains-and-builds-twice"].status == "passed"


def test_a_position_that_a_variant_made_impossible_interrupts_its_scenarios(tmp_path: Path) -> None:
    gone = "variant: no-pilots\nhouse: true\nremove: [house.pilots]\n"
    made = aodrules.load(HARBOUR, [written(tmp_path, "gone.yaml", gone)], cache=False)
    text = (
        "position: {p: {players: 2, given: {offer: [pilots]}}}\nscenario: {tried: {from: p, then: {offer: [pilots]}}}\n"
    )
    found = read_suite(made, written(tmp_path, "more.yaml", text))
    assert [each.message for each in found.problems] == []
    assert "tried" in [each.statement.id for each in found.left_out if each.group == "unfitting"]


def problems(folder: Path, text: str, *more: str) -> str:
    found = suite(folder, text, *more)
    return format_report(Report(list(found.problems))).replace(f"{folder.as_posix()}/", "")


def test_a_mistake_in_a_position_is_told_once(tmp_path: Path) -> None:
    text = """
position: {wrong: {players: 2, given: {players.red.silvr: 1}}}
scenario: {one: {from: wrong, when: []}, two: {from: wrong, when: []}}
"""
    said = problems(tmp_path, text)
    assert said.count("error[") == 1
    assert "there is no field of a player `silvr` here" in said
    assert "did you mean `silver`?" in said


def test_what_only_a_scenario_makes_wrong_is_told_with_both_places(tmp_path: Path) -> None:
    text = """
position: {blues: {given: {players.green.silver: 1}}}
scenario: {one: {from: blues, players: [red, blue], when: []}}
"""
    said = problems(tmp_path, text)
    assert said.count("error[") == 1
    assert "0.yaml:2:36" in said
    assert "the scenario `one` builds on it here" in said
    assert "0.yaml:3:24" in said


def test_pieces_that_do_not_balance_are_told_with_both_places(tmp_path: Path) -> None:
    text = """
position: {crowd: {players: 2, given: {quays.exchange.row: [red bosun, red bosun, red bosun]}}}
scenario: {one: {from: crowd, when: []}}
"""
    (found,) = run_suite(suite(tmp_path, text)).results
    assert found.status == "error"
    assert "unbalanced-pieces" in found.message
    assert "the scenario `one` builds on it here" in found.message


def test_two_positions_of_one_name_in_two_files_are_reported(tmp_path: Path) -> None:
    said = problems(tmp_path, BASE, "position: {begun: {players: 2}}\n")
    assert "`position.begun` is declared twice" in said


def test_the_list_of_names_holds_positions() -> None:
    lines = format_vocabulary(rules().book).splitlines()
    assert "  at-the-exchange" in lines[lines.index("positions to build on (`from`):") :]
