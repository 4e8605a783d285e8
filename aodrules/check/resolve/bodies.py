"""Bodies: lists of steps, read one after another with the names each adds for the next; and what each verb reads."""

from __future__ import annotations

from typing import TypeAlias

from attrs import evolve

from aodrules.check import problems
from aodrules.check.checked import Verb
from aodrules.check.context import Context, LocalName, Scope, StepReader
from aodrules.check.resolve.calls import is_never_empty
from aodrules.check.resolve.expressions import (
    find_named,
    is_of_players,
    narrowed_by,
    place_kind,
    read_expression,
    read_if_given,
    read_place,
    read_target,
    tracked_place,
)
from aodrules.check.resolve.parameters import parameter_names, read_arguments
from aodrules.check.steps import (
    AddTo,
    AnyStep,
    Call,
    Draw,
    EndGame,
    FieldPlace,
    For,
    Happen,
    If,
    LeaveGame,
    Let,
    Move,
    PlaceReference,
    Repeat,
    Reveal,
    Roll,
    RunHook,
    SetTo,
    Shuffle,
    Sort,
    Step,
    Steps,
    Stop,
    While,
)
from aodrules.lang.expressions import BuiltinCall, Const, Expression, FieldRead, Local, Operation
from aodrules.lang.parsing import is_usable_name
from aodrules.lang.types import (
    FLAG,
    NUMBER,
    PLAYER,
    UNKNOWN,
    Bag,
    Flag,
    HiddenPiece,
    ListOf,
    Maybe,
    Member,
    Nothing,
    Number,
    Owner,
    Piece,
    Player,
    SetOf,
    Type,
    Unknown,
    bare,
    item_of,
    maybe,
    present,
)
from aodrules.source.diagnostics import Diagnostic
from aodrules.source.spans import Span
from aodrules.source.wording import quote
from aodrules.syntax.tree import Entry, Mapping, Node, Scalar, Sequence, walk, word_of

Read: TypeAlias = tuple[AnyStep | Steps | None, Scope]
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
            steps += step if isinstance(step, tuple) else (step,)
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
    return Call(node.span, word, read_arguments(scope, word, verbs[word].parameters, Mapping(node.span), node.span))


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
    given = body.without(name)
    main = next((each.name for each in verb.parameters if each.main), None)
    is_empty = isinstance(value, Scalar) and value.is_empty
    if main is not None and value is not None and not is_empty:
        given = Mapping(body.span, {**given.entries, main: Entry.of(main, value)})
    elif main is None and not is_empty:
        help_ = f"write `{name}: ` with nothing behind it"
        scope.context.add(problems.wrong_arguments(f"`{name}` has no main argument", key.span, help_))
    return Call(key.span, name, read_arguments(scope, name, verb.parameters, given, key.span))


def bind_name(scope: Scope, node: Node, meaning: LocalName) -> tuple[str, Scope]:
    """Return a new local name and the names with it; report one that hides another or cannot be used."""
    name = word_of(node)
    hidden = scope.get(name)
    if not is_usable_name(name) or name == "self":
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
    wanted: Type = target[1].of if target and isinstance(target[1], SetOf) else NUMBER
    if target and isinstance(target[1], Unknown):
        wanted = target[1]  # What it is was not understood, and is told there.
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
    if by is not None and isinstance(item, SetOf):
        message = "groups come in their order, and nobody is asked for another"
        context.add(problems.wrong_declaration(message, by.span))
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
    address = scope.context.own_address(f"{scope.address}.repeat")
    return Repeat(body.key("repeat").span, count, read_body(scope, body.get("do")), address), scope


