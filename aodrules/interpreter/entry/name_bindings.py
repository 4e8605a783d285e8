"""The names on the way to a step: where each gets what it stands for, and ways on which they stand for something else.

A scenario names items, parameters and lets as they are called at the step that it enters.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

from attrs import evolve, frozen

from aodrules.check.checked import CheckedRules, Option, Parameter
from aodrules.check.steps import AddTo, AnyStep, Argument, Call, Choose, Draw, For, Happen, Let, Move, Roll, RunHook
from aodrules.interpreter.entry.enter_at_step import EntryPath, Link, result_type
from aodrules.lang.expressions import Const, Local
from aodrules.lang.types import PLAYER, Bag, ListOf, Place, SetOf, Type, item_of

_PLAYER = "player"

BoundNames: TypeAlias = "dict[tuple[int, str], Any]"
"""What names stand for, each with the list of steps on the way in that knows it, counted from outside."""


@frozen(eq=False)
class NameOnWay:
    """A name on the way in: the list of steps that knows it first, counted from outside, and its type."""

    depth: int
    name: str
    type: Type

    @property
    def key(self) -> tuple[int, str]:
        """What tells it from others of the same name."""
        return self.depth, self.name


def names_on(rules: CheckedRules, way: EntryPath) -> dict[str, NameOnWay]:
    """Return the names that may be chosen on a way, the innermost of each.

    A parameter that only hands on a name is that name: who enters a verb for one player enters the loop for them.
    """
    found: dict[str, NameOnWay] = {}
    body: dict[str, NameOnWay] = {}
    for depth, link in enumerate(way.links):
        body |= {name: NameOnWay(depth, name, type_) for name, type_ in _made_before(rules, link) if _is_one(type_)}
        found |= body
        handed = {one.name: _handed(one, argument, body, depth) for one, argument in _given(rules, link)}
        if isinstance(link.step, For):
            handed[link.step.name] = NameOnWay(depth + 1, link.step.name, item_of(link.step.items.type))
        if isinstance(link.inside, Option):
            handed |= {one.name: NameOnWay(depth + 1, one.name, one.type) for one in link.inside.parameters}
        body = {**({} if _is_body(rules, link.step) else body), **handed}
        found |= {name: one for name, one in handed.items() if _is_one(one.type)}
    return found


def _is_body(rules: CheckedRules, step: AnyStep) -> bool:
    """Whether the inside of a step does not know the names around it."""
    if isinstance(step, Choose):
        return not rules.decisions[step.decision].inline
    return isinstance(step, Call | RunHook | Happen)


def _handed(parameter: Parameter, argument: Argument, known: Mapping[str, NameOnWay], depth: int) -> NameOnWay:
    """Return what a parameter is: the name that it is given, if that may be chosen, else itself."""
    if isinstance(argument, Local) and argument.name in known:
        return known[argument.name]
    return NameOnWay(depth + 1, parameter.name, parameter.type)


def _is_one(type_: Type) -> bool:
    """Whether something of a type can be written as one word or two."""
    return not isinstance(type_, Bag | ListOf | SetOf | Place)


def _made_before(rules: CheckedRules, link: Link) -> Iterator[tuple[str, Type]]:
    for step in link.steps[: link.index]:
        if isinstance(step, Let):
            yield step.name, step.value.type
        elif isinstance(step, Move | Draw | AddTo | Roll) and step.result is not None:
            yield step.result, result_type(rules, step)


def _given(rules: CheckedRules, link: Link) -> Iterator[tuple[Parameter, Argument]]:
    """Iterate over what the step of a link hands on to its inside."""
    step = link.step
    if isinstance(step, Call | RunHook | Happen | Choose):
        yield from zip(_parameters(rules, step), step.arguments, strict=True)
    if isinstance(step, Choose) and step.by is not None:
        yield Parameter(_PLAYER, PLAYER, step.span), step.by


def _parameters(rules: CheckedRules, step: Call | RunHook | Happen | Choose) -> tuple[Parameter, ...]:
    match step:
        case Call():
            return rules.verbs[step.verb].parameters
        case RunHook():
            return rules.hooks[step.hook].parameters
        case Happen():
            return rules.events[step.event].parameters
        case Choose():
            return rules.decisions[step.decision].parameters


def with_names(rules: CheckedRules, way: EntryPath, names: BoundNames) -> EntryPath:
    """Return a way on which lets and parameters stand for what they are said to; loops and answers are as before."""
    links = tuple(_with_names(rules, link, depth, names) for depth, link in enumerate(way.links))
    return evolve(way, links=links)


def _with_names(rules: CheckedRules, link: Link, depth: int, names: BoundNames) -> Link:
    before = tuple(_fixed(rules, step, depth, names) for step in link.steps[: link.index])
    given = {one.name: names[depth + 1, one.name] for one, _ in _given(rules, link) if (depth + 1, one.name) in names}
    step = _with_arguments(rules, link.step, given) if given else link.step
    return evolve(link, steps=(*before, step, *link.steps[link.index + 1 :]))


def _fixed(rules: CheckedRules, step: AnyStep, depth: int, names: BoundNames) -> AnyStep:
    """Return a step that makes a name, as one that makes it stand for what is said."""
    if isinstance(step, Let) and (depth, step.name) in names:
        return Let(step.span, step.name, Const(step.value.type, step.span, names[depth, step.name]))
    if isinstance(step, Move | Draw | AddTo | Roll) and (depth, str(step.result)) in names:
        value = Const(result_type(rules, step), step.span, names[depth, str(step.result)])
        return Let(step.span, str(step.result), value)
    return step


def _with_arguments(rules: CheckedRules, step: AnyStep, given: dict[str, Any]) -> AnyStep:
    assert isinstance(step, Call | RunHook | Happen | Choose)  # others hand on nothing
    arguments = tuple(
        Const(one.type, argument.span, given[one.name]) if one.name in given else argument
        for one, argument in zip(_parameters(rules, step), step.arguments, strict=True)
    )
    if isinstance(step, Choose) and _PLAYER in given:
        return evolve(step, arguments=arguments, by=Const(PLAYER, step.span, given[_PLAYER]))
    return evolve(step, arguments=arguments)  # type: ignore[arg-type]  # events are given no places
