"""Who knows which piece lies where."""

from __future__ import annotations

from typing import Any

import pytest

from aodrules.interpreter.interpreter import Interpreter
from tests.engines.playing import answer, cells, entries, game_of

CARDS = """
    kinds:
      card: {plural: cards, sorted_by: value, attributes: {value: number, copies: number = 1}, pieces: {count: copies}}
    card: {ace: {value: 1, copies: 2}, two: {value: 2}, six: {value: 6}}
    state:
      table:
        deck:  {is: list of card, start: all, secret: content}
        vault: {is: list of card, secret: content}
        sack:  {is: bag of card, secret: content}
        spot:  {is: maybe card, secret: content}
        row:   list of card
        n:     number 0..9
      player:
        hand:  {is: list of card, secret: owner}
        purse: {is: bag of card, secret: owner}
    verb:
      main:
        do:
"""
A, B = 1, 2
ALL = A | B


def after(*steps: str) -> Interpreter:
    return game_of(CARDS + "".join(f"          - {{{step}}}\n" for step in steps))


def knowledge(game: Interpreter, field: str, cell: int = 0) -> list[tuple[int, int]]:
    """Return who knows which and who knows that it is there, for each position."""
    held: Any = game.state.knowledge[field][cell]
    return [(number & ALL, number >> 2) for number in (held if isinstance(held, tuple) else (held,))]


HAND_A, HAND_B = "to: first(players).hand", "to: last(players).hand"


def test_at_the_start_everybody_knows_what_is_there_but_not_where() -> None:
    assert knowledge(after("shuffle: deck"), "table.deck") == [(0, ALL)] * 4


def test_a_drawn_card_is_known_to_its_owner_alone() -> None:
    game = after(f"draw: 1, from: deck, {HAND_A}")
    assert knowledge(game, "player.hand") == [(A, A)]
    assert knowledge(game, "player.hand", 1) == []
    assert knowledge(game, "table.deck") == [(0, A)] * 3
    assert entries(game, "move")[0][-1] == A


def test_what_enters_an_open_place_is_known_to_all() -> None:
    game = after("draw: 1, from: deck, to: row", "move: all, from: row, to: vault")
    assert knowledge(game, "table.deck") == [(0, ALL)] * 3
    assert knowledge(game, "table.vault") == [(ALL, ALL)]
    assert [entry[-1] for entry in entries(game, "move")] == [-1, -1]


def test_who_knew_a_card_knows_it_in_its_new_secret_place() -> None:
    game = after(f"draw: 1, from: deck, {HAND_A}", "move: all, from: first(players).hand, to: vault")
    assert knowledge(game, "table.vault") == [(A, A)]


def test_everything_together_keeps_who_knows_what_is_in_it() -> None:
    game = after("move: all, from: deck, to: vault")
    assert knowledge(game, "table.vault") == [(0, ALL)] * 4


def test_only_the_order_is_forgotten_by_a_shuffle() -> None:
    game = after(
        f"draw: 1, from: deck, {HAND_A}",
        "move: all, from: first(players).hand, to: deck",
        "shuffle: deck",
    )
    known = knowledge(game, "table.deck")
    assert {which for which, _ in known} == {0}
    aces = [within for item, (_, within) in zip(cells(game, "table.deck")[0], known, strict=True) if item == 0]
    assert sorted(aces) == aces
    assert sorted(within for _, within in known) == [A, A, A, A]


def test_the_owner_still_knows_a_shuffled_hand() -> None:
    game = after(f"draw: 3, from: deck, {HAND_B}", "shuffle: last(players).hand")
    assert knowledge(game, "player.hand", 1) == [(B, B)] * 3


def test_a_sort_forgets_the_order_too() -> None:
    game = after("draw: 3, from: deck, to: row", "move: all, from: row, to: vault", "sort: vault, by: 1")
    assert knowledge(game, "table.vault") == [(0, ALL)] * 3


def test_a_maybe_keeps_knowledge_while_it_is_full() -> None:
    game = after("draw: 1, from: deck, to: spot")
    assert knowledge(game, "table.spot") == [(0, 0)]
    game = after("draw: 1, from: deck, to: spot", "let: x, be: spot", "reveal: x, to: first(players)")
    assert knowledge(game, "table.spot") == [(A, A)]
    assert entries(game, "reveal") == [("reveal", "table.spot", (), None, 0, None, A)]
    game = after("draw: 1, from: deck, to: spot", "let: x, be: spot", "reveal: x", "move: all, from: spot, to: row")
    assert game.state.knowledge["table.spot"] == [0]


def test_a_reveal_tells_only_those_who_did_not_know() -> None:
    game = after(
        f"draw: 2, from: deck, {HAND_A}",
        "let: x, be: 'first(players).hand[1]'",
        "reveal: x",
        "let: y, be: 'first(players).hand[1]'",
        "reveal: y, to: all",
    )
    assert knowledge(game, "player.hand") == [(A, A), (ALL, ALL)]
    assert entries(game, "reveal") == [("reveal", "player.hand", (0,), 1, 0, None, B)]


