"""Numbers stay in the range of their field on both engines, also where generated code need not test an end of it."""

from __future__ import annotations

import pytest

from tests.engines.playing import answer, cells, game_of

RULES = """
    kinds: {coin: {plural: coins, attributes: {worth: number}, pieces: {count: 2}}}
    coin: {dime: {worth: 10}, debt: {worth: -10}}
    state: {table: {purse: {is: number 2..9, start: 5}, box: {is: bag of coin, start: all}, last: number 0..99 = 3}}
    verb:
      gain: {main: {amount: number}, do: [{add: amount, to: purse}]}
      pay:  {main: {amount: number}, do: [{take: amount, from: purse}]}
      main: {do: [{choose: go, by: first(players)}, {choose: go, by: first(players)}]}
    decision: {go: {options: {x: {do: [STEP]}}}}
    """


@pytest.mark.parametrize(
    "step, purse",
    [
        ("{gain: 3}", 8),
        ("{gain: last}", 8),
        ("{gain: 3 * size(box)}", 9),
        ("{gain: size(box) - 9}", 2),
        ("{gain: (size(box) - 9) * last}", 2),
        ("{gain: last * (0 - last)}", 2),
        ("{pay: last}", 2),
        ("{pay: 0 - last}", 8),
        ("{pay: last - 9}", 9),
        ("{for: coin, in: coins, index: k, do: [{gain: k + 2}]}", 9),
        ("{for: coin, in: coins, index: k, do: [{gain: k - 4}]}", 2),
        ("{for: coin, in: coins, index: k, do: [{set: purse, to: k}]}", 2),
        ("{for: coin, in: coins, index: k, do: [{set: purse, to: 5 * k + 4}]}", 9),
        ("{for: coin, in: coins, where: 'box[coin] > 0', do: [{gain: coin.worth}]}", 9),
        ("{gain: -2}", 3),
    ],
)
def test_a_number_is_cut_at_both_ends(step: str, purse: int) -> None:
    game = game_of(RULES.replace("STEP", step))
    answer(game, "x")
    assert cells(game, "table.purse") == [purse]
