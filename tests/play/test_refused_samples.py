"""Where what a seat does not know cannot be dealt anew in a fair way, nothing is dealt, and the reason is told."""

from __future__ import annotations

from collections import Counter

import pytest

import aodrules
from aodrules.game import Game
from aodrules.play import beliefs
from aodrules.play.beliefs import MOST_WORLDS
from tests.play import secret_games as small
from tests.play.dealing import assert_spread, played
from tests.playing import random_game


def refusal(text: str, *actions: str, seat: str = "bob") -> str:
    game = played(text, *actions)
    with pytest.raises(aodrules.SampleError) as caught:
        game.sample(seat, 1)
    assert isinstance(caught.value, aodrules.AodrulesError)
    return str(caught.value)


HAND = (
    small.CARDS
    + """
state:
  table: {deck: {is: list of card, start: all, secret: content}, pile: {is: list of card, secret: content}}
  player:
    won:   number 0..99
    worth: {is: number 0..99, secret: owner}
    hand:  {is: list of card, secret: owner}
verb:
  main:
    do:
      - {shuffle: deck}
      - {for: player, in: players, do: [{draw: 2, from: deck, to: player.hand}]}
      - {for: player, in: players, do: [{choose: act, by: player}]}
decision:
  wait: {options: {wait: {do: []}}}
  act:
    options:
      act:
        hidden: true
        for: {card: card}
        where: [card in player.hand]
        do:
"""
)
COUNTED = HAND + "          - {set: player.worth, to: sum(c.value for c in player.hand)}\n"
ADDED = HAND + (
    "          - {let: n, be: 0}\n"
    "          - {for: c, in: player.hand, do: [{add: c.value, to: n}]}\n"
    "          - {set: player.worth, to: n}\n"
)
NAMED = HAND.replace("where: [card in player.hand]", "where: []") + (
    "          - {move: card, from: player.hand, to: pile}\n"
)
HELD = HAND + (
    "          - {for: p, in: players, do: [{choose: wait, by: p}]}\n"
    "          - {move: card, from: player.hand, to: pile}\n"
)
RUN_OVER = HAND + "          - {for: c, in: player.hand, do: [{choose: wait, by: player}]}\n"
OVER = HAND + (
    "          - {move: card, from: player.hand, to: pile}\n"
    "          - {for: p, in: players, do: [{choose: wait, by: p}]}\n"
)


@pytest.mark.parametrize("text", [COUNTED, ADDED])
def test_a_number_that_counts_hidden_pieces_is_not_dealt(text: str) -> None:
    assert "what `player.worth` holds depends on hidden pieces" in refusal(text)


def test_a_piece_that_a_secret_answer_picks_is_not_dealt() -> None:
    assert "a secret that is no piece decides which card is moved" in refusal(NAMED)


FOUND = HAND + "          - {reveal: card, from: player.hand, to: last(players)}\n"
POINTED = HAND + "          - {let: c, be: 'player.hand[1]'}\n          - {reveal: c, to: last(players)}\n"


def test_nothing_is_dealt_where_a_piece_is_revealed_by_its_name() -> None:
    """Where others now know a piece would tell a seat in which place the piece lies that was named."""
    assert "where a piece in `player.hand` is known depends on which one was revealed" in refusal(FOUND)
    game = small.rules_of(POINTED).new_game(players=2, seed=1)
    game.push(game.codes[0])
    assert game.sample("bob", 1).view("bob").plain() == game.view("bob").plain()


@pytest.mark.parametrize("text", [HELD, RUN_OVER])
def test_nothing_is_dealt_while_steps_under_way_depend_on_hidden_pieces(text: str) -> None:
    game = small.rules_of(text).new_game(players=2, seed=1)
    game.sample("bob", 1)
    game.push(game.codes[0])
    with pytest.raises(aodrules.SampleError, match="asked in the middle of steps"):
        game.sample("bob", 1)


def test_a_name_that_is_no_longer_needed_does_no_harm() -> None:
    game = small.rules_of(OVER).new_game(players=2, seed=1)
    game.push(game.codes[0])
    assert game.sample("bob", 1).view("bob").plain() == game.view("bob").plain()


WIDE = """
state: {player: {won: number 0..99, bid: {is: number 0..9999, secret: owner}}}
verb: {main: {do: [{choose: offer, by: first(players)}, {choose: wait, by: last(players)}]}}
decision:
  offer: {options: {offer: {hidden: true, for: {n: 0..4999}, do: [{set: player.bid, to: n}]}}}
  wait: {options: {wait: {do: []}}}
"""


def test_secrets_with_too_many_states_are_not_dealt() -> None:
    assert f"ann may have answered in secret in more than {MOST_WORLDS:,} ways" in refusal(WIDE, "offer 1")
    game = played(WIDE, "offer 1")
    assert game.sample("ann", 1).state["players.ann.bid"] == 1, "who answered knows it"


BACKS = (
    small.CARDS
    + """
state:
  table:
    deck: {is: list of card, start: all, secret: content}
    left: {is: list of card, secret: content, shows: [suit]}
    right: {is: list of card, secret: content, shows: [value]}
  player: {won: number 0..99}
verb:
  main:
    do:
      - {shuffle: deck}
      - {draw: 2, from: deck, to: left}
      - {draw: 2, from: deck, to: right}
      - {choose: wait, by: first(players)}
decision: {wait: {options: {wait: {do: []}}}}
"""
)


