"""The example house rules: each says why, goes with its editions, keeps its scenarios and plays on both engines."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
import yaml
from attrs import evolve

import aodrules
from aodrules.source.diagnostics import Report
from aodrules.source.shipped import shipped
from aodrules.testing.accountability import with_blame
from aodrules.testing.scenario_runner import ScenarioRunner, run_scenario
from aodrules.testing.scenarios import ScenarioReader
from aodrules.testing.statements import statements_of
from aodrules.testing.suites import read_suite, run_suite
from tests.content.playing import Match
from tests.docs.blocks import DOCS
from tests.sampling import sampled

KINDS = {
    "changed-number": "cheap-war",
    "new-building": "observatory",
    "changed-building": "privateers-rob-the-rich",
    "new-worker": "planters",
    "new-region": "la-plata",
    "new-event-box": "customs-house",
    "order-of-boxes": "discover-then-settle",
    "new-phase": "soldiers-want-pay",
    "order-of-phases": "order-at-once",
    "scoring-of-ties": "shared-ties",
    "counter": "royal-favour",
    "loans": "loans",
    "starting-draft": "opening-draft",
    "secret-objectives": "secret-objectives",
    "random-events": "tidings",
    "handicap": "handicap",
    "catch-up": "helping-hand",
    "trading": "barter",
    "shorter-game": "six-turns",
    "new-nation": "sweden",
    "something-removed": "calm-seas",
    "one-go": "two-at-once",
    "expedition": "survivors-stay",
    "failed-card": "last-of-the-cards",
    "race": "founders",
}
"""The page about each kind of house rule, and the example it quotes."""

SOAKED_SEEDS = range(200, 205)
_FOLDER = shipped("variants") / "aod" / "house"


@cache
def _heads() -> dict[str, dict[str, Any]]:
    paths = sorted(_FOLDER.glob("*.yaml"))
    return {path.stem: yaml.safe_load(path.read_text(encoding="utf-8")) for path in paths}


PAIRS = [(name, edition) for name, head in _heads().items() for edition in head["editions"]]
"""Every house rule with every edition it is made for."""
SAMPLE = [
    (name, head["editions"][number % len(head["editions"])], number)
    for number, (name, head) in enumerate(_heads().items())
]
"""Every house rule with one of its editions."""


@cache
def _rules(edition: str, *names: str) -> aodrules.Rules:
    required = [other for name in names for other in _heads()[name].get("requires", [])]
    return aodrules.load(edition, [*dict.fromkeys(required), *names])


def _wrong_scenarios(name: str, edition: str) -> list[tuple[str, str]]:
    """Run the scenarios of a house rule itself; return those that do not pass."""
    rules, report = _rules(edition, name), Report()
    reader, stage = ScenarioReader(rules.book), ScenarioRunner(rules.book)
    own = [each for each in statements_of(rules.book.ruleset).taken if each.id in _heads()[name]["scenario"]]
    assert len(own) == len(_heads()[name]["scenario"])
    scenarios = [reader.read(each, report) for each in own]
    assert list(report) == []
    outcomes = [run_scenario(stage, scenario) for scenario in scenarios if scenario is not None]
    return [(outcome.scenario.id, outcome.message) for outcome in outcomes if outcome.status != "passed"]


def _play(rules: aodrules.Rules, number: int) -> None:
    low, high = rules.players
    Match(rules, low + number % (high - low + 1), number).play()


def test_every_kind_has_a_page_and_an_example_that_the_page_quotes() -> None:
    assert sorted(KINDS.values()) == sorted(_heads())
    folder = DOCS / "how-to" / "house-rules"
    assert {page.stem for page in folder.glob("*.md")} == {*KINDS, "index", "through-the-ages"}
    for kind, name in KINDS.items():
        assert f"quoted from variants/aod/house/{name}.yaml" in (folder / f"{kind}.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", _heads())
def test_a_house_rule_says_what_it_is_called_and_why_one_would_play_so(name: str) -> None:
    head = _heads()[name]
    assert (head["variant"], head["game"], head["house"]) == (name, "aod", True)
    assert set(head["name"]) == {"en", "pl", "ru"}
    assert head["because"]["en"]
    assert head["scenario"]
    assert all(scenario["name"]["en"] for scenario in head["scenario"].values())


@pytest.mark.slow
@pytest.mark.parametrize("name, edition, _", sampled(SAMPLE, 2))
def test_a_house_rule_keeps_its_scenarios(name: str, edition: str, _: int) -> None:
    assert _wrong_scenarios(name, edition) == []


@pytest.mark.slow
@pytest.mark.parametrize("name, edition, number", sampled(SAMPLE, 3))
def test_a_house_rule_plays(name: str, edition: str, number: int) -> None:
    _play(_rules(edition, name), number)


@pytest.mark.slow
@pytest.mark.parametrize("edition", ["aoe3-pl", "aoe3-ru", "empires"])
def test_nearly_all_house_rules_go_together_in_any_order(edition: str) -> None:
    """All but one of two that exclude each other: what can be seen wrong in one of them can be seen here."""
    names = [name for name, head in _heads().items() if edition in head["editions"] and not head.get("conflicts")]
    rules = _rules(edition, *names)
    assert _rules(edition, *reversed(names)).fingerprint == rules.fingerprint
    _play(rules, 3)


def test_house_rules_that_exclude_each_other_say_so() -> None:
    with pytest.raises(aodrules.RulesError) as wrong:
        _rules("empires", "calm-seas", "privateers-rob-the-rich")
    assert "conflicting-variants" in {problem.code for problem in wrong.value.report}


@pytest.mark.soak
@pytest.mark.parametrize("name, edition", PAIRS)
def test_a_house_rule_goes_with_every_edition_and_number_of_players(name: str, edition: str) -> None:
    assert _wrong_scenarios(name, edition) == []
    rules = _rules(edition, name)
    for seed in SOAKED_SEEDS:
        _play(rules, seed)


@pytest.mark.soak
@pytest.mark.parametrize("name, edition", PAIRS)
def test_a_house_rule_breaks_no_scenario_of_the_game_that_it_does_not_override(name: str, edition: str) -> None:
    results = with_blame(run_suite(evolve(read_suite(_rules(edition, name)), properties=())))
    assert [(wrong.id, wrong.message) for wrong in results.wrong] == []


@pytest.mark.slow
@pytest.mark.parametrize("name, edition, _", SAMPLE)
def test_a_house_rule_says_of_every_clause_that_it_touches_whether_it_still_holds(
    name: str, edition: str, _: int
) -> None:
    assert [str(warning) for warning in _rules(edition, name).warnings] == []


# What overrode more than it breaks before: each of these clauses is tested, and holds.
STILL_TRUE = {
    "la-plata": ["comp.region-good-type", "setup.caribbean-open"],
    "opening-draft": ["bldg.one-per-worker", "setup.region-good-faceup"],
    "tidings": ["setup.money-base", "disc.success-threshold"],
}


@pytest.mark.slow
@pytest.mark.parametrize("name", STILL_TRUE)
def test_clauses_that_a_house_rule_does_not_break_are_tested_with_it(name: str) -> None:
    suite = read_suite(_rules("empires", name))
    laws = tuple(law for law in suite.properties if set(law.clauses) & set(STILL_TRUE[name]))
    scenarios = tuple(one for one in suite.scenarios if set(one.clauses) & set(STILL_TRUE[name]))
    tested = {clause for law in laws for clause in law.clauses}
    tested |= {clause for one in scenarios for clause in one.clauses}
    assert set(STILL_TRUE[name]) <= tested
    results = run_suite(evolve(suite, scenarios=scenarios, properties=laws), games=2)
    assert [(wrong.id, wrong.message) for wrong in results.wrong] == []


@pytest.mark.slow
def test_scenarios_in_turns_that_a_shorter_game_does_not_have_are_interrupted_with_a_reason() -> None:
    results = run_suite(evolve(read_suite(_rules("empires", "six-turns")), properties=()))
    assert [(wrong.id, wrong.message) for wrong in results.wrong] == []
    assert results.is_fine
    told = [each.message for each in results.interrupted]
    assert len(told) > 10
    assert all(each.startswith("the step cannot be entered: there is no `t: ") for each in told)
