"""The line of play: taking back many answers, and what it costs in answers played."""

from __future__ import annotations

from random import Random

import pytest

from aodrules.facts.state import Machine
from aodrules.game import Game
from aodrules.play import history
from tests.playing import rules_of


def begun(engine: str) -> Game:
    return rules_of("caravan").new_game(players=3, seed=5, engine=engine)


def position(game: Game) -> tuple[object, ...]:
    return game.state.plain(), game.codes, game.events, game.record()


def played(game: Game, answers: int) -> list[tuple[object, ...]]:
    """Play some answers by chance and return the position before each."""
    chance, before = Random(3), []
    for _ in range(answers):
        before.append(position(game))
        game.push(chance.choice(game.codes))
    return before


@pytest.mark.parametrize("answers", [1, history.EVERY - 1, history.EVERY, history.EVERY + 1, 3 * history.EVERY + 2])
@pytest.mark.parametrize("engine", ["compiled", "interpreter"])
def test_all_answers_can_be_taken_back_one_by_one(engine: str, answers: int) -> None:
    game = begun(engine)
    before = played(game, answers)
    for expected in reversed(before):
        game.pop()
        assert position(game) == expected
    with pytest.raises(IndexError, match="nothing to take back"):
        game.pop()


def test_a_copy_takes_back_and_goes_on_by_itself() -> None:
    game = begun("compiled")
    before = played(game, 2 * history.EVERY + 3)
    other, now = game.copy(), position(game)
    for expected in before[:-4:-1]:
        other.pop()
        assert position(other) == expected
    played(other, 4)
    assert position(game) == now


def test_taking_back_plays_no_answer_more_than_once_again(monkeypatch: pytest.MonkeyPatch) -> None:
    game = begun("compiled")
    many = 5 * history.EVERY + 3
    played(game, many)
    applied = _count_applied(monkeypatch, game.machine)
    for _ in range(many):
        game.pop()
    assert 0 < len(applied) <= many


def test_trying_one_answer_after_another_plays_nothing_again(monkeypatch: pytest.MonkeyPatch) -> None:
    game = begun("compiled")
    played(game, history.EVERY + 3)
    game.pop()
    applied = _count_applied(monkeypatch, game.machine)
    codes = game.codes
    for code in codes:
        game.push(code)
        game.pop()
    assert applied == list(codes)


@pytest.mark.parametrize("engine", ["compiled", "interpreter"])
def test_where_points_are_large_they_stand_further_apart(engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # What is kept to go back takes no more memory the longer a game is, but for a point whenever it is twice as long.
    game = begun(engine)
    for module in ("aodrules.play.history", "aodrules.game"):
        monkeypatch.setattr(f"{module}.ROOM", 3 * game.machine.size // 2)
    game = begun(engine)
    before = played(game, 50)
    points, step = 0, game._last
    while step is not None:
        points += step[2] is not None
        step = step[0]
    assert 2 < points < 6
    applied = _count_applied(monkeypatch, game.machine)
    for expected in reversed(before):
        game.pop()
        assert position(game) == expected
    if engine == "compiled":  # The interpreter plays from the beginning to go back anyway.
        assert 0 < len(applied) < 10 * 50


def _count_applied(monkeypatch: pytest.MonkeyPatch, machine: Machine) -> list[int]:
    applied: list[int] = []
    apply = type(machine).apply

    def counted(self: Machine, code: int) -> None:
        applied.append(code)
        apply(self, code)

    monkeypatch.setattr(type(machine), "apply", counted)
    return applied
