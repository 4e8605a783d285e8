"""Layouts: what they place is placed, what they do not place is shown all the same, and what is hostile is refused."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

import aodrules
from aodrules import svg
from aodrules.check.resolve.layouts import wrong_outline
from aodrules.picture.scene import Node, walk
from tests.playing import GAMES

NIM = (GAMES / "nim.yaml").read_text(encoding="utf-8")


def drawn(tmp_path: Path, layout: str, rules: str = NIM) -> dict[str, Node]:
    """Return the picture of a first position by a layout."""
    path = tmp_path / "game.yaml"
    path.write_text(f"{rules}\n{layout}", encoding="utf-8")
    game = aodrules.load(path, cache=False).new_game(players=2, seed=1)
    return svg.scene(game).nodes()


def test_a_field_stands_where_the_layout_wants_it(tmp_path: Path) -> None:
    nodes = drawn(
        tmp_path, "layout:\n  page: {page: [500, 300]}\n  taken: {slot: last_taker, at: [40, 50], size: [90, 60]}\n"
    )
    assert (nodes["last_taker"].x, nodes["last_taker"].y) == (40, 50)
    # What is not placed is shown below the page.
    assert any(each.y > 300 for each in nodes["picture"].inside)


def test_a_layout_says_where_stands_what_is_asked(tmp_path: Path) -> None:
    layout = "layout:\n  page: {page: [500, 300]}\n  asked: {question: [300, 30], at: [60, 70]}\n"
    node = drawn(tmp_path, layout)["layout.asked"]
    assert (node.x, node.y, node.label) == (60, 70, "First: Take stones from a heap")


def test_a_slot_may_have_a_ground_and_what_lies_there_stays_on_it(tmp_path: Path) -> None:
    slot = "slot: taken, at: [40, 50], size: [90, 60], name: false"
    for ground in ("", ", fill: land, line: ink"):
        layout = f"layout:\n  page: {{page: [500, 300]}}\n  taken: {{{slot}{ground}}}\n"
        path = tmp_path / "game.yaml"
        path.write_text(f"{NIM}\n{layout}", encoding="utf-8")
        game = aodrules.load(path, cache=False).new_game(players=2, seed=1)
        game.push(game.actions[0])
        node = svg.scene(game).nodes()["taken"]
        assert [mark[0] for mark in node.marks] == (["rect"] if ground else [])
        assert (node.inside[0].x > 0) == bool(ground)


TOWN = """
game: {players: 2, seats: [first, second], begin: grow_old, play: wait, winner: {most: total(player)}}
kinds:
  house: {attributes: {rent: number}, pieces: {count: 1}}
house:
  inn: {rent: 7}
  mill: {rent: 12}
state:
  table:
    open: {is: list of house, start: all}
  player: {coins: number 0..9}
  house:
    worn: flag
    guests: number 0..9
verb:
  grow_old: {do: [{set: houses.mill.worn, to: true}, {set: houses.inn.guests, to: 4}]}
  wait: {do: [{for: player, in: players, do: [{choose: wait, by: player}]}]}
