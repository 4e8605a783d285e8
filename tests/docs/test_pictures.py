"""The pictures on pages are those that games of today make; `AODRULES_REWRITE=1` draws them anew."""

from __future__ import annotations

import os
from collections.abc import Callable

import pytest

import aodrules
from aodrules import bots, svg
from tests.docs.blocks import DOCS

ANSWERS = 190


def of_the_example() -> aodrules.Game:
    """Return the game that the page on drawing plays."""
    game = aodrules.load("isles").new_game(players=3, seed=4)
    for _ in range(9):
        game.push(game.actions[0])
    return game


def of_a_large_board() -> aodrules.Game:
    """Return a game of bots that is half over."""
    game = aodrules.load("empires+builders+national-advantages").new_game(players=4, seed=12)
    for _ in range(ANSWERS):
        game.push(bots.choose(game, "casual"))
    return game


@pytest.mark.parametrize("path, game", [("how-to/isles.svg", of_the_example), ("board.svg", of_a_large_board)])
def test_a_picture_on_a_page_is_what_its_game_draws(path: str, game: Callable[[], aodrules.Game]) -> None:
    drawn = svg.render(game())
    picture = DOCS / path
    if os.environ.get("AODRULES_REWRITE") == "1":
        picture.write_text(drawn, encoding="utf-8")
    assert picture.read_text(encoding="utf-8") == drawn
