"""Scenes and patches: what makes one picture of another is exact, and ids stay."""

from __future__ import annotations

import json
import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

import aodrules
from aodrules import svg
from aodrules.picture.scene import Node, walk
from tests.playing import WORDS, fewer, random_game, rules_of

SHIPPED = ("aod", "empires")


def new_game(word: str, seed: int) -> aodrules.Game:
    rules = aodrules.load(word) if word in SHIPPED else rules_of(word)
    return rules.new_game(players=rules.players[1], seed=seed)


@pytest.mark.parametrize("word", [*WORDS, *SHIPPED])
@given(seed=st.integers(0, 1000), theme=st.sampled_from(["light", "dark"]))
@fewer
def test_a_patch_makes_the_next_picture_of_the_one_before(word: str, seed: int, theme: str) -> None:
    game, chance = new_game(word, seed), random.Random(seed)
    pictures = svg.Pictures(theme=theme)
    old = pictures.scene(game)
    for _ in range(6):
        for _ in range(chance.randrange(1, 12)):
            if not game.over:
                game.push(chance.choice(game.codes))
        new = pictures.scene(game)
        found = json.loads(json.dumps(svg.patch(old, new).plain()))
        assert found.pop("version") == svg.VERSION
        assert svg.apply(svg.Patch(**found), old) == new
        assert new == svg.scene(game, theme=theme), "what is kept from one picture to the next is as if drawn anew"
        old = new


@pytest.mark.parametrize("word", [*WORDS, *SHIPPED])
def test_ids_are_unique_and_stay_while_a_thing_stays(word: str) -> None:
    game, chance = new_game(word, 3), random.Random(3)
    frames: list[set[str]] = []
    for _ in range(30):
        ids = [node.id for node in walk(svg.scene(game).root)]
        assert [each for each, many in Counter(ids).items() if many > 1] == []
        frames.append({each for each in ids if each.count(".") == 1 and each.startswith("players.")})
        if not game.over:
            game.push(chance.choice(game.codes))
    assert len({frozenset(frame) for frame in frames}) == 1


def test_no_patch_is_needed_where_nothing_changed() -> None:
    game = random_game("harbour", 1, 20)
    assert not svg.patch(svg.scene(game), svg.scene(game))


@pytest.mark.parametrize("word", ["harbour", "isles"])
def test_a_patch_names_only_what_changed(word: str) -> None:
    game = random_game(word, 1, 20)
    old = svg.scene(game)
    game.push(game.actions[0])
    found = svg.patch(old, svg.scene(game))
    assert 0 < len(found.put) < len(old.nodes()) / 2


def test_what_moves_into_something_else_is_put_and_not_removed() -> None:
    coin = Node("coin")
    here = svg.Scene(1, 1, "", "", "en", Node("picture", inside=(Node("left", inside=(coin,)), Node("right"))))
    there = svg.Scene(1, 1, "", "", "en", Node("picture", inside=(Node("left"), Node("right", inside=(coin,)))))
    found = svg.patch(here, there)
    assert found.remove == ()
    assert svg.apply(found, here) == there
    assert svg.apply(svg.patch(there, here), there) == here


def test_a_new_frame_is_told() -> None:
    old, new = (svg.Scene(size, 1, "", "", "en", Node("picture")) for size in (1, 2))
    assert svg.apply(svg.patch(old, new), old) == new
