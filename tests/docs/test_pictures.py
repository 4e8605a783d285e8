"""The picture on the page is the one that its example makes; `AODRULES_REWRITE=1` draws it anew."""

from __future__ import annotations

import os

import aodrules
from aodrules import svg
from tests.docs.blocks import DOCS

PICTURE = DOCS / "how-to" / "isles.svg"


def test_the_picture_on_the_page_is_what_the_example_draws() -> None:
    game = aodrules.load("isles").new_game(players=3, seed=4)
    for _ in range(9):
        game.push(game.actions[0])
    drawn = svg.render(game)
    if os.environ.get("AODRULES_REWRITE") == "1":
        PICTURE.write_text(drawn, encoding="utf-8")
    assert PICTURE.read_text(encoding="utf-8") == drawn
