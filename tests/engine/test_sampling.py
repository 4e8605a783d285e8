"""A sampled state agrees with what a seat knows, and deals the rest anew."""

from __future__ import annotations

import random

import pytest

import aodrules
from aodrules.engine.compiled import Compiled
from aodrules.engine.sampling import sampled_machine
from aodrules.game import Game

GAMES = ("harbour", "caravan", "isles")


def middle(name: str, seed: int, decisions: int) -> Game:
    game = aodrules.load(f"tests/games/{name}").new_game(players=3, seed=seed)
    chance = random.Random(seed)
    for _ in range(decisions):
        if game.over:
            break
        game.push(chance.choice(game.codes))
    return game


def shown(game: Game, machine: Compiled, seat: str) -> str:
    """Return what a seat sees of a machine's state, as text."""
    other = Game(game._book, game._seating, machine)
    return repr(other.view(seat).plain())


@pytest.mark.parametrize("name", GAMES)
def test_a_sample_looks_the_same_to_the_seat(name: str) -> None:
    for seed in range(4):
        game = middle(name, seed, 25)
        if game.over or not isinstance(game._machine, Compiled):
            continue
        for number, seat in enumerate(game.players):
            machine = sampled_machine(game._machine, game._names.tables, number, 7)
            assert shown(game, machine, seat) == shown(game, game._machine, seat)


@pytest.mark.parametrize("name", GAMES)
def test_samples_play_on_to_the_end_with_all_pieces(name: str) -> None:
    game = middle(name, 1, 25)
    assert isinstance(game._machine, Compiled)
    for seed in range(5):
        machine = sampled_machine(game._machine, game._names.tables, 0, seed)
        chance = random.Random(seed)
        while machine.pending is not None:
            machine.apply(chance.choice(machine.codes))


def test_samples_differ_in_what_is_hidden() -> None:
    game = middle("harbour", 2, 10)
    assert isinstance(game._machine, Compiled)
    found = {
        str(sampled_machine(game._machine, game._names.tables, 0, seed).plain().fields["table.hold"])
        for seed in range(10)
    }
    assert len(found) > 5
