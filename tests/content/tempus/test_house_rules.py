"""The example house rules of Tempus: each says why, keeps its scenarios, breaks no others and plays on both engines."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
import yaml
from attrs import evolve

import aodrules
from aodrules.play.lookup import lacking_words
from aodrules.source.diagnostics import Report
from aodrules.source.shipped import shipped
from aodrules.testing import read_suite
from aodrules.testing.accountability import with_blame
from aodrules.testing.scenario_runner import ScenarioRunner, run_scenario
from aodrules.testing.scenarios import ScenarioReader
from aodrules.testing.statements import statements_of
from aodrules.testing.suites import run_suite
from tests.content.tempus.playing import ERAS, PLAYERS, eagerly, play_alike, rules_of
from tests.docs.blocks import DOCS

LANGUAGES = ("en", "pl", "ru")
_FOLDER = shipped("variants") / "tempus" / "house"
SHORTER = {"six-eras": 6}


@cache
def _heads() -> dict[str, dict[str, Any]]:
    return {path.stem: yaml.safe_load(path.read_text(encoding="utf-8")) for path in sorted(_FOLDER.glob("*.yaml"))}


NAMES = tuple(_heads())


def _wrong_scenarios(rules: aodrules.Rules, name: str) -> list[tuple[str, str]]:
    """Run the scenarios of a house rule itself; return those that do not pass."""
    reader, stage, report = ScenarioReader(rules.book), ScenarioRunner(rules.book), Report()
    own = [each for each in statements_of(rules.book.ruleset).taken if each.id in _heads()[name]["scenario"]]
    assert len(own) == len(_heads()[name]["scenario"])
    scenarios = [reader.read(each, report) for each in own]
    assert list(report) == []
    outcomes = [run_scenario(stage, scenario) for scenario in scenarios if scenario is not None]
    return [(outcome.scenario.id, outcome.message) for outcome in outcomes if outcome.status != "passed"]


def test_there_are_enough_and_a_page_shows_each() -> None:
    assert len(NAMES) >= 4
    page = (DOCS / "how-to" / "house-rules" / "index.md").read_text(encoding="utf-8")
    assert [name for name in NAMES if f"`{name}`" not in page] == []


@pytest.mark.parametrize("name", NAMES)
def test_a_house_rule_says_what_it_is_called_and_why_one_would_play_so(name: str) -> None:
    head = _heads()[name]
    assert (head["variant"], head["game"], head["house"]) == (name, "tempus", True)
    assert set(head["name"]) == set(head["because"]) == set(LANGUAGES)
    assert len(head["scenario"]) > 1
    assert all(scenario["name"]["en"] for scenario in head["scenario"].values())


@pytest.mark.parametrize("name", NAMES)
def test_a_house_rule_keeps_its_scenarios_and_speaks_three_languages(name: str) -> None:
    rules = rules_of(name)
    assert _wrong_scenarios(rules, name) == []
    assert [str(warning) for warning in rules.warnings] == []
    assert [lacking_words(rules.book, language) for language in LANGUAGES] == [{}] * 3


@pytest.mark.slow
def test_all_house_rules_go_together_in_any_order() -> None:
    rules = rules_of(*NAMES)
    assert rules_of(*reversed(NAMES)).fingerprint == rules.fingerprint
    play_alike(rules, 4, 3, eagerly, SHORTER["six-eras"])


@pytest.mark.soak
@pytest.mark.parametrize("name", NAMES)
def test_a_house_rule_plays_alike_on_both_engines(name: str) -> None:
    for players in PLAYERS:
        play_alike(rules_of(name), players, players, eagerly, SHORTER.get(name, ERAS))


@pytest.mark.soak
@pytest.mark.parametrize("name", NAMES)
def test_a_house_rule_breaks_no_scenario_of_the_game_that_it_does_not_override(name: str) -> None:
    results = with_blame(run_suite(evolve(read_suite(rules_of(name)), properties=())))
    assert [(wrong.id, wrong.message) for wrong in results.wrong] == []
