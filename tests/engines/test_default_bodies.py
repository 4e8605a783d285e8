"""Hooks that say what members do, or have as effects, which say nothing themselves."""

from __future__ import annotations

import pytest

from aodrules.testing.mutants import mutants_of
from tests.check.over_small_game import codes
from tests.engines.playing import cells, game_of, rules_of

TILES = """
    kinds:
      tile:
        plural: tiles
        attributes: {n: number = 1}
        pieces: {count: 1}
        hooks:
          go:  {given: {many: number}, do: [{add: self.n * many, to: sum_of_all}]}
          own: {effects: {more: {modify: worth, add: self.n}}}
      big_tile: {plural: big_tiles, is_a: tile, hooks: {grow: {do: [{add: 1000 * self.n, to: sum_of_all}]}}}
    tile:
      ash:   {n: 2}
      birch: {n: 30, go: [{add: 100 * many, to: sum_of_all}]}
      cedar: {go: [], own: {}}
      dill:  {n: 7, go: [], own: {less: {modify: worth, add: -3}}}
    big_tile:
      elm: {n: 5}
    state:
      table: {deck: {is: bag of tile, start: all}, sum_of_all: number 0..99999, seen: number 0..999}
    value: {worth: {is: 10}}
    decision: {wait: {do: []}}
    verb:
      main:
        do:
          - for: tile
            in: tiles
            do: [{run: tile.go, many: 3}]
          - for: tile
            in: big_tiles
            do: [{run: tile.grow}]
          - {set: seen, to: worth()}
          - {choose: wait, by: first(players)}
"""


def test_members_that_say_nothing_have_the_steps_and_effects_of_their_kind() -> None:
    game = game_of(TILES)
    assert cells(game, "table.sum_of_all") == [2 * 3 + 300 + 5 * 3 + 5000]
    assert cells(game, "table.seen") == [10 + 2 + 30 - 3 + 5]


def test_what_a_kind_says_can_be_mutated() -> None:
    assert {"tile.go", "big_tile.grow"} <= {mutant.address for mutant in mutants_of(rules_of(TILES))}


HEAD = "variant: v\nhouse: true\n"


@pytest.mark.parametrize("form", ["adds_to: tower_points", "effects: true", "is: number = 1"])
def test_only_a_hook_for_steps_says_steps(form: str) -> None:
    assert codes(f"{HEAD}add: {{kinds.tower.hooks.odd: {{{form}, do: [{{let: x, be: 1}}]}}}}") == ["wrong-declaration"]


def test_what_a_kind_says_must_be_right_for_each_member_that_says_nothing() -> None:
    state = "state: {land: {pier: {is: bag of cube, only: land.yields == amber}}}"
    hook = "kinds.land.hooks: {clear: {do: [{move: amber, from: pit, to: self.pier}]}}"
    assert codes(state, f"{HEAD}add: {{{hook}}}") == ["move-into-missing-field"]
    assert codes(state, f"{HEAD}add: {{{hook}, land.hills.clear: []}}") == []
