"""`aodrules simulate` and `aodrules balance` say who won and what differs, and a run goes on where it was stopped."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from aodrules.cli.main import run

HARBOUR = "tests/games/harbour"


def test_a_run_is_written_and_goes_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = ["--out", str(tmp_path / "run"), "--workers", "1", "--seed", "3"]
    assert run(["simulate", HARBOUR, "--games", "2", *out]) == 0
    first = (tmp_path / "run" / "matches.jsonl").read_text(encoding="utf-8")
    assert run(["simulate", HARBOUR, "--games", "4", *out]) == 0
    lines = (tmp_path / "run" / "matches.jsonl").read_text(encoding="utf-8")
    assert lines.startswith(first)
    assert [json.loads(line)["seed"] for line in lines.splitlines()] == [3, 4, 5, 6]
    assert "4 games" in capsys.readouterr().out


def test_a_line_that_was_cut_off_is_played_again(tmp_path: Path) -> None:
    out = ["--out", str(tmp_path), "--workers", "1"]
    run(["simulate", HARBOUR, "--games", "3", *out])
    whole = (tmp_path / "games.jsonl").read_text(encoding="utf-8")
    matches = (tmp_path / "matches.jsonl").read_text(encoding="utf-8")
    (tmp_path / "matches.jsonl").write_text(matches[:-40], encoding="utf-8")
    run(["simulate", HARBOUR, "--games", "3", *out])
    assert (tmp_path / "games.jsonl").read_text(encoding="utf-8") == whole


def test_another_run_is_not_mixed_in(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(["simulate", HARBOUR, "--games", "1", "--workers", "1", "--out", str(tmp_path)])
    assert run(["simulate", HARBOUR, "--games", "1", "--players", "3", "--workers", "1", "--out", str(tmp_path)]) == 2
    assert "holds another run" in capsys.readouterr().err


def test_a_bot_that_does_not_exist_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["simulate", HARBOUR, "--bots", "random,oracle"]) == 2
    assert "there is no bot `oracle`" in capsys.readouterr().err


def test_a_comparison_of_equal_rules_tells_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "page.html"
    assert run(["balance", HARBOUR, HARBOUR, "--games", "6", "--workers", "1", "--html", str(page)]) == 0
    assert " 0 of " in capsys.readouterr().out
    text = page.read_text(encoding="utf-8")
    assert "beyond chance: nothing" in text
    assert "http" not in text


def test_a_change_of_prices_is_seen(capsys: pytest.CaptureFixture[str]) -> None:
    changed = f"{HARBOUR}+town-subsidy"
    assert run(["balance", HARBOUR, changed, "--games", "60", "--workers", "1", "--seed", "1"]) == 0
    found = capsys.readouterr().out
    assert " more " in found or " less " in found
