"""Scenarios that tell two rulesets apart: each passes with the one and not with the other, and both were tried.

A long game is told from a position shortly before they disagree, with no more of it than is needed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from attrs import evolve, frozen

from aodrules.authoring.disagreements import Disagreement, played, shown
from aodrules.interpreter.interpreter import Interpreter
from aodrules.play.saves import SavedAction
from aodrules.rulebook import Rules
from aodrules.source.diagnostics import Report
from aodrules.source.spans import Source
from aodrules.syntax.from_source import read
from aodrules.testing.entrances import StepKeeper
from aodrules.testing.entries import Steps
from aodrules.testing.scenario_runner import ScenarioRunner, run_scenario
from aodrules.testing.scenarios import ScenarioReader
from aodrules.testing.statements import in_document

LONGEST_GAME = 8
"""A game with more actions is told from a position."""


@frozen(eq=False)
class Draft:
    """A scenario about a disagreement, in its parts."""

    found: Disagreement
    moves: Sequence[SavedAction]
    then: Sequence[str]
    at: str | None = None
    given: tuple[tuple[str, str], ...] = ()

    def text(self) -> str:
        """Return it as a document."""
        lines = [
            "scenario:",
            f"  differs.{self.found.matter}:",
            f"    players: [{', '.join(self.found.setting.players)}]",
            f"    seed: {self.found.setting.seed}",
        ]
        if self.given:
            lines += ["    given:", *(f"      {place}: {value}" for place, value in self.given)]
        if self.at is not None:
            lines.append(f"    at: {self.at}")
        if self.moves:
            lines += ["    when:", *(f"      - {move.player}: {move.text}" for move in self.moves)]
        if self.then:
            lines += ["    then:", *(f"      {line}" for line in self.then)]
        return "\n".join(lines) + "\n"


def distinguishing_scenario(one: Rules, other: Rules, found: Disagreement) -> str | None:
    """Return a document with a scenario that shows a disagreement; nothing if none could be written.

    It passes with the one and not with the other, except where only the other allows an action: then it is the
    other way round, and the document says so.
    """
    judges = {id(rules): _ScenarioRunner(rules) for rules in (one, other)}
    for is_strict in (True, False):
        for rules, against, told in _candidates(one, other, found):
            best = _Comparison(judges[id(rules)], judges[id(against)], is_strict).shortest(told)
            if best is not None:
                return f"# Passes with {rules.book.request}, not with {against.book.request}.\n{best.text()}"
    return None


class _ScenarioRunner:
    """Runs scenarios on one of the rulesets."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self._reader = ScenarioReader(rules.book, Steps(rules.book.checked))
        self._stage = ScenarioRunner(rules.book)

    def outcome(self, told: Draft) -> str:
        """Return what comes of a scenario; one that is not understood is an error."""
        report = Report()
        document = read(Source("witness.yaml", told.text()), report)
        statements = [] if document is None else list(in_document(document))
        scenario = self._reader.read(statements[0], report) if statements else None
        return "error" if scenario is None or report.has_errors else run_scenario(self._stage, scenario).status


@frozen(eq=False)
class _Comparison:
    """Decides what shows that two rulesets differ."""

    passes: _ScenarioRunner
    fails: _ScenarioRunner
    is_strict: bool
    """Whether the other must play the scenario and fail; else it may also not know what the scenario speaks of."""

    def tells_apart(self, told: Draft) -> bool:
        """Whether a scenario passes with the one and not with the other."""
        if self.passes.outcome(told) != "passed":
            return False
        outcome = self.fails.outcome(told)
        return outcome == "failed" if self.is_strict else outcome != "passed"

    def shortest(self, told: Draft) -> Draft | None:
        """Return a scenario that begins late and gives no more than is needed, or as it is if it is short already.

        Nothing is returned if it does not show that the rulesets differ.
        """
        if len(told.moves) <= LONGEST_GAME:
            return told if self.tells_apart(told) else None
        for late in self._late(told):
            if self.tells_apart(late):
                return self._without_needless(late)
        return told if self.tells_apart(told) else None

    def _late(self, told: Draft) -> Iterator[Draft]:
        """Iterate over the same game entered at one of its last named steps, the last one first."""
        book, setting = self.passes.rules.book, told.found.setting
        faces, keeper = book.actions(setting.players), StepKeeper(book)
        tables = book.tables(len(setting.players), book.facts(setting.players))
        game = Interpreter(
            book.checked, len(setting.players), setting.seed, tables,
            spaces=faces.spaces, observer=keeper, on_start=keeper.watch,
        )  # fmt: skip
        # The position before the last action counts: what that brings about is what they disagree about. How a game
        # ends may also show in its last position.
        before = len(told.moves) - (0 if told.found.matter == "result" else 1)
        for move in told.moves[:before]:
            assert game.decision is not None  # the moves were played
            game.apply(next(code for code in faces.fits(game.decision, move.text) if code in game.codes))
        for kept in reversed([each for each in keeper.kept if not each.state.left]):
            given = tuple(kept.given(faces, setting.seed))
            yield evolve(told, moves=told.moves[kept.answers :], at=kept.at(faces), given=given)

    def _without_needless(self, told: Draft) -> Draft:
        """Leave out whatever need not be given."""
        for one in told.given:
            less = evolve(told, given=tuple(each for each in told.given if each is not one))
            if self.tells_apart(less):
                told = less
        return told


def _candidates(one: Rules, other: Rules, found: Disagreement) -> Iterator[tuple[Rules, Rules, Draft]]:
    if found.decider is not None:
        for rules, against, allowed in ((one, other, found.only[0]), (other, one, found.only[1])):
            for text in allowed[:1]:
                yield rules, against, Draft(found, [*found.moves, SavedAction(found.decider, text)], [])
    for rules, against, side in ((one, other, 0), (other, one, 1)):
        then = [f"{path}: {shown(values[side])}" for path, values in list(found.state.items())[:3]]
        then += [f"scores.{seat}: {points[side]}" for seat, points in found.scores.items()]
        if then:
            yield rules, against, Draft(found, found.moves, then)
        # What is asked next may only show after the next action.
        for move in _next(rules, found):
            yield rules, against, Draft(found, [*found.moves, move], then)


def _next(rules: Rules, found: Disagreement) -> Iterator[SavedAction]:
    game = played(rules, found.setting, found.moves)
    if game.decision is not None:
        yield SavedAction(game.decision.player, str(game.actions[0]))
