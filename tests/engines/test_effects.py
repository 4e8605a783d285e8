"""Modifiers, reactions, offers, and what happens when pieces enter and leave."""

from __future__ import annotations

import pytest

from aodrules.interpreter.evaluation import Evaluator
from aodrules.interpreter.interpreter import Interpreter
from tests.engines.playing import answer, answers, asked, cells, entries, game_of

TILES = """
    kinds:
      tile:
        plural: tiles
        attributes: {copies: number, bonus: number = 0}
        pieces: {count: copies}
        hooks:
          own:      {effects: true, in: player.yard, scope: owner}
          everyone: {effects: true, in: player.yard}
          always:   {effects: true}
          at_end:   {adds_to: yard_points, in: player.yard, scope: owner}
        effects:
          printed: {modify: yard_points, in: player.yard, scope: owner, add: self.bonus}
    state:
      table:  {shop: {is: bag of tile, start: all}}
      player: {yard: bag of tile, cash: number 0..99}
    value:
      yard_points: {given: {player: player}, is: 0}
    """


def worth(game: Interpreter, value: str, *arguments: int) -> object:
    return Evaluator(game.tables, game.state).named_value(value, arguments)


def shares(game: Interpreter, value: str, *arguments: int) -> list[tuple[str, int | None, int | None, int]]:
    found = Evaluator(game.tables, game.state).shares(value, arguments)
    return [(share.address, share.member, share.holder, share.amount) for share in found]


def test_modifiers_apply_by_operation_and_once_for_each_copy() -> None:
    game = game_of(
        TILES
        + """
      toll: {given: {player: player}, is: 5}
    tile:
      arch:  {copies: 2, own: {a: {modify: toll, add: 3}}}
      barn:  {copies: 1, own: {a: {modify: toll, set: 1}}}
      clock: {copies: 2, own: {a: {modify: toll, times: 2}}}
      dome:  {copies: 1, everyone: {a: {modify: toll, if: player != owner, at_least: 20}}}
      eaves: {copies: 1, always: {a: {modify: toll, at_most: 26}}}
    verb:
      main:
        do:
          - for: tile
            in: list(t for t in tiles if t != dome)
            do: [{move: tile, count: 2, from: shop, to: ann_yard}]
          - {choose: wait, by: first(players)}
    decision: {wait: {options: {go: {do: []}}}}
    """.replace("to: ann_yard", "to: first(players).yard")
    )
    assert worth(game, "toll", 0) == 26
    assert worth(game, "toll", 1) == 5
    assert shares(game, "toll", 0) == [
        ("value.toll", None, None, 5),
        ("tile.barn.own.a", 1, 0, -4),
        ("tile.arch.own.a", 0, 0, 6),
        ("tile.clock.own.a", 2, 0, 21),
        ("tile.eaves.always.a", 4, None, -2),
    ]


def test_flags_are_allowed_and_then_forbidden() -> None:
    game = game_of(
        TILES
        + """
      may: {given: {player: player, n: number}, is: n > 8}
    tile:
      arch: {copies: 1, own: {a: {modify: may, allow: n > 3}}}
      barn: {copies: 1, everyone: {a: {modify: may, forbid: n > 6 and player == owner}}}
    verb:
      main:
        do:
          - {move: arch, from: shop, to: first(players).yard}
          - {move: barn, from: shop, to: first(players).yard}
    """
    )
    assert [worth(game, "may", 0, n) for n in (3, 4, 7, 9)] == [False, True, False, False]
    assert [worth(game, "may", 1, n) for n in (3, 4, 7, 9)] == [False, False, False, True]


