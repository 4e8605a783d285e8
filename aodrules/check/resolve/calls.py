"""Calls of values and builtins: the types they take and give, and what `sum(x for y in z if ...)` runs over."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from functools import partial

from attrs import evolve

from aodrules.check import problems
from aodrules.check.checked import Graph
from aodrules.check.checked import Parameter as DeclaredParameter
from aodrules.check.context import KnownLimit
from aodrules.check.resolve.checker import (
    ExpressionChecker,
    bind_loop,
    check,
    check_as,
    check_collection,
    reject_name,
    report_mismatch,
)
from aodrules.check.resolve.paths import finish_path, read_through_maybe, reject_part, resolve_path
from aodrules.check.resolve.types import argument_in_words, fits, joined
from aodrules.check.steps import FieldPlace, ParameterPlace
from aodrules.lang.builtins.entry import (
    CELL,
    FORMS,
    Builtin,
    K,
    NameOf,
    Of,
    OverItems,
    Parameter,
    Phrase,
    Repeated,
    Signature,
    Supplied,
    TypeVariable,
    instantiate,
)
from aodrules.lang.builtins.table import BUILTINS, MEANINGS
from aodrules.lang.expressions import (
    BuiltinCall,
    Comprehension,
    Const,
    Expression,
    FieldRead,
    ItemAt,
    Knows,
    LimitUsed,
    Local,
    Loop,
    Operation,
    Possible,
    ValueCall,
)
from aodrules.lang.types import (
    FLAG,
    NUMBER,
    PLAYER,
    UNKNOWN,
    FieldOf,
    Flag,
    HiddenPiece,
    ListOf,
    Maybe,
    Member,
    Number,
    Piece,
    SetOf,
    Type,
    Unknown,
    ValueOf,
    item_of,
    maybe,
    present,
)

GIVEN = ":"
"""Stands before the name of a parameter that names a value, where that value is called."""
MOST_REPEATED = 20
"""How many arguments a builtin takes that takes any number."""


def check_call(checker: ExpressionChecker, node: ast.Call, expected: Type | None) -> Expression:
    """Check a call of a value or of a builtin."""
    if isinstance(node.func, ast.Attribute) and checker.text_of(node.func) in checker.context.values:
        return _check_value_call(checker, node, checker.text_of(node.func))
    if isinstance(node.func, ast.Attribute) and _is_formula(checker, node.func.attr):
        subject = finish_path(checker, resolve_path(checker, node.func.value), node.func.value)
        return _check_formula_call(checker, node, node.func, subject)
    if not isinstance(node.func, ast.Name):
        return checker.context.reject(
            problems.invalid_expression("only values and builtins are called", checker.span_of(node.func))
        )
    name = node.func.id
    local = checker.scope.get(name)
    if local is not None and isinstance(local.type, ValueOf):
        return _check_given_call(checker, node, name, local.type)
    if name in checker.context.values:
        return _check_value_call(checker, node, name)
    if name in BUILTINS:
        return _check_builtin(checker, node, name, expected)
    if name == "before":
        return _check_before(checker, node, expected)
    if name == "won":
        return _check_won(checker, node)
    if name == "share":
        return _check_share(checker, node)
    known = [*BUILTINS, *checker.context.values]
    return reject_name(checker, node.func, known, "value")


def _check_before(checker: ExpressionChecker, node: ast.Call, expected: Type | None) -> Expression:
    """Read what something was at the last decision: a word of properties alone."""
    if not checker.scope.past or len(node.args) != 1 or node.keywords:
        message = "`before(...)` takes one thing" if checker.scope.past else "there is no `before` here"
        help_ = None if checker.scope.past else "only a property about a change can speak of what was before"
        return checker.context.reject(problems.wrong_arguments(message, checker.span_of(node), help_))
    was = check(checker.with_scope(evolve(checker.scope, past=False)), node.args[0], expected)
    return BuiltinCall(was.type, checker.span_of(node), "before", (was,))


def _check_won(checker: ExpressionChecker, node: ast.Call) -> Expression:
    """Read whether a player wins if the game ends now: a word of what judges a game and is no part of it."""
    if not checker.scope.judges or len(node.args) != 1 or node.keywords:
        message = "`won(...)` takes one player" if checker.scope.judges else "there is no `won` here"
        help_ = None if checker.scope.judges else "only properties and scenarios can speak of who won"
        return checker.context.reject(problems.wrong_arguments(message, checker.span_of(node), help_))
    return BuiltinCall(FLAG, checker.span_of(node), "won", (check_as(checker, node.args[0], PLAYER),))


def _check_share(checker: ExpressionChecker, node: ast.Call) -> Expression:
    """Read how much of a number effects give, those of one member or all: a word of what judges a game, like `won`."""
    if not checker.scope.judges:
        help_ = "only properties and scenarios can speak of what effects give"
        return checker.context.reject(
            problems.wrong_arguments("there is no `share` here", checker.span_of(node), help_)
        )
    if len(node.args) in (1, 2) and not node.keywords:
        value = check(checker, node.args[0], NUMBER)
        members = [check(checker, member, None) for member in node.args[1:]]
        if isinstance(value, ValueCall) and all(isinstance(member.type, Member) for member in members):
            return BuiltinCall(NUMBER, checker.span_of(node), "share", (value, *members))
        if UNKNOWN in (value.type, *(member.type for member in members)):
            return Const(UNKNOWN, checker.span_of(node), 0)
    message = "`share(...)` takes a value with its arguments, and a member if it is about one"
    return checker.context.reject(problems.wrong_arguments(message, checker.span_of(node), None))


def _check_value_call(checker: ExpressionChecker, node: ast.Call, name: str) -> Expression:
    signature = checker.context.values[name]
    named = {each.arg: each.value for each in node.keywords if each.arg}
    arguments = _check_arguments(checker, node, name, signature.parameters, node.args, named)
    type_ = checker.context.value_type(name)
    return ValueCall(type_, checker.span_of(node), name, arguments)


def _check_given_call(checker: ExpressionChecker, node: ast.Call, name: str, of: ValueOf) -> Expression:
    """Check the call of the value that a parameter names."""
    if len(node.args) != len(of.takes) or node.keywords:
        message = f"`{name}` takes ({', '.join(map(str, of.takes))})"
        return checker.context.reject(problems.wrong_arguments(message, checker.span_of(node)))
    arguments = tuple(check_as(checker, each, type_) for each, type_ in zip(node.args, of.takes, strict=True))
    return ValueCall(of.of, checker.span_of(node), f"{GIVEN}{name}", arguments)


def check_reference(checker: ExpressionChecker, node: ast.expr, wanted: FieldOf | ValueOf) -> Expression:
    """Check what is named for a parameter: a field is read there, a value is called without arguments."""
    local = checker.scope.get(node.id) if isinstance(node, ast.Name) else None
    if local is not None and isinstance(local.type, FieldOf | ValueOf):
        if local.type == wanted:
            return Local(wanted, checker.span_of(node), checker.text_of(node))
        report_mismatch(checker, node, local.type, wanted)
    elif isinstance(wanted, ValueOf):
        return _check_value_name(checker, node, wanted)
    else:
        found = check(checker, node)
        if (
            isinstance(found, FieldRead)
            and type(found.type) is type(wanted.of)
            and fits(checker.context, found.type, wanted.of)
        ):
            return found
        if not isinstance(found.type, Unknown):
            report_mismatch(checker, node, found.type, wanted)
    return checker.unknown(node)


def _check_value_name(checker: ExpressionChecker, node: ast.expr, wanted: ValueOf) -> Expression:
    context, name = checker.context, checker.text_of(node)
    signature = context.values.get(name)
    if signature is None:
        return reject_name(checker, node, context.values, "value")
    found = ValueOf(context.value_type(name), tuple(each.type for each in signature.parameters))  # type: ignore[arg-type]
    takes = len(found.takes) == len(wanted.takes) and all(map(partial(fits, context), wanted.takes, found.takes))
    if takes and fits(context, found.of, wanted.of):
        return ValueCall(found.of, checker.span_of(node), name, ())
    report_mismatch(checker, node, found, wanted)
    return checker.unknown(node)


def _is_formula(checker: ExpressionChecker, name: str) -> bool:
    """Whether members of some kind have a formula under a name."""
    return any(each.form == "formula" and each.name.split(".")[1] == name for each in checker.context.hooks.values())


def _check_formula_call(
    checker: ExpressionChecker, node: ast.Call, func: ast.Attribute, subject: Expression
) -> Expression:
    """Check the call of a formula that belongs to a member."""
    type_, context = subject.type, checker.context
    if isinstance(type_, Maybe):
        return read_through_maybe(
            checker, subject, node, lambda inside, there: _check_formula_call(inside, node, func, there)
        )
    if not isinstance(type_, Member):
        if not isinstance(type_, Unknown):
            report_mismatch(checker, func.value, type_, "a member")
        return checker.unknown(node)
    hook = context.hook_of(type_.kind, func.attr)
    if hook is None or hook.gives is None:
        known = [each.name for each in context.hooks.values() if each.gives is not None]
        lineage = context.lineage(type_.kind)
        words = [name.split(".")[1] for name in known if name.split(".")[0] in lineage]
        return reject_part(checker, func, words, f"formula of a {type_.kind}")
    named = {each.arg: each.value for each in node.keywords if each.arg}
    arguments = _check_arguments(checker, node, checker.text_of(func), hook.parameters, node.args, named)
    name, given = hook.name, (subject, *arguments)
    if isinstance(subject, Const) and isinstance(subject.value, int):
        family = context.family(type_.kind)
        member = family.members[subject.value]
        own = hook.value_of(context.member_kinds[family.name, member], member)
        is_own = func.attr in context.member_bodies[family.name, member]
        name, given = (own, arguments) if is_own else (hook.default_value, given)
    return ValueCall(hook.gives, checker.span_of(node), name, given)


def _check_arguments(
    checker: ExpressionChecker,
    node: ast.Call,
    name: str,
    parameters: tuple[DeclaredParameter, ...],
    positional: list[ast.expr],
    named: dict[str, ast.expr],
) -> tuple[Expression, ...]:
    """Read the arguments of a call in the order of its parameters."""
    wanted = [each.name for each in parameters]
    given = dict(zip(wanted, positional, strict=False))
    if len(positional) > len(wanted) or any(each in given or each not in wanted for each in named):
        shown = ", ".join(wanted)
        message, help_ = f"`{name}` takes ({shown})", f"write `{name}({shown})`"
        unknown = checker.context.reject(problems.wrong_arguments(message, checker.span_of(node), help_))
        return tuple(unknown for _ in wanted)
    given |= named
    return tuple(_check_argument(checker, node, name, each, given.get(each.name)) for each in parameters)


def _check_argument(
    checker: ExpressionChecker, node: ast.Call, name: str, parameter: DeclaredParameter, given: ast.expr | None
) -> Expression:
    if given is not None and isinstance(parameter.type, FieldOf | ValueOf):
        return check_reference(checker, given, parameter.type)
    if given is not None:
        return check_as(checker, given, parameter.type)
    if parameter.default is not None and not isinstance(parameter.default, FieldPlace | ParameterPlace):
        return parameter.default
    needed = argument_in_words(parameter.name, parameter.type)
    return checker.context.reject(problems.wrong_arguments(f"`{name}` needs {needed}", checker.span_of(node)))


def _check_builtin(checker: ExpressionChecker, node: ast.Call, name: str, expected: Type | None) -> Expression:
    """Return the typed call of a builtin."""
    builtin = BUILTINS[name]
    if builtin.over is not None and len(node.args) == 1 and not node.keywords:
        return check_aggregation(checker, builtin, builtin.over, node, expected)
    if name in _FORMS:
        return _FORMS[name](checker, node)
    if builtin.takes[-1][0] in (CELL, Of("set", CELL)):
        return _check_spatial(checker, node, builtin)
    ways = [way for way in builtin.takes if _arity(way)[0] <= len(node.args) <= _arity(way)[1]]
    if not ways or node.keywords:
        return _report_wrong_call(checker, node, name)
    return _check_signature(checker, node, builtin, ways, expected)


def _arity(way: Signature) -> tuple[int, int]:
    """Return how few and how many arguments are written where a builtin is called so."""
    if isinstance(way[0], Repeated):
        return 2, MOST_REPEATED
    written = sum(not isinstance(each, Supplied) for each in way)
    return written, written


def _report_wrong_call(checker: ExpressionChecker, node: ast.Call, name: str) -> Expression:
    takes = " or ".join(f"{name}({each})" for each in BUILTINS[name].signatures())
    message, help_ = f"`{name}` does not fit its arguments", f"it is called like `{takes}`"
    return checker.context.reject(problems.wrong_arguments(message, checker.span_of(node), help_))


def _check_signature(
    checker: ExpressionChecker, node: ast.Call, builtin: Builtin, ways: list[Signature], expected: Type | None
) -> Expression:
    """Check arguments against the signatures that have so many; these differ only in the forms of collections."""
    bound: dict[str, Type] = {}
    given, names = list(node.args), list[str]()
    arguments: list[Expression] = []
    for place, parameter in enumerate(ways[0]):
        if isinstance(parameter, Supplied):
            number = parameter.number
            arguments.append(Const(Number(number, number), checker.span_of(node), number))
        elif isinstance(parameter, NameOf):
            name = given.pop(0)
            if not isinstance(name, ast.Name):
                return _report_wrong_call(checker, node, builtin.name)
            if name.id not in checker.context.sets:
                return reject_name(checker, name, checker.context.sets, "sets declaration")
            names.append(name.id)
        elif isinstance(parameter, Repeated):
            arguments += [check_as(checker, each, parameter.of) for each in given]
        else:
            wanted = [way[place] for way in ways]
            argument = _check_parameter(checker, given.pop(0), wanted, bound, expected)
            if argument is None:
                return checker.unknown(node)
            arguments.append(argument)
    return BuiltinCall(
        instantiate(builtin.gives, bound), checker.span_of(node), builtin.name, tuple(arguments), tuple(names)
    )


def _check_parameter(
    checker: ExpressionChecker,
    node: ast.expr,
    wanted: Sequence[Parameter],
    bound: dict[str, Type],
    expected: Type | None,
) -> Expression | None:
    """Return an argument and bind the variables of its type; nothing where it does not fit, which is reported."""
    pattern = wanted[0]
    if isinstance(pattern, Of):
        return _check_form(checker, node, [each for each in wanted if isinstance(each, Of)], bound, expected)
    if not isinstance(pattern, TypeVariable):
        assert not isinstance(pattern, NameOf | Supplied | Repeated | Phrase)
        return check_as(checker, node, pattern)
    if pattern.is_ordered:
        return _check_ordered(checker, node, pattern, bound, expected)
    before = bound[pattern.name]
    if not pattern.widens:
        return check_as(checker, node, before)
    argument = check(checker, node, before)
    type_ = joined(checker.context, before, argument.type)
    if type_ is None or isinstance(before, HiddenPiece):
        report_mismatch(checker, node, argument.type, before)
        return None
    bound[pattern.name] = type_
    return argument


def _check_form(
    checker: ExpressionChecker, node: ast.expr, wanted: list[Of], bound: dict[str, Type], expected: Type | None
) -> Expression | None:
    """Check a maybe, or a collection of one of some forms."""
    name, form = wanted[0].of, wanted[0].form
    if form == "maybe":
        argument = check(checker, node, maybe(expected) if expected else None)
        inner = present(argument.type)
    else:
        argument = check(checker, node)
        inner = item_of(argument.type)
        if isinstance(argument.type, Unknown):
            return None
        if not isinstance(argument.type, tuple(type_ for each in wanted for type_ in FORMS[each.form])):
            report_mismatch(checker, node, argument.type, f"a {' or '.join(each.form for each in wanted)}")
            return None
    if isinstance(name, TypeVariable):
        bound[name.name] = inner
    return argument


def _check_ordered(
    checker: ExpressionChecker, node: ast.expr, pattern: TypeVariable, bound: dict[str, Type], expected: Type | None
) -> Expression | None:
    argument = check(checker, node, expected)
    if isinstance(argument.type, Member) and checker.context.kinds[argument.type.kind].ordered:
        bound[pattern.name] = argument.type
        return argument
    if not isinstance(argument.type, Unknown):
        report_mismatch(checker, node, argument.type, "a member of an ordered kind")
    return None


def _check_spatial(checker: ExpressionChecker, node: ast.Call, builtin: Builtin) -> Expression:
    """Check what asks a graph: the one that is named first, or else the grid of the first cell or set of cells."""
    rest = list(node.args)
    graph = checker.context.graphs.get(rest[0].id) if rest and isinstance(rest[0], ast.Name) else None
    if graph is not None and checker.scope.get(graph.name) is None:
        rest = rest[1:]
    elif rest:
        graph = _graph_of(checker, rest[0])
    wanted = builtin.takes[-1]
    if graph is None or len(wanted) != len(rest) or node.keywords:
        return _report_wrong_call(checker, node, builtin.name)
    bound: dict[str, Type] = {each.name: Member(graph.kind) for each in (K, CELL)}
    arguments = tuple(
        check_as(checker, each, instantiate(pattern, bound))
        for each, pattern in zip(rest, wanted, strict=True)
        if not isinstance(pattern, NameOf | Supplied | Repeated | Phrase)
    )
    return BuiltinCall(instantiate(builtin.gives, bound), checker.span_of(node), builtin.name, arguments, (graph.name,))


def _graph_of(checker: ExpressionChecker, node: ast.expr) -> Graph | None:
    type_ = check(checker, node).type
    type_ = type_.of if isinstance(type_, SetOf) else type_
    kind = type_.kind if isinstance(type_, Member | Piece) else None
    return next((each for each in checker.context.graphs.values() if each.name == kind), None)


# Builtins with a syntax of their own.


def _check_knows(checker: ExpressionChecker, node: ast.Call) -> Expression:
    if len(node.args) != 2 or node.keywords:
        return _report_wrong_call(checker, node, "knows")
    player = check_as(checker, node.args[0], PLAYER)
    piece = check(checker, node.args[1])
    at = checker.span_of(node)
    if isinstance(piece, FieldRead) and isinstance(piece.type, Maybe):
        return Knows(FLAG, at, player, piece.field, piece.at)
    if isinstance(piece, ItemAt) and isinstance(piece.items, FieldRead):
        return Knows(FLAG, at, player, piece.items.field, piece.items.at, piece.index)
    name = checker.scope.get(piece.name) if isinstance(piece, Local) else None
    if name is not None and name.place is not None:
        fixed = tuple(each for each in name.place.at if each is not None)
        return Knows(FLAG, at, player, name.place.field, fixed, name.place.index)
    if not isinstance(piece.type, Unknown):
        report_mismatch(checker, node.args[1], piece.type, "a place of one piece")
    return checker.unknown(node)


def _check_used(checker: ExpressionChecker, node: ast.Call) -> Expression:
    if not 1 <= len(node.args) <= 2 or node.keywords or not isinstance(node.args[0], ast.Name):
        return _report_wrong_call(checker, node, "used")
    name = node.args[0].id
    found = checker.context.limits.get(name, [])
    if not found:
        return reject_name(checker, node.args[0], checker.context.limits, "limit")
    if len(found) > 1:
        at, places = checker.span_of(node.args[0]), [each.span for each in found]
        return checker.context.reject(problems.ambiguous_limit(name, at, places))
    return LimitUsed(NUMBER, checker.span_of(node), found[0].counter, _check_whose(checker, node, found[0]))


def _check_whose(checker: ExpressionChecker, node: ast.Call, limit: KnownLimit) -> Expression | None:
    if limit.is_for_all:
        return None
    if len(node.args) == 2:
        return check_as(checker, node.args[1], PLAYER)
    return check(checker, _player_at(node))


def _player_at(node: ast.Call) -> ast.Name:
    """Return the word `player` as if it were written where a call stands that leaves it out."""
    return ast.Name("player", lineno=1, col_offset=node.col_offset, end_col_offset=node.end_col_offset)


def _check_possible(checker: ExpressionChecker, node: ast.Call) -> Expression:
    if len(node.args) != 1 or not isinstance(node.args[0], ast.Name):
        return _report_wrong_call(checker, node, "possible")
    name = node.args[0].id
    signature = checker.context.options.get(name)
    if signature is None:
        return reject_name(checker, node.args[0], checker.context.options, "option")
    given = {each.arg: each.value for each in node.keywords if each.arg}
    player = given.pop("player", None) or _player_at(node)
    arguments = _check_arguments(checker, node, name, signature.parameters, [], given)
    return Possible(FLAG, checker.span_of(node), name, check_as(checker, player, PLAYER), arguments)


_FORMS: dict[str, Callable[[ExpressionChecker, ast.Call], Expression]] = {
    "knows": _check_knows,
    "used": _check_used,
    "possible": _check_possible,
}


# Aggregations: `sum(x for y in z if ...)` and its kin.


def check_aggregation(
    checker: ExpressionChecker, builtin: Builtin, over: OverItems, node: ast.Call, expected: Type | None
) -> Expression:
    """Check an aggregation: over a generator, or over the items of one collection."""
    argument = node.args[0]
    if not isinstance(argument, ast.GeneratorExp):
        return _check_over_collection(checker, builtin, over, node, expected)
    loops = []
    for clause in argument.generators:
        checker, loop = _check_loop(checker, clause)
        loops.append(loop)
    item = check(checker, argument.elt)
    return _aggregate(checker, builtin.name, over, node, argument.elt, item, tuple(loops))


def _check_over_collection(
    checker: ExpressionChecker, builtin: Builtin, over: OverItems, node: ast.Call, expected: Type | None
) -> Expression:
    name, argument = builtin.name, node.args[0]
    if isinstance(builtin.takes[-1][0], Phrase):
        help_ = f"write `{name}(... for x in {checker.text_of(argument)})`"
        return checker.context.reject(
            problems.wrong_arguments(f"`{name}` runs over items", checker.span_of(node), help_)
        )
    # Of `set([])` only where it goes says what it would hold.
    is_gathered = isinstance(argument, ast.List) and isinstance(expected, SetOf | ListOf)
    items = check(checker, argument, expected) if is_gathered else check_collection(checker, argument)
    local = f"item:{node.col_offset}"
    item = Local(item_of(items.type), checker.span_of(argument), local)
    return _aggregate(checker, name, over, node, node, item, (Loop(local, item.type, items, ()),))


def _check_loop(checker: ExpressionChecker, clause: ast.comprehension) -> tuple[ExpressionChecker, Loop]:
    if not isinstance(clause.target, ast.Name):
        checker.context.add(problems.invalid_expression("a loop has one name", checker.span_of(clause.target)))
        return checker, Loop("?", UNKNOWN, checker.unknown(clause.target), ())
    items = check_collection(checker, clause.iter)
    name, type_ = clause.target.id, item_of(items.type)
    checker = checker.with_scope(bind_loop(checker, clause.target, name, type_, items))
    conditions = []
    for condition in clause.ifs:
        conditions.append(check_as(checker, condition, FLAG))
        checker = checker.given(condition, truth=True)
    narrowed = checker.scope.names[name].type
    return checker, Loop(name, narrowed, items, tuple(conditions))


def _aggregate(
    checker: ExpressionChecker,
    name: str,
    over: OverItems,
    node: ast.Call,
    where: ast.expr,
    item: Expression,
    loops: tuple[Loop, ...],
) -> Expression:
    """Return the aggregation of an item over loops."""
    if isinstance(item.type, Unknown):
        return checker.unknown(node)
    if over.counts_things and not isinstance(item.type, Flag):
        item = Const(FLAG, item.span, value=True)
    if not _takes_item(checker, over, item.type) or (over.ranks and len(loops) > 1):
        report_mismatch(checker, where, item.type, over.wanted)
        return checker.unknown(node)
    if over.ranks and not isinstance(loops[0].item, over.ranked):
        report_mismatch(checker, node, loops[0].item, "members or players to rank")
        return checker.unknown(node)
    # A set is no maybe, so that there must be one.
    if over.none_if_empty and isinstance(item.type, SetOf) and not _never_empty(loops):
        report_mismatch(checker, where, item.type, over.wanted)
        return checker.unknown(node)
    type_ = over.gives(loops[0].item if over.ranks else item.type)
    if over.none_if_empty and not _never_empty(loops):
        type_ = maybe(type_)
    return Comprehension(type_, checker.span_of(node), name, item, loops)


def _takes_item(checker: ExpressionChecker, over: OverItems, item: Type) -> bool:
    if isinstance(item, Member) and over.takes_ordered:
        return checker.context.kinds[item.kind].ordered
    return isinstance(present(item) if over.skips_none else item, over.item)


def _never_empty(loops: tuple[Loop, ...]) -> bool:
    """Whether at least one item is certain: what runs over something, without conditions."""
    return all(not loop.conditions and is_never_empty(loop.items) for loop in loops)


def is_never_empty(items: Expression) -> bool:
    """Whether a collection surely has an item: players, seats, whole kinds and lists written out."""
    if isinstance(items, BuiltinCall) and items.builtin in MEANINGS:
        return MEANINGS[items.builtin].never_empty
    if isinstance(items, Operation):
        return items.operator == "listed"
    return isinstance(items, Const) and bool(items.value)
