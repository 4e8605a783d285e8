"""What builtins come to before any game begins. Sets are numbers with a bit per member, as in play."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from aodrules.check.checked import CheckedRules, Graph
from aodrules.lang.expressions import BuiltinCall
from aodrules.lang.types import HiddenPiece, Maybe, Member, SetOf, Type


def known_items(of: Type, held: Any) -> tuple[Any, ...]:
    """Return the items of a known collection, in order."""
    if isinstance(of, Maybe | HiddenPiece):
        return () if held is None else (held,)
    if isinstance(of, SetOf):
        return tuple(place for place in range(held.bit_length()) if held >> place & 1)
    return tuple(held)


def gathered(gives: str, items: list[Any]) -> Any:
    """Return what `sum any all min max first last list set` make of items; `count` is of flags."""
    return _GATHERED[gives](items)


def called(rules: CheckedRules, players: int, call: BuiltinCall, arguments: list[Any]) -> Any:
    """Return what a call gives for known arguments."""
    name = call.builtin
    if name == "seats_from":
        return tuple((arguments[0] + turn) % players for turn in range(players))
    if name == "next":
        return _next(rules, call.arguments[0].type, arguments[0])
    if name in _SPATIAL:
        return _SPATIAL[name](rules.graphs[call.names[0]], *arguments)
    if name in _PLAIN:
        return _PLAIN[name](*arguments)
    items = known_items(call.arguments[0].type, arguments[0]) if len(arguments) == 1 else tuple(arguments)
    if name in ("size", "len"):
        return len(items)
    if name == "index":
        listed = known_items(call.arguments[0].type, arguments[0])
        return listed.index(arguments[1]) if arguments[1] in listed else len(listed)
    return gathered(name, list(items))


def mask_of(items: Iterable[int]) -> int:
    """Return the set of some members or seats."""
    mask = 0
    for item in items:
        mask |= 1 << item
    return mask


def _present(items: list[Any]) -> list[Any]:
    return [each for each in items if each is not None]


_GATHERED: dict[str, Callable[[list[Any]], Any]] = {
    "list": tuple,
    "set": lambda items: mask_of(_present(items)),
    "any": any,
    "all": all,
    "first": lambda items: items[0] if items else None,
    "last": lambda items: items[-1] if items else None,
    "count": lambda items: sum(1 for each in items if each is not False),
    "sum": lambda items: sum(_present(items)),
    "min": lambda items: min(_present(items), default=None),
    "max": lambda items: max(_present(items), default=None),
}


def _next(rules: CheckedRules, of: Type, member: int) -> int | None:
    of = of.of if isinstance(of, Maybe) else of
    places = rules.kinds[of.kind].places if isinstance(of, Member) else ()
    return next((place for place in places if place > member), None)


_PLAIN: dict[str, Callable[..., Any]] = {
    "abs": abs,
    "either": lambda first, second: second if first is None else first,
    "range": lambda low, high: tuple(range(low, high)),
}


# Graphs and grids.


def _next_to(graph: Graph, places: Iterable[int]) -> set[int]:
    return {near for place in places for near in graph.neighbours[place]}


def _connected(graph: Graph, here: int, inside: int) -> int:
    """Return what can be reached from here inside a set; nothing if here is outside it."""
    found = new = {here} if inside >> here & 1 else set()
    while new:
        new = {place for place in _next_to(graph, new) if inside >> place & 1} - found
        found = found | new
    return mask_of(found)


def _reach(graph: Graph, here: int, steps: int, through: int) -> int:
    """Return what is at most so many steps away, not here itself; what is passed on the way must be in a set."""
    found = new = {here}
    for _ in range(min(steps, len(graph.neighbours))):
        new = _next_to(graph, new) - found
        found = found | new
        new = {place for place in new if through >> place & 1}
    return mask_of(found - {here})


def _distance(graph: Graph, start: int, goal: int) -> int | None:
    """Return the fewest steps from one to the other; none if there is no way."""
    steps, found = 0, {start}
    while goal not in found:
        further = found | _next_to(graph, found)
        if further == found:
            return None
        steps, found = steps + 1, further
    return steps


def _around(graph: Graph, here: int, direction: int) -> int | None:
    row = graph.around[here]
    return row[direction] if 0 <= direction < len(row) else None


_SPATIAL: dict[str, Callable[..., Any]] = {
    "neighbours": lambda graph, here: mask_of(graph.neighbours[here]),
    "around": _around,
    "edge": lambda graph, here: here in graph.edges,
    "connected": _connected,
    "reach": _reach,
    "distance": _distance,
}
