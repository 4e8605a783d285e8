"""How good a position is for each seat, from the game's own scoring."""

from __future__ import annotations

from aodrules.engine.compiled import Compiled
from aodrules.engine.evaluation import Evaluator
from aodrules.engine.tables import Tables


def totals(machine: Compiled, tables: Tables) -> list[int]:
    """Return the points of each seat, as if the game ended now."""
    if machine.can_value("total"):
        return [machine.value("total", seat) for seat in range(tables.players)]
    evaluator = Evaluator(tables, machine.plain())
    return [evaluator.named_value("total", (seat,)) for seat in range(tables.players)]


def margins(points: list[int]) -> list[int]:
    """Return for each seat how far it is ahead of the best of the others."""
    if len(points) == 1:
        return points
    return [own - max(points[:seat] + points[seat + 1 :]) for seat, own in enumerate(points)]


def shares(points: list[int]) -> list[float]:
    """Return for each seat the part of the others that it beats, a tie counting half."""
    others = max(1, len(points) - 1)
    return [
        (sum(own > other for other in points) + (sum(own == other for other in points) - 1) / 2) / others
        for own in points
    ]
