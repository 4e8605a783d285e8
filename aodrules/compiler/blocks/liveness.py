"""Which variables are live where a block begins: they get cells, and the cells of dead ones are set to 0.

    block 3: price = cost(house)     wait for an answer, go on with block 4       live-in of 3: house
    block 4: cash = cash - price     goto 5                                       live-in of 4: price

`price` outlives the question, so it has a cell; `house` too, if another function sets it.
"""

from __future__ import annotations

from collections.abc import Mapping

from aodrules.compiler.blocks.block_graph import BlockGraph, successors
from aodrules.compiler.nodes import AwaitAnswer, Block, CallBlock, DecisionPoint, Frames, variables_of
from aodrules.compiler.visit import NO_NAMES, flow, read_by


def frames_for(graph: BlockGraph, decision_points: Mapping[int, DecisionPoint], first: int) -> Frames:
    """Return where variables and return blocks are kept: cells from `first` on."""
    live_in = live_in_variables(graph, decision_points)
    needed: dict[int, frozenset[str]] = {}
    calls = (block.exit for block in graph.blocks.values() if isinstance(block.exit, CallBlock))
    told_by_calls = {call.back: variables_of(call.within) for call in calls}
    for entry in graph.entries:
        names = live_in[entry]
        if entry in graph.answers:
            names = (names - {graph.codes[entry]}) | _needed_while_waiting(decision_points[graph.answers[entry]])
        names |= told_by_calls.get(entry, NO_NAMES)
        needed[entry] = names
    variables = sorted(set[str]().union(*needed.values()))
    procedures = sorted({block.exit.procedure for block in graph.blocks.values() if isinstance(block.exit, CallBlock)})
    return Frames(
        {name: first + number for number, name in enumerate(variables)},
        {name: first + len(variables) + number for number, name in enumerate(procedures)},
        {entry: tuple(sorted(names)) for entry, names in needed.items()},
        first,
        len(variables) + len(procedures),
    )


def _needed_while_waiting(point: DecisionPoint) -> frozenset[str]:
    """Return the variables that a waiting question needs: to list its answers, and to be shown."""
    shown = [formula for _, formula in point.arguments] + [formula for _, formula, _ in point.around]
    told = variables_of(point.within)
    return told.union(point.inputs, *(read_by(formula) for formula in shown))


def live_in_variables(graph: BlockGraph, decision_points: Mapping[int, DecisionPoint]) -> dict[int, frozenset[str]]:
    """Return the variables that are live at the start of each block: read there before they are assigned, or later."""
    flows = {number: flow(block.body) for number, block in graph.blocks.items()}
    read_by_exits = {number: _read_by_exit(block, decision_points) for number, block in graph.blocks.items()}
    live_in = dict.fromkeys(graph.blocks, NO_NAMES)
    changed = True
    while changed:
        changed = False
        for number in reversed(list(graph.blocks)):
            live_out = read_by_exits[number] | _live_in_successors(graph.blocks[number], live_in)
            read_first, assigned = flows[number]
            new = read_first | (live_out - assigned)
            if new != live_in[number]:
                live_in[number] = new
                changed = True
    return live_in


def _live_in_successors(block: Block, live_in: Mapping[int, frozenset[str]]) -> frozenset[str]:
    if isinstance(block.exit, CallBlock):
        return live_in[block.exit.back]
    names = NO_NAMES.union(*(live_in[number] for number in successors(block)))
    return names - {block.exit.code} if isinstance(block.exit, AwaitAnswer) else names


def _read_by_exit(block: Block, decision_points: Mapping[int, DecisionPoint]) -> frozenset[str]:
    if isinstance(block.exit, AwaitAnswer):
        point = decision_points[block.exit.point]
        return read_by(block.exit.codes) | read_by(point.player) | _needed_while_waiting(point)
    if isinstance(block.exit, CallBlock):
        return variables_of(block.exit.within).union(*(read_by(argument) for _, argument in block.exit.arguments))
    return read_by(block.exit)
