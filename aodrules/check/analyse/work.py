"""Bounded work: loops and calls between two decisions, instances of an option, pieces, cells, decisions of a game."""

from __future__ import annotations

from collections.abc import Iterator
from math import comb, prod
from typing import Any, ClassVar, TypeAlias

from attrs import define, evolve, field

from aodrules.check import analysis_problems
from aodrules.check.analyse.bounds import (
    MOST_BEFORE,
    MOST_CALLS,
    MOST_CELLS,
    MOST_DECISIONS,
    MOST_DIFFERENT,
    MOST_INSTANCES,
    MOST_MEMBERS,
    MOST_PIECES,
    MOST_WORK,
)
from aodrules.check.analyse.calls import Caller, CallGraph, bodies_of, called_by, effects_of, handed_over, members_met
from aodrules.check.analyse.costs import (
    FREE,
    Cost,
    LoopRounds,
    asked_again,
    either,
    one_after_other,
    question,
    rounds,
    work,
)
from aodrules.check.analyse.interval_analysis import Ranges
from aodrules.check.analyse.loop_paths import Inside, LoopPaths
from aodrules.check.analyse.sizes import Sizes
from aodrules.check.checked import CheckedRules, DecisionDef, EffectScope, Option, Parameter
from aodrules.check.steps import (
    AnyStep,
    Call,
    Choose,
    Draw,
    For,
    Happen,
    If,
    Move,
    Repeat,
    RunHook,
    Shuffle,
    Sort,
    Step,
    Steps,
    While,
)
from aodrules.check.visit import children, expressions, walk, walk_steps
from aodrules.lang.expressions import (
    AttributeRead,
    BuiltinCall,
    Comprehension,
    Const,
    Expression,
    FieldRead,
    Local,
    Loop,
    Operation,
    Possible,
    ValueCall,
)
from aodrules.lang.types import Bag, Member, SetOf, Type, item_of
from aodrules.source.diagnostics import Diagnostic, Report
from aodrules.source.spans import Span

_WITHOUT_END = 10**12
KnownItem: TypeAlias = tuple[str, int]
"""The name of a loop that stands for one known member, and that member."""


def check_work(rules: CheckedRules, graph: CallGraph, ranges: Ranges, report: Report) -> None:
    """Report what may take too long or grow too large."""
    for name, kind in rules.kinds.items():
        if kind.family == name and len(kind.members) > MOST_MEMBERS:
            report.add(analysis_problems.too_many_members(name, len(kind.members), MOST_MEMBERS, kind.span))
        pieces = ranges.measures.pieces(name) if kind.family == name else 0
        if pieces > MOST_PIECES:
            copies = ranges.measures.copies(name)
            largest = kind.members[copies.index(max(copies))], max(copies) * pieces // sum(copies)
            report.add(analysis_problems.too_many_pieces(name, pieces, MOST_PIECES, largest, kind.span))
    _check_cells(rules, ranges, report)
    found = _WorkAnalysis(rules, graph, ranges, Report()).added_up()
    if not any(each.code == "too-much-work" for each in found):
        calls = _WorkAnalysis(rules, graph, ranges, Report(), per_call=1).added_up()
        found += [each for each in calls if each.code == "too-much-work"]
    for each in found:
        report.add(each)


def _check_cells(rules: CheckedRules, ranges: Ranges, report: Report) -> None:
    """Report a state that takes too much memory, at its largest field."""
    how_many = ranges.measures.how_many
    cells = {each: prod(how_many(one) or 0 for one in each.dimensions) for each in rules.fields.values()}
    total = sum(cells.values())
    if total > MOST_CELLS:
        largest = max(cells, key=lambda each: cells[each])
        report.add(analysis_problems.too_many_cells(total, MOST_CELLS, cells[largest], largest.span))