def test_scores_break_down_by_tile() -> None:
    game = game_of(
        """
    game: {players: 2, seats: [ann, bob], play: main, points: {yard: yard_points(player), cash: player.cash}}
    """
        + TILES
        + """
    tile:
      arch: {copies: 2, bonus: 3}
      barn: {copies: 1, at_end: 2 * size(owner.yard)}
    verb:
      main:
        do:
          - {move: arch, count: 2, from: shop, to: first(players).yard}
          - {move: barn, from: shop, to: first(players).yard}
          - {set: first(players).cash, to: 7}
    """
    )
    assert [source.id for source in game.tables.rules.game.points] == ["yard", "cash"]
    assert game.points(0) == (12, 7)
    assert game.points(1) == (0, 0)
    assert shares(game, "points.yard", 0) == [
        ("value.yard_points", None, None, 0),
        ("kinds.tile.effects.printed", 0, 0, 6),
        ("kinds.tile.effects.printed", 1, 0, 0),
        ("tile.barn.at_end", 1, 0, 6),
    ]


def test_reactions_come_by_game_then_by_order_then_by_address() -> None:
    game = game_of(
        """
    game: {players: 3, seats: [ann, bob, cid], play: main, order: order}
    """
        + TILES.replace(
            "table:  {shop", "table:  {order: {is: list of player, start: all}, log: number 0..999999, shop"
        )
        + """
      seat_of: {given: {player: player}, is: "index(seats, player)"}
    event: {rang: {given: {player: player}}, noted: {given: {n: number}}}
    tile:
      arch: {copies: 3, everyone: {b: {upon: rang, do: [{happen: noted, n: seat_of(owner) * 10 + 1}]}}}
      barn: {copies: 3, own: {a: {upon: rang, limit: {game: 1}, do: [{happen: noted, n: seat_of(owner) * 10 + 2}]}}}
    verb:
      main:
        do:
          - {sort: order, by: 0 - seat_of(player)}
          - for: p
            in: players
            do: [{move: arch, from: shop, to: p.yard}, {move: barn, from: shop, to: p.yard}]
          - {happen: rang, player: first(players)}
          - {happen: rang, player: first(players)}
    """,
        players=3,
        variant="""
        effects: {whole: {upon: rang, if: len(players) == 3, do: [{happen: noted, n: 99}]}}
        """,
    )
    assert [entry[2] for entry in entries(game, "happen") if entry[1] == "noted"] == [
        *((99,), (21,), (11,), (1,), (2,)),
        *((99,), (21,), (11,), (1,)),
    ]


def test_a_reaction_happens_once_for_each_copy_and_may_ask() -> None:
    game = game_of(
        TILES
        + """
    event: {rang: {given: {player: player}}}
    tile:
      arch: {copies: 3, own: {a: {upon: rang, if: owner.cash < 2, do: [{choose: take, by: owner}]}}}
    verb:
      main:
        do:
          - {move: arch, count: 3, from: shop, to: first(players).yard}
          - {happen: rang, player: first(players)}
    decision: {take: {options: {take: {do: [{add: 1, to: player.cash}]}}}}
    """
    )
    answer(game, "take")
    answer(game, "take")
    assert game.state.over
    assert cells(game, "player.cash") == [2, 0]


OFFERS = (
    TILES
    + """
    tile:
      arch: {copies: 2, own: {sing: {offer: pause, limit: {game: 1}, again: 5, do: [{add: 1, to: player.cash}]}}}
      barn: {copies: 1, bonus: 2}
    kinds.tile.effects: SELL
    verb:
      main:
        do:
          - {move: arch, count: 2, from: shop, to: first(players).yard}
          - {move: barn, from: shop, to: first(players).yard}
          - for: p
            in: players
            do: [{choose: pause, by: p, deep: true}]
    decision: {pause: {given: {deep: flag}, optional: true}}
    """
)


def test_an_offer_is_open_to_its_owner_as_often_as_copies_are_held() -> None:
    game = game_of(OFFERS.replace("    kinds.tile.effects: SELL\n", ""))
    assert asked(game) == ("decision.pause", 0)
    assert answers(game) == ["sing", "pass"]
    answer(game, "sing")
    answer(game, "sing")
    assert game.state.over
    assert cells(game, "player.cash") == [2, 0]


def test_chance_is_offered_nothing() -> None:
    text = OFFERS.replace("    kinds.tile.effects: SELL\n", "").replace("by: p,", "by: chance,")
    assert cells(game_of(text), "player.cash") == [0, 0]


