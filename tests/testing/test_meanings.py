"""Meanings that the reference settles: each of these fails if another one were played.

They are told in `docs/reference/language/`: decisions (order of answers and of shared steps), effects (names of ways in
and out), variants (what has no id), statements (when `then` is read, what came before, when laws are tested).
"""

from __future__ import annotations

from pathlib import Path

import pytest

import aodrules
from aodrules.errors import RulesError
from aodrules.testing import read_suite, run_suite
from aodrules.testing.scenario_runner import ScenarioRunner, run_on_both
from tests.testing.texts import outcome, rules, scenario, written

ENGINES = ("compiled", "interpreter")
FRAME = """
game:
  players: 2
  seats: [red, blue]
  play: turns
  points: {coins: player.coins}
  winner: {most: total(player)}
"""


def loaded(folder: Path, text: str, *variants: str) -> aodrules.Rules:
    files = [written(folder, f"variant-{number}.yaml", each) for number, each in enumerate(variants)]
    return aodrules.load(written(folder, "game.yaml", FRAME + text), files, cache=False)


# Answers.

ANSWERS = """
state: {player: {coins: number 0..99}, table: {trail: number 0..9999}}
verb:
  turns: {do: [{repeat: 2, do: [{for: player, in: players, do: [{choose: act, by: player}]}]}]}
  mark: {main: {digit: number}, do: [{set: trail, to: "min(trail * 10 + digit, 9999)"}]}
option:
  walk: {do: [{mark: 2}]}
decision:
  act:
    options:
      zigzag: {do: [{mark: 9}]}
      amble:  {use: walk, first: [{mark: 1}], do: [{mark: 3}]}
      march:  {use: walk}
"""


@pytest.mark.parametrize("engine", ENGINES)
def test_answers_are_listed_by_address_and_not_as_they_are_written(engine: str, tmp_path: Path) -> None:
    added = "variant: more\nhouse: true\nadd: {decision.act.options.dance: {do: [{mark: 8}]}}\n"
    made = loaded(tmp_path, ANSWERS, added)
    game = made.new_game(players=2, seed=1, engine=engine)
    assert [each.text for each in game.actions] == ["amble", "dance", "march", "zigzag"]


@pytest.mark.parametrize("engine", ENGINES)
def test_the_steps_of_a_use_stand_around_the_shared_ones(engine: str, tmp_path: Path) -> None:
    game = loaded(tmp_path, ANSWERS).new_game(players=2, seed=1, engine=engine)
    game.push("amble")
    assert game.state["trail"] == 123


# Ways in and out.

CAMP = """
kinds:
  band: {plural: bands, pieces: {count: 3, owned: true}}
  hill:
    plural: hills
band: {scout: {}}
hill: {north: {}, south: {}}
state:
  table: {last_hill: maybe hill, last_band: {is: maybe band, mention: true}, loser: maybe player}
  player: {coins: number 0..99, home: {is: bag of band, start: all}}
  hill: {men: bag of band per player}
verb:
  turns: {do: [{repeat: 4, do: [{for: player, in: players, do: [{choose: act, by: player}]}]}]}
decision:
  act:
    options:
      climb: {for: {h: hill}, where: ["player.home[scout] > 0"], do: [{move: scout, of: player, from: home, to: h.men}]}
      leave:
        for: {h: hill}
        where: ["h.men[player][scout] > 0"]
        do: [{move: scout, of: player, from: h.men, to: home}]
      rest_here: {do: []}
"""
CAMP_EFFECTS = """
variant: hills
house: true
effects:
  arrive: {entering: hill.men, do: [{add: 5, to: player.coins}, {set: last_hill, to: hill}, {set: last_band, to: band}]}
  depart: {leaving: hill.men, do: [{set: loser, to: player}, {set: last_hill, to: none}]}
"""


