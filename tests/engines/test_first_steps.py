"""Conditions on what the first steps of an option leave: these are tried out, and nothing comes of trying."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

import aodrules
from tests.check.over_small_game import checked
from tests.engines.playing import FRAME, answer, answers, cells, entries, game_of

GAME = """
    kinds:
      coin:
        plural: coins
        pieces: {count: 9}
        effects: {comes: {entering: bank, do: [{let: payer, be: active}, {take: 1, from: payer.luck, up_to: true}]}}
    coin: {penny: {}, mark: {}}
    state:
      table: {bank: {is: bag of coin, start: all}, paid: number 0..99, active: player}
      player: {purse: bag of coin, luck: number 0..9 = 5}
    value:
      wealth: {given: [player], is: player.luck + size(player.purse)}
    verb:
      main:
        do:
          - {move: penny, count: 4, from: bank, to: first(players).purse}
          - {move: penny, count: 4, from: bank, to: last(players).purse}
          - repeat: 4
            do: [{choose: buy, by: first(players)}]
      pay:
        main: {n: number 0..9}
        given: [player]
        do:
          - {set: active, to: player}
          - {move: penny, count: n, from: player.purse, to: bank, as: gone}
          - {add: gone, to: paid}
    option:
      spend:
        for: {many: 1..4}
        where: ["player.purse[penny] >= many"]
        first: [{pay: many}]
        then_where:
          stock: "bank[penny] > 2"
          text.luckless: player.luck > 2
        do: [{add: 10, to: paid}]
    decision:
      buy:
        options:
          spend: {use: spend}
          haggle: {use: spend, first: [{add: 1, to: player.luck}], then_where: [wealth(player) > 3]}
          wait: {do: []}
    text: {text.luckless: {en: Your luck would run out}}
    """


def test_an_option_is_offered_by_what_its_first_steps_leave() -> None:
    game = game_of(GAME)
    # One penny lies in the bank, and each that comes takes a bit of luck.
    assert answers(game) == ["haggle 2", "haggle 3", "spend 2", "wait"]
    answer(game, "haggle 3")
    assert cells(game, "table.paid") == [13]
    assert cells(game, "player.luck") == [3, 5]


def test_to_try_out_first_steps_changes_and_tells_nothing() -> None:
    game = game_of(GAME)
    for _ in range(2):
        answer(game, "wait")
        assert (cells(game, "table.paid"), cells(game, "player.luck")) == ([0], [5, 5])
        assert entries(game, "set", "move") == []
    assert answers(game) == ["haggle 2", "haggle 3", "spend 2", "wait"]


def test_whether_such_an_option_is_possible_can_be_asked_and_kept() -> None:
    asks = GAME.replace("wait: {do: []}", "wait: {do: []}\n          boast: {where: [can(player)], do: []}")
    asks = asks.replace("    value:\n", "    value:\n      can: {given: [player], is: possible(spend), kept: true}\n")
    game = game_of(asks)
    assert "boast" in answers(game)
    answer(game, "haggle 2")  # now the purse has two pennies and luck is 4: one more penny is possible
    assert "boast" in answers(game)
    answer(game, "spend 1")
    answer(game, "wait")
    assert "boast" not in answers(game)


def test_why_not_tells_how_it_would_be_afterwards(tmp_path: Path) -> None:
    head = "game: {players: 2..4, seats: [ann, bob, cid, dan], play: main, winner: {most: player.luck}}\n"
    (tmp_path / "game.yaml").write_text(head + dedent(GAME), encoding="utf-8")
    game = aodrules.load(tmp_path).new_game(players=2, seed=1)
    (stock,) = game.why_not("spend 1")
    assert stock.id == "decision.buy.options.spend.then_where.stock"
    assert dict(stock.values) == {"bank[penny]": 2}
    (luck,) = game.why_not("spend 3")
    assert (luck.id, luck.message) == ("text.luckless", "Your luck would run out")
    game.push("spend 2")
    assert game.why_not("wait") == ()


@pytest.mark.parametrize("step", ["{roll: 'range(1, 3)', as: n}", "{choose: buy, by: player}", "end_game"])
def test_what_cannot_be_foreseen_is_no_first_step_there(step: str) -> None:
    text = FRAME.strip() + dedent(GAME.replace("first: [{pay: many}]", f"first: [{{pay: many}}, {step}]"))
    found = checked(text)
    assert "unforeseeable-step" in found.codes


def test_first_steps_that_lead_back_to_the_same_question_are_a_cycle() -> None:
    text = FRAME.strip() + dedent(GAME).replace(
        "- {set: active, to: player}", "- {if: possible(spend), then: [{set: active, to: player}]}"
    )
    assert "call-cycle" in checked(text).codes


def test_trying_out_counts_as_work() -> None:
    often = "- {repeat: 9999, do: [{repeat: 9999, do: [{set: active, to: player}]}]}"
    long = GAME.replace("- {set: active, to: player}", often)
    assert "too-much-work" in checked(FRAME.strip() + dedent(long)).codes
