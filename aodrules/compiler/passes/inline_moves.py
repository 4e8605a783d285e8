"""Moves simple enough to be written out: everybody knows the pieces, and nothing happens on their way."""

from __future__ import annotations

from attrs import frozen

from aodrules.check.steps import Move
from aodrules.compiler.formulas import (
    Formula,
    Literal,
    Variable,
    call_pure,
    is_none,
    length,
    negate,
    nonzero,
    operation,
    read_cell,
    read_table,
    split_offset,
    tuple_of,
)
from aodrules.compiler.lower.expressions import compute_offset, count_in_bag, filled, lower_expression
from aodrules.compiler.lower.numbers import keep_all
from aodrules.compiler.lower.planner import Planner, bare, item_type
from aodrules.compiler.lower.scope import LoweredPlace, LowerScope
from aodrules.compiler.nodes import (
    CellWrite,
    ForEach,
    IfLogging,
    Statements,
    WriteLog,
    assign,
    branch,
    call_runtime,
    write_log,
)
from aodrules.lang.types import HiddenPiece, ListOf, Member, Piece, Player
from aodrules.source.spans import Span


@frozen(eq=False)
class PieceSort:
    """The pieces of a move: of which family, which member, whose."""

    kind: str
    member: Formula
    owner: Formula | None


def inline_move(
    planner: Planner, step: Move, source: LoweredPlace, target: LoweredPlace, moved: Variable | None, scope: LowerScope
) -> Statements | None:
    """Return a move as plain changes of cells, or nothing if it is not simple. `moved` counts the pieces."""
    if not _is_simple(planner, step, source, target):
        return None
    if step.what is None:
        return _inline_all(planner, step, source, target, moved, scope)
    return _inline_some(planner, step, source, target, moved, scope)


def _is_simple(planner: Planner, step: Move, source: LoweredPlace, target: LoweredPlace) -> bool:
    """Whether everybody knows the pieces, nothing happens on their way, and they leave their field."""
    ends = (source.cells, target.cells)
    hidden = source.cells.field.secret is not None and target.cells.field.secret is not None
    known = step.what is not None and step.open
    return (
        source.cells is not target.cells
        and target.cells.knowledge is None
        and (source.cells.knowledge is None or (known and source.cells.container == "maybe"))
        and (known or not hidden)
        and not any(planner.rules.passages.get(end.name) for end in ends)
        and target.index is None
        and not step.result_is_piece
    )


# One sort of pieces.


def _inline_some(
    planner: Planner, step: Move, source: LoweredPlace, target: LoweredPlace, moved: Variable | None, scope: LowerScope
) -> Statements | None:
    if step.position is not None or (step.count is not None and source.cells.container != "bag"):
        return None
    before, sort = _find_sort(planner, step, scope)
    if sort is None:
        return None
    if source.cells.container == "bag":
        statements = _take_from_bag(planner, step, source, target, sort, moved, scope)
    else:
        statements = _take_from_row(planner, step, source, target, sort, moved)
    return None if statements is None else before + statements


