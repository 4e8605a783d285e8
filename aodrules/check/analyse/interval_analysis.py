"""An interval for every number of the rules: attributes, fields, parameters, names and what is computed from them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar

from attrs import define, evolve, field, frozen

from aodrules.check import analysis_problems
from aodrules.check.analyse.calls import Caller, CallGraph
from aodrules.check.analyse.interval_expressions import NOTHING_KNOWN, IntervalEvaluator, RangeFacts
from aodrules.check.analyse.setup_only import check_computed
from aodrules.check.analyse.sizes import Sizes
from aodrules.check.checked import SEAT, CheckedRules, DecisionDef, EffectScope, Limit, Option, Parameter
from aodrules.check.steps import (
    AddTo,
    Argument,
    Call,
    Choose,
    Draw,
    FieldPlace,
    For,
    Happen,
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
    Step,
    Steps,
    While,
)
from aodrules.check.visit import changed_names, expressions, text_of
from aodrules.lang.expressions import Expression
from aodrules.lang.interval import ANY, Interval, exactly, hull, negated, plus, repeated, up_to
from aodrules.lang.types import Number, present
from aodrules.source.diagnostics import Report

NO_GROWTH = exactly(0)
MOST_GUESSES = 4
"""How often the extent of a changed name is guessed before it is taken to be without bound."""


@frozen(eq=False)
class Ranges:
    """What the numbers of a ruleset can be."""

    expressions: Mapping[Expression, Interval]
    """Of every expression that play can come to: of a number its interval, of a collection its size."""
    parameters: Mapping[tuple[Caller, str], Interval]
    """Of parameters, over all calls."""
    measures: Sizes

    def of(self, expression: Expression) -> Interval:
        """Return where an expression lies."""
        return self.expressions.get(expression) or self.measures.of_type(expression.type)

    def uses(self, option: Option) -> int:
        """Return how often an option can be chosen in one `choose`: once, and more if it asks again."""
        most = 1 + max(0, 0 if option.again is None else self.of(option.again).most)
        copies = 1 if option.scope is None else sum(copies for _, copies in self.measures.carriers(option.scope))
        periods = () if option.limit is None else option.limit.periods
        return min([most, *(copies * self.of(number).most for period, _, number in periods if period == "game")])


def ranges(rules: CheckedRules, graph: CallGraph, report: Report) -> Ranges:
    """Return the intervals of all numbers; report what has no bound and needs one, and divisors that may be 0."""
    measures = Sizes(rules)
    check_computed(rules, measures, report)
    intervals = IntervalEvaluator(rules, measures, report, changed=changed_names(rules))
    walker = _RangeAnalysis(rules, intervals)
    for caller in graph.order:
        if caller in graph.reached:
            walker.visit(caller)
    intervals.finish()
    found = Ranges(dict(intervals.found), dict(walker.given), measures)
    # What nothing calls yet is looked at last, so that it says nothing about what is called.
    for caller in graph.order:
        if caller not in graph.reached:
            walker.visit(caller)
    return found


@define(eq=False)
class _BoundName:
    """A `let` name that steps change: what it starts as, is set to and grows by."""

    let: Let
    depth: int
    """How many loops stand around the `let`."""
    guess: Interval
    base: Interval
    growth: Interval = NO_GROWTH
    changed_at: Expression | None = None

    @property
    def extent(self) -> Interval:
        """Where the name can lie, as far as we have seen."""
        return plus(self.base, self.growth)


@define(eq=False)
class _RangeAnalysis:
    """Walks through the bodies, callers first, and gathers what parameters are given."""

    rules: CheckedRules
    intervals: IntervalEvaluator
    given: dict[tuple[Caller, str], Interval] = field(factory=dict)
    _loops: list[int | None] = field(factory=list)
    """The bounds of the loops around, outermost first."""
    _guesses: dict[Let, Interval] = field(factory=dict)
    _names: dict[str, _BoundName] = field(factory=dict)
    _seen: dict[Let, _BoundName] = field(factory=dict)

    # Callers.

    def visit(self, caller: Caller) -> None:
        """Walk through what a caller does."""
        visitor = self._visitors.get(caller.sort)
        if visitor is not None:
            visitor(self, caller)

    def _game(self, _: Caller) -> None:
        game, player = self.rules.game, NOTHING_KNOWN
        for source in game.points:
            if source.value in self.rules.values:
                self.intervals.result(self.rules.values[source.value], (ANY,))
        self._read_all((game.order, game.winner_most, *game.winner_then, game.winner_if), player)
        for each in self.rules.fields.values():
            self._read_all((each.start_if, each.start_by, each.only), NOTHING_KNOWN)
            if each.start is not None and each.name != SEAT:
                started = Parameter(each.name.rpartition(".")[2], each.type, each.span)
                extent = self.intervals.read(each.start, NOTHING_KNOWN)
                self.intervals.check_arguments((started,), (each.start,), (extent,))

    def _verb(self, caller: Caller) -> None:
        verb = self.rules.verbs.get(caller.name)
        if verb is not None:
            self._body(verb.body, self._parameters(caller, verb.parameters))

    def _value(self, caller: Caller) -> None:
        value = self.rules.values.get(caller.name)
        if value is not None and not self.intervals.is_read(value.formula):
            self.intervals.result(value, tuple(self._uncalled(each) for each in value.parameters))

    def _hook(self, caller: Caller) -> None:
        hook = self.rules.hooks[caller.name]
        known = self._parameters(Caller("run", caller.name), hook.parameters)
        self._body(hook.bodies[caller.member], known.bind("self", Interval(member=caller.member)))

    def _event(self, caller: Caller) -> None:
        event = self.rules.events.get(caller.name)
        known = self._parameters(caller, event.parameters if event else ())
        for reaction in self.rules.reactions.get(caller.name, ()):
            inside = self._carried(reaction.scope, known)
            self._read_all((reaction.condition, *_numbers(reaction.limit)), inside)
            self._body(reaction.body, self._tested(inside, reaction.condition, is_true=True))

    def _passages(self, caller: Caller) -> None:
        for passage in self.rules.passages.get(caller.name, ()):
            if passage.entering is (caller.sort == "entering"):
                inside = self._carried(passage.scope, NOTHING_KNOWN)
                self._read_all((passage.condition,), inside)
                self._body(passage.body, self._tested(inside, passage.condition, is_true=True))

    def _decision(self, caller: Caller) -> None:
        decision = self.rules.decisions.get(caller.name)
        if decision is None or decision.inline:
            return
        for parameter in decision.parameters:
            if isinstance(parameter.type, Number) and not self.intervals.measures.of_type(parameter.type).is_bounded:
                self.intervals.tell(analysis_problems.missing_range(parameter.name, parameter.span))
        self._options(decision, self._parameters(caller, decision.parameters), self._body)

    def _options(self, decision: DecisionDef, known: RangeFacts, walk: Any) -> None:
        for option in decision.options:
            inside = known if option.scope is None else self._carried(option.scope, known)
            self._loops.append(1 + self._again(option, inside))
            walk(option.body, self.intervals.conditions(option, inside))
            self._loops.pop()
        walk(decision.otherwise, known)

    def _again(self, option: Option, known: RangeFacts) -> int:
        self._read_all(_numbers(option.limit), known)
        if option.again is None:
            return 0
        extent = self.intervals.read(option.again, known)
        return max(0, self.intervals.need_bound(option.again, extent, "`again` needs an upper bound").most)

    def _carried(self, scope: EffectScope, known: RangeFacts) -> RangeFacts:
        return known.bind("self", Interval(member=scope.members[0])) if len(scope.members) == 1 else known

    def _parameters(self, caller: Caller, parameters: Iterable[Parameter]) -> RangeFacts:
        return RangeFacts(
            {each.name: self.given.get((caller, each.name)) or self._uncalled(each) for each in parameters}
        )

    def _uncalled(self, parameter: Parameter) -> Interval:
        """Return all that can be said of a parameter that nothing gives, without complaint."""
        return evolve(self.intervals.measures.of_type(parameter.type), quiet=True)

    def _hand_over(
        self, called: Caller, parameters: Sequence[Parameter], arguments: Sequence[Argument], known: RangeFacts
    ) -> None:
        extents = [
            ANY if isinstance(each, FieldPlace | ParameterPlace) else self.intervals.read(each, known)
            for each in arguments
        ]
        self.intervals.check_arguments(parameters, arguments, extents)
        for parameter, extent in zip(parameters, extents, strict=False):
            before = self.given.get((called, parameter.name))
            self.given[called, parameter.name] = extent if before is None else hull(before, extent)

    def _argument(self, argument: Argument, known: RangeFacts) -> Interval:
        return ANY if isinstance(argument, FieldPlace | ParameterPlace) else self.intervals.read(argument, known)

    def _read_all(self, all_: Iterable[Expression | None], known: RangeFacts) -> None:
        for each in all_:
            if each is not None:
                self.intervals.read(each, known)

    def _tested(self, known: RangeFacts, condition: Expression | None, *, is_true: bool) -> RangeFacts:
        return known if condition is None else self.intervals.lasting(known, condition, is_true=is_true)

    # Bodies.

    def _body(self, steps: Steps, known: RangeFacts) -> None:
        """Walk through a whole body, again and again while the names it changes turn out to lie elsewhere."""
        for guess in range(MOST_GUESSES if self.intervals.changed else 0):
            self._try(steps, known)
            if not self._settle(is_last=guess == MOST_GUESSES - 1):
                break
        if any(not guess.is_bounded for guess in (self._guesses[let] for let in self._seen)):
            self._narrow(steps, known)
        self._walk(steps, known)

    def _try(self, steps: Steps, known: RangeFacts) -> None:
        self._seen.clear()
        self.intervals.is_silent = True
        self._walk(steps, known)
        self.intervals.is_silent = False

    def _settle(self, *, is_last: bool) -> bool:
        """Take what was seen as the next guess, the last one without the ends that still move; tell if it is new."""
        moved = False
        for name in self._seen.values():
            if not name.guess.covers(name.extent):
                moved = True
                wider = hull(name.guess, name.extent)
                self._guesses[name.let] = _without_moving_ends(name.guess, wider) if is_last else wider
        return moved

    def _narrow(self, steps: Steps, known: RangeFacts) -> None:
        """Try whether names without bound have one after all; report those that have none."""
        self._try(steps, known)
        for name in list(self._seen.values()):
            guess = self._guesses[name.let]
            if name.extent.is_bounded and guess.covers(name.extent):
                self._guesses[name.let] = name.extent
            elif not guess.is_bounded and not name.extent.quiet:
                at, reason = name.changed_at or name.let.value, f"`{name.let.name}` grows with it"
                self.intervals.tell(analysis_problems.unbounded_number(text_of(at.span), at.span, reason))
                self._guesses[name.let] = Interval(quiet=True)

    def _walk(self, steps: Steps, known: RangeFacts) -> None:
        for step in steps:
            walker = self._walkers.get(type(step))
            if walker is None:
                self._read_all(expressions(step), known)
            else:
                known = walker(self, step, known) or known

    def _let(self, step: Let, known: RangeFacts) -> RangeFacts:
        extent = self.intervals.read(step.value, known)
        if step.name in self.intervals.changed:
            if not isinstance(present(step.value.type), Number):
                return known.bind(step.name, self.intervals.measures.of_type(step.value.type))
            guess = self._guesses.setdefault(step, extent)
            self._names[step.name] = self._seen[step] = _BoundName(step, len(self._loops), guess, extent)
            extent = guess
        return known.bind(step.name, extent)

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

    def _if(self, step: If, known: RangeFacts) -> None:
        self.intervals.read(step.condition, known)
        self._walk(step.then, self._tested(known, step.condition, is_true=True))
        self._walk(step.otherwise, self._tested(known, step.condition, is_true=False))

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
        self._walk(body, known)
        self._loops.pop()

    def _step(self, step: Step, known: RangeFacts) -> None:
        self._walk(step.body, known)

    def _call(self, step: Call, known: RangeFacts) -> None:
        verb = self.rules.verbs.get(step.verb)
        self._hand_over(Caller("verb", step.verb), verb.parameters if verb else (), step.arguments, known)

    def _happen(self, step: Happen, known: RangeFacts) -> None:
        event = self.rules.events.get(step.event)
        self._hand_over(Caller("event", step.event), event.parameters if event else (), step.arguments, known)

    def _run(self, step: RunHook, known: RangeFacts) -> None:
        self.intervals.read(step.subject, known)
        hook = self.rules.hooks.get(step.hook)
        self._hand_over(Caller("run", step.hook), hook.parameters if hook else (), step.arguments, known)

    def _choose(self, step: Choose, known: RangeFacts) -> None:
        self._read_all((step.by,), known)
        decision = self.rules.decisions.get(step.decision)
        parameters = decision.parameters if decision else ()
        self._hand_over(Caller("decision", step.decision), parameters, step.arguments, known)
        if decision is not None and decision.inline:
            self._options(decision, known, self._walk)

    def _move(self, step: Move, known: RangeFacts) -> RangeFacts:
        self._read_all(expressions(step), known)
        self._check_position(step)
        if step.result is None or step.result_is_piece:
            return known
        most = up_to(self.intervals.measures.pieces(step.kind)) if step.kind != "player" else ANY
        if step.what is not None:
            most = self.intervals.found[step.count] if step.count is not None else exactly(1)
        return known.bind(step.result, hull(most, exactly(0)))

    def _draw(self, step: Draw, known: RangeFacts) -> RangeFacts:
        self._read_all(expressions(step), known)
        self._check_position(step)
        return known.bind(step.result, hull(self.intervals.found[step.count], exactly(0))) if step.result else known

    def _check_position(self, step: Move | Draw) -> None:
        if step.position is not None:
            extent = self.intervals.found[step.position]
            self.intervals.need_bound(step.position, extent, "a position needs an upper bound")

    def _roll(self, step: Roll, known: RangeFacts) -> RangeFacts:
        return known.bind(step.result, self.intervals.read(step.items, known).item or ANY)

    def _sort(self, step: Sort, known: RangeFacts) -> None:
        self._read_all(expressions(step), known.bind(step.item, ANY))

    _visitors: ClassVar[dict[str, Any]] = {
        "game": _game,
        "verb": _verb,
        "value": _value,
        "hook": _hook,
        "event": _event,
        "entering": _passages,
        "leaving": _passages,
        "decision": _decision,
    }
    _walkers: ClassVar[dict[type, Any]] = {
        Let: _let,
        SetTo: _set,
        AddTo: _add,
        If: _if,
        For: _for,
        Repeat: _repeat,
        While: _while,
        Step: _step,
        Call: _call,
        Happen: _happen,
        RunHook: _run,
        Choose: _choose,
        Move: _move,
        Draw: _draw,
        Roll: _roll,
        Sort: _sort,
    }


def _without_moving_ends(before: Interval, after: Interval) -> Interval:
    low = after.low if before.floor <= after.floor else None
    return evolve(after, low=low, high=after.high if after.ceiling <= before.ceiling else None)


def _numbers(limit: Limit | None) -> tuple[Expression, ...]:
    return () if limit is None else tuple(number for _, _, number in limit.periods)
