"""What everybody is told under a name is the same on both engines, in the log and afterwards."""

from __future__ import annotations

import random

import pytest

from tests.engines.playing import Both, rules_of

RULES = """
kinds: {card: {plural: cards, attributes: {value: number}, pieces: {count: 2}}}
card: {one: {value: 1}, two: {value: 2}, bomb: {value: 3}}
grid: {cell: {plural: cells, cells: squares, columns: 2, rows: 2}}
state:
  table: {deck: {is: list of card, start: all, secret: content}, discard: list of card}
  player:
    hand: {is: list of card, secret: owner}
    aim:  {is: maybe cell, secret: owner}
    bid:  {is: number 0..5, secret: owner}
    seen: number 0..99
  cell: {hits: number 0..9}
verb:
  main:
    do:
      - {shuffle: deck}
      - {for: player, in: players, do: [{draw: 2, from: deck, to: player.hand}]}
      - {for: player, in: players, do: [{choose: plan, by: player}]}
      - {reveal: max(p.bid for p in players), as: most}
      - for: player
        in: players
        do:
          - {reveal: any(c == bomb for c in player.hand), as: is_armed}
          - {reveal: player.aim, as: target}
          - {reveal: "set(c for c in player.hand)", as: sorts}
          - {reveal: "first(ranked(p.bid for p in players))", as: leader}
          - {reveal: 3 + 4, as: seven}
          - {add: seven + most + size(sorts), to: player.seen}
          - if: is_armed and target != none
            then: [{add: 1, to: target.hits}]
          - {set: most, to: 2}
          - {choose: act, by: player}
decision:
  plan:
    options:
      plan:
        hidden: true
        for: {cell: cell, n: 0..5}
        do: [{set: player.aim, to: cell}, {set: player.bid, to: n}]
      abstain: {do: []}
  act:
    optional: true
    options:
      throw:
        open: true
        for: {cell: cell, card: card}
        where: [card in player.hand]
        do: [{move: card, from: player.hand, to: discard}, {add: card.value, to: cell.hits, up_to: true}]
"""


@pytest.mark.parametrize("seed", range(6))
def test_facts_and_open_answers_are_the_same_on_both_engines(seed: int) -> None:
    game, chance, told = Both(rules_of(RULES), 2 + seed % 2, seed), random.Random(seed), set()
    while game.codes:
        game.apply(chance.choice(game.codes))
        told |= {(entry[1], type(entry[2])) for entry in game.happenings if entry[0] == "tell"}
    assert {name for name, _ in told} == {"most", "is_armed", "target", "sorts", "leader", "seven"}
