"""Parameters: what `given`, `main` and `for` declare, the signatures made of them, and the arguments for them."""

from __future__ import annotations

from attrs import evolve

from aodrules.check import problems
from aodrules.check.checked import EventDef, Parameter
from aodrules.check.context import Context, LocalName, Scope, Signature
from aodrules.check.resolve.checker import as_owner, read_local
from aodrules.check.resolve.expressions import (
    check_name,
    is_of_players,
    place_kind,
    read_expression,
    read_place,
    read_reference,
)
from aodrules.check.resolve.types import argument_in_words, fits, parse_reference, parse_type, without_sides
from aodrules.check.steps import Argument, FieldPlace, ParameterPlace, PlaceReference
from aodrules.lang.builtins.table import BUILTINS
from aodrules.lang.expressions import BuiltinCall, Const, Expression
from aodrules.lang.types import (
    FLAG,
    NUMBER,
    PLAYER,
    UNKNOWN,
    FieldOf,
    Flag,
    ListOf,
    Member,
    Number,
    Owner,
    Piece,
    Place,
    Player,
    SetOf,
    Type,
    Unknown,
    ValueOf,
    without_limit,
)
from aodrules.source.diagnostics import Report
from aodrules.source.spans import Span
from aodrules.syntax.tree import Entry, Mapping, Node, Scalar, word_of


def read_type(context: Context, node: Node | None, at: Node) -> tuple[Type, tuple[Type, ...]]:
    """Return the type and dimensions a node says."""
    text = word_of(node)
    found = parse_type(text, {word: context.has_owners(word) for word in text.split() if word in context.kinds})
    if found is None:
        known = [*context.kinds, "number", "flag", "player", "owner"]
        context.add(problems.unknown_type(text, (node or at).span, known))
        return UNKNOWN, ()
    return found if context.has_sides else (without_sides(found[0]), tuple(map(without_sides, found[1])))


def read_parameters(
    context: Context, node: Node | None, *, main: bool = False, plain: bool = False
) -> tuple[Parameter, ...]:
    """Return the parameters a mapping declares; those that must be plain name no field or value."""
    if not isinstance(node, Mapping):
        return ()
    found = tuple(_parameter(context, entry, main=main) for entry in node)
    if plain:
        _check_references(context, found, (), "this")
    return found


def _parameter(context: Context, entry: Entry, *, main: bool) -> Parameter:
    check_name(context, entry.key)
    body = entry.value
    if not isinstance(body, Mapping):
        return Parameter(entry.name, UNKNOWN, entry.key.span, main=main)
    default, reference = body.get("default"), _read_reference(context, body.get("is"))
    if reference is not None:
        if default is not None:
            message = f"`{entry.name}` is filled in wherever it is used, so it has no default"
            context.add(problems.wrong_declaration(message, default.span))
        return Parameter(entry.name, reference, entry.key.span, main=main)
    type_, _ = read_type(context, body.get("is"), entry.key)
    return Parameter(entry.name, type_, entry.key.span, _default(context, default, type_), main=main)


def _read_reference(context: Context, node: Node | None) -> FieldOf | ValueOf | None:
    text = word_of(node)
    found = parse_reference(text, {word: context.has_owners(word) for word in text.split() if word in context.kinds})
    return found if context.has_sides or found is None else without_sides(found)  # type: ignore[return-value]


def _default(context: Context, node: Node | None, type_: Type) -> Expression | PlaceReference | None:
    if node is None:
        return None
    if isinstance(type_, Place):
        place = read_place(Scope(context, ""), node, type_.kind)
        _check_open_to_sides(context, place, node)
        return place
    return read_expression(Scope(context, ""), node, type_)


def parameter_names(parameters: tuple[Parameter, ...]) -> dict[str, LocalName]:
    """Return what the parameters mean as local names."""
    return {each.name: LocalName(without_limit(each.type), "parameter", each.span) for each in parameters}


