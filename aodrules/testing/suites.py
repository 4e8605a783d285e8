"""Suites: all scenarios and properties that some rules are held to, read and run."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Sequence
from os import PathLike
from pathlib import Path
from typing import Literal, TypeVar

from attrs import define, evolve, field, frozen

from aodrules.arguments import check_number, check_path, check_seed, check_type
from aodrules.check.analyse.clauses import applies
from aodrules.compose.problems import duplicate_declaration
from aodrules.errors import RulesError
from aodrules.play.pipeline import Documents, check_documents
from aodrules.play.rules_context import RulesContext
from aodrules.rulebook import Rules
from aodrules.source.diagnostics import Diagnostic, Report
from aodrules.source.spans import Span
from aodrules.source.wording import count, quote
from aodrules.syntax.documents import Document
from aodrules.testing.exploring import Search, explore, hold_in_examples
from aodrules.testing.findings import Finding, make_finding
from aodrules.testing.properties import Property, PropertyReader
from aodrules.testing.scenario_runner import Outcome, ScenarioRunner, run_on_both, run_scenario, run_statement
from aodrules.testing.scenarios import Scenario, ScenarioReader
from aodrules.testing.statements import (
    LeftOut,
    Statement,
    Statements,
    documents_at,
    repeated_positions,
    statements_of,
    unknown_variants,
)

T = TypeVar("T")


@define(eq=False)
class NotApplicable:
    """Tells what is wrong on its own from what fits the rules as soon as variants that it does not know are away."""

    book: RulesContext
    _made: dict[tuple[str, ...], RulesContext | None] = field(factory=dict, init=False)
    """The rules with fewer variants; nothing where they do not load."""

    def is_interrupted(self, outcome: Outcome) -> bool:
        """Whether a scenario cannot be played as it is written, and could without variants that it does not know."""
        is_unplayed = outcome.status == "error" or outcome.is_interruption
        return is_unplayed and self.is_hindered(outcome.scenario.statement)

    def is_hindered(self, statement: Statement) -> bool:
        """Whether a statement, which does not go with these rules, does without variants that it does not know."""
        ruleset, unknown = self.book.ruleset, unknown_variants(statement, self.book.ruleset)
        if not unknown:
            return False
        fewer = tuple(name for name in ruleset.variants if name not in unknown)
        if fewer not in self._made:
            self._made[fewer] = recompose(self.book, ruleset.documents, fewer)
        base = self._made[fewer]
        return base is not None and _fits(base, statement)


def recompose(book: RulesContext, documents: Sequence[Document], variants: tuple[str, ...]) -> RulesContext | None:
    """Return rules of other documents or variants; nothing if they do not load."""
    try:
        made = check_documents(Documents(documents, book.ruleset.edition, variants), Report())
    except RulesError:
        return None
    return RulesContext(book.request, made)


def _fits(book: RulesContext, statement: Statement) -> bool:
    """Whether some rules can be held to a statement, whatever comes of it."""
    if statement.sort == "property":
        return PropertyReader(book).read(statement, Report()) is not None
    if statement.sort == "position":
        return ScenarioReader(book).read_position(statement, Report()) is not None
    outcome = run_statement(book, statement)
    return outcome is not None and outcome.status != "error" and not outcome.is_interruption


def read_fitting(
    statements: Iterable[Statement],
    read: Callable[[Statement, Report], T | None],
    not_applicable: NotApplicable,
    report: Report,
) -> tuple[tuple[T, ...], tuple[LeftOut, ...]]:
    """Return what can be read, and what is left out; all other problems are reported."""
    found, left_out = [], []
    told = {_place_and_words(each) for each in report}
    for statement in statements:
        mine = Report()
        one = read(statement, mine)
        wrong = next((each for each in mine if each.severity == "error"), None)
        if wrong is not None and not_applicable.is_hindered(statement):
            left_out.append(LeftOut(statement, f"it is not for these rules: {wrong.message}", "unfitting"))
            continue
        for problem in mine:
            # What is wrong with a position was told when it was read by itself.
            if _place_and_words(problem) not in told:
                report.add(problem)
        found += [] if one is None else [one]
    return tuple(found), tuple(left_out)


def _place_and_words(problem: Diagnostic) -> tuple[Span, str]:
    return problem.primary.span, problem.message


Status = Literal["passed", "failed", "error", "interrupted", "untested"]
GAMES = 20
MOST_GAMES = 10**9


@frozen(eq=False)
class Blame:
    """A variant that is the cause of a failure although it does not say that it overrides the clause."""

    variant: str
    span: Span
    clauses: tuple[str, ...]
    """The clause whose claim failed; if there are several, at least one of them, and nothing tells which."""


@frozen(eq=False)
class Origin:
    """The document from which something came that a scenario does not know, and where it stands there."""

    document: str
    kind: str
    """`game`, `module`, `edition` or `variant`."""
    span: Span

    def __str__(self) -> str:
        return f"{self.kind} `{self.document}` ({self.span})"


@frozen(eq=False)
class Result:
    """What came of one scenario or property.

    A property that had nothing to say in any game is `untested`.
    A scenario is `interrupted` if variants that it does not know keep it from being played as it is written: another
    question is asked, a step or an option is not there. Nothing that it claims is wrong then, and nothing is shown.
    """

    sort: Literal["scenario", "property"]
    id: str
    status: Status
    span: Span
    clauses: tuple[str, ...] = ()
    message: str = ""
    seconds: float = 0.0
    finding: Finding | None = None
    """For a broken property: the game that breaks it."""
    blame: tuple[Blame, ...] = ()
    origins: tuple[Origin, ...] = ()
    """For an interrupted scenario: what stood in its way, as far as that is known."""
    failed_clauses: tuple[str, ...] = ()
    """For a failed scenario: the clauses whose own claim failed, where it ties claims to clauses."""
    values: tuple[str, ...] = ()
    """For a broken property: what its names were worth then, in the part of it that does not hold."""

    @property
    def is_wrong(self) -> bool:
        """Whether it did not pass; what is interrupted or untested is not wrong."""
        return self.status in ("failed", "error")


@frozen(eq=False)
class Suite:
    """The scenarios and properties of some rules."""

    rules: Rules
    scenarios: tuple[Scenario, ...]
    properties: tuple[Property, ...]
    left_out: tuple[LeftOut, ...]
    problems: tuple[Diagnostic, ...]
    """What is wrong with the documents; such scenarios and properties are not run."""

    @property
    def is_partial(self) -> bool:
        """Whether only some of what speaks of the rules was asked for."""
        return any(each.group == "unasked" for each in self.left_out)

    @property
    def book(self) -> RulesContext:
        """What stands behind the rules."""
        return self.rules.book

    def check(self) -> None:
        """See that every document was understood.

        Raises:
            RulesError: One was not; it holds all problems.
        """
        if any(each.severity == "error" for each in self.problems):
            raise RulesError(Report(list(self.problems)))


@define(eq=False)
class Results:
    """What came of a suite."""

    suite: Suite
    results: list[Result] = field(factory=list)
    search: Search | None = None

    @property
    def left_out(self) -> tuple[LeftOut, ...]:
        """What was not tested, and why; scenarios that variants make impossible are among the interrupted."""
        return tuple(each for each in self.suite.left_out if not each.is_interrupted)

    @property
    def interrupted(self) -> list[Result]:
        """Scenarios that cannot be played as they are written because of variants that they do not know."""
        return [each for each in self.results if each.status == "interrupted"]

    @property
    def wrong(self) -> list[Result]:
        """Those that did not pass."""
        return [each for each in self.results if each.is_wrong]

    @property
    def is_fine(self) -> bool:
        """Whether everything passed and every document was understood."""
        return not self.wrong and not any(each.severity == "error" for each in self.suite.problems)


def read_suite(
    rules: Rules,
    paths: str | PathLike[str] | Iterable[str | PathLike[str]] = (),
    *,
    wanted: Callable[[Statement], bool] = lambda _: True,
) -> Suite:
    """Return the scenarios and properties that rules are held to, with those in some more files and folders.

    Args:
        rules: What is held to account.
        paths: Further files and folders with scenarios and properties.
        wanted: Whether a scenario or property is taken; all are if not given. `aodrules.testing.selecting` has some.

    Examples:
        >>> import aodrules
        >>> from aodrules.testing import read_suite, run_suite
        >>> suite = read_suite(aodrules.load("nim"))
        >>> [scenario.id for scenario in suite.scenarios]
        ['last-stone-wins']
        >>> run_suite(suite).is_fine
        True
    """
    check_type("`rules`", rules, Rules)
    if isinstance(paths, str | PathLike):
        paths = (paths,)
    report = Report()
    documents = documents_at([Path(check_path("a file", path)) for path in paths], report)
    for again, first in repeated_positions(rules.book.ruleset, documents):
        report.add(duplicate_declaration(f"position.{again.id}", again.span, first.span))
    return _suite(rules, statements_of(rules.book.ruleset, documents, wanted), report)


def _suite(rules: Rules, statements: Statements, report: Report) -> Suite:
    book, not_applicable = rules.book, NotApplicable(rules.book)
    reader = ScenarioReader(book)
    read_fitting(statements.positions, reader.read_position, not_applicable, report)
    scenarios, strange = read_fitting(statements.of("scenario"), reader.read, not_applicable, report)
    laws = statements.of("property")
    properties, stranger = read_fitting(laws, PropertyReader(book).read, not_applicable, report) if laws else ((), ())
    return Suite(rules, scenarios, properties, (*statements.left_out, *strange, *stranger), tuple(report))


def check_statements(book: RulesContext, report: Report, wanted: Callable[[Statement], bool] = lambda _: True) -> None:
    """Report what is wrong with the scenarios and properties of some rules, positions that do not balance included."""
    suite = _suite(Rules(book), statements_of(book.ruleset, wanted=wanted), report)
    runner, scenarios = ScenarioRunner(book), {each.statement.key: each for each in suite.scenarios}

    def enter(statement: Statement, mine: Report) -> None:
        runner.entry(scenarios[statement.key], mine)

    read_fitting([each.statement for each in suite.scenarios], enter, NotApplicable(book), report)


def run_suite(
    suite: Suite,
    *,
    games: int = 0,
    seed: int = 0,
    both_engines: bool = False,
    progress: Callable[[], None] = lambda: None,
) -> Results:
    """Run the scenarios of a suite and, where games are to be played, test its properties in them.

    Args:
        suite: What is run.
        games: In how many games the properties are tested; in none if not given.
        seed: Where the chance of the games begins.
        both_engines: Whether scenarios are run on generated code too, which must agree with the interpreter.
        progress: Is called after each scenario and each game.
    """
    check_type("a suite", suite, Suite)
    games, seed = check_number("the number of games", games, 0, MOST_GAMES), check_seed(seed)
    results = Results(suite)
    runner, not_applicable = ScenarioRunner(suite.book), NotApplicable(suite.book)
    for scenario in suite.scenarios:
        results.results.append(
            scenario_result(runner, scenario, both_engines=both_engines, not_applicable=not_applicable)
        )
        progress()
    results.results += [_unread(each) for each in suite.left_out if each.is_interrupted]
    if games and suite.properties:
        results.search = search_laws(suite, games, seed, progress)
        results.results += [property_result(suite, law, results.search) for law in suite.properties]
    return results


def search_laws(suite: Suite, games: int, seed: int = 0, progress: Callable[[], None] = lambda: None) -> Search:
    """Test the properties of a suite in so many games and in its scenarios."""
    search = explore(suite.book, suite.properties, games, seed, progress=progress)
    hold_in_examples(ScenarioRunner(suite.book), suite.scenarios, suite.properties, search)
    return search


def _unread(left_out: LeftOut) -> Result:
    """Return what came of a scenario that speaks of what variants took away."""
    statement = left_out.statement
    return Result("scenario", statement.id, "interrupted", statement.span, statement.clauses, left_out.why)


def scenario_result(
    runner: ScenarioRunner,
    scenario: Scenario,
    *,
    both_engines: bool = False,
    not_applicable: NotApplicable | None = None,
) -> Result:
    """Run one scenario."""
    began = time.perf_counter()
    outcome = run_scenario(runner, scenario)
    if both_engines and outcome.status == "passed":
        outcome = run_on_both(runner, scenario)
    result = Result(
        "scenario",
        scenario.id,
        outcome.status,
        outcome.span or scenario.statement.span,
        scenario.clauses,
        outcome.message,
        time.perf_counter() - began,
        failed_clauses=outcome.clauses,
    )
    if (not_applicable or NotApplicable(runner.book)).is_interrupted(outcome):
        return evolve(result, status="interrupted", message=_in_short(result), origins=_origins(runner, outcome))
    return result


def _in_short(result: Result) -> str:
    """Return what is wrong in one line, without the code of a diagnostic."""
    return re.sub(r"^error\[[^\]]*\]: ", "", result.message.partition("\n")[0])


def _origins(runner: ScenarioRunner, outcome: Outcome) -> tuple[Origin, ...]:
    """Return what stood in the way of a scenario, if it is a rule of a variant that the scenario does not know."""
    if outcome.origin is None:
        return ()
    layer, kind = runner.book.layer_of(outcome.origin)
    known = unknown_variants(outcome.scenario.statement, runner.book.ruleset)
    return (Origin(layer, kind, outcome.origin),) if layer in known else ()


def property_result(suite: Suite, law: Property, search: Search) -> Result:
    """Return what a search found out about one property; if it broke, with a short game."""
    tested = search.tested[law.id]
    status: Status = "passed" if tested else "untested"
    result = Result("property", law.id, status, law.span, law.clauses, f"tested {count(tested, 'time')}")
    played, example = search.broken.get(law.id), search.broken_examples.get(law.id)
    if played is None:
        if example is None:
            return result
        message, values = f"it does not hold in scenario {quote(example)}", search.example_values[law.id]
        return evolve(result, status="failed", message=message, values=values)
    began = time.perf_counter()
    finding = make_finding(suite.book, law, played)
    message = f"it does not hold after {count(finding.actions, 'action')}"
    took = time.perf_counter() - began
    return evolve(result, status="failed", message=message, finding=finding, values=finding.values, seconds=took)


def unshown_clauses(results: Results) -> tuple[str, ...]:
    """Return the clauses that are said to hold and that no scenario or property shows because of variants.

    What speaks of them was interrupted, or left out because of another clause that it speaks of too.
    """
    suite = results.suite
    if suite.is_partial:
        return ()
    book = suite.book
    ran = [each.clauses for each in results.results if each.status != "interrupted"]
    shown = {clause for clauses in (*ran, *(law.clauses for law in suite.properties)) for clause in clauses}
    out = [each.statement.clauses for each in suite.left_out if each.is_overridden or each.group == "unfitting"]
    lost = {clause for clauses in (*out, *(each.clauses for each in results.interrupted)) for clause in clauses}
    return tuple(
        id_
        for id_, body in book.clauses.items()
        if id_ in lost - shown and id_ not in book.ruleset.overrides and applies(body, book.ruleset)
    )
