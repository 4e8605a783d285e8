"""Scenarios: where they begin, what is given, what is refused, and when `then` is read."""

from __future__ import annotations

from pathlib import Path

import pytest

import aodrules
from aodrules.facts.state import PlainState
from aodrules.interpreter.places import items_at, piece_of
from aodrules.interpreter.tables import Tables
from aodrules.source.diagnostics import Report
from aodrules.testing import read_suite, run_suite
from aodrules.testing.scenario_runner import ScenarioRunner, run_on_both, run_scenario
from aodrules.testing.scenarios import ScenarioReader, Steps
from tests.testing.texts import HARBOUR, NIM, outcome, rules, scenario, statements, written

STEPPED_GAMES = (
    "tests/games/harbour",
    "tests/games/harbour+grand+town-subsidy+guild-rule",
    "tests/games/caravan",
    "tests/games/isles",
)
EXCHANGE = """
players: [red, blue]
given:
  players.red.silver: 0
  players.red.store: {rum: 1, cod: 1}
  quays.exchange.row: [red sailor]
at: {step: berth, quay: exchange}
"""


@pytest.mark.parametrize("word", [HARBOUR, NIM, f"{HARBOUR}+grand+town-subsidy+guild-rule"])
def test_the_scenarios_of_the_small_games_hold_on_both_engines(word: str) -> None:
    suite = read_suite(rules(word))
    stage = ScenarioRunner(suite.book)
    for each in suite.scenarios:
        found = run_on_both(stage, each, beyond=40)
        assert found.status == "passed" or "engines" not in found.message, (each.id, found.message)


@pytest.mark.parametrize("word", [*STEPPED_GAMES, pytest.param("empires", marks=pytest.mark.soak)])
def test_both_engines_go_on_alike_from_every_step(word: str) -> None:
    book = rules(word).book
    stage, entered = ScenarioRunner(book), 0
    for step in Steps(book.checked).named:
        found = scenario(f"at: {{step: {step}}}", word)
        if run_scenario(stage, found).status == "passed":
            assert run_on_both(stage, found, beyond=25).message == "", step
            entered += 1
    assert entered


def test_the_examples_of_harbour_pass() -> None:
    results = run_suite(read_suite(rules()), both_engines=True)
    assert results.is_fine
    assert len(results.results) >= 8


def test_then_is_read_before_play_goes_on() -> None:
    # After the last sale the berth is left, the other quays are worked and wages are paid: none of it shows.
    found = outcome(f"{EXCHANGE}\nwhen: [{{red: sell rum}}, {{red: sell cod}}]\nthen: {{players.red.silver: 7}}")
    assert found.status == "passed", found.message


def test_what_does_not_hold_is_told_with_its_place() -> None:
    found = outcome(f"{EXCHANGE}\nwhen: [{{red: sell rum}}]\nthen: {{players.red.silver: 6, players.red.store: {{}}}}")
    assert found.status == "failed"
    assert found.message == "`players.red.silver` is 5, not 6\n`players.red.store` is 1 cod, not empty"


def test_until_plays_on_to_a_step() -> None:
    found = outcome(
        f"{EXCHANGE}\nwhen: [{{red: sell rum}}, {{red: pass}}]\nuntil: bonuses\nthen: {{players.red.silver: 3}}"
    )
    assert found.status == "passed", found.message


def test_until_fails_if_somebody_is_asked_before() -> None:
    found = outcome(f"{EXCHANGE}\nuntil: bonuses\nthen: {{players.red.silver: 3}}")
    assert found.message == "`verb.evening.bonuses` did not begin: red (decision.sell) is asked before"


@pytest.mark.parametrize(
    "deed, message",
    [
        ("refused: [{red: sell rum}]", "`sell rum` should be refused, and it is possible"),
        ("refused: [{blue: sell rum}]", "`sell rum`: red (decision.sell) is asked, not blue"),
        ("refused: [{red: build inn}]", "`build inn`: `decision.construct` was not asked, red (decision.sell) is"),
        (
            "when: [{red: sell salt}]",
            "`sell salt` is not possible: You have no Salt (Store). [`player.store[good] > 0`; ",
        ),
        ("when: [{red: pass}, {red: sell rum}]", "`sell rum`: `decision.sell` was not asked, red (decision.place) is"),
        (
            "refused: [{red: sell salt, clause: text.too-dear}]",
            "`sell salt` is refused because of `decision.sell.options.sell.where.1`, not `text.too-dear`",
        ),
    ],
)
def test_deeds_that_are_not_as_said(deed: str, message: str) -> None:
    found = outcome(f"{EXCHANGE}\n{deed}")
    assert found.status == "failed"
    assert message in found.message


