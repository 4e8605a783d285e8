"""A verb can read the place it is given, whatever sort of field that is."""

from __future__ import annotations

import pytest

from tests.engine.playing import cells, game_of

GAME = """
kinds:
  pawn: {{plural: pawns, attributes: {{each_player: number}}, pieces: {{count: each_player, owned: true}}}}
  card: {{plural: cards, pieces: {{count: 2}}}}
pawn:
  foot:  {{each_player: 3}}
  horse: {{each_player: 2}}
card:
  ace: {{}}
  king: {{}}
state:
  table:
    line:  list of pawn up to 9
    deck:  {{is: list of card, start: all}}
    pile:  bag of card
    found: number 0..99
  player:
    home: {{is: bag of pawn, start: all}}
verb:
  main:
    do:
      - {{move: horse, of: seats_first(), from: home, to: line}}
      - {{move: ace, from: deck, to: pile}}
      - {{look: , where: {place}}}
  look:
    given: {{where: place of {kind}}}
    do: [{{set: found, to: {formula}}}]
value:
  seats_first: {{is: first(p for p in seats)}}
"""


@pytest.mark.parametrize(
    "kind, place, formula, found",
    [
        ("pawn", "home", "len(where)", 9),
        ("pawn", "home", '"size(where[seats_first()])"', 4),
        ("pawn", "home", '"where[seats_first()][foot]"', 3),
        ("pawn", "line", "len(where)", 1),
        ("pawn", "line", '"where[seats_first()][horse]"', 1),
        ("pawn", "line", "count(w.pawn == horse for w in where)", 1),
        ("card", "deck", "size(where)", 3),
        ("card", "pile", '"where[ace]"', 1),
        ("card", "pile", "count(c == king for c in where)", 0),
    ],
)
def test_a_place_tells_what_it_holds(kind: str, place: str, formula: str, found: int) -> None:
    game = game_of(GAME.format(kind=kind, place=place, formula=formula))
    assert cells(game, "table.found") == [found]
