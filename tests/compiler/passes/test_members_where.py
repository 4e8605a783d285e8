"""Tests of members of a board are asked as sets, and who is near whom is looked up once for all of them."""

from __future__ import annotations

import random

import pytest

from aodrules.compiler.codegen.module import generate
from aodrules.compiler.lower.from_checked import plan
from aodrules.compiler.source_listing import format_listing
from tests.engines.playing import Both, rules_of

BOARD = """
grid: {cell: {plural: cells, cells: hexagons, columns: 9, rows: 9, odd_rows: right}}
kinds: {card: {plural: cards, pieces: {count: 2}}}
card: {ant: {}, bee: {}, cow: {}}
state:
  table: {deck: {is: list of card, start: all}}
  cell: {wet: flag, camp: maybe player}
  player: {hand: {is: list of card up to 6, secret: owner}}
value:
  wet: {is: set(c for c in cells if c.wet), kept: true}
  mine: {given: [player], is: set(c for c in cells if c.camp == player), kept: true}
  around_it: {given: [cell], is: "neighbours(cell) | set([cell])"}
verb:
  main:
    do:
      - {shuffle: deck}
      - {repeat: 20, do: [{for: player, in: players, do: [{choose: act, by: player}]}]}
  spend:
    given: [player]
    do: [{choose_pieces: paid, by: player, from: player.hand, to: deck, at_least: 2, at_most: 3, hidden: true}]
decision:
  act:
    options:
      flood:
        for: [cell]
        where:
          - not cell.wet
          - size(wet()) == 0 or size(around_it(cell) & wet()) > 0
        do: [{set: cell.wet, to: true}]
      camp:
        for: [cell]
        where:
          - cell.camp == none
          - size(neighbours(cell) & mine(player)) == 0
          - any(size(neighbours(c) & wet()) > 0 for c in around_it(cell))
          - not (cell in wet())
        do: [{set: cell.camp, to: player}]
      stroll:
        for: {cell: cell, goal: cell}
        where: [cell in mine(player), goal in neighbours(cell), not (goal in mine(player)), goal.camp == none]
        do: [{set: goal.camp, to: player}, {set: cell.camp, to: none}]
      draw: {where: [len(player.hand) < 6], do: [{draw: 1, from: deck, to: player.hand, up_to: true}]}
      pay: {where: [len(player.hand) > 2], do: [spend]}
      wait: {do: []}
      look: {where: [possible(step)], do: []}
option:
  step:
    for: {cell: cell, goal: cell}
    where: [cell in mine(player), not cell.wet, goal in neighbours(cell) & wet()]
    do: []
"""


def play(seed: int) -> None:
    both, chance = Both(rules_of(BOARD), 3, seed), random.Random(seed)
    while both.codes:
        both.apply(chance.choice(both.codes))


@pytest.mark.parametrize("seed", range(4))
def test_the_same_members_are_found(seed: int) -> None:
    play(seed)


def listing_of(without: frozenset[str] = frozenset()) -> str:
    return format_listing(generate(plan(rules_of(BOARD), 3, without=without), log=False))


def test_what_is_near_a_set_is_told_at_once() -> None:
    assert listing_of().count("united(") == 4
    assert "united(" not in listing_of(frozenset({"narrow_domains"}))


def test_what_is_not_less_is_not_counted_for_each() -> None:
    assert "between(S[" in listing_of()
    assert "nth_last(" in listing_of()
    assert "nth_last(" not in listing_of(frozenset({"narrow_domains"}))


def test_whether_something_can_be_done_is_asked_of_one_member() -> None:
    assert "& 0 - t" in listing_of()
