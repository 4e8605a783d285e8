"""The score sheet is told in words."""

from __future__ import annotations

import pytest

from aodrules.terminal.board import print_scores
from tests.content.compositions import rules_of
from tests.playing import finished_game


@pytest.mark.parametrize(
    "written, language, words",
    [
        ("player.cash", "en", "Money"),
        ("player.colony_points[III]", "en", "Points for colonies (Age III)"),
        ("player.colony_points[III]", "pl", "Punkty za kolonie (Epoka III)"),
        ("total(player) // 2", "en", "total(player) // 2"),
        ("player.nowhere", "en", "player.nowhere"),
    ],
)
def test_what_decided_a_place_is_told_in_words(written: str, language: str, words: str) -> None:
    assert rules_of("empires").book.labels(language).criterion(written) == words


def test_sources_and_what_they_are_made_of_have_names(capsys: pytest.CaptureFixture[str]) -> None:
    game = finished_game("harbour", 3)
    print_scores(game, "the end")
    shown = capsys.readouterr().out
    assert "the end" in shown
    for source in next(iter(game.scores.values())).sources:
        assert source.capitalize().replace("_", " ") in shown
    assert "rope_walk" not in shown


@pytest.mark.parametrize(
    "language, words", [("en", ("total", "place")), ("pl", ("razem", "miejsce")), ("ru", ("всего", "место"))]
)
def test_the_last_lines_of_the_sheet_are_in_its_language(
    language: str, words: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    print_scores(finished_game("nim.yaml", 1), language=language)
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[1] for line in lines[-3:-1]] == list(words)
