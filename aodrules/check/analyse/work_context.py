"""Where the count of work is: who is looked at, what is known there of names, and what was too much so far."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from attrs import define, field

from aodrules.check.analyse.bounds import MOST_SPLITS
from aodrules.check.analyse.calls import GAME, Caller, CallGraph
from aodrules.check.analyse.cases import OPEN_CASE, Case, cases_of, decide, mentions
from aodrules.check.analyse.costs import Cost, LoopRounds, either
from aodrules.check.analyse.interval_analysis import Ranges
from aodrules.check.analyse.interval_expressions import IntervalEvaluator, RangeFacts
from aodrules.check.checked import CheckedRules, EffectScope
from aodrules.check.steps import AnyStep, Argument, For, Let, RunHook
from aodrules.check.visit import changed_names, text_of, walk_steps
from aodrules.lang.expressions import BuiltinCall, Const, Expression, FieldRead, Local
from aodrules.lang.interval import Interval, overlap
from aodrules.lang.types import Member, Number, SetOf, Type, item_of
from aodrules.source.diagnostics import Report
from aodrules.source.spans import Span
from aodrules.source.wording import quote


@define(eq=False)
class WorkContext:
    """Knows what holds where work is counted, and tells the cases of a name apart."""

    rules: CheckedRules
    graph: CallGraph
    ranges: Ranges
    report: Report = field(factory=Report)
    caller: Caller = GAME
    case: Case = OPEN_CASE
    """What is known of names here."""
    is_apart: bool = False
    """Whether a loop around is taken apart."""
    changed: frozenset[str] = field(init=False)
    """Names that steps change: nothing is known of them."""
    _splits: int = 0
    """How many names around are told apart."""
    _evaluator: IntervalEvaluator = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.changed = changed_names(self.rules)
        sizes = self.ranges.sizes
        self._evaluator = IntervalEvaluator(self.rules, sizes, Report(), is_silent=True, changed=self.changed)

    def elsewhere(self, count: Callable[[], Cost]) -> Cost:
        """Return a cost that is counted somewhere else, and be here again; what is wrong there is told there."""
        around = self.caller, self.case, self.report, self.is_apart, self._splits
        self.report, self.is_apart, self._splits = Report(), False, 0
        found = count()
        self.caller, self.case, self.report, self.is_apart, self._splits = around
        return found

    def in_each_case(
        self, names: Iterable[tuple[str, Type]], conditions: Sequence[Expression], count: Callable[[], Cost]
    ) -> Cost:
        """Return the cost of steps of which some are done for some members only: that of the dearest case."""
        for name, of in names if self._splits < MOST_SPLITS else ():
            found = cases_of(name, of, conditions, self.case, self.ranges.sizes) if name not in self.changed else []
            if not found:
                continue
            around, report, mistakes, ways = self.case, self.report, Report(), []
            self._splits += 1
            for members in found:
                self.case, self.report = around.with_members(name, members), Report()
                ways.append(count())
                # What is too much in several cases is one mistake.
                if not any(mistakes):
                    mistakes = self.report
            self.case, self.report = around, report
            for each in mistakes:
                report.add(each)
            self._splits -= 1
            return either(*ways)
        return count()

    def learn(self, step: Let) -> None:
        """Keep what is known of a name from here on."""
        members = self.members_of(step.value)
        if members is not None:
            self.case = self.case.with_members(step.name, members)
        elif isinstance(step.value.type, Number) and not self.case.is_open:
            interval = self.interval(step.value)
            if interval != self.ranges.of(step.value):
                self.case = self.case.with_number(step.name, interval)

    # What is known.

    def interval(self, expression: Expression) -> Interval:
        """Return where an expression lies, by what is known here."""
        every, names = self.ranges.of(expression), {**self.case.members, **self.case.numbers}
        if not names or not mentions(expression, {*names}):
            return every
        single = {name: Interval(member=member) for name, member in self.case.single.items()}
        found = self._evaluator.read(expression, RangeFacts({**single, **self.case.numbers}))
        both = overlap(every, found)
        return both if both.floor <= both.ceiling else every

    def length(self, items: Expression) -> int:
        """Return the most items of a collection; a range over attributes of a known member is exact."""
        most = self.interval(items).most
        if not self.case.members or not isinstance(items, BuiltinCall) or items.builtin != "range":
            return most
        known = self.ranges.sizes.range_length(items, self.case.single)
        return most if known is None else min(most, known)

    def members_of(self, expression: Argument) -> frozenset[int] | None:
        """Return the members that an argument is known to be one of; nothing where its type says as much."""
        if isinstance(expression, Local):
            return self.case.members.get(expression.name)
        if isinstance(expression, Const) and isinstance(expression.type, Member):
            return frozenset({expression.value}) if isinstance(expression.value, int) else None
        return None

    def decided(self, condition: Expression | None) -> bool | None:
        """Return what a condition comes to here; nothing where that depends on play."""
        if condition is None:
            return True
        return None if self.case.is_open else decide(condition, self.case, self.ranges.sizes)

    # Loops over members.

    def members_of_loop(self, step: For, most: int) -> list[tuple[int, int]]:
        """Return the members a loop can come to, each with the most times, if that says more than their number.

        It does where a loop over a whole kind or its pieces runs hooks, or loops over what a member says. Only the
        outermost such loop is taken apart: taken apart inside each other they would multiply.
        """
        items, kind = step.items, item_of(step.items.type)
        if self.is_apart or not isinstance(kind, Member):
            return []
        if not any(_depends(each, step.name) for each in walk_steps(step.body)):
            return []
        if isinstance(items, Const) and isinstance(items.value, tuple):
            return [(member, 1) for member in items.value]
        return self._members_held(items.type, kind.kind, most) if isinstance(items, FieldRead) else []

    def _members_held(self, of: Type, kind: str, most: int) -> list[tuple[int, int]]:
        """Return the members a field can hold, each with the most times; nothing where their number says as much."""
        sizes = self.ranges.sizes
        if isinstance(of, SetOf):
            members = sizes.members(kind)
            return [] if most < len(members) else [(member, 1) for member in members]
        copies = sizes.copies(kind)
        if sizes.is_owned(kind) or most < sizes.pieces(kind):
            return []
        return [(member, copies[member]) for member in sizes.members(kind)]


def _depends(step: AnyStep, name: str) -> bool:
    """Return whether a step runs a hook of what a name stands for, or loops over a range that it gives."""
    if isinstance(step, RunHook):
        return isinstance(step.subject, Local) and step.subject.name == name
    return isinstance(step, For) and mentions(step.items, {name})


def carried(case: Case, scope: EffectScope) -> Case:
    """Return a case in the steps of an effect."""
    return case.with_members("self", frozenset(scope.members)) if scope.members else case


def loop_over(name: str, items: Expression, most: int, span: Span) -> LoopRounds:
    """Return the loop over a collection, in words."""
    text = text_of(items.span)
    # `sum(numbers)` runs over them with a name that nobody wrote.
    return LoopRounds(
        most, quote(f"for {name} in {text}") if name.isidentifier() else f"for each of {quote(text)}", span
    )
