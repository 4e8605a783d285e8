"""The two-way map between rules text and rules data: for each clause its nodes and tests, and the gaps both ways."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from attrs import define, field, frozen

from aodrules.check.analyse.clauses import applies
from aodrules.compose.ruleset import Ruleset
from aodrules.play.components import said_text
from aodrules.play.rules_context import RulesContext
from aodrules.source.spans import Span
from aodrules.source.wording import quotes
from aodrules.syntax.tree import Mapping, Node, Scalar, words
from aodrules.testing.citations import Citations, Cited, Exercise
from aodrules.testing.exploring import explore
from aodrules.testing.properties import Property
from aodrules.testing.scenarios import Scenario
from aodrules.testing.statements import Statement, active_names, chosen_reading, declared_rulings, other_reading
from aodrules.testing.suites import Suite

RULE, PROHIBITION = "rule", "prohibition"
T = TypeVar("T")


@frozen(eq=False)
class ClauseCoverage:
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
    source: str = ""
    """Where it stands in the rulebooks."""

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
class Ruling:
    """An open question of the rulebook, the reading that is played, and what shows it."""

    id: str
    question: str
    reading: str
    span: Span
    is_overridden: bool
    """Whether a clause that it is about is overridden, and so the question is another one."""
    why_no_scenario: str | None = None
    scenarios: tuple[str, ...] = ()
    properties: tuple[str, ...] = ()

    @property
    def gaps(self) -> tuple[str, ...]:
        """What is missing: a scenario, or the reason why there is none."""
        if self.why_no_scenario is not None and self.scenarios:
            return ("it says why no scenario shows it, and one does",)
        if self.why_no_scenario is None and not self.scenarios and not self.is_overridden:
            return ("no scenario shows it, and it does not say why",)
        return ()


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
    clauses: tuple[ClauseCoverage, ...]
    rulings: tuple[Ruling, ...]
    gaps: tuple[Gap, ...]
    games: int


def clause_map(suite: Suite, games: int = 0, progress: Callable[[], None] = lambda: None) -> ClauseMap:
    """Return the map of the rules of a suite; with games, also how often they exercised each clause."""
    book = suite.book
    citations, exercise = Citations(book.ruleset), Exercise()
    if games:
        explore(book, (), games, onlookers=[exercise], progress=progress)
    counts = exercise.clauses(book, citations) if games else {}
    tests = _tests(suite, citations)
    clauses = [_clause(id_, body, tests, counts.get(id_, 0)) for id_, body in _applicable(book.clauses, book)]
    rulings = [_ruling(id_, body, tests) for id_, body in _applicable(declared_rulings(book.ruleset), book)]
    gaps = [Gap(f"clause {one.id}", why, one.span) for one in clauses for why in one.gaps]
    gaps += [Gap(f"ruling {one.id}", why, one.span) for one in rulings for why in one.gaps]
    gaps += _find_misplaced(suite, {one.id for one in clauses})
    return ClauseMap(str(book.request), tuple(clauses), tuple(rulings), tuple(gaps), games)


def _applicable(declared: dict[str, Mapping], book: RulesContext) -> Iterable[tuple[str, Mapping]]:
    """Return the clauses or rulings that speak of these rules: of this edition, with these modules."""
    return [(id_, body) for id_, body in declared.items() if applies(body, book.ruleset)]


def _clause(id_: str, body: Mapping, tests: _Tests, exercised: int) -> ClauseCoverage:
    kind = body.get("kind")
    return ClauseCoverage(
        id_,
        said_text(body, "en") or "",
        kind.text if isinstance(kind, Scalar) else "",
        body.span,
        id_ in tests.ruleset.overrides,
        tuple(tests.nodes[id_]),
        tuple(tests.scenarios[id_]),
        tuple(tests.properties[id_]),
        exercised,
        _source(body.get("source")),
    )


def _source(node: Node | None) -> str:
    """Return where a clause stands, for each edition that says so."""
    if isinstance(node, Mapping):
        return "; ".join(f"{entry.name}: {entry.value.plain()}" for entry in node)
    return "" if node is None else str(node.plain())


def _ruling(id_: str, body: Mapping, tests: _Tests) -> Ruling:
    other = other_reading(body, active_names(tests.ruleset))
    return Ruling(
        id_,
        said_text(body, "en", "question") or "",
        other or chosen_reading(body),
        body.span,
        other is None and not tests.ruleset.overrides.isdisjoint(words(body.get("clauses"))),
        said_text(body, "en", "no_scenario"),
        tuple(tests.ruling_scenarios[id_]),
        tuple(tests.ruling_properties[id_]),
    )


@define(eq=False)
class _Tests:
    """What names each clause and each ruling."""

    ruleset: Ruleset
    nodes: defaultdict[str, list[Cited]] = field(factory=lambda: defaultdict(list))
    scenarios: defaultdict[str, list[str]] = field(factory=lambda: defaultdict(list))
    properties: defaultdict[str, list[str]] = field(factory=lambda: defaultdict(list))
    ruling_scenarios: defaultdict[str, list[str]] = field(factory=lambda: defaultdict(list))
    ruling_properties: defaultdict[str, list[str]] = field(factory=lambda: defaultdict(list))


def _tests(suite: Suite, citations: Citations) -> _Tests:
    found = _Tests(suite.book.ruleset)
    for node in citations.nodes:
        _note(found.nodes, node.clauses, node)
    for scenario in suite.scenarios:
        _note(found.scenarios, scenario.clauses, scenario.id)
    for law in suite.properties:
        _note(found.properties, law.clauses, law.id)
        _note(found.ruling_properties, law.statement.rulings, law.id)
    for example in _examples(suite):
        _note(found.ruling_scenarios, example.rulings, example.id)
    return found


def _note(lists: defaultdict[str, list[T]], ids: tuple[str, ...], one: T) -> None:
    for id_ in dict.fromkeys(ids):
        lists[id_].append(one)


def _examples(suite: Suite) -> Iterator[Statement]:
    """Iterate over the scenarios, with those that only need other players: what four can show two may not."""
    yield from (one.statement for one in suite.scenarios)
    yield from (
        one.statement for one in suite.left_out if one.is_for_other_players and one.statement.sort == "scenario"
    )


def _find_misplaced(suite: Suite, known: set[str]) -> list[Gap]:
    """Return citations that can never be of the rules that a statement speaks of.

    A statement for several editions may cite a clause of each: one of them must be of these rules.
    """
    book, found = suite.book, []
    rulings = declared_rulings(book.ruleset)
    statements: list[Scenario | Property] = [*suite.scenarios, *suite.properties]
    for statement in (each.statement for each in statements):
        why = list(_why_never("clause", statement.clauses, book.clauses, statement))
        why += _why_never("ruling", statement.rulings, rulings, statement)
        if statement.clauses and not why and not set(statement.clauses) & known:
            why = [f"clause {quotes(statement.clauses)} is not of these rules"]
        found += [Gap(f"{statement.sort} {statement.id}", each, statement.span) for each in why]
    return found


def _why_never(what: str, cited: tuple[str, ...], declared: dict[str, Mapping], statement: Statement) -> Iterator[str]:
    """Iterate over what is wrong with citations whatever the rules."""
    for id_ in cited:
        if id_ not in declared:
            yield f"there is no {what} `{id_}`"
            continue
        only = words(declared[id_].get("editions"))
        if only and statement.editions and not set(only) & set(statement.editions):
            yield f"{what} `{id_}` is of other editions"
