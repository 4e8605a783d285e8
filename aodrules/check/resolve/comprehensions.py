"""`sum(x for y in z if ...)` and its kin, and loops over what they run over."""

from __future__ import annotations

import ast

from aodrules.check import problems
from aodrules.check.resolve.narrowing import facts
from aodrules.check.resolve.paths import PathReader
from aodrules.lang.expressions import BuiltinCall, Comprehension, Const, Expression, Local, Loop
from aodrules.lang.types import (
    FLAG,
    NUMBER,
    UNKNOWN,
    Bag,
    Flag,
    HiddenPiece,
    ListOf,
    Member,
    Number,
    Piece,
    Player,
    SetOf,
    Type,
    Unknown,
    item_of,
    maybe,
    present,
)

OVER_ITEMS = ("sum", "count", "any", "all", "min", "max", "first", "last", "list", "set", "ranked")
_NEED_CONDITIONS = ("any", "all")


class ComprehensionReader(PathReader):
    """Reads aggregations over collections."""

    def read_over_items(self, gives: str, node: ast.Call) -> Expression:
        """Read an aggregation: over a generator, or over the items of one collection."""
        argument = node.args[0]
        if isinstance(argument, ast.GeneratorExp):
            return self._over_generator(gives, node, argument)
        if gives in ("count", "any", "all", "ranked"):
            example = f"{gives}(... for x in {self.text(argument)})"
            self.context.add(
                problems.wrong_arguments(f"`{gives}` runs over items", self.at(node), f"write `{example}`")
            )
            return self.unknown(node)
        return self._over_collection(gives, node, argument)

    def _over_collection(self, gives: str, node: ast.Call, argument: ast.expr) -> Expression:
        items = self.read_items(argument)
        name = f"item:{node.col_offset}"
        item = Local(item_of(items.type), self.at(argument), name)
        return self.aggregate(gives, node, item, (Loop(name, item.type, items, ()),))

    def _over_generator(self, gives: str, node: ast.Call, generator: ast.GeneratorExp) -> Expression:
        reader, loops = self, []
        for clause in generator.generators:
            reader, loop = reader._clause(clause)
            loops.append(loop)
        item = reader.read(generator.elt)
        return reader.aggregate(gives, node, item, tuple(loops), generator.elt)

    def _clause(self, clause: ast.comprehension) -> tuple[ComprehensionReader, Loop]:
        if not isinstance(clause.target, ast.Name):
            self.context.add(problems.invalid_expression("a loop has one name", self.at(clause.target)))
            return self, Loop("?", UNKNOWN, self.unknown(clause.target), ())
        items = self.read_items(clause.iter)
        name, type_ = clause.target.id, item_of(items.type)
        reader = self.with_names(self.bind_loop(clause.target, name, type_, items))
        conditions = []
        for condition in clause.ifs:
            conditions.append(reader.read_condition(condition))
            reader = reader.with_names(reader.names.narrowed(facts(reader, condition, truth=True)))
        narrowed = reader.names.names[name].type
        return reader, Loop(name, narrowed, items, tuple(conditions))

    def read_items(self, node: ast.expr) -> Expression:
        """Read a part that one can run over: a list, set, bag or whole kind."""
        items = self.read(node)
        if not isinstance(items.type, ListOf | SetOf | Bag | Unknown):
            self.mismatch(node, items.type, "a collection")
            return self.unknown(node)
        return items

    def aggregate(
        self, gives: str, node: ast.Call, item: Expression, loops: tuple[Loop, ...], where: ast.expr | None = None
    ) -> Expression:
        """Return the aggregation of an item over loops."""
        if isinstance(item.type, Unknown):
            return Const(UNKNOWN, self.at(node), 0)
        if gives == "count" and not isinstance(item.type, Flag):
            item = Const(FLAG, item.span, value=True)
        type_ = self._result(gives, item.type, loops)
        if type_ is None:
            self.mismatch(where or node, item.type, _wanted(gives))
            return self.unknown(node)
        return Comprehension(type_, self.at(node), gives, item, loops)

    def _result(self, gives: str, item: Type, loops: tuple[Loop, ...]) -> Type | None:
        if gives in ("any", "all"):
            return FLAG if isinstance(item, Flag) else None
        if gives in ("sum", "count"):
            return NUMBER if isinstance(present(item), Number | Flag) else None
        if gives in ("min", "max"):
            return self._extreme(item, loops)
        if gives in ("first", "last"):
            return item if _never_empty(loops) else maybe(item)
        if gives == "ranked":
            return ListOf(loops[0].item) if isinstance(item, Number) and len(loops) == 1 else None  # type: ignore[arg-type]
        if gives == "set":
            return SetOf(item) if isinstance(item, Member | Player) else None
        return ListOf(item) if isinstance(item, Number | Flag | Member | Player | Piece | HiddenPiece) else None

    def _extreme(self, item: Type, loops: tuple[Loop, ...]) -> Type | None:
        ordered = isinstance(item, Member) and self.context.kinds[item.kind].ordered
        if not isinstance(item, Number) and not ordered:
            return None
        return item if _never_empty(loops) else maybe(item)


def _never_empty(loops: tuple[Loop, ...]) -> bool:
    """Whether at least one item is certain: players, seats and whole kinds, without conditions."""
    return all(not loop.conditions and _is_whole(loop.items) for loop in loops)


def _is_whole(items: Expression) -> bool:
    if isinstance(items, BuiltinCall):
        return items.builtin in ("players", "seats", "seats_from")
    return isinstance(items, Const) and bool(items.value)


def _wanted(gives: str) -> str | Type:
    if gives in _NEED_CONDITIONS:
        return FLAG
    if gives in ("sum", "min", "max", "ranked"):
        return NUMBER
    return "a member or player" if gives == "set" else "a single thing"
