"""Decisions and options: what a person may be asked, and the `choose` that asks."""

from __future__ import annotations

from attrs import evolve

from aodrules.check import problems
from aodrules.check.checked import Condition, DecisionDef, Option
from aodrules.check.context import Context, Scope, Signature, UnfinishedOption
from aodrules.check.resolve.bodies import Read, changed_names, read_body
from aodrules.check.resolve.expressions import find_named, narrowed_by, read_expression, read_if_given
from aodrules.check.resolve.fields import read_limit
from aodrules.check.resolve.first_steps import finish_option
from aodrules.check.resolve.parameters import DECIDER, parameter_names, read_arguments, read_domains
from aodrules.check.steps import Choose
from aodrules.lang.expressions import Expression
from aodrules.lang.types import FLAG, NUMBER, PLAYER
from aodrules.source.spans import Span
from aodrules.syntax.tree import Entry, Mapping, Node, Scalar, Sequence, word_of

_KEYS = ("choose", "by", "options", "optional", "otherwise", "again", "given")
_USE_KEYS = (
    "use", "where", "first", "then_where", "do", "again", "limit", "hidden", "open", "offer", "instead", "in", "scope",
    "name", "text", "clauses", "needs",
)  # fmt: skip


def read_choose(scope: Scope, body: Mapping) -> Read:
    """Read a `choose`: of a declared decision, or with options of its own."""
    context, at, name = scope.context, body.key("choose").span, body.word("choose")
    by = _read_by(scope, body)
    if "options" in body:
        decision = _read_inline(scope, body, name)
        twin = context.inline.setdefault(decision.address, decision)
        if twin is not decision:
            context.add(problems.duplicate_name(name, at, twin.span, "decisions of one body"))
        return Choose(at, decision.address, by, ()), scope
    signature = find_named(context, body.need("choose"), context.decisions, "decision")
    if signature is None:
        return None, scope
    arguments = read_arguments(scope, name, signature.parameters, body.without("choose", "by"), at)
    return Choose(at, f"decision.{name}", by, arguments), scope


def _read_by(scope: Scope, body: Mapping) -> Expression | None:
    node = body.get("by")
    if isinstance(node, Scalar) and node.text == "chance":
        return None
    if node is None:
        at = body.key("choose").span
        scope.context.add(problems.wrong_arguments("it is not said who decides", at, "add `by: player`"))
        return None
    return read_expression(scope, node, PLAYER)


def _read_inline(scope: Scope, body: Mapping, word: str) -> DecisionDef:
    for entry in body:
        if entry.name not in _KEYS:
            scope.context.add(problems.unknown_name(entry.name, entry.key.span, _KEYS, "part of a decision"))
    # Where chance decides, `player` is who it is around.
    inner = scope if body.word("by") == "chance" else scope.bind("player", DECIDER)
    return _read_decision(inner.under(f"{scope.address}.{word}"), body, word, inline=True)


def read_decisions(context: Context) -> dict[str, DecisionDef]:
    """Return all declared decisions, by address, without what effects offer into them."""
    found = {}
    for name, signature in context.decisions.items():
        decision = _read_decision(_scope_of(context, "decision", signature), signature.mapping, name)
        found[decision.address] = evolve(decision, parameters=signature.parameters, span=signature.span)
    return found


def _scope_of(context: Context, section: str, signature: Signature) -> Scope:
    names = {**parameter_names(signature.parameters), "player": DECIDER}
    return Scope(context, f"{section}.{signature.name}", names)


def _read_decision(scope: Scope, body: Mapping, word: str, *, inline: bool = False) -> DecisionDef:
    address, again = scope.address, body.get("again")
    found = [
        read_option(scope.under(f"{address}.options.{entry.name}"), entry, again) for entry in body.mapping("options")
    ]
    return DecisionDef(
        word,
        address,
        (),
        tuple(sorted(found, key=lambda option: option.address)),
        body.span,
        body.flag("optional"),
        read_body(scope.under(f"{address}.otherwise"), body.get("otherwise")),
        inline,
        says_otherwise="otherwise" in body,
    )


def read_option(scope: Scope, entry: Entry, again: Node | None = None) -> Option:
    """Return an option of a decision."""
    if entry.name in ("pass", "rest", "next"):
        scope.context.add(problems.reserved_name(entry.name, entry.key.span))
    body = entry.body
    changed = changed_names(body.get("first")) | changed_names(body.get("do"))
    scope = evolve(scope, changed=scope.changed | changed)
    if "use" in body:
        option = _read_used(scope, entry.name, body)
    else:
        inner, unfinished = _read_own(scope, entry.name, body)
        option = finish_option(inner, unfinished, _then_span(body))
    return evolve(
        option,
        span=entry.key.span,
        again=read_if_given(scope, body.get("again") or again, NUMBER),
        limit=read_limit(scope, body.get("limit"), "decider") or option.limit,
    )