@define(eq=False)
class _WorkAnalysis:
    """Adds up the work, what is called before what calls it."""

    rules: CheckedRules
    graph: CallGraph
    ranges: Ranges
    report: Report
    per_call: int = 0
    """What a call counts, beside the rounds of the loops inside it."""
    is_bounded: bool = True
    """Whether too much is reported and counts as nothing from then on."""
    _costs: dict[Caller, Cost] = field(factory=dict)
    _reading: dict[Expression, int] = field(factory=dict)
    caller: Caller = Caller("game", "game")  # noqa: RUF009 - a plain value
    _narrow: dict[tuple[str, int], Cost] = field(factory=dict)
    """The cost of a decision that is given one known member."""
    _item: KnownItem | None = None
    """The outermost loop that is taken apart."""
    _unbounded: _WorkAnalysis | None = None

    @property
    def most(self) -> int:
        """The most work that is allowed."""
        return MOST_CALLS if self.per_call else MOST_WORK

    def added_up(self) -> list[Diagnostic]:
        """Work out what everything costs that the game can come to, and return what was too much."""
        for often, expression in self._before_play():
            found = often * self._expression(expression)
            if found > MOST_BEFORE and self.is_bounded:
                cells = [LoopRounds(often, "for each cell of the field", expression.span)] if often > 1 else []
                path = cells + self._path_into(expression, of_questions=False)
                problem = analysis_problems.too_much_work(found, MOST_BEFORE, expression.span, "before play", path)
                self.report.add(problem)
        for caller in reversed(self.graph.order):
            if caller in self.graph.reached:
                self._visit(caller)
        return list(self.report)

    def _before_play(self) -> Iterator[tuple[int, Expression]]:
        """Iterate over what fields start with, with how often it is worked out; attributes are known by now."""
        for one in self.rules.fields.values():
            cells = prod(self.ranges.measures.how_many(each) or 0 for each in one.dimensions)
            parts = (one.start, one.start_if, one.start_by, one.only)
            yield from ((cells, each) for each in parts if each is not None)

    def _visit(self, caller: Caller) -> None:
        self.caller = caller
        visitor = self._visitors.get(caller.kind)
        if visitor is None:
            self._costs[caller] = self._effects(caller)
        else:
            self._costs[caller] = one_after_other(work(self.per_call), visitor(self, caller))

    def caller_cost(self, called: Caller) -> Cost:
        return self._costs.get(called, FREE)

    # Callers.

    def _game(self, caller: Caller) -> Cost:
        game = self.rules.game
        verbs = [Caller("verb", verb) for verb in (game.begin, game.play) if verb is not None]
        total = one_after_other(*(self.caller_cost(verb) for verb in verbs))
        return self._checked(total, game.span, caller)

    def _body(self, caller: Caller) -> Cost:
        return one_after_other(*(self._steps(body) for body in bodies_of(self.rules, caller)))

    def _value(self, caller: Caller) -> Cost:
        value = self.rules.values.get(caller.name)
        if value is None:
            return FREE
        total = self.work_of(value.formula)
        for modifier in self.rules.modifiers.get(caller.name, ()):
            one = self.per_call + self.work_of(modifier.amount) + self.work_of(modifier.condition)
            total += one * self.copies_of(modifier.scope)
        return self._checked(work(total), value.span, caller)

    def _event(self, caller: Caller) -> Cost:
        total = FREE
        for reaction in self.rules.reactions.get(caller.name, ()):
            body = one_after_other(work(self.work_of(reaction.condition)), either(FREE, self._steps(reaction.body)))
            total = one_after_other(total, rounds(self.copies_of(reaction.scope), body))
            total = self._checked(total, reaction.span, caller)
        return total

    def _effects(self, caller: Caller) -> Cost:
        """Return the cost of what is set off on the way of something else: each effect is a call."""
        total = FREE
        for effect in effects_of(self.rules, caller):
            body = either(FREE, self._steps(effect.body))
            total = one_after_other(total, work(self.per_call + self.work_of(effect.condition)), body)
        return total

    def _possible(self, caller: Caller) -> Cost:
        option = self.rules.options.get(caller.name)
        return work(self.listing_of(option)) if option else FREE

    def _decision(self, caller: Caller) -> Cost:
        decision = self.rules.decisions.get(caller.name)
        return self._asked(decision, is_person=True) if decision and not decision.inline else FREE

    # Decisions.

    def _asked(self, decision: DecisionDef, *, is_person: bool) -> Cost:
        """Return the cost of one `choose`: listing what is legal, the answer, its consequences."""
        listing = work(sum(self.listing_of(option) for option in decision.options))
        answers = {option: self._steps(option.body) for option in decision.options}
        ask = question() if is_person else FREE
        possible = [*answers.values(), *([FREE] if decision.optional else [])]
        answer = one_after_other(ask, either(*possible) if possible else FREE)
        ways = [answer] if not decision.says_otherwise else [answer, self._steps(decision.otherwise)]
        if decision.optional and not decision.always_asked:
            ways.append(FREE)
        again = [(option, cost) for option, cost in answers.items() if option.again is not None]
        uses = [(self.ranges.uses(option), one_after_other(listing, ask, cost)) for option, cost in again]
        return self._checked(one_after_other(asked_again(uses), listing, either(*ways)), decision.span, decision)

    def times_asked(self, decision: DecisionDef) -> int:
        """Return how often a decision can be asked in one `choose`."""
        return 1 + sum(self.ranges.uses(each) for each in decision.options if each.again is not None)

    def listing_of(self, option: Option) -> int:
        """Return the work of listing an option's instances, and check their number."""
        instances, total, conditions = 1, 0, list(option.conditions)
        for parameter in option.parameters:
            total += instances * (self._collection(parameter.domain) if parameter.domain else 0)
            instances *= self._size(parameter)
            later = {each.name for each in option.parameters[option.parameters.index(parameter) + 1 :]}
            ready = [each for each in conditions if not _mentions(each.expression, later)]
            conditions = [each for each in conditions if each not in ready]
            total += instances * (1 + sum(self.work_of(each.expression) for each in ready))
        if instances > MOST_INSTANCES:
            problem = analysis_problems.too_many_instances(option.id, instances, MOST_INSTANCES, option.span)
            self.report.add(problem)
            return 0
        return total + sum(self.work_of(each.expression) for each in conditions)

    def _size(self, parameter: Parameter) -> int:
        size = parameter.size or self.ranges.measures.how_many(parameter.type)
        if parameter.domain is not None:
            domain = self.ranges.of(parameter.domain).high
            size = domain if size is None else size if domain is None else min(size, max(0, domain))
        return 1 if size is None else size

    def copies_of(self, scope: EffectScope) -> int:
        return sum(copies for _, copies in self.ranges.measures.carriers(scope))

    # Expressions.

    def work_of(self, *read: Expression | None) -> int:
        total = 0
        for expression in read:
            rounds_ = self._expression(expression) if expression is not None else 0
            if expression is not None and rounds_ > self.most and self.is_bounded:
                self._report_work(rounds_, expression.span, expression)
                rounds_ = self._reading[expression] = 0
            total += rounds_
        return total

    def _expression(self, expression: Expression) -> int:
        if expression not in self._reading:
            self._reading[expression] = self._computed(expression)
        return self._reading[expression]

    def _computed(self, expression: Expression) -> int:
        if isinstance(expression, Comprehension):
            return self._loops(expression.loops, expression.item)
        total = sum(self._expression(child) for child in children(expression))
        if isinstance(expression, ValueCall):
            total += self.caller_cost(Caller("value", expression.value)).most
        elif isinstance(expression, Possible):
            total += self.caller_cost(Caller("possible", expression.option)).most
        elif isinstance(expression, BuiltinCall) and expression.builtin in ("connected", "reach", "distance"):
            graph = self.rules.graphs.get(expression.names[0]) if expression.names else None
            total += len(graph.neighbours) if graph else 0
        elif _is_range(expression):
            total += self.rounds_of(expression)
        elif isinstance(expression, BuiltinCall) and expression.builtin == "sets_worth" and not self.per_call:
            wild = self.ranges.of(expression.arguments[1]).most
            found = _work_of_sets(self.rules, self.ranges.measures, expression, wild)
            if found > MOST_CALLS:
                self.report.add(analysis_problems.too_much_work(found, MOST_CALLS, expression.span, "sets"))
        return total

    def _loops(self, loops: tuple[Loop, ...], item: Expression) -> int:
        if not loops:
            return self._expression(item)
        inside = sum(self._expression(each) for each in loops[0].conditions) + self._loops(loops[1:], item)
        return self._collection(loops[0].items) + self.rounds_of(loops[0].items) * (1 + inside)

    def _collection(self, items: Expression) -> int:
        """Return the work of what a loop runs over; the numbers of a range are counted with its rounds."""
        if _is_range(items):
            return sum(self._expression(child) for child in children(items))
        return self._expression(items)

    def rounds_of(self, items: Expression) -> int:
        """Return the most items of a collection; outside of play, where there are no ranges, it is computed."""
        if items in self.ranges.expressions:
            return self.ranges.of(items).most
        known = self.ranges.measures.by_players[-1].value(items)
        return len(known) if isinstance(known, tuple) else self.ranges.of(items).most

    # Steps.

    def _steps(self, steps: Steps) -> Cost:
        total = FREE
        for number, step in enumerate(steps, 1):
            total = self._checked(one_after_other(total, self.step_cost(step)), step.span, steps[:number])
        return total

    def _checked(self, cost: Cost, span: Span, inside: Inside) -> Cost:
        """Report too much work where it first is too much, and count it as nothing from then on."""
        if not self.is_bounded:
            return cost
        if cost.decisions > MOST_DECISIONS:
            path = self._path_into(inside, of_questions=True)
            self.report.add(analysis_problems.too_many_decisions(cost.decisions, MOST_DECISIONS, span, path))
            cost = evolve(cost, decisions=0)
        if cost.most <= self.most:
            return cost
        self._report_work(cost.most, span, inside)
        through, head, tail = (None if each is None else 0 for each in (cost.through, cost.head, cost.tail))
        return Cost(through, head, tail, 0, cost.decisions)

    def _report_work(self, found: int, span: Span, inside: Inside) -> None:
        path = self._path_into(inside, of_questions=False)
        of = "calls" if self.per_call else "rounds"
        self.report.add(analysis_problems.too_much_work(found, self.most, span, of, path))

    def _path_into(self, inside: Inside, *, of_questions: bool) -> list[LoopRounds]:
        """Return the loops that make up most of what is too much."""
        if self._unbounded is None:
            self._unbounded = _WorkAnalysis(
                self.rules, self.graph, self.ranges, Report(), self.per_call, is_bounded=False
            )
            self._unbounded.added_up()
        self._unbounded.caller = self.caller
        return LoopPaths(self._unbounded, of_questions).into(inside)

    def most_of(self, number: Expression) -> int:
        """Return the most that a number can be."""
        return self.ranges.of(number).most

    def step_cost(self, step: AnyStep) -> Cost:
        counter = self._counters.get(type(step))
        return counter(self, step) if counter else work(self.work_of(*expressions(step)))

    def _if(self, step: If) -> Cost:
        ways = either(self._steps(step.then), self._steps(step.otherwise))
        return one_after_other(work(self.work_of(step.condition)), ways)

    def _for(self, step: For) -> Cost:
        most = _length_of(self.ranges, step.items, self._item)
        start = work(self._collection(step.items) + self.work_of(step.ordered_by))
        # Only the outermost such loop is taken apart: taken apart inside each other they would multiply.
        members = _members_of_loop(self.ranges, step, most) if self._item is None else []
        if not members:
            return one_after_other(start, rounds(most, self._round(step, most)))
        outside, costs = self._item, []
        for member, copies in members:
            self._item = (step.name, member)
            costs.append(rounds(copies, self._round(step, most)))
        self._item = outside
        return one_after_other(start, *costs)

    def _round(self, step: For, most: int) -> Cost:
        """Return the cost of one round of a loop."""
        test = self.work_of(step.where, step.worth_asking)
        body = one_after_other(work(test), either(FREE, self._steps(step.body)))
        if step.ordered_by is None:
            return body
        # What is left is judged anew before each question, and nobody is asked about a single one.
        return one_after_other(work(most * (1 + test)), either(FREE, question()), body)

    def _repeat(self, step: Repeat) -> Cost:
        return one_after_other(
            work(self.work_of(step.count)), rounds(self.ranges.of(step.count).most, self._steps(step.body))
        )

    def _while(self, step: While) -> Cost:
        body = one_after_other(work(self.work_of(step.condition)), self._steps(step.body))
        return one_after_other(work(self.work_of(step.at_most)), rounds(self.ranges.of(step.at_most).most, body))

    def _named(self, step: Step) -> Cost:
        return self._steps(step.body)

    def _call(self, step: Call | Happen) -> Cost:
        called, _, _ = handed_over(self.rules, step)
        return one_after_other(work(self.work_of(*expressions(step))), self.caller_cost(called))

    def _run(self, step: RunHook) -> Cost:
        members = members_met(self.rules, step)
        if self._item and isinstance(step.subject, Local) and step.subject.name == self._item[0]:
            members = tuple(member for member in members if member == self._item[1])
        bodies = (self.caller_cost(Caller("hook", step.hook, member)) for member in members)
        return one_after_other(work(self.work_of(*expressions(step))), either(FREE, *bodies))

    def _choose(self, step: Choose) -> Cost:
        decision = self.rules.decisions.get(step.decision)
        reading = work(self.work_of(*expressions(step)))
        if decision is None:
            return reading
        if decision.inline or step.by is None:
            return one_after_other(reading, self._asked(decision, is_person=step.by is not None))
        return one_after_other(reading, self._narrowed(decision, step))

    def _narrowed(self, decision: DecisionDef, step: Choose) -> Cost:
        """Return the cost of a question; without the options that the known member of a loop rules out."""
        whole = self.caller_cost(Caller("decision", step.decision))
        given = zip(decision.parameters, step.arguments, strict=False)
        named = [one.name for one, argument in given if isinstance(argument, Local) and self._is_item(argument)]
        if self._item is None or not named:
            return whole
        known = dict.fromkeys(named, self._item[1])
        options = tuple(each for each in decision.options if not self._is_ruled_out(each, known))
        if len(options) == len(decision.options):
            return whole
        key = (decision.address, self._item[1])
        if key not in self._narrow:
            # What is wrong with the decision was reported when it was looked at as a whole.
            report, self.report = self.report, Report()
            self._narrow[key] = self._asked(evolve(decision, options=options), is_person=True)
            self.report = report
        return self._narrow[key]

    def _is_item(self, local: Local) -> bool:
        return self._item is not None and local.name == self._item[0]

    def _is_ruled_out(self, option: Option, known: dict[str, int]) -> bool:
        """Whether a condition of an option fails whatever happens in play."""
        tables = self.ranges.measures.in_play
        return any(all(one.value(each.expression, known) is False for one in tables) for each in option.conditions)

    def _move(self, step: Move | Draw) -> Cost:
        ways = {"leaving": FREE, "entering": FREE}
        for caller in self.passages(step):
            ways[caller.kind] = either(ways[caller.kind], self.caller_cost(caller))
        passages = one_after_other(*ways.values())
        carried = rounds(self.pieces_moved(step), passages) if passages != FREE else FREE
        return one_after_other(work(self.work_of(*expressions(step))), carried)

    def pieces_moved(self, step: Move | Draw) -> int:
        """Return how many pieces a step moves at most."""
        most = self.ranges.measures.pieces(step.kind)
        if isinstance(step, Draw) or step.count is not None:
            return min(most, self.most_of(step.count) if step.count else most)
        return 1 if step.what is not None else most

    def passages(self, step: Move | Draw) -> Iterator[Caller]:
        """Return what may happen on the way of a piece that a step moves."""
        return called_by(self.rules, self.graph, self.caller, step)

    def _rearranged(self, step: Shuffle | Sort) -> Cost:
        field_ = self.rules.fields.get(step.place.field)
        most = self.ranges.measures.field(field_).most if field_ else 0
        return work(most * (1 + (self.work_of(step.by) if isinstance(step, Sort) else 0)))

    _visitors: ClassVar[dict[str, Any]] = {
        "game": _game,
        "verb": _body,
        "hook": _body,
        "value": _value,
        "event": _event,
        "possible": _possible,
        "decision": _decision,
    }
    _counters: ClassVar[dict[type, Any]] = {
        If: _if,
        For: _for,
        Repeat: _repeat,
        While: _while,
        Step: _named,
        Call: _call,
        Happen: _call,
        RunHook: _run,
        Choose: _choose,
        Move: _move,
        Draw: _move,
        Shuffle: _rearranged,
        Sort: _rearranged,
    }


