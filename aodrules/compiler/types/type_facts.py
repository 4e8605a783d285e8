"""What is known at a point of a plan: the types of variables, and of cells that a condition spoke of."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from typing import TypeAlias

from attrs import evolve, field, frozen

from aodrules.compiler.formulas import CellRead, Formula, Literal, Op, TableRead, Variable
from aodrules.compiler.types.plan_type import (
    NONE,
    BagType,
    ListType,
    NeverType,
    NoneType,
    NullableType,
    NumberType,
    PlanType,
    SetType,
    TupleType,
    as_list,
    join_types,
    without_none,
)
from aodrules.compiler.visit import form


@frozen(eq=False)
class TypeFacts:
    """The types of variables, and of reads of cells (by their form) since the last change of any cell."""

    names: Mapping[str, PlanType]
    reads: Mapping[object, PlanType]

    def assign(self, name: str, of: PlanType) -> TypeFacts:
        """Return these facts after a variable got a value: what was known of cells by way of it is gone."""
        return TypeFacts({**self.names, name: of}, {} if self.reads else self.reads)

    def bind(self, name: str, of: PlanType) -> TypeFacts:
        """Return these facts with a name that nothing spoke of before."""
        return TypeFacts({**self.names, name: of}, self.reads)

    def without_reads(self) -> TypeFacts:
        """Return these facts after cells have changed."""
        return TypeFacts(self.names, {}) if self.reads else self

    def is_same(self, other: TypeFacts) -> bool:
        """Whether the same is known of all variables."""
        return self.names == other.names and self.reads == other.reads


NOTHING_KNOWN = TypeFacts({}, {})


def join_facts(*all_facts: TypeFacts | None) -> TypeFacts | None:
    """Return what holds wherever one comes from; nothing where nobody comes from anywhere."""
    reached = [facts for facts in all_facts if facts is not None]
    if not reached:
        return None
    first = reached[0]
    for other in reached[1:]:
        names = dict(first.names)
        for name, of in other.names.items():
            before = names.get(name, of)
            names[name] = of if before is of else join_types(before, of)
        reads = {key: join_types(of, other.reads[key]) for key, of in first.reads.items() if key in other.reads}
        first = TypeFacts(names, reads)
    return first


Bounds: TypeAlias = "Mapping[str, Iterable[int]]"
"""By variable: what conditions compare it with, and the numbers beside that."""


def widen_facts(before: TypeFacts, after: TypeFacts, bounds: Bounds) -> TypeFacts:
    """Return facts in which a number that still grows has the next bound that a condition names, or none."""
    names = {name: _widen(before.names.get(name, of), of, bounds.get(name, ())) for name, of in after.names.items()}
    return TypeFacts(names, {})


def _widen(before: PlanType, after: PlanType, bounds: Iterable[int]) -> PlanType:
    match before, after:
        case NumberType(), NumberType():
            return _widen_number(before, after, (0, *bounds))
        case NullableType(), NullableType():
            return NullableType(_widen(before.of, after.of, bounds))
        case ListType(), ListType():
            return ListType(_widen(before.item, after.item, bounds), after.capacity)
    return after


def _widen_number(before: NumberType, after: NumberType, bounds: Iterable[int]) -> NumberType:
    low, high = after.low, after.high
    if low is not None and low != before.low:
        low = max((end for end in bounds if end <= low), default=None)
    if high is not None and high != before.high:
        high = min((end for end in bounds if end >= high), default=None)
    return NumberType(low, high, after.family)


# What conditions tell.

_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}
_OPPOSITE = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}


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
                if (sign == "and") is holds:
                    return self._assume_all(operands, facts, holds=holds)
                return self._assume_one(operands, facts, holds=holds)
            case Op(_, "is" | "is not" as sign, (subject, Literal(_, None))):
                return self._assume_none(subject, facts, is_none=(sign == "is") is holds)
            case Op(_, "<" | "<=" | ">" | ">=" | "==" | "!=" as sign, (left, right)):
                true = sign if holds else _OPPOSITE[sign]
                found = self._compare(true, left, right, facts)
                return None if found is None else self._compare(_MIRRORED[true], right, left, found)
            case Op(_, "nonzero", (subject,)):
                return self._compare("!=" if holds else "==", subject, Literal(condition.span, 0), facts)
            case Op(_, "in", (subject, items)) if holds:
                return self._assume_among(subject, self.type_of(items, facts), facts)
            case TableRead(_, table, Variable() as index):
                there = [place for place, entry in enumerate(table) if bool(entry) is holds]
                return self._assume_between(index, facts, there[0], there[-1]) if there else None
        return facts

    def _assume_all(self, operands: Iterable[Formula], facts: TypeFacts, *, holds: bool) -> TypeFacts | None:
        found: TypeFacts | None = facts
        for operand in operands:
            found = None if found is None else self.assume(operand, found, holds=holds)
        return found

    def _assume_one(self, operands: Iterable[Formula], facts: TypeFacts, *, holds: bool) -> TypeFacts | None:
        """Return what is known where one operand decides, and none did before it."""
        ways: list[TypeFacts | None] = []
        before: TypeFacts | None = facts
        for operand in operands:
            if before is not None:
                ways.append(self.assume(operand, before, holds=holds))
                before = self.assume(operand, before, holds=not holds)
        return join_facts(*ways)

    def _assume_none(self, subject: Formula, facts: TypeFacts, *, is_none: bool) -> TypeFacts | None:
        of = self.type_of(subject, facts)
        if is_none:
            return _known(subject, NONE, facts) if isinstance(of, NullableType | NoneType) else None
        found = without_none(of)
        return None if isinstance(found, NeverType) else _known(subject, found, facts)

    def _assume_among(self, subject: Formula, items: PlanType, facts: TypeFacts) -> TypeFacts | None:
        item = (
            as_list(items).item if isinstance(items, TupleType) else items.item if isinstance(items, ListType) else None
        )
        if isinstance(item, NeverType):
            return None
        return self._assume_between(subject, facts, item.low, item.high) if isinstance(item, NumberType) else facts

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
        if sign == "==":
            return self._assume_between(subject, facts, than.low, than.high)
        if sign == "!=":
            return self._assume_other(subject, facts, than)
        if sign in {"<", "<="}:
            end = None if than.high is None else than.high - (sign == "<")
            return self._assume_between(subject, facts, None, end)
        start = None if than.low is None else than.low + (sign == ">")
        return self._assume_between(subject, facts, start, None)

    def _assume_other(self, subject: Formula, facts: TypeFacts, than: NumberType) -> TypeFacts | None:
        """Return what is known of a number that is not another."""
        of = self.type_of(subject, facts)
        if not isinstance(of, NumberType) or than.low is None or than.low != than.high:
            return facts
        low = None if of.low is None else of.low + (of.low == than.low)
        high = None if of.high is None else of.high - (of.high == than.low)
        return self._assume_between(subject, facts, low, high)

    def _assume_between(
        self, subject: Formula, facts: TypeFacts, low: int | None, high: int | None
    ) -> TypeFacts | None:
        of = without_none(self.type_of(subject, facts))
        if not isinstance(of, NumberType):
            return facts
        least = max((end for end in (of.low, low) if end is not None), default=None)
        most = min((end for end in (of.high, high) if end is not None), default=None)
        if least is not None and most is not None and least > most:
            return None
        return _known(subject, evolve(of, low=least, high=most), facts)


def _known(subject: Formula, of: PlanType, facts: TypeFacts) -> TypeFacts:
    """Return facts in which a variable or a cell has a narrower type."""
    if isinstance(subject, Variable):
        return TypeFacts({**facts.names, subject.name: of}, facts.reads)
    if isinstance(subject, CellRead):
        return TypeFacts(facts.names, {**facts.reads, form(subject): of})
    return facts