def test_the_first_such_card_is_revealed_if_it_is_not_where_it_was() -> None:
    game = after(
        "let: x, be: 'vault[0]'",
        "let: y, be: 'deck[2]'",
        "reveal: x",
        "draw: 1, from: deck, to: row",
        "reveal: y, to: last(players)",
    )
    assert knowledge(game, "table.deck") == [(0, ALL), (B, ALL), (0, ALL)]


KNOWN_FIRST = ("let: k, be: 'deck[0]'", "reveal: k, to: last(players)")
"""The second player knows that the first card is an ace; the second card is one too, and the third is not."""


@pytest.mark.parametrize("place", [1, 2])
def test_a_hidden_card_that_is_moved_is_the_one_that_was_pointed_at(place: int) -> None:
    """If another copy went, who knows that copy would see which card it was."""
    game = after(*KNOWN_FIRST, f"let: x, be: 'deck[{place}]'", "move: x, from: deck, to: vault")
    assert knowledge(game, "table.deck") == [(B, B), (0, 0), (0, 0)]
    assert knowledge(game, "table.vault") == [(0, 0)]
    assert entries(game, "move")[-1][-1] == 0


@pytest.mark.parametrize("place", [1, 2])
def test_a_hidden_card_that_may_lie_elsewhere_by_now_leaves_from_no_place_that_is_seen(place: int) -> None:
    game = after(*KNOWN_FIRST, f"let: x, be: 'deck[{place}]'", "add: 1, to: n", "move: x, from: deck, to: vault")
    assert knowledge(game, "table.deck") == [(0, 0)] * 3
    assert knowledge(game, "table.vault") == [(0, 0)]
    assert entries(game, "move")[-1][-1] == 0


def test_who_knows_a_card_is_not_shown_another_copy_of_it() -> None:
    """A reveal by name says that there is such a card; to show the first one would say that there are two."""
    game = after(
        f"draw: 2, from: deck, {HAND_A}",
        "let: known, be: 'first(players).hand[1]'",
        "reveal: known, to: last(players)",
        "for: p, in: players, where: p == first(players), do: [{let: x, be: first(p.hand)}, {reveal: x, from: p.hand}]",
    )
    assert knowledge(game, "player.hand") == [(A, A), (ALL, ALL)]
    assert len(entries(game, "reveal")) == 1


def test_a_search_tells_everybody_what_was_found() -> None:
    game = after("move: six, from: deck, to: vault")
    assert knowledge(game, "table.vault") == [(ALL, ALL)]
    assert knowledge(game, "table.deck") == [(0, ALL)] * 3
    assert entries(game, "move")[0][-1] == -1


@pytest.mark.parametrize("place, seen", [("sack", 0), ("first(players).purse", A), ("row", -1)])
def test_out_of_a_bag_only_those_know_who_may_look_into_it(place: str, seen: int) -> None:
    game = after(f"move: all, from: deck, to: {place}", f"draw: 1, from: {place}, to: vault")
    assert entries(game, "move")[-1][-1] == seen


def test_inside_one_place_nobody_forgets_anything() -> None:
    game = after("let: x, be: 'deck[3]'", "reveal: x", "move: all, from: 'deck[3]', to: deck, position: first")
    assert knowledge(game, "table.deck") == [(ALL, ALL), (0, ALL), (0, ALL), (0, ALL)]


def test_one_can_ask_who_knows() -> None:
    steps = (
        f"draw: 1, from: deck, {HAND_A}",
        "if: 'knows(first(players), first(players).hand[0])', then: [{add: 1, to: n}]",
        "if: 'knows(last(players), first(players).hand[0])', then: [{add: 2, to: n}]",
        "if: 'knows(last(players), first(players).hand[5])', then: [{add: 4, to: n}]",
        "if: 'knows(last(players), spot)', then: [{add: 1, to: n}]",
        "draw: 1, from: deck, to: spot",
        "if: 'knows(last(players), spot)', then: [{add: 2, to: n}]",
    )
    assert cells(after(*steps), "table.n") == [6]


B_NAMES = (
    "for: p, in: players, where: p == last(players), do: [{let: x, be: 'p.hand[0]'}, {move: x, from: p.hand, to: %s}]"
)
"""The second player names the first card of that hand, which the first player does not know."""


def shown(index: int) -> tuple[str, str]:
    return (f"let: x{index}, be: 'last(players).hand[{index}]'", f"reveal: x{index}")


@pytest.mark.parametrize("known", [(), (0,), (1,), (2,), (1, 2), (0, 1, 2)])
def test_a_card_named_in_secret_leaves_no_place_that_tells_which_it_was(known: tuple[int, ...]) -> None:
    steps = [step for index in known for step in shown(index)]
    game = after(f"draw: 3, from: deck, {HAND_B}", *steps, B_NAMES % "vault")
    assert cells(game, "player.hand")[1] == (0, 1)
    assert knowledge(game, "player.hand", 1) == [(B, B), (B, B)], "an ace went, and it might have been any card"
    assert knowledge(game, "table.vault") == [(B, B)]
    assert entries(game, "move")[-1][-1] == B


