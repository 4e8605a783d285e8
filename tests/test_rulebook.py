from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

import aodrules
from tests.playing import GAMES, WORDS, rules_of

NIM = GAMES / "nim.yaml"


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_a_game_can_be_loaded_by_its_path() -> None:
    rules = aodrules.load(NIM)
    assert (rules.name, rules.edition, rules.variants, rules.players) == ("nim", None, (), (2, 2))
    assert rules.seats == ("first", "second")
    assert len(rules.fingerprint) == 32


def test_variants_change_the_fingerprint_and_their_order_does_not() -> None:
    plain = rules_of("harbour").fingerprint
    both = rules_of("harbour+dear-timber+town-subsidy").fingerprint
    assert plain != both
    assert rules_of("harbour+town-subsidy+dear-timber").fingerprint == both


def test_an_edition_is_named_among_the_variants() -> None:
    assert rules_of("harbour+grand").edition == "grand"


def test_components_are_readable() -> None:
    stone = rules_of("nim.yaml").components["stone"]["pebble"]
    assert (stone.id, stone.kind, stone.attributes, stone.name) == ("pebble", "stone", {"copies": 12}, "Pebble")
    heaps = rules_of("nim.yaml").components["heap"]
    assert [heap.attributes["height"] for heap in heaps.values()] == [3, 4, 5]


def test_clauses_are_those_the_game_declares() -> None:
    rules = rules_of("nim.yaml")
    assert "last-stone-wins" in rules.clauses
    assert all(clause.says and not clause.overridden for clause in rules.clauses.values())


def test_an_origin_names_every_layer() -> None:
    rules = rules_of("harbour+dear-timber+town-subsidy")
    origins = rules.origin("value.silver_per_point.is")
    assert [(entry.layer, entry.action) for entry in origins] == [
        ("harbour", "declare"),
        ("town-subsidy", "change"),
    ]
    assert origins[1].span.path.endswith("town-subsidy.yaml")


def test_all_problems_are_reported_together(tmp_path: Path) -> None:
    write(tmp_path, "one.yaml", "game: {players: 2, play: go}\nverb:\n  go: {do: [{choos: take}]}\n")
    write(tmp_path, "two.yaml", "kinds:\n  stone: {plurl: stones}\n")
    write(tmp_path, "three.yaml", "value:\n  a: {is: b + 1}\n")
    with pytest.raises(aodrules.RulesError) as raised:
        aodrules.load(tmp_path)
    report = raised.value.report
    assert {Path(each.path).name for each in report.errors} == {"one.yaml", "two.yaml", "three.yaml"}
    assert "error[unknown-key]" in str(raised.value)


def test_a_document_that_is_no_yaml_does_not_hide_the_others(tmp_path: Path) -> None:
    write(tmp_path, "one.yaml", "game: {players: 2, play: go}\nverb: {go: {do: [stop}}\n")
    write(tmp_path, "two.yaml", "kinds:\n  stone: {plurl: stones}\n")
    with pytest.raises(aodrules.RulesError) as raised:
        aodrules.load(tmp_path)
    assert {Path(each.path).name for each in raised.value.report.errors} == {"one.yaml", "two.yaml"}


