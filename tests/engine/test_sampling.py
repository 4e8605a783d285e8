"""A sampled state agrees with what a seat knows, and deals the rest anew."""

from __future__ import annotations

import random
from collections.abc import Iterator
from statistics import fmean

import pytest

import aodrules
from aodrules.engine.compiled import Compiled
from aodrules.engine.sampling import Dealer, sampled_machine
from aodrules.game import Game
from aodrules.play.readers import SeatReader

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
    """Return what a seat sees of a machine's state and knows to be somewhere in a field, as text."""
    other = Game(game._book, game._seating, machine)
    tables = game.tables
    reader = SeatReader(game._names, machine.plain(), game.players.index(seat))
    inside = [
        (name, at, sorted(reader.inside(name, at).items()))
        for name, field in sorted(tables.rules.fields.items())
        if field.secret and field.holds is not None
        for at in tables.shapes[name].indices()
    ]
    return repr((other.view(seat).plain(), inside))


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("decisions", [0, 25])
def test_a_sample_looks_the_same_to_the_seat(name: str, decisions: int) -> None:
    for seed in range(4):
        game = middle(name, seed, decisions)
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


def test_what_is_true_is_dealt_no_more_often_than_anything_else() -> None:
    """Otherwise a bot would learn from its samples what is hidden."""
    game = middle("harbour", 2, 20)
    assert isinstance(game._machine, Compiled)
    dealer = Dealer.of(game._machine, game.tables, 0)
    truth, *deals = ([*_held(machine)] for machine in (game._machine, *(dealer.deal(seed) for seed in range(300))))
    as_it_is = fmean(one == other for deal in deals for one, other in zip(deal, truth, strict=True))
    # No crate is like another, and backs tell two ships apart: eight and seven crates, so one in eight or seven.
    assert len(truth) == len(set(truth)) == 15
    assert as_it_is == pytest.approx(2 / 15, abs=0.015)


def _held(machine: Compiled) -> Iterator[int]:
    for name in ("table.hold", "table.pier"):
        held = machine.plain().fields[name][0]
        assert isinstance(held, tuple)
        yield from held


def test_pieces_known_to_be_in_a_stack_stay_in_it() -> None:
    """Everybody knows which cards a fresh deck holds, so nothing can come into it from elsewhere."""
    game = middle("caravan", 3, 0)
    assert isinstance(game._machine, Compiled)
    before = game._machine.plain().fields["table.charters"][0]
    after = sampled_machine(game._machine, game.tables, 0, 5).plain().fields["table.charters"][0]
    assert isinstance(before, tuple)
    assert isinstance(after, tuple)
    assert sorted(before) == sorted(after)
