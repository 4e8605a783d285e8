"""Moves into fields that only some members have: each needs a test before it that leaves out the others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeAlias

from attrs import define, evolve, field, frozen

from aodrules.check import analysis_problems
from aodrules.check.analyse.calls import Caller, CallGraph, members_of
from aodrules.check.analyse.constants import UNSURE, ConstantEvaluator, is_number
from aodrules.check.checked import CheckedRules, DecisionDef, Field, Option, Parameter
from aodrules.check.steps import (
    AnyStep,
    Argument,
    Call,
    Choose,
    Draw,
    FieldPlace,
    For,
    If,
    Move,
    ParameterPlace,
    PlaceReference,
    RunHook,
    Steps,
    While,
)
from aodrules.check.visit import bodies, changed_names, text_of, walk, walk_steps
from aodrules.lang.expressions import BuiltinCall, Comprehension, Const, Expression, Local
from aodrules.lang.types import Member
from aodrules.source.diagnostics import Report

Target: TypeAlias = tuple[Caller, str]


@frozen(eq=False)
class _Tested:
    """What tests around a step have shown, and which members a name can still be."""

    tests: tuple[tuple[Expression, bool], ...] = ()
    members: dict[str, tuple[int, ...]] = field(factory=dict)

    def with_test(self, condition: Expression | None, *, is_true: bool = True) -> _Tested:
        return self if condition is None else evolve(self, tests=(*self.tests, (condition, is_true)))

    def with_tests(self, conditions: Iterable[Expression]) -> _Tested:
        return evolve(self, tests=(*self.tests, *((each, True) for each in conditions)))


def check_missing_fields(rules: CheckedRules, graph: CallGraph, report: Report) -> None:
    """Report moves into a field of a member that may have none."""
    if any(each.only is not None for each in rules.fields.values()):
        _MissingFieldAnalysis(rules, graph, report).check()


@define(eq=False)
class _MissingFieldAnalysis:
    """Walks through all bodies with the tests that stand around each step."""

    rules: CheckedRules
    graph: CallGraph
    report: Report
    _targets: set[Target] = field(factory=set)
    """Place parameters that pieces are moved into."""
    _inside: set[str] = field(factory=set)
    """The inline decisions around; one that leads to itself is refused elsewhere."""
    _constants: ConstantEvaluator = field(init=False)
    _changed: frozenset[str] = field(init=False)

    def check(self) -> None:
        """Check every body, for each number of players: who has a field may depend on it."""
        self._changed = changed_names(self.rules)
        self._find_targets()
        low, high = self.rules.game.players
        for number in range(low, max(low, high) + 1):
            self._constants = ConstantEvaluator(self.rules, number)
            self._check_bodies()

    def _check_bodies(self) -> None:
        for steps in self._plain_bodies():
            self._walk(steps, _Tested())
        for decision in self.rules.decisions.values():
            if not decision.inline:
                self._options(decision, _Tested())

    def _plain_bodies(self) -> Iterator[Steps]:
        yield from (verb.body for verb in self.rules.verbs.values())
        yield from (body for hook in self.rules.hooks.values() for body in hook.bodies.values())
        yield from self._effect_bodies()

    def _effect_bodies(self) -> Iterator[Steps]:
        yield from (each.body for reactions in self.rules.reactions.values() for each in reactions)
        yield from (each.body for passages in self.rules.passages.values() for each in passages)

    # Place parameters.

    def _find_targets(self) -> None:
        """Find the place parameters that pieces are moved into, what is called before what calls it."""
        for caller in reversed(self.graph.order):
            for steps in self._bodies_of(caller):
                for step in walk_steps(steps):
                    self._targets.update(self._targets_of(_owner(caller), step))

    def _bodies_of(self, caller: Caller) -> Iterator[Steps]:
        if caller.sort == "verb" and caller.name in self.rules.verbs:
            yield self.rules.verbs[caller.name].body
        elif caller.sort == "hook":
            yield self.rules.hooks[caller.name].bodies[caller.member]
        elif caller.sort == "decision" and caller.name in self.rules.decisions:
            yield from (option.body for option in self.rules.decisions[caller.name].options)

    def _targets_of(self, caller: Caller, step: AnyStep) -> Iterator[Target]:
        if isinstance(step, Move | Draw) and isinstance(step.target, ParameterPlace):
            yield caller, step.target.name
        for argument in self._moved_into(step):
            if isinstance(argument, ParameterPlace):
                yield caller, argument.name
        if isinstance(step, Choose):
            # An inline decision sees the places around it.
            decision = Caller("decision", step.decision)
            yield from ((caller, name) for called, name in list(self._targets) if called == decision)

    def _moved_into(self, step: AnyStep) -> Iterator[Argument]:
        """Iterate over the arguments of a call that pieces are moved into."""
        called, parameters, arguments = self._call(step)
        for parameter, argument in zip(parameters, arguments, strict=False):
            if (called, parameter.name) in self._targets:
                yield argument

    def _call(self, step: AnyStep) -> tuple[Caller | None, tuple[Parameter, ...], tuple[Argument, ...]]:
        if isinstance(step, Call) and step.verb in self.rules.verbs:
            return Caller("verb", step.verb), self.rules.verbs[step.verb].parameters, step.arguments
        if isinstance(step, RunHook) and step.hook in self.rules.hooks:
            return Caller("run", step.hook), self.rules.hooks[step.hook].parameters, step.arguments
        if isinstance(step, Choose) and step.decision in self.rules.decisions:
            return Caller("decision", step.decision), self.rules.decisions[step.decision].parameters, step.arguments
        return None, (), ()

    # Steps.

    def _walk(self, steps: Steps, tested: _Tested) -> None:
        for step in steps:
            self._step(step, tested)

    def _step(self, step: AnyStep, tested: _Tested) -> None:
        if isinstance(step, Move | Draw):
            self._check(step.target, tested)
        for argument in self._moved_into(step):
            if isinstance(argument, FieldPlace):
                self._check(argument, tested)
        if isinstance(step, If):
            self._walk(step.then, tested.with_test(step.condition))
            self._walk(step.otherwise, tested.with_test(step.condition, is_true=False))
        elif isinstance(step, For):
            self._walk(step.body, self._looped(step.name, step.items, tested).with_test(step.where))
        elif isinstance(step, Choose):
            decision = self.rules.decisions.get(step.decision)
            if decision is not None and decision.inline and step.decision not in self._inside:
                self._inside.add(step.decision)
                self._options(decision, tested)
                self._inside.discard(step.decision)
        else:
            inside = tested.with_test(step.condition) if isinstance(step, While) else tested
            for body in bodies(step):
                self._walk(body, inside)

    def _options(self, decision: DecisionDef, tested: _Tested) -> None:
        for option in decision.options:
            self._walk(option.body, self._chosen(option, tested))
        self._walk(decision.otherwise, tested)

    def _chosen(self, option: Option, tested: _Tested) -> _Tested:
        for parameter in option.parameters:
            if parameter.domain is not None:
                tested = self._looped(parameter.name, parameter.domain, tested)
        return tested.with_tests(each.expression for each in option.conditions)

    def _looped(self, name: str, items: Expression, tested: _Tested) -> _Tested:
        members = self._items(items)
        return tested if members is None else evolve(tested, members={**tested.members, name: members})

    def _items(self, items: Expression) -> tuple[int, ...] | None:
        """Return the members a collection can hold, where that can be told."""
        if isinstance(items, Const):
            return tuple(each for each in items.value if is_number(each)) if isinstance(items.value, tuple) else None
        if isinstance(items, BuiltinCall) and items.builtin in ("list", "set") and len(items.arguments) == 1:
            return self._items(items.arguments[0])
        if not isinstance(items, Comprehension) or items.gives not in ("list", "set") or len(items.loops) != 1:
            return None
        loop = items.loops[0]
        inner = self._items(loop.items)
        if inner is None or not isinstance(items.item, Local) or items.item.name != loop.name:
            return None
        tests = tuple((each, True) for each in loop.conditions)
        return tuple(member for member in inner if self._can_be(loop.name, member, tests))

    # Places.

    def _check(self, place: PlaceReference, tested: _Tested) -> None:
        target = self.rules.fields.get(place.field) if isinstance(place, FieldPlace) else None
        if target is None or target.only is None or not isinstance(place, FieldPlace) or not place.at:
            return
        first = target.dimensions[0] if target.dimensions else None
        if not isinstance(first, Member) or place.at[0] is None:
            return
        lacking = self._lacking(target, target.only, first.kind)
        found = [member for member in self._indices(place.at[0], first, tested) if member in lacking]
        if found:
            names = [self.rules.family(first.kind).members[member] for member in found]
            only = text_of(target.only.span)
            report = analysis_problems.move_into_missing_field(target.name, names, place.span, only, target.span)
            self.report.add(report)

    def _lacking(self, target: Field, only: Expression, kind: str) -> frozenset[int]:
        members = members_of(self.rules, target.dimensions[0])
        tests = {member: self._constants.value(only, {kind: member, "self": member}) for member in members}
        return frozenset(member for member, holds in tests.items() if holds is False)

    def _indices(self, index: Expression, kind: Member, tested: _Tested) -> tuple[int, ...]:
        """Return the members that an index can stand for here."""
        everything = members_of(self.rules, kind)
        names = {part.name: part for part in walk(index) if isinstance(part, Local)}
        if len(names) > 1 or any(not members_of(self.rules, local.type) for local in names.values()):
            return everything
        found: dict[int, None] = {}
        for name, member in self._cases(names, tested):
            value = self._constants.value(index, {name: member})
            if value is UNSURE or not is_number(value):
                return everything
            found[value] = None
        return tuple(found)

    def _cases(self, names: dict[str, Local], tested: _Tested) -> Iterator[tuple[str, int]]:
        if not names:
            yield "", 0
        for name, local in names.items():
            is_changed = name in self._changed
            members = members_of(self.rules, local.type)
            for member in members if is_changed else tested.members.get(name, members):
                if is_changed or self._can_be(name, member, tested.tests):
                    yield name, member

    def _can_be(self, name: str, member: int, tests: tuple[tuple[Expression, bool], ...]) -> bool:
        return all(self._constants.value(test, {name: member}) is not (not wanted) for test, wanted in tests)


def _owner(caller: Caller) -> Caller:
    return Caller("run", caller.name) if caller.sort == "hook" else caller
