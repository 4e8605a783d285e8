"""How much work steps can be between two decisions, and how many decisions they can ask."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from attrs import evolve, frozen

from aodrules.source.spans import Span


@frozen
class Cost:
    """The most rounds that loops go on ways through some steps, cut where a person is asked."""

    through: int | None = 0
    """On ways on which nobody is asked; nothing if somebody always is."""
    head: int | None = None
    """Up to the first question; nothing if nobody is ever asked."""
    tail: int | None = None
    """From the last question on."""
    peak: int = 0
    """Between two questions inside."""
    decisions: int = 0
    """How many questions there can be."""

    @property
    def most(self) -> int:
        """The most work in one go."""
        return max(self.through or 0, self.head or 0, self.tail or 0, self.peak)


FREE = Cost()
NEVER = Cost(through=None)
"""The cost of no way at all."""


def work(rounds: int) -> Cost:
    """Return the cost of work during which nobody is asked."""
    return Cost(rounds)


def question() -> Cost:
    """Return the cost of asking somebody, listing and consequences not counted."""
    return Cost(None, 0, 0, 0, 1)


def one_after_other(*costs: Cost) -> Cost:
    """Return the cost of steps in a row."""
    total = FREE
    for cost in costs:
        total = _then(total, cost)
    return total


def _then(one: Cost, other: Cost) -> Cost:
    return Cost(
        _sum(one.through, other.through),
        _most(one.head, _sum(one.through, other.head)),
        _most(other.tail, _sum(one.tail, other.through)),
        max(one.peak, other.peak, _sum(one.tail, other.head) or 0),
        one.decisions + other.decisions,
    )


def either(*costs: Cost) -> Cost:
    """Return the cost of one of several ways."""
    total = NEVER
    for cost in costs:
        total = Cost(
            _most(total.through, cost.through),
            _most(total.head, cost.head),
            _most(total.tail, cost.tail),
            max(total.peak, cost.peak),
            max(total.decisions, cost.decisions),
        )
    return total


def rounds(most: int, body: Cost) -> Cost:
    """Return the cost of doing something up to so many times; each round counts one."""
    if most <= 0:
        return FREE
    body = _then(work(1), body)
    before = (most - 1) * (body.through or 0)
    return Cost(
        most * (body.through or 0),
        None if body.head is None else before + body.head,
        None if body.tail is None else before + body.tail,
        max(body.peak, 0 if most == 1 or body.tail is None else before + body.tail + (body.head or 0)),
        most * body.decisions,
    )


def asked_again(uses: Sequence[tuple[int, Cost]]) -> Cost:
    """Return the cost of answers after which the question is asked again: each with how often it can be given."""
    if not uses:
        return FREE
    many = rounds(sum(often for often, _ in uses), either(*(answer for _, answer in uses)))
    return evolve(many, decisions=sum(often * answer.decisions for often, answer in uses))


def _sum(one: int | None, other: int | None) -> int | None:
    return None if one is None or other is None else one + other


def _most(one: int | None, other: int | None) -> int | None:
    if one is None or other is None:
        return one if other is None else other
    return max(one, other)


@frozen
class LoopRounds:
    """A loop on the way, and how often it goes round at most."""

    times: int
    text: str
    """What it runs over, in words that follow a number of times."""
    span: Span


def share_of(path: Iterable[LoopRounds]) -> int:
    """Return how often what stands inside all loops of a path is done."""
    total = 1
    for turn in path:
        total *= turn.times
    return total
