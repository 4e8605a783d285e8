"""What lies in one `maybe` moves into another that is free, into one that is taken, and to where it lies."""

from __future__ import annotations

import pytest

from aodrules.compiler.lower.from_checked import plan
from aodrules.compiler.types.infer_types import infer_types
from aodrules.compiler.types.verify_types import verify_types
from aodrules.compiler.visit import walk
from tests.engines.playing import Both, cells, rules_of

ROW = """
    game: {players: 2..2, seats: [ann, bob], play: main}
    kinds: {spot: {plural: spots}, card: {plural: cards, pieces: {count: 1}}}
    spot: {a: {}, b: {}, c: {}}
    card: {one: {}, two: {}}
    state:
      table: {box: {is: bag of card, start: all}, aim: spot}
      spot: {card: maybe card, laid: maybe card}
    verb:
      main:
        do:
          - {move: one, from: box, to: spots.b.card}
          - {move: two, from: box, to: spots.c.card}
          - {set: aim, to: spots.AIM}
          - {move: all, from: spots.b.card, to: aim.FIELD}
          - {for: player, in: players, do: [{choose: go, by: player}]}
    decision: {go: {options: {wait: {do: []}}}}
    """


@pytest.mark.parametrize(
    "aim, field, row, laid",
    [
        ("a", "card", [0, None, 1], [None, None, None]),
        ("b", "card", [None, 0, 1], [None, None, None]),
        ("c", "card", [None, 0, 1], [None, None, None]),
        ("b", "laid", [None, None, 1], [None, 0, None]),
    ],
)
def test_a_piece_moves_where_there_is_room_or_where_it_lies(
    aim: str, field: str, row: list[int | None], laid: list[int | None]
) -> None:
    rules = rules_of(ROW.replace("AIM", aim).replace("FIELD", field))
    game = Both(rules, 2, 1)
    assert cells(game, "spot.card") == row
    assert cells(game, "spot.laid") == laid
    planned = plan(rules, 2)
    verify_types(planned, rules, infer_types(planned, rules))
    assert "move_all" not in {
        getattr(part, "function", "") for one in planned.graph.blocks.values() for part in walk(one)
    }