def _is_range(expression: Expression) -> bool:
    return isinstance(expression, BuiltinCall) and expression.builtin == "range"


# Which members a loop comes to, where that says more about its work than how many items there are.


def _members_of_loop(ranges: Ranges, step: For, most: int) -> list[tuple[int, int]]:
    """Return the members a loop can come to, each with the most times, if that says more than their number.

    It does where a loop over a whole kind or its pieces runs hooks, or loops over what a member says.
    """
    items, kind = step.items, item_of(step.items.type)
    if not isinstance(kind, Member) or not any(_depends(each, step.name) for each in walk_steps(step.body)):
        return []
    if isinstance(items, Const) and isinstance(items.value, tuple):
        return [(member, 1) for member in items.value]
    return _members_held(ranges, items.type, kind.kind, most) if isinstance(items, FieldRead) else []


def _members_held(ranges: Ranges, of: Type, kind: str, most: int) -> list[tuple[int, int]]:
    """Return the members a field can hold, each with the most times; nothing where their number says as much."""
    measures = ranges.measures
    if isinstance(of, SetOf):
        return [(member, 1) for member in measures.members(kind)]
    copies = measures.copies(kind)
    if measures.is_owned(kind) or most < measures.pieces(kind):
        return []
    return [(member, copies[member]) for member in measures.members(kind)]


