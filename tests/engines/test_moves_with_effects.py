"""Moves of single pieces, written out with what happens as one leaves and enters, also within a field of bags."""

from __future__ import annotations

import random

import pytest

from aodrules.compiler.codegen.module import generate
from aodrules.compiler.lower.from_checked import plan
from aodrules.compiler.source_listing import format_listing
from tests.engines.playing import Both, rules_of

CAMPS = """
kinds:
  camp: {plural: camps}
  man:
    plural: men
    pieces: {count: 3, owned: true}
    effects:
      gone: {leaving: camp.men, do: [{add: 1, to: camp.left}, {set: last, to: player}]}
      come: {entering: camp.men, do: [{add: 1, to: camp.came}, {add: 10, to: "camp.seen[player]"}]}
camp: {c1: {}, c2: {}, c3: {}}
man: {worker: {}, guard: {}}
state:
  table: {last: player}
  player: {supply: {is: bag of man, start: all}}
  camp:
    men: bag of man per player
    left: number 0..99
    came: number 0..99
    seen: number 0..999 per player
verb:
  main: {do: [{repeat: 25, do: [{for: player, in: players, do: [{choose: act, by: player}]}]}]}
decision:
  act:
    options:
      put: {for: [camp, man], do: [{move: man, of: player, from: supply, to: camp.men}]}
      walk:
        for: {camp: camp, goal: camp, man: man}
        do: [{move: man, of: player, from: camp.men, to: goal.men}]
      home: {for: [camp, man], do: [{move: man, of: player, from: camp.men, to: supply}]}
      many: {for: {camp: camp, goal: camp}, do: [{move: worker, of: player, count: 2, from: camp.men, to: goal.men}]}
"""


@pytest.mark.parametrize("seed", range(4))
def test_what_happens_on_the_way_is_the_same(seed: int) -> None:
    both, chance = Both(rules_of(CAMPS), 3, seed), random.Random(seed)
    while both.codes:
        both.apply(chance.choice(both.codes))


def test_single_pieces_are_moved_without_a_call() -> None:
    listing = format_listing(generate(plan(rules_of(CAMPS), 3), log=False))
    assert listing.count("move_some(") == 1
