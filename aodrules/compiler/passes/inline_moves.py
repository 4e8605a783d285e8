"""Moves simple enough to be written out: everybody knows the pieces, and what happens on their way happens to one.

Before and after:

    move_some("worker", piece, 1, supply, box)    if S[12] >> 3 * worker & 7:
                                             →        S[12] = S[12] - (1, 8, 64)[worker]
                                                      S[20 + box] = S[20 + box] + (worker,)
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain

from attrs import frozen

from aodrules.check.steps import FieldPlace, Move
from aodrules.compiler.formulas import (
    Formula,
    Literal,
    Term,
    Variable,
    all_of,
    any_of,
    call_pure,
    is_none,
    length,
    negate,
    nonzero,
    read_table,
    tuple_of,
)
from aodrules.compiler.lower.builder import PlanBuilder, count_in_bag
from aodrules.compiler.lower.expressions import keep_all, lower_expression
from aodrules.compiler.lower.planner import Planner
from aodrules.compiler.lower.scope import LoweredPlace, LowerScope
from aodrules.compiler.nodes import (
    CellWrite,
    ForEach,
    IfLogging,
    Statements,
    assign,
    branch,
    call_runtime,
    log,
    write_cell,
)
from aodrules.lang.types import Bag, HiddenPiece, ListOf, Member, Piece, Player, bare, item_type


@frozen(eq=False)
class PieceSort:
    """The pieces of a move: which member of their family, whose."""

    member: Formula
    owner: Formula | None


@frozen(eq=False)
class InlineMove:
    """A move that may be simple, and what stands around it."""

    planner: Planner
    step: Move
    source: LoweredPlace
    target: LoweredPlace
    moved: Variable | None
    """What counts the pieces."""
    scope: LowerScope
    effects: Callable[[Formula, Formula | None], Statements]
    """What happens on the way of a piece: a member, and whose."""


def inline_move(move: InlineMove) -> Statements | None:
    """Return a move as plain changes of cells, or nothing if it is not simple."""
    if not _is_simple(move):
        return None
    return _move_all(move) if move.step.what is None else _move_some(move)


def _is_simple(move: InlineMove) -> bool:
    """Whether everybody knows the pieces, and nothing happens on their way but to a single one."""
    source, target = move.source.cells, move.target.cells
    hidden = source.field.secret is not None and target.field.secret is not None
    known = move.step.what is not None and move.step.open
    is_one = move.step.what is not None and move.step.count is None
    is_between_maybes = move.step.what is None and source.container == target.container == "maybe"
    is_between_bags = is_one and source.container == "bag" and isinstance(_test_room(move, None), Literal)
    return (
        (source is not target or is_between_maybes or is_between_bags)
        and target.knowledge is None
        and (source.knowledge is None or (known and source.container == "maybe"))
        and (known or not hidden)
        and (move.step.aside or not _has_effects(move) or (is_one and move.step.left is None))
        and move.target.index is None
        and not move.step.result_is_piece
    )


def _has_effects(move: InlineMove) -> bool:
    """Whether anything happens to pieces on their way."""
    ends = [(move.source.cells.name, False), (move.target.cells.name, True)]
    if isinstance(move.step.left, FieldPlace):
        ends[0] = (move.step.left.field, False)
    effects = move.planner.rules.enter_leave_effects
    return any(one.entering is entering for name, entering in ends for one in effects.get(name, ()))


# One sort of pieces.


def _move_some(move: InlineMove) -> Statements | None:
    step, from_bag = move.step, move.source.cells.container == "bag"
    if step.position is not None or (step.count is not None and not from_bag):
        return None
    before, sort = _find_sort(move)
    if sort is None:
        return None
    statements = _move_from_bag(move, sort) if from_bag else _move_from_row(move, sort)
    return None if statements is None else before + statements


def _find_sort(move: InlineMove) -> tuple[Statements, PieceSort | None]:
    """Return which pieces are named, with simple formulas; nothing where none may be named."""
    planner, step, span = move.planner, move.step, move.step.span
    assert step.what is not None
    what = lower_expression(planner, step.what, move.scope)
    if not isinstance(step.what.type, Member | Player | Piece | HiddenPiece):
        return (), None
    before, (kept,) = keep_all(planner, (what,), span)
    if not planner.is_owned(step.kind) or (move.source.cells.field.is_stock and step.owner is None):
        return before, PieceSort(kept, None)
    if isinstance(bare(step.what.type), Piece):
        more, sort = _split_piece(move, kept)
        return before + more, sort
    assert step.owner is not None
    more, (owner,) = keep_all(planner, (lower_expression(planner, step.owner, move.scope),), span)
    return before + more, PieceSort(kept, owner)


def _split_piece(move: InlineMove, piece: Formula) -> tuple[Statements, PieceSort]:
    size = move.planner.family_size(move.step.kind)
    before, (member, owner) = keep_all(move.planner, (piece % size, piece // size), move.step.span)
    return before, PieceSort(member, owner)


def _move_from_bag(move: InlineMove, sort: PieceSort) -> Statements | None:
    step, span, source, target = move.step, move.step.span, move.source, move.target
    held = count_in_bag(move.planner, source.cell(sort.owner).read(), sort.member, source.cells.field.type)
    if step.count is None:
        changes = (_add_to_bag(source, sort, -1), _put(move, sort), _log_move(move, sort, 1), *_happen(move, sort))
        return _move_if_room(move, sort.owner, nonzero(held), changes)
    if target.cells.container != "bag" or not isinstance(_test_room(move, sort.owner), Literal):
        return None
    count = move.planner.variable("count", span)
    given = assign(count, call_pure(span, "min", lower_expression(move.planner, step.count, move.scope), held))
    changes = (_add_to_bag(source, sort, -1, count), _add_to_bag(target, sort, 1, count), _log_move(move, sort, count))
    counted = () if move.moved is None else (assign(move.moved, call_pure(span, "max", count, 0)),)
    return (given, *branch(span, count > 0, changes), *counted)


def _move_from_row(move: InlineMove, sort: PieceSort) -> Statements | None:
    source, span = move.source, move.step.span
    if source.index is not None:
        return None
    item, cell = _make_item(move, source, sort), source.cell(sort.owner, span)
    if source.cells.container == "list":
        there, taken = item.is_in(cell.read()), cell.write(call_pure(span, "without", cell.read(), item))
    else:
        there, taken = cell.read().equals(item), cell.write(None)
    changes: Statements = (taken, _put(move, sort), _log_move(move, sort, 1), *_happen(move, sort))
    if source.cells.knowledge is not None:
        changes = (taken, write_cell(span, source.cells.knowledge, cell.offset(), 0), *changes[1:])
    return _move_if_room(move, sort.owner, there, changes)


def _happen(move: InlineMove, sort: PieceSort) -> Statements:
    """Return what happens to a piece on its way."""
    return () if move.step.aside else move.effects(sort.member, sort.owner)


def _move_if_room(move: InlineMove, owner: Formula | None, there: Formula, changes: Statements) -> Statements:
    """Return changes on the condition that there is a piece, and room for it."""
    span, target = move.step.span, move.target
    none: Statements = ()
    if move.moved is not None:
        none = (assign(move.moved, 0),)
        changes += (assign(move.moved, 1),)
    room, full = _test_room(move, owner), none
    if not move.step.up_to and not isinstance(room, Literal):
        full = (*none, log(span, "cut", target.cells.name, _make_indices(move, target, owner), 1, 0))
    return branch(span, there, branch(span, room, changes, full), none)


def _test_room(move: InlineMove, owner: Formula | None) -> Formula:
    held, of = move.target.cell(owner).read(), move.target.cells.field.type
    if move.target.cells.container == "maybe":
        return is_none(held)
    if isinstance(of, ListOf) and of.limit is not None:
        return length(held) < of.limit
    if isinstance(of, Bag) and of.limit is not None:
        return PlanBuilder(move.planner, move.step.span).bag_size(held, of) < of.limit
    return Literal(move.step.span, value=True)


# Everything.


def _move_all(move: InlineMove) -> Statements | None:
    planner, step, span, source = move.planner, move.step, move.step.span, move.source
    if move.moved is not None or step.position is not None or source.index is not None:
        return None
    if not isinstance(_test_room(move, None), Literal):
        return _move_between_maybes(move)
    owner = () if step.owner is None else (lower_expression(planner, step.owner, move.scope),)
    statements, kept = keep_all(planner, owner, span)
    owners: list[Formula | None] = [*kept] or [None]
    if None in source.at and step.owner is None:
        owners = [Literal(span, owner) for owner in source.owners]
    elif step.owner is not None and None not in source.at:
        return None
    for one in owners:
        more = _move_whole_bag(move, one) if source.cells.container == "bag" else _move_whole_row(move, one)
        if more is None:
            return None
        statements += more
    return statements


def _move_between_maybes(move: InlineMove) -> Statements | None:
    """Return the way of what lies in one maybe into another that is free; perhaps the same one."""
    planner, span, source, target = move.planner, move.step.span, move.source, move.target
    ends = (source.cells, target.cells)
    are_pieces = {isinstance(item_type(one.field.type), Piece) for one in ends}
    is_told = move.step.owner is None and None not in (*source.at, *target.at)
    if not all(one.container == "maybe" for one in ends) or not is_told or len(are_pieces) > 1:
        return None
    if any(one.field.owner_dimension is not None for one in ends):
        return None
    item = planner.variable("item", span)
    before, sort = _split_piece(move, item) if True in are_pieces else ((), PieceSort(item, None))
    room = is_none(target.read())
    if source.cells is target.cells:
        pairs = zip(source.at, target.at, strict=True)
        same = all_of(span, *(one.equals(other) for one, other in pairs if one is not None and other is not None))
        room = any_of(span, room, same)
    cut = log(span, "cut", target.cells.name, _make_indices(move, target, None), 1, 0)
    changes = (*before, source.write(None), target.write(item), _log_move(move, sort, 1))
    moved = branch(span, room, changes, () if move.step.up_to else (cut,))
    return (assign(item, source.read()), *branch(span, negate(is_none(item)), moved))


def _move_whole_bag(move: InlineMove, owner: Formula | None) -> Statements | None:
    span, shape, bag = move.step.span, move.source.cells.bag, move.planner.variable("bag", move.step.span)
    if move.target.cells.container != "bag":
        return None
    assert shape is not None
    source, target = move.source.cell(owner, span), move.target.cell(owner, span)
    ends = tuple_of(span, *_name_ends(move, owner))
    packing = tuple_of(span, shape.width, shape.members)
    entry = call_runtime(span, "note_bag", move.step.kind, owner, bag, ends, packing)
    changes = (source.write(0), target.write(target.read() + bag), IfLogging(span, (entry,)))
    return (assign(bag, source.read()), *branch(span, nonzero(bag), changes))


def _move_whole_row(move: InlineMove, owner: Formula | None) -> Statements | None:
    """Return the way of each item of a list or maybe into a bag or list."""
    planner, span, source = move.planner, move.step.span, move.source.cell(owner, move.step.span)
    item = planner.variable("item", span)
    if isinstance(item_type(source.cells.field.type), Piece):
        before, sort = _split_piece(move, item)
    else:
        before, sort = (), PieceSort(item, owner)
    body = (*before, _put(move, sort), _log_move(move, sort, 1))
    if source.cells.container == "list":
        items = planner.variable("items", span)
        changes: Statements = (source.write(()), ForEach(span, item.name, items, body))
        return (assign(items, source.read()), *branch(span, nonzero(length(items)), changes))
    return (assign(item, source.read()), *branch(span, negate(is_none(item)), (source.write(None), *body)))


# Cells.


def _add_to_bag(place: LoweredPlace, sort: PieceSort, sign: int, count: Formula | None = None) -> CellWrite:
    """Return the change of a bag by one piece, or by so many."""
    shape, cell = place.cells.bag, place.cell(sort.owner)
    assert shape is not None
    unit = read_table(place.span, tuple(1 << shape.width * member for member in range(shape.members)), sort.member)
    amount = unit if count is None else count * unit
    return cell.write(cell.read() + amount if sign > 0 else cell.read() - amount)


def _put(move: InlineMove, sort: PieceSort) -> CellWrite:
    """Return how one piece is laid down where there is room."""
    if move.target.cells.container == "bag":
        return _add_to_bag(move.target, sort, 1)
    cell, item = move.target.cell(sort.owner, move.step.span), _make_item(move, move.target, sort)
    return cell.write(item if move.target.cells.container == "maybe" else cell.read() + tuple_of(cell.span, item))


def _make_item(move: InlineMove, place: LoweredPlace, sort: PieceSort) -> Formula:
    """Return the item by which a list or maybe holds a piece."""
    if sort.owner is None or not isinstance(item_type(place.cells.field.type), Piece):
        return sort.member
    return sort.owner * move.planner.family_size(move.step.kind) + sort.member


def _name_ends(move: InlineMove, owner: Formula | None) -> tuple[Term, ...]:
    """Return both ends as the log wants them: a field and its indices each."""
    ends = ((place.cells.name, _make_indices(move, place, owner)) for place in (move.source, move.target))
    return tuple(chain.from_iterable(ends))


def _make_indices(move: InlineMove, place: LoweredPlace, owner: Formula | None) -> Formula:
    return tuple_of(move.step.span, *(one for one in place.cell(owner).at if one is not None))


def _log_move(move: InlineMove, sort: PieceSort, count: Term) -> IfLogging:
    ends = _name_ends(move, sort.owner)
    return log(move.step.span, "move", move.step.kind, sort.member, sort.owner, count, *ends, -1)
