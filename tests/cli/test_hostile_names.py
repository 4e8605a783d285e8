"""Names that look like markup of the terminal are names: every command prints them as they are written."""

from __future__ import annotations

import io
from pathlib import Path

import click
import pytest

from aodrules.cli.main import cli, run
from tests.playing import GAMES
from tests.project.modules import modules

# A tag that was never opened, a link, an emoji code, and an escaped bracket.
MARKS = ("[/oops]", "[link=https://example.org]here[/link]", ":boom:", r"\[red]")
NAME = " ".join(MARKS)
PLACES = (
    "player.first", "player.second", "heap.low_heap", "heap.tall_heap", "stone.pebble", "kinds.heap",
    "state.heap.lying", "state.table.quarry", "state.table.taken", "decision.take", "decision.take.options.take",
    "game.points.won", "verb.take_turns", "kinds.heap.height",
)  # fmt: skip
LINK, STYLE = "\x1b]8;", "\x1b[31m"


@pytest.fixture
def hostile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A game in a file whose name is hostile too, with such names for everything that has one."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "400")
    monkeypatch.setenv("FORCE_COLOR", "1")
    lines = (GAMES / "nim.yaml").read_text(encoding="utf-8").splitlines()
    named = tuple(f"{place}: " for place in PLACES)
    kept = [line.replace("{en: Nim}", f"{{en: '{NAME}'}}") for line in lines if not line.strip().startswith(named)]
    texts = [f"  {place}: {{ en: '{NAME}' }}" for place in PLACES]  # not in the house form
    at = kept.index("text:") + 1
    path = Path("[red]nim[/oops].yaml")  # a tag that closes nothing, by way of a folder
    path.parent.mkdir()
    path.write_text("\n".join([*kept[:at], *texts, *kept[at:]]) + "\n", encoding="utf-8")
    return path.as_posix()


def said(arguments: list[str], capsys: pytest.CaptureFixture[str], *, code: int = 0) -> str:
    assert run(arguments) == code, capsys.readouterr()
    found = capsys.readouterr()
    assert LINK not in found.out + found.err
    return found.out


TYPED = (
    "board",
    "actions",
    "scores",
    "help",
    "why take low_heap 9",
    "what low_heap",
    "what heap",
    "1",
    "undo",
    "99",
    "[/x]",
    "quit",
    "quit",
)


def test_play_prints_them(hostile: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(TYPED)))
    shown = said(["play", hostile, "--seed", "1"], capsys)
    for mark in MARKS:
        assert mark in shown
    assert "[/x]" in shown


def test_play_by_bots_prints_them(hostile: str, capsys: pytest.CaptureFixture[str]) -> None:
    shown = said(["play", hostile, "--bots", "all", "--seed", "1"], capsys)
    assert NAME in shown


COMMANDS: list[tuple[list[str], str]] = [
    (["check", "RULES", "--play", "1"], NAME),
    (["fmt", "RULES"], "changed: RULES"),
    (["simulate", "RULES", "--games", "2", "--workers", "1"], "RULES: 2 games"),
    (["balance", "RULES", "RULES", "--games", "2", "--workers", "1"], "RULES → RULES"),
    (["diff", "RULES", "nim", "--words"], MARKS[1]),
    (["explain", "text.kinds.heap", "--rules", "RULES"], "written"),
    (["explain", "heap.low_heap", "--rules", "RULES"], "written"),
    (["rulebook", "RULES"], MARKS[1].replace("[", r"\[").replace("]", r"\]")),
    (["clauses", "RULES", "--games", "1"], "RULES"),
    (["compile", "RULES"], "RULES"),
    (["schema", "RULES"], "Rules and variants"),
    (["test", "RULES", "--properties", "--games", "1"], "passed"),
    (["mutate", "RULES", "--sample", "2", "--jobs", "1"], "RULES"),
    (["demo", "RULES"], "refused"),
    (["picture", "RULES"], "<svg "),
    (["words", "RULES"], "en: "),
    (["types", "RULES"], "HeapId"),
]


def test_no_command_is_forgotten() -> None:
    tried = {"play", *(arguments[0] for arguments, _ in COMMANDS)}
    assert set(cli.list_commands(click.Context(cli))) - tried == {"list", "new", "serve"}  # they are given no rules


@pytest.mark.parametrize("arguments, is_shown", COMMANDS, ids=lambda value: value[0] if isinstance(value, list) else "")
def test_every_command_prints_them(
    arguments: list[str], is_shown: str, hostile: str, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = said([hostile if each == "RULES" else each for each in arguments], capsys)
    assert is_shown.replace("RULES", hostile) in shown


def test_what_is_wrong_is_told_with_them(hostile: str, capsys: pytest.CaptureFixture[str]) -> None:
    path = Path(hostile)
    path.write_text(path.read_text(encoding="utf-8").replace("last_taker == player", "'[/oops]'"), encoding="utf-8")
    assert "[red]nim[/oops].yaml" in said(["check", hostile], capsys, code=1)


def test_a_seat_is_named_in_a_colour_and_in_no_other_style(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (GAMES / "nim.yaml").read_text(encoding="utf-8").replace("[first, second]", "[conceal, blink]")
    path = tmp_path / "seats.yaml"
    path.write_text(text, encoding="utf-8")
    monkeypatch.setenv("FORCE_COLOR", "1")
    shown = said(["play", str(path), "--bots", "all", "--seed", "1"], capsys)
    assert "conceal" in shown
    assert "\x1b[1;8m" not in shown
    assert ";5m" not in shown


def test_nobody_makes_a_console_that_takes_names_for_markup() -> None:
    made = [each.shown for each in modules("aodrules") if "Console(" in each.path.read_text(encoding="utf-8")]
    assert made == ["aodrules/terminal/console.py"]
