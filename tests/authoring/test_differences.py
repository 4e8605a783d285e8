"""What differs between two compositions, and games that show it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

import aodrules
from aodrules.authoring.differences import Difference, differences, format_differences
from aodrules.authoring.disagreements import LONGEST_GAME, disagreements, distinguishing_scenario
from aodrules.cli.arguments import selection_of
from aodrules.cli.main import run
from aodrules.testing.suites import read_suite, run_suite
from tests.playing import GAMES, rules_of

HARBOUR = str(GAMES / "harbour")


def found(one: str, other: str) -> dict[str, Difference]:
    before, after = (rules_of(word).book.ruleset for word in (one, other))
    return {each.address: each for each in differences(before, after)}


def with_variant(text: str, folder: Path, base: str = "harbour") -> aodrules.Rules:
    path = folder / "mine.yaml"
    path.write_text(f"variant: mine\nhouse: true\n{text}", encoding="utf-8")
    return aodrules.load(GAMES / base, [path], cache=False)


def lines(text: str, folder: Path) -> str:
    before, after = rules_of("harbour").book.ruleset, with_variant(text, folder).book.ruleset
    return format_differences(differences(before, after))


def test_a_ruleset_does_not_differ_from_itself() -> None:
    assert found("harbour", "harbour") == {}


def test_a_changed_number_is_told_with_both_origins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told = lines("change: {house.inn.cost: 6}\n", tmp_path)
    assert "components:\n  ~ house.inn.cost: 4 → 6\n" in told
    assert "was game harbour --> tests/games/harbour/houses.yaml:" in told
    assert f"now variant mine --> {tmp_path.as_posix()}/mine.yaml:3:26" in told


def test_what_is_added_and_removed_is_told_with_who_did_it(tmp_path: Path) -> None:
    told = lines("remove: [house.inn]\nadd: {house.tavern: {era: sail, cost: 1}}\n", tmp_path)
    assert "  - house.inn:\n" in told
    assert "  + house.tavern:\n      era: sail\n      cost: 1\n      by variant mine" in told
    assert told.count("by variant mine") == 2


def test_steps_that_are_put_in_are_told_by_their_verb(tmp_path: Path) -> None:
    told = lines(
        "insert: [{before: verb.evening.wages, do: [{step: toll, do: [{set: round, to: round}]}]}]\n", tmp_path
    )
    assert "steps:\n  + verb.evening.toll:\n" in told


def test_a_step_that_was_moved_is_told_with_where_it_stands_now(tmp_path: Path) -> None:
    moved = "move: [{step: verb.evening.wages, after: verb.evening.bonuses}]\n"
    told = lines(moved, tmp_path)
    assert told == (
        "steps:\n  > verb.evening.wages: moved, now after bonuses\n"
        f"      by variant mine --> {tmp_path.as_posix()}/mine.yaml:3:15\n"
    )


def test_a_step_that_was_moved_to_another_verb_is_told_at_both_places(tmp_path: Path) -> None:
    told = lines("move: [{step: verb.evening.night, first: verb.work_the_quays}]\n", tmp_path)
    assert "  - verb.evening.night:\n" in told
    assert "  + verb.work_the_quays.night:\n" in told
    assert told.count("by variant mine") == 2


def test_a_step_that_changed_is_told_by_its_part(tmp_path: Path) -> None:
    told = lines("change: {house.inn.every_round: [{gain: 3}]}\n", tmp_path)
    assert "~ house.inn.every_round.gain: 2 → 3" in told


def test_effects_are_told_where_they_take_effect() -> None:
    groups = {address: each.group for address, each in found("harbour", "harbour+dear-timber").items()}
    assert groups == {"effects.dear-timber.scarce": "values", "effects.dear-timber.fleece": "values"}


def test_words_are_told_only_if_they_are_asked_for(tmp_path: Path) -> None:
    before = rules_of("harbour").book.ruleset
    after = with_variant("change: {house.inn.cost: 6}\ntext: {text.other: {en: Other}}\n", tmp_path)
    assert not any(each.group == "words" for each in differences(before, after.book.ruleset))
    assert any(each.group == "words" for each in differences(before, after.book.ruleset, words=True))


def test_the_order_of_the_two_only_turns_the_signs() -> None:
    there, back = found("harbour", "harbour+grand"), found("harbour+grand", "harbour")
    turned = {"added": "removed", "removed": "added", "changed": "changed"}
    assert {address: turned[each.sort] for address, each in there.items()} == {
        address: each.sort for address, each in back.items()
    }


# Games.


def test_rulesets_that_are_the_same_never_disagree() -> None:
    assert disagreements(rules_of("nim.yaml"), rules_of("nim.yaml"), games=5) == {}


def test_a_disagreement_about_what_is_legal_is_found_and_is_as_short_as_can_be(tmp_path: Path) -> None:
    other = with_variant("change: {heap.tall_heap.height: 4}\n", tmp_path, "nim.yaml")
    legality = disagreements(rules_of("nim.yaml"), other, games=3)["legality"]
    assert legality.moves == ()
    assert legality.only == (("take tall_heap 5",), ())


@pytest.mark.parametrize("matter", ["legality", "state"])
def test_a_scenario_passes_with_the_one_and_fails_with_the_other(matter: str, tmp_path: Path) -> None:
    one, other = rules_of("harbour"), rules_of("harbour+dear-timber")
    found = disagreements(one, other, games=6)[matter]  # type: ignore[index]  # the parameter is one of the matters
    text = distinguishing_scenario(one, other, found)
    assert text is not None
    path = tmp_path / "witness.yaml"
    path.write_text(text, encoding="utf-8")
    results = [
        {each.id: each.status for each in run_suite(read_suite(rules, [path])).results} for rules in (one, other)
    ]
    assert results[0][f"differs.{matter}"] == "passed"
    # What one of them does not allow cannot be played there.
    assert results[1][f"differs.{matter}"] == ("interrupted" if matter == "legality" else "failed")


@pytest.mark.parametrize("matter", ["legality", "state", "result"])
def test_a_long_game_is_told_from_a_position_with_no_more_than_is_needed(matter: str, tmp_path: Path) -> None:
    one, other = rules_of("harbour"), rules_of("harbour+dear-timber+town-subsidy")
    found = disagreements(one, other, games=4)[matter]  # type: ignore[index]  # the parameter is one of the matters
    assert len(found.moves) > LONGEST_GAME
    text = distinguishing_scenario(one, other, found)
    assert text is not None
    said = yaml.safe_load(text)["scenario"][f"differs.{matter}"]
    assert "at" in said
    assert len(said.get("when", [])) < LONGEST_GAME
    rules = one if text.startswith(f"# Passes with {one.book.request},") else other
    for path in said["given"]:
        less = {**said, "given": {key: value for key, value in said["given"].items() if key != path}}
        file = tmp_path / "less.yaml"
        file.write_text(yaml.safe_dump({"scenario": {"less": less}}, sort_keys=False), encoding="utf-8")
        statuses = {each.id: each.status for each in run_suite(read_suite(rules, [file])).results}
        against = other if rules is one else one
        others = {each.id: each.status for each in run_suite(read_suite(against, [file])).results}
        assert (statuses["less"], others["less"]) != ("passed", "failed"), path


def test_shortening_never_makes_a_game_longer() -> None:
    one, other = rules_of("harbour"), rules_of("harbour+dear-timber")
    few, many = (disagreements(one, other, games=games) for games in (1, 4))
    for matter, each in few.items():
        assert len(many[matter].moves) <= len(each.moves)


def test_games_for_other_numbers_of_players_cannot_be_compared() -> None:
    with pytest.raises(ValueError, match="no number of players"):
        disagreements(rules_of("nim.yaml"), with_players(), games=1)


def with_players() -> aodrules.Rules:
    rules = rules_of("harbour")

    class Many(aodrules.Rules):
        players = (3, 4)

    return Many(rules.book)


# The command.


def test_the_command_tells_and_plays(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    word = f"{HARBOUR}+dear-timber"
    assert run(["diff", HARBOUR, word, "--play", "--games", "2", "--save", str(tmp_path)]) == 0
    out = capsys.readouterr().out
    assert "+ effects.dear-timber.scarce:" in out
    assert "they disagree after" in out
    assert list(tmp_path.glob("differs-*.yaml"))


def test_the_command_says_that_nothing_differs(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["diff", HARBOUR, HARBOUR, "--play", "--games", "1"]) == 0
    out = capsys.readouterr().out
    assert "are the same game" in out
    assert "no disagreement" in out


def test_the_command_also_gives_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["diff", HARBOUR, f"{HARBOUR}+grand", "--format", "json"]) == 0
    changed = {each["address"]: each for each in json.loads(capsys.readouterr().out)}["house.inn.cost"]
    assert (changed["sort"], changed["before"]["text"], changed["after"]["text"]) == ("changed", "4", "5")
    assert changed["after"]["layer"] == "edition grand"


def test_a_variant_alone_is_compared_in_the_edition_of_the_other(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["diff", "empires", "empires+loans"]) == 0
    expected = capsys.readouterr().out
    assert run(["diff", "empires", "loans"]) == 0
    assert capsys.readouterr().out == expected
    assert selection_of("loans").base == "aoe3-pl"
