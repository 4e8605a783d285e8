"""How much work steps can be between two decisions and in all, how many decisions they can ask, and what makes most.

An `Amount` is a number of operations or questions that remembers the dearest way through loops inside each other. A
`Cost` is made of amounts, one for each stretch of work that a question can cut.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import TypeAlias

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
    """A number of operations or questions, and those loops inside each other that make the most of it."""

    number: int = 0
    share: int = 0
    """How much of it is done in these loops and in none inside them."""
    path: tuple[LoopRounds, ...] = ()
    """The outermost loop first; those that go round once are left out."""
    part: int = 0
    """How much of the share is done at one place."""
    place: Span | None = None

    def __add__(self, other: Amount) -> Amount:
        """Return both together, with the dearer path of the two."""
        if not self.number or not other.number:
            return self if self.number else other
        number, dearest = self.number + other.number, self if self.part > other.part else other
        if self.path == other.path:
            part = self.part + other.part if self.place == other.place else dearest.part
            return Amount(number, self.share + other.share, self.path, part, dearest.place)
        dearer = self if self.share > other.share else other
        return Amount(number, dearer.share, dearer.path, dearer.part, dearer.place)

    def in_loop(self, loop: LoopRounds, times: int | None = None) -> Amount:
        """Return this amount for each round of a loop, or for so many of its rounds."""
        times = loop.times if times is None else times
        if times <= 0 or not self.number:
            return NOTHING
        path = (loop, *self.path) if loop.times > 1 else self.path
        return Amount(times * self.number, times * self.share, path, times * self.part, self.place)


NOTHING = Amount()
ONE = Amount(1, 1, (), 1)


def plain(number: int, place: Span | None = None) -> Amount:
    """Return an amount that no loop makes."""
    return Amount(number, number, (), number, place) if number > 0 else NOTHING


def largest(*amounts: Amount | None) -> Amount:
    """Return the largest of some amounts, the last of several."""
    found = NOTHING
    for each in amounts:
        if each is not None and each.number >= found.number:
            found = each
    return found


Exits: TypeAlias = "tuple[tuple[str, Cost], ...]"


@frozen
class Cost:
    """The most operations on ways through some steps, cut where a person is asked."""

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
    total: Amount = NOTHING
    """All the work together, before, between and after questions."""
    exits: tuple[tuple[str, Cost], ...] = ()
    """The ways that do not come to the end of the steps: what they leave, and their cost up to there."""

    @property
    def most(self) -> Amount:
        """The most work in one go."""
        left = (cost.most for _, cost in self.exits)
        return largest(self.through, self.head, self.tail, self.peak, *left)

    @property
    def most_decisions(self) -> Amount:
        """The most questions of any way."""
        return largest(self.decisions, *(cost.decisions for _, cost in self.exits))

    @property
    def most_in_all(self) -> Amount:
        """The most work of any way, whoever is asked meanwhile."""
        return largest(self.total, *(cost.total for _, cost in self.exits))

    @property
    def is_never(self) -> bool:
        """Whether no way comes to the end of the steps."""
        return self.through is None and self.head is None

    def with_anywhere(self, amount: Amount) -> Cost:
        """Return the cost with work that is done once, between whichever questions it is."""
        through, head, tail = (_sum(each, amount) for each in (self.through, self.head, self.tail))
        exits = tuple((left, cost.with_anywhere(amount)) for left, cost in self.exits)
        return Cost(through, head, tail, self.peak + amount, self.decisions, self.total + amount, exits)

    def without_work(self) -> Cost:
        """Return the cost of the same questions with nothing to do between them."""
        through, head, tail = (None if each is None else NOTHING for each in (self.through, self.head, self.tail))
        exits = tuple((left, cost.without_work()) for left, cost in self.exits)
        return Cost(through, head, tail, NOTHING, self.decisions, NOTHING, exits)

    def without_total(self) -> Cost:
        """Return the cost of the same questions and work as if it were not added up over questions."""
        exits = tuple((left, evolve(cost, total=NOTHING)) for left, cost in self.exits)
        return evolve(self, total=NOTHING, exits=exits)

    def without_decisions(self) -> Cost:
        """Return the cost of the same work as if its questions were not counted."""
        exits = tuple((left, evolve(cost, decisions=NOTHING)) for left, cost in self.exits)
        return evolve(self, decisions=NOTHING, exits=exits)

    def after_leaving(self, *what: str) -> Cost:
        """Return the cost where ways that left one of these go on like those that came to the end."""
        if not any(left in what for left, _ in self.exits):
            return self
        others = tuple((left, cost) for left, cost in self.exits if left not in what)
        here = (cost for left, cost in self.exits if left in what)
        return evolve(either(evolve(self, exits=()), *here), exits=others)


FREE = Cost()
NEVER = Cost(through=None)
"""The cost of no way at all."""
QUESTION = Cost(None, NOTHING, NOTHING, NOTHING, ONE)
"""The cost of asking somebody, listing and consequences not counted."""


def question(place: Span) -> Cost:
    """Return the cost of asking somebody at a place."""
    return evolve(QUESTION, decisions=plain(1, place))


def leave(what: str) -> Cost:
    """Return the cost of leaving a body, a step or the game at once."""
    return Cost(through=None, exits=((what, FREE),))


def work(amount: Amount) -> Cost:
    """Return the cost of work during which nobody is asked."""
    return Cost(amount, total=amount) if amount.number else FREE


def one_after_other(*costs: Cost) -> Cost:
    """Return the cost of steps in a row."""
    return reduce(_then, costs, FREE)


def _then(one: Cost, other: Cost) -> Cost:
    if one is FREE or other is FREE:
        return other if one is FREE else one
    if one.is_never:
        return one
    exits = _merged(one.exits, _after(one, other.exits))
    if other.is_never:
        return evolve(NEVER, exits=exits)
    return Cost(
        _sum(one.through, other.through),
        _either(one.head, _sum(one.through, other.head)),
        _either(_sum(one.tail, other.through), other.tail),
        largest(one.peak, _sum(one.tail, other.head), other.peak),
        one.decisions + other.decisions,
        one.total + other.total,
        exits,
    )


def _after(before: Cost, exits: Exits) -> Exits:
    """Return ways out with the cost of what comes before them."""
    if not exits:
        return ()
    before = evolve(before, exits=())
    return tuple((left, _then(before, cost)) for left, cost in exits)


def _merged(one: Exits, other: Exits) -> Exits:
    """Return the ways out of both, one for each thing that is left."""
    if not one or not other:
        return one or other
    found = dict(one)
    for left, cost in other:
        found[left] = either(found[left], cost) if left in found else cost
    return tuple(found.items())


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
            largest(total.total, cost.total),
            _merged(total.exits, cost.exits),
        )
    return total


def rounds(loop: LoopRounds, body: Cost, times: int | None = None) -> Cost:
    """Return the cost of all rounds of a loop, or of so many of them; each round counts one.

    A round that leaves the loop is its last.
    """
    times = loop.times if times is None else times
    if times <= 0:
        return FREE
    body = _then(work(ONE), body)
    if not body.exits:
        return _rounds(loop, body, times)
    whole = evolve(body, exits=())
    return evolve(_rounds(loop, whole, times), exits=_after(_rounds(loop, whole, times - 1), body.exits))


def _rounds(loop: LoopRounds, body: Cost, times: int) -> Cost:
    if times <= 0 or body.is_never:
        return FREE
    quiet = NOTHING if body.through is None else body.through
    before = quiet.in_loop(loop, times - 1)
    head = None if body.head is None else before + body.head
    tail = None if body.tail is None else before + body.tail
    between = _sum(tail, body.head) if times > 1 else None
    return Cost(
        quiet.in_loop(loop, times),
        head,
        tail,
        largest(body.peak, between),
        body.decisions.in_loop(loop, times),
        body.total.in_loop(loop, times),
    )


def asked_again(uses: Sequence[tuple[LoopRounds, Cost]]) -> Cost:
    """Return the cost of answers after which the question is asked again: each with how often it can be given."""
    if not uses:
        return FREE
    all_of_them = evolve(uses[0][0], times=sum(loop.times for loop, _ in uses))
    many = rounds(all_of_them, either(*(answer for _, answer in uses)))
    decisions = total = NOTHING
    for loop, answer in uses:
        decisions += answer.decisions.in_loop(loop)
        total += (ONE + answer.total).in_loop(loop)
    all_ = evolve(many, decisions=decisions, total=total, exits=())
    for _, answer in uses:
        all_ = evolve(all_, exits=_merged(all_.exits, _after(_then(all_, work(ONE)), answer.exits)))
    return all_


def _sum(one: Amount | None, other: Amount | None) -> Amount | None:
    return None if one is None or other is None else one + other


def _either(one: Amount | None, other: Amount | None) -> Amount | None:
    return None if one is None and other is None else largest(one, other)
