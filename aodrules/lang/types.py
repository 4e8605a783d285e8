"""The types of the rules language, and what they hold. Which of them fits where, the checker says.

How a value of each type looks while a game runs is the same for both engines:

======================  ==============================================================================
type                    value
======================  ==============================================================================
`Number`, `Flag`        `int`, `bool`
`Member`                the place of the member in the sorted list of its whole family, from 0
`Player`                the seat, from 0
`Owner`                 the seat, or behind all seats the number of the side
`Piece`                 owner * size of the family + member
`Maybe`                 `None` or the value
`ListOf`                a tuple
`SetOf`                 an `int` with a bit per member or seat
`Bag`                   packed in the engine of generated code, a tuple of counts elsewhere
======================  ==============================================================================
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, TypeAlias

from attrs import frozen


@frozen
class Number:
    """A whole number; an end that is not known yet is `None`."""

    low: int | None = None
    high: int | None = None

    def __str__(self) -> str:
        if self.low is None or self.high is None:
            return "number"
        return f"number {self.low}..{self.high}"


@frozen
class Flag:
    """True or false."""

    def __str__(self) -> str:
        return "flag"


@frozen
class Member:
    """A member of a kind, or of one of the kinds that are a `kind`."""

    kind: str

    def __str__(self) -> str:
        return self.kind


@frozen
class Player:
    """A seat at the table."""

    def __str__(self) -> str:
        return "player"


@frozen
class Owner:
    """Who can own pieces: a player, or a side that has no seat. A player will do wherever an owner is wanted."""

    def __str__(self) -> str:
        return "owner"


@frozen
class Piece:
    """A single owned piece of a kind: a member and its owner."""

    kind: str

    def __str__(self) -> str:
        return f"piece of {self.kind}"


@frozen
class Nothing:
    """The type of the word `none`."""

    def __str__(self) -> str:
        return "none"


@frozen
class Unknown:
    """The type of what could not be understood: it fits everywhere, so that one mistake gives one message."""

    def __str__(self) -> str:
        return "unknown"


@frozen
class Maybe:
    """Something or none. Never a maybe of a maybe."""

    of: Item

    def __str__(self) -> str:
        return f"maybe {self.of}"


@frozen
class Bag:
    """How many pieces of each member of a kind; `limit` is the most of all together, where one is declared.

    Only what is declared has a limit: fields and parameters. What an expression reads there has none, since a union is
    larger than its parts.
    """

    kind: str
    limit: int | None = None

    def __str__(self) -> str:
        return f"bag of {self.kind}"


@frozen
class ListOf:
    """Items in an order; `limit` is the most it may hold, `None` where the pieces bound it."""

    of: Item
    limit: int | None = None

    def __str__(self) -> str:
        return f"list of {self.of}"


@frozen
class SetOf:
    """Members of a kind, players or owners, each once; `limit` as for a bag."""

    of: Member | Player | Owner
    limit: int | None = None

    def __str__(self) -> str:
        return f"set of {self.of}"


@frozen
class Place:
    """A field that holds pieces of a kind; only parameters have this type."""

    kind: str

    def __str__(self) -> str:
        return f"place of {self.kind}"


@frozen
class FieldOf:
    """A field without pieces, to be read and changed; only parameters have this type, until they are filled in."""

    of: Number | Flag | Member | Player | Owner | Maybe | SetOf

    def __str__(self) -> str:
        return f"field of {self.of}"


@frozen
class ValueOf:
    """A value by its name: what it gives and takes; only parameters have this type, until they are filled in."""

    of: Number | Flag | Member | Player | Owner | Maybe | SetOf
    takes: tuple[Type, ...] = ()

    def __str__(self) -> str:
        return " per ".join((f"value of {self.of}", *map(str, self.takes)))


@frozen
class HiddenPiece:
    """The identity of a piece that not everybody may know."""

    of: Item

    def __str__(self) -> str:
        return f"hidden {self.of}"


Item: TypeAlias = Number | Flag | Member | Player | Owner | Piece | HiddenPiece | Nothing | Unknown | SetOf
"""What a collection holds: sets only in the lists that `places` gives, which no field holds."""
Type: TypeAlias = (
    Number
    | Flag
    | Member
    | Player
    | Owner
    | Piece
    | Nothing
    | Unknown
    | Maybe
    | Bag
    | ListOf
    | SetOf
    | Place
    | FieldOf
    | ValueOf
    | HiddenPiece
)

NUMBER = Number()
FLAG = Flag()
PLAYER = Player()
OWNER = Owner()
NOTHING = Nothing()
UNKNOWN = Unknown()


def maybe(of: Type) -> Type:
    """Return the type of something of type `of` or none; a maybe stays as it is."""
    if isinstance(of, Number | Flag | Member | Player | Owner | Piece | HiddenPiece):
        return Maybe(of)
    return of


def present(of: Type) -> Type:
    """Return the type without its `maybe`."""
    return of.of if isinstance(of, Maybe) else of


def bare(of: Type) -> Type:
    """Return the type without its `maybe` and `hidden`."""
    while isinstance(of, Maybe | HiddenPiece):
        of = of.of
    return of


def without_limit(of: Type) -> Type:
    """Return the type of what is read of a declared bag or set."""
    if isinstance(of, SetOf):
        return SetOf(of.of)
    return Bag(of.kind) if isinstance(of, Bag) else of


def item_of(of: Type) -> Type:
    """Return the type of what one meets when running over a collection."""
    if isinstance(of, ListOf | SetOf):
        return of.of
    if isinstance(of, Bag):
        return Member(of.kind)
    return UNKNOWN


def item_type(of: Type) -> Type:
    """Return the type of what a list, set, bag or maybe holds, known or hidden."""
    if isinstance(of, Bag):
        return Member(of.kind)
    inner = of.of if isinstance(of, ListOf | SetOf | Maybe) else of
    return inner.of if isinstance(inner, HiddenPiece) else inner


def kind_of(of: Type) -> str:
    """Return the kind of a member, piece or bag, or of what a collection of these holds."""
    inner = item_type(of)
    if isinstance(inner, Member | Piece):
        return inner.kind
    raise ValueError(f"{of} is of no kind")


def item_word(of: Type) -> str:
    """Return the word for what a collection holds: a kind, `player`, `piece of KIND` or `number`."""
    item = item_of(of)
    return "number" if isinstance(item, Number) else str(item)


def items_in(of: Type, held: Any) -> tuple[Any, ...]:
    """Return the items of a collection that is not packed, in order; of a bag each copy."""
    if isinstance(of, Bag):
        return tuple(member for member, count in enumerate(held) for _ in range(count))
    if isinstance(of, SetOf):
        return tuple(bits(held))
    if isinstance(of, Maybe | HiddenPiece):
        return () if held is None else (held,)
    return tuple(held)


def bits(mask: int) -> Iterator[int]:
    """Return the members or seats of a set, in order."""
    place = 0
    while mask:
        if mask & 1:
            yield place
        mask >>= 1
        place += 1


def mask_of(items: Iterable[int]) -> int:
    """Return the set of some members or seats."""
    mask = 0
    for item in items:
        mask |= 1 << item
    return mask
