"""Moves, draws, shuffles, sorting and revealing, and what happens on the way in and out of fields."""

from __future__ import annotations

from functools import partial

from attrs import evolve

from aodrules.check.checked import EnterLeaveEffect
from aodrules.check.steps import Draw, LeaveGame, Move, Reveal, Shuffle, Sort
from aodrules.compiler.formulas import (
    Constant,
    Formula,
    Literal,
    Term,
    Variable,
    all_of,
    any_of,
    call_pure,
    fold_tuple,
    get_item,
    is_none,
    length,
    negate,
    reduce_over,
)
from aodrules.compiler.layout import FieldCells, PlaceLayout
from aodrules.compiler.lower.bodies import lower_steps
from aodrules.compiler.lower.builder import if_present
from aodrules.compiler.lower.calls import call_procedure
from aodrules.compiler.lower.causes import cause_of_effect
from aodrules.compiler.lower.expressions import keep_all, keep_place, lower_expression, lower_place
from aodrules.compiler.lower.holders import holder_dimension
from aodrules.compiler.lower.planner import Planner
from aodrules.compiler.lower.scope import LoweredPlace, LowerScope
from aodrules.compiler.nodes import CallRuntime, ForEach, Statements, assign, branch, call_runtime
from aodrules.compiler.passes.inline_moves import InlineMove, inline_move
from aodrules.compiler.runtime.steps import cells_to_leave
from aodrules.lang.expressions import Expression
from aodrules.lang.types import Bag, ListOf, Maybe, Member, Owner, Piece, Player, SetOf, bare, item_type
from aodrules.source.spans import Span


def lower_move(planner: Planner, step: Move, scope: LowerScope) -> tuple[Statements, LowerScope]:
    """Return the statements of a `move`, and the names after it."""
    span = step.span
    before, source, target = _lower_ends(planner, step, scope)
    count = None if step.result is None else planner.variable("count", span)
    effects = partial(_lower_effects_of_piece, planner, source, target, step.kind, span)
    move = InlineMove(planner, step, source, target, count, scope, effects)
    written = inline_move(move) if planner.does("inline_moves") else None
    if written is not None:
        return before + written, scope if count is None else scope.bind(str(step.result), count)
    what = None if step.what is None else _lower_piece(planner, step, step.what, scope)
    fixed, kept = keep_all(planner, (what,) if what is not None else (), span)
    moved = planner.variable("moved", span)
    has_owner = planner.is_owned(step.kind) and not (source.cells.field.is_stock and step.owner is None)
    how = fold_tuple(span, has_owner, _lower_knowers(planner, step, scope), step.up_to)
    if step.what is None:
        which: tuple[Formula, ...] = (_lower_optional(planner, step.owner, scope, span),)
    else:
        which = (*kept, Literal(span, 1) if step.count is None else lower_expression(planner, step.count, scope))
    function = "move_all" if step.what is None else "move_some"
    ends = _lower_spots(planner, step, source, target, scope)
    performed = call_runtime(span, function, step.kind, *which, *ends, how, result=moved if step.result else None)
    statements: Statements = (performed,)
    if not step.aside:
        left = source if step.left is None else lower_place(planner, step.left, scope)
        statements = _add_enter_leave(planner, performed, left, target, moved, step.kind)
    if step.what is not None and isinstance(step.what.type, Maybe):
        nothing = (assign(moved, ()),) if step.result else ()
        statements = branch(span, negate(is_none(kept[0])), statements, nothing)
    return _name_result(planner, step, before + fixed + statements, moved, scope)


def _lower_ends(
    planner: Planner, step: Move | Draw, scope: LowerScope
) -> tuple[Statements, LoweredPlace, LoweredPlace]:
    first, source = keep_place(planner, lower_place(planner, step.source, scope))
    second, target = keep_place(planner, lower_place(planner, step.target, scope))
    return first + second, source, target


