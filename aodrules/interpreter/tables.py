"""What the interpreter knows before a game of so many players begins: attributes, pieces, starts, graphs, sets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

from attrs import define, field

from aodrules.check.checked import Condition, Field, Modifier, Option
from aodrules.check.steps import Steps
from aodrules.facts.state import Cell, PlainState
from aodrules.facts.state_shape import StateShape
from aodrules.interpreter.best_sets import BestSets
from aodrules.lang.types import Member


@define(eq=False)
class Tables(StateShape):
    """The shape of states and all that is fixed beforehand; `setup.tables_for` makes it."""

    attributes: dict[str, tuple[Any, ...]] = field(factory=dict)
    """`kind.attribute` → a value for each member of the family (none for members of other kinds), or a tuple of them
    where the attribute is a table."""
    pieces: dict[str, tuple[int, ...]] = field(factory=dict)
    """Family → how many pieces each member has; of owned kinds for each player."""
    pieces_of_sides: dict[str, tuple[tuple[int, ...], ...]] = field(factory=dict)
    """Family → for each side how many pieces of each member it has; empty where sides own none."""
    lacking: dict[str, frozenset[int]] = field(factory=dict)
    """Field with `only` → the members (first index) that do not have it."""
    starts: dict[str, tuple[Cell, ...]] = field(factory=dict)
    """Field → what its cells hold at first and after a reset; fields of pieces are empty."""
    try_out: Callable[[Tables, PlainState, Steps, dict[str, Any]], None] = field(default=lambda *_: None, repr=False)
    """Does steps that ask nobody to a state, for expressions that ask what would come of them."""
    stages: dict[Option, tuple[tuple[Condition, ...], ...]] = field(factory=dict, repr=False)
    """Conditions of an option by how many parameters they need; filled when first asked."""

    @cached_property
    def parts_by_owner(self) -> dict[str, dict[int | None, tuple[tuple[int, ...], ...]]]:
        """The indices of each field's cells by the owner whose part they are; under `None` where it is nobody's."""
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
    def sets_worth(self) -> dict[str, BestSets]:
        """The worth of each declaration of scoring sets."""
        return {name: BestSets(sets) for name, sets in self.rules.sets.items()}

    def is_owned(self, kind: str) -> bool:
        """Whether the pieces of a kind have owners."""
        pieces = None if kind == "player" else self.rules.family(kind).pieces
        return pieces is not None and pieces.owned

    def common(self, kind: str) -> frozenset[int]:
        """Return the members of a family whose pieces are nobody's until they are taken."""
        pieces = None if kind == "player" else self.rules.family(kind).pieces
        return frozenset() if pieces is None else pieces.common

    def names_at(self, name: str, at: Sequence[int]) -> dict[str, int]:
        """Return the names that the indices of a cell have: `player`, `owner` and the kinds."""
        names: dict[str, int] = {}
        for dimension, index in zip(self.rules.fields[name].dimensions, at, strict=True):
            if isinstance(dimension, Member):
                names |= {dimension.kind: index, self.rules.kinds[dimension.kind].family: index}
            else:
                names[str(dimension)] = index
        return names
