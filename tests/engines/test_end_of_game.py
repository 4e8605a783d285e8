"""What is done when a game is over, however it ends, and who wins when all win or lose together."""

from __future__ import annotations

import pytest

from aodrules.compiler.runtime.compiled import Compiled
from aodrules.play.engines import program_of, restore_program, store_program
from tests.engines.playing import answer, cells, entries, game_of, rules_of

ENDING = """
    game: {players: 2..4, seats: [ann, bob, cid, dan], play: main, end: count_up, points: {crop: player.crop}}
    state: {table: {ended: number 0..9}, player: {crop: number 0..99 = 1}}
    event: {counted: {given: {player: player}}}
    verb:
      main:
        do:
          - for: player
            in: seats
            do: [{step: turn, do: [{choose: go, by: player}]}]
      count_up:
        do:
          - {add: 1, to: ended}
          - for: player
            in: players
            do: [{add: 10, to: player.crop}, {happen: counted}]
    decision:
      go:
        options:
          stay: {do: []}
          end:  {do: [end_game]}
          quit: {do: [{leave_game: player}]}
    """


@pytest.mark.parametrize(
    "said, crop",
    [
        (["stay", "stay", "stay"], [11, 11, 11]),  # play is done
        (["stay", "end"], [11, 11, 11]),  # in the middle of a named step
        (["quit", "stay", "stay"], [1, 11, 11]),
        (["quit", "quit", "quit"], [1, 1, 11]),  # the last one left
    ],
)
def test_what_ends_a_game_is_done_once_however_it_ends(said: list[str], crop: list[int]) -> None:
    game = game_of(ENDING, players=3)
    for each in said:
        assert cells(game, "table.ended") == [0]
        answer(game, each)
    assert game.state.over
    assert game.state.step is None
    assert cells(game, "table.ended") == [1]
    assert cells(game, "player.crop") == crop
    assert entries(game, "happen", "over")[-1] == ("over",)
    assert len(entries(game, "happen")) == sum(one > 1 for one in crop)


def test_the_end_of_the_game_may_be_cut_short_and_does_not_come_twice() -> None:
    text = ENDING.replace("{add: 10, to: player.crop}, {happen: counted}", "{step: counting, do: [end_game]}")
    game = game_of(text)
    answer(game, "end")
    assert (cells(game, "table.ended"), game.state.over, game.state.step) == ([1], True, None)


def test_running_scores_know_nothing_of_what_ends_the_game() -> None:
    game = game_of(ENDING)
    assert game.total(0) == 1
    answer(game, "end")
    assert game.total(0) == 11


def test_a_game_that_is_over_at_once_has_its_end_too() -> None:
    game = game_of(ENDING.replace("in: seats", "in: list(s for s in seats if s.crop > 1)"))
    assert game.state.over
    assert cells(game, "table.ended") == [1]


TOGETHER = """
    game: {players: 2..4, seats: [ann, bob, cid, dan], play: main, winner: {together: saved > 1}}
    state: {table: {saved: number 0..9}}
    verb: {main: {do: [{for: player, in: seats, do: [{choose: go, by: player}]}]}}
    decision:
      go:
        options:
          save: {do: [{add: 1, to: saved}]}
          wait: {do: []}
          quit: {do: [{leave_game: player}]}
    """


@pytest.mark.parametrize(
    "said, won",
    [
        (["save", "save", "wait"], [True, True, True]),
        (["save", "wait", "wait"], [False, False, False]),
        (["quit", "save", "save"], [False, True, True]),
        (["quit", "wait", "save"], [False, False, False]),
    ],
)
def test_everybody_still_in_wins_together_or_nobody_does(said: list[str], won: list[bool]) -> None:
    game = game_of(TOGETHER, players=3)
    for each in said:
        answer(game, each)
    assert [game.evaluator.has_won(seat) for seat in range(3)] == won


def test_who_is_first_alone_or_with_others_has_won() -> None:
    text = TOGETHER.replace("together: saved > 1", "most: saved, if: player != first(seats)")
    game = game_of(text, players=3)
    assert [game.evaluator.has_won(seat) for seat in range(3)] == [False, True, True]


def test_a_program_that_was_kept_has_its_end() -> None:
    kept = restore_program(store_program(program_of(rules_of(ENDING), 2)))
    game = Compiled.new_game(kept, 1)
    while game.codes:
        game.apply(game.codes[0])
    assert game.plain().fields["table.ended"] == [1]
