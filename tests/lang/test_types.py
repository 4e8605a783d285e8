"""What the functions over types give, for each form of type: checker and both engines use them."""

from __future__ import annotations

from typing import Any

import pytest

from aodrules.lang.types import (
    FLAG,
    NUMBER,
    PLAYER,
    UNKNOWN,
    Bag,
    HiddenPiece,
    ListOf,
    Maybe,
    Member,
    Number,
    Piece,
    SetOf,
    Type,
    bare,
    item_of,
    item_type,
    item_word,
    items_in,
    kind_of,
    maybe,
    present,
)

CARD, PAWN = Member("card"), Piece("pawn")


@pytest.mark.parametrize("of", [NUMBER, FLAG, PLAYER, CARD, PAWN, HiddenPiece(CARD)])
def test_a_single_thing_may_be_missing(of: Any) -> None:
    assert maybe(of) == Maybe(of)
    assert maybe(Maybe(of)) == Maybe(of)
    assert present(Maybe(of)) == present(of) == of


@pytest.mark.parametrize("of", [Bag("card"), ListOf(CARD), SetOf(PLAYER)])
def test_a_collection_is_never_missing(of: Type) -> None:
    assert maybe(of) == present(of) == bare(of) == of


def test_what_is_bare_is_neither_missing_nor_hidden() -> None:
    assert bare(Maybe(HiddenPiece(CARD))) == bare(HiddenPiece(CARD)) == bare(Maybe(CARD)) == CARD


@pytest.mark.parametrize(
    "of, item, word",
    [
        (Bag("card"), CARD, "card"),
        (ListOf(CARD), CARD, "card"),
        (ListOf(PAWN, 3), PAWN, "piece of pawn"),
        (ListOf(Number(1, 6)), Number(1, 6), "number"),
        (SetOf(PLAYER), PLAYER, "player"),
    ],
)
def test_a_collection_says_what_is_in_it(of: Type, item: Type, word: str) -> None:
    assert item_of(of) == item
    assert item_word(of) == word


@pytest.mark.parametrize(
    "of, item",
    [
        (Bag("card"), CARD),
        (ListOf(HiddenPiece(CARD)), CARD),
        (SetOf(CARD), CARD),
        (Maybe(HiddenPiece(PAWN)), PAWN),
        (Maybe(CARD), CARD),
        (HiddenPiece(CARD), CARD),
        (PAWN, PAWN),
        (PLAYER, PLAYER),
    ],
)
def test_a_place_says_what_lies_there_hidden_or_not(of: Type, item: Type) -> None:
    assert item_type(of) == item


def test_members_and_pieces_are_of_a_kind_and_players_are_not() -> None:
    assert [kind_of(of) for of in (Bag("card"), Maybe(HiddenPiece(PAWN)), CARD)] == ["card", "pawn", "card"]
    with pytest.raises(ValueError, match="of no kind"):
        kind_of(ListOf(PLAYER))


def test_what_is_no_collection_has_no_items() -> None:
    assert item_of(NUMBER) == UNKNOWN


@pytest.mark.parametrize(
    "of, held, items",
    [
        (Bag("card"), (2, 0, 1), (0, 0, 2)),
        (SetOf(CARD), 0b1010, (1, 3)),
        (ListOf(CARD), (2, 0, 2), (2, 0, 2)),
        (Maybe(CARD), None, ()),
        (Maybe(CARD), 0, (0,)),
        (HiddenPiece(CARD), None, ()),
        (HiddenPiece(CARD), 4, (4,)),
    ],
)
def test_items_come_in_order_and_each_copy_counts(of: Type, held: Any, items: tuple[int, ...]) -> None:
    assert items_in(of, held) == items
