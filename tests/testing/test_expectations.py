"""What `then` says beyond fields: the ranking, what decided it, and what a seat sees."""

from __future__ import annotations

from pathlib import Path

import pytest

from aodrules.source.diagnostics import Report
from aodrules.testing.scenarios import ScenarioReader
from tests.testing.texts import NIM, outcome, rules, statements, written

CARAVAN = "tests/games/caravan"
EQUAL = """
players: [red, blue, green]
given: {players.red.silver: 9, players.blue.silver: 11, players.green.silver: 9, players.blue.unrest: 0}
at: {step: placement}
"""


def test_the_ranking_can_be_said_and_what_decided_it() -> None:
    # Nine and eleven silver are worth two points: the silver itself decides, and red and green share a place.
    found = outcome(f"{EQUAL}\nthen: {{ranking: [blue, [green, red]], decided.red: player.silver}}")
    assert found.status == "passed", found.message


@pytest.mark.parametrize(
    "said, message",
    [
        ("ranking: [red, blue, green]", "`ranking` is [blue, [red, green]], not [red, blue, green]"),
        ("ranking: [[red, blue, green]]", "`ranking` is [blue, [red, green]], not [[red, blue, green]]"),
        ("decided.red: total(player)", "`decided.red` is `player.silver`, not `total(player)`"),
        ("decided.blue: total(player)", "`decided.blue` is nothing, not `total(player)`"),
    ],
)
def test_a_ranking_that_is_not_as_said(said: str, message: str) -> None:
    found = outcome(f"{EQUAL}\nthen: {{{said}}}")
    assert (found.status, found.message) == ("failed", message)


SALES = """
players: [red, blue]
given: {players.red.store: {rum: 1, cod: 1}, quays.exchange.row: [red sailor]}
at: {step: berth, quay: exchange}
when: [{red: sell rum}, {red: sell cod}]
"""


def test_events_are_counted_from_where_a_scenario_begins() -> None:
    found = outcome(f"{SALES}\nthen: {{happened.sold: 2, happened.built: 0}}")
    assert found.status == "passed", found.message
    wrong = outcome(f"{SALES}\nthen: {{happened.sold: 1}}")
    assert wrong.message == "`happened.sold` is 2, not 1"


def problems_of(text: str) -> list[str]:
    report, book = Report(), rules().book
    (statement,) = statements(
        f"scenario:\n  tried: {{players: [red, blue], at: {{step: placement}}, then: {{{text}}}}}\n"
    )
    assert ScenarioReader(book).read(statement, report) is None
    return [problem.message for problem in report]


@pytest.mark.parametrize(
    "text, message",
    [
        ("ranking: [red]", "`ranking` holds every seat once, not `a list`"),
        ("ranking: [red, bleu]", "there is no seat `bleu` here"),
        ("ranking: red", "`ranking` holds every seat once, not `red`"),
        ("decided: total(player)", "`decided` holds what sets a seat apart from the place before, not `total(player)`"),
        ("decided.red: player.silvr", "there is no reason for a place `player.silvr` here"),
        ("decided.rde: player.silver", "there is no seat `rde` here"),
        ("happened.slod: 1", "there is no event `slod` here"),
        ("happened.sold: often", "`happened` holds how often an event happened, not `often`"),
        ("happened: 1", "`happened` holds how often an event happened, not `1`"),
        ("seen.red.peer: []", "there is no part of the state `peer` here"),
        ("seen.rde.pier: []", "there is no seat `rde` here"),
        ("seen.red.pier: [hiden]", "there is no crate `hiden` here"),
        ("won: red", "`won` holds a list of seats, not `red`"),
        ("won: [rde]", "there is no seat `rde` here"),
        ("over: soon", "`over` holds true or false, not `soon`"),
        ("holds: [rond > 1]", "there is no name `rond` here"),
        ("holds: [round]", "expected a condition, true or false, found a number"),
        ("scores: 3", "`scores` holds a number for each seat, not `3`"),
        ("scores.red.houzes: 3", "there is no source of points `houzes` here"),
    ],
)
def test_what_is_not_understood_is_told(text: str, message: str) -> None:
    assert problems_of(text) == [message]


def test_what_a_seat_sees_can_be_said() -> None:
    given = "players: [red, blue]\ngiven: {pier: [e1, w1]}\nat: {step: placement}\n"
    assert (
        outcome(f"{given}then: {{seen.red.pier: [hidden, hidden], seen.blue.pier: hidden, seen.red.round: 1}}").status
        == "passed"
    )
    found = outcome(f"{given}then: {{seen.red.pier: [e1, hidden]}}")
    assert found.message == "`seen.red.pier` is [hidden, hidden], not [e1, hidden]"


def test_what_is_seen_depends_on_the_seat() -> None:
    given = """
players: [amber, jade]
given: {players.amber.hand: [dates, fakir], players.amber.vow: 2, players.amber.pledge: saffron}
at: {step: pledging}
"""
    own = "seen.amber.players.amber.hand: [dates, fakir], seen.amber.players.amber.vow: 2"
    others = "seen.jade.players.amber.hand: [hidden, hidden], seen.jade.players.amber.vow: hidden"
    one = "seen.amber.players.amber.pledge: saffron, seen.jade.players.amber.pledge: hidden"
    found = outcome(f"{given}\nthen: {{{own}, {others}, {one}}}", CARAVAN)
    assert found.status == "passed", found.message
    wrong = outcome(f"{given}\nthen: {{seen.jade.players.amber.pledge: saffron}}", CARAVAN)
    assert wrong.message == "`seen.jade.players.amber.pledge` is hidden, not saffron"


