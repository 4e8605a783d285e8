"""Short words for the parts of checked rules, for rules written by hand in tests."""

from __future__ import annotations

from typing import Any

from aodrules.check.checked import (
    Condition,
    EffectScope,
    Field,
    GameSection,
    Kind,
    Parameter,
    Pieces,
    PointSource,
    Value,
)
from aodrules.check.steps import FieldPlace, FieldTarget
from aodrules.lang.expressions import (
    AttributeRead,
    BagCount,
    BuiltinCall,
    Comprehension,
    Const,
    Expression,
    FieldRead,
    Local,
    Loop,
    Operation,
    ValueCall,
)
from aodrules.lang.types import FLAG, NOTHING, NUMBER, PLAYER, ListOf, Member, Type, item_of
from aodrules.source.spans import Source, Span

AT = Span(Source("handmade.yaml", ""), 1, 1, 1, 1)
"""Where everything written by hand stands."""


def number(value: int) -> Const:
    return Const(NUMBER, AT, value)


def flag(*, value: bool) -> Const:
    return Const(FLAG, AT, value)


def none() -> Const:
    return Const(NOTHING, AT, None)


def member(kind: str, place: int) -> Const:
    return Const(Member(kind), AT, place)


def members(kind: Kind) -> Const:
    """The collection of a kind."""
    return Const(ListOf(Member(kind.name)), AT, kind.places)


def local(name: str, type_: Type) -> Local:
    return Local(type_, AT, name)


def read(field: Field, *at: Expression) -> FieldRead:
    return FieldRead(field.type, AT, field.name, at)


def attribute(name: str, type_: Type, of: Expression) -> AttributeRead:
    return AttributeRead(type_, AT, name, of)


def count_in(bag: Expression, of: Expression) -> BagCount:
    return BagCount(NUMBER, AT, bag, of)


def call(value: Value, *arguments: Expression) -> ValueCall:
    return ValueCall(value.type, AT, value.name, arguments)


def compare(sign: str, left: Expression, right: Expression) -> Operation:
    return Operation(FLAG, AT, sign, (left, right))


def both(*conditions: Expression) -> Operation:
    return Operation(FLAG, AT, "and", conditions)


def compute(sign: str, left: Expression, right: Expression) -> Operation:
    return Operation(NUMBER, AT, sign, (left, right))


def builtin(name: str, type_: Type, *arguments: Expression, names: tuple[str, ...] = ()) -> BuiltinCall:
    return BuiltinCall(type_, AT, name, arguments, names)


def players() -> BuiltinCall:
    return builtin("players", ListOf(PLAYER))


def numbers(low: int, high: int) -> BuiltinCall:
    """`range(low, high)`."""
    return builtin("range", ListOf(NUMBER), number(low), number(high))


def size(of: Expression) -> BuiltinCall:
    return builtin("size", NUMBER, of)


def length(of: Expression) -> BuiltinCall:
    return builtin("len", NUMBER, of)


def over(
    gives: str, type_: Type, item: Expression, name: str, items: Expression, *conditions: Expression
) -> Comprehension:
    """`gives(item for name in items if ...)`."""
    return Comprehension(type_, AT, gives, item, (Loop(name, item_of(items.type), items, conditions),))


def place(field: Field, *at: Expression | None, index: Expression | None = None) -> FieldPlace:
    return FieldPlace(AT, field.name, at, index)


def target(field: Field, *at: Expression) -> FieldTarget:
    return FieldTarget(AT, field.name, at)


def given(name: str, type_: Type, **more: Any) -> Parameter:
    return Parameter(name, type_, AT, **more)


def kind(name: str, ids: str, *, pieces: Pieces | None = None, ordered: bool = False) -> Kind:
    """A kind that is a family of its own; `ids` are its members with blanks between."""
    listed = tuple(ids.split())
    return Kind(name, f"{name}s", AT, name, listed, tuple(range(len(listed))), ordered, pieces)


def pieces(*counts: int, owned: bool = False) -> Pieces:
    return Pieces(owned, tuple(number(count) for count in counts))


def condition(id_: str, expression: Expression, otherwise: str | None = None) -> Condition:
    return Condition(id_, expression, AT, otherwise)


def held(kind_: str, field: str, *places: int, owner: bool = True) -> EffectScope:
    """The scope of an effect that members carry while they are in a field."""
    return EffectScope(kind_, places, field, owner)


def frame(
    name: str, play: str, points: tuple[PointSource, ...], begin: str | None = None, order: Expression | None = None
) -> GameSection:
    """The frame of a game for two to four."""
    return GameSection(name, (2, 4), ("red", "blue", "green", "white"), begin, play, order, points, None, (), None, AT)
