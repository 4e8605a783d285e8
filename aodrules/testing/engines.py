"""Run scenarios on generated code too: side by side with the interpreter, question by question."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from attrs import define, evolve, field

from aodrules.compiler.runtime.compiled import Compiled
from aodrules.compiler.runtime.pack_state import pack
from aodrules.facts.state import Machine, PlainState
from aodrules.interpreter.entry.enter_at_step import EntryPoint, Passed
from aodrules.interpreter.entry.resume_rules import NoResumeError, resume_rules
from aodrules.interpreter.interpreter import Interpreter
from aodrules.play.comparison import first_difference
from aodrules.play.engines import program_of
from aodrules.source.diagnostics import Report
from aodrules.testing.scenario_runner import Outcome, ScenarioFailure, ScenarioRun, ScenarioRunner
from aodrules.testing.scenarios import Scenario


@define(eq=False)
class _Arrival:
    """Where the interpreter came into the game."""

    trail: tuple[Passed, ...] = ()
    state: PlainState = field(factory=PlainState)

    def note(self, trail: tuple[Passed, ...], state: PlainState) -> None:
        self.trail, self.state = trail, state.copy()


def run_on_both(runner: ScenarioRunner, scenario: Scenario, beyond: int = 0) -> Outcome:
    """Play a scenario on generated code and on the interpreter and compare them; `then` must hold as well.

    Args:
        runner: The rules.
        scenario: What is played.
        beyond: How many more actions are taken after the last one of the scenario, to compare what follows too.

    A way in through an inline decision can be gone by the interpreter alone; there only that is run.
    """
    report, arrival = Report(), _Arrival()
    entry = runner.entry(scenario, report)
    if entry is not None:
        entry = evolve(entry, arrived=arrival.note)
    run = ScenarioRun(runner, scenario, entry)
    try:
        run.run()
        _compare(runner, scenario, entry, arrival, run.answers, beyond)
    except ScenarioFailure as found:
        return Outcome(scenario, "failed", found.message, found.span)
    except NoResumeError:
        pass
    return Outcome(scenario, "passed")


def _compare(
    runner: ScenarioRunner,
    scenario: Scenario,
    entry: EntryPoint | None,
    arrival: _Arrival,
    answers: Sequence[int],
    beyond: int,
) -> None:
    reference = runner.interpreter(scenario, entry)
    other = _compiled(runner, scenario, entry, arrival)
    _check(scenario, reference, other, 0)
    for number, answer in enumerate(_and_more(reference, answers, beyond), 1):
        reference.apply(answer)
        other.apply(answer)
        _check(scenario, reference, other, number)


def _and_more(game: Interpreter, answers: Sequence[int], beyond: int) -> Iterator[int]:
    """Iterate over the answers of a scenario and then over any that are possible."""
    yield from answers
    # The choices are no secret.
    chance = random.Random(0)  # noqa: S311
    for _ in range(beyond):
        if game.pending is not None:
            yield chance.choice(game.codes)


def _compiled(runner: ScenarioRunner, scenario: Scenario, entry: EntryPoint | None, arrival: _Arrival) -> Machine:
    """Return generated code at the first question of a scenario."""
    book, players = runner.book, len(scenario.seats)
    if entry is None:
        return book.machine("compiled", players, scenario.seed, runner.facts(scenario))
    tables = book.tables(players)
    rules = resume_rules(tables, entry.way, arrival.trail, arrival.state)
    program = program_of(rules, players)
    arrival.state.step = None
    start = pack(program.plan.layout, arrival.state)
    return Compiled.new_game(evolve(program, start=tuple(start)), arrival.state.generator)


def _check(scenario: Scenario, reference: Interpreter, other: Machine, number: int) -> None:
    different = first_difference(reference, other, len(scenario.seats), number)
    # How each engine came into the game is no part of it.
    if different is not None and (number or different != "events"):
        message = f"the two engines disagree about the {different} after {number} actions; please report this"
        raise ScenarioFailure(message, scenario.statement.span)