def _read_while(scope: Scope, body: Mapping) -> Read:
    test, at = body.need("while"), body.key("while").span
    condition = read_expression(scope, test, FLAG)
    bound, used = body.get("at_most"), body.get("uses_up")
    if bound is not None and used is not None:
        help_ = "leave out one of them; a number that is used up bounds the loop by itself"
        at = body.key("uses_up").span
        scope.context.add(problems.wrong_arguments("`while` has `at_most` or `uses_up`, not both", at, help_))
    number = bound or used
    if number is None:
        help_ = "add `uses_up: ...`, a number that each round lowers, or `at_most: ...`, more than ever needed"
        scope.context.add(problems.wrong_arguments("`while` needs `at_most` or `uses_up`", at, help_))
        return None, scope
    most = read_expression(scope, number, NUMBER)
    inner = narrowed_by(scope, test, truth=True)
    return While(at, condition, most, read_body(inner, body.get("do")), uses_up=bound is None), scope


def _read_happen(scope: Scope, body: Mapping) -> Read:
    name, at = body.word("happen"), body.key("happen").span
    event = find_named(scope.context, body.need("happen"), scope.context.events, "event")
    if event is None:
        return None, scope
    arguments = read_arguments(scope, name, event.parameters, body.without("happen"), at)
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
    arguments = read_arguments(scope, name, hook.parameters, body.without("run"), at)
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


# Steps that move pieces, use chance or let somebody know.


def read_move(scope: Scope, body: Mapping) -> Read:
    """Read a `move`."""
    context, at = scope.context, body.key("move").span
    source, target, kind = read_ends(scope, body)
    what, owner = _what(scope, body, kind, source)
    source = _pointed_at(source, what, scope)
    count = read_if_given(scope, body.get("count"), NUMBER)
    step = None
    if source is not None and target is not None and kind is not None:
        step = Move(at, family_name(context, kind), what, owner, count, source, target, read_position(scope, body))
        step = evolve(step, up_to=body.flag("up_to"))
        check_fit(scope, step, kind)
        check_taker(scope, step, body)
        check_whose(scope, step)
    if "as" not in body:
        return step, scope
    is_piece = count is None and what is not None and source is not None and _holds_single(context, source)
    type_ = maybe(_piece_type(context, kind)) if is_piece and kind else NUMBER
    word, scope = bind_name(scope, body.need("as"), LocalName(type_, "as"))
    return (evolve(step, result=word, result_is_piece=is_piece) if step else None), scope


def read_ends(scope: Scope, body: Mapping) -> tuple[PlaceReference | None, PlaceReference | None, str | None]:
    """Read `from` and `to`; each may tell the kind that the other needs."""
    ends: dict[str, PlaceReference | None] = {"from": None, "to": None}
    kind: str | None = None
    for end in sorted(ends, key=lambda end: (body.word(end) == "out", end != "from")):
        node = body.get(end)
        if node is None:
            at = next(iter(body)).key.span
            scope.context.add(problems.wrong_arguments(f"`{end}` is missing", at, f"add `{end}: ...`"))
            continue
        ends[end] = read_place(scope, node, family_name(scope.context, kind) if kind else None)
        if kind is None:
            kind = place_kind(scope, ends[end])
    source_kind = place_kind(scope, ends["from"])
    return ends["from"], ends["to"], source_kind or kind


def family_name(context: Context, kind: str) -> str:
    """Return the family of a kind; players are their own."""
    return context.kinds[kind].family if kind in context.kinds else kind


def _what(
    scope: Scope, body: Mapping, kind: str | None, source: PlaceReference | None
) -> tuple[Expression | None, Expression | None]:
    context = scope.context
    node = body.need("move")
    owner = read_if_given(scope, body.get("of"), context.owner_of(kind or ""))
    if word_of(node) == "all":
        return None, owner
    wanted: Type | None = PLAYER if kind == "player" else Member(family_name(context, kind)) if kind else None
    what = _read_what(scope, node, wanted)
    inner = bare(what.type)
    if isinstance(inner, Nothing):
        context.add(problems.type_mismatch(f"a {kind or 'piece'}", what.type, str(node.plain()), node.span))
    if isinstance(inner, Unknown | Nothing) or kind is None:
        return Const(UNKNOWN, what.span, None), owner
    if not _is_piece_of(context, inner, kind):
        context.add(problems.type_mismatch(f"a {kind}", what.type, str(node.plain()), node.span))
    elif isinstance(inner, Member) and owner is None and context.has_owners(kind) and not is_stock(context, source):
        context.add(problems.missing_owner(str(node.plain()), node.span))
    return what, owner


