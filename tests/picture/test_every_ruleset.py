"""Every ruleset has a picture: editions, variants and house rules, which no layout may know, and games without one."""

from __future__ import annotations

import json
import random
import shutil
from collections import Counter
from functools import cache
from pathlib import Path

import pytest
import yaml

import aodrules
from aodrules import svg
from aodrules.picture.scene import walk
from aodrules.source.shipped import shipped
from tests.content.compositions import EDITIONS
from tests.every_ruleset import marked, rules_of
from tests.picture.geometry import Box, Label, painted
from tests.picture.test_pictures import pieces_on_the_table
from tests.playing import staying


@cache
def heads() -> dict[tuple[str, str], dict[str, list[str]]]:
    """Return the heads of all variants of Age of Discovery by edition and name."""
    found = {}
    for path in sorted((shipped("variants") / "aod").rglob("*.yaml")):
        head = yaml.safe_load(path.read_text(encoding="utf-8"))
        if "variant" in head:
            for edition in head.get("editions") or EDITIONS:
                found[edition, head["variant"]] = {key: head.get(key, []) for key in ("requires", "conflicts")}
    return found


def closed(edition: str, name: str) -> set[str]:
    """Return a variant and all that it requires."""
    required = heads()[edition, name]["requires"]
    return {name}.union(*(closed(edition, each) for each in required))


def together(edition: str, seed: int) -> tuple[str, ...]:
    """Return as many variants as go together, in some order of preference."""
    names, chosen = [name for each, name in heads() if each == edition], set[str]()
    random.Random(seed).shuffle(names)
    for name in names:
        more = chosen | closed(edition, name)
        if not any(more & set(heads()[edition, each]["conflicts"]) for each in more):
            chosen = more
    return tuple(sorted(chosen))


def load(edition: str, names: tuple[str, ...]) -> aodrules.Rules:
    """Return an edition with variants; those that disagree with others are left out."""
    try:
        return aodrules.load("aod", (edition, *names), cache=False)
    except aodrules.RulesError:
        return aodrules.load("aod", (edition, *names[: len(names) // 2]), cache=False)


def assert_pictures(rules: aodrules.Rules, players: int, seed: int, decisions: int = 60) -> None:
    """Play at random, and see that all that is there is drawn, and each picture makes the next one by its patch."""
    game, chance = rules.new_game(players=players, seed=seed, engine="interpreter", undo=False), random.Random(seed)
    pictures = svg.Pictures()
    old = pictures.scene(game)
    for _ in range(4):
        for _ in range(decisions // 4):
            if not game.over:
                game.push(chance.choice(game.codes))
        new = pictures.scene(game)
        found = json.loads(json.dumps(svg.patch(old, new).plain()))
        assert found.pop("version") == svg.VERSION
        assert svg.apply(svg.Patch(**found), old) == new == svg.scene(game)
        old = new
    ids = Counter(node.id for node in walk(old.root))
    assert [each for each, many in ids.items() if many > 1] == []
    assert sum(node.pieces for node in walk(old.root)) == pieces_on_the_table(game)
    page = Box(0, 0, old.width, old.height)
    labels = [each for each in painted(old) if isinstance(each, Label)]
    assert [(each.text, each.node.id) for each in labels if not each.box.is_within(each.frame or page, 3)] == []


@pytest.mark.parametrize("edition, seed", [("empires", 1), ("aoe3-pl", 2)])
def test_what_many_variants_add_is_in_the_picture(edition: str, seed: int) -> None:
    names = together(edition, seed)
    assert len(names) > 12
    rules = load(edition, names)
    assert_pictures(rules, rules.players[1], seed)


@pytest.mark.soak
@pytest.mark.parametrize("edition, name", sorted(heads()))
def test_what_a_variant_adds_is_in_the_picture(edition: str, name: str) -> None:
    rules = load(edition, tuple(sorted(closed(edition, name))))
    assert_pictures(rules, rules.players[0], 3, 200)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_members_that_are_not_in_a_game_are_not_in_its_picture(players: int) -> None:
    rules = aodrules.load("harbour", ["busy-season"])
    assert_pictures(rules, players, 1, 12)
    picture = svg.render(rules.new_game(players=players, seed=1))
    assert ("dry_dock" in picture) == (players >= 3)


@pytest.mark.parametrize("word", ["harbour+foreign-crew", "isles+first-peoples"])
def test_pieces_of_sides_are_in_the_picture(word: str) -> None:
    assert_pictures(aodrules.load(word), 2, 1, 40)


def without_layout(word: str, folder: Path) -> aodrules.Rules:
    """Return rules that ship, as if they had no layout."""
    shutil.copytree(shipped("content") / word, folder / word, ignore=shutil.ignore_patterns("layout"))
    rules = aodrules.load(folder / word, cache=False)
    assert rules.new_game(players=rules.players[1], seed=1).tables.rules.layout == {}
    return rules


def test_a_game_on_a_map_without_a_layout_has_a_picture(tmp_path: Path) -> None:
    assert_pictures(without_layout("tempus", tmp_path), 4, 3, 24)


@pytest.mark.slow
def test_a_game_of_many_cards_without_a_layout_has_a_picture(tmp_path: Path) -> None:
    assert_pictures(without_layout("ages", tmp_path), 3, 3, 24)


@pytest.mark.slow
@pytest.mark.parametrize("word", ["ages", "tempus"])
def test_a_board_of_a_large_game_has_all_that_is_there(word: str) -> None:
    assert_pictures(aodrules.load(word), 3, 3, 24)


@pytest.mark.parametrize("word", ["picture", "layout", "more", "table", "state"])
def test_a_field_may_have_any_name(tmp_path: Path, word: str) -> None:
    path = tmp_path / "game.yaml"
    nim = (Path(__file__).parent.parent / "games" / "nim.yaml").read_text(encoding="utf-8")
    path.write_text(nim.replace("  table:\n", f"  table:\n    {word}: number 0..3\n", 1), encoding="utf-8")
    assert_pictures(aodrules.load(path, cache=False), 2, 1, 4)


@pytest.mark.parametrize("word", marked(("nim", "harbour", "caravan", "isles", "empires", "tempus", "ages")))
def test_what_may_be_chosen_is_called_as_in_the_picture(word: str) -> None:
    """What is clicked there is found among the candidates, whatever kind of a family it is shown or asked for as."""
    game, chance = rules_of(word).new_game(seed=5), random.Random(5)
    rules, met = game.book.checked, 0
    families = {f"{kind.name}.{member}": kind.family for kind in rules.kinds.values() for member in kind.members}
    for number in range(120):
        if game.over:
            break
        if number % 10 == 2:
            choices = game.choices
            while choices is not None and choices.part is not None:
                asked = {one.address for one in choices.candidates if one.address in families}
                shown = {node.symbol for node in svg.scene(game, seat=choices.player).nodes().values() if node.symbol}
                assert {each for each in asked | shown if each.split(".")[0] != families.get(each, "player")} == set()
                met += bool(asked & shown)
                choices = choices.pick(chance.choice([one for one in choices.candidates if one.possible]))
        game.push(chance.choice(staying(game)))
    assert met
