"""How much work steps can be between two decisions, how many decisions they can ask, and which loops make most of it.

An `Amount` is a number of rounds or questions that remembers the dearest way through loops inside each other. A `Cost`
is made of amounts, one for each stretch of work that a question can cut.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from attrs import evolve, frozen

from aodrules.source.spans import Span


@frozen
class LoopRounds:
    """A loop on the way, and how often it goes round at most."""

    times: int
    text: str
    """What it runs over, in words that follow a number of times."""
    span: Span


@frozen
class Amount:
    """A number of rounds or questions, and those loops inside each other that make the most of it."""

    number: int = 0
    share: int = 0
    """How much of it is one thing done inside all these loops; never more than the number."""
    path: tuple[LoopRounds, ...] = ()
    """The outermost loop first; those that go round once are left out."""

    def __add__(self, other: Amount) -> Amount:
        """Return both together, with the dearer path of the two."""
        if not self.number or not other.number:
            return self if self.number else other
        dearer = self if self.share > other.share else other
        return Amount(self.number + other.number, dearer.share, dearer.path)

    def in_loop(self, loop: LoopRounds, times: int | None = None) -> Amount:
        """Return this amount for each round of a loop, or for so many of its rounds."""
        times = loop.times if times is None else times
        if times <= 0 or not self.number:
            return NOTHING
        path = (loop, *self.path) if loop.times > 1 else self.path
        return Amount(times * self.number, times * self.share, path)


NOTHING = Amount()
ONE = Amount(1, 1)


def plain(number: int) -> Amount:
    """Return an amount that no loop makes."""
    return Amount(number, min(number, 1))


def largest(*amounts: Amount | None) -> Amount:
    """Return the largest of some amounts, the last of several."""
    found = NOTHING
    for each in amounts:
        if each is not None and each.number >= found.number:
            found = each
    return found


@frozen
class Cost:
    """The most rounds that loops go on ways through some steps, cut where a person is asked."""

    through: Amount | None = NOTHING
    """On ways on which nobody is asked; nothing if somebody always is."""
    head: Amount | None = None
    """Up to the first question; nothing if nobody is ever asked."""
    tail: Amount | None = None
    """From the last question on."""
    peak: Amount = NOTHING
    """Between two questions inside."""
    decisions: Amount = NOTHING
    """How many questions there can be."""

    @property
    def most(self) -> Amount:
        """The most work in one go."""
        return largest(self.through, self.head, self.tail, self.peak)

    def without_work(self) -> Cost:
        """Return the cost of the same questions with nothing to do between them."""
        through, head, tail = (None if each is None else NOTHING for each in (self.through, self.head, self.tail))
        return Cost(through, head, tail, NOTHING, self.decisions)


FREE = Cost()
NEVER = Cost(through=None)
"""The cost of no way at all."""
QUESTION = Cost(None, NOTHING, NOTHING, NOTHING, ONE)
"""The cost of asking somebody, listing and consequences not counted."""


def work(amount: Amount) -> Cost:
    """Return the cost of work during which nobody is asked."""
    return Cost(amount) if amount.number else FREE


def one_after_other(*costs: Cost) -> Cost:
    """Return the cost of steps in a row."""
    return reduce(_then, costs, FREE)


def _then(one: Cost, other: Cost) -> Cost:
    if one is FREE or other is FREE:
        return other if one is FREE else one
    return Cost(
        _sum(one.through, other.through),
        _either(one.head, _sum(one.through, other.head)),
        _either(_sum(one.tail, other.through), other.tail),
        largest(one.peak, _sum(one.tail, other.head), other.peak),
        one.decisions + other.decisions,
    )


def either(*costs: Cost) -> Cost:
    """Return the cost of one of several ways."""
    total = NEVER
    for cost in costs:
        total = Cost(
            _either(total.through, cost.through),
            _either(total.head, cost.head),
            _either(total.tail, cost.tail),
            largest(total.peak, cost.peak),
            largest(total.decisions, cost.decisions),
        )
    return total


def rounds(loop: LoopRounds, body: Cost, times: int | None = None) -> Cost:
    """Return the cost of all rounds of a loop, or of so many of them; each round counts one."""
    times = loop.times if times is None else times
    if times <= 0:
        return FREE
    body = _then(Cost(ONE), body)
    quiet = NOTHING if body.through is None else body.through
    before = quiet.in_loop(loop, times - 1)
    head = None if body.head is None else before + body.head
    tail = None if body.tail is None else before + body.tail
    between = _sum(tail, body.head) if times > 1 else None
    return Cost(
        quiet.in_loop(loop, times), head, tail, largest(body.peak, between), body.decisions.in_loop(loop, times)
    )


def asked_again(uses: Sequence[tuple[LoopRounds, Cost]]) -> Cost:
    """Return the cost of answers after which the question is asked again: each with how often it can be given."""
    if not uses:
        return FREE
    all_of_them = evolve(uses[0][0], times=sum(loop.times for loop, _ in uses))
    many = rounds(all_of_them, either(*(answer for _, answer in uses)))
    decisions = NOTHING
    for loop, answer in uses:
        decisions += answer.decisions.in_loop(loop)
    return evolve(many, decisions=decisions)


def _sum(one: Amount | None, other: Amount | None) -> Amount | None:
    return None if one is None or other is None else one + other


def _either(one: Amount | None, other: Amount | None) -> Amount | None:
    return None if one is None and other is None else largest(one, other)
