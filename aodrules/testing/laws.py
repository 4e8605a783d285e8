"""Hold a running game to properties: look on while it is played, and note every law that is broken with its values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeAlias

from attrs import define, field, frozen

from aodrules.check.checked import CheckedRules, Modifier
from aodrules.check.steps import AnyStep, Call, Step
from aodrules.check.visit import children, walk
from aodrules.facts.state import PlainState
from aodrules.interpreter.evaluation import Evaluator
from aodrules.interpreter.interpreter import Interpreter
from aodrules.interpreter.options import Locals
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
from aodrules.lang.types import NUMBER, PLAYER, Flag, ListOf, Maybe, Member, Type
from aodrules.play.ids import IdTable
from aodrules.reasons import format_value
from aodrules.testing.observers import GameObserver
from aodrules.testing.properties import Property


@define(eq=False)
class Reads:
    """Finds out what expressions over some rules read, values and their modifiers included."""

    rules: CheckedRules
    _of_value: dict[str, frozenset[str] | None] = field(factory=dict, init=False)

    def fields(self, expressions: Iterable[Expression]) -> frozenset[str] | None:
        """Return the fields that expressions read; nothing if that cannot be told."""
        found: set[str] = set()
        for part in (part for each in expressions for part in walk(each)):
            if isinstance(part, FieldRead):
                found.add(part.field)
            elif isinstance(part, LimitUsed):
                found.add(part.limit)
            elif isinstance(part, ValueCall):
                inner = self._value(part.value)
                if inner is None:
                    return None
                found |= inner
            elif isinstance(part, Knows | PlaceRead | Possible):
                return None
        return frozenset(found)

    def _value(self, name: str) -> frozenset[str] | None:
        if name not in self._of_value:
            modifiers = self.rules.modifiers.get(name, ())
            parts = [self.rules.values[name].formula, *(part for each in modifiers for part in _parts(each))]
            inner = self.fields(parts)
            scopes = {each.scope.field for each in modifiers if each.scope.field is not None}
            self._of_value[name] = None if inner is None else inner | scopes
        return self._of_value[name]


def _parts(modifier: Modifier) -> Iterator[Expression]:
    yield modifier.amount
    if modifier.condition is not None:
        yield modifier.condition


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
        """Return an expression as it could be written."""
        write = _FORMS.get(type(part))
        return "..." if write is None else write(self, part)

    def const(self, part: Const) -> str:
        """Write what was written out itself."""
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
        """Write a field of the table, of a player or of a member."""
        holder, _, name = part.field.partition(".")
        if holder == "table":
            return f"{name}{self.indexes(part.at)}"
        owner, *others = part.at
        return f"{self.text(owner)}.{name}{self.indexes(tuple(others))}"

    def indexes(self, at: tuple[Expression, ...]) -> str:
        """Write what stands in brackets."""
        return "".join(f"[{self.text(each)}]" for each in at)

    def call(self, name: str, arguments: tuple[Expression, ...], names: tuple[str, ...] = ()) -> str:
        """Write a call; what has no arguments is a name of its own."""
        inner = ", ".join([*names, *map(self.text, arguments)])
        return f"{name}({inner})" if inner else name

    def operation(self, part: Operation) -> str:
        """Write an operator with its operands."""
        sign = {"negate": "-", "union": "|", "intersection": "&", "difference": "-"}.get(part.operator, part.operator)
        operands = [self.text(each) for each in part.operands]
        return f"{sign} {operands[0]}" if len(operands) == 1 else f" {sign} ".join(operands)

    def comprehension(self, part: Comprehension) -> str:
        """Write a loop over items."""
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
    BuiltinCall: lambda to, part: to.call(part.builtin, part.arguments, part.names),
    Operation: _Writer.operation,
    Comprehension: _Writer.comprehension,
    IsKind: lambda to, part: f"{to.text(part.of)} is {part.kind}",
    IfElse: lambda to, part: f"{to.text(part.then)} if {to.text(part.condition)} else {to.text(part.otherwise)}",
}


@frozen(eq=False)
class Violation:
    """A law that was broken, and after how many actions."""

    law: Property
    actions: int
    values: tuple[PartValue, ...] = ()
    """What the names of the part that does not hold were worth."""


@define(eq=False)
class Laws(GameObserver):
    """Looks on while a game is played. At each question and at the end it must be asked to judge."""

    properties: tuple[Property, ...]
    breaches: list[Violation] = field(factory=list, init=False)
    tested: Counter[str] = field(factory=Counter, init=False)
    """How often each property had something to say."""
    actions: int = field(default=-1, init=False)
    """How many actions were taken; -1 while the game is being set up."""
    _interpreter: Interpreter | None = field(default=None, init=False)
    _before: PlainState | None = field(default=None, init=False)
    _by_subject: dict[str, list[Property]] = field(factory=dict, init=False)
    _needs_before: bool = field(default=False, init=False)
    _still: dict[str, int] = field(factory=dict, init=False)
    """How often in a row each law was tested while nothing that it reads changed."""
    _reads: dict[str, frozenset[str] | None] = field(factory=dict, init=False)
    _counts: Counter[tuple[str, str | None, object]] = field(factory=Counter, init=False)
    """How often an answer was given: by law, step and player."""

    def __attrs_post_init__(self) -> None:
        for law in self.properties:
            for subject in law.subjects:
                self._by_subject.setdefault(subject, []).append(law)
        self._needs_before = any(law.moment != "finally" for law in self.properties)

    def watch(self, interpreter: Interpreter) -> None:
        """Begin to look on, before anything has been done."""
        self._interpreter = interpreter
        self._before = interpreter.plain()
        reads = Reads(interpreter.tables.rules)
        self._reads = {
            law.id: reads.fields([law.law, *([] if law.condition is None else [law.condition])])
            for law in self.properties
            if law.moment in ("always", "whenever")
        }

    def check(self) -> None:
        """Test what must hold at a question or at the end, and what must hold of the change since the last one."""
        interpreter = self._watched()
        is_over = interpreter.pending is None
        now = Evaluator(interpreter.tables, interpreter.state, self._before)
        changed = self._changed_fields(interpreter.state)
        for law in self.properties:
            if self._is_settled(law, changed):
                self.tested[law.id] += law.moment == "always"
            elif self._speaks(law, now, is_over=is_over):
                self._test(law, now, {})
        if self._needs_before:
            self._before = interpreter.plain()
        self.actions += 1

    def _changed_fields(self, state: PlainState) -> frozenset[str] | None:
        """Return the fields that changed since the last question; nothing if anything may have."""
        before = self._before
        if before is None or self.actions < 0 or before.left != state.left:
            return None
        return frozenset(name for name, cells in state.fields.items() if cells != before.fields[name])

    def _is_settled(self, law: Property, changed: frozenset[str] | None) -> bool:
        """Whether a law was tested when all that it reads was, and had been, as it is now."""
        reads = self._reads.get(law.id)
        if reads is None or changed is None or reads & changed:
            self._still[law.id] = 0
            return False
        self._still[law.id] = self._still.get(law.id, 0) + 1
        # A law of a change is asked once more: what it saw last was the change, and now nothing changes.
        return self._still[law.id] > (law.moment == "whenever")

    def _speaks(self, law: Property, now: Evaluator, *, is_over: bool) -> bool:
        """Whether a law has something to say at a question or at the end."""
        if law.moment == "whenever":
            return self.actions >= 0 and law.condition is not None and bool(now.value(law.condition, {}))
        return law.moment == "always" or (law.moment == "finally" and is_over)

    def _watched(self) -> Interpreter:
        assert self._interpreter is not None  # `watch` comes first
        return self._interpreter

    def _test(self, law: Property, now: Evaluator, names: Locals) -> None:
        self.tested[law.id] += 1
        if not now.value(law.law, names):
            self._note(law, now, names)

    def _note(self, law: Property, now: Evaluator, names: Locals, *more: PartValue) -> None:
        if not any(violation.law is law for violation in self.breaches):
            self.breaches.append(Violation(law, self.actions + 1, more or values_of(now, law.law, names)))

    def _at_moment(self, subject: str, names: Locals) -> None:
        for law in self._by_subject.get(subject, ()):
            interpreter = self._watched()
            now = Evaluator(interpreter.tables, interpreter.state, self._before)
            self._test(law, now, names)
            self._count(law, now, names)

    def _count(self, law: Property, now: Evaluator, names: Locals) -> None:
        """Count an answer or event, and note if it came too often."""
        for bound in law.bounds:
            key = (law.id, bound.step, names.get("player"))
            self._counts[key] += 1
            most = now.value(bound.times, names)
            if self._counts[key] > most:
                times = PartValue("how often it came", NUMBER, self._counts[key])
                who = [PartValue("player", PLAYER, names["player"])] if "player" in names else []
                counted = [*who, times, PartValue("limit", NUMBER, most)]
                self._note(law, now, names, *counted)

    # What a game tells those who look on.

    def on_step(self, step: AnyStep, _names: Locals) -> None:
        """Begin to count anew what is counted while this step lasts."""
        if self._counts and isinstance(step, Step | Call):
            place = step.address if isinstance(step, Step) else step.verb
            for key in [key for key in self._counts if key[1] == place]:
                del self._counts[key]

    def after_option(self, _decision: str, option: str, names: Locals) -> None:
        """Test the laws of an answer when its steps are done."""
        self._at_moment(option, names)

    def on_event(self, event: str, names: Locals) -> None:
        """Test the laws of an event when everybody has reacted."""
        self._at_moment(event, names)
