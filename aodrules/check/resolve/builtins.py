"""Calls of builtins: the types they take and give."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable

from aodrules.check import problems
from aodrules.check.checked import Graph, Parameter
from aodrules.check.context import KnownLimit
from aodrules.check.resolve.comprehensions import OVER_ITEMS, ComprehensionReader
from aodrules.check.resolve.scope import LocalName
from aodrules.check.resolve.subtyping import joined
from aodrules.lang.expressions import (
    BuiltinCall,
    Const,
    Expression,
    FieldRead,
    ItemAt,
    Knows,
    LimitUsed,
    Local,
    Possible,
)
from aodrules.lang.operators import BUILTINS
from aodrules.lang.types import (
    FLAG,
    NUMBER,
    PLAYER,
    Bag,
    HiddenPiece,
    ListOf,
    Maybe,
    Member,
    Number,
    Piece,
    SetOf,
    Type,
    Unknown,
    item_of,
    maybe,
)

_SPATIAL = ("neighbours", "around", "edge", "connected", "reach", "distance")


class BuiltinReader(ComprehensionReader):
    """Reads calls of builtins."""

    def read_builtin(self, node: ast.Call, name: str, expected: Type | None) -> Expression:
        """Return the typed call of a builtin."""
        if name in OVER_ITEMS and len(node.args) == 1 and not node.keywords:
            return self.read_over_items(name, node)
        if name in _SPATIAL:
            return self._spatial(node, name)
        special: dict[str, Callable[[ast.Call, Type | None], Expression]] = {
            "min": self._extreme_of,
            "max": self._extreme_of,
            "size": self._size,
            "len": self._size,
            "index": self._index,
            "either": self._either,
            "abs": self._numbers,
            "range": self._numbers,
            "next": self._next,
            "seats_from": self._seats_from,
            "knows": self._knows,
            "used": self._used,
            "possible": self._possible,
            "sets_worth": self._sets_worth,
        }
        if name not in special:
            return self._wrong(node, name)
        return special[name](node, expected)

    def _wrong(self, node: ast.Call, name: str) -> Expression:
        takes = " or ".join(f"{name}({each})" for each in BUILTINS[name].takes)
        self.context.add(
            problems.wrong_arguments(
                f"`{name}` does not fit its arguments", self.at(node), f"it is called like `{takes}`"
            )
        )
        return self.unknown(node)

    def _plain(self, node: ast.Call, low: int, high: int) -> bool:
        return low <= len(node.args) <= high and not node.keywords

    def made(
        self, node: ast.Call, name: str, type_: Type, *arguments: Expression, names: tuple[str, ...] = ()
    ) -> Expression:
        """Return the call of a builtin."""
        return BuiltinCall(type_, self.at(node), name, arguments, names)

    def _extreme_of(self, node: ast.Call, _: Type | None) -> Expression:
        name = _name(node)
        if not self._plain(node, 2, 20):
            return self._wrong(node, name)
        return self.made(node, name, NUMBER, *(self.read_number(each) for each in node.args))

    def _numbers(self, node: ast.Call, _: Type | None) -> Expression:
        name = _name(node)
        if not self._plain(node, 1, 2 if name == "range" else 1):
            return self._wrong(node, name)
        arguments = [self.read_number(each) for each in node.args]
        if name == "abs":
            return self.made(node, name, NUMBER, *arguments)
        if len(arguments) == 1:
            arguments.insert(0, Const(Number(0, 0), self.at(node), 0))
        return self.made(node, name, ListOf(NUMBER), *arguments)

    def _size(self, node: ast.Call, _: Type | None) -> Expression:
        name = _name(node)
        if not self._plain(node, 1, 1):
            return self._wrong(node, name)
        items = self.read(node.args[0])
        wanted = ListOf if name == "len" else Bag | SetOf
        if isinstance(items.type, Unknown):
            return self.unknown(node)
        if not isinstance(items.type, wanted):
            words = "a list" if name == "len" else "a bag or set"
            self.mismatch(node.args[0], items.type, words)
            return self.unknown(node)
        return self.made(node, name, NUMBER, items)

    def _index(self, node: ast.Call, _: Type | None) -> Expression:
        if not self._plain(node, 2, 2):
            return self._wrong(node, "index")
        items = self.read_items(node.args[0])
        item = self.read_as(node.args[1], item_of(items.type))
        return self.made(node, "index", NUMBER, items, item)

    def _either(self, node: ast.Call, expected: Type | None) -> Expression:
        if not self._plain(node, 2, 2):
            return self._wrong(node, "either")
        first = self.read(node.args[0], maybe(expected) if expected else None)
        inner = first.type.of if isinstance(first.type, Maybe) else first.type
        second = self.read(node.args[1], inner)
        type_ = joined(self.context, inner, second.type)
        if type_ is None or isinstance(inner, HiddenPiece):
            self.mismatch(node.args[1], second.type, inner)
            return self.unknown(node)
        return self.made(node, "either", type_, first, second)

    def _next(self, node: ast.Call, expected: Type | None) -> Expression:
        if not self._plain(node, 1, 1):
            return self._wrong(node, "next")
        member = self.read(node.args[0], expected)
        if isinstance(member.type, Member) and self.context.kinds[member.type.kind].ordered:
            return self.made(node, "next", Maybe(member.type), member)
        if not isinstance(member.type, Unknown):
            self.mismatch(node.args[0], member.type, "a member of an ordered kind")
        return self.unknown(node)

    def _seats_from(self, node: ast.Call, _: Type | None) -> Expression:
        if not self._plain(node, 1, 1):
            return self._wrong(node, "seats_from")
        return self.made(node, "seats_from", ListOf(PLAYER), self.read_as(node.args[0], PLAYER))

    def _knows(self, node: ast.Call, _: Type | None) -> Expression:
        if not self._plain(node, 2, 2):
            return self._wrong(node, "knows")
        player = self.read_as(node.args[0], PLAYER)
        piece = self.read(node.args[1])
        at = self.at(node)
        if isinstance(piece, FieldRead) and isinstance(piece.type, Maybe):
            return Knows(FLAG, at, player, piece.field, piece.at)
        if isinstance(piece, ItemAt) and isinstance(piece.items, FieldRead):
            return Knows(FLAG, at, player, piece.items.field, piece.items.at, piece.index)
        place = self._place_of(piece)
        if place is not None and place.place is not None:
            fixed = tuple(each for each in place.place.at if each is not None)
            return Knows(FLAG, at, player, place.place.field, fixed, place.place.index)
        if not isinstance(piece.type, Unknown):
            self.mismatch(node.args[1], piece.type, "a place of one piece")
        return self.unknown(node)

    def _place_of(self, piece: Expression) -> LocalName | None:
        return self.names.get(piece.name) if isinstance(piece, Local) else None

    def _used(self, node: ast.Call, _: Type | None) -> Expression:
        if not self._plain(node, 1, 2) or not isinstance(node.args[0], ast.Name):
            return self._wrong(node, "used")
        name = node.args[0].id
        found = self.context.limits.get(name, [])
        if not found:
            self.context.add(problems.unknown_name(name, self.at(node.args[0]), self.context.limits, "limit"))
            return self.unknown(node)
        if len(found) > 1:
            self.context.add(problems.ambiguous_limit(name, self.at(node.args[0]), [each.span for each in found]))
            return self.unknown(node)
        return LimitUsed(NUMBER, self.at(node), found[0].counter, self._whose(node, found[0]))

    def _whose(self, node: ast.Call, limit: KnownLimit) -> Expression | None:
        if limit.is_for_all:
            return None
        if len(node.args) == 2:
            return self.read_as(node.args[1], PLAYER)
        return self.read(ast.Name("player", lineno=1, col_offset=node.col_offset, end_col_offset=node.end_col_offset))

    def _possible(self, node: ast.Call, _: Type | None) -> Expression:
        if len(node.args) != 1 or not isinstance(node.args[0], ast.Name):
            return self._wrong(node, "possible")
        name = node.args[0].id
        signature = self.context.options.get(name)
        if signature is None:
            self.context.add(problems.unknown_name(name, self.at(node.args[0]), self.context.options, "option"))
            return self.unknown(node)
        given = {each.arg: each.value for each in node.keywords if each.arg}
        player = given.pop("player", None) or ast.Name(
            "player", lineno=1, col_offset=node.col_offset, end_col_offset=node.end_col_offset
        )
        arguments = self.read_arguments(node, name, signature.parameters, [], given)
        return Possible(FLAG, self.at(node), name, self.read_as(player, PLAYER), arguments)

    def read_arguments(
        self,
        node: ast.Call,
        name: str,
        parameters: Iterable[Parameter],
        positional: list[ast.expr],
        named: dict[str, ast.expr],
    ) -> tuple[Expression, ...]:
        """Read the arguments of a call in the order of its parameters."""
        raise NotImplementedError  # pragma: no cover - the last class of the chain has it

    def _sets_worth(self, node: ast.Call, _: Type | None) -> Expression:
        if not self._plain(node, 2, 3) or not isinstance(node.args[0], ast.Name):
            return self._wrong(node, "sets_worth")
        name = node.args[0].id
        if name not in self.context.sets:
            self.context.add(problems.unknown_name(name, self.at(node.args[0]), self.context.sets, "sets declaration"))
            return self.unknown(node)
        bag = self.read(node.args[1])
        if not isinstance(bag.type, Bag | Unknown):
            self.mismatch(node.args[1], bag.type, "a bag")
        wild = self.read_number(node.args[2]) if len(node.args) == 3 else Const(Number(0, 0), self.at(node), 0)
        return self.made(node, "sets_worth", NUMBER, bag, wild, names=(name,))

    def _spatial(self, node: ast.Call, name: str) -> Expression:
        rest = list(node.args)
        graph = self.context.graphs.get(rest[0].id) if rest and isinstance(rest[0], ast.Name) else None
        if graph is not None and self.names.get(graph.name) is None:
            rest = rest[1:]
        elif rest:
            graph = self._graph_of(rest[0])
        wanted = _takes(name, graph.kind) if graph is not None else ()
        if graph is None or len(wanted) != len(rest) or node.keywords:
            return self._wrong(node, name)
        arguments = tuple(self.read_as(each, type_) for each, type_ in zip(rest, wanted, strict=True))
        return self.made(node, name, _gives(name, graph.kind), *arguments, names=(graph.name,))

    def _graph_of(self, node: ast.expr) -> Graph | None:
        type_ = self.read(node).type
        kind = type_.kind if isinstance(type_, Member | Piece) else None
        return next((each for each in self.context.graphs.values() if each.name == kind), None)


def _name(node: ast.Call) -> str:
    return node.func.id if isinstance(node.func, ast.Name) else ""


def _takes(name: str, kind: str) -> tuple[Type, ...]:
    member = Member(kind)
    return {
        "neighbours": (member,),
        "around": (member, NUMBER),
        "edge": (member,),
        "connected": (member, SetOf(member)),
        "reach": (member, NUMBER, SetOf(member)),
        "distance": (member, member),
    }[name]


def _gives(name: str, kind: str) -> Type:
    member = Member(kind)
    gives: dict[str, Type] = {"around": Maybe(member), "edge": FLAG, "distance": Maybe(NUMBER)}
    return gives.get(name, SetOf(member))
