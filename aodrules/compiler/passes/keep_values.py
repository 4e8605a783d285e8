"""Kept values: every statement that changes a field is followed by what forgets the values that read it.

    S[20 + hex] = S[20 + hex] + 1            →    S[20 + hex] = S[20 + hex] + 1
                                                  S[90] = 0
    move_some("man", piece, 1, hex, box)     →    move_some("man", piece, 1, hex, box)
                                                  S[90] = 0

`S[90]` holds what was worked out of one value, by its arguments. The functions of values look there first.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from attrs import evolve, frozen

from aodrules.compiler.formulas import CallPure, CellRead, Constant, Literal
from aodrules.compiler.layout import LEFT, Layout, PlaceLayout
from aodrules.compiler.nodes import (
    Branch,
    CallRuntime,
    CellWrite,
    ForEach,
    Function,
    IfLogging,
    Labelled,
    Procedure,
    Statement,
    Statements,
    Switch,
    WhileLoop,
)
from aodrules.compiler.visit import walk

_SEATS_LEFT = "left"
"""Stands for who has left the game, which is no field."""


def clear_kept_values(
    layout: Layout, functions: Mapping[str, Function], main: Procedure, procedures: Mapping[str, Procedure]
) -> tuple[Procedure, dict[str, Procedure]]:
    """Return procedures that forget a kept value whenever they change what it reads."""
    fields = {
        first + number: name
        for name, cells in layout.fields.items()
        for first in (cells.base, cells.knowledge)
        if first is not None
        for number in range(cells.size)
    }
    fields[LEFT] = _SEATS_LEFT
    readers: dict[str, list[int]] = {}
    for function in functions.values():
        if function.kept is not None:
            for name in sorted({fields[cell] for cell in _cells_read(functions, function) if cell in fields}):
                readers.setdefault(name, []).append(function.kept)
    clearing = _Clearing(fields, readers)
    return clearing.procedure(main), {name: clearing.procedure(one) for name, one in procedures.items()}


def _cells_read(functions: Mapping[str, Function], function: Function) -> set[int]:
    """Return a cell of each field that a function reads, or one that it calls."""
    waiting, seen, found = [function.name], {function.name}, set[int]()
    while waiting:
        for part in walk(functions[waiting.pop()]):
            if isinstance(part, CellRead):
                found.add(part.base)
            elif isinstance(part, CallPure) and part.planned and part.function not in seen:
                seen.add(part.function)
                waiting.append(part.function)
    return found


@frozen(eq=False)
class _Clearing:
    """Which cells of kept values are cleared after what."""

    fields: dict[int, str]
    """By cell: the field."""
    readers: dict[str, list[int]]
    """By field: the cells of the values that read it."""

    def procedure(self, procedure: Procedure) -> Procedure:
        """Return a procedure that clears what it must."""
        return evolve(procedure, body=self._statements(procedure.body))

    def _statements(self, statements: Statements) -> Statements:
        found: list[Statement] = []
        for statement in statements:
            found.append(self._inside(statement))
            cells = {cell for name in self._changed(statement) for cell in self.readers.get(name, ())}
            found += [CellWrite(statement.span, cell, None, Literal(statement.span, 0)) for cell in sorted(cells)]
        return tuple(found)

    def _inside(self, statement: Statement) -> Statement:
        if isinstance(statement, Branch):
            then, otherwise = self._statements(statement.then), self._statements(statement.otherwise)
            return evolve(statement, then=then, otherwise=otherwise)
        if isinstance(statement, ForEach | WhileLoop | Labelled | IfLogging):
            return evolve(statement, body=self._statements(statement.body))
        if isinstance(statement, Switch):
            return evolve(statement, cases=tuple((case, self._statements(body)) for case, body in statement.cases))
        return statement

    def _changed(self, statement: Statement) -> Iterator[str]:
        """Iterate over the fields that a statement changes itself."""
        if isinstance(statement, CellWrite):
            yield self.fields.get(statement.base, "")
        elif isinstance(statement, CallRuntime) and not statement.planned:
            for part in walk(statement):
                if isinstance(part, Literal):
                    yield from _named(part.value)
            if statement.function == "leave_game":
                yield _SEATS_LEFT


def _named(value: Constant) -> Iterator[str]:
    """Iterate over the fields that what a runtime function is given may name: places, and names of fields."""
    if isinstance(value, PlaceLayout):
        yield value.name
    elif isinstance(value, str):
        yield value
    elif isinstance(value, tuple):
        for one in value:
            yield from _named(one)
