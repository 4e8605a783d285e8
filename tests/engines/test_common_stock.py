"""Pieces of a common stock: who takes one owns it, who puts it back does not, and none is ever made or lost."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

import aodrules
from aodrules.interpreter.interpreter import Interpreter
from tests.engines.playing import answer, answers, cells, entries, game_of, rules_of

TOWNS = """
kinds:
  city:    {plural: cities, attributes: {worth: number}, pieces: {count: 2, owned: true}}
  capital: {plural: capitals, is_a: city, pieces: {count: 3, owned: when_taken}}
  land:    {plural: lands}
city: {hamlet: {worth: 1}}
capital: {court: {worth: 4}, palace: {worth: 5}}
land: {hill: {}, moor: {}}
state:
  table:
    stock:  {is: bag of capital, start: all}
    attic:  bag of capital up to 2
    parade: list of city
    n:      number 0..9
  player:
    hand:  {is: bag of city, start: all}
    rank:  list of city up to 2
    taken: number 0..9
  land:
    town: maybe city
    camp: bag of city per player
verb:
  main:
    do:
      - {set: n, to: 1}
"""
PALACE = 2
ANN, BOB = range(2)


def after(*steps: str, variant: str = "") -> Interpreter:
    return game_of(TOWNS + "".join(f"      - {{{step}}}\n" for step in steps), variant=variant)


def test_so_many_start_for_all_and_the_others_with_each_player() -> None:
    game = after()
    assert cells(game, "table.stock") == [(3, 0, 3)]
    assert cells(game, "player.hand") == [(0, 2, 0), (0, 2, 0)]


@pytest.mark.parametrize(
    "step, field, held",
    [
        ("move: palace, of: last(players), from: stock, to: hand", "player.hand", [(0, 2, 0), (0, 2, 1)]),
        ("move: palace, of: last(players), count: 2, from: stock, to: lands.moor.camp", "land.camp", 3),
        ("move: palace, of: last(players), count: 9, from: stock, to: parade", "table.parade", [(5, 5, 5)]),
        ("move: court, of: last(players), from: stock, to: lands.hill.town", "land.town", [3, None]),
        ("move: all, of: first(players), from: stock, to: parade", "table.parade", [(0, 0, 0, 2, 2, 2)]),
        ("move: all, of: last(players), from: stock, to: rank", "player.rank", [(), (3, 3)]),
        ("draw: 6, of: last(players), from: stock, to: hand", "player.hand", [(0, 2, 0), (3, 2, 3)]),
    ],
)
def test_what_is_taken_is_owned_by_who_takes_it(step: str, field: str, held: Any) -> None:
    found = cells(after(step), field)
    assert found == (held if isinstance(held, list) else [(0, 0, 0), (0, 0, 0), (0, 0, 0), (0, 0, 2)])


@pytest.mark.parametrize(
    "back",
    [
        "move: palace, of: last(players), count: 2, from: hand, to: stock",
        "move: palace, of: last(players), count: 9, from: hand, to: stock",
    ],
)
def test_what_is_put_back_is_nobodys(back: str) -> None:
    game = after("move: palace, of: last(players), count: 2, from: stock, to: hand", back)
    assert cells(game, "table.stock") == [(3, 0, 3)]
    assert cells(game, "player.hand") == [(0, 2, 0), (0, 2, 0)]


def test_the_log_tells_who_took_and_who_gave_back() -> None:
    game = after(
        "move: palace, of: last(players), from: stock, to: lands.hill.town",
        "move: palace, of: last(players), from: lands.hill.town, to: stock",
        "move: palace, from: stock, to: attic",
    )
    assert entries(game, "move", "cut") == [
        ("move", "city", PALACE, BOB, 1, "table.stock", (), "land.town", (0,), -1),
        ("move", "city", PALACE, BOB, 1, "land.town", (0,), "table.stock", (), -1),
        ("move", "city", PALACE, None, 1, "table.stock", (), "table.attic", (), -1),
    ]


def test_what_does_not_fit_stays_in_the_stock() -> None:
    game = after("move: all, of: first(players), from: stock, to: rank")
    assert cells(game, "table.stock") == [(1, 0, 3)]
    assert entries(game, "cut") == [("cut", "player.rank", (ANN,), 6, 2)]
    game = after("move: all, from: stock, to: attic")
    assert (cells(game, "table.stock"), cells(game, "table.attic")) == ([(1, 0, 3)], [(2, 0, 0)])


EFFECTS = """
effects:
  proud:  {entering: land.town, do: [{add: 1, to: player.taken}]}
  humble: {leaving: land.town, do: [{add: 3, to: player.taken}]}
  empty:  {leaving: table.stock, if: "size(stock) < 5", do: [{add: 2, to: n}]}
