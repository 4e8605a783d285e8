"""Bounded work: loops and calls between two decisions, instances of an option, pieces, cells, decisions of a game."""

from __future__ import annotations

from math import comb
from typing import Any, ClassVar, TypeGuard

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
from aodrules.check.analyse.sizes import Sizes
from aodrules.check.checked import CheckedRules, DecisionDef, Field, Modifier, Option, Parameter, Reaction
from aodrules.check.steps import (
    AnyStep,
    Argument,
    Call,
    Choose,
    Draw,
    EndGame,
    For,
    Happen,
    If,
    LeaveGame,
    Move,
    Repeat,
    RunHook,
    Shuffle,
    Sort,
    Step,
    Steps,
    Stop,
    While,
)
from aodrules.check.visit import children, expressions, text_of, walk, walk_steps
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
from aodrules.lang.types import Bag, Member, SetOf, Type, item_of
from aodrules.source.diagnostics import Diagnostic, Report
from aodrules.source.spans import Span
from aodrules.source.wording import quote

# What a way can leave, beside a step, which has its address.
BODY_LEFT, GAME_ENDED = "", "game"


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
    found = _WorkAnalysis(rules, graph, ranges).added_up()
    if not any(each.code == "too-much-work" for each in found):
        calls = _WorkAnalysis(rules, graph, ranges, per_call=1).added_up()
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
class _WorkAnalysis:
    """Adds up the work, what is called before what calls it; too much is reported, and is nothing from then on."""

    rules: CheckedRules
    graph: CallGraph
    ranges: Ranges
    per_call: int = 0
    """What a call counts, beside the rounds of the loops inside it."""
    _report: Report = field(factory=Report)
    _costs: dict[Caller, Cost] = field(factory=dict)
    _reading: dict[Expression, Amount] = field(factory=dict)
    _caller: Caller = Caller("game", "game")  # noqa: RUF009 - a plain value
    _narrow: dict[tuple[str, int], Cost] = field(factory=dict)
    """The cost of a decision that is given one known member."""
    _item: tuple[str, int] | None = None
    """The name of the outermost loop that is taken apart, and the member that it stands for."""

    def added_up(self) -> list[Diagnostic]:
        """Work out what everything costs that the game can come to, and return what was too much."""
        for each in self.rules.fields.values():
            self._check_start(each)
        for caller in reversed(self.graph.order):
            if caller in self.graph.reached:
                self._visit(caller)
        return list(self._report)

    def _check_start(self, of: Field) -> None:
        """Report what takes too long before play: what a field starts with is worked out for each cell."""
        for each in expressions(of):
            loop = LoopRounds(self.ranges.sizes.cells(of), "for each cell of the field", each.span)
            found = self._expression(each).in_loop(loop)
            if found.number > MOST_BEFORE:
                self._report.add(analysis_problems.too_much_work(found, MOST_BEFORE, each.span, "before play"))

    # Callers.

    def _visit(self, caller: Caller) -> None:
        self._caller = caller
        visitor = self._visitors.get(caller.kind)
        if visitor is None:
            self._costs[caller] = self._effects(caller)
        else:
            self._costs[caller] = one_after_other(work(plain(self.per_call)), visitor(self, caller))

    def _cost_of(self, called: Caller) -> Cost:
        return self._costs.get(called, FREE)

    def _game(self, _: Caller) -> Cost:
        game = self.rules.game
        played = [self._cost_of(Caller("verb", verb)) for verb in game.verbs if verb != game.end]
        # What is done at the end is done however the game ends.
        end = self._cost_of(Caller("verb", game.end)) if game.end is not None else FREE
        whole = one_after_other(one_after_other(*played).after_leaving(GAME_ENDED), end).after_leaving(GAME_ENDED)
        return self._checked(whole, game.span)

    def _body(self, caller: Caller) -> Cost:
        return one_after_other(*(self._whole(body) for body in bodies_of(self.rules, caller)))

    def _value(self, caller: Caller) -> Cost:
        value = self.rules.values.get(caller.name)
        if value is None:
            return FREE
        total = self._work(value.formula)
        for modifier in self.rules.modifiers.get(caller.name, ()):
            one = plain(self.per_call) + self._work(*expressions(modifier))
            total += one.in_loop(self._copies(modifier))
        return self._checked(work(total), value.span)

    def _event(self, caller: Caller) -> Cost:
        total = FREE
        for reaction in self.rules.reactions.get(caller.name, ()):
            body = one_after_other(self._read(reaction.condition), either(FREE, self._whole(reaction.body)))
            total = one_after_other(total, rounds(self._copies(reaction), body))
            total = self._checked(total, reaction.span)
        return total

    def _copies(self, effect: Modifier | Reaction) -> LoopRounds:
        copies = sum(copies for _, copies in self.ranges.sizes.carriers(effect.scope))
        return LoopRounds(copies, "for each copy that holds the effect", effect.span)

    def _effects(self, caller: Caller) -> Cost:
        """Return the cost of what is set off on the way of something else: each effect is a call."""
        total = FREE
        for effect in effects_of(self.rules, caller):
            before = work(plain(self.per_call) + self._work(effect.condition))
            total = one_after_other(total, before, either(FREE, self._whole(effect.body)))
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
        listing = work(sum((self._listing(option) for option in decision.options), NOTHING))
        answers = {option: self._whole(option.body) for option in decision.options}
        ask = QUESTION if is_person else FREE
        possible = [*answers.values(), *([FREE] if decision.optional else [])]
        answer = one_after_other(ask, either(*possible) if possible else FREE)
        ways = [answer] if not decision.says_otherwise else [answer, self._whole(decision.otherwise)]
        if decision.optional and not decision.always_asked:
            ways.append(FREE)
        again = [(option, cost) for option, cost in answers.items() if option.again is not None]
        words = f"as {quote(decision.id)} is asked again"
        uses = [
            (LoopRounds(self.ranges.uses(option), words, decision.span), one_after_other(listing, ask, cost))
            for option, cost in again
        ]
        return self._checked(one_after_other(asked_again(uses), listing, either(*ways)), decision.span)

    def _listing(self, option: Option) -> Amount:
        """Return the work of listing an option's instances, and check their number."""
        instances, total, conditions = 1, NOTHING, list(option.conditions)
        words = f"for each way to fill in {quote(option.id)}"
        for number, parameter in enumerate(option.parameters, 1):
            if parameter.domain is not None:
                total += self._collection(parameter.domain).in_loop(LoopRounds(instances, words, option.span))
            instances *= self._size(parameter)
            later = {each.name for each in option.parameters[number:]}
            ready = [each for each in conditions if not _mentions(each.expression, later)]
            conditions = [each for each in conditions if each not in ready]
            tests = self._work(*(each.expression for each in ready))
            total += (ONE + tests).in_loop(LoopRounds(instances, words, option.span))
        if instances > MOST_INSTANCES:
            problem = analysis_problems.too_many_instances(option.id, instances, MOST_INSTANCES, option.span)
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
            found = plain(_work_of_sets(self.rules, self.ranges.sizes, call, wild))
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
        total = FREE
        for step in steps:
            counter = self._counters.get(type(step))
            cost = counter(self, step) if counter else self._read(*expressions(step))
            total = self._checked(one_after_other(total, cost), step.span)
        return total

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
        ways = either(self._steps(step.then), self._steps(step.otherwise))
        return one_after_other(self._read(step.condition), ways)

    def _for(self, step: For) -> Cost:
        most = self._length(step.items)
        loop = _loop_over(step.name, step.items, most, step.span)
        start = work(self._collection(step.items) + self._work(step.ordered_by))
        # Only the outermost such loop is taken apart: taken apart inside each other they would multiply.
        members = _members_of_loop(self.ranges, step, most) if self._item is None else []
        if not members:
            return one_after_other(start, rounds(loop, self._round(step, most)))
        costs = []
        for member, copies in members:
            self._item = (step.name, member)
            costs.append(rounds(loop, self._round(step, most), copies))
        self._item = None
        return one_after_other(start, *costs)

    def _length(self, items: Expression) -> int:
        """Return the most items of a collection; a range over attributes of a known member is exact."""
        most = self.ranges.of(items).most
        if self._item is None or not _is_range(items):
            return most
        name, member = self._item
        known = self.ranges.sizes.range_length(items, {name: member})
        return most if known is None else min(most, known)

    def _is_item(self, expression: Argument) -> bool:
        return self._item is not None and isinstance(expression, Local) and expression.name == self._item[0]

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
        loop = LoopRounds(self.ranges.of(step.count).most, quote(f"repeat {text_of(step.count.span)}"), step.span)
        return one_after_other(self._read(step.count), rounds(loop, self._steps(step.body)))

    def _while(self, step: While) -> Cost:
        loop = LoopRounds(self.ranges.of(step.at_most).most, quote(f"while {text_of(step.condition.span)}"), step.span)
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
        called, _, _ = handed_over(self.rules, step)
        return one_after_other(self._read(*expressions(step)), self._cost_of(called))

    def _run(self, step: RunHook) -> Cost:
        members = members_met(self.rules, step)
        if self._item is not None and self._is_item(step.subject):
            members = tuple(member for member in members if member == self._item[1])
        bodies = (self._cost_of(Caller("hook", step.hook, member)) for member in members)
        return one_after_other(self._read(*expressions(step)), either(FREE, *bodies))

    def _choose(self, step: Choose) -> Cost:
        decision = self.rules.decisions.get(step.decision)
        if decision is None:
            return self._read(*expressions(step))
        if decision.inline or step.by is None:
            return one_after_other(self._read(*expressions(step)), self._asked(decision, is_person=step.by is not None))
        return one_after_other(self._read(*expressions(step)), self._narrowed(decision, step))

    def _narrowed(self, decision: DecisionDef, step: Choose) -> Cost:
        """Return the cost of a question; without the options that the known member of a loop rules out."""
        whole = self._cost_of(Caller("decision", step.decision))
        given = zip(decision.parameters, step.arguments, strict=False)
        named = [one.name for one, argument in given if self._is_item(argument)]
        if self._item is None or not named:
            return whole
        known = dict.fromkeys(named, self._item[1])
        options = tuple(each for each in decision.options if not self._is_ruled_out(each, known))
        if len(options) == len(decision.options):
            return whole
        key = (decision.address, self._item[1])
        if key not in self._narrow:
            # What is wrong with the decision was reported when it was looked at as a whole.
            report, self._report = self._report, Report()
            self._narrow[key] = self._asked(evolve(decision, options=options), is_person=True)
            self._report = report
        return self._narrow[key]

    def _is_ruled_out(self, option: Option, known: dict[str, int]) -> bool:
        """Whether a condition of an option fails whatever happens in play."""
        tables = self.ranges.sizes.in_play
        return any(all(one.value(each.expression, known) is False for one in tables) for each in option.conditions)

    def _move(self, step: Move | Draw) -> Cost:
        ways = {"leaving": FREE, "entering": FREE}
        for caller in called_by(self.rules, self.graph, self._caller, step):
            ways[caller.kind] = either(ways[caller.kind], self._cost_of(caller))
        set_off = one_after_other(*ways.values())
        if set_off == FREE:
            return self._read(*expressions(step))
        loop = LoopRounds(self._pieces_moved(step), "for each piece that is moved", step.span)
        return one_after_other(self._read(*expressions(step)), rounds(loop, set_off))

    def _pieces_moved(self, step: Move | Draw) -> int:
        most = self.ranges.sizes.pieces(step.kind)
        if isinstance(step, Draw) or step.count is not None:
            return min(most, self.ranges.of(step.count).most if step.count else most)
        return 1 if step.what is not None else most

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
    return isinstance(step, For) and _mentions(step.items, {name})


def _mentions(expression: Expression, names: set[str]) -> bool:
    """Whether an expression speaks of one of some names."""
    return any(isinstance(part, Local) and part.name in names for part in walk(expression))


def _work_of_sets(rules: CheckedRules, sizes: Sizes, call: BuiltinCall, wild: int) -> int:
    """Return the most steps of a search for sets in a bag, with at most so many wild pieces."""
    sets, bag = rules.sets.get(call.names[0]), call.arguments[0].type
    if sets is None or not isinstance(bag, Bag):
        return 0
    copies, members = sizes.copies(bag.kind), len(sizes.members(bag.kind))
    pieces, most = sum(copies), max(copies, default=0)
    ways = sum(min(sets.wild_per_set, each.size) + 1 for each in sets.shapes)
    # What is left is told by its number alone, unless some sets are of different pieces.
    left = pieces + 1
    before = members * left  # What can be left before each kind in turn is looked at.
    if any(each.different and not each.alike for each in sets.shapes):
        if pieces + wild > MOST_DIFFERENT:
            return 10**12  # as good as without end
        left, before = comb(members + most, most), comb(members + most, most + 1)
    return (before * min(most + 1, ways) + left * ways) * (wild + 1)
