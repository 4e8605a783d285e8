"""Who knows the result of an expression: everyone, some seats named by a local name, or nobody."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar, TypeAlias

from attrs import define, evolve, field, frozen

from aodrules.check.analyse.bounds import MOST_VALUES
from aodrules.check.analyse.calls import Caller, CallGraph
from aodrules.check.checked import CheckedRules, Field, Modifier, Option, Parameter, Value
from aodrules.check.visit import children, tests_of
from aodrules.lang.expressions import (
    AttributeRead,
    BuiltinCall,
    Comprehension,
    Const,
    Expression,
    FieldRead,
    IfElse,
    ItemAt,
    Local,
    Loop,
    Operation,
    PlaceRead,
    Possible,
    ValueCall,
    WhenPresent,
)
from aodrules.lang.types import Bag, ListOf, Maybe, Nothing, Player
from aodrules.source.spans import Span

Knowers: TypeAlias = frozenset[str]
"""Names of seats: local names of players, or `#0` for the first seat."""
EVERYONE: Knowers = frozenset({"*"})
NOBODY: Knowers = frozenset()


def common(*knowers: Knowers) -> Knowers:
    """Return who knows all of several things."""
    found = EVERYONE
    for each in knowers:
        found = each if found == EVERYONE else found if each == EVERYONE else found & each
    return found


def together(one: Knowers, other: Knowers) -> Knowers:
    """Return who knows one thing or the other."""
    return EVERYONE if EVERYONE in (one, other) else one | other


@frozen
class KnownName:
    """Who knows a local name: what it is, whether it is there at all, and the field it was read from."""

    full: Knowers = EVERYONE
    presence: Knowers = EVERYONE
    source: str | None = None


@frozen(eq=False)
class KnownNames:
    """The local names in one place."""

    caller: Caller
    names: Mapping[str, KnownName] = field(factory=dict)
    alias: Mapping[str, str] = field(factory=dict)
    """Names that stand for the same seat as another."""

    def meaning(self, name: str) -> KnownName:
        """Return who knows a name; everyone knows those of which nothing was said."""
        return self.names.get(name, KnownName())

    def bind(self, name: str, meaning: KnownName) -> KnownNames:
        """Return these names and one more, or one that more or fewer know."""
        return evolve(self, names={**self.names, name: meaning})

    def same_seat(self, name: str, other: str) -> KnownNames:
        """Return these names, of which one is the same seat as another."""
        return self if name == other else evolve(self, alias={**self.alias, name: self.alias.get(other, other)})

    def seat(self, player: Expression | None) -> Knowers:
        """Return the seat that an expression of a player plainly means; nobody if that cannot be told."""
        if isinstance(player, Local) and self.meaning(player.name).full == EVERYONE:
            return frozenset({self.alias.get(player.name, player.name)})
        return frozenset({f"#{player.value}"}) if isinstance(player, Const) else NOBODY


@define(eq=False)
class Knowledge:
    """Who knows what: reads expressions, and remembers the answer for each."""

    rules: CheckedRules
    graph: CallGraph
    seen: dict[Expression, Knowers] = field(factory=dict)
    _values: dict[str, Knowers] = field(factory=dict)
    _options: dict[str, Knowers] = field(factory=dict)
    # Each expression is read once for each set of names: both questions are asked of parts of parts, again and again.
    _results: dict[tuple[Expression, KnownNames], Knowers] = field(factory=dict)
    _there: dict[tuple[Expression, KnownNames], Knowers] = field(factory=dict)
    _inside: dict[tuple[Expression, KnownNames], tuple[Knowers, KnownNames]] = field(factory=dict)

    def prepare(self) -> None:
        """Find out about values and shared options, what is called before what calls it."""
        for caller in reversed(self.graph.order):
            if caller.kind == "value" and caller.name in self.rules.values:
                self._values[caller.name] = self._value(self.rules.values[caller.name])
            elif caller.kind == "possible" and caller.name in self.rules.options:
                self._options[caller.name] = self._option(self.rules.options[caller.name])

    def value(self, name: str) -> Knowers:
        """Return who knows a value if everyone knows its arguments, in terms of its parameters."""
        return self._values.get(name, EVERYONE)

    def _value(self, value: Value) -> Knowers:
        names = KnownNames(Caller("value", value.name))
        found = self.of(value.formula, names)
        for modifier in self.rules.modifiers.get(value.name, ()):
            found = common(found, self._modifier(modifier, names))
        return found & {"*", *(each.name for each in value.parameters)}

    def _modifier(self, modifier: Modifier, names: KnownNames) -> Knowers:
        inside = names.same_seat("owner", "player") if modifier.scope.owner else names
        condition = EVERYONE if modifier.condition is None else self.of(modifier.condition, inside)
        return common(condition, self.of(modifier.amount, inside))

    def _option(self, option: Option) -> Knowers:
        names = KnownNames(Caller("possible", option.id))
        return self.all_of(tests_of(option), names) & {"*", "player", *(each.name for each in option.given)}

    # Results.

    def of(self, expression: Expression, names: KnownNames) -> Knowers:
        """Return who knows the result of an expression."""
        known = self._results.get((expression, names))
        if known is None:
            reader = self._readers.get(type(expression))
            known = reader(self, expression, names) if reader else self.all_of(children(expression), names)
            self._results[expression, names] = self.seen[expression] = known
        return known

    def all_of(self, expressions: Iterable[Expression], names: KnownNames) -> Knowers:
        """Return who knows the results of all of several expressions."""
        return common(*[self.of(each, names) for each in expressions])

    def _local(self, local: Local, names: KnownNames) -> Knowers:
        return names.meaning(local.name).full

    def _field(self, read: FieldRead, names: KnownNames) -> Knowers:
        declared = self.rules.fields.get(read.field)
        indices = self.all_of(read.at, names)
        return indices if declared is None else common(indices, self.held(declared, read.at, names))

    def held(self, declared: Field, at: Iterable[Expression | None], names: KnownNames) -> Knowers:
        """Return who knows what lies in a part of a field."""
        if declared.secret is None:
            return EVERYONE
        if declared.secret != "owner":  # noqa: S105 - a word of the language
            return NOBODY
        players = (each for each, of in zip(at, declared.dimensions, strict=False) if isinstance(of, Player))
        return names.seat(next(players, None))

    def _attribute(self, read: AttributeRead, names: KnownNames) -> Knowers:
        source = self.rules.fields.get(self.source(read.of, names) or "")
        if source is not None and read.attribute in source.shows:
            return common(self.presence(read.of, names), self.all_of(read.at, names))
        return self.all_of((read.of, *read.at), names)

    def _operation(self, operation: Operation, names: KnownNames) -> Knowers:
        if operation.operator in ("==", "!=") and any(isinstance(each.type, Nothing) for each in operation.operands):
            return common(*(self.presence(each, names) for each in operation.operands))
        return self.all_of(operation.operands, names)

    def _builtin(self, call: BuiltinCall, names: KnownNames) -> Knowers:
        if call.builtin in ("size", "len"):
            return common(*(self.presence(each, names) for each in call.arguments))
        return self.all_of(call.arguments, names)

    def _when_present(self, when: WhenPresent, names: KnownNames) -> Knowers:
        found, inside = self._through(when, names)
        return common(found, self.of(when.then, inside))

    def _through(self, when: WhenPresent, names: KnownNames) -> tuple[Knowers, KnownNames]:
        """Return who knows whether there is something, and the names inside."""
        if (when, names) not in self._inside:
            inside = names.bind(when.name, self.name_for(when.of, names))
            self._inside[when, names] = self.presence(when.of, names), inside
        return self._inside[when, names]

    def _comprehension(self, comprehension: Comprehension, names: KnownNames) -> Knowers:
        found, inside = self._rounds(comprehension, names)
        found = common(found, self.of(comprehension.item, inside))
        return found - {loop.name for loop in comprehension.loops}

    def _rounds(self, comprehension: Comprehension, names: KnownNames) -> tuple[Knowers, KnownNames]:
        """Return who knows how often loops go round, and the names inside."""
        if (comprehension, names) not in self._inside:
            self._inside[comprehension, names] = self._entered(comprehension.loops, names)
        return self._inside[comprehension, names]

    def _entered(self, loops: tuple[Loop, ...], names: KnownNames) -> tuple[Knowers, KnownNames]:
        found = EVERYONE
        for loop in loops:
            found = common(found, self.presence(loop.items, names))
            names = names.bind(loop.name, KnownName(self.of(loop.items, names), source=self.source(loop.items, names)))
            found = common(found, self.all_of(loop.conditions, names))
        return found, names

    def _call(self, call: ValueCall, names: KnownNames) -> Knowers:
        value = self.rules.values.get(call.value)
        parameters = [each.name for each in value.parameters] if value else []
        given = dict(zip(parameters, call.arguments, strict=False))
        return common(self.all_of(call.arguments, names), translated(self.value(call.value), given, names))

    def _possible(self, possible: Possible, names: KnownNames) -> Knowers:
        option = self.rules.options.get(possible.option)
        parameters = [each.name for each in option.given] if option else []
        given = {"player": possible.player, **dict(zip(parameters, possible.arguments, strict=False))}
        inside = self._options.get(possible.option, EVERYONE)
        return common(self.all_of(given.values(), names), translated(inside, given, names))

    def _place(self, read: PlaceRead, names: KnownNames) -> Knowers:
        owner = EVERYONE if read.owner is None else self.of(read.owner, names)
        places = self.graph.places.get((names.caller, read.name), frozenset())
        fields = [self.rules.fields[each] for each in sorted(places) if each in self.rules.fields]
        return common(owner, *(self.held(each, [read.owner] * len(each.dimensions), names) for each in fields))

    # Presence: whether there is something, and how many.

    def presence(self, expression: Expression, names: KnownNames) -> Knowers:
        """Return who knows how many items a collection has, or whether there is anything at all."""
        known = self._there.get((expression, names))
        if known is None:
            reader = self._presences.get(type(expression))
            known = reader(self, expression, names) if reader else self.of(expression, names)
            self._there[expression, names] = known
        return known

    def _local_there(self, local: Local, names: KnownNames) -> Knowers:
        return names.meaning(local.name).presence

    def _field_there(self, read: FieldRead, names: KnownNames) -> Knowers:
        if isinstance(read.type, Maybe | Bag | ListOf):
            return self.all_of(read.at, names)
        return self.of(read, names)

    def _place_there(self, read: PlaceRead, names: KnownNames) -> Knowers:
        return EVERYONE if read.owner is None else self.of(read.owner, names)

    def _item_there(self, at: ItemAt, names: KnownNames) -> Knowers:
        return common(self.presence(at.items, names), self.of(at.index, names))

    def _builtin_there(self, call: BuiltinCall, names: KnownNames) -> Knowers:
        if call.builtin in ("list", "first", "last"):
            return common(*(self.presence(each, names) for each in call.arguments))
        return self.of(call, names)

    def _comprehension_there(self, comprehension: Comprehension, names: KnownNames) -> Knowers:
        if comprehension.gives not in ("list", "first", "last", "ranked", "min", "max"):
            return self.of(comprehension, names)
        found, _ = self._rounds(comprehension, names)
        return found - {loop.name for loop in comprehension.loops}

    def _choice_there(self, choice: IfElse, names: KnownNames) -> Knowers:
        ways = [self.presence(each, names) for each in (choice.then, choice.otherwise)]
        return common(self.of(choice.condition, names), *ways)

    def _through_there(self, when: WhenPresent, names: KnownNames) -> Knowers:
        found, inside = self._through(when, names)
        return common(found, self.presence(when.then, inside))

    # Names.

    def name_for(self, expression: Expression, names: KnownNames) -> KnownName:
        """Return who knows a name that is bound to an expression."""
        return KnownName(self.of(expression, names), self.presence(expression, names), self.source(expression, names))

    def source(self, expression: Expression, names: KnownNames) -> str | None:
        """Return the field that an expression plainly reads a piece from."""
        if isinstance(expression, FieldRead):
            return expression.field
        if isinstance(expression, ItemAt):
            return self.source(expression.items, names)
        if isinstance(expression, BuiltinCall) and expression.builtin in ("list", "first", "last"):
            return self.source(expression.arguments[0], names) if expression.arguments else None
        return names.meaning(expression.name).source if isinstance(expression, Local) else None

    def smallest(self, expression: Expression, needed: Knowers) -> Expression:
        """Return the smallest part of an expression, read before, that those who need it do not all know."""
        parts = children(expression)
        if isinstance(expression, Comprehension):
            # What is run over says more than the name it is run over with.
            parts = [*(loop.items for loop in expression.loops), *parts]
        for child in parts:
            found = self.seen.get(child)
            if found is not None and found != EVERYONE and not (needed != EVERYONE and needed <= found):
                return self.smallest(child, needed)
        return expression

    def cause(self, expression: Expression, needed: Knowers) -> Expression:
        """Return the smallest part that those who need it do not know, looked for inside values too."""
        for _ in range(MOST_VALUES):
            expression = self.smallest(expression, needed)
            value = self.rules.values.get(expression.value) if isinstance(expression, ValueCall) else None
            inside = self._secret_inside(value) if value is not None else None
            if inside is None:
                break
            expression = inside
        return expression

    def _secret_inside(self, value: Value) -> Expression | None:
        parts = [value.formula]
        for modifier in self.rules.modifiers.get(value.name, ()):
            parts += [modifier.amount] if modifier.condition is None else [modifier.condition, modifier.amount]
        return next((part for part in parts if self.seen.get(part, EVERYONE) != EVERYONE), None)

    _readers: ClassVar[dict[type, Callable[[Any, Any, KnownNames], Knowers]]] = {
        Local: _local,
        FieldRead: _field,
        AttributeRead: _attribute,
        Operation: _operation,
        BuiltinCall: _builtin,
        WhenPresent: _when_present,
        Comprehension: _comprehension,
        ValueCall: _call,
        Possible: _possible,
        PlaceRead: _place,
    }
    _presences: ClassVar[dict[type, Callable[[Any, Any, KnownNames], Knowers]]] = {
        Local: _local_there,
        FieldRead: _field_there,
        PlaceRead: _place_there,
        ItemAt: _item_there,
        BuiltinCall: _builtin_there,
        Comprehension: _comprehension_there,
        IfElse: _choice_there,
        WhenPresent: _through_there,
    }


def translated(knowers: Knowers, given: Mapping[str, Expression], names: KnownNames) -> Knowers:
    """Return who knows something, said in terms of parameters, in terms of what is given for them."""
    if knowers == EVERYONE:
        return EVERYONE
    seats = [names.seat(given[each]) if each in given else frozenset({each}) for each in sorted(knowers)]
    return frozenset().union(*seats) if seats else NOBODY


def inward(knowers: Knowers, pairs: Sequence[tuple[Parameter, Expression]], names: KnownNames) -> Knowers:
    """Return who knows something, in terms of the parameters that the seats are given for."""
    if knowers == EVERYONE:
        return EVERYONE
    seats = ((parameter.name, names.seat(given)) for parameter, given in pairs if isinstance(parameter.type, Player))
    return frozenset(name for name, seat in seats if seat & knowers)


def seats_of(knowers: Knowers, span: Span) -> tuple[Expression, ...]:
    """Return some seats, of which each is named, as expressions."""
    return tuple(
        Const(Player(), span, int(name[1:])) if name.startswith("#") else Local(Player(), span, name)
        for name in sorted(knowers)
    )


def who_knows(knowers: Knowers) -> str:
    """Return what a message says about who knows something."""
    names = sorted(name for name in knowers if not name.startswith("#"))
    if not names:
        return "known to nobody"
    # A place that is given has what it is indexed by under its name and a number.
    place, is_index, _ = names[0].partition(":")
    return f"known to the owner of `{place}` alone" if is_index else f"known to `{place}` alone"