def read_domains(scope: Scope, node: Node | None) -> tuple[tuple[Parameter, ...], Scope]:
    """Return the parameters of an option, each with its domain, and the names with them in scope."""
    found: list[Parameter] = []
    for entry in node if isinstance(node, Mapping) else ():
        parameter = _domain(scope, entry)
        hidden = scope.get(entry.name)
        check_name(scope.context, entry.key)
        if hidden is not None:
            scope.context.add(problems.shadowed_name(entry.name, entry.key.span, hidden.span))
        found.append(parameter)
        scope = scope.bind(entry.name, LocalName(parameter.type, "parameter", entry.key.span))
    return tuple(found), scope


def _domain(scope: Scope, entry: Entry) -> Parameter:
    body = entry.value
    if isinstance(body, Mapping) and "is" in body:
        return _static_domain(scope, entry, body)
    tried = body.without("else") if isinstance(body, Mapping) else ()
    if isinstance(body, Mapping) and len(tried) == 1:
        said = body.get("else")
        parameter = _dependent_domain(scope, entry, next(iter(tried)))
        return evolve(parameter, otherwise=said.text) if isinstance(said, Scalar) else parameter
    scope.context.add(problems.unknown_type(entry.name, body.span, scope.context.kinds))
    return Parameter(entry.name, UNKNOWN, entry.key.span)


def _static_domain(scope: Scope, entry: Entry, body: Mapping) -> Parameter:
    context = scope.context
    node = body.get("is")
    assert node is not None
    if isinstance(node, Scalar) and node.text.startswith("range("):
        return _range_domain(scope, entry, node)
    type_, _ = read_type(context, node, entry.key)
    if isinstance(type_, Number) and type_.low is not None and type_.high is not None:
        return Parameter(entry.name, type_, entry.key.span, low=type_.low, size=type_.high - type_.low + 1)
    if not isinstance(type_, Member | Player | Owner | Flag | Unknown):
        context.add(problems.unknown_type(word_of(node), node.span, context.kinds))
        return Parameter(entry.name, UNKNOWN, entry.key.span)
    return Parameter(entry.name, type_, entry.key.span, size=2 if type_ == FLAG else 0)


def _range_domain(scope: Scope, entry: Entry, node: Scalar) -> Parameter:
    found = read_expression(scope, node, ListOf(NUMBER))
    ends = [each.value for each in found.arguments if isinstance(each, Const)] if isinstance(found, BuiltinCall) else []
    if len(ends) != 2:
        if not isinstance(found.type, Unknown):
            message, help_ = (
                "the ends of a range of answers are plain numbers",
                "keep the range wide and add a condition",
            )
            scope.context.add(problems.wrong_arguments(message, node.span, help_))
        return Parameter(entry.name, NUMBER, entry.key.span)
    low, high = int(ends[0] or 0), int(ends[1] or 0)  # type: ignore[arg-type]
    if low < high:
        scope.context.add(problems.deprecated_spelling(node.text, f"{low}..{high - 1}", node.span))
    return Parameter(entry.name, Number(low, max(low, high - 1)), entry.key.span, low=low, size=max(0, high - low))


def _dependent_domain(scope: Scope, entry: Entry, domain: Entry) -> Parameter:
    text = Scalar(domain.key.span, domain.name, domain.name)
    type_, _ = read_type(scope.context, text, entry.key)
    if not isinstance(type_, Member | Player | Owner | Piece):
        if not isinstance(type_, Unknown):
            wanted_words = "a kind, a piece or a player"
            scope.context.add(problems.type_mismatch(wanted_words, type_, domain.name, domain.key.span))
        return Parameter(entry.name, UNKNOWN, entry.key.span)
    is_list = isinstance(domain.value, Scalar) and _gives_list(scope, domain.value, type_)
    wanted: Type = ListOf(type_) if is_list or isinstance(type_, Piece) else SetOf(type_)
    return Parameter(entry.name, type_, entry.key.span, domain=read_expression(scope, domain.value, wanted))


def _gives_list(scope: Scope, node: Scalar, of: Member | Player | Owner | Piece) -> bool:
    """Whether a domain is written as a list (such as a field of the table) and not as a set."""
    silent = evolve(scope, context=evolve(scope.context, report=Report()))
    return any(isinstance(read_expression(silent, node, wanted).type, ListOf) for wanted in (None, ListOf(of)))


DECIDER = LocalName(PLAYER, "parameter")
"""What `player` means inside a decision: who decides."""


# What is given for them.


