"""Steps that move pieces, use chance or let somebody know: `move draw shuffle roll sort reveal`."""

from __future__ import annotations

from attrs import evolve

from aodrules.check import problems
from aodrules.check.context import Context, LocalName, Scope
from aodrules.check.resolve.bodies import BodyChecker, Read, StepReader
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
    item_of,
    maybe,
    present,
)
from aodrules.source.spans import Span
from aodrules.syntax.tree import Mapping, Node, word_of


def read_move(reader: BodyChecker, body: Mapping, names: Scope) -> Read:
    """Read a `move`."""
    context, at = reader.context, body.key("move").span
    source, target, kind = _places(context, body, names)
    what, owner = _what(context, body, names, kind)
    source = _pointed_at(source, what, names)
    count = read_if_given(context, body.get("count"), names, NUMBER)
    step = None
    if source is not None and target is not None and kind is not None:
        step = Move(at, _family(context, kind), what, owner, count, source, target, _position(context, body, names))
        step = evolve(step, up_to=body.flag("up_to"))
        _check_fit(context, step, kind, names)
    if "as" not in body:
        return step, names
    is_piece = count is None and what is not None and source is not None and _holds_single(context, source)
    type_: Type = maybe(_piece_type(context, kind)) if is_piece and kind else NUMBER
    word, names = reader.bind(body.need("as"), LocalName(type_, "as"), names)
    return (evolve(step, result=word, result_is_piece=is_piece) if step else None), names


def _places(
    context: Context, body: Mapping, names: Scope
) -> tuple[PlaceReference | None, PlaceReference | None, str | None]:
    """Read `from` and `to`; each may tell the kind that the other needs."""
    ends: dict[str, PlaceReference | None] = {"from": None, "to": None}
    kind: str | None = None
    for end in sorted(ends, key=lambda end: (body.word(end) == "out", end != "from")):
        node = body.get(end)
        if node is None:
            context.add(problems.wrong_arguments(f"`{end}` is missing", next(iter(body)).key.span, f"add `{end}: ...`"))
            continue
        ends[end] = read_place(context, node, names, _family(context, kind) if kind else None)
        if kind is None:
            kind = place_kind(context, ends[end], names)
    source_kind = place_kind(context, ends["from"], names)
    return ends["from"], ends["to"], source_kind or kind


def _family(context: Context, kind: str) -> str:
    return context.kinds[kind].family if kind in context.kinds else kind


def _what(
    context: Context, body: Mapping, names: Scope, kind: str | None
) -> tuple[Expression | None, Expression | None]:
    node = body.need("move")
    owner = read_if_given(context, body.get("of"), names, PLAYER)
    if word_of(node) == "all":
        return None, owner
    wanted: Type | None = PLAYER if kind == "player" else Member(_family(context, kind)) if kind else None
    what = _read_what(context, node, names, wanted)
    inner = open_type(what.type)
    if isinstance(inner, Nothing):
        context.add(problems.type_mismatch(f"a {kind or 'piece'}", what.type, str(node.plain()), node.span))
    if isinstance(inner, Unknown | Nothing) or kind is None:
        return Const(UNKNOWN, what.span, None), owner
    if not _is_piece_of(context, inner, kind):
        context.add(problems.type_mismatch(f"a {kind}", what.type, str(node.plain()), node.span))
    elif isinstance(inner, Member) and owner is None and context.has_owners(kind):
        context.add(problems.missing_owner(str(node.plain()), node.span))
    return what, owner


def _pointed_at(source: PlaceReference | None, what: Expression | None, names: Scope) -> PlaceReference | None:
    """Return the position in a list at which a hidden piece surely lies, if its name was read from there.

    Another copy of the piece would do as well, but who knows that copy would see it go.
    """
    name = names.get(what.name) if isinstance(what, Local) and isinstance(present(what.type), HiddenPiece) else None
    place = name.place if name is not None and name.is_there else None
    if place is None or not isinstance(place.index, Const) or not isinstance(source, FieldPlace):
        return source
    one, other = ([_fixed(index) for index in each.at] for each in (place, source))
    is_same = place.field == source.field and one == other and None not in one
    return evolve(source, index=place.index) if is_same and source.index is None else source


def _fixed(expression: Expression | None) -> object:
    """Return what an index plainly is; nothing if it must be computed."""
    return expression.name if isinstance(expression, Local) else getattr(expression, "value", None)


def _read_what(context: Context, node: Node, names: Scope, wanted: Type | None) -> Expression:
    """Read what is moved: a word is looked for among the members of the kind, anything else may have any type."""
    is_member = word_of(node).isidentifier() and names.get(word_of(node)) is None
    return read_expression(context, node, names, maybe(wanted) if is_member and wanted is not None else None)


def open_type(type_: Type) -> Type:
    """Return a type without `maybe` and `hidden`."""
    inner = present(type_)
    return inner.of if isinstance(inner, HiddenPiece) else inner


def _is_piece_of(context: Context, type_: Type, kind: str) -> bool:
    if isinstance(type_, Player):
        return kind == "player"
    return (
        isinstance(type_, Member | Piece)
        and kind in context.kinds
        and context.kinds[type_.kind].family == _family(context, kind)
    )


def _check_fit(context: Context, step: Move | Draw, kind: str, names: Scope) -> None:
    target = place_kind(context, step.target, names)
    if target is None or _family(context, target) != _family(context, kind):
        context.add(problems.type_mismatch(f"a place of {kind}", Member(target or "?"), "this place", step.target.span))
        return
    if target == "player" or context.is_a(kind, target):
        return
    what = open_type(step.what.type) if isinstance(step, Move) and step.what is not None else Member(kind)
    if isinstance(what, Member | Piece) and not context.is_a(what.kind, target):
        context.add(problems.type_mismatch(f"a place of {what.kind}", Member(target), "this place", step.target.span))


