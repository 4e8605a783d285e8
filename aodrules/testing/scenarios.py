"""Scenarios: a position, what players do and what comes of it, read with every name checked."""

from __future__ import annotations

from collections.abc import Callable

from attrs import define, frozen

from aodrules.check import analysis_problems
from aodrules.check import problems as check_problems
from aodrules.errors import InvalidActionError
from aodrules.play.actions import ActionTable
from aodrules.play.ids import IdTable
from aodrules.play.rules_context import RulesContext
from aodrules.play.settings import Misfit, Settings, choice_of
from aodrules.source.diagnostics import Report
from aodrules.source.spans import Span
from aodrules.source.suggestions import nearest
from aodrules.source.wording import count_range
from aodrules.syntax.tree import Entry, Mapping, Node, Scalar, Sequence
from aodrules.testing import problems
from aodrules.testing.entries import Beginning, Steps, Target, read_beginning
from aodrules.testing.expectations import Claim, ExpectationReader
from aodrules.testing.given_values import Content, ContentReader
from aodrules.testing.statements import Statement

CLAUSE, REFUSED = "clause", "refused"


@frozen(eq=False)
class ScenarioMove:
    """An action that a seat takes, or that is refused to it for a reason."""

    seat: str
    action: str
    span: Span
    clause: str | None = None
    is_refused: bool = False
    """Whether it must not be possible at that moment."""


@frozen(eq=False)
class Scenario:
    """An example of play, ready to be run."""

    statement: Statement
    seats: tuple[str, ...]
    seed: int
    settings: Settings
    given: tuple[Content, ...]
    beginning: Beginning
    is_placed: bool
    """Whether it says where it begins or what is given; else it is a new game from its first question on."""
    refused: tuple[ScenarioMove, ...]
    when: tuple[ScenarioMove, ...]
    until: Target | None
    then: tuple[Claim, ...]

    @property
    def id(self) -> str:
        """What it is called."""
        return self.statement.id

    @property
    def clauses(self) -> tuple[str, ...]:
        """The clauses it shows."""
        return self.statement.clauses


@define(eq=False)
class ScenarioReader:
    """Reads the scenarios of some rules."""

    book: RulesContext
    steps: Steps

    def read(self, statement: Statement, report: Report) -> Scenario | None:
        """Return a scenario; whatever is not understood is reported, and then there is none."""
        mine = Report()
        found = self._read(statement, mine)
        for problem in mine:
            report.add(problem)
        return None if mine.has_errors else found

    def _read(self, statement: Statement, report: Report) -> Scenario | None:
        body = statement.body
        seats = self._seats(body.get("players"), report)
        if seats is None:
            return None
        faces = self.book.actions(seats)
        beginning = read_beginning(body.get("at"), self.steps, faces.names, report)
        given = ContentReader(faces.names, report).read(body.get("given"))
        deeds = _MoveReader(self.book, faces, seats, report)
        refused, when = deeds.read(body.get(REFUSED), is_refused=True), deeds.read(body.get("when"))
        until, seed = body.get("until"), body.get("seed")
        target = self.steps.find(until, report) if isinstance(until, Scalar) else None
        then = ExpectationReader(faces.names, report).read(body.get("then"))
        number = seed.value if isinstance(seed, Scalar) and isinstance(seed.value, int) else 0
        is_placed = body.get("at") is not None or bool(given)
        if beginning is None:
            return None
        settings = _settings(body.get("settings"), faces.names, report)
        return Scenario(statement, seats, number, settings, given, beginning, is_placed, refused, when, target, then)

    def _seats(self, node: Node | None, report: Report) -> tuple[str, ...] | None:
        """Return who plays: those named, so many, or as few as can."""
        game = self.book.checked.game
        low, high = game.players
        if isinstance(node, Sequence):
            return self._named_seats(node, report)
        number = node.value if isinstance(node, Scalar) else low
        if not isinstance(number, int) or not low <= number <= high:
            at = node.span if node is not None else game.span
            shown = node.text if isinstance(node, Scalar) else ""
            report.add(problems.wrong_content("players", f"a number {low}..{high}", shown, at))
            return None
        return game.seats[:number]

    def _named_seats(self, node: Sequence, report: Report) -> tuple[str, ...] | None:
        game = self.book.checked.game
        low, high = game.players
        words = [item for item in node if isinstance(item, Scalar)]
        for word in words:
            if word.text not in game.seats:
                report.add(check_problems.unknown_name(word.text, word.span, game.seats, "seat"))
                return None
        seats = tuple(dict.fromkeys(word.text for word in words))
        if not low <= len(seats) <= high or len(seats) < len(words):
            shown = ", ".join(word.text for word in words)
            report.add(problems.wrong_content("players", count_range(low, high, "seat"), shown, node.span))
            return None
        return seats