decision: {wait: {option: wait, do: []}}
"""


@pytest.mark.parametrize("manner, is_beside", [("cards", True), ("names", True), ("grid", False)])
def test_what_is_known_of_a_thing_stands_where_its_name_stands(tmp_path: Path, manner: str, is_beside: bool) -> None:
    slot = f"{{slot: open, at: [0, 0], size: [400, 200], as: {manner}}}"
    nodes = drawn(tmp_path, f"layout:\n  page: {{page: [500, 300]}}\n  open: {slot}\n", TOWN)
    beside = {id_: node.label for id_, node in nodes.items() if id_.startswith("open.") and id_.count(".") == 2}
    below = [id_ for id_ in nodes if id_.startswith("houses.")]
    assert beside == ({"open.mill.worn": "✓ Worn", "open.inn.guests": "Guests 4"} if is_beside else {})
    assert bool(below) != is_beside, "it is shown in one place, and in one only"


def test_a_card_without_words_of_its_own_shows_what_is_printed_on_it(tmp_path: Path) -> None:
    layout = "layout:\n  page: {page: [500, 300]}\n  open: {slot: open, at: [0, 0], size: [400, 200], as: cards}\n"
    counted = TOWN.replace(
        "rent: number}, pieces: {count: 1}", "rent: number, copies: number = 1}, pieces: {count: copies}"
    )
    for words, shown in (("", ["Mill", "rent 12", "✓ Worn"]), ("text: {house.mill.text: {en: Grinds corn}}", None)):
        mill = drawn(tmp_path, layout, f"{counted}\n{words}")["open.mill"]
        said = [mark[2] for node in walk(mill) for mark in node.marks if mark[2]]
        assert said == (shown or ["Mill", "Grinds corn", "✓ Worn"])


def test_of_a_stack_the_uppermost_can_be_read_and_how_many_there_are(tmp_path: Path) -> None:
    slot = "{slot: open, at: [0, 0], size: [400, 200], as: stack}"
    nodes = drawn(tmp_path, f"layout:\n  page: {{page: [500, 300]}}\n  open: {slot}\n", TOWN)
    assert [mark[2] for mark in nodes["open.inn"].marks if mark[2]] == []
    assert [mark[2] for mark in nodes["open.mill"].marks if mark[2]] == ["Mill"]
    assert nodes["open.many"].label == "Open: 2"
    assert nodes["open.inn"].pieces == nodes["open.mill"].pieces == 1


def test_numbers_of_each_player_stand_behind_the_mark_of_the_player(tmp_path: Path) -> None:
    rules = TOWN.replace("    guests: number 0..9", "    guests: number 0..9\n    nights: number 0..9 per player")
    slots = "{nights: {at: [4, 30], size: [100, 30]}}"
    group = f"{{group: house, at: [0, 0], each: [120, 80], slots: {slots}}}"
    nodes = drawn(tmp_path, f"layout:\n  page: {{page: [500, 300]}}\n  houses: {group}\n", rules)
    marks = nodes["houses.inn.nights.second.value"].marks
    assert [mark[2] for mark in marks if mark[2]] == ["S", "0"]
    assert "circle" in [mark[0] for mark in marks]


def test_a_number_stands_beside_an_icon(tmp_path: Path) -> None:
    icon = "{icon: M2 2H22V22H2Z, of: house, number: rent}"
    slot = "{slot: open, at: [0, 0], size: [400, 200]}"
    nodes = drawn(tmp_path, f"layout:\n  page: {{page: [500, 300]}}\n  look: {icon}\n  open: {slot}\n", TOWN)
    assert [mark[2] for mark in nodes["open.mill"].marks if mark[2]] == ["12"]
    with pytest.raises(aodrules.RulesError, match="rant"):
        drawn(tmp_path, f"layout:\n  look: {icon.replace('rent', 'rant')}\n", TOWN)


BANK = (
    TOWN.replace("number 0..9}", "number 0..9, purse: {is: number 0..9, secret: owner}}")
    + """
value:
  rents: {is: sum(h.rent for h in houses)}
  worth: {given: [player], is: 10 * player.coins + rents()}
  guess: {given: [player], is: player.purse + 1}
  twice: {given: [house], is: 2 * house.rent}
text:
  value.worth: {en: Worth in all}
