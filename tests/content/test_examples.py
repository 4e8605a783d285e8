"""Every worked example of the rulebooks is a scenario, and every scenario is about clauses that exist."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import yaml

from aodrules.source.shipped import shipped

_DIGEST = Path(__file__).with_name("example_digest.yaml")


def _read(path: Path) -> dict[str, Any]:
    document: dict[str, Any] = yaml.safe_load(path.read_text(encoding="utf-8"))
    return document


@cache
def _declared(folder: str, kind: str) -> dict[str, dict[str, Any]]:
    paths = sorted((shipped("content") / "aod" / folder).rglob("*.yaml"))
    return {name: body for path in paths for name, body in _read(path).get(kind, {}).items()}


def test_the_29_worked_examples_are_scenarios() -> None:
    examples, scenarios = _read(_DIGEST), _declared("scenarios", "scenario")
    assert list(examples) == [f"E{number:02}" for number in range(1, 30)]
    assert [name for names in examples.values() for name in names if name not in scenarios] == []


def test_every_scenario_is_about_clauses_that_exist() -> None:
    clauses = _declared("clauses", "clause")
    cited = {name: _cited(body) for name, body in _declared("scenarios", "scenario").items()}
    assert [name for name, found in cited.items() if not found or any(each not in clauses for each in found)] == []


def _cited(scenario: dict[str, Any]) -> list[str]:
    refusals = [refusal["clause"] for refusal in scenario.get("refused", []) if "clause" in refusal]
    return [*scenario.get("clauses", []), *refusals]