def _settings(node: Node | None, names: IdTable, report: Report) -> Settings:
    """Return the facts outside the game that a scenario gives."""
    known, found = names.tables.rules.settings, []
    for entry in node if isinstance(node, Mapping) else ():
        value = entry.value.value if isinstance(entry.value, Scalar) else None
        if entry.name not in known:
            report.add(check_problems.unknown_name(entry.name, entry.key.span, known, "setting"))
            continue
        choice = choice_of(names, known[entry.name], value)
        if isinstance(choice, Misfit):
            report.add(problems.wrong_content(entry.name, choice.expected, choice.found, entry.value.span))
        else:
            found.append((entry.name, choice))
    return tuple(sorted(found, key=lambda each: each[0]))


@define(eq=False)
class _MoveReader:
    """Reads what seats do; each action must be one of some decision."""

    book: RulesContext
    faces: ActionTable
    seats: tuple[str, ...]
    report: Report

    def read(self, node: Node | None, *, is_refused: bool = False) -> tuple[ScenarioMove, ...]:
        items = node if isinstance(node, Sequence) else ()
        return tuple(deed for item in items if isinstance(item, Mapping) for deed in self._deeds(item, is_refused))

    def _deeds(self, item: Mapping, is_refused: bool) -> list[ScenarioMove]:  # noqa: FBT001 - named by its only caller
        word = item.get(CLAUSE) or item.get(REFUSED)
        clause = word if isinstance(word, Scalar) and not isinstance(word.value, bool) else None
        if clause is not None:
            self._check_clause(clause)
        said = None if clause is None else clause.text
        refusal = is_refused or (isinstance(word, Scalar) and word.value is not False)
        return [
            ScenarioMove(entry.name, str(entry.value.text), entry.value.span, said, refusal)
            for entry in item
            if entry.name not in (CLAUSE, REFUSED) and isinstance(entry.value, Scalar) and self._is_sound(entry)
        ]

    def _check_clause(self, clause: Scalar) -> None:
        declared = self.book.clauses.keys()
        if declared and clause.text not in declared and clause.text not in self.book.checked.texts:
            self.report.add(analysis_problems.unknown_clause(clause.text, clause.span, declared))

    def _is_sound(self, entry: Entry) -> bool:
        if entry.name not in self.seats:
            self.report.add(check_problems.unknown_name(entry.name, entry.key.span, self.seats, "seat"))
            return False
        assert isinstance(entry.value, Scalar)
        why = self._why_no_action(entry.value.text)
        if why is not None:
            why(entry.value)
        return why is None

    def _why_no_action(self, text: str) -> Callable[[Scalar], None] | None:
        """Return what reports a text that is no action of any decision; nothing if it is one."""
        option = (text.split() or [""])[0]
        why = ""
        for decision, space in self.faces.spaces.items():
            try:
                if self.faces.fits(decision, text):
                    return None
            except InvalidActionError as cause:
                if any(option in (choice.id, choice.address) for choice in space.choices):
                    why = cause.why
        return (lambda at: self._report_words(at, why)) if why else self._report_option

    def _report_words(self, at: Scalar, why: str) -> None:
        self.report.add(problems.wrong_action(at.text, at.span, why, self._meant(at.text)))

    def _meant(self, text: str) -> str | None:
        """Return the action that a text is near to: the same one with the words put right that nothing is called by."""
        kinds = self.faces.names.tables.rules.kinds.values()
        known = {*self.seats, *(member for kind in kinds for member in kind.members)}
        option, *words = text.split()
        cured = " ".join([option, *(word if word in known else nearest(word, known) or word for word in words)])
        return cured if cured != text and self._why_no_action(cured) is None else None

    def _report_option(self, at: Scalar) -> None:
        option = (at.text.split() or [""])[0]
        start = 1 if at.quoted else 0
        known = {choice.id for space in self.faces.spaces.values() for choice in space.choices}
        span = at.span.within(start, start + len(option))
        self.report.add(check_problems.unknown_name(option, span, known, "option"))
