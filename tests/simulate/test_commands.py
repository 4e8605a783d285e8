"""`aodrules simulate` and `aodrules balance` say who won and what differs, and a run goes on where it was stopped."""

from __future__ import annotations

import csv
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from aodrules.cli import simulate
from aodrules.cli.main import run
from aodrules.simulate.matches import Match
from aodrules.simulate.runs import Run, play_run

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


def test_a_run_that_is_stopped_ends_cleanly_and_goes_on(tmp_path: Path) -> None:
    """As with Ctrl-C: the signal goes to the command and to all its workers."""
    options = ["simulate", HARBOUR, "--bots", "greedy,random", "--workers", "2", "--out", str(tmp_path / "run")]
    # Where the tests run in the background the signal is ignored, and what they start would inherit that.
    heard = "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler)"
    code = f"{heard}; from aodrules.cli.main import run; sys.exit(run(sys.argv[1:]))"
    started = subprocess.Popen(
        [sys.executable, "-c", code, *options, "--games", "4000"],
        start_new_session=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    matches = tmp_path / "run" / "matches.jsonl"
    while started.poll() is None and not (matches.exists() and matches.stat().st_size):
        time.sleep(0.05)
    os.killpg(started.pid, signal.SIGINT)
    try:
        told, _ = started.communicate(timeout=60)
    finally:
        if started.poll() is None:
            os.killpg(started.pid, signal.SIGKILL)
    assert started.returncode not in (0, 3)
    assert told.strip() == "stopped"
    kept = len(matches.read_text(encoding="utf-8").splitlines())
    assert 0 < kept < 4000
    games = str(kept + 3)
    assert run([*options, "--games", games]) == 0
    assert run([*options[:-1], str(tmp_path / "whole"), "--games", games]) == 0
    for table in ("games.jsonl", "decisions.jsonl"):
        assert (tmp_path / "run" / table).read_bytes() == (tmp_path / "whole" / table).read_bytes()


@pytest.mark.parametrize("form", ["jsonl", "csv", "parquet"])
def test_tables_have_a_row_for_each_game_and_for_each_kind_of_decision_in_it(form: str, tmp_path: Path) -> None:
    options = ["--games", "3", "--workers", "1", "--out", str(tmp_path), "--format", form]
    assert run(["simulate", HARBOUR, *options]) == 0
    games, decisions = (READERS[form](tmp_path / f"{name}.{form}") for name in ("games", "decisions"))
    assert [str(row["seed"]) for row in games] == ["0", "1", "2"]
    assert {"length", "seat_0", "bot_0", "place_0", "total_0"} <= set(games[0])
    for game in games:
        asked = [int(row["asked"]) for row in decisions if row["seed"] == game["seed"]]
        assert sum(asked) == int(game["length"])


def test_without_the_extra_for_parquet_no_game_is_played_in_vain(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    options = ["--games", "3", "--workers", "1", "--out", str(tmp_path), "--format", "parquet"]
    assert run(["simulate", HARBOUR, *options]) == 2
    assert "install `aodrules[parquet]`" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def _jsonl(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def _csv(path: Path) -> list[dict[str, Any]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def _parquet(path: Path) -> list[dict[str, Any]]:
    from pyarrow import parquet

    rows: list[dict[str, Any]] = parquet.read_table(path).to_pylist()
    return rows


READERS = {"jsonl": _jsonl, "csv": _csv, "parquet": _parquet}


def test_another_run_is_not_mixed_in(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(["simulate", HARBOUR, "--games", "1", "--workers", "1", "--out", str(tmp_path)])
    assert run(["simulate", HARBOUR, "--games", "1", "--players", "3", "--workers", "1", "--out", str(tmp_path)]) == 2
    assert "holds another run" in capsys.readouterr().err


def test_a_bot_that_does_not_exist_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["simulate", HARBOUR, "--bots", "random,oracle"]) == 2
    assert "there is no bot `oracle`" in capsys.readouterr().err


def test_a_bot_of_ones_own_lies_where_one_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    code = "class Last:\n    def choose(self, turn):\n        return turn.codes[-1]\n"
    (tmp_path / "bots_beside.py").write_text(code, encoding="utf-8")
    game = Path(HARBOUR).resolve().as_posix()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [path for path in sys.path if path not in ("", str(tmp_path))])
    assert run(["simulate", game, "--games", "2", "--workers", "1", "--bots", "bots_beside.Last,random"]) == 0
    assert "bots_beside.Last" in capsys.readouterr().out
    assert run(["play", game, "--bots", "all=bots_beside.Last", "--seed", "1"]) == 0


@pytest.mark.parametrize("command", [["simulate", HARBOUR], ["balance", HARBOUR, HARBOUR]])
def test_a_number_that_cannot_play_is_wrong_usage(command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*command, "--players", "9", "--games", "1"]) == 2
    assert "`harbour` is for 2 to 4 players, not 9" in capsys.readouterr().err


@pytest.mark.slow
def test_the_file_of_a_house_rule_alone_is_played_like_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["new", "mine", "--no-schema"]) == 0
    assert run(["simulate", "mine.yaml", "--games", "1", "--workers", "1", "--out", "run"]) == 0
    about = json.loads((tmp_path / "run" / "run.json").read_text(encoding="utf-8"))
    assert (about["base"], about["variants"]) == ("empires", ["mine.yaml"])
    assert run(["balance", "empires", "mine.yaml", "--games", "2", "--workers", "1"]) == 0
    assert "empires → mine.yaml: 2 games each of 2 players, bots random" in capsys.readouterr().out


def test_both_sides_of_a_comparison_are_played_by_as_many(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    more = tmp_path / "more.yaml"
    more.write_text("variant: more\nname: {en: More}\nchange: {game.players: 3..4}\n", encoding="utf-8")
    asked: list[Run] = []

    def played(run: Run, **how: Any) -> Iterator[Match]:
        asked.append(run)
        return play_run(run, **how)

    monkeypatch.setattr(simulate, "play_run", played)
    assert run(["balance", HARBOUR, f"{HARBOUR}+{more}", "--games", "1", "--workers", "1"]) == 0
    assert [each.setting.players for each in asked] == [3, 3]


def test_a_comparison_of_equal_rules_tells_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "page.html"
    assert run(["balance", HARBOUR, HARBOUR, "--games", "20", "--workers", "1", "--html", str(page)]) == 0
    assert "None of 89 figures differs beyond chance" in capsys.readouterr().out
    text = page.read_text(encoding="utf-8")
    assert '<p class="lead">None of 89 figures differs beyond chance.</p>' in text
    assert "<p>With 20 games a difference below " in text
    assert "20 games each of 2 players, bots random, with the seeds 0 to 19." in text
    assert "What differs" not in text
    assert "://" not in text


def test_too_few_games_are_said_to_be_too_few(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "page.html"
    assert run(["balance", HARBOUR, f"{HARBOUR}+town-subsidy", "--games", "4", "--html", str(page)]) == 0
    told = capsys.readouterr().out
    assert "None of 76 figures differs beyond chance" in told
    assert "Too few games: no difference among 76 figures can be seen in less than 14." in told
    assert "±" not in told
    assert "too few games" in page.read_text(encoding="utf-8")


def test_a_change_of_prices_is_seen_and_comes_first(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["balance", HARBOUR, f"{HARBOUR}+town-subsidy", "--games", "150", "--workers", "1"]
    assert run([*command, "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    first = found["figures"][0]
    assert (first["group"], first["id"], first["name"], first["verdict"]) == (
        "points by source",
        "silver",
        "Silver",
        "less",
    )
    assert first["change"]["high"] < 0
    sizes = [abs(each["effect"]) for each in found["figures"] if each["verdict"] == "cannot be told"]
    assert sizes == sorted(sizes, reverse=True)
    assert found["sensitivity"].startswith("With 150 games a difference below ")


def test_plain_data_of_few_games_has_no_bounds(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["balance", HARBOUR, HARBOUR, "--games", "2", "--workers", "1", "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out, parse_constant=pytest.fail)
    assert {each["change"]["low"] for each in found["figures"]} == {None}
