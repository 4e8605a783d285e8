"""What a seat can tell about numbers, flags and members that others keep secret.

Such a secret comes from what its owner answered in secret. So the game is followed once more, and wherever somebody
answered in secret, with every answer they could have given; what the seat would have noticed is left out. All ways of
answering that are left are equally likely.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from functools import cached_property
from itertools import accumulate, pairwise
from typing import Any, TypeAlias

from attrs import define, field, frozen

from aodrules.compiler.layout import GENERATOR
from aodrules.compiler.runtime.compiled import Compiled
from aodrules.compiler.runtime.determinization import Pool, pools
from aodrules.errors import ArgumentError, SampleError
from aodrules.facts.action_codes import ActionSpace, Choice
from aodrules.facts.chance import generator_of, roll
from aodrules.facts.state import Machine
from aodrules.interpreter.tables import Tables
from aodrules.play.actions import ActionTable
from aodrules.play.event_types import Event
from aodrules.play.events import EventTexts, Happenings, events_for
from aodrules.play.ids import IdTable

MOST_WORLDS = 2_000
"""How many states of one seat's secrets are followed."""

Worlds: TypeAlias = "list[tuple[Compiled, int]]"
"""Games that differ in the secrets of one seat, each with the number of ways to answer that lead to it."""


@frozen(eq=False)
class Guess:
    """What the secrets of one seat may be."""

    _cells: tuple[int, ...]
    _states: tuple[tuple[Any, ...], ...]
    """What these cells may hold, in an order that does not depend on what they truly hold."""
    _ends: tuple[int, ...]
    """For each state: how many ways of answering lead to it or to one before it."""

    def deal(self, cells: list[Any], generator: int) -> int:
        """Put one of the states into the cells of a game, and return the next generator."""
        generator, number = roll(generator, self._ends[-1])
        state = self._states[bisect_right(self._ends, number)]
        for cell, held in zip(self._cells, state, strict=True):
            cells[cell] = held
        return generator


@define(eq=False)
class Belief:
    """What one seat can tell at one point of a game.

    The secrets of each other seat are followed for themselves: what is put into them is known to their owner, so it
    depends on no other seat's; and they are shown one by one.
    """

    _begin: Callable[[], Machine]
    """A new game with a log, from which the answers lead to this point."""
    _texts: EventTexts
    _spaces: dict[str, ActionSpace]
    _seat: int
    _truth: Compiled = field(init=False)
    _answers: list[int] = field(factory=list, init=False)
    _worlds: dict[int, Worlds] = field(factory=dict, init=False)
    """By seat; one whose secrets are certain is not here."""
    _lost: set[int] = field(factory=set, init=False)
    """Seats whose secrets had too many states."""
    _secret: dict[int, tuple[int, ...]] = field(init=False)
    """By seat: the cells that only it may see and that hold no pieces."""

    def __attrs_post_init__(self) -> None:
        self._truth = self._new_game()
        self._secret = _secret_cells(self._truth, self._texts.names)

    def follow(self, answers: Sequence[int]) -> None:
        """Go to the point after these answers."""
        if self._answers != list(answers[: len(self._answers)]):
            self._truth = self._new_game()
            self._answers, self._worlds, self._lost = [], {}, set()
        for answer in answers[len(self._answers) :]:
            self._take(answer)
            self._answers.append(answer)

    def _new_game(self) -> Compiled:
        machine = self._begin()
        assert isinstance(machine, Compiled)  # others cannot be sampled
        return machine

    def guesses(self) -> tuple[Guess, ...]:
        """Return what the secrets of the other seats may be at this point.

        Raises:
            SampleError: They have too many states.
        """
        if self._lost:
            player = self._texts.names.seats[min(self._lost)]
            raise SampleError(f"{player} may have answered in secret in more than {MOST_WORLDS:,} ways")
        return tuple(
            _guess(worlds, (*self._secret[seat], *self._varying(seat))) for seat, worlds in sorted(self._worlds.items())
        )

    def _varying(self, seat: int) -> list[int]:
        """Return the cells of frames that depend on the secrets of a seat.

        What depends on those of several seats is known to nobody, and no step can use it: it is in no frame.
        """
        truth, worlds = self._truth.cells, self._worlds[seat]
        first = self._truth.program.plan.frames.first
        return [cell for cell in range(first, len(truth)) if any(one.cells[cell] != truth[cell] for one, _ in worlds)]

    # Following.

    def _take(self, answer: int) -> None:
        truth = self._truth
        player, choice = truth.player, self._spaces[str(truth.decision)].decode(answer)[0]
        guessed = player if self._is_guessed(player, choice) else None
        if guessed is not None and guessed not in self._worlds:
            self._worlds[guessed] = [(truth.copy(), 1)]
        truth.apply(answer)
        noticed = events_for(self._texts, Happenings(truth.happenings), self._seat) if self._worlds else ()
        for seat, worlds in list(self._worlds.items()):
            codes = range(choice.offset, choice.offset + choice.codes) if seat == guessed else range(answer, answer + 1)
            self._put(seat, self._after(seat, worlds, codes, noticed))

    def _is_guessed(self, player: int, choice: Choice) -> bool:
        """Whether the seat heard only of the option, and what was answered depends on no hidden piece."""
        option, secrets = choice.option, self._texts.names.tables.rules.secrets
        if option is None or player == self._seat or player in self._lost:
            return False
        return option.hidden and option.address not in secrets.by_pieces

    def _after(self, seat: int, worlds: Worlds, codes: range, noticed: tuple[Event, ...]) -> Worlds:
        """Return the worlds after each possible one of some answers, where the seat would have noticed the same."""
        found: dict[tuple[object, ...], tuple[Compiled, int]] = {}
        ends = self._ends(seat)
        frames = self._truth.program.plan.frames.first
        for world, ways in worlds:
            for code in world.codes:
                if code not in codes:
                    continue
                after = world.copy()
                after.apply(code)
                if not self._looks_alike(after, ends, noticed):
                    continue
                key = (*(after.cells[cell] for cell in self._secret[seat]), *after.cells[frames:])
                found[key] = (after, ways + (found[key][1] if key in found else 0))
                if len(found) > MOST_WORLDS:
                    return []
        return list(found.values())

    def _put(self, seat: int, worlds: Worlds) -> None:
        if not worlds:
            self._lost.add(seat)
        if len(worlds) > 1:
            self._worlds[seat] = worlds
        else:
            del self._worlds[seat]

    def _looks_alike(self, world: Compiled, ends: list[tuple[int, int]], noticed: tuple[Event, ...]) -> bool:
        cells, truth = world.cells, self._truth
        if any(cells[first:last] != truth.cells[first:last] for first, last in ends):
            return False
        return world.happenings == truth.happenings or (
            events_for(self._texts, Happenings(world.happenings), self._seat) == noticed
        )

    def _ends(self, seat: int) -> list[tuple[int, int]]:
        """Return the stretches of cells that do not depend on the secrets of a seat."""
        ends = (-1, *self._secret[seat], self._truth.program.plan.layout.kept_cells.start)
        return [(one + 1, other) for one, other in pairwise(ends) if other > one + 1]