def _holds_single(context: Context, place: PlaceReference) -> bool:
    return isinstance(place, FieldPlace) and isinstance(context.fields[place.field].type, ListOf | Maybe)


def _piece_type(context: Context, kind: str) -> Type:
    if kind == "player":
        return PLAYER
    return Piece(kind) if context.has_owners(kind) else Member(kind)


def _position(context: Context, body: Mapping, names: Scope) -> Expression | None:
    node = body.get("position")
    if node is None or word_of(node) == "last":
        return None
    if word_of(node) == "first":
        return Const(NUMBER, node.span, 0)
    return read_expression(context, node, names, NUMBER)


def read_draw(reader: BodyChecker, body: Mapping, names: Scope) -> Read:
    """Read a `draw`."""
    context, at = reader.context, body.key("draw").span
    count = read_expression(context, body.need("draw"), names, NUMBER)
    source, target, kind = _places(context, body, names)
    owner = read_if_given(context, body.get("of"), names, PLAYER)
    step = None
    if source is not None and target is not None and kind is not None:
        if owner is None and isinstance(source, FieldPlace) and None in source.at:
            context.add(problems.missing_owner(kind, at))
        step = Draw(
            at,
            _family(context, kind),
            count,
            owner,
            source,
            target,
            _position(context, body, names),
            None,
            body.flag("up_to"),
        )
        _check_fit(context, step, kind, names)
    if "as" not in body:
        return step, names
    word, names = reader.bind(body.need("as"), LocalName(NUMBER, "as"), names)
    return (evolve(step, result=word) if step else None), names


def _list_place(context: Context, node: Node, names: Scope) -> FieldPlace | None:
    place = read_place(context, node, names)
    if isinstance(place, FieldPlace) and isinstance(context.fields[place.field].type, ListOf) and None not in place.at:
        return place
    if place is not None:
        context.add(problems.not_a_place(str(node.plain()), node.span, "a list is needed here"))
    return None


def read_shuffle(reader: BodyChecker, body: Mapping, names: Scope) -> Read:
    """Read a `shuffle`."""
    place = _list_place(reader.context, body.need("shuffle"), names)
    return (Shuffle(body.key("shuffle").span, place) if place else None), names


def read_sort(reader: BodyChecker, body: Mapping, names: Scope) -> Read:
    """Read a `sort`; the item bears its kind's name, an owned piece too."""
    place = _list_place(reader.context, body.need("sort"), names)
    if place is None:
        return None, names
    item = item_of(reader.context.fields[place.field].type)
    word = item.kind if isinstance(item, Member | Piece) else "player"
    inner = names.bind(word, LocalName(item, "loop"))
    by = read_expression(reader.context, body.need("by"), inner, NUMBER)
    return Sort(body.key("sort").span, place, word, by), names


def read_roll(reader: BodyChecker, body: Mapping, names: Scope) -> Read:
    """Read a `roll`."""
    items = reader.read_items(body.need("roll"), names)
    item = item_of(items.type)
    type_ = item if _is_surely_filled(items) else maybe(item)
    word, names = reader.bind(body.need("as"), LocalName(type_, "as"), names)
    return Roll(body.key("roll").span, items, word), names


def _is_surely_filled(items: Expression) -> bool:
    if isinstance(items, BuiltinCall) and items.builtin == "range":
        ends = [each.value for each in items.arguments if isinstance(each, Const)]
        return len(ends) == 2 and int(ends[0] or 0) < int(ends[1] or 0)  # type: ignore[arg-type]
    return is_never_empty(items)


def read_reveal(reader: BodyChecker, body: Mapping, names: Scope) -> Read:
    """Read a `reveal`: a name whose place is known, a name with `from`, or `all` with `from`."""
    context, node, at = reader.context, body.need("reveal"), body.key("reveal").span
    word = word_of(node)
    meaning = names.get(word)
    place: PlaceReference | None = meaning.place if meaning else None
    if "from" in body:
        place = read_place(context, body.need("from"), names)
    if meaning is None and word != "all":
        context.add(problems.unknown_name(word, node.span, names.names, "name to reveal"))
        return None, names
    if not isinstance(place, FieldPlace):
        context.add_unless_known(
            problems.wrong_arguments(f"it is not known where `{word}` lies", node.span, "add `from: ...`")
        )
        return None, names
    what = Local(meaning.type, node.span, word) if meaning else None
    step = Reveal(at, what, place, _seats(context, body, names, at))
    if meaning is not None:
        names = names.bind(word, evolve(meaning, type=_plain(meaning.type)))
    return step, names


def _plain(type_: Type) -> Type:
    inner = open_type(type_)
    return maybe(inner) if isinstance(type_, Maybe) else inner


def _seats(context: Context, body: Mapping, names: Scope, at: Span) -> Expression | None:
    node = body.get("to")
    if node is None or word_of(node) == "all":
        return None
    found = read_expression(context, node, names)
    if not isinstance(found.type, Player | SetOf | Unknown) or (
        isinstance(found.type, SetOf) and found.type.of != PLAYER
    ):
        context.add(problems.type_mismatch("a player or set of players", found.type, str(node.plain()), at))
    return found


PIECE_STEPS: dict[str, StepReader] = {
    "move": read_move,
    "draw": read_draw,
    "shuffle": read_shuffle,
    "sort": read_sort,
    "roll": read_roll,
    "reveal": read_reveal,
}
