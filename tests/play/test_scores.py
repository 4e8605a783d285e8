"""Who stands where, and who wins: nobody, one, or several."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

import aodrules
from aodrules.bots.turns import Turn
from aodrules.bots.words import bot_of
from aodrules.cli.main import run
from aodrules.game import Game
from aodrules.simulate.balance import compare, won
from aodrules.simulate.matches import MatchSetting, play_match
from tests.playing import ENGINES

# Each player keeps a coin or gives it away; only who gave one away may win.
GAME = """
game:
  players: 2
  seats: [red, blue]
  begin: wait
  play: ask_all
  points: {coins: {is: player.coins}}
  winner: {most: total(player), if: player.gifts > 0}
state:
  player: {coins: {is: number 0..9, start: 3}, gifts: number 0..9}
verb:
  wait: {do: []}
  ask_all: {do: [{for: player, in: players, do: [{choose: coin, by: player}]}]}
decision:
  coin:
    options:
      keep: {do: [{add: 1, to: player.coins}]}
      give: {do: [{add: 1, to: player.gifts}]}
"""


def _file(folder: Path, text: str = GAME) -> Path:
    path = folder / "gifts.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def _ranking(folder: Path, engine: str, *answers: str) -> list[tuple[int, str, bool, bool, str | None]]:
    game = aodrules.load(_file(folder), cache=False).new_game(seed=1, engine=engine)
    for answer in answers:
        game.push(answer)
    assert game.over
    return [(each.place, each.player, each.shared, each.won, each.decided_by) for each in game.ranking]


@pytest.mark.parametrize("engine", ENGINES)
def test_who_may_not_win_is_behind_who_may(tmp_path: Path, engine: str) -> None:
    found = _ranking(tmp_path, engine, "keep", "give")
    assert found == [(1, "blue", False, True, None), (2, "red", False, False, "may not win")]


@pytest.mark.parametrize("engine", ENGINES)
def test_several_who_are_equal_win_together(tmp_path: Path, engine: str) -> None:
    found = _ranking(tmp_path, engine, "give", "give")
    assert found == [(1, "red", True, True, None), (1, "blue", True, True, None)]


@pytest.mark.parametrize("engine", ENGINES)
def test_where_nobody_may_win_nobody_is_first_and_the_reason_is_told(tmp_path: Path, engine: str) -> None:
    found = _ranking(tmp_path, engine, "keep", "keep")
    assert found == [(2, "red", True, False, "may not win"), (2, "blue", True, False, "may not win")]


def test_among_those_who_may_not_win_points_still_tell_who_is_behind(tmp_path: Path) -> None:
    """The best of them are second because they may not win, the next are third because of their points."""
    path = _file(tmp_path, GAME.replace("player.gifts > 0", "player.gifts > 1"))
    game = aodrules.load(path, cache=False).new_game(seed=1)
    game.push("give")
    game.push("keep")
    found = [(each.place, each.player, each.decided_by) for each in game.ranking]
    assert found == [(2, "blue", "may not win"), (3, "red", "total(player)")]


def test_a_scenario_can_say_that_nobody_wins(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    claim = """
scenario:
  nobody-wins:
    when: [{red: keep}, {blue: keep}]
    then: {ranking: [[red, blue]], decided.red: may not win, decided.blue: may not win}
