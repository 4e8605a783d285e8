"""Pieces are moved only into fields that exist, whatever the number of players."""

from __future__ import annotations

import pytest

from tests.check.over_small_game import checked

GAME = """
game: {{players: 2..4, seats: [ann, bob, cid, dan], play: main}}
kinds:
  post: {{plural: posts, attributes: {{tall: number}}}}
  cube: {{plural: cubes, pieces: {{count: 3}}}}
post: {{north: {{tall: 1}}, south: {{tall: 2}}}}
cube: {{amber: {{}}}}
state:
  table: {{pit: {{is: bag of cube, start: all}}}}
  post: {{heap: {{is: bag of cube, only: "{only}"}}}}
verb: {{main: {{do: [{step}]}}}}
"""
MOVE = "{move: amber, from: pit, to: posts.south.heap}"


@pytest.mark.parametrize(
    "only, step, expected",
    [
        ("post.tall > 1", MOVE, []),
        ("post.tall > 2", MOVE, ["move-into-missing-field"]),
        ("post.tall + len(players) > 3", MOVE, []),
        ("post.tall + len(players) > 4", MOVE, ["move-into-missing-field"]),
        ("post.tall + len(players) < 6", MOVE, ["move-into-missing-field"]),
        ("post.tall > 1 and len(players) < 9", MOVE, []),
    ],
)
def test_a_field_is_there_for_every_number_of_players(only: str, step: str, expected: list[str]) -> None:
    assert checked(GAME.format(only=only, step=step)).codes == expected


@pytest.mark.parametrize("body", ["options: {fill: {do: [$]}}", "options: {}, otherwise: [$]"])
def test_a_place_that_a_decision_is_given_must_be_there(body: str) -> None:
    asked = '{choose: fill, by: "first(players)", spot: posts.south.heap}'
    decision = f"{{given: {{spot: place of cube}}, {body.replace('$', '{move: amber, from: pit, to: spot}')}}}"
    there, missing = (GAME.format(only=f"post.tall > {least}", step=asked) for least in (1, 2))
    assert checked(f"{there}decision: {{fill: {decision}}}\n").codes == []
    assert checked(f"{missing}decision: {{fill: {decision}}}\n").codes == ["move-into-missing-field"]
