"""A draw among several places: every piece in all of them is equally likely, and nothing else is told or moved."""

from __future__ import annotations

import pytest

from tests.engines.fairness import FLUKE, fit
from tests.engines.playing import cells, entries, game_of, games_of

PLACES = """
kinds: {card: {plural: cards, pieces: {count: 2}}, spot: {plural: spots}}
card: {axe: {}, bow: {}, cat: {}}
spot: {left: {}, right: {}}
state:
  table: {deck: {is: bag of card, start: all}, drawn: list of card}
  player: {hand: {is: list of card, secret: owner}}
  spot: {row: list of card, heap: bag of card}
verb:
  main:
    do:
      - {move: axe, from: deck, to: %(place)s(0)}
      - {move: bow, count: 2, from: deck, to: %(place)s(1)}
      - {move: cat, from: deck, to: %(place)s(1)}
      - {draw: %(count)s, from: %(from)s, among: {%(among)s}, to: drawn}
"""
HANDS = {"from": "p.hand", "among": "p: players"}
ROWS = {"from": "spot.row", "among": "spot: spots"}
HEAPS = {"from": "spot.heap", "among": "spot: spots"}


def rules(places: dict[str, str], count: str = "1") -> str:
    text = PLACES % {**places, "count": count, "place": "PLACE"}
    field = places["from"].split(".")[1]
    first, second = ("first(players)", "last(players)") if field == "hand" else ("spots.left", "spots.right")
    return text.replace("PLACE(0)", f"{first}.{field}").replace("PLACE(1)", f"{second}.{field}")


@pytest.mark.parametrize("places", [HANDS, ROWS, HEAPS])
def test_every_piece_is_equally_likely(places: dict[str, str]) -> None:
    # Both engines play each game, and agree: what holds of one holds of the other.
    begin = games_of(rules(places))
    found = [cells(begin(seed), "table.drawn")[0] for seed in range(400)]
    assert fit(found, [(0,), (1,), (1,), (2,)]) > FLUKE


def test_pieces_that_are_drawn_are_gone_before_the_next() -> None:
    game = game_of(rules(ROWS, "3"))
    assert len(cells(game, "table.drawn")[0]) == 3
    game = game_of(rules(HANDS, "9"))
    assert sorted(cells(game, "table.drawn")[0]) == [0, 1, 1, 2]
    assert entries(game, "cut", "bound") == []


def test_the_order_of_open_lists_stays() -> None:
    begin = games_of(rules(ROWS))
    for seed in range(20):
        rest = cells(begin(seed), "spot.row")[1]
        assert [*rest] == sorted(rest)
