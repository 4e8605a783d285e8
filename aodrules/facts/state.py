"""The state of a game in plain form: what both engines can show, compare and be opened from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from attrs import define, field, frozen

Cell: TypeAlias = "int | bool | tuple[int, ...] | None"
LogEntry: TypeAlias = "tuple[Any, ...]"
"""One entry of the event log; see `docs/design/0001`."""
Facts: TypeAlias = "Mapping[str, tuple[Cell, ...]]"
"""What is told when a game is made: by field, its cells. Who sits where, and settings."""
Indices: TypeAlias = tuple[int, ...]


@frozen
class PlaceRef:
    """A place with its indices known; the owner's is `None` where the owner of a piece fills it."""

    field: str
    at: tuple[int | None, ...]
    index: int | None = None
    """One position of a list."""

    def of(self, owner: int | None) -> Indices:
        """Return the indices of the part of an owner."""
        return tuple(owner if index is None else index for index in self.at)  # type: ignore[misc]

    @property
    def is_shared(self) -> bool:
        """Whether each owner has a part of its own here."""
        return None in self.at


@define
class PlainState:
    """All cells by field, row-major over the field's dimensions; bags are tuples of counts by member of the family."""

    fields: dict[str, list[Cell]] = field(factory=dict)
    knowledge: dict[str, list[Cell]] = field(factory=dict)
    """For secret lists a tuple per cell, for secret maybes a number: `k1 | k2 << seats` for each position."""
    generator: int = 0
    left: tuple[int, ...] = ()
    """Seats that left the game, in order."""
    over: bool = False
    step: str | None = None
    """The address of the innermost named step that is active."""

    def copy(self) -> PlainState:
        """Return a state that can be changed without changing this one."""
        fields = {name: cells[:] for name, cells in self.fields.items()}
        knowledge = {name: cells[:] for name, cells in self.knowledge.items()}
        return PlainState(fields, knowledge, self.generator, self.left, self.over, self.step)


@frozen
class Question:
    """A question that waits for an answer."""

    decision: str
    """The address of the decision."""
    player: int
    arguments: tuple[tuple[str, Any], ...] = ()
    """The decision's arguments by name, places left out; for `order` the remaining items under `items`."""
