"""Games at the terminal, typed line by line."""

from __future__ import annotations

import io
import re
import shlex
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from random import Random

import pytest

import aodrules
from aodrules.cli.main import run
from aodrules.game import Game
from aodrules.terminal.console import text_console
from aodrules.terminal.lines import TypedLine, parse_line
from aodrules.terminal.session import Chooser, Session
from tests.content.compositions import rules_of as content
from tests.playing import GAMES, rules_of


def nim() -> Game:
    return rules_of("nim.yaml").new_game(players=2, seed=1)


def first(game: Game, _seat: int) -> int:
    return game.codes[0]


INTERRUPT = "\x03"
WIDTH = 100
"""How many letters a line has."""


def told(game: Game, lines: Iterable[str], bots: Mapping[str, Chooser] | None = None, language: str = "en") -> str:
    """Return what is shown while these lines are typed."""
    typed = iter(lines)

    def ask(prompt: str) -> str:
        try:
            line = next(typed)
        except StopIteration:
            raise EOFError from None
        if line == INTERRUPT:
            raise KeyboardInterrupt
        return line

    said = io.StringIO()
    console = text_console(file=said, width=WIDTH, color_system=None)
    is_over = Session(game, bots or {}, console, ask, language).run()
    assert is_over == game.over
    return said.getvalue()


def test_it_shows_who_decides_the_position_and_the_actions() -> None:
    shown = told(nim(), [])
    assert "first: Take stones from a heap" in shown
    assert "Low heap" in shown
    assert "3 Pebble" in shown
    assert " 1 Take: Low heap, 1" in shown


def test_an_action_is_taken_by_number_by_text_or_by_some_of_its_words() -> None:
    for typed in ("3", "take low_heap 3", "low 3"):
        game = nim()
        told(game, [typed])
        assert game.state["heaps.low_heap.lying"] == {}
        assert game.decision is not None
        assert game.decision.player == "second"


def test_words_that_fit_several_actions_list_them_with_new_numbers() -> None:
    game = nim()
    shown = told(game, ["tall", "2"])
    assert "`tall` fits 5 actions:" in shown
    assert game.state["heaps.tall_heap.lying"] == {"pebble": 3}


def test_the_position_is_shown_again_after_every_action() -> None:
    shown = told(nim(), ["1", "1"])
    assert shown.count("Take stones from a heap") == 3


def test_what_is_not_possible_is_refused_with_the_reason_alone() -> None:
    game = nim()
    shown = told(game, ["take low_heap 5", "why take low_heap 4", "why take low_heap 1"])
    assert shown.count("The heap has fewer stones\n") == 2
    assert "nim.yaml" not in shown
    assert "count" not in shown
    assert "`take low_heap 4` is not possible now:" in shown
    assert "`take low_heap 1` is possible now" in shown
    assert game.decision is not None
    assert game.decision.player == "first"


@pytest.mark.parametrize(
    "typed, said",
    [
        ("sing", "there is no option `sing`"),
        ("99", "there is no number 99; they go from 1 to 12"),
        ("why", "say which action"),
        ("why not", "say which action"),
        ("why sing", "there is no option `sing`"),
        ("save", "say where to"),
        ("undo", "there is nothing of yours to take back"),
        ("help", "say why an action is not possible now"),
        ("help", "what NAME"),
    ],
)
def test_whatever_is_typed_gets_an_answer(typed: str, said: str) -> None:
    assert said in told(nim(), [typed, ""])


@pytest.mark.parametrize(
    "typed, said",
    [
        (
            "taek low_heap 1",
            "no action here: did you mean `take low_heap 1`, `take low_heap 3` or `take low_heap 2`? `help`",
        ),
        ("why low 4", "`take low_heap 4` is not possible now:\n  The heap has fewer stones"),
        ("why low 2", "`take low_heap 2` is possible now"),
        ("why 2", "`take low_heap 2` is possible now"),
        ("why low", "`low` fits 2 actions that are not possible now; the first of them:\n`take low_heap 4` is not"),
        ("5 low take heap", "`take low_heap 5` is not possible now:\n  The heap has fewer stones"),
    ],
)
def test_an_action_is_meant_by_some_of_its_words_where_it_is_not_possible_too(typed: str, said: str) -> None:
    assert said in told(nim(), [typed])