def _lower_piece(planner: Planner, step: Move, what: Expression, scope: LowerScope) -> Formula:
    """Return the piece that is named: a member, or owner and member in one number."""
    formula = lower_expression(planner, what, scope)
    if not planner.is_owned(step.kind) or isinstance(bare(what.type), Piece) or step.owner is None:
        return formula
    owner = lower_expression(planner, step.owner, scope) * planner.family_size(step.kind)
    return if_present(planner, formula, what.type, lambda one: owner + one, Literal(step.span, None))


def _lower_knowers(planner: Planner, step: Move, scope: LowerScope) -> Formula:
    """Return the seats that know which piece is named, as a mask."""
    span = step.span
    if step.open:
        return Literal(span, (1 << planner.players) - 1)
    mask: Formula = Literal(span, 0)
    for seat in step.knowers:
        mask = mask | (1 << lower_expression(planner, seat, scope))
    return mask


def _lower_optional(planner: Planner, expression: Expression | None, scope: LowerScope, span: Span) -> Formula:
    return Literal(span, None) if expression is None else lower_expression(planner, expression, scope)


def _lower_spots(
    planner: Planner, step: Move | Draw, source: LoweredPlace, target: LoweredPlace, scope: LowerScope
) -> tuple[Formula, Formula]:
    """Return where pieces come from and where they go, as the runtime wants it."""
    position = target.index
    if step.position is not None or position is None:
        position = _lower_optional(planner, step.position, scope, step.span)
    return _make_runtime_place(planner, source, source.index), _make_runtime_place(planner, target, position)


def _make_runtime_place(planner: Planner, place: LoweredPlace, index: Formula | None) -> Formula:
    """Return what the runtime must know about a place, its first cell, and an index."""
    first = place.cells.base + place.offset()
    return fold_tuple(place.span, lay_out_place(planner, place), first, index)


def lay_out_place(planner: Planner, place: LoweredPlace) -> PlaceLayout:
    """Return all that the runtime must know about a place."""
    cells = place.cells
    field = cells.field
    inner, holder = item_type(field.type), holder_dimension(cells)
    return PlaceLayout(
        cells.name,
        cells.base,
        cells.strides,
        cells.shape,
        cells.container,
        0 if cells.bag is None else cells.bag.width,
        planner.family_size(field.holds or "player"),
        isinstance(inner, Piece),
        cells.owner_stride if None in place.at else 0,
        -1 if field.owner_dimension is None else field.owner_dimension,
        -1 if cells.knowledge is None else cells.knowledge,
        field.secret or "",
        -1 if holder is None else holder,
        _find_room(cells),
        planner.players,
        field.is_stock,
    )


def _find_room(cells: FieldCells) -> int:
    """Return the most pieces of a list or bag; -1 where nothing but the pieces bounds it."""
    of = cells.field.type
    return of.limit if isinstance(of, Bag | ListOf) and of.limit is not None else -1


def _name_result(
    planner: Planner, step: Move | Draw, statements: Statements, moved: Variable, scope: LowerScope
) -> tuple[Statements, LowerScope]:
    if step.result is None:
        return statements, scope
    span, result = step.span, planner.variable(step.result, step.span)
    if isinstance(step, Move) and step.result_is_piece:
        value = call_pure(span, "moved_piece", moved, planner.family_size(step.kind))
    else:
        value = length(moved)
    return (*statements, assign(result, value)), scope.bind(step.result, result)


def lower_draw(planner: Planner, step: Draw, scope: LowerScope) -> tuple[Statements, LowerScope]:
    """Return the statements of a `draw`, and the names after it."""
    span = step.span
    before, source, target = _lower_ends(planner, step, scope)
    moved = planner.variable("moved", span)
    result = moved if step.result else None
    count = lower_expression(planner, step.count, scope)
    ends = _lower_spots(planner, step, source, target, scope)
    if _is_plain_draw(planner, step, source, target):
        function = "draw_chance" if source.cells.container == "bag" else "draw_top"
        drawn = call_runtime(span, function, step.kind, count, *ends, step.up_to, result=result)
    else:
        owner = _lower_optional(planner, step.owner, scope, span)
        drawn = call_runtime(span, "draw_pieces", step.kind, owner, count, *ends, (step.up_to,), result=result)
    statements = before + _add_enter_leave(planner, drawn, source, target, moved, step.kind)
    return _name_result(planner, step, statements, moved, scope)


