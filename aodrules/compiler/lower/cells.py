"""Cells of fields while planning: where one lies, what it holds, and how it is changed."""

from __future__ import annotations

from attrs import frozen

from aodrules.compiler.formulas import Formula, Term, add_up, read_cell
from aodrules.compiler.layout import FieldCells
from aodrules.compiler.nodes import CellWrite, write_cell
from aodrules.source.spans import Span


@frozen(eq=False)
class CellRef:
    """One of the cells of a field; an index that is left out counts as 0."""

    span: Span
    cells: FieldCells
    at: tuple[Formula | None, ...]

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


@frozen(eq=False)
class LoweredPlace:
    """A field that holds pieces: its cells, an index for each dimension (`None`: the owner's), perhaps a position."""

    span: Span
    cells: FieldCells
    at: tuple[Formula | None, ...]
    index: Formula | None = None

    def cell(self, owner: Formula | None = None, span: Span | None = None) -> CellRef:
        """Return the cell of the place, or that of an owner's part of it, as what stands somewhere."""
        return CellRef(span or self.span, self.cells, tuple(owner if one is None else one for one in self.at))
