"""Starters: each checks with every edition it claims, passes its own scenarios, and can be played at once."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from aodrules.authoring.check_files import rules_words
from aodrules.authoring.starters import StarterError, games_with_starters, schema_text, starter, starters
from aodrules.cli.arguments import rules_of
from aodrules.cli.main import run
from aodrules.compose.library import parse_rules_word, shipped_files
from aodrules.source.diagnostics import Report
from aodrules.source.rendering import format_report
from aodrules.testing.scenario_runner import ScenarioRunner
from aodrules.testing.scenarios import ScenarioReader
from aodrules.testing.statements import statements_of
from aodrules.testing.suites import read_suite, run_suite, scenario_result
from tests.authoring.shipped_rules import rules_with

NAME = "long-winter-nights"
ALL = [(game, name) for game in games_with_starters() for name in starters(game)]
WANTED = {"number", "building", "worker", "region", "box", "phase", "scoring", "nation", "counter"}


@pytest.fixture
def written(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    game, name = request.param
    path = tmp_path / f"{NAME}.yaml"
    path.write_text(starter(game, name).named(NAME), encoding="utf-8")
    return path


def test_there_is_a_starter_for_each_sort_of_house_rule() -> None:
    assert starters("aod").keys() >= WANTED


@pytest.mark.parametrize("written", ALL, ids=lambda pair: pair[1], indirect=True)
def test_a_starter_works_with_every_edition_it_claims(written: Path) -> None:
    for word in rules_words(str(written)):
        asked = parse_rules_word(word)
        rules = rules_with(asked.base, frozenset(asked.variants) - {str(written)}, written)
        own = [each for each in statements_of(rules.book.ruleset).of("scenario") if each.id.startswith(NAME)]
        assert own
        report, reader = Report(), ScenarioReader(rules.book)
        for scenario in [reader.read(each, report) for each in own]:
            assert scenario is not None, format_report(report)
            result = scenario_result(ScenarioRunner(rules.book), scenario)
            assert result.status == "passed", result.message


@pytest.mark.parametrize("written", ALL, ids=lambda pair: pair[1], indirect=True)
def test_a_starter_breaks_no_example_of_the_game_that_it_does_not_override(written: Path) -> None:
    asked = parse_rules_word(rules_words(str(written))[0])
    rules = rules_with(asked.base, frozenset(asked.variants) - {str(written)}, written)
    results = run_suite(read_suite(rules))
    assert [(each.id, each.message) for each in results.wrong] == []
    assert results.is_fine


@pytest.mark.parametrize("written", ALL, ids=lambda pair: pair[1], indirect=True)
def test_nothing_of_the_placeholders_is_left(written: Path) -> None:
    text = written.read_text(encoding="utf-8")
    for placeholder in ("my-rule", "my_rule", "My rule"):
        assert placeholder not in text


@pytest.mark.parametrize("written", ALL, ids=lambda pair: pair[1], indirect=True)
def test_a_starter_says_what_it_is_and_why_and_explains_itself(written: Path) -> None:
    text = written.read_text(encoding="utf-8")
    said = yaml.safe_load(text)
    assert said["variant"] == NAME
    assert said["name"] == {"en": "Long winter nights"}
    assert said["because"]["en"]
    assert said["house"] is True
    assert said["scenario"]
    assert text.count("# ") >= 1


def test_a_starter_is_no_variant_of_the_game() -> None:
    assert "my-rule" not in shipped_files("aod").names("variant")


@pytest.mark.parametrize("name", ["Long", "long night", "long_night", "2long", "-long", "", "for"])
def test_what_is_no_name_is_refused(name: str) -> None:
    with pytest.raises(StarterError, match="is not a name"):
        starter("aod", "number").named(name)


# The command.


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_command_writes_a_document_and_the_schema_it_names(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["new", NAME, "--like", "building"]) == 0
    told = capsys.readouterr().out
    for command in ("check", "test", "play"):
        assert f"aodrules {command} {NAME}.yaml" in told
    text = (here / f"{NAME}.yaml").read_text(encoding="utf-8")
    assert text.startswith("# yaml-language-server: $schema=aod.schema.json\n")
    schema = (here / "aod.schema.json").read_text(encoding="utf-8")
    assert '"long_winter_nights"' not in schema
    names_a_folder = (
        Path(__file__).parents[2].as_posix() in schema
    )  # asked here: pytest would compare long texts at length
    assert not names_a_folder


def test_the_command_lists_what_there_is(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["new", "--like"]) == 0
    told = capsys.readouterr().out
    assert all(name in told for name in WANTED)
    assert list(here.iterdir()) == []
    assert run(["new"]) == 2


def test_nothing_is_written_over(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / f"{NAME}.yaml").write_text("mine", encoding="utf-8")
    assert run(["new", NAME]) == 2
    assert "exists already" in capsys.readouterr().err
    assert (here / f"{NAME}.yaml").read_text(encoding="utf-8") == "mine"


def test_a_misspelt_starter_is_suggested(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["new", NAME, "--like", "bulding"]) == 2
    assert "did you mean `building`?" in capsys.readouterr().err


def test_a_folder_can_be_given_and_the_schema_left_out(here: Path) -> None:
    assert run(["new", NAME, "--folder", "rules/mine", "--no-schema"]) == 0
    assert [path.name for path in (here / "rules" / "mine").iterdir()] == [f"{NAME}.yaml"]


def test_a_file_that_is_no_variant_of_a_shipped_game_is_left_as_it_stands(here: Path) -> None:
    (here / "other.yaml").write_text("variant: other\nremove: [x.y]\n", encoding="utf-8")
    assert rules_words("other.yaml") == ["other.yaml"]
    assert rules_words("empires+other.yaml") == ["empires+other.yaml"]
    assert rules_words("missing.yaml") == ["missing.yaml"]


def test_a_variant_alone_is_played_with_the_first_edition_it_names_and_with_what_it_requires(here: Path) -> None:
    (here / "mine.yaml").write_text(starter("aod", "nation").named("mine"), encoding="utf-8")
    rules = rules_of("mine.yaml")
    assert rules.edition == "empires"
    assert rules.variants == ("mine", "national-advantages", "random-nations")


@pytest.mark.soak
def test_from_new_to_a_played_game_takes_less_than_ten_seconds(here: Path) -> None:
    environment = {**os.environ, "AODRULES_CACHE": str(here / "cache")}

    def command(*arguments: str) -> float:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(
            [sys.executable, "-m", "aodrules", *arguments],
            env=environment, capture_output=True, text=True, check=False, timeout=120,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        # The time it worked, not the time it waited: other tests run on the same cores.
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    command("check", "empires", "aoe3-ru", "aoe3-pl")  # warm
    command("new", "another")
    path = f"{NAME}.yaml"
    took = [
        command("new", NAME),
        command("check", path),
        command("test", path),
        command("play", path, "--bots", "all", "--seed", "1"),
    ]
    assert sum(took) < 10, took


def test_the_schema_of_a_game_is_made_once_and_then_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AODRULES_CACHE", str(tmp_path / "cache"))
    made: list[str] = []

    def make(game: str) -> dict[str, str]:
        made.append(game)
        return {"title": game}

    monkeypatch.setattr("aodrules.authoring.starters.game_schema", make)
    assert [schema_text("aod") for _ in range(2)] == ['{"title": "aod"}\n'] * 2
    assert made == ["aod"]
    monkeypatch.setenv("AODRULES_CACHE", "")
    assert schema_text("aod") == '{"title": "aod"}\n'
    assert made == ["aod", "aod"]
