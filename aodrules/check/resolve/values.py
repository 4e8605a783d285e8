"""Values: named formulas, written out or as a table."""

from __future__ import annotations

import re
from itertools import pairwise

from aodrules.check import problems
from aodrules.check.checked import Parameter, Value
from aodrules.check.context import Context, HookShape, LocalName, Scope, Signature
from aodrules.check.digraph import components
from aodrules.check.resolve.expressions import read_expression
from aodrules.check.resolve.parameters import parameter_names
from aodrules.check.resolve.types import joined
from aodrules.lang.expressions import Const, Expression, IfElse, Local, Operation, ValueCall
from aodrules.lang.types import FLAG, NOTHING, NUMBER, UNKNOWN, Maybe, Member, Number, Type, Unknown
from aodrules.source.spans import Span
from aodrules.syntax.tree import Entry, Mapping, Node, Scalar, Sequence, walk

_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_.]*")
_RANGE = re.compile(r"(-?\d+)?(\.\.)?(-?\d+)?")
_Case = tuple[int | None, int | None, Node]
LONGEST_CHAIN = 16
"""The cases of a table are tried one after the other up to so many."""


def read_values(context: Context) -> None:
    """Read all values, each after those it names, so that long chains of values need no deep recursion."""
    named = {name: sorted(_named(signature.body, context) - {name}) for name, signature in context.values.items()}
    for component in components(named):
        for name in component:
            context.value_type(name)


def _named(body: Node, context: Context) -> set[str]:
    texts = (node.text for node in walk(body) if isinstance(node, Scalar))
    return {word for text in texts for word in _WORD.findall(text) if word in context.values}


def read_value(context: Context, name: str) -> Type:
    """Read the formula of a value, keep it, and return its type."""
    signature = context.values[name]
    scope = Scope(context, f"value.{name}", parameter_names(signature.parameters))
    formula = _formula(scope, signature)
    context.formulas[name] = formula
    return NUMBER if isinstance(formula.type, Number) else formula.type


def _formula(scope: Scope, signature: Signature) -> Expression:
    body = signature.body
    if not isinstance(body, Mapping):
        return read_expression(scope, body)
    table, by, formula = body.get("table"), body.get("by"), body.get("is")
    if formula is not None:
        return read_expression(scope, formula)
    if isinstance(table, Mapping) and by is not None:
        return _table(scope, by, table)
    return scope.context.reject(problems.wrong_declaration("a value has `is`, or `by` and `table`", signature.span))


def dispatch_to_members(context: Context, hook: HookShape, formulas: dict[int, Value]) -> list[Value]:
    """Return a hook of formulas as values: one that takes the member first, the default, and those of members.

    The first finds by halves whose formula counts, so that no other is read.
    """
    kind, at, gives = context.kinds[hook.kind], hook.span, hook.gives or UNKNOWN
    subject = Local(Member(kind.name), at, "self")
    parameters = (Parameter("self", subject.type, at), *hook.parameters)
    given = tuple(Local(each.type, at, each.name) for each in hook.parameters)
    others = Value(hook.default_value, parameters, gives, _default(context, hook), at)
    cases: list[_Case] = []
    results: list[ValueCall] = []
    for number in kind.places:
        own = formulas.get(number)
        if own is None and results and results[-1].value == others.name:
            cases[-1] = (cases[-1][0], number, cases[-1][2])
            continue
        cases.append((number, number, context.root))
        calls = (others.name, (subject, *given)) if own is None else (own.name, given)
        results.append(ValueCall(gives, at, *calls))
    formula = _halved(context, subject, cases, [*results], at) if cases else others.formula
    return [Value(hook.name, parameters, gives, formula, at, is_dispatch=True), others, *formulas.values()]


def _default(context: Context, hook: HookShape) -> Expression:
    """Return the formula of the members that say nothing."""
    if hook.default is None:
        return Const(NOTHING, hook.span, None) if isinstance(hook.gives, Maybe) else Const(NUMBER, hook.span, 0)
    self_ = LocalName(Member(hook.kind), "self", hook.span)
    scope = Scope(context, f"kinds.{hook.kind}.hooks", {**parameter_names(hook.parameters), "self": self_})
    return read_expression(scope, hook.default, hook.gives)


def _table(scope: Scope, by: Node, table: Mapping) -> Expression:
    keys = list(by.items) if isinstance(by, Sequence) else [by]
    subjects = [read_expression(scope, key) for key in keys]
    if len(subjects) > 2:
        return scope.context.reject(problems.wrong_declaration("a table has one or two keys", by.span))
    return _level(scope, subjects, table)