def _secret_cells(machine: Compiled, names: IdTable) -> dict[int, tuple[int, ...]]:
    """Return for each seat the cells that only it may see and that hold no pieces."""
    found: dict[int, list[int]] = {seat: [] for seat in range(names.tables.players)}
    for name, cells in machine.program.plan.layout.fields.items():
        if cells.field.secret is None or cells.field.holds is not None:
            continue
        for offset, at in enumerate(names.tables.shapes[name].indices()):
            owner = names.tables.owner_of_field(name, at)
            if owner is not None and names.tables.visible_to(name, at):
                found[owner].append(cells.base + offset)
    return {seat: tuple(sorted(cells)) for seat, cells in found.items()}


def _guess(worlds: Worlds, cells: tuple[int, ...]) -> Guess:
    ends = tuple(accumulate(ways for _, ways in worlds))
    return Guess(cells, tuple(tuple(world.cells[cell] for cell in cells) for world, _ in worlds), ends)


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
            self._machine.program.plan.layout.forget_kept(cells)
            cells[GENERATOR] = generator
            machine = Compiled(self._machine.program, cells)
            if machine.codes or not self._machine.codes:
                return machine
        raise SampleError(f"no position was found in which `{self._machine.decision}` can be answered")


@define(eq=False)
class Beliefs:
    """What the seats of a game can tell about what others answered in secret; each is followed when it asks."""

    action_table: ActionTable
    _texts: EventTexts
    _begin: Callable[[], Machine] | None
    """The game from its beginning, with a log; a game that began in the middle has none."""
    _by_seat: dict[int, Belief] = field(factory=dict, init=False)

    @cached_property
    def are_needed(self) -> bool:
        """Whether there is anything that somebody answers in secret beside pieces of theirs."""
        rules = self.action_table.names.tables.rules
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
            self._by_seat[seat] = Belief(self._begin, self._texts, self.action_table.spaces, seat)
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
    tables = beliefs.action_table.names.tables
    _check_fairness(tables, machine.decision)
    return Dealer(machine.copy(), pools(machine, tables, tables.attributes, seat), beliefs.guesses(seat, answers))


def _check_fairness(tables: Tables, decision: str | None) -> None:
    """Fail where pieces and other secrets depend on each other: each is dealt as if the other did not matter."""
    secrets = tables.rules.secrets
    for mixture in secrets.mixtures:
        raise SampleError(f"{mixture.what} ({mixture.span})")
    if decision in secrets.asked_amid:
        raise SampleError(f"`{decision}` is asked in the middle of steps that depend on hidden pieces")
