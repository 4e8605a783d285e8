"""What is fixed about a place of pieces, as moves and draws need it while a game is played."""

from __future__ import annotations

from typing import TypeAlias

from attrs import field, frozen

Pair: TypeAlias = "tuple[int, int | None]"
"""A piece: its member, and its owner if it has one."""
_BY_OWNER = "owner"


@frozen
class PlaceLayout:
    """The cells of a field, seen from one place in it."""

    name: str
    base: int
    """The first cell of the field."""
    strides: tuple[int, ...]
    shape: tuple[int, ...]
    container: str
    """`bag`, `list` or `maybe`."""
    width: int
    """How many bits of a bag count each member."""
    members: int
    owner_coded: bool
    """Whether items are owner and member in one number."""
    stride: int
    """From the cell of one owner to that of the next, if the place has such parts; else 0."""
    owner_dimension: int
    """Which index is the owner of pieces; -1 if none is."""
    knowledge: int
    """The first cell of what is known about the field; -1 if there is none."""
    secret: str
    holder: int
    """Which index is the seat whose place it is; -1 if none is."""
    room: int
    """How many pieces a list takes; -1 if it has no limit."""
    players: int
    everybody: int = field(init=False)
    """All seats, a bit for each."""

    @everybody.default
    def _all_seats(self) -> int:
        return (1 << self.players) - 1

    def at(self, cell: int) -> tuple[int, ...]:
        """Return the indices of a cell."""
        if not self.strides:
            return ()
        offset = cell - self.base
        return tuple([offset // stride % size for stride, size in zip(self.strides, self.shape, strict=True)])

    def cell_of(self, cell: int, owner: int | None) -> int:
        """Return the cell in which the pieces of an owner lie, of a place with this first cell."""
        return cell if owner is None else cell + self.stride * owner

    def parts(self, cell: int, owner: int | None) -> list[int]:
        """Return the cells of a place with this first cell, or the one of an owner."""
        if not self.stride:
            return [cell]
        owners = range(self.players) if owner is None else (owner,)
        return [cell + self.stride * one for one in owners]

    def pair(self, cell: int, item: int) -> Pair:
        """Return the piece that an item of a cell is."""
        if self.owner_coded:
            owner, member = divmod(item, self.members)
            return member, owner
        return item, self.at(cell)[self.owner_dimension] if self.owner_dimension >= 0 else None

    def item(self, piece: Pair) -> int:
        """Return the item by which a cell holds a piece."""
        member, owner = piece
        return (owner or 0) * self.members + member if self.owner_coded else member

    def known(self, cell: int) -> int:
        """Return the cell of what is known about a cell."""
        return cell - self.base + self.knowledge

    def visible_to(self, cell: int) -> int:
        """Return the seats that may always look into a cell."""
        if not self.secret:
            return self.everybody
        if self.secret == _BY_OWNER and self.holder >= 0:
            return 1 << self.at(cell)[self.holder]
        return 0
