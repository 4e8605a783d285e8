from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import click
import pytest

import aodrules
from aodrules.cli import check
from aodrules.cli.main import cli, run
from aodrules.errors import InternalError
from tests.commands import COMMANDS
from tests.playing import GAMES

NIM = str(GAMES / "nim.yaml")
HARBOUR = str(GAMES / "harbour")


@pytest.fixture
def wrong(tmp_path: Path) -> str:
    path = tmp_path / "wrong.yaml"
    path.write_text("game: {players: 2, pley: go}\nverb: {go: {do: [stop]}}\n", encoding="utf-8")
    return str(path)


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_command_has_help_with_an_example(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([name, "--help"]) == 0
    assert f"Example: aodrules {name}" in " ".join(capsys.readouterr().out.split())


def test_the_commands_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--help"]) == 0
    assert re.search(r"check +Find every mistake", capsys.readouterr().out)


def test_commands_are_listed_as_they_speak_of_themselves() -> None:
    listed, expected = click.HelpFormatter(width=200), click.HelpFormatter(width=200)
    cli.format_commands(click.Context(cli), listed)
    click.Group.format_commands(cli, click.Context(cli), expected)
    assert listed.getvalue() == expected.getvalue()


def test_listing_commands_imports_none_of_them() -> None:
    code = "import sys; from aodrules.cli.main import run; run(sys.argv[1:]); print(*sys.modules, file=sys.stderr)"
    for word in ("--help", "--version"):
        command = [sys.executable, "-c", code, word]
        done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
        imported = set(done.stderr.split())
        assert {name for name in imported if name.startswith("aodrules.cli.")} == {
            "aodrules.cli.main",
            "aodrules.cli.output",
        }
        assert imported & {"cattrs", "rich", "yaml", "aodrules.game", "aodrules.check.checked"} == set()


def test_the_version_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--version"]) == 0
    assert re.fullmatch(r"aodrules \d+\.\d+\.\d+\n", capsys.readouterr().out)


def test_rules_without_problems_are_fine(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", NIM, HARBOUR]) == 0
    first, second = capsys.readouterr().out.splitlines()
    assert first.startswith(f"{NIM}: no errors; 2 players, 1 decision, fingerprint ")
    assert second.startswith(f"{HARBOUR}: no errors; 2 to 4 players, ")


def test_problems_are_shown_and_counted(wrong: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", wrong]) == 1
    out = capsys.readouterr().out
    assert out.startswith("error[unknown-key]: the game has no `pley`\n")
    assert out.endswith("1 error in 1 file; `aodrules explain <code>` tells more about it\n")


def test_problems_of_one_do_not_hide_another(wrong: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", wrong, NIM]) == 1
    assert f"{NIM}: no errors" in capsys.readouterr().out


def test_problems_fit_on_one_line_each(wrong: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", "--format", "short", wrong]) == 1
    (line,) = capsys.readouterr().out.splitlines()
    assert line.endswith("wrong.yaml:1:20: error[unknown-key]: the game has no `pley`")


def test_problems_are_also_json(wrong: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", "--format", "json", wrong]) == 1
    (problem,) = json.loads(capsys.readouterr().out)
    assert (problem["code"], problem["line"], problem["column"]) == ("unknown-key", 1, 20)
    assert run(["check", "--format", "json", NIM]) == 0
    assert json.loads(capsys.readouterr().out) == []


def test_games_are_played_on_both_engines(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", HARBOUR, "--play", "3", "--seed", "5"]) == 0
    out = capsys.readouterr().out
    assert "3 random games played on both engines" in out
    assert "harbour, seed 7" in out
    for word in ("Houses", "total", "place", "red", "yellow"):
        assert word in out


def test_the_number_of_players_can_be_given(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", HARBOUR, "--play", "1", "--players", "3"]) == 0
    assert "yellow" not in capsys.readouterr().out
    assert run(["check", HARBOUR, "--play", "1", "--players", "9"]) == 2


@pytest.mark.parametrize(
    "arguments",
    [
        ["check"],
        ["chek", NIM],
        ["check", NIM, "--play", "many"],
        ["explain", "no-such-code"],
        ["explain", "heap", "--bad"],
    ],
)
def test_wrong_usage_is_told_apart(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(arguments) == 2
    assert "Error:" in capsys.readouterr().err


def test_a_diagnostic_is_explained_by_its_page(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["explain", "unknown-key"]) == 0
    assert capsys.readouterr().out.startswith("# unknown-key\n")
    assert run(["explain", "../index"]) == 2


def test_a_node_is_explained_by_its_way(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["explain", "decision.take", "--rules", NIM]) == 0
    out = capsys.readouterr().out
    for part in (
        "written:",
        "composed:",
        "Python for 2 players:",
        "count_5 = min(count_4, heap.lying[heap_4][pebble])",
    ):
        assert part in out
    assert run(["explain", "decision.take", "--rules", NIM, "--raw"]) == 0
    out = capsys.readouterr().out
    for part in ("planned for 2 players:", " S[6 + heap_"):
        assert part in out
    assert run(["explain", "decision.give", "--rules", NIM]) == 2


@pytest.mark.parametrize(
    "address, told",
    [
        ("take_turns", "did you mean `verb.take_turns`?"),
        ("decision.take.options.take.do.move", "there is `decision.take.options.take.do`"),
        ("lodge", "nim.yaml` has no `lodge`\n"),
    ],
)
def test_the_nearest_that_can_be_explained_is_named(
    address: str, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["explain", address, "--rules", NIM]) == 2
    assert told in capsys.readouterr().err


def test_a_save_that_is_not_there_is_told_plainly(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["play", str(tmp_path / "gone.json")]) == 2
    assert capsys.readouterr().err == f"aodrules: there is no file `{(tmp_path / 'gone.json').as_posix()}`\n"


@pytest.mark.slow
def test_a_variant_that_is_no_part_of_the_rules_is_not_taken_for_scenarios(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("one", "two"):
        assert run(["new", name, "--no-schema"]) == 0
    assert run(["test", "one.yaml", "two.yaml"]) == 2
    told = " ".join(capsys.readouterr().err.split())
    assert "`two.yaml` is a variant that `one.yaml` is not played with" in told
    assert "`one.yaml+two.yaml`" in told
    assert run(["test", "one.yaml"]) == 0
    assert "played with empires; for others that it is made for: `aodrules test aoe3-ru+one.yaml`" in (
        capsys.readouterr().err
    )


def test_the_python_can_be_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["compile", NIM]) == 0
    assert re.search(r"\d+ functions, \d+ lines for 2 players", capsys.readouterr().out)
    assert run(["compile", NIM, "--show", "--no-log"]) == 0
    out = capsys.readouterr().out
    assert "def legal_decision_take_1(S):" in out
    assert "for heap_3 in every heap:" in out
    assert run(["compile", NIM, "--raw", "--no-log"]) == 0
    out = capsys.readouterr().out
    compile(out, "generated", "exec")
    assert "def legal_decision_take_1(S):" in out
    assert run(["compile", NIM, "--players", "7"]) == 2


def test_the_schema_is_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["schema", NIM]) == 0
    assert json.loads(capsys.readouterr().out)["title"] == "Rules and variants of nim"
    assert run(["schema", "no-such-game"]) == 1


@pytest.mark.parametrize("bug", [ZeroDivisionError("oh"), InternalError("oh")])
def test_our_own_bug_leaves_a_log(
    bug: Exception, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    def fail(word: str) -> None:
        raise bug

    monkeypatch.setattr(check, "rules_of", fail)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    assert run(["check", NIM]) == 3
    told = capsys.readouterr().err
    assert "this is a mistake of ours, not of the rules: oh" in told
    assert f"command: aodrules check {NIM}" in told
    (log,) = tmp_path.glob("aodrules-*.log")
    assert "Traceback" in log.read_text(encoding="utf-8")


def test_stopping_is_no_bug(monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(word: str) -> None:
        raise click.Abort

    monkeypatch.setattr(check, "rules_of", stop)
    assert run(["check", NIM]) == 1


def test_the_package_can_be_run_as_a_module() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "aodrules", "check", NIM], capture_output=True, text=True, check=False, timeout=120
    )
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    "setting, message",
    [("guide", "expected `NAME=VALUE`, found `guide`"), ("guide=sand", "`guide` is one of none, amber, jade; not")],
)
def test_a_setting_that_does_not_fit_is_wrong_usage(
    setting: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["play", str(GAMES / "caravan"), "--setting", setting]) == 2
    assert message in capsys.readouterr().err


def test_a_game_is_played_with_settings(capsys: pytest.CaptureFixture[str]) -> None:
    caravan = [str(GAMES / "caravan"), "--seed", "1", "--bots", "all", "--setting", "guide=jade"]
    assert run(["play", *caravan]) == 0
    assert capsys.readouterr().out


def test_a_reader_that_has_seen_enough_gets_no_traceback(tmp_path: Path) -> None:
    path = tmp_path / "long.yaml"
    path.write_text("variant: long\n" + "".join(f"change{i}: 1\n" for i in range(90)), encoding="utf-8")
    command = [sys.executable, "-c", "from aodrules.cli.main import main; main()", "compile", str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == ""
    assert process.returncode == 1


def test_the_list_of_commands_cuts_nothing_off(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    assert run(["--help"]) == 0
    shown = capsys.readouterr().out
    assert "..." not in shown.replace("[ARGS]...", "")
    letters = "".join(shown.split())  # lines may end after a hyphen too
    for command in COMMANDS.values():
        first = (command.help or "").partition("\n\n")[0]
        assert "".join(first.split()) in letters


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_option_says_what_it_is(name: str) -> None:
    options = [each for each in COMMANDS[name].params if isinstance(each, click.Option)]
    assert [option.name for option in options if not (option.help or "").endswith(".")] == []


def test_numbers_agree_with_what_they_count(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    alone = tmp_path / "alone.yaml"
    alone.write_text("game: {players: 1, play: go}\nverb: {go: {do: []}}\n", encoding="utf-8")
    assert run(["play", str(alone), "--players", "2"]) == 2
    assert "`alone` is for 1 player, not 2" in capsys.readouterr().err
    assert run(["compile", NIM, "--players", "1"]) == 2
    assert "`nim` is for 2 players, not 1" in capsys.readouterr().err
    assert run(["simulate", "nim", "--games", "1", "--workers", "1"]) == 0
    assert "nim: 1 game\n" in capsys.readouterr().out
    assert run(["explain", "verb.go", "--rules", str(alone)]) == 0
    assert "1 players" not in capsys.readouterr().out


def test_lines_around_a_table_are_not_folded_to_its_width(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["simulate", "nim", "--games", "4", "--workers", "1"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert re.fullmatch(r"\S+ \(\S+ to \S+\) decisions in a game; intervals of 95 %", lines[-1])
    assert run(["balance", "nim", "nim", "--games", "2", "--workers", "1"]) == 0
    assert "nim → nim: 2 games each of 2 players, bots random" in capsys.readouterr().out.splitlines()


@pytest.mark.parametrize("command", ["play", "demo"])
def test_a_language_that_nobody_speaks_is_refused(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([command, "nim", "--lang", "xx"]) == 2
    assert "there are no words in `xx`; there are some in en, pl and ru" in capsys.readouterr().err


def test_an_edition_is_called_as_it_was_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["play", "empires", "--players", "9"]) == 2
    assert "`empires` is for 2 to 6 players, not 9" in capsys.readouterr().err
    assert run(["play", "empires", "--setting", "oldest=red"]) == 2
    assert "`empires` has no setting `oldest`" in capsys.readouterr().err
    with pytest.raises(aodrules.ArgumentError, match="`pink` is no seat of `empires`"):
        aodrules.load("empires").new_game(players=["red", "pink"])
    with pytest.raises(aodrules.ArgumentError, match="`empires` is for 2 to 6 players, not 1"):
        aodrules.load("empires").new_game(players=1)


@pytest.mark.parametrize(
    "seats, said",
    [("[red, red]", "the seat `red` is named twice"), ("[red]", "expected 2 seats for as many players, found 1")],
)
def test_seats_that_are_not_enough_are_told(
    seats: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "seats.yaml"
    path.write_text(f"game: {{players: 2, seats: {seats}, play: go}}\nverb: {{go: {{do: []}}}}\n", encoding="utf-8")
    assert run(["check", str(path)]) == 1
    assert said in capsys.readouterr().out
