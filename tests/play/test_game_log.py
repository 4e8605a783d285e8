"""The whole log of a game: for everybody what they may know, by step and by answer."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import pytest

import aodrules
from aodrules.play.history import Replay
from tests.play import secret_games as small
from tests.play.dealing import played
from tests.playing import ENGINES, random_game, rules_of

WORKS = """
kinds:
  tile:
    plural: tiles
    pieces: {count: 1}
    hooks: {work: {given: {player: player}, do: [{add: 1, to: player.won}]}}
tile: {arch: {}, barn: {work: [{add: 1, to: player.won}]}}
state:
  table:
    deck: {is: list of tile, start: all, secret: content}
    row: list of tile
    days: {is: number 0..9, resets: day}
  player: {won: number 0..99}
verb:
  main:
    do:
      - shuffle: deck
      - repeat: 2
        do:
          - step: day
            do:
              - {add: 1, to: days}
              - {for: player, in: players, do: [{choose: act, by: player}]}
          - step: income
            do:
              - for: player
                in: players
                do: [{for: tile, in: row, do: [{run: tile.work, player: player}]}]
decision: {act: {options: {open: {do: [{draw: 1, from: deck, to: row, up_to: true}]}, rest_now: {do: []}}}}
"""


def steps(log: tuple[aodrules.LogGroup, ...]) -> list[Any]:
    """Return the log in short: each step with its answers, each with the kinds of what happened."""
    return [
        (group.step, group.continued, [(turn.player, turn.action, kinds(turn.events)) for turn in group.turns])
        for group in log
    ]


def kinds(events: tuple[aodrules.Event, ...]) -> list[str]:
    return [event.kind for event in events]


def works(*actions: str, engine: str = "compiled") -> aodrules.Game:
    """Return a game of days and incomes after these actions."""
    game = small.rules_of(WORKS).new_game(players=2, seed=1, engine=engine)
    for action in actions:
        game.push(action)
    return game


@pytest.mark.parametrize("engine", ENGINES)
def test_a_step_is_told_once_with_the_answers_in_it(engine: str) -> None:
    game = works("open", "rest_now", engine=engine)
    assert steps(game.log("ann")) == [
        (None, False, [(None, None, ["shuffle"])]),
        ("verb.main.day", False, [("ann", "open", ["move"]), ("bob", "rest_now", [])]),
        ("verb.main.income", False, [(None, None, ["set", "set"])]),
    ]
    assert [group.title("en") for group in game.log("ann")] == ["", "Day", "Income"]
    game.push("open")
    assert steps(game.log("ann", since=1))[0] == ("verb.main.day", True, [("bob", "rest_now", [])])
    assert steps(game.log("ann", since=2))[0] == ("verb.main.day", False, [("ann", "open", ["move"])])


def test_an_event_tells_who_did_it_and_which_tile() -> None:
    log = works("open", "rest_now").log()
    (first, *_) = log[-1].turns[0].events
    assert first.by == "bob"
    assert first.cause is not None
    member = first.cause.member
    assert member in {"arch", "barn"}
    assert (first.cause.address, first.cause.kind) == (f"tile.{member}.work", "tile")
    (move,) = log[1].turns[0].events
    assert move.cause == aodrules.EventCause("decision.act.options.open")


def test_bookkeeping_is_told_only_who_asks_for_it() -> None:
    game = works("open")
    told = [event for group in game.log("ann", noise=True) for turn in group.turns for event in turn.events]
    assert [event.kind for event in told if event.noise] == ["set"]
    assert [event.place.path for event in told if isinstance(event, aodrules.SetEvent)] == ["days"]
    assert "step" in {event.kind for event in told}
    assert {event.noise for event in game.events} == {False}


def test_words_for_the_turns_of_a_loop_make_no_step_bookkeeping() -> None:
    texts = 'text: {verb.main.repeat: {en: "Turn {turn}"}}'
    game = small.rules_of(f"{WORKS}{texts}").new_game(players=2, seed=1)
    game.push("rest_now")
    assert [group.step for group in game.log(since=0)] == ["verb.main.day"]


def test_equal_moves_are_one() -> None:
    game = rules_of("nim.yaml").new_game(players=2, seed=1)
    game.push("take low_heap 3")
    (turn,) = game.log(since=0)[0].turns
    assert turn.events[0].text() == "3 × Pebble: Lying (Low heap) → Taken"
    assert turn.label() == "Take: Low heap, 3"


HIDDEN = """
kinds:
  tile:
    plural: tiles
    pieces: {count: 1}
    hooks: {work: {given: {player: player}, do: [{add: 1, to: player.won}]}}
