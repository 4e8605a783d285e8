"""From typed expressions to formulas: names, fields, attributes, operators, builtins. Loops stand beside this."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from operator import add

from aodrules.compiler.formulas import (
    CellRead,
    Formula,
    Literal,
    Variable,
    any_of,
    call_pure,
    is_none,
    is_simple,
    lift,
    nonzero,
    read_cell,
    read_table,
    reduce_over,
    select,
)
from aodrules.compiler.layout import LEFT
from aodrules.compiler.lower.builder import PlanBuilder, count_in_bag, if_present, unpack_items
from aodrules.compiler.lower.cells import CellRef, LoweredPlace
from aodrules.compiler.lower.planner import Planner
from aodrules.compiler.lower.scope import LowerScope
from aodrules.compiler.nodes import Assign, Statements, assign
from aodrules.lang import expressions as typed
from aodrules.lang.builtins.entry import Builtin, Lower
from aodrules.lang.builtins.table import MEANINGS
from aodrules.lang.operators import OPERATIONS
from aodrules.lang.types import Bag, Piece, SetOf, Type, bare, item_type
from aodrules.source.spans import Span


def lower_expression(planner: Planner, expression: typed.Expression, scope: LowerScope) -> Formula:
    """Return the formula of an expression."""
    return planner.expressions[type(expression)](planner, expression, scope)


def lower_all(planner: Planner, expressions: Iterable[typed.Expression], scope: LowerScope) -> tuple[Formula, ...]:
    """Return the formulas of some expressions."""
    return tuple(lower_expression(planner, one, scope) for one in expressions)


def lower_items(planner: Planner, expression: typed.Expression, scope: LowerScope) -> Formula:
    """Return the items of a collection in order, as a tuple or a range."""
    if isinstance(expression, typed.BuiltinCall):
        builtin = MEANINGS[expression.builtin]
        if builtin.lower_for_loop is not None:
            return _lower_call(planner, builtin, builtin.lower_for_loop, expression, scope)
    return unpack_items(planner, lower_expression(planner, expression, scope), expression.type, expression.span)


def lower_const(_planner: Planner, expression: typed.Const, _: LowerScope) -> Formula:
    """Return a constant."""
    value = expression.value
    if isinstance(expression.type, SetOf) and isinstance(value, tuple):
        value = sum(1 << one for one in set(value))
    return Literal(expression.span, value)


def lower_local(_planner: Planner, expression: typed.Local, scope: LowerScope) -> Formula:
    """Return a local name."""
    meaning = scope.formula(expression.name)
    return Variable(expression.span, meaning.name) if isinstance(meaning, Variable) else meaning


def lower_field_read(planner: Planner, expression: typed.FieldRead, scope: LowerScope) -> Formula:
    """Return what a field holds."""
    return lower_cell(planner, expression.field, expression.at, scope, expression.span).read()


def lower_cell(planner: Planner, field: str, at: Iterable[typed.Expression], scope: LowerScope, span: Span) -> CellRef:
    """Return the cell of a field at some indices."""
    return CellRef(span, planner.layout.fields[field], lower_all(planner, at, scope))


def lower_place_read(planner: Planner, expression: typed.PlaceRead, scope: LowerScope) -> Formula:
    """Return what a place holds, in the form that is asked for, whatever form the field has."""
    place, span, of = scope.place(expression.name), expression.span, expression.type
    owner = None if expression.owner is None else lower_expression(planner, expression.owner, scope)
    is_whole = place.index is None and (owner is None) != (None in place.at)
    if is_whole and type(of) is type(place.cells.field.type):
        return place.cell(owner).read().at(span)
    if isinstance(of, Bag):
        size = planner.family_size(of.kind) if isinstance(item_type(place.cells.field.type), Piece) else 0
        items = _list_items_in_part(planner, place, owner, span)
        return call_pure(span, "bag_of", items, planner.bag(of).width, size)
    if None not in place.at:
        return _list_items_in_part(planner, place, None, span)
    parts = (_list_items_in_part(planner, place, Literal(span, seat), span) for seat in range(planner.players))
    return reduce(add, parts)


def _list_items_in_part(planner: Planner, place: LoweredPlace, owner: Formula | None, span: Span) -> Formula:
    """Return the items of a place or of an owner's part of it: pieces if the kind has owners, else members."""
    held = place.cells.field.type
    items = unpack_items(planner, place.cell(owner).read(), held, span)
    if place.index is not None:
        items = call_pure(span, "as_tuple", call_pure(span, "item_at", items, place.index))
    if owner is None:
        return items
    item, size = planner.variable("item", span), planner.family_size(place.cells.field.holds or "")
    if isinstance(held, Bag):
        return reduce_over(span, "list", owner * size + item, item, items)
    if None in place.at:
        return items
    return reduce_over(span, "list", item, item, items, (item // size).equals(owner))


def lower_attribute_read(planner: Planner, expression: typed.AttributeRead, scope: LowerScope) -> Formula:
    """Return an attribute."""
    attribute = planner.rules.attributes[expression.attribute]
    index = lower_expression(planner, expression.of, scope)
    for dimension, one in zip(attribute.per, expression.at, strict=True):
        index = index * planner.domain_size(dimension) + lower_expression(planner, one, scope)
    return read_table(expression.span, planner.attribute(expression.attribute), index)


def lower_bag_count(planner: Planner, expression: typed.BagCount, scope: LowerScope) -> Formula:
    """Return how many of a member a bag holds."""
    bag, member = lower_all(planner, (expression.bag, expression.member), scope)
    return count_in_bag(planner, bag, member, expression.bag.type).at(expression.span)


def lower_item_at(planner: Planner, expression: typed.ItemAt, scope: LowerScope) -> Formula:
    """Return an item of a list."""
    items, index = lower_items(planner, expression.items, scope), lower_expression(planner, expression.index, scope)
    if isinstance(items, Literal) and isinstance(index, Literal):
        assert isinstance(items.value, tuple)
        assert isinstance(index.value, int)
        inside = 0 <= index.value < len(items.value)
        return Literal(expression.span, items.value[index.value] if inside else None)
    return call_pure(expression.span, "item_at", items, index)


def lower_piece_member(planner: Planner, expression: typed.PieceMember, scope: LowerScope) -> Formula:
    """Return what an owned piece is."""
    return lower_expression(planner, expression.piece, scope) % _kinds_of_piece(planner, expression.piece.type)


def lower_piece_owner(planner: Planner, expression: typed.PieceOwner, scope: LowerScope) -> Formula:
    """Return whose an owned piece is."""
    return lower_expression(planner, expression.piece, scope) // _kinds_of_piece(planner, expression.piece.type)


def _kinds_of_piece(planner: Planner, of: Type) -> int:
    of = bare(of)
    assert isinstance(of, Piece)
    return planner.family_size(of.kind)


def lower_is_kind(planner: Planner, expression: typed.IsKind, scope: LowerScope) -> Formula:
    """Return whether a member is of a kind."""
    lower, found = OPERATIONS["is"].lower, lower_expression(planner, expression.of, scope)
    assert lower is not None
    return lift(expression.span, lower(PlanBuilder(planner, expression.span), expression, found))


def keep_all(planner: Planner, formulas: Iterable[Formula], span: Span) -> tuple[Statements, tuple[Formula, ...]]:
    """Return statements that compute formulas once, and what stands for each of them afterwards."""
    statements: list[Assign] = []
    kept: list[Formula] = []
    for formula in formulas:
        if is_simple(formula):
            kept.append(formula)
            continue
        variable = planner.variable("at", span)
        statements.append(assign(variable, formula))
        kept.append(variable)
    return tuple(statements), tuple(kept)


def lower_if_else(planner: Planner, expression: typed.IfElse, scope: LowerScope) -> Formula:
    """Return one of two."""
    condition = lower_expression(planner, expression.condition, scope)
    if isinstance(condition, Literal):
        return lower_expression(planner, expression.then if condition.value else expression.otherwise, scope)
    then, otherwise = lower_all(planner, (expression.then, expression.otherwise), scope)
    return select(expression.span, condition, then, otherwise)


def lower_when_present(planner: Planner, expression: typed.WhenPresent, scope: LowerScope) -> Formula:
    """Return something through a maybe."""
    return if_present(
        planner,
        lower_expression(planner, expression.of, scope),
        expression.of.type,
        lambda one: lower_expression(planner, expression.then, scope.bind(expression.name, one)),
        Literal(expression.span, None),
    )


def lower_limit_used(planner: Planner, expression: typed.LimitUsed, scope: LowerScope) -> Formula:
    """Return how often something was used."""
    whose = () if expression.whose is None else (expression.whose,)
    return lower_cell(planner, expression.limit, whose, scope, expression.span).read()


def lower_knows(planner: Planner, expression: typed.Knows, scope: LowerScope) -> Formula:
    """Return whether a seat knows a piece."""
    span, knowledge = expression.span, planner.layout.fields[expression.field].knowledge
    if knowledge is None:
        return Literal(span, value=True)
    cell = lower_cell(planner, expression.field, expression.at, scope, span)
    player = lower_expression(planner, expression.player, scope)
    held, known = cell.read(), read_cell(span, knowledge, cell.offset())
    if expression.index is None:
        return any_of(span, is_none(held), nonzero(known & (1 << player)))
    return call_pure(span, "knows_at", held, known, lower_expression(planner, expression.index, scope), player)


def is_playing(player: Formula, span: Span) -> Formula:
    """Return whether a player has not left the game."""
    return player.is_not_in(CellRead(span, LEFT))


# Operators.


def lower_operation(planner: Planner, expression: typed.Operation, scope: LowerScope) -> Formula:
    """Return an operation."""
    entry, build = OPERATIONS[expression.operator], PlanBuilder(planner, expression.span)
    if entry.deciding is None:
        operands = lower_all(planner, expression.operands, scope)
    else:
        operands = lower_tests(planner, expression.operands, scope, deciding=entry.deciding)
    assert entry.lower is not None
    return lift(expression.span, entry.lower(build, expression, *operands))


def lower_tests(
    planner: Planner, tests: Iterable[typed.Expression], scope: LowerScope, *, deciding: bool = False
) -> tuple[Formula, ...]:
    """Return tests up to one that is known to decide: what follows may make no sense then (`x != none and x > 1`)."""
    lowered: list[Formula] = []
    for test in tests:
        lowered.append(lower_expression(planner, test, scope))
        if isinstance(lowered[-1], Literal) and bool(lowered[-1].value) is deciding:
            break
    return tuple(lowered)


# Builtins.


def lower_builtin_call(planner: Planner, call: typed.BuiltinCall, scope: LowerScope) -> Formula:
    """Return the call of a builtin."""
    builtin = MEANINGS[call.builtin]
    return _lower_call(planner, builtin, builtin.lower, call, scope)


def _lower_call(
    planner: Planner, builtin: Builtin, lower: Lower | None, call: typed.BuiltinCall, scope: LowerScope
) -> Formula:
    arguments = lower_all(planner, call.arguments, scope)
    folded = _fold(planner, builtin, call, arguments)
    if folded is not None:
        return folded
    assert lower is not None, call.builtin
    return lift(call.span, lower(PlanBuilder(planner, call.span), call, *arguments))


def _fold(
    planner: Planner, builtin: Builtin, call: typed.BuiltinCall, arguments: tuple[Formula, ...]
) -> Formula | None:
    """Return what is known beforehand; nothing where play decides it."""
    if builtin.evaluate is None or (builtin.of_those_left and planner.somebody_leaves):
        return None
    values = [one.value for one in arguments if isinstance(one, Literal)]
    if len(values) < len(arguments) or any(isinstance(one.type, Bag) for one in call.arguments):
        return None
    return Literal(call.span, builtin.evaluate(planner.known, call, *values))
