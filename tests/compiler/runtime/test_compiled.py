"""Games of generated code: copies, restored cells, equal positions, and agreement with the interpreter."""

from __future__ import annotations

from random import Random

import pytest

from aodrules.check.checked import CheckedRules
from aodrules.compiler.runtime.compiled import Compiled
from aodrules.facts.state import Machine
from aodrules.play.engines import program_of
from tests.engines.handmade import bazaar, nim
from tests.engines.playing import Both, rules_of


@pytest.mark.parametrize("rules", [nim(), bazaar()], ids=["nim", "bazaar"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_both_engines_agree_on_rules_written_by_hand(rules: CheckedRules, players: int) -> None:
    for seed in range(4):
        game, random = Both(rules, players, seed), Random(seed)
        while game.codes:
            game.apply(random.choice(game.codes))


def test_generated_code_is_a_machine() -> None:
    machine: Machine = Compiled.new_game(program_of(nim(), 2), 1)
    assert machine.pending is not None


def play(game: Compiled, random: Random, answers: int) -> None:
    for _ in range(answers):
        if game.codes:
            game.apply(random.choice(game.codes))


def test_a_copy_goes_its_own_way() -> None:
    game = Compiled.new_game(program_of(bazaar(), 3), 5)
    play(game, Random(1), 9)
    before = game.cells[:]
    other = game.copy()
    play(other, Random(2), 9)
    assert game.cells == before
    assert other.cells != before


def test_what_was_kept_brings_a_game_back() -> None:
    game = Compiled.new_game(program_of(bazaar(), 3), 6)
    random = Random(3)
    while game.codes:
        before, cells, codes, pending = game.keep(), game.cells[:], game.codes, game.pending
        play(game, random, 1)
        after = game.keep()
        game.go_back(before)
        assert (game.codes, game.pending, game.cells) == (codes, pending, cells)
        assert game.listed() == codes
        game.go_back(after)


def test_a_game_goes_on_from_its_cells_alone() -> None:
    program = program_of(bazaar(), 2)
    game = Compiled.new_game(program, 8)
    play(game, Random(4), 7)
    other = Compiled(program, game.cells[:])
    play(game, Random(5), 30)
    play(other, Random(5), 30)
    assert game.cells == other.cells


def test_equal_positions_reached_by_different_orders_are_equal_and_hash_equal() -> None:
    program = program_of(nim(), 2)
    one, two = Compiled.new_game(program, 1), Compiled.new_game(program, 1)
    for first, second in zip((0, 1, 2, 0), (1, 0, 0, 2), strict=True):
        one.apply(first)
        two.apply(second)
    assert tuple(one.cells) == tuple(two.cells)
    assert hash(tuple(one.cells)) == hash(tuple(two.cells))


def test_when_a_game_is_over_nothing_waits_and_no_frame_is_left() -> None:
    program = program_of(bazaar(), 2)
    game = Compiled.new_game(program, 2)
    play(game, Random(6), 10_000)
    frames = program.plan.frames
    assert game.pending is None
    assert game.codes == ()
    assert set(game.cells[frames.first :]) <= {0}
    assert game.plain().over


def test_a_game_without_a_log_plays_the_same() -> None:
    rules = bazaar()
    one, two = (Compiled.new_game(program_of(rules, 3, log=log), 4) for log in (True, False))
    random = Random(7)
    while one.codes:
        assert one.cells == two.cells
        answer = random.choice(one.codes)
        one.apply(answer)
        two.apply(answer)
    assert one.happenings[-1] == ("over",)
    assert two.happenings == ()


def test_generated_code_tells_how_the_game_stands() -> None:
    game = Compiled.new_game(program_of(bazaar(), 2), 3)
    sources = [source.id for source in bazaar().game.points]
    assert dict(zip(sources, game.points(0), strict=True))["cash"] == 1
    assert game.total(0) == sum(game.points(0))
    assert game.standing(0)[:2] == (True, True)


def test_rules_without_a_question_end_at_once() -> None:
    rules = rules_of("state: {table: {sum: number 0..99}}\nverb: {main: {do: [{repeat: 3, do: [{add: 2, to: sum}]}]}}")
    game = Compiled.new_game(program_of(rules, 2), 1)
    assert game.plain().fields["table.sum"] == [6]
    assert game.plain().over
