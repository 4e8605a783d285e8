"""Whoever waits is told what is done: by a bar at a terminal, by plain lines elsewhere, and never on stdout."""

from __future__ import annotations

from pathlib import Path

import pytest

from aodrules.cli.main import run
from aodrules.terminal.console import job


def test_elsewhere_each_part_is_a_plain_line(capsys: pytest.CaptureFixture[str]) -> None:
    with job("counting [b]sheep", 3) as at_work:
        at_work.advance()
        at_work.turn_to("counting again")
    said = capsys.readouterr()
    assert said.err == "counting [b]sheep ...\ncounting again ...\n"
    assert said.out == ""


def test_at_a_terminal_there_is_a_bar(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    with job("counting [b]sheep", 3) as at_work:
        at_work.advance()
        at_work.advance()
    with job("counting", 3) as at_work:
        at_work.turn_to("thinking")
    said = capsys.readouterr()
    assert "counting [b]sheep" in said.err
    assert "2/3" in said.err
    assert "thinking" in said.err
    assert said.out == ""


def test_new_says_what_takes_long_the_first_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("AODRULES_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr("aodrules.authoring.starters.game_schema", lambda _game: {"made": True})
    for name, said in (("one", "making the schema for editors, this once ...\n"), ("two", "")):
        assert run(["new", name]) == 0
        assert capsys.readouterr().err == said
        assert Path("aod.schema.json").read_text(encoding="utf-8") == '{"made": true}\n'


def test_diff_says_what_it_is_at(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["diff", "harbour", "harbour+dear-timber", "--play", "--games", "2"]) == 0
    parts = capsys.readouterr().err.splitlines()
    assert parts[:2] == ["playing both ...", "making the games shorter ..."]
    assert "writing a scenario about legality ..." in parts
