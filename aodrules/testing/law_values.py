"""What a law reads, and what stands in the part of it that does not hold, as it could be written and with its value."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeAlias

from attrs import define, evolve, field, frozen

from aodrules.check.checked import CheckedRules
from aodrules.check.context import Context
from aodrules.check.from_ruleset import declared
from aodrules.check.visit import children, walk
from aodrules.interpreter.evaluation import Evaluator
from aodrules.lang.expressions import (
    AttributeRead,
    BagCount,
    BuiltinCall,
    Comprehension,
    Const,
    Expression,
    FieldRead,
    IfElse,
    IsKind,
    ItemAt,
    Knows,
    LimitUsed,
    Local,
    Operation,
    PieceMember,
    PieceOwner,
    PlaceRead,
    Possible,
    ValueCall,
    WhenPresent,
)
from aodrules.lang.types import Flag, ListOf, Maybe, Member, Type
from aodrules.play.ids import IdTable
from aodrules.play.rules_context import RulesContext
from aodrules.reasons import format_value
from aodrules.source.diagnostics import Report


def open_context(book: RulesContext) -> Context:
    """Return what the conditions of properties and scenarios are read in: for them there are no secrets."""
    context = declared(book.ruleset, Report())
    context.fields = {name: evolve(one, secret=None) for name, one in book.checked.fields.items()}
    return context


@define(eq=False)
class Reads:
    """Finds out what expressions over some rules read, values and their modifiers included."""

    rules: CheckedRules
    _of_value: dict[str, frozenset[str] | None] = field(factory=dict, init=False)

    def fields(self, expressions: Iterable[Expression | None]) -> frozenset[str] | None:
        """Return the fields that expressions read, as far as these are there; nothing if that cannot be told."""
        found: set[str] = set()
        for part in (part for each in expressions if each is not None for part in walk(each)):
            if isinstance(part, FieldRead):
                found.add(part.field)
            elif isinstance(part, LimitUsed):
                found.add(part.limit)
            elif isinstance(part, ValueCall):
                inner = self._value(part.value)
                if inner is None:
                    return None
                found |= inner
            elif isinstance(part, Knows | PlaceRead | Possible) or _asks_who_won(part):
                return None
        return frozenset(found)

    def _value(self, name: str) -> frozenset[str] | None:
        if name not in self._of_value:
            modifiers = self.rules.modifiers.get(name, ())
            changes = (part for each in modifiers for part in (each.amount, each.condition))
            inner = self.fields([self.rules.values[name].formula, *changes])
            scopes = {each.scope.field for each in modifiers if each.scope.field is not None}
            self._of_value[name] = None if inner is None else inner | scopes
        return self._of_value[name]


def _asks_who_won(part: Expression) -> bool:
    return isinstance(part, BuiltinCall) and part.builtin == "won"


Bound: TypeAlias = Mapping[str, Any]
_MOST = 12
"""So many values are told; more would hide what counts."""
_NAMED = (
    FieldRead, AttributeRead, BagCount, ItemAt, ValueCall, BuiltinCall, PieceMember, PieceOwner, Local, Comprehension,
)  # fmt: skip


@frozen(eq=False)
class PartValue:
    """A part of a law as it could be written, and what it was worth."""

    text: str
    type: Type
    value: Any


def format_values(names: IdTable, found: tuple[PartValue, ...]) -> tuple[str, ...]:
    """Return what parts of a law were worth, each once: `player` is red."""
    lines = (f"`{each.text}` is {format_value(names.readable(each.type, each.value))}" for each in found)
    return tuple(dict.fromkeys(lines))[:_MOST]


def values_of(now: Evaluator, law: Expression, names: Bound) -> tuple[PartValue, ...]:
    """Return what stands in the part of a law that does not hold, with what it is worth now; what it is about first."""
    about = [part for part in walk(law) if isinstance(part, Local) and part.name in names]
    given = [PartValue(part.name, part.type, names[part.name]) for part in about]
    return (*given, *_LawTeller(now).failing(law, names))


@define(eq=False)
class _LawTeller:
    """Looks for what makes a law fail in one state."""

    now: Evaluator

    def failing(self, part: Expression, names: Bound) -> Iterator[PartValue]:
        """Iterate over the values in a condition that does not hold."""
        if isinstance(part, Operation) and part.operator == "and":
            first = next((each for each in part.operands if not self.now.value(each, names)), part.operands[0])
            yield from self.failing(first, names)
        elif isinstance(part, Comprehension) and part.gives == "all":
            yield from self._counterexample(part, names)
        elif isinstance(part, IfElse):
            yield from self._named_parts(part.condition, names)
            yield from self.failing(part.then if self.now.value(part.condition, names) else part.otherwise, names)
        else:
            yield from self._named_parts(part, names)

    def _counterexample(self, part: Comprehension, names: Bound) -> Iterator[PartValue]:
        """Iterate over the values for the first items of which it does not hold, the items first."""
        for run in self.now.runs(part, names):
            if not self.now.value(part.item, run):
                for loop in part.loops:
                    yield PartValue(loop.name, loop.item, run[loop.name])
                yield from self.failing(part.item, run)
                return

    def _named_parts(self, part: Expression, names: Bound) -> Iterator[PartValue]:
        """Iterate over everything with a name in an expression, as large as it stands there."""
        if isinstance(part, _NAMED):
            text = _Writer(self.now.tables.rules).text(part)
            yield PartValue(text, part.type, self.now.value(part, names))
        elif not isinstance(part, WhenPresent):
            for child in children(part):
                yield from self._named_parts(child, names)


@define(eq=False)
class _Writer:
    """Writes expressions as they could stand in rules; their own text may be folded over many lines."""

    rules: CheckedRules

    def text(self, part: Expression) -> str:
        write = _FORMS.get(type(part))
        return "..." if write is None else write(self, part)

    def const(self, part: Const) -> str:
        return self._literal(part.type, part.value)

    def _literal(self, type_: Type, value: Any) -> str:
        if value is None:
            return "none"
        if isinstance(type_, Maybe):
            return self._literal(type_.of, value)
        if isinstance(type_, ListOf):
            return self._list(type_, tuple(value))
        if isinstance(type_, Member):
            return str(self.rules.family(type_.kind).members[value])
        return str(bool(value)).lower() if isinstance(type_, Flag) else str(value)

    def _list(self, type_: ListOf, value: tuple[int, ...]) -> str:
        """Write a list, or the plural of its kind if all members are in it."""
        kind = self.rules.kinds[type_.of.kind] if isinstance(type_.of, Member) else None
        if kind is not None and value == kind.places:
            return kind.plural
        return f"[{', '.join(self._literal(type_.of, each) for each in value)}]"

    def field(self, part: FieldRead) -> str:
        holder, _, name = part.field.partition(".")
        if holder == "table":
            return f"{name}{self.indexes(part.at)}"
        if not part.at:  # what a single member remembers
            return part.field
        owner, *others = part.at
        return f"{self.text(owner)}.{name}{self.indexes(tuple(others))}"

    def indexes(self, at: tuple[Expression, ...]) -> str:
        return "".join(f"[{self.text(each)}]" for each in at)

    def call(self, name: str, arguments: tuple[Expression, ...], names: tuple[str, ...] = ()) -> str:
        """Write a call; what has no arguments is a name of its own."""
        inner = ", ".join([*names, *map(self.text, arguments)])
        return f"{name}({inner})" if inner else name

    def operation(self, part: Operation) -> str:
        sign = {"negate": "-", "union": "|", "intersection": "&", "difference": "-"}.get(part.operator, part.operator)
        operands = [self.text(each) for each in part.operands]
        return f"{sign} {operands[0]}" if len(operands) == 1 else f" {sign} ".join(operands)

    def builtin(self, part: BuiltinCall) -> str:
        is_written = part.builtin not in ("as_owner", "as_side")
        return self.call(part.builtin, part.arguments, part.names) if is_written else self.text(part.arguments[0])

    def comprehension(self, part: Comprehension) -> str:
        loops = []
        for loop in part.loops:
            loops.append(f"for {loop.name} in {self.text(loop.items)}")
            loops += [f"if {self.text(condition)}" for condition in loop.conditions]
        return f"{part.gives}({self.text(part.item)} {' '.join(loops)})"


_FORMS: dict[type, Callable[[_Writer, Any], str]] = {
    Const: _Writer.const,
    Local: lambda _, part: str(part.name),
    FieldRead: _Writer.field,
    AttributeRead: lambda to, part: f"{to.text(part.of)}.{part.attribute.partition('.')[2]}{to.indexes(part.at)}",
    BagCount: lambda to, part: f"{to.text(part.bag)}[{to.text(part.member)}]",
    ItemAt: lambda to, part: f"{to.text(part.items)}[{to.text(part.index)}]",
    PieceMember: lambda to, part: f"{to.text(part.piece)}.{part.type}",
    PieceOwner: lambda to, part: f"{to.text(part.piece)}.owner",
    ValueCall: lambda to, part: to.call(part.value, part.arguments) if part.arguments else f"{part.value}()",
    BuiltinCall: lambda to, part: to.builtin(part),
    Operation: _Writer.operation,
    Comprehension: _Writer.comprehension,
    IsKind: lambda to, part: f"{to.text(part.of)} is {part.kind}",
    IfElse: lambda to, part: f"{to.text(part.then)} if {to.text(part.condition)} else {to.text(part.otherwise)}",
}
