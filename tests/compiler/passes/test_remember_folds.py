"""What is gathered over one place alone is looked up by what lies there; what reads anything else is not."""

from __future__ import annotations

import random

import pytest

from aodrules.compiler.cell_reads import CellRange, cells_of_fields
from aodrules.compiler.formulas import (
    CellRead,
    Formula,
    Generator,
    Memoized,
    Op,
    Reduce,
    Variable,
    call_pure,
    read_table,
)
from aodrules.compiler.lower.from_checked import plan
from aodrules.compiler.passes import remember_folds as remember_folds_module
from aodrules.compiler.passes.remember_folds import RememberedFolds, remember_folds
from aodrules.compiler.visit import walk
from tests.engines.parts import AT
from tests.engines.playing import Both, rules_of

CARDS = """
game: {id: shelf, name: {en: Shelf}, players: 2..2, play: deal, points: {worth: worth(player)}}
kinds:
  card:
    plural: cards
    attributes: {gold: number, red: flag = false}
    pieces: {count: 2}
card: {ant: {gold: 1}, bee: {gold: 2, red: true}, cow: {gold: 5}, dog: {gold: -3, red: true}}
state:
  table:
    box: {is: bag of card, start: all}
    bonus: number 0..9
  player:
    row: list of card up to 5
    sack: bag of card
    chosen: set of card
value:
  gold: {given: [player], is: sum(c.gold for c in player.sack)}
  reds: {given: [player], is: count(c.red for c in player.row)}
  first_red: {given: [player], is: first(c for c in player.row if c.red)}
  dearest: {given: [player], is: "either(max(c.gold for c in player.chosen), 0)"}
  with_bonus: {given: [player], is: sum(c.gold + bonus for c in player.sack)}
  of_bob: {given: [player], is: "sum(index(players, player) * c.gold for c in player.sack)"}
  worth:
    given: [player]
    is: >-
      gold(player) + 10 * reds(player) + 100 * dearest(player) + with_bonus(player) + of_bob(player)
      + (1000 if first_red(player) == cards.bee else 3000 if first_red(player) == none else 0)
verb:
  deal:
    do:
      - repeat: 12
        do:
          - for: player
            in: players
            do: [{choose: act, by: player}]
decision:
  act:
    options:
      pack: {for: [card], where: ["box[card] > 0"], do: [{move: card, from: box, to: player.sack}]}
      show: {for: [card], where: ["box[card] > 0", len(player.row) < 5], do: [{move: card, from: box, to: player.row}]}
      back: {for: [card], where: [card in player.row], do: [{move: card, from: player.row, to: box}]}
      pick: {for: [card], where: [card not in player.chosen], do: [{add: card, to: player.chosen}]}
      gain: {where: [bonus < 9], do: [{add: 1, to: bonus}]}
"""
FIELDS: dict[int, CellRange] = cells_of_fields(plan(rules_of(CARDS), 2).layout)
ROW = next(base for base, (cells, _) in FIELDS.items() if cells.name == "player.row")
SEAT = Variable(AT, "seat_1")


def gold_of(item: str, gives: str = "sum", base: int = ROW, *more: Formula) -> Reduce:
    """Return what is gathered over the pieces of a row."""
    gold = read_table(AT, (1, 2, 5, -3), Variable(AT, item))
    for one in more:
        gold = gold + one
    return Reduce(AT, gives, gold, (Generator(item, CellRead(AT, base, SEAT), ()),))


def remembered_in(*formulas: Formula) -> list[Memoized]:
    folds = RememberedFolds(FIELDS)
    return [part for one in formulas for part in walk(remember_folds(one, folds)) if isinstance(part, Memoized)]


def test_the_same_of_a_place_shares_one_table_whatever_its_loop_is_called() -> None:
    first, second = remembered_in(gold_of("a_1"), gold_of("b_1"))
    assert first is second


def test_other_things_and_other_fields_have_tables_of_their_own() -> None:
    other = next(base for base, (cells, _) in FIELDS.items() if cells.name == "player.sack")
    found = remembered_in(gold_of("a_1"), gold_of("a_1", "max"), gold_of("a_1", base=other))
    assert len(set(found)) == 3


def test_what_else_decides_is_not_left_out() -> None:
    bonus = next(base for base, (cells, _) in FIELDS.items() if cells.name.endswith("bonus"))
    assert remembered_in(gold_of("a_1", "sum", ROW, CellRead(AT, bonus))) == []
    assert remembered_in(gold_of("a_1", "sum", ROW, Variable(AT, "other_1"))) == []
    assert remembered_in(gold_of("a_1", "sum", ROW, SEAT)) == []  # all seats share a table


def test_a_place_that_is_no_fields_is_not_remembered() -> None:
    assert remembered_in(gold_of("a_1", base=0)) == []
    loop = Generator("a_1", call_pure(AT, "range", 0, 3), ())
    assert remembered_in(Reduce(AT, "sum", Variable(AT, "a_1"), (loop,))) == []


def test_nothing_found_is_remembered_too() -> None:
    (found,) = remembered_in(gold_of("a_1", "first"))
    assert isinstance(found.value, Op)
    assert found.value.operator == "tuple"


def play(seed: int) -> None:
    """Play a game on both engines, which are compared after every answer, and count."""
    both, chance = Both(rules_of(CARDS), 2, seed), random.Random(seed)
    while both.codes:
        both.apply(chance.choice(both.codes))


@pytest.mark.parametrize("seed", range(5))
def test_both_engines_count_the_same(seed: int) -> None:
    play(seed)


def test_a_table_by_something_else_than_what_lies_there_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remember_folds_module, "_looks_elsewhere", lambda _: False)
    with pytest.raises(AssertionError):
        play(1)
