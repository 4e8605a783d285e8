"""Rows of places: pieces slide together, and what goes with a piece goes where it goes and nowhere else."""

from __future__ import annotations

from typing import Any

import pytest

from aodrules.interpreter.interpreter import Interpreter
from tests.engines.playing import cells, entries, game_of

ROW = """
kinds:
  card: {plural: cards, pieces: {count: 2%(owned)s}}
  spot: {plural: spots, sorted_by: place, attributes: {place: number}}
card: {ace: {}, two: {}}
spot: {s1: {place: 1}, s2: {place: 2}, s3: {place: 3}, s4: {place: 4}}
state:
  table: {n: number 0..99}
  %(home)s
  spot:
    card:  {is: maybe card%(secret)s}
    coins: {is: number 2..9, goes_with: card}
    mark:  {is: maybe player, goes_with: card}
    dear:  {is: flag, start: true, goes_with: card}
    worn:  number 0..9
verb:
  main:
    do:
      - {set: n, to: 0}
"""
OPEN = {"owned": "", "home": "player: {hand: bag of card}", "secret": ""}
ACE, TWO = range(2)


def after(*steps: str, variant: str = "", **parts: str) -> Interpreter:
    text = ROW % {**OPEN, **parts}
    if "owned" not in parts:
        text = text.replace("table: {n:", "table: {deck: {is: bag of card, start: all}, n:")
    return game_of(text + "".join(f"      - {{{step}}}\n" for step in steps), variant=variant)


LAID = (
    "move: ace, from: deck, to: spots.s2.card",
    "move: two, from: deck, to: spots.s3.card",
    "move: ace, from: deck, to: spots.s4.card",
    "set: spots.s2.coins, to: 5",
    "set: spots.s3.mark, to: last(players)",
    "set: spots.s4.dear, to: false",
    "set: spots.s3.worn, to: 7",
)


def row(game: Interpreter) -> list[tuple[Any, ...]]:
    names = ("card", "coins", "mark", "dear")
    return list(zip(*(cells(game, f"spot.{name}") for name in names), strict=True))


def test_pieces_slide_to_the_first_places_with_what_goes_with_them() -> None:
    game = after(*LAID, "slide: spot.card")
    assert row(game) == [(ACE, 5, None, True), (TWO, 2, 1, True), (ACE, 2, None, False), (None, 2, None, True)]
    assert cells(game, "spot.worn") == [0, 0, 7, 0], "what is of the place stays there"


def test_a_row_without_a_gap_stays() -> None:
    game = after(*LAID, "slide: spot.card", "slide: spot.card")
    assert [card for card, *_ in row(game)] == [ACE, TWO, ACE, None]
    assert len(entries(game, "move")) == 6
    assert cells(after("slide: spot.card"), "spot.card") == [None] * 4


@pytest.mark.parametrize("step", ["move: all, from: spots.s2.card", "move: ace, from: spots.s2.card"])
def test_what_goes_with_a_piece_starts_anew_when_it_leaves(step: str) -> None:
    game = after(*LAID, f"{step}, to: deck", "move: ace, from: deck, to: spots.s2.card")
    assert row(game)[1] == (ACE, 2, None, True)


@pytest.mark.parametrize("what", ["all", "ace"])
def test_a_move_inside_the_row_takes_it_along(what: str) -> None:
    game = after(*LAID, f"move: {what}, from: spots.s2.card, to: spots.s1.card")
    assert row(game)[:2] == [(ACE, 5, None, True), (None, 2, None, True)]


def test_a_move_that_does_not_fit_changes_nothing() -> None:
    for step in ("move: all, from: spots.s2.card, to: spots.s3.card, up_to: true",):
        assert row(after(*LAID, step))[1:3] == [(ACE, 5, None, True), (TWO, 2, 1, True)]
    inside = after(*LAID, "move: all, from: spots.s2.card, to: spots.s2.card")
    assert row(inside)[1] == (ACE, 5, None, True)
    other = after(*LAID, "move: two, from: spots.s2.card, to: spots.s1.card")
    assert row(other)[:2] == [(None, 2, None, True), (ACE, 5, None, True)]


def test_the_places_of_a_move_are_those_before_it() -> None:
    where = "either(first(s for s in spots if s.card == none), s4)"
    game = after(*LAID, f'move: all, from: spots.s4.card, to: "{where}.card", as: moved', "set: n, to: moved")
    assert row(game)[0] == (ACE, 2, None, False)
    assert row(game)[3] == (None, 2, None, True)
    assert cells(game, "table.n") == [1]


EFFECTS = """
effects:
  came: {entering: spot.card, do: [{add: 1, to: n}]}
  went: {leaving: spot.card, do: [{add: 10 * spot.coins, to: n}]}
"""


def test_sliding_sets_nothing_off_and_effects_read_before_it_starts_anew() -> None:
    game = after(*LAID, "slide: spot.card", "move: all, from: spots.s1.card, to: deck", variant=EFFECTS)
    assert cells(game, "table.n") == [3 + 50]


def test_hidden_pieces_slide_too_and_stay_hidden() -> None:
    game = after(*LAID, "slide: spot.card", secret=", secret: content")
    assert [card for card, *_ in row(game)] == [ACE, TWO, ACE, None]
    known: list[Any] = game.state.knowledge["spot.card"]
    assert [number & 3 for number in known] == [3, 3, 3, 0]


def test_what_lay_with_the_pieces_of_who_left_is_not_found_by_the_next() -> None:
    game = after(
        "move: ace, of: last(players), from: hand, to: spots.s1.card",
        "set: spots.s1.coins, to: 8",
        "leave_game: last(players)",
        "move: two, of: first(players), from: hand, to: spots.s1.card",
        owned=", owned: true",
        home="player: {hand: {is: bag of card, start: all}}",
    )
    assert row(game)[0][:2] == (TWO, 2)
