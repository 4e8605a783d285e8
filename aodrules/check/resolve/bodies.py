"""Bodies: lists of steps, read one after another with the names each adds for the next."""

from __future__ import annotations

from typing import TypeAlias

from attrs import evolve

from aodrules.check import problems
from aodrules.check.checked import Verb
from aodrules.check.context import Context, LocalName, Scope, StepReader
from aodrules.check.resolve.expressions import narrowed_by, read_expression, read_if_given, read_target, tracked_place
from aodrules.check.resolve.parameters import others, parameter_names, read_arguments
from aodrules.check.steps import (
    AddTo,
    AnyStep,
    Call,
    EndGame,
    FieldPlace,
    For,
    Happen,
    If,
    LeaveGame,
    Let,
    Repeat,
    Reveal,
    RunHook,
    SetTo,
    Step,
    Steps,
    Stop,
    While,
)
from aodrules.lang.expressions import Const, Expression, FieldRead, Local, Operation
from aodrules.lang.parsing import is_usable_name
from aodrules.lang.types import (
    FLAG,
    NUMBER,
    PLAYER,
    Bag,
    HiddenPiece,
    ListOf,
    Member,
    Number,
    SetOf,
    Type,
    Unknown,
    item_of,
    present,
)
from aodrules.source.spans import Span
from aodrules.source.wording import quote
from aodrules.syntax.tree import Mapping, Node, Scalar, Sequence, walk, word_of

Read: TypeAlias = tuple[AnyStep | None, Scope]
_BARE = ("stop", "end_game")


def read_body(scope: Scope, node: Node | None) -> Steps:
    """Return the steps a node holds. The names they add are seen by later ones of the same list only."""
    steps: list[AnyStep] = []
    items = node.items if isinstance(node, Sequence) else () if node is None else (node,)
    scope = scope.after_a_step()  # the body may be done again
    for item in items:
        step, scope = _read_step(scope, item)
        if not isinstance(step, Let | Reveal):
            scope = scope.after_a_step()
        if step is not None:
            steps.append(step)
    return tuple(steps)


def _read_step(scope: Scope, node: Node) -> Read:
    """Return one step and the names as they are after it."""
    context = scope.context
    if isinstance(node, Scalar):
        return _read_bare(scope, node), scope
    if not isinstance(node, Mapping):
        context.add(problems.unknown_step({}, node.span, context.verbs))
        return None, scope
    found = next((entry.name for entry in node if entry.name in context.kernel), None)
    if found is not None:
        return context.kernel[found](scope, node)
    return _read_call(scope, node), scope


def _read_bare(scope: Scope, node: Scalar) -> AnyStep | None:
    word = node.text
    if word == "stop":
        return Stop(node.span)
    if word == "end_game":
        return EndGame(node.span)
    verbs = scope.context.verbs
    if word not in verbs:
        scope.context.add(problems.unknown_step({word: node.span}, node.span, [*verbs, *_BARE]))
        return None
    return Call(node.span, word, read_arguments(scope, f"`{word}`", verbs[word].parameters, {}, node.span))


def _read_call(scope: Scope, body: Mapping) -> AnyStep | None:
    context = scope.context
    verbs = [entry for entry in body if entry.name in context.verbs]
    fitting = [
        entry.name
        for entry in verbs
        if {*body.entries} - {entry.name} <= {each.name for each in context.verbs[entry.name].parameters}
    ]
    if len(fitting) == 1:
        return _read_call_of(scope, fitting[0], body)
    if len(verbs) == 1:
        _read_call_of(scope, verbs[0].name, body)
    elif verbs:
        context.add(problems.several_verbs([entry.key for entry in verbs]))
    else:
        keys = {entry.name: entry.key.span for entry in body}
        at = next(iter(keys.values()), body.span)
        context.add(problems.unknown_step(keys, at, [*context.verbs, *context.kernel]))
    return None


def _read_call_of(scope: Scope, name: str, body: Mapping) -> Call:
    verb = scope.context.verbs[name]
    key, value = body.key(name), body.get(name)
    given = others(body, name)
    main = next((each.name for each in verb.parameters if each.main), None)
    is_empty = isinstance(value, Scalar) and value.is_empty
    if main is not None and value is not None and not is_empty:
        given[main] = value
    elif main is None and not is_empty:
        help_ = f"write `{name}: ` with nothing behind it"
        scope.context.add(problems.wrong_arguments(f"`{name}` has no main argument", key.span, help_))
    return Call(key.span, name, read_arguments(scope, f"`{name}`", verb.parameters, given, key.span, body))


def bind_name(scope: Scope, node: Node, meaning: LocalName) -> tuple[str, Scope]:
    """Return a new local name and the names with it; report one that hides another or cannot be used."""
    name = word_of(node)
    hidden = scope.get(name)
    if not is_usable_name(name) or name in ("self", "owner"):
        scope.context.add(problems.reserved_name(name, node.span))
    elif hidden is not None or scope.context.is_global(name):
        scope.context.add(problems.shadowed_name(name, node.span, hidden.span if hidden else None))
    return name, scope.bind(name, evolve(meaning, span=node.span))