def _pointed_at(source: PlaceReference | None, what: Expression | None, scope: Scope) -> PlaceReference | None:
    """Return the position in a list at which a hidden piece surely lies, if its name was read from there.

    Another copy of the piece would do as well, but who knows that copy would see it go.
    """
    name = scope.get(what.name) if isinstance(what, Local) and isinstance(present(what.type), HiddenPiece) else None
    place = name.place if name is not None and name.is_there else None
    if place is None or not isinstance(place.index, Const) or not isinstance(source, FieldPlace):
        return source
    one, other = ([_fixed(index) for index in each.at] for each in (place, source))
    is_same = place.field == source.field and one == other and None not in one
    return evolve(source, index=place.index) if is_same and source.index is None else source


def _fixed(expression: Expression | None) -> object:
    """Return what an index plainly is; nothing if it must be computed."""
    return expression.name if isinstance(expression, Local) else getattr(expression, "value", None)


def _read_what(scope: Scope, node: Node, wanted: Type | None) -> Expression:
    """Read what is moved: a word is looked for among the members of the kind, anything else may have any type."""
    is_member = word_of(node).isidentifier() and scope.get(word_of(node)) is None
    return read_expression(scope, node, maybe(wanted) if is_member and wanted is not None else None)


def _is_piece_of(context: Context, type_: Type, kind: str) -> bool:
    if isinstance(type_, Player):
        return kind == "player"
    return (
        isinstance(type_, Member | Piece)
        and kind in context.kinds
        and context.kinds[type_.kind].family == family_name(context, kind)
    )


def check_fit(scope: Scope, step: Move | Draw, kind: str) -> None:
    """Report pieces that come to a place of other pieces."""
    context = scope.context
    target = place_kind(scope, step.target)
    if target is None or family_name(context, target) != family_name(context, kind):
        context.add(problems.type_mismatch(f"a place of {kind}", Member(target or "?"), "this place", step.target.span))
        return
    if target == "player" or context.is_a(kind, target):
        return
    what = _sort_of(context, step.what) if isinstance(step, Move) and step.what is not None else Member(kind)
    if isinstance(what, Member | Piece) and not context.is_a(what.kind, target):
        context.add(problems.type_mismatch(f"a place of {what.kind}", Member(target), "this place", step.target.span))


def _sort_of(context: Context, what: Expression) -> Type:
    """Return the type of what is moved; of a member that is written down, the narrower kind it is of."""
    of = bare(what.type)
    if isinstance(of, Member) and isinstance(what, Const) and isinstance(what.value, int):
        family = context.family(of.kind)
        return Member(context.member_kinds[family.name, family.members[what.value]])
    return of


def is_stock(context: Context, place: PlaceReference | None) -> bool:
    """Whether pieces in a place are nobody's until they are taken."""
    return isinstance(place, FieldPlace) and context.fields[place.field].is_stock


def check_taker(scope: Scope, step: Move | Draw, body: Mapping) -> None:
    """Report pieces out of a common stock that nobody takes, or that are said to be somebody's there."""
    context, what = scope.context, step.what if isinstance(step, Move) else None
    if not is_stock(context, step.source):
        return
    if what is not None and isinstance(bare(what.type), Piece):
        message = "what lies in a common stock is nobody's: a member is named, and with `of` who takes it"
        context.add(problems.wrong_arguments(message, what.span, None))
    elif step.owner is None and not is_stock(context, step.target):
        context.add(problems.missing_owner(str(body.need("from").plain()), step.span, is_stock=True))
    elif step.owner is not None and is_stock(context, step.target):
        message = "nobody takes what goes from one common stock to another"
        context.add(problems.wrong_arguments(message, body.key("of").span, "leave out `of`"))


