"""Which line of which variant breaks a clause without saying so: found by leaving out one edit after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

from attrs import define, evolve, field, frozen

from aodrules.check.analyse.clauses import applies
from aodrules.compose.ruleset import OriginEntry
from aodrules.play.rules_context import RulesContext
from aodrules.source.diagnostics import Report
from aodrules.source.spans import Span
from aodrules.syntax.documents import Document, Edits, Head
from aodrules.syntax.tree import Entry, Mapping, Sequence
from aodrules.testing.exploring import Search, explore, follower, hold_in_examples
from aodrules.testing.findings import Finding
from aodrules.testing.playing import play
from aodrules.testing.properties import PropertyReader
from aodrules.testing.scenario_runner import ScenarioRunner, run_statement
from aodrules.testing.scenarios import ScenarioReader
from aodrules.testing.statements import Statement
from aodrules.testing.suites import Blame, Origin, Result, Results, recompose

_GAMES = 8
"""How many more games must not break a law before an edit is blamed for it."""
Test: TypeAlias = Callable[[RulesContext], bool]
"""Tells whether a statement still fails with other rules."""


def with_blame(results: Results) -> Results:
    """Return the results in which each failure names the lines of variants that are its cause.

    Interrupted scenarios name the variants that stand in their way; nobody is blamed for those.
    """
    documents = results.suite.book.ruleset.documents
    variants = [(each, each.head) for each in documents if each.head is not None and each.head.kind == "variant"]
    if variants:
        search = _BlameSearch(results, variants)
        results.results = [search.trace(each) for each in results.results]
    return results


@frozen(eq=False)
class _LeftOutEdit:
    """A document with one of its edits left out, and where that edit stands."""

    document: Document
    span: Span
    end: Span
    """What the edit ends with."""

    def holds(self, entry: OriginEntry) -> bool:
        """Whether it is this edit that had a hand in something."""
        begin, end = (self.span.line, self.span.column), (self.end.end_line, self.end.end_column)
        return entry.span.path == self.span.path and begin <= (entry.span.line, entry.span.column) < end


@define(eq=False)
class _BlameSearch:
    """Looks for the variants, and the edits in them, without which a failure goes away."""

    results: Results
    variants: list[tuple[Document, Head]]
    _made: dict[Span, RulesContext | None] = field(factory=dict, init=False)
    """The rules without something, by where that stands; nothing where they do not load."""

    @property
    def _book(self) -> RulesContext:
        return self.results.suite.book

    def trace(self, result: Result) -> Result:
        """Return a result with its causes."""
        if result.status == "interrupted" and not result.origins:
            causes = (head for _, head, _ in self._causes(result))
            return evolve(result, origins=tuple(Origin(each.name.text, each.kind, each.name.span) for each in causes))
        if not result.is_wrong:
            return result
        found = list(self._guilty_edits(result))
        blame = tuple(each for each in found if isinstance(each, Blame))
        if blame or not found:
            return evolve(result, blame=blame)
        origins = tuple(each for each in found if isinstance(each, Origin))
        message = f"{result.message.partition(chr(10))[0]}, which follows from what is overridden"
        return evolve(result, status="interrupted", message=message, origins=origins)

    def _causes(self, result: Result) -> Iterator[tuple[Document, Head, Test]]:
        """Iterate over the variants without which a statement passes, each with what tells that."""
        found = _test_of(self.results, result)
        if found is None:
            return
        statement, still_fails = found
        for variant, head in self.variants:
            if statement.span.path != variant.source.path:
                without = evolve(variant, edits=Edits())
                if self._is_cured(variant, without, head.name.span, still_fails):
                    yield variant, head, still_fails

    def _is_cured(self, old: Document, new: Document, mark: Span, still_fails: Test) -> bool:
        """Whether a failure goes away when a document is replaced by another."""
        if mark not in self._made:
            ruleset = self._book.ruleset
            documents = tuple(new if each is old else each for each in ruleset.documents)
            self._made[mark] = recompose(self._book, documents, ruleset.variants)
        book = self._made[mark]
        return book is not None and not still_fails(book)

    def _guilty_edits(self, result: Result) -> Iterator[Blame | Origin]:
        """Iterate over the edits that are the cause of a failure: those that are to blame, and those that say so."""
        for variant, head, still_fails in self._causes(result):
            edits = _leave_out_edits(variant)
            guilty = [edit for edit in edits if self._is_cured(variant, edit.document, edit.span, still_fails)]
            for edit in guilty:
                yield self._blame_edit(result, head, edit)
            if not guilty:
                yield Blame(head.name.text, head.name.span, result.failed_clauses or result.clauses)

    def _blame_edit(self, result: Result, head: Head, edit: _LeftOutEdit) -> Blame | Origin:
        """Return what an edit that is the cause of a failure is blamed for.

        What it does not touch it can hardly break. So an example that speaks of nothing that it touches may fail
        because of what it does touch, and if the variant says that it overrides that, there is nothing to blame it for.
        """
        ruleset, claimed = self._book.ruleset, result.failed_clauses or result.clauses
        origins = [each for each in ruleset.origins if edit.holds(each)]
        touched = dict.fromkeys(each for entry in origins for each in entry.clauses)
        own = tuple(each for each in claimed if each in touched)
        if not own and result.sort == "scenario" and any(each.text in touched for each in head.overrides):
            return Origin(head.name.text, head.kind, edit.span)
        known = self._book.clauses if any(entry.action in ("change", "remove", "effect") for entry in origins) else {}
        changed = tuple(each for each in touched if each in known and applies(known[each], ruleset))
        return Blame(head.name.text, edit.span, own or (*claimed, *changed))


def _test_of(results: Results, result: Result) -> tuple[Statement, Test] | None:
    """Return the statement that failed, and what tells whether it still fails with other rules."""
    suite = results.suite
    if result.sort == "scenario":
        unread = [each.statement for each in suite.left_out if each.is_interrupted]
        statements = [*(each.statement for each in suite.scenarios), *unread]
        mine = next((each for each in statements if each.id == result.id), None)
        return None if mine is None else (mine, lambda book: _scenario_fails(book, mine))
    law = next((each.statement for each in suite.properties if each.id == result.id), None)
    if law is None:
        return None
    shown = None if results.search is None else results.search.broken_examples.get(result.id)
    example = next((each.statement for each in suite.scenarios if each.id == shown), None)
    if result.finding is None and example is not None:
        return law, lambda book: _example_fails(book, law, example)
    return law, lambda book: _property_fails(book, law, result.finding)


def _scenario_fails(book: RulesContext, statement: Statement) -> bool:
    outcome = run_statement(book, statement)
    return outcome is None or outcome.status != "passed"


def _example_fails(book: RulesContext, statement: Statement, example: Statement) -> bool:
    """Whether a law still breaks in the scenario in which it broke."""
    law = PropertyReader(book).read(statement, Report())
    scenario = ScenarioReader(book).read(example, Report())
    if law is None or scenario is None:
        return True
    search = Search()
    hold_in_examples(ScenarioRunner(book), [scenario], [law], search)
    return bool(search.broken_examples)


def _property_fails(book: RulesContext, statement: Statement, finding: Finding | None) -> bool:
    law = PropertyReader(book).read(statement, Report())
    if law is None or finding is None or finding.line is None:
        return True
    choose = follower(book, finding.line, zip(finding.asked, finding.answers, strict=True))
    again = play(book, finding.line, [law], choose=choose)
    return bool(again.breaches) or bool(explore(book, [law], _GAMES).broken)


def _leave_out_edits(document: Document) -> Iterator[_LeftOutEdit]:
    """Iterate over a document with each of its edits left out in turn."""
    edits = document.edits
    for name, group in (("add", edits.add), ("change", edits.change), ("effects", edits.effects)):
        for less, entry in _leave_out_entries(group) if group is not None else ():
            # Edits without an effect are errors, so a group that became empty goes too.
            rest: dict[str, Any] = {name: less if len(less) else None}
            yield _LeftOutEdit(evolve(document, edits=evolve(edits, **rest)), entry.key.span, entry.value.span)
    if isinstance(edits.remove, Sequence):
        for item in edits.remove:
            kept = Sequence(edits.remove.span, tuple(each for each in edits.remove if each is not item))
            yield _LeftOutEdit(evolve(document, edits=evolve(edits, remove=kept)), item.span, item.span)
    for insertion in edits.insert:
        others = tuple(each for each in edits.insert if each is not insertion)
        yield _LeftOutEdit(evolve(document, edits=evolve(edits, insert=others)), insertion.span, insertion.span)
    for move in edits.move:
        rest_ = tuple(each for each in edits.move if each is not move)
        yield _LeftOutEdit(evolve(document, edits=evolve(edits, move=rest_)), move.span, move.span)


def _leave_out_entries(group: Mapping) -> Iterator[tuple[Mapping, Entry]]:
    """Iterate over a group of edits without each of its entries, or without each entry of those that only nest."""
    for entry in group:
        inner = entry.value
        if (
            "." not in entry.name
            and isinstance(inner, Mapping)
            and len(inner) > 1
            and all(isinstance(each.value, Mapping) for each in inner)
        ):
            for less, left_out in _leave_out_entries(inner):
                yield group.with_entry(evolve(entry, value=less)), left_out
        else:
            yield group.without(entry.name), entry
