"""How many items of a loop can hold pieces: a piece lies in one place, so no more than there are pieces."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from attrs import frozen

from aodrules.check.analyse.cases import mentions
from aodrules.check.analyse.sizes import Sizes
from aodrules.check.visit import comparisons
from aodrules.lang.expressions import BuiltinCall, Const, Expression, FieldRead, Local, Loop, PieceOwner, WhenPresent
from aodrules.lang.types import Maybe, Nothing, SetOf

Least = Callable[[Expression], int]
"""Return the least that a number can be inside a loop, where its conditions hold."""


@frozen(eq=False)
class _Holding:
    """What a condition says of a field: that so many pieces lie in it, perhaps all of one owner."""

    read: FieldRead
    least: int
    owner: Expression | None = None


def most_holders(sizes: Sizes, loop: Loop, least: Least) -> int | None:
    """Return how many items the conditions of a loop let through at most, because each of them holds pieces.

    `set(h for h in hexes if size(h.men[player]) > 0)` is no larger than the number of men a player has.
    """
    if not _are_different(loop.items):
        return None
    holdings = (each for condition in loop.conditions for each in _holdings(condition, least))
    numbers = (_pieces(sizes, loop.name, each) for each in holdings)
    return min((number for number in numbers if number is not None), default=None)


def _are_different(items: Expression) -> bool:
    if isinstance(items, Const) and isinstance(items.value, tuple):
        return len(set(items.value)) == len(items.value)
    return isinstance(items.type, SetOf)


def _holdings(condition: Expression, least: Least) -> Iterator[_Holding]:
    for one, sign, other in comparisons(condition):
        match one:
            case BuiltinCall(builtin="size" | "len", arguments=(FieldRead() as read,)):
                yield _Holding(read, least(one))
            case FieldRead(type=Maybe()) if sign == "!=" and isinstance(other.type, Nothing):
                yield _Holding(one, 1)
            case WhenPresent(of=FieldRead() as read) if sign == "==" and not isinstance(other.type, Maybe | Nothing):
                yield _Holding(read, 1, other if isinstance(one.then, PieceOwner) else None)


def _pieces(sizes: Sizes, name: str, holding: _Holding) -> int | None:
    """Return in how many fields so many pieces can lie, if each item of a loop has a field of its own."""
    field = sizes.rules.fields.get(holding.read.field)
    own = [index for index in holding.read.at if isinstance(index, Local) and index.name == name]
    others = [index for index in holding.read.at if index not in own]
    if field is None or field.holds not in sizes.rules.kinds or holding.least < 1 or not own:
        return None
    if any(mentions(each, {name}) for each in others):
        return None
    owner = holding.owner
    if field.owner_dimension is not None:
        owner = holding.read.at[field.owner_dimension]
    is_one_owner = owner is not None and not mentions(owner, {name})
    return sizes.pieces(field.holds, of_one_owner=is_one_owner) // holding.least
