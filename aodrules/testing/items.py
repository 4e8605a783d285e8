"""Scenarios and properties as tests of pytest."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from aodrules.arguments import RulesRequest
from aodrules.compose.library import is_known_game, parse_rules_word, shipped_games
from aodrules.errors import RulesError
from aodrules.rulebook import load
from aodrules.source.diagnostics import Report
from aodrules.source.disk import read_plain
from aodrules.source.rendering import format_report
from aodrules.source.shipped import shipped
from aodrules.syntax.documents import Document
from aodrules.syntax.tree import Mapping, Scalar, words
from aodrules.testing.examples import hold_in_examples
from aodrules.testing.exploring import Search, explore
from aodrules.testing.reports import result_lines
from aodrules.testing.scenario_runner import ScenarioRunner
from aodrules.testing.statements import Statement, documents_at, in_document
from aodrules.testing.suites import GAMES, Result, Suite, property_result, read_suite, scenario_result

_LEVELS = 2
"""How many folders around a file may hold the game it belongs to."""
_GAME = re.compile(r"^game:[ \t]*(?:#.*)?$|^game:[ \t]*\{", re.MULTILINE)


def rules_for_file(path: Path, statement: Statement, default: str | None = None) -> RulesRequest | None:
    """Return with which rules a statement goes: as it says itself, as its document does, or the default."""
    report = Report()
    document = next(iter(documents_at([path], report)), None)
    rules_asked = None if document is None else _rules_of_document(path, document, default)
    rules = statement.body.get("rules")
    if isinstance(rules, Scalar):
        return parse_rules_word(rules.text)
    return rules_asked if rules_asked is None else _refine(rules_asked, rules, statement)


def _refine(rules_asked: RulesRequest, rules: object, statement: Statement) -> RulesRequest:
    """Return the rules of a document with the edition and variants that a statement asks for."""
    more: list[str] = [name for name in words(statement.body.get("with")) if name not in rules_asked.variants]
    if isinstance(rules, Mapping):
        game, edition = rules.get("game"), rules.get("edition")
        if isinstance(game, Scalar):
            rules_asked = rules_asked._replace(base=game.text)
        if isinstance(edition, Scalar):
            more.insert(0, edition.text)
        more += [name for name in words(rules.get("variants")) if not _is_among(name, rules_asked)]
    return rules_asked._replace(variants=(*rules_asked.variants, *dict.fromkeys(more)))


def _is_among(name: str, rules_asked: RulesRequest) -> bool:
    """Whether a variant is one of those already, by its name or by a file that bears it."""
    return any(Path(each).stem == name or each == name for each in rules_asked.variants)


def _rules_of_document(path: Path, document: Document, default: str | None) -> RulesRequest | None:
    head = document.head
    if head is None:
        folder = game_folder(path)
        if folder is not None:
            return RulesRequest(folder.as_posix())
        return None if default is None else parse_rules_word(default)
    base = head.game.text if head.game is not None and is_known_game(head.game.text) else None
    folder = game_folder(path)
    found = base or (folder.as_posix() if folder is not None else None) or _base(default)
    if found is None:
        return None
    editions = [head.editions[0].text] if head.editions else []
    if head.kind == "edition":
        return RulesRequest(found, (head.name.text,)) if folder is not None else RulesRequest(path.as_posix())
    needed = [*editions, *(each.text for each in head.requires)]
    return RulesRequest(found, (*needed, path.as_posix()) if head.kind == "variant" else tuple(needed))


def _base(default: str | None) -> str | None:
    return None if default is None else parse_rules_word(default).base


def game_folder(path: Path) -> Path | None:
    """Return the file or folder of the game that a file belongs to: its own, or that of a folder around it."""
    if _declares_game(path):
        return _whole(path)
    for game in shipped_games():
        if path.absolute().is_relative_to(shipped("variants") / game):
            return shipped("content") / game
    for folder in list(path.absolute().parents)[:_LEVELS]:
        games = [each for each in sorted(folder.glob("*.y*ml")) if _declares_game(each)]
        if len(games) == 1:
            return _whole(games[0])
    return None


def _whole(path: Path) -> Path:
    """Return a file that is a whole game, or else its folder."""
    text = read_plain(path).decode("utf-8")
    is_whole = all(re.search(rf"^{word}:", text, re.MULTILINE) for word in ("state", "verb"))
    return path if is_whole else path.parent


def _declares_game(path: Path) -> bool:
    try:
        return _GAME.search(read_plain(path).decode("utf-8")) is not None
    except (OSError, ValueError):
        return False


def suite_at(rules_asked: RulesRequest, path: Path) -> Suite:
    """Return what rules are held to by a file, and by their own documents."""
    return read_suite(load(rules_asked.base, rules_asked.variants), [path])


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

    def _suite(self, rules_asked: RulesRequest | None) -> Suite:
        if rules_asked is None:
            raise StatementFailed(
                "it is not said with which rules: give `--aodrules-rules`, or `rules` in the scenario"
            )
        suites = self.config.stash.setdefault(SUITES, {})
        key = f"{rules_asked} {self.path}"
        if key not in suites:
            try:
                suites[key] = suite_at(rules_asked, self.path)
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
