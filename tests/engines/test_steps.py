"""What each step does, one small game each."""

from __future__ import annotations

import pytest

from aodrules.compiler.lower.from_checked import plan
from aodrules.interpreter.evaluation import Evaluator
from tests.engines.playing import answer, answers, asked, cells, entries, game_of, rules_of


def test_numbers_are_cut_to_their_range_and_the_log_says_so() -> None:
    game = game_of("""
        state: {table: {purse: {is: number 0..5, start: 3}, debt: number 0..9}}
        verb:
          main:
            do:
              - {add: 4, to: purse}
              - {take: 9, from: purse, as: paid, up_to: true}
              - {set: debt, to: paid}
        """)
    assert cells(game, "table.purse") == [0]
    assert cells(game, "table.debt") == [5]
    assert game.happenings == (
        ("set", "table.purse", (), 3, 5),
        ("cut", "table.purse", (), 7, 5),
        ("set", "table.purse", (), 5, 0),
        ("set", "table.debt", (), 0, 5),
        ("over",),
    )


def test_what_rises_as_less_than_nothing_is_taken_has_fallen_by_less_than_nothing() -> None:
    game = game_of("""
        state: {table: {owed: {is: number -3..3, start: -2}, purse: {is: number 0..4, start: 3},
                        first_fall: number -9..9, second_fall: number -9..9}}
        verb:
          main:
            do:
              - {take: owed, from: purse, as: paid, up_to: true}
              - {set: first_fall, to: paid}
              - {let: held, be: 3}
              - {take: owed, from: held, as: left}
              - {set: second_fall, to: left}
        """)
    assert [cells(game, f"table.{name}") for name in ("purse", "first_fall", "second_fall")] == [[4], [-1], [-2]]


def test_what_does_not_change_is_not_noted() -> None:
    game = game_of("""
        state: {table: {purse: {is: number 0..5, start: 3}}}
        verb: {main: {do: [{set: purse, to: 3}, {add: 0, to: purse}]}}
        """)
    assert game.happenings == (("over",),)


def test_sets_take_members_in_and_out() -> None:
    game = game_of("""
        state: {table: {seen: set of player}}
        verb:
          main:
            do:
              - for: p
                in: players
                do: [{add: p, to: seen}]
              - {take: first(players), from: seen}
        """)
    assert cells(game, "table.seen") == [0b10]


def test_a_while_stops_at_its_bound_and_says_so() -> None:
    game = game_of("""
        state: {table: {n: number 0..9}}
        verb: {main: {do: [{while: n < 9, at_most: 4, do: [{add: 1, to: n}]}]}}
        """)
    assert cells(game, "table.n") == [4]
    assert [entry[0] for entry in entries(game, "bound", "over")] == ["bound", "over"]


def test_a_while_that_ends_at_its_bound_by_itself_is_not_noted() -> None:
    game = game_of("""
        state: {table: {n: number 0..9}}
        verb: {main: {do: [{while: n < 4, at_most: 4, do: [{add: 1, to: n}]}]}}
        """)
    assert entries(game, "bound") == []


WHILE_USING_UP = """
    state: {{table: {{coins: {{is: number 0..9, start: 6}}, rounds: number 0..99}}}}
    verb: {{main: {{do: [{{while: {test}, uses_up: {number}, do: [{{add: 1, to: rounds}}, {step}]}}]}}}}
    """


@pytest.mark.parametrize(
    "test, number, step, rounds, coins, is_noted",
    [
        ("coins > 0", "coins", "{take: 2, from: coins}", 3, 0, False),
        ("coins > 4", "coins", "{take: 1, from: coins}", 2, 4, False),
        ("coins < 9", "coins", "{take: 0, from: coins}", 1, 6, True),
        ("coins < 9", "coins", "{add: 1, to: coins}", 1, 7, True),
        ("coins < 7", "coins", "{add: 1, to: coins}", 1, 7, False),
        ("rounds < 50", "coins", "{take: 3, from: coins}", 2, 0, True),
        ("rounds < 50", "coins - 6", "{take: 3, from: coins}", 0, 6, True),
        ("rounds < 50", "coins - 5", "{take: 3, from: coins}", 1, 3, True),
    ],
)
def test_a_while_that_uses_up_a_number_ends_where_a_round_does_not_lower_it(
    test: str, number: str, step: str, rounds: int, coins: int, *, is_noted: bool
) -> None:
    game = game_of(WHILE_USING_UP.format(test=test, number=number, step=step))
    assert (cells(game, "table.rounds"), cells(game, "table.coins")) == ([rounds], [coins])
    assert bool(entries(game, "bound")) == is_noted


def test_repeat_and_loops_are_fixed_when_they_start() -> None:
    game = game_of("""
        state: {table: {n: {is: number 0..99, start: 2}, total: number 0..99}}
        verb:
          main:
            do:
              - repeat: n
                do: [{add: 1, to: n}]
              - for: k
                in: range(0, n)
                where: k > 0
                index: i
                do:
                  - {add: 1, to: n}
                  - {add: k * 10 + i, to: total}
        """)
    assert cells(game, "table.n") == [7]
    assert cells(game, "table.total") == [66]