@pytest.mark.parametrize("engine", ENGINES)
def test_ways_in_and_out_know_the_indices_of_the_field_and_whose_part_it_is(engine: str, tmp_path: Path) -> None:
    game = loaded(tmp_path, CAMP, CAMP_EFFECTS).new_game(players=2, seed=1, engine=engine)
    game.push("rest_here")
    game.push("climb south")
    state = game.state
    assert (state.players["blue"].coins, state.players["red"].coins) == (5, 0)
    assert (state["last_hill"], state["last_band"], state["loser"]) == ("south", "scout", None)
    game.push("rest_here")
    game.push("leave south")
    assert (game.state["loser"], game.state["last_hill"]) == ("blue", None)


# What has no id.


def conditions(made: aodrules.Rules) -> list[str]:
    (option,) = made.book.checked.decisions["decision.sell"].options
    return [each.id for each in option.conditions]


SHOP = """
state: {player: {coins: number 0..99 = 3}, table: {goods: number 0..9 = 9}}
verb:
  turns:
    do:
      - {add: 1, to: goods, up_to: true}
      - {for: player, in: players, do: [{choose: sell, by: player}]}
      - {step: evening, do: [{take: 1, from: goods, up_to: true}]}
decision:
  sell:
    optional: true
    where: [goods > 0, player.coins < 50]
    do: [{take: 1, from: goods}, {add: 1, to: player.coins}]
"""
HEAD = "variant: edit\nhouse: true\n"


@pytest.mark.parametrize(
    "edit",
    [
        "change: {decision.sell.options.sell.where.1: goods > 1}",
        "remove: [decision.sell.options.sell.where.1]",
        "add: {decision.sell.options.sell.where.rich: player.coins > 3}",
        "insert: [{before: verb.turns.1, do: [stop]}]",
        "change: {verb.turns.do.0: [stop]}",
        "change: {game.seats.0: green}",
        "remove: [game.seats.red]",
    ],
)
def test_what_has_no_id_has_no_address(edit: str, tmp_path: Path) -> None:
    with pytest.raises(RulesError) as found:
        loaded(tmp_path, SHOP, f"{HEAD}{edit}\n")
    assert [each.code for each in found.value.report] == ["unknown-target"]


def test_conditions_without_ids_are_changed_as_a_whole_and_may_get_ids(tmp_path: Path) -> None:
    where = "decision.sell.options.sell.where"
    assert conditions(loaded(tmp_path, SHOP, f"{HEAD}change: {{{where}: [goods > 1]}}\n")) == ["1"]
    named = f"{HEAD}change: {{{where}: {{stock: goods > 1, purse: player.coins < 9}}}}\n"
    more = f"variant: more\nhouse: true\nafter: [edit]\nadd: {{{where}.rich: player.coins > 3}}\n"
    assert conditions(loaded(tmp_path, SHOP, named, more)) == ["stock", "purse", "rich"]


def test_items_of_a_list_are_added_at_its_end(tmp_path: Path) -> None:
    made = loaded(tmp_path, SHOP, f"{HEAD}change: {{game.players: 2..3}}\nadd: {{game.seats: [green]}}\n")
    assert made.seats == ("red", "blue", "green")


def test_steps_without_names_stay_around_those_that_are_inserted(tmp_path: Path) -> None:
    first, last = "{first: verb.turns, do: [{set: goods, to: 0}]}", "{last: verb.turns, do: [{set: goods, to: 7}]}"
    insert = f"insert: [{first}, {last}]\n"
    game = loaded(tmp_path, SHOP, f"{HEAD}{insert}").new_game(players=2, seed=1)
    # First all goods go, then the unnamed first step brings one.
    assert game.state["goods"] == 1
    game.push("pass")
    game.push("pass")
    assert game.state["goods"] == 7


# Scenarios.

