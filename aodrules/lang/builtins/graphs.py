"""Ways through graphs and grids. Each is called with the name of a graph, or with a cell of a grid."""

from __future__ import annotations

from collections import deque
from math import inf

from aodrules.lang.builtins.entry import (
    CELL,
    Builtin,
    FormulaBuilder,
    GameFacts,
    GraphLinks,
    K,
    NameOf,
    Of,
    SizeFacts,
    Term,
)
from aodrules.lang.expressions import BuiltinCall
from aodrules.lang.interval import ANY, Interval, overlap, up_to
from aodrules.lang.types import FLAG, NUMBER, bits, mask_of

GRAPH = NameOf("graph")
MOST_SEARCHED = 1000
"""In larger graphs it is not looked how many members can be reached in so many steps."""


def _near(graph: GraphLinks, members: int) -> int:
    """Return what is next to one of some members."""
    return mask_of(near for member in bits(members) for near in graph.neighbours[member])


def _around(facts: GameFacts, call: BuiltinCall, here: int, direction: int) -> int | None:
    row = facts.graph(call.names[0]).around[here]
    return row[direction] if 0 <= direction < len(row) else None


def _connected(facts: GameFacts, call: BuiltinCall, here: int, inside: int) -> int:
    graph = facts.graph(call.names[0])
    found = new = (1 << here) & inside
    while new:
        new = _near(graph, new) & inside & ~found
        found |= new
    return found


def _regions(facts: GameFacts, call: BuiltinCall, inside: int) -> tuple[int, ...]:
    found: list[int] = []
    for member in bits(inside):
        if not any(region >> member & 1 for region in found):
            found.append(_connected(facts, call, member, inside))
    return tuple(found)


def _reach(facts: GameFacts, call: BuiltinCall, here: int, steps: int, through: int) -> int:
    graph = facts.graph(call.names[0])
    start = found = new = 1 << here
    for _ in range(steps):
        new = _near(graph, new) & ~found
        found |= new
        new &= through
        if not new:
            break
    return found & ~start


def _distance(facts: GameFacts, call: BuiltinCall, here: int, there: int) -> int | None:
    graph = facts.graph(call.names[0])
    found = new = 1 << here
    steps = 0
    while new:
        if new >> there & 1:
            return steps
        new = _near(graph, new) & ~found
        found |= new
        steps += 1
    return None


def _neighbours_interval(sizes: SizeFacts, call: BuiltinCall, _: Interval) -> Interval:
    graph = sizes.graph(call.names[0])
    if graph is None:
        return sizes.of_type(call.type)
    return Interval(0, max((len(each) for each in graph.neighbours), default=0), ANY)


def _regions_interval(_: SizeFacts, __: BuiltinCall, inside: Interval) -> Interval:
    return Interval(min(1, inside.low or 0), inside.high, item=Interval(1, inside.high))


def _reach_interval(sizes: SizeFacts, call: BuiltinCall, _: Interval, steps: Interval, __: Interval) -> Interval:
    graph, everything = sizes.graph(call.names[0]), sizes.of_type(call.type)
    if graph is None or steps.high is None or len(graph.neighbours) > MOST_SEARCHED:
        return everything
    widest = max((len(_distances(graph, start, steps.high)) for start in range(len(graph.neighbours))), default=1)
    return overlap(everything, up_to(widest - 1))


def _distances(graph: GraphLinks, start: int, most: float = inf) -> dict[int, int]:
    """Return the fewest steps from one member to each that is at most so many away, itself among them."""
    found, waiting = {start: 0}, deque([start])
    while waiting:
        member = waiting.popleft()
        for near in graph.neighbours[member] if found[member] < most else ():
            if near not in found:
                found[near] = found[member] + 1
                waiting.append(near)
    return found


def _distance_interval(sizes: SizeFacts, call: BuiltinCall, _: Interval, __: Interval) -> Interval:
    graph = sizes.graph(call.names[0])
    return up_to(max(0, len(graph.neighbours) - 1) if graph else None)