def _read_own(scope: Scope, word: str, body: Mapping) -> tuple[Scope, UnfinishedOption]:
    """Return an option that is written out, and the names that its steps know."""
    parameters, inner = read_domains(scope, body.get("for"))
    conditions, inner = read_conditions(inner, body.get("where"))
    first = read_body(inner, body.get("first"))
    later, inner = read_conditions(inner, body.get("then_where"), "then_where")
    steps = read_body(inner, body.get("do"))
    option = Option(word, scope.address, parameters, conditions, steps, body.span)
    return inner, UnfinishedOption(_with_visibility(scope.context, option, body), first, later)


def _then_span(body: Mapping) -> Span:
    """Return the place of the conditions that speak of what the first steps leave, or of the whole body."""
    return body.key("then_where").span if "then_where" in body else body.span


def _read_used(scope: Scope, word: str, body: Mapping) -> Option:
    """Return a shared option as one of this decision, with added conditions and steps."""
    context, node = scope.context, body.need("use")
    name = word_of(node)
    unfinished = context.unfinished.get(name)
    if unfinished is None:
        context.add(problems.unknown_name(name, node.span, context.options, "option"))
        return Option(word, scope.address, (), (), (), body.span)
    shared = unfinished.option
    supplied = read_arguments(scope, name, shared.given, body.without(*_USE_KEYS), body.span)
    inner = scope.bind_all(parameter_names((*shared.given, *shared.parameters)))
    conditions, inner = read_conditions(inner, body.get("where"))
    first = read_body(inner, body.get("first"))
    later, inner = read_conditions(inner, body.get("then_where"), "then_where")
    option = evolve(
        shared,
        id=word,
        address=scope.address,
        conditions=(*shared.conditions, *conditions),
        body=(*shared.body, *read_body(inner, body.get("do"))),
        supplied=supplied,
    )
    whole = UnfinishedOption(option, (*first, *unfinished.first), (*unfinished.then_where, *later))
    return _with_visibility(context, finish_option(inner, whole, _then_span(body)), body)


def _with_visibility(context: Context, option: Option, body: Mapping) -> Option:
    """Return an option that says whether others see how it is filled in, as its own body adds to it."""
    hidden, open_ = option.hidden or body.flag("hidden"), option.open or body.flag("open")
    if hidden and open_:
        message = "an option is either `hidden` or `open`"
        context.add(problems.wrong_declaration(message, body.key("open" if body.flag("open") else "hidden").span))
    return evolve(option, hidden=hidden, open=open_)


def read_shared_options(context: Context) -> None:
    """Read the options that several decisions share."""
    for name, signature in context.options.items():
        scope = _scope_of(context, "option", signature)
        inner, unfinished = _read_own(scope, name, signature.mapping)
        limit = read_limit(scope, signature.mapping.get("limit"), "decider")
        option = evolve(unfinished.option, given=signature.parameters, span=signature.span, limit=limit)
        context.unfinished[name] = evolve(unfinished, option=option)
        context.shared[name] = finish_option(inner, context.unfinished[name], _then_span(signature.mapping))


def read_conditions(scope: Scope, node: Node | None, under: str = "where") -> tuple[tuple[Condition, ...], Scope]:
    """Return conditions in order, and the names with what they tell."""
    found: list[Condition] = []
    for word, item in _items(node):
        test = item.get("is") if isinstance(item, Mapping) else item
        otherwise = item.get("else") if isinstance(item, Mapping) else None
        if test is None:
            message = "a condition says what `is` to hold"
            scope.context.add(problems.wrong_arguments(message, item.span, "add `is: ...`"))
            continue
        expression = read_expression(scope, test, FLAG)
        said = otherwise.text if isinstance(otherwise, Scalar) else None
        found.append(Condition(word, expression, test.span, said, under))
        scope = narrowed_by(scope, test, truth=True)
    return tuple(found), scope


def _items(node: Node | None, around: str = "") -> list[tuple[str, Node]]:
    """Return conditions with their ids; several under one id are numbered behind it."""
    if isinstance(node, Mapping):
        found: list[tuple[str, Node]] = []
        for entry in node:
            is_list = isinstance(entry.value, Sequence)
            found += _items(entry.value, f"{entry.name}.") if is_list else [(entry.name, entry.value)]
        return found
    if isinstance(node, Sequence):
        return [(f"{around}{number}", item) for number, item in enumerate(node, 1)]
    return [] if node is None else [("1", node)]
