"""Everything in the box is there, as often as each book says."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.content.compositions import EDITIONS, rules_of

TILES = {
    "aoe3-pl": {"I": 11, "II": 13, "III": 10},
    "aoe3-ru": {"I": 12, "II": 14, "III": 10},
    "empires": {"I": 12, "II": 14, "III": 11},
    "empires+builders": {"I": 20, "II": 22, "III": 13},
}
PRINTED_WITH_BUILDERS = {"I": 20, "II": 22, "III": 15}
"""What the headers of the book say: two tiles of Age III are described nowhere."""


def attributes(word: str, kind: str) -> list[dict[str, object]]:
    edition, *variants = word.split("+")
    return [each.attributes for each in rules_of(edition, tuple(variants)).components[kind].values()]


@pytest.mark.parametrize("word", TILES)
def test_buildings_of_each_age(word: str) -> None:
    counts: Counter[object] = Counter()
    for tile in attributes(word, "building"):
        copies = tile["copies"]
        assert isinstance(copies, int)
        counts[tile["age"]] += copies
    assert counts == TILES[word]


def test_two_tiles_of_the_last_age_are_left_out() -> None:
    missing = Counter(PRINTED_WITH_BUILDERS) - Counter(TILES["empires+builders"])
    assert missing == {"III": 2}


@pytest.mark.parametrize("edition", EDITIONS)
def test_goods_ships_and_regions(edition: str) -> None:
    goods = attributes(edition, "good")
    assert (len(goods), sum(int(str(good["copies"])) for good in goods)) == (11, 46)
    assert [ship["copies"] for ship in attributes(edition, "ship")] == [8]
    regions = rules_of(edition).components["region"]
    assert len(regions) == 9
    assert [name for name, region in regions.items() if region.attributes["open"]] == ["caribbean"]
    grown = {str(region.attributes["grows"]) for region in regions.values()}
    assert set(rules_of(edition).components["good"]) - grown == {"cattle", "coffee"}


@pytest.mark.parametrize("edition", EDITIONS)
def test_discoveries_add_up(edition: str) -> None:
    totals: dict[bool, Counter[str]] = {True: Counter(), False: Counter()}
    for each in attributes(edition, "discovery"):
        for name in ("plunder", "per_soldier", "resistance", "points"):
            totals[bool(each["card"])][name] += int(str(each[name]))
    assert totals[False] == {"plunder": 31, "per_soldier": 52, "resistance": 48, "points": 82}
    assert totals[True] == {"plunder": 54, "per_soldier": 30, "resistance": 70, "points": 78}


@pytest.mark.parametrize("word, each_player", [("aoe3-pl", 60), ("empires", 60), ("empires+builders", 70)])
def test_workers_of_a_colour(word: str, each_player: int) -> None:
    assert sum(int(str(worker["each_player"])) for worker in attributes(word, "worker")) == each_player


def test_borders() -> None:
    graph = rules_of("empires").book.checked.graphs["borders"]
    regions = rules_of("empires").book.checked.kinds["region"].members
    degrees = {region: len(graph.neighbours[number]) for number, region in enumerate(regions)}
    assert degrees == {
        "canada": 1, "new_england": 2, "virginia": 2, "florida": 3, "new_spain": 3,
        "caribbean": 3, "new_granada": 4, "peru": 2, "brazil": 2,
    }  # fmt: skip


@pytest.mark.parametrize("players, spaces", [(2, 3), (3, 5), (4, 7), (5, 9), (6, 11)])
def test_the_dock_has_an_odd_number_of_spaces(players: int, spaces: int) -> None:
    tables = rules_of("empires").book.tables(players)
    box = rules_of("empires").book.checked.kinds["box"].members.index("colonist_dock")
    assert tables.attributes["box.row_of"][box] == spaces


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_table_is_laid(edition: str) -> None:
    game = rules_of(edition).new_game(players=4, seed=5)
    state = game.state
    assert sum(state["goods_pool"].values()) == 33
    assert sum(state["goods_offer"].values()) == 4
    assert sum(state["offer"].values()) == 5
    assert sum(state["port"].values()) == 1
    assert [state[f"players.{player}.cash"] for player in state["turn_order"]] == [10, 11, 12, 13]
    assert all(state[f"players.{player}.available"] == {"colonist": 5} for player in game.players)
    assert all(state[f"players.{player}.supply"]["colonist"] == 24 for player in game.players)
    assert [name for name in rules_of(edition).components["region"] if state[f"regions.{name}.token"] is None] == [
        "caribbean"
    ]
    assert state["regions.peru.good"] == "silver"
