"""Rules and suites for the tests of `aodrules.testing`, from files and from texts."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import aodrules
from aodrules import Rules
from aodrules.source.diagnostics import Report
from aodrules.source.spans import Source
from aodrules.syntax.from_source import read
from aodrules.testing.properties import Property, PropertyReader
from aodrules.testing.scenario_runner import Outcome, ScenarioRunner, run_scenario
from aodrules.testing.scenarios import Scenario, ScenarioReader
from aodrules.testing.statements import Statement, in_document

HARBOUR = "tests/games/harbour"
NIM = "tests/games/nim.yaml"


@cache
def rules(word: str = HARBOUR) -> Rules:
    base, *variants = word.split("+")
    return aodrules.load(base, variants, cache=False)


def statements(text: str) -> list[Statement]:
    report = Report()
    document = read(Source("test.yaml", text), report)
    assert document is not None
    assert list(report) == []
    return list(in_document(document))


def scenario(text: str, word: str = HARBOUR) -> Scenario:
    """Return the scenario whose body a text is."""
    report, book = Report(), rules(word).book
    (statement,) = statements(f"scenario:\n  tried:\n{_indented(text)}")
    found = ScenarioReader(book).read(statement, report)
    assert list(report) == []
    assert found is not None
    return found


def outcome(text: str, word: str = HARBOUR) -> Outcome:
    return run_scenario(ScenarioRunner(rules(word).book), scenario(text, word))


def law(text: str, word: str = HARBOUR) -> Property:
    """Return the property whose body a text is."""
    report = Report()
    (statement,) = statements(f"property:\n  tried:\n{_indented(text)}")
    found = PropertyReader(rules(word).book).read(statement, report)
    assert list(report) == []
    assert found is not None
    return found


def _indented(text: str) -> str:
    return "".join(f"    {line}\n" for line in text.strip().splitlines())


def written(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path
