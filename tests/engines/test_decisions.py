"""What may be answered, and what an answer does."""

from __future__ import annotations

import pytest

from tests.engines.playing import answer, answers, asked, cells, entries, game_of, rules_of


def test_options_come_by_address_and_arguments_by_number() -> None:
    game = game_of("""
        kinds: {pile: {plural: piles}}
        pile: {left: {}, right: {}}
        verb: {main: {do: [{choose: act, by: first(players)}]}}
        decision:
          act:
            optional: true
            options:
              take: {for: {pile: pile, n: 2..3}, do: []}
              ask:  {for: {who: player, loud: flag}, do: []}
        """)
    assert answers(game) == [
        *("ask 0 False", "ask 0 True", "ask 1 False", "ask 1 True"),
        *("take 0 2", "take 0 3", "take 1 2", "take 1 3"),
        "pass",
    ]
    assert game.codes == tuple(range(9))


def test_a_condition_may_rely_on_an_earlier_one() -> None:
    game = game_of("""
        kinds: {pile: {plural: piles, attributes: {worth: number}}}
        pile: {left: {worth: 1}, right: {worth: 3}}
        state: {table: {marked: maybe pile}}
        verb:
          main:
            do:
              - {choose: act, by: first(players), mark: marked}
              - {set: marked, to: right}
              - {choose: act, by: first(players), mark: marked}
        decision:
          act:
            given: {mark: maybe pile}
            options:
              go:
                for: {n: 0..4}
                where: [mark != none and n > 0, n < mark.worth]
                do: []
              wait: {do: []}
        """)
    assert answers(game) == ["wait"]
    assert [
        failure.condition.id for failure in game.failures("decision.act.options.go", (1,)) if failure.condition
    ] == ["1"]
    answer(game, "wait")
    assert answers(game) == ["go 1", "go 2", "wait"]


def test_a_domain_may_depend_on_earlier_arguments_and_equal_answers_are_one() -> None:
    game = game_of("""
        kinds: {card: {plural: cards, attributes: {copies: number}, pieces: {count: copies}}}
        card: {ace: {copies: 2}, king: {copies: 1}}
        state: {table: {row: {is: list of card, start: all}}}
        verb: {main: {do: [{choose: act, by: first(players)}]}}
        decision:
          act:
            options:
              swap: {for: {one: {card: row}, other: {card: set(c for c in row if c != one)}}, do: []}
        """)
    assert answers(game) == ["swap 0 1", "swap 1 0"]


def test_an_optional_decision_asks_nothing_when_one_can_only_pass() -> None:
    game = game_of("""
        state: {table: {n: number 0..9}}
        verb: {main: {do: [{choose: act, by: first(players)}, {set: n, to: 1}, {choose: act, by: first(players)}]}}
        decision: {act: {optional: true, options: {go: {where: [n > 0], do: []}}}}
        """)
    assert cells(game, "table.n") == [1]
    assert answers(game) == ["go", "pass"]
    answer(game, "pass")
    assert game.state.over


def test_with_nothing_legal_the_otherwise_steps_run() -> None:
    game = game_of("""
        state: {table: {n: number 0..9}}
        verb: {main: {do: [{choose: one, by: first(players)}, {choose: other, by: first(players)}]}}
        decision:
          one:   {options: {go: {where: [n > 0], do: []}}, otherwise: [{add: 1, to: n}, stop, {add: 1, to: n}]}
          other: {options: {go: {where: [n > 5], do: []}}}
        """)
    assert cells(game, "table.n") == [1]
    assert entries(game, "stuck", "over") == [("stuck", "decision.other"), ("over",)]


def test_a_limit_counts_per_decider_and_goes_back_with_its_step() -> None:
    game = game_of("""
        verb:
          main:
            do:
              - repeat: 2
                do:
                  - step: turn
                    do:
                      - for: p
                        in: players
                        do: [{choose: act, by: p}]
        decision: {act: {options: {go: {limit: {turn: 1, game: 3}, again: 5, do: []}, end: {do: []}}}}
        """)
    for player in (0, 1, 0, 1):
        assert asked(game) == ("decision.act", player)
        assert answers(game) == ["end", "go"]
        answer(game, "go")
        assert answers(game) == ["end"]
        answer(game, "end")
    assert cells(game, "decision.act.options.go.limit.game") == [2, 2]


