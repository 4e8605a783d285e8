"""Pictures of all games: well formed, complete, harmless, and without what somebody may not know."""

from __future__ import annotations

import random
import re
from functools import cache
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

import aodrules
from aodrules import svg
from aodrules.errors import ArgumentError
from aodrules.facts.state import PlainState
from aodrules.game import Game
from aodrules.picture.scene import walk
from aodrules.play.states import CellReader, reader_of
from tests.play.worlds import ALL, another_world, middle
from tests.playing import GAMES, WORDS, random_game

SVG = "{http://www.w3.org/2000/svg}"
TAGS = {f"{SVG}{tag}" for tag in ("svg", "g", "title", "desc", "rect", "circle", "path", "polygon", "text")}


NAMES = [*(f"{word} {many}" for word in WORDS for many in (0, 25, 80)), "aod 150", "empires 150", "harbour 1000"]


@cache
def game_of(name: str) -> aodrules.Game:
    """Return a game of some rules after so many random actions, or at its end."""
    word, many = name.split()
    if word in WORDS:
        return random_game(word, 5, int(many), undo=False)
    game, chance = aodrules.load(word).new_game(players=4, seed=2), random.Random(2)
    for _ in range(int(many)):
        game.push(chance.choice(game.codes))
    return game


def pieces_on_the_table(game: aodrules.Game) -> int:
    """Count the pieces in all fields that hold any and are not left out, as they lie in the plain state."""
    reader: CellReader = reader_of(game.state)
    state: PlainState = reader.state
    fields = reader.names.tables.rules.fields.values()
    omitted = {name for part in reader.names.tables.rules.layout.values() for name in part.get("omit", ())}
    held = [each for each in fields if each.holds not in (None, "player") and not each.name.startswith("out.")]
    held = [each for each in held if each.name not in omitted]
    found = 0
    for field in held:
        for cell in state.fields[field.name]:
            if str(field.type).startswith("bag"):
                assert isinstance(cell, tuple)
                found += sum(cell)
            else:
                found += len(cell) if isinstance(cell, tuple) else cell is not None
    return found


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_pictures_are_well_formed_and_can_do_no_harm(name: str, theme: str) -> None:
    game = game_of(name)
    text = svg.render(game, theme=theme, prefix="one-")
    root = ET.fromstring(text)
    assert {each.tag for each in root.iter()} <= TAGS
    for each in root.iter():
        names = set(each.attrib)
        assert not {name for name in names if name.startswith("on") or name == "style" or "href" in name}
        assert not [value for value in each.attrib.values() if "url(" in value or "javascript:" in value]
        assert each.get("id", "one-").startswith("one-")


@pytest.mark.parametrize("name", NAMES)
def test_every_piece_on_the_table_is_in_the_picture(name: str) -> None:
    game = game_of(name)
    for shown in (game, game.state, game.view(game.players[0])):
        assert sum(node.pieces for node in walk(svg.scene(shown).root)) == pieces_on_the_table(game)


@pytest.mark.parametrize("name", NAMES)
def test_nothing_stands_outside_of_the_picture(name: str) -> None:
    game = game_of(name)
    scene = svg.scene(game)
    for node in scene.root.inside:
        assert 0 <= node.x < scene.width
        assert 0 <= node.y < scene.height


def test_notebooks_show_what_everybody_may_know() -> None:
    game = game_of("caravan 25")
    assert game._repr_svg_() == svg.render(game) != svg.render(game.state)


def test_a_picture_says_what_it_is_to_those_who_do_not_see_it() -> None:
    root = ET.fromstring(svg.render(random_game("nim.yaml", 1, 1), prefix="p-"))
    assert root.get("role") == "img"
    named = {each.get("id"): each.text for each in root if each.tag in (f"{SVG}title", f"{SVG}desc")}
    assert root.get("aria-labelledby") == " ".join(map(str, named))
    assert all(named.values())


def test_whom_the_game_waits_for_is_marked() -> None:
    game = random_game("harbour", 2, 8)
    assert game.decision is not None
    asked = [node.id for node in walk(svg.scene(game).root) if "asked" in node.classes]
    assert asked == [f"players.{game.decision.player}"]


