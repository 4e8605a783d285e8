"""How good a position is for each seat, from the game's own scoring."""

from __future__ import annotations

from aodrules.compiler.runtime.compiled import Compiled
from aodrules.facts.tables import Tables
from aodrules.interpreter.evaluation import Evaluator

_TOTAL = "total"


def leads(machine: Compiled, tables: Tables) -> list[int]:
    """Return for each seat how far it is ahead of the best of the others, as if the game ended now."""
    return margins(_behind_those_who_may_win(machine, tables, totals(machine, tables)))


def _behind_those_who_may_win(machine: Compiled, tables: Tables, points: list[int]) -> list[int]:
    """Return points among which those of seats that may not win are worse than all others, however many they are."""
    condition = tables.rules.game.winner_if
    if condition is None:
        return points
    evaluator = Evaluator(tables, machine.plain())
    low, high = min(points), max(points)
    # As far behind the last as that one is behind the first: to lose by points must not be worse.
    behind = low - (high - low) - 1
    return [own if evaluator.value(condition, {"player": seat}) else behind for seat, own in enumerate(points)]


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
