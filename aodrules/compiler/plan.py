"""A whole plan: all that generated code does for one number of players."""

from __future__ import annotations

from attrs import frozen

from aodrules.compiler.blocks.block_graph import Graph
from aodrules.compiler.layout import Layout
from aodrules.compiler.nodes import Frames, Function, Procedure, Site


@frozen(eq=False)
class Plan:
    """All that generated code does, and where everything stands in the list of cells."""

    fingerprint: str
    players: int
    layout: Layout
    functions: dict[str, Function]
    procedures: dict[str, Procedure]
    """Those that ask nobody."""
    graph: Graph
    sites: dict[int, Site]
    frames: Frames