tile: {arch: {}, barn: {}}
state:
  table: {deck: {is: list of tile, start: all, secret: content}}
  player: {won: number 0..99}
verb:
  main: {do: [{choose: act, by: first(players)}, {choose: act, by: first(players)}]}
decision: {act: {options: {all: {do: [{for: tile, in: tiles, do: [{run: tile.work, player: player}]}]}}}}
"""


def test_which_tile_it_was_is_told_only_where_all_of_them_are_seen() -> None:
    game = small.rules_of(HIDDEN).new_game(players=2, seed=1)
    game.push("all")
    assert [str(event.cause.member) for event in game.events if event.cause] == ["arch", "barn"]
    for told in (game.view("ann").events, [event for one in game.log()[0].turns for event in one.events]):
        assert [event.cause for event in told] == [aodrules.EventCause("kinds.tile.hooks.work")] * 2


def test_without_a_seat_nothing_is_told_that_somebody_does_not_know() -> None:
    game = played(small.AUCTION, "offer 2", "offer 5")
    turns = [(turn.player, turn.action) for group in game.log() for turn in group.turns if turn.player]
    assert turns == [("ann", "offer"), ("bob", "offer")]
    assert "offer 2" in {turn.action for group in game.log("ann") for turn in group.turns}
    assert "offer 5" in {turn.action for group in game.log(secrets=True) for turn in group.turns}
    told = [event for group in game.log() for turn in group.turns for event in turn.events]
    assert not any("bid" in str(event) for event in told)
    own = [event for group in game.log("ann") for turn in group.turns for event in turn.events]
    assert any("ann.bid" in str(event) for event in own)
    assert not any("bob.bid" in str(event) for event in own)


def test_logs_are_equal_in_worlds_that_a_seat_cannot_tell_apart() -> None:
    one, two = (played(small.AUCTION, f"offer {bid}", "offer 1", "wait") for bid in (2, 4))
    assert one.log("bob") == two.log("bob")
    assert one.log() == two.log()
    assert one.log("ann") != two.log("ann")


@pytest.mark.parametrize("word", ["harbour", "caravan"])
def test_the_log_is_there_after_a_save_a_copy_and_without_a_log(word: str) -> None:
    game = random_game(word, 3, 12)
    seat = game.players[0]
    whole = game.log(seat)
    assert sum(turn.player is not None for group in whole for turn in group.turns) == 12
    assert aodrules.open_game(game.save()).log(seat) == whole
    assert game.copy().log(seat) == whole
    silent = rules_of(word).new_game(game.players, game.seed, log=False)
    for action in _actions(game):
        silent.push(action)
    assert silent.events == ()
    assert silent.log(seat) == whole


def test_what_was_told_is_kept_until_it_is_taken_back(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Any] = []
    moment = Replay._moment

    def count(*given: Any) -> Any:
        made.append(given)
        return moment(*given)

    monkeypatch.setattr(Replay, "_moment", count)
    game = random_game("harbour", 1, 20)
    before = game.log("red")
    assert len(made) == 21
    code = game.codes[0]
    game.push(code)
    after = game.log("red")
    assert len(made) == 22
    assert game.log("red") == after != before
    game.pop()
    assert game.log("red") == before
    assert len(made) == 22, "nothing is played anew"
    game.push(code)
    assert game.log("red") == after


def test_a_sample_tells_its_seat_what_it_had_noticed() -> None:
    game = random_game("caravan", 3, 12)
    sample = game.sample("amber", 5)
    assert sample.log("amber") == game.log("amber")
    assert sample.log("jade") == ()
    sample.push(sample.codes[0])
    assert sample.log("amber")[: len(game.log("amber")) - 1] == game.log("amber")[:-1]
    (group,) = sample.log("amber", since=12)
    assert group.turns[0].number == 13


@cache
def _finished(word: str) -> aodrules.Game:
    game, chance = random_game(word, 2, 0), random.Random(2)
    while not game.over:
        game.push(chance.choice(game.codes))
    return game


@pytest.mark.parametrize("word", ["nim.yaml", "harbour"])
def test_all_answers_and_events_are_in_the_log(word: str) -> None:
    game = _finished(word)
    log = game.log(secrets=True, noise=True)
    turns = [turn for group in log for turn in group.turns if turn.player is not None]
    assert [turn.action for turn in turns] == _actions(game)
    assert [turn.player for turn in turns] == [each.player for each in game.view(game.players[0]).played]
    assert log[-1].turns[-1].events[-1] == aodrules.OverEvent(by=turns[-1].player)


def _actions(game: aodrules.Game) -> list[str]:
    return [str(action) for _, action in game._played_actions(game._last)]
