from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest

from aodrules.game import Game
from tests.play import secret_games as small
from tests.play.worlds import another_world, middle
from tests.playing import random_game


class Tags(HTMLParser):
    """All tags of a text, with their attributes, and its words."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: list[object] = []
        self.words: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes += attrs

    def handle_data(self, data: str) -> None:
        self.words.append(data)


SAFE = {"div", "details", "summary", "table", "thead", "tbody", "tr", "th", "td"}


def tables_of(html: str) -> str:
    """Return what is written around the picture, which has tests of its own."""
    before, found = html.split("<svg ", 1)
    return before + found.split("</svg>", 1)[1]


@pytest.mark.parametrize("word", ["harbour", "caravan", "isles"])
def test_a_position_is_shown_in_words(word: str) -> None:
    game = random_game(word, 1, 15)
    for shown in (game, game.view(None), game.view(game.players[0])):
        text, html = str(shown), Tags(tables_of(shown._repr_html_()))
        assert text.splitlines()[0].startswith(f"{word}: ")
        assert text.splitlines()[0] in html.words
        assert html.tags <= SAFE
        assert html.attributes == []
        assert max(map(len, text.splitlines())) < 400
        assert "\n" not in repr(shown)


def test_a_finished_game_says_so() -> None:
    game = random_game("nim.yaml", 1, 10**6)
    assert str(game).splitlines()[0] == "nim: The game is over"


@pytest.mark.parametrize("word", ["caravan", "harbour", "sorts", "openly"])
def test_what_a_view_shows_in_words_does_not_depend_on_what_is_hidden(word: str) -> None:
    game = middle(word, 1, 7)
    for seat, name in enumerate(game.players):
        other = Game(game.book, game._seating, another_world(game, seat, 3))
        for view, as_well in ((game.view(name), other.view(name)), (game.view(None), other.view(None))):
            assert str(view) == str(as_well)
            assert view._repr_html_() == as_well._repr_html_()
            assert view._repr_svg_() == as_well._repr_svg_()


def test_texts_of_strangers_stay_texts() -> None:
    names = 'text:\n  state.player.won: {en: "<script>alert(1)</script> & more"}\n'
    game = small.rules_of(small.DICE + names).new_game(players=2, seed=4)
    game.push("bet 1")
    html = Tags(tables_of(game._repr_html_()))
    assert html.tags <= SAFE
    assert "<script>alert(1)</script> & more" in html.words
    assert "<script>" in str(game)


def test_long_cells_are_cut_in_texts_and_whole_in_html() -> None:
    game = random_game("caravan", 1, 0)
    assert "…" in str(game)
    assert "…" not in tables_of(game._repr_html_())


def test_two_pictures_on_one_page_share_no_ids() -> None:
    """Notebooks show HTML before SVG where they have both, all outputs on one page."""
    game = random_game("isles", 1, 4)
    pages = [game._repr_html_()]
    game.push(game.actions[0])
    pages.append(game._repr_html_())
    ids = [set(re.findall(r'\bid="([^"]+)"', page)) for page in pages]
    assert all(len(each) > 20 for each in ids)
    assert not ids[0] & ids[1]
    assert game._repr_html_() == pages[1]
