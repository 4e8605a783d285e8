"""The first steps of an option, and the conditions that must hold when these are done.

    first: [{pay: 3}]                   verb ADDRESS.first: [{pay: 3}]
    then_where: [player.cash > 1]   ->  where: [after ADDRESS.first: player.cash > 1]
    do: [...]                           do: [ADDRESS.first, ...]

Without such conditions the first steps simply come before the others.
"""

from __future__ import annotations

from attrs import evolve

from aodrules.check import problems
from aodrules.check.checked import Option, Parameter, Verb
from aodrules.check.context import Scope, UnfinishedOption
from aodrules.check.steps import Call, LocalTarget, ParameterPlace, Steps, Stop
from aodrules.check.visit import walk_parts
from aodrules.lang.expressions import AfterVerb, Local, PlaceRead
from aodrules.lang.types import FLAG, FieldOf
from aodrules.source.spans import Span


def finish_option(scope: Scope, unfinished: UnfinishedOption, at: Span) -> Option:
    """Return an option with its first steps among the others, and all its conditions among one another."""
    option, first = unfinished.option, unfinished.first
    if not unfinished.then_where:
        return evolve(option, body=(*first, *option.body))
    if not first:
        message = "`then_where` is about what the steps under `first` leave, and there are none"
        scope.context.add(problems.wrong_declaration(message, at))
    _check_names(scope, first)
    read = sorted({part.name for part in walk_parts(first) if isinstance(part, Local | LocalTarget)} & {*scope.names})
    parameters = tuple(Parameter(name, scope.names[name].type, at) for name in read)
    given = tuple(Local(each.type, at, each.name) for each in parameters)
    verb = Verb(f"{option.address}.first", parameters, first, at)
    scope.context.costs[verb.name] = verb
    later = tuple(
        evolve(each, expression=AfterVerb(FLAG, each.expression.span, verb.name, given, each.expression))
        for each in unfinished.then_where
    )
    return evolve(option, conditions=(*option.conditions, *later), body=(Call(at, verb.name, given), *option.body))


def _is_field(scope: Scope, part: LocalTarget) -> bool:
    return isinstance(scope.names[part.name].type, FieldOf)


def _check_names(scope: Scope, first: Steps) -> None:
    """Report first steps that are more than what they are given: they are tried out before they are done."""
    for part in walk_parts(first):
        if isinstance(part, Stop) and part.step is None:
            message, help_ = "`stop` would leave these steps alone", "put it among the steps under `do`"
        elif isinstance(part, LocalTarget) and part.name in scope.names and not _is_field(scope, part):
            message, help_ = f"`{part.name}` is a name of the steps around", "change it among the steps under `do`"
        elif isinstance(part, ParameterPlace | PlaceRead) and part.name in scope.names:
            message, help_ = f"`{part.name}` is a place that is given", "name the place itself"
        else:
            continue
        message += ", and `then_where` looks at what the first steps leave"
        scope.context.add(problems.wrong_arguments(message, part.span, help_))
