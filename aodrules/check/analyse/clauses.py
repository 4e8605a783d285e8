"""Every rule cites a clause of the rulebook that exists, or its document says that it is a house rule."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property

from attrs import define, field

from aodrules.check import analysis_problems, problems
from aodrules.compose.addresses import UNPLAYED_KINDS
from aodrules.compose.citing import cited_in, refused_by
from aodrules.compose.ruleset import OriginEntry, Ruleset
from aodrules.source.diagnostics import Fix, Report
from aodrules.source.spans import Source, Span
from aodrules.syntax.documents import EFFECTS, Document, Head
from aodrules.syntax.tree import Entry, Mapping, Node, Scalar, Sequence, at, reason_in, walk, word_of, words

RULES = ("verb", "value", "decision", "option", "kinds", "sets", "graph", "grid")
"""The declarations that are rules, members of kinds and effects aside."""


def check_clauses(ruleset: Ruleset, report: Report) -> None:
    """Report clauses that are cited and not declared, and where there are clauses, rules that cite none."""
    checker = _ClauseChecker(ruleset, report)
    checker.check_references()
    if checker.declared:
        checker.check_rules()
        check_overrides(ruleset, report)


@define(eq=False)
class _ClauseChecker:
    """One ruleset and the clauses it declares."""

    ruleset: Ruleset
    report: Report
    declared: frozenset[str] = field(init=False)
    _heads: dict[Source, bool] = field(init=False)
    """Which sources belong to a document whose head cites clauses for all that is in it, or is a house rule."""

    def __attrs_post_init__(self) -> None:
        self.declared = frozenset(entry.name for entry in self._section("clause"))
        self._heads = {
            document.source: bool(document.head.clauses) or document.head.house
            for document in self.ruleset.documents
            if document.head is not None
        }

    def _section(self, name: str) -> Iterable[Entry]:
        return _entries(self.ruleset.root.get(name))

    # References.

    def check_references(self) -> None:
        """Report every clause that is named anywhere and not declared."""
        for document in self.ruleset.documents:
            if document.head is not None:
                head = document.head
                self._check_names((*head.clauses, *head.overrides, *head.keeps), self.declared)
        known = self.declared | {entry.name for entry in self._section("text")}
        for node in walk(self.ruleset.root):
            if isinstance(node, Mapping):
                self._check_names(_scalars(node.get("clauses")), self.declared)
                self._check_names(_reasons(node), known, "clause or text")
        self._check_rulings()

    def _check_rulings(self) -> None:
        """Report every ruling that a scenario or property names and that is not declared."""
        declared = [entry.name for entry in self._section("ruling")]
        statements = [entry.value for section in ("scenario", "property") for entry in self._section(section)]
        for body in statements:
            for name in _scalars(body.get("rulings") if isinstance(body, Mapping) else None):
                if name.text not in declared:
                    self.report.add(problems.unknown_name(name.text, name.span, declared, "ruling"))

    def _check_names(self, names: Iterable[Scalar], known: frozenset[str], sort: str = "clause") -> None:
        for name in names:
            # A game without clauses may name what it likes.
            if self.declared and name.text not in known:
                self.report.add(analysis_problems.unknown_clause(name.text, name.span, known, sort))

    # Rules.

    def check_rules(self) -> None:
        """Report every rule that neither cites a clause nor stands in something that does."""
        for section in RULES:
            for entry in self._section(section):
                self._check_rule(f"{section}.{entry.name}", entry)
        for kind in self._section("kinds"):
            self._check_members(kind)
        for document in self._section("effects"):
            for entry in _entries(document.value):
                self._check_rule(f"effects.{document.name}.{entry.name}", entry)

    def _check_members(self, kind: Entry) -> None:
        if not self._cites(kind.value):
            for entry in self._section(kind.name):
                self._check_rule(f"{kind.name}.{entry.name}", entry)

    def _check_rule(self, address: str, entry: Entry) -> None:
        """Report a rule without a clause, or those of its parts that have none if others have."""
        # A house rule may change the whole of what the game declares.
        if self._cites(entry.value) or self._is_excused(entry.key.span) or self._is_excused(entry.value.span):
            return
        parts = list(_parts(entry.value))
        if not any(self._cites_inside(part.value) for _, part in parts):
            if not self._cites_inside(entry.value):
                self.report.add(analysis_problems.uncited_rule(address, entry.key.span))
            return
        for path, part in parts:
            self._check_rule(f"{address}.{path}", part)

    def _cites(self, node: Node) -> bool:
        """Whether a body cites a clause, or one of its conditions refuses by one."""
        if not isinstance(node, Mapping):
            return False
        return bool(_scalars(node.get("clauses"))) or any(each.text in self.declared for each in refused_by(node))

    def _cites_inside(self, node: Node) -> bool:
        return any(self._cites(each) for each in walk(node))

    def _is_excused(self, span: Span) -> bool:
        return self._heads.get(span.source, False) or self.ruleset.layer_of(span) in self.ruleset.house


def _scalars(node: Node | None) -> tuple[Scalar, ...]:
    if isinstance(node, Scalar):
        return (node,)
    return tuple(each for each in node if isinstance(each, Scalar)) if isinstance(node, Sequence) else ()


def _reasons(node: Mapping) -> tuple[Scalar, ...]:
    """Return what a condition says when it fails."""
    reason = reason_in(node)
    return () if reason is None else (reason,)


def _entries(node: Node | None) -> Iterable[Entry]:
    return node if isinstance(node, Mapping) else ()


def _parts(node: Node) -> Iterator[tuple[str, Entry]]:
    """Iterate over the options, hooks and effects of a rule, each with its path."""
    for entry in _entries(node):
        if entry.name in ("options", "hooks", "effects") or _holds_effects(entry.value):
            yield from ((f"{entry.name}.{each.name}", each) for each in _entries(entry.value))


def _holds_effects(node: Node) -> bool:
    """Whether a part of a member is a hook with effects."""
    inside = [each.value for each in _entries(node)]
    return bool(inside) and all(isinstance(each, Mapping) and any(word in each for word in EFFECTS) for each in inside)


# A variant that changes what stands for a clause says whether the clause still holds.


def applies(body: Mapping, ruleset: Ruleset) -> bool:
    """Whether a clause or ruling speaks of a ruleset: of its edition, and of modules and variants in use."""
    editions = words(body.get("editions"))
    is_edition = not editions or ruleset.edition in editions
    return is_edition and set(words(body.get("with"))) <= {ruleset.name, *ruleset.layers.values()}


def check_overrides(ruleset: Ruleset, report: Report) -> None:
    """Warn about variants that change, move or remove what stands for a clause and do not say what becomes of that.

    What is only added beside it is left to the scenarios and properties of the clause.
    """
    checker = _OverrideChecker(ruleset)
    for document in ruleset.documents:
        head = document.head
        if head is not None and head.kind == "variant":
            found = checker.silent(head)
            fix = _overriding(document, head, dict.fromkeys(clause for _, clauses in found for clause in clauses))
            for entry, clauses in found:
                report.add(analysis_problems.silent_override(entry.address, clauses, head.name.text, entry.span, fix))


@define(eq=False, slots=False)
class _OverrideChecker:
    """One ruleset and what its rules cite."""

    ruleset: Ruleset

    def silent(self, head: Head) -> list[tuple[OriginEntry, list[str]]]:
        """Return what a variant changes, with the clauses that stand for it and of which the variant says nothing."""
        mine = [entry for entry in self.ruleset.origins if entry.layer == head.name.text]
        said = {each.text for each in (*head.overrides, *head.keeps, *head.clauses)}
        said |= {clause for entry in mine for clause in entry.says}
        changes = [entry for entry in mine if entry.action in ("change", "remove", "move")]
        found = [(entry, [each for each in entry.clauses if each not in said]) for entry in changes]
        in_force = [(entry, [each for each in clauses if self._is_in_force(each, entry)]) for entry, clauses in found]
        return [(entry, clauses) for entry, clauses in in_force if clauses]

    def _is_in_force(self, clause: str, entry: OriginEntry) -> bool:
        """Whether a clause speaks of these rules, and of what is changed alone."""
        body = at(self.ruleset.root, "clause", clause)
        if not isinstance(body, Mapping) or clause in self.ruleset.overrides or not applies(body, self.ruleset):
            return False
        # Of several declarations that stand for it one may go: for the others it still holds.
        is_declaration = entry.address.count(".") < 2
        return not is_declaration or self._cited.get(clause, set()) <= {entry.address}

    @cached_property
    def _cited(self) -> dict[str, set[str]]:
        """The declarations that cite each clause."""
        found: dict[str, set[str]] = {}
        for section in (each for each in self.ruleset.root if each.name not in UNPLAYED_KINDS):
            for entry in _entries(section.value):
                for clause in cited_in(entry.value):
                    found.setdefault(clause, set()).add(f"{section.name}.{entry.name}")
        return found


def _overriding(document: Document, head: Head, clauses: Iterable[str]) -> Fix:
    """Return how the head of a document is made to say that it overrides clauses."""
    listed, more = document.root.get("overrides"), ", ".join(clauses)
    if isinstance(listed, Sequence) and len(listed):
        last = listed.items[-1].span
        return Fix(_after(last), _items(last, more))
    if listed is not None:
        before = f"{word_of(listed)}, " if word_of(listed) else ""
        return Fix(listed.span, f"[{before}{more}]")
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
