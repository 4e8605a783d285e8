"""Run scenarios: enter the game, try what is refused, do what is done, and compare what comes of it.

They are run on the interpreter; on generated code too if that is asked for, side by side and question by question.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import zip_longest
from typing import Literal, TypeAlias

from attrs import define, evolve, field, frozen

from aodrules.check.checked import CheckedRules, Option
from aodrules.check.steps import AnyStep
from aodrules.check.visit import walk_steps
from aodrules.compiler.runtime.compiled import Compiled, pack
from aodrules.errors import InvalidActionError
from aodrules.facts.chance import generator_of
from aodrules.facts.state import Facts, Machine, PlainState, Question
from aodrules.interpreter.entry.enter_at_step import EntryPoint, NoEntryError, Passed, state_after_setup
from aodrules.interpreter.entry.resume_rules import NoResumeError, resume_rules
from aodrules.interpreter.interpreter import Interpreter
from aodrules.interpreter.options import Failure, Locals, failures
from aodrules.interpreter.setup import starting_state
from aodrules.interpreter.tables import Tables
from aodrules.play.actions import ActionTable
from aodrules.play.comparison import ODD, first_difference, odd_among
from aodrules.play.engines import program_of
from aodrules.play.ids import IdTable
from aodrules.play.reason import Reason
from aodrules.play.rules_context import RulesContext
from aodrules.play.settings import Settings
from aodrules.reasons import ReasonWriter
from aodrules.source.diagnostics import Report
from aodrules.source.rendering import format_report
from aodrules.source.spans import Span
from aodrules.source.wording import quote, quotes
from aodrules.syntax.tree import Mapping, Scalar
from aodrules.testing.expectations import disagreement
from aodrules.testing.playing import GameObserver, observed_game
from aodrules.testing.positions import place_contents, put_plain
from aodrules.testing.scenarios import Scenario, ScenarioMove, ScenarioReader, Target
from aodrules.testing.statements import Statement, unknown_variants

TOO_EARLY = "`then` is read right after the last action; by the next question it is so: `until: question`"
STILL_TO_COME = "`then` is read right after the last action; {} were still to come and change this: `until` goes on"
Status = Literal["passed", "failed", "error"]


@frozen(eq=False)
class Outcome:
    """What came of a scenario: the first thing that was not as it says, if there is one."""

    scenario: Scenario
    status: Status
    message: str = ""
    span: Span | None = None
    is_interruption: bool = False
    """Whether it could not be played as it is written: of what it claims nothing was found wrong."""
    origin: Span | None = None
    """For an interruption: the rule that stood in the way, if one did."""
    clauses: tuple[str, ...] = ()
    """The clauses whose own claim failed, as far as the scenario ties claims to clauses."""


class ScenarioFailure(Exception):  # noqa: N818 - no error but what a scenario is there to find
    """Something is not as a scenario says."""

    def __init__(self, message: str, span: Span, clauses: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.message = message
        self.span = span
        self.clauses = clauses


class Interruption(ScenarioFailure):
    """A scenario cannot be played as it is written: it is not asked for, or not possible."""

    def __init__(self, message: str, span: Span, origin: Span | None = None) -> None:
        super().__init__(message, span)
        self.origin = origin


@define(eq=False)
class StateCheckpoint(GameObserver):
    """Looks on and keeps the state right after the steps of the last action, or when a step begins."""

    until: Target | None = None
    goes_on: bool = False
    """Whether play goes on to the next question, where the game itself tells the state."""
    is_armed: bool = False
    """Whether the last action is being done."""
    state: PlainState | None = None
    interpreter: Interpreter | None = None
    entries: int = 0
    """How many entries the log had then."""
    following: AnyStep | None = None
    """The first step that was done after that."""
    skip_listener: Callable[[str, Locals], None] = lambda _decision, _names: None
    """Is told each decision that is not asked."""
    _depth: int = 0
    _is_done: bool = False

    def watch(self, interpreter: Interpreter) -> None:
        """Begin to look on."""
        self.interpreter = interpreter

    def on_step(self, step: AnyStep, _names: Locals) -> None:
        """Keep the state if this is the step play goes on to."""
        if self.state is not None and self.following is None:
            self.following = step
        if self.until is not None and self._is_done and self.until.wanted(step):
            self._keep()

    def on_skip(self, decision: str, names: Locals) -> None:
        """Pass on that a decision is not asked."""
        self.skip_listener(decision, names)

    def on_option(self, _decision: str, _option: str) -> None:
        """Count answers that are under way."""
        if self.is_armed and not self._is_done:
            self._depth += 1

    def after_option(self, _decision: str, _option: str, _names: Locals) -> None:
        """Keep the state if these were the steps of the last action."""
        if self.is_armed and not self._is_done:
            self._depth -= 1
            if self._depth <= 0:
                self.finish()

    def finish(self) -> None:
        """Note that the last action is done."""
        self._is_done = True
        if self.until is None and not self.goes_on:
            self._keep()

    def _keep(self) -> None:
        if self.state is None and self.interpreter is not None:
            self.state = self.interpreter.plain()
            self.entries = self.interpreter.noted


@define(eq=False)
class ScenarioRunner:
    """Rules on which scenarios are run; what a set-up leads to is kept."""

    book: RulesContext
    _set_up: dict[tuple[tuple[str, ...], int, Settings], tuple[PlainState, list[str]]] = field(factory=dict, init=False)
    """What each led to, and the decisions in it that were answered because nobody could pass."""

    def facts(self, scenario: Scenario) -> Facts:
        """Return what the game of a scenario is begun with."""
        return self.book.facts(scenario.seats, scenario.settings)

    def entry(self, scenario: Scenario, report: Report) -> EntryPoint | None:
        """Return where a scenario begins, with its position laid out; what does not balance is reported."""
        if not scenario.is_placed:
            return None
        names = self.book.actions(scenario.seats).names
        if scenario.beginning.before_set_up:
            state = starting_state(self._tables(scenario), scenario.seed)
        else:
            state = self._set_up_game(scenario)[0].copy()
        # So that a change of the set-up does not change the chance of every example.
        state.generator = generator_of(scenario.seed)
        mine = Report()
        place_contents(names, state, scenario.given, mine)
        for problem in mine:
            report.add(scenario.statement.with_origin(problem))
        beginning = scenario.beginning

        def settle(current: PlainState) -> None:
            put_plain(names.tables, current, scenario.given)

        return EntryPoint(beginning.way, state, beginning.names, settle)

    def _tables(self, scenario: Scenario) -> Tables:
        return self.book.tables(len(scenario.seats), self.facts(scenario))

    def _set_up_game(self, scenario: Scenario) -> tuple[PlainState, list[str]]:
        key = (scenario.seats, scenario.seed, scenario.settings)
        if key not in self._set_up:
            answered: list[str] = []
            tables = self._tables(scenario)
            spaces = self.book.actions(scenario.seats).spaces
            self._set_up[key] = state_after_setup(tables, spaces, scenario.seed, answered.append), answered
        return self._set_up[key]

    def is_news(self, decision: str, scenario: Scenario) -> bool:
        """Whether a decision is brought by a variant that a scenario does not know."""
        declared = self.book.checked.decisions.get(decision)
        if declared is None:
            return False
        return self.book.layer_of(declared.span)[0] in unknown_variants(scenario.statement, self.book.ruleset)

    def answered_for(self, scenario: Scenario) -> Span | None:
        """Return a question of the set-up that a scenario does not know and that was answered for it."""
        if not scenario.is_placed or scenario.beginning.before_set_up:
            return None
        news = (each for each in self._set_up_game(scenario)[1] if self.is_news(each, scenario))
        return next((self.book.checked.decisions[each].span for each in news), None)

    def interpreter(self, scenario: Scenario, entry: EntryPoint | None, *observers: GameObserver) -> Interpreter:
        """Return the reference engine at the first question of a scenario."""
        seats, settings = scenario.seats, scenario.settings
        return observed_game(self.book, seats, scenario.seed, observers, settings=settings, entry=entry)


def run_scenario(runner: ScenarioRunner, scenario: Scenario, *observers: GameObserver) -> Outcome:
    """Play a scenario on the reference engine and compare; others may look on."""
    report = Report()
    entry = runner.entry(scenario, report)
    if report.has_errors:
        return Outcome(scenario, "error", format_report(report), next(iter(report)).primary.span)
    try:
        ScenarioRun(runner, scenario, entry, observers).run()
    except ScenarioFailure as found:
        return _outcome_of(runner, scenario, found)
    except NoEntryError as found:
        message = f"the step cannot be entered: there is no {_item(scenario, str(found))} in this position"
        return Outcome(scenario, "error", message, scenario.statement.span)
    except KeyError as missing:
        # Only what a step on the way would have named can be missing: checked rules know all other names.
        message = f"the step cannot be entered: {quote(missing.args[0])} is made by a step before it that is not done"
        return Outcome(scenario, "error", message, scenario.statement.span)
    return Outcome(scenario, "passed")


def run_statement(book: RulesContext, statement: Statement) -> Outcome | None:
    """Run a scenario as it is written; nothing comes of one that cannot be read with these rules."""
    scenario = ScenarioReader(book).read(statement, Report())
    return None if scenario is None else run_scenario(ScenarioRunner(book), scenario)


def _outcome_of(runner: ScenarioRunner, scenario: Scenario, found: ScenarioFailure) -> Outcome:
    """Return what came of a scenario in which something is not as it says."""
    if isinstance(found, Interruption):
        return Outcome(scenario, "failed", found.message, found.span, is_interruption=True, origin=found.origin)
    asked = runner.answered_for(scenario)
    if asked is not None:
        message = f"the set-up asks what it does not answer, and so {found.message}"
        return Outcome(scenario, "failed", message, found.span, is_interruption=True, origin=asked)
    return Outcome(scenario, "failed", found.message, found.span, clauses=found.clauses)


def _item(scenario: Scenario, loop: str) -> str:
    """Return the item of a loop that a scenario asks for."""
    at = scenario.statement.said("at")
    asked = at.get(loop) if isinstance(at, Mapping) else None
    return quote(f"{loop}: {asked.text}") if isinstance(asked, Scalar) else f"such {quote(loop)}"


def address_of(rules: CheckedRules, step: AnyStep | None) -> str | None:
    """Return the address of the verb or answer in which a step stands, if it stands in one."""
    bodies = [(verb.address, verb.body) for verb in rules.verbs.values()]
    bodies += [(option.address, option.body) for decision in rules.decisions.values() for option in decision.options]
    return next((name for name, body in bodies if any(each is step for each in walk_steps(body))), None)


@define(eq=False)
class ScenarioRun:
    """One scenario being played."""

    runner: ScenarioRunner
    scenario: Scenario
    entry: EntryPoint | None
    observers: tuple[GameObserver, ...] = ()
    checkpoint: StateCheckpoint = field(init=False)
    interpreter: Interpreter = field(init=False)
    answers: list[int] = field(factory=list, init=False)
    _awaited: ScenarioMove | None = field(default=None, init=False)
    """The action whose question must come next."""
    _skipped: dict[str, tuple[Reason, ...]] = field(factory=dict, init=False)
    """The decisions that would have asked for it and had no answer, each with what was in its way."""
    _odd: list[tuple[str, str]] = field(factory=list, init=False)
    _happened: Counter[str] = field(factory=Counter, init=False)

    @property
    def _action_table(self) -> ActionTable:
        return self.runner.book.actions(self.scenario.seats)

    @property
    def _names(self) -> IdTable:
        return self._action_table.names

    def run(self) -> None:
        """Play it; the first thing that is not as it says is raised."""
        self.checkpoint = StateCheckpoint(self.scenario.until, self.scenario.until_question)
        last = next((move for move in reversed(self.scenario.when) if not move.is_refused), None)
        if last is None:
            self.checkpoint.is_armed = True
            self.checkpoint.finish()
        moves = (*self.scenario.refused, *self.scenario.when)
        self._await(moves[0] if moves else None)
        self.checkpoint.skip_listener = self._note_skip
        self.interpreter = self.runner.interpreter(self.scenario, self.entry, self.checkpoint, *self.observers)
        self._note_events()
        for move, following in zip_longest(moves, moves[1:]):
            if move.is_refused:
                self._refuse(move)
            else:
                self._do(move, following, is_last=move is last)
            self._awaited = following
        self._pass_until()
        self._compare()
        for sort, where in self._odd:
            raise Interruption(f"{ODD[sort]} at {quote(where)}", self.scenario.statement.span)

    def _await(self, move: ScenarioMove | None) -> None:
        self._awaited = move
        self._skipped.clear()

    def _note_skip(self, decision: str, names: Locals) -> None:
        """Keep why the awaited action was not possible, if this is the decision that would have asked for it."""
        move, game = self._awaited, self.checkpoint.interpreter
        if move is None or game is None or self._names.seats[names.get("player", 0)] != move.seat:
            return
        for code in self._fitting(decision, move)[:1]:
            choice, values = self._action_table.spaces[decision].decode(code)
            found = [] if choice.option is None else failures(game.evaluator, choice.option, names, values)
            self._skipped[decision] = self._write_reasons(game, decision, code, choice.option, found)

    def _answer(self, code: int) -> None:
        is_past = self.checkpoint.state is not None
        self.answers.append(code)
        self.interpreter.apply(code)
        if not is_past:
            self._note_events()

    def _note_events(self) -> None:
        """Keep what happened, as far as it came before the moment of which `then` speaks."""
        end = None if self.checkpoint.state is None else self.checkpoint.entries
        happenings = self.interpreter.happenings[:end]
        self._odd += odd_among(happenings)
        self._happened.update(entry[1] for entry in happenings if entry[0] == "happen")

    def _state(self) -> PlainState:
        """Return the state of which `then` speaks."""
        if self.scenario.until is not None and self.checkpoint.state is None:
            waits = self.interpreter.pending
            what = f"{self._format_question(waits)} is asked before" if waits else "the game ended before"
            message = f"{quote(self.scenario.until.name)} did not begin: {what}"
            raise Interruption(message, self.scenario.statement.span, self._origin(waits))
        return self.checkpoint.state or self.interpreter.state

    def _passing(self) -> int | None:
        """Return the answer that declines what only variants offer that the scenario does not know, if there is one."""
        pending = self.interpreter.pending
        if pending is None or not unknown_variants(self.scenario.statement, self.runner.book.ruleset):
            return None
        passing = self._action_table.spaces[pending.decision].passing
        return passing if passing in self.interpreter.codes else None

    def _pass_until(self) -> None:
        while self.scenario.until is not None and self.checkpoint.state is None:
            passing = self._passing()
            if passing is None:
                return
            self._answer(passing)
        while self.scenario.until_question and self._is_new and (passing := self._passing()) is not None:
            self._answer(passing)

    def _compare(self) -> None:
        """Raise what is not as `then` says, all of it in one message."""
        state, wrong = self._state(), []
        for claim in self.scenario.then:
            line = disagreement(self._names, state, self._happened, claim)
            if line is not None:
                wrong.append((line, claim.span))
        if wrong:
            lines = [line for line, _ in wrong]
            lines += self._hints([line for line, _ in wrong])
            raise ScenarioFailure("\n".join(lines), wrong[0][1])

    def _hints(self, wrong: list[str]) -> Iterator[str]:
        """Iterate over what is to be said if `then` came too early: what was still to be done changes what is wrong."""
        if self.checkpoint.state is None or self.scenario.until is not None:
            return
        state = self.interpreter.state
        later = [disagreement(self._names, state, self._happened, one) for one in self.scenario.then]
        if not any(later):
            yield TOO_EARLY
        elif self.checkpoint.following is not None and any(line not in later for line in wrong):
            where = address_of(self.runner.book.checked, self.checkpoint.following)
            yield STILL_TO_COME.format(f"steps of {quote(where)}" if where else "steps")

    def _fitting(self, decision: str, move: ScenarioMove) -> list[int]:
        """Return the codes that an action has in a decision; none if it is no answer to that."""
        try:
            return self._action_table.codes_for(decision, move.action)
        except InvalidActionError:
            return []

    def _is_meant(self, move: ScenarioMove) -> bool:
        """Whether the question that waits is the one that somebody answers."""
        pending = self.interpreter.pending
        if pending is None or self._names.seats[pending.player] != move.seat:
            return False
        return bool(self._fitting(pending.decision, move))

    def _await_question(self, move: ScenarioMove) -> Question:
        """Return the question that a seat answers or tries to; pass what comes before and is only offered."""
        while (passing := self._passing()) is not None and (self._is_new or not self._is_meant(move)):
            self._answer(passing)
        pending = self.interpreter.pending
        if pending is None or not self._is_meant(move):
            raise Interruption(self._why_not_asked(move, pending), move.span, self._origin(pending))
        return pending

    @property
    def _is_new(self) -> bool:
        pending = self.interpreter.pending
        return pending is not None and self.runner.is_news(pending.decision, self.scenario)

    def _why_not_asked(self, move: ScenarioMove, pending: Question | None) -> str:
        """Return why the question that an action answers does not wait, and what waits instead."""
        for decision, reasons in self._skipped.items():
            why = "; ".join(map(str, dict.fromkeys(reasons)))
            because = f", because: {why}" if why else ""
            return f"{quote(move.action)}: {quote(decision)} was not asked: nothing was possible{because}"
        if pending is None:
            return f"{quote(move.action)}: the game is over, nobody is asked"
        if self._fitting(pending.decision, move):
            return f"{quote(move.action)}: {self._format_question(pending)} is asked, not {move.seat}"
        meant = quotes([each for each in self._action_table.spaces if self._fitting(each, move)], "or")
        return f"{quote(move.action)}: {meant} was not asked, {self._format_question(pending)} is"

    def _origin(self, pending: Question | None) -> Span | None:
        """Return where the decision stands that is asked."""
        decision = None if pending is None else self.runner.book.checked.decisions.get(pending.decision)
        return None if decision is None else decision.span

    def _format_question(self, pending: Question) -> str:
        return f"{self._names.seats[pending.player]} ({pending.decision})"

    def _do(self, move: ScenarioMove, following: ScenarioMove | None, *, is_last: bool) -> None:
        pending = self._await_question(move)
        self.checkpoint.is_armed = is_last
        codes = self._action_table.codes_for(pending.decision, move.action)
        legal = [code for code in codes if code in self.interpreter.codes]
        if not legal:
            raise self._refusal(move, self._reasons(pending, codes[0]))
        if len(legal) > 1:
            texts = quotes([str(self._action_table.action(pending.decision, code)) for code in legal], "or")
            raise Interruption(f"{quote(move.action)} may mean {texts}", move.span)
        self._await(following)
        self._answer(legal[0])

    def _refusal(self, move: ScenarioMove, reasons: tuple[Reason, ...]) -> ScenarioFailure:
        """Return what is to be said of an action that is not possible.

        If a clause of the game refuses it and a variant changes what stands for that clause, its claim failed.
        """
        why = "; ".join(map(str, reasons)) or "it is not among what is possible"
        message, ruleset = f"{quote(move.action)} is not possible: {why}", self.runner.book.ruleset
        news = unknown_variants(self.scenario.statement, ruleset)
        touched = {clause for entry in ruleset.origins if entry.layer in news for clause in entry.clauses}
        own = {one.id for one in reasons if one.id in self.runner.book.clauses and one.layer not in news}
        broken = sorted(own & touched - ruleset.overrides)
        if broken:
            return ScenarioFailure(message, move.span, tuple(broken))
        return Interruption(message, move.span, next((one.because for one in reasons), None))

    def _reasons(self, pending: Question, code: int) -> tuple[Reason, ...]:
        choice, values = self._action_table.spaces[pending.decision].decode(code)
        found = [] if choice.option is None else self.interpreter.failures(choice.address, values)
        return self._write_reasons(self.interpreter, pending.decision, code, choice.option, found)

    def _write_reasons(
        self, game: Interpreter, decision: str, code: int, option: Option | None, found: list[Failure]
    ) -> tuple[Reason, ...]:
        """Return why an answer is refused, in words."""
        if option is None:
            return ()
        writer = ReasonWriter(self.runner.book, self._action_table, game.evaluator, "en", detail=True)
        return writer.tell(self._action_table.action(decision, code), option, found)

    def _refuse(self, move: ScenarioMove) -> None:
        pending = self._await_question(move)
        codes = self._action_table.codes_for(pending.decision, move.action)
        clauses = (move.clause,) if move.clause in self.runner.book.clauses else ()
        if any(code in self.interpreter.codes for code in codes):
            raise ScenarioFailure(f"{quote(move.action)} should be refused, and it is possible", move.span, clauses)
        if move.clause is None:
            return
        reasons = [one for code in codes for one in self._reasons(pending, code)]
        given = {one.id for one in reasons} | {clause for one in reasons for clause in one.clauses}
        if move.clause not in given:
            said = quotes(sorted(given)) if given else "no reason of the rules"
            message = f"{quote(move.action)} is refused because of {said}, not {quote(move.clause)}"
            raise ScenarioFailure(message, move.span, clauses)


_Arrival: TypeAlias = "tuple[tuple[Passed, ...], PlainState]"
"""How the interpreter came into the game, and the state then."""


def run_on_both(runner: ScenarioRunner, scenario: Scenario, beyond: int = 0) -> Outcome:
    """Play a scenario on generated code and on the interpreter and compare them; `then` must hold as well.

    Args:
        runner: The rules.
        scenario: What is played.
        beyond: How many more actions are taken after the last one of the scenario, to compare what follows too.

    A way in through an inline decision can be gone by the interpreter alone; there only that is run.
    """
    arrivals: list[_Arrival] = []
    entry = runner.entry(scenario, Report())
    if entry is not None:
        entry = evolve(entry, arrived=lambda trail, state: arrivals.append((trail, state.copy())))
    run = ScenarioRun(runner, scenario, entry)
    try:
        run.run()
        reference = runner.interpreter(scenario, entry)
        other = _compiled(runner, scenario, entry, arrivals)
        _check_equal(scenario, reference, other, 0)
        for number, answer in enumerate(_and_more(reference, run.answers, beyond), 1):
            reference.apply(answer)
            other.apply(answer)
            _check_equal(scenario, reference, other, number)
    except ScenarioFailure as found:
        return Outcome(scenario, "failed", found.message, found.span)
    except NoResumeError:
        pass
    return Outcome(scenario, "passed")


def _and_more(game: Interpreter, answers: Sequence[int], beyond: int) -> Iterator[int]:
    """Iterate over the answers of a scenario and then over any that are possible."""
    yield from answers
    # The choices are no secret.
    chance = random.Random(0)  # noqa: S311
    for _ in range(beyond):
        if game.pending is not None:
            yield chance.choice(game.codes)


def _compiled(
    runner: ScenarioRunner, scenario: Scenario, entry: EntryPoint | None, arrivals: list[_Arrival]
) -> Machine:
    """Return generated code at the first question of a scenario."""
    book, players = runner.book, len(scenario.seats)
    if entry is None:
        return book.machine("compiled", players, scenario.seed, runner.facts(scenario))
    trail, state = arrivals[-1]
    program = program_of(resume_rules(book.tables(players), entry.way, trail, state), players)
    state.step = None
    start = tuple(pack(program.plan.layout, state))
    return Compiled.new_game(evolve(program, start=start), state.generator)


def _check_equal(scenario: Scenario, reference: Interpreter, other: Machine, number: int) -> None:
    different = first_difference(reference, other, len(scenario.seats), number)
    # How each engine came into the game is no part of it.
    if different is not None and (number or different not in {"events", "causes"}):
        message = f"the two engines disagree about the {different} after {number} actions; please report this"
        raise ScenarioFailure(message, scenario.statement.span)
