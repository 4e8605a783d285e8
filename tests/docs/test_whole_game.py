"""The page with a whole game in fifteen lines does all that it says, as it is shown."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

import aodrules
from aodrules import svg
from tests.docs.blocks import DOCS, blocks_of

(PROGRAM,) = [block for block in blocks_of(DOCS / "how-to" / "whole-game.md") if block.language == "python"]


def test_it_has_fifteen_lines() -> None:
    assert len([line for line in PROGRAM.text.splitlines() if line]) == 15


@pytest.mark.slow
def test_it_plays_a_whole_game_with_a_picture_three_languages_reasons_and_undo(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    called: Counter[str] = Counter()
    for name in ("pop", "push", "why_not"):
        _count_calls(monkeypatch, name, called)
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {"__name__": "__main__"}
    exec(compile(PROGRAM.text, PROGRAM.id, "exec"), names)
    game, told = names["game"], capsys.readouterr().out.splitlines()
    assert isinstance(game, aodrules.Game)
    assert game.over
    assert told[-1] == game.result
    for words in ("Place a worker", "Umieść robotnika", "Поставьте рабочего"):
        assert any(line.startswith(f"{words} [") for line in told), words
    for reason in ("You already have a worker there", "Masz tam już robotnika", "Там уже стоит ваш рабочий"):
        assert any(f": {reason}" in line for line in told), reason
    assert called["pop"] > 50
    assert called["push"] == called["pop"] + game.answered
    assert (tmp_path / "game.svg").read_text(encoding="utf-8") == svg.render(game)
    assert ET.fromstring(svg.render(game)).tag.endswith("svg")


def _count_calls(monkeypatch: pytest.MonkeyPatch, name: str, called: Counter[str]) -> None:
    once = getattr(aodrules.Game, name)

    def counted(*given: object) -> object:
        called[name] += 1
        return once(*given)

    monkeypatch.setattr(aodrules.Game, name, counted)
