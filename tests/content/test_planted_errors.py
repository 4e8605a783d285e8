"""Ten errors planted in copies of the rules are found, each with a short game or example that can be played again."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from attrs import frozen

import aodrules
from aodrules.testing import Suite, read_suite
from aodrules.testing.exploring import follower
from aodrules.testing.findings import Finding, make_finding
from aodrules.testing.playing import Line, PlayedGame, play
from aodrules.testing.properties import Property
from aodrules.testing.scenario_runner import Outcome, ScenarioRunner, run_scenario
from tests.content.compositions import rules_of
from tests.content.wrong_copies import WrongCopy
from tests.sampling import sampled

_PLANTED = Path(__file__).with_name("planted_errors.yaml")
MOST_ACTIONS = 40
"""As long as a record may be that people are to read."""
SEARCH = 600
"""How many actions are played to make a game shorter."""


@frozen
class Planted:
    """An error in a copy of the rules, and the example or law that notices."""

    kind: str
    copy: WrongCopy
    scenario: str | None
    property: str | None
    line: Line | None


@cache
def planted() -> tuple[Planted, ...]:
    """Return all planted errors."""
    listed: list[dict[str, Any]] = yaml.safe_load(_PLANTED.read_text(encoding="utf-8"))
    return tuple(
        Planted(
            each["kind"],
            WrongCopy(each["rules"], each["edits"], ()),
            each.get("scenario"),
            each.get("property"),
            Line(**each["game"]) if "game" in each else None,
        )
        for each in listed
    )


def _wrong(copy: WrongCopy, folder: Path) -> Suite:
    path = folder / "wrong-copy.yaml"
    path.write_text(copy.document(), encoding="utf-8")
    base, *variants = copy.rules.split("+")
    return read_suite(aodrules.load(base, [*variants, path], cache=False))


def _right(copy: WrongCopy) -> Suite:
    base, *variants = copy.rules.split("+")
    return read_suite(rules_of(base, tuple(variants)))


def _law(suite: Suite, name: str) -> Property:
    return next(law for law in suite.properties if law.id == name)


def _outcome(suite: Suite, name: str) -> Outcome:
    return run_scenario(ScenarioRunner(suite.book), next(each for each in suite.scenarios if each.id == name))


def _again(suite: Suite, law: Property, finding: Finding) -> PlayedGame:
    """Play the answers of a finding as far as they fit."""
    assert finding.line is not None
    choose = follower(suite.book, finding.line, zip(finding.asked, finding.answers, strict=True))
    return play(suite.book, finding.line, [law], choose=choose, most=finding.actions)


def test_the_ten_errors_are_of_ten_kinds() -> None:
    assert len({each.kind for each in planted()}) == len(planted()) == 10


@pytest.mark.parametrize("error", [each for each in planted() if each.scenario], ids=lambda each: each.kind)
def test_an_example_notices(error: Planted, tmp_path: Path) -> None:
    assert error.scenario is not None
    wrong = _wrong(error.copy, tmp_path)
    first, again = (_outcome(wrong, error.scenario) for _ in range(2))
    assert first.status == "failed"
    assert (again.status, again.message) == (first.status, first.message)
    assert len(first.scenario.when) <= MOST_ACTIONS
    assert _outcome(_right(error.copy), error.scenario).status == "passed"


@pytest.mark.parametrize("error", sampled((each for each in planted() if each.property), 2), ids=lambda each: each.kind)
def test_a_law_notices_and_its_record_is_short_and_replays(error: Planted, tmp_path: Path) -> None:
    assert error.property is not None
    assert error.line is not None
    wrong, right = _wrong(error.copy, tmp_path), _right(error.copy)
    law = _law(wrong, error.property)
    finding = make_finding(wrong.book, law, play(wrong.book, error.line, [law]), SEARCH)
    assert finding.actions <= MOST_ACTIONS
    game = aodrules.replay(finding.record, rules=wrong.rules)
    assert len(game.view(game.players[0]).played) == finding.actions
    assert [breach.law.id for breach in _again(wrong, law, finding).breaches] == [error.property]
    assert _again(right, _law(right, error.property), finding).breaches == []
