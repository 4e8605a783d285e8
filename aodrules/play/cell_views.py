"""What may be read of a cell: everything, or what one seat may know."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any, Protocol

from attrs import define, field, frozen

from aodrules.check.checked import Field
from aodrules.facts.state import PlainState
from aodrules.facts.tables import item_type
from aodrules.interpreter.knowledge import is_kept, numbers_at, unpacked
from aodrules.interpreter.places import cell, piece_of
from aodrules.lang.types import Bag, ListOf, Maybe
from aodrules.play.ids import IdTable


@frozen
class Hidden:
    """Something a seat may not know: what sort of thing, how many, and what their backs tell."""

    kind: str
    count: int = 1
    shows: tuple[tuple[str, Any], ...] = ()
    """What the back tells, by name of the attribute."""

    def __str__(self) -> str:
        # A flag is told as it is written in rules; anything else stands for itself.
        told = (
            f"{name}: {str(value).lower()}" if isinstance(value, bool) else str(value) for name, value in self.shows
        )
        backs = f" ({', '.join(told)})" if self.shows else ""
        return f"{f'{self.count} ' if self.count > 1 else ''}hidden {self.kind}{backs}"


class CellReader(Protocol):
    """Says what a cell holds, as people read it."""

    names: IdTable
    state: PlainState

    def read(self, name: str, at: tuple[int, ...]) -> Any:
        """Return what a cell holds."""


@define(eq=False)
class OpenReader:
    """Reads everything."""

    names: IdTable
    state: PlainState

    def read(self, name: str, at: tuple[int, ...]) -> Any:
        """Return what a cell holds."""
        type_ = self.names.tables.rules.fields[name].type
        return self.names.readable(type_, cell(self.names.tables, self.state, name, at))


@define(eq=False)
class SeatReader:
    """Reads what one seat may know."""

    names: IdTable
    state: PlainState
    seat: int
    _open: OpenReader = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._open = OpenReader(self.names, self.state)

    def read(self, name: str, at: tuple[int, ...]) -> Any:
        """Return what a cell holds as far as the seat knows."""
        if self.names.tables.seers(name, at) >> self.seat & 1:
            return self._open.read(name, at)
        declared = self.names.tables.rules.fields[name]
        if declared.holds is None:
            return Hidden(str(item_type(declared.type)))
        if isinstance(declared.type, Bag):
            return self._bag(declared, at)
        return self._pieces(declared, at)

    def inside(self, name: str, at: tuple[int, ...]) -> Counter[str]:
        """Return the pieces that the seat knows to be somewhere in a cell, wherever they lie in it."""
        tables = self.names.tables
        if not is_kept(self.state, name):
            is_open = tables.seers(name, at) >> self.seat & 1
            return Counter(self._called(name, at, self._items(name, at)) if is_open else ())
        items, numbers = self._items(name, at), numbers_at(tables, self.state, name, at)
        known = [
            item
            for item, number in zip(items, numbers, strict=False)
            if (unpacked(tables, number).which | unpacked(tables, number).within) >> self.seat & 1
        ]
        # In member order: their positions are not known.
        return Counter(self._called(name, at, sorted(known)))

    def _called(self, name: str, at: tuple[int, ...], items: Iterable[int]) -> list[str]:
        kind = str(self.names.tables.rules.fields[name].holds)
        pieces = (piece_of(self.names.tables, name, at, item) for item in items)
        return [self.names.piece(kind, piece.member, piece.owner) for piece in pieces]

    def _items(self, name: str, at: tuple[int, ...]) -> tuple[int, ...]:
        held = cell(self.names.tables, self.state, name, at)
        type_ = self.names.tables.rules.fields[name].type
        if isinstance(type_, Bag):
            return tuple(member for member, count in enumerate(held) for _ in range(count))
        if isinstance(type_, Maybe):
            return () if held is None else (held,)
        return tuple(held)

    def _bag(self, declared: Field, at: tuple[int, ...]) -> tuple[Hidden, ...]:
        backs = Counter(hidden_piece(self.names, declared, item) for item in self._items(declared.name, at))
        groups = [Hidden(back.kind, count, back.shows) for back, count in backs.items()]
        return tuple(sorted(groups, key=str))

    def _pieces(self, declared: Field, at: tuple[int, ...]) -> Any:
        items = self._items(declared.name, at)
        numbers = numbers_at(self.names.tables, self.state, declared.name, at)
        shown = tuple(
            self.names.readable(item_type(declared.type), item)
            if unpacked(self.names.tables, number).which >> self.seat & 1
            else hidden_piece(self.names, declared, item)
            for item, number in zip(items, numbers, strict=False)
        )
        if isinstance(declared.type, ListOf):
            return shown
        return shown[0] if shown else None


def hidden_piece(names: IdTable, declared: Field, item: int) -> Hidden:
    """Return what everybody sees of a piece in a secret field: its back."""
    kind = str(declared.holds)
    member = item % names.tables.family_size(kind)
    return Hidden(kind, 1, tuple(_back(names, attribute, member) for attribute in declared.shows))


def _back(names: IdTable, attribute: str, member: int) -> tuple[str, Any]:
    type_ = names.tables.rules.attributes[attribute].type
    return attribute.rsplit(".", maxsplit=1)[-1], names.readable(type_, names.tables.attributes[attribute][member])