def read_items(scope: Scope, node: Node) -> Expression:
    """Return what a step runs over or draws from: a list, set, bag or whole kind."""
    items = read_expression(scope, node)
    if not isinstance(items.type, ListOf | SetOf | Bag | Unknown):
        problem = problems.type_mismatch("a collection", items.type, str(node.plain()), node.span)
        return scope.context.reject(problem)
    return items


def _read_set(scope: Scope, body: Mapping) -> Read:
    target = read_target(scope, body.need("set"))
    if target is None:
        return None, scope
    value = read_expression(scope, body.need("to"), target[1])
    return SetTo(body.key("set").span, target[0], value, body.flag("up_to")), scope


def _read_add(scope: Scope, body: Mapping) -> Read:
    verb, key, sign = ("add", "to", 1) if "add" in body else ("take", "from", -1)
    place = body.need(key)
    target = read_target(scope, place)
    is_set = target is not None and isinstance(target[1], SetOf)
    wanted = target[1].of if target and isinstance(target[1], SetOf) else NUMBER
    if target and not isinstance(target[1], Number | SetOf | Unknown):
        scope.context.add(problems.type_mismatch(NUMBER, target[1], str(place.plain()), place.span))
    amount = read_expression(scope, body.need(verb), wanted)
    name = None
    if "as" in body:
        name, scope = bind_name(scope, body.need("as"), LocalName(NUMBER, "as"))
        if sign < 0 and is_set:
            message = f"`as` names by how much a number fell, and {quote(str(place.plain()))} is a set"
            scope.context.add(problems.wrong_arguments(message, body.key("as").span, "leave out `as`"))
    if target is None:
        return None, scope
    return AddTo(body.key(verb).span, target[0], amount, sign, name, body.flag("up_to")), scope


def _read_let(scope: Scope, body: Mapping) -> Read:
    value = read_expression(scope, body.need("be"))
    type_: Type = NUMBER if isinstance(value.type, Number) else value.type
    meaning = LocalName(type_, "let", place=tracked_place(scope.context, value), is_there=True)
    name, scope = bind_name(scope, body.need("let"), meaning)
    return Let(body.key("let").span, name, value), scope


def _read_if(scope: Scope, body: Mapping) -> Read:
    test = body.need("if")
    condition = read_expression(scope, test, FLAG)
    then = read_body(narrowed_by(scope, test, truth=True), body.get("then"))
    otherwise = read_body(narrowed_by(scope, test, truth=False), body.get("else"))
    return If(body.key("if").span, condition, then, otherwise), scope


def _read_for(scope: Scope, body: Mapping) -> Read:
    context, at = scope.context, body.key("for").span
    items = read_items(scope, body.need("in"))
    item = item_of(items.type)
    inner, index = scope, None
    if "index" in body:
        index, inner = bind_name(inner, body.need("index"), LocalName(NUMBER, "loop"))
    elif isinstance(item, HiddenPiece):
        index = f"{body.word('for')}:index"
        inner = inner.bind(index, LocalName(NUMBER, "let"))
    name, inner = bind_name(inner, body.need("for"), LocalName(item, "loop", place=_item_place(items, index, at)))
    where = body.get("where")
    condition = read_if_given(inner, where, FLAG)
    if where is not None:
        inner = narrowed_by(inner, where, truth=True)
    by = read_if_given(scope, body.get("ordered_by"), PLAYER)
    steps = read_body(inner, body.get("do"))
    asks = _worth_asking(context, name, item, steps, at) if by is not None else None
    address = context.own_address(f"{scope.address}.{name}")
    return For(at, address, name, items, condition, index, steps, by, body.flag("optional"), asks), scope


def _item_place(items: Expression, index: str | None, at: Span) -> FieldPlace | None:
    if isinstance(items, FieldRead) and index is not None and isinstance(items.type, ListOf):
        return FieldPlace(at, items.field, items.at, Local(NUMBER, at, index))
    return None


def _worth_asking(context: Context, word: str, item: Type, steps: Steps, at: Span) -> Expression | None:
    """Return which items of an ordered loop have anything to do, where the body only runs their hooks."""
    if not isinstance(item, Member):
        return None
    hooks = [
        each.hook
        for each in steps
        if isinstance(each, RunHook) and isinstance(each.subject, Local) and each.subject.name == word
    ]
    if len(hooks) != len(steps):
        return None
    family = context.family(item.kind)
    having = tuple(
        number
        for number, member in enumerate(family.members)
        if any(hook.split(".")[1] in context.member_bodies[family.name, member] for hook in hooks)
    )
    return Operation(FLAG, at, "in", (Local(item, at, word), Const(ListOf(item), at, having)))


