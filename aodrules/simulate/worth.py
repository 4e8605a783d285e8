"""How good a position is for each seat, from the game's own scoring."""

from __future__ import annotations

from aodrules.engine.compiled import Compiled
from aodrules.engine.evaluation import Evaluator
from aodrules.engine.tables import Tables

_TOTAL = "total"


def totals(machine: Compiled, tables: Tables) -> list[int]:
    """Return the points of each seat, as if the game ended now. By generated code where there is some."""
    sources = [source.value for source in tables.rules.game.points]
    if machine.can_value(_TOTAL):
        sources = [_TOTAL]
    if sources and all(machine.can_value(source) for source in sources):
        return [sum(machine.value(source, seat) for source in sources) for seat in range(tables.players)]
    evaluator = Evaluator(tables, machine.plain())
    return [evaluator.named_value(_TOTAL, (seat,)) for seat in range(tables.players)]


def margins(points: list[int]) -> list[int]:
    """Return for each seat how far it is ahead of the best of the others."""
    if len(points) == 1:
        return points
    return [own - max(points[:seat] + points[seat + 1 :]) for seat, own in enumerate(points)]
