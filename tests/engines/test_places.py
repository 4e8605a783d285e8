"""A verb can read the place it is given, whatever sort of field that is."""

from __future__ import annotations

import pytest

from tests.engines.playing import cells, game_of

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
    rack: list of pawn up to 3
    stand: maybe pawn
verb:
  main:
    do:
      - {{move: horse, of: first(seats), from: home, to: line}}
      - {{move: foot, of: first(seats), from: home, to: rack}}
      - for: player
        in: players
        do:
          - {{move: horse, of: player, from: home, to: rack}}
          - {{move: foot, of: player, from: home, to: stand}}
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
        ("pawn", "home", "len(where)", 4),
        ("pawn", "home", '"size(where[first(seats)])"', 1),
        ("pawn", "home", '"where[last(seats)][foot]"', 2),
        ("pawn", "home", "count(w.owner == last(seats) for w in where)", 3),
        ("pawn", "home", "count(w.owner == last(seats) and w.pawn == foot for w in where)", 2),
        ("pawn", "line", "len(where)", 1),
        ("pawn", "line", '"where[first(seats)][horse]"', 1),
        ("pawn", "line", '"where[last(seats)][horse]"', 0),
        ("pawn", "line", "count(w.pawn == horse for w in where)", 1),
        ("pawn", "rack", "len(where)", 3),
        ("pawn", "rack", '"where[first(seats)][foot]"', 1),
        ("pawn", "rack", "count(w.owner == first(seats) for w in where)", 2),
        ("pawn", '"rack[0]"', "len(where)", 2),
        ("pawn", '"rack[0]"', '"size(where[first(seats)])"', 1),
        ("pawn", '"first(players).rack[1]"', "count(w.pawn == horse for w in where)", 1),
        ("pawn", '"first(players).rack[1]"', '"size(where[last(seats)])"', 0),
        ("pawn", "stand", "count(w.owner == last(seats) for w in where)", 1),
        ("pawn", "stand", '"where[last(seats)][foot]"', 1),
        ("card", "deck", "size(where)", 3),
        ("card", "pile", '"where[ace]"', 1),
        ("card", "pile", "count(c == king for c in where)", 0),
        ("card", '"deck[2]"', "count(c == king for c in where)", 1),
    ],
)
def test_a_place_tells_what_it_holds(kind: str, place: str, formula: str, found: int) -> None:
    game = game_of(GAME.format(kind=kind, place=place, formula=formula))
    assert cells(game, "table.found") == [found]
