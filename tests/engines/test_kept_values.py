"""Kept values: both engines agree after every step, whatever changes what a value reads."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

import aodrules
from aodrules.check.checked import CheckedRules
from aodrules.compiler.lower.from_checked import plan
from aodrules.compiler.nodes import Statement
from aodrules.compiler.passes import keep_values
from aodrules.compiler.runtime.compiled import Compiled
from aodrules.compiler.types.infer_types import infer_types
from aodrules.compiler.types.verify_types import verify_types
from aodrules.play.engines import program_of
from tests.engines.playing import Both, answer, cells, game_of, rules_of

LAND = """
    game:
      players: 2..4
      seats: [ann, bob, cid, dan]
      play: main
      points: {land: {is: size(held(player))}}
    grid: {hex: {plural: hexes, cells: hexagons, columns: 13, rows: 12, odd_rows: right}}
    kinds: {folk: {plural: folks, pieces: {count: 16, owned: true}}}
    folk: {man: {}}
    state:
      table:  {centre: hex = g6}
      player: {supply: {is: bag of folk, start: all}}
      hex:    {men: bag of folk per player}
    value:
      held:  {given: {player: player}, is: "set(h for h in hexes if size(h.men[player]) > 0)", kept: true}
      taken: {is: "set(h for p in players for h in held(p))", kept: true}
      room:  {given: {player: player}, is: "set(h for o in held(player) for h in neighbours(o)) - taken()"}
    verb:
      main:
        do:
          - for: player
            in: players
            do: [{move: man, of: player, from: supply, to: centre.men}]
          - repeat: 12
            do: [{for: player, in: players, do: [{choose: turn, by: player}]}]
    decision:
      turn:
        options:
          bring: {for: {hex: {hex: room(player)}}, do: [{move: man, of: player, from: supply, to: hex.men}]}
          fetch: {for: {hex: {hex: held(player)}}, do: [{move: man, of: player, from: hex.men, to: supply}]}
          wait: {do: []}
    """
"""A map of 156 hexes as in a game of settlers: who holds what is told by where their men are."""


def play(rules: CheckedRules, seed: int = 3, players: int = 3) -> Both:
    game, chance = Both(rules, players, seed), random.Random(seed)
    while game.codes:
        game.apply(chance.choice(game.codes))
    return game


def test_both_engines_agree_about_kept_values_over_a_whole_game() -> None:
    rules = rules_of(LAND)
    for seed in range(3):
        play(rules, seed)


def test_a_kept_value_is_the_same_as_one_that_is_not() -> None:
    kept, plain = (play(rules_of(text)) for text in (LAND, LAND.replace(", kept: true", "")))
    assert kept.state.fields == plain.state.fields


def test_a_value_is_not_worked_out_again_while_nothing_it_reads_changes() -> None:
    program = program_of(rules_of(LAND), 3)
    game = Compiled.new_game(program, 1)
    cell = program.plan.layout.kept["held"]
    results = game.cells[cell]
    assert game.player in results
    game.listed()
    assert game.cells[cell] is results
    game.apply(game.codes[-1])
    assert game.cells[cell] is results


def test_copies_and_points_to_go_back_to_keep_their_own_results() -> None:
    rules = rules_of(LAND)
    game, chance = Compiled.new_game(program_of(rules, 3), 5), random.Random(5)
    for _ in range(9):
        game.apply(chance.choice(game.codes[:-1]))
    kept, copy = game.keep(), game.copy()
    totals, codes = [game.total(seat) for seat in range(3)], game.codes
    for _ in range(6):
        game.apply(chance.choice(game.codes[:-1]))
    assert [game.total(seat) for seat in range(3)] != totals
    assert [copy.total(seat) for seat in range(3)] == totals
    game.go_back(kept)
    assert [game.total(seat) for seat in range(3)] == totals
    assert game.listed() == copy.listed() == codes


EVERY_WAY = """
    game: {players: 2..4, seats: [ann, bob, cid, dan], play: main}
    kinds:
      tile: {plural: tiles, pieces: {count: 1}, hooks: {own: {effects: true, in: player.yard}}}
    tile:
      bell: {own: {ring: {modify: worth, if: owner == player, add: 10}}}
      drum: {}
      gong: {}
    state:
      table:
        n:     number 0..99
        box:   {is: bag of tile, start: all}
        row:   list of tile
        stack: {is: list of tile, secret: content}
        calls: {is: number 0..9, resets: round}
      player: {yard: {is: bag of tile}, coins: number 0..99, drawn: {is: bag of tile}}
    value:
      worth:  {given: {player: player}, is: player.coins + calls, kept: true}
      best:   {is: "max(worth(p) for p in players)", kept: true}
      front:  {is: "index(row, gong)", kept: true}
      many:   {is: len(players), kept: true}
      drawn:  {is: "sum(size(p.drawn) for p in players)", kept: true}
      seen:   {is: "count(knows(p, stack[0]) for p in players)", kept: true}
      uses:   {given: {player: player}, is: used(x), kept: true}
      chosen: {given: {player: player}, is: "1 if possible(shared, player=player) else 0", kept: true}
    verb:
      main:
        do:
          - {for: tile, in: tiles, do: [{move: tile, from: box, to: row}]}
          - {for: player, in: players, where: player == first(seats), do: [try_out]}
          - {for: player, in: players, do: [call, {choose: go, by: player}]}
      call: {do: [{step: round, do: []}]}
      try_out:
        given: {player: player}
        do: [{set: n, to: READ}, STEP, {set: n, to: 10 * n + READ}]
    option: {shared: {where: [player.coins > 3], do: []}}
    decision:
      go: {options: {x: {limit: {game: 3}, do: [{set: n, to: uses(player)}]}}}
    """


@pytest.mark.parametrize(
    "value, step, expected",
    [
        ("worth(player)", "{set: player.coins, to: 5}", 5),
        ("worth(player)", "{add: 3, to: calls}", 3),
        ("worth(player)", "{add: 3, to: calls}, {set: n, to: worth(player)}, call", 30),
        ("best()", "{add: 4, to: player.coins}", 4),
        ("best() % 9", "{move: bell, from: row, to: player.yard}", 1),
        ("front()", "{move: bell, from: row, to: box}", 21),
        ("front()", "{move: gong, from: row, to: row, position: first}", 20),
        ("front()", "{sort: row, by: 0 if tile == gong else 1}", 20),
        ("drawn()", "{move: all, from: row, to: box}, {draw: 2, from: box, to: player.drawn}", 2),
        ("seen()", "{move: all, from: row, to: stack}, {set: n, to: seen()}, {shuffle: stack}", 20),
        (
            "seen()",
            (
                "{move: all, from: row, to: stack}, {shuffle: stack}, {set: n, to: seen()}, "
                "{reveal: all, from: stack, to: player}"
            ),
            1,
        ),
        ("many()", "{leave_game: player}", 21),
        ("chosen(player)", "{add: 4, to: player.coins}", 1),
    ],
)
def test_whatever_changes_what_a_value_reads_lets_it_be_worked_out_anew(value: str, step: str, expected: int) -> None:
    rules = rules_of(EVERY_WAY.replace("READ", f'"{value}"').replace('10 * n + "', '"10 * n + ').replace("STEP", step))
    game = Both(rules, 2, 1)
    assert cells(game, "table.n") == [expected]
    planned = plan(rules, 2)
    verify_types(planned, rules, infer_types(planned, rules))


def test_a_use_of_something_limited_is_a_change_too() -> None:
    game = game_of(
        EVERY_WAY.replace("READ", '"0"').replace('10 * n + "', '"10 * n + ').replace("STEP", "{set: n, to: 0}")
    )
    answer(game, "x")
    assert cells(game, "table.n") == [1]


@pytest.mark.parametrize("forgotten", ["hex.men", "table.n"])
def test_a_change_that_forgets_no_value_is_noticed_by_comparing_the_engines(
    monkeypatch: pytest.MonkeyPatch, forgotten: str
) -> None:
    rules, changed = rules_of(LAND), keep_values._Clearing._changed

    def without(clearing: keep_values._Clearing, statement: Statement) -> Iterator[str]:
        return (name for name in changed(clearing, statement) if name != forgotten)

    monkeypatch.setattr(keep_values._Clearing, "_changed", without)
    if forgotten == "table.n":
        play(rules)
    else:
        with pytest.raises(AssertionError):
            play(rules)


HANDS = """
game: {players: 2..2, seats: [ann, bob], play: main}
kinds: {card: {plural: cards, attributes: {worth: number}, pieces: {count: 4}}}
card: {one: {worth: 1}, five: {worth: 5}, nine: {worth: 9}}
state:
  table: {deck: {is: bag of card, start: all, secret: content}}
  player: {hand: {is: list of card, secret: owner}}
value: {strength: {given: {player: player}, is: "sum(c.worth for c in player.hand)", kept: true}}
verb:
  main:
    do:
      - {for: player, in: players, do: [{draw: 4, from: deck, to: player.hand}]}
      - {for: player, in: players, do: [{choose: go, by: player}]}
decision: {go: {options: {wait: {hidden: true, where: [strength(player) > 20], do: []}, pass_on: {do: []}}}}
"""


def test_a_sample_works_out_anew_what_others_hold(tmp_path: Path) -> None:
    path = tmp_path / "hands.yaml"
    path.write_text(HANDS)
    game = aodrules.load(path, cache=False).new_game(players=2, seed=1)
    worth = {"one": 1, "five": 5, "nine": 9}
    answers = set()
    for seed in range(20):
        sample = game.sample("bob", seed)
        strength = sum(worth[card] for card in sample.state["players"]["ann"].hand)
        answers.add(len(sample.codes))
        assert len(sample.codes) == 1 + (strength > 20)
    assert answers == {1, 2}
