"""Every named step of the small games can be entered, and both engines go on from there alike."""

from __future__ import annotations

import pytest

from aodrules.testing.engines import run_on_both
from aodrules.testing.scenario_runner import ScenarioRunner, run_scenario
from aodrules.testing.scenarios import Steps
from tests.testing.texts import rules, scenario

WORDS = (
    "tests/games/harbour",
    "tests/games/harbour+grand+town-subsidy+guild-rule",
    "tests/games/caravan",
    "tests/games/isles",
)


@pytest.mark.parametrize("word", [*WORDS, pytest.param("empires", marks=pytest.mark.soak)])
def test_both_engines_go_on_alike_from_every_step(word: str) -> None:
    book = rules(word).book
    stage, entered = ScenarioRunner(book), 0
    for step in Steps(book.checked).named:
        found = scenario(f"at: {{step: {step}}}", word)
        if run_scenario(stage, found).status == "passed":
            assert run_on_both(stage, found, beyond=25).message == "", step
            entered += 1
    assert entered
