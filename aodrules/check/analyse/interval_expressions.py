"""Where the result of an expression can lie: one interval for every number, one size for every collection."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from attrs import define, evolve, field, frozen

from aodrules.check import analysis_problems
from aodrules.check.analyse.bounds import DEEPEST, MOST_CONTEXTS
from aodrules.check.analyse.constants import is_number
from aodrules.check.analyse.held_members import rounds_by_member, sum_by_member
from aodrules.check.analyse.holders import most_holders
from aodrules.check.analyse.sizes import Sizes
from aodrules.check.checked import CheckedRules, Modifier, Option, Parameter, Value
from aodrules.check.steps import Argument, FieldPlace, ParameterPlace
from aodrules.check.visit import Shapes, children, comparisons, text_of, walk
from aodrules.lang.builtins.table import BUILTINS, MEANINGS
from aodrules.lang.expressions import (
    AfterVerb,
    AttributeRead,
    BagCount,
    BuiltinCall,
    Comprehension,
    Const,
    Expression,
    FieldRead,
    IfElse,
    ItemAt,
    LimitUsed,
    Local,
    Loop,
    Operation,
    Possible,
    ValueCall,
    WhenPresent,
)
from aodrules.lang.interval import ANY, SOME, SWAPPED, Interval, between, exactly, hull, overlap, side, times, up_to
from aodrules.lang.modifiers import MODIFIERS
from aodrules.lang.operators import OPERATIONS
from aodrules.lang.types import Bag, ListOf, Member, Number, Player, SetOf, item_of, present
from aodrules.source.diagnostics import Diagnostic, Label, Report
from aodrules.source.spans import Span


@frozen(eq=False)
class RangeFacts:
    """What is known in one place: of each name, and of what tests have shown."""

    names: Mapping[str, Interval] = field(factory=dict)
    shown: Mapping[int, Interval] = field(factory=dict)
    """By shape of the expression that was tested."""

    def bind(self, name: str, interval: Interval) -> RangeFacts:
        """Return this with one more name."""
        return evolve(self, names={**self.names, name: interval})


NOTHING_KNOWN = RangeFacts()


@define(eq=False)
class IntervalEvaluator:
    """The intervals of a ruleset's expressions, found by reading each in all the ways it is called."""

    rules: CheckedRules
    sizes: Sizes
    report: Report
    found: dict[Expression, Interval] = field(factory=dict)
    """The hull over all calls."""
    is_silent: bool = False
    """While a first guess is tried: nothing is reported."""
    _shapes: Shapes = field(factory=Shapes)
    _results: dict[tuple[bool, str, tuple[Interval, ...]], Interval] = field(factory=dict)
    _contexts: dict[tuple[bool, str], int] = field(factory=dict)
    _by_member: dict[Comprehension, Interval | None] = field(factory=dict)
    _rounds: dict[Loop, Interval] = field(factory=dict)
    _put_off: dict[str, Value] = field(factory=dict)
    _depth: int = 0
    changed: frozenset[str] = frozenset()
    """`let` names that some step changes."""

    def read(self, expression: Expression, known: RangeFacts) -> Interval:
        """Return where the result of an expression lies, and check what is inside it."""
        self._depth += 1
        reader = self._readers.get(type(expression))
        interval = reader(self, expression, known) if reader else self._other(expression, known)
        if known.shown and not isinstance(expression, Const):
            shown = known.shown.get(self._shapes.of(expression))
            interval = overlap(interval, shown) if shown else interval
        self._depth -= 1
        before = self.found.get(expression)
        self.found[expression] = interval if before is None else hull(before, interval)
        return interval

    def tell(self, problem: Diagnostic) -> None:
        """Report a problem, unless this is a first guess."""
        if not self.is_silent:
            self.report.add(problem)

    def need_bound(self, expression: Expression, interval: Interval, use: str) -> Interval:
        """Check that a number has an upper end; return it with one."""
        if interval.high is not None or interval.quiet:
            return interval if interval.high is not None else evolve(interval, high=0)
        smallest = self._smallest_unbounded(expression)
        needed = Label(expression.span, use) if smallest is not expression else None
        self.tell(analysis_problems.unbounded_number(text_of(smallest.span), smallest.span, use, needed))
        return evolve(interval, high=0, quiet=True)

    def _smallest_unbounded(self, expression: Expression) -> Expression:
        for child in children(expression):
            if isinstance(child.type, Number) and child in self.found and self.found[child].high is None:
                return self._smallest_unbounded(child)
        return expression

    def finish(self) -> None:
        """Look into the values that were called too deep inside others."""
        done: set[str] = set()
        while set(self._put_off) - done:
            name = min(set(self._put_off) - done)
            done.add(name)
            value = self._put_off[name]
            self._result(value, tuple(self.sizes.of_type(each.type) for each in value.parameters))

    # Names, fields, attributes.

    def _other(self, expression: Expression, known: RangeFacts) -> Interval:
        for child in children(expression):
            self.read(child, known)
        return self.sizes.of_type(expression.type)

    def _const(self, const: Const, _: RangeFacts) -> Interval:
        if isinstance(const.value, tuple):
            numbers = [exactly(each) for each in const.value if is_number(each)]
            is_numbers = numbers and not isinstance(item_of(const.type), Member | Player)
            return Interval(len(const.value), len(const.value), hull(*numbers) if is_numbers else ANY)
        if isinstance(const.type, Member | Player) and is_number(const.value):
            return Interval(member=const.value)
        if isinstance(const.type, Number) and is_number(const.value):
            return exactly(const.value)
        return self.sizes.of_type(const.type)

    def _local(self, local: Local, known: RangeFacts) -> Interval:
        return known.names.get(local.name) or self.sizes.of_type(local.type)

    def _field(self, read: FieldRead, known: RangeFacts) -> Interval:
        self._other(read, known)
        field_ = self.rules.fields.get(read.field)
        return self.sizes.field(field_) if field_ else self.sizes.of_type(read.type)

    def _attribute(self, read: AttributeRead, known: RangeFacts) -> Interval:
        of = self.read(read.of, known)
        at = [self.read(each, known).member for each in read.at]
        if of.member is not None:
            return self.sizes.attribute(read.attribute, of.member, at[0] if at else None)
        inner = present(read.of.type)
        if not isinstance(present(read.type), Number) or not isinstance(inner, Member):
            return self.sizes.of_type(read.type)
        return self.sizes.attribute_of_kind(read.attribute, inner.kind)

    def _bag_count(self, count: BagCount, known: RangeFacts) -> Interval:
        held = self.read(count.bag, known)
        member = self.read(count.member, known).member
        if not isinstance(count.bag.type, Bag):
            return SOME
        return overlap(self.sizes.count_of(count.bag.type.kind, member), up_to(held.high))

    def _item_at(self, at: ItemAt, known: RangeFacts) -> Interval:
        items = self.read(at.items, known)
        self.need_bound(at.index, self.read(at.index, known), "an index needs an upper bound")
        return items.item or ANY

    def _limit(self, used: LimitUsed, known: RangeFacts) -> Interval:
        self._other(used, known)
        counter = self.rules.fields.get(used.limit)
        return self.sizes.field(counter) if counter else up_to(None)

    # Operators.

    def _operation(self, operation: Operation, known: RangeFacts) -> Interval:
        operator = OPERATIONS[operation.operator]
        if operator.deciding is not None:
            for operand in operation.operands:
                self.read(operand, known)
                known = self.narrowed(known, operand, is_true=not operator.deciding)
            return ANY
        operands = [self.read(each, known) for each in operation.operands]
        if operator.interval is None or not isinstance(operation.type, Number | SetOf | ListOf):
            return self.sizes.of_type(operation.type)
        if operator.divides:
            self._check_divisor(operation.operands[1], operands[1])
        found = operator.interval(self.sizes, operation, *operands)
        return self._grown(operation.span, found, *operands) if isinstance(operation.type, Number) else found

    def _check_divisor(self, divisor: Expression, interval: Interval) -> None:
        if interval.holds(0) and not interval.quiet:
            text = text_of(divisor.span)
            self.tell(analysis_problems.division_by_zero(text, divisor.span, interval.low, interval.high))

    def _grown(self, span: Span, result: Interval, *operands: Interval) -> Interval:
        """Report a number that outgrows all bounds though what it is made of does not."""
        if result.is_bounded or not all(each.is_bounded for each in operands):
            return result
        self.tell(analysis_problems.unbounded_number(text_of(span), span, "grows too large"))
        return evolve(result, quiet=True)

    def _if_else(self, choice: IfElse, known: RangeFacts) -> Interval:
        self.read(choice.condition, known)
        then = self.read(choice.then, self.narrowed(known, choice.condition, is_true=True))
        otherwise = self.read(choice.otherwise, self.narrowed(known, choice.condition, is_true=False))
        return hull(then, otherwise)

    def _when_present(self, when: WhenPresent, known: RangeFacts) -> Interval:
        return self.read(when.then, known.bind(when.name, self.read(when.of, known)))

    # Tests.

    def narrowed(self, known: RangeFacts, condition: Expression, *, is_true: bool) -> RangeFacts:
        """Return what is known once a condition, which was read before, has held or failed."""
        for one, sign, other in comparisons(condition, is_true=is_true):
            if sign in SWAPPED and not isinstance(one, Const) and isinstance(present(one.type), Number):
                known = self._compared(known, one, sign, other)
        return known

    def lasting(self, known: RangeFacts, condition: Expression, *, is_true: bool) -> RangeFacts:
        """Return what stays known while steps are done: nothing of what they may change."""
        if any(not _lasts(part, self.changed) for part in walk(condition)):
            parts = condition.operands if isinstance(condition, Operation) and condition.operator == "and" else ()
            for part in parts if is_true else ():
                known = self.lasting(known, part, is_true=True)
            return known
        return self.narrowed(known, condition, is_true=is_true)

    def _compared(self, known: RangeFacts, one: Expression, sign: str, other: Expression) -> RangeFacts:
        if one not in self.found:
            return known
        limit = self.found.get(other, ANY)
        shape = self._shapes.of(one)
        before = known.shown.get(shape) or self.found[one]
        return evolve(known, shown={**known.shown, shape: overlap(before, side(sign, limit, before))})

    # Loops.

    def _comprehension(self, comprehension: Comprehension, known: RangeFacts) -> Interval:
        rounds = exactly(1)
        for loop in comprehension.loops:
            size, known = self._enter(loop, known)
            rounds = times(rounds, size)
        item = self.read(comprehension.item, known)
        found = self._gathered(comprehension, rounds, item)
        if comprehension not in self._by_member:
            self._by_member[comprehension] = sum_by_member(comprehension, self.rules, self.sizes)
        closer = self._by_member[comprehension]
        return found if closer is None else overlap(found, closer)

    def _enter(self, loop: Loop, known: RangeFacts) -> tuple[Interval, RangeFacts]:
        """Return how many rounds a loop goes and what is known inside it."""
        items = self.read(loop.items, known)
        inside = known.bind(loop.name, items.item or ANY)
        for condition in loop.conditions:
            self.read(condition, inside)
            inside = self.narrowed(inside, condition, is_true=True)
        if not loop.conditions:
            return items, inside
        if loop not in self._rounds:
            self._rounds[loop] = rounds_by_member(loop, self.rules, self.sizes)
        most = most_holders(self.sizes, loop, lambda one: self._least(one, inside))
        return overlap(evolve(items, low=0), overlap(up_to(most), self._rounds[loop])), inside

    def _least(self, number: Expression, known: RangeFacts) -> int:
        shown = known.shown.get(self._shapes.of(number)) or self.found.get(number, ANY)
        return shown.low or 0

    def _gathered(self, comprehension: Comprehension, rounds: Interval, item: Interval) -> Interval:
        over = BUILTINS[comprehension.gives].over
        assert over is not None
        size = between(max(0, rounds.floor), rounds.ceiling)
        found = over.interval(self.sizes, comprehension, size, item)
        return self._grown(comprehension.span, found, item, size) if isinstance(comprehension.type, Number) else found

    def _builtin(self, call: BuiltinCall, known: RangeFacts) -> Interval:
        arguments = [self.read(each, known) for each in call.arguments]
        builtin = MEANINGS.get(call.builtin)
        if builtin is None or builtin.interval is None:
            return self.sizes.of_type(call.type)
        for each, interval in zip(call.arguments, arguments, strict=True) if builtin.needs_bounds else ():
            self.need_bound(each, interval, f"`{call.builtin}` needs an upper bound")
        return builtin.interval(self.sizes, call, *arguments)

    # Values.

    def _value(self, call: ValueCall, known: RangeFacts) -> Interval:
        arguments = tuple(self.read(each, known) for each in call.arguments)
        value = self.rules.values.get(call.value)
        if value is None:
            return self.sizes.of_type(call.type)
        self.check_arguments(value.parameters, call.arguments, arguments)
        return self.result(value, arguments)

    def check_arguments(
        self, parameters: Sequence[Parameter], given: Sequence[Argument], intervals: Sequence[Interval]
    ) -> None:
        """Check that numbers lie in the ranges that parameters declare, and that no collection is larger than that."""
        for parameter, argument, interval in zip(parameters, given, intervals, strict=False):
            type_ = parameter.type
            limit = type_.limit if isinstance(type_, SetOf | Bag | ListOf) else None
            if (limit is None and not isinstance(type_, Number)) or interval.quiet:
                continue
            is_wider = not self.sizes.of_type(type_).covers(interval) if limit is None else interval.most > limit
            if is_wider:
                found = f"number {_shown(interval.low)}..{_shown(interval.high)}"
                if limit is not None:
                    found = f"{type_} up to {_shown(interval.high)}"
                declared = Label(parameter.span, str(type_) if limit is None else f"{type_} up to {limit}")
                text = text_of(argument.span)
                self.tell(analysis_problems.argument_out_of_range(text, argument.span, found, parameter.name, declared))

    def result(self, value: Value, arguments: tuple[Interval, ...]) -> Interval:
        """Return where a value lies for arguments that lie somewhere."""
        arguments = self._context(value, arguments)
        key = (self.is_silent, value.name, arguments)
        if key in self._results:
            return self._results[key]
        if self._depth > DEEPEST:
            self._put_off[value.name] = value
            return self.sizes.of_type(value.type)
        return self._result(value, arguments)

    def _context(self, value: Value, arguments: tuple[Interval, ...]) -> tuple[Interval, ...]:
        """Return the arguments, less exact if the value was looked at in many ways already."""
        count = self._contexts.get((self.is_silent, value.name), 0)
        if (self.is_silent, value.name, arguments) in self._results or count < MOST_CONTEXTS:
            return arguments
        if count < 2 * MOST_CONTEXTS:
            return tuple(evolve(each, member=None) for each in arguments)
        return tuple(self.sizes.of_type(each.type) for each in value.parameters)

    def _result(self, value: Value, arguments: tuple[Interval, ...]) -> Interval:
        key, count = (self.is_silent, value.name, arguments), (self.is_silent, value.name)
        self._contexts[count] = self._contexts.get(count, 0) + 1
        known = RangeFacts({each.name: interval for each, interval in zip(value.parameters, arguments, strict=False)})
        # A value that leads back to itself is refused elsewhere; here it is anything.
        self._results[key] = SOME
        interval = self.read(value.formula, known)
        for modifier in sorted(self.rules.modifiers.get(value.name, ()), key=lambda one: one.order):
            interval = self._modified(modifier, interval, known)
        self._results[key] = interval
        return interval

    def _modified(self, modifier: Modifier, interval: Interval, known: RangeFacts) -> Interval:
        scope = modifier.scope
        is_sure = modifier.condition is None and scope.field is None and not scope.owner
        for member, copies in self.sizes.carriers(scope):
            inside = known if member is None else known.bind("self", Interval(member=member))
            if modifier.condition is not None:
                self.read(modifier.condition, inside)
                inside = self.narrowed(inside, modifier.condition, is_true=True)
            amount = self.read(modifier.amount, inside)
            changed = MODIFIERS[modifier.operation].interval(interval, amount, copies)
            changed = self._grown(modifier.span, changed, interval, amount)
            interval = changed if is_sure else hull(interval, changed)
        return interval

    def _possible(self, possible: Possible, known: RangeFacts) -> Interval:
        arguments = tuple(self.read(each, known) for each in possible.arguments)
        self.read(possible.player, known)
        option = self.rules.options.get(possible.option)
        key = (self.is_silent, f"possible {possible.option}", arguments)
        if option is not None and key not in self._results and self._depth <= DEEPEST:
            self._results[key] = ANY
            names = {each.name: interval for each, interval in zip(option.given, arguments, strict=False)}
            self.conditions(option, RangeFacts(names))
        return ANY

    def _after_verb(self, after: AfterVerb, known: RangeFacts) -> Interval:
        for argument in after.arguments:
            self.read(argument, known)
        # What tests have shown of the state need not be so any more.
        return self.read(after.then, RangeFacts(known.names))

    def conditions(self, option: Option, known: RangeFacts) -> RangeFacts:
        """Read the parameters and conditions of an option; return what is known in its steps."""
        for parameter, supplied in zip(option.given, option.supplied, strict=False):
            if not isinstance(supplied, FieldPlace | ParameterPlace):
                known = known.bind(parameter.name, self.read(supplied, known))
        for parameter in option.parameters:
            interval = self.sizes.of_type(parameter.type)
            if parameter.domain is not None:
                interval = self.read(parameter.domain, known).item or interval
            if parameter.size:
                interval = Interval(parameter.low, parameter.low + parameter.size - 1)
            known = known.bind(parameter.name, interval)
        inside = known
        for condition in option.conditions:
            self.read(condition.expression, inside)
            inside = self.narrowed(inside, condition.expression, is_true=True)
            known = self.lasting(known, condition.expression, is_true=True)
        return known

    _readers: ClassVar[dict[type, Callable[[IntervalEvaluator, Any, RangeFacts], Interval]]] = {
        Const: _const,
        Local: _local,
        FieldRead: _field,
        AttributeRead: _attribute,
        BagCount: _bag_count,
        ItemAt: _item_at,
        LimitUsed: _limit,
        Operation: _operation,
        IfElse: _if_else,
        WhenPresent: _when_present,
        Comprehension: _comprehension,
        BuiltinCall: _builtin,
        ValueCall: _value,
        Possible: _possible,
        AfterVerb: _after_verb,
    }


def _lasts(part: Expression, changed: frozenset[str]) -> bool:
    if isinstance(part, Local):
        return part.name not in changed
    return isinstance(part, Const | AttributeRead | Operation)


def _shown(end: int | None) -> str:
    return "?" if end is None else str(end)