@pytest.mark.parametrize("word", ["harbour", "isles", "nim.yaml"])
def test_a_picture_says_what_is_asked_of_whom(word: str) -> None:
    game = random_game(word, 2, 4)
    assert game.decision is not None
    for language in ("en", "pl"):
        (shown,) = (node for node in walk(svg.scene(game, language).root) if "question" in node.classes)
        assert f"seat-{game.decision.player}" in shown.classes
        assert shown.label.casefold().startswith(f"{game.decision.player}: ")
        assert shown.label.endswith(game.decision.text(language))
    while not game.over:
        game.push(game.actions[0])
    (shown,) = (node for node in walk(svg.scene(game).root) if "question" in node.classes)
    assert shown.label == "The game is over"
    # A state says what is, not what is asked.
    (shown,) = (node for node in walk(svg.scene(random_game(word, 2, 4).state).root) if "question" in node.classes)
    assert shown.label == ""


@pytest.mark.parametrize("word", ["harbour", "caravan"])
def test_what_is_empty_is_named_behind_what_is_not(word: str) -> None:
    game = random_game(word, 5, 12, undo=False)
    nodes = svg.scene(game).nodes()
    for seat in game.players:
        slots = [node for node in nodes[f"players.{seat}"].inside if "slot" in node.classes]
        empty = [not node.inside for node in slots]
        assert 0 < sum(empty) < len(empty)
        assert empty == sorted(empty)


def test_cells_do_not_show_where_they_lead(tmp_path: Path) -> None:
    house = tmp_path / "currents.yaml"
    house.write_text(
        "variant: currents\nhouse: true\nadd: {state.hex.leads: set of hex}\n"
        "insert:\n  - first: verb.set_up\n    do: [{set: hexes.b2.leads, to: set(h for h in hexes)}]\n",
        encoding="utf-8",
    )
    game = aodrules.load(GAMES / "isles", [house], cache=False).new_game(players=2, seed=1)
    shown = svg.scene(game).nodes()
    assert len(game.state["hexes.b2.leads"]) == 30
    assert [id_ for id_ in shown if ".leads" in id_] == []


def test_a_picture_is_in_the_language_that_was_asked_for() -> None:
    game = random_game("nim.yaml", 1, 0)
    assert svg.render(game, "pl") != svg.render(game, "en")
    assert 'lang="pl"' in svg.render(game, "pl")


def test_texts_are_written_as_texts() -> None:
    hostile = '<script>&"\x00\x1b'
    scene = svg.Scene(1, 1, hostile, hostile, hostile, svg.Node("picture", (hostile,), title=hostile, symbol=hostile))
    from aodrules.picture.svg_text import svg_text

    root = ET.fromstring(svg_text(scene, prefix=hostile))
    assert re.findall(r"<script", svg_text(scene)) == []
    assert root[0].text == '<script>&"\ufffd\ufffd'


def test_who_looks_at_a_view_is_whose_it_is() -> None:
    game = random_game("caravan", 1, 5)
    first, second = game.players[:2]
    assert svg.render(game.view(first), seat=first) == svg.render(game, seat=first) == svg.render(game.view(first))
    with pytest.raises(ArgumentError, match="shown as it is"):
        svg.render(game.view(first), seat=second)
    with pytest.raises(ArgumentError, match="has no seat"):
        svg.render(game, seat="nobody")
    with pytest.raises(ArgumentError, match="no theme"):
        svg.render(game, theme="pink")


@pytest.mark.parametrize("word", ALL)
@pytest.mark.parametrize("decisions", [9, 40])
def test_worlds_that_a_seat_cannot_tell_apart_give_it_equal_pictures(word: str, decisions: int) -> None:
    game = middle(word, 7, decisions)
    truth = {seat: svg.scene(game, seat=seat) for seat in game.players}
    for number, seat in enumerate(game.players):
        for seed in range(2):
            other = Game(game.book, game._seating, another_world(game, number, seed))
            assert svg.scene(other, seat=seat) == truth[seat]
            assert svg.scene(other) == svg.scene(game), "who has no seat knows no more than any seat"


def test_pictures_can_tell_worlds_apart() -> None:
    # Who sees everything sees the difference.
    game = middle("caravan", 7, 9)
    other = Game(game.book, game._seating, another_world(game, 0, 1))
    assert svg.scene(other.state) != svg.scene(game.state)


def test_what_was_drawn_for_one_is_not_shown_to_another() -> None:
    game, pictures = middle("caravan", 7, 9), svg.Pictures()
    views = [game.view(seat) for seat in game.players]
    shown: list[aodrules.State | aodrules.Game] = [game.state, game, *views, game.state]
    for each in shown:
        assert pictures.scene(each) == svg.scene(each)
