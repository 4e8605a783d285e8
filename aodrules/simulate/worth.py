"""How good a position is for each seat, from the game's own scoring."""

from __future__ import annotations

from aodrules.facts.machine import Machine
from aodrules.facts.tables import Tables


def leads(machine: Machine, tables: Tables) -> list[int]:
    """Return for each seat how far it is ahead of the best of the others, as if the game ended now."""
    return margins(_behind_those_who_may_win(machine, tables, totals(machine, tables)))


def _behind_those_who_may_win(machine: Machine, tables: Tables, points: list[int]) -> list[int]:
    """Return points among which those of seats that may not win are worse than all others, however many they are."""
    if tables.rules.game.winner_if is None:
        return points
    low, high = min(points), max(points)
    # As far behind the last as that one is behind the first: to lose by points must not be worse.
    behind = low - (high - low) - 1
    return [own if machine.standing(seat)[1] else behind for seat, own in enumerate(points)]


def totals(machine: Machine, tables: Tables) -> list[int]:
    """Return the points of each seat, as if the game ended now."""
    return [machine.total(seat) for seat in range(tables.players)]


def margins(points: list[int]) -> list[int]:
    """Return for each seat how far it is ahead of the best of the others."""
    if len(points) == 1:
        return points
    return [own - max(points[:seat] + points[seat + 1 :]) for seat, own in enumerate(points)]
