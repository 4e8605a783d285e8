"""Values for which nothing would be done are left out before a loop begins.

Before and after: the parameters of options (`narrow_domains`), and loops over bags (`restrict_loops`):

    for house in (0, 1, 2, 3, 4, 5):              for house in bag_members(houses, 2):
        if houses >> 2 * house & 3:          →        if cost(house) <= cash:
            if cost(house) <= cash:                       add code
                add code

    for card in (0, 1, 2, ..., 35):               for card in distinct(hand):
        if card in hand:                     →        add code
            add code

    for number in (1, 2, 3, 4, 5, 6):             for number in range(1, min(cash, 6) + 1):
        if number <= cash:                   →        add code
            add code

    for tile in bag_items(tiles, 2):              for tile in bag_items(tiles & 0b110011, 2):
        switch tile:                         →        switch tile:
            0: ...                                        0: ...
            2: ...                                        2: ...
"""

from __future__ import annotations

from collections.abc import Mapping

from aodrules.compiler.formulas import (
    CallPure,
    CellRead,
    Constant,
    Formula,
    Literal,
    Op,
    Variable,
    call_pure,
    is_true,
    substitute,
)
from aodrules.compiler.nodes import CallRuntime, Procedure, Statements, Switch
from aodrules.compiler.visit import read_by

_MANY = 8
"""To put the members of a list in order is worth it where so many values would be tried."""


def narrow_domain(domain: Formula, variable: Variable, tests: list[Formula]) -> tuple[Formula, list[Formula]]:
    """Return the values to try for a parameter, and the tests that are left."""
    return _filter(*_narrow(domain, variable, tests), variable)


def _filter(domain: Formula, tests: list[Formula], variable: Variable) -> tuple[Formula, list[Formula]]:
    """Return the values for which those tests hold that depend on nothing else, and the tests that are left."""
    if not isinstance(domain, Literal) or not isinstance(domain.value, tuple):
        return domain, tests
    values, left = domain.value, []
    for test in tests:
        found = [substitute(test, {variable.name: value}) for value in values]
        if all(isinstance(one, Literal) for one in found):
            values = tuple(value for value, one in zip(values, found, strict=True) if is_true(one))
        else:
            left.append(test)
    return Literal(domain.span, values), left


def _narrow(domain: Formula, variable: Variable, tests: list[Formula]) -> tuple[Formula, list[Formula]]:
    """Return the values to try and the tests that are left.

    What must lie in a bag or set is looked for there alone, and numbers are tried only up to their bound.
    """
    if not isinstance(domain, Literal) or not isinstance(domain.value, tuple):
        return domain, tests
    for test in tests:
        numbers = _find_numbers_up_to(test, variable, domain.value)
        if numbers is not None:
            return numbers, [one for one in tests if one is not test]
        items = _find_items_tested(test, variable) or _find_list_tested(test, variable, len(domain.value))
        if items is not None:
            left = [one for one in tests if one is not test]
            is_whole = domain.value == tuple(range(len(domain.value)))
            return items, left if is_whole else [variable.is_in(domain), *left]
    return domain, tests


def _find_numbers_up_to(test: Formula, variable: Variable, domain: tuple[Constant, ...]) -> Formula | None:
    """Return the values up to the bound of which a test speaks, if the domain is a row of numbers."""
    match test, domain:
        case Op(span, "<=", (Variable(_, variable.name), bound)), (int(low), *_, int(high)):
            if variable.name not in read_by(bound) and domain == tuple(range(low, high + 1)):
                return call_pure(span, "range", low, call_pure(span, "min", bound, high) + 1)
    return None


def _find_items_tested(test: Formula, variable: Variable) -> Formula | None:
    """Return the members of the bag or set in which a test looks for a variable, if that is all it does."""
    match test:
        case Op(_, "nonzero", (Op(_, "&", (Op(_, ">>", (held, places)), Literal(_, int(mask)))),)):
            if variable.name in read_by(held):
                return None
            match places:
                case Variable(_, variable.name) if mask == 1:
                    return call_pure(test.span, "set_items", held)
                case Op(_, "*", (Variable(_, variable.name), Literal(_, int(width)))) if mask == (1 << width) - 1:
                    return call_pure(test.span, "bag_members", held, width)
    return None


def _find_list_tested(test: Formula, variable: Variable, values: int) -> Formula | None:
    """Return the members of the list in which a test looks for a variable, if there are many values to try."""
    match test:
        case Op(_, "in", (Variable(_, variable.name), CellRead() as held)):
            pass
        case Op(_, "nonzero", (CallPure(_, "count_of", (CellRead() as held, Variable(_, variable.name))),)):
            pass
        case _:
            return None
    is_other = variable.name in read_by(held)
    return None if is_other or values < _MANY else call_pure(test.span, "distinct", held)


# Loops over bags.


def relevant_members(statements: Statements, name: str, procedures: Mapping[str, Procedure]) -> frozenset[int] | None:
    """Return the values of a name for which statements do anything, if it is easily seen that others do nothing."""
    match statements:
        case (Switch(_, Variable(_, subject), cases),) if subject == name:
            return frozenset(number for number, _ in cases)
        case (CallRuntime(_, function, arguments, planned=True),):
            procedure = procedures[function]
            for parameter, argument in zip(procedure.parameters, arguments, strict=True):
                if isinstance(argument, Variable) and argument.name == name:
                    return relevant_members(procedure.body, parameter, procedures)
    return None


def restrict_to(items: Formula, members: frozenset[int] | None) -> Formula:
    """Return the items of a bag that are among some members; other collections as they are."""
    match items:
        case CallPure(span, "bag_items", (bag, Literal(_, int(width)) as bits)) if members is not None:
            mask = sum((1 << width) - 1 << width * member for member in members)
            return call_pure(span, "bag_items", bag & mask, bits)
    return items
