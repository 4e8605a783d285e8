"""Types as authors write them: `number 0..9 per age`, `maybe good`, `list of worker up to 16`."""

from __future__ import annotations

import re
from collections.abc import Mapping

from attrs import frozen

from aodrules.lang.types import (
    FLAG,
    PLAYER,
    Bag,
    Flag,
    ListOf,
    Maybe,
    Member,
    Number,
    Piece,
    Place,
    SetOf,
    Type,
)

_RANGE = re.compile(r"number (-?\d+)\.\.(-?\d+)")
_LIST = re.compile(r"list of (\w+)(?: up to (\d+))?")
_PAIR = re.compile(r"(maybe piece of|maybe|bag of|piece of|set of|place of) (\w+(?: -?\d+\.\.-?\d+)?)")


@frozen
class TypeText:
    """What a type text says: the type and the dimensions of a table."""

    type: Type
    per: tuple[Type, ...] = ()


def parse_type(text: str, kinds: Mapping[str, bool]) -> TypeText | None:
    """Return the type a text says, or nothing. `kinds` tells of each kind whether its pieces have owners."""
    head, *tables = re.split(r"\s+per\s+", " ".join(text.split()))
    type_ = _simple(head, kinds)
    per = tuple(_simple(table, kinds) for table in tables)
    if type_ is None or any(not isinstance(each, Member | type(PLAYER)) for each in per):
        return None
    return TypeText(type_, tuple(each for each in per if each is not None))


def _simple(text: str, kinds: Mapping[str, bool]) -> Type | None:
    plain = _item(text, kinds)
    if plain is not None:
        return plain
    listed = _LIST.fullmatch(text)
    if listed:
        return _list(listed[1], listed[2], kinds)
    pair = _PAIR.fullmatch(text)
    return _compound(pair[1], pair[2], kinds) if pair else None


def _item(text: str, kinds: Mapping[str, bool]) -> Type | None:
    if text == "number":
        return Number()
    if text == "flag":
        return FLAG
    if text == "player":
        return PLAYER
    if text in kinds:
        return Member(text)
    ranged = _RANGE.fullmatch(text)
    if ranged and int(ranged[1]) <= int(ranged[2]):
        return Number(int(ranged[1]), int(ranged[2]))
    return None


def _list(of: str, limit: str | None, kinds: Mapping[str, bool]) -> Type | None:
    item = Piece(of) if kinds.get(of) else _item(of, kinds)
    if item is None or isinstance(item, Maybe | Bag | ListOf | SetOf | Place):
        return None
    return ListOf(item, int(limit) if limit else None)


def _compound(word: str, of: str, kinds: Mapping[str, bool]) -> Type | None:
    item = _item(of, kinds)
    if item is None:
        return None
    if word == "maybe":
        return Maybe(item)  # type: ignore[arg-type]
    if word == "set of" and isinstance(item, Member | type(PLAYER)):
        return SetOf(item)
    if not isinstance(item, Member):
        return None
    if word == "maybe piece of":
        return Maybe(Piece(of))
    if word == "bag of":
        return Bag(of)
    return Piece(of) if word == "piece of" else Place(of)


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
