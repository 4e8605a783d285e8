"""What `then` says beyond fields: the ranking, what decided it, and what a seat sees."""

from __future__ import annotations

import pytest

from aodrules.source.diagnostics import Report
from aodrules.testing.scenarios import ScenarioReader
from tests.testing.texts import outcome, rules, statements

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