DICE = """
state:
  table: {starter: maybe player, pot: number 0..99, opened: number 0..9}
  player: {coins: number 0..99, luck: number 0..9}
verb:
  prepare:
    do:
      - {roll: players, as: one}
      - {set: starter, to: one}
      - {set: pot, to: 40}
  turns:
    do:
      - {roll: "range(3, 9)", as: thrown}
      - {let: stake, be: thrown + 1}
      - {set: opened, to: stake}
      - {add: 50, to: pot, up_to: true}
      - step: bidding
        do:
          - {add: 1, to: pot}
          - {for: player, in: players, do: [{choose: bid, by: player}, {add: stake, to: player.coins}]}
      - {add: 1, to: pot}
decision:
  bid: {do: [{add: 1, to: player.luck}]}
"""
DICE_FRAME = FRAME.replace("  play: turns\n", "  begin: prepare\n  play: turns\n")


def diced(folder: Path, text: str) -> str:
    game = str(written(folder, "dice.yaml", DICE_FRAME + DICE))
    found = outcome(text, game)
    both = run_on_both(ScenarioRunner(rules(game).book), scenario(text, game), beyond=3)
    assert both.message == found.message
    return found.message


@pytest.mark.parametrize("seed", range(4))
def test_the_set_up_is_done_with_its_chance_before_what_is_given(seed: int, tmp_path: Path) -> None:
    made = aodrules.load(written(tmp_path, "dice.yaml", DICE_FRAME + DICE), cache=False)
    starter = made.new_game(players=2, seed=seed).state["starter"]
    assert diced(tmp_path, f"seed: {seed}\nat: {{step: bidding}}\nthen: {{starter: {starter}}}") == ""
    assert (
        diced(tmp_path, f"seed: {seed}\ngiven: {{starter: none}}\nat: {{step: bidding}}\nthen: {{starter: none}}") == ""
    )


@pytest.mark.parametrize("seed", range(4))
def test_on_the_way_in_only_set_and_let_are_done(seed: int, tmp_path: Path) -> None:
    # What is rolled is the first item, 3; what is added to the pot before the step is not.
    at = f"seed: {seed}\nat: {{step: bidding}}"
    assert diced(tmp_path, f"{at}\nthen: {{pot: 41, opened: 4}}") == ""
    assert diced(tmp_path, f"{at}\nwhen: [{{red: bid}}, {{blue: bid}}]\nthen: {{players.red.coins: 4}}") == ""
    assert diced(tmp_path, f"seed: {seed}\nat: {{step: bidding, thrown: 7}}\nthen: {{opened: 8}}") == ""


def test_then_is_read_after_the_steps_of_the_last_action_and_before_those_that_follow(tmp_path: Path) -> None:
    at = "at: {step: bidding}\nwhen: [{red: bid}]"
    assert diced(tmp_path, f"{at}\nthen: {{players.red.luck: 1, players.red.coins: 0, pot: 41}}") == ""
    assert diced(tmp_path, f"{at}\nuntil: question\nthen: {{players.red.luck: 1, players.red.coins: 4}}") == ""


def test_without_an_action_then_is_read_at_the_first_question(tmp_path: Path) -> None:
    assert diced(tmp_path, "given: {pot: 3}\nat: {step: bidding}\nthen: {pot: 4}") == ""
    assert diced(tmp_path, "given: {pot: 3}\nat: {step: bidding}\nwhen: [{red: bid, refused: true}]").startswith(
        "`bid`"
    )


# Laws.


def test_a_law_of_every_state_is_also_tested_when_the_game_is_over(tmp_path: Path) -> None:
    # Only the very last step makes it untrue, after which nobody is asked.
    law = "property: {few: {always: goods > 8}, ends: {finally: goods > 8}}\n"
    text = SHOP.replace("{take: 1, from: goods, up_to: true}", "{set: goods, to: 8}").replace(
        "[goods > 0, ", "[goods > 99, "
    )
    made = loaded(tmp_path, f"{text}\n{law}")
    results = {each.id: each.status for each in run_suite(read_suite(made), games=2).results}
    assert results == {"few": "failed", "ends": "failed"}
