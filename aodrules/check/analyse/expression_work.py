"""How much work it is to read expressions and to list the ways to fill in an option."""

from __future__ import annotations

from collections.abc import Callable

from attrs import define, field

from aodrules.check import analysis_problems
from aodrules.check.analyse.bounds import MOST_INSTANCES, MOST_REMEMBERED, MOST_WORK
from aodrules.check.analyse.calls import Caller, called_in
from aodrules.check.analyse.cases import mentions
from aodrules.check.analyse.costs import NOTHING, Amount, Cost, LoopRounds, largest, plain, work
from aodrules.check.analyse.weights import (
    CALL,
    INSTANCE,
    REACHED,
    SOUGHT,
    WRITTEN_OUT,
    unpacking,
    weight_of,
    weight_of_copy,
    weight_of_item,
)
from aodrules.check.analyse.work_context import WorkContext, loop_over
from aodrules.check.checked import Condition, Option, Parameter
from aodrules.check.visit import children, text_of
from aodrules.lang.expressions import (
    AfterVerb,
    BuiltinCall,
    Comprehension,
    Expression,
    IfElse,
    Loop,
)
from aodrules.lang.types import Type
from aodrules.source.wording import quote


@define(eq=False)
class ExpressionWork:
    """Adds up the work of expressions, each once for all that is known anywhere."""

    context: WorkContext
    cost_of: Callable[[Caller], Cost]
    """The cost of what was added up before."""
    most_instances: int = 0
    """The most ways to fill in one option, as far as options were listed."""
    _known: dict[Expression, Amount] = field(factory=dict)
    _searched: dict[tuple[str, Type], Amount] = field(factory=dict)
    """What searches for the best sets do once, for each declaration and kind of pieces."""

    def reading(self, *read: Expression | None) -> Amount:
        """Return the work of reading some expressions, and check each."""
        total = NOTHING
        for expression in read:
            if expression is not None:
                found = self.of(expression)
                if found.number > MOST_WORK:
                    self._report_work(found, expression)
                    found = self._known[expression] = NOTHING
                total += found
        return total

    def read(self, *read: Expression | None) -> Cost:
        """Return the cost of reading some expressions."""
        return work(self.reading(*read))

    def of(self, expression: Expression) -> Amount:
        """Return the work of reading an expression."""
        if expression not in self._known:
            self._known[expression] = self._computed(expression)
        return self._known[expression]

    @property
    def once(self) -> Amount:
        """What is done once in a game at most, by whichever reading needs it first."""
        return sum(self._searched.values(), NOTHING)

    def collection(self, items: Expression) -> Amount:
        """Return the work of what a loop runs over; the numbers of a range are counted with its rounds."""
        if _is_range(items):
            return self._children(items)
        return self.of(items) + plain(unpacking(items, self.context.ranges), items.span)

    def _report_work(self, found: Amount, expression: Expression) -> None:
        self.context.report.add(analysis_problems.too_much_work(found, MOST_WORK, expression.span, "decision"))

    def _computed(self, expression: Expression) -> Amount:
        here = plain(weight_of(expression, self.context.ranges), expression.span)
        if isinstance(expression, Comprehension):
            return here + self._loops(expression.loops, expression)
        if isinstance(expression, IfElse):
            ways = (self.of(expression.then), self.of(expression.otherwise))
            return here + self.of(expression.condition) + largest(*ways)
        total = here + self._children(expression)
        if isinstance(expression, BuiltinCall):
            return total + self._builtin(expression)
        if isinstance(expression, AfterVerb):
            total += plain(weight_of_copy(self.context.rules, self.context.ranges), expression.span)
        called = called_in(expression)
        return total if called is None else total + plain(CALL, expression.span) + self.cost_of(called).most

    def _builtin(self, call: BuiltinCall) -> Amount:
        if call.builtin in ("connected", "regions", "reach", "distance"):
            graph = self.context.rules.graphs.get(call.names[0]) if call.names else None
            return plain(REACHED * len(graph.neighbours) if graph else 0, call.span)
        if call.builtin == "range":
            numbers = LoopRounds(self._rounds_of(call), f"for each number of {quote(text_of(call.span))}", call.span)
            return plain(WRITTEN_OUT, call.span).in_loop(numbers)
        if call.builtin == "sets_worth":
            return self._search_of_sets(call)
        return NOTHING

    def _search_of_sets(self, call: BuiltinCall) -> Amount:
        """Return the work of a search for the best sets, without what all searches together do once."""
        wild = self.context.ranges.of(call.arguments[1]).most
        steps = self.context.ranges.sizes.search_of_sets(call, wild)
        each, once = (plain(SOUGHT * number, call.span) for number in (steps.each, steps.once))
        if (each + once).number > MOST_WORK:
            problem = analysis_problems.too_much_work(each + once, MOST_WORK, call.span, "sets")
            self.context.report.add(problem)
            return NOTHING
        key = (call.names[0], call.arguments[0].type)
        # The engine forgets everything when its table is full: once between two questions, or so many results later.
        self._searched[key] = largest(once + once, self._searched.get(key))
        return each + plain(once.number // MOST_REMEMBERED + 1, call.span)

    def _loops(self, loops: tuple[Loop, ...], of: Comprehension) -> Amount:
        if not loops:
            return self.of(of.item) + plain(weight_of_item(of), of.span)
        loop, items = loops[0], loops[0].items
        inside = sum((self.of(each) for each in loop.conditions), plain(1, items.span)) + self._loops(loops[1:], of)
        turn = loop_over(loop.name, items, self._rounds_of(items), items.span)
        return self.collection(items) + inside.in_loop(turn)

    def _children(self, expression: Expression) -> Amount:
        return sum((self.of(child) for child in children(expression)), NOTHING)

    def _rounds_of(self, items: Expression) -> int:
        """Return the most items of a collection; outside of play, where there are no ranges, it is computed."""
        ranges = self.context.ranges
        if items in ranges.expressions:
            return ranges.of(items).most
        known = ranges.sizes.by_players[-1].value(items)
        return len(known) if isinstance(known, tuple) else ranges.of(items).most

    # Options.

    def listing(self, option: Option) -> Amount:
        """Return the work of listing an option's instances, and check their number; tests come as early as they can."""
        instances, conditions = 1, list(option.conditions)
        words = f"for each way to fill in {quote(option.id)}"
        total = plain(CALL, option.span) + self._ready(option, 0, conditions)
        for number, parameter in enumerate(option.parameters, 1):
            loop = LoopRounds(instances, words, option.span)
            if parameter.domain is not None:
                total += self.collection(parameter.domain).in_loop(loop)
            instances *= self.size(parameter)
            tests = plain(1, parameter.span) + self._ready(option, number, conditions)
            total += tests.in_loop(LoopRounds(instances, words, option.span))
        self.most_instances = max(self.most_instances, instances)
        if instances > MOST_INSTANCES:
            ways = [(each.name, self.size(each), each.span) for each in option.parameters]
            problem = analysis_problems.too_many_instances(option.id, instances, MOST_INSTANCES, option.span, ways)
            self.context.report.add(problem)
            return NOTHING
        return total + plain(INSTANCE, option.span).in_loop(LoopRounds(instances, words, option.span))

    def _ready(self, option: Option, number: int, conditions: list[Condition]) -> Amount:
        """Return the work of the conditions that so many parameters decide, and take them out of those left."""
        later = {each.name for each in option.parameters[number:]}
        ready = [each for each in conditions if not mentions(each.expression, later)]
        conditions[:] = [each for each in conditions if each not in ready]
        return self.reading(*(each.expression for each in ready))

    def size(self, parameter: Parameter) -> int:
        """Return the most values that a parameter of an option can have."""
        ranges = self.context.ranges
        size = parameter.size or ranges.sizes.how_many(parameter.type)
        if parameter.domain is not None:
            domain = ranges.of(parameter.domain).high
            size = domain if size is None else size if domain is None else min(size, max(0, domain))
        return 1 if size is None else size


def _is_range(expression: Expression) -> bool:
    return isinstance(expression, BuiltinCall) and expression.builtin == "range"
