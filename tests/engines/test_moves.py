"""Moving, drawing, shuffling and sorting pieces, and what is noted."""

from __future__ import annotations

from typing import Any

import pytest

from aodrules.interpreter.interpreter import Interpreter
from tests.engines.playing import cells, entries, game_of

CARDS = """
    kinds:
      card: {plural: cards, sorted_by: value, attributes: {value: number, copies: number = 1}, pieces: {count: copies}}
      pawn: {plural: pawns, attributes: {each_player: number}, pieces: {count: each_player, owned: true}}
    card: {ace: {value: 1, copies: 2}, two: {value: 2}, six: {value: 6, copies: 3}}
    pawn: {foot: {each_player: 2}, horse: {each_player: 1}}
    state:
      table:
        deck:  {is: list of card, start: all}
        bag:   bag of card
        row:   list of card up to 3
        spot:  maybe card
        line:  list of pawn
        short: list of pawn up to 3
        n:     number 0..99
      player:
        home:  {is: bag of pawn, start: all}
        camp:  bag of pawn
        queue: list of pawn up to 1
    verb:
      main:
        do:
"""
ACE, TWO, SIX = range(3)


def after(*steps: str, seed: int = 1) -> tuple[Interpreter, list[tuple[Any, ...]]]:
    """Play steps and return the game and its moves."""
    text = CARDS + "".join(f"          - {{{step}}}\n" for step in (*steps, "set: n, to: n"))
    game = game_of(text, seed=seed)
    return game, entries(game, "move", "cut")


def field_after(field: str, *steps: str) -> object:
    game, _ = after(*steps)
    return cells(game, field)[0]


def test_pieces_start_in_member_order_owner_by_owner() -> None:
    assert field_after("table.deck") == (0, 0, 1, 2, 2, 2)
    game, _ = after()
    assert cells(game, "player.home") == [(2, 1), (2, 1)]


@pytest.mark.parametrize(
    "step, row, deck",
    [
        ("move: six, from: deck, to: row", (2,), (0, 0, 1, 2, 2)),
        ("move: six, count: 2, from: deck, to: row", (2, 2), (0, 0, 1, 2)),
        ("move: two, count: 2, from: deck, to: row", (1,), (0, 0, 2, 2, 2)),
        ("move: ace, count: 0, from: deck, to: row", (), (0, 0, 1, 2, 2, 2)),
        ("move: 'deck[1]', from: deck, to: row", (0,), (0, 1, 2, 2, 2)),
        ("move: 'deck[9]', from: deck, to: row", (), (0, 0, 1, 2, 2, 2)),
        ("move: all, from: deck, to: row", (0, 0, 1), (2, 2, 2)),
        ("draw: 2, from: deck, to: row", (0, 0), (1, 2, 2, 2)),
    ],
)
def test_pieces_come_out_of_a_list_from_the_front(step: str, row: tuple[int, ...], deck: tuple[int, ...]) -> None:
    assert field_after("table.row", step) == row
    assert field_after("table.deck", step) == deck


@pytest.mark.parametrize(
    "position, row",
    [
        ("first", (2, 2, 0)),
        ("last", (0, 2, 2)),
        ("1", (0, 2, 2)),
        ("0", (2, 2, 0)),
        ("7", (0, 2, 2)),
        ("0 - 3", (2, 2, 0)),
    ],
)
def test_pieces_go_to_a_position_one_after_the_other(position: str, row: tuple[int, ...]) -> None:
    first, second = "move: ace, from: deck, to: row", f"move: six, count: 2, from: deck, to: row, position: {position}"
    assert field_after("table.row", first, second) == row


