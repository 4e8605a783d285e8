"""What lies in the cells of a position, as somebody may see it: single things, how many, whose, hidden or not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any, NamedTuple

from aodrules.check.checked import Field
from aodrules.lang.types import Bag, Flag, HiddenPiece, ListOf, Maybe, Member, Number, Piece, Player, SetOf, Type
from aodrules.play.ids import IdTable
from aodrules.play.states import Hidden


class ShownItem(NamedTuple):
    """Equal things that lie together."""

    key: str
    """What tells it apart from others in the same cell."""
    kind: str
    """The kind that the cell holds, which may be a narrower one of a family; `player` for a seat."""
    member: str | None
    """Nothing for what is hidden."""
    owner: str | None = None
    many: int = 1
    shows: tuple[tuple[str, Any], ...] = ()
    """What the back of a hidden thing tells."""
    is_piece: bool = False
    """Whether it is something on the table, and not only named there."""


def is_scalar(type_: Type) -> bool:
    """Whether a cell holds a number or a flag, and no things."""
    inner = type_.of if isinstance(type_, Maybe) else type_
    return isinstance(inner, Number | Flag)


def items_of(names: IdTable, field: Field, at: tuple[int, ...], value: Any) -> tuple[ShownItem, ...]:
    """Return the things in a cell, read as `value`."""
    number = field.owner_dimension
    owner = None if number is None else names.owners[at[number]]
    kind, is_piece = _kind(field.type), field.holds not in (None, "player")
    if isinstance(value, Counter):
        return tuple(ShownItem(name, kind, name, owner, count, (), is_piece) for name, count in value.items())
    several = value if isinstance(value, tuple) else () if value is None else (value,)
    return tuple(_told_apart(_stacked(_single(kind, each, owner, is_piece) for each in several)))


def _stacked(items: Iterable[ShownItem]) -> Iterator[ShownItem]:
    """Iterate over items in which what is hidden and looks the same, one after the other, is one stack."""
    for (member, _), run in groupby(items, key=lambda each: (each.member, each.shows)):
        if member is None:
            several = list(run)
            yield several[0]._replace(many=sum(each.many for each in several))
        else:
            yield from run


def _single(kind: str, value: Any, owner: str | None, is_piece: bool) -> ShownItem:  # noqa: FBT001 - one of four parts
    if isinstance(value, Hidden):
        return ShownItem("hidden", kind, None, owner, value.count, value.shows, is_piece)
    *whose, member = str(value).split(" ")
    return ShownItem("-".join([*whose, member]), kind, member, whose[0] if whose else owner, 1, (), is_piece)


def _told_apart(items: Iterable[ShownItem]) -> Iterator[ShownItem]:
    """Iterate over items whose keys differ."""
    met: Counter[str] = Counter()
    for item in items:
        met[item.key] += 1
        yield item if met[item.key] == 1 else item._replace(key=f"{item.key}-{met[item.key]}")


def _kind(type_: Type) -> str:
    match type_:
        case Bag():
            return type_.kind
        case Member() | Piece():
            return type_.kind
        case Player():
            return "player"
        case Maybe() | ListOf() | SetOf() | HiddenPiece():
            return _kind(type_.of)
    return ""
