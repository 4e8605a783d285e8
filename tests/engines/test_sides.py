"""Sides: who owns pieces and takes part, and has no seat."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

import aodrules
from aodrules.interpreter.interpreter import Interpreter
from aodrules.play.event_types import EventPiece
from tests.engines.playing import answer, answers, asked, cells, entries, game_of

LANDS = """
kinds:
  nation: {plural: nations, attributes: {strength: number}, owns: {soldier: strength, ship: 1}}
  unit:    {plural: units, pieces: {count: 2, owned: true}}
  soldier: {plural: soldiers, is_a: unit, attributes: {worth: number}}
  ship:    {plural: ships, is_a: unit, pieces: {count: 1, owned: true}}
  land:    {plural: lands}
nation: {danes: {strength: 4}, gauls: {strength: 3, for_players: 2}}
soldier: {archer: {worth: 1}, rider: {worth: 2}}
ship: {sloop: {}}
land: {hill: {}, moor: {}}
state:
  table:
    parade: list of unit
    front:  maybe unit
    n:      number 0..99
    last:   owner
    angry:  set of owner
  owner:
    camp:   {is: bag of unit, start: all}
    losses: number 0..99
  player:
    glory:  number 0..99
  nation:
    fear:   number 0..9
  land:
    troops: bag of unit per owner
    tax:    number 0..9 per owner
value:
  held: {given: {owner: owner, land: land}, is: "size(land.troops[owner])"}
verb:
  main:
    do:
      - {set: n, to: 1}
"""
ARCHER, RIDER, SLOOP = range(3)
ANN, BOB, DANES, GAULS = range(4)


def after(*steps: str, variant: str = "", players: int = 2) -> Interpreter:
    lines = "".join(f"      - {{{step}}}\n" for step in steps)
    return game_of(LANDS + lines, variant=variant, players=players)


def test_each_side_begins_with_what_its_kind_owns() -> None:
    assert cells(after(), "owner.camp") == [(2, 2, 1), (2, 2, 1), (4, 4, 1), (3, 3, 1)]


def test_a_side_that_takes_no_part_with_so_many_players_owns_nothing() -> None:
    game = after("set: n, to: len(owners)", players=3)
    assert cells(game, "owner.camp") == [(2, 2, 1)] * 3 + [(4, 4, 1), (0, 0, 0)]
    assert cells(game, "table.n") == [4]


@pytest.mark.parametrize(
    "step, field, held",
    [
        ("move: archer, of: danes, from: camp, to: lands.hill.troops", "land.troops", [2]),
        ("move: rider, of: nations.gauls, count: 9, from: camp, to: parade", "table.parade", [(10, 10, 10)]),
        ("move: all, of: danes, from: camp, to: parade", "table.parade", [(6, 6, 6, 6, 7, 7, 7, 7, 8)]),
        ("move: sloop, of: gauls, from: camp, to: front", "table.front", [11]),
        ("draw: 9, of: danes, from: camp, to: lands.moor.troops", "land.troops", [6]),
    ],
)
def test_a_side_moves_its_own_pieces(step: str, field: str, held: list[Any]) -> None:
    found = cells(after(step), field)
    if field != "land.troops":
        assert found == held
    else:
        assert found[held[0]] != (0, 0, 0)
        assert sum(map(sum, found)) == sum(found[held[0]])


@pytest.mark.parametrize(
    "formula, result",
    [
        ("len(owners)", 4),
        ("len(players)", 2),
        ("sum(size(o.camp) for o in owners)", 5 + 5 + 9 + 7),
        ("sum(size(p.camp) for p in players)", 10),
        ("sum(size(s.camp) + s.strength for s in nations)", 9 + 7 + 7),
        ("count(o for o in owners if o is player)", 2),
        ("count(o for o in owners if o is nation)", 2),
        ("count(o for o in owners if o is not nation)", 2),
        ("sum(o.strength for o in owners if o is nation)", 7),
        ("sum(s.fear for s in nations) + count(s for s in nations if s in owners)", 2),
        ("count(o for o in owners if o == danes)", 1),
        ("count(s for s in nations if s == last)", 0),
        ("held(danes, lands.hill) + held(first(players), lands.hill)", 0),
        ("sum(lands.hill.tax[o] for o in owners)", 0),
        ("size(set(o for o in owners if size(o.camp) > 5))", 2),
        ("size(set(o for o in owners) & set(p for p in players))", 2),
        ("1 if first(o for o in owners if size(o.camp) > 5) == danes else 0", 1),
        ("size((danes if n == 1 else last).camp)", 9),
        ("1 if last in [danes, first(players)] else 0", 1),
        ("size(either(first(ranked(size(o.camp) for o in owners)), last).camp)", 9),
    ],
)
def test_formulas_speak_of_owners(formula: str, result: int) -> None:
    assert cells(after(f'set: n, to: "{formula}"'), "table.n") == [result]


def test_fields_hold_owners() -> None:
    game = after(
        "set: last, to: gauls",
        "add: danes, to: angry",
        "add: last(players), to: angry",
        'set: "lands.moor.tax[danes]", to: 4',
        "add: 2, to: nations.danes.losses",
        "add: 3, to: last(players).losses",
        "for: owner, in: owners, do: [{add: size(owner.camp), to: owner.losses}]",
    )
    assert cells(game, "table.last") == [GAULS]
    assert cells(game, "table.angry") == [1 << DANES | 1 << BOB]
    assert cells(game, "land.tax") == [0, 0, 0, 0, 0, 0, 4, 0]
    assert cells(game, "owner.losses") == [5, 8, 11, 7]


BODIES = """
add:
  verb.count_out:
    given: {owner: owner}
    do:
      - if: owner is player
        then: [{add: 1, to: owner.glory}]
      - if: owner is nation
        then: [{add: owner.strength, to: owner.fear}, {greet: owner}]
  verb.greet: {main: {nation: nation}, do: [{add: 1, to: nation.losses}]}
  verb.all_out: {do: [{for: owner, in: owners, do: [count_out]}]}
