"""The two-way map between rules text and rules data: for each clause its nodes and tests, and the gaps both ways.

It tells how often play exercised each clause too, and is shown as text; `clause_page` makes a page of it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from typing import TypeVar

from attrs import define, field, frozen

from aodrules.check.analyse.clauses import applies
from aodrules.check.steps import AnyStep
from aodrules.compose.addresses import UNPLAYED_KINDS
from aodrules.compose.citing import citations_of_kind, refused_by
from aodrules.compose.ruleset import Ruleset
from aodrules.interpreter.interpreter import Interpreter
from aodrules.interpreter.options import Locals
from aodrules.play.chapters import chapter_title, chapters_of
from aodrules.play.components import said_text
from aodrules.play.rules_context import RulesContext
from aodrules.play.titles import address_name, whole_title
from aodrules.source.spans import Span
from aodrules.source.wording import count, quotes
from aodrules.syntax.tree import Mapping, Node, Scalar, Sequence, reason_in, walk, words
from aodrules.testing.exploring import explore
from aodrules.testing.playing import GameObserver
from aodrules.testing.properties import Property
from aodrules.testing.scenarios import Scenario
from aodrules.testing.statements import Statement, active_names, chosen_reading, declared_rulings, other_reading
from aodrules.testing.suites import Suite


@frozen(eq=False)
class Cited:
    """A node of the rules that names clauses."""

    address: str
    clauses: tuple[str, ...]
    span: Span
    layer: str
    """The game, module, edition or variant whose document it stands in."""
    reason_only: bool = False
    """Whether it is a condition that names the clause as the reason of a refusal."""


@define(eq=False, slots=False)
class Citations:
    """All citations of a ruleset."""

    ruleset: Ruleset

    @cached_property
    def nodes(self) -> tuple[Cited, ...]:
        """Every node that names clauses, the documents whose head does included."""
        section = self.ruleset.root.get("clause")
        declared = frozenset(section.entries if isinstance(section, Mapping) else ())
        found = [*self._in(self.ruleset.root, (), declared), *self._members()]
        for document in self.ruleset.documents:
            head = document.head
            if head is not None and head.clauses:
                clauses = tuple(each.text for each in head.clauses)
                found.append(Cited(f"{head.kind} {head.name.text}", clauses, document.root.span, head.name.text))
        return tuple(found)

    def _in(self, node: Node, path: tuple[str, ...], declared: frozenset[str]) -> Iterator[Cited]:
        if isinstance(node, Sequence):
            for place, item in enumerate(node):
                yield from self._in(item, (*path, _step_word(item) or str(place + 1)), declared)
        elif isinstance(node, Mapping):
            yield from self._of(node, path, declared)
            for entry in node:
                if path or entry.name not in UNPLAYED_KINDS:
                    yield from self._in(entry.value, (*path, entry.name), declared)

    def _members(self) -> Iterator[Cited]:
        """Iterate over the members that stand for the clauses of their kind because they name none."""
        root = self.ruleset.root
        for kind in root.mapping("kinds"):
            clauses = citations_of_kind(root, (kind.name, ""))
            for entry in root.mapping(kind.name) if clauses else ():
                if "clauses" not in entry.body:
                    span, layer = entry.value.span, self.ruleset.layer_of(entry.value.span)
                    yield Cited(f"{kind.name}.{entry.name}", clauses, span, layer)

    def _of(self, node: Mapping, path: tuple[str, ...], declared: frozenset[str]) -> Iterator[Cited]:
        address, layer = ".".join(path), self.ruleset.layer_of(node.span)
        clauses = words(node.get("clauses"))
        if clauses:
            yield Cited(address, clauses, node.span, layer)
        reason = reason_in(node)
        if reason is not None and reason.text in declared:
            yield Cited(address, (reason.text,), node.span, layer, reason_only=True)

    @cached_property
    def _by_path(self) -> dict[str, list[_CitingBody]]:
        """The bodies that name clauses, themselves or by their conditions, in each file; smaller ones come first."""
        declared = self.ruleset.root.mapping("clause")
        found: list[_CitingBody] = []
        for section in (each for each in self.ruleset.root if each.name not in UNPLAYED_KINDS):
            for body in (each for each in walk(section.value) if isinstance(each, Mapping)):
                reasons = tuple(each.text for each in refused_by(body) if each.text in declared)
                found += [_CitingBody(body.span, reasons, is_last=False)] if reasons else []
        found += [_CitingBody(node.span, node.clauses, is_last=True) for node in self.nodes if not node.reason_only]
        by_path: dict[str, list[_CitingBody]] = {}
        for each in sorted(found, key=lambda body: _size(body.span)):
            by_path.setdefault(each.span.path, []).append(each)
        return by_path

    def at(self, span: Span) -> tuple[str, ...]:
        """Return the clauses of the innermost body around a place that names some, and of the conditions inside it."""
        found: list[str] = []
        for body in self._by_path.get(span.path, ()):
            if _contains(body.span, span):
                found += body.clauses
                if body.is_last:
                    break
        return tuple(dict.fromkeys(found))


@frozen
class _CitingBody:
    """A body with the clauses that it names, or that its conditions refuse by."""

    span: Span
    clauses: tuple[str, ...]
    is_last: bool
    """Whether what is around it no longer counts."""


def _step_word(item: Node) -> str | None:
    """Return the name of a named step."""
    word = item.get("step") if isinstance(item, Mapping) else None
    return word.text if isinstance(word, Scalar) else None


def _contains(outer: Span, inner: Span) -> bool:
    start = (outer.line, outer.column) <= (inner.line, inner.column)
    return start and (inner.line, inner.column) < (outer.end_line, outer.end_column)


def _size(span: Span) -> tuple[int, int]:
    return span.end_line - span.line, span.end_column - span.column


@define(eq=False)
class Exercise(GameObserver):
    """Looks on and counts steps by their place, and values, modifiers and answers by their address."""

    places: Counter[Span] = field(factory=Counter)
    addresses: Counter[str] = field(factory=Counter)
    _last: Interpreter | None = None

    def watch(self, interpreter: Interpreter) -> None:
        """Begin to look on."""
        self._finish()
        self._last = interpreter
        interpreter.evaluator.on_use = self._note_use

    def _finish(self) -> None:
        """Count the scores of the last game too: they are computed when somebody asks for them."""
        if self._last is not None and self._last.pending is None:
            for player in range(self._last.tables.players):
                self._last.points(player)
        self._last = None

    def _note_use(self, address: str) -> None:
        # The lines of the score sheet are values, and are declared with the game.
        self.addresses[address.replace("value.points.", "game.points.", 1)] += 1

    def on_step(self, step: AnyStep, _names: Locals) -> None:
        """Count a step."""
        self.places[step.span] += 1

    def on_option(self, decision: str, option: str) -> None:
        """Count an answer."""
        self.addresses[option] += 1
        self.addresses[decision] += 1

    def on_event(self, event: str, _names: Locals) -> None:
        """Count an event."""
        self.addresses[f"event.{event}"] += 1

    def clauses(self, book: RulesContext, citations: Citations) -> Counter[str]:
        """Return how often each clause was exercised."""
        self._finish()
        found: Counter[str] = Counter()
        for span, many in self.places.items():
            for clause in citations.at(span):
                found[clause] += many
        for address, many in self.addresses.items():
            for clause in book.clauses_at(address):
                found[clause] += many
        return found


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
    title: str
    """What the rules are called."""
    chapters: tuple[tuple[str, str, tuple[str, ...]], ...]
    """For each chapter its id, its title and its clauses, in the order of a rulebook."""
    names: dict[str, str]
    """What nodes, by address, and scenarios and properties, by sort and id, are called if they have a name."""


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
    chapters = tuple((each.id, chapter_title(book, each.id, "en"), each.clauses) for each in chapters_of(book))
    title, names = whole_title(book, "en"), _names(suite, citations)
    return ClauseMap(str(book.request), tuple(clauses), tuple(rulings), tuple(gaps), games, title, chapters, names)


def _names(suite: Suite, citations: Citations) -> dict[str, str]:
    found = {each.address: address_name(suite.book, each.address, "en") for each in citations.nodes}
    statements: list[Statement] = [*_examples(suite), *(each.statement for each in suite.properties)]
    found |= {f"{each.sort} {each.id}": said_text(each.body, "en", "name") for each in statements}
    return {key: name for key, name in found.items() if name}


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


@frozen(eq=False)
class _Tests:
    """What names each clause and each ruling."""

    ruleset: Ruleset
    nodes: defaultdict[str, list[Cited]]
    scenarios: defaultdict[str, list[str]]
    properties: defaultdict[str, list[str]]
    ruling_scenarios: defaultdict[str, list[str]]
    ruling_properties: defaultdict[str, list[str]]


def _tests(suite: Suite, citations: Citations) -> _Tests:
    return _Tests(
        suite.book.ruleset,
        _by_id((each.clauses, each) for each in citations.nodes),
        _by_id((each.clauses, each.id) for each in suite.scenarios),
        _by_id((each.clauses, each.id) for each in suite.properties),
        _by_id((each.rulings, each.id) for each in _examples(suite)),
        _by_id((law.statement.rulings, law.id) for law in suite.properties),
    )


def _by_id(cited: Iterable[tuple[tuple[str, ...], T]]) -> defaultdict[str, list[T]]:
    """Return what cites each clause or ruling, from what cites with all that it cites."""
    found = defaultdict[str, list[T]](list)
    for ids, one in cited:
        for id_ in dict.fromkeys(ids):
            found[id_].append(one)
    return found


def _examples(suite: Suite) -> Iterator[Statement]:
    """Iterate over the scenarios, with those that only need other players: what four can show two may not."""
    yield from (one.statement for one in suite.scenarios)
    others = (one.statement for one in suite.left_out if one.group == "players")
    yield from (statement for statement in others if statement.sort == "scenario")


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


def format_map(found: ClauseMap, *, verbose: bool = False) -> str:
    """Return the map as text: every gap, and with `verbose` every clause."""
    lines = [line for clause in found.clauses for line in _clause_lines(clause)] if verbose else []
    lines += [line for ruling in found.rulings for line in _ruling_lines(ruling)] if verbose else []
    lines += [f"gap: {gap}" for gap in found.gaps]
    return "\n".join([*lines, map_summary(found)]) + "\n"


def map_summary(found: ClauseMap) -> str:
    """Return one line that says it all."""
    kinds = Counter(clause.kind for clause in found.clauses)
    # Advice is not counted by itself.
    parts = [count(many, kind) if kind != "advice" else f"{many} of advice" for kind, many in sorted(kinds.items())]
    overridden = sum(clause.is_overridden for clause in found.clauses)
    shown = f"{found.rules}: {count(len(found.clauses), 'clause')}"
    if parts:
        shown += f" ({', '.join(parts)})"
    if overridden:
        shown += f", {overridden} overridden"
    if found.rulings:
        shown += f", {count(len(found.rulings), 'ruling')}"
    if found.games:
        idle = sum(not clause.exercised and bool(clause.nodes) for clause in found.clauses)
        shown += f"; {count(found.games, 'game')}, {idle} modelled and never exercised"
    return f"{shown}; {count(len(found.gaps), 'gap') if found.gaps else 'no gap'}"


def _clause_lines(clause: ClauseCoverage) -> Iterator[str]:
    yield f"{clause.id} ({clause.kind}{', overridden' if clause.is_overridden else ''}): {clause.says}"
    if clause.source:
        yield f"  stands in {clause.source}"
    yield from (f"  modelled by {node.address} ({node.span})" for node in clause.nodes)
    yield from (f"  shown by scenario {each}" for each in clause.scenarios)
    yield from (f"  tested by property {each}" for each in clause.properties)
    if clause.exercised:
        yield f"  exercised {count(clause.exercised, 'time')}"


def _ruling_lines(ruling: Ruling) -> Iterator[str]:
    yield f"ruling {ruling.id} ({ruling.reading}): {ruling.question}"
    yield from (f"  shown by scenario {each}" for each in ruling.scenarios)
    yield from (f"  tested by property {each}" for each in ruling.properties)
    if ruling.why_no_scenario is not None:
        yield f"  shown by no scenario: {ruling.why_no_scenario}"
