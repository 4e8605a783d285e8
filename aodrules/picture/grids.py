"""Where the cells of a grid lie in a picture, and their outlines: hexagons or squares."""

from __future__ import annotations

from math import sqrt

from attrs import frozen

from aodrules.check.checked import CheckedRules, Graph
from aodrules.lang.expressions import Const

_HALF = sqrt(3) / 2
# The directions of hexagons that lead into another row, and how far to the right they lead where a row is shifted.
_SHIFTS = {1: 1, 2: 0, 4: 0, 5: 1}


@frozen(eq=False)
class GridPlaces:
    """A grid, and where its cells lie when one is so large."""

    rules: CheckedRules
    graph: Graph
    size: float
    """From the middle of a hexagon to its bend, or half the side of a square."""

    @property
    def is_hexagonal(self) -> bool:
        """Whether its cells are hexagons."""
        return any(len(around) == 6 for around in self.graph.around)

    @property
    def outline(self) -> tuple[tuple[float, float], ...]:
        """The corners of a cell around its middle."""
        one, half, wide = self.size, self.size / 2, self.size * _HALF
        if self.is_hexagonal:
            return ((0, -one), (wide, -half), (wide, half), (0, one), (-wide, half), (-wide, -half))
        return ((-one, -one), (one, -one), (one, one), (-one, one))

    @property
    def inner(self) -> tuple[float, float]:
        """The width and height of the largest even rectangle in a cell."""
        return (self.size * _HALF * 2 - 8, self.size - 2) if self.is_hexagonal else (2 * self.size - 8,) * 2

    def middle(self, number: int) -> tuple[float, float]:
        """Return the middle of a cell."""
        row, column = self._at(number)
        if not self.is_hexagonal:
            return (2 * column + 1) * self.size, (2 * row + 1) * self.size
        shift = 0.5 if self._is_shifted(number) else 0.0
        return (column + 0.5 + shift) * 2 * _HALF * self.size, (1.5 * row + 1) * self.size

    def place(self, number: int) -> tuple[int, float]:
        """Return the row of a cell, and its column in it: with a half where the row is shifted."""
        row, column = self._at(number)
        return row, column + 0.5 if self.is_hexagonal and self._is_shifted(number) else column

    def _at(self, number: int) -> tuple[int, int]:
        name = self.graph.kind
        row, column = (self.rules.attributes[f"{name}.{each}"].values[number] for each in ("row", "column"))
        assert isinstance(row, Const)
        assert isinstance(column, Const)
        return int(row.value) - 1, int(column.value) - 1  # type: ignore[arg-type] # numbers, as grids make them

    def _is_shifted(self, number: int) -> bool:
        for direction, shift in _SHIFTS.items():
            other = self.graph.around[number][direction]
            if other is not None:
                return self._at(other)[1] - self._at(number)[1] == shift
        return False

    @property
    def extent(self) -> tuple[float, float]:
        """The width and height of the whole map."""
        middles = [self.middle(number) for number in range(len(self.graph.around))]
        wide = self.size * _HALF if self.is_hexagonal else self.size
        return max(x for x, _ in middles) + wide, max(y for _, y in middles) + self.size
