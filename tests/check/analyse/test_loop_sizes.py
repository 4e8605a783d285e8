"""Loops over everything that holds members are counted, whether or not their kind has pieces."""

from __future__ import annotations

from typing import Any

import pytest

from tests.check.over_small_game import checked
from tests.engines.playing import Both, rules_of

GAME = """
game: {{players: 2, seats: [one, two], play: go}}
kinds:
  post:
    plural: posts
    attributes: {{tall: number}}
    hooks: {{ring: {{}}}}
{pieces}
post:
  north: {{tall: 3, ring: [{{add: 1, to: rung}}]}}
  south: {{tall: {tall}}}
state:
  table:
    lit:  {held}
{box}
    rung: number 0..99
verb:
  go:
    do:
      - {fill}
      - for: post
        in: lit
        do: [{inside}]
      - {{choose: nod, by: 'first(seats)'}}
decision:
  nod: {{options: {{nod: {{do: []}}}}}}
"""
WITH_PIECES = {"pieces": "    pieces: {count: 2}", "box": "    box: {is: bag of post, start: all}"}
WITHOUT = {"pieces": "", "box": ""}
FILLED = {
    "set of post": "{add: south, to: lit}",
    "list of post": "{move: south, from: box, to: lit}",
    "list of post up to 9": "{move: south, from: box, to: lit}",
    "bag of post": "{move: south, from: box, to: lit}",
}
INSIDE = {
    "loop": "{for: n, in: range(post.tall), do: [{add: 1, to: rung, up_to: true}]}",
    "hook": "{run: post.ring}",
    "both": "{for: n, in: range(post.tall), do: [{run: post.ring}]}",
}


def written(held: str, inside: str, *, tall: int, pieces: bool) -> str:
    parts: dict[str, Any] = WITH_PIECES if pieces else WITHOUT
    return GAME.format(held=held, inside=INSIDE[inside], tall=tall, fill=FILLED[held], **parts)


CASES = [
    (held, inside, pieces)
    for held in FILLED
    for inside in INSIDE
    for pieces in (False, True)
    if pieces or held == "set of post"
]


@pytest.mark.parametrize("held, inside, pieces", CASES)
def test_a_loop_over_what_a_field_holds_plays(held: str, inside: str, *, pieces: bool) -> None:
    game = Both(rules_of(written(held, inside, tall=2, pieces=pieces)), 2, 1)
    assert game.plain().fields["table.rung"] == [2 if inside == "loop" else 0]


@pytest.mark.parametrize("held, pieces", sorted({(held, pieces) for held, _, pieces in CASES}))
def test_the_rounds_of_each_member_are_counted(held: str, *, pieces: bool) -> None:
    few, many = (checked(written(held, "loop", tall=tall, pieces=pieces)).codes for tall in (1000, 2_000_000))
    assert (few, many) == ([], ["too-much-work"])


def test_a_set_holds_a_member_once_however_many_pieces_there_are() -> None:
    assert checked(written("set of post", "loop", tall=900_000, pieces=True)).codes == []