def test_the_words_of_a_language_can_be_asked_about_and_completed() -> None:
    game = content("empires").new_game(players=["red", "blue"], seed=3)
    assert "dostępnego Żołnierza" in told(game, ["why umieść żołnierz inicjatywa"], language="pl")
    session = Session(game, {}, text_console(file=io.StringIO()), input, "pl")
    assert session.completions("", "um") == ["Umieść "]
    assert "Inicjatywa" in session.completions("umieść kolonistę ", "ini")
    assert session.completions("why umieść ", "żoł") == ["Żołnierza "]
    assert "Nabrzeże " in session.completions("what ", "nab")
    assert "initiative" in session.completions("place colonist ", "ini")


def test_who_is_to_type_is_called_as_everywhere_else() -> None:
    game, prompts = content("empires").new_game(players=["red", "blue"], seed=3), list[str]()
    answers = iter(["help"])

    def ask(prompt: str) -> str:
        prompts.append(prompt)
        return next(answers, "quit")

    Session(game, {}, text_console(file=io.StringIO()), ask, "pl").run()
    assert set(prompts) <= {"czerwony> ", "niebieski> "}
    assert len(prompts) == 2


def test_the_sum_of_points_is_in_the_language_of_the_session() -> None:
    for language, word in (("pl", "razem"), ("ru", "всего"), ("en", "total")):
        assert any(line.split()[:1] == [word] for line in told(nim(), ["scores"], language=language).splitlines())


def test_undo_goes_back_to_the_last_question_to_a_person() -> None:
    game = nim()
    before = game.state.plain()
    told(game, ["2", "undo"], {"second": first})
    assert game.state.plain() == before


def test_undo_says_when_something_hidden_was_shown() -> None:
    game = rules_of("caravan").new_game(players=2, seed=1)
    bots = dict.fromkeys(game.players[1:], first)
    shown = told(game, ["1"] * 8 + ["undo"] * 20, bots)
    assert "taken back, though something hidden was shown or chance decided" in shown


def test_bots_play_their_seats_and_what_they_do_is_told() -> None:
    game = nim()
    shown = told(game, ["1"], {"second": first})
    assert "second: Take: Low heap, 1" in shown
    assert game.decision is not None
    assert game.decision.player == "first"


def test_scores_and_places_close_the_game() -> None:
    shown = told(nim(), [], {"first": first, "second": first})
    assert "total" in shown
    assert "1. " in shown


def test_where_nobody_wins_the_end_says_so_and_why(tmp_path: Path) -> None:
    text = (GAMES / "nim.yaml").read_text(encoding="utf-8")
    path = tmp_path / "nim.yaml"
    path.write_text(text.replace("{most: total(player)}", "{most: total(player), if: total(player) > 1}"), "utf-8")
    shown = told(aodrules.load(path, cache=False).new_game(seed=1), [], {"first": first, "second": first})
    assert "(may not win)" in shown
    assert "nobody wins" in shown
    assert "1. " not in shown


def test_the_secrets_of_others_are_not_shown() -> None:
    game = rules_of("caravan").new_game(players=2, seed=1)
    shown = told(game, ["board"])
    assert "hidden" in shown


def test_words_of_an_action_that_is_not_possible_are_refused_with_the_reason() -> None:
    assert "The heap has fewer stones" in told(nim(), ["low 5"])


@pytest.mark.parametrize("typed", ["quit", INTERRUPT])
def test_a_game_that_is_not_saved_is_not_left_by_mistake(typed: str) -> None:
    game = nim()
    shown = told(game, ["1", typed, "1"])
    assert "not saved" in shown
    assert len(game.record().splitlines()) > len(nim().record().splitlines()) + 1
    assert told(nim(), ["1", typed, "quit", "1"]).count("Take stones") == 2


def test_a_game_in_which_only_bots_did_something_is_left_at_once() -> None:
    game = nim()
    assert game.decision is not None
    assert "not saved" not in told(game, ["quit"], {game.decision.player: first})
    assert len(game.codes) < len(nim().codes)


def test_a_game_in_which_nothing_was_done_is_left_at_once() -> None:
    assert "not saved" not in told(nim(), ["quit", "1"])


def harbour_with_words(folder: Path) -> Game:
    path = folder / "words.yaml"
    words = "event.sold: {en: 'Sold: {good}'}, event.built: {en: '{player} now has {house}'}"
    path.write_text(f"variant: words\ngame: harbour\ntext: {{{words}}}\n", encoding="utf-8")
    return aodrules.load(GAMES / "harbour", [path], cache=False).new_game(players=2, seed=4)


def test_events_that_have_words_are_told_and_changes_of_numbers_are_shown(tmp_path: Path) -> None:
    chance = Random(3)

    def any_of(game: Game, _seat: int) -> int:
        return chance.choice(game.codes)

    game = harbour_with_words(tmp_path)
    shown = told(game, [], dict.fromkeys(game.players, any_of))
    assert "  red: Sold: " in shown
    assert "  red now has Excise" in shown
    game = harbour_with_words(tmp_path)
    shown = told(game, ["1"] * 40, {"blue": any_of})
    assert "(-" in shown
    assert "(+" in shown


