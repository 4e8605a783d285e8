"""Steps that move pieces, use chance or let somebody know: `move draw shuffle roll sort reveal`."""

from __future__ import annotations

from attrs import evolve

from aodrules.check import problems
from aodrules.check.context import Context, LocalName, Scope, StepReader
from aodrules.check.resolve.bodies import Read, bind_name, read_items
from aodrules.check.resolve.calls import is_never_empty
from aodrules.check.resolve.expressions import place_kind, read_expression, read_if_given, read_place
from aodrules.check.steps import Draw, FieldPlace, Move, PlaceReference, Reveal, Roll, Shuffle, Sort
from aodrules.lang.expressions import BuiltinCall, Const, Expression, Local
from aodrules.lang.types import (
    NUMBER,
    PLAYER,
    UNKNOWN,
    HiddenPiece,
    ListOf,
    Maybe,
    Member,
    Nothing,
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
from aodrules.source.spans import Span
from aodrules.syntax.tree import Mapping, Node, word_of


def read_move(scope: Scope, body: Mapping) -> Read:
    """Read a `move`."""
    context, at = scope.context, body.key("move").span
    source, target, kind = _places(scope, body)
    what, owner = _what(scope, body, kind)
    source = _pointed_at(source, what, scope)
    count = read_if_given(scope, body.get("count"), NUMBER)
    step = None
    if source is not None and target is not None and kind is not None:
        step = Move(at, _family(context, kind), what, owner, count, source, target, _position(scope, body))
        step = evolve(step, up_to=body.flag("up_to"))
        _check_fit(scope, step, kind)
    if "as" not in body:
        return step, scope
    is_piece = count is None and what is not None and source is not None and _holds_single(context, source)
    type_: Type = maybe(_piece_type(context, kind)) if is_piece and kind else NUMBER
    word, scope = bind_name(scope, body.need("as"), LocalName(type_, "as"))
    return (evolve(step, result=word, result_is_piece=is_piece) if step else None), scope


def _places(scope: Scope, body: Mapping) -> tuple[PlaceReference | None, PlaceReference | None, str | None]:
    """Read `from` and `to`; each may tell the kind that the other needs."""
    ends: dict[str, PlaceReference | None] = {"from": None, "to": None}
    kind: str | None = None
    for end in sorted(ends, key=lambda end: (body.word(end) == "out", end != "from")):
        node = body.get(end)
        if node is None:
            at = next(iter(body)).key.span
            scope.context.add(problems.wrong_arguments(f"`{end}` is missing", at, f"add `{end}: ...`"))
            continue
        ends[end] = read_place(scope, node, _family(scope.context, kind) if kind else None)
        if kind is None:
            kind = place_kind(scope, ends[end])
    source_kind = place_kind(scope, ends["from"])
    return ends["from"], ends["to"], source_kind or kind


def _family(context: Context, kind: str) -> str:
    return context.kinds[kind].family if kind in context.kinds else kind


def _what(scope: Scope, body: Mapping, kind: str | None) -> tuple[Expression | None, Expression | None]:
    context = scope.context
    node = body.need("move")
    owner = read_if_given(scope, body.get("of"), PLAYER)
    if word_of(node) == "all":
        return None, owner
    wanted: Type | None = PLAYER if kind == "player" else Member(_family(context, kind)) if kind else None
    what = _read_what(scope, node, wanted)
    inner = bare(what.type)
    if isinstance(inner, Nothing):
        context.add(problems.type_mismatch(f"a {kind or 'piece'}", what.type, str(node.plain()), node.span))
    if isinstance(inner, Unknown | Nothing) or kind is None:
        return Const(UNKNOWN, what.span, None), owner
    if not _is_piece_of(context, inner, kind):
        context.add(problems.type_mismatch(f"a {kind}", what.type, str(node.plain()), node.span))
    elif isinstance(inner, Member) and owner is None and context.has_owners(kind):
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
        and context.kinds[type_.kind].family == _family(context, kind)
    )


def _check_fit(scope: Scope, step: Move | Draw, kind: str) -> None:
    context = scope.context
    target = place_kind(scope, step.target)
    if target is None or _family(context, target) != _family(context, kind):
        context.add(problems.type_mismatch(f"a place of {kind}", Member(target or "?"), "this place", step.target.span))
        return
    if target == "player" or context.is_a(kind, target):
        return
    what = bare(step.what.type) if isinstance(step, Move) and step.what is not None else Member(kind)
    if isinstance(what, Member | Piece) and not context.is_a(what.kind, target):
        context.add(problems.type_mismatch(f"a place of {what.kind}", Member(target), "this place", step.target.span))