def test_backs_that_tell_different_things_are_not_dealt() -> None:
    assert "the backs of what lies in table.left and table.right tell different things" in refusal(BACKS)


def test_what_others_answered_in_a_sample_is_not_dealt_again() -> None:
    game = played(small.SORTS, "bid 6")
    with pytest.raises(aodrules.SampleError, match="has no past"):
        game.sample("bob", 1).sample("bob", 2)
    harbour = random_game("harbour", 1, 5)
    again = harbour.sample(harbour.players[0], 1).sample(harbour.players[0], 2)
    assert again.view(harbour.players[0]).plain() == harbour.view(harbour.players[0]).plain()


MUST = (
    small.CARDS
    + """
state:
  table: {deck: {is: list of card, start: all, secret: content}, pile: {is: list of card, secret: content}}
  player: {won: number 0..99, hand: {is: list of card, secret: owner}}
verb:
  main:
    do:
      - {shuffle: deck}
      - {draw: 2, from: deck, to: first(players).hand}
      - {choose: lay, by: first(players)}
decision:
  lay:
    options:
      lay:
        hidden: true
        for: {card: card}
        where: [card in player.hand, card.value == 0]
        do: [{move: card, from: player.hand, to: pile}]
"""
)


def asked_to_lay() -> Game:
    """Return a game in which somebody is asked who can answer only with a certain card in hand."""
    games = (small.rules_of(MUST).new_game(players=2, seed=seed) for seed in range(20))
    return next(game for game in games if not game.over)


def test_who_is_asked_can_answer() -> None:
    game = asked_to_lay()
    hands: Counter[object] = Counter()
    for seed in range(900):
        sample = game.sample("bob", seed)
        assert [str(action) for action in sample.actions] == ["lay one"]
        hands[sum(card == "one" for card in sample.state["players.ann.hand"])] += 1
    # Of 28 hands 15 hold one such card and 3 hold two; 10 hold none, and are left out.
    assert_spread(hands, {1: 15 / 18, 2: 3 / 18})


def test_where_nobody_could_answer_nothing_is_dealt(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(beliefs, "MOST_TRIES", 1)
    game, refusals = asked_to_lay(), []
    for seed in range(60):
        try:
            assert game.sample("bob", seed).codes
        except aodrules.SampleError as problem:
            refusals.append(str(problem))
    assert 5 < len(refusals) < 45
    assert all("in which `decision.lay` can be answered" in refusal for refusal in refusals)


BOTH = """
state:
  table: {deck: {is: list of card, start: all, secret: content}, pile: {is: list of card, secret: content}}
  player:
    won:   number 0..99
    purse: {is: number 0..3, secret: owner}
    hand:  {is: list of card, secret: owner}
verb:
  main:
    do:
      - {shuffle: deck}
      - {for: player, in: players, do: [{draw: 2, from: deck, to: player.hand}]}
      - {for: player, in: players, do: [{choose: fill, by: player}]}
      - {for: player, in: players, do: [{choose: play, by: player}]}
value: {paid: {given: {player: player, card: card}, is: player.purse >= card.value}}
decision:
  fill: {options: {fill: {hidden: true, for: {n: 0..3}, do: [{set: player.purse, to: n}]}}}
  play:
    options:
      play: {hidden: true, for: {card: card}, where: [CONDITION], do: [{move: card, from: player.hand, to: pile}]}
      wait: {do: []}
"""


@pytest.mark.parametrize("words", ["hidden: true", "open: true"])
@pytest.mark.parametrize("condition", ["player.purse >= card.value", "'paid(player, card)'"])
def test_nothing_is_dealt_where_an_answer_tells_a_number_by_the_piece_it_needs(condition: str, words: str) -> None:
    """Otherwise who saw that a card was played learned from the purses in a sample how dear the card is."""
    text = small.CARDS + BOTH.replace("CONDITION", f"card in player.hand, {condition}")
    text = text.replace("hidden: true, for: {card", f"{words}, for: {{card")
    told = "whether `play` is possible depends on hidden pieces and on other secrets"
    assert told in refusal(text, "fill 3", "fill 3")


def test_a_number_in_the_steps_around_counts_as_well() -> None:
    text = small.CARDS + BOTH.replace("CONDITION", "card in player.hand")
    game = small.rules_of(text).new_game(players=2, seed=1)
    game.push("fill 3")
    game.sample("bob", 1)
    inline = """
      - for: player
        in: players
        do:
          - {let: most, be: player.purse}
          - choose: show
            by: player
            options:
              show: {hidden: true, for: {card: card}, where: [card in player.hand, card.value <= most], do: []}
              wait: {do: []}
"""
    changed = text.replace("value: {paid", inline.lstrip("\n") + "value: {paid")
    assert "whether `show` is possible depends on" in refusal(changed, "fill 3", "fill 3")


@pytest.mark.parametrize(
    "fact",
    ["max(p.bid for p in players)", "first(players).bid > last(players).bid", "player.bid + player.hand[0].value"],
)
def test_nothing_is_dealt_where_a_fact_is_told_about_several_secrets(fact: str) -> None:
    """Else the bids that one seat may have made would be judged by what the other truly bid."""
    fact = fact.replace("player.hand[0].value", "either(first(player.hand).value, 0)")
    text = small.TOLD.replace("player.bid > 2, as: is_high", f'"{fact} > 2", as: is_high').replace(
        "last(players).bid > 2", "last(players).bid"
    )
    assert "`is_high` is told to all and depends on several secrets at once" in refusal(text, "offer 3", "offer 3")
