"""Facts outside a game: rules read them, a game is begun with them, and nothing changes them."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import aodrules
from aodrules.play.rules_context import ENGINES
from aodrules.testing import read_suite, run_suite

GAME = """
game:
  players: 2..3
  seats: [red, blue, green]
  play: rounds
  settings:
    youngest: {is: player, name: {en: The youngest player, pl: Najmłodszy gracz}}
    purse:    number 0..20 = 10
    is_hard:  flag
    begins:   town = york
    favours:  maybe town
  points: {money: player.cash}
kinds:
  town: {plural: towns, sorted_by: place, attributes: {place: number}}
town:
  kent: {place: 10}
  york: {place: 20}
state:
  table: {last: maybe player}
  player: {cash: number 0..99}
verb:
  rounds:
    do:
      - for: player
        in: seats_from(youngest)
        do:
          - step: stroll
            do:
              - {add: "purse + (5 if favours == kent else 0)", to: player.cash}
              - {choose: go, by: player}
decision:
  go:
    options:
      stay: {where: [not is_hard], do: [{set: last, to: player}]}
      walk: {for: {town: town}, where: [town >= begins or town == begins], do: [{add: 1, to: player.cash}]}
"""
GIVEN = {"youngest": "green", "purse": 3, "is_hard": True, "begins": "kent", "favours": "kent"}


def written(folder: Path, text: str = GAME) -> Path:
    path = folder / "walk.yaml"
    path.write_text(text.replace("town >= begins or ", ""), encoding="utf-8")
    return path


@pytest.fixture
def rules(tmp_path: Path) -> aodrules.Rules:
    return aodrules.load(written(tmp_path))


@pytest.mark.parametrize("engine", ENGINES)
def test_settings_are_read_by_rules(rules: aodrules.Rules, engine: str) -> None:
    game = rules.new_game(players=3, seed=1, settings=GIVEN, engine=engine)
    assert game.decision is not None
    assert game.decision.player == "green"
    assert [str(action) for action in game.actions] == ["walk kent"]
    assert game.state.players["green"].cash == 8
    assert game.state["youngest"] == "green"


@pytest.mark.parametrize("engine", ENGINES)
def test_what_is_not_given_is_as_declared(rules: aodrules.Rules, engine: str) -> None:
    game = rules.new_game(players=2, seed=1, engine=engine)
    assert game.decision is not None
    assert game.decision.player == "red"
    assert [str(action) for action in game.actions] == ["stay", "walk york"]
    assert [game.state[name] for name in GIVEN] == ["red", 10, False, "york", None]


def test_why_not_knows_the_settings(rules: aodrules.Rules) -> None:
    game = rules.new_game(players=3, seed=1, settings=GIVEN)
    (reason,) = game.why_not("stay")
    assert reason.condition == "not is_hard"


def test_both_engines_agree_with_settings(rules: aodrules.Rules) -> None:
    chance = random.Random(4)
    for seed in range(20):
        given = {"youngest": chance.choice(["red", "blue"]), "purse": chance.randrange(21), "favours": None}
        one, other = (rules.new_game(players=2, seed=seed, settings=given, engine=engine) for engine in ENGINES)
        while not one.over:
            assert one.state.plain() == other.state.plain()
            assert one.codes == other.codes
            code = chance.choice(one.codes)
            one.push(code)
            other.push(code)
        assert one.scores == other.scores


def test_the_seats_that_play_can_be_named(rules: aodrules.Rules) -> None:
    game = rules.new_game(players=["blue", "green"], seed=1, settings={"youngest": "green"})
    assert game.decision is not None
    assert game.decision.player == "green"


def test_saves_and_records_keep_settings(rules: aodrules.Rules) -> None:
    game = rules.new_game(players=3, seed=1, settings=GIVEN)
    game.push("walk kent")
    assert aodrules.open_game(game.save()).state.plain() == game.state.plain()
    assert "settings: begins=kent favours=kent is_hard=true purse=3 youngest=green\n" in game.record()
    assert aodrules.replay(game.record(), rules=rules).save() == game.save()
    assert game.copy().save() == game.save()


def test_a_record_without_settings_has_no_line_for_them(rules: aodrules.Rules) -> None:
    game = rules.new_game(players=2, seed=1)
    assert "\nsettings: " not in game.record()
    assert aodrules.replay(game.record(), rules=rules).state["purse"] == 10


def test_settings_do_not_change_the_fingerprint(rules: aodrules.Rules) -> None:
    assert rules.new_game(settings=GIVEN | {"youngest": "red"}).fingerprint == rules.fingerprint


@pytest.mark.parametrize(
    "name, value, message",
    [
        ("oldest", "red", "`walk` has no setting `oldest`"),
        ("youngest", "green", "`youngest` is one of red, blue; not `green`"),
        ("youngest", 1, "`youngest` is one of red, blue; not `1`"),
        ("youngest", None, "`youngest` is one of red, blue; not `none`"),
        ("purse", 21, "`purse` is a number 0..20; not `21`"),
        ("purse", "many", "`purse` is a number 0..20; not `many`"),
        ("purse", True, "`purse` is a number 0..20; not `true`"),
        ("is_hard", 1, "`is_hard` is one of false, true; not `1`"),
        ("begins", "bath", "`begins` is one of kent, york; not `bath`"),
        ("favours", "bath", "`favours` is one of none, kent, york; not `bath`"),
    ],
)
def test_a_setting_must_fit(rules: aodrules.Rules, name: str, value: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        rules.new_game(players=2, settings={name: value})


def test_a_front_end_can_ask_for_settings(rules: aodrules.Rules) -> None:
    assert list(rules.settings) == ["youngest", "purse", "is_hard", "begins", "favours"]
    youngest, purse, favours = (rules.settings[name] for name in ("youngest", "purse", "favours"))
    assert (youngest.type, youngest.choices, youngest.default) == ("player", ("red", "blue", "green"), "red")
    assert (youngest.name, youngest.text("pl")) == ("The youngest player", "Najmłodszy gracz")
    assert (purse.type, purse.choices, purse.default) == ("number 0..20", range(21), 10)
    assert (favours.type, favours.choices, favours.default) == ("maybe town", (None, "kent", "york"), None)


@pytest.mark.parametrize(
    "old, new, code",
    [
        ("{set: last, to: player}", "{set: youngest, to: player}", "unchangeable-name"),
        ("{set: last, to: player}", "{add: 1, to: purse}", "unchangeable-name"),
        ("purse:    number 0..20 = 10", "purse: bag of town", "wrong-declaration"),
        ("purse:    number 0..20 = 10", "purse: number", "wrong-declaration"),
        ("purse:    number 0..20 = 10", "purse: number 0..20 per player", "wrong-declaration"),
        ("purse:    number 0..20 = 10", "purse: number 0..20 = true", "type-mismatch"),
        ("purse:    number 0..20 = 10", "purse: nubmer 0..20", "unknown-type"),
        ("table: {last: maybe player}", "table: {last: maybe player, purse: number 0..9}", "duplicate-name"),
        ("purse:    number 0..20 = 10", "towns: number 0..20 = 10", "duplicate-name"),
        ("purse:    number 0..20 = 10", "players: number 0..20 = 10", "reserved-name"),
    ],
)
def test_what_is_wrong_with_a_setting_is_said(tmp_path: Path, old: str, new: str, code: str) -> None:
    assert old in GAME
    with pytest.raises(aodrules.RulesError, match=code):
        aodrules.load(written(tmp_path, GAME.replace(old, new)), cache=False)


def test_a_default_must_lie_in_the_range(tmp_path: Path) -> None:
    with pytest.raises(aodrules.RulesError, match=r"0\.\.20"):
        aodrules.load(written(tmp_path, GAME.replace("0..20 = 10", "0..20 = 30")), cache=False)


def test_a_variant_may_add_a_setting(tmp_path: Path) -> None:
    variant = tmp_path / "rich.yaml"
    variant.write_text(
        "variant: rich\nadd:\n  game.settings.gift: number 0..9 = 2\n"
        "insert:\n  - {first: verb.rounds, do: [{for: player, in: players, do: [{add: gift, to: player.cash}]}]}\n",
        encoding="utf-8",
    )
    rules = aodrules.load(written(tmp_path), [variant])
    assert rules.new_game(settings={"gift": 7}).state.players["red"].cash == 17


SCENARIO = """
scenario:
  who-is-youngest-begins:
    players: [red, green]
    settings: {youngest: green, purse: 4}
    when: [{green: stay}]
    then: {players.green.cash: 4, youngest: green}
  within-a-game:
    players: [red, green]
    settings: {purse: 7}
    given: {players.red.cash: 2}
    at: {step: stroll}
    when: [{red: stay}]
    then: {players.red.cash: 9}
"""


def test_a_scenario_may_give_settings(tmp_path: Path) -> None:
    suite = read_suite(aodrules.load(written(tmp_path, GAME + SCENARIO), cache=False))
    results = run_suite(suite, both_engines=True)
    assert results.is_fine
    assert len(results.results) == 2


@pytest.mark.parametrize(
    "setting, message",
    [("youngest: blue", "`youngest` holds one of red, green, not `blue`"), ("oldest: red", "no setting `oldest`")],
)
def test_a_wrong_setting_of_a_scenario_is_said(tmp_path: Path, setting: str, message: str) -> None:
    text = GAME + SCENARIO.replace("purse: 7", setting)
    suite = read_suite(aodrules.load(written(tmp_path, text), cache=False))
    assert any(message in problem.message for problem in suite.problems)