def test_what_does_not_fit_stays_and_is_noted_once() -> None:
    _, noted = after("move: six, count: 3, from: deck, to: row", "move: ace, count: 2, from: deck, to: row")
    assert noted[-1] == ("cut", "table.row", (), 2, 0)
    _, noted = after("move: all, from: deck, to: spot, up_to: true")
    assert noted == [("move", "card", ACE, None, 1, "table.deck", (), "table.spot", (), -1)]
    _, noted = after("draw: 5, from: deck, to: row")
    assert noted[-1] == ("cut", "table.row", (), 5, 3)
    _, noted = after("move: all, from: deck, to: bag", "draw: 1, from: bag, to: spot", "draw: 2, from: bag, to: spot")
    assert noted[-1] == ("cut", "table.spot", (), 2, 0)


def test_a_bag_gives_one_entry_for_each_member() -> None:
    _, noted = after("move: all, from: deck, to: bag", "move: all, from: bag, to: row")
    assert noted[6:] == [
        ("move", "card", ACE, None, 2, "table.bag", (), "table.row", (), -1),
        ("move", "card", TWO, None, 1, "table.bag", (), "table.row", (), -1),
        ("cut", "table.row", (), 6, 3),
    ]


def test_a_place_may_be_one_position_of_a_list() -> None:
    assert field_after("table.deck", "move: all, from: 'deck[2]', to: bag") == (0, 0, 2, 2, 2)
    assert field_after("table.deck", "move: ace, from: 'deck[2]', to: bag") == (0, 0, 1, 2, 2, 2)


def test_a_piece_that_finds_no_room_is_passed_over() -> None:
    steps = (
        "move: foot, of: first(players), from: home, to: line",
        "move: horse, of: first(players), from: home, to: line",
        "move: foot, of: last(players), from: home, to: line",
        "move: all, from: line, to: queue",
    )
    assert field_after("table.line", *steps) == (1,)
    game, _ = after(*steps)
    assert cells(game, "player.queue") == [(0,), (2,)]


def test_all_pieces_of_a_field_leave_every_owners_part() -> None:
    rows = ("move: all, from: queue, to: line, position: first", "move: all, from: line, to: short")
    foot = (
        "move: foot, of: first(players), from: home, to: queue",
        "move: foot, of: last(players), from: home, to: queue",
    )
    game, noted = after(*foot, *rows)
    assert cells(game, "player.queue") == [(), ()]
    assert cells(game, "table.short") == [(0, 2)]
    assert [entry[2:5] for entry in noted[2:]] == [(0, 0, 1), (0, 1, 1)] * 2


@pytest.mark.parametrize(
    "step, field, held",
    [
        ("move: foot, of: first(players), count: 2, from: home, to: line, position: first", "table.line", (0, 0, 1)),
        ("move: foot, of: first(players), count: 5, from: home, to: camp", "player.camp", (2, 0)),
        ("move: foot, of: first(players), count: 2, from: home, to: home", "player.home", (2, 0)),
        ("move: foot, of: first(players), count: 2, from: home, to: queue", "player.queue", (0,)),
        ("move: all, from: line, to: line, position: first", "table.line", (1,)),
    ],
)
def test_some_pieces_leave_a_bag_at_once(step: str, field: str, held: tuple[int, ...]) -> None:
    assert field_after(field, "move: horse, of: first(players), from: home, to: line", step) == held


def test_owned_pieces_go_to_their_owners_part() -> None:
    steps = (
        "move: all, from: home, to: short",
        "move: all, of: last(players), from: short, to: camp",
        "move: all, from: short, to: camp",
    )
    game, noted = after(*steps)
    assert noted[:3] == [
        ("move", "pawn", 0, 0, 2, "player.home", (0,), "table.short", (), -1),
        ("move", "pawn", 1, 0, 1, "player.home", (0,), "table.short", (), -1),
        ("cut", "table.short", (), 6, 3),
    ]
    assert cells(game, "player.camp") == [(2, 1), (0, 0)]
    assert cells(game, "player.home") == [(0, 0), (2, 1)]


def test_what_was_moved_has_a_name() -> None:
    assert field_after("table.n", "move: six, count: 9, from: deck, to: bag, as: k", "set: n, to: k + 10") == 13
    assert field_after("table.n", "move: six, from: deck, to: bag, as: k", "set: n, to: 5 if k == six else 0") == 5
    assert field_after("table.n", "move: all, from: deck, to: row, as: k, up_to: true", "set: n, to: k") == 3
    assert field_after("table.n", "draw: 2, from: deck, to: bag, as: k", "set: n, to: k") == 2


