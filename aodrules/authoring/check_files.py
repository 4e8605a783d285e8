"""Everything that can be said about rules and about the house rules in them before they are played."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial

from attrs import frozen

from aodrules.authoring import problems
from aodrules.authoring.editions_for import misnamed, words_of
from aodrules.compose.id_mappings import FIXED_KINDS
from aodrules.errors import RulesError
from aodrules.play.rules_context import RulesContext
from aodrules.rulebook import Rules
from aodrules.source.diagnostics import Diagnostic, Report
from aodrules.source.shipped import is_shipped
from aodrules.syntax.documents import Document
from aodrules.syntax.tree import Entry, Mapping
from aodrules.testing.statements import Statement
from aodrules.testing.suites import check_statements

_SHOWN = ("decision",)
"""Declarations beside the members of kinds that players see by their words."""


@frozen(eq=False)
class Checked:
    """What was found in one composition; the rules are there if they and their scenarios are without errors."""

    word: str
    rules: Rules | None
    problems: tuple[Diagnostic, ...]


def checked(word: str, load: Callable[[str], Rules]) -> list[Checked]:
    """Return what was found in the rules of a word: a variant's file alone is checked with each of its editions."""
    wrong = misnamed(word)
    if wrong.has_errors:
        return [Checked(word, None, tuple(wrong))]
    return [_checked(each, load) for each in words_of(word)]


def _checked(word: str, load: Callable[[str], Rules]) -> Checked:
    try:
        rules = load(word)
    except RulesError as wrong:
        return Checked(word, None, tuple(wrong.report))
    report = Report(list(rules.warnings))
    check_statements(rules.book, report, partial(_is_looked_at, _has_own(rules.book)))
    for diagnostic in _about_house_rules(rules.book):
        report.add(diagnostic)
    return Checked(word, None if report.has_errors else rules, tuple(report))


def _has_own(book: RulesContext) -> bool:
    """Whether something in the rules does not ship with the package."""
    return not all(is_shipped(document.source.path) for document in book.ruleset.documents)


def _is_looked_at(has_own: bool, statement: Statement) -> bool:  # noqa: FBT001 - bound beforehand, never written
    """Whether a scenario or property is checked: what ships is only where nothing else is in the rules.

    A house rule may well break an example of the game: that is what `aodrules test` tells, with the clause.
    """
    return not has_own or not is_shipped(statement.span.path)


def joined(found: Iterable[Checked]) -> Report:
    """Return all problems once: several editions may give the same."""
    report, seen = Report(), set()
    for diagnostic in (diagnostic for each in found for diagnostic in each.problems):
        key = (str(diagnostic.primary.span), diagnostic.code, diagnostic.message)
        if key not in seen:
            seen.add(key)
            report.add(diagnostic)
    return report


def _about_house_rules(book: RulesContext) -> Iterator[Diagnostic]:
    """Iterate over what is missing in the house rules that do not ship with the package."""
    for document in book.ruleset.documents:
        if document.head is not None and document.head.house and not is_shipped(document.source.path):
            yield from _unfinished(book, document)


def _unfinished(book: RulesContext, document: Document) -> Iterator[Diagnostic]:
    head, said = document.head, document.declarations
    assert head is not None  # only documents with one are looked at
    if said is None or not ({"scenario", "property"} & set(said.entries)):
        yield problems.untested_variant(head)
    for address, entry in _added(document):
        if book.words.find(address, "en") is None:
            yield problems.missing_words(address, entry.key)


def _added(document: Document) -> Iterator[tuple[str, Entry]]:
    """Iterate over the members and decisions that a document adds, as far as they are written plainly."""
    for section in document.edits.add or ():
        kind, _, id_ = section.name.partition(".")
        if kind in FIXED_KINDS and kind not in _SHOWN:
            continue
        if id_ and "." not in id_:
            yield section.name, section
        elif not id_ and isinstance(section.value, Mapping):
            yield from ((f"{kind}.{entry.name}", entry) for entry in section.value)
