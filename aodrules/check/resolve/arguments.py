"""Arguments of steps: what is given, what is filled in from the names around, what is missing."""

from __future__ import annotations

from collections.abc import Iterable

from aodrules.check import problems
from aodrules.check.checked import Parameter
from aodrules.check.context import Context
from aodrules.check.resolve.expressions import read_expression
from aodrules.check.resolve.places import place_kind, read_place
from aodrules.check.resolve.scope import Scope
from aodrules.check.resolve.subtyping import fits
from aodrules.check.resolve.type_parser import argument_in_words
from aodrules.check.steps import Argument, ParameterPlace
from aodrules.lang.expressions import Const, Local
from aodrules.lang.types import UNKNOWN, Place
from aodrules.source.spans import Span
from aodrules.syntax.tree import Mapping, Node

FILLED_FROM = ("parameter", "loop")


def read_arguments(
    context: Context,
    what: str,
    parameters: Iterable[Parameter],
    given: dict[str, Node],
    names: Scope,
    at: Span,
    body: Mapping | None = None,
) -> tuple[Argument, ...]:
    """Return an argument for each parameter, in order; report those that are missing or not wanted, at their keys."""
    wanted = tuple(parameters)
    known = [each.name for each in wanted]
    for name, node in given.items():
        if name not in known:
            key = body.key(name).span if body is not None and name in body else node.span
            context.add(problems.unknown_name(name, key, known, f"parameter of {what}"))
    return tuple(_argument(context, what, each, given.get(each.name), names, at) for each in wanted)


def _argument(context: Context, what: str, parameter: Parameter, node: Node | None, names: Scope, at: Span) -> Argument:
    if node is not None:
        return _given(context, parameter, node, names, at)
    if parameter.default is not None:
        return parameter.default
    meaning = names.get(parameter.name)
    if meaning is not None and meaning.role in FILLED_FROM and fits(context, meaning.type, parameter.type):
        return Local(meaning.type, at, parameter.name)
    if meaning is not None and isinstance(meaning.type, Place) and isinstance(parameter.type, Place):
        return ParameterPlace(at, parameter.name)
    message = f"{what} needs {argument_in_words(parameter.name, parameter.type)}"
    context.add(problems.wrong_arguments(message, at, f"add `{parameter.name}: ...`"))
    return Const(UNKNOWN, at, 0)


def _given(context: Context, parameter: Parameter, node: Node, names: Scope, at: Span) -> Argument:
    if not isinstance(parameter.type, Place):
        return read_expression(context, node, names, parameter.type)
    place = read_place(context, node, names, parameter.type.kind)
    kind = place_kind(context, place, names)
    if place is None:
        return Const(UNKNOWN, at, 0)
    if kind not in context.kinds or not context.is_a(kind, context.kinds[parameter.type.kind].family):
        context.add(problems.not_a_place(str(node.plain()), node.span, f"a place of {parameter.type.kind} is needed"))
    return place


def others(body: Mapping, *keys: str) -> dict[str, Node]:
    """Return what stands in a step beside the given keys."""
    return {entry.name: entry.value for entry in body if entry.name not in keys}
