"""Orders that the reference promises: of options, of the steps of a shared option, of what a move sets off."""

from __future__ import annotations

from tests.engines.playing import answer, answers, cells, game_of

SHARED = """
    state: {table: {n: number 0..99 = 1}}
    option: {grow: {do: [{add: 1, to: n}]}}
    verb: {main: {do: [{choose: go, by: first(players)}]}}
    decision: {go: {options: {zeal: {do: []}, grow: {use: grow, do: [{set: n, to: n * 5}]}, ask: {do: []}}}}
    """


def test_options_are_listed_by_their_names_whatever_the_order_of_documents() -> None:
    assert answers(game_of(SHARED)) == ["ask", "grow", "zeal"]
    more = game_of(SHARED, variant="add: {decision.go.options.build: {do: []}}")
    assert answers(more) == ["ask", "build", "grow", "zeal"]
    offered = game_of(SHARED, variant="effects: {aim: {offer: go, again: 0, do: []}}")
    assert answers(offered) == ["ask", "grow", "zeal", "aim"]  # `effects.aim` comes after `decision.go`


def test_the_steps_of_a_use_come_after_the_shared_ones() -> None:
    game = game_of(SHARED)
    answer(game, "grow")
    assert cells(game, "table.n") == [10]


def test_steps_under_first_come_before_the_shared_ones() -> None:
    early = "first: [{set: n, to: 7}, {step: early, do: [{add: 1, to: n}]}]"
    text = SHARED.replace("use: grow,", f"use: grow, {early},")
    game = game_of(text)
    answer(game, "grow")
    assert cells(game, "table.n") == [45]
    later = game_of(text, variant="insert: [{after: decision.go.options.grow.early, do: [{set: n, to: 1}]}]")
    answer(later, "grow")
    assert cells(later, "table.n") == [10]


def test_an_offer_that_uses_a_shared_option_has_steps_before_it_too() -> None:
    offer = "effects: {aim: {offer: go, again: 0, use: grow, first: [{set: n, to: 4}]}}"
    game = game_of(SHARED, variant=offer)
    answer(game, "aim")
    assert cells(game, "table.n") == [5]


MOVED = """
    state:
      table:
        bag:     {is: list of tile, start: all}
        tray:    list of tile
        left:    number 0..99
        entered: number 0..99
        order:   number 0..9999
    kinds:
      tile:
        plural: tiles
        pieces: {count: 1}
        effects:
          goes:  {leaving: bag, do: [{add: 10 * len(tray), to: left}, {set: order, to: order * 10 + 1}]}
          comes: {entering: tray, do: [{add: len(bag), to: entered}, {set: order, to: order * 10 + 2}]}
    tile: {oak: {}, elm: {}}
    verb: {main: {do: [{move: all, from: bag, to: tray}, {choose: go, by: first(players)}]}}
    decision: {go: {options: {on: {do: []}}}}
    """


def test_what_a_move_sets_off_sees_the_whole_move_done() -> None:
    game = game_of(MOVED)
    assert cells(game, "table.left") == [40]  # each of the two sees both in the tray
    assert cells(game, "table.entered") == [0]  # and none in the bag


def test_all_pieces_have_left_before_the_first_one_enters() -> None:
    assert cells(game_of(MOVED), "table.order") == [1122]
