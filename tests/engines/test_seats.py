"""Rules can ask which seat a player sits on, whoever else plays."""

from __future__ import annotations

from pathlib import Path

import pytest

import aodrules

GAME = """
game: {players: 2..3, seats: [ann, bob, cid, dan], begin: deal, play: main, points: {luck: player.luck}}
state: {player: {luck: number 0..9}}
verb:
  deal: {do: [{for: player, in: players, do: [{set: player.luck, to: player.seat + 1}]}]}
  main: {do: [{for: player, in: players, do: [{choose: go_on, by: player}]}]}
decision:
  go_on: {options: {go: {do: []}}}
"""


@pytest.mark.parametrize("engine", ["interpreter", "compiled"])
@pytest.mark.parametrize(
    "players,lucks",
    [(2, [1, 2]), (["ann", "bob"], [1, 2]), (["dan", "bob"], [4, 2]), (["cid", "ann", "dan"], [3, 1, 4])],
)
def test_a_player_knows_its_seat(tmp_path: Path, engine: str, players: int | list[str], lucks: list[int]) -> None:
    (tmp_path / "game.yaml").write_text(GAME, encoding="utf-8")
    game = aodrules.load(str(tmp_path / "game.yaml")).new_game(players=players, seed=1, engine=engine)
    assert [game.scores[player].total for player in game.players] == lucks
    game.push("go")
    assert [aodrules.open_game(game.save()).scores[player].total for player in game.players] == lucks
    assert [game.copy().scores[player].total for player in game.players] == lucks


@pytest.mark.slow
def test_a_nation_goes_with_the_colour_of_its_seat() -> None:
    rules = aodrules.load("empires+national-advantages+nations-by-colour")
    game = rules.new_game(players=["red", "green"], seed=1)
    boards = [str(game.state.players[player].board) for player in game.players]
    all_four = rules.new_game(players=4, seed=2)
    expected = {player: str(all_four.state.players[player].board) for player in all_four.players}
    assert boards == [expected["red"], expected["green"]]
