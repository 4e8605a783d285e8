"""The Hypothesis strategies and the ready state machine."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from aodrules import Game, Rules
from aodrules.testing import read_suite
from aodrules.testing.machines import game_machine
from aodrules.testing.strategies import actions, games, positions, rulesets, variant_sets
from tests.testing.texts import HARBOUR, NIM, rules


@given(variant_sets(["a", "b", "c"]))
def test_sets_of_variants_hold_each_at_most_once(found: tuple[str, ...]) -> None:
    assert len(set(found)) == len(found)


@settings(max_examples=5)
@given(rulesets(HARBOUR, ["dear-timber", "town-subsidy"]))
def test_rulesets_can_be_played(found: Rules) -> None:
    assert found.name == "harbour"


@settings(max_examples=8)
@given(games(rules(NIM)))
def test_games_are_somewhere_on_their_way(game: Game) -> None:
    assert game.over or game.actions


@settings(max_examples=8)
@given(positions(rules(NIM)), st.data())
def test_positions_have_actions(game: Game, data: st.DataObject) -> None:
    action = data.draw(actions(game))
    game.push(action)


TestNim = game_machine(rules(NIM), read_suite(rules(NIM)).properties).TestCase
TestNim.settings = settings(max_examples=10, stateful_step_count=12, deadline=None)
