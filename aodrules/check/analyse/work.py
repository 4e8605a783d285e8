"""Bounded work: operations between two decisions and of a game, instances of an option, pieces, cells, decisions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Any, ClassVar

from attrs import define, evolve, field

from aodrules.check import analysis_problems
from aodrules.check.analyse.bounds import (
    MOST_BEFORE,
    MOST_CELLS,
    MOST_CONTEXTS,
    MOST_DECISIONS,
    MOST_IN_ALL,
    MOST_MEMBERS,
    MOST_PIECES,
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
from aodrules.check.analyse.cases import OPEN_CASE, Case, cases_of, conditions_in, what_tells
from aodrules.check.analyse.costs import (
    FREE,
    NOTHING,
    Cost,
    LoopRounds,
    asked_again,
    either,
    leave,
    one_after_other,
    plain,
    question,
    rounds,
    work,
)
from aodrules.check.analyse.expression_work import ExpressionWork
from aodrules.check.analyse.interval_analysis import Ranges
from aodrules.check.analyse.kept_values import KeptWork, check_kept_values
from aodrules.check.analyse.move_work import MoveWork
from aodrules.check.analyse.weights import (
    CALL,
    PICKED,
    SHUFFLED,
    weight_of_carrier,
    weight_of_question,
    weight_of_step,
)
from aodrules.check.analyse.work_context import WorkContext, carried, loop_over
from aodrules.check.checked import CheckedRules, DecisionDef, EffectScope, Field, Modifier, Option, Parameter, Reaction
from aodrules.check.digraph import reached
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
    Let,
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
from aodrules.check.visit import expressions, text_of, walk, walk_steps
from aodrules.lang.expressions import Expression, Local
from aodrules.lang.interval import ANY
from aodrules.lang.types import PLAYER, Number, item_of
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
    for each in WorkAnalysis(rules, graph, ranges).added_up():
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
    _here: WorkContext = field(init=False)
    _costs: dict[Caller, Cost] = field(factory=dict)
    _in_cases: dict[Caller, dict[Any, Cost]] = field(factory=dict)
    """The cost of what is called with something known."""
    _reading: ExpressionWork = field(init=False)
    _moves: MoveWork = field(init=False)
    _kept: KeptWork = field(init=False)
    _needed: dict[Caller, frozenset[str]] = field(factory=dict)
    _asking: int = field(init=False)
    """What a question takes: the state is kept, to go back to."""

    def __attrs_post_init__(self) -> None:
        self._asking = weight_of_question(self.rules, self.ranges)
        self._here = WorkContext(self.rules, self.graph, self.ranges)
        self._reading = ExpressionWork(self._here, self._cost_of)
        self._moves = MoveWork(self._here)
        self._kept = KeptWork(self.rules, self.graph, self.ranges.sizes)

    def added_up(self) -> list[Diagnostic]:
        """Work out what everything costs that the game can come to, and return what was too much."""
        for each in self.rules.fields.values():
            self._check_start(each)
        # Steps do not call the kept values that they let be worked out anew, so these come first.
        kept = (Caller("value", name) for name, value in self.rules.values.items() if value.kept)
        early = {each for one in kept for each in reached(one, self.graph.calls)}
        called_first = [each for each in reversed(self.graph.order) if each in self.graph.reached]
        for caller in sorted(called_first, key=lambda one: one not in early):
            self._visit(caller)
        return list(self._here.report)

    @property
    def whole_game(self) -> Cost:
        """The cost of a game, once everything is added up."""
        return self._costs[GAME]

    @property
    def most_instances(self) -> int:
        """The most ways to fill in one option, once everything is added up."""
        return self._reading.most_instances

    def _check_start(self, of: Field) -> None:
        """Report what takes too long before play: what a field starts with is worked out for each cell."""
        for each in expressions(of):
            loop = LoopRounds(self.ranges.sizes.cells(of), "for each cell of the field", each.span)
            found = self._reading.of(each).in_loop(loop)
            if found.number > MOST_BEFORE:
                self._here.report.add(analysis_problems.too_much_work(found, MOST_BEFORE, each.span, "before play"))

    # Callers.

    def _visit(self, caller: Caller) -> None:
        self._costs[caller] = self._counted(caller, OPEN_CASE)

    def _counted(self, caller: Caller, case: Case) -> Cost:
        """Return the cost of what a caller does, in a case."""
        self._here.caller, self._here.case = caller, case
        visitor = self._visitors.get(caller.kind)
        counted: Cost = visitor(self, caller) if visitor else self._effects(caller)
        return counted

    def _cost_of(self, called: Caller) -> Cost:
        return self._costs.get(called, FREE)

    def _cost_in(self, called: Caller, case: Case) -> Cost:
        """Return the cost of something that is called where more is known than of all its calls."""
        known = self._in_cases.setdefault(called, {})
        if case.is_open or self._is_cheap(called) or (case.key not in known and len(known) >= MOST_CONTEXTS):
            return self._cost_of(called)
        if case.key not in known:
            # What is wrong was reported when it was looked at as a whole.
            known[case.key] = self._here.elsewhere(lambda: self._counted(called, case))
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
                interval = self._here.interval(argument)
                if interval.is_bounded and interval.ceiling < every.ceiling:
                    case = case.with_number(parameter.name, interval)
            elif (members := self._here.members_of(argument)) is not None:
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
            self._needed[called] = frozenset(names - self._here.changed)
        return self._needed[called]

    def _conditions_of(self, caller: Caller) -> Iterator[Expression]:
        """Iterate over what options and reactions of a caller test."""
        decision = self.rules.decisions.get(caller.name) if caller.kind == "decision" else None
        for option in decision.options if decision else ():
            yield from (each.expression for each in option.conditions)
        yield from (each.condition for each in effects_of(self.rules, caller) if each.condition is not None)

    def _game(self, _: Caller) -> Cost:
        game = self.rules.game
        played = [self._cost_of(Caller("verb", verb)) for verb in game.verbs if verb != game.end]
        # What is done at the end is done however the game ends.
        end = self._cost_of(Caller("verb", game.end)) if game.end is not None else FREE
        whole = one_after_other(one_after_other(*played).after_leaving(GAME_ENDED), end).after_leaving(GAME_ENDED)
        whole = one_after_other(whole, self._scoring())
        return self._checked(whole.with_anywhere(self._reading.once + self._kept.once), game.span)

    def _scoring(self) -> Cost:
        """Return the cost of finding the points of each player and who won."""
        game = self.rules.game
        points = [self._cost_of(Caller("value", source.value)).most for source in game.points]
        read = self._reading.reading(*expressions(game))
        players = LoopRounds(self.ranges.sizes.most_players, "for each player whose points are counted", game.span)
        return work(sum(points, read).in_loop(players))

    def _body(self, caller: Caller) -> Cost:
        declared = (self.rules.verbs if caller.kind == "verb" else self.rules.hooks).get(caller.name)
        if declared is None:
            return FREE
        [body] = bodies_of(self.rules, caller)
        if caller.kind == "hook":
            self._here.case = self._here.case.with_members("self", frozenset({caller.member}))
        names = ((each.name, each.type) for each in declared.parameters)
        return self._here.in_each_case(names, list(conditions_in(body)), lambda: self._whole(body))

    def _value(self, caller: Caller) -> Cost:
        value = self.rules.values.get(caller.name)
        if value is None:
            return FREE
        modifiers = self.rules.modifiers.get(caller.name, ())
        tests = [each.condition for each in modifiers if each.condition is not None]
        names = [(each.name, each.type) for each in value.parameters]
        changes = self._here.in_each_case(names, tests, lambda: self._changes(modifiers))
        cost = self._checked(one_after_other(self._reading.read(value.formula), changes), value.span)
        return self._kept.cost_of_reading(value, cost)

    def _event(self, caller: Caller) -> Cost:
        event, reactions = self.rules.events.get(caller.name), self.rules.reactions.get(caller.name, ())
        names = [(each.name, each.type) for each in (event.parameters if event else ())]
        tests = [each.condition for each in reactions if each.condition is not None]
        return self._here.in_each_case(names, tests, lambda: self._reactions(reactions))

    def _reactions(self, reactions: Sequence[Reaction]) -> Cost:
        total, case = FREE, self._here.case
        for reaction in reactions:
            self._here.case = carried(case, reaction.scope)
            body = FREE if self._here.decided(reaction.condition) is False else self._whole(reaction.body)
            one = one_after_other(self._reading.read(reaction.condition), either(FREE, body))
            carrier = plain(weight_of_carrier(reaction.scope, self.rules, self.ranges), reaction.span)
            total = one_after_other(total, work(carrier), rounds(self._times(reaction), one))
            total = self._checked(total, reaction.span)
        self._here.case = case
        return total

    def _changes(self, modifiers: Sequence[Modifier]) -> Cost:
        """Return the cost of what changes a value; the amount is read only where the condition holds."""
        total, case = NOTHING, self._here.case
        for modifier in modifiers:
            self._here.case = carried(case, modifier.scope)
            read = [modifier.condition]
            if self._here.decided(modifier.condition) is not False:
                read += [each for each in expressions(modifier) if each is not modifier.condition]
            carrier = plain(weight_of_carrier(modifier.scope, self.rules, self.ranges), modifier.span)
            total += carrier + self._reading.reading(*read).in_loop(self._copies(modifier))
        self._here.case = case
        return work(total)

    def _copies(self, effect: Modifier | Reaction) -> LoopRounds:
        copies = sum(copies for _, copies in self.ranges.sizes.carriers(effect.scope))
        return LoopRounds(copies, "for each copy that holds the effect", effect.span)

    def _times(self, reaction: Reaction) -> LoopRounds:
        """Return how often a reaction can happen: players have their turns, and what carries it may go round."""
        copies = self._copies(reaction)
        field_ = self.rules.fields.get(reaction.scope.field or "")
        if field_ is None or reaction.scope.owner or PLAYER not in field_.dimensions:
            return copies
        inside = reached(Caller("event", reaction.event), self.graph.calls)
        moves = ((caller, step) for caller, step in self._steps_of(inside) if isinstance(step, Move | Draw))
        if not any(field_.name in self.graph.fields_of(caller, move.target) for caller, move in moves):
            return copies
        return evolve(copies, times=copies.times * self.ranges.sizes.most_players)

    def _steps_of(self, callers: Iterable[Caller]) -> Iterator[tuple[Caller, AnyStep]]:
        for caller in callers:
            yield from ((caller, step) for body in bodies_of(self.rules, caller) for step in walk_steps(body))

    def _effects(self, caller: Caller) -> Cost:
        """Return the cost of what one piece sets off on its way: each effect is a call."""
        effects = effects_of(self.rules, caller)
        held = self.rules.fields[caller.name].holds if caller.name in self.rules.fields else None
        moved = self._here.case.members.get(MOVED) or frozenset(self.ranges.sizes.members(held or ""))
        # Each piece is one member, and sets off what that member carries.
        ways = {tuple(each for each in effects if _is_set_off(each.scope, member)) for member in moved}
        return either(*(self._effects_in_turn(each) for each in ways or {effects}))

    def _effects_in_turn(self, effects: Sequence[Effect]) -> Cost:
        total, case = FREE, self._here.case
        for effect in effects:
            self._here.case = carried(case, effect.scope)
            before = work(plain(CALL, effect.span) + self._reading.reading(effect.condition))
            body = FREE if self._here.decided(effect.condition) is False else self._whole(effect.body)
            total = one_after_other(total, before, either(FREE, body))
        self._here.case = case
        return total

    def _possible(self, caller: Caller) -> Cost:
        option = self.rules.options.get(caller.name)
        return work(self._reading.listing(option)) if option else FREE

    def _decision(self, caller: Caller) -> Cost:
        decision = self.rules.decisions.get(caller.name)
        return self._asked(decision, is_person=True) if decision and not decision.inline else FREE

    # Decisions.

    def _asked(self, decision: DecisionDef, *, is_person: bool) -> Cost:
        """Return the cost of one `choose`: listing what is legal, the answer, its consequences."""
        options = [each for each in decision.options if not self._is_ruled_out(each)]
        asking = plain(self._asking if is_person else PICKED, decision.span)
        listing = work(sum((self._reading.listing(option) for option in options), asking))
        answers = {option: self._answered(option) for option in options}
        ask = question(decision.span) if is_person else FREE
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
        case = self._here.case
        if option.scope is not None:
            self._here.case = carried(case, option.scope)
        names = ((each.name, each.type) for each in option.parameters)
        cost = self._here.in_each_case(names, list(conditions_in(option.body)), lambda: self._whole(option.body))
        self._here.case = case
        return cost

    def _is_ruled_out(self, option: Option) -> bool:
        """Whether a condition of an option fails whatever happens in play."""
        return any(self._here.decided(each.expression) is False for each in option.conditions)

    def _uses(self, decision: DecisionDef, option: Option) -> int:
        """Return how often an option can be chosen in one `choose`; a limit counts that does not begin anew in it."""
        most = self.ranges.uses(option)
        periods = [each for each in option.limit.periods if each[0] != "game"] if option.limit is not None else []
        if most <= 1 or not periods:
            return most
        inside = reached(Caller("decision", decision.address), self.graph.calls)
        begun = {step.address for _, step in self._steps_of(inside) if isinstance(step, Step)}
        kept = [number for _, counter, number in periods if self.rules.fields[counter].resets not in begun]
        copies = self.ranges.copies(option)
        return min([most, *(copies * self.ranges.of(number).most for number in kept)])

    # Steps.

    def _whole(self, body: Steps) -> Cost:
        """Return the cost of steps that a `stop` without a name leaves."""
        return self._steps(body).after_leaving(BODY_LEFT)

    def _steps(self, steps: Steps) -> Cost:
        total, case = FREE, self._here.case
        for number, step in enumerate(steps, 1):
            counter = self._counters.get(type(step))
            itself = work(plain(weight_of_step(step, self.rules, self.ranges), step.span))
            cost = counter(self, step) if counter else self._reading.read(*expressions(step))
            kept = self._kept.cost_of_change(self._here.caller, step)
            total = self._checked(one_after_other(total, itself, cost, kept), step.span)
            if isinstance(step, Let) and step.name not in self._here.changed:
                rest = steps[number:]
                self._here.learn(step)
                named = [(step.name, step.value.type)]
                if cases_of(*named[0], conditions_in(rest), self._here.case, self.ranges.sizes):
                    inner = self._here.in_each_case(named, list(conditions_in(rest)), partial(self._steps, rest))
                    total = self._checked(one_after_other(total, inner), step.span)
                    break
        self._here.case = case
        return total

    def _checked(self, cost: Cost, span: Span) -> Cost:
        """Report too much work, or too many decisions, where it first is too much; return the cost without it."""
        if cost.most_decisions.number > MOST_DECISIONS:
            problem = analysis_problems.too_many_decisions(cost.most_decisions, MOST_DECISIONS, span)
            self._here.report.add(problem)
            cost = cost.without_decisions()
        for found, most, of in ((cost.most, MOST_WORK, "decision"), (cost.most_in_all, MOST_IN_ALL, "game")):
            if found.number > most:
                self._here.report.add(analysis_problems.too_much_work(found, most, span, of))
                return cost.without_work()
        return cost

    def _if(self, step: If) -> Cost:
        decided = self._here.decided(step.condition)
        branches = [step.then] if decided is not False else []
        branches += [step.otherwise] if decided is not True else []
        return one_after_other(self._reading.read(step.condition), either(*(self._steps(each) for each in branches)))

    def _for(self, step: For) -> Cost:
        most = self._here.length(step.items)
        loop = loop_over(step.name, step.items, most, step.span)
        start = work(self._reading.collection(step.items) + self._reading.reading(step.ordered_by))
        members = self._here.members_of_loop(step, most)
        if not members:
            named = [(step.name, item_of(step.items.type))]
            body = self._here.in_each_case(named, list(conditions_in(step.body)), lambda: self._round(step, most))
            return one_after_other(start, rounds(loop, body))
        costs, case = [], self._here.case
        self._here.is_apart = True
        for member, copies in members:
            self._here.case = case.with_members(step.name, frozenset({member}))
            costs.append(rounds(loop, self._round(step, most), copies))
        self._here.case, self._here.is_apart = case, False
        return one_after_other(start, *costs)

    def _round(self, step: For, most: int) -> Cost:
        """Return the cost of one round of a loop."""
        test = self._reading.reading(step.where, step.worth_asking)
        body = one_after_other(work(test), either(FREE, self._steps(step.body)))
        if step.ordered_by is None:
            return body
        # What is left is judged anew before each question, and nobody is asked about a single one.
        left = LoopRounds(most, "for each one that is left to be put in order", step.span)
        asked = work(plain(self._asking, step.span) + (plain(1, step.span) + test).in_loop(left))
        return one_after_other(asked, either(FREE, question(step.span)), body)

    def _repeat(self, step: Repeat) -> Cost:
        loop = LoopRounds(self._here.interval(step.count).most, quote(f"repeat {text_of(step.count.span)}"), step.span)
        return one_after_other(self._reading.read(step.count), rounds(loop, self._steps(step.body)))

    def _while(self, step: While) -> Cost:
        loop = LoopRounds(
            self._here.interval(step.at_most).most, quote(f"while {text_of(step.condition.span)}"), step.span
        )
        # What is used up is looked at after each round.
        left = self._reading.read(step.at_most)
        tested = self._reading.read(step.condition)
        body = one_after_other(tested, self._steps(step.body), left if step.uses_up else FREE)
        return one_after_other(left, tested, rounds(loop, body))

    def _named(self, step: Step) -> Cost:
        return self._steps(step.body).after_leaving(step.address)

    def _stop(self, step: Stop) -> Cost:
        return leave(step.step or BODY_LEFT)

    def _end_game(self, _: EndGame) -> Cost:
        return leave(GAME_ENDED)

    def _leave_game(self, step: LeaveGame) -> Cost:
        """Return the cost of a player's leaving; when the last but one leaves, the game ends."""
        return one_after_other(self._reading.read(step.player), either(FREE, leave(GAME_ENDED)))

    def _call(self, step: Call | Happen) -> Cost:
        return one_after_other(
            self._reading.read(*expressions(step)), self._called_with(*handed_over(self.rules, step))
        )

    def _run(self, step: RunHook) -> Cost:
        members, known = members_met(self.rules, step), self._here.members_of(step.subject)
        if known is not None:
            members = tuple(member for member in members if member in known)
        _, parameters, arguments = handed_over(self.rules, step)
        bodies = (self._called_with(Caller("hook", step.hook, each), parameters, arguments) for each in members)
        return one_after_other(self._reading.read(*expressions(step)), either(FREE, *bodies))

    def _choose(self, step: Choose) -> Cost:
        decision, read = self.rules.decisions.get(step.decision), self._reading.read(*expressions(step))
        if decision is None:
            return read
        if decision.inline or step.by is None:
            return one_after_other(read, self._asked(decision, is_person=step.by is not None))
        return one_after_other(read, self._called_with(*handed_over(self.rules, step)))

    def _move(self, step: Move | Draw) -> Cost:
        what = step.what if isinstance(step, Move) else None
        moved = None if what is None else self._here.members_of(what)
        if moved is None and what is not None:
            moved = frozenset(members_of(self.rules, what.type)) or None
        case = OPEN_CASE if moved is None else OPEN_CASE.with_members(MOVED, moved)
        ways = {"leaving": FREE, "entering": FREE}
        for caller in called_by(self.rules, self.graph, self._here.caller, step):
            ways[caller.kind] = either(ways[caller.kind], self._cost_in(caller, case))
        set_off = one_after_other(*ways.values())
        read = one_after_other(self._reading.read(*expressions(step)), work(self._moves.carrying(step)))
        return read if set_off == FREE else one_after_other(read, rounds(self._moves.loop(step), set_off))

    def _rearranged(self, step: Shuffle | Sort) -> Cost:
        field_ = self.rules.fields.get(step.place.field)
        most = self.ranges.sizes.field(field_).most if field_ else 0
        loop = LoopRounds(most, "for each piece that is put in order", step.span)
        by = self._reading.reading(step.by if isinstance(step, Sort) else None)
        return work((plain(SHUFFLED, step.span) + by).in_loop(loop))

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


def _is_set_off(scope: EffectScope, member: int) -> bool:
    return scope.kind is None or member in scope.members
