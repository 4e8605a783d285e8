"""A game that bots have played is shown at a few moments, with a house rule and what it changes."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path

import pytest

import aodrules
from aodrules.cli import demo as demo_command
from aodrules.cli.demo import Demonstration, first_difference
from aodrules.cli.main import run
from aodrules.source.shipped import shipped
from aodrules.terminal.console import text_console
from tests.playing import rules_of


def played(word: str, players: int = 2) -> tuple[aodrules.Game, list[int]]:
    """Return a game that has just begun, and answers that lead to its end."""
    game = rules_of(word).new_game(players=players, seed=3)
    trial, answers = game.copy(), list[int]()
    while not trial.over:
        answers.append(trial.codes[len(answers) % len(trial.codes)])
        trial.push(answers[-1])
    return game, answers


def shown(word: str, language: str = "en") -> tuple[Demonstration, io.StringIO]:
    game, answers = played(word)
    said = io.StringIO()
    return Demonstration(game, answers, text_console(file=said, width=100, color_system=None), language), said


def test_moments_are_questions_with_something_refused_in_words() -> None:
    demonstration, _ = shown("harbour")
    moments = demonstration.moments()
    assert len(moments) == 3
    assert [each.number for each in moments] == sorted({each.number for each in moments})
    refused = [moment for moment in moments if moment.refused is not None]
    assert len(refused) >= 2  # where nothing of the sort is asked in a while, the question is shown without
    for moment in refused:
        assert moment.refused is not None
        game = demonstration.begun.copy()
        for answer in demonstration.answers[: moment.number]:
            game.push(answer)
        assert game.why_not(moment.refused)[0] == moment.reason


def test_a_moment_is_shown_with_what_was_done_asked_refused_and_answered() -> None:
    demonstration, said = shown("nim.yaml")
    moment = demonstration.moments()[1]
    demonstration.show(moment, with_board=True)
    told = said.getvalue()
    assert f"after {moment.number} of {len(demonstration.answers)} answers" in told
    assert re.search(r"(first|second): Take: \w+ heap, \d", told)
    assert "Lying" in told
    assert re.search(r"possible +Take: ", told)
    assert moment.refused is not None
    assert re.search(rf"refused +{moment.refused.label()}\s+because +The heap has fewer stones", told)
    assert re.search(r"answer +Take: ", told)


def test_the_game_shown_is_left_as_it_was() -> None:
    demonstration, _ = shown("harbour")
    before = demonstration.begun.save()
    for moment in demonstration.moments():
        demonstration.show(moment, with_board=False)
    assert demonstration.begun.save() == before


def test_where_two_games_part_is_told_by_what_only_one_allows(tmp_path: Path) -> None:
    path = tmp_path / "taller.yaml"
    path.write_text("variant: taller\ngame: nim\nchange: {heap.tall_heap.height: 4}\n", encoding="utf-8")
    game, answers = played("nim.yaml")
    other = aodrules.load("nim", [path], cache=False).new_game(players=2, seed=3)
    assert first_difference(game.copy(), other, answers, "en") == (0, ["Take: Tall heap, 5"], [])
    assert first_difference(game.copy(), game.copy(), answers, "en") == (len(answers), [], [])


def demo(*arguments: str, capsys: pytest.CaptureFixture[str]) -> str:
    assert run(["demo", *arguments]) == 0
    return capsys.readouterr().out


def test_the_command_shows_a_game_a_house_rule_the_sheet_and_what_to_try(capsys: pytest.CaptureFixture[str]) -> None:
    said = demo("harbour", "--seed", "3", "--house", "common-purse", capsys=capsys)
    assert said.count("answers: ") + said.count(" answers ─") == 3
    assert said.count("refused") >= 2
    assert "a house rule: Common purse" in said
    assert "For those who would rather build a town than beat each other" in said
    assert re.search(r"it touches \d+ places of the rules", said)
    assert said.index("total") < said.index("a house rule")
    assert len(re.findall(r"^  aodrules (?:play|rulebook) harbour", said, re.MULTILINE)) == 2
    assert "aodrules new" not in said  # it has nothing to begin with for this game


def test_a_long_line_of_a_house_rule_is_shown_to_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "60")
    comment = f"# {'so low that nobody has to count ' * 3}any more"
    Path("low.yaml").write_text(f"variant: low\ngame: nim\nchange:\n  heap.tall_heap.height: 4 {comment}\n", "utf-8")
    assert "any more" in demo("nim", "--house", "low.yaml", capsys=capsys)


def test_a_house_rule_of_ones_own_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    text = "variant: low\ngame: nim\nbecause: {en: Seven is a long way}\nchange: {heap.tall_heap.height: 4}\n"
    Path("low.yaml").write_text(text, encoding="utf-8")
    said = demo("nim", "--house", "low.yaml", capsys=capsys)
    assert "Seven is a long way" in said
    assert "change: {heap.tall_heap.height: 4}" in said
    assert "after 0 answers of the same game, no longer possible: Take: Tall heap, 5" in said


def test_a_house_rule_that_is_in_the_rules_already_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["demo", "harbour+dear-timber", "--house", "dear-timber"]) == 2
    assert "`dear-timber` is in `harbour+dear-timber` already" in capsys.readouterr().err
    assert re.search("a (house rule|variant): (?!Dear timber)", demo("harbour+dear-timber", capsys=capsys))


def test_rules_without_house_rules_are_shown_too(capsys: pytest.CaptureFixture[str]) -> None:
    assert "a house rule:" not in demo("nim", capsys=capsys)


def test_the_commands_to_try_next_are_commands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    said = demo("empires", capsys=capsys)
    commands = [line.split() for line in said.splitlines() if line.startswith("  aodrules ")]
    assert [arguments[1] for arguments in commands] == ["play", "rulebook", "new"]
    for _, *arguments in commands:
        monkeypatch.setattr("sys.stdin", io.StringIO(""))
        assert run([*arguments, "--no-schema"] if arguments[0] == "new" else arguments) == 0


@pytest.mark.slow
def test_without_rules_that_is_shown_which_the_content_names(capsys: pytest.CaptureFixture[str]) -> None:
    named = json.loads((shipped("content") / "demo.json").read_text(encoding="utf-8"))
    assert demo_command._usual().rules == named["rules"]
    said = demo("--seed", "5", capsys=capsys)
    assert "Age of Discovery" in said
    assert "also possible: Take a loan" in said
