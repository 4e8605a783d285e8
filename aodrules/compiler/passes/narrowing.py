"""Values for which nothing would be done are left out before a loop begins.

Before and after: the parameters of options (`narrow_domains`), and loops over bags (`restrict_loops`):

    for house in (0, 1, 2, 3, 4, 5):              for house in bag_members(houses, 2):
        if houses >> 2 * house & 3:          →        if cost(house) <= cash:
            if cost(house) <= cash:                       add code
                add code

    for card in (0, 1, 2, ..., 35):               for card in set_items(set(c for c in hand) & 0xfffffffff):
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

from collections.abc import Mapping, Sequence

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
    reduce_over,
    substitute,
)
from aodrules.compiler.nodes import CallRuntime, Procedure, Statements, Switch
from aodrules.compiler.passes.members_where import between, bound_by_count, members_where
from aodrules.compiler.visit import form, read_by

_MANY = 2
"""What lies in a list is remembered as a set: to look there is worth it where so many values would be tried in it."""


def narrow_domain(domain: Formula, variable: Variable, tests: list[Formula]) -> tuple[Formula, list[Formula]]:
    """Return the values to try for a parameter, and the tests that are left."""
    tests = [bound_by_count(test, variable, domain) for test in tests]
    domain, tests = between(domain, variable, tests)
    return _among(*_filter(*_narrow(domain, variable, tests), variable), variable)


def _among(domain: Formula, tests: list[Formula], variable: Variable) -> tuple[Formula, list[Formula]]:
    """Return the values to try, without those for which tests of sets do not hold, and the tests that are left."""
    members: Formula
    match domain:
        case CallPure(_, "set_items", (members,)):
            pass
        case Literal(span, tuple() as values) if all(type(one) is int and one >= 0 for one in values):
            members = Literal(span, sum(1 << int(one) for one in values))
        case _:
            return domain, tests
    left = []
    for test in tests:
        others, is_out = (test.operands[0], True) if isinstance(test, Op) and test.operator == "not" else (test, False)
        found = members_where(others, variable.name)
        if found is None:
            left.append(test)
        else:
            members = members - (members & found) if is_out else members & found
    return (domain, tests) if len(left) == len(tests) else (call_pure(domain.span, "set_items", members), left)


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
    if isinstance(domain, CallPure) and domain.function == "set_items":
        return _narrow_set(domain.arguments[0], variable, tests)
    if not isinstance(domain, Literal) or not isinstance(domain.value, tuple):
        return domain, tests
    for test in tests:
        numbers = _find_numbers_up_to(test, variable, domain.value)
        if numbers is not None:
            return numbers, [one for one in tests if one is not test]
        listed = _find_list_tested(test, variable, domain.value)
        if listed is not None:
            return listed, [one for one in tests if one is not test]
        items = _find_items_tested(test, variable)
        if items is not None:
            left = [one for one in tests if one is not test]
            is_whole = domain.value == tuple(range(len(domain.value)))
            return items, left if is_whole else [variable.is_in(domain), *left]
    return domain, tests


def _narrow_set(members: Formula, variable: Variable, tests: list[Formula]) -> tuple[Formula, list[Formula]]:
    """Return what of a set lies in the sets in which tests look for it as well, and the tests that are left."""
    left = []
    for test in tests:
        match _find_items_tested(test, variable):
            case CallPure(_, "set_items", (others,)):
                members = members & others
            case _:
                left.append(test)
    return call_pure(members.span, "set_items", members), left


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


def _find_list_tested(test: Formula, variable: Variable, values: Sequence[Constant]) -> Formula | None:
    """Return those of some values that lie in the lists in which a test looks for them, if these are few."""
    lists: dict[object, tuple[Formula, int]] = {}
    for value in values:
        match substitute(test, {variable.name: value}):
            case Op(_, "in", (Literal(_, int(member)), CellRead() as held)) if variable.name not in read_by(held):
                _, mask = lists.get(form(held), (held, 0))
                lists[form(held)] = held, mask | 1 << member
            case _:
                return None
    if len(lists) * _MANY > len(values):
        return None
    found: Formula = Literal(test.span, 0)
    lying = Variable(test.span, f"{variable.name}_lying")
    for one, mask in lists.values():
        found = found | reduce_over(test.span, "set", lying, lying, one) & mask
    return call_pure(test.span, "set_items", found)


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
