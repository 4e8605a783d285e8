"""What the tests of sampled games share: games after some actions, and how values are spread over samples."""

from __future__ import annotations

from collections import Counter
from math import sqrt

from aodrules.game import Game
from tests.play import secret_games as small


def spread(game: Game, seat: str, path: str, deals: int = 1200) -> Counter[object]:
    return Counter(game.sample(seat, seed).state[path] for seed in range(deals))


def assert_spread(found: Counter[object], shares: dict[object, float]) -> None:
    """Fail unless values came up as often as they should: within five standard deviations of each."""
    total = sum(found.values())
    assert set(found) == set(shares)
    for value, share in shares.items():
        assert abs(found[value] - total * share) < 5 * sqrt(total * share * (1 - share)), (found, shares)


def played(text: str, *actions: str, players: int = 2) -> Game:
    game = small.rules_of(text).new_game(players=players, seed=4)
    for action in actions:
        game.push(action)
    return game