def _level(scope: Scope, subjects: list[Expression], node: Node) -> Expression:
    """Return nested choices for one key of the table and what is below it."""
    context = scope.context
    if not subjects:
        return read_expression(scope, node)
    subject, rest = subjects[0], subjects[1:]
    if isinstance(subject.type, Unknown):
        return Const(UNKNOWN, node.span, 0)
    if isinstance(node, Sequence):
        cases: list[_Case] = [(number, number, item) for number, item in enumerate(node, 1)]
    elif isinstance(node, Mapping):
        cases = _cases(context, subject, node)
    else:
        return context.reject(problems.uncovered_table("a table says what each case gives", node.span))
    results = [_level(scope, rest, item) for _, _, item in cases]
    _check_cover(context, subject, cases, node.span)
    return _chain(context, subject, cases, results, node.span)


def _cases(context: Context, subject: Expression, table: Mapping) -> list[_Case]:
    found = [_case(context, subject, entry) for entry in table]
    return sorted((case for case in found if case is not None), key=lambda case: (case[0] is not None, case[0] or 0))


def _case(context: Context, subject: Expression, entry: Entry) -> _Case | None:
    if isinstance(subject.type, Member):
        family = context.family(subject.type.kind)
        if entry.name not in family.members:
            context.add(problems.unknown_name(entry.name, entry.key.span, family.members, family.name))
            return None
        number = family.members.index(entry.name)
        return number, number, entry.value
    found = _RANGE.fullmatch(entry.name)
    if found is None or not isinstance(subject.type, Number) or entry.name in ("", ".."):
        context.add(problems.uncovered_table(f"`{entry.name}` is no case of this table", entry.key.span))
        return None
    low, dots, high = found[1], found[2], found[3]
    return (int(low) if low else None), (int(high) if high else None if dots else int(low)), entry.value


def _check_cover(context: Context, subject: Expression, cases: list[_Case], at: Span) -> None:
    """Report cases that are missing or come twice."""
    if isinstance(subject.type, Member):
        kind = context.kinds[subject.type.kind]
        missing = set(kind.places) - {low for low, _, _ in cases if low is not None}
        for place in sorted(missing)[:1]:
            word = context.family(kind.name).members[place]
            context.add(problems.uncovered_table(f"the table says nothing about `{word}`", at))
        return
    for (_, end, _), (start, _, item) in pairwise(cases):
        if end is None or start is None or start <= end:
            context.add(problems.uncovered_table("a case of the table comes twice", item.span))
        elif start > end + 1:
            context.add(problems.uncovered_table(f"the table says nothing about {end + 1}", item.span))
    # Of a case that is open where it must not be, the ends say nothing.
    if cases and all(end is not None for _, end, _ in cases[:-1]) and not _is_closed(subject, cases):
        context.add(problems.uncovered_table("the table does not say what its lowest and highest cases are", at))


def _is_closed(subject: Expression, cases: list[_Case]) -> bool:
    """Whether no number below the first or above the last case can come."""
    type_ = subject.type
    assert isinstance(type_, Number)
    low, high = cases[0][0], cases[-1][1]
    below = low is None or low <= 0 or (type_.low is not None and low <= type_.low)
    return below and (high is None or type_.high is None or high >= type_.high)


def _chain(
    context: Context, subject: Expression, cases: list[_Case], results: list[Expression], at: Span
) -> Expression:
    if not results:
        return context.reject(problems.uncovered_table("a table has at least one case", at))
    if any(high is None for _, high, _ in cases[:-1]):
        return Const(UNKNOWN, at, 0)  # An open case that is not the last: that later ones come twice was reported.
    if len(results) > LONGEST_CHAIN:
        return _halved(context, subject, cases, results, at)
    formula = results[-1]
    for case, result in reversed(list(zip(cases, results, strict=True))[:-1]):
        formula = _either(context, _is_at_most(subject, case, result.span, at_once=False), result, formula, at)
    return formula


def _halved(
    context: Context, subject: Expression, cases: list[_Case], results: list[Expression], at: Span
) -> Expression:
    """Return the cases of a long table, halved again and again: one after the other they would nest too deep."""

    def between(low: int, high: int) -> Expression:
        if high - low == 1:
            return results[low]
        middle = (low + high) // 2
        test = _is_at_most(subject, cases[middle - 1], results[middle - 1].span, at_once=True)
        return _either(context, test, between(low, middle), between(middle, high), at)

    return between(0, len(results))


def _is_at_most(subject: Expression, case: _Case, at: Span, *, at_once: bool) -> Expression:
    """Return the test for a case whose lower ones are ruled out; `at_once` for one that may be any lower one too."""
    sign = "<=" if at_once or isinstance(subject.type, Number) else "=="
    return Operation(FLAG, at, sign, (subject, Const(subject.type, at, case[1])))


def _either(context: Context, test: Expression, then: Expression, otherwise: Expression, at: Span) -> Expression:
    type_ = joined(context, then.type, otherwise.type)
    if type_ is None:
        return context.reject(problems.type_mismatch(otherwise.type, then.type, "this case", then.span))
    return IfElse(type_, at, test, then, otherwise)
