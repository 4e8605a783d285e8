"""From typed expressions to formulas: names, fields, places, operators, builtins, results gathered over loops."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import reduce
from operator import add
from typing import TypeAlias

from attrs import evolve

from aodrules.check.steps import ParameterPlace, PlaceReference
from aodrules.compiler.formulas import (
    CellRead,
    Formula,
    Generator,
    Literal,
    Reduce,
    Variable,
    all_of,
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
from aodrules.compiler.lower.inlining import WRITTEN_OUT
from aodrules.compiler.lower.planner import Planner
from aodrules.compiler.lower.scope import LoweredPlace, LowerScope
from aodrules.compiler.nodes import Assign, Statements, assign
from aodrules.lang import expressions as typed
from aodrules.lang.builtins.entry import Builtin, Lower
from aodrules.lang.builtins.table import BUILTINS, MEANINGS
from aodrules.lang.operators import OPERATIONS
from aodrules.lang.types import Bag, Maybe, Piece, SetOf, Type, bare, item_type
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


def lower_cell(
    planner: Planner, field: str, at: Iterable[typed.Expression], scope: LowerScope, span: Span
) -> LoweredPlace:
    """Return the cell of a field at some indices."""
    return LoweredPlace(span, planner.layout.fields[field], lower_all(planner, at, scope))


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
    parts = (_list_items_in_part(planner, place, Literal(span, owner), span) for owner in place.owners)
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
    return read_table(expression.span, planner.attributes[expression.attribute], index)


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


# Places of pieces, and what is computed only once.


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


def lower_place(planner: Planner, reference: PlaceReference, scope: LowerScope) -> LoweredPlace:
    """Return the place that is meant."""
    if isinstance(reference, ParameterPlace):
        return scope.place(reference.name)
    cells = planner.layout.fields[reference.field]
    at = tuple(None if one is None else lower_expression(planner, one, scope) for one in reference.at)
    index = None if reference.index is None else lower_expression(planner, reference.index, scope)
    return LoweredPlace(reference.span, cells, at, index)


def keep_place(planner: Planner, place: LoweredPlace) -> tuple[Statements, LoweredPlace]:
    """Return statements that compute the indices of a place once, and the place with simple indices."""
    formulas = tuple(one for one in (*place.at, place.index) if one is not None)
    statements, kept = keep_all(planner, formulas, place.span)
    simple = iter(kept)
    at = tuple(None if one is None else next(simple) for one in place.at)
    index = None if place.index is None else next(simple)
    return statements, evolve(place, at=at, index=index)


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


# Results gathered over loops: written out where the items are few and known.


Pair: TypeAlias = tuple[Formula, Formula]
"""A condition and the item that counts if it holds."""


def lower_comprehension(planner: Planner, expression: typed.Comprehension, scope: LowerScope) -> Formula:
    """Return the result of a comprehension: written out where its turns are few and known, else a loop."""
    span, over = expression.span, BUILTINS[expression.gives].over
    assert over is not None
    build = PlanBuilder(planner, span)
    if over.unroll is not None and planner.inline_sizes.is_written_out(expression):
        pairs = _unroll(planner, expression, scope)
        if pairs is not None and all(isinstance(part, Literal) for pair in pairs for part in pair):
            return Literal(span, over.evaluate(item.value for _, item in pairs if isinstance(item, Literal)))
        written = None if pairs is None else over.unroll(build, expression, pairs)
        if written is not None:
            return lift(span, written)
    if over.reduce is None:
        return _lower_reduce(planner, expression, scope, expression.gives)
    return lift(span, over.reduce(build, lambda gives: _lower_reduce(planner, expression, scope, gives)))


def _unroll(planner: Planner, expression: typed.Comprehension, scope: LowerScope) -> list[Pair] | None:
    """Return condition and item for every turn of the loops, or nothing if they are too many or not known."""
    found: list[Pair] = []
    truth = Literal(expression.span, value=True)
    for pair in _unroll_loops(planner, expression, expression.loops, scope, truth):
        if pair is None or len(found) >= WRITTEN_OUT:
            return None
        found.append(pair)
    return found


def _unroll_loops(
    planner: Planner,
    expression: typed.Comprehension,
    loops: tuple[typed.Loop, ...],
    scope: LowerScope,
    condition: Formula,
) -> Iterator[Pair | None]:
    if isinstance(condition, Literal) and not condition.value:
        return
    if not loops:
        yield condition, lower_expression(planner, expression.item, scope)
        return
    items = lower_items(planner, loops[0].items, scope)
    if not isinstance(items, Literal) or not isinstance(items.value, tuple) or len(items.value) > WRITTEN_OUT:
        yield None
        return
    for value in items.value:
        inner = scope.bind(loops[0].name, Literal(loops[0].items.span, value))
        tested = lower_tests(planner, loops[0].conditions, inner)
        yield from _unroll_loops(planner, expression, loops[1:], inner, all_of(expression.span, condition, *tested))


def _lower_reduce(planner: Planner, expression: typed.Comprehension, scope: LowerScope, gives: str) -> Formula:
    loops = []
    for loop in expression.loops:
        variable = planner.variable(loop.name, loop.items.span)
        items = lower_items(planner, loop.items, scope)
        scope = scope.bind(loop.name, variable)
        loops.append(Generator(variable.name, items, lower_tests(planner, loop.conditions, scope)))
    item = lower_expression(planner, expression.item, scope)
    if gives == "first" and (ranked := _ranked_items(item, loops)) is not None:
        return evolve(ranked, span=expression.span, gives="best")
    return Reduce(expression.span, gives, item, tuple(loops), isinstance(expression.item.type, Maybe))


def _ranked_items(item: Formula, loops: list[Generator]) -> Reduce | None:
    """Return what is ranked, if loops run over just that: for its first item nothing need be put in order."""
    match loops, item:
        case [Generator(name, Reduce() as items, ())], Variable(_, taken) if items.gives == "ranked" and taken == name:
            return items
    return None
