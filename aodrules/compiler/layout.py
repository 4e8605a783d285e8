"""Where everything stands in the flat list of cells: fields, knowledge, frames, and a few cells of the machine.

A `PlaceLayout` is what moves and draws need of that while a game is played.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import prod
from types import MappingProxyType
from typing import Any, TypeAlias

from attrs import field, frozen

from aodrules.check.checked import Field
from aodrules.lang.types import Bag, ListOf, Maybe, Member, Owner, Type

Pair: TypeAlias = "tuple[int, int | None]"
"""A piece: its member, and its owner if it has one."""

POINT, PLAYER, GENERATOR, OVER, STEP, LEFT = range(6)
FIRST_FIELD = 6
_WORD = 64
_BY_OWNER = "owner"


@frozen(eq=False)
class BagShape:
    """How the counts of a family are packed into one number: `width` bits for each member."""

    members: int
    width: int
    total: int
    """The most pieces that one bag can hold."""

    @property
    def mask(self) -> int:
        """The bits of one count."""
        return (1 << self.width) - 1

    @property
    def sums_by_remainder(self) -> bool:
        """Whether the number modulo `mask` is the number of pieces."""
        return self.mask > self.total

    def pack(self, counts: tuple[int, ...]) -> int:
        """Return counts by member as one number."""
        return sum(count << self.width * member for member, count in enumerate(counts))

    def unpack(self, bag: int) -> tuple[int, ...]:
        """Return the counts by member."""
        if not bag:
            return (0,) * self.members  # Most bags are empty most of the time.
        width, mask = self.width, self.mask
        return tuple([bag >> place & mask for place in range(0, width * self.members, width)])


def bag_shape(counts: tuple[int, ...]) -> BagShape:
    """Return the packing for a family with so many pieces of each member.

    Where the sum fits, a field is wide enough for the sum, so that a remainder counts all pieces at once. In bags that
    take more than one word of 64 bits no count straddles two of them, so that they can be kept word by word.
    """
    total = sum(counts)
    wide = max(2, (total + 1).bit_length())
    narrow = max([1, *(count.bit_length() for count in counts)])
    if narrow * len(counts) > _WORD - 1:
        narrow = next((width for width in (1, 2, 4, 8, 16, 32) if width >= narrow), _WORD)
    return BagShape(len(counts), wide if wide * len(counts) <= 60 else narrow, total)


@frozen(eq=False)
class FieldCells:
    """The cells of one field."""

    field: Field
    base: int
    shape: tuple[int, ...]
    bag: BagShape | None = None
    knowledge: int | None = None
    """The first cell of what is known, for secret lists and maybes."""

    @property
    def name(self) -> str:
        """The address of the field."""
        return self.field.name

    @property
    def size(self) -> int:
        """How many cells it takes."""
        return prod(self.shape)

    @property
    def strides(self) -> tuple[int, ...]:
        """How far apart two neighbours of each dimension are."""
        return tuple(prod(self.shape[number + 1 :]) for number in range(len(self.shape)))

    @property
    def container(self) -> str:
        """How pieces lie there: `bag`, `list` or `maybe`; empty for what holds none."""
        kinds = {Bag: "bag", ListOf: "list", Maybe: "maybe"}
        return kinds.get(type(self.field.type), "") if self.field.holds else ""

    @property
    def owner_stride(self) -> int:
        """How far apart the parts of two owners are; 0 where the pieces have none."""
        owner = self.field.owner_dimension
        return 0 if owner is None else self.strides[owner]

    def offset(self, at: tuple[int, ...]) -> int:
        """Return the place of a cell among those of the field."""
        return sum(stride * index for stride, index in zip(self.strides, at, strict=True))


@frozen
class KeptParameter:
    """What a parameter of a kept value can be: so many things, counted from one on."""

    low: int
    size: int
    is_maybe: bool = False
    """Whether it can be none too, which comes before all others."""
    is_flag: bool = False


@frozen(eq=False)
class KeptCells:
    """The cells of a kept value: a result for each way to fill in its parameters, and what is stale of each."""

    results: int
    """The first cell of the results."""
    marks: int
    """The first cell of the marks: 0 for a result that holds, else the members that must be looked at again, or 1."""
    parameters: tuple[KeptParameter, ...] = ()
    members: int = 0
    """How many members there are, where they are looked at one by one."""

    @property
    def ways(self) -> int:
        """In how many ways the parameters can be filled in."""
        return prod(one.size for one in self.parameters)

    @property
    def whole(self) -> int:
        """The mark of a result of which nothing is known."""
        return (1 << self.members) - 1 if self.members else 1


@frozen(eq=False)
class Layout:
    """The cells of a whole game."""

    fields: dict[str, FieldCells]
    steps: tuple[str, ...] = ()
    """Addresses of the named steps; the cell `STEP` holds one more than the place in this list, 0 for none."""
    kept: dict[str, KeptCells] = field(factory=dict)
    """By kept value: the cells of what was worked out of it."""
    frames: int = 0
    """The first cell of the frames."""
    size: int = 0

    @property
    def kept_cells(self) -> range:
        """The cells of kept values, which tell nothing that the fields do not."""
        return range(self.frames - sum(2 * one.ways for one in self.kept.values()), self.frames)

    def forget_kept(self, cells: list[Any]) -> None:
        """Let kept values be worked out anew, after fields were written from outside."""
        for kept in self.kept.values():
            cells[kept.results : kept.results + kept.ways] = [0] * kept.ways
            cells[kept.marks : kept.marks + kept.ways] = [kept.whole] * kept.ways


_NOTHING_KEPT: Mapping[str, tuple[KeptParameter, ...]] = MappingProxyType({})


@frozen(eq=False)
class LayoutSizes:
    """What the layout needs to know: the lengths of dimensions and the packing of each family."""

    players: int
    members: dict[str, int]
    """By kind: the size of its family."""
    families: dict[str, str]
    bags: dict[str, BagShape] = field(factory=dict)
    """By family."""
    sides: int = 0
    """How many can own pieces beside the players."""

    def seats_of(self, dimension: Type) -> int:
        """Return how many players or owners an index can be."""
        return self.players + self.sides if isinstance(dimension, Owner) else self.players


def lay_out(
    fields: dict[str, Field], measures: LayoutSizes, kept: Mapping[str, tuple[KeptParameter, ...]] = _NOTHING_KEPT
) -> Layout:
    """Return the layout of the fields and kept values; frames come after them."""
    base = FIRST_FIELD
    placed: dict[str, FieldCells] = {}
    for name in sorted(fields):
        cells = _cells(fields[name], base, measures)
        placed[name] = cells
        base += cells.size
    for name, cells in placed.items():
        if cells.field.secret and cells.container in {"list", "maybe"}:
            placed[name] = FieldCells(cells.field, cells.base, cells.shape, cells.bag, base)
            base += cells.size
    values: dict[str, KeptCells] = {}
    # All marks lie together, so that those of several values are made at once.
    marks = base + sum(prod(one.size for one in parameters) for parameters in kept.values())
    for name, parameters in kept.items():
        values[name] = KeptCells(base, marks, parameters)
        base, marks = base + values[name].ways, marks + values[name].ways
    return Layout(placed, kept=values, frames=marks, size=marks)


def _cells(one: Field, base: int, measures: LayoutSizes) -> FieldCells:
    shape = tuple(
        measures.members[dimension.kind] if isinstance(dimension, Member) else measures.seats_of(dimension)
        for dimension in one.dimensions
    )
    bag = measures.bags[measures.families[one.type.kind]] if isinstance(one.type, Bag) else None
    return FieldCells(one, base, shape, bag)


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
    """How many pieces a list or bag takes; -1 if it has no limit."""
    players: int
    is_stock: bool = False
    """Whether pieces there are nobody's until they are taken."""
    everybody: int = field(init=False)
    """All seats, a bit for each."""
    seen_by: int = field(init=False)
    """The seats that may always look into each of its cells; -1 if that is another seat for each."""
    to_known: int = field(init=False)
    """From a cell to the cell of what is known about it."""

    @everybody.default
    def _all_seats(self) -> int:
        return (1 << self.players) - 1

    @seen_by.default
    def _all_who_see(self) -> int:
        if not self.secret:
            return self.everybody
        return -1 if self.secret == _BY_OWNER and self.holder >= 0 else 0

    @to_known.default
    def _way_to_known(self) -> int:
        return self.knowledge - self.base

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
        owners = range(self.shape[self.owner_dimension]) if owner is None else (owner,)
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
        return cell + self.to_known

    def visible_to(self, cell: int) -> int:
        """Return the seats that may always look into a cell."""
        if self.seen_by >= 0:
            return self.seen_by
        return 1 << (cell - self.base) // self.strides[self.holder] % self.shape[self.holder]
