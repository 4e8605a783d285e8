"""Scenarios that tell two rulesets apart: each passes with the one and fails with the other, and both were tried."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from aodrules.authoring.disagreements import Disagreement, shown
from aodrules.game import Game
from aodrules.play.saves import Move
from aodrules.rulebook import Rules
from aodrules.source.diagnostics import Report
from aodrules.source.spans import Source
from aodrules.syntax.from_source import read
from aodrules.testing.entries import Steps
from aodrules.testing.running import Stage, run_scenario
from aodrules.testing.scenarios import ScenarioReader
from aodrules.testing.statements import in_document


def witness(one: Rules, other: Rules, found: Disagreement) -> str | None:
    """Return a document with a scenario that shows a disagreement; nothing if none could be written.

    It passes with the one and fails with the other, except where only the other allows an action: then it is the
    other way round, and the document says so.
    """
    for rules, against, text in _candidates(one, other, found):
        if _passes(rules, text) and not _passes(against, text):
            return f"# Passes with {rules.book.asked}, fails with {against.book.asked}.\n{text}"
    return None


def _passes(rules: Rules, text: str) -> bool:
    report = Report()
    document = read(Source("witness.yaml", text), report)
    reader = ScenarioReader(rules.book, Steps(rules.book.checked))
    statements = [] if document is None else list(in_document(document))
    scenarios = [reader.read(each, report) for each in statements]
    stage = Stage(rules.book)
    return bool(scenarios) and all(
        each is not None and run_scenario(stage, each).status == "passed" for each in scenarios
    )


def _candidates(one: Rules, other: Rules, found: Disagreement) -> Iterator[tuple[Rules, Rules, str]]:
    if found.decider is not None:
        for rules, against, allowed in ((one, other, found.only[0]), (other, one, found.only[1])):
            for text in allowed[:1]:
                yield rules, against, _document(found, [*found.moves, Move(found.decider, text)], [])
    for rules, against, side in ((one, other, 0), (other, one, 1)):
        then = [f"{path}: {shown(values[side])}" for path, values in list(found.state.items())[:3]]
        then += [f"scores.{seat}: {points[side]}" for seat, points in found.scores.items()]
        if then:
            yield rules, against, _document(found, found.moves, then)
        # What is asked next may only show after the next action.
        for move in _next(rules, found):
            yield rules, against, _document(found, [*found.moves, move], then)


def played(rules: Rules, found: Disagreement) -> Game:
    """Return the game in which two rulesets disagree, as one of them has it."""
    game = rules.new_game(players=found.setting.players, seed=found.setting.seed, log=False)
    for move in found.moves:
        game.push(move.text)
    return game


def _next(rules: Rules, found: Disagreement) -> Iterator[Move]:
    game = played(rules, found)
    if game.decision is not None:
        yield Move(game.decision.player, str(game.actions[0]))


def _document(found: Disagreement, moves: Sequence[Move], then: Sequence[str]) -> str:
    lines = [
        "scenario:",
        f"  differs.{found.matter}:",
        f"    players: [{', '.join(found.setting.players)}]",
        f"    seed: {found.setting.seed}",
    ]
    if moves:
        lines += ["    when:", *(f"      - {move.player}: {move.text}" for move in moves)]
    if then:
        lines += ["    then:", *(f"      {line}" for line in then)]
    return "\n".join(lines) + "\n"
