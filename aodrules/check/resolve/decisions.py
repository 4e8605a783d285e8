"""Decisions and options: what a person may be asked, and the `choose` that asks."""

from __future__ import annotations

from attrs import evolve

from aodrules.check import problems
from aodrules.check.checked import Condition, DecisionDef, Option
from aodrules.check.context import Context, Scope
from aodrules.check.resolve.bodies import BodyChecker, Read, changed_names
from aodrules.check.resolve.expressions import narrowed_by, read_condition, read_expression, read_if_given
from aodrules.check.resolve.fields import read_limit
from aodrules.check.resolve.parameters import DECIDER, others, parameter_names, read_arguments, read_domains
from aodrules.check.steps import Choose
from aodrules.lang.expressions import Expression
from aodrules.lang.types import NUMBER, PLAYER
from aodrules.syntax.tree import Entry, Mapping, Node, Scalar, Sequence, word_of

_KEYS = ("choose", "by", "options", "optional", "otherwise", "again", "given")
_USE_KEYS = (
    "use", "where", "do", "again", "limit", "hidden", "offer", "instead", "in", "scope",
    "name", "text", "clauses", "needs",
)  # fmt: skip


def read_choose(reader: BodyChecker, body: Mapping, names: Scope) -> Read:
    """Read a `choose`: of a declared decision, or with options of its own."""
    context, at, name = reader.context, body.key("choose").span, body.word("choose")
    by = _read_by(context, body, names)
    if "options" in body:
        decision = _read_inline(reader, body, name, names)
        twin = context.inline.setdefault(decision.address, decision)
        if twin is not decision:
            context.add(problems.duplicate_name(name, at, twin.span, "decisions of one body"))
        return Choose(at, decision.address, by, ()), names
    signature = context.decisions.get(name)
    if signature is None:
        node = body.get("choose") or body
        context.add(problems.unknown_name(name, node.span, context.decisions, "decision"))
        return None, names
    given = others(body, "choose", "by")
    arguments = read_arguments(context, f"`{name}`", signature.parameters, given, names, at, body)
    return Choose(at, f"decision.{name}", by, arguments), names


def _read_by(context: Context, body: Mapping, names: Scope) -> Expression | None:
    node = body.get("by")
    if isinstance(node, Scalar) and node.text == "chance":
        return None
    if node is None:
        context.add(problems.wrong_arguments("it is not said who decides", body.key("choose").span, "add `by: player`"))
        return None
    return read_expression(context, node, names, PLAYER)


def _read_inline(reader: BodyChecker, body: Mapping, word: str, names: Scope) -> DecisionDef:
    address = f"{names.address}.{word}"
    for entry in body:
        if entry.name not in _KEYS:
            reader.context.add(problems.unknown_name(entry.name, entry.key.span, _KEYS, "part of a decision"))
    # Where chance decides, `player` is who it is around.
    inner = (names if body.word("by") == "chance" else names.bind("player", DECIDER)).under(address)
    return _read_decision(reader, body, word, address, inner, inline=True)


def read_decisions(reader: BodyChecker) -> dict[str, DecisionDef]:
    """Return all declared decisions, by address, without what effects offer into them."""
    found = {}
    for name, signature in reader.context.decisions.items():
        address = f"decision.{name}"
        names = Scope(address, {**parameter_names(signature.parameters), "player": DECIDER})
        decision = _read_decision(reader, signature.mapping, name, address, names)
        found[address] = evolve(decision, parameters=signature.parameters, span=signature.span)
    return found


def _read_decision(
    reader: BodyChecker, body: Mapping, word: str, address: str, names: Scope, *, inline: bool = False
) -> DecisionDef:
    again = body.get("again")
    found = [
        read_option(reader, entry, f"{address}.options.{entry.name}", names, again) for entry in body.mapping("options")
    ]
    return DecisionDef(
        word,
        address,
        (),
        tuple(sorted(found, key=lambda option: option.address)),
        body.span,
        body.flag("optional"),
        reader.read_body(body.get("otherwise"), names.under(f"{address}.otherwise")),
        inline,
        says_otherwise="otherwise" in body,
    )