"""
)


def test_values_of_the_rules_are_shown_where_a_layout_wants_them(tmp_path: Path) -> None:
    slots = "{worth: {at: [0, 30], size: [90, 50]}, guess: {at: [100, 30], size: [90, 50]}}"
    layout = (
        "layout:\n  page: {page: [500, 300]}\n  all: {slot: rents, at: [0, 0], size: [90, 50]}\n"
        f"  them: {{group: player, at: [0, 60], each: [200, 100], slots: {slots}}}\n"
        "  homes: {group: house, at: [0, 200], each: [90, 60], slots: {twice: {at: [0, 20], size: [80, 40]}}}\n"
    )
    path = tmp_path / "game.yaml"
    path.write_text(BANK.replace("{option: wait, do: []}", "{option: wait, do: [{add: 2, to: player.coins}]}") + layout)
    game, pictures = aodrules.load(path, cache=False).new_game(players=2, seed=1), svg.Pictures(seat="first")

    def shown() -> dict[str, str]:
        nodes = pictures.scene(game).nodes()
        assert pictures.scene(game) == svg.scene(game, seat="first")
        return {
            id_: node.inside[0].label for id_, node in nodes.items() if any("value-" in each for each in node.classes)
        }

    before = {"rents": "19", "players.first.worth": "19", "players.first.guess": "1", "players.second.worth": "19",
              "players.second.guess": "?", "houses.inn.twice": "14", "houses.mill.twice": "24"}  # fmt: skip
    assert shown() == before
    assert pictures.scene(game).nodes()["players.first.worth"].label == "Worth in all"
    game.push(game.actions[0])
    assert shown() == before | {"players.first.worth": "39"}


@pytest.mark.parametrize("slot", ["worht", "twice"])
def test_a_value_that_does_not_fit_is_told(tmp_path: Path, slot: str) -> None:
    slots = f"{{{slot}: {{at: [0, 30], size: [90, 50]}}}}"
    with pytest.raises(aodrules.RulesError, match=slot):
        drawn(tmp_path, f"layout:\n  them: {{group: player, at: [0, 60], each: [200, 100], slots: {slots}}}\n", BANK)


def test_a_printed_number_may_be_large(tmp_path: Path) -> None:
    slots = "{rent: {at: [4, 30], size: [100, 30], as: counter}}"
    group = f"{{group: house, at: [0, 0], each: [120, 80], slots: {slots}}}"
    nodes = drawn(tmp_path, f"layout:\n  page: {{page: [500, 300]}}\n  houses: {group}\n", TOWN)
    number, label = nodes["houses.inn.rent"].marks
    assert (number[2], label[2]) == ("7", "rent")
    assert float(dict(number[1])["font-size"]) > 2 * float(dict(label[1])["font-size"])


def test_the_fingerprint_does_not_depend_on_the_layout(tmp_path: Path) -> None:
    path = tmp_path / "game.yaml"
    path.write_text(NIM, encoding="utf-8")
    plain = aodrules.load(path, cache=False).fingerprint
    path.write_text(f"{NIM}\nlayout:\n  page: {{page: [500, 300]}}\n", encoding="utf-8")
    assert aodrules.load(path, cache=False).fingerprint == plain


def test_a_house_rule_adds_a_place_and_moves_a_part(tmp_path: Path) -> None:
    layout = "layout:\n  page: {page: [500, 300]}\n  taken: {slot: last_taker, at: [40, 50], size: [90, 60]}\n"
    path, house = tmp_path / "game.yaml", tmp_path / "house.yaml"
    path.write_text(f"{NIM}\n{layout}", encoding="utf-8")
    house.write_text(
        "variant: house\nhouse: true\nchange: {layout.taken.at: [7, 8]}\nadd: {layout: {dot: {circle: [5, 5, 2]}}}\n",
        encoding="utf-8",
    )
    game = aodrules.load(path, [house], cache=False).new_game(players=2, seed=1)
    nodes = svg.scene(game).nodes()
    assert (nodes["last_taker"].x, nodes["last_taker"].y) == (7, 8)
    assert nodes["layout.dot"].marks[0][0] == "circle"


def test_what_a_house_rule_adds_and_nobody_placed_is_shown(tmp_path: Path) -> None:
    house = tmp_path / "house.yaml"
    house.write_text("variant: house\nhouse: true\nadd: {state.player.favour: number 0..9 = 3}\n", encoding="utf-8")
    game = aodrules.load(GAMES / "isles", [house], cache=False).new_game(players=2, seed=1)
    assert [node.id for node in walk(svg.scene(game).root) if node.id.endswith("favour.value")] == [
        f"players.{seat}.favour.value" for seat in game.players
    ]


@pytest.mark.parametrize("omit", ["", ", layout.less: {omit: [hex.luck]}"])
def test_what_is_left_out_is_left_out_of_cells_too(tmp_path: Path, omit: str) -> None:
    house = tmp_path / "house.yaml"
    house.write_text(f"variant: house\nhouse: true\nadd: {{state.hex.luck: number 0..9 = 3{omit}}}\n", encoding="utf-8")
    nodes = svg.scene(aodrules.load(GAMES / "isles", [house], cache=False).new_game(players=2, seed=1)).nodes()
    assert len([id_ for id_ in nodes if ".luck" in id_]) == (0 if omit else 30)


def test_an_icon_on_the_ground_stands_for_its_name() -> None:
    nodes = svg.scene(aodrules.load(GAMES / "isles").new_game(players=2, seed=1)).nodes()
    ground = nodes["hexes.a1.tile.lagoon"]
    assert [mark[0] for mark in ground.marks] == ["polygon", "path"]
    assert ground.title == "Lagoon"


def test_what_a_variant_takes_away_is_no_mistake_of_the_layout(tmp_path: Path) -> None:
    path, house = tmp_path / "game.yaml", tmp_path / "house.yaml"
    layout = "layout:\n  page: {page: [500, 300]}\n  idle: {slot: idle, at: [40, 50], size: [90, 60]}\n"
    path.write_text(NIM.replace("  table:\n", "  table:\n    idle: number 0..3\n", 1) + layout, encoding="utf-8")
    house.write_text("variant: house\nhouse: true\nremove: [state.table.idle]\n", encoding="utf-8")
    shown = [svg.scene(aodrules.load(path, each, cache=False).new_game(players=2, seed=1)) for each in ((), house)]
    assert ["idle" in each.nodes() for each in shown] == [True, False]


def test_where_a_name_stands_is_no_name() -> None:
    assert [address for address in aodrules.load("aod").book.words.texts if address.startswith("layout")] == []


@pytest.mark.parametrize("text", ["M0 0L1 1Z", "m1,2 3-4.5.5 6z", "M0 0a4 4 0 1 1 0 8Z", "M1e2 0H3V4"])
def test_outlines_are_commands_and_numbers(text: str) -> None:
    assert wrong_outline(text) is None


@given(st.text("MmLlHZzAa0123456789.,- <>\"'&;()#url", max_size=30))
def test_whatever_is_accepted_as_an_outline_is_harmless(text: str) -> None:
    if wrong_outline(text) is None:
        assert set(text) <= set("MmLlHZzAa0123456789.,- ")


HOSTILE = [
    'evil: {path: "M0 0L1 1\\" onload=\\"alert(1)", fill: land}',
    'evil: {path: "url(https://example.org/x)", fill: land}',
    'evil: {rect: [0, 0, 10, 10], fill: "url(#x)"}',
    'evil: {words: game, at: [0, 0], size: "9px; background: url(x)"}',
    "evil: {image: https://example.org/x.png}",
    "evil: {href: https://example.org/, rect: [0, 0, 1, 1]}",
    "evil: {rect: [0, 0, 99999999999, 1], fill: land}",
    "evil: {path: " + "M0 0L1 1" * 1000 + ", fill: land}",
    "evil: {circle: [-5, 0, 1], fill: land}",
]


@pytest.mark.parametrize("part", HOSTILE)
def test_hostile_layouts_are_refused(tmp_path: Path, part: str) -> None:
    with pytest.raises(aodrules.RulesError) as refused:
        drawn(tmp_path, f"layout:\n  page: {{page: [500, 300]}}\n  {part}\n")
    assert all(each.line is not None for each in refused.value.report)


def test_texts_of_strangers_stay_texts(tmp_path: Path) -> None:
    path = tmp_path / "game.yaml"
    layout = "layout:\n  page: {page: [500, 300]}\n  a: {words: evil, at: [1, 1]}\n"
    evil = 'text:\n  evil: {en: "</text><script>alert(1)</script>"}'
    path.write_text(NIM.replace("text:", evil, 1) + layout, encoding="utf-8")
    game = aodrules.load(path, cache=False).new_game(players=2, seed=1)
    text = svg.render(game)
    assert "<script" not in text
    assert "<script>alert" in "".join(ET.fromstring(text).itertext())


GUILDS = """
game: {players: 2, seats: [first, second], begin: settle, play: wait, winner: {most: total(player)}}
kinds:
  era: {ordered: true, sorted_by: place, attributes: {place: number}}
  guild: {attributes: {rank: number}}
  craft: {attributes: {guild: guild, era: era, price: number}, pieces: {count: 4}}
  man: {pieces: {count: 9}}