def test_a_secret_answer_is_told_in_full_only_to_the_one_person_at_the_terminal() -> None:
    one = rules_of("caravan").new_game(players=2, seed=1)
    seat, other = one.decision.player if one.decision else "", ""
    other = next(each for each in one.players if each != seat)
    assert f"{seat}: Swear: 0" in told(one, ["1"], {other: first})
    both = rules_of("caravan").new_game(players=2, seed=1)
    assert f"{seat}: Swear\n" in told(both, ["1"]).replace(" \n", "\n")


def test_a_saved_game_goes_on(tmp_path: Path) -> None:
    game, path = nim(), tmp_path / "game.json"
    shown = told(game, ["1", f"save {path}", "quit"])
    assert "goes on with it" in shown
    assert aodrules.open_game(path).state == game.state


def test_a_place_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    assert "cannot be written" in told(nim(), [f"save {tmp_path}"])


def test_an_option_that_is_called_like_a_command_is_an_action() -> None:
    assert parse_line("save red", ["save"]) == TypedLine("take", "save red")
    assert parse_line("save red") == TypedLine("save", "red")


def test_the_command_plays_and_resumes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "game.json"
    monkeypatch.setattr("sys.stdin", io.StringIO(f"1\nsave {path}\nquit\n"))
    assert run(["play", str(GAMES / "nim.yaml"), "--bots", "second"]) == 0
    assert "the game is not over" in capsys.readouterr().out
    assert run(["play", str(path), "--bots", "all=greedy"]) == 0
    assert "total" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["game.save", "game", "game.yaml", "my game.txt", "[game].json"])
def test_a_saved_game_goes_on_whatever_its_file_is_called(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.stdin", io.StringIO(f"take low_heap 2\nsave {name}\nquit\n"))
    assert run(["play", "nim", "--seed", "1"]) == 0
    told = capsys.readouterr().out
    command = re.findall(r"`aodrules (play [^`]*)` goes on with it", told)
    assert len(command) == 2
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    assert run(shlex.split(command[0])) == 0
    assert "1 Pebble" in capsys.readouterr().out


def test_bots_and_the_language_go_on_after_a_save(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "evening"
    monkeypatch.setattr("sys.stdin", io.StringIO(f"1\nsave {path}\nquit\n"))
    assert run(["play", "empires", "--seed", "1", "--bots", "red=greedy", "--lang", "pl"]) == 0
    assert "niebieski: Umieść" in capsys.readouterr().out
    monkeypatch.setattr("sys.stdin", io.StringIO("1\nquit\n"))
    assert run(["play", str(path)]) == 0
    shown = capsys.readouterr().out
    assert "niebieski: Umieść robotnika" in shown
    assert "czerwony: Umieść Kolonistę → " in shown
    assert "czerwony: Umieść robotnika" not in shown
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    assert run(["play", str(path), "--bots", "", "--lang", "en"]) == 0
    assert "Place a worker" in capsys.readouterr().out


def test_a_save_names_no_code_to_be_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "evil"
    path.write_text(nim().save({"bots": "second=greedy,first=antigravity.Bot"}), encoding="utf-8")
    assert run(["play", str(path)]) == 2
    assert "--bots second=greedy,first=antigravity.Bot" in " ".join(capsys.readouterr().err.split())
    assert "antigravity" not in sys.modules


@pytest.mark.parametrize("option", [["--players", "2"], ["--seed", "3"], ["--setting", "a=b"]])
def test_what_a_save_has_already_is_not_given_again(
    option: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "game.save"
    path.write_text(nim().save(), encoding="utf-8")
    assert run(["play", str(path), *option]) == 2
    assert "has its players, its seed and its settings already" in capsys.readouterr().err


def test_rules_in_braces_are_rules(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "braces.yaml"
    path.write_text("{game: {}}\n", encoding="utf-8")
    assert run(["play", str(path)]) == 1
    assert "error[" in capsys.readouterr().out


@pytest.mark.parametrize("arguments", [["--players", "5"], ["--bots", "nobody"], ["--bots", "first=genius"]])
def test_wrong_usage_is_told(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["play", str(GAMES / "nim.yaml"), *arguments]) == 2
    assert capsys.readouterr().err


def test_the_command_tells_that_the_input_ended(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    assert run(["play", str(GAMES / "nim.yaml")]) == 0
    assert "the game is not over" in capsys.readouterr().out