def _read_repeat(scope: Scope, body: Mapping) -> Read:
    count = read_expression(scope, body.need("repeat"), NUMBER)
    return Repeat(body.key("repeat").span, count, read_body(scope, body.get("do"))), scope


def _read_while(scope: Scope, body: Mapping) -> Read:
    test, at = body.need("while"), body.key("while").span
    condition = read_expression(scope, test, FLAG)
    bound = body.get("at_most")
    if bound is None:
        help_ = "add `at_most: ...`, more than ever needed"
        scope.context.add(problems.wrong_arguments("`while` needs `at_most`", at, help_))
        return None, scope
    most = read_expression(scope, bound, NUMBER)
    inner = narrowed_by(scope, test, truth=True)
    return While(at, condition, most, read_body(inner, body.get("do"))), scope


def _read_happen(scope: Scope, body: Mapping) -> Read:
    name, at = body.word("happen"), body.key("happen").span
    event = scope.context.events.get(name)
    if event is None:
        scope.context.add(problems.unknown_name(name, body.need("happen").span, scope.context.events, "event"))
        return None, scope
    given = others(body, "happen")
    arguments = read_arguments(scope, f"`{name}`", event.parameters, given, at, body)
    return Happen(at, name, arguments), scope  # type: ignore[arg-type]


def _read_run(scope: Scope, body: Mapping) -> Read:
    context, node, at = scope.context, body.need("run"), body.key("run").span
    path, _, name = body.word("run").rpartition(".")
    if not path or not isinstance(node, Scalar):
        help_ = "write `run: subject.hook`"
        context.add(problems.wrong_arguments("`run` names a subject and its hook", node.span, help_))
        return None, scope
    shift = 1 if node.quoted else 0
    span = node.span if node.block else node.span.within(shift, shift + len(path))
    subject = read_expression(scope, Scalar(span, path, path))
    inner = present(subject.type)
    if isinstance(inner, Unknown):
        return None, scope
    hook = context.hook_of(inner.kind, name) if isinstance(inner, Member) else None
    if hook is None or hook.form != "steps":
        known = [each.name.split(".")[1] for each in context.hooks.values() if each.form == "steps"]
        context.add(problems.unknown_name(name, node.span, known, "hook with steps"))
        return None, scope
    arguments = read_arguments(scope, f"`{name}`", hook.parameters, others(body, "run"), at, body)
    return RunHook(at, hook.name, subject, arguments), scope


def _read_named_step(scope: Scope, body: Mapping) -> Read:
    name, at = body.word("step"), body.key("step").span
    address = f"{scope.address}.{name}"
    scope.context.steps[address] = at
    return Step(at, address, name, read_body(scope.inside(address), body.get("do"))), scope


def _read_stop(scope: Scope, body: Mapping) -> Read:
    name = body.word("stop")
    around = {address.rsplit(".", 1)[1]: address for address in scope.steps}
    if name not in around:
        scope.context.add(problems.unknown_name(name, body.need("stop").span, around, "step around this one"))
        return None, scope
    return Stop(body.key("stop").span, around[name]), scope


def _read_leave(scope: Scope, body: Mapping) -> Read:
    who = read_expression(scope, body.need("leave_game"), PLAYER)
    return LeaveGame(body.key("leave_game").span, who), scope


def _read_end(scope: Scope, body: Mapping) -> Read:
    return EndGame(body.key("end_game").span), scope


PLAIN_STEPS: dict[str, StepReader] = {
    "set": _read_set,
    "add": _read_add,
    "take": _read_add,
    "let": _read_let,
    "if": _read_if,
    "for": _read_for,
    "repeat": _read_repeat,
    "while": _read_while,
    "happen": _read_happen,
    "run": _read_run,
    "step": _read_named_step,
    "stop": _read_stop,
    "leave_game": _read_leave,
    "end_game": _read_end,
}


def changed_names(node: Node | None) -> frozenset[str]:
    """Return the words that `set`, `add` or `take` change anywhere in a body."""
    found: set[str] = set()
    for part in walk(node) if node is not None else ():
        if isinstance(part, Mapping):
            for verb, place in (("set", "set"), ("add", "to"), ("take", "from")):
                target = part.get(place) if verb in part else None
                if isinstance(target, Scalar):
                    found.add(target.text)
    return frozenset(found)


def check_verb_names(context: Context) -> None:
    """Report verbs and parameters that bear the name of a kernel verb."""
    for verb in context.verbs.values():
        for name, at in ((verb.name, verb.span), *((each.name, each.span) for each in verb.parameters)):
            if name in context.kernel:
                context.add(problems.reserved_name(name, at))


def read_verbs(context: Context) -> dict[str, Verb]:
    """Return all verbs with their bodies."""
    found = {}
    for name, signature in context.verbs.items():
        scope = Scope(
            context, f"verb.{name}", parameter_names(signature.parameters), changed=changed_names(signature.body)
        )
        steps = read_body(scope, signature.mapping.get("do"))
        found[name] = Verb(name, signature.parameters, steps, signature.span)
    return found
