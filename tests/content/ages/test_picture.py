"""The picture of Through the Ages: all that matters has its place on the page, in three languages, early and late."""

from __future__ import annotations

import random
import re

import pytest

import aodrules
from aodrules import svg
from tests.content.ages.playing import level_of, rules_of

PAGE = 'viewBox="0 0 1600 1668"'
LANGUAGES = ("en", "pl", "ru")


def played(players: int, actions: int, level: str = "") -> aodrules.Game:
    game, chance = level_of(level).new_game(players=players, seed=5), random.Random(3)
    for _ in range(actions):
        game.push(chance.choice(game.codes))
    return game


@pytest.mark.parametrize("players, actions", [(2, 0), (4, 120)])
def test_everything_has_its_place_on_the_page(players: int, actions: int) -> None:
    game = played(players, actions)
    for language in LANGUAGES:
        assert PAGE in svg.render(game.view("red"), language=language)


def test_workers_and_goods_stand_on_technologies_by_type_and_age() -> None:
    nodes = svg.scene(played(3, 0).view("red")).nodes()
    farm, mine = nodes["players.red.known.farm.agriculture"], nodes["players.red.known.mine.bronze"]
    assert (farm.x, farm.y < mine.y) == (mine.x, True)
    assert [(each.symbol, each.pieces) for each in farm.inside] == [("token.yellow", 2)]


def test_a_card_of_the_row_tells_what_it_costs() -> None:
    scene = svg.render(played(3, 0))
    stages = [each for each in level_of("").components["wonder"].values() if f'data-symbol="civil.{each.id}"' in scene]
    assert stages
    for wonder in stages:
        told = ", ".join(map(str, wonder.attributes["stages"]))
        assert f"stages {told}" in scene


def test_types_of_buildings_differ_without_colour() -> None:
    layout = rules_of().book.checked.layout
    icons = [str(part["icon"]) for part in layout.values() if str(part.get("of", "")).startswith("branch.")]
    assert len(icons) == len({*icons}) == len(rules_of().components["branch"])


def test_every_card_looks_like_its_sort() -> None:
    layout, kinds = rules_of().book.checked.layout, rules_of().book.checked.kinds
    looks = {str(part["of"]) for part in layout.values() if "of" in part}
    sorts = {kind.name for kind in kinds.values() if kind.family in ("civil", "military") and kind.name != kind.family}
    assert sorts <= looks


def test_every_value_on_the_board_has_words() -> None:
    rules = rules_of().book.checked
    shown = {name for part in rules.layout.values() for name in part.get("slots", {}) if name in rules.values}
    assert len(shown) > 10
    assert all(set(rules.texts[f"value.{name}"]) == {*LANGUAGES} for name in shown)


def test_a_military_hand_is_seen_by_its_owner_alone() -> None:
    game = played(3, 120)
    seat, card = next((one, card) for one in game.players for card in game.state.players[one].held)
    other = next(each for each in game.players if each != seat)
    path = re.compile(rf'id="players\.{seat}\.held\.{card}"')
    assert path.search(svg.render(game.view(seat)))
    assert not path.search(svg.render(game.view(other)))
