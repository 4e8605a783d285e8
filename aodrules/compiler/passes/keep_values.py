"""Kept values: results lie in cells, and every statement that changes a field marks those that it concerns.

    S[20 + 4 * hex + player] += 1            →    S[20 + 4 * hex + player] += 1
                                                  S[94 + player] |= 1 << hex

    value_held(player):                      →    value_held(player):
        return set(h for h in (0, ..., 155)           stale = S[94 + player]
                   if S[20 + 4 * h + player])         if stale:
                                                          held = S[90 + player] without stale
                                                          held |= set(h for h in stale if S[20 + 4 * h + player])
                                                          S[90 + player] = held
                                                          S[94 + player] = 0
                                                      else:
                                                          held = S[90 + player]
                                                      return held

Here `S[90 + player]` are results and `S[94 + player]` are marks: the members that must be looked at again. A result
that is not gathered member by member is marked as a whole, by 1. A change whose index is a parameter of the value
concerns the results for that index alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product, takewhile
from math import prod
from typing import Any

from attrs import evolve, frozen

from aodrules.compiler.cell_reads import (
    CellRange,
    FunctionReads,
    Indices,
    ReadCell,
    cells_of_fields,
    is_stable,
    split_indices,
)
from aodrules.compiler.formulas import (
    CallPure,
    Constant,
    Formula,
    Literal,
    Op,
    Reduce,
    Variable,
    add_up,
    call_pure,
    is_none,
    is_simple,
    nonzero,
    read_cell,
    select,
)
from aodrules.compiler.layout import LEFT, KeptCells, KeptParameter, Layout, PlaceLayout
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
    assign,
    branch,
    call_runtime,
    write_cell,
)
from aodrules.compiler.visit import Node, form, transform, walk
from aodrules.source.spans import Span

_SEATS_LEFT = "left"
"""Stands for who has left the game, which is no field."""
_MEMBER = "member"
"""Stands for the member that is looked at; no variable of a plan has a name without a number."""
_ROW = 3
"""So many marks side by side are written at once."""
_FEW = 8
"""So many marks are written one by one."""
_OWNERS = {"move_all": 1, "draw_pieces": 1}
"""By function of the runtime: which argument tells the owner of the pieces."""


def keep_values(
    layout: Layout, functions: Mapping[str, Function], main: Procedure, procedures: Mapping[str, Procedure]
) -> tuple[Layout, dict[str, Function], Procedure, dict[str, Procedure]]:
    """Return functions that keep their results, and procedures that mark those that they change."""
    fields = cells_of_fields(layout)
    kept_functions = {one.kept: one for one in functions.values() if one.kept is not None}
    kept = {name: _lay_out(cells, kept_functions.get(name)) for name, cells in layout.kept.items()}
    reads = FunctionReads({**procedures, **functions}, fields, {LEFT: _SEATS_LEFT})
    readers: dict[str, list[_Reader]] = {}
    for name, function in kept_functions.items():
        for field, reader in _find_readers(reads, function, kept[name]):
            readers.setdefault(field, []).append(reader)
    marking = _Marking(fields, readers)
    keeping = {name: one if one.kept is None else _keep_results(one, kept[one.kept]) for name, one in functions.items()}
    marked = {name: marking.procedure(one) for name, one in procedures.items()}
    return evolve(layout, kept=kept), keeping, marking.procedure(main), marked


# The functions of kept values.


def _lay_out(cells: KeptCells, function: Function | None) -> KeptCells:
    gathered = None if function is None else _gathered(function)
    return cells if gathered is None else evolve(cells, members=_members(gathered))


def _gathered(function: Function) -> Reduce | None:
    """Return what a function is if it looks at all members one by one, and each counts or does not."""
    result = function.result
    if (
        function.body
        or not isinstance(result, Reduce)
        or len(result.loops) != 1
        or result.gives not in {"set", "count"}
    ):
        return None
    name, item = result.loops[0].name, result.item
    is_itself = result.gives == "count" or (isinstance(item, Variable) and item.name == name)
    return result if is_itself and not result.skips_none and _members(result) else None


def _members(gathered: Reduce) -> int:
    """Return how many members there are, up to the last one that a loop runs over; 0 if these are not known."""
    match gathered.loops[0].items:
        case Literal(_, tuple(members)) if members and all(type(one) is int and one >= 0 for one in members):
            return max(one for one in members if isinstance(one, int)) + 1
    return 0


def _among(members: Formula, stale: Formula) -> Formula:
    """Return those of the members over which a loop runs that must be looked at again; others may be marked too."""
    assert isinstance(members, Literal)
    assert isinstance(members.value, tuple)
    bits = sum(1 << one for one in members.value if isinstance(one, int))
    return stale & bits


def _keep_results(function: Function, kept: KeptCells) -> Function:
    span, gathered = function.span, _gathered(function)
    variables = (Variable(span, name) for name in function.parameters)
    way = _way(span, kept, tuple(map(_number, variables, kept.parameters)))
    result, stale = Variable(span, f"kept_{function.name}"), Variable(span, f"stale_{function.name}")
    old, mark = read_cell(span, kept.results, way), read_cell(span, kept.marks, way)
    assert function.result is not None
    if gathered is None:
        before: Statements = ()
        is_stale, anew = nonzero(mark), (*function.body, assign(result, function.result))
    else:
        loop = gathered.loops[0]
        tests = loop.conditions if gathered.gives == "set" else (*loop.conditions, gathered.item)
        again = evolve(loop, items=call_pure(span, "set_items", _among(loop.items, stale)), conditions=tests)
        found = Reduce(gathered.span, "set", Variable(gathered.span, loop.name), (again,))
        before = (assign(stale, mark),)
        is_stale, anew = nonzero(stale), (assign(result, (old - (old & stale)) | found),)
    written = (write_cell(span, kept.results, way, result), write_cell(span, kept.marks, way, 0))
    body = (*before, *branch(span, is_stale, (*anew, *written), (assign(result, old),)))
    is_counted = gathered is not None and gathered.gives == "count"
    return evolve(function, body=body, result=call_pure(span, "set_size", result) if is_counted else result)


def _number(variable: Formula, parameter: KeptParameter) -> Formula:
    """Return what a parameter is given as a number."""
    number = select(variable.span, variable, 1, 0) if parameter.is_flag else variable
    return select(variable.span, is_none(variable), parameter.low, number) if parameter.is_maybe else number


def _way(span: Span, kept: KeptCells, at: tuple[Formula, ...]) -> Formula:
    """Return which of the ways to fill in the parameters is meant."""
    parts: list[Formula] = []
    scale = kept.ways
    for one, parameter in zip(at, kept.parameters, strict=True):
        scale //= parameter.size
        parts.append((one - parameter.low) * scale)
    return add_up(span, *parts)


# Reading what is kept.


def read_kept(node: Node, layout: Layout, functions: Mapping[str, Function]) -> Node:
    """Return a node that reads kept results where they lie, and calls a function only for those that are stale."""
    values = {name: layout.kept[one.kept] for name, one in functions.items() if one.kept is not None and not one.lists}

    def replace(part: Any) -> Any:
        if not isinstance(part, CallPure) or part.function not in values:
            return part
        kept, result = values[part.function], functions[part.function].result
        is_told = all(is_simple(one) for one in part.arguments)
        if (
            not is_told
            or not isinstance(result, Variable)
            or any(one.is_maybe or one.is_flag for one in kept.parameters)
        ):
            return part
        way = _way(part.span, kept, part.arguments)
        is_stale = nonzero(read_cell(part.span, kept.marks, way))
        return select(part.span, is_stale, part, read_cell(part.span, kept.results, way))

    return transform(node, replace)


# What a change of a field concerns.


@frozen(eq=False)
class _Reader:
    """A kept value that reads a field, and which index of a cell tells which of its results that concerns."""

    kept: KeptCells
    dimensions: tuple[int | None, ...]
    """By parameter."""
    member: int | None
    """For the member that is looked at."""

    def marks(self, indices: Indices, span: Span) -> Statements:
        """Return what marks the results that a change at these indices concerns."""
        kept = self.kept
        told = [None if one is None else indices[one] for one in self.dimensions]
        ways = list(_ways(kept, told, span))
        if len(ways) > _FEW:
            known = list(takewhile(lambda one: one is not None, told))
            rest = kept.parameters[len(known) :]
            first = next(_ways(kept, known + [Literal(span, one.low) for one in rest], span))
            many = prod(one.size for one in rest)
            return (call_runtime(span, "mark_results", kept.marks + first, many, kept.whole),)
        member = None if self.member is None else indices[self.member]
        if member is None:
            return tuple(write_cell(span, kept.marks, way, kept.whole) for way in ways)
        bit = 1 << member
        return tuple(write_cell(span, kept.marks, way, read_cell(span, kept.marks, way) | bit) for way in ways)


def _ways(kept: KeptCells, told: list[Formula | None], span: Span) -> Iterator[Formula]:
    """Iterate over the ways to fill in the parameters that are not told."""
    choices: list[list[Formula]] = []
    for one, parameter in zip(told, kept.parameters, strict=True):
        numbers = range(parameter.low, parameter.low + parameter.size)
        choices.append([Literal(span, number) for number in numbers] if one is None else [one])
    for at in product(*choices):
        yield _way(span, kept, at)


def _find_readers(reads: FunctionReads, function: Function, kept: KeptCells) -> Iterator[tuple[str, _Reader]]:
    """Iterate over the fields that a kept value reads, each with what tells whom a change concerns."""
    gathered = _gathered(function)
    more = {} if gathered is None else {gathered.loops[0].name: _MEMBER}
    by_field: dict[str, list[ReadCell]] = {}
    for read in reads.of(function.name, function.parameters, more):
        by_field.setdefault(read.field, []).append(read)
    for field in sorted(by_field):
        found = by_field[field]
        dimensions = tuple(_shared_dimension(found, name) for name in function.parameters)
        yield field, _Reader(kept, dimensions, _shared_dimension(found, _MEMBER))


def _shared_dimension(reads: list[ReadCell], key: str) -> int | None:
    """Return the dimension in which all reads of a field have a variable as their index."""
    each = [{place for place, one in enumerate(read.keys) if one == key} for read in reads]
    return min(set.intersection(*each), default=None)


@frozen(eq=False)
class _Marking:
    """Which results are marked after what."""

    fields: Mapping[int, CellRange]
    readers: Mapping[str, list[_Reader]]
    """By field: the values that read it."""

    def procedure(self, procedure: Procedure) -> Procedure:
        """Return a procedure that marks what it must."""
        return evolve(procedure, body=self._statements(procedure.body))

    def _statements(self, statements: Statements) -> Statements:
        found: list[Statement] = []
        for statement in statements:
            found.append(self._inside(statement))
            marks = [
                mark
                for name, indices in self._changed(statement)
                for reader in self.readers.get(name, ())
                for mark in reader.marks(indices, statement.span)
            ]
            found += join_marks(marks)
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

    def _changed(self, statement: Statement) -> Iterator[tuple[str, Indices]]:
        """Iterate over the fields that a statement changes itself, with the indices of the cell if they can be told."""
        if isinstance(statement, CellWrite) and statement.base in self.fields:
            cells, first = self.fields[statement.base]
            offset = Literal(statement.span, statement.base - first) + (statement.index or Literal(statement.span, 0))
            yield cells.name, split_indices(cells, offset)
        elif isinstance(statement, CallRuntime) and not statement.planned:
            for argument in statement.arguments:
                yield from self._changed_by_call(statement, argument)
            if statement.function == "leave_game":
                yield _SEATS_LEFT, ()

    def _changed_by_call(self, call: CallRuntime, argument: Formula) -> Iterator[tuple[str, Indices]]:
        """Iterate over the fields that an argument of a function of the runtime names: places, and names of fields."""
        match argument:
            case Op(_, "tuple", (Literal(_, PlaceLayout() as layout), cell, _)):
                yield self._changed_place(call, layout, cell)
            case Literal(_, (PlaceLayout() as layout, int(cell), _)):
                yield self._changed_place(call, layout, Literal(argument.span, cell))
            case _:
                for part in walk(argument):
                    if isinstance(part, Literal):
                        for name in _named(part.value):
                            yield name, (None,) * len(self._shape(name))

    def _shape(self, name: str) -> tuple[int, ...]:
        return next((cells.shape for cells, _ in self.fields.values() if cells.name == name), ())

    def _changed_place(self, call: CallRuntime, layout: PlaceLayout, cell: Formula) -> tuple[str, Indices]:
        cells, first = self.fields[layout.base]
        indices = split_indices(cells, Literal(cell.span, -first) + cell)
        if any(isinstance(part, Variable) and part.name == call.result for part in walk(cell)):
            indices = (None,) * len(indices)
        if layout.stride:
            owner = _owner_of_moved(call, layout)
            indices = tuple(owner if place == layout.owner_dimension else one for place, one in enumerate(indices))
        return layout.name, indices


def join_marks(marks: list[Statement]) -> Iterator[Statement]:
    """Iterate over marks without those that are there twice; whole results whose marks lie side by side are one."""
    rows: dict[int, CellWrite] = {}
    others: dict[object, Statement] = {}
    for mark in marks:
        match mark:
            case CellWrite(_, base, None, Literal(_, int())):
                rows[base] = mark
            case _:
                others.setdefault(form(mark), mark)
    yield from others.values()
    bases = sorted(rows)
    while bases:
        first, value = bases[0], rows[bases[0]].value
        many = next(
            (many for many, one in enumerate(bases) if one != first + many or form(rows[one].value) != form(value)),
            len(bases),
        )
        if many < _ROW:
            yield from (rows[one] for one in bases[:many])
        else:
            yield call_runtime(value.span, "mark_results", first, many, value)
        bases = bases[many:]


def _owner_of_moved(call: CallRuntime, layout: PlaceLayout) -> Formula | None:
    """Return whose pieces a function of the runtime moves, where it is told by a variable."""
    if call.function == "move_some":
        piece = call.arguments[1]
        return piece // layout.members if is_stable(piece) else None
    place = _OWNERS.get(call.function)
    owner = None if place is None else call.arguments[place]
    is_told = owner is not None and is_stable(owner) and not (isinstance(owner, Literal) and owner.value is None)
    return owner if is_told else None


def _named(value: Constant) -> Iterator[str]:
    """Iterate over the fields that what a runtime function is given may name: places, and names of fields."""
    if isinstance(value, PlaceLayout):
        yield value.name
    elif isinstance(value, str):
        yield value
    elif isinstance(value, tuple):
        for one in value:
            yield from _named(one)
