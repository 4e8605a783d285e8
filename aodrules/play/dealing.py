"""Positions that a seat could believe it is in: whatever it does not know is dealt anew."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property

from attrs import define, field, frozen

from aodrules.compiler.layout import GENERATOR
from aodrules.compiler.runtime.compiled import Compiled
from aodrules.compiler.runtime.determinization import Pool, pools
from aodrules.errors import ArgumentError, SampleError
from aodrules.facts.chance import generator_of, roll
from aodrules.facts.machine import Machine
from aodrules.facts.tables import Tables
from aodrules.play.actions import ActionTable
from aodrules.play.beliefs import Belief, Guess
from aodrules.play.event_texts import EventTexts

MOST_TRIES = 200
"""How often a position is dealt until somebody who is asked has an answer."""


@frozen(eq=False)
class Dealer:
    """Deals positions that a seat could believe it is in, as many as are asked for."""

    _machine: Compiled
    _pools: tuple[Pool, ...]
    _guesses: tuple[Guess, ...]

    def deal(self, seed: int) -> Compiled:
        """Return a game that waits at the same question in one of those positions; future chance is new too.

        Raises:
            SampleError: In none of many positions the one who is asked could answer.
        """
        # A number far away from all that a game of the same seed comes to.
        generator = roll(generator_of(seed), 1 << 64)[1]
        for _ in range(MOST_TRIES):
            cells = self._machine.cells[:]
            for guess in self._guesses:
                generator = guess.deal(cells, generator)
            for pool in self._pools:
                generator = pool.deal(cells, generator)
            cells[GENERATOR] = generator
            machine = Compiled(self._machine.program, cells)
            if machine.codes or not self._machine.codes:
                return machine
        raise SampleError(f"no position was found in which `{self._machine.decision}` can be answered")


@define(eq=False)
class Beliefs:
    """What the seats of a game can tell about what others answered in secret; each is followed when it asks."""

    faces: ActionTable
    _texts: EventTexts
    _begin: Callable[[], Machine] | None
    """The game from its beginning, with a log; a game that began in the middle has none."""
    _by_seat: dict[int, Belief] = field(factory=dict, init=False)

    @cached_property
    def are_needed(self) -> bool:
        """Whether there is anything that somebody answers in secret beside pieces of theirs."""
        rules = self.faces.names.tables.rules
        return any(
            option.hidden and option.parameters and option.address not in rules.secrets.by_pieces
            for decision in rules.decisions.values()
            for option in decision.options
        )

    def guesses(self, seat: int, answers: Sequence[int]) -> tuple[Guess, ...]:
        """Return what a seat can tell after these answers."""
        if not self.are_needed:
            return ()
        if self._begin is None:
            raise SampleError("a game that was itself sampled has no past to tell what others answered in secret")
        if seat not in self._by_seat:
            self._by_seat[seat] = Belief(self._begin, self._texts, self.faces.spaces, seat)
        self._by_seat[seat].follow(answers)
        return self._by_seat[seat].guesses()


def dealer_of(machine: Machine, beliefs: Beliefs, seat: int, answers: Sequence[int]) -> Dealer:
    """Return a dealer for what a seat knows now; it stays at this point when the game goes on.

    Raises:
        ArgumentError: The game is played by the interpreter.
        SampleError: What the seat does not know cannot be dealt anew in a fair way.
    """
    if not isinstance(machine, Compiled):
        raise ArgumentError("only games of generated code can be sampled")
    tables = beliefs.faces.names.tables
    _check_fairness(tables, machine.decision)
    return Dealer(machine.copy(), pools(machine, tables, seat), beliefs.guesses(seat, answers))


def _check_fairness(tables: Tables, decision: str | None) -> None:
    """Fail where pieces and other secrets depend on each other: each is dealt as if the other did not matter."""
    secrets = tables.rules.secrets
    for mixture in secrets.mixtures:
        raise SampleError(f"{mixture.what} ({mixture.span})")
    if decision in secrets.asked_amid:
        raise SampleError(f"`{decision}` is asked in the middle of steps that depend on hidden pieces")
