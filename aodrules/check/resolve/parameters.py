"""Parameters: what `given`, `main` and `for` declare, the signatures made of them, and the arguments for them."""

from __future__ import annotations

from collections.abc import Iterable

from attrs import evolve

from aodrules.check import problems
from aodrules.check.checked import EventDef, Parameter
from aodrules.check.context import Context, LocalName, Scope, Signature
from aodrules.check.resolve.expressions import place_kind, read_expression, read_place
from aodrules.check.resolve.types import argument_in_words, fits, parse_type
from aodrules.check.steps import Argument, ParameterPlace, PlaceReference
from aodrules.lang.builtins.table import BUILTINS
from aodrules.lang.expressions import BuiltinCall, Const, Expression, Local
from aodrules.lang.parsing import is_usable_name
from aodrules.lang.types import (
    FLAG,
    NUMBER,
    PLAYER,
    UNKNOWN,
    Flag,
    ListOf,
    Member,
    Number,
    Piece,
    Place,
    Player,
    SetOf,
    Type,
    Unknown,
)
from aodrules.source.diagnostics import Report
from aodrules.source.spans import Span
from aodrules.syntax.tree import Entry, Mapping, Node, Scalar, word_of


def read_type(context: Context, node: Node | None, at: Node) -> tuple[Type, tuple[Type, ...]]:
    """Return the type and dimensions a node says."""
    text = word_of(node)
    found = parse_type(text, {word: context.has_owners(word) for word in text.split() if word in context.kinds})
    if found is None:
        known = [*context.kinds, "number", "flag", "player"]
        context.add(problems.unknown_type(text, (node or at).span, known))
        return UNKNOWN, ()
    return found.type, found.per


def read_parameters(context: Context, node: Node | None, *, main: bool = False) -> tuple[Parameter, ...]:
    """Return the parameters a mapping declares."""
    if not isinstance(node, Mapping):
        return ()
    return tuple(_parameter(context, entry, main=main) for entry in node)


def _parameter(context: Context, entry: Entry, *, main: bool) -> Parameter:
    if not is_usable_name(entry.name):
        context.add(problems.reserved_name(entry.name, entry.key.span))
    body = entry.value
    if not isinstance(body, Mapping):
        return Parameter(entry.name, UNKNOWN, entry.key.span, main=main)
    type_, _ = read_type(context, body.get("is"), entry.key)
    default = body.get("default")
    return Parameter(entry.name, type_, entry.key.span, _default(context, default, type_), main=main)


def _default(context: Context, node: Node | None, type_: Type) -> Expression | PlaceReference | None:
    if node is None:
        return None
    if isinstance(type_, Place):
        return read_place(context, node, Scope(""), type_.kind)
    return read_expression(context, node, Scope(""), type_)


def parameter_names(parameters: tuple[Parameter, ...]) -> dict[str, LocalName]:
    """Return what the parameters mean as local names."""
    return {each.name: LocalName(each.type, "parameter", each.span) for each in parameters}


def read_domains(context: Context, node: Node | None, names: Scope) -> tuple[tuple[Parameter, ...], Scope]:
    """Return the parameters of an option, each with its domain, and the names with them in scope."""
    found: list[Parameter] = []
    for entry in node if isinstance(node, Mapping) else ():
        parameter = _domain(context, entry, names)
        hidden = names.get(entry.name)
        if not is_usable_name(entry.name):
            context.add(problems.reserved_name(entry.name, entry.key.span))
        if hidden is not None:
            context.add(problems.shadowed_name(entry.name, entry.key.span, hidden.span))
        found.append(parameter)
        names = names.bind(entry.name, LocalName(parameter.type, "parameter", entry.key.span))
    return tuple(found), names


def _domain(context: Context, entry: Entry, names: Scope) -> Parameter:
    body = entry.value
    if isinstance(body, Mapping) and "is" in body:
        return _static_domain(context, entry, body, names)
    if isinstance(body, Mapping) and len(body) == 1:
        return _dependent_domain(context, entry, next(iter(body)), names)
    context.add(problems.unknown_type(entry.name, body.span, context.kinds))
    return Parameter(entry.name, UNKNOWN, entry.key.span)


