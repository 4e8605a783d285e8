"""Loops over bags: members for which the body does nothing are left out before the loop begins.

Before and after:

    for tile in bag_items(tiles, 2):              for tile in bag_items(tiles & 0b110011, 2):
        switch tile:                         →        switch tile:
            0: ...                                        0: ...
            2: ...                                        2: ...
"""

from __future__ import annotations

from collections.abc import Mapping

from aodrules.compiler.formulas import CallPure, Formula, Literal, Variable, call_pure
from aodrules.compiler.nodes import CallRuntime, Procedure, Statements, Switch


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
