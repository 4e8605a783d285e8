"""Bounded work: loops and calls between two decisions, instances of an option, pieces, cells, decisions of a game."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any, ClassVar, TypeGuard

from attrs import define, field

from aodrules.check import analysis_problems
from aodrules.check.analyse.bounds import (
    MOST_BEFORE,
    MOST_CALLS,
    MOST_CELLS,
    MOST_CONTEXTS,
    MOST_DECISIONS,
    MOST_INSTANCES,
    MOST_MEMBERS,
    MOST_PIECES,
    MOST_SPLITS,
    MOST_WORK,
    WORTH_A_LOOK,
)
from aodrules.check.analyse.calls import (
    GAME,
    Caller,
    CallGraph,
    Effect,
    bodies_of,
    called_by,
    effects_of,
    handed_over,
    members_met,
    members_of,
    plain_arguments,
    receiver,
)
from aodrules.check.analyse.cases import OPEN_CASE, Case, cases_of, conditions_in, decide, mentions, what_tells
from aodrules.check.analyse.costs import (
    FREE,
    NOTHING,
    ONE,
    QUESTION,
    Amount,
    Cost,
    LoopRounds,
    asked_again,
    either,
    largest,
    leave,
    one_after_other,
    plain,
    rounds,
    work,
)
from aodrules.check.analyse.interval_analysis import Ranges
from aodrules.check.analyse.interval_expressions import IntervalEvaluator, RangeFacts
from aodrules.check.analyse.kept_values import KeptWork, check_kept_values
from aodrules.check.checked import CheckedRules, DecisionDef, EffectScope, Field, Modifier, Option, Parameter, Reaction
from aodrules.check.digraph import reached
from aodrules.check.steps import (
    AnyStep,
    Argument,
    Call,
    Choose,
    Draw,
    EndGame,
    FieldPlace,
    For,
    Happen,
    If,
    LeaveGame,
    Let,
    Move,
    PlaceReference,
    Repeat,
    RunHook,
    Shuffle,
    Sort,
    Step,
    Steps,
    Stop,
    While,
)
from aodrules.check.visit import changed_names, children, expressions, text_of, walk, walk_steps
from aodrules.lang.expressions import (
    BuiltinCall,
    Comprehension,
    Const,
    Expression,
    FieldRead,
    IfElse,
    Local,
    Loop,
    Possible,
    ValueCall,
)
from aodrules.lang.interval import ANY, Interval, overlap
from aodrules.lang.types import Bag, ListOf, Member, Number, SetOf, Type, item_of
from aodrules.source.diagnostics import Diagnostic, Report
from aodrules.source.spans import Span
from aodrules.source.wording import quote

# What a way can leave, beside a step, which has its address.
BODY_LEFT, GAME_ENDED = "", "game"
MOVED = "(piece)"
"""Stands for the piece that is moved among the names of a case."""


def check_work(rules: CheckedRules, graph: CallGraph, ranges: Ranges, report: Report) -> None:
    """Report what may take too long or grow too large."""
    for name, kind in rules.kinds.items():
        if kind.family == name and len(kind.members) > MOST_MEMBERS:
            report.add(analysis_problems.too_many_members(name, len(kind.members), MOST_MEMBERS, kind.span))
        pieces = ranges.sizes.pieces(name) if kind.family == name else 0
        if pieces > MOST_PIECES:
            copies = ranges.sizes.copies(name)
            largest = kind.members[copies.index(max(copies))], max(copies) * pieces // sum(copies)
            report.add(analysis_problems.too_many_pieces(name, pieces, MOST_PIECES, largest, kind.span))
    _check_cells(rules, ranges, report)
    check_kept_values(rules, ranges.sizes, report)
    found = WorkAnalysis(rules, graph, ranges).added_up()
    if not any(each.code == "too-much-work" for each in found):
        calls = WorkAnalysis(rules, graph, ranges, per_call=1).added_up()
        found += [each for each in calls if each.code == "too-much-work"]
    for each in found:
        report.add(each)


def _check_cells(rules: CheckedRules, ranges: Ranges, report: Report) -> None:
    """Report a state that takes too much memory, at its largest field."""
    cells = {each: ranges.sizes.cells(each) for each in rules.fields.values()}
    total = sum(cells.values())
    if total > MOST_CELLS:
        largest = max(cells, key=lambda each: cells[each])
        report.add(analysis_problems.too_many_cells(total, MOST_CELLS, cells[largest], largest.span))


@define(eq=False)
class WorkAnalysis:
    """Adds up the work, what is called before what calls it; too much is reported, and is nothing from then on."""

    rules: CheckedRules
    graph: CallGraph
    ranges: Ranges
    per_call: int = 0
    """What a call counts, beside the rounds of the loops inside it."""
    _report: Report = field(factory=Report)
    _costs: dict[Caller, Cost] = field(factory=dict)
    _reading: dict[Expression, Amount] = field(factory=dict)
    _caller: Caller = GAME
    _case: Case = OPEN_CASE
    """What is known of names here."""
    _in_cases: dict[Caller, dict[Any, Cost]] = field(factory=dict)
    """The cost of what is called with something known."""
    _kept: KeptWork = field(init=False)
    _is_apart: bool = False
    """Whether a loop around is taken apart."""
    _splits: int = 0
    """How many names around are told apart."""
    _evaluator: IntervalEvaluator = field(init=False)
    _changed: frozenset[str] = field(init=False)
    _needed: dict[Caller, frozenset[str]] = field(factory=dict)

    def __attrs_post_init__(self) -> None:
        self._changed = changed_names(self.rules)
        sizes = self.ranges.sizes
        self._kept = KeptWork(self.rules, self.graph, sizes)
        self._evaluator = IntervalEvaluator(self.rules, sizes, Report(), is_silent=True, changed=self._changed)

    def added_up(self) -> list[Diagnostic]:
        """Work out what everything costs that the game can come to, and return what was too much."""
        for each in self.rules.fields.values():
            self._check_start(each)
        # Steps do not call the kept values that they let be worked out anew, so all values come first.
        called_first = self.graph.order[::-1]
        for caller in sorted(called_first, key=lambda one: one.kind not in {"value", "possible"}):
            if caller in self.graph.reached:
                self._visit(caller)
        return list(self._report)

    @property
    def whole_game(self) -> Cost:
        """The cost of a game, once everything is added up."""
        return self._costs[GAME]

    def _check_start(self, of: Field) -> None:
        """Report what takes too long before play: what a field starts with is worked out for each cell."""
        for each in expressions(of):
            loop = LoopRounds(self.ranges.sizes.cells(of), "for each cell of the field", each.span)
            found = self._expression(each).in_loop(loop)
            if found.number > MOST_BEFORE:
                self._report.add(analysis_problems.too_much_work(found, MOST_BEFORE, each.span, "before play"))

    # Callers.

    def _visit(self, caller: Caller) -> None:
        self._costs[caller] = self._counted(caller, OPEN_CASE)

    def _counted(self, caller: Caller, case: Case) -> Cost:
        """Return the cost of what a caller does, in a case."""
        self._caller, self._case = caller, case
        visitor = self._visitors.get(caller.kind)
        if visitor is None:
            return self._effects(caller)
        return one_after_other(work(plain(self.per_call)), visitor(self, caller))

    def _cost_of(self, called: Caller) -> Cost:
        return self._costs.get(called, FREE)

    def _cost_in(self, called: Caller, case: Case) -> Cost:
        """Return the cost of something that is called where more is known than of all its calls."""
        known = self._in_cases.setdefault(called, {})
        if case.is_open or self._is_cheap(called) or (case.key not in known and len(known) >= MOST_CONTEXTS):
            return self._cost_of(called)
        if case.key not in known:
            # What is wrong was reported when it was looked at as a whole.
            around = self._caller, self._case, self._report, self._is_apart, self._splits
            self._report, self._is_apart, self._splits = Report(), False, 0
            known[case.key] = self._counted(called, case)
            self._caller, self._case, self._report, self._is_apart, self._splits = around
        return known[case.key]

    def _is_cheap(self, called: Caller) -> bool:
        """Whether something costs so little that a closer look is not worth its time."""
        whole = self._cost_of(called)
        return whole.most_decisions.number == 0 and whole.most.number < WORTH_A_LOOK

    def _called_with(self, called: Caller, parameters: tuple[Parameter, ...], arguments: tuple[Argument, ...]) -> Cost:
        """Return the cost of something that is called with these arguments."""
        if self._is_cheap(called):
            return self._cost_of(called)
        case, needed = OPEN_CASE, self._names_needed(called)
        for parameter, argument in plain_arguments(parameters, arguments):
            if parameter.name not in needed:
                continue
            if isinstance(parameter.type, Number):
                every = self.ranges.parameters.get((receiver(called), parameter.name), ANY)
                interval = self._interval(argument)
                if interval.is_bounded and interval.ceiling < every.ceiling:
                    case = case.with_number(parameter.name, interval)
            elif (members := self._members_of(argument)) is not None:
                case = case.with_members(parameter.name, members)
        return self._cost_in(called, case)

    def _names_needed(self, called: Caller) -> frozenset[str]:
        """Return the names that something must know to be counted more closely."""
        if called not in self._needed:
            found: list[Expression] = []
            for body in bodies_of(self.rules, called):
                for step in walk_steps(body):
                    found += [part for each in what_tells(step) for part in walk(each)]
            for tests in self._conditions_of(called):
                found += walk(tests)
            names = {each.name for each in found if isinstance(each, Local)}
            self._needed[called] = frozenset(names - self._changed)
        return self._needed[called]

    def _conditions_of(self, caller: Caller) -> Iterator[Expression]:
        """Iterate over what options and reactions of a caller test."""
        decision = self.rules.decisions.get(caller.name) if caller.kind == "decision" else None
        for option in decision.options if decision else ():
            yield from (each.expression for each in option.conditions)
        yield from (each.condition for each in effects_of(self.rules, caller) if each.condition is not None)

    # Cases.

    def _interval(self, expression: Expression) -> Interval:
        """Return where an expression lies, by what is known here."""
        every, names = self.ranges.of(expression), {**self._case.members, **self._case.numbers}
        if not names or not mentions(expression, {*names}):
            return every
        single = {name: Interval(member=member) for name, member in self._case.single.items()}
        found = self._evaluator.read(expression, RangeFacts({**single, **self._case.numbers}))
        both = overlap(every, found)
        return both if both.floor <= both.ceiling else every

    def _members_of(self, expression: Argument) -> frozenset[int] | None:
        """Return the members that an argument is known to be one of; nothing where its type says as much."""
        if isinstance(expression, Local):
            return self._case.members.get(expression.name)
        if isinstance(expression, Const) and isinstance(expression.type, Member):
            return frozenset({expression.value}) if isinstance(expression.value, int) else None
        return None

    def _decided(self, condition: Expression | None) -> bool | None:
        if condition is None:
            return True
        return None if self._case.is_open else decide(condition, self._case, self.ranges.sizes)

    def _in_each_case(
        self, names: Iterable[tuple[str, Type]], conditions: Sequence[Expression], count: Callable[[], Cost]
    ) -> Cost:
        """Return the cost of steps of which some are done for some members only: that of the dearest case."""
        for name, of in names if self._splits < MOST_SPLITS else ():
            found = cases_of(name, of, conditions, self._case, self.ranges.sizes) if name not in self._changed else []
            if not found:
                continue
            around, report, mistakes, ways = self._case, self._report, Report(), []
            self._splits += 1
            for members in found:
                self._case, self._report = around.with_members(name, members), Report()
                ways.append(count())
                # What is too much in several cases is one mistake.
                if not any(mistakes):
                    mistakes = self._report
            self._case, self._report = around, report
            for each in mistakes:
                report.add(each)
            self._splits -= 1
            return either(*ways)
        return count()

    def _game(self, _: Caller) -> Cost:
        game = self.rules.game
        played = [self._cost_of(Caller("verb", verb)) for verb in game.verbs if verb != game.end]
        # What is done at the end is done however the game ends.
        end = self._cost_of(Caller("verb", game.end)) if game.end is not None else FREE
        whole = one_after_other(one_after_other(*played).after_leaving(GAME_ENDED), end).after_leaving(GAME_ENDED)
        return self._checked(whole, game.span)

    def _body(self, caller: Caller) -> Cost:
        declared = (self.rules.verbs if caller.kind == "verb" else self.rules.hooks).get(caller.name)
        if declared is None:
            return FREE
        [body] = bodies_of(self.rules, caller)
        if caller.kind == "hook":
            self._case = self._case.with_members("self", frozenset({caller.member}))
        names = ((each.name, each.type) for each in declared.parameters)
        return self._in_each_case(names, list(conditions_in(body)), lambda: self._whole(body))

    def _value(self, caller: Caller) -> Cost:
        value = self.rules.values.get(caller.name)
        if value is None:
            return FREE
        modifiers = self.rules.modifiers.get(caller.name, ())
        tests = [each.condition for each in modifiers if each.condition is not None]
        names = [(each.name, each.type) for each in value.parameters]
        changes = self._in_each_case(names, tests, lambda: self._changes(modifiers))
        cost = self._checked(one_after_other(self._read(value.formula), changes), value.span)
        return self._kept.cost_of_reading(value, cost)

    def _event(self, caller: Caller) -> Cost:
        event, reactions = self.rules.events.get(caller.name), self.rules.reactions.get(caller.name, ())
        names = [(each.name, each.type) for each in (event.parameters if event else ())]
        tests = [each.condition for each in reactions if each.condition is not None]
        return self._in_each_case(names, tests, lambda: self._reactions(reactions))

    def _reactions(self, reactions: Sequence[Reaction]) -> Cost:
        total, case = FREE, self._case
        for reaction in reactions:
            self._case = _carried(case, reaction.scope)
            body = FREE if self._decided(reaction.condition) is False else self._whole(reaction.body)
            one = one_after_other(self._read(reaction.condition), either(FREE, body))
            total = one_after_other(total, rounds(self._copies(reaction), one))
            total = self._checked(total, reaction.span)
        self._case = case
        return total

    def _changes(self, modifiers: Sequence[Modifier]) -> Cost:
        """Return the cost of what changes a value; the amount is read only where the condition holds."""
        total, case = NOTHING, self._case
        for modifier in modifiers:
            self._case = _carried(case, modifier.scope)
            read = [modifier.condition]
            if self._decided(modifier.condition) is not False:
                read += [each for each in expressions(modifier) if each is not modifier.condition]
            total += (plain(self.per_call) + self._work(*read)).in_loop(self._copies(modifier))
        self._case = case
        return work(total)

    def _copies(self, effect: Modifier | Reaction) -> LoopRounds:
        copies = sum(copies for _, copies in self.ranges.sizes.carriers(effect.scope))
        return LoopRounds(copies, "for each copy that holds the effect", effect.span)

    def _effects(self, caller: Caller) -> Cost:
        """Return the cost of what one piece sets off on its way: each effect is a call."""
        effects = effects_of(self.rules, caller)
        held = self.rules.fields[caller.name].holds if caller.name in self.rules.fields else None
        moved = self._case.members.get(MOVED) or frozenset(self.ranges.sizes.members(held or ""))
        # Each piece is one member, and sets off what that member carries.
        ways = {tuple(each for each in effects if _is_set_off(each.scope, member)) for member in moved}
        return either(*(self._effects_in_turn(each) for each in ways or {effects}))

    def _effects_in_turn(self, effects: Sequence[Effect]) -> Cost:
        total, case = FREE, self._case
        for effect in effects:
            self._case = _carried(case, effect.scope)
            before = work(plain(self.per_call) + self._work(effect.condition))
            body = FREE if self._decided(effect.condition) is False else self._whole(effect.body)
            total = one_after_other(total, before, either(FREE, body))
        self._case = case
        return total

    def _possible(self, caller: Caller) -> Cost:
        option = self.rules.options.get(caller.name)
        return work(self._listing(option)) if option else FREE

    def _decision(self, caller: Caller) -> Cost:
        decision = self.rules.decisions.get(caller.name)
        return self._asked(decision, is_person=True) if decision and not decision.inline else FREE

    # Decisions.

    def _asked(self, decision: DecisionDef, *, is_person: bool) -> Cost:
        """Return the cost of one `choose`: listing what is legal, the answer, its consequences."""
        options = [each for each in decision.options if not self._is_ruled_out(each)]
        listing = work(sum((self._listing(option) for option in options), NOTHING))
        answers = {option: self._answered(option) for option in options}
        ask = QUESTION if is_person else FREE
        possible = [*answers.values(), *([FREE] if decision.optional else [])]
        answer = one_after_other(ask, either(*possible) if possible else FREE)
        ways = [answer] if not decision.says_otherwise else [answer, self._whole(decision.otherwise)]
        if decision.optional and not decision.always_asked:
            ways.append(FREE)
        again = [(option, cost) for option, cost in answers.items() if option.again is not None]
        words = f"as {quote(decision.id)} is asked again"
        uses = [
            (LoopRounds(self._uses(decision, option), words, decision.span), one_after_other(listing, ask, cost))
            for option, cost in again
        ]
        return self._checked(one_after_other(asked_again(uses), listing, either(*ways)), decision.span)

    def _answered(self, option: Option) -> Cost:
        """Return the cost of what an answer does."""
        case = self._case
        if option.scope is not None:
            self._case = _carried(case, option.scope)
        names = ((each.name, each.type) for each in option.parameters)
        cost = self._in_each_case(names, list(conditions_in(option.body)), lambda: self._whole(option.body))
        self._case = case
        return cost

    def _is_ruled_out(self, option: Option) -> bool:
        """Whether a condition of an option fails whatever happens in play."""
        return any(self._decided(each.expression) is False for each in option.conditions)

    def _uses(self, decision: DecisionDef, option: Option) -> int:
        """Return how often an option can be chosen in one `choose`; a limit counts that does not begin anew in it."""
        most = self.ranges.uses(option)
        periods = [each for each in option.limit.periods if each[0] != "game"] if option.limit is not None else []
        if most <= 1 or not periods:
            return most
        inside = reached(Caller("decision", decision.address), self.graph.calls)
        steps = (step for caller in inside for body in bodies_of(self.rules, caller) for step in walk_steps(body))
        begun = {step.name for step in steps if isinstance(step, Step)}
        copies = self.ranges.copies(option)
        return min([most, *(copies * self.ranges.of(number).most for name, _, number in periods if name not in begun)])

    def _listing(self, option: Option) -> Amount:
        """Return the work of listing an option's instances, and check their number."""
        instances, total, conditions = 1, NOTHING, list(option.conditions)
        words = f"for each way to fill in {quote(option.id)}"
        for number, parameter in enumerate(option.parameters, 1):
            if parameter.domain is not None:
                total += self._collection(parameter.domain).in_loop(LoopRounds(instances, words, option.span))
            instances *= self._size(parameter)
            later = {each.name for each in option.parameters[number:]}
            ready = [each for each in conditions if not mentions(each.expression, later)]
            conditions = [each for each in conditions if each not in ready]
            tests = self._work(*(each.expression for each in ready))
            total += (ONE + tests).in_loop(LoopRounds(instances, words, option.span))
        if instances > MOST_INSTANCES:
            ways = [(each.name, self._size(each), each.span) for each in option.parameters]
            problem = analysis_problems.too_many_instances(option.id, instances, MOST_INSTANCES, option.span, ways)
            self._report.add(problem)
            return NOTHING
        return total + self._work(*(each.expression for each in conditions))

    def _size(self, parameter: Parameter) -> int:
        size = parameter.size or self.ranges.sizes.how_many(parameter.type)
        if parameter.domain is not None:
            domain = self.ranges.of(parameter.domain).high
            size = domain if size is None else size if domain is None else min(size, max(0, domain))
        return 1 if size is None else size

    # Expressions.

    def _work(self, *read: Expression | None) -> Amount:
        """Return the work of reading some expressions, and check each."""
        total = NOTHING
        for expression in read:
            if expression is not None:
                found = self._expression(expression)
                if self._is_too_much(found, expression.span):
                    found = self._reading[expression] = NOTHING
                total += found
        return total

    def _read(self, *read: Expression | None) -> Cost:
        return work(self._work(*read))

    def _expression(self, expression: Expression) -> Amount:
        if expression not in self._reading:
            self._reading[expression] = self._computed(expression)
        return self._reading[expression]

    def _computed(self, expression: Expression) -> Amount:
        if isinstance(expression, Comprehension):
            return self._loops(expression.loops, expression.item)
        if isinstance(expression, IfElse):
            ways = (self._expression(expression.then), self._expression(expression.otherwise))
            return self._expression(expression.condition) + largest(*ways)
        total = self._children(expression)
        if isinstance(expression, ValueCall):
            total += self._cost_of(Caller("value", expression.value)).most
        elif isinstance(expression, Possible):
            total += self._cost_of(Caller("possible", expression.option)).most
        elif isinstance(expression, BuiltinCall):
            total += self._builtin(expression)
        return total

    def _builtin(self, call: BuiltinCall) -> Amount:
        if call.builtin in ("connected", "reach", "distance"):
            graph = self.rules.graphs.get(call.names[0]) if call.names else None
            return plain(len(graph.neighbours) if graph else 0)
        if call.builtin == "range":
            return ONE.in_loop(LoopRounds(self._rounds_of(call), text_of(call.span), call.span))
        if call.builtin == "sets_worth" and not self.per_call:
            wild = self.ranges.of(call.arguments[1]).most
            found = plain(self.ranges.sizes.search_of_sets(call, wild))
            if found.number > MOST_CALLS:
                self._report.add(analysis_problems.too_much_work(found, MOST_CALLS, call.span, "sets"))
        return NOTHING

    def _loops(self, loops: tuple[Loop, ...], item: Expression) -> Amount:
        if not loops:
            return self._expression(item)
        loop, items = loops[0], loops[0].items
        inside = sum((self._expression(each) for each in loop.conditions), ONE) + self._loops(loops[1:], item)
        turn = _loop_over(loop.name, items, self._rounds_of(items), items.span)
        return self._collection(items) + inside.in_loop(turn)

    def _collection(self, items: Expression) -> Amount:
        """Return the work of what a loop runs over; the numbers of a range are counted with its rounds."""
        return self._children(items) if _is_range(items) else self._expression(items)

    def _children(self, expression: Expression) -> Amount:
        return sum((self._expression(child) for child in children(expression)), NOTHING)

    def _rounds_of(self, items: Expression) -> int:
        """Return the most items of a collection; outside of play, where there are no ranges, it is computed."""
        if items in self.ranges.expressions:
            return self.ranges.of(items).most
        known = self.ranges.sizes.by_players[-1].value(items)
        return len(known) if isinstance(known, tuple) else self.ranges.of(items).most

    # Steps.

    def _whole(self, body: Steps) -> Cost:
        """Return the cost of steps that a `stop` without a name leaves."""
        return self._steps(body).after_leaving(BODY_LEFT)

    def _steps(self, steps: Steps) -> Cost:
        total, case = FREE, self._case
        for number, step in enumerate(steps, 1):
            counter = self._counters.get(type(step))
            cost = counter(self, step) if counter else self._read(*expressions(step))
            total = self._checked(
                one_after_other(total, cost, self._kept.cost_of_change(self._caller, step)), step.span
            )
            if isinstance(step, Let) and step.name not in self._changed:
                rest = steps[number:]
                self._learn(step)
                named = [(step.name, step.value.type)]
                if cases_of(*named[0], conditions_in(rest), self._case, self.ranges.sizes):
                    inner = self._in_each_case(named, list(conditions_in(rest)), partial(self._steps, rest))
                    total = self._checked(one_after_other(total, inner), step.span)
                    break
        self._case = case
        return total

    def _learn(self, step: Let) -> None:
        """Keep what is known of a name from here on."""
        members = self._members_of(step.value)
        if members is not None:
            self._case = self._case.with_members(step.name, members)
        elif isinstance(step.value.type, Number) and not self._case.is_open:
            interval = self._interval(step.value)
            if interval != self.ranges.of(step.value):
                self._case = self._case.with_number(step.name, interval)

    def _checked(self, cost: Cost, span: Span) -> Cost:
        """Report too much work, or too many decisions, where it first is too much; return the cost without it."""
        if cost.most_decisions.number > MOST_DECISIONS:
            self._report.add(analysis_problems.too_many_decisions(cost.most_decisions, MOST_DECISIONS, span))
            cost = cost.without_decisions()
        return cost.without_work() if self._is_too_much(cost.most, span) else cost

    def _is_too_much(self, found: Amount, span: Span) -> bool:
        of, most = ("calls", MOST_CALLS) if self.per_call else ("rounds", MOST_WORK)
        if found.number > most:
            self._report.add(analysis_problems.too_much_work(found, most, span, of))
        return found.number > most

    def _if(self, step: If) -> Cost:
        decided = self._decided(step.condition)
        branches = [step.then] if decided is not False else []
        branches += [step.otherwise] if decided is not True else []
        return one_after_other(self._read(step.condition), either(*(self._steps(each) for each in branches)))

    def _for(self, step: For) -> Cost:
        most = self._length(step.items)
        loop = _loop_over(step.name, step.items, most, step.span)
        start = work(self._collection(step.items) + self._work(step.ordered_by))
        # Only the outermost such loop is taken apart: taken apart inside each other they would multiply.
        members = [] if self._is_apart else _members_of_loop(self.ranges, step, most)
        if not members:
            named = [(step.name, item_of(step.items.type))]
            body = self._in_each_case(named, list(conditions_in(step.body)), lambda: self._round(step, most))
            return one_after_other(start, rounds(loop, body))
        costs, case = [], self._case
        self._is_apart = True
        for member, copies in members:
            self._case = case.with_members(step.name, frozenset({member}))
            costs.append(rounds(loop, self._round(step, most), copies))
        self._case, self._is_apart = case, False
        return one_after_other(start, *costs)

    def _length(self, items: Expression) -> int:
        """Return the most items of a collection; a range over attributes of a known member is exact."""
        most = self._interval(items).most
        if not self._case.members or not _is_range(items):
            return most
        known = self.ranges.sizes.range_length(items, self._case.single)
        return most if known is None else min(most, known)

    def _round(self, step: For, most: int) -> Cost:
        """Return the cost of one round of a loop."""
        test = self._work(step.where, step.worth_asking)
        body = one_after_other(work(test), either(FREE, self._steps(step.body)))
        if step.ordered_by is None:
            return body
        # What is left is judged anew before each question, and nobody is asked about a single one.
        left = LoopRounds(most, "for each one that is left to be put in order", step.span)
        return one_after_other(work((ONE + test).in_loop(left)), either(FREE, QUESTION), body)

    def _repeat(self, step: Repeat) -> Cost:
        loop = LoopRounds(self._interval(step.count).most, quote(f"repeat {text_of(step.count.span)}"), step.span)
        return one_after_other(self._read(step.count), rounds(loop, self._steps(step.body)))

    def _while(self, step: While) -> Cost:
        loop = LoopRounds(self._interval(step.at_most).most, quote(f"while {text_of(step.condition.span)}"), step.span)
        body = one_after_other(self._read(step.condition), self._steps(step.body))
        return one_after_other(self._read(step.at_most), rounds(loop, body))

    def _named(self, step: Step) -> Cost:
        return self._steps(step.body).after_leaving(step.address)

    def _stop(self, step: Stop) -> Cost:
        return leave(step.step or BODY_LEFT)

    def _end_game(self, _: EndGame) -> Cost:
        return leave(GAME_ENDED)

    def _leave_game(self, step: LeaveGame) -> Cost:
        """Return the cost of a player's leaving; when the last but one leaves, the game ends."""
        return one_after_other(self._read(step.player), either(FREE, leave(GAME_ENDED)))

    def _call(self, step: Call | Happen) -> Cost:
        return one_after_other(self._read(*expressions(step)), self._called_with(*handed_over(self.rules, step)))

    def _run(self, step: RunHook) -> Cost:
        members, known = members_met(self.rules, step), self._members_of(step.subject)
        if known is not None:
            members = tuple(member for member in members if member in known)
        _, parameters, arguments = handed_over(self.rules, step)
        bodies = (self._called_with(Caller("hook", step.hook, each), parameters, arguments) for each in members)
        return one_after_other(self._read(*expressions(step)), either(FREE, *bodies))

    def _choose(self, step: Choose) -> Cost:
        decision = self.rules.decisions.get(step.decision)
        if decision is None:
            return self._read(*expressions(step))
        if decision.inline or step.by is None:
            return one_after_other(self._read(*expressions(step)), self._asked(decision, is_person=step.by is not None))
        return one_after_other(self._read(*expressions(step)), self._called_with(*handed_over(self.rules, step)))

    def _move(self, step: Move | Draw) -> Cost:
        what = step.what if isinstance(step, Move) else None
        moved = None if what is None else self._members_of(what)
        if moved is None and what is not None:
            moved = frozenset(members_of(self.rules, what.type)) or None
        case = OPEN_CASE if moved is None else OPEN_CASE.with_members(MOVED, moved)
        ways = {"leaving": FREE, "entering": FREE}
        for caller in called_by(self.rules, self.graph, self._caller, step):
            ways[caller.kind] = either(ways[caller.kind], self._cost_in(caller, case))
        set_off = one_after_other(*ways.values())
        if set_off == FREE:
            return self._read(*expressions(step))
        loop = LoopRounds(self._pieces_moved(step), "for each piece that is moved", step.span)
        return one_after_other(self._read(*expressions(step)), rounds(loop, set_off))

    def _pieces_moved(self, step: Move | Draw) -> int:
        """Return how many pieces can be moved at once: no more than there are in one place and fit into the other."""
        sizes = self.ranges.sizes
        pieces = sizes.most_players if step.kind == "player" else sizes.pieces(step.kind)
        most = min(self._room(step.source), self._room(step.target), pieces)
        if isinstance(step, Draw) or step.count is not None:
            return min(most, self._interval(step.count).most if step.count else most)
        return min(most, 1) if step.what is not None else most

    def _room(self, place: PlaceReference) -> int:
        """Return how many pieces a place can hold."""
        if isinstance(place, FieldPlace) and place.index is not None:
            return 1
        fields = (self.rules.fields.get(name) for name in self.graph.fields_of(self._caller, place))
        return max((self._room_of(each, place) for each in fields if each is not None), default=0)

    def _room_of(self, of: Field, place: PlaceReference) -> int:
        most = self.ranges.sizes.field(of).most if isinstance(of.type, Bag | ListOf) else 1
        # `all` may be taken out of several cells at once.
        at = place.at if isinstance(place, FieldPlace) else ()
        return most * (self.ranges.sizes.cells(of) if None in at else 1)

    def _rearranged(self, step: Shuffle | Sort) -> Cost:
        field_ = self.rules.fields.get(step.place.field)
        most = self.ranges.sizes.field(field_).most if field_ else 0
        loop = LoopRounds(most, "for each piece that is put in order", step.span)
        return work((ONE + self._work(step.by if isinstance(step, Sort) else None)).in_loop(loop))

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
        Stop: _stop,
        EndGame: _end_game,
        LeaveGame: _leave_game,
        Call: _call,
        Happen: _call,
        RunHook: _run,
        Choose: _choose,
        Move: _move,
        Draw: _move,
        Shuffle: _rearranged,
        Sort: _rearranged,
    }


def _carried(case: Case, scope: EffectScope) -> Case:
    """Return a case in the steps of an effect."""
    return case.with_members("self", frozenset(scope.members)) if scope.members else case


def _is_set_off(scope: EffectScope, member: int) -> bool:
    return scope.kind is None or member in scope.members


def _is_range(expression: Expression) -> TypeGuard[BuiltinCall]:
    return isinstance(expression, BuiltinCall) and expression.builtin == "range"


def _loop_over(name: str, items: Expression, most: int, span: Span) -> LoopRounds:
    return LoopRounds(most, quote(f"for {name} in {text_of(items.span)}"), span)


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
    sizes = ranges.sizes
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