def _holds_single(context: Context, place: PlaceReference) -> bool:
    return isinstance(place, FieldPlace) and isinstance(context.fields[place.field].type, ListOf | Maybe)


def _piece_type(context: Context, kind: str) -> Type:
    if kind == "player":
        return PLAYER
    return Piece(kind) if context.has_owners(kind) else Member(kind)


def _position(scope: Scope, body: Mapping) -> Expression | None:
    node = body.get("position")
    if node is None or word_of(node) == "last":
        return None
    if word_of(node) == "first":
        return Const(NUMBER, node.span, 0)
    return read_expression(scope, node, NUMBER)


def read_draw(scope: Scope, body: Mapping) -> Read:
    """Read a `draw`."""
    context, at = scope.context, body.key("draw").span
    count = read_expression(scope, body.need("draw"), NUMBER)
    source, target, kind = _places(scope, body)
    owner = read_if_given(scope, body.get("of"), PLAYER)
    step = None
    if source is not None and target is not None and kind is not None:
        if owner is None and isinstance(source, FieldPlace) and None in source.at:
            context.add(problems.missing_owner(kind, at))
        step = Draw(
            at, _family(context, kind), count, owner, source, target, _position(scope, body), None, body.flag("up_to")
        )
        _check_fit(scope, step, kind)
    if "as" not in body:
        return step, scope
    word, scope = bind_name(scope, body.need("as"), LocalName(NUMBER, "as"))
    return (evolve(step, result=word) if step else None), scope


def _list_place(scope: Scope, node: Node) -> FieldPlace | None:
    place = read_place(scope, node)
    if (
        isinstance(place, FieldPlace)
        and isinstance(scope.context.fields[place.field].type, ListOf)
        and None not in place.at
    ):
        return place
    if place is not None:
        scope.context.add(problems.not_a_place(str(node.plain()), node.span, "a list is needed here"))
    return None


def read_shuffle(scope: Scope, body: Mapping) -> Read:
    """Read a `shuffle`."""
    place = _list_place(scope, body.need("shuffle"))
    return (Shuffle(body.key("shuffle").span, place) if place else None), scope


def read_sort(scope: Scope, body: Mapping) -> Read:
    """Read a `sort`; the item bears its kind's name, an owned piece too."""
    place = _list_place(scope, body.need("sort"))
    if place is None:
        return None, scope
    item = item_of(scope.context.fields[place.field].type)
    word = item.kind if isinstance(item, Member | Piece) else "player"
    inner = scope.bind(word, LocalName(item, "loop"))
    by = read_expression(inner, body.need("by"), NUMBER)
    return Sort(body.key("sort").span, place, word, by), scope


def read_roll(scope: Scope, body: Mapping) -> Read:
    """Read a `roll`."""
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


def read_reveal(scope: Scope, body: Mapping) -> Read:
    """Read a `reveal`: a name whose place is known, a name with `from`, or `all` with `from`."""
    context, node, at = scope.context, body.need("reveal"), body.key("reveal").span
    word = word_of(node)
    meaning = scope.get(word)
    place: PlaceReference | None = meaning.place if meaning else None
    if "from" in body:
        place = read_place(scope, body.need("from"))
    if meaning is None and word != "all":
        context.add(problems.unknown_name(word, node.span, scope.names, "name to reveal"))
        return None, scope
    if not isinstance(place, FieldPlace):
        context.add_unless_known(
            problems.wrong_arguments(f"it is not known where `{word}` lies", node.span, "add `from: ...`")
        )
        return None, scope
    what = Local(meaning.type, node.span, word) if meaning else None
    step = Reveal(at, what, place, _seats(scope, body, at))
    if meaning is not None:
        known = maybe(bare(meaning.type)) if isinstance(meaning.type, Maybe) else bare(meaning.type)
        scope = scope.bind(word, evolve(meaning, type=known))
    return step, scope


def _seats(scope: Scope, body: Mapping, at: Span) -> Expression | None:
    node = body.get("to")
    if node is None or word_of(node) == "all":
        return None
    found = read_expression(scope, node)
    if not isinstance(found.type, Player | SetOf | Unknown) or (
        isinstance(found.type, SetOf) and found.type.of != PLAYER
    ):
        scope.context.add(problems.type_mismatch("a player or set of players", found.type, str(node.plain()), at))
    return found


PIECE_STEPS: dict[str, StepReader] = {
    "move": read_move,
    "draw": read_draw,
    "shuffle": read_shuffle,
    "sort": read_sort,
    "roll": read_roll,
    "reveal": read_reveal,
}