def test_inside_a_decision_player_is_who_decides_and_lets_around_may_change() -> None:
    game = game_of(
        """
        state: {player: {n: number 0..99}, table: {sum: number 0..99}}
        verb:
          main:
            do:
              - for: player
                in: players
                do:
                  - {let: spent, be: 0}
                  - choose: pay
                    by: first(p for p in players if p != player)
                    options:
                      pay:
                        for: {coins: 1..2}
                        do:
                          - {add: coins, to: player.n}
                          - {add: coins, to: spent}
                          - stop
                          - {add: 50, to: spent}
                  - {add: spent + 10, to: player.n}
        """.replace(
            "by: first(p for p in players if p != player)",
            "by: either(first(p for p in players if p != player), player)",
        )
    )
    assert asked(game) == ("verb.main.pay", 1)
    answer(game, "pay 2")
    assert cells(game, "player.n") == [12, 2]
    answer(game, "pay 1")
    assert cells(game, "player.n") == [13, 13]


def test_an_inline_otherwise_belongs_to_the_body_around() -> None:
    game = game_of("""
        state: {table: {n: number 0..99}}
        verb:
          main: {do: [inner, {add: 10, to: n}]}
          inner:
            do:
              - {let: k, be: 5}
              - choose: pay
                by: first(players)
                options: {pay: {where: [n > 5], do: []}}
                otherwise: [{add: 1, to: k}, {add: k, to: n}, stop]
              - {add: 20, to: n}
        """)
    assert cells(game, "table.n") == [16]


def test_who_is_asked_stays_the_same_when_the_name_that_said_so_is_changed() -> None:
    game = game_of("""
        state: {player: {n: number 0..99}}
        verb:
          main:
            do:
              - {let: who, be: first(players)}
              - choose: give
                by: who
                options:
                  give: {do: [{set: who, to: last(players)}, {add: 1, to: player.n}, {add: 3, to: who.n}]}
        """)
    answer(game, "give")
    assert cells(game, "player.n") == [1, 3]


def test_a_step_around_may_be_left_from_an_inline_option() -> None:
    game = game_of("""
        state: {table: {n: number 0..99}}
        verb:
          main:
            do:
              - {let: k, be: 1}
              - step: turn
                do:
                  - choose: quit
                    by: first(players)
                    options: {quit: {do: [{add: 1, to: k}, {stop: turn}]}}
                  - {add: 50, to: n}
              - {add: k, to: n}
        """)
    answer(game, "quit")
    assert cells(game, "table.n") == [2]


def test_chance_takes_one_of_the_legal_answers() -> None:
    text = """
        state: {table: {n: number 0..9}}
        verb: {main: {do: [{choose: act, by: chance}]}}
        decision: {act: {options: {go: {for: {k: 1..9}, where: [k > 4], do: [{set: n, to: k}]}}}}
        """
    seen = {cells(game_of(text, seed=seed), "table.n")[0] for seed in range(60)}
    assert seen == {5, 6, 7, 8, 9}


def test_arguments_of_the_decision_are_shown_and_places_are_not() -> None:
    game = game_of("""
        kinds: {card: {plural: cards, attributes: {copies: number}, pieces: {count: copies}}}
        card: {ace: {copies: 2}}
        state: {table: {row: {is: list of card, start: all}, pile: list of card}}
        verb: {main: {do: [{choose: act, by: first(players), n: 3, source: row}]}}
        decision:
          act:
            given: {n: number 0..5, source: place of card}
            options: {go: {do: [{move: ace, from: source, to: pile}]}}
        """)
    assert game.pending is not None
    assert game.pending.arguments == (("n", 3),)
    answer(game, "go")
    assert (cells(game, "table.row"), cells(game, "table.pile")) == ([(0,)], [(0,)])


