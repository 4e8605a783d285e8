"""The answers of a game so far: a chain that copies share, with points from which the game can be taken back."""

from __future__ import annotations

from typing import Any, TypeAlias

from aodrules.facts.machine import Machine

Step: TypeAlias = "tuple[Any, int, Any]"
"""The step before, the answer, and the point before the answer if it was kept."""

EVERY = 8
"""How many answers share a point: to keep each costs as much as playing, and few are ever taken back."""


def answers(last: Step | None) -> list[int]:
    """Return all answers, the first one first."""
    found = []
    while last is not None:
        found.append(last[1])
        last = last[0]
    found.reverse()
    return found


def taken_back(machine: Machine, last: Step) -> Step | None:
    """Take a machine back to before the last answer, and return the step before it.

    Where no point was kept, the answers since the one before it are played again. This time each gets its point, so
    that taking back many answers plays none of them more than twice.
    """
    before, _, kept = last
    if kept is not None:
        machine.go_back(kept)
        return before  # type: ignore[no-any-return]
    again = [before[1]]
    while before[2] is None:
        before = before[0]
        again.append(before[1])
    machine.go_back(before[2])
    line: Step | None = before[0]
    for answer in reversed(again):
        line = (line, answer, machine.keep())
        machine.apply(answer)
    return line
