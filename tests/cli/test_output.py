"""What the command line prints: nothing in a document, a save, a record or the name of a file controls the terminal."""

from __future__ import annotations

import ast
import io
import json
from pathlib import Path
from typing import Any

import pytest
from rich.table import Table
from rich.text import Text

from aodrules.cli import output
from aodrules.cli.main import run
from aodrules.cli.output import echo, echo_styled
from aodrules.source.wording import harmless, has_controls
from aodrules.terminal.console import text_console
from tests.playing import GAMES, random_game

ESCAPES = "\x1b]0;title\x07\x1b[2J\x9b1m\u202e"
SAVE: dict[str, Any] = json.loads(random_game("nim.yaml", 1, 1).save())
CHANGES: dict[str, dict[str, Any]] = {
    "fingerprint": {"fingerprint": ESCAPES},
    "game": {"game": ESCAPES + "/", "documents": {}},
    "action": {"actions": [f"take {ESCAPES}"]},
    "variants": {"variants": [ESCAPES]},
    "edition": {"edition": ESCAPES},
    "players": {"players": [ESCAPES, "second"]},
    "another part": {ESCAPES: 1},
    "path of a document": {"documents": {f"{ESCAPES}.yaml": "game: 1"}},
    "text of a document": {"documents": {"a.yaml": f"game: {ESCAPES}"}},
    "escaped in a document": {"documents": {"a.yaml": r'game: {name: {en: "\x1b[2J\u202e"}}'}},
    "settings": {"settings": {ESCAPES: ESCAPES}},
    "seed": {"seed": ESCAPES},
    "notes": {"notes": {"bots": ESCAPES}},
    "language": {"notes": {"bots": "all", "lang": ESCAPES}},
}


def is_clean(text: str) -> bool:
    return not any(has_controls(line) for line in text.split("\n"))


@pytest.mark.parametrize("part", CHANGES)
def test_nothing_in_a_save_controls_the_terminal(part: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "game.json"
    path.write_text(json.dumps({**SAVE, **CHANGES[part]}) + "\n", encoding="utf-8")
    assert run(["play", str(path)]) in (0, 1, 2)
    told = capsys.readouterr()
    assert told.out + told.err
    assert is_clean(told.out + told.err)


COMMANDS = (
    ("check", "{}"),
    ("check", "{}", "--format", "json"),
    ("check", "{}", "--format", "sarif"),
    ("check", "{}", "--format", "short"),
    ("play", "{}"),
    ("explain", "{}"),
    ("explain", "verb.{}", "--rules", "nim"),
    ("test", "nim", "{}"),
    ("rulebook", "{}"),
    ("{}",),
    ("new", "{}"),
    ("simulate", "nim", "--bots", "{}"),
)


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_no_name_controls_the_terminal(
    command: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / f"{ESCAPES.replace('/', '')}.yaml"
    path.write_text("gaem: {players: 2}\nscenario: {odd: {whne: []}}\n", encoding="utf-8")
    assert run([word.replace("{}", str(path)) for word in command]) in (1, 2)
    told = capsys.readouterr()
    assert told.out + told.err
    assert is_clean(told.out + told.err)


def test_a_game_in_a_folder_with_any_name_can_be_played(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / ESCAPES / "nim.yaml"
    path.parent.mkdir()
    path.write_bytes((GAMES / "nim.yaml").read_bytes())
    typed = iter(["take low_heap 5", "why take low_heap 5", f"take {ESCAPES}", "quit"])
    monkeypatch.setattr("builtins.input", lambda _prompt: next(typed))
    assert run(["play", str(path)]) == 0
    told = capsys.readouterr().out
    assert "is not possible now" in told
    assert is_clean(told)


def test_only_one_module_of_the_command_line_prints() -> None:
    for path in Path(output.__file__).parent.glob("*.py"):
        nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        calls = [ast.unparse(node.func) for node in nodes if isinstance(node, ast.Call)]
        printing = {"click.echo", "click.secho", "print", "click.style"} & {*calls}
        assert not printing or path.name == "output.py", (path.name, printing)


def test_texts_are_printed_without_what_controls_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    echo(f"one{ESCAPES}\ttwo\nthree")
    echo_styled(ESCAPES, ESCAPES, "red")
    told = capsys.readouterr().out
    assert told.startswith(f"{harmless(f'one{ESCAPES}')}\ttwo\nthree\n")
    assert is_clean(told.replace("\t", " "))


def test_a_console_prints_only_styles_of_its_own() -> None:
    stream = io.StringIO()
    console = text_console(file=stream, force_terminal=True, color_system="truecolor", width=60)
    table = Table(ESCAPES)
    table.add_row(Text(ESCAPES, "bold"))
    console.print(ESCAPES, Text(ESCAPES), table)
    told = stream.getvalue()
    assert "\x1b[1m" in told
    assert not any(sign in told for sign in ("\x1b]", "\x07", "\x1b[2J", "\x9b", "\u202e"))


def test_texts_of_all_languages_are_harmless() -> None:
    for text in ("Zażółć", "Правила", "می‌خواهم", "👩‍🚀", "a\tb\nc", "שלום\u200f!"):
        assert harmless(text) == text
    assert harmless(ESCAPES) == "\ufffd]0;title\ufffd\ufffd[2J\ufffd1m\ufffd"
    assert harmless("\ud800") == "\ufffd"
