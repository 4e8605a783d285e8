"""How a front end finds the answer by which a seat leaves the game."""

from __future__ import annotations

from tests.play import secret_games as small
from tests.playing import random_game

RESIGN = """
state: {player: {won: number 0..9}}
verb:
  main:
    do:
      - repeat: 3
        do: [{for: player, in: players, do: [{choose: act, by: player}]}]
  quit: {main: {who: player}, do: [{leave_game: who}]}
decision:
  act:
    options:
      wait: {do: []}
      banish: {for: {other: player}, where: [other != player], do: [{leave_game: other}]}
      banish_all: {do: [{for: each, in: players, do: [{leave_game: each}]}]}
      resign: {do: [{if: player.won == 0, then: [{quit: player}]}]}
"""


def test_the_answers_are_those_whose_steps_let_the_decider_leave() -> None:
    game = small.rules_of(RESIGN).new_game(players=3, seed=0)
    assert game.decision is not None
    assert [str(action) for action in game.leaving("ann")] == ["resign"]
    assert game.leaving("bob") == ()
    game.push(game.leaving("ann")[0])
    assert [event.kind for event in game.events] == ["left"]
    assert [str(action) for action in game.leaving("bob")] == ["resign"]


def test_where_the_rules_allow_none_there_is_none() -> None:
    game = random_game("harbour", 1, 3)
    assert all(game.leaving(seat) == () for seat in game.players)