SHARED = """
    state: {table: {n: number 0..9}, player: {cash: {is: number 0..9, start: 4}}}
    verb:
      main:
        do:
          - for: player
            in: players
            do:
              - {if: "possible(build, discount=2)", then: [{add: 1, to: n}]}
              - {choose: act, by: player}
    option:
      build:
        given: {discount: number}
        for: {cost: 4..7}
        where: [cost - discount <= player.cash]
        do: [{take: cost - discount, from: player.cash}]
    decision:
      act:
        options:
          build: {use: build, discount: 1, where: [cost != 4], do: [{add: 5, to: n}]}
    """


def test_a_shared_option_takes_what_is_supplied_and_added_conditions() -> None:
    game = game_of(SHARED)
    assert cells(game, "table.n") == [1]
    assert answers(game) == ["build 5"]
    answer(game, "build 5")
    assert cells(game, "player.cash") == [0, 4]
    assert cells(game, "table.n") == [7]


def test_reasons_say_what_failed_and_what_was_read() -> None:
    game = game_of(SHARED)
    failures = game.failures("decision.act.options.build", (7,))
    assert [failure.reason for failure in failures] == ["condition"]
    assert [value for _, value in failures[0].values] == [7, 1, 4]
    assert [failure.reason for failure in game.failures("decision.act.options.build", (9,))] == ["domain", "condition"]
    assert game.failures("decision.act.options.build", (5,)) == []


ORDERED = """
    kinds: {tile: {plural: tiles, attributes: {copies: number}, pieces: {count: copies}, hooks: {work: {}}}}
    tile:
      axe: {copies: 2, work: [{set: n, to: n * 2}]}
      bow: {copies: 1, work: [{add: 3, to: n}]}
      cup: {copies: 1}
    state: {table: {n: {is: number 0..99, start: 1}, shed: {is: bag of tile, start: all}}}
    verb:
      main:
        do:
          - for: tile
            in: shed
            ordered_by: first(players)
            WHERE
            do: [{run: tile.work}]
    """


def test_items_are_put_in_order_by_a_player() -> None:
    game = game_of(ORDERED.replace("WHERE", "optional: false"))
    assert asked(game) == ("verb.main.tile.order", 0)
    assert game.pending is not None
    assert game.pending.arguments == (("items", (0, 0, 1)),)
    assert answers(game) == ["next 0", "next 1", "rest"]
    answer(game, "next 1")
    assert cells(game, "table.n") == [4]
    answer(game, "next 0")
    assert game.state.over
    assert cells(game, "table.n") == [16]


def test_the_rest_is_done_in_order() -> None:
    game = game_of(ORDERED.replace("WHERE", "optional: false"))
    answer(game, "rest")
    assert cells(game, "table.n") == [7]


def test_one_may_pass_an_optional_order_and_is_asked_about_the_last_too() -> None:
    game = game_of(ORDERED.replace("WHERE", "optional: true"))
    answer(game, "next 0")
    answer(game, "next 0")
    assert answers(game) == ["next 1", "rest", "pass"]
    answer(game, "pass")
    assert cells(game, "table.n") == [4]


def test_items_are_judged_anew_before_each_question() -> None:
    game = game_of(ORDERED.replace("WHERE", "where: n < 3 or tile == bow"))
    answer(game, "next 0")
    answer(game, "next 1")
    assert game.state.over
    assert cells(game, "table.n") == [5]


def test_an_inline_question_to_chance_has_no_decider() -> None:
    text = """
        state: {player: {cash: number 0..9}}
        verb:
          main:
            do: [{choose: wind, by: chance, options: {blow: {do: [{add: 1, to: player.cash}]}}}]
        """
    with pytest.raises(AssertionError, match="there is no name `player` here"):
        game_of(text)
    around = text.replace("do: [{choose", "do: [{for: player, in: players, do: [{choose").replace("}]}}}]", "}]}}}]}]")
    assert cells(game_of(around), "player.cash") == [1, 1]


