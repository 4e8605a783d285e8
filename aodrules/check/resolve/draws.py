"""Pieces drawn by chance out of several places at once: `draw` with `among` as a roll over all that lies there.

    draw: n                             repeat: n
    from: PLACE over x                    roll: all pieces in all places, as: spot
    among: {x: ITEMS}         ->          for: x, in: ITEMS
    to: TO                                  if: spot is in this place
                                            then: draw that piece
                                            set: spot, to: spot - as many as lie there

The roll chooses a place as often as pieces lie there, so that every piece is equally likely.
"""

from __future__ import annotations

from aodrules.check import problems
from aodrules.check.checked import Field
from aodrules.check.context import LocalName, Scope
from aodrules.check.resolve.bodies import (
    Read,
    bind_name,
    check_fit,
    check_taker,
    check_whose,
    family_name,
    read_draw,
    read_ends,
    read_items,
    read_position,
)
from aodrules.check.resolve.expressions import read_expression, read_if_given
from aodrules.check.steps import (
    Draw,
    FieldPlace,
    For,
    If,
    Let,
    LocalTarget,
    Move,
    Repeat,
    Roll,
    SetTo,
    Shuffle,
    Steps,
)
from aodrules.check.visit import walk
from aodrules.lang.expressions import BuiltinCall, Comprehension, Const, Expression, FieldRead, Local, Loop, Operation
from aodrules.lang.types import FLAG, NUMBER, Bag, ListOf, item_of, maybe
from aodrules.source.spans import Span
from aodrules.syntax.tree import Mapping


def read_any_draw(scope: Scope, body: Mapping) -> Read:
    """Read a `draw` out of one place, or with `among` out of several."""
    return _read_among(scope, body) if "among" in body else read_draw(scope, body)


def _read_among(scope: Scope, body: Mapping) -> Read:
    context, span = scope.context, body.key("draw").span
    count = read_expression(scope, body.need("draw"), NUMBER)
    inner, loops = scope, []
    for entry in body.mapping("among"):
        items = read_items(inner, entry.value)
        name, inner = bind_name(inner, entry.key, LocalName(item_of(items.type), "loop"))
        loops.append(Loop(name, item_of(items.type), items, ()))
    source, target, kind = read_ends(inner, body)
    owner = read_if_given(inner, body.get("of"), context.owner_of(kind or ""))
    if "as" in body:
        message = "a draw out of several places gives no number"
        context.add(problems.wrong_arguments(message, body.key("as").span, "leave out `as`"))
    if source is None or target is None or kind is None:
        return None, scope
    field = context.fields[source.field] if isinstance(source, FieldPlace) else None
    if field is None or not isinstance(source, FieldPlace) or not isinstance(field.type, Bag | ListOf):
        node = body.need("from")
        context.add(problems.not_a_place(str(node.plain()), node.span, "a list or a bag is needed here"))
        return None, scope
    if owner is None and None in source.at:
        context.add(problems.missing_owner(kind, span))
        return None, scope
    _check_names_used(scope, body, source, owner)
    family, position = family_name(context, kind), read_position(inner, body)
    draw = Draw(span, family, _number(span, 1), owner, source, target, position, None, body.flag("up_to"))
    check_fit(inner, draw, kind)
    check_taker(inner, draw, body)
    check_whose(inner, draw)
    word = context.own_address(f"{scope.address}.draw")
    once = _draw_one(draw, field, loops, word)
    is_one = isinstance(count, Const) and count.value == 1
    return (once if is_one else Repeat(span, count, once)), scope


def _check_names_used(scope: Scope, body: Mapping, source: FieldPlace, owner: Expression | None) -> None:
    """Report a name of `among` that no place depends on: each piece would lie in several of them."""
    parts = [part for part in (*source.at, owner) if part is not None]
    read = {each.name for part in parts for each in walk(part) if isinstance(each, Local)}
    for entry in body.mapping("among"):
        if entry.name not in read and not scope.context.report.has_errors:
            message = f"`from` is the same place for every `{entry.name}`"
            cure = f"let `from` say whose place it is, or leave out `{entry.name}`"
            scope.context.add(problems.wrong_arguments(message, entry.key.span, cure))


def _draw_one(draw: Draw, field: Field, loops: list[Loop], word: str) -> Steps:
    """Return the steps that draw one piece of all that lie in the places."""
    span, source = draw.span, draw.source
    assert isinstance(source, FieldPlace)  # others were refused
    rolled, spot, size = (f"{word}:{part}" for part in ("rolled", "spot", "size"))
    at = tuple(draw.owner if each is None else each for each in source.at)
    held = FieldRead(field.type, span, field.name, at)  # type: ignore[arg-type]  # whose part is always said
    many = BuiltinCall(NUMBER, span, "size" if isinstance(field.type, Bag) else "len", (held,))
    total = Comprehension(NUMBER, span, "sum", many, tuple(loops))
    left, here = Local(NUMBER, span, spot), Local(NUMBER, span, size)
    is_here = Operation(FLAG, span, "and", (_compare(left, ">=", _number(span, 0)), _compare(left, "<", here)))
    passed = Operation(NUMBER, span, "-", (left, here))
    steps: Steps = (
        Let(span, size, many),
        If(span, is_here, _take(draw, field, left)),
        # Below 0 it says only that the piece was found, or that there is none.
        SetTo(span, LocalTarget(span, spot), BuiltinCall(NUMBER, span, "max", (passed, _number(span, -1)))),
    )
    for loop in reversed(loops):
        steps = (For(span, f"{word}.{loop.name}", loop.name, loop.items, None, None, steps),)
    numbers = BuiltinCall(ListOf(NUMBER), span, "range", (_number(span, 0), total))
    found = BuiltinCall(NUMBER, span, "either", (Local(maybe(NUMBER), span, rolled), _number(span, -1)))
    return Roll(span, numbers, rolled), Let(span, spot, found), *steps


def _take(draw: Draw, field: Field, spot: Expression) -> Steps:
    """Return how one piece is drawn out of its place.

    Which position of a secret list it had is told to nobody, so that the list is shuffled; the others keep their order.
    """
    source = draw.source
    assert isinstance(source, FieldPlace)  # others were refused
    if isinstance(field.type, Bag):
        return (draw,)
    if field.secret is not None:
        return Shuffle(draw.span, source), draw
    place = FieldPlace(source.span, source.field, source.at, spot)
    return (Move(draw.span, draw.kind, None, None, None, place, draw.target, draw.position, up_to=draw.up_to),)


def _number(span: Span, value: int) -> Expression:
    return Const(NUMBER, span, value)


def _compare(left: Expression, operator: str, right: Expression) -> Expression:
    return Operation(FLAG, left.span, operator, (left, right))