def _static_domain(context: Context, entry: Entry, body: Mapping, names: Scope) -> Parameter:
    node = body.get("is")
    assert node is not None
    if isinstance(node, Scalar) and node.text.startswith("range("):
        return _range_domain(context, entry, node, names)
    type_, _ = read_type(context, node, entry.key)
    if isinstance(type_, Number) and type_.low is not None and type_.high is not None:
        return Parameter(entry.name, type_, entry.key.span, low=type_.low, size=type_.high - type_.low + 1)
    if not isinstance(type_, Member | Player | Flag | Unknown):
        context.add(problems.unknown_type(word_of(node), node.span, context.kinds))
        return Parameter(entry.name, UNKNOWN, entry.key.span)
    return Parameter(entry.name, type_, entry.key.span, size=2 if type_ == FLAG else 0)


def _range_domain(context: Context, entry: Entry, node: Scalar, names: Scope) -> Parameter:
    found = read_expression(context, node, names, ListOf(NUMBER))
    ends = [each.value for each in found.arguments if isinstance(each, Const)] if isinstance(found, BuiltinCall) else []
    if len(ends) != 2:
        if not isinstance(found.type, Unknown):
            context.add(
                problems.wrong_arguments(
                    "the ends of a range of answers are plain numbers",
                    node.span,
                    "keep the range wide and add a condition",
                )
            )
        return Parameter(entry.name, NUMBER, entry.key.span)
    low, high = int(ends[0] or 0), int(ends[1] or 0)  # type: ignore[arg-type]
    return Parameter(entry.name, Number(low, max(low, high - 1)), entry.key.span, low=low, size=max(0, high - low))


def _dependent_domain(context: Context, entry: Entry, domain: Entry, names: Scope) -> Parameter:
    text = Scalar(domain.key.span, domain.name, domain.name)
    type_, _ = read_type(context, text, entry.key)
    if not isinstance(type_, Member | Player | Piece):
        if not isinstance(type_, Unknown):
            context.add(problems.type_mismatch("a kind, a piece or a player", type_, domain.name, domain.key.span))
        return Parameter(entry.name, UNKNOWN, entry.key.span)
    is_list = isinstance(domain.value, Scalar) and _gives_list(context, domain.value, names)
    wanted: Type = ListOf(type_) if is_list or isinstance(type_, Piece) else SetOf(type_)
    return Parameter(entry.name, type_, entry.key.span, domain=read_expression(context, domain.value, names, wanted))


def _gives_list(context: Context, node: Scalar, names: Scope) -> bool:
    """Whether a domain is written as a list (such as a field of the table) and not as a set."""
    return isinstance(read_expression(evolve(context, report=Report()), node, names).type, ListOf)


DECIDER = LocalName(PLAYER, "parameter")
"""What `player` means inside a decision: who decides."""


# What is given for them.


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
    if meaning is not None and meaning.role in ("parameter", "loop") and fits(context, meaning.type, parameter.type):
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


# Signatures: what values, verbs, decisions, options and events take, read before any of their bodies.


def declare_signatures(context: Context) -> None:
    """Read the parameters of everything that is called by name."""
    for kind, table in (
        ("value", context.values),
        ("decision", context.decisions),
        ("option", context.options),
        ("verb", context.verbs),
    ):
        for entry in context.section(kind):
            table[entry.name] = _signature(context, kind, entry)
    for entry in context.section("event"):
        body = entry.body
        context.events[entry.name] = EventDef(entry.name, read_parameters(context, body.get("given")), entry.key.span)


def _signature(context: Context, kind: str, entry: Entry) -> Signature:
    body = entry.body
    if kind == "value" and (entry.name in BUILTINS or not is_usable_name(entry.name)):
        context.add(problems.reserved_name(entry.name, entry.key.span))
    main = read_parameters(context, body.get("main"), main=True) if kind == "verb" else ()
    if len(main) > 1:
        context.add(problems.wrong_declaration("a verb has one main argument", entry.key.span))
    given = read_parameters(context, body.get("given"))
    return Signature(entry.name, (*main[:1], *given), entry.key.span, entry.value)
