"""Hold laws in scenarios too: an example leads where chance seldom does."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import pairwise

from attrs import frozen

from aodrules.facts.state import PlainState
from aodrules.interpreter.entry.enter_at_step import NoEntryError
from aodrules.interpreter.evaluation import Evaluator
from aodrules.interpreter.interpreter import Interpreter
from aodrules.play.ids import IdTable
from aodrules.source.diagnostics import Report
from aodrules.testing.exploring import Search
from aodrules.testing.laws import Laws, format_values, values_of
from aodrules.testing.properties import Property
from aodrules.testing.scenario_runner import ScenarioFailure, ScenarioRun, ScenarioRunner
from aodrules.testing.scenarios import Scenario


@frozen(eq=False)
class _ExampleRun:
    """An example that holds: the answers given in it, and the state that `then` speaks of."""

    scenario: Scenario
    answers: Sequence[int]
    end: PlainState


def hold_in_examples(
    runner: ScenarioRunner, scenarios: Iterable[Scenario], properties: Iterable[Property], search: Search
) -> None:
    """Play scenarios that hold once more and test in each the laws of the clauses it shows.

    Only laws of answers and of changes, and only as far as the scenario goes: a game may never come to the position
    of an example, but what is done there is lawful.
    """
    laws = defaultdict(list)
    for law in properties:
        for clause in law.clauses:
            laws[clause].append(law)
    for scenario in scenarios:
        mine = dict.fromkeys(law for clause in scenario.clauses for law in laws[clause])
        course = _course(runner, scenario) if mine else None
        if course is not None:
            _hold(runner, course, tuple(mine), search)


def _course(runner: ScenarioRunner, scenario: Scenario) -> _ExampleRun | None:
    """Return how a scenario goes; nothing if it does not hold."""
    report = Report()
    run = ScenarioRun(runner, scenario, runner.entry(scenario, report))
    try:
        run.run()
    except (ScenarioFailure, NoEntryError, KeyError):
        # What is wrong with it is told where scenarios are run.
        return None
    return _ExampleRun(scenario, run.answers, run.checkpoint.state or run.interpreter.plain())


def _hold(runner: ScenarioRunner, course: _ExampleRun, properties: Sequence[Property], search: Search) -> None:
    laws = Laws(tuple(law for law in properties if law.moment == "after"))
    game = _game(runner, course, laws)
    laws.check()
    states = [game.plain()]
    for answer in course.answers:
        game.apply(answer)
        laws.check()
        states.append(game.plain())
    search.tested += laws.tested
    names = runner.book.actions(course.scenario.seats).names
    for violation in laws.breaches:
        _note(search, course.scenario, violation.law, format_values(names, violation.values))
    # What follows the last answer counts only as far as the scenario goes.
    ended = _Ended(game, names, [*states[:-1], course.end] if course.answers else states)
    for law in (each for each in properties if each.moment == "whenever"):
        ended.hold(law, course.scenario, search)


@frozen(eq=False)
class _Ended:
    """The states of an example, one after the other."""

    game: Interpreter
    names: IdTable
    states: Sequence[PlainState]

    def hold(self, law: Property, scenario: Scenario, search: Search) -> None:
        """Test a law of changes wherever it has something to say."""
        for before, after in pairwise(self.states):
            now = Evaluator(self.game.tables, after, before)
            if law.condition is not None and now.value(law.condition, {}):
                search.tested[law.id] += 1
                if not now.value(law.law, {}):
                    _note(search, scenario, law, format_values(self.names, values_of(now, law.law, {})))


def _note(search: Search, scenario: Scenario, law: Property, values: tuple[str, ...]) -> None:
    """Keep the first scenario in which a law breaks."""
    if law.id not in search.broken_examples:
        search.broken_examples[law.id] = scenario.id
        search.example_values[law.id] = values


def _game(runner: ScenarioRunner, course: _ExampleRun, laws: Laws) -> Interpreter:
    """Return the game at the first question of a scenario, with laws looking on."""
    entry = runner.entry(course.scenario, Report())
    return runner.interpreter(course.scenario, entry, laws)
