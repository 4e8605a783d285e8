"""What players of Tempus hold, lay and commit is theirs: views, samples and what is told leak nothing of it."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator

import pytest

from aodrules.game import Game
from aodrules.play.states import Hidden
from tests.content.tempus.playing import eagerly, rules_of
from tests.play.test_views import shows_no_more
from tests.play.worlds import another_world, seen

POSITIONS = 3
"""How many positions of each sort are looked at in a game."""


def positions(seed: int, most: int) -> Iterator[Game]:
    """Iterate over positions in which cards are asked for, and some in which they are not."""
    game, chance = rules_of().new_game(players=5 - seed % 3, seed=seed), random.Random(seed)
    left = dict[str, int]()
    while not game.over:
        assert game.decision is not None
        sort = game.decision.id
        if sort not in ("lay_tile", "settle") and left.setdefault(sort, most) and any(hands(game)):
            left[sort] -= 1
            yield game
        game.push(eagerly(game, chance))
    assert "lay" in left, "something secret was done"


def hands(game: Game) -> list[int]:
    return [len(game.state[f"players.{seat}.hand"]) for seat in game.players]


def assert_hidden(game: Game) -> None:
    """Of the cards of others and of the deck a seat sees how many there are, and no more."""
    for seat in (*game.players, None):
        view = game.view(seat)
        assert all(isinstance(card, Hidden) for card in view["deck"])
        for other in game.players:
            for pile in ("hand", "committed", "commit", "lay"):
                found, true = view[f"players.{other}.{pile}"], game.state[f"players.{other}.{pile}"]
                assert len(found) == len(true)
                assert all(isinstance(card, Hidden) for card in found) if seat != other else found == true


def assert_nothing_leaks(game: Game) -> None:
    """Worlds that a seat cannot tell apart are sent to it alike, and a spectator sees no more than any seat."""
    spectator = game.view(None).plain()
    for number, seat in enumerate(game.players):
        view = game.view(seat).plain()
        assert shows_no_more(spectator, view)
        other = Game(game.book, game._seating, another_world(game, number, 7))
        assert json.dumps(view) == json.dumps(other.view(seat).plain())
        one, two = (seen(game, machine, number) for machine in (game.machine, other.machine))  # type: ignore[arg-type]
        assert (one[0], one[4]) == (two[0], two[4])
        assert game.view(None).plain() == other.view(None).plain()


def test_cards_are_seen_by_who_holds_them() -> None:
    for game in positions(seed=1, most=POSITIONS):
        assert_hidden(game)


def test_nothing_leaks() -> None:
    for game in positions(seed=1, most=1):
        assert_nothing_leaks(game)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(6))
def test_nothing_leaks_in_many_positions(seed: int) -> None:
    for game in positions(seed, most=6):
        assert_hidden(game)
        assert_nothing_leaks(game)


def test_how_many_cards_lie_before_the_attacker_is_known() -> None:
    for game in positions(seed=2, most=50):
        if game.decision is not None and game.decision.id == "defend":
            attacker = str(game.state["on_turn"])
            laid = game.state[f"players.{attacker}.committed"]
            if laid:
                seat = game.decision.player
                assert [type(card) for card in game.view(seat)[f"players.{attacker}.committed"]] == [Hidden] * len(laid)
                return
    pytest.fail("nobody attacked with cards")
