from __future__ import annotations

from pathlib import Path

import pytest

import aodrules
from aodrules.play import pipeline
from tests.playing import GAMES


def fail(*_: object) -> None:
    raise KeyError("gap")


def test_a_failure_on_sound_documents_is_our_bug(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pipeline, "check", fail)
    with pytest.raises(aodrules.InternalError, match="checking `nim` failed"):
        aodrules.load(GAMES / "nim.yaml", cache=False)


def test_a_failure_on_broken_documents_is_not(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(pipeline, "check", fail)
    path = tmp_path / "wrong.yaml"
    path.write_text("game: {players: 2, pley: go}\n", encoding="utf-8")
    with pytest.raises(aodrules.RulesError, match="the game has no `pley`"):
        aodrules.load(path, cache=False)


def test_one_mistake_gives_one_message(tmp_path: Path) -> None:
    path = tmp_path / "wrong.yaml"
    path.write_text(
        "game: {players: 2, play: go}\nverb:\n  go:\n    do: [{choose: tak}]\n  stay: {do: [{gooo: 1}]}\n",
        encoding="utf-8",
    )
    with pytest.raises(aodrules.RulesError) as raised:
        aodrules.load(path, cache=False)
    lines = [each.line for each in raised.value.report]
    assert len(lines) == len(set(lines))
