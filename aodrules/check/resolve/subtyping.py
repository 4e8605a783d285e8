"""Which types fit where: the rules of assignment, comparison and joining."""

from __future__ import annotations

from aodrules.check.context import Context
from aodrules.lang.types import (
    UNKNOWN,
    Bag,
    Flag,
    HiddenPiece,
    ListOf,
    Maybe,
    Member,
    Nothing,
    Number,
    Piece,
    Player,
    SetOf,
    Type,
    Unknown,
    maybe,
    present,
)


def fits(context: Context, found: Type, expected: Type) -> bool:
    """Whether a thing of one type may stand where another is expected. Ranges of numbers are judged elsewhere."""
    if isinstance(found, Unknown) or isinstance(expected, Unknown):
        return True
    if isinstance(expected, Maybe):
        return isinstance(found, Nothing) or fits(context, present(found), expected.of)
    if isinstance(found, Member) and isinstance(expected, Member):
        return context.is_a(found.kind, expected.kind)
    if isinstance(found, ListOf | SetOf) and type(found) is type(expected):
        return fits(context, found.of, expected.of)
    if isinstance(found, Piece | Bag) and type(found) is type(expected):
        return context.is_a(found.kind, expected.kind)
    return type(found) is type(expected) and isinstance(found, Number | Flag | Player)


def comparable(context: Context, left: Type, right: Type) -> bool:
    """Whether `==` makes sense between two types."""
    if isinstance(left, Unknown | Nothing) or isinstance(right, Unknown | Nothing):
        return True
    one, other = present(left), present(right)
    if isinstance(one, HiddenPiece) or isinstance(other, HiddenPiece):
        return False
    if isinstance(one, Member) and isinstance(other, Member):
        return same_family(context, one.kind, other.kind)
    return fits(context, one, other) or fits(context, other, one)


def same_family(context: Context, one: str, other: str) -> bool:
    """Whether two kinds belong to one family."""
    return one in context.kinds and other in context.kinds and context.kinds[one].family == context.kinds[other].family


def joined(context: Context, left: Type, right: Type) -> Type | None:
    """Return the type that holds both, or nothing if there is none."""
    if isinstance(left, Unknown) or isinstance(right, Unknown):
        return UNKNOWN
    if isinstance(left, Nothing):
        return maybe(right)
    if isinstance(right, Nothing):
        return maybe(left)
    inner = _joined_present(context, present(left), present(right))
    if inner is None:
        return None
    return maybe(inner) if isinstance(left, Maybe) or isinstance(right, Maybe) else inner


def _joined_present(context: Context, left: Type, right: Type) -> Type | None:
    if isinstance(left, Number) and isinstance(right, Number):
        return Number()
    if isinstance(left, Member) and isinstance(right, Member) and same_family(context, left.kind, right.kind):
        return left if left.kind == right.kind else Member(context.kinds[left.kind].family)
    if fits(context, left, right):
        return right
    return left if fits(context, right, left) else None
