"""Loops that ask: over what is left of a collection, broken off and begun anew, without tests whose answer is known."""

from __future__ import annotations

import ast
import random

import pytest

from aodrules.compiler.codegen.module import generate
from aodrules.compiler.lower.from_checked import plan
from tests.engines.playing import cells, game_of, rules_of

# The inner loop skips players in silence, asks others, and is broken off by a step that is left; then it begins anew.
ROUNDS = """
    state:
      table: {rounds: number 0..9, asked: number 0..99, order: {is: list of player, start: all}}
      player: {tired: flag, coins: number 0..9}
    verb:
      main:
        do:
          - repeat: 5
            do:
              - {shuffle: order}
              - step: round
                do:
                  - for: player
                    in: order
                    where: not player.tired
                    do:
                      - {if: player.coins > 2, then: [{stop: round}]}
                      - {choose: act, by: player}
              - {add: 1, to: rounds}
    decision:
      act:
        options:
          earn: {do: [{add: 1, to: player.coins}, {add: 1, to: asked}]}
          sleep: {do: [{set: player.tired, to: true}]}
"""


@pytest.mark.parametrize("seed", range(12))
def test_a_loop_that_is_broken_off_begins_anew_with_its_new_items(seed: int) -> None:
    game, chance = game_of(ROUNDS, players=4, seed=seed), random.Random(seed)
    asked = 0
    while game.codes:
        asked += game.codes[0] == (code := chance.choice(game.codes))
        game.apply(code)
    assert cells(game, "table.rounds") == [5]
    assert cells(game, "table.asked") == [asked]


def test_a_loop_runs_over_what_is_left_of_its_items() -> None:
    texts = [ast.unparse(tree) for _, _, tree in generate(plan(rules_of(ROUNDS), 4), log=False).functions]
    (loop,) = (text for text in texts if "for player_1 in player_1_items[player_1_index:]:" in text)
    assert "break" in loop, "a round that is broken off begins the next one with other items"


def test_tests_with_a_known_answer_are_left_out() -> None:
    text = """
        state: {table: {n: number 0..9}}
        verb:
          main:
            do:
              - {let: first, be: 1}
              - {if: first > 0, then: [{choose: act, by: first(players)}]}
              - {set: n, to: first}
        decision: {act: {options: {go: {do: [{add: 1, to: n}]}}}}
    """
    texts = [ast.unparse(tree) for _, _, tree in generate(plan(rules_of(text), 2), log=False).functions]
    assert not any("first_1 > 0" in text for text in texts)
    game = game_of(text)
    game.apply(game.codes[0])
    assert cells(game, "table.n") == [1]


def test_what_was_known_is_forgotten_when_it_changes() -> None:
    text = """
        state: {table: {n: number 0..9 = 4, seen: number 0..9}}
        verb:
          main:
            do:
              - {let: k, be: 0}
              - {choose: act, by: first(players)}
              - {set: k, to: 0}
              - {if: n > 2, then: [{set: k, to: n}]}
              - {if: k > 2, then: [{choose: act, by: first(players)}, {set: seen, to: k}]}
        decision: {act: {options: {go: {do: [{add: 1, to: n}]}}}}
    """
    game = game_of(text)
    for _ in range(2):
        game.apply(game.codes[0])
    assert cells(game, "table.seen") == [5]
