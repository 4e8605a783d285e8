"""Grids on the terminal: a map of letters instead of a row for each cell, and few lines for very many answers."""

from __future__ import annotations

import random

import pytest

from aodrules import Game
from aodrules.terminal.grid_map import _mark
from tests.content.tempus.playing import rules_of as tempus
from tests.terminal.test_session import told


def played(actions: int) -> Game:
    game, chance = tempus().new_game(players=3, seed=5), random.Random(3)
    for _ in range(actions):
        game.push(chance.choice(game.codes))
    return game


def lines_of_map(shown: str) -> list[str]:
    lines = shown.splitlines()
    first = next(number for number, line in enumerate(lines) if line.startswith("a1"))
    return lines[first : lines.index("", first) + 4] if "" in lines[first:] else lines[first:]


def test_each_cell_stands_once_with_its_ground_and_what_lies_there() -> None:
    game = played(240)
    shown = told(game, [])
    for hex_ in tempus().components["hex"]:
        assert (
            sum(part.startswith(hex_) for line in lines_of_map(shown) for part in line.replace("*", " ").split()) >= 1
        )
    assert "· sea  g grassland  f farmland  o forest  h hills  m mountain" in shown
    assert "R red" in shown
    standing = {
        f"{seat[0].upper()}p{count if count > 1 else ''}"
        for cell in game.state.hexes.values()
        for seat, men in cell.men.items()
        for count in men.values()
        if count
    }
    assert standing
    assert all(mark in shown for mark in standing)


@pytest.mark.parametrize("width", [80, 100, 120])
def test_the_map_fits_the_terminal(width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.terminal.test_session.WIDTH", width)
    lines = lines_of_map(told(played(240), []))
    assert max(len(line) for line in lines) <= width
    assert ("gra" in "".join(lines[:24])) == (width >= 108)


def test_very_many_answers_are_one_line_and_their_cells_are_marked() -> None:
    game = played(3)
    shown = told(game, ["lay g2", "lay g2 0"])
    assert "(138: `lay g2 0` ...)" in shown
    assert "g2*" in shown
    assert "`lay g2` fits 6 actions:" in shown
    assert "red" in shown
    assert game.state.hexes.g2.tile is not None


def test_the_map_is_in_the_language_of_the_session() -> None:
    shown = told(played(240), [], language="pl")
    assert "· morze  ł łąka  p pola uprawne  l las  w wzgórza  g góry" in shown


def test_marks_tell_things_apart_that_begin_alike() -> None:
    assert [_mark(name, ["City (2)", "City (3)", "piece"]) for name in ("City (4)", "piece", "City (2)")] == [
        "c4", "p", "c2",
    ]  # fmt: skip