"""


def test_effects_know_who_took_a_piece_and_whose_it_was() -> None:
    game = after(
        "move: palace, of: last(players), from: stock, to: lands.hill.town",
        "move: court, of: first(players), from: stock, to: lands.moor.town",
        "move: court, of: first(players), from: lands.moor.town, to: stock",
        variant=EFFECTS,
    )
    assert cells(game, "player.taken") == [4, 1]
    assert cells(game, "table.n") == [3]


def test_who_leaves_takes_what_was_taken_out_of_the_game_and_leaves_the_stock() -> None:
    game = after(
        "move: palace, of: last(players), from: stock, to: lands.hill.town",
        "move: court, of: last(players), from: stock, to: hand",
        "move: court, of: first(players), from: stock, to: parade",
        "leave_game: last(players)",
    )
    assert cells(game, "out.city") == [(0, 0, 0), (1, 2, 1)]
    assert cells(game, "table.stock") == [(1, 0, 2)]
    assert cells(game, "table.parade") == [(0,)]


SHOP = """
kinds: {ship: {plural: ships, pieces: {count: 2, owned: when_taken}}}
ship: {brig: {}, raft: {}}
state:
  table: {yard: {is: bag of ship, start: all}, sea: list of ship}
  player: {dock: bag of ship}
verb:
  main:
    do:
      - repeat: 12
        do:
          - for: player
            in: players
            do: [{choose: act, by: player}]
      - {move: all, from: yard, to: out}
decision:
  act:
    options:
      buy:    {for: [ship], where: ["yard[ship] > 0"], do: [{move: ship, of: player, from: yard, to: dock}]}
      launch: {for: [ship], where: ["player.dock[ship] > 0"], do: [{move: ship, of: player, from: dock, to: sea}]}
      scrap:  {for: {w: {piece of ship: sea}}, where: [w.owner == player], do: [{move: w, from: sea, to: yard}]}
      wreck:  {where: [len(sea) > 2], do: [{move: all, from: sea, to: yard}]}
      idle:   {do: []}
"""


def ships(game: Interpreter) -> Counter[int]:
    found: Counter[int] = Counter(item % 2 for item in cells(game, "table.sea")[0])
    for bag in [*cells(game, "table.yard"), *cells(game, "player.dock"), *cells(game, "out.ship")]:
        found.update({member: count for member, count in enumerate(bag) if count})
    return found


@pytest.mark.parametrize("seed", range(4))
def test_a_whole_kind_goes_round_and_none_is_made_or_lost(seed: int) -> None:
    game, number = game_of(SHOP, players=3), seed
    while game.codes:
        number = (number * 1103515245 + 12345) % 2**31
        answer(game, answers(game)[(number >> 8) % len(game.codes)])
        assert ships(game) == {0: 2, 1: 2}
    assert cells(game, "table.yard") == [(0, 0)]


def test_a_stock_is_seen_and_saved(tmp_path: Any) -> None:
    path = tmp_path / "shop.yaml"
    path.write_text("game: {players: 2, seats: [ann, bob], play: main}\n" + SHOP, encoding="utf-8")
    rules = aodrules.load(path, cache=False)
    game = rules.new_game(seed=1)
    for text in ("buy brig", "buy brig", "launch brig"):
        game.push(text)
    assert game.view("bob")["yard"] == {"raft": 2}
    assert [str(one) for one in game.view("bob")["sea"]] == ["ann brig"]
    assert aodrules.open_game(game.save()).state == game.state
    assert game.sample("ann", seed=3).state["yard"] == {"raft": 2}


def test_a_stock_of_the_wider_kind_would_forget_owners() -> None:
    with pytest.raises(AssertionError, match="would forget whose the pieces are"):
        rules_of(TOWNS.replace("attic:  bag of capital up to 2", "attic:  bag of city"))
