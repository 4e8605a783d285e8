"""From calls of builtins to formulas: looked up in tables where the answer depends on constants alone."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from itertools import pairwise

from aodrules.check.checked import Graph
from aodrules.compiler.folding import call_pure, is_literal, is_none, nonzero, operation, select, table_read
from aodrules.compiler.layout import LEFT
from aodrules.compiler.lower.collections import CollectionPlanner
from aodrules.compiler.lower.planner import bare
from aodrules.compiler.lower.scope import LowerScope
from aodrules.compiler.nodes import CellRead, Constant, Formula, Literal, Op
from aodrules.lang import expressions as typed
from aodrules.lang.types import Bag, Maybe, Member, SetOf
from aodrules.source.spans import Span


class BuiltinPlanner(CollectionPlanner):
    """Turns calls of builtins into formulas."""

    def expression(self, expression: typed.Expression, scope: LowerScope) -> Formula:
        """Return the formula of an expression."""
        if isinstance(expression, typed.BuiltinCall):
            arguments = tuple(self.expression(one, scope) for one in expression.arguments)
            handler: Callable[[typed.BuiltinCall, tuple[Formula, ...]], Formula]
            handler = getattr(self, f"_{expression.builtin}")
            return handler(expression, arguments)
        return super().expression(expression, scope)

    # Collections.

    def _players(self, call: typed.BuiltinCall, _: tuple[Formula, ...]) -> Formula:
        seats = Literal(call.span, tuple(range(self.players)))
        return call_pure(call.span, "remaining", seats, CellRead(call.span, LEFT)) if self.somebody_leaves else seats

    def _seats(self, call: typed.BuiltinCall, _: tuple[Formula, ...]) -> Formula:
        return Literal(call.span, tuple(range(self.players)))

    def _seats_from(self, call: typed.BuiltinCall, arguments: tuple[Formula, ...]) -> Formula:
        seats = tuple(range(self.players))
        turned = table_read(call.span, tuple(seats[one:] + seats[:one] for one in seats), arguments[0])
        return call_pure(call.span, "remaining", turned, CellRead(call.span, LEFT)) if self.somebody_leaves else turned

    def _size(self, call: typed.BuiltinCall, arguments: tuple[Formula, ...]) -> Formula:
        of = bare(call.arguments[0].type)
        if isinstance(of, Bag):
            return self.bag_size(arguments[0], of, call.span)
        if isinstance(of, SetOf):
            if isinstance(arguments[0], Literal) and isinstance(arguments[0].value, int):
                return Literal(call.span, arguments[0].value.bit_count())
            return call_pure(call.span, "set_size", arguments[0])
        return self._len(call, arguments)

    def bag_size(self, bag: Formula, of: Bag, span: Span) -> Formula:
        """Return how many pieces a packed bag holds."""
        shape = self.bag(of)
        if is_literal(bag):
            return bag
        if shape.sums_by_remainder:
            return Op(span, "size", (bag, Literal(span, shape.mask)))
        planes = tuple(sum(1 << shape.width * one + bit for one in range(shape.members)) for bit in range(shape.width))
        return call_pure(span, "bag_size", bag, Literal(span, planes))

    def _len(self, call: typed.BuiltinCall, arguments: tuple[Formula, ...]) -> Formula:
        if isinstance(arguments[0], Literal) and isinstance(arguments[0].value, tuple):
            return Literal(call.span, len(arguments[0].value))
        return call_pure(call.span, "len", self.items_of(arguments[0], call.arguments[0].type, call.span))

    def _index(self, call: typed.BuiltinCall, arguments: tuple[Formula, ...]) -> Formula:
        items = self.items_of(arguments[0], call.arguments[0].type, call.span)
        return call_pure(call.span, "index_of", items, arguments[1])

    def _first(self, call: typed.BuiltinCall, arguments: tuple[Formula, ...]) -> Formula:
        return self._end(call, arguments, 0)

    def _last(self, call: typed.BuiltinCall, arguments: tuple[Formula, ...]) -> Formula:
        return self._end(call, arguments, -1)

    def _end(self, call: typed.BuiltinCall, arguments: tuple[Formula, ...], index: int) -> Formula:
        items = self.items_of(arguments[0], call.arguments[0].type, call.span)
        return call_pure(call.span, "end_item", items, Literal(call.span, index))

    def _list(self, call: typed.BuiltinCall, arguments: tuple[Formula, ...]) -> Formula:
        return self.items_of(arguments[0], call.arguments[0].type, call.span)

    def _set(self, call: typed.BuiltinCall, arguments: tuple[Formula, ...]) -> Formula:
        if isinstance(bare(call.arguments[0].type), SetOf):
            return arguments[0]
        return call_pure(call.span, "set_of", self.items_of(arguments[0], call.arguments[0].type, call.span))

    def _range(self, call: typed.BuiltinCall, arguments: tuple[Formula, ...]) -> Formula:
        low, high = arguments if len(arguments) == 2 else (Literal(call.span, 0), arguments[0])
        if isinstance(low, Literal) and isinstance(high, Literal):
            return Literal(call.span, tuple(range(low.value, high.value)))  # type: ignore[arg-type]
        return call_pure(call.span, "numbers", low, high)

    # Numbers.

    def _sum(self, call: typed.BuiltinCall, arguments: tuple[Formula, ...]) -> Formula:
        return call_pure(call.span, "sum_items", arguments[0])

    def _min(self, call: typed.BuiltinCall, arguments: tuple[Formula, ...]) -> Formula:
        return self._extreme(call, arguments, min)

    def _max(self, call: typed.BuiltinCall, arguments: tuple[Formula, ...]) -> Formula:
        return self._extreme(call, arguments, max)

    def _extreme(self, call: typed.BuiltinCall, arguments: tuple[Formula, ...], choice: Callable[..., int]) -> Formula:
        known = [one.value for one in arguments if isinstance(one, Literal)]
        if len(known) == len(arguments) and len(known) > 1:
            return Literal(call.span, choice(known))
        if len(arguments) == 1:
            return call_pure(call.span, f"{call.builtin}_item", arguments[0])
        return call_pure(call.span, call.builtin, *arguments)

    def _abs(self, call: typed.BuiltinCall, arguments: tuple[Formula, ...]) -> Formula:
        if isinstance(arguments[0], Literal) and isinstance(arguments[0].value, int):
            return Literal(call.span, abs(arguments[0].value))
        return call_pure(call.span, "abs", arguments[0])

    def _either(self, call: typed.BuiltinCall, arguments: tuple[Formula, ...]) -> Formula:
        first, second = arguments
        if not isinstance(call.arguments[0].type, Maybe) and not is_literal(first):
            return first
        return self.shared(first, lambda one: select(call.span, is_none(one), second, one))

    def _next(self, call: typed.BuiltinCall, arguments: tuple[Formula, ...]) -> Formula:
        of = bare(call.arguments[0].type)
        assert isinstance(of, Member)
        places = self.rules.kinds[of.kind].places
        following = dict(pairwise(places))
        table = tuple(following.get(one) for one in range(self.family_size(of.kind)))
        return self.if_present(
            arguments[0],
            call.arguments[0].type,
            lambda one: table_read(call.span, table, one),
            Literal(call.span, None),
        )

    def _sets_worth(self, call: typed.BuiltinCall, arguments: tuple[Formula, ...]) -> Formula:
        sets = self.rules.sets[call.names[0]]
        shapes = tuple((one.size, one.worth, one.alike, one.different) for one in sets.shapes)
        of = bare(call.arguments[0].type)
        assert isinstance(of, Bag)
        packing = self.bag(of)
        fixed = Literal(call.span, (packing.members, packing.width, sets.wild_per_set, shapes))
        wild = arguments[1] if len(arguments) > 1 else Literal(call.span, 0)
        return call_pure(call.span, "packed_sets_worth", arguments[0], wild, fixed)

    # Graphs and grids.

    def _graph(self, call: typed.BuiltinCall) -> Graph:
        return self.rules.graphs[call.names[0]]

    def _neighbours(self, call: typed.BuiltinCall, arguments: tuple[Formula, ...]) -> Formula:
        return table_read(call.span, _neighbour_sets(self._graph(call)), arguments[0])

    def _around(self, call: typed.BuiltinCall, arguments: tuple[Formula, ...]) -> Formula:
        rows = table_read(call.span, self._graph(call).around, arguments[0])
        if isinstance(rows, Literal) and isinstance(arguments[1], Literal):
            assert isinstance(rows.value, tuple)
            assert isinstance(arguments[1].value, int)
            inside = 0 <= arguments[1].value < len(rows.value)
            return Literal(call.span, rows.value[arguments[1].value] if inside else None)
        return call_pure(call.span, "item_at", rows, arguments[1])

    def _edge(self, call: typed.BuiltinCall, arguments: tuple[Formula, ...]) -> Formula:
        graph = self._graph(call)
        bits = sum(1 << one for one in graph.edges)
        shifted = operation(call.span, ">>", Literal(call.span, bits), arguments[0])
        return nonzero(operation(call.span, "&", shifted, Literal(call.span, 1)))

    def _connected(self, call: typed.BuiltinCall, arguments: tuple[Formula, ...]) -> Formula:
        return call_pure(call.span, "connected", Literal(call.span, _neighbour_sets(self._graph(call))), *arguments)

    def _reach(self, call: typed.BuiltinCall, arguments: tuple[Formula, ...]) -> Formula:
        return call_pure(call.span, "reach", Literal(call.span, _neighbour_sets(self._graph(call))), *arguments)

    def _distance(self, call: typed.BuiltinCall, arguments: tuple[Formula, ...]) -> Formula:
        graph, (start, goal) = self._graph(call), arguments
        length = Literal(call.span, len(graph.neighbours))
        index = operation(call.span, "+", operation(call.span, "*", start, length), goal)
        return table_read(call.span, _distances(graph), index)


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
