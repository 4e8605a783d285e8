"""Try mutants: which scenario or property notices that the rules were changed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from attrs import define, evolve, field, frozen

from aodrules.check.steps import AnyStep
from aodrules.interpreter.interpreter import Interpreter
from aodrules.interpreter.options import Locals
from aodrules.play.comparison import ODD
from aodrules.play.pipeline import Loaded
from aodrules.play.rules_context import RulesContext
from aodrules.source.diagnostics import Report
from aodrules.testing.citations import Citations
from aodrules.testing.entries import Steps
from aodrules.testing.exploring import imagined
from aodrules.testing.mutants import Mutant, mutants_of
from aodrules.testing.playing import Line, play
from aodrules.testing.properties import Property
from aodrules.testing.scenario_runner import ScenarioRunner, StateCheckpoint, run_scenario
from aodrules.testing.scenarios import Scenario, ScenarioReader
from aodrules.testing.sites import Trigger
from aodrules.testing.suites import Suite

Fate = Literal["killed", "survived", "excluded"]
GAMES = 6
LONGEST_GAME = 3000
"""A changed game may not end: after so many actions that counts as noticed."""


@frozen
class Verdict:
    """What became of a mutant."""

    mutant: str
    """Its id."""
    fate: Fate
    by: str = ""
    """The scenario or property that noticed it, or the reason why it is excluded."""


@define(eq=False)
class Coverage:
    """Looks on and keeps what was done, so that only tests that come by a mutant are run for it."""

    triggers: set[Trigger] = field(factory=lambda: {("any", None)})

    def watch(self, interpreter: Interpreter) -> None:
        """Begin to look on."""
        interpreter.evaluator.on_use = self._used

    def _used(self, address: str) -> None:
        if address.startswith("value."):
            self.triggers.add(("value", address.removeprefix("value.")))

    def on_step(self, step: AnyStep, _names: Locals) -> None:
        """Keep a step; a question brings its decision along."""
        self.triggers.add(("step", step.span.sort_key))
        decision = getattr(step, "decision", None)
        if decision is not None:
            self.triggers.add(("decision", decision))
        event = getattr(step, "event", None)
        if event is not None:
            self.triggers.add(("event", event))

    def on_skip(self, decision: str, names: Locals) -> None:
        """What is not asked is of no interest here."""

    def on_option(self, decision: str, option: str) -> None:
        """Answers are of no interest here."""

    def after_option(self, decision: str, option: str, names: Locals) -> None:
        """Answers are of no interest here."""

    def on_event(self, event: str, names: Locals) -> None:
        """Events were kept when they were about to happen."""


@define(eq=False)
class _WatchedCheckpoint(StateCheckpoint):
    """Looks on as a scenario does, and keeps what was done besides."""

    prints: Coverage = field(factory=Coverage)

    def on_step(self, step: AnyStep, names: Locals) -> None:
        super().on_step(step, names)
        self.prints.on_step(step, names)


@frozen(eq=False)
class _BaselineRun:
    """A game as it goes by the rules as they are: what it comes by, and what is odd about it even so."""

    line: Line
    triggers: frozenset[Trigger]
    odd: frozenset[tuple[str, str]]


@define(eq=False, slots=False)
class MutationRunner:
    """Rules, their tests, and by which steps, values and decisions each test comes."""

    suite: Suite
    games: int = GAMES
    mutants: list[Mutant] = field(init=False)
    _by_scenario: list[tuple[Scenario, frozenset[Trigger]]] = field(factory=list, init=False)
    _games: list[_BaselineRun] = field(factory=list, init=False)
    _set_up: frozenset[Trigger] = field(default=frozenset(), init=False)
    _citations: Citations = field(init=False)

    def __attrs_post_init__(self) -> None:
        book = self.suite.book
        self.mutants = mutants_of(book.checked)
        self._citations = Citations(book.ruleset)
        self._set_up = self._footprints_of_setup()
        stage = ScenarioRunner(book)
        for scenario in self.suite.scenarios:
            triggers = self._footprints(stage, scenario)
            if triggers is not None:
                self._by_scenario.append((scenario, triggers))
        for line in imagined(book, self.games) if self.suite.properties else ():
            prints = Coverage()
            played = play(book, line, onlookers=[prints], most=LONGEST_GAME)
            self._games.append(_BaselineRun(line, frozenset(prints.triggers), frozenset(played.odd)))

    def _footprints_of_setup(self) -> frozenset[Trigger]:
        """Return what every set-up does, whatever the number of players."""
        book, prints = self.suite.book, Coverage()
        for players in range(book.checked.game.players[0], book.checked.game.players[1] + 1):
            play(book, Line(players, 0), onlookers=[prints], most=0)
        return frozenset(prints.triggers)

    def _footprints(self, stage: ScenarioRunner, scenario: Scenario) -> frozenset[Trigger] | None:
        """Return what a scenario comes by; nothing if it does not pass even without a change."""
        watched = _WatchedCheckpoint(scenario.until)
        if run_scenario(stage, scenario, watched, watched.prints.watch).status != "passed":
            return None
        values = {("value", name) for name in stage.book.checked.values} if scenario.then else set()
        return frozenset(watched.prints.triggers) | self._set_up | frozenset(values if _says_scores(scenario) else ())

    def clauses_of(self, mutant: Mutant) -> tuple[str, ...]:
        """Return the clauses of the node that a mutant changes."""
        return self._citations.at(mutant.span) or self.suite.book.clauses_at(mutant.address)

    def judge(self, mutant: Mutant) -> Verdict:
        """Return what becomes of a mutant: the tests of its clauses come first, and the first kill stops."""
        changed = mutant.applied(self.suite.book.checked)
        book = RulesContext(self.suite.book.request, Loaded(self.suite.book.ruleset, changed, ()))
        clauses = set(self.clauses_of(mutant))
        scenarios = [one for one, prints in self._by_scenario if prints & mutant.triggers]
        scenarios.sort(key=lambda one: not clauses & set(one.clauses))
        by = self._noticed_by_scenario(book, scenarios) or self._noticed_by_property(book, mutant, clauses)
        return Verdict(mutant.id, "killed" if by else "survived", by or "")

    def _noticed_by_scenario(self, book: RulesContext, scenarios: Sequence[Scenario]) -> str | None:
        stage, reader = ScenarioRunner(book), ScenarioReader(book, Steps(book.checked))
        for scenario in scenarios:
            if _fails(stage, reader, scenario):
                return f"scenario {scenario.id}"
        return None

    def _noticed_by_property(self, book: RulesContext, mutant: Mutant, clauses: set[str]) -> str | None:
        laws = sorted(self.suite.properties, key=lambda law: not clauses & set(law.clauses))
        games = (one for one in self._games if one.triggers & mutant.triggers)
        return next((found for game in games if (found := _breaks(book, game, laws)) is not None), None)


def _says_scores(scenario: Scenario) -> bool:
    return any(not hasattr(one, "field") for one in scenario.then)


def _fails(stage: ScenarioRunner, reader: ScenarioReader, scenario: Scenario) -> bool:
    """Whether a scenario notices that the rules were changed; rules that cannot be played are noticed too."""
    try:
        again = reader.read(scenario.statement, Report())
        return again is None or run_scenario(stage, again).status != "passed"
    except Exception:  # noqa: BLE001 - changed rules were not checked: whatever happens, it was noticed
        return True


def _breaks(book: RulesContext, game: _BaselineRun, laws: Iterable[Property]) -> str | None:
    try:
        played = play(book, game.line, laws, most=LONGEST_GAME)
    except Exception as cause:  # noqa: BLE001 - changed rules were not checked
        return f"a game that cannot be played: {type(cause).__name__}"
    if played.breaches:
        return f"property {played.breaches[0].law.id}"
    for sort, where in sorted(played.odd - game.odd):
        return f"a game: {ODD[sort]} at {where}"
    return None if played.is_over else "a game that does not end"


def with_exclusions(verdicts: Iterable[Verdict], reasons: dict[str, str]) -> list[Verdict]:
    """Return verdicts in which survivors with a stated reason are excluded."""
    return [
        evolve(one, fate="excluded", by=reasons[one.mutant])
        if one.fate == "survived" and one.mutant in reasons
        else one
        for one in verdicts
    ]
