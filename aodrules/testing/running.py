"""Run scenarios: enter the game, try what is refused, do what is done, and compare what comes of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Literal

from attrs import define, field, frozen

from aodrules.check.steps import AnyStep
from aodrules.engine.chance import generator_of
from aodrules.engine.entering import Entry, NoEntryError, state_after_setup
from aodrules.engine.interpreter import Interpreter
from aodrules.engine.options import Locals
from aodrules.engine.state import Facts, Pending, PlainState
from aodrules.engine.tables import Tables
from aodrules.errors import InvalidActionError
from aodrules.play.actions import ActionBook
from aodrules.play.book import Book
from aodrules.play.comparison import ODD, odd_among
from aodrules.play.names import Names
from aodrules.play.settings import Settings
from aodrules.reasons import Reason, Teller
from aodrules.source.diagnostics import Report
from aodrules.source.rendering import format_report
from aodrules.source.spans import Span
from aodrules.source.wording import quote, quotes
from aodrules.syntax.tree import Mapping, Scalar
from aodrules.testing.claims import Claim, disagreement
from aodrules.testing.entries import Target
from aodrules.testing.positions import place_contents, put_plain
from aodrules.testing.scenarios import Deed, Scenario
from aodrules.testing.statements import knows_less

Status = Literal["passed", "failed", "error"]


@frozen(eq=False)
class Outcome:
    """What came of a scenario: the first thing that was not as it says, if there is one."""

    scenario: Scenario
    status: Status
    message: str = ""
    span: Span | None = None


class Disagreement(Exception):  # noqa: N818 - no error but what a scenario is there to find
    """Something is not as a scenario says."""

    def __init__(self, message: str, span: Span) -> None:
        super().__init__(message)
        self.message = message
        self.span = span


@define(eq=False)
class Moment:
    """Looks on and keeps the state right after the steps of the last action, or when a step begins."""

    until: Target | None = None
    is_armed: bool = False
    """Whether the last action is being done."""
    state: PlainState | None = None
    interpreter: Interpreter | None = None
    entries: int = 0
    """How many entries the log had then."""
    _depth: int = 0
    _is_done: bool = False

    def does(self, step: AnyStep, _names: Locals) -> None:
        """Keep the state if this is the step play goes on to."""
        if self.until is not None and self._is_done and self.until.wanted(step):
            self._keep()

    def takes(self, _decision: str, _option: str) -> None:
        """Count answers that are under way."""
        if self.is_armed and not self._is_done:
            self._depth += 1

    def taken(self, _decision: str, _option: str, _names: Locals) -> None:
        """Keep the state if these were the steps of the last action."""
        if self.is_armed and not self._is_done:
            self._depth -= 1
            if self._depth <= 0:
                self.finish()

    def happened(self, _event: str, _names: Locals) -> None:
        """Events are of no interest here."""

    def finish(self) -> None:
        """Note that the last action is done."""
        self._is_done = True
        if self.until is None:
            self._keep()

    def _keep(self) -> None:
        if self.state is None and self.interpreter is not None:
            self.state = self.interpreter.plain()
            self.entries = self.interpreter.noted


@define(eq=False)
class Stage:
    """Rules on which scenarios are run; what a set-up leads to is kept."""

    book: Book
    _set_up: dict[tuple[tuple[str, ...], int, Settings], PlainState] = field(factory=dict, init=False)

    def facts(self, scenario: Scenario) -> Facts:
        """Return what the game of a scenario is begun with."""
        return self.book.facts(scenario.seats, scenario.settings)

    def _tables(self, scenario: Scenario) -> Tables:
        return self.book.tables(len(scenario.seats), self.facts(scenario))

    def entry(self, scenario: Scenario, report: Report) -> Entry | None:
        """Return where a scenario begins, with its position laid out; what does not balance is reported."""
        if not scenario.is_placed:
            return None
        names = self.book.actions(scenario.seats).names
        state = self._begun(scenario).copy()
        # So that a change of the set-up does not change the chance of every example.
        state.generator = generator_of(scenario.seed)
        place_contents(names, state, scenario.given, report)
        given, beginning = scenario.given, scenario.beginning
        return Entry(beginning.way, state, beginning.names, lambda current: put_plain(names.tables, current, given))

    def _begun(self, scenario: Scenario) -> PlainState:
        key = (scenario.seats, scenario.seed, scenario.settings)
        if key not in self._set_up:
            spaces = self.book.actions(scenario.seats).spaces
            self._set_up[key] = state_after_setup(self._tables(scenario), spaces, scenario.seed)
        return self._set_up[key]

    def interpreter(
        self,
        scenario: Scenario,
        entry: Entry | None,
        moment: Moment,
        on_start: Callable[[Interpreter], None] = lambda _: None,
    ) -> Interpreter:
        """Return the reference engine at the first question of a scenario."""
        faces = self.book.actions(scenario.seats)

        def begin(interpreter: Interpreter) -> None:
            moment.interpreter = interpreter
            on_start(interpreter)

        return Interpreter(
            self.book.checked,
            len(scenario.seats),
            scenario.seed,
            self._tables(scenario),
            spaces=faces.spaces,
            entry=entry,
            watcher=moment,
            on_start=begin,
        )


def run_scenario(
    stage: Stage,
    scenario: Scenario,
    moment: Moment | None = None,
    on_start: Callable[[Interpreter], None] = lambda _: None,
) -> Outcome:
    """Play a scenario on the reference engine and compare; somebody else may look on."""
    report = Report()
    entry = stage.entry(scenario, report)
    if report.has_errors:
        return Outcome(scenario, "error", format_report(report), next(iter(report)).primary.span)
    try:
        Performance(stage, scenario, entry, moment or Moment(scenario.until), on_start).run()
    except Disagreement as found:
        return Outcome(scenario, "failed", found.message, found.span)
    except NoEntryError as found:
        message = f"the step cannot be entered: there is no {_item(scenario, str(found))} in this position"
        return Outcome(scenario, "error", message, scenario.statement.span)
    except KeyError as missing:
        # Only what a step on the way would have named can be missing: checked rules know all other names.
        message = f"the step cannot be entered: {quote(missing.args[0])} is made by a step before it that is not done"
        return Outcome(scenario, "error", message, scenario.statement.span)
    return Outcome(scenario, "passed")


def _item(scenario: Scenario, loop: str) -> str:
    """Return the item of a loop that a scenario asks for."""
    at = scenario.statement.body.get("at")
    asked = at.get(loop) if isinstance(at, Mapping) else None
    return quote(f"{loop}: {asked.text}") if isinstance(asked, Scalar) else f"such {quote(loop)}"


@define(eq=False)
class Performance:
    """One scenario being played."""

    stage: Stage
    scenario: Scenario
    entry: Entry | None
    moment: Moment
    on_start: Callable[[Interpreter], None] = lambda _: None
    interpreter: Interpreter = field(init=False)
    answers: list[int] = field(factory=list, init=False)
    _odd: list[tuple[str, str]] = field(factory=list, init=False)
    _happened: Counter[str] = field(factory=Counter, init=False)

    @property
    def _faces(self) -> ActionBook:
        return self.stage.book.actions(self.scenario.seats)

    @property
    def _names(self) -> Names:
        return self._faces.names

    def run(self) -> None:
        """Play it; the first thing that is not as it says is raised."""
        last = next((deed for deed in reversed(self.scenario.when) if not deed.is_refused), None)
        if last is None:
            self.moment.is_armed = True
            self.moment.finish()
        self.interpreter = self.stage.interpreter(self.scenario, self.entry, self.moment, self.on_start)
        self._look_on()
        for deed in (*self.scenario.refused, *self.scenario.when):
            if deed.is_refused:
                self._refuse(deed)
            else:
                self._do(deed, is_last=deed is last)
        self._pass_until()
        compare(self._names, self._state(), self._happened, self.scenario.then)
        for sort, where in self._odd:
            raise Disagreement(f"{ODD[sort]} at {quote(where)}", self.scenario.statement.span)

    def _answer(self, code: int) -> None:
        is_past = self.moment.state is not None
        self.answers.append(code)
        self.interpreter.apply(code)
        if not is_past:
            self._look_on()

    def _look_on(self) -> None:
        """Keep what happened, as far as it came before the moment of which `then` speaks."""
        end = None if self.moment.state is None else self.moment.entries
        happenings = self.interpreter.happenings[:end]
        self._odd += odd_among(happenings)
        self._happened.update(entry[1] for entry in happenings if entry[0] == "happen")

    def _state(self) -> PlainState:
        """Return the state of which `then` speaks."""
        if self.scenario.until is not None and self.moment.state is None:
            waits = self.interpreter.pending
            what = f"{self._shown(waits)} is asked before" if waits else "the game ended before"
            raise Disagreement(f"{quote(self.scenario.until.name)} did not begin: {what}", self.scenario.statement.span)
        return self.moment.state or self.interpreter.state

    @property
    def _may_pass(self) -> bool:
        """Whether somebody is asked who may pass, in a game with variants that the scenario does not know."""
        pending = self.interpreter.pending
        if pending is None or not knows_less(self.scenario.statement, self.stage.book.ruleset):
            return False
        return self._faces.spaces[pending.decision].passing in self.interpreter.codes

    def _pass(self) -> None:
        """Decline what only a variant offers."""
        pending = self.interpreter.pending
        assert pending is not None  # asked only if somebody may pass
        passing = self._faces.spaces[pending.decision].passing
        assert passing is not None
        self._answer(passing)

    def _pass_until(self) -> None:
        while self.scenario.until is not None and self.moment.state is None and self._may_pass:
            self._pass()

    def _is_meant(self, deed: Deed) -> bool:
        """Whether the question that waits is the one that somebody answers."""
        pending = self.interpreter.pending
        if pending is None or self._names.seats[pending.player] != deed.seat:
            return False
        try:
            return bool(self._faces.fits(pending.decision, deed.action))
        except InvalidActionError:
            return False

    def _asked(self, deed: Deed) -> Pending:
        while self._may_pass and not self._is_meant(deed):
            self._pass()
        pending = self.interpreter.pending
        if pending is None:
            raise Disagreement(f"{quote(deed.action)}: the game is over, nobody is asked", deed.span)
        if self._names.seats[pending.player] != deed.seat:
            raise Disagreement(f"{quote(deed.action)}: {self._shown(pending)} is asked, not {deed.seat}", deed.span)
        return pending

    def _shown(self, pending: Pending) -> str:
        return f"{self._names.seats[pending.player]} ({pending.decision})"

    def _fits(self, pending: Pending, deed: Deed) -> list[int]:
        try:
            return self._faces.fits(pending.decision, deed.action)
        except InvalidActionError as cause:
            raise Disagreement(f"{cause} ({pending.decision})", deed.span) from None

    def _do(self, deed: Deed, *, is_last: bool) -> None:
        pending = self._asked(deed)
        self.moment.is_armed = is_last
        codes = self._fits(pending, deed)
        legal = [code for code in codes if code in self.interpreter.codes]
        if not legal:
            reasons = self._reasons(pending, codes[0])
            why = "; ".join(map(str, reasons)) or "it is not among what is possible"
            raise Disagreement(f"{quote(deed.action)} is not possible: {why}", deed.span)
        if len(legal) > 1:
            texts = quotes([str(self._faces.action(pending.decision, code)) for code in legal], "or")
            raise Disagreement(f"{quote(deed.action)} may mean {texts}", deed.span)
        self._answer(legal[0])

    def _reasons(self, pending: Pending, code: int) -> tuple[Reason, ...]:
        choice, values = self._faces.spaces[pending.decision].decode(code)
        if choice.option is None:
            return ()
        found = self.interpreter.failures(choice.address, values)
        action = self._faces.action(pending.decision, code)
        return Teller(self.stage.book, self._faces, self.interpreter.evaluator, "en", detail=True).tell(
            action, choice.option, found
        )

    def _refuse(self, deed: Deed) -> None:
        pending = self._asked(deed)
        codes = self._fits(pending, deed)
        if any(code in self.interpreter.codes for code in codes):
            raise Disagreement(f"{quote(deed.action)} should be refused, and it is possible", deed.span)
        if deed.clause is None:
            return
        reasons = [one for code in codes for one in self._reasons(pending, code)]
        given = {one.id for one in reasons} | {clause for one in reasons for clause in one.clauses}
        if deed.clause not in given:
            said = quotes(sorted(given)) if given else "no reason of the rules"
            message = f"{quote(deed.action)} is refused because of {said}, not {quote(deed.clause)}"
            raise Disagreement(message, deed.span)


def compare(names: Names, state: PlainState, happened: Counter[str], said: Iterable[Claim]) -> None:
    """Raise what is not as it is said to be, all of it in one message."""
    wrong = [(line, one.span) for one in said if (line := disagreement(names, state, happened, one))]
    if wrong:
        raise Disagreement("\n".join(line for line, _ in wrong), wrong[0][1])
