"""Where pieces lie: fields seen as places, whatever form they have, and who knows which piece lies where."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from attrs import frozen

from aodrules.facts.state import Indices, PlaceRef, PlainState
from aodrules.interpreter.tables import Tables
from aodrules.lang.types import Bag, ListOf, Piece, item_type


@frozen
class PieceId:
    """A piece as events and rules speak of it: what it is, and whose."""

    member: int
    owner: int | None = None


def parts(tables: Tables, place: PlaceRef, owner: int | None = None) -> Iterator[Indices]:
    """Return the cells of a place: one, or one for each owner (or for this owner)."""
    if not place.is_shared:
        yield place.of(None)
    else:
        yield from (place.of(one) for one in owners_of_place(tables, place.field) if owner is None or one == owner)


def owners_of_place(tables: Tables, field: str) -> range:
    """Return those who have a part of a field of owned pieces: the players, and in some fields the sides too."""
    dimension = tables.rules.fields[field].owner_dimension
    return range(tables.players if dimension is None else tables.shapes[field].sizes[dimension])


def cell(tables: Tables, state: PlainState, field: str, at: Indices) -> Any:
    """Return what a cell holds."""
    return state.fields[field][tables.shapes[field].offset(at)]


def put_cell(tables: Tables, state: PlainState, field: str, at: Indices, value: Any) -> None:
    """Let a cell hold something else."""
    state.fields[field][tables.shapes[field].offset(at)] = value


def piece_of(tables: Tables, field: str, at: Indices, item: int) -> PieceId:
    """Return the piece that an item of a cell is."""
    declared = tables.rules.fields[field]
    if isinstance(item_type(declared.type), Piece):
        owner, member = divmod(item, tables.family_size(declared.holds or ""))
        return PieceId(member, owner)
    return PieceId(item, None if declared.owner_dimension is None else at[declared.owner_dimension])


def item_of_piece(tables: Tables, field: str, piece: PieceId) -> int:
    """Return the item by which a cell holds a piece."""
    declared = tables.rules.fields[field]
    if isinstance(item_type(declared.type), Piece):
        return (piece.owner or 0) * tables.family_size(declared.holds or "") + piece.member
    return piece.member


def items_at(tables: Tables, state: PlainState, field: str, at: Indices) -> tuple[int, ...]:
    """Return the items of a cell in order, each copy on its own."""
    held = cell(tables, state, field, at)
    type_ = tables.rules.fields[field].type
    if isinstance(type_, Bag):
        return tuple(member for member, count in enumerate(held) for _ in range(count))
    if isinstance(type_, ListOf):
        return tuple(held)
    return () if held is None else (held,)


def pieces_at(tables: Tables, state: PlainState, place: PlaceRef, owner: int | None = None) -> Iterator[PieceId]:
    """Return the pieces in a place, or those of one owner."""
    for at in parts(tables, place, owner):
        items = items_at(tables, state, place.field, at)
        chosen = items if place.index is None else items[max(place.index, 0) : place.index + 1]
        for item in chosen:
            piece = piece_of(tables, place.field, at, item)
            if owner is None or piece.owner in (owner, None):
                yield piece


@frozen
class PieceKnowledge:
    """What the seats know of one piece in its place: of each position of a secret list or maybe.

    A state keeps it as one number, with the first set of seats in its low bits and the second in its high bits.
    """

    which: int
    """Who knows which piece lies here."""
    within: int
    """Who knows that the piece is somewhere in this field."""

    def packed(self, tables: Tables) -> int:
        """Return both as the one number that a state holds."""
        return self.which | self.within << tables.players


def unpacked(tables: Tables, number: int) -> PieceKnowledge:
    """Return what the number of a position says."""
    return PieceKnowledge(number & tables.everybody, number >> tables.players)


def is_kept(state: PlainState, field: str) -> bool:
    """Whether the state keeps knowledge of a field: of secret lists and maybes."""
    return field in state.knowledge


def numbers_at(tables: Tables, state: PlainState, field: str, at: Indices) -> tuple[int, ...]:
    """Return the numbers of all positions of a cell."""
    held: Any = state.knowledge[field][tables.shapes[field].offset(at)]
    return held if isinstance(held, tuple) else (held,)


def put_numbers(tables: Tables, state: PlainState, field: str, at: Indices, numbers: tuple[int, ...]) -> None:
    """Replace the numbers of all positions of a cell."""
    is_list = isinstance(tables.rules.fields[field].type, ListOf)
    single = numbers[0] if numbers else 0
    state.knowledge[field][tables.shapes[field].offset(at)] = numbers if is_list else single


def known_at(tables: Tables, state: PlainState, field: str, at: Indices, index: int) -> PieceKnowledge:
    """Return who knows the piece at a position (of a maybe 0, of a bag any)."""
    if is_kept(state, field):
        return unpacked(tables, numbers_at(tables, state, field, at)[index])
    visible_to = tables.visible_to(field, at)
    return PieceKnowledge(visible_to, visible_to)


def forget_left(tables: Tables, state: PlainState, field: str, at: Indices, learned: int) -> None:
    """Pieces left a list: who did not learn which ones cannot tell any more what is left among the unknown ones."""
    if not is_kept(state, field) or not isinstance(tables.rules.fields[field].type, ListOf):
        return
    known = [unpacked(tables, number) for number in numbers_at(tables, state, field, at)]
    kept = (PieceKnowledge(one.which, one.within & (one.which | learned)) for one in known)
    put_numbers(tables, state, field, at, tuple(one.packed(tables) for one in kept))


def blur(
    tables: Tables, state: PlainState, field: str, at: Indices, index: int, named: int, told: int, *, stays: bool
) -> None:
    """A piece of a list is taken by its name: let where it lay tell nothing that its name does not.

    Args:
        tables: The facts of the game.
        state: The state, in which the piece still lies in its place.
        field: The field of the list.
        at: The indices of the list.
        index: Where the piece lies.
        named: The seats that name it.
        told: The seats that get to know which piece it is.
        stays: Whether it stays in this list.
    """
    if not is_kept(state, field):
        return
    known = [unpacked(tables, number) for number in numbers_at(tables, state, field, at)]
    items: Any = state.fields[field][tables.shapes[field].offset(at)]
    for seat in range(tables.players):
        knows_all = all(_has(one.which, seat) for one in known)
        is_own_choice = named != tables.everybody and _has(named & known[index].which, seat)
        if is_own_choice or (knows_all and _has(told, seat)):
            continue
        copies = [place for place, item in enumerate(items) if item == items[index] and _has(known[place].within, seat)]
        known = [PieceKnowledge(_less(one.which, seat), one.within) for one in known]
        if not stays and _has(told, seat) and copies and index not in copies:
            # It may have been any of those that the seat knew of: there is one fewer.
            lost = known[copies[0]]
            known[copies[0]] = PieceKnowledge(lost.which, _less(lost.within, seat))
    put_numbers(tables, state, field, at, tuple(one.packed(tables) for one in known))


def _has(mask: int, seat: int) -> bool:
    return bool(mask >> seat & 1)


def _less(mask: int, seat: int) -> int:
    return mask & ~(1 << seat)


def reordered(
    tables: Tables, field: str, at: Indices, items: tuple[int, ...], withins: tuple[int, ...]
) -> tuple[int, ...]:
    """Return the numbers of a list after its order was lost: items in their new order, each with who knows it is here.

    Among equal items those masks come in ascending order, so that nothing is left of the old order.
    """
    masks = {
        item: iter(sorted(mask for one, mask in zip(items, withins, strict=True) if one == item)) for item in items
    }
    visible_to = tables.visible_to(field, at)
    return tuple(PieceKnowledge(visible_to, next(masks[item]) | visible_to).packed(tables) for item in items)


def learn(tables: Tables, state: PlainState, field: str, at: Indices, index: int, seats: int) -> int:
    """Let seats know the piece at a position, and return those who did not know it before."""
    if not is_kept(state, field) or isinstance(tables.rules.fields[field].type, Bag):
        return 0
    numbers = list(numbers_at(tables, state, field, at))
    known = unpacked(tables, numbers[index])
    numbers[index] = PieceKnowledge(known.which | seats, known.within | seats).packed(tables)
    put_numbers(tables, state, field, at, tuple(numbers))
    return seats & ~known.which
