"""The example house rules of Through the Ages: each says why, keeps its scenarios and all others, and plays."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
import yaml
from attrs import evolve

import aodrules
from aodrules.source.shipped import shipped
from aodrules.testing.accountability import with_blame
from aodrules.testing.suites import read_suite, run_suite
from tests.content.ages.playing import STAYS, play_alike
from tests.docs.blocks import DOCS

_FOLDER = shipped("variants") / "ages" / "house"
PAGE = DOCS / "how-to" / "house-rules" / "through-the-ages.md"


@cache
def heads() -> dict[str, dict[str, Any]]:
    return {path.stem: yaml.safe_load(path.read_text(encoding="utf-8")) for path in sorted(_FOLDER.glob("*.yaml"))}


def rules_with(*names: str) -> aodrules.Rules:
    return aodrules.load("ages", [STAYS, *names], cache=False)


def test_the_page_quotes_each_of_them() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert len(heads()) >= 4
    assert [name for name in heads() if f"quoted from variants/ages/house/{name}.yaml" not in text] == []


@pytest.mark.parametrize("name", heads())
def test_a_house_rule_says_what_it_is_called_and_why_one_would_play_so(name: str) -> None:
    head = heads()[name]
    assert (head["variant"], head["game"], head["house"]) == (name, "ages", True)
    assert set(head["name"]) == set(head["because"]) == {"en", "pl", "ru"}
    assert len(head["scenario"]) >= (1 if name == "roomy-hands" else 2)
    assert all(scenario["name"]["en"] for scenario in head["scenario"].values())


def test_they_all_go_together_and_keep_their_examples() -> None:
    rules = rules_with(*heads())
    assert [str(warning) for warning in rules.warnings] == []
    suite = read_suite(rules)
    own = {name for head in heads().values() for name in head["scenario"]}
    scenarios = tuple(one for one in suite.scenarios if one.id in own)
    assert {one.id for one in scenarios} == own
    results = run_suite(evolve(suite, scenarios=scenarios, properties=()))
    assert [(wrong.id, wrong.message) for wrong in results.wrong] == []


@pytest.mark.soak
def test_they_all_keep_every_example_that_they_do_not_override_and_play() -> None:
    rules = rules_with(*heads())
    results = with_blame(run_suite(read_suite(rules), games=0))
    assert [(wrong.id, wrong.message) for wrong in results.wrong] == []
    assert play_alike(rules, 3, 3, eager=True) > 50


@pytest.mark.soak
@pytest.mark.parametrize("name", heads())
def test_a_house_rule_keeps_every_example_and_plays(name: str) -> None:
    rules = rules_with(name)
    assert [str(warning) for warning in rules.warnings] == []
    results = with_blame(run_suite(read_suite(rules), games=1))
    assert [(wrong.id, wrong.message) for wrong in results.wrong] == []
    for players in (2, 3, 4):
        assert play_alike(rules, players, players, eager=True) > 50