def test_a_draw_of_the_only_member_moves_chance_on() -> None:
    text = """
        kinds: {coin: {plural: coins, attributes: {copies: number}, pieces: {count: copies}}}
        coin: {penny: {copies: 9}}
        state: {table: {bag: {is: bag of coin, start: all}, purse: bag of coin, dice: number 0..99}}
        verb:
          main:
            do:
              - {draw: 3, from: bag, to: purse}
              - {roll: "range(1, 99)", as: k}
              - {set: dice, to: k}
    """
    assert cells(game_of(text, seed=1), "table.purse") == [(3,)]


def test_a_draw_out_of_a_bag_is_by_chance_and_ends_with_it() -> None:
    drawn = set()
    for seed in range(40):
        game, noted = after("move: all, from: deck, to: bag", "draw: 1, from: bag, to: spot", seed=seed)
        drawn.add(cells(game, "table.spot")[0])
    assert drawn == {0, 1, 2}
    _, noted = after("move: ace, count: 2, from: deck, to: bag", "draw: 9, from: bag, to: deck")
    assert noted[2:] == 2 * [("move", "card", ACE, None, 1, "table.bag", (), "table.deck", (), -1)]


def test_moving_inside_a_list_changes_its_order_even_if_it_is_full() -> None:
    full = "move: all, from: deck, to: row, up_to: true"
    assert field_after("table.row", full, "move: two, from: row, to: row, position: first") == (1, 0, 0)
    assert field_after("table.row", full, "move: all, from: row, to: row") == (0, 0, 1)


def test_a_sort_keeps_equal_items_in_order() -> None:
    assert field_after("table.deck", "sort: deck, by: 0 - card.value") == (2, 2, 2, 1, 0, 0)
    assert field_after("table.deck", "sort: deck, by: card.value % 2") == (1, 2, 2, 2, 0, 0)


def test_a_shuffle_depends_on_the_seed_alone() -> None:
    orders = set()
    for seed in range(30):
        first, again = after("shuffle: deck", seed=seed)[0], after("shuffle: deck", seed=seed)[0]
        assert cells(first, "table.deck") == cells(again, "table.deck")
        orders.add(cells(first, "table.deck")[0])
    assert len(orders) > 20


def test_a_field_that_some_members_lack_is_empty_there() -> None:
    game = game_of("""
        kinds:
          hut:
            plural: huts
            sorted_by: place
            attributes: {place: number, big: flag, rooms: number = 2 * len(players)}
        hut: {east: {place: 1, big: true}, west: {place: 2, big: false, rooms: 1}}
        state:
          hut: {guests: {is: number 2..9, start: 4, only: hut.big}}
        verb: {main: {do: []}}
        """)
    assert cells(game, "hut.guests") == [4, 0]
    assert game.tables.lacking == {"hut.guests": frozenset({1})}
    assert game.tables.attributes["hut.rooms"] == (4, 1)


def test_pieces_start_where_their_field_says() -> None:
    game = game_of("""
        kinds:
          age:  {plural: ages, sorted_by: place, attributes: {place: number}}
          card: {plural: cards, attributes: {age: age, copies: number}, pieces: {count: copies}}
        age: {old: {place: 1}, new: {place: 2}}
        card: {ant: {age: new, copies: 2}, bee: {age: old, copies: 1}, cat: {age: old, copies: 3}}
        state:
          table:
            stack: {is: list of card per age, start: all, if: card != bee, by: card.age}
            box:   {is: bag of card, start: all, if: card == bee}
        verb: {main: {do: []}}
        """)
    assert cells(game, "table.stack") == [(2, 2, 2), (0, 0)]
    assert cells(game, "table.box") == [(0, 1, 0)]
    assert cells(game, "out.card") == [(0, 0, 0)]
