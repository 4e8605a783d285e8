from __future__ import annotations

from pathlib import Path

import pytest

import aodrules
from aodrules import svg
from aodrules.cli.main import run
from tests.playing import GAMES, random_game

NIM = str(GAMES / "nim.yaml")


def test_the_first_position_of_rules_is_drawn(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["picture", NIM, "--lang", "pl", "--theme", "dark", "--seed", "4"]) == 0
    game = aodrules.load(NIM).new_game(players=2, seed=4)
    assert capsys.readouterr().out == svg.render(game, "pl", theme="dark")


def test_a_saved_game_is_drawn_as_a_seat_sees_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = random_game("caravan", 2, 14)
    save, out = tmp_path / "evening.json", tmp_path / "evening.svg"
    save.write_text(game.save(), encoding="utf-8")
    assert run(["picture", str(save), "--seat", game.players[1], "-o", str(out)]) == 0
    assert out.read_text(encoding="utf-8") == svg.render(game, seat=game.players[1])
    assert "written" in capsys.readouterr().out


@pytest.mark.parametrize(
    "arguments, said",
    [
        ([NIM, "--lang", "xx"], "there are no words in `xx`"),
        ([NIM, "--seat", "nobody"], "`nobody` has no seat here"),
        ([NIM, "--players", "9"], "not 9"),
        (["there-is-none"], "there-is-none"),
        (["none.json"], "none.json"),
    ],
)
def test_what_cannot_be_drawn_is_told(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["picture", *arguments]) in (1, 2)
    assert said in str(capsys.readouterr())


def test_a_save_has_its_players(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    save = tmp_path / "save.json"
    save.write_text(random_game("nim.yaml", 1, 1).save(), encoding="utf-8")
    assert run(["picture", str(save), "--players", "2"]) == 2
    assert "has its players already" in capsys.readouterr().err