era: {old: {place: 1}, late: {place: 2}}
guild: {smiths: {rank: 2}, weavers: {rank: 1}, bakers: {rank: 3}}
craft:
  nails: {guild: smiths, era: old, price: 2}
  locks: {guild: smiths, era: late, price: 5}
  linen: {guild: weavers, era: late, price: 4}
man: {worker: {}}
state:
  table:
    supply: {is: bag of man, start: all}
    shelf: {is: bag of craft, start: all}
  player:
    learned: list of craft up to 3 per guild
    at_work: bag of man per craft
    seen: list of craft up to 3
verb:
  settle:
    do:
      - for: player
        in: players
        do:
          - {move: nails, from: shelf, to: "player.learned[smiths]"}
          - {move: locks, from: shelf, to: "player.learned[smiths]"}
          - {move: linen, from: shelf, to: "player.learned[weavers]"}
          - {move: locks, from: shelf, to: player.seen}
          - {move: worker, count: 3, from: supply, to: "player.at_work[nails]"}
  wait: {do: [{for: player, in: players, do: [{choose: wait, by: player}]}]}
decision: {wait: {option: wait, do: []}}
"""
PANELS = "players: {group: player, at: [0, 0], each: [300, 300], slots: {%s}}"
BY_GUILD = "learned: {at: [0, 30], size: [300, 200], as: table, columns: era, with: at_work}"


def guilds(tmp_path: Path, slots: str, *more: str) -> dict[str, Node]:
    parts = "".join(f"  {each}\n" for each in ("page: {page: [640, 300]}", PANELS % slots, *more))
    return drawn(tmp_path, f"layout:\n{parts}", GUILDS)


def test_a_table_has_a_row_for_each_cell_and_a_column_for_each_value(tmp_path: Path) -> None:
    nodes = guilds(tmp_path, BY_GUILD)
    nails, locks, linen = (
        nodes[f"players.first.learned.{each}"] for each in ("smiths.nails", "smiths.locks", "weavers.linen")
    )
    assert nails.y == locks.y < linen.y
    others = guilds(tmp_path, BY_GUILD.replace("columns", "rows: rank, columns"))
    assert others["players.first.learned.smiths.nails"].y > others["players.first.learned.weavers.linen"].y
    assert nails.x < locks.x == linen.x
    rows = nodes["players.first.learned"]
    assert [text for _, _, text in rows.marks if text] == ["Learned", "Old", "Late"]
    assert "Bakers" not in [node.label for node in rows.inside], "nobody has learned that"


def test_in_a_table_what_lies_on_a_thing_stands_on_it_and_nowhere_else(tmp_path: Path) -> None:
    nodes = guilds(tmp_path, BY_GUILD)
    on_it = [each for each in nodes["players.first.learned.smiths.nails"].inside if each.pieces]
    assert [(each.id, each.pieces) for each in on_it] == [("players.first.at_work.nails.worker", 3)]
    assert "players.first.at_work" not in nodes
    assert not any(key.startswith("more.") and "at_work" in key for key in nodes)


def test_what_lies_on_nothing_of_the_table_is_shown_all_the_same(tmp_path: Path) -> None:
    nodes = guilds(tmp_path, BY_GUILD.replace("learned:", "seen:"))
    assert nodes["players.first.at_work.nails.worker"].pieces == 3


def test_a_kind_looks_like_what_an_attribute_names(tmp_path: Path) -> None:
    icon = 'smith: {icon: M1 1H9V9H1Z, of: guild.smiths, fill: "#123456"}'
    nodes = guilds(
        tmp_path, "seen: {at: [0, 30], size: [300, 100], as: names}", icon, "crafts: {like: guild, of: craft}"
    )
    fills = [dict(attributes).get("fill") for _, attributes, _ in nodes["players.first.seen.locks"].marks]
    assert "#123456" in fills


def test_a_card_tells_what_the_layout_wants_to_be_told(tmp_path: Path) -> None:
    nodes = guilds(
        tmp_path, "seen: {at: [0, 30], size: [300, 150], as: cards}", "crafts: {like: guild, of: craft, tells: [price]}"
    )
    assert "price 5" in [text for _, _, text in nodes["players.first.seen.locks"].marks]


def test_what_a_card_tells_never_stands_on_what_it_does(tmp_path: Path) -> None:
    text = "text: {craft.locks: {en: Locks and keys of all sorts}, craft.locks.text: {en: Shuts doors}}\n"
    look = "  crafts: {like: guild, of: craft, tells: [price]}\n"
    for height in range(80, 140, 4):
        slot = PANELS % f"seen: {{at: [0, 30], size: [130, {height}], as: cards}}"
        nodes = drawn(tmp_path, f"layout:\n  page: {{page: [640, 300]}}\n  {slot}\n{look}", f"{GUILDS}{text}")
        marks = nodes["players.first.seen.locks"].marks
        lines = [(float(dict(each)["y"]), said) for tag, each, said in marks if tag == "text"]
        feet = [y for y, said in lines if said.startswith("price")]
        others = [y for y, said in lines if not said.startswith("price")]
        assert not feet or max(others) < feet[0] - 5, height


@pytest.mark.parametrize(
    "slots, part",
    [
        (BY_GUILD.replace("era", "eras"), ""),
        (BY_GUILD.replace("columns", "rows: ranks, columns"), ""),
        (BY_GUILD.replace("at_work", "at_home"), ""),
        ("", "crafts: {like: guilds, of: craft}"),
        ("", "crafts: {like: guild, of: craft, tells: [prices]}"),
    ],
)
def test_a_name_that_is_not_there_is_told(tmp_path: Path, slots: str, part: str) -> None:
    with pytest.raises(aodrules.RulesError) as told:
        guilds(tmp_path, slots, *([part] if part else []))
    assert {each.code for each in told.value.report.errors} == {"unknown-name"}