def test_something_may_be_refused_between_two_actions() -> None:
    deeds = "when: [{red: sell rum}, {red: sell rum, refused: true}, {red: sell cod}]"
    found = outcome(f"{EXCHANGE}\n{deeds}\nthen: {{players.red.silver: 7}}")
    assert found.status == "passed", found.message


def test_then_is_read_after_the_last_action_that_was_taken() -> None:
    deeds = "when: [{red: sell rum}, {red: sell rum, refused: true}]"
    assert outcome(f"{EXCHANGE}\n{deeds}\nthen: {{players.red.silver: 5}}").status == "passed"
    alone = outcome(f"{EXCHANGE}\nwhen: [{{red: sell salt, refused: true}}]\nthen: {{players.red.silver: 0}}")
    assert alone.status == "passed", alone.message


@pytest.mark.parametrize(
    "refused, message",
    [
        ("sell cod, refused: true", "`sell cod` should be refused, and it is possible"),
        ("sell salt, refused: text.too-dear", "not `text.too-dear`"),
        ("sell rum, refused: false", "`sell rum` is not possible"),
    ],
)
def test_a_refusal_between_two_actions_may_be_wrong(refused: str, message: str) -> None:
    found = outcome(f"{EXCHANGE}\nwhen: [{{red: sell rum}}, {{red: {refused}}}]")
    assert found.status == "failed"
    assert message in found.message


def test_a_loop_begins_with_the_first_item_that_has_its_turn() -> None:
    found = outcome("at: {step: work_the_quays}\nuntil: evening\nthen: {round: 1, now: sail}")
    assert found.status == "passed", found.message


def test_sets_on_the_way_in_are_done_and_what_is_given_wins() -> None:
    found = outcome("at: {step: wages, era: steam, r: 5}\nuntil: bonuses\nthen: {round: 5, now: steam}")
    assert found.status == "passed", found.message
    given = "given: {round: 2}\nat: {step: wages, era: steam, r: 5}\nuntil: bonuses\nthen: {round: 2, now: steam}"
    assert outcome(given).status == "passed"


def test_a_loop_without_such_an_item_cannot_be_entered() -> None:
    found = outcome("at: {step: berth, quay: yard}")
    assert found.status == "error"
    assert "there is no such `w` in this position" in found.message


def test_pieces_come_from_the_supply_and_go_back() -> None:
    placed = scenario("players: [red, blue]\ngiven: {players.red.store: {rum: 3}, offer: [lighthouse]}")
    entry = ScenarioRunner(rules().book).entry(placed, Report())
    assert entry is not None
    tables = rules().book.tables(2)
    for kind, counts in tables.pieces.items():
        owners = 2 if tables.is_owned(kind) else 1
        assert held(tables, entry.state, kind) == [count * owners for count in counts], kind


def held(tables: Tables, state: PlainState, kind: str) -> list[int]:
    """Return how many pieces of each member there are in all places."""
    found = [0] * tables.family_size(kind)
    places = [(name, at) for name in tables.shapes for at in tables.shapes[name].indices()]
    for name, at in places:
        if tables.rules.fields[name].holds == kind:
            for item in items_at(tables, state, name, at):
                found[piece_of(tables, name, at, item).member] += 1
    return found


def test_a_piece_that_chance_laid_elsewhere_is_exchanged() -> None:
    # Whatever crates the set-up drew, these four lie on the pier and four others in their stead.
    text = (
        "players: [red, blue]\ngiven: {pier: [e1, w1, e2, w2]}\nat: {step: placement}\nthen: {pier: [e1, w1, e2, w2]}"
    )
    assert outcome(text).status == "passed"


def test_a_game_without_at_and_given_begins_with_its_first_question() -> None:
    found = outcome("players: [first, second]\nwhen: [{first: take low_heap 3}]\nthen: {heaps.low_heap.lying: {}}", NIM)
    assert found.status == "passed", found.message


