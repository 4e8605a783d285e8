"""Which line of which variant breaks a clause without saying so: found by leaving out one edit after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

from attrs import define, evolve, field, frozen

from aodrules.check.analyse.clauses import applies
from aodrules.compose.ruleset import OriginEntry
from aodrules.play.rules_context import RulesContext
from aodrules.source.diagnostics import Report
from aodrules.source.spans import Span
from aodrules.syntax.documents import Document, Edits
from aodrules.syntax.tree import Entry, Mapping, Sequence
from aodrules.testing.exploring import Search, explore, follower, hold_in_examples
from aodrules.testing.playing import play
from aodrules.testing.properties import PropertyReader
from aodrules.testing.scenario_runner import ScenarioRunner, run_statement
from aodrules.testing.scenarios import ScenarioReader
from aodrules.testing.statements import Statement
from aodrules.testing.suites import Blame, Origin, Result, Results, recompose

_GAMES = 8
"""How many more games must not break a law before an edit is blamed for it."""
_GROUPS = ("add", "change", "effects")
Test: TypeAlias = Callable[[RulesContext], bool]
"""Tells whether a statement still fails with other rules."""


@frozen(eq=False)
class _LeftOutEdit:
    """A document with one of its edits left out, and where that edit stands."""

    document: Document
    span: Span
    end: Span
    """What the edit ends with."""

    def holds(self, touch: OriginEntry) -> bool:
        """Whether it is this edit that had a hand in something."""
        begin, end = (self.span.line, self.span.column), (self.end.end_line, self.end.end_column)
        return touch.span.path == self.span.path and begin <= (touch.span.line, touch.span.column) < end


@define(eq=False)
class _BlameSearch:
    """Makes rules in which a document is replaced by another, each once."""

    results: Results
    _made: dict[Span | None, RulesContext | None] = field(factory=dict, init=False)

    def applies(self, clause: str) -> bool:
        """Whether there is such a clause, and it speaks of these rules."""
        book = self.results.suite.book
        return clause in book.clauses and applies(book.clauses[clause], book.ruleset)

    def rules_with(self, old: Document, new: Document, mark: Span) -> RulesContext | None:
        """Return the rules with a document replaced; nothing if they do not load."""
        book = self.results.suite.book
        if mark not in self._made:
            documents = tuple(new if each is old else each for each in book.ruleset.documents)
            self._made[mark] = recompose(book, documents, book.ruleset.variants)
        return self._made[mark]

    def is_cured(self, old: Document, new: Document, mark: Span, still_fails: Test) -> bool:
        """Whether a failure goes away when a document is replaced by another."""
        book = self.rules_with(old, new, mark)
        return book is not None and not still_fails(book)


def with_blame(results: Results) -> Results:
    """Return the results in which each failure names the lines of variants that are its cause.

    Interrupted scenarios name the variants that stand in their way; nobody is blamed for those.
    """
    search = _BlameSearch(results)
    ruleset = results.suite.book.ruleset
    variants = [each for each in ruleset.documents if each.head is not None and each.head.kind == "variant"]
    if variants:
        results.results = [_trace(search, each, variants) for each in results.results]
    return results


def _trace(search: _BlameSearch, result: Result, variants: list[Document]) -> Result:
    if result.status == "interrupted" and not result.origins:
        return evolve(result, origins=tuple(_origins(search, result, variants)))
    if not result.is_wrong:
        return result
    found = list(_find_guilty_edits(search, result, variants))
    blame = tuple(each for each in found if isinstance(each, Blame))
    if blame or not found:
        return evolve(result, blame=blame)
    origins = tuple(each for each in found if isinstance(each, Origin))
    message = f"{result.message.partition(chr(10))[0]}, which follows from what is overridden"
    return evolve(result, status="interrupted", message=message, origins=origins)


def _find_causes(search: _BlameSearch, result: Result, variants: list[Document]) -> Iterator[tuple[Document, Test]]:
    """Iterate over the variants without which a statement passes, each with what tells that."""
    statement, still_fails = _test_of(search.results, result)
    if statement is None or still_fails is None:
        return
    for variant in variants:
        if variant.head is None or statement.span.path == variant.source.path:
            continue
        if search.is_cured(variant, evolve(variant, edits=Edits()), variant.head.name.span, still_fails):
            yield variant, still_fails


def _origins(search: _BlameSearch, result: Result, variants: list[Document]) -> Iterator[Origin]:
    for variant, _ in _find_causes(search, result, variants):
        assert variant.head is not None  # only variants are looked at
        yield Origin(variant.head.name.text, variant.head.kind, variant.head.name.span)


def _find_guilty_edits(search: _BlameSearch, result: Result, variants: list[Document]) -> Iterator[Blame | Origin]:
    """Iterate over the edits that are the cause of a failure: those that are to blame, and those that say so."""
    for variant, still_fails in _find_causes(search, result, variants):
        assert variant.head is not None  # only variants are looked at
        name = variant.head.name
        edits = _leave_out_edits(variant)
        guilty = [edit for edit in edits if search.is_cured(variant, edit.document, edit.span, still_fails)]
        for edit in guilty:
            yield _blame_edit(search, result, variant, edit)
        if not guilty:
            yield Blame(name.text, name.span, result.failed_clauses or result.clauses)


def _blame_edit(search: _BlameSearch, result: Result, variant: Document, edit: _LeftOutEdit) -> Blame | Origin:
    """Return what an edit that is the cause of a failure is blamed for.

    What it does not touch it can hardly break. So an example that speaks of nothing that it touches may fail because of
    what it does touch, and if the variant says that it overrides that, there is nothing to blame it for.
    """
    assert variant.head is not None  # only variants are looked at
    head, claimed = variant.head, result.failed_clauses or result.clauses
    touches = [each for each in search.results.suite.book.ruleset.touches if edit.holds(each)]
    touched = dict.fromkeys(each for touch in touches for each in touch.clauses)
    own = tuple(each for each in claimed if each in touched)
    if not own and result.sort == "scenario" and any(each.text in touched for each in head.overrides):
        return Origin(head.name.text, head.kind, edit.span)
    changes_rules = any(touch.action in ("change", "remove", "effect") for touch in touches)
    changed = tuple(each for each in touched if changes_rules and search.applies(each))
    return Blame(head.name.text, edit.span, own or (*claimed, *changed))


def _test_of(results: Results, result: Result) -> tuple[Statement | None, Test | None]:
    """Return the statement that failed, and what tells whether it still fails with other rules."""
    suite = results.suite
    if result.sort == "scenario":
        unread = [each.statement for each in suite.left_out if each.is_interrupted]
        statements = [*(each.statement for each in suite.scenarios), *unread]
        mine = next((each for each in statements if each.id == result.id), None)
        return mine, None if mine is None else lambda book: _scenario_fails(book, mine)
    law = next((each.statement for each in suite.properties if each.id == result.id), None)
    shown = None if results.search is None else results.search.broken_examples.get(result.id)
    example = next((each.statement for each in suite.scenarios if each.id == shown), None)
    if law is not None and result.finding is None and example is not None:
        return law, lambda book: _example_fails(book, law, example)
    return law, None if law is None else lambda book: _property_fails(book, law, result)


def _scenario_fails(book: RulesContext, statement: Statement) -> bool:
    outcome = run_statement(ScenarioRunner(book), statement)
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


def _property_fails(book: RulesContext, statement: Statement, result: Result) -> bool:
    law = PropertyReader(book).read(statement, Report())
    finding = result.finding
    if law is None or finding is None or finding.line is None:
        return True
    choose = follower(book, finding.line, zip(finding.asked, finding.answers, strict=True))
    again = play(book, finding.line, [law], choose=choose)
    return bool(again.breaches) or bool(explore(book, [law], _GAMES).broken)


def _leave_out_edits(document: Document) -> Iterator[_LeftOutEdit]:
    """Iterate over a document with each of its edits left out in turn."""
    edits = document.edits
    for name in _GROUPS:
        group: Mapping | None = getattr(edits, name)
        for less, entry in _leave_out_entries(group) if group is not None else ():
            rest = evolve(document, edits=_with_group(edits, name, less))
            yield _LeftOutEdit(rest, entry.key.span, entry.value.span)
    if isinstance(edits.remove, Sequence):
        for item in edits.remove:
            kept = Sequence(edits.remove.span, tuple(each for each in edits.remove if each is not item))
            yield _LeftOutEdit(evolve(document, edits=evolve(edits, remove=kept)), item.span, item.span)
    for insertion in edits.insert:
        rest_of = tuple(each for each in edits.insert if each is not insertion)
        yield _LeftOutEdit(evolve(document, edits=evolve(edits, insert=rest_of)), insertion.span, insertion.span)


def _with_group(edits: Edits, name: str, less: Mapping) -> Edits:
    # Edits without an effect are errors, so a group that became empty goes too.
    group = less if len(less) else None
    if name == "add":
        return evolve(edits, add=group)
    return evolve(edits, change=group) if name == "change" else evolve(edits, effects=group)


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
