"""Bounded work: loops and calls between two decisions, instances of an option, pieces, cells, decisions of a game."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import prod
from typing import Any, ClassVar, TypeAlias

from attrs import define, evolve, field

from aodrules.check import analysis_problems
from aodrules.check.analyse.bounds import (
    MOST_BEFORE,
    MOST_CALLS,
    MOST_CELLS,
    MOST_DECISIONS,
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
    share_of,
    work,
)
from aodrules.check.analyse.interval_analysis import Ranges
from aodrules.check.analyse.loop_sizes import KnownItem, length_of, members_of_loop, mentions, work_of_sets
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
from aodrules.check.visit import children, expressions, text_of
from aodrules.lang.expressions import (
    BuiltinCall,
    Comprehension,
    Expression,
    Local,
    Loop,
    Possible,
    ValueCall,
)
from aodrules.source.diagnostics import Diagnostic, Report
from aodrules.source.spans import Span
from aodrules.source.wording import quote

Path: TypeAlias = list[LoopRounds]
Way: TypeAlias = "tuple[int, Callable[[], Path]]"
"""How much there is on a way, and the loops along it."""
Inside: TypeAlias = "Steps | Caller | DecisionDef | Expression"
"""Something that a path can lead into."""


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
            ready = [each for each in conditions if not mentions(each.expression, later)]
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
            found = work_of_sets(self.rules, self.ranges.measures, expression, wild)
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
        return _LoopPaths(self._unbounded, of_questions).into(inside)

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
        most = length_of(self.ranges, step.items, self._item)
        start = work(self._collection(step.items) + self.work_of(step.ordered_by))
        # Only the outermost such loop is taken apart: taken apart inside each other they would multiply.
        members = members_of_loop(self.ranges, step, most) if self._item is None else []
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
        for caller in self.enter_leave_effects(step):
            ways[caller.kind] = either(ways[caller.kind], self.caller_cost(caller))
        enter_leave_effects = one_after_other(*ways.values())
        carried = rounds(self.pieces_moved(step), enter_leave_effects) if enter_leave_effects != FREE else FREE
        return one_after_other(work(self.work_of(*expressions(step))), carried)

    def pieces_moved(self, step: Move | Draw) -> int:
        """Return how many pieces a step moves at most."""
        most = self.ranges.measures.pieces(step.kind)
        if isinstance(step, Draw) or step.count is not None:
            return min(most, self.most_of(step.count) if step.count else most)
        return 1 if step.what is not None else most

    def enter_leave_effects(self, step: Move | Draw) -> Iterator[Caller]:
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


# The way down to the loops that make the most work or ask most often.


@define(eq=False)
class _LoopPaths:
    """Finds the loops that count most: at each fork the way with the most rounds, or the most questions."""

    counter: _WorkAnalysis
    of_questions: bool

    def into(self, inside: Inside) -> Path:
        """Return the loops on the dearest way into something, the outermost first."""
        if isinstance(inside, tuple):
            return self._dearest(*(self._step_way(step) for step in inside))
        if isinstance(inside, Caller):
            self.counter.caller = inside
            finder = self._callers.get(inside.kind)
            return self._body(inside) if finder is None else finder(self, inside)
        if isinstance(inside, DecisionDef):
            return self._decision(inside)
        return self._expression(inside)

    # Ways.

    def _dearest(self, *ways: Way) -> Path:
        """Return the path of the way on which there is most, the last of several."""
        if not ways:
            return []
        amount, path = max(reversed(ways), key=lambda way: way[0])
        return path() if amount else []

    def _measure(self, cost: Cost) -> int:
        return cost.decisions if self.of_questions else cost.most

    def _steps_way(self, steps: Steps) -> Way:
        return sum(self._measure(self.counter.step_cost(step)) for step in steps), lambda: self.into(steps)

    def _step_way(self, step: AnyStep) -> Way:
        finder = self._steps.get(type(step))
        path = (lambda: finder(self, step)) if finder else lambda: self._dearest(*self._reading(*expressions(step)))
        return self._measure(self.counter.step_cost(step)), path

    def _caller_way(self, caller: Caller) -> Way:
        return self._measure(self.counter.caller_cost(caller)), lambda: self.into(caller)

    def _reading(self, *read: Expression | None) -> list[Way]:
        return [] if self.of_questions else [self._reading_way(each) for each in read if each is not None]

    def _reading_way(self, expression: Expression) -> Way:
        return self.counter.work_of(expression), lambda: self._expression(expression)

    def _around(self, turn: LoopRounds, *inside: Way) -> Way:
        """Return the way through a loop: it counts itself even where nothing in it does."""
        amount = max((amount for amount, _ in inside), default=0)
        own = 0 if self.of_questions else 1
        return turn.times * (own + amount), lambda: [turn, *self._dearest(*inside)]

    # Steps.

    def _for(self, step: For) -> Path:
        turn = LoopRounds(
            self.counter.rounds_of(step.items), quote(f"for {step.name} in {text_of(step.items.span)}"), step.span
        )
        return self._dearest(
            *self._reading(*children(step.items)),
            self._around(turn, self._steps_way(step.body), *self._reading(step.where)),
        )

    def _repeat(self, step: Repeat) -> Path:
        turn = LoopRounds(self.counter.most_of(step.count), quote(f"repeat {text_of(step.count.span)}"), step.span)
        return self._dearest(*self._reading(step.count), self._around(turn, self._steps_way(step.body)))

    def _while(self, step: While) -> Path:
        turn = LoopRounds(self.counter.most_of(step.at_most), quote(f"while {text_of(step.condition.span)}"), step.span)
        inside = self._around(turn, self._steps_way(step.body), *self._reading(step.condition))
        return self._dearest(*self._reading(step.at_most), inside)

    def _if(self, step: If) -> Path:
        ways = self._steps_way(step.then), self._steps_way(step.otherwise)
        return self._dearest(*self._reading(step.condition), *ways)

    def _named(self, step: Step) -> Path:
        return self.into(step.body)

    def _call(self, step: Call | Happen) -> Path:
        called, _, _ = handed_over(self.counter.rules, step)
        return self._dearest(*self._reading(*expressions(step)), self._caller_way(called))

    def _run(self, step: RunHook) -> Path:
        members = members_met(self.counter.rules, step)
        hooks = (self._caller_way(Caller("hook", step.hook, member)) for member in members)
        return self._dearest(*self._reading(*expressions(step)), *hooks)

    def _choose(self, step: Choose) -> Path:
        decision = self.counter.rules.decisions.get(step.decision)
        return [] if decision is None else self._decision(decision)

    def _move(self, step: Move | Draw) -> Path:
        turn = LoopRounds(self.counter.pieces_moved(step), "for each piece that is moved", step.span)
        enter_leave_effects = [self._caller_way(caller) for caller in self.counter.enter_leave_effects(step)]
        around = [self._around(turn, *enter_leave_effects)] if enter_leave_effects else []
        return self._dearest(*self._reading(*expressions(step)), *around)

    # Callers.

    def _game(self, _: Caller) -> Path:
        game = self.counter.rules.game
        verbs = [Caller("verb", verb) for verb in (game.begin, game.play) if verb is not None]
        return self._dearest(*(self._caller_way(verb) for verb in verbs))

    def _event(self, caller: Caller) -> Path:
        found = self.counter.rules.reactions.get(caller.name, ())
        return self._dearest(*(self._held(each.scope, each.span, self._steps_way(each.body)) for each in found))

    def _held(self, scope: EffectScope, span: Span, *inside: Way) -> Way:
        """Return the way through an effect that several may hold at once."""
        copies = self.counter.copies_of(scope)
        if copies > 1:
            return self._around(LoopRounds(copies, "for each copy that holds the effect", span), *inside)
        return max((amount for amount, _ in inside), default=0), lambda: self._dearest(*inside)

    def _body(self, caller: Caller) -> Path:
        return self._dearest(*(self._steps_way(body) for body in bodies_of(self.counter.rules, caller)))

    def _value(self, caller: Caller) -> Path:
        value = self.counter.rules.values.get(caller.name)
        modifiers = self.counter.rules.modifiers.get(caller.name, ())
        held = [self._held(each.scope, each.span, *self._reading(each.amount, each.condition)) for each in modifiers]
        return self._dearest(*self._reading(value.formula if value else None), *held)

    def _called_decision(self, caller: Caller) -> Path:
        decision = self.counter.rules.decisions.get(caller.name)
        return self._decision(decision) if decision else []

    def _decision(self, decision: DecisionDef) -> Path:
        ways = [self._steps_way(each.body) for each in decision.options] + [self._steps_way(decision.otherwise)]
        ways += [] if self.of_questions else [self._listing_way(each) for each in decision.options]
        path = self._dearest(*ways)
        times = self.counter.times_asked(decision)
        return (
            [LoopRounds(times, f"as {quote(decision.id)} is asked again", decision.span), *path] if times > 1 else path
        )

    def _listing_way(self, option: Option) -> Way:
        return self.counter.listing_of(option), lambda: self._listing(option)

    def _listing(self, option: Option) -> Path:
        read = self._dearest(*self._reading(*(each.expression for each in option.conditions)))
        ways = self.counter.listing_of(option) // max(1, share_of(read))
        return (
            [LoopRounds(ways, f"for each way to fill in {quote(option.id)}", option.span), *read] if ways > 1 else read
        )

    # Expressions.

    def _expression(self, expression: Expression) -> Path:
        if isinstance(expression, Comprehension):
            return self._loops(expression.loops, expression.item)
        ways = self._reading(*children(expression))
        if isinstance(expression, ValueCall):
            ways.append(self._caller_way(Caller("value", expression.value)))
        elif isinstance(expression, Possible):
            option = self.counter.rules.options.get(expression.option)
            ways += [] if option is None else [self._listing_way(option)]
        elif isinstance(expression, BuiltinCall) and expression.builtin == "range":
            ways.append(
                self._around(LoopRounds(self.counter.rounds_of(expression), text_of(expression.span), expression.span))
            )
        return self._dearest(*ways)

    def _loops(self, loops: tuple[Loop, ...], item: Expression) -> Path:
        if not loops:
            return self._expression(item)
        loop = loops[0]
        turn = LoopRounds(
            self.counter.rounds_of(loop.items), quote(f"for {loop.name} in {text_of(loop.items.span)}"), loop.items.span
        )
        further = self._loops(loops[1:], item)
        inside = [*self._reading(*loop.conditions), (share_of(further) if further else 0, lambda: further)]
        return self._dearest(*self._reading(*children(loop.items)), self._around(turn, *inside))

    _callers: ClassVar[dict[str, Any]] = {
        "game": _game,
        "value": _value,
        "event": _event,
        "decision": _called_decision,
    }
    _steps: ClassVar[dict[type, Any]] = {
        For: _for,
        Repeat: _repeat,
        While: _while,
        If: _if,
        Step: _named,
        Call: _call,
        Happen: _call,
        RunHook: _run,
        Choose: _choose,
        Move: _move,
        Draw: _move,
    }
