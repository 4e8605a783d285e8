"""Verbs, values and options that take a field or a value by name: one set of rules for several pools."""

from __future__ import annotations

from textwrap import dedent

import pytest

from tests.check.over_small_game import checked
from tests.engines.playing import FRAME, answer, answers, cells, game_of

GAME = """
    kinds: {good: {plural: goods, attributes: {n: number}}}
    good: {corn: {n: 2}, wool: {n: 3}}
    state:
      table: {round: number 0..9, log: number 0..9999, eager: flag}
      player:
        food:  number 0..9 = 6
        stone: number 0..20 = 12
        goods_held: number 0..9 per good
    value:
      hunger:  {given: [player], is: player.stone - player.food}
      riches:  {given: [player], is: player.food + player.stone}
      best:    {given: {worth: value of number per player}, is: max(worth(p) for p in players)}
      rivals:
        given: {player: player, worth: value of number per player}
        is: "count(worth(p) >= best(worth) for p in players)"
    verb:
      main:
        do:
          - {let: who, be: first(players)}
          - {spend: 2, pool: who.food}
          - {spend: 3, pool: who.stone}
          - {spend: 1, pool: "who.goods_held[corn]"}
          - {raise_flag: eager}
          - {set: round, to: "min(9, best(riches))"}
          - {reward: 5, player: who, worth: hunger}
          - repeat: 3
            do: [{choose: buy, by: first(players)}]
      spend:
        main: {n: number 0..9}
        given: {pool: field of number}
        do:
          - {take: n, from: pool, as: gone, up_to: true}
          - {add: gone * 10 + pool, to: log}
          - if: pool > 7
            then: [{refill: 1}]
      refill: {main: {n: number}, given: {pool: field of number}, do: [{add: n, to: pool, up_to: true}]}
      raise_flag: {main: {which: field of flag}, do: [{set: which, to: not which}]}
      reward:
        main: {n: number 0..9}
        given: {player: player, worth: value of number per player}
        do:
          - if: worth(player) == best(worth)
            then: [{refill: n, pool: player.food}]
          - choose: gift
            by: player
            options:
              more: {where: [worth(player) > 0], do: [{refill: 1, pool: player.stone}]}
              none_: {do: []}
    option:
      buy:
        given: {pool: field of number, cost: number}
        where: [pool >= cost]
        first: [{take: cost, from: pool}]
        then_where: [pool > 2]
        do: [{add: cost, to: log}]
    decision:
      buy:
        options:
          eat:   {use: buy, pool: player.food, cost: 3}
          build: {use: buy, pool: player.stone, cost: 5}
          ask:   {where: ["possible(buy, pool=player.food, cost=4)"], do: []}
          pause: {do: []}
    """


def test_one_set_of_rules_serves_several_fields() -> None:
    game = game_of(GAME)
    # 6 - 2 food; 12 - 3 stone, which is above 7 and grows by 1; nothing of the corn.
    assert cells(game, "table.log") == [(20 + 4) + (30 + 9) + 0]
    assert cells(game, "table.eager") == [True]
    assert cells(game, "table.round") == [9]
    assert cells(game, "player.food") == [9, 6]  # hunger is 10 - 4 against 6: both are best
    assert cells(game, "player.stone") == [10, 12]


def test_an_inline_question_knows_what_was_filled_in() -> None:
    game = game_of(GAME)
    assert answers(game) == ["more", "none_"]
    answer(game, "more")
    assert cells(game, "player.stone") == [11, 12]


def test_a_shared_option_is_filled_in_by_its_uses() -> None:
    game = game_of(GAME)
    answer(game, "none_")
    assert answers(game) == ["ask", "build", "eat", "pause"]
    answer(game, "eat")
    assert cells(game, "player.food") == [6, 6]
    assert answers(game) == ["build", "eat", "pause"]
    answer(game, "eat")
    assert cells(game, "player.food") == [3, 6]
    assert answers(game) == ["build", "pause"]


@pytest.mark.parametrize(
    "old, new, code",
    [
        ("{spend: 2, pool: who.food}", "{spend: 2, pool: eager}", "type-mismatch"),
        ("{spend: 2, pool: who.food}", "{spend: 2, pool: 3}", "invalid-expression"),
        ("{spend: 2, pool: who.food}", "{spend: 2, pool: who.goods_held}", "missing-index"),
        ("{spend: 2, pool: who.food}", "{spend: 2, pool: best(riches)}", "unchangeable-name"),
        ("{spend: 2, pool: who.food}", "{spend: 2}", "wrong-arguments"),
        ("best(riches)", "best(rivals)", "type-mismatch"),
        ("best(riches)", "best(wealth)", "unknown-name"),
        ("worth(player) == best(worth)", "worth() == best(worth)", "wrong-arguments"),
        ("given: {pool: field of number, cost: number}", "given: {pool: field of good, cost: number}", "type-mismatch"),
        ("{given: [player], is: player.stone", "{given: {f: field of number}, is: 3 + 0 * ", "wrong-declaration"),
        ("pool: field of number}, do: [{add", "pool: field of number = round}, do: [{add", "wrong-declaration"),
        ("pool: field of number}, do: [{add", "pool: field of bag}, do: [{add", "unknown-type"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_told(old: str, new: str, code: str) -> None:
    text = FRAME.strip() + dedent(GAME)
    assert old in text
    assert code in checked(text.replace(old, new, 1)).codes


def test_a_mistake_in_what_is_filled_in_twice_is_told_once() -> None:
    text = FRAME.strip() + dedent(GAME)
    assert checked(text.replace("gone * 10 + pool", "gone * 10 + pol", 1)).codes == ["unknown-name"]


def test_ranges_are_those_of_the_field_that_is_given() -> None:
    text = (FRAME.strip() + dedent(GAME)).replace("gone * 10 + pool", "gone // pool", 1)
    found = checked(
        text.replace("food:  number 0..9", "food:  number 1..9").replace("stone: number 0", "stone: number 1")
    )
    assert found.codes == ["division-by-zero"]  # only the goods can be none


def test_secrets_are_those_of_the_field_that_is_given() -> None:
    text = FRAME.strip() + dedent(GAME)
    secret = text.replace("food:  number 0..9 = 6", "food:  {is: number 0..9, start: 6, secret: owner}")
    assert "leaked-secret" in checked(secret).codes
