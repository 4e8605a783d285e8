"""A sampled game agrees with all that a seat knows, deals the rest anew, and depends on nothing else."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from math import sqrt
from statistics import fmean

import pytest

import aodrules
from aodrules.compiler.layout import GENERATOR
from aodrules.compiler.runtime.compiled import Compiled
from aodrules.game import Game
from aodrules.play.beliefs import Beliefs, dealer_of
from aodrules.play.states import State
from tests.play import secret_games as small
from tests.play.dealing import assert_spread, played, spread
from tests.play.worlds import ALL, ON_A_MAP, TEXTS, another_world, middle, seen, with_other_secrets
from tests.playing import random_game

pytestmark = pytest.mark.slow


def positions(word: str) -> Iterator[Game]:
    for seed in range(3):
        for decisions in (0, 1, 4, 7, 13, 25, 60):
            game = middle(word, seed, decisions)
            if not game.over:
                yield game


@pytest.mark.parametrize("word", [*ALL, ON_A_MAP])
def test_a_sample_looks_to_the_seat_as_the_game_does(word: str) -> None:
    for game in positions(word):
        for number, seat in enumerate(game.players):
            sample = game.sample(seat, 7)
            one, other = game.view(seat), sample.view(seat)
            assert (one.decision, one.actions, one.events, one.played) == (
                (other.decision, other.actions, other.events, other.played)
            )
            assert isinstance(sample.machine, Compiled)
            assert isinstance(game.machine, Compiled)
            mine, theirs = (seen(game, machine, number) for machine in (game.machine, sample.machine))
            assert mine[0] == theirs[0]
            assert mine[4] == theirs[4]


@pytest.mark.parametrize("word", [*ALL, ON_A_MAP])
def test_a_sample_does_not_depend_on_how_hidden_pieces_truly_lie(word: str) -> None:
    """Two worlds that a seat cannot tell apart give the very same samples, to the last mark of what others know."""
    for game in positions(word):
        beliefs = Beliefs(game._action_table, game._table.texts, lambda game=game: game._begin(log=True))  # type: ignore[misc]
        for number in range(len(game.players)):
            worlds = [game.machine, *(another_world(game, number, seed) for seed in (1, 2))]
            dealt = [
                [dealer_of(world, beliefs, number, game._answers).deal(seed).cells for seed in range(3)]
                for world in worlds
            ]
            assert dealt[1] == dealt[0]
            assert dealt[2] == dealt[0]


@pytest.mark.parametrize("word", ["caravan", *TEXTS])
def test_a_sample_does_not_depend_on_what_others_answered_in_secret(word: str) -> None:
    """The same game is played again with other secret answers; where a seat notices nothing, its samples are equal."""
    pairs = 0
    for seed in range(12):
        game = middle(word, seed, (2, 3, 9)[seed % 3])
        other, differs = with_other_secrets(game, len(game.players) - 1, random.Random(1000 + seed))
        if other is None or game.over:
            continue
        pairs += differs
        for number in range(3):
            samples = [one.sample(game.players[-1], number).machine for one in (game, other)]
            assert isinstance(samples[0], Compiled)
            assert isinstance(samples[1], Compiled)
            assert samples[0].cells == samples[1].cells
    assert pairs > 1


@pytest.mark.parametrize("word", [*ALL, ON_A_MAP])
def test_samples_play_on_to_the_end(word: str) -> None:
    game = middle(word, 1, 8)
    for seed in range(3):
        sample = game.sample(game.players[0], seed)
        chance = random.Random(seed)
        while not sample.over:
            sample.push(chance.choice(sample.codes))
        assert sample.ranking


# How what is hidden is spread.


def test_numbers_are_spread_over_what_could_be_answered() -> None:
    game = played(small.SORTS, "bid 6")
    assert_spread(spread(game, "bob", "players.ann.bid"), dict.fromkeys(range(2, 7), 1 / 5))
    assert set(spread(game, "ann", "players.ann.bid", 20)) == {6}, "one's own is known"
    assert set(spread(game, "ann", "players.bob.bid", 20)) == {0}, "and so is what was not yet done"


def test_flags_members_players_sets_and_tables_are_dealt_anew() -> None:
    game = played(small.SORTS, "decide true", "decide false")
    assert_spread(spread(game, "bob", "players.ann.ready"), {True: 1 / 2, False: 1 / 2})
    game = played(small.SORTS, "aim salt")
    thirds: dict[object, float] = dict.fromkeys(("silk", "salt", "tin"), 1 / 3)
    assert_spread(spread(game, "bob", "players.ann.aim"), thirds)
    for seed in range(20):
        state = game.sample("bob", seed).state
        assert state["players.ann.goods"] == (state["players.ann.aim"],), "both come from the one answer"
    game = played(small.SORTS, "mark cid", players=3)
    assert_spread(spread(game, "bob", "players.ann.foe"), {"bob": 1 / 2, "cid": 1 / 2})
    for seed in range(20):
        state = game.sample("bob", seed).state
        assert state[f"players.ann.eyed.{state['players.ann.foe']}"] == 2


def test_a_total_that_everybody_knows_is_kept() -> None:
    game = played(small.SORTS, "bid 2", "bid 2", "split 1")
    assert_spread(spread(game, "bob", "players.ann.store.silk"), dict.fromkeys(range(6), 1 / 6))
    for seed in range(50):
        state = game.sample("bob", seed).state
        assert state["players.ann.store.silk"] + state["players.ann.store.salt"] == 5


def test_a_bid_fits_what_its_bidder_had_when_it_was_made() -> None:
    game = played(small.AUCTION, "offer 2", "offer 5")
    assert game.state["players.ann.cash"] == 4
    assert_spread(spread(game, "bob", "players.ann.bid"), dict.fromkeys(range(6), 1 / 6))


def test_what_was_shown_is_known() -> None:
    game = played(small.AUCTION, "offer 2", "offer 5", "wait", "wait")
    assert set(spread(game, "bob", "players.ann.bid", 30)) == {2}
    assert set(spread(game, "ann", "players.bob.bid", 30)) == {5}
    for _ in range(2):
        game.push("wait")
    assert set(spread(game, "bob", "players.ann.bid", 30)) == {0}
    game.push("offer 1")
    assert_spread(spread(game, "bob", "players.ann.bid"), dict.fromkeys(range(5), 1 / 5))


def test_every_way_of_answering_is_equally_likely() -> None:
    """Down to 0 one comes in three ways, to 1 in two, to 2 in one."""
    game = played(small.STAIRS, "sink 2", "sink 1")
    assert_spread(spread(game, "bob", "players.ann.height"), {0: 3 / 6, 1: 2 / 6, 2: 1 / 6})


def test_what_is_under_way_is_dealt_anew_too() -> None:
    game = played(small.UNDER_WAY, "think 3")
    found: Counter[object] = Counter()
    for seed in range(1200):
        sample = game.sample("bob", seed)
        sample.push("wait")
        sample.push("wait")
        found[sample.state["players.ann.seen"]] += 1
    assert_spread(found, dict.fromkeys(range(4), 1 / 4))


def test_pieces_are_spread_evenly_over_the_places_where_they_may_lie() -> None:
    game = random_game("harbour", 1, 20)
    assert isinstance(game.machine, Compiled)
    dealer = game.dealer(game.players[0])
    truth, *deals = ([*_held(machine)] for machine in (game.machine, *(dealer.deal(seed) for seed in range(300))))
    as_it_is = fmean(one == other for deal in deals for one, other in zip(deal, truth, strict=True))
    # No crate is like another, and backs tell two ships apart: eight and seven crates, so one in eight or seven.
    assert len(truth) == len(set(truth)) == 15
    assert as_it_is == pytest.approx(2 / 15, abs=0.015)


def _held(machine: Compiled) -> Iterator[int]:
    for name in ("table.hold", "table.pier"):
        held = machine.plain().fields[name][0]
        assert isinstance(held, tuple)
        yield from held


LAID = (
    small.CARDS
    + """
