"""What must hold of decisions: chance takes none that speaks of who decides, each can end, none comes after the end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any, ClassVar, Literal, TypeAlias

from attrs import define, evolve, field

from aodrules.check import analysis_problems, problems
from aodrules.check.analyse.calls import Caller, CallGraph, bodies_of, called_by, effects_of
from aodrules.check.analyse.interval_analysis import Ranges
from aodrules.check.checked import CheckedRules, DecisionDef, Limit, Modifier, Option, Reaction
from aodrules.check.digraph import reached
from aodrules.check.steps import (
    AddTo,
    AnyStep,
    Argument,
    Call,
    Choose,
    Draw,
    EndGame,
    FieldPlace,
    FieldTarget,
    For,
    LeaveGame,
    Let,
    LocalTarget,
    Move,
    ParameterPlace,
    Reveal,
    Roll,
    RunHook,
    SetTo,
    Shuffle,
    Sort,
    Step,
    Steps,
)
from aodrules.check.visit import Shapes, all_bodies, children, expressions, places, tests_of, walk, walk_steps
from aodrules.lang.expressions import (
    AfterVerb,
    BagCount,
    BuiltinCall,
    Comprehension,
    Expression,
    FieldRead,
    IfElse,
    Knows,
    LimitUsed,
    Local,
    Operation,
    PlaceRead,
    Possible,
    ValueCall,
)
from aodrules.lang.types import ListOf, Number, Owner, Player
from aodrules.source.diagnostics import Report

# Questions that chance answers: there nobody decides, so nothing in them can speak of the one who does.

_DECIDER = "player"


def check_chance_decisions(rules: CheckedRules, report: Report) -> None:
    """Report decisions that chance takes although they speak of the player who decides."""
    for step in (step for body in all_bodies(rules) for step in walk_steps(body)):
        decision = rules.decisions.get(step.decision) if isinstance(step, Choose) and step.by is None else None
        if decision is None or decision.inline:
            continue
        parts = (part for each in _read_with_decider(decision) for part in walk(each))
        read = next((part for part in parts if isinstance(part, Local) and part.name == _DECIDER), None)
        if read is not None:
            name = decision.address.removeprefix("decision.")
            report.add(analysis_problems.missing_decider(name, step.span, read.span))


def _read_with_decider(decision: DecisionDef) -> Iterator[Expression]:
    """Iterate over the expressions of a decision in which `player` is who decides."""
    if _DECIDER in {each.name for each in decision.parameters}:
        return
    yield from (each for step in walk_steps(decision.otherwise) for each in expressions(step))
    for option in decision.options:
        is_offered = option.scope is not None and option.scope.owner  # to the owner, so never to chance
        if is_offered or _DECIDER in {each.name for each in option.parameters}:
            continue
        yield from tests_of(option)
        yield from (each for step in walk_steps(option.body) for each in expressions(step))
        if option.again is not None:
            yield option.again


# What is done at the end of a game asks nobody: a game that is over waits for no answer.


def check_end(rules: CheckedRules, graph: CallGraph, report: Report) -> None:
    """Report each question that the verb at the end of the game leads to."""
    end = rules.game.end
    if end is None or end not in rules.verbs:
        return
    callers = reached(Caller("verb", end), graph.calls)
    bodies = (body for caller in graph.order if caller in callers for body in bodies_of(rules, caller))
    for step in (step for body in bodies for step in walk_steps(body)):
        if (isinstance(step, Choose) and step.by is not None) or (
            isinstance(step, For) and step.ordered_by is not None
        ):
            report.add(analysis_problems.question_at_end(end, step.span))


def check_first_steps(rules: CheckedRules, graph: CallGraph, report: Report) -> None:
    """Report what cannot be foreseen among first steps that are tried out to tell whether an option is offered."""
    tests = [part for option in _all_options(rules) for each in option.conditions for part in walk(each.expression)]
    for verb in dict.fromkeys(part.verb for part in tests if isinstance(part, AfterVerb)):
        callers = reached(Caller("verb", verb), graph.calls)
        for caller in (each for each in graph.order if each in callers):
            for step in (step for body in bodies_of(rules, caller) for step in walk_steps(body)):
                what = _unforeseeable(rules, graph, caller, step)
                if what is not None:
                    report.add(analysis_problems.unforeseeable_step(verb.removesuffix(".first"), what, step.span))


def _all_options(rules: CheckedRules) -> Iterator[Option]:
    yield from rules.options.values()
    yield from (option for decision in rules.decisions.values() for option in decision.options)


def _unforeseeable(rules: CheckedRules, graph: CallGraph, caller: Caller, step: AnyStep) -> str | None:
    """Return what it is that makes a step more than everybody could work out before it is done."""
    if isinstance(step, Choose) or (isinstance(step, For) and step.ordered_by is not None):
        return "asks"
    if isinstance(step, Draw | Shuffle | Roll):
        return "leaves something to chance"
    if isinstance(step, Reveal) or (isinstance(step, Let) and step.told):
        return "tells a secret"
    if isinstance(step, LeaveGame | EndGame):
        return "ends the game for somebody"
    if isinstance(step, Move) and any(rules.fields[name].secret for name in graph.fields_of(caller, step.source)):
        return "shows what lay in secret"
    return None


# A decision that must be answered ends with an answer: those that ask it again leave one that does not.

How: TypeAlias = Literal["less", "more", "order", "known", "name", "all"]
Change: TypeAlias = "tuple[str, How]"
"""A field (or a `let` name) and what becomes of it."""
EVERYTHING: Change = ("", "all")
"""What changes when a player leaves: anything that has to do with players."""

# Which way something may go without harm: up (a number grows, a flag turns true, a collection gets more), down, or not.
UP, DOWN, NEITHER = 1, -1, 0
_ALONG = {  # For operators: which way each operand may go if the result may go up.
    **dict.fromkeys((">", ">=", "-"), (UP, DOWN)),
    **dict.fromkeys(("<", "<="), (DOWN, UP)),
    "not": (DOWN,),
    "negate": (DOWN,),
}
_TOGETHER = frozenset({"and", "or", "+"})
_LOOPS = {"any": UP, "count": UP, "set": UP, "list": UP, "all": DOWN, "sum": NEITHER}
"""Which way the items of a loop may go if the result may go up. Their order does not matter for any of these."""
_OF_THOSE_LEFT = frozenset({"players", "owners", "seats_from"})
"""Builtins that speak of those who are still in the game."""
_MODIFIERS = {"add": UP, "at_least": UP, "at_most": UP, "allow": UP, "forbid": DOWN, "times": NEITHER, "set": NEITHER}


def keep_endings(rules: CheckedRules, graph: CallGraph, ranges: Ranges, report: Report) -> CheckedRules:
    """Return the rules in which each answer that asks again knows beside which others it may be given.

    Report decisions that could be left without an answer that ends them.
    """
    written = _WriteAnalysis(rules, graph, ranges)
    found = dict(rules.decisions)
    for address, decision in rules.decisions.items():
        _check_choice(decision, _ReliedOn(rules, graph, ranges, Caller("decision", address)), report)
        if not decision.optional and not decision.says_otherwise and any(map(_asks_again, decision.options)):
            relied = _ReliedOn(rules, graph, ranges, Caller("decision", address))
            found[address] = _with_endings(decision, relied, written, report)
    return rules.with_parts(decisions=found)


def _with_endings(decision: DecisionDef, relied: _ReliedOn, written: _WriteAnalysis, report: Report) -> DecisionDef:
    endings = {each: _shared(decision, relied.by_option(each)) for each in decision.options if not _asks_again(each)}
    if not endings:
        report.add(analysis_problems.decision_without_end(decision.id, decision.span))
        return decision
    options = []
    for option in decision.options:
        changed = written.by_option(decision.address, option) if _asks_again(option) else frozenset()
        taken = {each: harm for each, needed in endings.items() if (harm := _harm(changed, needed))}
        kept = [each for each in endings if each not in taken]
        if not kept:
            ending, harm = next(iter(taken.items()))
            about = analysis_problems.Harm(option.id, harm, ending.id, ending.span)
            report.add(analysis_problems.decision_without_end(decision.id, option.span, about))
        is_always_left = any(_is_always_possible(each) for each in kept)
        beside = () if not taken or is_always_left else tuple(each.address for each in kept)
        options.append(evolve(option, beside=beside))
    return evolve(decision, options=tuple(options))


def _asks_again(option: Option) -> bool:
    return option.again is not None


def _is_always_possible(option: Option) -> bool:
    return not option.parameters and not option.conditions and option.limit is None and option.scope is None


def _shared(decision: DecisionDef, needed: frozenset[Change]) -> frozenset[Change]:
    """Return what is needed without names, unless the answers share those of the body around them."""
    return needed if decision.inline else frozenset(change for change in needed if change[1] != "name")


def _harm(changed: frozenset[Change], needed: frozenset[Change]) -> str:
    """Return the name of what is changed although it is needed; empty if there is none."""
    if EVERYTHING in changed and needed:
        return "players"
    return min((name for name, _ in changed & needed), default="")


def _check_choice(decision: DecisionDef, relied: _ReliedOn, report: Report) -> None:
    """Report conditions on chosen pieces that ask what is chosen so far: nobody could tell what can be completed."""
    for option in decision.options:
        laid = [step.target for step in option.body if isinstance(step, Move) and step.aside]
        asides = {place.field for place in laid if isinstance(place, FieldPlace)}
        # What the choice itself asks for bears the place of the choice.
        for condition in (each for each in option.conditions if asides and each.span != option.span):
            if relied.has_read(condition.expression, asides):
                parts = walk(condition.expression)
                read = next((one for one in parts if isinstance(one, FieldRead) and one.field in asides), condition)
                message = "`where` is about each piece by itself, not about what is chosen with it"
                report.add(problems.wrong_arguments(message, read.span))


# What steps change: fields that may get more or less, another order, or be known to others.


@define(eq=False)
class _WriteAnalysis:
    """Finds what steps change, with everything that they call or set off. The graph of calls has no cycle."""

    rules: CheckedRules
    graph: CallGraph
    ranges: Ranges
    _known: dict[Caller, frozenset[Change]] = field(factory=dict, init=False)
    _shapes: Shapes = field(factory=Shapes, init=False)

    def by_option(self, decision: str, option: Option) -> frozenset[Change]:
        """Return what taking an option of a decision (by address) can change."""
        return frozenset((*_counted(option.limit), *self._by_steps(Caller("decision", decision), option.body)))

    def _by(self, caller: Caller) -> frozenset[Change]:
        if caller not in self._known:
            found = self._found(caller)
            # Only an inline decision changes names of others: those of the body around it.
            shares = caller.kind == "decision" and self.rules.decisions[caller.name].inline
            self._known[caller] = frozenset(change for change in found if shares or change[1] != "name")
        return self._known[caller]

    def _found(self, caller: Caller) -> Iterator[Change]:
        if caller.kind == "decision":
            for option in self.rules.decisions[caller.name].options:
                yield from _counted(option.limit)
        for effect in effects_of(self.rules, caller):
            yield from _counted(effect.limit if isinstance(effect, Reaction) else None)
        for steps in bodies_of(self.rules, caller):
            yield from self._by_steps(caller, steps)

    def _by_steps(self, caller: Caller, steps: Steps) -> Iterator[Change]:
        for step in walk_steps(steps):
            yield from self._by_step(caller, step)
            for called in called_by(self.rules, self.graph, caller, step):
                yield from self._by(called)

    def _by_step(self, caller: Caller, step: AnyStep) -> Iterator[Change]:
        match step:
            case Move() | Draw():
                yield from self._moved(caller, step)
            case Shuffle() | Sort():
                yield from ((step.place.field, how) for how in ("order", "known"))
            case Reveal():
                yield step.place.field, "known"
            case SetTo() | AddTo():
                yield from self._set(step)
            case Step():
                yield from self._reset(step)
            case LeaveGame():
                yield EVERYTHING
            case Call() | RunHook() | Choose():
                pass  # What they hand on is changed by what they call.
            case _:
                yield from self._anything(caller, step)

    def _anything(self, caller: Caller, step: AnyStep) -> Iterator[Change]:
        """Return all that may become of what a step names of which nothing more is known."""
        for place in places(step):
            if isinstance(place, LocalTarget):
                yield place.name, "name"
                continue
            fields = {place.field} if isinstance(place, FieldTarget) else self.graph.fields_of(caller, place)
            yield from ((name, how) for name in fields for how in ("less", "more", "order", "known"))

    def _reset(self, step: Step) -> Iterator[Change]:
        for each in self.rules.fields.values():
            if each.resets in (step.name, step.address):
                yield from ((each.name, how) for how in ("less", "more", "order", "known"))

    def _moved(self, caller: Caller, step: Move | Draw) -> Iterator[Change]:
        if self._stays(step):
            assert isinstance(step.source, FieldPlace)  # or it could not be told that it stays
            yield from ((step.source.field, how) for how in ("order", "known"))
            return
        for one in self.graph.fields_of(caller, step.source):
            yield from ((one, how) for how in ("less", "order", "known"))
        for one in self.graph.fields_of(caller, step.target):
            yield from ((one, how) for how in ("more", "order", "known"))

    def _stays(self, step: Move | Draw) -> bool:
        """Whether pieces only change their positions in one and the same list."""
        source, target = step.source, step.target
        if not isinstance(source, FieldPlace) or not isinstance(target, FieldPlace) or source.field != target.field:
            return False
        ends = ([None if each is None else self._shapes.of(each) for each in place.at] for place in (source, target))
        return next(ends) == next(ends)

    def _set(self, step: SetTo | AddTo) -> Iterator[Change]:
        if not isinstance(step.target, FieldTarget):
            yield step.target.name, "name"
            return
        name, signs = step.target.field, {1, -1}
        if isinstance(step, AddTo):
            amount = self.ranges.of(step.amount)
            if not isinstance(step.amount.type, Number) or (amount.low is not None and amount.low >= 0):
                signs = {step.sign}
        yield from ((name, "more" if sign > 0 else "less") for sign in signs)


def _counted(limit: Limit | None) -> Iterator[Change]:
    for _, counter, _ in limit.periods if limit is not None else ():
        yield counter, "more"


# What an option relies on: the changes after which something that was legal may not be legal any more.


@define(eq=False)
class _ReliedOn:
    """Finds what expressions and options rely on, values and their modifiers included."""

    rules: CheckedRules
    graph: CallGraph
    ranges: Ranges
    caller: Caller
    """Who reads: what place parameters stand for depends on it."""
    _values: dict[tuple[str, int], frozenset[Change]] = field(factory=dict, init=False)

    def by_option(self, option: Option, way: int = UP) -> frozenset[Change]:
        """Return the changes after which an instance of an option that was legal may not be so any more."""
        own = {(parameter.name, "name") for parameter in (*option.parameters, *option.given)}
        return frozenset(self._by_option(option, way)) - own

    def has_read(self, expression: Expression, fields: set[str]) -> bool:
        """Whether an expression relies on one of some fields."""
        return any(name in fields for name, _ in self._by(expression, NEITHER))

    def _by_option(self, option: Option, way: int) -> Iterator[Change]:
        yield from self._arguments(option.supplied)
        for parameter in option.parameters:
            if parameter.domain is not None:
                yield from self._collection(parameter.domain, way)
            elif isinstance(parameter.type, Player | Owner):
                yield EVERYTHING
        for condition in option.conditions:
            yield from self._by(condition.expression, way)
        if option.scope is not None and option.scope.field is not None:
            # Of several holders the first counts: only of one's own does it not matter who else holds it.
            yield from _changes(option.scope.field, way if option.scope.owner else NEITHER)
        for _, counter, number in option.limit.periods if option.limit is not None else ():
            yield from _changes(counter, -way)
            yield from self._by(number, way)

    def _arguments(self, arguments: Iterable[Argument]) -> Iterator[Change]:
        for each in arguments:
            if isinstance(each, FieldPlace):
                yield from chain.from_iterable(self._by(one, NEITHER) for one in each.at if one is not None)
            elif not isinstance(each, ParameterPlace):
                yield from self._by(each, NEITHER)

    def _by(self, expression: Expression, way: int) -> Iterator[Change]:
        reader = self._readers.get(type(expression))
        return self._parts(expression, way) if reader is None else reader(self, expression, way)

    def _parts(self, expression: Expression, _way: int) -> Iterator[Change]:
        """Return what an expression relies on of which it is not known which way it goes with its parts."""
        return self._all(children(expression), NEITHER)

    def _local(self, local: Local, _way: int) -> Iterator[Change]:
        yield local.name, "name"

    def _field(self, read: FieldRead, way: int) -> Iterator[Change]:
        yield from _changes(read.field, way, is_ordered=isinstance(read.type, ListOf))
        yield from self._all(read.at, NEITHER)

    def _limit(self, used: LimitUsed, way: int) -> Iterator[Change]:
        yield from _changes(used.limit, way)
        yield from self._parts(used, way)

    def _bag_count(self, count: BagCount, way: int) -> Iterator[Change]:
        yield from self._collection(count.bag, way)
        yield from self._by(count.member, NEITHER)

    def _builtin(self, call: BuiltinCall, way: int) -> Iterator[Change]:
        if call.builtin in ("len", "size"):
            return self._collection(call.arguments[0], way)
        if call.builtin in ("min", "max") and len(call.arguments) > 1:
            return self._all(call.arguments, way)
        return self._of_those_left(call) if call.builtin in _OF_THOSE_LEFT else self._parts(call, way)

    def _of_those_left(self, call: BuiltinCall) -> Iterator[Change]:
        yield EVERYTHING
        yield from self._parts(call, NEITHER)

    def _comprehension(self, comprehension: Comprehension, way: int) -> Iterator[Change]:
        # The order of what gets into a list counts, unless it is only asked what is in it: see `_collection`.
        is_known = comprehension.gives in _LOOPS and comprehension.gives != "list"
        return self._loops(comprehension, way) if is_known else self._parts(comprehension, way)

    def _if_else(self, either: IfElse, way: int) -> Iterator[Change]:
        yield from self._by(either.condition, NEITHER)
        yield from self._all((either.then, either.otherwise), way)

    def _value_call(self, call: ValueCall, way: int) -> Iterator[Change]:
        yield from self._value(call.value, way)
        yield from self._all(call.arguments, NEITHER)

    def _possible(self, possible: Possible, way: int) -> Iterator[Change]:
        yield from self._by_option(self.rules.options[possible.option], NEITHER)
        yield from self._parts(possible, way)

    def _after_verb(self, after: AfterVerb, way: int) -> Iterator[Change]:
        # What the verb leaves may depend on anything that it reads.
        for name in self.rules.fields:
            yield from _changes(name, NEITHER, is_ordered=True)
        yield from self._parts(after, way)

    def _knows(self, knows: Knows, way: int) -> Iterator[Change]:
        yield knows.field, "known"
        yield from _changes(knows.field, NEITHER, is_ordered=True)
        yield from self._parts(knows, way)

    def _place(self, read: PlaceRead, way: int) -> Iterator[Change]:
        for name in self.graph.fields_of(self.caller, ParameterPlace(read.span, read.name)):
            yield from _changes(name, NEITHER, is_ordered=True)
        yield from self._parts(read, way)

    def _all(self, expressions: Iterable[Expression], way: int) -> Iterator[Change]:
        for each in expressions:
            yield from self._by(each, way)

    def _operation(self, operation: Operation, way: int) -> Iterator[Change]:
        operands = operation.operands
        if operation.operator in _TOGETHER:
            yield from self._all(operands, way)
        elif operation.operator in ("in", "not in"):
            yield from self._by(operands[0], NEITHER)
            yield from self._collection(operands[1], way if operation.operator == "in" else -way)
        else:
            ways = _ALONG.get(operation.operator, ())
            for number, operand in enumerate(operands):
                yield from self._by(operand, way * (ways[number] if ways else NEITHER))

    def _collection(self, items: Expression, way: int) -> Iterator[Change]:
        """Return what a collection relies on whose order does not matter."""
        if isinstance(items, FieldRead):
            yield from _changes(items.field, way)
            yield from self._all(items.at, NEITHER)
        elif isinstance(items, Comprehension) and items.gives == "list":
            yield from self._loops(items, way)
        else:
            yield from self._by(items, way)

    def _loops(self, comprehension: Comprehension, way: int) -> Iterator[Change]:
        items = way * _LOOPS[comprehension.gives]
        is_collection = comprehension.gives in ("set", "list")
        yield from self._by(comprehension.item, NEITHER if is_collection else way)
        for loop in comprehension.loops:
            yield from self._collection(loop.items, items)
            yield from self._all(loop.conditions, items)

    def _value(self, name: str, way: int) -> frozenset[Change]:
        """Return what a value relies on; its parameters are arguments, and no names of those who ask for it."""
        if (name, way) not in self._values:
            # Of a value that is missing it was told already.
            known, modifiers = self.rules.values.get(name), self.rules.modifiers.get(name, ())
            # What is multiplied by less than 0 goes the other way.
            factors = (self.ranges.of(each.amount).low for each in modifiers if each.operation == "times")
            first = way if all(low is not None and low >= 0 for low in factors) else NEITHER
            found = chain(
                self._by(known.formula, first) if known else (),
                *(self._modifier(each, first if each.operation == "add" else way) for each in modifiers),
            )
            self._values[name, way] = frozenset(change for change in found if change[1] != "name")
        return self._values[name, way]

    def _modifier(self, modifier: Modifier, way: int) -> Iterator[Change]:
        yield from self._by(modifier.amount, way * _MODIFIERS[modifier.operation])
        if modifier.condition is not None:
            yield from self._by(modifier.condition, NEITHER)
        if modifier.scope.field is not None:
            yield from _changes(modifier.scope.field, NEITHER)

    _readers: ClassVar[dict[type, Any]] = {
        Local: _local,
        FieldRead: _field,
        LimitUsed: _limit,
        BagCount: _bag_count,
        Operation: _operation,
        BuiltinCall: _builtin,
        Comprehension: _comprehension,
        IfElse: _if_else,
        ValueCall: _value_call,
        Possible: _possible,
        AfterVerb: _after_verb,
        Knows: _knows,
        PlaceRead: _place,
    }


def _changes(name: str, way: int, *, is_ordered: bool = False) -> Iterator[Change]:
    """Return the changes of a field that do harm where it may only go one way."""
    if way >= 0:
        yield name, "less"
    if way <= 0:
        yield name, "more"
    if is_ordered:
        yield name, "order"
