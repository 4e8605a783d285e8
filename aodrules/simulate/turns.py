"""What a bot is given when it must choose, and how good a position is for each seat by the game's own scoring."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from random import Random
from typing import Protocol

from attrs import frozen

from aodrules.compiler.runtime.compiled import Compiled
from aodrules.facts.state import Machine
from aodrules.game import Game
from aodrules.interpreter.tables import Tables
from aodrules.play.beliefs import Dealer
from aodrules.play.views import View


@frozen(eq=False)
class Turn:
    """One question to one seat. Nothing here tells what the seat may not know."""

    game: Game
    """Not for bots: it holds the secrets of the others."""
    seat: int
    random: Random
    """Chance for the bot; the same in every run of the same game."""

    @cached_property
    def _dealer(self) -> Dealer:
        return self.game.dealer(self.player)

    @property
    def player(self) -> str:
        """The name of the seat."""
        return self.game.players[self.seat]

    @property
    def codes(self) -> tuple[int, ...]:
        """The legal answers."""
        return self.game.codes

    @property
    def view(self) -> View:
        """The game as this seat may see it."""
        return self.game.view(self.player)

    @property
    def tables(self) -> Tables:
        """Facts fixed by the rules and the number of players."""
        return self.game.tables

    def sample(self) -> Compiled:
        """Return the position as it might be: what the seat cannot know is dealt anew. Play on with `apply`.

        Raises:
            SampleError: What the seat cannot know cannot be dealt anew in a fair way.
        """
        return next(self.samples(1))

    def samples(self, count: int) -> Iterator[Compiled]:
        """Iterate over so many positions that the seat could be in."""
        for _ in range(count):
            yield self._dealer.deal(self.random.getrandbits(63))


class Bot(Protocol):
    """Chooses for a seat. One bot plays one seat of one game: it may remember."""

    def choose(self, turn: Turn) -> int:
        """Return one of `turn.codes`."""


def leads(machine: Machine, tables: Tables) -> list[int]:
    """Return for each seat how far it is ahead of the best of the others, as if the game ended now."""
    points = [machine.total(seat) for seat in range(tables.players)]
    if tables.rules.game.winner_if is not None:
        # Who may not win is as far behind the last as the last is behind the first: to lose by points is no worse.
        behind = 2 * min(points) - max(points) - 1
        points = [own if machine.standing(seat)[1] else behind for seat, own in enumerate(points)]
    if len(points) == 1:
        return points
    return [own - max(points[:seat] + points[seat + 1 :]) for seat, own in enumerate(points)]