"""


def test_tests_tell_players_and_sides_apart() -> None:
    game = after("all_out: ", variant=BODIES)
    assert cells(game, "player.glory") == [1, 1]
    assert cells(game, "nation.fear") == [4, 3]
    assert cells(game, "owner.losses") == [0, 0, 1, 1]


def test_what_sides_hold_takes_effect_after_what_players_hold() -> None:
    text = LANDS.replace(
        "  soldier: {plural: soldiers, is_a: unit, attributes: {worth: number}}",
        "  soldier:\n    plural: soldiers\n    is_a: unit\n    attributes: {worth: number}\n    effects:\n"
        "      hit: {upon: storm, in: land.troops, limit: {game: 2},"
        " do: [{add: 1, to: owner.losses}, {set: last, to: owner}]}\n"
        "      strong: {modify: power, in: land.troops, add: self.worth}\n"
        "      mine: {modify: bonus, in: land.troops, scope: owner, add: self.worth}\n",
    ).replace(
        "value:\n",
        "event:\n  storm: {}\nvalue:\n  power: {is: 0 + 0}\n  bonus: {given: {player: player}, is: 0 + 0}\n",
    )
    steps = [
        "move: archer, of: danes, count: 3, from: camp, to: lands.hill.troops",
        "move: archer, of: last(players), from: camp, to: lands.moor.troops",
        "move: rider, of: gauls, from: camp, to: lands.moor.troops",
        "happen: storm",
        'set: "lands.hill.tax[danes]", to: power()',
        'set: "lands.hill.tax[gauls]", to: bonus(last(players)) + bonus(first(players))',
    ]
    game = game_of(text + "".join(f"      - {{{step}}}\n" for step in steps))
    assert cells(game, "owner.losses") == [0, 1, 3, 1]
    assert [entry[4] for entry in entries(game, "set") if entry[1] == "table.last"] == [BOB, DANES, GAULS]
    assert cells(game, "land.tax")[2:4] == [3 + 1 + 2, 1]


MOVED = """
effects:
  gone:  {leaving: owner.camp, do: [{add: 1, to: owner.losses}]}
  come:  {entering: land.troops, do: [{add: 2, to: "land.tax[owner]"}]}
  shown: {entering: table.parade, do: [{add: 5, to: owner.losses}]}
"""


def test_effects_upon_moves_know_whose_the_piece_is() -> None:
    game = after(
        "move: archer, of: danes, from: camp, to: lands.hill.troops",
        "move: sloop, of: gauls, from: camp, to: parade",
        "move: all, from: parade, to: camp",
        variant=MOVED,
    )
    assert cells(game, "owner.losses") == [0, 0, 1, 6]
    assert cells(game, "land.tax")[DANES] == 2


def test_the_log_tells_whose_piece_moved() -> None:
    game = after("move: archer, of: danes, from: camp, to: lands.hill.troops")
    assert entries(game, "move") == [
        ("move", "unit", ARCHER, DANES, 1, "owner.camp", (DANES,), "land.troops", (0, DANES), -1)
    ]


WAR = """
kinds:
  nation: {plural: nations, owns: {soldier: 3}}
  soldier: {plural: soldiers, pieces: {count: 2, owned: true}}
  land:    {plural: lands, attributes: {order: number}, sorted_by: order}
