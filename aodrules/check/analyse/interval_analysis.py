"""An interval for every number of the rules: attributes, fields, parameters, names and what is computed from them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import ClassVar

from attrs import define, evolve, field, frozen

from aodrules.check import analysis_problems
from aodrules.check.analyse.bounds import MOST_GUESSES
from aodrules.check.analyse.calls import Caller, CallGraph, Effect, limit_numbers, receiver
from aodrules.check.analyse.driver import BodyWalk, Handler
from aodrules.check.analyse.interval_expressions import NOTHING_KNOWN, IntervalEvaluator, RangeFacts
from aodrules.check.analyse.setup import check_computed
from aodrules.check.analyse.sizes import Sizes
from aodrules.check.checked import SEAT, CheckedRules, DecisionDef, EffectScope, Option, Parameter, Reaction
from aodrules.check.steps import (
    AddTo,
    AnyStep,
    Argument,
    Choose,
    Draw,
    FieldPlace,
    For,
    If,
    Let,
    LocalTarget,
    Move,
    ParameterPlace,
    Repeat,
    Roll,
    RunHook,
    SetTo,
    Sort,
    Steps,
    While,
)
from aodrules.check.visit import changed_names, expressions, text_of
from aodrules.lang.expressions import Expression
from aodrules.lang.interval import ANY, Interval, exactly, hull, negated, plus, repeated, up_to
from aodrules.lang.types import Number, present
from aodrules.source.diagnostics import Report


@frozen(eq=False)
class Ranges:
    """What the numbers of a ruleset can be."""

    expressions: Mapping[Expression, Interval]
    """Of every expression that play can come to: of a number its interval, of a collection its size."""
    parameters: Mapping[tuple[Caller, str], Interval]
    """Of parameters, over all calls."""
    changed: Mapping[Let, Interval]
    """Of `let` names that steps change, whatever they are changed to."""
    sizes: Sizes

    def of(self, expression: Expression) -> Interval:
        """Return where an expression lies."""
        return self.expressions.get(expression) or self.sizes.of_type(expression.type)

    def uses(self, option: Option) -> int:
        """Return how often an option can be chosen in one `choose`: once, and more if it asks again."""
        most = 1 + max(0, 0 if option.again is None else self.of(option.again).most)
        copies = self.copies(option)
        periods = () if option.limit is None else option.limit.periods
        return min([most, *(copies * self.of(number).most for period, _, number in periods if period == "game")])

    def copies(self, option: Option) -> int:
        """Return how many copies of what offers an option can be held."""
        return 1 if option.scope is None else sum(copies for _, copies in self.sizes.carriers(option.scope))


def ranges(rules: CheckedRules, graph: CallGraph, report: Report) -> Ranges:
    """Return the intervals of all numbers; report what has no bound and needs one, and divisors that may be 0."""
    sizes = Sizes(rules)
    check_computed(rules, sizes, report)
    intervals = IntervalEvaluator(rules, sizes, report, changed=changed_names(rules))
    analysis = _RangeAnalysis(rules, intervals)
    for caller in graph.order:
        if caller in graph.reached:
            analysis.visit(caller)
    intervals.finish()
    found = Ranges(dict(intervals.found), dict(analysis.given), dict(analysis.guesses), sizes)
    # What nothing calls yet is looked at last, so that it says nothing about what is called.
    for caller in graph.order:
        if caller not in graph.reached:
            analysis.visit(caller)
    return found


@define(eq=False)
class _BoundName:
    """A `let` name that steps change: what it starts as, is set to and grows by."""

    let: Let
    depth: int
    """How many loops stand around the `let`."""
    guess: Interval
    base: Interval
    growth: Interval = exactly(0)  # noqa: RUF009 - a plain value
    changed_at: Expression | None = None

    @property
    def interval(self) -> Interval:
        """Where the name can lie, as far as we have seen."""
        return plus(self.base, self.growth)


@define(eq=False)
class _RangeAnalysis(BodyWalk[RangeFacts]):
    """Gathers what numbers can be, and what parameters are given."""

    intervals: IntervalEvaluator
    given: dict[tuple[Caller, str], Interval] = field(factory=dict)
    _loops: list[int | None] = field(factory=list)
    """The bounds of the loops around, outermost first."""
    guesses: dict[Let, Interval] = field(factory=dict)
    _names: dict[str, _BoundName] = field(factory=dict)
    _seen: dict[Let, _BoundName] = field(factory=dict)

    # Callers.

    def visit(self, caller: Caller) -> None:
        """Walk through what a caller does; read what the game and values say."""
        if caller.kind == "game":
            self._game()
        elif caller.kind == "value":
            self._value(caller)
        else:
            super().visit(caller)

    def _game(self) -> None:
        game = self.rules.game
        for source in game.points:
            if source.value in self.rules.values:
                self.intervals.result(self.rules.values[source.value], (ANY,))
        self._read_all(expressions(game), NOTHING_KNOWN)
        for each in self.rules.fields.values():
            self._read_all((each.start_if, each.start_by, each.only), NOTHING_KNOWN)
            if each.start is not None and each.name != SEAT:
                started = Parameter(each.name.rpartition(".")[2], each.type, each.span)
                interval = self.intervals.read(each.start, NOTHING_KNOWN)
                self.intervals.check_arguments((started,), (each.start,), (interval,))

    def _value(self, caller: Caller) -> None:
        value = self.rules.values.get(caller.name)
        if value is not None and value.formula not in self.intervals.found:
            self.intervals.result(value, tuple(self._uncalled(each) for each in value.parameters))

    def start(self, caller: Caller, parameters: Sequence[Parameter]) -> RangeFacts:
        if caller.kind == "decision":
            self._check_ranges(parameters)
        called = receiver(caller)
        known = RangeFacts(
            {each.name: self.given.get((called, each.name)) or self._uncalled(each) for each in parameters}
        )
        return known.bind("self", Interval(member=caller.member)) if caller.kind == "hook" else known

    def _check_ranges(self, parameters: Sequence[Parameter]) -> None:
        for each in parameters:
            if isinstance(each.type, Number) and not self.intervals.sizes.of_type(each.type).is_bounded:
                self.intervals.tell(analysis_problems.missing_range(each.name, each.span))

    def in_effect(self, caller: Caller, effect: Effect) -> RangeFacts:
        known, limit = NOTHING_KNOWN, None
        if isinstance(effect, Reaction):
            event, limit = self.rules.events.get(caller.name), effect.limit
            known = self.start(caller, event.parameters if event else ())
        inside = self._carried(effect.scope, known)
        self._read_all((effect.condition, *limit_numbers(limit)), inside)
        return self._tested(inside, effect.condition, is_true=True)

    def options(self, decision: DecisionDef, scope: RangeFacts, walk: Callable[[Steps, RangeFacts], None]) -> None:
        """Walk through the answers to a decision; one that asks again is a loop."""
        for option in decision.options:
            inside = self.in_option(decision, option, scope)
            self._loops.append(1 + self._again(option, inside))
            walk(option.body, self.intervals.conditions(option, inside))
            self._loops.pop()
        walk(decision.otherwise, scope)

    def in_option(self, decision: DecisionDef, option: Option, scope: RangeFacts) -> RangeFacts:
        return scope if option.scope is None else self._carried(option.scope, scope)

    def _again(self, option: Option, known: RangeFacts) -> int:
        self._read_all(limit_numbers(option.limit), known)
        if option.again is None:
            return 0
        interval = self.intervals.read(option.again, known)
        return max(0, self.intervals.need_bound(option.again, interval, "`again` needs an upper bound").most)

    def _carried(self, scope: EffectScope, known: RangeFacts) -> RangeFacts:
        return known.bind("self", Interval(member=scope.members[0])) if len(scope.members) == 1 else known

    def _uncalled(self, parameter: Parameter) -> Interval:
        """Return all that can be said of a parameter that nothing gives, without complaint."""
        return evolve(self.intervals.sizes.of_type(parameter.type), quiet=True)

    def read_subject(self, step: RunHook | Choose, scope: RangeFacts) -> None:
        self._read_all((step.by if isinstance(step, Choose) else step.subject,), scope)

    def hand_over(
        self, called: Caller, parameters: Sequence[Parameter], arguments: Sequence[Argument], scope: RangeFacts
    ) -> None:
        intervals = [
            ANY if isinstance(each, FieldPlace | ParameterPlace) else self.intervals.read(each, scope)
            for each in arguments
        ]
        self.intervals.check_arguments(parameters, arguments, intervals)
        for parameter, interval in zip(parameters, intervals, strict=False):
            before = self.given.get((called, parameter.name))
            self.given[called, parameter.name] = interval if before is None else hull(before, interval)

    def _read_all(self, all_: Iterable[Expression | None], known: RangeFacts) -> None:
        for each in all_:
            if each is not None:
                self.intervals.read(each, known)

    def _tested(self, known: RangeFacts, condition: Expression | None, *, is_true: bool) -> RangeFacts:
        return known if condition is None else self.intervals.lasting(known, condition, is_true=is_true)

    # Bodies.

    def body(self, steps: Steps, scope: RangeFacts) -> None:
        """Walk through a whole body, again and again while the names it changes turn out to lie elsewhere."""
        for guess in range(MOST_GUESSES if self.intervals.changed else 0):
            self._try(steps, scope)
            if not self._settle(is_last=guess == MOST_GUESSES - 1):
                break
        if any(not guess.is_bounded for guess in (self.guesses[let] for let in self._seen)):
            self._narrow(steps, scope)
        self.walk(steps, scope)

    def _try(self, steps: Steps, known: RangeFacts) -> None:
        self._seen.clear()
        self.intervals.is_silent = True
        self.walk(steps, known)
        self.intervals.is_silent = False

    def _settle(self, *, is_last: bool) -> bool:
        """Take what was seen as the next guess, the last one without the ends that still move; tell if it is new."""
        moved = False
        for name in self._seen.values():
            if not name.guess.covers(name.interval):
                moved = True
                wider = hull(name.guess, name.interval)
                self.guesses[name.let] = _without_moving_ends(name.guess, wider) if is_last else wider
        return moved

    def _narrow(self, steps: Steps, known: RangeFacts) -> None:
        """Try whether names without bound have one after all; report those that have none."""
        self._try(steps, known)
        for name in list(self._seen.values()):
            guess = self.guesses[name.let]
            if name.interval.is_bounded and guess.covers(name.interval):
                self.guesses[name.let] = name.interval
            elif not guess.is_bounded and not name.interval.quiet:
                at, reason = name.changed_at or name.let.value, f"`{name.let.name}` grows with it"
                self.intervals.tell(analysis_problems.unbounded_number(text_of(at.span), at.span, reason))
                self.guesses[name.let] = Interval(quiet=True)

    def other_step(self, step: AnyStep, scope: RangeFacts) -> None:
        self._read_all(expressions(step), scope)

    def _let(self, step: Let, known: RangeFacts) -> RangeFacts:
        interval = self.intervals.read(step.value, known)
        if step.name in self.intervals.changed:
            if not isinstance(present(step.value.type), Number):
                return known.bind(step.name, self.intervals.sizes.of_type(step.value.type))
            guess = self.guesses.setdefault(step, interval)
            self._names[step.name] = self._seen[step] = _BoundName(step, len(self._loops), guess, interval)
            interval = guess
        return known.bind(step.name, interval)

    def _set(self, step: SetTo, known: RangeFacts) -> None:
        self._read_all(expressions(step), known)
        name = self._names.get(step.target.name) if isinstance(step.target, LocalTarget) else None
        if name is not None:
            name.base = hull(name.base, self.intervals.found[step.value])
            name.changed_at = step.value

    def _add(self, step: AddTo, known: RangeFacts) -> RangeFacts:
        self._read_all(expressions(step), known)
        amount = self.intervals.found[step.amount]
        name = self._names.get(step.target.name) if isinstance(step.target, LocalTarget) else None
        if name is not None and isinstance(step.amount.type, Number):
            name.growth = plus(name.growth, repeated(amount if step.sign > 0 else negated(amount), self._rounds(name)))
            name.changed_at = step.amount
        return known.bind(step.result, hull(amount, exactly(0))) if step.result else known

    def _rounds(self, name: _BoundName) -> int | None:
        """Return how often a step here is done for one `let`."""
        rounds = 1
        for bound in self._loops[name.depth :]:
            if bound is None:
                return None
            rounds *= bound
        return rounds

    def in_branches(self, step: If, scope: RangeFacts) -> tuple[RangeFacts, RangeFacts]:
        self.intervals.read(step.condition, scope)
        return (
            self._tested(scope, step.condition, is_true=True),
            self._tested(scope, step.condition, is_true=False),
        )

    def _for(self, step: For, known: RangeFacts) -> None:
        items = self.intervals.read(step.items, known)
        inside = known.bind(step.name, items.item or ANY)
        if step.index:
            inside = inside.bind(step.index, up_to(max(0, items.most - 1)))
        self._read_all((step.where, step.ordered_by, step.worth_asking), inside)
        self._round(items.high, step.body, self._tested(inside, step.where, is_true=True))

    def _repeat(self, step: Repeat, known: RangeFacts) -> None:
        count = self.intervals.read(step.count, known)
        count = self.intervals.need_bound(step.count, count, "`repeat` needs an upper bound")
        self._round(count.most, step.body, known)

    def _while(self, step: While, known: RangeFacts) -> None:
        self.intervals.read(step.condition, known)
        bound = self.intervals.read(step.at_most, known)
        bound = self.intervals.need_bound(step.at_most, bound, "`at_most` needs an upper bound")
        self._round(bound.most, step.body, self._tested(known, step.condition, is_true=True))

    def _round(self, bound: int | None, body: Steps, known: RangeFacts) -> None:
        self._loops.append(bound)
        self.walk(body, known)
        self._loops.pop()

    def _move(self, step: Move, known: RangeFacts) -> RangeFacts:
        self._read_all(expressions(step), known)
        self._check_position(step)
        if step.result is None or step.result_is_piece:
            return known
        count = ANY if step.what is None else exactly(1)
        if step.what is not None and step.count is not None:
            count = self.intervals.found[step.count]
        return known.bind(step.result, self._moved(step, count))

    def _draw(self, step: Draw, known: RangeFacts) -> RangeFacts:
        self._read_all(expressions(step), known)
        self._check_position(step)
        return known.bind(step.result, self._moved(step, self.intervals.found[step.count])) if step.result else known

    def _moved(self, step: Move | Draw, count: Interval) -> Interval:
        """Return how many pieces a step can move: never less than none, nor more than asked for or than there are."""
        there = None if step.kind == "player" else self.intervals.sizes.pieces(step.kind)
        ends = [end for end in (count.high, there) if end is not None]
        return Interval(0, max(0, min(ends))) if ends else Interval(0)

    def _check_position(self, step: Move | Draw) -> None:
        if step.position is not None:
            interval = self.intervals.found[step.position]
            self.intervals.need_bound(step.position, interval, "a position needs an upper bound")

    def _roll(self, step: Roll, known: RangeFacts) -> RangeFacts:
        return known.bind(step.result, self.intervals.read(step.items, known).item or ANY)

    def _sort(self, step: Sort, known: RangeFacts) -> None:
        self._read_all(expressions(step), known.bind(step.item, ANY))

    handlers: ClassVar[dict[type, Handler]] = {
        **BodyWalk.handlers,
        Let: _let,
        SetTo: _set,
        AddTo: _add,
        For: _for,
        Repeat: _repeat,
        While: _while,
        Move: _move,
        Draw: _draw,
        Roll: _roll,
        Sort: _sort,
    }


def _without_moving_ends(before: Interval, after: Interval) -> Interval:
    low = after.low if before.floor <= after.floor else None
    return evolve(after, low=low, high=after.high if after.ceiling <= before.ceiling else None)