def check_whose(scope: Scope, step: Move | Draw) -> None:
    """Report pieces that may be a side's where only players have a part of a place."""
    context, what = scope.context, step.what if isinstance(step, Move) else None
    ends = [end for end in (step.source, step.target) if is_of_players(context, end)]
    is_piece = what is not None and isinstance(bare(what.type), Piece)
    if is_piece or step.owner is None:
        is_safe = not is_piece and step.source in ends  # all that lies there is some player's
    else:
        is_safe = not isinstance(step.owner.type, Owner)
    if ends and not is_safe:
        context.add(problems.place_of_players(_name_of(ends[0]), ends[0].span))


def _name_of(place: PlaceReference) -> str:
    return place.field.rpartition(".")[2] if isinstance(place, FieldPlace) else place.name


def _holds_single(context: Context, place: PlaceReference) -> bool:
    return isinstance(place, FieldPlace) and isinstance(context.fields[place.field].type, ListOf | Maybe)


def _piece_type(context: Context, kind: str) -> Type:
    if kind == "player":
        return PLAYER
    return Piece(kind) if context.has_owners(kind) else Member(kind)


def read_position(scope: Scope, body: Mapping) -> Expression | None:
    """Return where in a list pieces are put; nothing for the end."""
    node = body.get("position")
    if node is None or word_of(node) == "last":
        return None
    if word_of(node) == "first":
        return Const(NUMBER, node.span, 0)
    return read_expression(scope, node, NUMBER)


def read_draw(scope: Scope, body: Mapping) -> Read:
    """Read a `draw` out of one place."""
    context, at = scope.context, body.key("draw").span
    count = read_expression(scope, body.need("draw"), NUMBER)
    source, target, kind = read_ends(scope, body)
    owner = read_if_given(scope, body.get("of"), context.owner_of(kind or ""))
    step = None
    if source is not None and target is not None and kind is not None:
        if owner is None and isinstance(source, FieldPlace) and None in source.at:
            context.add(problems.missing_owner(kind, at))
        position = read_position(scope, body)
        step = Draw(at, family_name(context, kind), count, owner, source, target, position, None, body.flag("up_to"))
        check_fit(scope, step, kind)
        check_taker(scope, step, body)
        check_whose(scope, step)
    if "as" not in body:
        return step, scope
    word, scope = bind_name(scope, body.need("as"), LocalName(NUMBER, "as"))
    return (evolve(step, result=word) if step else None), scope


def _list_place(scope: Scope, node: Node) -> FieldPlace | None:
    place, fields = read_place(scope, node), scope.context.fields
    if isinstance(place, FieldPlace) and isinstance(fields[place.field].type, ListOf) and None not in place.at:
        return place
    if place is not None:
        scope.context.add(problems.not_a_place(str(node.plain()), node.span, "a list is needed here"))
    return None


def _read_shuffle(scope: Scope, body: Mapping) -> Read:
    place = _list_place(scope, body.need("shuffle"))
    return (Shuffle(body.key("shuffle").span, place) if place else None), scope


def _read_sort(scope: Scope, body: Mapping) -> Read:
    # The item bears its kind's name, an owned piece too.
    place = _list_place(scope, body.need("sort"))
    if place is None:
        return None, scope
    item = item_of(scope.context.fields[place.field].type)
    word = item.kind if isinstance(item, Member | Piece) else "player"
    inner = scope.bind(word, LocalName(item, "loop"))
    by = read_expression(inner, body.need("by"), NUMBER)
    return Sort(body.key("sort").span, place, word, by), scope


def _read_roll(scope: Scope, body: Mapping) -> Read:
    items = read_items(scope, body.need("roll"))
    item = item_of(items.type)
    type_ = item if _is_surely_filled(items) else maybe(item)
    word, scope = bind_name(scope, body.need("as"), LocalName(type_, "as"))
    return Roll(body.key("roll").span, items, word), scope