nation: {danes: {for_players: 2}, gauls: {}}
soldier: {archer: {}, rider: {}}
land: {hill: {order: 10}, moor: {order: 20}}
state:
  table: {queue: list of soldier, target: maybe owner}
  owner: {camp: {is: bag of soldier, start: all}, hits: number 0..99}
  land:  {troops: bag of soldier per owner, guard: maybe soldier}
game:
  players: 2..3
  seats: [ann, bob, cid]
  play: main
  points: {men: "sum(size(l.troops[player]) for l in lands)"}
  winner: {most: total(player)}
verb:
  main:
    do:
      - repeat: 8
        do:
          - for: player
            in: players
            do: [{choose: act, by: player}]
          - for: nation
            in: nations
            do: [automaton]
  automaton:
    given: {nation: nation}
    do:
      - {roll: lands, as: there}
      - {draw: 1, of: nation, from: camp, to: there.troops}
      - if: size(there.troops[nation]) > 2
        then: [{move: all, of: nation, from: there.troops, to: camp}]
decision:
  act:
    options:
      send:    {for: [soldier, land], where: ["player.camp[soldier] > 0"],
                do: [{move: soldier, of: player, from: camp, to: land.troops}]}
      attack:  {for: [land, owner], where: [owner != player, "size(land.troops[owner]) > 0"],
                do: [{add: 1, to: owner.hits}, {set: target, to: owner},
                     {draw: 1, of: owner, from: land.troops, to: queue}]}
      bury:    {for: {s: {piece of soldier: queue}}, do: [{move: s, from: queue, to: out}]}
      post:    {for: {s: {piece of soldier: queue}, land: land}, where: [land.guard == none],
                do: [{move: s, from: queue, to: land.guard}]}
      recall:  {where: [len(queue) > 1], do: [{move: all, from: queue, to: camp}]}
      resign:  {where: [len(players) > 1, size(player.camp) < 2], do: [{leave_game: player}]}
      idle:    {do: []}
"""


def soldiers(game: Interpreter) -> Counter[tuple[int, int]]:
    found: Counter[tuple[int, int]] = Counter()
    owners = game.tables.owners
    for field in ("owner.camp", "land.troops", "out.soldier"):
        for number, bag in enumerate(cells(game, field)):
            found.update({(number % owners, member): count for member, count in enumerate(bag) if count})
    for held in (*cells(game, "table.queue"), tuple(one for one in cells(game, "land.guard") if one is not None)):
        found.update(divmod(item, 2) for item in held)
    return found


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("seed", range(5))
def test_random_games_are_the_same_on_both_engines_and_lose_no_piece(players: int, seed: int) -> None:
    game, number = game_of(WAR, players=players, seed=seed), seed
    begun = soldiers(game)
    while game.codes:
        assert asked(game) is not None
        assert (asked(game) or ("", 99))[1] < players, "no side is ever asked"
        number = (number * 1103515245 + 12345) % 2**31
        answer(game, answers(game)[(number >> 8) % len(game.codes)])
        assert soldiers(game) == begun


def loaded(tmp_path: Any) -> aodrules.Rules:
    path = tmp_path / "war.yaml"
    path.write_text(WAR, encoding="utf-8")
    return aodrules.load(path, cache=False)


def test_views_saves_and_answers_name_sides(tmp_path: Any) -> None:
    game = loaded(tmp_path).new_game(seed=1, players=2)
    game.push("send archer hill")
    attacks = [str(action) for action in game.actions if str(action).startswith("attack")]
    assert attacks == ["attack hill ann"]
    game.push("idle")
    attacks = [str(action) for action in game.actions if str(action).startswith("attack")]
    assert any(one.endswith(("danes", "gauls")) for one in attacks)
    game.push(attacks[-1])
    view = game.view("bob")
    assert (view["nations.danes.hits"], view["nations.gauls.hits"]) in ((0, 1), (1, 0))
    assert view["players.ann.camp"] == {"archer": 1, "rider": 2}
    assert sorted(view["nations"]["gauls"].fields()) == ["camp", "hits"]
    assert set(view["lands.hill.troops"]) == {"ann", "bob", "danes", "gauls"}
    assert str(view["queue"][0]).split()[0] == view["target"]
    moved = next(event for event in view.events if event.kind == "move")
    assert isinstance(moved.what, EventPiece)
    assert moved.what.owner == view["target"]
    assert moved.text().startswith(f"{view['target'].capitalize()} Archer: ")
    again = aodrules.open_game(game.save())
    assert again.state == game.state
    assert game.sample("ann", seed=3).state == game.state
    assert sorted(row.player for row in game.ranking) == ["ann", "bob"]
