"""Kept values: both engines agree after every step, whatever changes what a value reads."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

import aodrules
from aodrules.check.checked import CheckedRules
from aodrules.compiler.cell_reads import Indices
from aodrules.compiler.formulas import CallPure, CellRead, Literal, Select, Variable, nonzero
from aodrules.compiler.lower.from_checked import plan
from aodrules.compiler.nodes import CellWrite, Statement, call_runtime
from aodrules.compiler.passes import keep_values
from aodrules.compiler.runtime.compiled import Compiled
from aodrules.compiler.types.infer_types import infer_types
from aodrules.compiler.types.verify_types import verify_types
from aodrules.compiler.visit import form, walk
from aodrules.play.engines import program_of
from tests.engines.parts import AT
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


def marks_of(game: Compiled, value: str) -> list[int]:
    """Return what is stale of each result of a kept value."""
    kept = game.program.plan.layout.kept[value]
    return game.cells[kept.marks : kept.marks + kept.ways]


def test_a_value_is_not_worked_out_again_while_nothing_it_reads_changes() -> None:
    game = Compiled.new_game(program_of(rules_of(LAND), 3), 1)
    assert marks_of(game, "taken") == [0]
    assert marks_of(game, "held") == [0, 0, 0]
    game.apply(game.codes[-1])
    assert marks_of(game, "held") == [0, 0, 0]


def test_a_change_concerns_one_player_and_one_hex() -> None:
    alone = LAND.replace(" - taken()", "").replace(
        'taken: {is: "set(h for p in players for h in held(p))", kept: true}', ""
    )
    game = Compiled.new_game(program_of(rules_of(alone), 3), 1)
    assert [game.total(seat) for seat in range(3)] == [1, 1, 1]
    here, hexes = game.player, [*game.cells]
    game.apply(game.codes[0])
    marks = marks_of(game, "held")
    men = game.program.plan.layout.fields["hex.men"]
    changed = [cell - men.base for cell in range(men.base, men.base + men.size) if game.cells[cell] != hexes[cell]]
    assert changed == [3 * (marks[here].bit_length() - 1) + here]
    assert [mark.bit_count() for mark in marks] == [int(seat == here) for seat in range(3)]


PARAMETERS = """
    game: {players: 2..4, seats: [ann, bob, cid, dan], play: main}
    grid: {cell: {plural: cells, cells: squares, columns: 4, rows: 4}}
    kinds: {man: {plural: men, pieces: {count: 9, owned: true}}}
    man: {guard: {}, scout: {}}
    state:
      table:  {n: number 0..9999, at: cell = a1}
      player: {supply: {is: bag of man, start: all}, coins: number 0..99}
      cell:   {here: bag of man per player, line: list of man per player, height: number 0..99, link: cell}
    value:
      via:     {given: {cell: cell}, is: cell.link, kept: true}
      crowd:   {given: {cell: cell}, is: "sum(size(cell.here[p]) for p in players)", kept: true}
      alone:   {given: {player: player, cell: cell}, is: "size(cell.here[player]) == 1", kept: true}
      high:    {given: {least: number 2..5}, is: "count(c.height >= least for c in cells)", kept: true}
      rich:    {given: {player: player, very: flag}, is: "player.coins > (9 if very else 3)", kept: true}
      first_of: {given: {cell: maybe cell}, is: "cell.height if cell != none else 7", kept: true}
      near:    {given: {cell: cell}, is: "sum(crowd(c) for c in neighbours(cell))", kept: true}
      twice:   {given: {cell: cell}, is: "cell.height + at.height", kept: true}
      tall:    {given: {player: player, cell: cell, other: cell}, is: "cell.height + player.coins", kept: true}
      late:    {given: {cell: cell, other: cell, player: player}, is: "cell.height + player.coins", kept: true}
      ready:   {given: {player: player}, is: "1 if possible(pay, player=player) else 0", kept: true}
      queue:   {given: {cell: cell}, is: "count(guard in cell.line[p] for p in players)", kept: true}
    verb:
      main:
        do:
          - {for: player, in: players, where: player == first(seats), do: [try_out]}
          - {for: player, in: players, do: [{choose: go, by: player}]}
      try_out:
        given: {player: player}
        do: [{set: n, to: READ}, STEP, {set: n, to: 10 * n + READ}]
    option: {pay: {first: [{set: player.coins, to: at.height}], then_where: [player.coins > 3], do: []}}
    decision: {go: {options: {wait: {do: []}}}}
    """


@pytest.mark.parametrize(
    "value, step, expected",
    [
        ("crowd(cells.b2)", "{move: guard, of: player, from: supply, to: cells.b2.here}", 1),
        ("crowd(cells.b2)", "{move: all, of: player, from: supply, to: cells.b2.here}", 18),
        ("near(cells.b2)", "{move: guard, of: player, from: supply, to: cells.b3.here}", 1),
        ("1 if alone(player, cells.b2) else 0", "{move: guard, of: player, from: supply, to: cells.b2.here}", 1),
        ("1 if alone(player, cells.b2) else 0", "{draw: 1, of: player, from: supply, to: cells.b2.here}", 1),
        ("high(3)", "{set: cells.b2.height, to: 3}, {set: cells.b3.height, to: 2}", 1),
        ("1 if rich(player, true) else 0", "{set: player.coins, to: 11}", 1),
        ("1 if rich(player, false) else 0", "{set: player.coins, to: 5}", 1),
        ("1 if rich(player, true) else 0", "{set: player.coins, to: 5}", 0),
        ("first_of(at if at == cells.a1 else none)", "{set: at.height, to: 4}", 4),
        ("first_of(at if at == cells.b1 else none)", "{set: at.height, to: 4}", 77),
        ("twice(cells.c3)", "{set: cells.c3.height, to: 4}", 4),
        ("twice(cells.c3)", "{set: at.height, to: 4}", 4),
        ("twice(cells.c3)", "{set: cells.b2.height, to: 4}, {set: at, to: cells.b2}", 4),
        ("1 if via(cells.a1) == cells.b1 else 0", "{set: cells.a1.link.link, to: cells.b1}", 1),
        (
            "1 if alone(last(seats), cells.b2) else 0",
            "{for: p, in: players, where: p == last(seats), do: [{draw: 1, of: p, from: supply, to: cells.b2.here}]}",
            1,
        ),
        ("ready(player)", "{set: at.height, to: 4}", 1),
        ("tall(player, cells.c3, cells.b1)", "{set: player.coins, to: 4}", 4),
        ("tall(player, cells.c3, cells.d4)", "{set: cells.c3.height, to: 4}", 4),
        ("late(cells.d4, cells.d4, last(seats))", "{set: last(seats).coins, to: 4}", 4),
        ("late(cells.a1, cells.a1, player)", "{set: player.coins, to: 4}", 4),
        ("late(cells.c3, cells.d4, player)", "{set: cells.c3.height, to: 4}", 4),
        ("queue(cells.b2)", "{move: guard, of: player, from: supply, to: cells.b2.line}", 1),
        (
            "queue(at)",
            "{move: guard, of: player, from: supply, to: at.line}, {move: all, from: at.line, to: cells.b1.line}",
            0,
        ),
    ],
)
def test_a_change_concerns_every_result_that_reads_it(value: str, step: str, expected: int) -> None:
    text = PARAMETERS.replace("READ", f'"{value}"').replace('10 * n + "', '"10 * n + (').replace('"}]', ')"}]')
    rules = rules_of(text.replace("STEP", step))
    for players in (2, 4):
        assert cells(Both(rules, players, 1), "table.n") == [expected]
        planned = plan(rules, players)
        verify_types(planned, rules, infer_types(planned, rules))


def test_marks_are_written_once_and_side_by_side_at_once() -> None:
    def mark(cell: int, mark: int = 1) -> CellWrite:
        return CellWrite(AT, cell, None, Literal(AT, mark))

    held, row = CellWrite(AT, 20, Variable(AT, "seat_1"), Literal(AT, 8)), [mark(7), mark(5), mark(6), mark(5)]
    joined = list(keep_values.join_marks([*row, held, mark(8, 3), mark(9), *row, held]))
    whole = call_runtime(AT, "mark_results", 5, 3, 1)
    assert [form(one) for one in joined] == [form(one) for one in (held, whole, mark(8, 3), mark(9))]


def test_a_result_that_holds_is_read_where_it_lies() -> None:
    made = plan(rules_of(LAND), 3)
    kept = made.layout.kept["held"]
    reads = [part for part in walk(made.functions["legal_decision_turn_1"]) if isinstance(part, Select)]
    calls = {id(one.then): one for one in reads if isinstance(one.then, CallPure) and one.then.function == "value_held"}
    assert calls
    for read in calls.values():
        assert isinstance(read.then, CallPure)
        stale, result = (CellRead(AT, base, read.then.arguments[0]) for base in (kept.marks, kept.results))
        assert form(read) == form(Select(AT, nonzero(stale), read.then, result))


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
    rules, changed = rules_of(LAND), keep_values._Marking._changed

    def without(marking: keep_values._Marking, statement: Statement) -> Iterator[tuple[str, Indices]]:
        return (one for one in changed(marking, statement) if one[0] != forgotten)

    monkeypatch.setattr(keep_values._Marking, "_changed", without)
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


def test_a_new_game_knows_what_its_kept_values_come_to() -> None:
    text = """
    kinds: {hill: {plural: hills}}
    hill: {low: {}, high: {}}
    state: {hill: {height: number 0..9 = 3, camp: maybe player}}
    value:
      tall: {is: set(h for h in hills if h.height > 2), kept: true}
      own: {given: [player], is: count(h.camp == player for h in hills), kept: true}
    verb: {main: {do: [{repeat: 3, do: [{choose: act, by: first(players)}]}]}}
    decision:
      act:
        options:
          sink: {for: [hill], where: [hill in tall(), own(player) == 0], do: [{set: hill.height, to: 1}]}
          wait: {do: []}
    """
    program = program_of(rules_of(text), 2)
    layout = program.plan.layout
    for kept in layout.kept.values():
        assert set(program.start[kept.marks : kept.marks + kept.ways]) == {0}
    assert program.start[layout.kept["tall"].results] == 0b11
    changed = Compiled.new_game(program, 1, {"hill.height": (1, 1)})
    assert changed.codes == (2,)
