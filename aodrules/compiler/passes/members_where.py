"""Tests of single members as sets of members, and counts of what is not less as a bound: asked once and not for each.

Before and after, where `near` is a table of sets and `land`, `wet` are sets of the state:

    for place in set_items(land):                     for place in set_items(land & united(rows, wet)):
        if near[place] & wet:                    →        add(place)
            add(place)

    for card in distinct(hand):                       for card in distinct(hand):
        if count(c for c in hand if c >= card) >= n:  →   if card <= nth_last(hand, n):
            add(card)                                         add(card)

    for card in distinct(hand):                       for card in between(hand, first, last):
        if card >= first and card <= last:       →        add(card)
            add(card)

    for tech in set_items(mine):                      for tech in set_items(mine & 0b1011000):
        if cheap[branch[tech]]:                  →        add(tech)
            add(tech)

`united(rows, wet)` are the places whose sets meet `wet`: a table says for each member which places have it in theirs.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from operator import and_, or_
from typing import Any

from aodrules.compiler.formulas import (
    CallPure,
    Formula,
    Generator,
    Literal,
    Op,
    Reduce,
    TableRead,
    Variable,
    all_of,
    call_pure,
    conjuncts,
    is_true,
    nonzero,
    operation,
    select,
    substitute,
)
from aodrules.compiler.visit import form, read_by, transform, walk

FEWEST = 12
"""Of tables of fewer sets the members are tested one by one."""


def members_where(test: Formula, name: str) -> Formula | None:
    """Return the set of members for which a test holds, if that can be told without looking at each of them."""
    told = _told_by_tables(test, name)
    if told is not None:
        return told
    match test:
        case Op(_, "in", (Variable(_, tested), Literal(span, tuple() as values))) if tested == name:
            return Literal(span, sum(1 << one for one in values if isinstance(one, int)))
        case Op(_, "nonzero", (Op(_, "&", (Op(_, ">>", (held, Variable(_, shifted))), Literal(_, 1))),)):
            return held if shifted == name and name not in read_by(held) else None
        case Op(_, "nonzero", (Op(_, "&") as shared,)):
            return _meeting(shared, name)
        case Op(_, "not", (inner,)):
            found = members_where(inner, name)
            return None if found is None else _others(found, _universe(test, name))
        case Op(_, "or", operands):
            return _united_where(operands, name, (1 << _universe(test, name)) - 1)
        case Reduce(_, "any", item, (Generator(other, CallPure(_, "set_items", (among,)), conditions),)):
            if any(name in read_by(one) for one in (item, *conditions)):
                return None
            inside = members_where(all_of(test.span, *conditions, item), other)
            return None if inside is None else members_where(nonzero(among & inside), name)
    return None


def _told_by_tables(test: Formula, name: str) -> Formula | None:
    """Return the members for which a test holds that reads nothing but tables."""
    many = _universe(test, name)
    if read_by(test) != {name} or many < FEWEST:
        return None
    found = [substitute(test, {name: member}) for member in range(many)]
    if not all(isinstance(one, Literal) for one in found):
        return None
    return Literal(test.span, sum(1 << member for member, one in enumerate(found) if is_true(one)))


def _universe(test: Formula, name: str) -> int:
    """Return how many members there are, by the tables of sets that are read for one of them; 0 if none is."""
    return min(map(len, _tables(test, name)), default=0)


def _tables(formula: Formula, name: str) -> Iterator[tuple[object, ...]]:
    for part in walk(formula):
        match part:
            case TableRead(_, table, Variable(_, read)) if read == name:
                yield table


def _others(members: Formula, many: int) -> Formula | None:
    """Return all members but these."""
    if not many:
        return None
    whole = Literal(members.span, (1 << many) - 1)
    return whole - (whole & members)


def _united_where(operands: tuple[Formula, ...], name: str, whole: int) -> Formula | None:
    """Return the members for which one of some tests holds; where one holds that asks for no member, these are all."""
    found: Formula = Literal(operands[0].span, 0)
    for one in operands:
        members = members_where(one, name)
        if members is not None:
            found = found | members
    for one in operands:
        if name not in read_by(one):
            found = select(one.span, one, whole, found)
        elif members_where(one, name) is None:
            return None
    return found if whole else None


def _meeting(shared: Formula, name: str) -> Formula | None:
    """Return the members whose sets, told by tables alone, have something in common with other sets."""
    parts = list(_parts(shared))
    own = [one for one in parts if name in read_by(one)]
    others = [one for one in parts if name not in read_by(one)]
    if not own or not others:
        return None
    sets, other = reduce(and_, own), reduce(and_, others)
    many = _universe(sets, name)
    if many < FEWEST:
        return None
    sets = transform(sets, _write_out)
    rows = [_known_set(substitute(sets, {name: member})) for member in range(many)]
    known = [row for row in rows if row is not None]
    if len(known) < many:
        return None
    bits = max(row.bit_length() for row in known)
    having = [sum(1 << member for member, row in enumerate(known) if row >> one & 1) for one in range(bits)]
    return call_pure(sets.span, "united", tuple(having), other & ((1 << bits) - 1))


def _parts(shared: Formula) -> Iterator[Formula]:
    """Iterate over the sets of which what they share is taken."""
    if isinstance(shared, Op) and shared.operator == "&":
        for one in shared.operands:
            yield from _parts(one)
    else:
        yield shared


def _write_out(part: Any) -> Any:
    """Return a set of members that are named one by one as an operation on numbers; all else as it is."""
    match part:
        case Reduce(span, "set", Variable(_, item), (Generator(name, Op(_, "tuple", members), ()),), False):
            if item == name and members:
                return reduce(or_, (operation(span, "<<", 1, one) for one in members))
    return part


def _known_set(formula: Formula) -> int | None:
    return formula.value if isinstance(formula, Literal) and isinstance(formula.value, int) else None


# Counts of what is not less.


def bound_by_count(test: Formula, variable: Variable, domain: Formula) -> Formula:
    """Return a test whether a number is not above a bound, for one whether enough others are not less.

    Of the items that are counted each is not less than itself: whether one is enough need not be asked before.
    """
    match test:
        case Op(span, "or", (Op(_, "<=", (enough, Literal(_, 1))) as is_enough, other)):
            bounded = bound_by_count(other, variable, domain)
            return bounded if _counts_itself(bounded, domain, enough) else Op(span, "or", (is_enough, bounded))
        case Op(_, ">=", (Reduce(_, "count", item, (Generator(other, items, conditions),)), enough)):
            bound = _bound(item, other, items, conditions, enough, variable.name)
            return test if bound is None else variable <= bound
    return test


def _counts_itself(test: Formula, domain: Formula, enough: Formula) -> bool:
    """Whether a test is that so many of the items are not less which the domain has, each once."""
    match test, domain:
        case Op(_, "<=", (_, CallPure(_, "nth_last", counted))), CallPure(_, "distinct", (items,)):
            return form(counted) == form((items, enough))
    return False


def _bound(
    item: Formula, other: str, items: Formula, conditions: tuple[Formula, ...], enough: Formula, name: str
) -> Formula | None:
    tests = [part for one in (*conditions, item) for part in conjuncts(one)]
    not_less = [one for one in tests if _is_not_less(one, other, name)]
    left = tuple(one for one in tests if one not in not_less and not is_true(one))
    if len(not_less) != 1 or any(name in read_by(one) for one in (items, enough, *left)):
        return None
    if left:
        one = Variable(items.span, other)
        items = Reduce(items.span, "list", one, (Generator(other, items, left),))
    return call_pure(items.span, "nth_last", items, enough)


def _is_not_less(test: Formula, other: str, name: str) -> bool:
    match test:
        case Op(_, ">=", (Variable(_, left), Variable(_, right))):
            return (left, right) == (other, name)
        case Op(_, "<=", (Variable(_, left), Variable(_, right))):
            return (left, right) == (name, other)
    return False


# Bounds.


def between(domain: Formula, variable: Variable, tests: list[Formula]) -> tuple[Formula, list[Formula]]:
    """Return the items between two bounds of which tests speak, for the distinct items of a list, and other tests."""
    if not isinstance(domain, CallPure) or domain.function != "distinct":
        return domain, tests
    low = next((one for one in tests if _bound_of(one, ">=", variable) is not None), None)
    high = next((one for one in tests if _bound_of(one, "<=", variable) is not None), None)
    if low is None or high is None:
        return domain, tests
    ends = _bound_of(low, ">=", variable), _bound_of(high, "<=", variable)
    assert ends[0] is not None
    assert ends[1] is not None
    found = call_pure(domain.span, "between", domain.arguments[0], *ends)
    return found, [one for one in tests if one is not low and one is not high]


def _bound_of(test: Formula, sign: str, variable: Variable) -> Formula | None:
    match test:
        case Op(_, found, (Variable(_, name), bound)) if found == sign and name == variable.name:
            return None if name in read_by(bound) else bound
    return None
