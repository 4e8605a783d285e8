"""Grids, graphs and scoring sets: declarations that builtins work on."""

from __future__ import annotations

from aodrules.check import problems
from aodrules.check.checked import Attribute, Graph, Kind, Sets, SetShape
from aodrules.check.context import Context
from aodrules.lang.expressions import Const
from aodrules.lang.types import Number
from aodrules.syntax.tree import Entry, Mapping, Node, Scalar, Sequence

MOST_CELLS = 1000
_HEX_EVEN = ((0, 1), (-1, 0), (-1, -1), (0, -1), (1, -1), (1, 0))
_HEX_ODD = ((0, 1), (-1, 1), (-1, 0), (0, -1), (1, 0), (1, 1))
_SQUARE = ((0, 1), (-1, 0), (0, -1), (1, 0))


def read_grids(context: Context) -> None:
    """Make a kind of the cells of each grid, and the graph of their neighbours."""
    for entry in context.section("grid"):
        if isinstance(entry.value, Mapping):
            _read_grid(context, entry, entry.value)


def _read_grid(context: Context, entry: Entry, body: Mapping) -> None:
    columns, rows = _number(body, "columns"), _number(body, "rows")
    if columns < 1 or rows < 1 or columns * rows > MOST_CELLS:
        context.add(problems.wrong_declaration(f"a grid has 1 to {MOST_CELLS} cells", entry.key.span))
        columns = rows = 1
    cells = [(row, column) for row in range(rows) for column in range(columns)]
    ids = tuple(f"{_letters(column)}{row + 1}" for row, column in cells)
    plural = body.get("plural")
    word = plural.text if isinstance(plural, Scalar) else f"{entry.name}s"
    context.kinds[entry.name] = Kind(entry.name, word, entry.key.span, entry.name, ids, tuple(range(len(ids))))
    for member in ids:
        context.member_kinds[entry.name, member] = entry.name
        context.member_bodies[entry.name, member] = Mapping(entry.key.span)
    for name, values in (("row", [row + 1 for row, _ in cells]), ("column", [column + 1 for _, column in cells])):
        constants = tuple(Const(Number(value, value), entry.key.span, value) for value in values)
        context.attributes[f"{entry.name}.{name}"] = Attribute(
            f"{entry.name}.{name}", Number(), entry.key.span, (), constants
        )
    context.graphs[entry.name] = _graph_of_grid(entry.name, body, columns, rows)


def _graph_of_grid(name: str, body: Mapping, columns: int, rows: int) -> Graph:
    squares = _text(body, "cells") == "squares"
    shifted = 1 if _text(body, "odd_rows") != "left" else 0
    around = tuple(
        tuple(
            _cell(row + down, column + right, columns, rows)
            for down, right in (_SQUARE if squares else _HEX_ODD if row % 2 == shifted else _HEX_EVEN)
        )
        for row in range(rows)
        for column in range(columns)
    )
    neighbours = tuple(tuple(sorted(cell for cell in cells if cell is not None)) for cells in around)
    edges = frozenset(number for number, cells in enumerate(around) if None in cells)
    return Graph(name, name, neighbours, around, edges)


def _cell(row: int, column: int, columns: int, rows: int) -> int | None:
    return row * columns + column if 0 <= row < rows and 0 <= column < columns else None


def _letters(column: int) -> str:
    return chr(ord("a") + column) if column < 26 else _letters(column // 26 - 1) + _letters(column % 26)


def read_graphs(context: Context) -> None:
    """Read which members of a kind border which."""
    for entry in context.section("graph"):
        if isinstance(entry.value, Mapping):
            _read_graph(context, entry, entry.value)


def _read_graph(context: Context, entry: Entry, body: Mapping) -> None:
    kind = context.kinds.get(_text(body, "of"))
    if kind is None:
        at = body.get("of") or entry.key
        context.add(problems.unknown_name(_text(body, "of"), at.span, context.kinds, "kind"))
        return
    size = len(context.family(kind.name).members)
    borders: list[set[int]] = [set() for _ in range(size)]
    links = body.get("links")
    for link in links if isinstance(links, Sequence) else ():
        ends = [_end(context, kind, each) for each in link] if isinstance(link, Sequence) else []
        if len(ends) != 2:
            context.add(problems.wrong_declaration("a link joins two members", link.span))
        elif ends[0] is not None and ends[1] is not None:
            borders[ends[0]].add(ends[1])
            borders[ends[1]].add(ends[0])
    context.graphs[entry.name] = Graph(entry.name, kind.name, tuple(tuple(sorted(each)) for each in borders))


def _end(context: Context, kind: Kind, node: Node) -> int | None:
    name = node.text if isinstance(node, Scalar) else ""
    if name not in kind.members:
        context.add(problems.unknown_name(name, node.span, kind.members, kind.name))
        return None
    return kind.places[kind.members.index(name)]


def read_sets(context: Context) -> None:
    """Read the scoring sets."""
    for entry in context.section("sets"):
        body = entry.value if isinstance(entry.value, Mapping) else Mapping(entry.value.span)
        shapes = body.get("shapes")
        found = [_shape(each) for each in shapes if isinstance(each, Mapping)] if isinstance(shapes, Sequence) else []
        context.sets[entry.name] = Sets(entry.name, tuple(found), _number(body, "wild_per_set"))


def _shape(body: Mapping) -> SetShape:
    return SetShape(
        max(1, _number(body, "size")), _number(body, "worth"), _flag(body, "alike"), _flag(body, "different")
    )


def _number(body: Mapping, key: str) -> int:
    node = body.get(key)
    return node.value if isinstance(node, Scalar) and isinstance(node.value, int) else 0


def _flag(body: Mapping, key: str) -> bool:
    node = body.get(key)
    return isinstance(node, Scalar) and node.value is True


def _text(body: Mapping, key: str) -> str:
    node = body.get(key)
    return node.text if isinstance(node, Scalar) else ""
