"""The pytest plugin: collects scenarios and properties from any YAML file that holds some. No Python is needed.

A file says with which rules: by `rules` of a scenario, by being a variant of a game or a part of one, or else by the
option `--aodrules-rules` or the setting `aodrules_rules`.
"""

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
from aodrules.testing.exploring import Search
from aodrules.testing.reports import result_lines
from aodrules.testing.scenario_runner import ScenarioRunner
from aodrules.testing.statements import Statement, documents_at, holds_statements, in_document
from aodrules.testing.suites import GAMES, Result, Suite, property_result, read_suite, scenario_result, search_laws

_LEVELS = 2
"""How many folders around a file may hold the game it belongs to."""
_GAME = re.compile(r"^game:[ \t]*(?:#.*)?$|^game:[ \t]*\{", re.MULTILINE)
_SUITES = pytest.StashKey[dict[str, Suite]]()
"""What was loaded for the files of a run."""
_SEARCHES = pytest.StashKey[dict[int, Search]]()
"""What was found out about the properties of each suite."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options of the plugin."""
    group = parser.getgroup("aodrules", "scenarios and properties of board games")
    group.addoption("--aodrules-rules", metavar="RULES", help="the rules of YAML files that do not name theirs")
    group.addoption("--aodrules-games", type=int, metavar="N", help="in how many games each property is tested")
    parser.addini("aodrules_rules", "the rules of YAML files that do not name theirs")
    parser.addini("aodrules_games", "in how many games each property is tested")


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Collect a YAML file if it holds scenarios or properties."""
    if file_path.suffix not in (".yaml", ".yml") or not holds_statements(_text(file_path)):
        return None
    return StatementFile.from_parent(parent, path=file_path)


def _text(path: Path) -> str:
    try:
        return read_plain(path).decode("utf-8")
    except (OSError, ValueError):
        return ""


# With which rules a file goes.


def _rules_for(path: Path, document: Document, statement: Statement, default: str | None) -> RulesRequest | None:
    """Return with which rules a statement goes: as it says itself, as its document does, or the default."""
    rules = statement.body.get("rules")
    if isinstance(rules, Scalar):
        return parse_rules_word(rules.text)
    rules_asked = _rules_of_document(path, document, None if default is None else parse_rules_word(default))
    return None if rules_asked is None else _refine(rules_asked, rules, statement)


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


def _rules_of_document(path: Path, document: Document, default: RulesRequest | None) -> RulesRequest | None:
    head, folder = document.head, _game_folder(path)
    around = default if folder is None else RulesRequest(folder.as_posix())
    if head is None:
        return around
    base = head.game.text if head.game is not None and is_known_game(head.game.text) else None
    found = base or (None if around is None else around.base)
    if found is None:
        return None
    editions = [head.editions[0].text] if head.editions else []
    if head.kind == "edition":
        return RulesRequest(found, (head.name.text,)) if folder is not None else RulesRequest(path.as_posix())
    needed = [*editions, *(each.text for each in head.requires)]
    return RulesRequest(found, (*needed, path.as_posix()) if head.kind == "variant" else tuple(needed))


def _game_folder(path: Path) -> Path | None:
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
    return _GAME.search(_text(path)) is not None


class StatementFile(pytest.File):
    """A YAML file with scenarios or properties."""

    def collect(self) -> Iterator[StatementItem]:
        """Return an item for each statement; with which rules it goes is found when it is run."""
        report = Report()
        documents = documents_at([self.path], report)
        if report.has_errors:
            raise self.CollectError(format_report(report))
        for document in documents:
            for each in in_document(document):
                name = f"{each.sort}: {each.id}"
                yield StatementItem.from_parent(self, name=name, statement=each, document=document)


class StatementItem(pytest.Item):
    """One scenario or property."""

    def __init__(self, *, statement: Statement, document: Document, **more: object) -> None:
        super().__init__(**more)  # type: ignore[arg-type]  # what pytest passes on
        self.statement = statement
        self.document = document

    def runtest(self) -> None:
        """Run it with its rules."""
        suite = self._suite(_rules_for(self.path, self.document, self.statement, self._setting("rules")))
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

    def _setting(self, name: str) -> str | None:
        said = self.config.getoption(f"--aodrules-{name}") or self.config.getini(f"aodrules_{name}")
        return str(said) if said else None

    def _suite(self, rules_asked: RulesRequest | None) -> Suite:
        if rules_asked is None:
            raise StatementFailed(
                "it is not said with which rules: give `--aodrules-rules`, or `rules` in the scenario"
            )
        suites = self.config.stash.setdefault(_SUITES, {})
        key = f"{rules_asked} {self.path}"
        if key not in suites:
            try:
                suites[key] = read_suite(load(rules_asked.base, rules_asked.variants), [self.path])
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
        searches = self.config.stash.setdefault(_SEARCHES, {})
        if id(suite) not in searches:
            searches[id(suite)] = search_laws(suite, int(self._setting("games") or GAMES))
        return searches[id(suite)]

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
