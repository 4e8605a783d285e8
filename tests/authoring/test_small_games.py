"""The small games that ship as examples are there by name, wherever somebody stands."""

from __future__ import annotations

from pathlib import Path

import pytest

import aodrules
from aodrules.authoring.check_files import rules_words
from aodrules.cli.main import run
from aodrules.compose.library import example_games
from tests.playing import rules_of


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_they_are_listed() -> None:
    assert example_games() == ["caravan", "harbour", "isles", "nim"]


@pytest.mark.parametrize("cache", [True, False])
@pytest.mark.parametrize("word", ["nim", "harbour+dear-timber+town-subsidy", "harbour+grand", "caravan", "isles"])
def test_they_are_the_same_by_name_and_by_path(word: str, *, cache: bool) -> None:
    base, *variants = word.split("+")
    by_path = rules_of(word.replace("nim", "nim.yaml"))
    assert aodrules.load(base, variants, cache=cache).fingerprint == by_path.fingerprint


def test_a_name_that_is_near_is_proposed() -> None:
    with pytest.raises(aodrules.RulesError, match="harbor") as wrong:
        aodrules.load("harbor")
    (problem,) = wrong.value.report
    assert problem.help == "did you mean `harbour`?"


def test_a_folder_where_one_stands_comes_first(tmp_path: Path) -> None:
    folder = tmp_path / "harbour"
    folder.mkdir()
    (folder / "empty.yaml").write_text("variant: nothing\n", encoding="utf-8")
    with pytest.raises(aodrules.RulesError, match="a folder without declarations"):
        aodrules.load("harbour", cache=False)


def test_a_variant_of_one_is_played_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("cheap.yaml").write_text("variant: cheap\ngame: harbour\nchange: {house.inn.cost: 1}\n", encoding="utf-8")
    Path("grander.yaml").write_text(
        "variant: grander\ngame: harbour\neditions: [grand]\nchange: {house.inn.cost: 1}\n", encoding="utf-8"
    )
    assert rules_words("cheap.yaml") == ["harbour+cheap.yaml"]
    assert rules_words("grander.yaml") == ["harbour+grand+grander.yaml"]
    assert run(["check", "cheap.yaml", "grander.yaml"]) == 0
    assert capsys.readouterr().out.count("no errors") == 2


def test_a_save_of_one_is_opened_again() -> None:
    game = aodrules.load("harbour").new_game(players=2, seed=3)
    game.push(game.actions[0])
    assert aodrules.open_game(game.save()).save() == game.save()