def read_option(reader: BodyChecker, entry: Entry, address: str, names: Scope, again: Node | None = None) -> Option:
    """Return an option of a decision."""
    context = reader.context
    if entry.name in ("pass", "rest", "next"):
        context.add(problems.reserved_name(entry.name, entry.key.span))
    body = entry.body
    names = evolve(names.under(address), changed=names.changed | changed_names(body.get("do")))
    read = _read_used if "use" in body else _read_own
    option = read(reader, entry.name, body, address, names)
    again = body.get("again") or again
    return evolve(
        option,
        span=entry.key.span,
        again=read_if_given(context, again, names, NUMBER),
        limit=read_limit(context, body.get("limit"), address, "decider", names) or option.limit,
    )


def _read_own(reader: BodyChecker, word: str, body: Mapping, address: str, names: Scope) -> Option:
    parameters, inner = read_domains(reader.context, body.get("for"), names)
    conditions, inner = read_conditions(reader.context, body.get("where"), inner)
    steps = reader.read_body(body.get("do"), inner)
    return Option(word, address, parameters, conditions, steps, body.span, hidden=body.flag("hidden"))


def _read_used(reader: BodyChecker, word: str, body: Mapping, address: str, names: Scope) -> Option:
    """Return a shared option as one of this decision, with added conditions and steps."""
    context, node = reader.context, body.get("use")
    name = word_of(node)
    shared = context.shared.get(name)
    if shared is None:
        at = node.span if node is not None else body.span
        context.add(problems.unknown_name(name, at, context.options, "option"))
        return Option(word, address, (), (), (), body.span)
    supplied = read_arguments(context, f"`{name}`", shared.given, others(body, *_USE_KEYS), names, body.span, body)
    inner = names.bind_all(parameter_names((*shared.given, *shared.parameters)))
    conditions, inner = read_conditions(context, body.get("where"), inner)
    steps = reader.read_body(body.get("do"), inner)
    return evolve(
        shared,
        id=word,
        address=address,
        conditions=(*shared.conditions, *conditions),
        body=(*shared.body, *steps),
        supplied=supplied,
        hidden=shared.hidden or body.flag("hidden"),
    )


def read_shared_options(reader: BodyChecker) -> None:
    """Read the options that several decisions share."""
    for name, signature in reader.context.options.items():
        address = f"option.{name}"
        names = Scope(address, {**parameter_names(signature.parameters), "player": DECIDER})
        option = _read_own(reader, name, signature.mapping, address, names)
        limit = read_limit(reader.context, signature.mapping.get("limit"), address, "decider", names)
        reader.context.shared[name] = evolve(option, given=signature.parameters, span=signature.span, limit=limit)


def read_conditions(context: Context, node: Node | None, names: Scope) -> tuple[tuple[Condition, ...], Scope]:
    """Return conditions in order, and the names with what they tell."""
    found: list[Condition] = []
    for word, item in _items(node):
        test = item.get("is") if isinstance(item, Mapping) else item
        otherwise = item.get("else") if isinstance(item, Mapping) else None
        if test is None:
            context.add(problems.wrong_arguments("a condition says what `is` to hold", item.span, "add `is: ...`"))
            continue
        expression = read_condition(context, test, names)
        said = otherwise.text if isinstance(otherwise, Scalar) else None
        found.append(Condition(word, expression, test.span, said))
        names = narrowed_by(context, test, names, truth=True)
    return tuple(found), names


def _items(node: Node | None) -> list[tuple[str, Node]]:
    if isinstance(node, Mapping):
        return [(entry.name, entry.value) for entry in node]
    if isinstance(node, Sequence):
        return [(str(number), item) for number, item in enumerate(node, 1)]
    return [] if node is None else [("1", node)]