def test_scores_can_be_said() -> None:
    found = outcome(
        "given: {players.red.silver: 9}\nat: {step: placement}\nthen: {scores.red: 3, scores.red.silver: 2}"
    )
    assert found.message == "`scores.red` is 2, not 3"


SHORT_LOOP = """
game:
  players: 2
  seats: [red, blue]
  begin: nothing
  play: rounds
  points: {none: {is: 0}}
  winner: {most: total(player)}
state:
  table: {count: number 0..9}
verb:
  nothing: {do: [{set: count, to: 0}]}
  rounds:
    do:
      - {while: count < 5, at_most: 2, do: [{add: 1, to: count}]}
      - step: questions
        do: [{for: player, in: players, do: [{choose: answer, by: player}]}]
decision:
  answer: {options: {agree: {do: [{add: 9, to: count}]}}}
"""


def test_a_scenario_in_which_a_loop_comes_to_its_bound_does_not_pass(tmp_path: Path) -> None:
    game = str(written(tmp_path, "short.yaml", SHORT_LOOP))
    found = outcome("at: {step: rounds}\nuntil: questions\nthen: {count: 2}", game)
    assert found.status == "failed"
    assert found.message.startswith("a loop reached its bound at `")
    assert outcome("at: {step: questions}\nthen: {count: 0}", game).status == "passed"


def test_what_is_odd_after_the_last_action_is_no_matter_of_the_scenario(tmp_path: Path) -> None:
    game = str(written(tmp_path, "short.yaml", SHORT_LOOP))
    agreed = "at: {step: questions}\nwhen: [{red: agree}]\nthen: {count: 9}"
    assert outcome(agreed, game).status == "passed"
    both = outcome("at: {step: questions}\nwhen: [{red: agree}, {blue: agree}]\nthen: {count: 9}", game)
    assert both.message.startswith("something did not fit and was cut at `")


USED_UP = """
game:
  players: 2
  seats: [red, blue]
  play: rounds
  points: {none: {is: 0}}
  winner: {most: total(player)}
state:
  table: {coins: number 0..9 = 5}
verb:
  rounds:
    do:
      - while: coins > 0
        uses_up: coins
        do:
          - step: round
            do:
              - {for: player, in: players, where: player.seat == 0, do: [{choose: spend, by: player}]}
              - {step: pause, do: []}
      - {for: player, in: players, where: player.seat == 1, do: [{choose: finish, by: player}]}
decision:
  spend:  {options: {one: {do: [{take: 1, from: coins}]}, none_of_it: {do: []}}}
  finish: {options: {done: {do: []}}}
"""


@pytest.mark.parametrize("answers, left", [("one one one", 0), ("one one none_of_it", 1)])
def test_a_loop_that_is_entered_goes_on_as_long_as_it_uses_something_up(
    answers: str, left: int, tmp_path: Path
) -> None:
    game = str(written(tmp_path, "coins.yaml", USED_UP))
    when = ", ".join([*(f"{{red: {each}}}" for each in answers.split()), "{blue: done}"])
    text = f"given: {{coins: 3}}\nat: {{step: round}}\nwhen: [{when}]\nthen: {{coins: {left}}}"
    found = run_on_both(ScenarioRunner(rules(game).book), scenario(text, game))
    # A round that uses nothing up ends the loop, which is noted as a bound.
    assert (found.message == "") == (left == 0), found.message
    assert found.message.startswith("a loop reached its bound at `") == (left > 0), found.message


def test_what_the_round_that_is_entered_has_used_up_before_is_not_asked(tmp_path: Path) -> None:
    game = str(written(tmp_path, "coins.yaml", USED_UP))
    when = "{red: one}, {red: one}, {blue: done}"
    text = f"given: {{coins: 2}}\nat: {{step: pause}}\nwhen: [{when}]\nthen: {{coins: 0}}"
    found = run_on_both(ScenarioRunner(rules(game).book), scenario(text, game))
    assert found.status == "passed", found.message


GUESTS = """
variant: guests
house: true
change: {house.inn.every_round: [{gain: 3}]}
scenario:
  guests.pay-three: {players: 3, then: {round: 1}}
"""
DUEL = """
variant: duel
house: true
change: {game.players: 2}
"""


