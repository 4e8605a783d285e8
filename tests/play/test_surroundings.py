"""Where in the rules a question is asked: both engines tell the same, after whatever led there."""

from __future__ import annotations

import random

import pytest

import aodrules
from aodrules.compiler.compile import compile_plan
from aodrules.compiler.lower.from_checked import plan
from aodrules.compiler.passes import PASSES
from aodrules.compiler.runtime.compiled import Compiled
from aodrules.game import Game
from tests.play import secret_games as small
from tests.play.worlds import TEXTS
from tests.playing import random_game, rules_of

WORDS = ("nim.yaml", "harbour", "caravan", "isles")

CALLED = """
kinds: {ware: {plural: wares}}
ware: {silk: {}, salt: {}}
state: {player: {won: number 0..9}}
verb:
  main:
    do:
      - repeat: 2
        do:
          - step: morning
            do: [{for: ware, in: wares, index: n, do: [ask]}]
          - {if: first(players).won < 90, then: [{step: noon, do: [ask]}], else: [ask]}
      - {if: first(players).won > 4, then: [{repeat: 1, do: [ask]}], else: [ask]}
      - {if: first(players).won > 90, then: [ask], else: [{repeat: 1, do: [ask]}]}
      - {for: p, in: players, do: [ask, {step: night, do: [ask]}]}
  ask: {do: [{for: player, in: players, do: [{choose: wait, by: player}]}]}
decision:
  wait: {options: {wait: {do: [{add: 1, to: player.won}]}}}
"""


def both(rules: aodrules.Rules, players: int, seed: int) -> tuple[Game, Game]:
    """Return the same game on each engine."""
    games = [rules.new_game(players=players, seed=seed, engine=engine) for engine in ("compiled", "interpreter")]
    return games[0], games[1]


def compare(rules: aodrules.Rules, players: int, seed: int, most: int = 150) -> int:
    """Play at random on both engines, and return how many loops were around the questions."""
    one, other = both(rules, players, seed)
    chance, loops = random.Random(seed), 0
    for _ in range(most):
        assert one.machine.under_way == other.machine.under_way
        if one.over:
            break
        assert one.decision is not None
        assert other.decision is not None
        assert one.decision.around == other.decision.around
        assert one.decision.around.text("en") == other.decision.around.text("en")
        loops += sum(around.kind != "step" for around in one.decision.around)
        code = chance.choice(one.codes)
        one.push(code)
        other.push(code)
    return loops


@pytest.mark.parametrize("word", WORDS)
def test_both_engines_tell_the_same_surroundings(word: str) -> None:
    rules = rules_of(word)
    assert sum(compare(rules, players, players) for players in range(rules.players[0], rules.players[1] + 1))


@pytest.mark.parametrize("word", TEXTS)
def test_they_do_so_with_secrets(word: str) -> None:
    compare(small.rules_of(TEXTS[word]), 3, 1)


def called() -> aodrules.Rules:
    return small.rules_of(CALLED.replace("if: first(players).won == 0", "if: first(players).won == 0"))


def test_what_is_called_from_several_places_tells_them_apart() -> None:
    rules = called()
    compare(rules, 2, 0)
    game, told = rules.new_game(players=2, seed=0), []
    while not game.over:
        assert game.decision is not None
        if game.decision.player == "ann":
            told.append([(one.kind, one.address, *one.names.values(), one.turn) for one in game.decision.around[:-1]])
        game.push(0)
    first = ("repeat", "verb.main.repeat", 1)
    assert told[0] == [first, ("step", "verb.main.morning", None), ("for", "verb.main.ware", "salt", 0, None)]
    assert told[2] == [first, ("step", "verb.main.noon", None)]
    assert told[5] == [("repeat", "verb.main.repeat", 2), ("step", "verb.main.noon", None)]
    assert told[6:8] == [[("repeat", "verb.main.repeat_2", 1)], [("repeat", "verb.main.repeat_3", 1)]]
    assert told[8:10] == [
        [("for", "verb.main.p", "ann", None)],
        [("for", "verb.main.p", "ann", None), ("step", "verb.main.night", None)],
    ]


@pytest.mark.parametrize("left_out", [frozenset({name}) for name in PASSES] + [frozenset(PASSES)], ids=sorted)
def test_no_pass_changes_what_is_around(left_out: frozenset[str]) -> None:
    for rules in (rules_of("harbour"), called()):
        checked, players = rules.book.checked, rules.players[0]
        machines = [
            Compiled.new_game(compile_plan(plan(checked, players, without=names)), 4)
            for names in (left_out, frozenset())
        ]
        chance = random.Random(1)
        while machines[0].codes:
            assert machines[0].under_way == machines[1].under_way
            code = chance.choice(machines[0].codes)
            for machine in machines:
                machine.apply(code)


@pytest.mark.parametrize("word", WORDS)
def test_surroundings_are_those_of_the_game_that_is_opened_copied_or_sampled(word: str) -> None:
    game = random_game(word, 3, 5)
    assert game.decision is not None
    around = game.decision.around
    assert around
    later = [game.copy(), *(game.sample(seat, 2) for seat in game.players)]
    if "." not in word:
        shipped = aodrules.load(word).new_game(players=game.players, seed=game.seed)
        for code in game._answers:
            shipped.push(code)
        later.append(aodrules.open_game(shipped.save()))
    for other in later:
        assert other.decision is not None
        assert other.decision.around == around
    game.push(game.codes[0])
    game.pop()
    assert game.decision.around == around


def test_a_decision_that_was_answered_still_tells_where_it_was_asked() -> None:
    game = called().new_game(players=2, seed=0)
    decision = game.decision
    assert decision is not None
    told = str(decision.around)
    for _ in range(5):
        game.push(0)
    assert str(decision.around) == told


HAND = (
    small.CARDS
    + """
state:
  table: {deck: {is: list of card, start: all, secret: content}}
  player: {won: number 0..9, hand: {is: list of card, secret: owner}}
verb:
  main:
    do:
      - {draw: 3, from: deck, to: first(players).hand}
      - {for: card, in: first(players).hand, do: [{choose: wait, by: last(players)}]}
decision:
  wait: {options: {wait: {do: []}}}
"""
)


def test_a_seat_is_not_told_whose_turn_it_is_where_that_is_a_secret() -> None:
    game = small.rules_of(HAND).new_game(players=2, seed=0)
    told = [game.decision, game.view("bob").decision]
    names = [decision.around[-1].names for decision in told if decision is not None]
    assert names == [{"card": game.state["players.ann.hand"][0]}, {"card": aodrules.Hidden("card")}]
    assert told[1] is not None
    assert told[1].around.text() == "hidden (Cards)"


def test_a_turn_that_is_no_secret_is_told_to_all() -> None:
    text = HAND.replace("for: card, in: first(players).hand", "for: card, in: cards")
    game = small.rules_of(text).new_game(players=2, seed=0)
    decision = game.view("bob").decision
    assert decision is not None
    assert decision.around[-1].names == {"card": "four"}


def test_a_step_that_is_called_like_the_turn_of_its_loop_is_told_once() -> None:
    decision = aodrules.load("empires").new_game(players=["red", "blue"], seed=2).decision
    assert decision is not None
    seat = aodrules.load("empires").text(f"player.{decision.player}", "pl")
    assert decision.around.text("pl") == f"Epoka I > Tura 1 > {seat}"
    harbour = rules_of("harbour").new_game(players=2, seed=42).decision
    assert harbour is not None
    assert harbour.around.text("en") == f"Sail > Era > Round 1 > {harbour.player}"