def test_a_whole_kind_may_offer_and_self_is_the_first_argument() -> None:
    sell = """
          sell:
            offer: {pause: deep}
            in: player.yard
            scope: owner
            where: [self.bonus > 0]
            do: [{move: self, from: player.yard, to: shop}, {add: self.bonus, to: player.cash}]
    state:
"""
    text = OFFERS.replace("    kinds.tile.effects: SELL\n", "").replace("    state:\n", sell.lstrip("\n"), 1)
    game = game_of(text)
    assert answers(game) == ["sell 1", "sing", "pass"]
    reasons = [failure.reason for failure in game.failures("kinds.tile.effects.sell", (0,))]
    assert reasons == ["condition"]
    answer(game, "sell 1")
    assert cells(game, "player.cash") == [2, 0]
    assert cells(game, "player.yard") == [(2, 0), (0, 0)]


PASSAGES = """
    kinds:
      hut:  {plural: huts}
      pawn:
        plural: pawns
        attributes: {each_player: number}
        pieces: {count: each_player, owned: true}
        effects:
          shout: {entering: hut.camp, if: self == foot, do: [{add: 1, to: heard}]}
    hut: {east: {}, west: {}}
    pawn: {foot: {each_player: 2}, horse: {each_player: 1}}
    event: {moved: {given: {player: player, hut: hut, pawn: pawn, into: flag}}}
    state:
      table:  {heard: number 0..99}
      player: {home: {is: bag of pawn, start: all}}
      hut:    {camp: bag of pawn per player}
    verb:
      main:
        do:
          - {move: all, of: first(players), from: home, to: huts.east.camp}
          - {move: all, from: huts.east.camp, to: huts.west.camp}
          - {move: all, from: huts.west.camp, to: huts.west.camp}
    """


def test_pieces_are_announced_one_by_one_when_all_have_moved() -> None:
    game = game_of(
        PASSAGES,
        variant="""
        effects:
          a: {leaving: hut.camp, do: [{happen: moved, into: false}]}
          b: {entering: hut.camp, do: [{happen: moved, into: true}]}
        """,
    )
    moves = [(entry[1:3] if entry[0] == "happen" else entry[2]) for entry in entries(game, "move", "happen")]
    assert moves == [
        *(0, 1),
        *(("moved", (0, 0, 0, True)), ("moved", (0, 0, 0, True)), ("moved", (0, 0, 1, True))),
        *(0, 1),
        *(("moved", (0, 0, 0, False)), ("moved", (0, 0, 0, False)), ("moved", (0, 0, 1, False))),
        *(("moved", (0, 1, 0, True)), ("moved", (0, 1, 0, True)), ("moved", (0, 1, 1, True))),
        *(0, 1),
    ]
    assert cells(game, "table.heard") == [4]


ROWS = """
    kinds:
      hut:  {plural: huts}
      pawn:
        plural: pawns
        attributes: {each_player: number}
        pieces: {count: each_player, owned: true}
        effects:
          pay: {entering: hut.row, if: self == foot, do: [{add: 2, to: player.cash}]}
    hut: {east: {}}
    pawn: {foot: {each_player: 2}, horse: {each_player: 1}}
    state:
      table:  {sink: list of pawn}
      player: {home: {is: bag of pawn, start: all}, cash: number 0..99}
      hut:    {row: list of pawn}
    verb:
      main:
        do:
          - {for: player, in: players, do: [{move: all, of: player, from: home, to: huts.east.row}]}
          - {move: all, from: huts.east.row, to: sink}
    """


def test_a_piece_that_enters_a_list_has_an_owner() -> None:
    game = game_of(ROWS, variant="effects: {fee: {leaving: hut.row, do: [{take: 1, from: player.cash}]}}")
    assert cells(game, "player.cash") == [2 * 2 - 3, 2 * 2 - 3]


def test_whose_a_hidden_piece_is_stays_unknown() -> None:
    with pytest.raises(AssertionError, match="there is no name `player` here"):
        game_of(ROWS.replace("row: list of pawn", "row: {is: list of pawn, secret: content}"))
