"""Random play, and random play on both engines at once to see that they agree."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator

from attrs import define, field

from aodrules.errors import InternalError
from aodrules.facts.state import Facts, LogEntry, Machine
from aodrules.interpreter.entry.resume_rules import FROM
from aodrules.play.rules_context import RulesContext

LONGEST = 1_000_000
"""The most decisions a game may have."""
SCORED_EVERY = 25
"""After so many answers scores and ranking are compared: the interpreter takes long to count them."""
ODD = {
    "cut": "something did not fit and was cut",
    "bound": "a loop reached its bound",
    "stuck": "nothing was possible",
}
"""What is worth a look: rules can go on after it, but hardly as their author meant."""


@define
class Course:
    """How a random game went."""

    players: int
    seed: int
    answers: list[int] = field(factory=list)
    odd: set[tuple[str, str]] = field(factory=set)
    """What is worth a look, and where: see `ODD`."""


def compare(context: RulesContext, players: int, seed: int, facts: Facts | None = None) -> Course:
    """Play a random game on both engines, begun with these facts.

    Raises:
        InternalError: They do not agree, or the game does not end.
    """
    reference: Machine = context.interpreter(players, seed, facts)
    other = context.machine("compiled", players, seed, facts)
    course = Course(players, seed)
    # The choices are no secret, and the same seed must give the same game.
    chance = random.Random(seed)  # noqa: S311
    while True:
        _check_equal(context, course, reference, other)
        course.odd |= set(odd_among(reference.happenings))
        if reference.pending is None:
            return course
        if len(course.answers) >= LONGEST:
            raise InternalError(f"the game with seed {seed} does not end after {LONGEST:,} decisions")
        answer = chance.choice(reference.codes)
        course.answers.append(answer)
        reference.apply(answer)
        other.apply(answer)


def _check_equal(context: RulesContext, course: Course, reference: Machine, other: Machine) -> None:
    different = first_difference(reference, other, course.players, len(course.answers))
    if different is not None:
        raise InternalError(
            f"the two engines disagree about the {different} of `{context.request}` with {course.players} players, "
            f"seed {course.seed}, after {len(course.answers)} actions; please report this: {course.answers}"
        )


def first_difference(reference: Machine, other: Machine, players: int, answered: int = 0) -> str | None:
    """Return the first thing about which two games disagree after so many equal answers, or nothing.

    The state holds all fields, who knows which piece, the generator, who left, and whether the game is over.
    Of what is done in the rest of a body that the other was entered in the middle of, only that it is done is compared.
    """
    if reference.pending != other.pending:
        return "question"
    if reference.codes != other.codes:
        return "actions"
    if reference.plain() != other.plain():
        return "state"
    if answered % SCORED_EVERY == 0 or reference.pending is None:
        for seat in range(players):
            if _promised(reference, seat) != _promised(other, seat):
                return "scores"
            if reference.standing(seat) != other.standing(seat):
                return "ranking"
    if reference.happenings != other.happenings:
        return "events"
    pairs = zip(reference.causes, other.causes, strict=True)
    return None if all(one == two or (two is not None and FROM in two.body) for one, two in pairs) else "causes"


def _promised(machine: Machine, seat: int) -> tuple[tuple[int, ...], int, int]:
    return machine.points(seat), machine.total(seat), machine.outlook(seat)


def odd_among(happenings: Iterable[LogEntry]) -> Iterator[tuple[str, str]]:
    """Iterate over what is worth a look among what happened: its sort and where."""
    for entry in happenings:
        if entry[0] in ODD:
            yield entry[0], str(entry[1])