def _neighbour_sets(build: FormulaBuilder, call: BuiltinCall) -> tuple[int, ...]:
    return tuple(mask_of(row) for row in build.graph(call.names[0]).neighbours)


def _lower_around(build: FormulaBuilder, call: BuiltinCall, here: Term, direction: Term) -> Term:
    return build.call("item_at", build.table(build.graph(call.names[0]).around, here), direction)


def _lower_edge(build: FormulaBuilder, call: BuiltinCall, here: Term) -> Term:
    edges = build.constant(mask_of(build.graph(call.names[0]).edges))
    return build.nonzero((edges >> here) & 1)


def _lower_reach(build: FormulaBuilder, call: BuiltinCall, here: Term, steps: Term, through: Term) -> Term:
    return build.call("reach", _neighbour_sets(build, call), here, steps, through)


def _lower_distance(build: FormulaBuilder, call: BuiltinCall, here: Term, there: Term) -> Term:
    """Look it up in a table of the fewest steps between any two members, row after row."""
    graph = build.graph(call.names[0])
    size = len(graph.neighbours)
    rows = [_distances(graph, start) for start in range(size)]
    return build.table([row.get(one) for row in rows for one in range(size)], here * size + there)


BUILTINS = (
    Builtin(
        "neighbours",
        takes=((GRAPH, K), (CELL,)),
        gives=Of("set", K),
        doc="The members next to this one.",
        example="size(neighbours(roads, north))",
        result=1,
        evaluate=lambda facts, call, here: mask_of(facts.graph(call.names[0]).neighbours[here]),
        interval=_neighbours_interval,
        lower=lambda build, call, here: build.table(_neighbour_sets(build, call), here),
    ),
    Builtin(
        "around",
        takes=((CELL, NUMBER),),
        gives=Of("maybe", CELL),
        doc="The cell next to this one in a direction, from 0; none where the grid ends.",
        example="around(cells.a1, 3) == none",
        result=True,
        evaluate=_around,
        lower=_lower_around,
    ),
    Builtin(
        "edge",
        takes=((CELL,),),
        gives=FLAG,
        doc="Whether the cell lies at the border of the grid.",
        example="edge(cells.b2)",
        result=False,
        evaluate=lambda facts, call, here: here in facts.graph(call.names[0]).edges,
        lower=_lower_edge,
    ),
    Builtin(
        "connected",
        takes=((GRAPH, K, Of("set", K)), (CELL, Of("set", CELL))),
        gives=Of("set", K),
        doc="What can be reached from here inside the set; nothing if here is outside it.",
        example="size(connected(roads, north, set(p for p in posts)))",
        result=2,
        evaluate=_connected,
        lower=lambda build, call, here, inside: build.call("connected", _neighbour_sets(build, call), here, inside),
    ),
    Builtin(
        "regions",
        takes=((GRAPH, Of("set", K)), (Of("set", CELL),)),
        gives=Of("list", Of("set", K)),
        doc="The parts of the set that hang together, each a set; the one with its first member first.",
        example="sum(size(r) for r in regions(roads, set(p for p in posts)) if size(r) > 1)",
        result=2,
        evaluate=_regions,
        interval=_regions_interval,
        lower=lambda build, call, inside: build.call("regions", _neighbour_sets(build, call), inside),
    ),
    Builtin(
        "reach",
        takes=((GRAPH, K, NUMBER, Of("set", K)), (CELL, NUMBER, Of("set", CELL))),
        gives=Of("set", K),
        doc="What is at most so many steps away (not here itself) if every member passed on the way is in the set.",
        example="size(reach(roads, north, 1, set(p for p in posts)))",
        result=1,
        evaluate=_reach,
        interval=_reach_interval,
        lower=_lower_reach,
    ),
    Builtin(
        "distance",
        takes=((GRAPH, K, K), (CELL, CELL)),
        gives=Of("maybe", NUMBER),
        doc="The fewest steps from one to the other; none if there is no way.",
        example="either(distance(roads, north, south), 9)",
        result=1,
        evaluate=_distance,
        interval=_distance_interval,
        lower=_lower_distance,
    ),
)