def _find_sort(planner: Planner, step: Move, scope: LowerScope) -> tuple[Statements, PieceSort | None]:
    """Return which pieces are named, with simple formulas; nothing where none may be named."""
    assert step.what is not None
    span, what = step.span, lower_expression(planner, step.what, scope)
    if not isinstance(step.what.type, Member | Player | Piece | HiddenPiece):
        return (), None
    before, (kept,) = keep_all(planner, (what,), span)
    if not planner.is_owned(step.kind):
        return before, PieceSort(step.kind, kept, None)
    if isinstance(bare(step.what.type), Piece):
        size = Literal(span, planner.family_size(step.kind))
        parts = (kept % size, kept // size)
        more, (member, owner) = keep_all(planner, parts, span)
        return before + more, PieceSort(step.kind, member, owner)
    assert step.owner is not None
    more, (owner,) = keep_all(planner, (lower_expression(planner, step.owner, scope),), span)
    return before + more, PieceSort(step.kind, kept, owner)


def _take_from_bag(
    planner: Planner,
    step: Move,
    source: LoweredPlace,
    target: LoweredPlace,
    sort: PieceSort,
    moved: Variable | None,
    scope: LowerScope,
) -> Statements | None:
    span = step.span
    held = count_in_bag(planner, _read_cell(source, sort.owner), sort.member, source.cells.field.type)
    if step.count is None:
        one = Literal(span, 1)
        changes = _change_bag(source, sort, one, "-") + _put(planner, target, sort, span)
        changes += _log_move(step, source, target, sort, one)
        return _move_if_room(step, target, sort.owner, nonzero(held), changes, moved)
    if target.cells.container != "bag":
        return None
    count = planner.variable("count", span)
    given = assign(count, call_pure(span, "min", lower_expression(planner, step.count, scope), held))
    changes = _change_bag(source, sort, count, "-") + _change_bag(target, sort, count, "+")
    changes += _log_move(step, source, target, sort, count)
    statements: Statements = (given, *branch(span, count > 0, changes))
    if moved is not None:
        counted = call_pure(span, "max", count, 0)
        statements += (assign(moved, counted),)
    return statements


def _take_from_row(
    planner: Planner, step: Move, source: LoweredPlace, target: LoweredPlace, sort: PieceSort, moved: Variable | None
) -> Statements | None:
    if source.index is not None:
        return None
    span, item = step.span, _make_item(planner, source, sort, step.span)
    held = _read_cell(source, sort.owner)
    base, index = _find_cell(source, sort.owner)
    if source.cells.container == "list":
        there = item.is_in(held)
        taken = CellWrite(span, base, index, call_pure(span, "without", held, item))
    else:
        there = held.equals(item)
        taken = CellWrite(span, base, index, Literal(span, None))
    forgotten = _forget(source, sort.owner)
    noted = _log_move(step, source, target, sort, Literal(span, 1))
    changes = (taken, *forgotten, *_put(planner, target, sort, span), *noted)
    return _move_if_room(step, target, sort.owner, there, changes, moved)


def _move_if_room(
    step: Move,
    target: LoweredPlace,
    owner: Formula | None,
    there: Formula,
    changes: Statements,
    moved: Variable | None,
) -> Statements:
    """Return changes on the condition that there is a piece, and room for it."""
    span = step.span
    none: Statements = ()
    if moved is not None:
        none = (assign(moved, 0),)
        changes += (assign(moved, 1),)
    room = _test_room(target, owner, span)
    full: Statements = none
    if not step.up_to and not isinstance(room, Literal):
        full = (*none, IfLogging(span, (_log_cut(target, owner, span),)))
    return branch(span, there, branch(span, room, changes, full), none)


def _log_cut(target: LoweredPlace, owner: Formula | None, span: Span) -> WriteLog:
    return write_log(span, "cut", target.cells.name, _make_indices(target, owner, span), 1, 0)


def _test_room(target: LoweredPlace, owner: Formula | None, span: Span) -> Formula:
    """Return whether a place takes one more piece."""
    held = _read_cell(target, owner)
    of = target.cells.field.type
    if target.cells.container == "maybe":
        return is_none(held)
    if isinstance(of, ListOf) and of.limit is not None:
        return length(held) < of.limit
    return Literal(span, value=True)


# Everything.


def _inline_all(
    planner: Planner, step: Move, source: LoweredPlace, target: LoweredPlace, moved: Variable | None, scope: LowerScope
) -> Statements | None:
    span = step.span
    if moved is not None or step.position is not None or source.index is not None:
        return None
    if not isinstance(_test_room(target, None, span), Literal):
        return None
    before, kept = keep_all(
        planner, () if step.owner is None else (lower_expression(planner, step.owner, scope),), span
    )
    owners: list[Formula | None] = [*kept] or [None]
    if None in source.at and step.owner is None:
        owners = [Literal(span, seat) for seat in range(planner.players)]
    elif step.owner is not None and None not in source.at:
        return None
    statements = before
    for owner in owners:
        if source.cells.container == "bag":
            more = _move_whole_bag(planner, step, source, target, owner)
        else:
            more = _move_whole_row(planner, step, source, target, owner)
        if more is None:
            return None
        statements += more
    return statements


def _move_whole_bag(
    planner: Planner, step: Move, source: LoweredPlace, target: LoweredPlace, owner: Formula | None
) -> Statements | None:
    if target.cells.container != "bag":
        return None
    span = step.span
    bag, (base, index) = planner.variable("bag", span), _find_cell(source, owner)
    to_base, to_index = _find_cell(target, owner)
    more = _read_cell(target, owner) + bag
    shape = source.cells.bag
    assert shape is not None
    packing = (Literal(span, shape.width), Literal(span, shape.members))
    ends = (
        Literal(span, source.cells.name),
        _make_indices(source, owner, span),
        Literal(span, target.cells.name),
        _make_indices(target, owner, span),
    )
    head = (Literal(span, step.kind), owner or Literal(span, None), bag)
    entry = call_runtime(span, "note_bag", *head, tuple_of(span, *ends), tuple_of(span, *packing))
    changes: Statements = (
        CellWrite(span, base, index, Literal(span, 0)),
        CellWrite(span, to_base, to_index, more),
        IfLogging(span, (entry,)),
    )
    return (assign(bag, _read_cell(source, owner)), *branch(span, nonzero(bag), changes))


def _move_whole_row(
    planner: Planner, step: Move, source: LoweredPlace, target: LoweredPlace, owner: Formula | None
) -> Statements | None:
    """Return the way of each item of a list or maybe into a bag or list."""
    span = step.span
    base, index = _find_cell(source, owner)
    item = planner.variable("item", span)
    before, sort = _split_item(planner, step.kind, source, item, owner, span)
    body = (*before, *_put(planner, target, sort, span))
    body += _log_move(step, source, target, sort, Literal(span, 1))
    held = _read_cell(source, owner)
    if source.cells.container == "list":
        items = planner.variable("items", span)
        fixed = assign(items, held)
        empty = CellWrite(span, base, index, Literal(span, ()))
        return (
            fixed,
            *branch(span, nonzero(length(items)), (empty, ForEach(span, item.name, items, body))),
        )
    empty = CellWrite(span, base, index, Literal(span, None))
    return (assign(item, held), *branch(span, negate(is_none(item)), (empty, *body)))


def _split_item(
    planner: Planner, kind: str, source: LoweredPlace, item: Variable, owner: Formula | None, span: Span
) -> tuple[Statements, PieceSort]:
    if not isinstance(item_type(source.cells.field.type), Piece):
        return (), PieceSort(kind, item, owner)
    size = Literal(span, planner.family_size(kind))
    parts = (item % size, item // size)
    before, (member, whose) = keep_all(planner, parts, span)
    return before, PieceSort(kind, member, whose)


# Cells.


def _find_cell(place: LoweredPlace, owner: Formula | None) -> tuple[int, Formula | None]:
    return split_offset(place.cells.base, compute_offset(place.cells, filled(place, owner), place.span))


def _forget(place: LoweredPlace, owner: Formula | None) -> Statements:
    """Return the change of what is known about a place that gets empty."""
    if place.cells.knowledge is None:
        return ()
    offset = compute_offset(place.cells, filled(place, owner), place.span)
    return (CellWrite(place.span, *split_offset(place.cells.knowledge, offset), Literal(place.span, 0)),)


def _read_cell(place: LoweredPlace, owner: Formula | None) -> Formula:
    return read_cell(place.span, place.cells.base, compute_offset(place.cells, filled(place, owner), place.span))


def _change_bag(place: LoweredPlace, sort: PieceSort, count: Formula, sign: str) -> Statements:
    """Return the change of a bag by so many pieces."""
    span, shape = place.span, place.cells.bag
    assert shape is not None
    units = tuple(1 << shape.width * member for member in range(shape.members))
    amount = count * read_table(span, units, sort.member)
    base, index = _find_cell(place, sort.owner)
    return (CellWrite(span, base, index, operation(span, sign, _read_cell(place, sort.owner), amount)),)


def _put(planner: Planner, target: LoweredPlace, sort: PieceSort, span: Span) -> Statements:
    """Return how one piece is laid down where there is room."""
    if target.cells.container == "bag":
        return _change_bag(target, sort, Literal(span, 1), "+")
    base, index = _find_cell(target, sort.owner)
    item = _make_item(planner, target, sort, span)
    if target.cells.container == "maybe":
        return (CellWrite(span, base, index, item),)
    longer = _read_cell(target, sort.owner) + tuple_of(span, item)
    return (CellWrite(span, base, index, longer),)


def _make_item(planner: Planner, place: LoweredPlace, sort: PieceSort, span: Span) -> Formula:
    """Return the item by which a list or maybe holds a piece."""
    if sort.owner is None or not isinstance(item_type(place.cells.field.type), Piece):
        return sort.member
    size = Literal(span, planner.family_size(sort.kind))
    return sort.owner * size + sort.member


def _make_indices(place: LoweredPlace, owner: Formula | None, span: Span) -> Formula:
    return tuple_of(span, *(one for one in filled(place, owner) if one is not None))


def _log_move(step: Move, source: LoweredPlace, target: LoweredPlace, sort: PieceSort, count: Formula) -> Statements:
    span = step.span
    entry = (
        Literal(span, "move"),
        Literal(span, step.kind),
        sort.member,
        sort.owner or Literal(span, None),
        count,
        Literal(span, source.cells.name),
        _make_indices(source, sort.owner, span),
        Literal(span, target.cells.name),
        _make_indices(target, sort.owner, span),
        Literal(span, -1),
    )
    return (IfLogging(span, (write_log(span, *entry),)),)
