"""Facts fixed by the rules and the number of players: sizes, attributes, pieces, the shapes of fields.

Both engines and the game read them; `engine.preparation` makes them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import product
from math import prod
from typing import Any

from attrs import define, field, frozen

from aodrules.check.checked import CheckedRules, Condition, Field, Modifier, Option
from aodrules.facts.graph_search import Space
from aodrules.facts.sets_worth import SetsWorth
from aodrules.facts.state import Cell
from aodrules.lang.types import Bag, Flag, HiddenPiece, ListOf, Maybe, Member, Number, Piece, Player, SetOf, Type

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
class Tables:
    """What is known before a game of so many players begins."""

    rules: CheckedRules = field(repr=False)
    players: int
    """How many seats are taken."""
    attributes: dict[str, tuple[Any, ...]] = field(factory=dict)
    """`kind.attribute` → a value for each member of the family (none for members of other kinds), or a tuple of them
    where the attribute is a table."""
    pieces: dict[str, tuple[int, ...]] = field(factory=dict)
    """Family → how many pieces each member has; of owned kinds for each player."""
    lacking: dict[str, frozenset[int]] = field(factory=dict)
    """Field with `only` → the members (first index) that do not have it."""
    starts: dict[str, tuple[Cell, ...]] = field(factory=dict)
    """Field → what its cells hold at first and after a reset; fields of pieces are empty."""
    stages: dict[Option, tuple[tuple[Condition, ...], ...]] = field(factory=dict, repr=False)
    """Conditions of an option by how many parameters they need; filled when first asked."""

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

    @cached_property
    def parts_by_owner(self) -> dict[str, dict[int | None, tuple[tuple[int, ...], ...]]]:
        """The indices of each field's cells by the player whose part they are; under `None` where it is nobody's."""
        found: dict[str, dict[int | None, tuple[tuple[int, ...], ...]]] = {}
        for name, shape in self.shapes.items():
            of_field = found.setdefault(name, {})
            for at in shape.indices():
                owner = self.owner_of_field(name, at)
                of_field[owner] = (*of_field.get(owner, ()), at)
        return found

    @cached_property
    def modifiers(self) -> dict[str, tuple[Modifier, ...]]:
        """The modifiers of each value in the order in which they apply."""
        return {value: tuple(sorted(group, key=lambda one: one.order)) for value, group in self.rules.modifiers.items()}

    @cached_property
    def resets(self) -> dict[str, tuple[Field, ...]]:
        """Name of a step → the fields that go back to their start when it begins, in order."""
        found: dict[str, tuple[Field, ...]] = {}
        for one in self.rules.fields.values():
            if one.resets is not None:
                found[one.resets] = (*found.get(one.resets, ()), one)
        return found

    @cached_property
    def sets_worth(self) -> dict[str, SetsWorth]:
        """The worth of each declaration of scoring sets."""
        return {name: SetsWorth(sets) for name, sets in self.rules.sets.items()}

    @cached_property
    def spaces(self) -> dict[str, Space]:
        """Each graph and grid."""
        return {name: Space(graph) for name, graph in self.rules.graphs.items()}

    def family_size(self, kind: str) -> int:
        """Return how many members the family of a kind has; of `player`, the seats."""
        return self.players if kind == "player" else len(self.rules.family(kind).members)

    def size_of(self, type_: Type) -> int:
        """Return how many values an index, argument or item of a type can have."""
        if isinstance(type_, Player):
            return self.players
        if isinstance(type_, Member):
            return self.family_size(type_.kind)
        if isinstance(type_, Piece):
            return self.players * self.family_size(type_.kind)
        if isinstance(type_, HiddenPiece):
            return self.size_of(type_.of)
        if isinstance(type_, Flag):
            return 2
        if isinstance(type_, Number) and type_.low is not None and type_.high is not None:
            return type_.high - type_.low + 1
        raise ValueError(f"{type_} has no fixed number of values")

    def is_owned(self, kind: str) -> bool:
        """Whether the pieces of a kind have owners."""
        pieces = None if kind == "player" else self.rules.family(kind).pieces
        return pieces is not None and pieces.owned

    def names_at(self, name: str, at: Sequence[int]) -> dict[str, int]:
        """Return the names that the indices of a cell have: `player` and the kinds."""
        names: dict[str, int] = {}
        for dimension, index in zip(self.rules.fields[name].dimensions, at, strict=True):
            if isinstance(dimension, Member):
                names |= {dimension.kind: index, self.rules.kinds[dimension.kind].family: index}
            else:
                names["player"] = index
        return names

    def owner_of_field(self, name: str, at: Sequence[int | None]) -> int | None:
        """Return the player whose part of a field this is: the first index that is a player's."""
        for dimension, index in zip(self.rules.fields[name].dimensions, at, strict=True):
            if isinstance(dimension, Player):
                return index
        return None

    def seers(self, name: str, at: Sequence[int | None]) -> int:
        """Return the seats that may always look into a field: all, the owner, or nobody."""
        secret = self.rules.fields[name].secret
        if secret is None:
            return self.everybody
        owner = self.owner_of_field(name, at)
        return 1 << owner if secret == _OWNER and owner is not None else 0


def empty(type_: Type) -> Any:
    """Return what a field holds where a member lacks it: 0, false, none or empty. A bag has no counts yet."""
    if isinstance(type_, Number | SetOf):
        return 0
    if isinstance(type_, Flag):
        return False
    return () if isinstance(type_, ListOf | Bag) else None


def item_type(type_: Type) -> Type:
    """Return the type of what a list, set, bag or maybe holds, known or hidden."""
    if isinstance(type_, Bag):
        return Member(type_.kind)
    inner = type_.of if isinstance(type_, ListOf | SetOf | Maybe) else type_
    return inner.of if isinstance(inner, HiddenPiece) else inner


def kind_of(type_: Type) -> str:
    """Return the kind of a member, piece or bag, or of what a collection of these holds."""
    inner = item_type(type_)
    if isinstance(inner, Member | Piece):
        return inner.kind
    raise ValueError(f"{type_} is of no kind")
