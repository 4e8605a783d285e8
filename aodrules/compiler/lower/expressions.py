"""From typed expressions to formulas: names, fields, attributes, operators. Builtins and loops stand beside this."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, reduce
from typing import Any, TypeAlias

from aodrules.compiler.folding import (
    call_pure,
    cell_read,
    is_literal,
    is_none,
    is_simple,
    negation,
    nonzero,
    operation,
    select,
    table_read,
    total,
)
from aodrules.compiler.layout import FieldCells
from aodrules.compiler.lower.planner import Planner, bare, item_type
from aodrules.compiler.lower.scope import LoweredPlace, LowerScope
from aodrules.compiler.nodes import Bind, Formula, Generator, Literal, Reduce, Variable
from aodrules.lang import expressions as typed
from aodrules.lang.types import Bag, Maybe, Member, Nothing, Number, Piece, SetOf, Type
from aodrules.source.spans import Span

Body: TypeAlias = Callable[[Formula], Formula]
_ARITHMETIC = {"+", "-", "*", "//", "%", "<", "<=", ">", ">="}


class ExpressionPlanner(Planner):
    """Turns expressions into formulas."""

    def expression(self, expression: typed.Expression, scope: LowerScope) -> Formula:
        """Return the formula of an expression."""
        return _HANDLERS[type(expression)](self, expression, scope)

    def of_const(self, expression: typed.Const, _: LowerScope) -> Formula:
        """Return a constant."""
        value = expression.value
        if isinstance(expression.type, SetOf) and isinstance(value, tuple):
            value = sum(1 << one for one in set(value))
        return Literal(expression.span, value)

    def of_local(self, expression: typed.Local, scope: LowerScope) -> Formula:
        """Return a local name."""
        meaning = scope.formula(expression.name)
        return Variable(expression.span, meaning.name) if isinstance(meaning, Variable) else meaning

    def of_field(self, expression: typed.FieldRead, scope: LowerScope) -> Formula:
        """Return what a field holds."""
        at = tuple(self.expression(one, scope) for one in expression.at)
        return self.field_read(self.layout.fields[expression.field], at, expression.span)

    def field_read(self, cells: FieldCells, at: tuple[Formula, ...], span: Span) -> Formula:
        """Return what a field holds."""
        return cell_read(span, cells.base, self.offset(cells, at, span))

    def offset(self, cells: FieldCells, at: tuple[Formula | None, ...], span: Span) -> Formula:
        """Return the place of a cell among those of its field; an index that is left out counts as 0."""
        parts = [
            operation(span, "*", one, Literal(span, stride))
            for one, stride in zip(at, cells.strides, strict=True)
            if one is not None
        ]
        return total(span, *parts)

    def of_place(self, expression: typed.PlaceRead, scope: LowerScope) -> Formula:
        """Return what a place holds, in the form that is asked for, whatever form the field has."""
        place, span, of = scope.place(expression.name), expression.span, expression.type
        owner = None if expression.owner is None else self.expression(expression.owner, scope)
        is_whole = place.index is None and (owner is None) != (None in place.at)
        if is_whole and type(of) is type(place.cells.field.type):
            return self._part(place, owner, span)
        if isinstance(of, Bag):
            size = self.family_size(of.kind) if isinstance(item_type(place.cells.field.type), Piece) else 0
            items = self._items_in_part(place, owner, span)
            return call_pure(span, "bag_of", items, Literal(span, self.bag(of).width), Literal(span, size))
        if None not in place.at:
            return self._items_in_part(place, None, span)
        parts = [self._items_in_part(place, Literal(span, seat), span) for seat in range(self.players)]
        return reduce(partial(operation, span, "+"), parts)

    def _part(self, place: LoweredPlace, owner: Formula | None, span: Span) -> Formula:
        """Return what the cell of a place holds, or that of an owner's part of it."""
        return cell_read(span, place.cells.base, self.offset(place.cells, filled(place, owner), span))

    def _items_in_part(self, place: LoweredPlace, owner: Formula | None, span: Span) -> Formula:
        """Return the items of a place or of an owner's part of it: pieces if the kind has owners, else members."""
        held = place.cells.field.type
        items = self.items_of(self._part(place, owner, span), held, span)
        if place.index is not None:
            items = call_pure(span, "as_tuple", call_pure(span, "item_at", items, place.index))
        if owner is None:
            return items
        item, size = self.variable("item", span), Literal(span, self.family_size(place.cells.field.holds or ""))
        if isinstance(held, Bag):
            piece = operation(span, "+", operation(span, "*", owner, size), item)
            return Reduce(span, "list", piece, (Generator(item.name, items, ()),))
        if None in place.at:
            return items
        is_theirs = operation(span, "==", operation(span, "//", item, size), owner)
        return Reduce(span, "list", item, (Generator(item.name, items, (is_theirs,)),))

    def of_attribute_read(self, expression: typed.AttributeRead, scope: LowerScope) -> Formula:
        """Return an attribute."""
        attribute = self.rules.attributes[expression.attribute]
        index = self.expression(expression.of, scope)
        for dimension, one in zip(attribute.per, expression.at, strict=True):
            index = operation(expression.span, "*", index, Literal(expression.span, self.domain_size(dimension)))
            index = operation(expression.span, "+", index, self.expression(one, scope))
        return table_read(expression.span, self.attribute(expression.attribute), index)

    def of_bag_count(self, expression: typed.BagCount, scope: LowerScope) -> Formula:
        """Return how many of a member a bag holds."""
        bag = self.expression(expression.bag, scope)
        return self.count_in(bag, self.expression(expression.member, scope), expression.bag.type, expression.span)

    def count_in(self, bag: Formula, member: Formula, of: Type, span: Span) -> Formula:
        """Return how many of a member a packed bag holds."""
        shape = self.bag(of)
        shifted = operation(span, ">>", bag, operation(span, "*", member, Literal(span, shape.width)))
        return operation(span, "&", shifted, Literal(span, shape.mask))

    def of_item_at(self, expression: typed.ItemAt, scope: LowerScope) -> Formula:
        """Return an item of a list."""
        items, index = self.items(expression.items, scope), self.expression(expression.index, scope)
        if isinstance(items, Literal) and isinstance(index, Literal):
            assert isinstance(items.value, tuple)
            assert isinstance(index.value, int)
            inside = 0 <= index.value < len(items.value)
            return Literal(expression.span, items.value[index.value] if inside else None)
        return call_pure(expression.span, "item_at", items, index)

    def of_piece_member(self, expression: typed.PieceMember, scope: LowerScope) -> Formula:
        """Return what an owned piece is."""
        return self._piece_part("%", expression.piece, expression.span, scope)

    def of_piece_owner(self, expression: typed.PieceOwner, scope: LowerScope) -> Formula:
        """Return whose an owned piece is."""
        return self._piece_part("//", expression.piece, expression.span, scope)

    def _piece_part(self, sign: str, piece: typed.Expression, span: Span, scope: LowerScope) -> Formula:
        of = bare(piece.type)
        assert isinstance(of, Piece)
        return operation(span, sign, self.expression(piece, scope), Literal(span, self.family_size(of.kind)))

    def of_value_call(self, expression: typed.ValueCall, scope: LowerScope) -> Formula:
        """Return a named value."""
        arguments = tuple(self.expression(one, scope) for one in expression.arguments)
        return self.value(expression.value, arguments, expression.span)

    def of_is_kind(self, expression: typed.IsKind, scope: LowerScope) -> Formula:
        """Return whether a member is of a kind."""
        kind = self.rules.kinds[expression.kind]
        table = tuple(number in kind.places for number in range(self.family_size(expression.kind)))
        return self.if_present(
            self.expression(expression.of, scope),
            expression.of.type,
            lambda found: table_read(expression.span, table, self.member_of(found, expression.of.type)),
            Literal(expression.span, value=False),
        )

    def member_of(self, item: Formula, of: Type) -> Formula:
        """Return the member that a member or a piece is."""
        of = bare(of)
        if isinstance(of, Piece):
            return operation(item.span, "%", item, Literal(item.span, self.family_size(of.kind)))
        return item

    def if_present(self, of: Formula, type_: Type, then: Body, otherwise: Formula) -> Formula:
        """Return `then` of something, or `otherwise` where it is none."""
        if isinstance(of, Literal):
            return otherwise if of.value is None else then(of)
        if not isinstance(type_, Maybe | Nothing):
            return then(of)
        return self.shared(of, lambda one: select(of.span, is_none(one), otherwise, then(one)))

    def shared(self, formula: Formula, body: Body) -> Formula:
        """Return `body` of a formula that is computed only once."""
        if is_simple(formula):
            return body(formula)
        variable = self.variable("it", formula.span)
        return Bind(formula.span, variable.name, formula, body(variable))

    def of_if_else(self, expression: typed.IfElse, scope: LowerScope) -> Formula:
        """Return one of two."""
        condition = self.expression(expression.condition, scope)
        if isinstance(condition, Literal):
            return self.expression(expression.then if condition.value else expression.otherwise, scope)
        then, otherwise = self.expression(expression.then, scope), self.expression(expression.otherwise, scope)
        return select(expression.span, condition, then, otherwise)

    def of_when_present(self, expression: typed.WhenPresent, scope: LowerScope) -> Formula:
        """Return something through a maybe."""
        return self.if_present(
            self.expression(expression.of, scope),
            expression.of.type,
            lambda one: self.expression(expression.then, scope.bind(expression.name, one)),
            Literal(expression.span, None),
        )

    def of_limit_used(self, expression: typed.LimitUsed, scope: LowerScope) -> Formula:
        """Return how often something was used."""
        whose = () if expression.whose is None else (self.expression(expression.whose, scope),)
        return self.field_read(self.layout.fields[expression.limit], whose, expression.span)

    def of_possible(self, expression: typed.Possible, scope: LowerScope) -> Formula:
        """Return whether an option is possible."""
        option = self.rules.options[expression.option]
        inner = {"player": self.expression(expression.player, scope)}
        for parameter, argument in zip(option.given, expression.arguments, strict=True):
            inner[parameter.name] = self.expression(argument, scope)
        return self.possible(option, LowerScope(dict(inner)), expression.span)

    def of_knows(self, expression: typed.Knows, scope: LowerScope) -> Formula:
        """Return whether a seat knows a piece."""
        cells, span = self.layout.fields[expression.field], expression.span
        if cells.knowledge is None:
            return Literal(span, value=True)
        offset = self.offset(cells, tuple(self.expression(one, scope) for one in expression.at), span)
        player = self.expression(expression.player, scope)
        held, known = cell_read(span, cells.base, offset), cell_read(span, cells.knowledge, offset)
        if expression.index is None:
            bits = operation(span, "&", known, operation(span, "<<", Literal(span, 1), player))
            return operation(span, "or", is_none(held), nonzero(bits))
        return call_pure(span, "knows_at", held, known, self.expression(expression.index, scope), player)

    # Operators.

    def of_operation(self, expression: typed.Operation, scope: LowerScope) -> Formula:
        """Return an operation."""
        sign, span = expression.operator, expression.span
        operands = tuple(self.expression(one, scope) for one in expression.operands)
        if sign in {"and", "or"}:
            return operation(span, sign, *operands)
        if sign == "not":
            return negation(operands[0])
        if sign == "negate":
            return operation(span, "-", Literal(span, 0), operands[0])
        if sign in {"==", "!="}:
            return self._equality(sign, operands, expression)
        if sign in {"in", "not in"}:
            found = self._containment(expression, operands)
            return found if sign == "in" else negation(found)
        if sign in _ARITHMETIC:
            return self._comparison_with_zero(expression, operands) or operation(span, sign, *operands)
        return self._of_sets(sign, operands, span)

    def _equality(self, sign: str, operands: tuple[Formula, ...], expression: typed.Operation) -> Formula:
        left, right = operands
        for one, other in ((left, right), (right, left)):
            if isinstance(other, Literal) and other.value is None:
                return is_none(one) if sign == "==" else negation(is_none(one))
        compared = self._comparison_with_zero(expression, operands)
        return compared or operation(expression.span, sign, left, right)

    def _comparison_with_zero(self, expression: typed.Operation, operands: tuple[Formula, ...]) -> Formula | None:
        """Return the test whether a number that is never negative is 0, the cheapest of all."""
        limit = operands[1]
        if is_literal(operands[0]) or not isinstance(limit, Literal) or not is_natural(expression.operands[0]):
            return None
        if (expression.operator, limit.value) in {(">", 0), ("!=", 0), (">=", 1)}:
            return nonzero(operands[0])
        if (expression.operator, limit.value) in {("==", 0), ("<=", 0), ("<", 1)}:
            return negation(nonzero(operands[0]))
        return None

    def _containment(self, expression: typed.Operation, operands: tuple[Formula, ...]) -> Formula:
        item, items = expression.operands
        return self.if_present(
            operands[0],
            item.type,
            lambda one: self.contains(one, operands[1], item.type, items.type, expression.span),
            Literal(expression.span, value=False),
        )

    def contains(self, item: Formula, items: Formula, of: Type, within: Type, span: Span) -> Formula:
        """Return whether a collection contains something that is there."""
        within = bare(within)
        if isinstance(within, SetOf):
            return nonzero(operation(span, "&", operation(span, ">>", items, item), Literal(span, 1)))
        if isinstance(within, Bag):
            return nonzero(self.count_in(items, self.member_of(item, of), within, span))
        inner = item_type(within)
        if isinstance(inner, Piece) and isinstance(bare(of), Member):
            return call_pure(span, "holds_member", items, item, Literal(span, self.family_size(inner.kind)))
        return operation(span, "in", item, items)

    def _of_sets(self, sign: str, operands: tuple[Formula, ...], span: Span) -> Formula:
        left, right = operands
        if sign == "difference":
            common = operation(span, "&", left, right)
            return operation(span, "-", left, common)
        return operation(span, {"union": "|", "intersection": "&"}[sign], left, right)


