"""Tempus is what its register says: clauses, tables, worked examples and the questions that were settled."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import yaml

import aodrules
from aodrules.play.components import Component
from aodrules.source.shipped import shipped
from aodrules.testing import read_suite
from aodrules.testing.clause_map import clause_map
from tests.content.tempus.playing import rules_of

HERE = Path(__file__).parent
LAWS = 40


@cache
def digest(name: str) -> dict[Any, Any]:
    found: dict[Any, Any] = yaml.safe_load((HERE / f"{name}_digest.yaml").read_text(encoding="utf-8"))
    return found


@cache
def declared(kind: str) -> dict[str, dict[str, Any]]:
    """Return the bodies of a kind of statement in the documents of the game and its variants, by id."""
    found: dict[str, dict[str, Any]] = {}
    for folder in ("content", "variants"):
        for path in sorted((shipped(folder) / "tempus").rglob("*.yaml")):
            for name, body in (yaml.safe_load(path.read_text(encoding="utf-8")).get(kind) or {}).items():
                assert name not in found, f"{name} stands in two files, the second is {path.name}"
                found[name] = body
    return found


def components(kind: str) -> Mapping[str, Component]:
    return rules_of().components[kind]


# Clauses.


def test_the_clauses_are_those_of_the_register() -> None:
    kinds = {name: body["kind"] for name, body in declared("clause").items()}
    assert kinds == {name: body["kind"] for name, body in digest("clause").items()}
    assert len(kinds) == 236


def test_every_clause_says_what_it_rests_on() -> None:
    """What was settled and what others reported is told apart from what the book says."""
    marks = {"R": "settled by a ruling", "D": "a reply of the author", "derived": "follows from others"}
    for name, body in digest("clause").items():
        source = declared("clause")[name]["source"].split("; ")
        for mark, words in marks.items():
            assert (mark in body["rests_on"]) == (words in source), name
        assert any(each[0] == "P" for each in body["rests_on"]) == ("public reports" in source), name


def test_every_clause_is_one_english_sentence_of_its_own() -> None:
    said = [body["says"]["en"] for body in declared("clause").values()]
    assert [text for text in said if not (text[0].isupper() or text[0].isdigit()) or not text.endswith(".")] == []
    assert [text for text in said if ". " in text[:-1] or len(text) >= 200] == []
    assert len(set(said)) == len(said)


def test_the_clause_map_has_no_gap() -> None:
    assert [str(gap) for gap in clause_map(read_suite(rules_of())).gaps] == []


def test_there_are_enough_laws() -> None:
    laws = read_suite(rules_of()).properties
    assert len(laws) >= LAWS
    assert "no-stack-too-high" in {law.id for law in laws}


# Tables.


def test_the_era_table_is_that_of_the_register() -> None:
    columns = ("move", "range", "births", "stack", "sea", "draw", "hand", "actions")
    kept = {name: {key: row[key] for key in columns} for name, row in digest("table")["stages"].items()}
    stages = components("stage")
    assert {name: {key: one.attributes[key] for key in columns} for name, one in stages.items()} == kept
    assert list(stages) == list(kept), "the rows stand in order"
    assert {name for name, one in stages.items() if one.attributes["gift"]} == {"writing", "printing"}


def test_what_is_asked_of_those_who_enter_is_that_of_the_register() -> None:
    asked = declared("value")["asked"]["table"]
    kept = {name: row["asked"] for name, row in digest("table")["stages"].items()}
    assert {name: terrain.removeprefix("terrains.") for name, terrain in asked.items()} == {**kept, "start_box": "sea"}


def test_the_tiles_are_those_of_the_register() -> None:
    ground = {name: list(one.attributes["ground"]) for name, one in components("tile").items()}
    assert ground == digest("table")["tiles"]


def test_the_deck_is_that_of_the_register() -> None:
    deck: dict[str, dict[str, int]] = {}
    for one in components("card").values():
        sort = one.id.split("_")[0]
        deck.setdefault(sort, {})[str(one.attributes["ground"])] = int(str(one.attributes["copies"]))
    assert {sort: dict(sorted(of.items())) for sort, of in deck.items()} == {
        sort: dict(sorted(of.items())) for sort, of in digest("table")["deck"].items()
    }
    assert sum(sum(of.values()) for of in deck.values()) == 54


def test_each_player_has_what_the_register_says() -> None:
    cities = {one.attributes["worth"]: one.attributes["each_player"] for one in components("city").values()}
    assert cities == digest("table")["cities"]
    game = rules_of().new_game(players=3, seed=1)
    assert all(game.state[f"players.{seat}.supply"] == {"settler": digest("table")["pieces"]} for seat in game.players)


def test_substitutes_stand_in_files_of_their_own_and_say_so() -> None:
    paths = sorted((shipped("content") / "tempus" / "substitutes").glob("*.yaml"))
    assert [path.stem for path in paths] == ["asked", "deck", "grid", "tiles"]
    assert [path.stem for path in paths if "substitute" not in path.read_text(encoding="utf-8").splitlines()[0]] == []


# Examples and rulings.


def test_the_23_worked_examples_are_scenarios() -> None:
    assert list(digest("example")) == [f"X{number}" for number in range(1, 24)]
    names = {scenario.id for scenario in read_suite(rules_of()).scenarios}
    assert [name for listed in digest("example").values() for name in listed if name not in names] == []


def test_every_scenario_is_about_clauses_that_exist() -> None:
    cited = {
        name: [
            *_listed(body.get("clauses", [])),
            *(refused["clause"] for refused in body.get("refused", []) if "clause" in refused),
        ]
        for name, body in declared("scenario").items()
        if "rulings" not in body
    }
    assert [name for name, found in cited.items() if any(each not in declared("clause") for each in found)] == []


def _listed(clauses: object) -> list[str]:
    return [clauses] if isinstance(clauses, str) else list(clauses)  # type: ignore[call-overload]


def test_the_48_questions_are_settled() -> None:
    assert list(digest("ruling")) == [f"K{number}" for number in range(1, 49)]
    assert sorted(digest("ruling").values()) == sorted(declared("ruling"))
    for name, body in declared("ruling").items():
        assert body["chosen"] in body["readings"], name
        assert len(body["readings"]) > 1, name
        assert body["because"]["en"], name


def test_every_other_reading_that_ships_is_one_of_a_ruling_and_has_an_example() -> None:
    game = aodrules.catalogue()["tempus"]
    shipped_readings = {path.stem for path in (shipped("variants") / "tempus" / "rulings").glob("*.yaml")}
    assert {entry.id for entry in game.other_readings} == shipped_readings
    assert len(shipped_readings) == 8
    for name in shipped_readings:
        (ruling,) = (one for one in game.rulings.values() if name in one.variants)
        own = yaml.safe_load((shipped("variants") / "tempus" / "rulings" / f"{name}.yaml").read_text(encoding="utf-8"))
        shown = [body for body in own["scenario"].values() if ruling.id in body.get("rulings", ())]
        assert shown, name
