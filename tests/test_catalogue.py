"""The catalogue lists what ships, and all of it can be loaded under the names it gives."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

import aodrules
from aodrules.cli.main import cli
from aodrules.compose.library import shipped_files


@pytest.mark.parametrize("id_", aodrules.catalogue())
def test_every_document_with_a_name_is_listed_once(id_: str) -> None:
    game = aodrules.catalogue()[id_]
    kinds = [game.editions, game.variants, game.other_readings, game.house_rules]
    listed = [entry.id for entries in kinds for entry in entries]
    named = [name for kind, name, _ in shipped_files(id_).named if kind != "module"]
    assert sorted(listed) == sorted(named) == sorted(entry.id for entry in game.entries)


def test_what_is_said_of_an_entry_is_what_its_document_says() -> None:
    game = aodrules.catalogue()["aod"]
    sweden = game.find("sweden")
    assert (sweden.kind, sweden.house, sweden.editions) == ("variant", True, ("empires",))
    assert sweden.needs == ("national-advantages",)
    assert sweden.text("pl") == "Szwecja"
    assert sweden.because() == "Auctions are better with a board to spare."
    assert game.find("builders").because() is None


def test_a_conflict_is_told_of_both_whoever_says_it() -> None:
    game = aodrules.catalogue()["aod"]
    pairs = {(entry.id, other) for entry in game.entries for other in entry.conflicts}
    assert ("auction", "nations-by-colour") in pairs
    assert {(other, one) for one, other in pairs} == pairs


def test_one_id_may_stand_for_different_things_in_different_editions() -> None:
    game = aodrules.catalogue()["aod"]
    assert game.find("auction", "empires").text() == "Auction of nations"
    assert game.find("auction", "aoe3-pl").text() == "Auction of the Caribbean"


def test_an_unknown_id_is_told_with_the_one_that_is_near() -> None:
    game = aodrules.catalogue()["aod"]
    with pytest.raises(aodrules.UnknownNameError, match="did you mean `sweden`"):
        game.find("swedn")
    with pytest.raises(aodrules.UnknownNameError, match="has no `sweden`"):
        game.find("sweden", "aoe3-pl")


def test_a_ruling_tells_its_readings_and_by_which_variants_others_are_played() -> None:
    game = aodrules.catalogue()["aod"]
    rice = game.rulings["rice"]
    assert rice.variants == ("two-rice",)
    assert rice.chosen in rice.readings
    assert rice.reading(rice.chosen) == "three"
    assert rice.because() is not None
    assert "two-rice" in {entry.id for entry in game.other_readings}
    assert all(ruling.chosen in ruling.readings for ruling in game.rulings.values())


def test_players_and_seats_may_depend_on_the_edition() -> None:
    game = aodrules.catalogue()["aod"]
    assert (game.players(), game.players("empires")) == ((2, 5), (2, 6))
    assert "purple" in game.seats("empires")
    assert "purple" not in game.seats()
    assert {"en", "pl", "ru"} <= set(game.languages)


def test_the_command_lists_games_and_what_each_is_played_with() -> None:
    games = CliRunner().invoke(cli, ["list"])
    assert games.exit_code == 0
    assert "nim: Nim, 2 players" in games.output
    one = CliRunner().invoke(cli, ["list", "aod", "--language", "pl"])
    assert "Szwecja (for empires; needs national-advantages)" in one.output
    found = json.loads(CliRunner().invoke(cli, ["list", "harbour", "--json"]).output)
    assert found["harbour"]["players"]["grand"] == list(aodrules.load("harbour+grand").players)
    assert {entry["id"] for entry in found["harbour"]["entries"]} >= {"grand", "busy-season"}


def test_a_game_that_does_not_ship_is_told() -> None:
    result = CliRunner().invoke(cli, ["list", "harbor"])
    assert result.exit_code == 2
    assert "did you mean `harbour`?" in result.output


def test_a_game_tells_its_rules() -> None:
    rules = aodrules.load("harbour+dear-timber")
    game = rules.new_game(players=2, seed=1)
    assert (game.rules.name, game.rules.variants) == ("harbour", ("dear-timber",))
    assert game.copy().rules.fingerprint == rules.fingerprint
    assert game.rules.new_game(players=2, seed=1).state == game.state


def test_a_save_may_be_opened_with_rules_at_hand_if_they_are_the_same() -> None:
    rules = aodrules.load("harbour")
    text = rules.new_game(players=2, seed=1).save()
    assert aodrules.open_game(text, rules=rules).fingerprint == rules.fingerprint
    with pytest.raises(aodrules.NotationError, match="other rules"):
        aodrules.open_game(text, rules=aodrules.load("nim"))
    with pytest.raises(TypeError, match="`rules`"):
        aodrules.open_game(text, rules="harbour")  # type: ignore[arg-type]  # that is what is tried
