"""An option may be over pieces: each that lies there is an answer, equal ones one."""

from __future__ import annotations

import pytest

import aodrules
from aodrules.play.comparison import compare
from tests.check.over_small_game import codes

GAME = """
game: {players: 2, seats: [red, blue], play: go}
kinds:
  worker: {plural: workers, attributes: {each_player: number}, pieces: {count: each_player, owned: true}}
worker:
  scout: {each_player: 2}
  smith: {each_player: 1}
state:
  table: {line: list of worker, row: list of worker}
  player: {home: {is: bag of worker, start: all}}
verb:
  go:
    do:
      - {move: smith, of: last(players), from: home, to: line}
      - {move: scout, of: first(players), count: 2, from: home, to: line}
      - {repeat: 3, do: [{choose: pick, by: first(players)}]}
decision:
  pick:
    options:
      pick:
        for: {w: {piece of worker: line}}
        where: {scouts_first: "w.worker == scout or not any(v.worker == scout for v in line)"}
        do: [{move: w, from: line, to: row, position: last}]
text:
  decision.pick.options.pick: {en: "Take {w}"}
"""


@pytest.fixture(scope="module")
def rules(tmp_path_factory: pytest.TempPathFactory) -> aodrules.Rules:
    path = tmp_path_factory.mktemp("rules") / "pickers.yaml"
    path.write_text(GAME, encoding="utf-8")
    return aodrules.load(path, cache=False)


@pytest.mark.parametrize("engine", ["compiled", "interpreter"])
def test_a_piece_is_answered_by_owner_and_member(rules: aodrules.Rules, engine: str) -> None:
    game = rules.new_game(seed=1, engine=engine)
    assert [str(action) for action in game.actions] == ["pick red scout"]
    game.push("pick red scout")
    game.push("pick red scout")
    assert [str(action) for action in game.actions] == ["pick blue smith"]
    assert game.actions[0].label("en") == "Take blue Smith"
    game.push(game.actions[0])
    assert [str(piece) for piece in game.state["row"]] == ["red scout", "red scout", "blue smith"]


def test_a_piece_that_does_not_lie_there_is_refused(rules: aodrules.Rules) -> None:
    game = rules.new_game(seed=1)
    assert [reason.id for reason in game.why_not("pick blue smith")] == [
        "decision.pick.options.pick.where.scouts_first"
    ]
    assert game.why_not("pick red smith")
    with pytest.raises(aodrules.IllegalActionError):
        game.push("pick red smith")


def test_both_engines_list_the_same_pieces(rules: aodrules.Rules) -> None:
    assert len(compare(rules.book, 2, seed=3).answers) == 3


def test_a_number_has_no_pieces() -> None:
    option = "{for: {n: {number 0..3: players}}, do: []}"
    assert "type-mismatch" in codes(f"decision: {{odd: {{options: {{go: {option}}}}}}}")
