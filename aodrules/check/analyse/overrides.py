"""A variant that changes what stands for a clause says whether the clause still holds."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from attrs import define

from aodrules.check import analysis_problems
from aodrules.compose.citing import cited_in
from aodrules.compose.id_mappings import UNPLAYED_KINDS, at
from aodrules.compose.ruleset import OriginEntry, Ruleset
from aodrules.source.diagnostics import Fix, Report
from aodrules.source.spans import Span
from aodrules.syntax.documents import Document, Head
from aodrules.syntax.tree import Mapping, Sequence, words


def applies(body: Mapping, ruleset: Ruleset) -> bool:
    """Whether a clause or ruling speaks of a ruleset: of its edition, and of modules and variants in use."""
    editions = words(body.get("editions"))
    is_edition = not editions or ruleset.edition in editions
    return is_edition and set(words(body.get("with"))) <= {ruleset.name, *ruleset.layers.values()}


def check_overrides(ruleset: Ruleset, report: Report) -> None:
    """Warn about variants that change or remove what stands for a clause and do not say what becomes of that.

    What is only added beside it is left to the scenarios and properties of the clause.
    """
    checker = _OverrideChecker(ruleset)
    for document in ruleset.documents:
        head = document.head
        if head is not None and head.kind == "variant":
            found = checker.silent(head)
            fix = _overriding(document, head, dict.fromkeys(clause for _, clauses in found for clause in clauses))
            for touch, clauses in found:
                report.add(analysis_problems.silent_override(touch.address, clauses, head.name.text, touch.span, fix))


@define(eq=False, slots=False)
class _OverrideChecker:
    """One ruleset and what its rules cite."""

    ruleset: Ruleset

    def silent(self, head: Head) -> list[tuple[OriginEntry, list[str]]]:
        """Return what a variant changes, with the clauses that stand for it and of which the variant says nothing."""
        mine = self._touches.get(head.name.text, [])
        said = {each.text for each in (*head.overrides, *head.keeps, *head.clauses)}
        said |= {clause for touch in mine for clause in touch.says}
        changes = [touch for touch in mine if touch.action in ("change", "remove")]
        found = [(touch, [each for each in touch.clauses if each not in said]) for touch in changes]
        in_force = [(touch, [each for each in clauses if self._is_in_force(each, touch)]) for touch, clauses in found]
        return [(touch, clauses) for touch, clauses in in_force if clauses]

    def _is_in_force(self, clause: str, touch: OriginEntry) -> bool:
        """Whether a clause speaks of these rules, and of what is changed alone."""
        body = at(self.ruleset.root, "clause", clause)
        if not isinstance(body, Mapping) or clause in self.ruleset.overrides or not applies(body, self.ruleset):
            return False
        # One of several things that stand for it may go: for the others it still holds.
        is_whole = touch.address == _declaration(touch.address)
        return not is_whole or self._cited.get(clause, set()) <= {touch.address}

    @cached_property
    def _touches(self) -> dict[str, list[OriginEntry]]:
        """What each document has a hand in."""
        found: dict[str, list[OriginEntry]] = {}
        for touch in self.ruleset.touches:
            found.setdefault(touch.layer, []).append(touch)
        return found

    @cached_property
    def _cited(self) -> dict[str, set[str]]:
        """The declarations that cite each clause."""
        found: dict[str, set[str]] = {}
        sections = [section for section in self.ruleset.root if section.name not in UNPLAYED_KINDS]
        for section in sections:
            for entry in section.value if isinstance(section.value, Mapping) else ():
                for clause in cited_in(entry.value):
                    found.setdefault(clause, set()).add(f"{section.name}.{entry.name}")
        return found


def _declaration(address: str) -> str:
    """Return the address of the declaration that an address leads into."""
    return ".".join(address.split(".")[:2])


def _overriding(document: Document, head: Head, clauses: Iterable[str]) -> Fix:
    """Return how the head of a document is made to say that it overrides clauses."""
    listed, more = document.root.get("overrides"), ", ".join(clauses)
    if isinstance(listed, Sequence) and len(listed):
        last = listed.items[-1].span
        return Fix(_after(last), _items(last, more))
    if listed is not None:
        return Fix(listed.span, f"[{more}]")
    name = head.name.span
    is_flow = document.source.line(document.root.span.line)[document.root.span.column - 1 :].startswith("{")
    return Fix(_after(name), f", overrides: [{more}]" if is_flow else f"\noverrides: [{more}]")


def _items(last: Span, more: str) -> str:
    """Return further items of a list as they are written after its last: in one line, or each on its own."""
    before = last.source.line(last.line)[: last.column - 1]
    if before.strip() != "-":
        return f", {more}"
    return "".join(f"\n{before}{each}" for each in more.split(", "))


def _after(span: Span) -> Span:
    return Span(span.source, span.end_line, span.end_column, span.end_line, span.end_column)