def _length_of(ranges: Ranges, items: Expression, known: KnownItem | None) -> int:
    """Return the most items of a collection; a range between attributes of a known member is exact."""
    most = ranges.of(items).most
    if known is None or not (isinstance(items, BuiltinCall) and items.builtin == "range"):
        return most
    ends = [_number(ranges, each, known) for each in items.arguments]
    first, last = (0, ends[0]) if len(ends) == 1 else ends
    return most if first is None or last is None else max(0, min(most, last - first))


def _number(ranges: Ranges, expression: Expression, known: KnownItem) -> int | None:
    """Return a number that is the same in every game: a constant, an attribute of the known member, or a sum."""
    if isinstance(expression, Const):
        return expression.value if isinstance(expression.value, int) else None
    if isinstance(expression, Operation) and expression.operator == "+":
        parts = [_number(ranges, each, known) for each in expression.operands]
        return None if None in parts else sum(each for each in parts if each is not None)
    if isinstance(expression, AttributeRead) and isinstance(expression.of, Local):
        name, member = known
        extent = ranges.measures.attribute(expression.attribute, member)
        return extent.low if expression.of.name == name and extent.low == extent.high else None
    return None


def _depends(step: AnyStep, name: str) -> bool:
    """Return whether a step runs a hook of what a name stands for, or loops over a range that it gives."""
    if isinstance(step, RunHook):
        return isinstance(step.subject, Local) and step.subject.name == name
    return isinstance(step, For) and _mentions(step.items, {name})


def _mentions(expression: Expression, names: set[str]) -> bool:
    """Whether an expression speaks of one of some names."""
    return any(isinstance(part, Local) and part.name in names for part in walk(expression))


# How long it may take to find the best scoring sets.


def _work_of_sets(rules: CheckedRules, measures: Sizes, call: BuiltinCall, wild: int) -> int:
    """Return the most steps of a search for sets in a bag, with at most so many wild pieces."""
    sets, bag = rules.sets.get(call.names[0]), call.arguments[0].type
    if sets is None or not isinstance(bag, Bag):
        return 0
    copies, members = measures.copies(bag.kind), len(measures.members(bag.kind))
    pieces, most = sum(copies), max(copies, default=0)
    ways = sum(min(sets.wild_per_set, each.size) + 1 for each in sets.shapes)
    # What is left is told by its number alone, unless some sets are of different pieces.
    left = pieces + 1
    before = members * left  # What can be left before each kind in turn is looked at.
    if any(each.different and not each.alike for each in sets.shapes):
        if pieces + wild > MOST_DIFFERENT:
            return _WITHOUT_END
        left, before = comb(members + most, most), comb(members + most, most + 1)
    return (before * min(most + 1, ways) + left * ways) * (wild + 1)