"""
    assert run(["test", _file(tmp_path, GAME + claim).as_posix()]) == 0
    assert "1 passed" in capsys.readouterr().out


def test_a_match_that_nobody_wins_counts_for_nobody(tmp_path: Path) -> None:
    never = aodrules.load(_file(tmp_path, GAME.replace("player.gifts > 0", "player.gifts > 5")), cache=False)
    matches = [play_match(never, MatchSetting(2), seed) for seed in range(4)]
    assert all(won(match, seat) == 0 for match in matches for seat in match.seats)
    rows = [match.row() for match in matches]
    assert {(row["won_0"], row["won_1"]) for row in rows} == {(False, False)}
    figures = {(line.group, line.id): line.before for line in compare("a", "b", matches, matches).lines}
    assert figures["share of wins", "red"].value == 0
    # There is no lead of somebody who does not win.
    assert figures["decisiveness", "lead"].count == 0


def test_the_lead_of_a_winner_with_fewer_points_is_negative(tmp_path: Path) -> None:
    text = GAME.replace("player.gifts > 0", "player == last(players)").replace("start: 3", "start: 0")
    rules = aodrules.load(_file(tmp_path, text), cache=False)
    matches = [play_match(rules, MatchSetting(2), seed) for seed in range(12)]
    (line,) = [each for each in compare("a", "b", matches, matches).lines if each.name == "lead of the winner"]
    told = [match.seats[1]["total"] - match.seats[0]["total"] for match in matches]
    assert -1 in told
    assert line.before.value == pytest.approx(sum(told) / len(told))


def test_simulate_counts_no_win_where_nobody_wins(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = _file(tmp_path, GAME.replace("player.gifts > 0", "player.gifts > 5"))
    assert run(["simulate", path.as_posix(), "--games", "3", "--workers", "1"]) == 0
    row = next(line for line in capsys.readouterr().out.splitlines() if "blue" in line)
    assert "0.00" in row


@pytest.mark.parametrize("bot", ["greedy", "search:60"])
def test_bots_would_rather_win_than_have_more_points(tmp_path: Path, bot: str) -> None:
    rules = aodrules.load(_file(tmp_path), cache=False)
    for seed in range(5):
        game = rules.new_game(seed=seed)
        game.push("give")
        chosen = bot_of(bot).choose(Turn(game, 1, Random(seed)))
        assert str(game.actions[game.codes.index(chosen)]) == "give"


def test_the_score_sheet_says_that_nobody_wins(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = _file(tmp_path, GAME.replace("player.gifts > 0", "player.gifts > 5"))
    assert run(["check", path.as_posix(), "--play", "1"]) == 0
    assert "nobody wins" in capsys.readouterr().out


def _finished(word: str, seed: int) -> Game:
    game, chance = aodrules.load(word).new_game(players=3, seed=seed), Random(seed)
    while not game.over:
        game.push(chance.choice(game.codes))
    return game


def test_a_score_is_told_in_the_words_of_a_language() -> None:
    game = _finished("empires", 2)
    score = game.scores["red"]
    assert {line.source: line.text("pl") for line in score.lines}["economy"] == "Gospodarka"
    shares = [share for line in score.lines for share in line.shares]
    carried = next(share for share in shares if share.member is not None)
    assert carried.text("ru") == game.rules.text(f"{carried.kind}.{carried.member}", "ru")
    assert {share.text("pl") for share in shares if share.origin == "value.points.economy"} == {"Gospodarka"}
    read = aodrules.from_json(aodrules.to_json(score), aodrules.Score)
    assert [line.text() for line in read.lines] == [line.source for line in score.lines]


def test_a_place_is_told_in_the_words_of_a_language() -> None:
    game = _finished("empires", 3)
    first, second, *_ = game.ranking
    assert first.text("pl") == f"1. {game.rules.text(f'player.{first.player}', 'pl')}"
    assert first.because("pl") == ""
    assert second.because("pl") == "o miejscu 2 zdecydowało: razem"
    read = aodrules.from_json(aodrules.to_json(second), aodrules.Standing)
    assert (read.text("pl"), read.because("pl")) == (str(second), "o miejscu 2 zdecydowało: total(player)")


def test_who_may_not_win_is_told_so_in_a_language(tmp_path: Path) -> None:
    game = aodrules.load(_file(tmp_path), cache=False).new_game(seed=1)
    for answer in ("keep", "keep"):
        game.push(answer)
    assert [one.text("pl") for one in game.ranking] == ["2. red (wspólne)", "2. blue (wspólne)"]
    assert {one.because("pl") for one in game.ranking} == {"o miejscu 2 zdecydowało: nie może wygrać"}