def test_a_member_must_lie_in_the_bag_and_pass_what_its_attributes_decide() -> None:
    game = game_of("""
        kinds: {card: {plural: cards, attributes: {high: flag, copies: number = 2}, pieces: {count: copies}}}
        card: {ace: {high: true}, two: {high: false}, six: {high: false}}
        state: {table: {stock: {is: bag of card, start: all}, heap: bag of card}}
        verb: {main: {do: [{repeat: 2, do: [{choose: play, by: first(players)}]}]}}
        decision:
          play:
            options:
              high:
                for: {n: number 1..2, card: card}
                where: [card.high, "n <= stock[card]", "stock[card] > 0"]
                do: [{move: card, from: stock, to: heap}]
              low:
                for: {n: number 1..2, card: card}
                where: [not card.high, "n <= stock[card]"]
                do: [{move: card, from: stock, to: heap}]
    """)
    assert answers(game) == ["high 1 0", "high 2 0", "low 1 1", "low 1 2", "low 2 1", "low 2 2"]
    answer(game, "low 2 2")
    assert answers(game) == ["high 1 0", "high 2 0", "low 1 1", "low 1 2", "low 2 1"]


def test_a_full_row_is_no_answer_any_more() -> None:
    game = game_of("""
        kinds:
          pawn: {plural: pawns, attributes: {each: number = 9}, pieces: {count: each, owned: true}}
          row: {plural: rows, attributes: {room: number}}
        pawn: {foot: {}}
        row: {short: {room: 1}, long: {room: 2}}
        state: {row: {line: list of pawn}, player: {home: {is: bag of pawn, start: all}}}
        verb: {main: {do: [{repeat: 3, do: [{choose: put, by: first(players)}]}]}}
        decision:
          put:
            options:
              put:
                for: {row: row}
                where: [len(row.line) < row.room]
                do: [{move: foot, of: player, from: home, to: row.line}]
    """)
    assert answers(game) == ["put 0", "put 1"]
    answer(game, "put 1")
    assert answers(game) == ["put 0"], "the long row; the short one is full"


@pytest.mark.parametrize(
    "condition, players, expected",
    [
        ("false", 2, ["end"]),
        ("1 > 2", 2, ["end"]),
        ("len(players) > 2", 2, ["end"]),
        ("len(players) > 2", 3, ["end", "go"]),
    ],
)
@pytest.mark.parametrize("other", ["n < 5", "true"])
def test_what_is_known_beforehand_not_to_hold_is_not_offered(
    condition: str, players: int, expected: list[str], other: str
) -> None:
    text = """
        state: {table: {n: number 0..9}}
        verb: {main: {do: [{choose: act, by: first(players)}]}}
        decision: {act: {options: {go: {where: ["CONDITION"], do: []}, end: {where: [OTHER], do: []}}}}
        """
    game = game_of(text.replace("CONDITION", condition).replace("OTHER", other), players)
    assert answers(game) == expected


SHORT = """
    kinds: {pile: {plural: piles, attributes: {worth: number}}}
    pile: {left: {worth: 1}, right: {worth: 3}}
    state: {table: {taken: 0..9}}
    verb: {main: {do: [{choose: grab, by: first(players)}, {choose: put, by: first(players)}]}}
    decision:
      grab:
        option: take
        for: {pile: pile, n: 2..4}
        where: {text.few: [n > pile.worth, n < 4], enough: taken < 9}
        do: [{add: n, to: taken}]
      put: {for: [pile, flag], where: {text.few: pile.worth < taken}, do: [{take: pile.worth, from: taken}]}
    text: {text.few: {en: Not so many}}
    """


def test_a_decision_with_one_answer_asks_for_it_by_its_name() -> None:
    game = game_of(SHORT)
    assert answers(game) == ["take 0 2", "take 0 3"]
    answer(game, "take 0 2")
    assert answers(game) == ["put 0 False", "put 0 True"]
    answer(game, "put 0 True")
    assert cells(game, "table.taken") == [1]


def test_conditions_under_one_clause_are_refused_by_it() -> None:
    decision = rules_of(SHORT).decisions["decision.grab"]
    (take,) = decision.options
    assert [(one.id, one.otherwise) for one in take.conditions] == [
        ("text.few.1", "text.few"),
        ("text.few.2", "text.few"),
        ("enough", None),
    ]