def test_an_example_of_a_variant_is_left_out_where_another_seats_fewer(tmp_path: Path) -> None:
    guests, duel = written(tmp_path, "guests.yaml", GUESTS), written(tmp_path, "duel.yaml", DUEL)
    both = read_suite(aodrules.load(HARBOUR, [guests, duel], cache=False))
    assert both.problems == ()
    assert "guests.pay-three" in [each.statement.id for each in both.left_out if each.group == "players"]
    wrong = written(tmp_path, "guests.yaml", GUESTS.replace("players: 3", "players: 9"))
    alone = read_suite(aodrules.load(HARBOUR, [wrong], cache=False))
    assert [problem.code for problem in alone.problems] == ["wrong-content"]


@pytest.mark.parametrize("given, tall", [("", 5), ("given: {taken: {pebble: 3}}", 2)])
def test_an_example_may_begin_before_the_set_up(given: str, tall: int) -> None:
    # The heaps take all twelve stones of the quarry; three that were taken before are missing in the last one.
    text = f"at: start\n{given}\nuntil: question\nthen: {{quarry: {{}}, heaps.tall_heap.lying: {{pebble: {tall}}}}}"
    assert outcome(text, NIM).message == ""
    found = run_on_both(ScenarioRunner(rules(NIM).book), scenario(text, NIM), beyond=5)
    assert found.status == "passed", found.message


def test_an_example_that_begins_nowhere_is_told_so() -> None:
    report = Report()
    (statement,) = statements("scenario:\n  tried: {players: [first, second], at: begin}\n")
    assert ScenarioReader(rules(NIM).book).read(statement, report) is None
    assert [problem.message for problem in report] == [
        "`at` holds `start`, or a step and the names around it, not `begin`"
    ]


FERRY = """
game:
  players: 2..3
  seats: [red, blue, green]
  play: crossings
  points: {none: {is: 0}}
  winner: {most: total(player)}
kinds:
  bank: {plural: banks}
  toll:
    plural: tolls
    pieces: {count: 1}
    effects:
      taken: {upon: landed, in: gate, do: [{step: toll, do: [{set: captain, to: guest}, {choose: nod, by: guest}]}]}
bank: {near: {}, far: {}}
toll: {penny: {}}
state:
  table: {gate: {is: bag of toll, start: all}, fare: number 0..9 = 1, captain: maybe player, last: maybe bank}
  player: {coins: number 0..99 = 10}
event:
  landed: {given: {guest: player, bank: bank}}
verb:
  crossings:
    do:
      - {for: traveller, in: players, do: [{cross: traveller, to: banks.far}]}
      - {let: ferryman, be: "either(first(p for p in seats if p.coins > 0), first(seats))"}
      - {step: supper, do: [{set: captain, to: ferryman}, {choose: nod, by: ferryman}]}
      - repeat: 2
        do: [{roll: players, as: thief}, {theft: "either(first(rivals(thief)), thief)", by: thief, loot: fare}]
  cross:
    main: {player: player}
    given: {to: bank}
    do:
      - {let: price, be: fare + 1}
      - step: boarding
        do: [{set: last, to: to}, {take: price, from: player.coins}, {choose: nod, by: player}]
      - {happen: landed, guest: player, bank: to}
  theft:
    main: {player: player}
    given: {by: player, loot: number 0..9}
    do: [{step: chase, do: [{take: loot, from: player.coins}, {add: loot, to: by.coins}, {choose: nod, by: player}]}]
decision:
  nod: {do: []}
value:
  rivals: {given: [player], is: set(p for p in players if p != player)}
"""


