"""How the state of a game of so many players is shaped: which cells each field has, and how many values a type.

That is the plain form of a state, whichever engine plays. Generated code has a layout of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import product
from math import prod

from attrs import define, field, frozen

from aodrules.check.checked import CheckedRules
from aodrules.lang.types import Flag, HiddenPiece, Member, Number, Owner, Piece, Player, Type

_OWNER = "owner"


@frozen(eq=False)
class FieldShape:
    """How the cells of a field lie: row-major over its dimensions."""

    sizes: tuple[int, ...]
    strides: tuple[int, ...]
    cells: int

    def offset(self, at: Sequence[int]) -> int:
        """Return the cell at some indices."""
        return sum(index * stride for index, stride in zip(at, self.strides, strict=True))

    def indices(self) -> Iterator[tuple[int, ...]]:
        """Return the indices of every cell, in order."""
        return product(*(range(size) for size in self.sizes))

    @classmethod
    def of(cls, sizes: Sequence[int]) -> FieldShape:
        """Return the shape of a field with dimensions of these sizes."""
        strides = tuple(prod(sizes[place + 1 :]) for place in range(len(sizes)))
        return cls(tuple(sizes), strides, prod(sizes))


@define(eq=False)
class StateShape:
    """The rules for a number of players, and the shape of their states."""

    rules: CheckedRules = field(repr=False)
    players: int
    """How many seats are taken."""

    @cached_property
    def everybody(self) -> int:
        """The set of all seats."""
        return (1 << self.players) - 1

    @cached_property
    def shapes(self) -> dict[str, FieldShape]:
        """The shape of each field."""
        return {
            name: FieldShape.of([self.size_of(dimension) for dimension in one.dimensions])
            for name, one in self.rules.fields.items()
        }

    @property
    def owners(self) -> int:
        """How many can own pieces: the seats and the sides."""
        return self.players + len(self.rules.sides)

    def owners_of(self, kind: str) -> int:
        """Return how many can own pieces of a kind."""
        return self.players + self.rules.sides_owning(kind)

    def family_size(self, kind: str) -> int:
        """Return how many members the family of a kind has; of `player`, the seats."""
        return self.players if kind == "player" else len(self.rules.family(kind).members)

    def size_of(self, type_: Type) -> int:
        """Return how many values an index, argument or item of a type can have."""
        if isinstance(type_, Player):
            return self.players
        if isinstance(type_, Owner):
            return self.owners
        if isinstance(type_, Member):
            return self.family_size(type_.kind)
        if isinstance(type_, Piece):
            return self.owners_of(type_.kind) * self.family_size(type_.kind)
        if isinstance(type_, HiddenPiece):
            return self.size_of(type_.of)
        if isinstance(type_, Flag):
            return 2
        if isinstance(type_, Number) and type_.low is not None and type_.high is not None:
            return type_.high - type_.low + 1
        raise ValueError(f"{type_} has no fixed number of values")

    def owner_of_field(self, name: str, at: Sequence[int | None]) -> int | None:
        """Return the player or side whose part of a field this is: the first index that is an owner's."""
        for dimension, index in zip(self.rules.fields[name].dimensions, at, strict=True):
            if isinstance(dimension, Player | Owner):
                return index
        return None

    def visible_to(self, name: str, at: Sequence[int | None]) -> int:
        """Return the seats that may always look into a field: all, the owner, or nobody."""
        secret = self.rules.fields[name].secret
        if secret is None:
            return self.everybody
        owner = self.owner_of_field(name, at)
        return 1 << owner if secret == _OWNER and owner is not None else 0
