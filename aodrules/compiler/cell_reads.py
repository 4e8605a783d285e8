"""Which cells of fields a plan means: the index in each dimension, and what functions read at their parameters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeAlias

from attrs import define, field, frozen

from aodrules.compiler.formulas import (
    Bind,
    CallPure,
    CellRead,
    Constant,
    Formula,
    Literal,
    Op,
    Select,
    TableRead,
    Variable,
)
from aodrules.compiler.layout import FieldCells, Layout, PlaceLayout
from aodrules.compiler.nodes import CallRuntime, Function, Procedure
from aodrules.compiler.visit import walk

Indices: TypeAlias = "tuple[Formula | None, ...]"
"""Of a cell: its index in each dimension of its field; nothing where that cannot be told."""
Keys: TypeAlias = "tuple[str | None, ...]"
"""Of a read: the variable that is its index in each dimension; nothing where it is another formula."""
CellRange: TypeAlias = "tuple[FieldCells, int]"
"""A field, and the first cell of it or of what is known about it."""


def cells_of_fields(layout: Layout) -> dict[int, CellRange]:
    """Return the field of each cell."""
    return {
        first + number: (cells, first)
        for cells in layout.fields.values()
        for first in (cells.base, cells.knowledge)
        if first is not None
        for number in range(cells.size)
    }


def split_indices(of: FieldCells, offset: Formula) -> Indices:
    """Return the index in each dimension of a cell that lies so far from the first one.

    An offset is a sum of indices, each times the stride of its dimension.
    """
    known, terms = 0, list[tuple[int, Formula]]()
    for times, term in _terms(offset, 1):
        if isinstance(term, Literal) and isinstance(term.value, int):
            known += times * term.value
        else:
            terms.append((times, term))
    wide = {stride for stride, size in zip(of.strides, of.shape, strict=True) if size > 1}
    if known < 0 or any(times not in wide for times, _ in terms):
        return (None,) * len(of.shape)
    found: list[Formula | None] = []
    for stride, size in zip(of.strides, of.shape, strict=True):
        digit = Literal(offset.span, known // stride % size)
        own = [term for times, term in terms if times == stride] if size > 1 else []
        is_told = len(own) < 2 and all(map(is_stable, own))
        found.append(own[0] + digit if own and is_told else digit if is_told else None)
    return tuple(found)


def _terms(formula: Formula, times: int) -> list[tuple[int, Formula]]:
    match formula:
        case Op(_, "+", operands):
            return [term for one in operands for term in _terms(one, times)]
        case Op(_, "*", (one, Literal(_, int(factor)))) | Op(_, "*", (Literal(_, int(factor)), one)):
            return _terms(one, times * factor)
    return [(times, formula)]


def is_stable(formula: Formula) -> bool:
    """Whether a formula is made of variables and constants alone, so that a change of a cell cannot change it."""
    return all(isinstance(part, Variable | Literal | Op | TableRead | Select) for part in walk(formula))


@frozen
class ReadCell:
    """A read of a field."""

    field: str
    keys: Keys


@define(eq=False)
class FunctionReads:
    """What functions of a plan read, themselves or in functions that they call."""

    functions: Mapping[str, Function | Procedure]
    """Those of a plan, and what functions that work on a copy of the state do to it."""
    fields: Mapping[int, CellRange]
    others: Mapping[int, str]
    """Cells that are no field's, by the names under which they count as one."""
    _found: dict[tuple[str, Keys], frozenset[ReadCell]] = field(factory=dict)

    def of(self, name: str, given: Keys, more: Mapping[str, str] | None = None) -> frozenset[ReadCell]:
        """Return what a function reads whose parameters are variables of its caller, with more variables to be told."""
        key = (name, given)
        if key not in self._found or more:
            function = self.functions[name]
            names: dict[str, str | None] = dict(zip(function.parameters, given, strict=True))
            self._found[key] = frozenset(self._reads(function, {**names, **(more or {})}))
        return self._found[key]

    def _reads(self, function: Function | Procedure, names: dict[str, str | None]) -> set[ReadCell]:
        found = set[ReadCell]()
        for part in walk(function):
            match part:
                case Bind(_, name, Variable(_, value)):
                    names[name] = names.get(value)
                case CellRead(_, base) if base in self.others:
                    found.add(ReadCell(self.others[base], ()))
                case CellRead(_, base, index) if base in self.fields:
                    cells, first = self.fields[base]
                    offset = Literal(part.span, base - first) + (index or Literal(part.span, 0))
                    indices = split_indices(cells, offset)
                    found.add(ReadCell(cells.name, tuple(_key(one, names) for one in indices)))
                case CallPure(_, called, arguments) | CallRuntime(_, called, arguments) if part.planned:
                    found |= self.of(called, tuple(_key(one, names) for one in arguments))
                case Literal(_, value):
                    found |= {ReadCell(place.name, (None,) * len(place.shape)) for place in _places_in(value)}
        return found


def _places_in(value: Constant) -> Iterator[PlaceLayout]:
    """Iterate over the places that a function of the runtime is given."""
    if isinstance(value, PlaceLayout):
        yield value
    elif isinstance(value, tuple):
        for one in value:
            yield from _places_in(one)


def _key(formula: Formula | None, names: Mapping[str, str | None]) -> str | None:
    return names.get(formula.name) if isinstance(formula, Variable) else None
