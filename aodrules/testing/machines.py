"""A ready Hypothesis state machine: its moves are the legal actions, its invariants the laws of the game.

It needs Hypothesis, which the extra `aodrules[testing]` brings.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from aodrules.game import Game
from aodrules.interpreter.interpreter import Interpreter
from aodrules.rulebook import Rules
from aodrules.testing.playing import Laws, observed_game
from aodrules.testing.properties import Property
from aodrules.testing.strategies import seeds

__all__ = ["GameMachine", "game_machine"]


class GameMachine(RuleBasedStateMachine):
    """Plays a game on both engines at once. `game_machine` makes one of some rules."""

    rules_played: ClassVar[Rules]
    properties: ClassVar[tuple[Property, ...]] = ()

    def __init__(self) -> None:
        super().__init__()
        self.game: Game | None = None
        self.reference: Interpreter | None = None
        self.laws = Laws(self.properties)

    @initialize(data=st.data(), seed=seeds())
    def begin(self, data: st.DataObject, seed: int) -> None:
        """Begin a game."""
        low, high = self.rules_played.players
        players = data.draw(st.integers(low, high), label="players")
        self.game = self.rules_played.new_game(players=players, seed=seed)
        self.reference = observed_game(self.rules_played.book, self.game.players, seed, [self.laws])
        self.laws.check()

    @precondition(lambda self: self.game is not None and not self.game.over)
    @rule(data=st.data())
    def act(self, data: st.DataObject) -> None:
        """Take one of the legal actions."""
        assert self.game is not None  # the precondition
        assert self.reference is not None
        action = data.draw(st.sampled_from(self.game.actions), label="action")
        self.game.push(action)
        self.reference.apply(action.code)
        self.laws.check()

    @precondition(lambda self: self.game is not None and not self.game.over)
    @rule(data=st.data())
    def try_and_take_back(self, data: st.DataObject) -> None:
        """Take an action and take it back: everything is as it was."""
        assert self.game is not None  # the precondition
        before = self.game.state.plain(), self.game.codes
        self.game.push(data.draw(st.sampled_from(self.game.actions), label="tried"))
        self.game.pop()
        assert (self.game.state.plain(), self.game.codes) == before

    @precondition(lambda self: self.game is not None and self.game.over)
    @rule()
    def look_at_the_end(self) -> None:
        """See that the end has scores and a ranking of everybody."""
        assert self.game is not None  # the precondition
        assert len(self.game.ranking) == len(self.game.scores) == len(self.game.players)

    @invariant()
    def engines_agree(self) -> None:
        """Both engines ask the same and offer the same."""
        if self.game is not None and self.reference is not None:
            assert self.game.codes == self.reference.codes

    @invariant()
    def laws_hold(self) -> None:
        """No law is broken."""
        assert not self.laws.breaches, f"{self.laws.breaches[0].law.id} does not hold"


def game_machine(rules: Rules, properties: Iterable[Property] = ()) -> type[GameMachine]:
    """Return a state machine that plays a game by its legal actions and holds it to some properties.

    Its `TestCase` can be collected by pytest:
    `TestHarbour = game_machine(rules, read_suite(rules).properties).TestCase`.
    """
    return type("GameMachine", (GameMachine,), {"rules_played": rules, "properties": tuple(properties)})
