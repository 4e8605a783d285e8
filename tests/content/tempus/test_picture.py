"""The picture of Tempus: all that matters is on the page, told apart without colour, in three languages."""

from __future__ import annotations

import random

import pytest

import aodrules
from aodrules import svg
from tests.content.tempus.playing import rules_of

PAGE = 'viewBox="0 0 1600 1412"'


def played(players: int, actions: int) -> aodrules.Game:
    game, chance = rules_of().new_game(players=players, seed=5), random.Random(3)
    for _ in range(actions):
        game.push(chance.choice(game.codes))
    return game


@pytest.mark.parametrize("players, actions", [(3, 0), (4, 60), (5, 300)])
def test_everything_has_its_place_on_the_page(players: int, actions: int) -> None:
    game = played(players, actions)
    for language in ("en", "pl", "ru"):
        assert PAGE in svg.render(game.view("red"), language=language)


def test_grounds_differ_without_colour() -> None:
    layout = rules_of().book.checked.layout
    icons = [str(part["icon"]) for part in layout.values() if str(part.get("of", "")).startswith("terrain.")]
    assert len(icons) == len({*icons}) == len(rules_of().components["terrain"])


def test_cities_of_different_worth_look_different() -> None:
    layout = rules_of().book.checked.layout
    looks = [str(part["icon"]) for part in layout.values() if str(part.get("of", "")).startswith("city.")]
    assert len({*looks}) == len(rules_of().components["city"])


def test_a_card_looks_like_its_sort() -> None:
    game = played(3, 300)
    seat = next(seat for seat in game.players if game.state.players[seat].hand)
    card = game.state.players[seat].hand[0]
    sort = card.rpartition("_")[0]
    icon = next(str(part["icon"]) for part in rules_of().book.checked.layout.values() if part.get("of") == sort)
    assert icon in svg.render(game.view(seat))


def test_each_era_shows_the_ground_that_it_asks_for() -> None:
    scene = svg.render(played(3, 0))
    assert scene.count("value-asked") == len(rules_of().components["stage"])
    assert all(
        f"stages.{stage}.asked.{ground}" in scene for stage, ground in (("writing", "farmland"), ("trade", "farmland"))
    )


def test_cubes_stand_on_the_row_of_their_player() -> None:
    game = played(5, 300)
    scene = svg.render(game.view("red"))
    rows = {seat: str(game.state.players[seat].stage) for seat in game.players}
    assert len({*rows.values()}) > 1
    for stage in rules_of().components["stage"]:
        shown = {seat for seat in game.players if f"stages.{stage}.cubes.{seat}" in scene}
        assert shown == {seat for seat, row in rows.items() if row == stage}