def _is_surely_filled(items: Expression) -> bool:
    if isinstance(items, BuiltinCall) and items.builtin == "range":
        ends = [each.value for each in items.arguments if isinstance(each, Const)]
        return len(ends) == 2 and int(ends[0] or 0) < int(ends[1] or 0)  # type: ignore[arg-type]
    return is_never_empty(items)


def _read_reveal(scope: Scope, body: Mapping) -> Read:
    """Read a name whose place is known, a name with `from`, `all` with `from`, or an expression with `as`."""
    context, node, at = scope.context, body.need("reveal"), body.key("reveal").span
    if "as" in body:
        return _read_told(scope, body)
    word = word_of(node)
    meaning = scope.get(word)
    place: PlaceReference | None = meaning.place if meaning else None
    if "from" in body:
        place = read_place(scope, body.need("from"))
    if meaning is None and word != "all":
        if not is_usable_name(word):
            message = f"{quote(word)} is no name: what an expression comes to is told under a new one"
            context.add(problems.wrong_arguments(message, node.span, "add `as: NAME`"))
        else:
            context.add(problems.unknown_name(word, node.span, scope.names, "name to reveal"))
        return None, scope
    if not isinstance(place, FieldPlace):
        context.add_unless_known(_unplaced(context, word, meaning, node.span))
        return None, scope
    what = Local(meaning.type, node.span, word) if meaning else None
    step = Reveal(at, what, place, _seats(scope, body, at))
    if meaning is not None:
        known = maybe(bare(meaning.type)) if isinstance(meaning.type, Maybe) else bare(meaning.type)
        scope = scope.bind(word, evolve(meaning, type=known))
    return step, scope


def _unplaced(context: Context, word: str, meaning: LocalName | None, at: Span) -> Diagnostic:
    """Return the problem of a name that lies nowhere, or of `all` without a place."""
    of = bare(meaning.type) if meaning is not None else UNKNOWN
    is_no_piece = isinstance(of, Number | Flag | Player | Owner | SetOf)
    if isinstance(of, Member) and of.kind in context.kinds:
        is_no_piece = context.family(of.kind).pieces is None
    if is_no_piece:
        return problems.wrong_arguments(f"`{word}` is no piece", at, "`as: NAME` tells everybody what it is")
    return problems.wrong_arguments(f"it is not known where `{word}` lies", at, "add `from: ...`")


def _read_told(scope: Scope, body: Mapping) -> Read:
    """Read an expression of which everybody learns what it comes to."""
    node, at = body.need("reveal"), body.key("reveal").span
    for key in ("from", "to"):
        if key in body:
            message = f"`{key}` does not go with `as`: everybody learns what the expression comes to"
            scope.context.add(problems.wrong_arguments(message, body.key(key).span, f"leave out `{key}`"))
    value = read_expression(scope, node)
    simple = (Number, Flag, Member, Player, Owner, Piece)
    item = value.type.of if isinstance(value.type, Maybe | SetOf) else value.type
    if not isinstance(item, (*simple, Unknown)):
        wanted = "a number, flag, member or player, none, or a set"
        scope.context.add(problems.type_mismatch(wanted, value.type, str(node.plain()), node.span))
    type_: Type = NUMBER if isinstance(value.type, Number) else value.type
    name, scope = bind_name(scope, body.need("as"), LocalName(type_, "let", is_there=True))
    return Let(at, name, value, told=True), scope


def _seats(scope: Scope, body: Mapping, at: Span) -> Expression | None:
    node = body.get("to")
    if node is None or word_of(node) == "all":
        return None
    found = read_expression(scope, node)
    if found.type not in (PLAYER, SetOf(PLAYER), UNKNOWN):
        scope.context.add(problems.type_mismatch("a player or set of players", found.type, str(node.plain()), at))
    return found


STEPS: dict[str, StepReader] = {
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
    "move": read_move,
    "draw": read_draw,
    "shuffle": _read_shuffle,
    "sort": _read_sort,
    "roll": _read_roll,
    "reveal": _read_reveal,
}
"""The verbs of the language but `choose`, which is read with decisions."""


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
