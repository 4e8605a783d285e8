"""The two-way map between rules text and rules data: for each clause its nodes and tests, and the gaps both ways."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from attrs import field, frozen

from aodrules.compose.ruleset import Ruleset
from aodrules.play.book import Book, said
from aodrules.source.spans import Span
from aodrules.syntax.tree import Mapping, Scalar
from aodrules.testing.citations import Citations, Cited
from aodrules.testing.exercise import Exercise
from aodrules.testing.exploring import explore
from aodrules.testing.properties import Property
from aodrules.testing.scenarios import Scenario
from aodrules.testing.statements import active_names, words
from aodrules.testing.suites import Suite

RULE, PROHIBITION = "rule", "prohibition"


@frozen(eq=False)
class Clause:
    """A clause with what models it and what tests it."""

    id: str
    says: str
    kind: str
    span: Span
    is_overridden: bool
    nodes: tuple[Cited, ...] = ()
    scenarios: tuple[str, ...] = ()
    properties: tuple[str, ...] = ()
    exercised: int = 0
    """How often random play came by."""

    @property
    def gaps(self) -> tuple[str, ...]:
        """What is missing: what models it, what tests it."""
        if self.is_overridden:
            return ()
        found = []
        if self.kind == RULE and not self.nodes:
            found.append("no node of the rules names it")
        if self.kind == RULE and not self.scenarios and not self.properties:
            found.append("no scenario and no property tests it")
        if self.kind == PROHIBITION and not self.properties:
            found.append("no property tests it")
        return tuple(found)


@frozen(eq=False)
class Gap:
    """Something that is missing, and where."""

    what: str
    why: str
    span: Span

    def __str__(self) -> str:
        return f"{self.span}: {self.what}: {self.why}"


@frozen(eq=False)
class ClauseMap:
    """All clauses of some rules, and all gaps."""

    rules: str
    clauses: tuple[Clause, ...]
    gaps: tuple[Gap, ...]
    games: int
    unclaimed: tuple[str, ...] = field(default=())
    """Documents that are house rules and need no clauses."""


def clause_map(suite: Suite, games: int = 0, progress: Callable[[], None] = lambda: None) -> ClauseMap:
    """Return the map of the rules of a suite; with games, also how often they exercised each clause."""
    book = suite.book
    citations, exercise = Citations(book.ruleset), Exercise()
    if games:
        explore(book, (), games, onlookers=[exercise], progress=progress)
    counts = exercise.clauses(book, citations) if games else {}
    clauses = [_clause(suite, citations, id_, body, counts.get(id_, 0)) for id_, body in _applicable(book)]
    gaps = [Gap(f"clause {one.id}", why, one.span) for one in clauses for why in one.gaps]
    gaps += _unknown(suite, {one.id for one in clauses}, book)
    return ClauseMap(str(book.asked), tuple(clauses), tuple(gaps), games, tuple(sorted(book.ruleset.house)))


def _applicable(book: Book) -> Iterable[tuple[str, Mapping]]:
    """Return the clauses that speak of these rules: of this edition, with these modules."""
    return [(id_, body) for id_, body in book.clauses.items() if applies(body, book.ruleset)]


def applies(body: Mapping, ruleset: Ruleset) -> bool:
    """Whether a clause or ruling speaks of a ruleset."""
    editions = words(body.get("editions"))
    is_edition = not editions or ruleset.edition in editions
    return is_edition and set(words(body.get("with"))) <= active_names(ruleset)


def _clause(suite: Suite, citations: Citations, id_: str, body: Mapping, exercised: int) -> Clause:
    kind = body.get("kind")
    return Clause(
        id_,
        said(body, "en") or "",
        kind.text if isinstance(kind, Scalar) else "",
        body.span,
        id_ in suite.book.ruleset.overrides,
        tuple(node for node in citations.nodes if id_ in node.clauses),
        tuple(one.id for one in suite.scenarios if id_ in one.clauses),
        tuple(one.id for one in suite.properties if id_ in one.clauses),
        exercised,
    )


def _unknown(suite: Suite, known: set[str], book: Book) -> list[Gap]:
    """Return citations of clauses that do not exist."""
    found = []
    statements: list[Scenario | Property] = [*suite.scenarios, *suite.properties]
    for one in statements:
        for clause in one.clauses:
            if clause not in book.clauses:
                found.append(
                    Gap(f"{one.statement.sort} {one.id}", f"there is no clause `{clause}`", one.statement.span)
                )
            elif clause not in known:
                why = f"clause `{clause}` is not of these rules"
                found.append(Gap(f"{one.statement.sort} {one.id}", why, one.statement.span))
    return found
