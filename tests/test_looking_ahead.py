"""Branches and what an answer would do: tried out where nobody can look into the true game."""

from __future__ import annotations

import pytest

import aodrules
from tests.play import secret_games as small
from tests.playing import random_game


def test_the_true_game_does_not_change() -> None:
    game = random_game("harbour", 3, 12)
    before = game.record(), game.machine.plain()
    assert game.decision is not None
    found = game.what_if(game.decision.player, game.actions[0])
    assert (game.record(), game.machine.plain()) == before
    assert found.events == found.game.view(found.seat).events != ()
    found.game.push(found.game.codes[0])
    assert (game.record(), game.machine.plain()) == before


def test_it_says_what_changes() -> None:
    game = small.rules_of(small.PLAYED_OPENLY).new_game(players=2, seed=0)
    for action in ("fill 4", "fill 2"):
        game.push(action)
    found = game.what_if("ann", "boast 3")
    assert (found.points, found.is_certain, found.action) == ({"ann": 3}, True, "boast 3")


def test_chance_does_not_foretell_the_true_one() -> None:
    game = small.rules_of(small.DICE).new_game(players=2, seed=0)
    faces = [game.what_if("bob", "bet 1", seed=seed) for seed in range(40)]
    assert {event.item for found in faces for event in found.chance if isinstance(event, aodrules.RollEvent)} == {
        0,
        1,
        2,
        3,
    }
    assert not any(found.is_certain for found in faces)


def test_a_card_that_is_drawn_is_no_certainty() -> None:
    game = small.rules_of(small.STACK).new_game(players=2, seed=0)
    drawn = [game.what_if("bob", "bet two", seed=seed) for seed in range(20)]
    assert not any(found.is_certain for found in drawn)
    assert len({str(found.chance) for found in drawn}) > 1


def test_it_is_asked_by_who_decides() -> None:
    game = random_game("harbour", 3, 0)
    assert game.decision is not None
    other = next(seat for seat in game.players if seat != game.decision.player)
    with pytest.raises(aodrules.ArgumentError, match=f"for the seat that decides, which is `{game.decision.player}`"):
        game.what_if(other, game.actions[0])
    with pytest.raises(aodrules.InvalidActionError):
        game.what_if(game.decision.player, "fly")
    for _ in range(2):
        game.push("place bosun fishery")
    with pytest.raises(aodrules.IllegalActionError):
        game.what_if(game.decision.player, "place bosun office")


def test_a_branch_is_a_sample() -> None:
    game = random_game("caravan", 3, 12)
    seat = game.players[0]
    assert game.branch(seat, seed=4).machine.plain() == game.sample(seat, 4).machine.plain()
    with pytest.raises(aodrules.ArgumentError, match="no past"):
        game.branch(seat).save()