@pytest.mark.parametrize(
    "at, then",
    [
        # A parameter that hands on the name of a loop is that name: whoever follows in the loop crosses too.
        ("{step: boarding, player: blue}", "{players.blue.coins: 8, players.red.coins: 10, last: far}"),
        ("{step: boarding, traveller: blue}", "{players.blue.coins: 8, players.red.coins: 10, last: far}"),
        ("{step: boarding, to: near, price: 5}", "{players.red.coins: 5, last: near}"),
        ("{step: supper, ferryman: blue}", "{captain: blue}"),
        ("{step: chase, player: blue, by: green, loot: 4}", "{players.blue.coins: 6, players.green.coins: 14}"),
        ("{step: chase, thief: green, loot: 4}", "{players.red.coins: 6, players.green.coins: 14}"),
        # The verb itself is the step.
        ("{step: cross, to: near, player: blue}", "{players.blue.coins: 8, last: near}"),
        ("{step: theft, player: blue, by: red, loot: 3}", "{players.blue.coins: 7, players.red.coins: 13}"),
        ("{step: toll, guest: blue}", "{captain: blue}"),
    ],
)
def test_at_may_name_what_verbs_and_lets_know(at: str, then: str, tmp_path: Path) -> None:
    game = str(written(tmp_path, "ferry.yaml", FERRY))
    text = f"players: 3\nat: {at}\nuntil: question\nthen: {then}"
    assert outcome(text, game).message == ""
    assert run_on_both(ScenarioRunner(rules(game).book), scenario(text, game), beyond=8).message == ""


def test_a_let_with_a_loop_of_its_own_is_worked_out_on_the_way_in(tmp_path: Path) -> None:
    game = str(written(tmp_path, "ferry.yaml", FERRY))
    found = outcome("given: {players.red.coins: 0}\nat: {step: supper}\nuntil: question\nthen: {captain: blue}", game)
    assert found.message == ""


def test_the_loop_goes_on_behind_who_was_named_by_a_parameter(tmp_path: Path) -> None:
    game = str(written(tmp_path, "ferry.yaml", FERRY))
    at = "players: 3\nat: {step: boarding, player: blue, price: 7}"
    deeds = "when: [{blue: nod}, {blue: nod}, {green: nod}, {green: nod}]"
    # Only the one who was named pays the price that was named.
    found = outcome(f"{at}\n{deeds}\nthen: {{players.blue.coins: 3, players.green.coins: 8}}", game)
    assert found.message == ""


def test_what_is_said_twice_of_one_name_must_agree(tmp_path: Path) -> None:
    game, report = str(written(tmp_path, "ferry.yaml", FERRY)), Report()
    (statement,) = statements("scenario:\n  x: {at: {step: boarding, player: blue, traveller: red}}\n")
    assert ScenarioReader(rules(game).book).read(statement, report) is None
    assert [each.code for each in report] == ["unreachable-step"]


def test_a_number_that_is_named_lies_in_the_range_of_its_parameter(tmp_path: Path) -> None:
    game, report = str(written(tmp_path, "ferry.yaml", FERRY)), Report()
    (statement,) = statements("scenario:\n  x: {at: {step: chase, loot: 10}}\n")
    assert ScenarioReader(rules(game).book).read(statement, report) is None
    assert [each.message for each in report] == ["`loot` holds a number 0..9, not `10`"]


GUILD = """
game: {players: 2, seats: [red, blue], play: years, points: {none: {is: 0}}, winner: {most: total(player)}}
kinds: {hall: {plural: halls}}
hall: {east: {}, west: {}}
state: {table: {year: number 0..9, shown: number 0..9, host: maybe player}, player: {feasts: number 0..9}}
verb:
  years: {do: [{for: rank, in: "range(5, 8)", do: [{set: year, to: rank}, visits]}]}
  visits: {do: [{for: hall, in: halls, index: rank, do: [{show: rank}]}]}
  show:
    main: {number: number}
    do: [{step: showing, do: [{set: shown, to: number}]}, {choose: dine, by: first_seat()}]
value:
  first_seat: {is: "either(first(seats), first(players))"}
decision:
  dine: {do: [{step: feast, do: [{set: host, to: player}, {add: 1, to: player.feasts}]}]}
"""


@pytest.mark.parametrize(
    "at, then",
    [
        # The position that is handed on bears the name of a loop of another verb, and is not that.
        ("{step: showing, number: 6}", "{shown: 6, year: 5}"),
        # Who decides is named like what is given.
        ("{step: feast, player: blue}", "{host: blue, players.blue.feasts: 1, players.red.feasts: 0}"),
    ],
)
def test_a_name_is_looked_for_where_it_is_handed_on_and_in_who_decides(at: str, then: str, tmp_path: Path) -> None:
    game = str(written(tmp_path, "guild.yaml", GUILD))
    text = f"at: {at}\nuntil: question\nthen: {then}"
    assert outcome(text, game).message == ""
    assert run_on_both(ScenarioRunner(rules(game).book), scenario(text, game), beyond=6).message == ""
