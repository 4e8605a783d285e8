"""What is known at a point of a plan: the types of variables, and of cells that a condition spoke of.

Where ways meet, facts are joined (`join_facts`); where they go in circles, joined until they come to rest (`solve`).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from functools import reduce
from typing import TypeAlias

from attrs import field, frozen

from aodrules.compiler.formulas import CellRead, Formula, Literal, Op, TableRead, Variable
from aodrules.compiler.types.plan_type import (
    NEVER,
    NONE,
    BagType,
    ListType,
    NullableType,
    NumberType,
    PlanType,
    SetType,
    TupleType,
    as_list,
    join_types,
    number_in,
    without_none,
)
from aodrules.compiler.visit import form
from aodrules.errors import InternalError
from aodrules.lang.interval import OPPOSITE, SWAPPED, Interval, overlap, side

MOST_ROUNDS = 3
"""How often a place in a circle is visited before what still grows is widened."""
MOST_VISITS = 100
"""How often a place is visited at most; each time something has got another bound, or none."""


@frozen
class TypeFacts:
    """The types of variables, and of reads of cells (by their form) since the last change of any cell."""

    names: Mapping[str, PlanType]
    reads: Mapping[object, PlanType]

    def assign(self, name: str, of: PlanType) -> TypeFacts:
        """Return these facts after a variable got a value: what was known of cells by way of it is gone."""
        return TypeFacts({**self.names, name: of}, {})

    def bind(self, name: str, of: PlanType) -> TypeFacts:
        """Return these facts with a name that nothing spoke of before, or of which more is known now."""
        return TypeFacts({**self.names, name: of}, self.reads)

    def without_reads(self) -> TypeFacts:
        """Return these facts after cells have changed."""
        return TypeFacts(self.names, {})

    def covers(self, other: TypeFacts) -> bool:
        """Whether all that variables can be by other facts they can be by these."""
        return _join_two(self, other).names == self.names


NOTHING_KNOWN = TypeFacts({}, {})


def join_facts(*all_facts: TypeFacts | None) -> TypeFacts | None:
    """Return what holds wherever one comes from; nothing where nobody comes from anywhere."""
    reached = [facts for facts in all_facts if facts is not None]
    return reduce(_join_two, reached) if reached else None


def _join_two(one: TypeFacts, other: TypeFacts) -> TypeFacts:
    names = dict(one.names)
    for name, of in other.names.items():
        before = names.get(name, of)
        names[name] = of if before is of else join_types(before, of)
    return TypeFacts(
        names, {key: join_types(of, other.reads[key]) for key, of in one.reads.items() if key in other.reads}
    )


# Circles.

Ways: TypeAlias = Callable[[int, TypeFacts], Mapping[int, TypeFacts]]
"""From a place and what is known there: the places that follow, and what is known there."""
Widen: TypeAlias = Callable[[TypeFacts, TypeFacts], TypeFacts]
"""From what was known and what is: facts in which numbers that still grow have wider bounds, or none."""
_Edges: TypeAlias = "dict[int, dict[int, TypeFacts | None]]"
"""By place, and by the place one comes from: what is known on that way."""


def solve(first: int, start: TypeFacts, ways: Ways, widen: Widen) -> dict[int, TypeFacts]:
    """Return what is known at every place that is reached from the first: guessed from a few rounds, then narrowed."""
    return _settle(_narrow(_ascend(first, start, ways, widen), ways), ways)


def _ascend(first: int, start: TypeFacts, ways: Ways, widen: Widen) -> _Edges:
    edges: _Edges = {first: {-1: start}}
    entries = {first: start}
    visits = Counter[int]()
    waiting = {first}
    while waiting:
        number = min(waiting)
        waiting.remove(number)
        visits[number] += 1
        if visits[number] > MOST_VISITS:
            raise InternalError("the types of a loop do not come to rest")
        for following, way in ways(number, entries[number]).items():
            edges.setdefault(following, {})[number] = way
            before = entries.get(following)
            new = way if before is None else _join_two(before, way)
            if before is not None and following <= number and visits[following] > MOST_ROUNDS:
                new = widen(before, new)
            if new != before:
                entries[following] = new
                waiting.add(following)
    return edges


def _narrow(edges: _Edges, ways: Ways) -> dict[int, TypeFacts]:
    """Return what is known at every place, as narrow as some more rounds make it."""
    for _ in range(MOST_ROUNDS):
        before = {number: dict(into) for number, into in edges.items()}
        for number in sorted(edges):
            entry = join_facts(*edges[number].values())
            found = {} if entry is None else ways(number, entry)
            for following, into in edges.items():
                if number in into:
                    into[number] = found.get(following)
        if edges == before:
            break
    joined = ((number, join_facts(*edges[number].values())) for number in sorted(edges))
    return {number: facts for number, facts in joined if facts is not None}


def _settle(entries: dict[int, TypeFacts], ways: Ways) -> dict[int, TypeFacts]:
    """Return what is known at every place: where narrowing went too far, it is taken back."""
    for _ in range(MOST_VISITS):
        is_settled = True
        for number in sorted(entries):
            for following, way in ways(number, entries[number]).items():
                before = entries.get(following)
                if before is None or not before.covers(way):
                    entries[following] = way if before is None else _join_two(before, way)
                    is_settled = False
        if is_settled:
            return entries
    raise InternalError("the types of blocks do not come to rest")


Bounds: TypeAlias = "Mapping[str, Iterable[int]]"
"""By variable: what conditions compare it with, and the numbers beside that."""


def widen_facts(before: TypeFacts, after: TypeFacts, bounds: Bounds) -> TypeFacts:
    """Return facts in which a number that still grows has the next bound that a condition names, or none."""
    names = {name: _widen(before.names.get(name, of), of, bounds.get(name, ())) for name, of in after.names.items()}
    return TypeFacts(names, {})


def _widen(before: PlanType, after: PlanType, bounds: Iterable[int]) -> PlanType:
    match before, after:
        case NumberType(), NumberType(low, high):
            if low is not None and low != before.low:
                low = max((end for end in (0, *bounds) if end <= low), default=None)
            if high is not None and high != before.high:
                high = min((end for end in (0, *bounds) if end >= high), default=None)
            return NumberType(low, high, after.family)
        case NullableType(), NullableType():
            return NullableType(_widen(before.of, after.of, bounds))
        case ListType(), ListType():
            return ListType(_widen(before.item, after.item, bounds), after.capacity)
    return after


# What conditions tell.


@frozen(eq=False)
class Refinement:
    """Learns from conditions; `type_of` tells the type of a formula."""

    type_of: Callable[[Formula, TypeFacts], PlanType]
    bounds: defaultdict[str, set[int]] = field(factory=lambda: defaultdict(set))
    """By variable: the numbers with which it was compared, and their neighbours."""

    def assume(self, condition: Formula, facts: TypeFacts, *, holds: bool) -> TypeFacts | None:
        """Return what is known where a condition holds, or does not; nothing where that cannot be."""
        match condition:
            case Literal(_, value):
                return facts if bool(value) is holds else None
            case Op(_, "not", (operand,)):
                return self.assume(operand, facts, holds=not holds)
            case Op(_, "and" | "or" as sign, operands):
                return self._assume_connected(operands, facts, holds=holds, all_count=(sign == "and") is holds)
            case Op(_, "is" | "is not" as sign, (subject, Literal(_, None))):
                return self._assume_none(subject, facts, is_none=(sign == "is") is holds)
            case Op(_, "<" | "<=" | ">" | ">=" | "==" | "!=" as sign, (left, right)):
                true = sign if holds else OPPOSITE[sign]
                found = self._compare(true, left, right, facts)
                return None if found is None else self._compare(SWAPPED[true], right, left, found)
            case Op(_, "nonzero", (subject,)):
                return self._compare("!=" if holds else "==", subject, Literal(condition.span, 0), facts)
            case Op(_, "in", (subject, items)) if holds:
                return self._assume_among(subject, self.type_of(items, facts), facts)
            case TableRead(_, table, Variable() as index):
                there = [place for place, entry in enumerate(table) if bool(entry) is holds]
                return self._assume_within(index, facts, Interval(there[0], there[-1])) if there else None
        return facts

    def _assume_connected(
        self, operands: Iterable[Formula], facts: TypeFacts, *, holds: bool, all_count: bool
    ) -> TypeFacts | None:
        """Return what is known where all operands hold, or do not; or where one decides, and none did before it."""
        ways: list[TypeFacts | None] = []
        before: TypeFacts | None = facts
        for operand in operands:
            if before is not None:
                ways.append(self.assume(operand, before, holds=holds))
                before = ways[-1] if all_count else self.assume(operand, before, holds=not holds)
        return before if all_count else join_facts(*ways)

    def _assume_none(self, subject: Formula, facts: TypeFacts, *, is_none: bool) -> TypeFacts | None:
        of = self.type_of(subject, facts)
        present = without_none(of)
        if is_none:
            return None if present is of else _known(subject, NONE, facts)
        return None if present is NEVER else _known(subject, present, facts)

    def _assume_among(self, subject: Formula, items: PlanType, facts: TypeFacts) -> TypeFacts | None:
        items = as_list(items) if isinstance(items, TupleType) else items
        item = items.item if isinstance(items, ListType) else None
        if item is NEVER:
            return None
        return self._assume_within(subject, facts, item.interval) if isinstance(item, NumberType) else facts

    def _compare(self, sign: str, subject: Formula, other: Formula, facts: TypeFacts) -> TypeFacts | None:
        """Return what a comparison tells of its left side."""
        if not isinstance(subject, Variable | CellRead):
            return facts
        of, than = self.type_of(subject, facts), self.type_of(other, facts)
        if isinstance(of, NullableType) and isinstance(than, NullableType):
            return facts  # both may be none
        than = without_none(than)
        if isinstance(of, BagType | SetType) or not isinstance(than, NumberType):
            return facts
        if isinstance(subject, Variable):
            ends = (end for end in (than.low, than.high) if end is not None)
            self.bounds[subject.name].update(end + beside for end in ends for beside in (-1, 0, 1))
        if isinstance(of, NullableType) and sign == "!=":
            return facts  # it may be none
        before = of.interval if isinstance(of, NumberType) else Interval()
        return self._assume_within(subject, facts, side(sign, than.interval, before))

    def _assume_within(self, subject: Formula, facts: TypeFacts, within: Interval) -> TypeFacts | None:
        of = without_none(self.type_of(subject, facts))
        if not isinstance(of, NumberType):
            return facts
        if of.interval.floor > within.ceiling or within.floor > of.interval.ceiling:
            return None
        return _known(subject, number_in(overlap(of.interval, within), of.family), facts)


def _known(subject: Formula, of: PlanType, facts: TypeFacts) -> TypeFacts:
    """Return facts in which a variable or a cell has a narrower type."""
    if isinstance(subject, Variable):
        return facts.bind(subject.name, of)
    return TypeFacts(facts.names, {**facts.reads, form(subject): of}) if isinstance(subject, CellRead) else facts
