"""Limits are read by name: whose counter it is, and which, is known before any body is read."""

from __future__ import annotations

import pytest

from tests.engines.playing import answer, cells, game_of, rules_of

HEARD = """
    state: {table: {n: number 0..99}}
    event: {called: {given: {player: player}}}
    value: {heard: {given: {player: player}, is: used(hear)}}
    verb:
      main: {do: [{for: player, in: players, do: [hear_out]}]}
      hear_out: {given: {player: player}, do: [{happen: called}, {set: n, to: heard(player)}, {choose: go, by: player}]}
    decision: {go: {options: {x: {do: [{set: n, to: heard(player)}]}}}}
    """


def test_the_limit_of_a_reaction_that_nobody_owns_counts_for_all() -> None:
    game = game_of(HEARD, variant="effects: {hear: {upon: called, limit: {game: 3}, do: [{add: 10, to: n}]}}")
    assert cells(game, "table.n") == [1]
    answer(game, "x")
    assert cells(game, "table.n") == [2]


TILES = """
    kinds:
      tile:
        plural: tiles
        pieces: {count: 1}
        hooks: {own: {effects: true, in: player.yard}}
    tile: {bell: {own: {hear: {upon: called, limit: {game: 3}, do: [{add: 10, to: n}]}}}}
"""


def test_the_limit_of_a_reaction_with_an_owner_counts_for_the_owner() -> None:
    text = HEARD.replace(
        "state: {table: {n: number 0..99}}",
        "state: {table: {n: number 0..99}, player: {yard: {is: bag of tile}, box: {is: bag of tile}}}",
    ).replace("{do: [{for: player", "{do: [{move: bell, from: shop, to: first(players).yard}, {for: player")
    text = text.replace("table: {n:", "table: {shop: {is: bag of tile, start: all}, n:") + TILES
    game = game_of(text)
    assert cells(game, "table.n") == [1]
    answer(game, "x")
    assert cells(game, "table.n") == [0]


def test_counters_for_each_and_for_all_cannot_be_shared() -> None:
    with pytest.raises(AssertionError, match="cannot be shared"):
        rules_of(
            HEARD.replace("used(hear)", "0").replace("x: {do", "x: {limit: {game: 9, shared: calls}, do"),
            variant="effects: {hear: {upon: called, limit: {game: 3, shared: calls}, do: [{add: 10, to: n}]}}",
        )
