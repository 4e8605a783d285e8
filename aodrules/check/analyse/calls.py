"""Who calls whom: verbs, values, events, decisions, moves, hooks; refuses every way that leads back to its start."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import TypeAlias

from attrs import define, field, frozen

from aodrules.check import analysis_problems
from aodrules.check.analyse.bounds import MOST_DEPTH
from aodrules.check.checked import (
    CheckedRules,
    DecisionDef,
    EnterLeaveEffect,
    EventDef,
    Hook,
    Limit,
    Option,
    Parameter,
    Reaction,
    Verb,
)
from aodrules.check.digraph import components, reached, way_round
from aodrules.check.steps import (
    AnyStep,
    Argument,
    Call,
    Choose,
    Draw,
    FieldPlace,
    Happen,
    Move,
    ParameterPlace,
    PlaceReference,
    RunHook,
    Steps,
)
from aodrules.check.visit import attribute_values, depth_of, depth_of_steps, expressions, tests_of, walk, walk_steps
from aodrules.lang.expressions import AfterVerb, AttributeRead, Const, Expression, Local, Possible, ValueCall
from aodrules.lang.types import Member, Type, present
from aodrules.source.diagnostics import Report
from aodrules.source.spans import Span


@frozen
class Caller:
    """One thing that can call others or be called."""

    kind: str
    """`game`, `verb`, `value`, `event`, `decision`, `run`, `hook`, `modifier`, `reaction`, `enter_leave`, `entering`,
    `leaving`, `possible`, `attribute` or `attributes` (of a kind)."""
    name: str
    """Its name or address; of `run` and `hook` the hook's, of `entering` and `leaving` the field's."""
    member: int = -1
    """Of `hook` and `attribute` the member; of `run` nothing."""
    of: str = ""
    """Of `run` and `attributes` the kind whose members can be met."""


@frozen(eq=False)
class CallGraph:
    """The calls of a ruleset, each with the place of the first call."""

    calls: dict[Caller, dict[Caller, Span]]
    order: tuple[Caller, ...]
    """Callers before what they call; of no meaning for what stands in a cycle."""
    reached: frozenset[Caller]
    """What a game can come to, from `begin`, `play`, `end`, the points and the winner."""
    places: dict[tuple[Caller, str], frozenset[str]]
    """For each parameter that is a place: the fields it can stand for."""
    has_cycle: bool
    depths: dict[Caller, int]
    """How deeply the expressions and steps of each are nested, without what they call."""

    def fields_of(self, caller: Caller, place: PlaceReference) -> frozenset[str]:
        """Return the fields a place can be when `caller` names it."""
        if isinstance(place, FieldPlace):
            return frozenset({place.field})
        return self.places.get((caller, place.name), frozenset())


GAME = Caller("game", "game")
Effect: TypeAlias = Reaction | EnterLeaveEffect
# What a `run` or the reading of an attribute can meet is a caller of its own, but nobody wrote it.
_UNWRITTEN = ("run", "attributes")


def call_graph(rules: CheckedRules, report: Report) -> CallGraph:
    """Return who calls whom, and report each cycle once."""
    builder = _CallGraphBuilder(rules)
    builder.build()
    found = components(builder.calls)
    cycles = [each for each in found if len(each) > 1 or each[0] in builder.calls[each[0]]]
    for cycle in cycles:
        _report_cycle(rules, builder, cycle, report)
    order = tuple(node for component in reversed(found) for node in component)
    return CallGraph(builder.calls, order, reached(GAME, builder.calls), builder.places(), bool(cycles), builder.depths)


def _report_cycle(rules: CheckedRules, builder: _CallGraphBuilder, cycle: list[Caller], report: Report) -> None:
    numbers = {node: number for number, node in enumerate(builder.calls)}
    start = min(cycle, key=lambda node: (node.kind in _UNWRITTEN, numbers[node]))
    path = way_round(start, builder.calls, frozenset(cycle))
    shown = [node for node in path if node.kind not in _UNWRITTEN]
    places = [builder.calls[one][other] for one, other in pairwise(path) if one.kind not in _UNWRITTEN]
    report.add(analysis_problems.call_cycle([_shown(rules, node) for node in shown], places, _cure(cycle)))


def _cure(cycle: list[Caller]) -> str | None:
    kinds = {node.kind for node in cycle}
    if "decision" in kinds:
        return "to ask a decision once more, give its option `again: n`"
    if "verb" in kinds:
        return "to do something several times, use `repeat`, or `while` with `at_most`"
    return None


def _shown(rules: CheckedRules, node: Caller) -> str:
    """Return what an author would call a caller."""
    if node.kind == "value":
        return rules.values[node.name].address
    if node.kind == "verb" and node.name in rules.verbs:
        return rules.verbs[node.name].address
    if node.kind in ("verb", "event"):
        return f"{node.kind}.{node.name}"
    if node.kind in ("entering", "leaving"):
        return f"{node.kind} {node.name}"
    if node.kind == "possible":
        return f"option.{node.name}"
    if node.member >= 0:
        kind, part = node.name.split(".", 1)
        return f"{kind}.{rules.family(kind).members[node.member]}.{part}"
    return node.name


def check_depth(graph: CallGraph, report: Report) -> None:
    """Report the deepest chain of calls if it goes too deep. The graph must have no cycle."""
    depths: dict[Caller, int] = {}
    for caller in reversed(graph.order):
        below = max((depths[called] for called in graph.calls[caller]), default=0)
        depths[caller] = 1 + graph.depths.get(caller, 0) + below
    deepest = max(depths, key=lambda caller: depths[caller], default=None)
    if deepest is None or depths[deepest] <= MOST_DEPTH:
        return
    path = [deepest]
    while graph.calls[path[-1]]:
        path.append(max(graph.calls[path[-1]], key=lambda caller: depths[caller]))
    places = [graph.calls[one][other] for one, other in pairwise(path)]
    if places:
        report.add(analysis_problems.rules_too_deep(depths[deepest], MOST_DEPTH, [each.name for each in path], places))


@define(eq=False)
class _CallGraphBuilder:
    """Collects callers, calls and where places flow."""

    rules: CheckedRules
    calls: dict[Caller, dict[Caller, Span]] = field(factory=dict)
    _moves: list[tuple[Caller, Move | Draw]] = field(factory=list)
    _flows: dict[tuple[Caller, str], list[tuple[Caller, str]]] = field(factory=dict)
    """Place parameter → the place parameters it is handed on to."""
    _inner: dict[Caller, list[Caller]] = field(factory=dict)
    """Inline decisions, which see the place parameters around them."""
    _given: dict[tuple[Caller, str], set[str]] = field(factory=dict)
    depths: dict[Caller, int] = field(factory=dict)

    def build(self) -> None:
        """Collect everything, then follow the places and add what moves call."""
        self._game()
        for name, verb in self.rules.verbs.items():
            self._body(Caller("verb", name), verb.body)
        self._values()
        self._events()
        self._decisions()
        for name, hook in self.rules.hooks.items():
            for member, body in hook.bodies.items():
                self._body(Caller("hook", name, member), body)
        for name, option in self.rules.options.items():
            self._conditions(Caller("possible", name), option)
        self._enter_leave()
        self._attributes()
        self._follow_places()
        for caller, move in self._moves:
            self._enter_leave_of(caller, move)

    def places(self) -> dict[tuple[Caller, str], frozenset[str]]:
        """Return the fields each place parameter can stand for."""
        return {parameter: frozenset(fields) for parameter, fields in self._given.items()}

    def _link(self, caller: Caller, called: Caller, span: Span) -> None:
        self.calls.setdefault(called, {})
        self.calls.setdefault(caller, {}).setdefault(called, span)

    # Declarations.

    def _game(self) -> None:
        game = self.rules.game
        self.calls.setdefault(GAME, {})
        for verb in game.verbs:
            if verb in self.rules.verbs:
                self._link(GAME, Caller("verb", verb), game.span)
        for source in game.points:
            self._link(GAME, Caller("value", source.value), game.span)
        self._reads(GAME, *expressions(game))
        for each in self.rules.fields.values():
            self._reads(GAME, *expressions(each))

    def _values(self) -> None:
        for name, value in self.rules.values.items():
            caller = Caller("value", name)
            self._reads(caller, value.formula)
            for modifier in self.rules.modifiers.get(name, ()):
                effect = Caller("modifier", modifier.address)
                self._link(caller, effect, modifier.span)
                self._reads(effect, *expressions(modifier))

    def _events(self) -> None:
        for name in self.rules.events:
            caller = Caller("event", name)
            self.calls.setdefault(caller, {})
            for reaction in self.rules.reactions.get(name, ()):
                self._effect(caller, Caller("reaction", reaction.address), reaction)

    def _enter_leave(self) -> None:
        for name, enter_leave_effects in self.rules.enter_leave_effects.items():
            for enter_leave in enter_leave_effects:
                caller = Caller("entering" if enter_leave.entering else "leaving", name)
                self._effect(caller, Caller("enter_leave", enter_leave.address), enter_leave)

    def _effect(self, caller: Caller, called: Caller, effect: Effect) -> None:
        self._link(caller, called, effect.span)
        limit = effect.limit if isinstance(effect, Reaction) else None
        self._reads(called, effect.condition, *limit_numbers(limit))
        self._body(called, effect.body)

    def _decisions(self) -> None:
        for address, decision in self.rules.decisions.items():
            caller = Caller("decision", address)
            for option in decision.options:
                self._conditions(caller, option)
                self._body(caller, option.body)
            self._body(caller, decision.otherwise)

    def _conditions(self, caller: Caller, option: Option) -> None:
        supplied = (each for _, each in plain_arguments(option.given, option.supplied))
        self._reads(caller, option.again, *limit_numbers(option.limit), *supplied)
        self._hand_over(caller, caller, option.given, option.supplied)
        self._reads(caller, *tests_of(option))

    # Bodies.

    def _body(self, caller: Caller, steps: Steps) -> None:
        self.calls.setdefault(caller, {})
        self._deepen(caller, depth_of_steps(steps))
        for step in walk_steps(steps):
            self._reads(caller, *expressions(step))
            self._step(caller, step)

    def _step(self, caller: Caller, step: AnyStep) -> None:
        if isinstance(step, Move | Draw):
            self._moves.append((caller, step))
        elif isinstance(step, RunHook):
            self._run(caller, step)
        elif isinstance(step, Call | Happen | Choose):
            called, parameters, arguments = handed_over(self.rules, step)
            self._link(caller, called, step.span)
            self._hand_over(caller, called, parameters, arguments)
            decision = self.rules.decisions.get(step.decision) if isinstance(step, Choose) else None
            if decision is not None and decision.inline:
                self._inner.setdefault(caller, []).append(called)

    def _run(self, caller: Caller, step: RunHook) -> None:
        hook = self.rules.hooks.get(step.hook)
        if hook is None:
            return
        met = Caller("run", step.hook, of=_kind(step.subject.type))
        self._link(caller, met, step.span)
        for member in members_met(self.rules, step):
            if member in hook.bodies:
                body = Caller("hook", step.hook, member)
                self._link(caller if isinstance(step.subject, Const) else met, body, step.span)
                self._hand_over(caller, body, hook.parameters, step.arguments)

    def _hand_over(
        self,
        caller: Caller,
        called: Caller,
        parameters: tuple[Parameter, ...],
        arguments: tuple[Argument, ...],
    ) -> None:
        """Remember which places are given for the place parameters of what is called."""
        for parameter, argument in zip(parameters, arguments, strict=False):
            if isinstance(argument, FieldPlace):
                self._given.setdefault((called, parameter.name), set()).add(argument.field)
            elif isinstance(argument, ParameterPlace):
                self._flows.setdefault((caller, argument.name), []).append((called, parameter.name))

    def _reads(self, caller: Caller, *read: Expression | None) -> None:
        self.calls.setdefault(caller, {})
        for expression in read:
            self._deepen(caller, depth_of(expression) if expression is not None else 0)
            for part in walk(expression) if expression is not None else ():
                called = called_in(part)
                if called is not None:
                    self._link(caller, called, part.span)

    def _deepen(self, caller: Caller, depth: int) -> None:
        self.depths[caller] = max(self.depths.get(caller, 0), depth)

    # Places.

    def _follow_places(self) -> None:
        waiting = list(self._given)
        while waiting:
            parameter = waiting.pop()
            for target in self._handed_on(parameter):
                before = self._given.setdefault(target, set())
                if not self._given[parameter] <= before:
                    before |= self._given[parameter]
                    waiting.append(target)

    def _handed_on(self, parameter: tuple[Caller, str]) -> Iterator[tuple[Caller, str]]:
        yield from self._flows.get(parameter, ())
        for inner in self._inner.get(parameter[0], ()):
            yield inner, parameter[1]

    def _enter_leave_of(self, caller: Caller, move: Move | Draw) -> None:
        for kind, place in zip(("leaving", "entering"), move.ends, strict=False):
            for name in sorted(self._fields(caller, place)):
                if Caller(kind, name) in self.calls:
                    self._link(caller, Caller(kind, name), place.span)

    def _fields(self, caller: Caller, place: PlaceReference) -> Iterable[str]:
        return {place.field} if isinstance(place, FieldPlace) else self._given.get((caller, place.name), ())

    # Attributes.

    def _attributes(self) -> None:
        for name, member, _, expression in attribute_values(self.rules):
            for part in walk(expression):
                if isinstance(part, AttributeRead) and part.attribute in self.rules.attributes:
                    self._attribute_read(Caller("attribute", name, member), part)

    def _attribute_read(self, caller: Caller, read: AttributeRead) -> None:
        if isinstance(read.of, Const) and isinstance(read.of.value, int):
            self._one_of(caller, read, read.of.value)
        elif isinstance(read.of, Local) and read.of.name == "self":
            self._one_of(caller, read, caller.member)
        else:
            any_of = Caller("attributes", read.attribute, of=_kind(read.of.type))
            fresh = any_of not in self.calls
            self._link(caller, any_of, read.span)
            for member in members_of(self.rules, read.of.type) if fresh else ():
                self._one_of(any_of, read, member)

    def _one_of(self, caller: Caller, read: AttributeRead, member: int) -> None:
        if self._is_computed(read.attribute, member):
            self._link(caller, Caller("attribute", read.attribute, member), read.span)

    def _is_computed(self, name: str, member: int) -> bool:
        values = self.rules.attributes[name].values
        entry = values[member] if member < len(values) else None
        return entry is not None and not isinstance(entry, Const)


def _kind(of: Type) -> str:
    of = present(of)
    return of.kind if isinstance(of, Member) else ""


def members_of(rules: CheckedRules, of: Type) -> tuple[int, ...]:
    """Return the members that a type can stand for, none of them for other types."""
    kind = rules.kinds.get(_kind(of))
    return kind.places if kind else ()


def members_met(rules: CheckedRules, step: RunHook) -> tuple[int, ...]:
    """Return the members whose steps a `run` can come to."""
    subject = step.subject
    if isinstance(subject, Const) and isinstance(subject.value, int):
        return (subject.value,)
    return members_of(rules, subject.type)


def effects_of(rules: CheckedRules, caller: Caller) -> tuple[Effect, ...]:
    """Return the effects that an event, or entering or leaving a field, sets off."""
    if caller.kind == "event":
        return rules.reactions.get(caller.name, ())
    if caller.kind not in {"entering", "leaving"}:
        return ()
    enter_leave_effects = rules.enter_leave_effects.get(caller.name, ())
    return tuple(one for one in enter_leave_effects if one.entering is (caller.kind == "entering"))


def bodies_of(rules: CheckedRules, caller: Caller) -> Iterator[Steps]:
    """Iterate over the steps that a caller can do itself."""
    if caller.kind == "verb" and caller.name in rules.verbs:
        yield rules.verbs[caller.name].body
    elif caller.kind == "hook":
        yield rules.hooks[caller.name].bodies.get(caller.member, ())
    elif caller.kind == "decision" and caller.name in rules.decisions:
        yield from (option.body for option in rules.decisions[caller.name].options)
        yield rules.decisions[caller.name].otherwise
    yield from (effect.body for effect in effects_of(rules, caller))


def called_by(rules: CheckedRules, graph: CallGraph, caller: Caller, step: AnyStep) -> Iterator[Caller]:
    """Iterate over what a step of a caller can call or set off."""
    if isinstance(step, Call | Happen | Choose):
        yield handed_over(rules, step)[0]
    elif isinstance(step, RunHook):
        yield from (Caller("hook", step.hook, member) for member in members_met(rules, step))
    elif isinstance(step, Move | Draw):
        for kind, place in zip(("leaving", "entering"), step.ends, strict=False):
            yield from (Caller(kind, name) for name in sorted(graph.fields_of(caller, place)))


def called_in(expression: Expression) -> Caller | None:
    """Return what an expression itself calls, if it calls something."""
    if isinstance(expression, ValueCall):
        return Caller("value", expression.value)
    if isinstance(expression, Possible):
        return Caller("possible", expression.option)
    return Caller("verb", expression.verb) if isinstance(expression, AfterVerb) else None


def handed_over(
    rules: CheckedRules, step: Call | Happen | RunHook | Choose
) -> tuple[Caller, tuple[Parameter, ...], tuple[Argument, ...]]:
    """Return to whom a step gives something, the parameters there, and what is given for them."""
    declared: Verb | EventDef | Hook | DecisionDef | None
    if isinstance(step, Call):
        called, declared = Caller("verb", step.verb), rules.verbs.get(step.verb)
    elif isinstance(step, Happen):
        called, declared = Caller("event", step.event), rules.events.get(step.event)
    elif isinstance(step, RunHook):
        called, declared = Caller("run", step.hook), rules.hooks.get(step.hook)
    else:
        called, declared = Caller("decision", step.decision), rules.decisions.get(step.decision)
    return called, declared.parameters if declared else (), step.arguments


def receiver(caller: Caller) -> Caller:
    """Return the one to whom the parameters of a body are given: those of a hook to all members alike."""
    return Caller("run", caller.name) if caller.kind == "hook" else caller


def plain_arguments(
    parameters: Iterable[Parameter], arguments: Iterable[Argument]
) -> Iterator[tuple[Parameter, Expression]]:
    """Iterate over parameters and what is given for them, places left out."""
    for parameter, argument in zip(parameters, arguments, strict=False):
        if not isinstance(argument, FieldPlace | ParameterPlace):
            yield parameter, argument


def limit_numbers(limit: Limit | None) -> tuple[Expression, ...]:
    """Return how often something limited may be used, for each period."""
    return () if limit is None else tuple(number for _, _, number in limit.periods)