def _is_plain_draw(planner: Planner, step: Draw, source: LoweredPlace, target: LoweredPlace) -> bool:
    """Whether pieces without owners go from a bag or list into another field."""
    return (
        planner.does("plain_draws")
        and not planner.is_owned(step.kind)
        and source.cells is not target.cells
        and source.cells.container in {"bag", "list"}
        and source.index is None
    )


# Entering and leaving.


def _add_enter_leave(
    planner: Planner, performed: CallRuntime, source: LoweredPlace, target: LoweredPlace, moved: Variable, kind: str
) -> Statements:
    """Return a move and what happens to each piece that left one place for another."""
    left = _lower_enter_leave(planner, source, moved, kind, performed.span, entering=False)
    entered = _lower_enter_leave(planner, target, moved, kind, performed.span, entering=True)
    if not left and not entered:
        return (performed,)
    performed = evolve(performed, result=moved.name)
    apart = _test_apart(source, target, performed.span)
    return (performed, *branch(performed.span, apart, left + entered))


def _test_apart(source: LoweredPlace, target: LoweredPlace, span: Span) -> Formula:
    if source.cells is not target.cells:
        return Literal(span, value=True)
    pairs = zip(source.at, target.at, strict=True)
    tests = (one.differs(other) for one, other in pairs if one is not None and other is not None)
    return any_of(span, *tests)


def _lower_enter_leave(
    planner: Planner, place: LoweredPlace, moved: Variable, kind: str, span: Span, *, entering: bool
) -> Statements:
    """Return what happens for each piece that left or entered a place."""
    piece, member, owner = (planner.variable(name, span) for name in ("piece", kind, "whose"))
    body = _lower_effects(planner, place, member, owner, entering=entering)
    if not body:
        return ()
    parts = (assign(member, get_item(piece, 0)), assign(owner, get_item(piece, 1)))
    return (ForEach(span, piece.name, moved, parts + body),)


def _lower_effects(
    planner: Planner, place: LoweredPlace, member: Variable, owner: Variable, *, entering: bool
) -> Statements:
    """Return what happens when a piece leaves or enters a place."""
    body: Statements = ()
    for enter_leave in planner.rules.enter_leave_effects.get(place.cells.name, ()):
        if enter_leave.entering is entering and enter_leave.scope.kind in {None, place.cells.field.holds}:
            body += _lower_one_effect(planner, enter_leave, place, member, owner)
    return body


def _lower_effects_of_piece(
    planner: Planner,
    source: LoweredPlace,
    target: LoweredPlace,
    kind: str,
    span: Span,
    piece: Formula,
    whose: Formula | None,
) -> Statements:
    """Return what happens when one piece has left one place for another."""
    member, owner = (planner.variable(name, span) for name in (kind, "whose"))
    left = _lower_effects(planner, source, member, owner, entering=False)
    entered = _lower_effects(planner, target, member, owner, entering=True)
    if not left and not entered:
        return ()
    told = (assign(member, piece), assign(owner, whose if whose is not None else Literal(span, None)))
    return branch(span, _test_apart(source, target, span), told + left + entered)


def _lower_one_effect(
    planner: Planner, enter_leave: EnterLeaveEffect, place: LoweredPlace, member: Variable, owner: Variable
) -> Statements:
    span = enter_leave.span
    names = _bind_effect_names(planner, place, member, owner)
    tests: list[Formula] = []
    if enter_leave.scope.kind is not None:
        names["self"] = member
        if len(enter_leave.scope.members) < planner.family_size(enter_leave.scope.kind):
            tests.append(member.is_in(enter_leave.scope.members))
    if enter_leave.condition is not None:
        tests.append(lower_expression(planner, enter_leave.condition, LowerScope(dict(names))))
    steps = partial(lower_steps, planner, enter_leave.body)
    cause = cause_of_effect(enter_leave.address, enter_leave.scope)
    called = call_procedure(planner, f"enter_leave_{enter_leave.address}", names, steps, span, cause)
    return branch(span, all_of(span, *tests), called) if called else ()


