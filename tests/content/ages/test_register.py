"""Through the Ages is what its register says: clauses by level, cards by deck, and the questions that were settled."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

import aodrules
from aodrules.source.shipped import shipped
from aodrules.testing import read_suite
from aodrules.testing.clause_map import clause_map
from tests.content.ages.playing import rules_of

HERE = Path(__file__).parent
LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
HOLDS_AT = {"": {"S", "A", "F"}, "advanced": {"S", "A", "A!"}, "simple": {"S", "S!"}}
"""The marks of clauses that hold in the full game and the smaller ones."""
CLAUSES, FACES, QUESTIONS, LAWS = 285, 238, 58, 60
READINGS = 12
"""So many questions at least can be answered otherwise by a variant."""


@cache
def digest(name: str) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = yaml.load((HERE / f"{name}_digest.yaml").read_text(encoding="utf-8"), LOADER)
    return found


@cache
def declared(kind: str) -> dict[str, dict[str, Any]]:
    """Return the bodies of a kind of statement in the documents of the game and its variants, by id."""
    found: dict[str, dict[str, Any]] = {}
    for folder in ("content", "variants"):
        for path in sorted((shipped(folder) / "ages").rglob("*.yaml")):
            for name, body in (yaml.load(path.read_text(encoding="utf-8"), LOADER).get(kind) or {}).items():
                assert name not in found, f"{name} stands in two files, the second is {path.name}"
                found[name] = body
    return found


# Clauses.


def test_the_clauses_are_those_of_the_register() -> None:
    assert set(declared("clause")) == set(digest("clause"))
    assert len(digest("clause")) == CLAUSES


@pytest.mark.parametrize("level", [pytest.param("", marks=pytest.mark.soak), "advanced", "simple"])
def test_each_level_keeps_the_clauses_that_the_register_gives_it(level: str) -> None:
    found = clause_map(read_suite(rules_of(level)))
    held = {one.id for one in found.clauses if not one.is_overridden}
    assert held == {name for name, body in digest("clause").items() if body["level"] in HOLDS_AT[level]}
    assert [str(gap) for gap in found.gaps] == []


def test_every_clause_is_one_english_sentence_of_its_own() -> None:
    said = [body["says"]["en"] for body in declared("clause").values()]
    assert [text for text in said if not (text[0].isupper() or text[0].isdigit()) or not text.endswith(".")] == []
    assert len(set(said)) == len(said)


def test_there_are_enough_laws() -> None:
    assert len(declared("property")) >= LAWS


# Tables.


def test_every_card_is_that_of_the_register() -> None:
    """All numbers on cards; those that the register does not name are none."""
    wrong = {
        f"{kind}.{name}.{column}": (found, kept)
        for kind, cards in digest("table").items()
        for name, row in cards.items()
        for column, found, kept in _compared(kind, name, row)
        if found != kept
    }
    assert wrong == {}


def _compared(kind: str, name: str, row: dict[str, Any]) -> list[tuple[str, Any, Any]]:
    attributes = dict(rules_of().components[kind][name].attributes)
    copies = [int(str(attributes.pop(key, 0))) for key in ("copies", "marked_3", "marked_4")]
    with_two = attributes.pop("with_two", True)
    decks = [copies[0] if with_two else 0, copies[0] + copies[1], sum(copies)]
    attributes.pop("two_sided", None)
    if attributes.get("n") is not None and isinstance(row.get("n"), list):
        attributes.pop("n")  # it goes by the number of players; see the test below
        row = {key: value for key, value in row.items() if key != "n"}
    if not row.get("printed"):
        assert decks == [int(each) for each in row["decks"].split("/")], name
    rest = {key: value for key, value in row.items() if key != "decks"}
    absent = {key: 0 for key in attributes if key not in rest}
    plain = {key: list(value) if isinstance(value, tuple) else value for key, value in attributes.items()}
    return [(key, plain[key], kept) for key, kept in {**absent, **rest}.items()]


@pytest.mark.parametrize("card", ["wave_of_nationalism", "endowment_for_the_arts", "military_build_up"])
def test_cards_that_go_by_the_number_of_players_say_so(card: str) -> None:
    tables = [rules_of().book.tables(players) for players in (2, 3, 4)]
    actions = rules_of().book.checked.kinds["action"]
    place = actions.places[actions.members.index(card)]
    assert [each.attributes["action.n"][place] for each in tables] == digest("table")["action"][card]["n"]


def test_the_register_has_every_card() -> None:
    cards = {(kind, name) for kind, listed in digest("table").items() for name in listed}
    found = {(kind, name) for kind in digest("table") for name in rules_of().components[kind]}
    assert cards == found
    printed = sum(bool(row.get("printed")) for listed in digest("table").values() for row in listed.values())
    assert len(cards) - printed == FACES


# Rulings.


def test_the_58_questions_are_settled() -> None:
    assert list(digest("ruling")) == [f"K{number}" for number in range(1, QUESTIONS + 1)]
    assert sorted(map(str, digest("ruling").values())) == sorted(declared("ruling"))
    for name, body in declared("ruling").items():
        assert body["chosen"] in body["readings"], name
        assert len(body["readings"]) > 1, name
        assert body["because"]["en"], name


def test_every_clause_that_rests_on_a_question_is_named_by_it() -> None:
    resting = {(name, key) for name, body in digest("clause").items() for key in body.get("rests_on", ())}
    named = {(name, key) for key, ruling in digest("ruling").items() for name in _cited(str(ruling))}
    assert resting - named == set()


def _cited(ruling: str) -> list[str]:
    clauses = declared("ruling")[ruling]["clauses"]
    return [clauses] if isinstance(clauses, str) else list(clauses)


def test_every_other_reading_that_ships_is_one_of_a_ruling_and_has_an_example() -> None:
    game = aodrules.catalogue()["ages"]
    paths = {path.stem: path for path in (shipped("variants") / "ages" / "rulings").glob("*.yaml")}
    assert {entry.id for entry in game.other_readings} == set(paths)
    assert len(paths) >= READINGS
    for name, path in paths.items():
        (ruling,) = (one for one in game.rulings.values() if name in one.variants)
        own = yaml.load(path.read_text(encoding="utf-8"), LOADER)
        assert [body for body in own["scenario"].values() if ruling.id in body.get("rulings", ())], name
