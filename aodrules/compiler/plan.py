"""A whole plan: all that generated code does for one number of players."""

from __future__ import annotations

from typing import Any

from attrs import field, frozen

from aodrules.check.checked import Option
from aodrules.compiler.blocks.block_graph import BlockGraph
from aodrules.compiler.layout import Layout
from aodrules.compiler.nodes import DecisionPoint, Frames, Function, Procedure, Within

GAME_END = "game_end"
"""The procedure that is done when the game is over, however it ends; there is none if the rules name no such verb."""
CLOSED = -1
"""What stands for the count of an option that may not be chosen any more in one `choose`."""


def uses_of(option: Option) -> str:
    """Return the name under which a question tells how often an option that asks again was chosen."""
    return f"uses of {option.address}"


@frozen(eq=False)
class Plan:
    """All that generated code does, and where everything stands in the list of cells."""

    fingerprint: str
    players: int
    layout: Layout
    functions: dict[str, Function]
    procedures: dict[str, Procedure]
    """Those that ask nobody."""
    graph: BlockGraph
    decision_points: dict[int, DecisionPoint]
    frames: Frames
    start: tuple[Any, ...]
    """The cells of a new game, before anything was done; the generator is still 0."""
    askers: dict[int, tuple[str, Within]] = field(factory=dict)
    """By question: the procedure it is asked in, and the named steps and loops around it there."""
    callers: dict[int, tuple[str, Within]] = field(factory=dict)
    """By block that a procedure returns to: the same about the call."""
