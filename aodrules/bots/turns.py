"""What a bot is given when it must choose, and how good a position is for each seat by the game's own scoring."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from random import Random
from typing import Protocol, Self

from attrs import frozen

from aodrules.facts.state import Scoring
from aodrules.game import Game
from aodrules.play.actions import Action
from aodrules.play.beliefs import Dealer
from aodrules.play.views import View


class Position(Scoring, Protocol):
    """A position that a seat could be in, to be played on. Nothing done in it is done in the game.

    Examples:
        >>> import aodrules
        >>> from random import Random
        >>> from aodrules import bots
        >>> game = aodrules.load("nim").new_game(players=2, seed=1)
        >>> position = bots.Turn(game, 0, Random(1)).sample()
        >>> position.player, position.codes == game.codes
        (0, True)
        >>> codes = position.apply(position.codes[0])
        >>> position.player
        1
    """

    @property
    def codes(self) -> tuple[int, ...]:
        """The legal answers; none when the game is over."""

    @property
    def player(self) -> int:
        """The seat that is asked, by its number."""

    def apply(self, code: int) -> tuple[int, ...]:
        """Give a legal answer, play on to the next question and return its legal answers."""

    def copy(self) -> Self:
        """Return a position that goes on from here on its own."""


@frozen(eq=False, repr=False)
class Turn:
    """One question to one seat. Nothing that a bot may use of it tells what the seat may not know.

    Examples:
        >>> import aodrules
        >>> from random import Random
        >>> from aodrules import bots
        >>> game = aodrules.load("nim").new_game(players=2, seed=1)
        >>> turn = bots.Turn(game, 0, Random(1))
        >>> turn.player, turn.actions[0].code == turn.codes[0]
        ('first', True)
    """

    _game: Game
    """Not for bots: it holds the secrets of the others."""
    seat: int
    """The number of the seat."""
    random: Random
    """Chance for the bot; the same in every run of the same game."""

    def __repr__(self) -> str:
        return f"<Turn of {self.player}: {len(self.codes)} codes>"

    @cached_property
    def _dealer(self) -> Dealer:
        return self._game.dealer(self.player)

    @property
    def player(self) -> str:
        """The name of the seat."""
        return self._game.players[self.seat]

    @property
    def codes(self) -> tuple[int, ...]:
        """The legal answers."""
        return self._game.codes

    @property
    def actions(self) -> list[Action]:
        """The legal answers as actions, in the order of `codes`."""
        return self._game.actions

    @property
    def view(self) -> View:
        """The game as this seat may see it."""
        return self._game.view(self.player)

    def sample(self) -> Position:
        """Return the position as it might be: what the seat cannot know is dealt anew. Play on with `apply`.

        Raises:
            SampleError: What the seat cannot know cannot be dealt anew in a fair way.
        """
        return next(self.samples(1))

    def samples(self, count: int) -> Iterator[Position]:
        """Iterate over so many positions that the seat could be in."""
        for _ in range(count):
            yield self._dealer.deal(self.random.getrandbits(63))

    def leads(self, position: Position) -> list[int]:
        """Return for each seat how far it is ahead of the best of the others in a position, by the game's outlook."""
        players = range(len(self._game.players))
        points = [position.outlook(seat) for seat in players]
        if self._game.tables.rules.game.winner_if is not None:
            # Who may not win is as far behind the last as the last is behind the first: to lose by points is no worse.
            behind = 2 * min(points) - max(points) - 1
            points = [own if position.standing(seat)[1] else behind for seat, own in enumerate(points)]
        if len(points) == 1:
            return points
        return [own - max(points[:seat] + points[seat + 1 :]) for seat, own in enumerate(points)]


class Bot(Protocol):
    """Chooses for a seat. A bot that plays one seat of one game may remember.

    Examples:
        >>> import aodrules
        >>> from aodrules import bots
        >>> class LastBot:
        ...     def choose(self, turn: bots.Turn) -> int:
        ...         return turn.codes[-1]
        >>> game = aodrules.load("nim").new_game(players=2, seed=1)
        >>> bots.choose(game, LastBot()) == game.actions[-1]
        True
    """

    def choose(self, turn: Turn) -> int:
        """Return one of `turn.codes`."""


class RankingBot(Bot, Protocol):
    """A bot that can tell what it would rather do than the rest."""

    def rank(self, turn: Turn) -> list[int]:
        """Return all of `turn.codes`, what it would rather do before the rest."""