def test_stop_leaves_the_verb_it_is_written_in() -> None:
    game = game_of("""
        state: {table: {n: number 0..99}}
        verb:
          main: {do: [inner, {add: 10, to: n}]}
          inner:
            do:
              - for: k
                in: range(0, 5)
                do:
                  - {add: 1, to: n}
                  - {if: k == 1, then: [stop]}
        """)
    assert cells(game, "table.n") == [12]


def test_stop_leaves_a_verb_out_of_a_step_in_which_nobody_is_asked() -> None:
    game = game_of("""
        state: {table: {n: number 0..9}}
        verb:
          main: {do: [{step: day, do: [look, {choose: act, by: first(players)}]}]}
          look: {do: [{step: looking, do: [{step: closely, do: [{add: 1, to: n}, stop]}, {add: 5, to: n}]}]}
        decision: {act: {options: {go: {do: []}}}}
        """)
    assert cells(game, "table.n") == [1]
    assert game.state.step == "verb.main.day"


def test_stop_may_leave_a_step_around() -> None:
    game = game_of("""
        state: {table: {n: number 0..99}}
        verb:
          main:
            do:
              - step: outer
                do:
                  - step: inner
                    do: [{add: 1, to: n}, {stop: outer}]
                  - {add: 10, to: n}
              - {add: 20, to: n}
        """)
    assert cells(game, "table.n") == [21]


def test_a_named_step_resets_what_belongs_to_it_and_is_shown_while_it_lasts() -> None:
    game = game_of("""
        state: {table: {n: {is: number 0..9, start: 2, resets: turn}, m: number 0..99}}
        verb:
          main:
            do:
              - repeat: 2
                do:
                  - step: turn
                    do:
                      - {add: 3, to: n}
                      - inner
                      - {add: n, to: m}
          inner: {do: [{choose: go, by: first(players)}]}
        decision: {go: {options: {on: {do: []}}}}
        """)
    assert game.plain().step == "verb.main.turn"
    answer(game, "on")
    assert entries(game, "step", "set") == [
        ("set", "table.m", (), 0, 5),
        ("step", "verb.main.turn"),
        ("set", "table.n", (), 5, 2),
        ("set", "table.n", (), 2, 5),
    ]
    answer(game, "on")
    assert game.plain().step is None
    assert cells(game, "table.m") == [10]


def test_end_game_ends_everything() -> None:
    game = game_of("""
        state: {table: {n: number 0..99}}
        verb:
          main: {do: [{step: s, do: [inner]}, {add: 10, to: n}]}
          inner: {do: [{add: 1, to: n}, end_game]}
        """)
    assert (game.state.over, game.state.step, game.pending, game.codes) == (True, None, None, ())
    assert cells(game, "table.n") == [1]


def test_a_hook_is_run_only_by_members_that_have_it() -> None:
    game = game_of("""
        kinds: {tile: {plural: tiles, hooks: {ring: {given: {times: number}}}}}
        tile:
          bell: {ring: [{add: times, to: n}]}
          rock: {}
        state: {table: {n: number 0..99}}
        verb:
          main:
            do:
              - for: tile
                in: tiles
                do: [{run: tile.ring, times: 5}]
        """)
    assert cells(game, "table.n") == [5]


def test_a_roll_gives_an_item_or_none() -> None:
    game = game_of("""
        state: {table: {n: number 0..99, p: maybe player}}
        verb:
          main:
            do:
              - {roll: "range(3, 9)", as: die}
              - {set: n, to: die}
              - {roll: "list(q for q in players if n > 50)", as: nobody}
              - {set: p, to: nobody}
        """)
    assert 3 <= cells(game, "table.n")[0] < 9
    assert cells(game, "table.p") == [None]
    assert entries(game, "roll") == [("roll", cells(game, "table.n")[0], "number")]


def test_a_verb_may_be_given_a_place() -> None:
    game = game_of("""
        kinds: {coin: {plural: coins, attributes: {copies: number}, pieces: {count: copies}}}
        coin: {penny: {copies: 5}}
        state: {table: {bank: {is: bag of coin, start: all}, street: bag of coin}, player: {purse: bag of coin}}
        verb:
          main:
            do:
              - for: player
                in: players
                do: [{earn: 2, into: player.purse}]
              - {earn: 1}
          earn:
            main: {amount: number}
            given: {into: place of coin = street}
            do: [{move: penny, count: amount, from: bank, to: into}]
        """)
    assert cells(game, "player.purse") == [(2,), (2,)]
    assert cells(game, "table.street") == [(1,)]