def read_arguments(
    scope: Scope, name: str, parameters: tuple[Parameter, ...], given: Mapping, at: Span
) -> tuple[Argument, ...]:
    """Return an argument for each parameter, in order; report those that are missing or not wanted, at their keys."""
    known = [each.name for each in parameters]
    for entry in given:
        if entry.name not in known:
            problem = problems.unknown_name(entry.name, entry.key.span, known, f"parameter of `{name}`")
            scope.context.add(problem)
    return tuple(_argument(scope, name, each, given.get(each.name), at) for each in parameters)


def _argument(scope: Scope, name: str, parameter: Parameter, node: Node | None, at: Span) -> Argument:
    if node is not None:
        return _given(scope, parameter, node, at)
    if parameter.default is not None:
        return parameter.default
    meaning = scope.get(parameter.name)
    if meaning is not None:
        is_same = isinstance(parameter.type, FieldOf | ValueOf) and meaning.type == parameter.type
        found = as_owner(scope.context, read_local(meaning, parameter.name, at), parameter.type)
        if is_same or (meaning.role in ("parameter", "loop") and fits(scope.context, found.type, parameter.type)):
            return found
        if isinstance(meaning.type, Place) and isinstance(parameter.type, Place):
            return ParameterPlace(at, parameter.name)
    message = f"`{name}` needs {argument_in_words(parameter.name, parameter.type)}"
    return scope.context.reject(problems.wrong_arguments(message, at, f"add `{parameter.name}: ...`"))


def _given(scope: Scope, parameter: Parameter, node: Node, at: Span) -> Argument:
    context = scope.context
    if isinstance(parameter.type, FieldOf | ValueOf):
        return read_reference(scope, node, parameter.type)
    if not isinstance(parameter.type, Place):
        return read_expression(scope, node, parameter.type)
    place = read_place(scope, node, parameter.type.kind)
    kind = place_kind(scope, place)
    if place is None:
        return Const(UNKNOWN, at, 0)
    if kind not in context.kinds or not context.is_a(kind, context.kinds[parameter.type.kind].family):
        context.add(problems.not_a_place(str(node.plain()), node.span, f"a place of {parameter.type.kind} is needed"))
    elif isinstance(place, FieldPlace) and context.fields[place.field].is_stock:
        message = f"`{parameter.name}` is a place of pieces with owners, and here they are nobody's"
        context.add(problems.wrong_arguments(message, node.span, None))
    _check_open_to_sides(context, place, node)
    return place


def _check_open_to_sides(context: Context, place: PlaceReference | None, node: Node) -> None:
    """Report a place of players that is given where pieces of sides may come."""
    if isinstance(place, FieldPlace) and is_of_players(context, place):
        context.add(problems.place_of_players(word_of(node), node.span))


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
        given = read_parameters(context, entry.body.get("given"), plain=True)
        context.events[entry.name] = EventDef(entry.name, given, entry.key.span)


def _signature(context: Context, kind: str, entry: Entry) -> Signature:
    body = entry.body
    if kind == "value":
        check_name(context, entry.key, *BUILTINS)
    main = read_parameters(context, body.get("main"), main=True) if kind == "verb" else ()
    if len(main) > 1:
        context.add(problems.wrong_declaration("a verb has one main argument", entry.key.span))
    given = read_parameters(context, body.get("given"))
    _check_references(context, (*main, *given), _REFERENCES[kind], f"a {kind}")
    return Signature(entry.name, (*main[:1], *given), entry.key.span, entry.value)


_REFERENCES: dict[str, tuple[type, ...]] = {
    "value": (ValueOf,),
    "verb": (FieldOf, ValueOf),
    "option": (FieldOf, ValueOf),
    "decision": (),
}
"""Which declarations take a field or a value by its name: those that are filled in where they are used."""


def _check_references(
    context: Context, parameters: tuple[Parameter, ...], allowed: tuple[type, ...], what: str
) -> None:
    for each in parameters:
        if isinstance(each.type, FieldOf | ValueOf) and not isinstance(each.type, allowed):
            help_ = "verbs and shared options take fields and values by name, values take values"
            context.add(problems.wrong_declaration(f"{what} does not take a {each.type}", each.span, help_))
