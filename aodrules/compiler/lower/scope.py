"""What the names of a body stand for while it is planned: formulas, and places in the cells of fields."""

from __future__ import annotations

from typing import TypeAlias

from attrs import evolve, field, frozen

from aodrules.compiler.formulas import Formula, Term, add_up, read_cell
from aodrules.compiler.layout import FieldCells
from aodrules.compiler.nodes import CellWrite, write_cell
from aodrules.source.spans import Span


@frozen(eq=False)
class LoweredPlace:
    """A cell of a field, by an index for each dimension, perhaps with a position in it.

    An index of `None` is that of the owner, where pieces have owners; of the cell itself it counts as 0.
    """

    span: Span
    cells: FieldCells
    at: tuple[Formula | None, ...]
    index: Formula | None = None

    def cell(self, owner: Formula | None = None, span: Span | None = None) -> LoweredPlace:
        """Return the cell of the place, or that of an owner's part of it, as what stands somewhere."""
        return LoweredPlace(span or self.span, self.cells, tuple(owner if one is None else one for one in self.at))

    @property
    def owners(self) -> range:
        """Those who have a part of the field: the players, and in some fields the sides too."""
        dimension = self.cells.field.owner_dimension
        return range(0 if dimension is None else self.cells.shape[dimension])

    def offset(self) -> Formula:
        """Return the place of the cell among those of its field."""
        parts = (one * stride for one, stride in zip(self.at, self.cells.strides, strict=True) if one is not None)
        return add_up(self.span, *parts)

    def read(self) -> Formula:
        """Return what the cell holds."""
        return read_cell(self.span, self.cells.base, self.offset())

    def write(self, value: Term) -> CellWrite:
        """Return what gives the cell a value."""
        return write_cell(self.span, self.cells.base, self.offset(), value)


Meaning: TypeAlias = Formula | LoweredPlace


@frozen(eq=False)
class LowerScope:
    """The names in force and the labels of the bodies around. Never changed: each binding makes a new one."""

    names: dict[str, Meaning] = field(factory=dict)
    label: str = ""
    """Where `stop` goes on."""
    steps: dict[str, str] = field(factory=dict)
    """For each named step that `stop: STEP` may leave: where that goes on."""
    outermost: str | None = None
    """The variable that keeps the step outside all steps of this body, once one has begun."""
    active: str | None = None
    """The named step that is surely the innermost around, if it asks anything; not known in what several call."""

    def bind(self, name: str, meaning: Meaning) -> LowerScope:
        """Return this scope with one more name."""
        return evolve(self, names={**self.names, name: meaning})

    def bind_all(self, meanings: dict[str, Meaning]) -> LowerScope:
        """Return this scope with some more names."""
        return evolve(self, names={**self.names, **meanings})

    def inside(self, step: str, label: str, outer: str) -> LowerScope:
        """Return the scope inside a named step."""
        return evolve(self, steps={**self.steps, step: label}, outermost=self.outermost or outer, active=step)

    def formula(self, name: str) -> Formula:
        """Return what a name that is no place stands for."""
        meaning = self.names[name]
        assert not isinstance(meaning, LoweredPlace)
        return meaning

    def place(self, name: str) -> LoweredPlace:
        """Return the place a name stands for."""
        meaning = self.names[name]
        assert isinstance(meaning, LoweredPlace)
        return meaning
