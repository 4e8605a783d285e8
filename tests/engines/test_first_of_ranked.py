"""The first of what is ranked is found without putting anything in order: the greatest, the earliest of equals."""

from __future__ import annotations

import random

import pytest

from aodrules.compiler.formulas import Reduce
from aodrules.compiler.lower.from_checked import plan
from aodrules.compiler.types.infer_types import infer_types
from aodrules.compiler.types.verify_types import verify_types
from aodrules.compiler.visit import walk
from tests.engines.playing import Both, rules_of

GAME = """
game: {players: 3..3, seats: [ann, bob, cid], play: main, points: {wins: player.wins}}
kinds:
  card: {plural: cards, attributes: {worth: number}, pieces: {count: 1}}
card: {ant: {worth: -2}, bee: {worth: 3}, cow: {worth: 3}, dog: {worth: 0}}
state:
  table: {box: {is: bag of card, start: all}}
  player: {purse: number -9..9, wins: number 0..99, hand: bag of card}
value:
  richest: {is: first(ranked(p.purse for p in players if p.purse != 0))}
  second: {is: first(p for p in ranked(q.purse for q in players) if p != richest())}
  dear: {given: [player], is: first(ranked(c.worth for c in player.hand))}
verb:
  main:
    do:
      - repeat: 20
        do:
          - for: player
            in: players
            do: [{choose: act, by: player}]
          - {let: best, be: richest()}
          - {if: best != none, then: [{add: 1, to: best.wins, up_to: true}]}
          - {let: other, be: second()}
          - {if: other != none, then: [{add: 1, to: other.wins, up_to: true}]}
          - for: player
            in: players
            where: dear(player) == cow
            do: [{add: 3, to: player.wins, up_to: true}]
decision:
  act:
    options:
      gain: {for: {many: 0..2}, do: [{add: many, to: player.purse, up_to: true}]}
      lose: {for: {many: 0..2}, do: [{take: many, from: player.purse, up_to: true}]}
      draw: {where: [size(box) > 0], do: [{draw: 1, from: box, to: player.hand}]}
      drop: {where: [size(player.hand) > 0], do: [{move: all, from: player.hand, to: box}]}
"""


def test_both_engines_find_the_same_first() -> None:
    rules = rules_of(GAME)
    for seed in range(12):
        game, chance = Both(rules, 3, seed), random.Random(seed)
        while game.codes:
            game.apply(chance.choice(game.codes))


@pytest.mark.parametrize("looked_through, is_ordered", [("ranked(q.purse for q in players)", True), ("players", False)])
def test_only_what_is_looked_through_in_order_is_put_in_order(looked_through: str, *, is_ordered: bool) -> None:
    rules = rules_of(GAME.replace("ranked(q.purse for q in players)", looked_through))
    made = plan(rules, 3)
    bodies = [*made.functions.values(), *made.procedures.values(), *made.graph.blocks.values()]
    gathered = {one.gives for body in bodies for one in walk(body) if isinstance(one, Reduce)}
    assert "best" in gathered
    assert ("ranked" in gathered) == is_ordered
    verify_types(made, rules, infer_types(made, rules))
