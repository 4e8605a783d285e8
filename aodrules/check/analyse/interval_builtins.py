"""What builtins, tests and modifiers do to extents."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from math import inf

from attrs import evolve

from aodrules.check.analyse.constants import UNSURE, is_number
from aodrules.check.analyse.sizes import Sizes
from aodrules.check.checked import Graph
from aodrules.check.visit import walk
from aodrules.lang.expressions import AttributeRead, BuiltinCall, Const, Expression, Local, Operation
from aodrules.lang.interval import (
    ANY,
    Interval,
    between,
    exactly,
    greatest,
    hull,
    least,
    magnitude,
    overlap,
    plus,
    repeated,
    times,
    up_to,
)
from aodrules.lang.types import Maybe, Member, Number


def modified(operation: str, extent: Interval, amount: Interval, copies: int) -> Interval:
    """Return where a value lies after a modifier that holds once, or up to `copies` times if that is more."""
    if operation == "set":
        return amount
    if operation == "add":
        return plus(extent, amount if copies == 1 else repeated(amount, copies))
    if operation == "times":
        return _multiplied(extent, amount, copies)
    if operation == "at_least":
        return greatest([extent, amount])
    return least([extent, amount]) if operation == "at_most" else extent


def _multiplied(extent: Interval, amount: Interval, copies: int) -> Interval:
    result = changed = extent
    for _ in range(copies):
        changed = times(changed, amount)
        before, result = result, hull(result, changed)
        if result == before or not changed.is_bounded:
            break
    return changed if copies == 1 else result


def side(sign: str, limit: Interval, before: Interval) -> Interval:
    """Return where a number lies that stands so (`<`, `==` ...) to a limit."""
    if sign == "==":
        return Interval(limit.low, limit.high)
    if sign in ("<", "<="):
        return between(-inf, limit.ceiling - (sign == "<"))
    if sign in (">", ">="):
        return between(limit.floor + (sign == ">"), inf)
    if limit.low is None or limit.low != limit.high:
        return ANY
    return between(before.floor + (before.low == limit.low), before.ceiling - (before.high == limit.low))


# Builtins.


def builtin_interval(measures: Sizes, call: BuiltinCall, arguments: list[Interval]) -> Interval:
    """Return where the result of a builtin lies."""
    rule = _RULES.get(call.builtin)
    if rule is None or (not arguments and call.builtin not in ("players", "seats")):
        return measures.of_type(call.type)
    return rule(measures, call, arguments)


def _size(_: Sizes, __: BuiltinCall, arguments: list[Interval]) -> Interval:
    return Interval(max(0, arguments[0].low or 0), arguments[0].high, quiet=arguments[0].quiet)


def _index(_: Sizes, __: BuiltinCall, arguments: list[Interval]) -> Interval:
    return up_to(arguments[0].high)


def _extreme(_: Sizes, call: BuiltinCall, arguments: list[Interval]) -> Interval:
    if len(arguments) == 1:
        return arguments[0].item or ANY
    return least(arguments) if call.builtin == "min" else greatest(arguments)


def _item(_: Sizes, __: BuiltinCall, arguments: list[Interval]) -> Interval:
    return arguments[0].item or ANY


def _sum(_: Sizes, __: BuiltinCall, arguments: list[Interval]) -> Interval:
    return times(hull(arguments[0].item or ANY, exactly(0)), Interval(0, arguments[0].high))


def _list(_: Sizes, __: BuiltinCall, arguments: list[Interval]) -> Interval:
    return arguments[0]


def _set(measures: Sizes, call: BuiltinCall, arguments: list[Interval]) -> Interval:
    return evolve(overlap(measures.of_type(call.type), up_to(arguments[0].high)), item=arguments[0].item)


def _either(_: Sizes, __: BuiltinCall, arguments: list[Interval]) -> Interval:
    return hull(*arguments)


def _abs(_: Sizes, __: BuiltinCall, arguments: list[Interval]) -> Interval:
    return magnitude(arguments[0])


def _players(measures: Sizes, _: BuiltinCall, __: list[Interval]) -> Interval:
    return Interval(1, measures.most_players, ANY)


def _seats(measures: Sizes, _: BuiltinCall, __: list[Interval]) -> Interval:
    return evolve(measures.players, item=ANY)


def _sets_worth(measures: Sizes, call: BuiltinCall, arguments: list[Interval]) -> Interval:
    sets = measures.rules.sets.get(call.names[0]) if call.names else None
    worths = [shape.worth for shape in sets.shapes] if sets else []
    pieces = sum(max(0, each.high) if each.high is not None else 0 for each in arguments)
    return between(pieces * min(0, *worths, 0), pieces * max(0, *worths, 0))


# Graphs.


def _graph(measures: Sizes, call: BuiltinCall) -> Graph | None:
    return measures.rules.graphs.get(call.names[0]) if call.names else None


def _neighbours(measures: Sizes, call: BuiltinCall, _: list[Interval]) -> Interval:
    graph = _graph(measures, call)
    if graph is None:
        return measures.of_type(call.type)
    return Interval(0, max((len(each) for each in graph.neighbours), default=0), ANY)


def _reach(measures: Sizes, call: BuiltinCall, arguments: list[Interval]) -> Interval:
    graph, everything = _graph(measures, call), measures.of_type(call.type)
    steps = next((extent for each, extent in zip(call.arguments, arguments, strict=False) if _is_number(each)), ANY)
    if graph is None or steps.high is None or len(graph.neighbours) > 1000:
        return everything
    widest = max((_within(graph, start, steps.high) for start in range(len(graph.neighbours))), default=0)
    return overlap(everything, up_to(widest))


def _within(graph: Graph, start: int, steps: int) -> int:
    """Return how many members are at most so many steps from one, itself left out."""
    seen, waiting = {start}, deque([(start, 0)])
    while waiting:
        node, distance = waiting.popleft()
        for target in graph.neighbours[node] if distance < steps else ():
            if target not in seen:
                seen.add(target)
                waiting.append((target, distance + 1))
    return len(seen) - 1


def _distance(measures: Sizes, call: BuiltinCall, _: list[Interval]) -> Interval:
    graph = _graph(measures, call)
    return up_to(max(0, len(graph.neighbours) - 1) if graph else None)


def _is_number(expression: Expression) -> bool:
    return isinstance(expression.type, Number)


# Ranges.


def _range(measures: Sizes, call: BuiltinCall, arguments: list[Interval]) -> Interval:
    start, stop = (arguments[0], arguments[1]) if len(arguments) > 1 else (exactly(0), arguments[0])
    size = between(max(0, stop.floor - start.ceiling), max(0, stop.ceiling - start.floor))
    item = between(start.floor, stop.ceiling - 1, quiet=start.quiet or stop.quiet)
    longest = max(_lengths(measures, call), default=None)
    return evolve(overlap(size, up_to(longest)) if longest is not None else size, item=item)


def _lengths(measures: Sizes, call: BuiltinCall) -> Iterator[int]:
    """Iterate over the lengths of a range of attributes of one member, for each member; nothing if it is no such."""
    locals_ = {part.name: part.type for each in call.arguments for part in walk(each) if isinstance(part, Local)}
    parts = [part for each in call.arguments for part in walk(each)]
    name, type_ = next(iter(locals_.items()), ("", None))
    if len(locals_) != 1 or not all(isinstance(part, Const | Local | AttributeRead | Operation) for part in parts):
        return
    kind = type_.of if isinstance(type_, Maybe) else type_
    for member in measures.members(kind.kind) if isinstance(kind, Member) else ():
        for constants in measures.by_players:
            ends = [constants.value(each, {name: member}) for each in call.arguments]
            if UNSURE in ends or not all(is_number(end) for end in ends):
                yield 10**9
            else:
                yield len(range(*(end for end in ends if is_number(end))))


_Rule = Callable[[Sizes, BuiltinCall, list[Interval]], Interval]
_RULES: dict[str, _Rule] = {
    "size": _size,
    "len": _size,
    "index": _index,
    "min": _extreme,
    "max": _extreme,
    "first": _item,
    "last": _item,
    "sum": _sum,
    "count": _index,
    "list": _list,
    "set": _set,
    "either": _either,
    "abs": _abs,
    "players": _players,
    "seats": _seats,
    "seats_from": _players,
    "sets_worth": _sets_worth,
    "neighbours": _neighbours,
    "reach": _reach,
    "distance": _distance,
    "range": _range,
}
