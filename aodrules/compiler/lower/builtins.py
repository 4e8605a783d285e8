"""From calls of builtins to formulas: looked up in tables where the answer depends on constants alone."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from itertools import pairwise
from typing import TypeAlias

from aodrules.check.checked import Graph
from aodrules.compiler.formulas import (
    CellRead,
    Constant,
    Formula,
    Literal,
    Op,
    call_pure,
    is_literal,
    is_none,
    nonzero,
    operation,
    read_table,
    select,
)
from aodrules.compiler.layout import LEFT
from aodrules.compiler.lower.expressions import if_present, lower_all, share, unpack_items
from aodrules.compiler.lower.planner import Planner, bare
from aodrules.compiler.lower.scope import LowerScope
from aodrules.lang import expressions as typed
from aodrules.lang.types import Bag, Maybe, Member, SetOf
from aodrules.source.spans import Span

LowerBuiltin: TypeAlias = Callable[[Planner, typed.BuiltinCall, tuple[Formula, ...]], Formula]


def lower_builtin_call(planner: Planner, call: typed.BuiltinCall, scope: LowerScope) -> Formula:
    """Return the call of a builtin."""
    arguments = lower_all(planner, call.arguments, scope)
    return BUILTINS[call.builtin](planner, call, arguments)


# Collections.


def _lower_players(planner: Planner, call: typed.BuiltinCall, _: tuple[Formula, ...]) -> Formula:
    seats = Literal(call.span, tuple(range(planner.players)))
    return call_pure(call.span, "remaining", seats, CellRead(call.span, LEFT)) if planner.somebody_leaves else seats


def _lower_seats(planner: Planner, call: typed.BuiltinCall, _: tuple[Formula, ...]) -> Formula:
    return Literal(call.span, tuple(range(planner.players)))


def _lower_seats_from(planner: Planner, call: typed.BuiltinCall, arguments: tuple[Formula, ...]) -> Formula:
    seats = tuple(range(planner.players))
    turned = read_table(call.span, tuple(seats[one:] + seats[:one] for one in seats), arguments[0])
    return call_pure(call.span, "remaining", turned, CellRead(call.span, LEFT)) if planner.somebody_leaves else turned


def _lower_size(planner: Planner, call: typed.BuiltinCall, arguments: tuple[Formula, ...]) -> Formula:
    of = bare(call.arguments[0].type)
    if isinstance(of, Bag):
        return count_pieces(planner, arguments[0], of, call.span)
    if isinstance(of, SetOf):
        if isinstance(arguments[0], Literal) and isinstance(arguments[0].value, int):
            return Literal(call.span, arguments[0].value.bit_count())
        return call_pure(call.span, "set_size", arguments[0])
    return _lower_len(planner, call, arguments)


def count_pieces(planner: Planner, bag: Formula, of: Bag, span: Span) -> Formula:
    """Return how many pieces a packed bag holds."""
    shape = planner.bag(of)
    if is_literal(bag):
        return bag
    if shape.sums_by_remainder:
        return Op(span, "size", (bag, Literal(span, shape.mask)))
    planes = tuple(sum(1 << shape.width * one + bit for one in range(shape.members)) for bit in range(shape.width))
    return call_pure(span, "bag_size", bag, Literal(span, planes))


def _lower_len(planner: Planner, call: typed.BuiltinCall, arguments: tuple[Formula, ...]) -> Formula:
    if isinstance(arguments[0], Literal) and isinstance(arguments[0].value, tuple):
        return Literal(call.span, len(arguments[0].value))
    return call_pure(call.span, "len", unpack_items(planner, arguments[0], call.arguments[0].type, call.span))


def _lower_index(planner: Planner, call: typed.BuiltinCall, arguments: tuple[Formula, ...]) -> Formula:
    items = unpack_items(planner, arguments[0], call.arguments[0].type, call.span)
    return call_pure(call.span, "index_of", items, arguments[1])


def _lower_first(planner: Planner, call: typed.BuiltinCall, arguments: tuple[Formula, ...]) -> Formula:
    return _lower_end_item(planner, call, arguments, 0)


def _lower_last(planner: Planner, call: typed.BuiltinCall, arguments: tuple[Formula, ...]) -> Formula:
    return _lower_end_item(planner, call, arguments, -1)


def _lower_end_item(planner: Planner, call: typed.BuiltinCall, arguments: tuple[Formula, ...], index: int) -> Formula:
    items = unpack_items(planner, arguments[0], call.arguments[0].type, call.span)
    return call_pure(call.span, "end_item", items, Literal(call.span, index))


def _lower_list(planner: Planner, call: typed.BuiltinCall, arguments: tuple[Formula, ...]) -> Formula:
    return unpack_items(planner, arguments[0], call.arguments[0].type, call.span)


def _lower_set(planner: Planner, call: typed.BuiltinCall, arguments: tuple[Formula, ...]) -> Formula:
    if isinstance(bare(call.arguments[0].type), SetOf):
        return arguments[0]
    return call_pure(call.span, "set_of", unpack_items(planner, arguments[0], call.arguments[0].type, call.span))


def _lower_range(_planner: Planner, call: typed.BuiltinCall, arguments: tuple[Formula, ...]) -> Formula:
    low, high = arguments if len(arguments) == 2 else (Literal(call.span, 0), arguments[0])
    if isinstance(low, Literal) and isinstance(high, Literal):
        return Literal(call.span, tuple(range(low.value, high.value)))  # type: ignore[arg-type]
    return call_pure(call.span, "numbers", low, high)


# Numbers.


def _lower_sum(_planner: Planner, call: typed.BuiltinCall, arguments: tuple[Formula, ...]) -> Formula:
    return call_pure(call.span, "sum_items", arguments[0])


def _lower_min(_planner: Planner, call: typed.BuiltinCall, arguments: tuple[Formula, ...]) -> Formula:
    return _lower_extreme(call, arguments, min)


def _lower_max(_planner: Planner, call: typed.BuiltinCall, arguments: tuple[Formula, ...]) -> Formula:
    return _lower_extreme(call, arguments, max)


def _lower_extreme(call: typed.BuiltinCall, arguments: tuple[Formula, ...], choice: Callable[..., int]) -> Formula:
    known = [one.value for one in arguments if isinstance(one, Literal)]
    if len(known) == len(arguments) and len(known) > 1:
        return Literal(call.span, choice(known))
    if len(arguments) == 1:
        return call_pure(call.span, f"{call.builtin}_item", arguments[0])
    return call_pure(call.span, call.builtin, *arguments)


def _lower_abs(_planner: Planner, call: typed.BuiltinCall, arguments: tuple[Formula, ...]) -> Formula:
    if isinstance(arguments[0], Literal) and isinstance(arguments[0].value, int):
        return Literal(call.span, abs(arguments[0].value))
    return call_pure(call.span, "abs", arguments[0])


def _lower_either(planner: Planner, call: typed.BuiltinCall, arguments: tuple[Formula, ...]) -> Formula:
    first, second = arguments
    if not isinstance(call.arguments[0].type, Maybe) and not is_literal(first):
        return first
    return share(planner, first, lambda one: select(call.span, is_none(one), second, one))


def _lower_next(planner: Planner, call: typed.BuiltinCall, arguments: tuple[Formula, ...]) -> Formula:
    of = bare(call.arguments[0].type)
    assert isinstance(of, Member)
    places = planner.rules.kinds[of.kind].places
    following = dict(pairwise(places))
    table = tuple(following.get(one) for one in range(planner.family_size(of.kind)))
    return if_present(
        planner,
        arguments[0],
        call.arguments[0].type,
        lambda one: read_table(call.span, table, one),
        Literal(call.span, None),
    )


def _lower_sets_worth(planner: Planner, call: typed.BuiltinCall, arguments: tuple[Formula, ...]) -> Formula:
    sets = planner.rules.sets[call.names[0]]
    shapes = tuple((one.size, one.worth, one.alike, one.different) for one in sets.shapes)
    of = bare(call.arguments[0].type)
    assert isinstance(of, Bag)
    packing = planner.bag(of)
    fixed = Literal(call.span, (packing.members, packing.width, sets.wild_per_set, shapes))
    wild = arguments[1] if len(arguments) > 1 else Literal(call.span, 0)
    return call_pure(call.span, "packed_sets_worth", arguments[0], wild, fixed)


# Graphs and grids.


def _graph_of(planner: Planner, call: typed.BuiltinCall) -> Graph:
    return planner.rules.graphs[call.names[0]]


def _lower_neighbours(planner: Planner, call: typed.BuiltinCall, arguments: tuple[Formula, ...]) -> Formula:
    return read_table(call.span, _neighbour_sets(_graph_of(planner, call)), arguments[0])


def _lower_around(planner: Planner, call: typed.BuiltinCall, arguments: tuple[Formula, ...]) -> Formula:
    rows = read_table(call.span, _graph_of(planner, call).around, arguments[0])
    if isinstance(rows, Literal) and isinstance(arguments[1], Literal):
        assert isinstance(rows.value, tuple)
        assert isinstance(arguments[1].value, int)
        inside = 0 <= arguments[1].value < len(rows.value)
        return Literal(call.span, rows.value[arguments[1].value] if inside else None)
    return call_pure(call.span, "item_at", rows, arguments[1])


def _lower_edge(planner: Planner, call: typed.BuiltinCall, arguments: tuple[Formula, ...]) -> Formula:
    graph = _graph_of(planner, call)
    bits = sum(1 << one for one in graph.edges)
    shifted = operation(call.span, ">>", Literal(call.span, bits), arguments[0])
    return nonzero(operation(call.span, "&", shifted, Literal(call.span, 1)))


def _lower_connected(planner: Planner, call: typed.BuiltinCall, arguments: tuple[Formula, ...]) -> Formula:
    return call_pure(call.span, "connected", Literal(call.span, _neighbour_sets(_graph_of(planner, call))), *arguments)


def _lower_reach(planner: Planner, call: typed.BuiltinCall, arguments: tuple[Formula, ...]) -> Formula:
    return call_pure(call.span, "reach", Literal(call.span, _neighbour_sets(_graph_of(planner, call))), *arguments)


def _lower_distance(planner: Planner, call: typed.BuiltinCall, arguments: tuple[Formula, ...]) -> Formula:
    graph, (start, goal) = _graph_of(planner, call), arguments
    length = Literal(call.span, len(graph.neighbours))
    index = operation(call.span, "+", operation(call.span, "*", start, length), goal)
    return read_table(call.span, _distances(graph), index)


def _neighbour_sets(graph: Graph) -> tuple[Constant, ...]:
    return tuple(sum(1 << one for one in neighbours) for neighbours in graph.neighbours)


def _distances(graph: Graph) -> tuple[Constant, ...]:
    """Return the fewest steps between any two members, row after row."""
    table: list[Constant] = []
    for start in range(len(graph.neighbours)):
        found = {start: 0}
        queue = deque([start])
        while queue:
            here = queue.popleft()
            for one in graph.neighbours[here]:
                if one not in found:
                    found[one] = found[here] + 1
                    queue.append(one)
        table += [found.get(one) for one in range(len(graph.neighbours))]
    return tuple(table)


BUILTINS: dict[str, LowerBuiltin] = {
    "players": _lower_players,
    "seats": _lower_seats,
    "seats_from": _lower_seats_from,
    "size": _lower_size,
    "len": _lower_len,
    "index": _lower_index,
    "first": _lower_first,
    "last": _lower_last,
    "list": _lower_list,
    "set": _lower_set,
    "range": _lower_range,
    "sum": _lower_sum,
    "min": _lower_min,
    "max": _lower_max,
    "abs": _lower_abs,
    "either": _lower_either,
    "next": _lower_next,
    "sets_worth": _lower_sets_worth,
    "neighbours": _lower_neighbours,
    "around": _lower_around,
    "edge": _lower_edge,
    "connected": _lower_connected,
    "reach": _lower_reach,
    "distance": _lower_distance,
}
