"""Paths on the command line that cannot be read or written: each is told in a sentence, none is a bug of ours."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from aodrules.cli.main import run
from tests.playing import GAMES

NIM = str(GAMES / "nim.yaml")
HARBOUR = str(GAMES / "harbour")
WRITING = (
    ("rulebook", NIM, "--out", "{}/x.md"),
    ("clauses", NIM, "--html", "{}/x.html"),
    ("balance", HARBOUR, f"{HARBOUR}+dear-timber", "--games", "2", "--workers", "1", "--html", "{}/x.html"),
    ("test", NIM, "--junit", "{}/x.xml"),
    ("simulate", NIM, "--games", "1", "--workers", "1", "--out", "{}/x"),
    ("new", "my-rule", "--folder", "{}/x"),
    ("mutate", NIM, "--sample", "1", "--games", "0", "--jobs", "1", "--state", "{}/x.jsonl"),
)
READING = (
    ("check", "{}"),
    ("check", f"{NIM}+{{}}"),
    ("check", "--fix", "{}"),
    ("test", NIM, "{}"),
    ("clauses", NIM, "{}"),
    ("mutate", NIM, "{}"),
    ("mutate", NIM, "--exclusions", "{}"),
    ("mutate", NIM, "--sample", "1", "--games", "0", "--jobs", "1", "--state", "{}"),
    ("play", "{}"),
)


@pytest.mark.parametrize("command", WRITING, ids=lambda command: command[0])
def test_a_place_that_cannot_be_written_is_told(
    command: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_bytes(b"")
    assert run([word.replace("{}", f"{tmp_path.as_posix()}/file") for word in command]) == 2
    assert "cannot be" in capsys.readouterr().err


@pytest.mark.parametrize("command", READING, ids=" ".join)
def test_what_is_no_plain_file_is_told(
    command: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    os.mkfifo(tmp_path / "pipe.yaml")
    code = run([word.replace("{}", f"{tmp_path.as_posix()}/pipe.yaml") for word in command])
    captured = capsys.readouterr()
    assert code in (1, 2)
    assert "it is no plain file" in captured.out + captured.err


def test_a_run_is_not_begun_in_a_folder_with_another_note(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for text in ("{", "[]", "[" * 100_000, '{"games": 1}'):
        (tmp_path / "run.json").write_text(text, encoding="utf-8")
        assert run(["simulate", NIM, "--games", "1", "--workers", "1", "--out", str(tmp_path)]) == 2
        assert "choose another folder" in capsys.readouterr().err
    (tmp_path / "run.json").unlink()
    (tmp_path / "matches.jsonl").write_text("[" * 100_000 + '\n{"seed": 0}\n\nnull\n', encoding="utf-8")
    assert run(["simulate", NIM, "--games", "1", "--workers", "1", "--out", str(tmp_path)]) == 0


@pytest.mark.parametrize("name", ["../../evil", "/tmp/evil", "a/b", "x" * 300, ".."])
def test_a_game_that_is_written_down_stays_in_its_folder(name: str, tmp_path: Path) -> None:
    law = f"property:\n  {json.dumps(name)}: {{clauses: [in-turn], always: size(quarry) > 100}}\n"
    (tmp_path / "law.yaml").write_text(law, encoding="utf-8")
    folder = tmp_path / "one" / "two" / "found"
    command = ["test", NIM, str(tmp_path / "law.yaml"), "--properties", "--games", "1", "--save", str(folder)]
    assert run(command) == 1
    written = [path for path in tmp_path.rglob("*") if path.is_file() and path.name != "law.yaml"]
    assert len(written) >= 1
    assert {path.parent for path in written} == {folder}