@pytest.mark.parametrize(
    "known, left",
    [
        ((), [B, B]),
        ((0,), [B, B]),
        ((1,), [B, B]),
        ((0, 1), [ALL, B]),
        ((2,), [B, ALL]),
        ((1, 2), [B, ALL]),
    ],
)
def test_a_card_named_openly_might_be_any_such_card(known: tuple[int, ...], left: list[int]) -> None:
    """The first player saw cards of a hand with two aces; an ace is played, and nobody saw where it came from."""
    steps = [step for index in known for step in shown(index)]
    game = after(f"draw: 3, from: deck, {HAND_B}", *steps, "move: ace, from: last(players).hand, to: row")
    assert knowledge(game, "player.hand", 1) == [(B, within) for within in left]


def test_who_knows_a_whole_hand_knows_what_stays_of_it() -> None:
    steps = [step for index in range(3) for step in shown(index)]
    game = after(f"draw: 3, from: deck, {HAND_B}", *steps, "move: ace, from: last(players).hand, to: row")
    assert knowledge(game, "player.hand", 1) == [(ALL, ALL), (ALL, ALL)]


def test_a_card_named_in_secret_inside_a_hand_stays_in_it() -> None:
    game = after(f"draw: 3, from: deck, {HAND_B}", *shown(1), B_NAMES % "p.hand")
    assert cells(game, "player.hand")[1] == (0, 1, 0)
    assert knowledge(game, "player.hand", 1) == [(B, ALL), (B, B), (B, B)]


LOOKED_UP = """
    verb:
      main:
        do:
          - {let: x, be: "deck[1]"}
          - {reveal: x, to: first(players)}
          - {choose: take, by: first(players)}
    decision:
      take:
        options:
          take: {hidden: true, for: {card: card}, do: [{move: card, from: deck, to: vault}]}
"""


def test_who_names_a_card_takes_the_one_they_know() -> None:
    """Any other would show that there are two of them."""
    game = game_of(CARDS.split("    verb:", maxsplit=1)[0] + LOOKED_UP.lstrip("\n"))
    answer(game, "take 0")
    assert cells(game, "table.deck") == [(0, 1, 2)]
    assert knowledge(game, "table.deck") == [(0, A), (0, A), (0, A)]
    assert knowledge(game, "table.vault") == [(A, A)]


@pytest.mark.parametrize("place", ["spot", "vault"])
def test_a_card_moved_blindly_by_its_position_is_nowhere_known_to_be(place: str) -> None:
    """Everybody knew that it lay in the deck, and nobody can tell that it is the one that left."""
    game = after("shuffle: deck", f'move: all, from: "deck[0]", to: {place}')
    assert knowledge(game, f"table.{place}") == [(0, 0)]
    assert knowledge(game, "table.deck") == [(0, 0)] * 3


def test_a_whole_deck_that_is_moved_is_known_to_be_where_it_went() -> None:
    assert knowledge(after("shuffle: deck", "move: all, from: deck, to: vault"), "table.vault") == [(0, ALL)] * 4


@pytest.mark.parametrize("place", ["spot", "few", "vault"])
def test_which_cards_of_a_deck_went_is_known_only_if_all_of_them_did(place: str) -> None:
    """Where there is no room for all, nobody can tell which of the cards they knew to be in the deck fitted."""
    text = CARDS.replace("row:   list", "few:   {is: list of card up to 3, secret: content}\n        row:   list")
    moved = f"          - {{shuffle: deck}}\n          - {{move: all, from: deck, to: {place}, up_to: true}}\n"
    game = game_of(text + moved)
    within = ALL if place == "vault" else 0
    went = {"spot": 1, "few": 3, "vault": 4}[place]
    assert knowledge(game, f"table.{place}") == [(0, within)] * went
    assert knowledge(game, "table.deck") == [(0, 0)] * (4 - went)


TOLD = """
    state:
      table: {n: number 0..9}
      player: {vow: {is: number 0..9, secret: owner}, sure: {is: flag, secret: owner}}
    verb:
      main:
        do:
          - for: p
            in: players
            where: p == first(players)
            do:
              - {set: p.vow, to: 3}
              - {let: sworn, be: p.vow}
              - {set: p.vow, to: 4}
              - {reveal: sworn, to: %s}
              - {let: is_sure, be: p.sure}
              - {reveal: is_sure}
"""


@pytest.mark.parametrize("to, seats", [("all", [B]), ("last(players)", [B]), ("first(players)", [])])
def test_what_is_no_piece_is_told_to_those_who_did_not_know_it(to: str, seats: list[int]) -> None:
    game = game_of(TOLD % to)
    told = [("reveal", "player.vow", (0,), None, 3, None, mask) for mask in seats]
    assert entries(game, "reveal") == [*told, ("reveal", "player.sure", (0,), None, False, None, B)]