state:
  table:
    deck: {is: list of card, start: all, secret: content}
    row:  {is: list of card, secret: content, shows: [suit]}
  player: {won: number 0..99, hand: {is: list of card, secret: owner}}
verb:
  main:
    do:
      - {shuffle: deck}
      - {draw: 2, from: deck, to: row}
      - {draw: 2, from: deck, to: first(players).hand}
      - {choose: wait, by: first(players)}
decision: {wait: {options: {wait: {do: []}}}}
"""
)


def test_backs_that_tell_more_in_one_place_than_in_another_are_kept() -> None:
    """Two cards lie with the suit up: of each suit every card is as likely there as it is among all of that suit."""
    game = small.rules_of(LAID).new_game(players=2, seed=1)
    shown = [hidden.shows[0][1] for hidden in game.view("bob")["row"]]
    assert sorted(shown) == [1, 2]
    place = shown.index(1)
    found: Counter[object] = Counter(game.sample("bob", seed).state["row"][place] for seed in range(1200))
    assert_spread(found, {"one": 3 / 5, "two": 2 / 5})
    hands: Counter[object] = Counter(game.sample("bob", seed).state["players.ann.hand"][0] for seed in range(1200))
    assert_spread(hands, {"one": 3 * 4 / 5 / 6, "two": 2 * 4 / 5 / 6, "three": 2 * 2 / 3 / 6, "four": 2 / 3 / 6})


def test_pieces_known_to_be_in_a_stack_stay_in_it() -> None:
    """Everybody knows which cards a fresh deck holds, so nothing can come into it from elsewhere."""
    game = random_game("caravan", 3, 0)
    before, after = (one.state["charters"] for one in (game, game.sample(game.players[0], 5)))
    assert sorted(before) == sorted(after)


def test_what_is_dealt_is_new_with_every_seed() -> None:
    game = random_game("harbour", 2, 10)
    assert len({str(game.sample(game.players[0], seed).state["hold"]) for seed in range(10)}) > 5


# What a sample must not lead to.


@pytest.mark.parametrize("word", [*ALL, ON_A_MAP])
def test_a_sample_foretells_no_chance(word: str) -> None:
    game = middle(word, 1, 3)
    assert isinstance(game.machine, Compiled)
    generators = set()
    for seed in (game.seed, *range(20)):
        machine = game.sample(game.players[0], seed).machine
        assert isinstance(machine, Compiled)
        generators.add(machine.cells[GENERATOR])
    assert len(generators) >= 20
    assert game.machine.cells[GENERATOR] not in generators


def test_a_sample_with_the_seed_of_the_game_is_like_any_other() -> None:
    hits = 0
    for seed in range(60):
        game = small.rules_of(small.STACK).new_game(players=2, seed=seed)
        hits += game.sample("bob", seed).state["deck"][0] == game.state["deck"][0]
    assert abs(hits - 15) < 5 * sqrt(60 * 3 / 16)


def test_a_sample_does_not_lead_back_to_the_game() -> None:
    game = random_game("caravan", 3, 12)
    sample = game.sample("amber", 99)
    assert sample.seed == 99
    with pytest.raises(aodrules.UndoError):
        sample.pop()
    for ask in (sample.save, sample.record, lambda: sample.learned("amber")):
        with pytest.raises(ValueError, match="no past"):
            ask()
    assert sample.view("jade").played == ()
    assert sample.view("jade").events == ()
    assert sample.events == game.view("amber").events
    sample.push(sample.codes[0])
    assert len(sample.view("amber").played) == len(game.view("amber").played) + 1
    sample.pop()
    assert sample.view("amber").plain() == game.view("amber").plain()


def test_taking_back_is_followed() -> None:
    game = played(small.AUCTION, "offer 2", "offer 5", "wait")
    assert len(spread(game, "bob", "players.ann.bid", 40)) == 6
    for _ in range(3):
        game.pop()
    assert set(spread(game, "bob", "players.ann.bid", 40)) == {0}, "nothing has been offered"


ORDERS = """
state:
  table:
    order: {is: list of player, start: all, secret: content}
    out_first: {is: list of player, secret: content}
  player: {won: number 0..99}
verb: {main: {do: [{shuffle: order}, {draw: 1, from: order, to: out_first}, {choose: wait, by: first(players)}]}}
decision: {wait: {options: {wait: {do: []}}}}
"""


def test_players_in_a_hidden_order_are_dealt_anew() -> None:
    game = small.rules_of(ORDERS).new_game(players=3, seed=1)
    found = Counter((*state["out_first"], *state["order"]) for state in _states(game, "bob", 600))
    assert {tuple(sorted(order)) for order in found} == {("ann", "bob", "cid")}
    assert_spread(Counter(dict(found)), dict.fromkeys(found, 1 / 6))


def _states(game: Game, seat: str, deals: int) -> Iterator[State]:
    return (game.sample(seat, seed).state for seed in range(deals))


def test_a_dealer_stays_where_it_was_made() -> None:
    game = played(small.AUCTION, "offer 2")
    dealer = game.dealer("bob")
    before = dealer.deal(1).cells
    game.push("offer 3")
    game.push("wait")
    assert dealer.deal(1).cells == before
