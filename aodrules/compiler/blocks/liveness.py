"""Which variables outlast a block: these get cells, and are cleared where they are no longer needed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from aodrules.compiler.blocks.block_graph import BlockGraph, successors
from aodrules.compiler.nodes import AwaitAnswer, Block, CallBlock, DecisionPoint, Frames
from aodrules.compiler.variables import NO_NAMES, flow, read_by


def frames_for(graph: BlockGraph, sites: Mapping[int, DecisionPoint], first: int) -> Frames:
    """Return where variables and ways back are kept: cells from `first` on."""
    live = _live(graph, sites)
    waiting = {number: needed_while_waiting(site) for number, site in sites.items()}
    entered = {
        block.exit.block: block.exit.procedure for block in graph.blocks.values() if isinstance(block.exit, CallBlock)
    }
    needed: dict[int, frozenset[str]] = {}
    for root in graph.roots:
        names = live[root]
        if root in graph.answers:
            names = (names - {graph.codes[root]}) | waiting[graph.answers[root]]
        needed[root] = names
    kept = sorted(set[str]().union(*needed.values()))
    procedures = sorted(set(entered.values()))
    cells = {name: first + number for number, name in enumerate(kept)}
    returns = {name: first + len(kept) + number for number, name in enumerate(procedures)}
    return Frames(
        cells,
        returns,
        {root: tuple(sorted(names)) for root, names in needed.items()},
        {number: tuple(sorted(names)) for number, names in waiting.items()},
        first,
        len(kept) + len(procedures),
    )


def needed_while_waiting(site: DecisionPoint) -> frozenset[str]:
    """Return the variables that a waiting question needs: to list its answers, and to be shown."""
    shown = [formula for _, formula in site.arguments] + [formula for _, formula, _ in site.around]
    return frozenset(site.inputs).union(*(read_by(formula) for formula in shown))


def _live(graph: BlockGraph, sites: Mapping[int, DecisionPoint]) -> dict[int, frozenset[str]]:
    """Return the variables needed at the start of each block."""
    flows = {number: flow(block.body) for number, block in graph.blocks.items()}
    exits = {number: _read_by_exit(block, sites) for number, block in graph.blocks.items()}
    live = dict.fromkeys(graph.blocks, NO_NAMES)
    changed = True
    while changed:
        changed = False
        for number in reversed(list(graph.blocks)):
            after = exits[number] | _after(graph.blocks[number], live)
            needed, assigned = flows[number]
            new = needed | (after - assigned)
            if new != live[number]:
                live[number] = new
                changed = True
    return live


def _after(block: Block, live: Mapping[int, frozenset[str]]) -> frozenset[str]:
    if isinstance(block.exit, CallBlock):
        return live[block.exit.back]
    names = NO_NAMES.union(*(live[number] for number in successors(block.exit)))
    return names - {block.exit.code} if isinstance(block.exit, AwaitAnswer) else names


def _read_by_exit(block: Block, sites: Mapping[int, DecisionPoint]) -> frozenset[str]:
    if isinstance(block.exit, AwaitAnswer):
        site = sites[block.exit.site]
        return read_by(block.exit.codes) | read_by(site.player) | needed_while_waiting(site)
    if isinstance(block.exit, CallBlock):
        return NO_NAMES.union(*(read_by(argument) for _, argument in block.exit.arguments))
    return read_by(block.exit)


def live_cells(graph: BlockGraph, frames: Frames, cells: Sequence[object], site: int) -> frozenset[int]:
    """Return the cells of frames that are needed while a question waits; all others are 0.

    The names of the body that asks, and by the ways back those of all that wait for it.
    """
    root = next(root for root, number in graph.answers.items() if number == site)
    found: set[int] = set()
    while True:
        found |= {frames.cells[name] for name in frames.live[root]}
        back = frames.returns.get(graph.blocks[root].procedure)
        if back is None:
            return frozenset(found)
        found.add(back)
        following = cells[back]
        assert isinstance(following, int)
        root = following
