"""Members that are in the game with some numbers of players only: without them nothing is met that is theirs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import aodrules
from aodrules.check.for_players import rules_for
from tests.engines.playing import answers, cells, game_of, rules_of

GAME = """
kinds:
  card: {plural: cards, attributes: {copies: number = 2}, pieces: {count: copies}, hooks: {always: {effects: true}}}
  land:
    plural: lands
    ordered: true
    sorted_by: place
    attributes: {place: number, beside: maybe land = none}
    hooks: {always: {effects: true}}
    effects: {tithe: {modify: income, add: self.place}}
card:
  axe:  {always: {rich: {modify: income, add: 100}}, for_players: 3..}
  bow:  {}
  cups: {for_players: 2, each: {cup: {copies: 1}, mug: {copies: 3, for_players: 3}}}
land:
  coast:  {place: 1, for_players: 3..4}
  hill:   {place: 2, always: {seen: {upon: passed, do: [{add: 10, to: n}]}}, for_players: 2..3}
  marsh:  {place: 4, beside: coast, always: {nap: {offer: act, instead: true, do: [{add: 1, to: n}]}}, for_players: 4}
  summit: {place: 8}
graph:
  paths: {of: land, links: [[coast, hill], [hill, marsh], [marsh, summit], [hill, summit]]}
event: {passed: {}}
state:
  table:
    deck:  {is: list of card, start: all}
    first: land
    n:     number 0..999
    seen:  set of land
    after: maybe land
    near:  set of land
    lands_met: number 0..9
  land: {camp: bag of card, visits: number 0..9 = 3}
value:
  income: {is: 0}
verb:
  main:
    do:
      - for: land
        in: lands
        do: [{add: 1, to: lands_met}, {add: 1, to: land.visits}, {move: bow, from: deck, to: land.camp}]
      - {set: seen, to: set(x for x in lands)}
      - {set: after, to: next(first)}
      - {set: near, to: "neighbours(paths, summit)"}
      - {set: n, to: income()}
      - happen: passed
      - if: coast in lands
        then: [{move: bow, from: deck, to: lands.coast.camp}]
      - {choose: act, by: first(players)}
decision:
  act:
    options:
      go:   {for: {to: land}, do: []}
      play: {for: {card: {card: set(c for c in cards)}}, do: []}
"""
AXE, BOW, CUP, MUG = range(4)
COAST, HILL, MARSH, SUMMIT = range(4)


@pytest.mark.parametrize(
    "players, deck, lands, first, after, near, n",
    [
        (2, (BOW, CUP), {HILL, SUMMIT}, HILL, SUMMIT, {HILL}, 20),
        (3, (AXE, AXE, MUG, MUG, MUG), {COAST, HILL, SUMMIT}, COAST, HILL, {HILL}, 121),
        (4, (AXE, AXE), {COAST, MARSH, SUMMIT}, COAST, MARSH, {MARSH}, 113),
    ],
)
def test_collections_pieces_order_links_and_effects_are_of_those_that_are_there(
    players: int, deck: Any, lands: set[int], first: int, after: int, near: set[int], n: int
) -> None:
    game = game_of(GAME, players=players)
    rest = [card for card in cells(game, "table.deck")[0] if card != BOW]
    assert rest == [card for card in deck if card != BOW]
    assert cells(game, "table.lands_met") == [len(lands)]
    assert cells(game, "table.seen") == [sum(1 << land for land in lands)]
    assert (cells(game, "table.first"), cells(game, "table.after")) == ([first], [after])
    assert cells(game, "table.near") == [sum(1 << land for land in near)]
    assert cells(game, "table.n") == [n]
    assert [visits > 3 for visits in cells(game, "land.visits")] == [land in lands for land in range(4)]


@pytest.mark.parametrize("players, said", [(2, ["go 1", "go 3"]), (4, ["go 0", "go 2", "go 3"])])
def test_only_those_that_are_there_can_be_answered_or_offer_an_answer(players: int, said: list[str]) -> None:
    found = answers(game_of(GAME, players=players))
    assert [each for each in found if each.startswith("go")] == said
    assert [each for each in found if each.startswith("play")] == (
        ["play 1", "play 2"] if players == 2 else ["play 0", "play 1"]
    )
    assert ("nap" in found) == (players == 4)


def test_codes_are_the_same_with_and_without_a_member() -> None:
    rules = rules_of(GAME)
    two, four = (rules_for(rules, players).decisions["decision.act"].options for players in (2, 4))
    assert [one.address for one in two] == [one.address for one in four]
    assert rules_for(rules, 2) is rules_for(rules, 2)
    assert rules_for(rules_for(rules, 2), 2) is rules_for(rules, 2)


@pytest.fixture(scope="module")
def rules(tmp_path_factory: pytest.TempPathFactory) -> aodrules.Rules:
    path = tmp_path_factory.mktemp("rules") / "lands.yaml"
    path.write_text("game: {players: 2..4, seats: [ann, bob, cid, dan], play: main}\n" + GAME, encoding="utf-8")
    return aodrules.load(path, cache=False)


def test_views_saves_and_answers_know_nothing_of_what_is_not_there(rules: aodrules.Rules, tmp_path: Path) -> None:
    game = rules.new_game(players=2, seed=1)
    assert list(game.view("ann")["lands"]) == ["hill", "summit"]
    assert list(rules.new_game(players=4, seed=1).state["lands"]) == ["coast", "marsh", "summit"]
    assert aodrules.open_game(game.save()).state == game.state
    assert [reason.id for reason in game.why_not("go coast")] != []
    with pytest.raises(aodrules.UnknownNameError, match="there is no land `coast`"):
        game.state["lands"]["coast"]


def test_components_of_all_games_are_listed(rules: aodrules.Rules) -> None:
    assert set(rules.components["land"]) == {"coast", "hill", "marsh", "summit"}
    assert rules.components["card"]["cup"].attributes["copies"] == 1