_HANDLERS: dict[type, Callable[[Any, Any, LowerScope], Formula]] = {
    typed.Const: ExpressionPlanner.of_const,
    typed.Local: ExpressionPlanner.of_local,
    typed.FieldRead: ExpressionPlanner.of_field,
    typed.PlaceRead: ExpressionPlanner.of_place,
    typed.AttributeRead: ExpressionPlanner.of_attribute_read,
    typed.BagCount: ExpressionPlanner.of_bag_count,
    typed.ItemAt: ExpressionPlanner.of_item_at,
    typed.PieceMember: ExpressionPlanner.of_piece_member,
    typed.PieceOwner: ExpressionPlanner.of_piece_owner,
    typed.ValueCall: ExpressionPlanner.of_value_call,
    typed.IsKind: ExpressionPlanner.of_is_kind,
    typed.IfElse: ExpressionPlanner.of_if_else,
    typed.WhenPresent: ExpressionPlanner.of_when_present,
    typed.LimitUsed: ExpressionPlanner.of_limit_used,
    typed.Possible: ExpressionPlanner.of_possible,
    typed.Knows: ExpressionPlanner.of_knows,
    typed.Operation: ExpressionPlanner.of_operation,
}


def filled(place: LoweredPlace, owner: Formula | None) -> tuple[Formula | None, ...]:
    """Return the indices of a place with the owner's filled in."""
    return tuple(owner if one is None else one for one in place.at)


def is_natural(expression: typed.Expression) -> bool:
    """Whether an expression is a number that is never negative, seen from its form alone."""
    if isinstance(expression, typed.BagCount):
        return True
    if isinstance(expression, typed.BuiltinCall):
        return expression.builtin in {"size", "len", "count"}
    of = expression.type
    known = isinstance(expression, typed.FieldRead | typed.Local) and isinstance(of, Number)
    return known and isinstance(of, Number) and of.low is not None and of.low >= 0
