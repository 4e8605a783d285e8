"""Bots that think no further than one answer: at random, and by the next step."""

from __future__ import annotations

from attrs import frozen

from aodrules.bots.turns import Turn
from aodrules.errors import SampleError


@frozen
class RandomBot:
    """Takes any legal action, all equally likely.

    Examples:
        >>> import aodrules
        >>> from aodrules import bots
        >>> game = aodrules.load("nim").new_game(players=2, seed=1)
        >>> bots.choose(game, bots.RandomBot()) in game.actions
        True
    """

    def choose(self, turn: Turn) -> int:
        """Return one of the legal codes."""
        return turn.random.choice(turn.codes)

    def rank(self, turn: Turn) -> list[int]:
        """Return all legal codes in any order."""
        return turn.random.sample(turn.codes, len(turn.codes))


@frozen
class GreedyBot:
    """Takes the action after which it is furthest ahead of the best other seat by the game's own scoring.

    It looks one step ahead and no further: the position it judges is that in which the next question waits. Where what
    it does not know cannot be dealt anew, it takes any action.

    Examples:
        >>> import aodrules
        >>> from aodrules import bots
        >>> game = aodrules.load("harbour").new_game(players=2, seed=1)
        >>> bots.choose(game, bots.GreedyBot(samples=2)) in game.actions
        True
    """

    samples: int = 1
    """In how many positions that it could be in each action is tried; more tell what chance or secrets hide."""

    def choose(self, turn: Turn) -> int:
        """Return the code with the best margin; among equals any."""
        if len(turn.codes) == 1:
            return turn.codes[0]
        try:
            worth = self._worth(turn)
        except SampleError:
            return turn.random.choice(turn.codes)
        best = max(worth.values())
        return turn.random.choice([code for code in turn.codes if worth[code] == best])

    def rank(self, turn: Turn) -> list[int]:
        """Return all legal codes, those with the best margins first; equals in any order.

        Raises:
            SampleError: What the seat cannot know cannot be dealt anew in a fair way.
        """
        worth = self._worth(turn)
        return sorted(turn.random.sample(turn.codes, len(turn.codes)), key=worth.__getitem__, reverse=True)

    def _worth(self, turn: Turn) -> dict[int, int]:
        """Return the margin after each code, summed over the positions in which it is tried."""
        worth = dict.fromkeys(turn.codes, 0)
        for position in turn.samples(self.samples):
            for code in turn.codes:
                after = position.copy()
                after.apply(code)
                worth[code] += turn.leads(after)[turn.seat]
        return worth