def _bind_effect_names(planner: Planner, place: LoweredPlace, member: Variable, owner: Variable) -> dict[str, Formula]:
    """Return the names such an effect knows: those of the field's indices, and the member under its kind's name."""
    names: dict[str, Formula] = {}
    for dimension, index in zip(place.cells.field.dimensions, place.at, strict=True):
        meaning = owner if index is None else index
        if isinstance(dimension, Player | Owner):
            names[str(dimension)] = meaning
        elif isinstance(dimension, Member):
            names |= {dimension.kind: meaning, planner.family(dimension.kind): meaning}
    if place.cells.field.tells_owner:
        names["owner" if planner.rules.sides_owning(str(place.cells.field.holds)) else "player"] = owner
    inner = item_type(place.cells.field.type)
    for kind in (place.cells.field.holds, getattr(inner, "kind", None)):
        if kind is not None:
            names[kind] = member
    return names


# Order and knowledge.


def lower_shuffle(planner: Planner, step: Shuffle, scope: LowerScope) -> Statements:
    """Return the statements of a `shuffle`."""
    place = _make_runtime_place(planner, lower_place(planner, step.place, scope), None)
    return (call_runtime(step.span, "shuffle_list", place),)


def lower_sort(planner: Planner, step: Sort, scope: LowerScope) -> Statements:
    """Return the statements of a `sort`."""
    span = step.span
    place = lower_place(planner, step.place, scope)
    item = planner.variable(step.item, span)
    by = lower_expression(planner, step.by, scope.bind(step.item, item))
    keys = reduce_over(span, "list", by, item, place.cell(span=span).read())
    return (call_runtime(span, "sort_list", _make_runtime_place(planner, place, None), keys),)


def lower_reveal(planner: Planner, step: Reveal, scope: LowerScope) -> Statements:
    """Return the statements of a `reveal`."""
    span = step.span
    place = lower_place(planner, step.place, scope)
    what = _lower_optional(planner, step.what, scope, span)
    seats: Term = (1 << planner.players) - 1
    if step.to is not None:
        to = lower_expression(planner, step.to, scope)
        seats = to if isinstance(step.to.type, SetOf) else 1 << to
    is_piece = step.what is not None and isinstance(bare(step.what.type), Piece)
    how = (step.what is None, is_piece)
    return (call_runtime(span, "reveal_pieces", _make_runtime_place(planner, place, place.index), what, seats, how),)


def _find_places_to_leave(planner: Planner) -> Constant:
    """Return every place of pieces, for a player who leaves: each field of a kind, and where its pieces go."""
    places: list[Constant] = []
    for name, field in planner.rules.fields.items():
        if field.holds is None or name.startswith("out.") or field.is_stock:
            continue
        source = _lay_out_whole(planner, name)
        target = source if field.holds == "player" else _lay_out_whole(planner, f"out.{field.holds}")
        of_seats = tuple(cells_to_leave(field.holds, source, target, seat) for seat in range(planner.players))
        places.append((field.holds, source, target, of_seats))
    return tuple(places)


def _lay_out_whole(planner: Planner, name: str) -> PlaceLayout:
    """Return what is fixed about a field as a whole."""
    cells = planner.layout.fields[name]
    first = Literal(cells.field.span, 0)
    at = tuple(None if number == cells.field.owner_dimension else first for number in range(len(cells.shape)))
    return lay_out_place(planner, LoweredPlace(cells.field.span, cells, at))


def lower_leave_game(planner: Planner, step: LeaveGame, scope: LowerScope) -> Statements:
    """Return how a player leaves."""
    player = lower_expression(planner, step.player, scope)
    places = _find_places_to_leave(planner)
    return (call_runtime(step.span, "leave_game", player, planner.players, places),)
