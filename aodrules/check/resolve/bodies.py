"""Bodies: lists of steps, read one after another with the names each adds for the next."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from attrs import evolve, frozen

from aodrules.check import problems
from aodrules.check.checked import Verb
from aodrules.check.context import Context, LocalName, Scope
from aodrules.check.resolve.expressions import (
    narrowed_by,
    read_condition,
    read_expression,
    read_if_given,
    read_target,
    tracked_place,
)
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
    UNKNOWN,
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

Read: TypeAlias = "tuple[AnyStep | None, Scope]"
StepReader: TypeAlias = "Callable[[BodyChecker, Mapping, Scope], Read]"
_BARE = ("stop", "end_game")


@frozen(eq=False)
class BodyChecker:
    """Reads bodies. `kernel` are the verbs of the language, each with the function that reads it."""

    context: Context
    kernel: dict[str, StepReader]

    def read_body(self, node: Node | None, names: Scope) -> Steps:
        """Return the steps a node holds. The names they add are seen by later ones of the same list only."""
        steps: list[AnyStep] = []
        items = node.items if isinstance(node, Sequence) else () if node is None else (node,)
        names = names.after_a_step()  # the body may be done again
        for item in items:
            step, names = self._read_step(item, names)
            if not isinstance(step, Let | Reveal):
                names = names.after_a_step()
            if step is not None:
                steps.append(step)
        return tuple(steps)

    def _read_step(self, node: Node, names: Scope) -> Read:
        """Return one step and the names as they are after it."""
        if isinstance(node, Scalar):
            return self._read_bare(node, names), names
        if not isinstance(node, Mapping):
            self.context.add(problems.unknown_step({}, node.span, self.context.verbs))
            return None, names
        found = next((entry.name for entry in node if entry.name in self.kernel), None)
        if found is not None:
            return self.kernel[found](self, node, names)
        return self._read_call(node, names), names

    def _read_bare(self, node: Scalar, names: Scope) -> AnyStep | None:
        word = node.text
        if word == "stop":
            return Stop(node.span)
        if word == "end_game":
            return EndGame(node.span)
        verb = self.context.verbs.get(word)
        if verb is None:
            self.context.add(problems.unknown_step({word: node.span}, node.span, [*self.context.verbs, *_BARE]))
            return None
        arguments = read_arguments(self.context, f"`{word}`", verb.parameters, {}, names, node.span)
        return Call(node.span, word, arguments)

    def _read_call(self, body: Mapping, names: Scope) -> AnyStep | None:
        verbs = [entry for entry in body if entry.name in self.context.verbs]
        fitting = [
            entry.name
            for entry in verbs
            if {*body.entries} - {entry.name} <= {each.name for each in self.context.verbs[entry.name].parameters}
        ]
        if len(fitting) == 1:
            return self._read_call_of(fitting[0], body, names)
        if len(verbs) == 1:
            self._read_call_of(verbs[0].name, body, names)
        elif verbs:
            self.context.add(problems.several_verbs([entry.key for entry in verbs]))
        else:
            keys = {entry.name: entry.key.span for entry in body}
            at = next(iter(keys.values()), body.span)
            self.context.add(problems.unknown_step(keys, at, [*self.context.verbs, *self.kernel]))
        return None

    def _read_call_of(self, name: str, body: Mapping, names: Scope) -> Call:
        verb = self.context.verbs[name]
        key, value = body.key(name), body.get(name)
        given = others(body, name)
        main = next((each.name for each in verb.parameters if each.main), None)
        is_empty = isinstance(value, Scalar) and value.is_empty
        if main is not None and value is not None and not is_empty:
            given[main] = value
        elif main is None and not is_empty:
            help_ = f"write `{name}: ` with nothing behind it"
            self.context.add(problems.wrong_arguments(f"`{name}` has no main argument", key.span, help_))
        arguments = read_arguments(self.context, f"`{name}`", verb.parameters, given, names, key.span, body)
        return Call(key.span, name, arguments)

    def bind(self, node: Node, meaning: LocalName, names: Scope) -> tuple[str, Scope]:
        """Return a new local name and the names with it; report one that hides another or cannot be used."""
        name = word_of(node)
        hidden = names.get(name)
        if not is_usable_name(name) or name in ("self", "owner"):
            self.context.add(problems.reserved_name(name, node.span))
        elif hidden is not None or self.context.is_global(name):
            self.context.add(problems.shadowed_name(name, node.span, hidden.span if hidden else None))
        return name, names.bind(name, evolve(meaning, span=node.span))

    def read_items(self, node: Node, names: Scope) -> Expression:
        """Return what a step runs over or draws from: a list, set, bag or whole kind."""
        items = read_expression(self.context, node, names)
        if not isinstance(items.type, ListOf | SetOf | Bag | Unknown):
            self.context.add(problems.type_mismatch("a collection", items.type, str(node.plain()), node.span))
            return Const(UNKNOWN, node.span, 0)
        return items


def _read_set(reader: BodyChecker, body: Mapping, names: Scope) -> Read:
    target = read_target(reader.context, body.need("set"), names)
    if target is None:
        return None, names
    value = read_expression(reader.context, body.need("to"), names, target[1])
    return SetTo(body.key("set").span, target[0], value, body.flag("up_to")), names


def _read_add(reader: BodyChecker, body: Mapping, names: Scope) -> Read:
    verb, key, sign = ("add", "to", 1) if "add" in body else ("take", "from", -1)
    place = body.need(key)
    target = read_target(reader.context, place, names)
    is_set = target is not None and isinstance(target[1], SetOf)
    wanted = target[1].of if target and isinstance(target[1], SetOf) else NUMBER
    if target and not isinstance(target[1], Number | SetOf | Unknown):
        reader.context.add(problems.type_mismatch(NUMBER, target[1], str(place.plain()), place.span))
    amount = read_expression(reader.context, body.need(verb), names, wanted)
    name = None
    if "as" in body:
        name, names = reader.bind(body.need("as"), LocalName(NUMBER, "as"), names)
        if sign < 0 and is_set:
            message = f"`as` names by how much a number fell, and {quote(str(place.plain()))} is a set"
            reader.context.add(problems.wrong_arguments(message, body.key("as").span, "leave out `as`"))
    if target is None:
        return None, names
    return AddTo(body.key(verb).span, target[0], amount, sign, name, body.flag("up_to")), names


def _read_let(reader: BodyChecker, body: Mapping, names: Scope) -> Read:
    value = read_expression(reader.context, body.need("be"), names)
    type_: Type = NUMBER if isinstance(value.type, Number) else value.type
    meaning = LocalName(type_, "let", place=tracked_place(reader.context, value), is_there=True)
    name, names = reader.bind(body.need("let"), meaning, names)
    return Let(body.key("let").span, name, value), names


def _read_if(reader: BodyChecker, body: Mapping, names: Scope) -> Read:
    test = body.need("if")
    condition = read_condition(reader.context, test, names)
    then = reader.read_body(body.get("then"), narrowed_by(reader.context, test, names, truth=True))
    otherwise = reader.read_body(body.get("else"), narrowed_by(reader.context, test, names, truth=False))
    return If(body.key("if").span, condition, then, otherwise), names


def _read_for(reader: BodyChecker, body: Mapping, names: Scope) -> Read:
    context, at = reader.context, body.key("for").span
    items = reader.read_items(body.need("in"), names)
    item = item_of(items.type)
    inner, index = names, None
    if "index" in body:
        index, inner = reader.bind(body.need("index"), LocalName(NUMBER, "loop"), inner)
    elif isinstance(item, HiddenPiece):
        index = f"{body.word('for')}:index"
        inner = inner.bind(index, LocalName(NUMBER, "let"))
    name, inner = reader.bind(body.need("for"), LocalName(item, "loop", place=_item_place(items, index, at)), inner)
    where = body.get("where")
    condition = read_if_given(context, where, inner, FLAG)
    if where is not None:
        inner = narrowed_by(context, where, inner, truth=True)
    by = read_if_given(context, body.get("ordered_by"), names, PLAYER)
    steps = reader.read_body(body.get("do"), inner)
    asks = _worth_asking(context, name, item, steps, at) if by is not None else None
    address = context.own_address(f"{names.address}.{name}")
    return For(at, address, name, items, condition, index, steps, by, body.flag("optional"), asks), names


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


def _read_repeat(reader: BodyChecker, body: Mapping, names: Scope) -> Read:
    count = read_expression(reader.context, body.need("repeat"), names, NUMBER)
    return Repeat(body.key("repeat").span, count, reader.read_body(body.get("do"), names)), names


def _read_while(reader: BodyChecker, body: Mapping, names: Scope) -> Read:
    test, at = body.need("while"), body.key("while").span
    condition = read_condition(reader.context, test, names)
    bound = body.get("at_most")
    if bound is None:
        help_ = "add `at_most: ...`, more than ever needed"
        reader.context.add(problems.wrong_arguments("`while` needs `at_most`", at, help_))
        return None, names
    most = read_expression(reader.context, bound, names, NUMBER)
    inner = narrowed_by(reader.context, test, names, truth=True)
    return While(at, condition, most, reader.read_body(body.get("do"), inner)), names


def _read_happen(reader: BodyChecker, body: Mapping, names: Scope) -> Read:
    name, at = body.word("happen"), body.key("happen").span
    event = reader.context.events.get(name)
    if event is None:
        reader.context.add(problems.unknown_name(name, body.need("happen").span, reader.context.events, "event"))
        return None, names
    given = others(body, "happen")
    arguments = read_arguments(reader.context, f"`{name}`", event.parameters, given, names, at, body)
    return Happen(at, name, arguments), names  # type: ignore[arg-type]


def _read_run(reader: BodyChecker, body: Mapping, names: Scope) -> Read:
    context, node, at = reader.context, body.need("run"), body.key("run").span
    path, _, name = body.word("run").rpartition(".")
    if not path or not isinstance(node, Scalar):
        help_ = "write `run: subject.hook`"
        context.add(problems.wrong_arguments("`run` names a subject and its hook", node.span, help_))
        return None, names
    shift = 1 if node.quoted else 0
    span = node.span if node.block else node.span.within(shift, shift + len(path))
    subject = read_expression(context, Scalar(span, path, path), names)
    inner = present(subject.type)
    if isinstance(inner, Unknown):
        return None, names
    hook = context.hook_of(inner.kind, name) if isinstance(inner, Member) else None
    if hook is None or hook.form != "steps":
        known = [each.name.split(".")[1] for each in context.hooks.values() if each.form == "steps"]
        context.add(problems.unknown_name(name, node.span, known, "hook with steps"))
        return None, names
    arguments = read_arguments(context, f"`{name}`", hook.parameters, others(body, "run"), names, at, body)
    return RunHook(at, hook.name, subject, arguments), names


def _read_named_step(reader: BodyChecker, body: Mapping, names: Scope) -> Read:
    name, at = body.word("step"), body.key("step").span
    address = f"{names.address}.{name}"
    reader.context.steps[address] = at
    return Step(at, address, name, reader.read_body(body.get("do"), names.inside(address))), names


def _read_stop(reader: BodyChecker, body: Mapping, names: Scope) -> Read:
    name = body.word("stop")
    around = {address.rsplit(".", 1)[1]: address for address in names.steps}
    if name not in around:
        reader.context.add(problems.unknown_name(name, body.need("stop").span, around, "step around this one"))
        return None, names
    return Stop(body.key("stop").span, around[name]), names


def _read_leave(reader: BodyChecker, body: Mapping, names: Scope) -> Read:
    who = read_expression(reader.context, body.need("leave_game"), names, PLAYER)
    return LeaveGame(body.key("leave_game").span, who), names


def _read_end(_reader: BodyChecker, body: Mapping, names: Scope) -> Read:
    return EndGame(body.key("end_game").span), names


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


def check_verb_names(reader: BodyChecker) -> None:
    """Report verbs and parameters that bear the name of a kernel verb."""
    for verb in reader.context.verbs.values():
        for name, at in ((verb.name, verb.span), *((each.name, each.span) for each in verb.parameters)):
            if name in reader.kernel:
                reader.context.add(problems.reserved_name(name, at))


def read_verbs(reader: BodyChecker) -> dict[str, Verb]:
    """Return all verbs with their bodies."""
    found = {}
    for name, signature in reader.context.verbs.items():
        names = Scope(f"verb.{name}", parameter_names(signature.parameters), changed=changed_names(signature.body))
        steps = reader.read_body(signature.mapping.get("do"), names)
        found[name] = Verb(name, signature.parameters, steps, signature.span)
    return found
