"""Pieces that leave a row by name, and whole rows, where nothing is logged: seats know what they know with a log."""

from __future__ import annotations

import random
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

from aodrules.compiler.codegen.module import generate
from aodrules.compiler.lower.from_checked import plan
from aodrules.compiler.runtime import moves, quiet_moves
from aodrules.compiler.source_listing import format_listing
from tests.engines.playing import Both, rules_of

CARDS = """
game: {players: 3..3, seats: [ann, bob, cid], play: deal}
kinds:
  card: {plural: cards, attributes: {many: number}, pieces: {count: many}}
card: {ant: {many: 3}, bee: {many: 2}, cow: {many: 1}}
state:
  table:
    deck: {is: list of card, start: all, secret: content}
    heap: list of card
    dark: {is: list of card up to 4, secret: content}
    shown: maybe card
    veiled: {is: maybe card, secret: content}
  player:
    hand: {is: list of card, secret: owner}
    laid: list of card up to 2
    held: {is: maybe card, secret: owner}
verb:
  deal:
    do:
      - {shuffle: deck}
      - for: player
        in: players
        do: [{draw: 2, from: deck, to: player.hand}]
      - repeat: 12
        do:
          - for: player
            in: players
            do: [{choose: act, by: player}]
decision:
  act:
    options:
      lay:
        hidden: true
        for: [card]
        where: [card in player.hand, len(player.laid) < 2]
        do: [{move: card, from: player.hand, to: player.laid}]
      hide:
        hidden: true
        for: [card]
        where: [card in player.hand, len(dark) < 4]
        do: [{move: card, from: player.hand, to: dark}]
      hold:
        hidden: true
        for: [card]
        where: [card in player.hand, player.held == none]
        do: [{move: card, from: player.hand, to: player.held}]
      show: {for: [card], where: [card in player.laid, shown == none], do: [{move: card, from: player.laid, to: shown}]}
      take: {for: [card], where: [card in player.laid], do: [{move: card, from: player.laid, to: player.hand}]}
      veil: {where: [veiled == none], do: [{move: all, from: player.held, to: veiled}]}
      unveil: {do: [{move: all, from: veiled, to: player.hand}]}
      hush: {where: [len(dark) == 0, len(heap) <= 4], do: [{move: all, from: heap, to: dark}]}
      sink: {do: [{move: all, from: shown, to: heap}, {move: all, from: dark, to: heap}]}
      drop: {do: [{move: all, from: player.held, to: heap}]}
      swap: {do: [{move: all, from: player.laid, to: player.hand}]}
      give: {do: [{roll: players, as: other}, {move: all, from: player.hand, to: other.hand}]}
      draw: {do: [{draw: 1, from: deck, to: player.hand, up_to: true}]}
"""


# Cards are put away unseen and taken back from the top, so that who put them there knows less and less.
POND = """
game: {players: 3..3, seats: [ann, bob, cid], play: deal}
kinds:
  fish: {plural: fishes, attributes: {many: number}, pieces: {count: many}}
fish: {carp: {many: 3}, pike: {many: 3}, tench: {many: 3}}
state:
  table:
    deck: {is: list of fish, start: all, secret: content}
    pond: {is: list of fish, secret: content}
  player:
    hand: {is: list of fish, secret: owner}
verb:
  deal:
    do:
      - {shuffle: deck}
      - for: player
        in: players
        do: [{draw: 3, from: deck, to: player.hand}]
      - repeat: 12
        do:
          - for: player
            in: players
            do: [{choose: act, by: player}]
decision:
  act:
    options:
      hide:
        hidden: true
        for: [fish]
        where: [fish in player.hand]
        do: [{move: fish, from: player.hand, to: pond}]
      fish: {where: [len(pond) > 0], do: [{draw: 1, from: pond, to: player.hand}]}
"""


def play(seed: int, text: str = CARDS) -> None:
    """Play a game on the interpreter and on both forms of generated code; they are compared after every answer."""
    both, chance = Both(rules_of(text), 3, seed), random.Random(seed)
    while both.codes:
        both.apply(chance.choice(both.codes))


@pytest.mark.parametrize("seed", range(12))
def test_each_seat_knows_the_same(seed: int) -> None:
    play(seed)
    play(seed, POND)


@pytest.mark.parametrize(
    "where, name, wrong",
    [
        (moves, "_known_by", lambda target, seen: [0] * len(seen) if target[0].knowledge >= 0 else ()),
        (moves, "_known_together", lambda _cells, _layout, _cell, _seats: [0] * 9),
        (moves, "blurred", lambda numbers, *_: numbers),
        (quiet_moves, "taken_by_name", lambda *_: 0),
        (quiet_moves, "forgotten", lambda numbers, *_: [0] * len(numbers)),
    ],
)
def test_a_mistake_in_what_is_known_is_noticed(
    where: ModuleType, name: str, wrong: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(where, name, wrong)
    with pytest.raises(AssertionError):
        play_many()


def play_many() -> None:
    for seed in range(12):
        play(seed)
        play(seed, POND)


def test_where_nothing_is_logged_the_runtime_is_told_what_is_fixed_about_both_places() -> None:
    planned = plan(rules_of(CARDS), 3)
    bare, logged = (format_listing(generate(planned, log=log)) for log in (False, True))
    for function in ("draw_one(", "move_named(", "move_row("):
        assert function in bare
        assert function not in logged
