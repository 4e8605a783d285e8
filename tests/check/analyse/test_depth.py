"""Chains of calls that are accepted can be played, and longer ones are refused."""

from __future__ import annotations

import pytest

from aodrules.check.analyse.bounds import MOST_DEPTH
from aodrules.check.checked import CheckedRules
from aodrules.check.from_ruleset import check
from aodrules.compiler.runtime.compiled import Compiled
from aodrules.compose.from_documents import compose
from aodrules.interpreter.interpreter import Interpreter
from aodrules.play.engines import program_of
from aodrules.source.diagnostics import Report
from aodrules.source.spans import Source
from aodrules.syntax.from_source import read

pytestmark = pytest.mark.slow

GAME = """
game: {players: 2, play: go}
state: {player: {coins: number 0..9}}
verb:
  go: {do: [{for: player, in: players, do: [{choose: take, by: player}]}]}
decision:
  take:
    options:
      take:
        where: [v0() > 0]
        do: [{add: v0(), to: player.coins}]
value:
"""


def chain(length: int, formula: str) -> tuple[CheckedRules, Report]:
    lines = [f"  v{i}:\n    is: {formula.format(f'v{i + 1}()')}" for i in range(length)]
    report = Report()
    document = read(Source("chain.yaml", GAME + "\n".join([*lines, f"  v{length}: {{is: 1}}"])), report)
    assert document is not None
    return check(compose([document], None, [], report), report), report


@pytest.mark.parametrize("formula", ["{}", "min({}, 5)", "1 if {} > 0 else 0", "(1 + (1 - (1 * {})))"])
def test_the_longest_chain_that_is_accepted_plays_on_both_engines(formula: str) -> None:
    length = next(n for n in range(MOST_DEPTH, 0, -1) if not chain(n, formula)[1].has_errors)
    rules, _ = chain(length, formula)
    for machine in (Interpreter(rules, 2, 1), Compiled.new_game(program_of(rules, 2), 1)):
        while machine.pending is not None:
            machine.apply(machine.codes[0])
        assert machine.plain().fields["player.coins"] == [1, 1]


def test_a_very_long_chain_is_refused_without_a_failure() -> None:
    assert [each.code for each in chain(1500, "min({}, 5)")[1]] == ["rules-too-deep"]