def test_a_bag_is_seen_as_a_whole() -> None:
    text = "players: [red, blue]\ngiven: {players.red.store: {rum: 1}}\nat: {step: placement}\n"
    assert outcome(f"{text}then: {{seen.blue.players.red.store: {{rum: 1}}}}").status == "passed"
    found = outcome(f"{text}then: {{seen.blue.players.red.store: hidden}}")
    assert found.message == "`seen.blue.players.red.store` is 1 rum, not hidden"


def test_a_condition_can_be_said_and_what_stands_in_it_is_told() -> None:
    found = outcome(
        f"{EQUAL}\nthen: {{holds: [all(p.silver > 8 for p in players), count(won(p) for p in players) == 1]}}"
    )
    assert found.status == "passed", found.message
    wrong = outcome(f"{EQUAL}\nthen: {{holds: [all(p.silver < 11 for p in players)]}}")
    assert wrong.message == "`all(p.silver < 11 for p in players)` does not hold: `p` is blue and `p.silver` is 11"


def test_a_condition_of_an_example_sees_what_is_secret() -> None:
    found = outcome(
        "players: [red, blue]\ngiven: {pier: [e1, w1]}\nat: {step: placement}\nthen: {holds: first(pier) == e1}"
    )
    assert found.status == "passed", found.message


@pytest.mark.parametrize(
    "said, message",
    [
        ("won: [blue]", ""),
        ("won: [red, blue]", "`won` is [blue], not [red, blue]"),
        ("won: []", "`won` is [blue], not []"),
        ("over: false", ""),
        ("over: true", "`over` is false, not true"),
    ],
)
def test_who_won_and_whether_it_is_over_can_be_said(said: str, message: str) -> None:
    assert outcome(f"{EQUAL}\nthen: {{{said}}}").message == message


LAST_STONE = """
given: {heaps.low_heap.lying: {pebble: 1}, heaps.middle_heap.lying: {}, heaps.tall_heap.lying: {}}
at: {step: take_turns}
when: [{first: take low_heap 1}]
"""


def test_play_goes_on_to_the_next_question_or_the_end_of_the_game() -> None:
    said = "then: {over: true, won: [first]}"
    assert outcome(f"{LAST_STONE}\nuntil: question\n{said}", NIM).status == "passed"
    early = outcome(f"{LAST_STONE}\n{said}", NIM)
    assert early.message.splitlines() == [
        "`over` is false, not true",
        "`then` is read right after the last action; by the next question it is so: `until: question`",
    ]


def test_no_hint_where_going_on_would_not_help() -> None:
    assert outcome(f"{LAST_STONE}\nthen: {{over: true, won: [second]}}", NIM).message.splitlines() == [
        "`over` is false, not true",
        "`won` is [first], not [second]",
    ]


CLASH = """
game:
  players: 2
  seats: [red, blue]
  play: battles
  points: {none: {is: 0}}
  winner: {most: total(player)}
state:
  table: {rounds: number 0..99}
  player: {men: number 0..9 = 3, lost: number 0..9}
value:
  strength: {given: [player], is: 10 * player.men + player.seat}
verb:
  battles: {do: [{repeat: 3, do: [{for: player, in: players, do: [{clash: player}]}]}]}
  clash:
    main: {player: player}
    do:
      - {choose: arm, by: player}
      - {add: 1, to: rounds}
      - {take: 1, from: player.men, up_to: true}
      - {add: 1, to: player.lost, up_to: true}
decision:
  arm: {option: ready, do: []}
"""


def clash(then: str, tmp_path: Path) -> list[str]:
    game = str(written(tmp_path, "clash.yaml", CLASH))
    return outcome(f"when: [{{red: ready}}, {{blue: ready}}]\nthen: {{{then}}}", game).message.splitlines()


TO_COME = (
    "`then` is read right after the last action; "
    "steps of `verb.clash` were still to come and change this: `until` goes on"
)


@pytest.mark.parametrize(
    "then, lines",
    [
        # What is expected comes true, and nothing else is wrong.
        (
            "players.blue.men: 2",
            [
                "`players.blue.men` is 3, not 2",
                "`then` is read right after the last action; by the next question it is so: `until: question`",
            ],
        ),
        # It comes true, and another thing that was right does not stay so.
        ("players.blue.men: 2, rounds: 1", ["`players.blue.men` is 3, not 2", TO_COME]),
        # What is expected never comes true, but the fight was not over.
        ("players.blue.men: 1", ["`players.blue.men` is 3, not 1", TO_COME]),
        # What was still to come has nothing to do with it.
        ("players.red.men: 1", ["`players.red.men` is 2, not 1"]),
    ],
)
def test_what_was_still_to_be_done_is_hinted_at_if_it_concerns_what_is_wrong(
    then: str, lines: list[str], tmp_path: Path
) -> None:
    assert clash(then, tmp_path) == lines


@pytest.mark.parametrize(
    "law, said",
    [
        ("strength(red) == 20", []),
        ("strength(red) == 47", ["`strength(red) == 47` does not hold: `strength(red)` is 20"]),
        (
            "strength(red) > strength(blue)",
            ["`strength(red) > strength(blue)` does not hold: `strength(red)` is 20 and `strength(blue)` is 31"],
        ),
        ("red.men + 2 == blue.men", ["`red.men + 2 == blue.men` does not hold: `red.men` is 2 and `blue.men` is 3"]),
        ("won(blue)", []),
    ],
)
def test_conditions_speak_of_seats_and_values_and_show_both_sides(law: str, said: list[str], tmp_path: Path) -> None:
    assert clash(f"holds: [{law}]", tmp_path)[:1] == said


def test_a_seat_by_whose_id_something_else_is_called_is_no_name() -> None:
    # In this game the seats are called `first` and `second`, and `first` is a builtin.
    assert outcome("then: {holds: [first(seats) != second, won(second) == won(first(seats))]}", NIM).message == ""
