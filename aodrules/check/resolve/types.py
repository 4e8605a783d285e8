"""Types: how authors write them (`number 0..9 per age`, `maybe good`), how messages name them, which fit where."""

from __future__ import annotations

import re
from collections.abc import Mapping

from attrs import evolve

from aodrules.check.context import Context
from aodrules.lang.types import (
    FLAG,
    OWNER,
    PLAYER,
    UNKNOWN,
    Bag,
    FieldOf,
    Flag,
    HiddenPiece,
    ListOf,
    Maybe,
    Member,
    Nothing,
    Number,
    Owner,
    Piece,
    Place,
    Player,
    SetOf,
    Type,
    Unknown,
    ValueOf,
    maybe,
    present,
)

_RANGE = re.compile(r"(?:number )?(-?\d+)\.\.(-?\d+)")
_LIST = re.compile(r"list of (\w+)(?: up to (\d+))?")
_PAIR = re.compile(r"(maybe piece of|maybe|piece of|place of) ((?:\w+ )?-?\d+\.\.-?\d+|\w+)")
_GATHERED = re.compile(r"(bag|set) of (\w+)(?: up to (\d+))?")


def parse_type(text: str, kinds: Mapping[str, bool]) -> tuple[Type, tuple[Type, ...]] | None:
    """Return the type a text says and the dimensions of a table, or nothing.

    `kinds` tells of each kind whether its pieces have owners.
    """
    head, *tables = re.split(r"\s+per\s+", " ".join(text.split()))
    type_ = _simple(head, kinds)
    per = tuple(_simple(table, kinds) for table in tables)
    if type_ is None or any(not isinstance(each, Member | Player | Owner) for each in per):
        return None
    return type_, tuple(each for each in per if each is not None)


def parse_reference(text: str, kinds: Mapping[str, bool]) -> FieldOf | ValueOf | None:
    """Return the type of a parameter that names a field or a value; nothing if a text says another type."""
    word, _, rest = text.partition(" of ")
    found = parse_type(rest, kinds) if word in ("field", "value") else None
    if found is None or not isinstance(found[0], Number | Flag | Member | Player | Owner | Maybe | SetOf):
        return None
    if word == "value":
        return ValueOf(found[0], found[1])
    return None if found[1] else FieldOf(found[0])


def _simple(text: str, kinds: Mapping[str, bool]) -> Type | None:
    plain = _item(text, kinds)
    if plain is not None:
        return plain
    listed = _LIST.fullmatch(text)
    if listed:
        return _list(listed[1], listed[2], kinds)
    gathered = _GATHERED.fullmatch(text)
    if gathered:
        return _gathered(gathered[1], gathered[2], gathered[3], kinds)
    pair = _PAIR.fullmatch(text)
    return _compound(pair[1], pair[2], kinds) if pair else None


def _item(text: str, kinds: Mapping[str, bool]) -> Type | None:
    if text == "number":
        return Number()
    if text == "flag":
        return FLAG
    if text == "player":
        return PLAYER
    if text == "owner":
        return OWNER
    if text in kinds:
        return Member(text)
    ranged = _RANGE.fullmatch(text)
    if ranged and int(ranged[1]) <= int(ranged[2]):
        return Number(int(ranged[1]), int(ranged[2]))
    return None


def _list(of: str, limit: str | None, kinds: Mapping[str, bool]) -> Type | None:
    item = Piece(of) if kinds.get(of) else _item(of, kinds)
    if item is None or isinstance(item, Maybe | Bag | ListOf | SetOf | Place | FieldOf | ValueOf):
        return None
    return ListOf(item, int(limit) if limit else None)


def _gathered(word: str, of: str, limit: str | None, kinds: Mapping[str, bool]) -> Type | None:
    item, most = _item(of, kinds), int(limit) if limit else None
    if word == "set":
        return SetOf(item, most) if isinstance(item, Member | Player | Owner) else None
    return Bag(of, most) if isinstance(item, Member) else None


def _compound(word: str, of: str, kinds: Mapping[str, bool]) -> Type | None:
    item = _item(of, kinds)
    if item is None:
        return None
    if word == "maybe":
        return Maybe(item)  # type: ignore[arg-type]
    if not isinstance(item, Member):
        return None
    if word == "maybe piece of":
        return Maybe(Piece(of))
    return Piece(of) if word == "piece of" else Place(of)


def without_sides(of: Type) -> Type:
    """Return a type for rules without sides: owners are the players there."""
    if isinstance(of, Owner):
        return PLAYER
    if isinstance(of, ValueOf):
        of = evolve(of, takes=tuple(without_sides(each) for each in of.takes))
    if isinstance(of, Maybe | ListOf | SetOf | FieldOf | ValueOf):
        return evolve(of, of=without_sides(of.of))  # type: ignore[arg-type]
    return of


def type_in_words(type_: str | Type) -> str:
    """Return a type in words, without the range of a number: `a number`, `an age`, `a number or none`."""
    if isinstance(type_, Number):
        return "a number"
    if isinstance(type_, Maybe) and isinstance(type_.of, Number):
        return "a number or none"
    if isinstance(type_, Flag):
        return "a condition, true or false"
    return _with_article(str(type_))


def _with_article(words: str) -> str:
    if words.startswith(("none", "text", "a ", "an ", "one ")) or " or " in words:
        return words
    return f"an {words}" if words[:1] in "aeiou" else f"a {words}"


def argument_in_words(name: str, type_: Type) -> str:
    """Return what has to be given for a parameter: a player for `player`, or else its name and what it is."""
    return f"a `{name}`" if str(type_) == name else f"`{name}`, {type_in_words(type_)}"


# Which types fit where: the rules of assignment, comparison and joining.


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
    if isinstance(expected, Owner):
        return isinstance(found, Player | Owner)
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