@pytest.mark.parametrize("base", ["nowhere.yaml", "no-such-game", "", "."])
def test_what_is_not_there_is_a_problem_of_the_rules(
    base: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(aodrules.RulesError) as raised:
        aodrules.load(base)
    assert raised.value.report.has_errors


def test_an_unknown_variant_is_a_problem_of_the_rules() -> None:
    with pytest.raises(aodrules.RulesError, match="unknown-variant"):
        aodrules.load(GAMES / "harbour", ["dear-timbre"])


@pytest.mark.parametrize(
    "players, message",
    [
        (1, "is for 2 to 4 players, not 1"),
        (5, "is for 2 to 4 players, not 5"),
        (["red"], "not 1"),
        (["red", "pink"], "`pink` is no seat"),
        (["red", "red"], "the seat `red` is given to two players"),
    ],
)
def test_only_so_many_can_play(players: int | list[str], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        rules_of("harbour").new_game(players=players)


def test_seats_may_be_chosen() -> None:
    game = rules_of("harbour").new_game(players=["yellow", "blue"], seed=3)
    assert game.players == ("yellow", "blue")
    assert set(game.state.players) == {"yellow", "blue"}


def test_a_game_without_settings_takes_none() -> None:
    with pytest.raises(ValueError, match="no setting `youngest`"):
        rules_of("nim.yaml").new_game(settings={"youngest": "first"})


def test_there_are_two_engines() -> None:
    with pytest.raises(ValueError, match="`fast` is no engine"):
        rules_of("nim.yaml").new_game(engine="fast")


def test_a_game_without_a_seed_has_one_all_the_same() -> None:
    rules = rules_of("nim.yaml")
    assert rules.new_game().seed != rules.new_game().seed


@pytest.mark.parametrize("word", [*WORDS, "harbour+grand+town-subsidy+guild-rule"])
def test_the_authoring_schema_fits_the_documents_it_was_made_from(word: str) -> None:
    rules = rules_of(word)
    schema = rules.schema()
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    for document in rules.book.ruleset.documents:
        errors = [f"{document.source.path}: {error.message}" for error in validator.iter_errors(document.root.plain())]
        assert errors == []


@cache
def harbour_validator() -> Draft202012Validator:
    return Draft202012Validator(rules_of("harbour").schema())


def test_the_authoring_schema_offers_the_positions_of_the_game() -> None:
    built_on = rules_of("harbour").schema()["$defs"]["statements"]["$defs"]["built_on"]
    assert {"two-play", "at-the-yard"} <= set(built_on["anyOf"][0]["enum"])
    own = {"position": {"mine": {"players": 2}}, "scenario": {"tried": {"from": "mine"}}}
    assert not list(harbour_validator().iter_errors(own))


@pytest.mark.parametrize(
    "document",
    [
        {"hose": {"inn": {}}},
        {"house": {"inn": {"colour": "red"}}},
        {"house": {"inn": {"every_round": [{"gian": 2}]}}},
        {"house": {"inn": {"every_round": [{"gain": 2, "amont": 3}]}}},
        {"verb": {"x": {"do": ["refersh"]}}},
        {"verb": {"x": {"do": [{"choose": "nightfal", "by": "player"}]}}},
        {"verb": {"x": {"do": [{"happen": "solld"}]}}},
        {"variant": "v", "effects": {"cheap": {"modify": "prise", "add": 1}}},
        {"variant": "v", "effects": {"cheap": {"upon": "solld", "do": ["stop"]}}},
        {"variant": "v", "change": {"hose.inn.cost": 3}},
        {"variant": "v", "add": {"house": {"tavern": {"colour": "red"}}}},
        {"variant": "v", "remove": ["hose.inn"]},
        {"variant": "v", "insert": [{"after": "verb.evening.wages", "do": [{"gian": 2}]}]},
        {"variant": "v", "insert": [{"after": "verb.evening.wages", "do": ["refersh"]}]},
        {"variant": "v", "effects": {"gift": {"upon": "sold", "do": [{"gian": 2}]}}},
        {"variant": "v", "add": {"house": {"tavern": {"every_round": [{"if": "true", "then": [{"gian": 2}]}]}}}},
        {"variant": "v", "add": {"verb.spin.do": ["stop"]}, "insert": [{"do": ["spin"]}, {"doo": ["spin"]}]},
        {"variant": "v", "with": {"other": {"insert": [{"after": "verb.evening.wages", "do": [{"gian": 2}]}]}}},
    ],
)
def test_the_authoring_schema_is_closed_over_the_names_of_the_game(document: dict[str, object]) -> None:
    assert list(harbour_validator().iter_errors(document))


@pytest.mark.parametrize(
    "adds",
    [
        {"add": {"verb": {"spin": {"do": ["stop"]}}}},
        {"add": {"verb.spin.do": ["stop"]}},
        {"add": {"kinds.house.attributes.colour": "flag = false"}},
        {"with": {"other": {"add": {"decision.spin": {"options": {}}}}}},
    ],
)
@pytest.mark.parametrize(
    "use",
    [
        {"insert": [{"after": "verb.evening.wages", "do": ["spin"]}]},
        {"insert": [{"after": "verb.evening.wages", "do": [{"spin": 3, "turns": 2}]}]},
        {"insert": [{"after": "verb.evening.wages", "do": [{"if": "true", "then": ["spin"]}]}]},
        {"insert": [{"after": "verb.evening.wages", "do": [{"choose": "spin", "by": "player"}]}]},
        {"effects": {"dear": {"modify": "spin", "add": 1}}},
        {"effects": {"dear": {"upon": "spin", "do": ["stop"]}}},
        {"add": {"house": {"tavern": {"colour": True}}}},
        {"add": {"ribbon": {"blue": {}}}},
    ],
)
def test_the_authoring_schema_lets_a_variant_use_names_that_it_adds(
    adds: dict[str, dict[str, object]], use: dict[str, dict[str, object]]
) -> None:
    validator = harbour_validator()
    assert list(validator.iter_errors({"variant": "v", **use}))
    added = {**use.get("add", {}), **adds.get("add", {})}
    both = {**use, **adds, **({"add": added} if added else {})}
    assert list(validator.iter_errors({"variant": "v", **both})) == []


def test_a_node_is_explained_from_its_yaml_to_its_python() -> None:
    rules = rules_of("harbour+dear-timber")
    text, raw = rules.explain("value.price"), rules.explain("value.price", raw=True)
    assert text is not None
    assert raw is not None
    parts = [line for line in text.splitlines() if line.endswith(":") and not line.startswith(" ")]
    assert parts == ["written:", "composed:", "modified by:", "Python for 2 players:"]
    assert "effects.dear-timber.scarce" in text
    assert "] has masons:" in text
    assert "planned for 2 players:" in raw
    assert "has masons" not in raw


def test_what_is_not_there_is_not_explained() -> None:
    assert rules_of("nim.yaml").explain("heap.small_heap") is None
