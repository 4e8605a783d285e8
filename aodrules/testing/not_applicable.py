"""Statements that only variants made impossible: they are not for these rules, and nothing is wrong with them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

from attrs import define, field

from aodrules.errors import RulesError
from aodrules.play.pipeline import Documents, check_documents
from aodrules.play.rules_context import RulesContext
from aodrules.source.diagnostics import Report
from aodrules.testing.entries import Steps
from aodrules.testing.properties import PropertyReader
from aodrules.testing.scenario_runner import Outcome, ScenarioRunner, run_scenario
from aodrules.testing.scenarios import ScenarioReader
from aodrules.testing.statements import LeftOut, Statement, unknown_variants

T = TypeVar("T")


@define(eq=False)
class NotApplicable:
    """Tells what is wrong on its own from what fits the rules as soon as variants that it does not know are away."""

    book: RulesContext
    _made: dict[tuple[str, ...], RulesContext | None] = field(factory=dict, init=False)

    def left_out(self, statement: Statement, told: str) -> LeftOut | None:
        """Return that something is left out which cannot be read or entered; nothing if variants are not the cause.

        Args:
            statement: The scenario or property.
            told: What is wrong with it in these rules.
        """
        if not self._is_hindered(statement):
            return None
        return LeftOut(statement, f"it is not for these rules: {told}", "unfitting")

    def is_interrupted(self, outcome: Outcome) -> bool:
        """Whether a scenario cannot be played as it is written, and could without variants that it does not know."""
        if outcome.status != "error" and not outcome.is_interruption:
            return False
        return self._is_hindered(outcome.scenario.statement)

    def _is_hindered(self, statement: Statement) -> bool:
        """Whether a statement, which does not go with these rules, does without variants that it does not know."""
        unknown = unknown_variants(statement, self.book.ruleset)
        if not unknown:
            return False
        base = self._base(tuple(name for name in self.book.ruleset.variants if name not in unknown))
        return base is not None and _fits(base, statement)

    def _base(self, variants: tuple[str, ...]) -> RulesContext | None:
        """Return the rules with fewer variants; nothing if they do not load."""
        if variants not in self._made:
            self._made[variants] = self._make(variants)
        return self._made[variants]

    def _make(self, variants: tuple[str, ...]) -> RulesContext | None:
        ruleset = self.book.ruleset
        try:
            made = check_documents(Documents(ruleset.documents, ruleset.edition, variants), Report())
        except RulesError:
            return None
        return RulesContext(self.book.request, made)


def _fits(book: RulesContext, statement: Statement) -> bool:
    """Whether some rules can be held to a statement, whatever comes of it."""
    if statement.sort == "property":
        return PropertyReader(book).read(statement, Report()) is not None
    found = _outcome(book, statement)
    return found is not None and found.status != "error" and not found.is_interruption


def _outcome(book: RulesContext, statement: Statement) -> Outcome | None:
    scenario = ScenarioReader(book, Steps(book.checked)).read(statement, Report())
    return None if scenario is None else run_scenario(ScenarioRunner(book), scenario)


def read_fitting(
    statements: Iterable[Statement],
    read: Callable[[Statement, Report], T | None],
    unfitting: NotApplicable,
    report: Report,
) -> tuple[tuple[T, ...], tuple[LeftOut, ...]]:
    """Return what can be read, and what is left out; all other problems are reported."""
    found, left_out = [], []
    for statement in statements:
        mine = Report()
        one = read(statement, mine)
        out = unfitting.left_out(statement, mine.errors[0].message) if mine.has_errors else None
        if out is not None:
            left_out.append(out)
            continue
        for problem in mine:
            report.add(problem)
        found += [] if one is None else [one]
    return tuple(found), tuple(left_out)
