"""Scenarios and properties as tests of pytest."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from aodrules.errors import RulesError
from aodrules.source.diagnostics import Report
from aodrules.source.rendering import format_report
from aodrules.testing.examples import hold_in_examples
from aodrules.testing.exploring import Search, explore
from aodrules.testing.reports import result_lines
from aodrules.testing.rules_for_file import RulesForFile, rules_for_file, suite_at
from aodrules.testing.scenario_runner import ScenarioRunner
from aodrules.testing.statements import Statement, documents_at, in_document
from aodrules.testing.suites import GAMES, Result, Suite, property_result, scenario_result

SUITES = pytest.StashKey[dict[str, Suite]]()
"""What was loaded for the files of a run."""
SEARCHES = pytest.StashKey[dict[int, Search]]()
"""What was found out about the properties of each suite."""


class StatementFile(pytest.File):
    """A YAML file with scenarios or properties."""

    def collect(self) -> Iterator[StatementItem]:
        """Return an item for each statement; with which rules it goes is found when it is run."""
        report = Report()
        documents = documents_at([self.path], report)
        if report.has_errors:
            raise self.CollectError(format_report(report))
        for document in documents:
            for statement in in_document(document):
                yield StatementItem.from_parent(self, name=f"{statement.sort}: {statement.id}", statement=statement)


class StatementItem(pytest.Item):
    """One scenario or property."""

    def __init__(self, *, statement: Statement, **more: object) -> None:
        super().__init__(**more)  # type: ignore[arg-type]  # what pytest passes on
        self.statement = statement

    def runtest(self) -> None:
        """Run it with its rules."""
        suite = self._suite(rules_for_file(self.path, self.statement, self._default()))
        why = next((each.why for each in suite.left_out if _same(each.statement, self.statement)), None)
        if why is not None:
            pytest.skip(why)
        problems = Report([each for each in suite.problems if each.path == self.statement.span.path])
        result = self._result(suite)
        if result is None:
            raise StatementFailed(format_report(problems) or "it was not understood")
        if result.status == "interrupted":
            pytest.skip(f"it cannot be played as written: {result.message}")
        if result.is_wrong:
            raise StatementFailed("\n".join(result_lines(result)))

    def _default(self) -> str | None:
        said = self.config.getoption("--aodrules-rules") or self.config.getini("aodrules_rules")
        return str(said) if said else None

    def _suite(self, home: RulesForFile | None) -> Suite:
        if home is None:
            raise StatementFailed(
                "it is not said with which rules: give `--aodrules-rules`, or `rules` in the scenario"
            )
        suites = self.config.stash.setdefault(SUITES, {})
        key = f"{home} {self.path}"
        if key not in suites:
            try:
                suites[key] = suite_at(home, self.path)
            except RulesError as wrong:
                raise StatementFailed(str(wrong)) from None
        return suites[key]

    def _result(self, suite: Suite) -> Result | None:
        for scenario in suite.scenarios:
            if _same(scenario.statement, self.statement):
                return scenario_result(ScenarioRunner(suite.book), scenario)
        for law in suite.properties:
            if _same(law.statement, self.statement):
                return property_result(suite, law, self._search(suite))
        return None

    def _search(self, suite: Suite) -> Search:
        """Test all properties of a suite in the same games, once in a run."""
        searches = self.config.stash.setdefault(SEARCHES, {})
        if id(suite) not in searches:
            search = searches[id(suite)] = explore(suite.book, suite.properties, self._games())
            hold_in_examples(ScenarioRunner(suite.book), suite.scenarios, suite.properties, search)
        return searches[id(suite)]

    def _games(self) -> int:
        said = self.config.getoption("--aodrules-games") or self.config.getini("aodrules_games")
        return int(said) if said else GAMES

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Return what went wrong, without a traceback: the mistake is in no program."""
        if isinstance(excinfo.value, StatementFailed):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        """Return where it stands."""
        return self.path, self.statement.span.line - 1, self.name


class StatementFailed(Exception):  # noqa: N818 - the failure of a test
    """A scenario or property that did not pass."""


def _same(one: Statement, other: Statement) -> bool:
    return one.sort == other.sort and one.id == other.id and one.span.line == other.span.line
