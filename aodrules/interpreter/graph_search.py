"""Ways through graphs and grids. Sets of members are numbers with a bit per member."""

from __future__ import annotations

from collections.abc import Sequence

from aodrules.check.checked import Graph
from aodrules.facts.state import bits


def mask_of(items: Sequence[int]) -> int:
    """Return the set of some members or seats."""
    mask = 0
    for item in items:
        mask |= 1 << item
    return mask


class Space:
    """A graph or grid, ready to be asked about ways."""

    def __init__(self, graph: Graph) -> None:
        self._neighbours = tuple(mask_of(row) for row in graph.neighbours)
        self._around = graph.around
        self._edges = graph.edges

    def neighbours(self, here: int) -> int:
        """Return the members next to this one."""
        return self._neighbours[here]

    def around(self, here: int, direction: int) -> int | None:
        """Return the cell in a direction from 0; none where the grid ends or there is no such direction."""
        row = self._around[here]
        return row[direction] if 0 <= direction < len(row) else None

    def edge(self, here: int) -> bool:
        """Whether a cell lies at the border of the grid."""
        return here in self._edges

    def connected(self, here: int, inside: int) -> int:
        """Return what can be reached from here inside a set, here included; nothing if here is outside it."""
        found = new = (1 << here) & inside
        while new:
            new = self._next_to(new) & inside & ~found
            found |= new
        return found

    def reach(self, here: int, steps: int, through: int) -> int:
        """Return what is at most so many steps away, not here itself; what is passed on the way must be in a set."""
        start = found = new = 1 << here
        for _ in range(steps):
            new = self._next_to(new) & ~found
            found |= new
            new &= through
            if not new:
                break
        return found & ~start

    def distance(self, here: int, there: int) -> int | None:
        """Return the fewest steps from one member to another; none if there is no way."""
        found = new = 1 << here
        steps = 0
        while new:
            if new >> there & 1:
                return steps
            new = self._next_to(new) & ~found
            found |= new
            steps += 1
        return None

    def _next_to(self, members: int) -> int:
        near = 0
        for member in bits(members):
            near |= self._neighbours[member]
        return near