def test_who_leaves_takes_everything_out_of_the_game_and_is_skipped() -> None:
    game = game_of(
        """
        kinds:
          card: {plural: cards, attributes: {copies: number}, pieces: {count: copies}}
          pawn: {plural: pawns, attributes: {each_player: number}, pieces: {count: each_player, owned: true}}
        card: {ace: {copies: 3}}
        pawn: {foot: {each_player: 2}}
        state:
          table:
            order: {is: list of player, start: all}
            deck:  {is: bag of card, start: all}
            line:  list of pawn
          player:
            hand: bag of card
            home: {is: bag of pawn, start: all}
        verb:
          main:
            do:
              - for: player
                in: order
                do:
                  - {move: ace, from: deck, to: player.hand}
                  - {move: foot, of: player, from: home, to: line}
              - for: player
                in: order
                do: [{choose: act, by: player}]
              - {choose: act, by: first(seats)}
        decision: {act: {options: {go: {for: {other: player}, do: [{leave_game: other}]}}}}
        """,
        players=3,
    )
    assert answers(game) == ["go 0", "go 1", "go 2"]
    answer(game, "go 1")
    assert asked(game) == ("decision.act", 2)
    assert answers(game) == ["go 0", "go 2"]
    assert game.state.left == (1,)
    assert cells(game, "table.order") == [(0, 2)]
    assert cells(game, "table.line") == [(0, 2)]
    assert cells(game, "player.hand") == [(1,), (0,), (1,)]
    assert cells(game, "player.home") == [(1,), (0,), (1,)]
    assert (cells(game, "out.card"), cells(game, "out.pawn")) == ([(1,)], [(0,), (2,), (0,)])
    assert entries(game, "left", "move")[:2] == [
        ("left", 1),
        ("move", "pawn", 0, 1, 1, "table.line", (), "out.pawn", (1,), -1),
    ]
    answer(game, "go 0")
    assert game.state.over


def test_the_last_player_ends_the_game_instead_of_leaving() -> None:
    game = game_of(
        """
        game: {players: 3, seats: [ann, bob, cid], play: main, points: {most: max(p.cash for p in players)}}
        state: {table: {n: number 0..9}, player: {cash: number 0..9 = 4}}
        verb:
          main:
            do:
              - {choose: act, by: first(seats)}
              - {set: n, to: max(p.cash for p in players)}
        decision: {act: {options: {all: {do: [{for: other, in: players, do: [{leave_game: other}]}]}}}}
        """,
        players=3,
    )
    answer(game, "all")
    assert game.state.over
    assert game.state.left == (0, 1)
    assert cells(game, "table.n") == [0]
    assert Evaluator(game.tables, game.state).named_value("total", (2,)) == 4


def test_both_ends_of_a_game_may_be_verbs() -> None:
    game = game_of("""
        game: {players: 2, seats: [ann, bob], begin: set_up, play: main}
        state: {table: {n: number 0..9}}
        verb: {set_up: {do: [{set: n, to: 4}]}, main: {do: [{add: n, to: n}]}}
        """)
    assert cells(game, "table.n") == [8]


def test_less_than_nothing_moves_nothing_and_stands_first() -> None:
    game = game_of("""
        kinds: {card: {plural: cards, pieces: {count: 2}}}
        card: {ace: {}, king: {}}
        state: {table: {box: {is: bag of card, start: all}, line: list of card, low: {is: number -3..0, start: -2}}}
        verb:
          main:
            do:
              - {draw: low, from: box, to: line}
              - {move: king, count: low, from: box, to: line}
              - {move: ace, count: 2, from: box, to: line}
              - {move: king, from: box, to: line, position: low}
        """)
    assert cells(game, "table.line") == [(1, 0, 0)]
    assert entries(game, "cut") == []


def test_the_step_around_is_active_again_after_one_that_several_ways_lead_to() -> None:
    """`once` stands in one place, and what is around it is one of two steps."""
    game = game_of("""
        verb:
          main:
            do:
              - {step: day, do: [visit, {choose: go, by: first(players)}]}
              - {step: night, do: [visit, {choose: go, by: first(players)}]}
          visit: {do: [once]}
          once: {do: [{step: call, do: [{repeat: 2, do: [{choose: go, by: first(players)}]}]}]}
        decision: {go: {options: {on: {do: []}}}}
        """)
    seen = []
    while not game.state.over:
        seen.append(game.plain().step)
        answer(game, "on")
    call, day, night = "verb.once.call", "verb.main.day", "verb.main.night"
    assert seen == [call, call, day, call, call, night]


def test_nothing_is_kept_of_a_step_around_that_is_known() -> None:
    rules = rules_of("""
        verb:
          main: {do: [{step: day, do: [hour]}]}
          hour: {do: [{repeat: 3, do: [{step: minute, do: [{choose: go, by: first(players)}]}]}]}
        decision: {go: {options: {on: {do: []}}}}
        """)
    kept = [name for name in plan(rules, 2).frames.cells if name.startswith("outer")]
    assert len(kept) == 1  # of `day`, around which nothing is known
