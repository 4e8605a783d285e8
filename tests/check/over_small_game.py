"""Rules written over the small game of the golden cases, and what the analyses say about them."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

from attrs import frozen

from aodrules.check.analyse.calls import CallGraph, call_graph
from aodrules.check.analyse.interval_analysis import Ranges, ranges
from aodrules.check.checked import CheckedRules
from aodrules.check.from_ruleset import check
from aodrules.compose.from_documents import compose
from aodrules.compose.ruleset import Ruleset
from aodrules.source.diagnostics import Report
from aodrules.source.spans import Source
from aodrules.syntax.from_source import read
from tests.compose.texts import names_in

SMALL_GAME = (Path(__file__).parent.parent / "diagnostics" / "small_game.yaml").read_text(encoding="utf-8")


@frozen(eq=False)
class Checked:
    """Rules, what they were made of, and what was said about them."""

    rules: CheckedRules
    ruleset: Ruleset
    report: Report

    @property
    def codes(self) -> list[str]:
        return [each.code for each in self.report]

    @property
    def graph(self) -> CallGraph:
        return call_graph(self.rules, Report())

    @property
    def ranges(self) -> Ranges:
        return ranges(self.rules, self.graph, Report())


def checked(*texts: str) -> Checked:
    """Return the rules of some documents, checked."""
    report = Report()
    sources = [Source(f"{number}.yaml", dedent(text).strip() + "\n") for number, text in enumerate(texts)]
    documents = [each for each in (read(source, report) for source in sources) if each is not None]
    ruleset = compose(documents, *names_in(documents), report)
    return Checked(check(ruleset, report), ruleset, report)


def over(*texts: str) -> Checked:
    """Return the small game with some documents added, checked."""
    return checked(*texts, SMALL_GAME)


def codes(*texts: str) -> list[str]:
    """Return the codes of what is wrong with the small game and some documents added."""
    return over(*texts).codes
