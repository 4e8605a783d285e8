"""Bodies: lists of steps, read one after another with the names each adds for the next."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from attrs import evolve, frozen

from aodrules.check import problems
from aodrules.check.checked import Verb
from aodrules.check.context import Context, LocalName, Scope
from aodrules.check.resolve.expressions import narrowed_by, read_condition, read_expression, read_target, tracked_place
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
    Maybe,
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
from aodrules.syntax.tree import Mapping, Node, Scalar, Sequence, walk

Read: TypeAlias = "tuple[AnyStep | None, Scope]"
BARE = ("stop", "end_game")


@frozen(eq=False)
class BodyChecker:
    """Reads bodies. Further kernel verbs are plugged in as `extra`: a function for each."""

    context: Context
    extra: dict[str, Callable[[BodyChecker, Mapping, Scope], Read]]

    @property
    def kernel(self) -> dict[str, Callable[[Mapping, Scope], Read]]:
        """The kernel verbs and what reads each."""
        own: dict[str, Callable[[Mapping, Scope], Read]] = {
            "set": self._set,
            "add": self._add,
            "take": self._add,
            "let": self._let,
            "if": self._if,
            "for": self._for,
            "repeat": self._repeat,
            "while": self._while,
            "happen": self._happen,
            "run": self._run,
            "step": self._step,
            "stop": self._stop,
            "leave_game": self._leave,
            "end_game": self._end,
        }
        plugged = {verb: _bound(self, function) for verb, function in self.extra.items()}
        return own | plugged

    def body(self, node: Node | None, names: Scope) -> Steps:
        """Return the steps a node holds. The names they add are seen by later ones of the same list only."""
        steps: list[AnyStep] = []
        items = node.items if isinstance(node, Sequence) else () if node is None else (node,)
        names = names.after_a_step()  # the body may be done again
        for item in items:
            step, names = self.step(item, names)
            if not isinstance(step, Let | Reveal):
                names = names.after_a_step()
            if step is not None:
                steps.append(step)
        return tuple(steps)

    def step(self, node: Node, names: Scope) -> Read:
        """Return one step and the names as they are after it."""
        if isinstance(node, Scalar):
            return self._bare(node, names)
        if not isinstance(node, Mapping):
            self.context.add(problems.unknown_step({}, node.span, self.context.verbs))
            return None, names
        kernel = self.kernel
        found = next((entry.name for entry in node if entry.name in kernel), None)
        if found is not None:
            return kernel[found](node, names)
        return self._call(node, names), names

    def _bare(self, node: Scalar, names: Scope) -> Read:
        word = node.text
        if word == "stop":
            return Stop(node.span), names
        if word == "end_game":
            return EndGame(node.span), names
        if word not in self.context.verbs:
            self.context.add(problems.unknown_step({word: node.span}, node.span, [*self.context.verbs, *BARE]))
            return None, names
        verb = self.context.verbs[word]
        return Call(
            node.span, word, read_arguments(self.context, f"`{word}`", verb.parameters, {}, names, node.span)
        ), names

    def _call(self, body: Mapping, names: Scope) -> AnyStep | None:
        keys = {entry.name for entry in body}
        fitting = [
            name
            for name in keys & set(self.context.verbs)
            if keys - {name} <= {each.name for each in self.context.verbs[name].parameters}
        ]
        if len(fitting) != 1:
            self._report_call(body, names)
            return None
        return self._called(fitting[0], body, names)

    def _called(self, name: str, body: Mapping, names: Scope) -> Call:
        verb = self.context.verbs[name]
        key, value = body.key(name), body.get(name)
        given = others(body, name)
        main = next((each.name for each in verb.parameters if each.main), None)
        is_empty = isinstance(value, Scalar) and value.is_empty
        if main is not None and value is not None and not is_empty:
            given[main] = value
        elif main is None and not is_empty:
            self.context.add(
                problems.wrong_arguments(
                    f"`{name}` has no main argument", key.span, f"write `{name}: ` with nothing behind it"
                )
            )
        arguments = read_arguments(self.context, f"`{name}`", verb.parameters, given, names, key.span, body)
        return Call(key.span, name, arguments)

    def _report_call(self, body: Mapping, names: Scope) -> None:
        verbs = [entry for entry in body if entry.name in self.context.verbs]
        if len(verbs) == 1:
            self._called(verbs[0].name, body, names)
            return
        if verbs:
            self.context.add(problems.several_verbs([entry.key for entry in verbs]))
            return
        first = next(iter(body), None)
        at = first.key.span if first else body.span
        keys = {entry.name: entry.key.span for entry in body}
        self.context.add(problems.unknown_step(keys, at, [*self.context.verbs, *self.kernel]))

    def bind(self, node: Node, meaning: LocalName, names: Scope) -> tuple[str, Scope]:
        """Return a new local name and the names with it; report one that hides another or cannot be used."""
        word = node.text if isinstance(node, Scalar) else ""
        hidden = names.get(word)
        if not is_usable_name(word) or word in ("self", "owner"):
            self.context.add(problems.reserved_name(word, node.span))
        elif hidden is not None or self._is_global(word):
            self.context.add(problems.shadowed_name(word, node.span, hidden.span if hidden else None))
        return word, names.bind(word, evolve(meaning, span=node.span))

    def _is_global(self, word: str) -> bool:
        context = self.context
        return word in ("players", "seats") or f"table.{word}" in context.fields or context.plural(word) is not None

    def _set(self, body: Mapping, names: Scope) -> Read:
        target = read_target(self.context, _node(body, "set"), names)
        if target is None:
            return None, names
        value = read_expression(self.context, _node(body, "to"), names, target[1])
        return SetTo(body.key("set").span, target[0], value, flag(body, "up_to")), names

    def _add(self, body: Mapping, names: Scope) -> Read:
        verb, place, sign = ("add", "to", 1) if "add" in body else ("take", "from", -1)
        target = read_target(self.context, _node(body, place), names)
        wanted = target[1].of if target and isinstance(target[1], SetOf) else NUMBER
        if target and not isinstance(target[1], Number | SetOf | Unknown):
            self.context.add(
                problems.type_mismatch(NUMBER, target[1], str(_node(body, place).plain()), _node(body, place).span)
            )
        amount = read_expression(self.context, _node(body, verb), names, wanted)
        result = body.get("as")
        word = None
        if result is not None:
            word, names = self.bind(result, LocalName(NUMBER, "as"), names)
            if sign < 0 and target and isinstance(target[1], SetOf):
                text = quote(str(_node(body, place).plain()))
                message = f"`as` names by how much a number fell, and {text} is a set"
                self.context.add(problems.wrong_arguments(message, body.key("as").span, "leave out `as`"))
        if target is None:
            return None, names
        return AddTo(body.key(verb).span, target[0], amount, sign, word, flag(body, "up_to")), names

    def _let(self, body: Mapping, names: Scope) -> Read:
        value = read_expression(self.context, _node(body, "be"), names)
        type_: Type = NUMBER if isinstance(value.type, Number) else value.type
        meaning = LocalName(type_, "let", place=tracked_place(self.context, value), is_there=True)
        word, names = self.bind(_node(body, "let"), meaning, names)
        return Let(body.key("let").span, word, value), names

    def _if(self, body: Mapping, names: Scope) -> Read:
        test = _node(body, "if")
        condition = read_condition(self.context, test, names)
        then = self.body(body.get("then"), narrowed_by(self.context, test, names, truth=True))
        otherwise = self.body(body.get("else"), narrowed_by(self.context, test, names, truth=False))
        return If(body.key("if").span, condition, then, otherwise), names

    def _for(self, body: Mapping, names: Scope) -> Read:
        at = body.key("for").span
        items = self._items(_node(body, "in"), names)
        index = body.get("index")
        inner, index_word = names, None
        if index is not None:
            index_word, inner = self.bind(index, LocalName(NUMBER, "loop"), inner)
        word = _text(body, "for")
        if index_word is None and isinstance(item_of(items.type), HiddenPiece):
            index_word = f"{word}:index"
            inner = inner.bind(index_word, LocalName(NUMBER, "let"))
        meaning = LocalName(item_of(items.type), "loop", place=_item_place(items, index_word, at))
        word, inner = self.bind(_node(body, "for"), meaning, inner)
        where = body.get("where")
        condition = read_condition(self.context, where, inner) if where is not None else None
        if where is not None:
            inner = narrowed_by(self.context, where, inner, truth=True)
        orderer = body.get("ordered_by")
        by = read_expression(self.context, orderer, names, PLAYER) if orderer is not None else None
        steps = self.body(body.get("do"), inner)
        asks = worth_asking(self.context, word, item_of(items.type), steps, at) if by is not None else None
        address = self.context.own_address(f"{names.address}.{word}")
        return For(at, address, word, items, condition, index_word, steps, by, flag(body, "optional"), asks), names

    def _items(self, node: Node, names: Scope) -> Expression:
        items = read_expression(self.context, node, names)
        if not isinstance(items.type, ListOf | SetOf | Bag | Unknown):
            self.context.add(problems.type_mismatch("a collection", items.type, str(node.plain()), node.span))
            return Const(UNKNOWN, node.span, 0)
        return items

    def _repeat(self, body: Mapping, names: Scope) -> Read:
        count = read_expression(self.context, _node(body, "repeat"), names, NUMBER)
        return Repeat(body.key("repeat").span, count, self.body(body.get("do"), names)), names

    def _while(self, body: Mapping, names: Scope) -> Read:
        test = _node(body, "while")
        condition = read_condition(self.context, test, names)
        bound = body.get("at_most")
        if bound is None:
            self.context.add(
                problems.wrong_arguments(
                    "`while` needs `at_most`", body.key("while").span, "add `at_most: ...`, more than ever needed"
                )
            )
            return None, names
        most = read_expression(self.context, bound, names, NUMBER)
        inner = narrowed_by(self.context, test, names, truth=True)
        return While(body.key("while").span, condition, most, self.body(body.get("do"), inner)), names

    def _happen(self, body: Mapping, names: Scope) -> Read:
        word, at = _text(body, "happen"), body.key("happen").span
        event = self.context.events.get(word)
        if event is None:
            self.context.add(problems.unknown_name(word, _node(body, "happen").span, self.context.events, "event"))
            return None, names
        arguments = read_arguments(self.context, f"`{word}`", event.parameters, others(body, "happen"), names, at, body)
        return Happen(at, word, arguments), names  # type: ignore[arg-type]

    def _run(self, body: Mapping, names: Scope) -> Read:
        node, at = _node(body, "run"), body.key("run").span
        text = _text(body, "run")
        path, _, hook_word = text.rpartition(".")
        if not path:
            self.context.add(
                problems.wrong_arguments("`run` names a subject and its hook", node.span, "write `run: subject.hook`")
            )
            return None, names
        subject = read_expression(self.context, part_of_scalar(node, path), names)
        inner = present(subject.type)
        if isinstance(inner, Unknown):
            return None, names
        hook = self.context.hook_of(inner.kind, hook_word) if isinstance(inner, Member) else None
        if hook is None or hook.form != "steps":
            known = [each.name.split(".")[1] for each in self.context.hooks.values() if each.form == "steps"]
            self.context.add(problems.unknown_name(hook_word, node.span, known, "hook with steps"))
            return None, names
        arguments = read_arguments(
            self.context, f"`{hook_word}`", hook.parameters, others(body, "run"), names, at, body
        )
        return RunHook(at, hook.name, subject, arguments), names

    def _step(self, body: Mapping, names: Scope) -> Read:
        word, at = _text(body, "step"), body.key("step").span
        address = f"{names.address}.{word}"
        inner = names.inside(address)
        self.context.steps[address] = at
        return Step(at, address, word, self.body(body.get("do"), inner)), names

    def _stop(self, body: Mapping, names: Scope) -> Read:
        word, node = _text(body, "stop"), _node(body, "stop")
        found = next((each for each in reversed(names.steps) if each.rsplit(".", 1)[1] == word), None)
        if found is None:
            known = [each.rsplit(".", 1)[1] for each in names.steps]
            self.context.add(problems.unknown_name(word, node.span, known, "step around this one"))
            return None, names
        return Stop(body.key("stop").span, found), names

    def _leave(self, body: Mapping, names: Scope) -> Read:
        who = read_expression(self.context, _node(body, "leave_game"), names, PLAYER)
        return LeaveGame(body.key("leave_game").span, who), names

    def _end(self, body: Mapping, names: Scope) -> Read:
        return EndGame(body.key("end_game").span), names


def _bound(
    reader: BodyChecker, function: Callable[[BodyChecker, Mapping, Scope], Read]
) -> Callable[[Mapping, Scope], Read]:
    return lambda body, names: function(reader, body, names)


def _node(body: Mapping, key: str) -> Node:
    return body.get(key) or Scalar(body.span, None, "")


def _text(body: Mapping, key: str) -> str:
    node = body.get(key)
    return node.text if isinstance(node, Scalar) else ""


def flag(body: Mapping, key: str) -> bool:
    """Whether a key says `true`."""
    node = body.get(key)
    return isinstance(node, Scalar) and node.value is True


def part_of_scalar(node: Node, text: str) -> Scalar:
    """Return the beginning of a scalar as a scalar of its own."""
    assert isinstance(node, Scalar)
    shift = 1 if node.quoted else 0
    span = node.span if node.block else node.span.within(shift, shift + len(text))
    return Scalar(span, text, text)


def _item_place(items: Expression, index: str | None, at: Span) -> FieldPlace | None:
    if isinstance(items, FieldRead) and index is not None and isinstance(items.type, ListOf):
        return FieldPlace(at, items.field, items.at, Local(NUMBER, at, index))
    return None


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


def worth_asking(context: Context, word: str, item: Type, steps: Steps, at: Span) -> Expression | None:
    """Return which items of an ordered loop have anything to do, where the body only runs their hooks."""
    inner = present(item)
    if not isinstance(inner, Member) or isinstance(item, Maybe):
        return None
    hooks = [
        each.hook
        for each in steps
        if isinstance(each, RunHook) and isinstance(each.subject, Local) and each.subject.name == word
    ]
    if len(hooks) != len(steps):
        return None
    family = context.family(inner.kind)
    having = tuple(
        number
        for number, member in enumerate(family.members)
        if any(hook.split(".")[1] in context.member_bodies[family.name, member] for hook in hooks)
    )
    subject = Local(inner, at, word)
    return Operation(FLAG, at, "in", (subject, Const(ListOf(inner), at, having)))


def check_verb_names(reader: BodyChecker) -> None:
    """Report verbs and parameters that bear the name of a kernel verb."""
    for verb in reader.context.verbs.values():
        if verb.name in reader.kernel:
            reader.context.add(problems.reserved_name(verb.name, verb.span))
        for parameter in verb.parameters:
            if parameter.name in reader.kernel:
                reader.context.add(problems.reserved_name(parameter.name, parameter.span))


def read_verbs(reader: BodyChecker) -> dict[str, Verb]:
    """Return all verbs with their bodies."""
    found = {}
    for name, signature in reader.context.verbs.items():
        names = Scope(f"verb.{name}", parameter_names(signature.parameters), changed=changed_names(signature.body))
        body = signature.body.get("do") if isinstance(signature.body, Mapping) else None
        found[name] = Verb(name, signature.parameters, reader.body(body, names), signature.span)
    return found
