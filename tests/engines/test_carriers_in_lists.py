"""Effects that cards in a list carry are found without a walk over the list for each of them."""

from __future__ import annotations

import random

import pytest

from aodrules.compiler.formulas import CallPure, Memoized
from aodrules.compiler.lower.from_checked import plan
from aodrules.compiler.types.infer_types import infer_types
from aodrules.compiler.types.verify_types import verify_types
from aodrules.compiler.visit import walk
from tests.engines.playing import Both, rules_of

CARDS = """
game: {players: 2..3, seats: [ann, bob, cid], play: main, points: {worth: worth(player)}}
kinds:
  card:
    plural: cards
    attributes: {gold: number}
    pieces: {count: 2}
    hooks:
      own: {effects: true, in: player.row, scope: owner}
      all: {effects: true, in: street}
card:
  ant: {gold: 1, own: {a: {modify: income, add: self.gold}}, all: {x: {modify: tax, add: 1}}}
  bee: {gold: 2, own: {b: {modify: income, add: 3, if: player.cash > 4}}, all: {y: {modify: tax, times: 2}}}
  cow: {gold: 5, own: {c: {modify: income, times: 2}}, all: {z: {modify: tax, at_most: 7}}}
  dog: {gold: 0, own: {d: {modify: luck, add: 2}}, all: {}}
state:
  table: {box: {is: list of card, start: all}, street: list of card up to 6}
  player: {row: list of card up to 5, cash: number 0..99}
value:
  income: {given: [player], is: 1}
  tax: {is: 2}
  luck: {given: [player], is: 0}
  worth: {given: [player], is: income(player) - tax() + luck(player)}
verb:
  main:
    do:
      - {shuffle: box}
      - repeat: 12
        do:
          - for: player
            in: players
            do:
              - {choose: act, by: player}
              - {add: income(player), to: player.cash, up_to: true}
              - {take: tax() + luck(player), from: player.cash, up_to: true}
decision:
  act:
    options:
      take: {where: [len(box) > 0, len(player.row) < 5], do: [{draw: 1, from: box, to: player.row}]}
      show: {where: [len(box) > 0, len(street) < 6], do: [{draw: 1, from: box, to: street}]}
      drop: {where: [len(player.row) > 0], do: [{move: all, from: "player.row[0]", to: box}]}
      wait: {do: []}
"""
PIECES = """
game: {players: 2..3, seats: [ann, bob, cid], play: main, points: {worth: pace(player)}}
kinds:
  runner:
    plural: runners
    attributes: {speed: number}
    pieces: {count: 3, owned: true}
    hooks: {own: {effects: true, in: track}}
runner:
  hare:  {speed: 3, own: {h: {modify: pace, add: self.speed}}}
  horse: {speed: 2, own: {o: {modify: pace, add: self.speed}}}
  snail: {speed: 0, own: {s: {modify: pace, add: -1}}}
state:
  table: {track: list of runner}
  player: {stable: {is: bag of runner, start: all}, way: number 0..999}
value:
  pace: {given: [player], is: 5}
verb:
  main:
    do:
      - repeat: 12
        do:
          - for: player
            in: players
            do: [{choose: act, by: player}, {add: "max(0, pace(player))", to: player.way, up_to: true}]
decision:
  act:
    options:
      start:
        for: [runner]
        where: ["player.stable[runner] > 0"]
        do: [{move: runner, of: player, from: stable, to: track}]
      wait: {do: []}
"""


@pytest.mark.parametrize("text", [CARDS, PIECES], ids=["members", "pieces"])
@pytest.mark.parametrize("players", [2, 3])
def test_both_engines_find_the_same_carriers(text: str, players: int) -> None:
    rules = rules_of(text)
    for seed in range(6):
        game, chance = Both(rules, players, seed), random.Random(seed)
        while game.codes:
            game.apply(chance.choice(game.codes))


@pytest.mark.parametrize("text", [CARDS, PIECES], ids=["members", "pieces"])
def test_the_types_of_packed_lists_fit(text: str) -> None:
    rules = rules_of(text.replace("times: 2", "add: 3"))  # of a product types know no bound
    made = plan(rules, 3)
    verify_types(made, rules, infer_types(made, rules))


def test_a_list_is_looked_through_once_for_all_its_carriers() -> None:
    functions = plan(rules_of(CARDS), 2).functions
    for name in ("value_income", "value_tax"):
        assert searches(functions[name]) == []
        assert len([one for one in walk(functions[name]) if isinstance(one, Memoized)]) == 1
    assert set(searches(functions["value_luck"])) == {"count_of"}  # one carrier is looked for as fast


def test_pieces_of_several_owners_are_packed_too() -> None:
    pace = plan(rules_of(PIECES), 3).functions["value_pace"]
    assert searches(pace) == []
    (packed,) = [one for one in walk(pace) if isinstance(one, CallPure) and one.function == "bag_of"]
    width = packed.arguments[1].value  # type: ignore[attr-defined]
    assert 1 << width > 3 * 3  # three owners with three hares each


def searches(function: object) -> list[str]:
    """The calls that look through a list for one member."""
    calls = [one.function for one in walk(function) if isinstance(one, CallPure)]
    return [name for name in calls if name in ("count_of", "count_members")]
