"""Moves into fields that only some members have: each needs a test before it that leaves out the others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from attrs import define, evolve, field, frozen

from aodrules.check import analysis_problems
from aodrules.check.analyse.calls import Caller, CallGraph, Effect, bodies_of, handed_over, members_of, receiver
from aodrules.check.analyse.constants import ConstantEvaluator, is_number
from aodrules.check.analyse.driver import BodyWalk, Loop
from aodrules.check.checked import CheckedRules, DecisionDef, Field, Option, Parameter
from aodrules.check.for_players import absent_members
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
    While,
)
from aodrules.check.visit import changed_names, text_of, walk, walk_steps
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


def check_missing_fields(rules: CheckedRules, graph: CallGraph, report: Report) -> None:
    """Report moves into a field of a member that may have none, or is not in each game."""
    depends = any(kind.for_players for kind in rules.kinds.values())
    if depends or any(each.only is not None for each in rules.fields.values()):
        _MissingFieldAnalysis(rules, graph, report).check()


@define(eq=False)
class _MissingFieldAnalysis(BodyWalk[_Tested]):
    """Walks through all bodies with the tests that stand around each step."""

    graph: CallGraph
    report: Report
    _targets: set[Target] = field(factory=set)
    """Place parameters that pieces are moved into."""
    _players: int = 0
    _constants: ConstantEvaluator = field(init=False)
    _changed: frozenset[str] = field(init=False)

    def check(self) -> None:
        """Check every body, for each number of players: who has a field may depend on it."""
        self._changed = changed_names(self.rules)
        self._find_targets()
        low, high = self.rules.game.players
        for number in range(low, max(low, high) + 1):
            self._players, self._constants = number, ConstantEvaluator(self.rules, number)
            for caller in self.graph.order:
                self.visit(caller)

    # Place parameters.

    def _find_targets(self) -> None:
        """Find the place parameters that pieces are moved into, what is called before what calls it."""
        for caller in reversed(self.graph.order):
            for steps in bodies_of(self.rules, caller):
                for step in walk_steps(steps):
                    self._targets.update(self._targets_of(receiver(caller), step))

    def _targets_of(self, caller: Caller, step: AnyStep) -> Iterator[Target]:
        if isinstance(step, Move | Draw) and isinstance(step.target, ParameterPlace):
            yield caller, step.target.name
        elif isinstance(step, Call | RunHook | Choose):
            called, parameters, arguments = handed_over(self.rules, step)
            for argument in self._moved_into(called, parameters, arguments):
                if isinstance(argument, ParameterPlace):
                    yield caller, argument.name
            if isinstance(step, Choose):
                # An inline decision sees the places around it.
                yield from ((caller, name) for target, name in list(self._targets) if target == called)

    def _moved_into(
        self, called: Caller, parameters: Sequence[Parameter], arguments: Sequence[Argument]
    ) -> Iterator[Argument]:
        """Iterate over the arguments of a call that pieces are moved into."""
        for parameter, argument in zip(parameters, arguments, strict=False):
            if (called, parameter.name) in self._targets:
                yield argument

    # Steps.

    def start(self, caller: Caller, parameters: Sequence[Parameter]) -> _Tested:
        return _Tested()

    def in_effect(self, caller: Caller, effect: Effect) -> _Tested:
        return _Tested()

    def in_option(self, decision: DecisionDef, option: Option, scope: _Tested) -> _Tested:
        for parameter in option.parameters:
            if parameter.domain is not None:
                scope = self._looped(parameter.name, parameter.domain, scope)
        for condition in option.conditions:
            scope = scope.with_test(condition.expression)
        return scope

    def in_branches(self, step: If, scope: _Tested) -> tuple[_Tested, _Tested]:
        return scope.with_test(step.condition), scope.with_test(step.condition, is_true=False)

    def in_loop(self, step: Loop, scope: _Tested) -> _Tested:
        if isinstance(step, For):
            return self._looped(step.name, step.items, scope).with_test(step.where)
        return scope.with_test(step.condition) if isinstance(step, While) else scope

    def hand_over(
        self, called: Caller, parameters: Sequence[Parameter], arguments: Sequence[Argument], scope: _Tested
    ) -> None:
        for argument in self._moved_into(called, parameters, arguments):
            if isinstance(argument, FieldPlace):
                self._check(argument, scope)

    def other_step(self, step: AnyStep, scope: _Tested) -> None:
        if isinstance(step, Move | Draw):
            self._check(step.target, scope)

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
        if target is None or not isinstance(place, FieldPlace) or not place.at:
            return
        first = target.dimensions[0] if target.dimensions else None
        if not isinstance(first, Member) or place.at[0] is None:
            return
        self._check_in_game(place.at[0], first, place, tested)
        if target.only is None:
            return
        lacking = self._lacking(target, target.only, first.kind)
        found = [member for member in self._indices(place.at[0], first, tested) if member in lacking]
        if found:
            names = [self.rules.family(first.kind).members[member] for member in found]
            only = text_of(target.only.span)
            report = analysis_problems.move_into_missing_field(target.name, names, place.span, only, target.span)
            self.report.add(report)

    def _check_in_game(self, index: Expression, first: Member, place: FieldPlace, tested: _Tested) -> None:
        """Report a member that is named as if it were in each game; what loops and options give always is there."""
        absent = absent_members(self.rules.family(first.kind), self._players)
        if isinstance(index, Const) and index.value in absent and all(self._may_hold(*test) for test in tested.tests):
            family = self.rules.family(first.kind)
            name, plural = family.members[index.value], family.plural
            problem = analysis_problems.move_into_missing_field(
                place.field, [name], place.span, f"{name} in {plural}", None, players=self._players
            )
            self.report.add(problem)

    def _may_hold(self, test: Expression, wanted: bool) -> bool:  # noqa: FBT001 - a pair of what was tested
        return self._constants.value(test) is not (not wanted)

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
            if not is_number(value):
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
