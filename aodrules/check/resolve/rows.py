"""Rows: places of a kind that hold one piece each, and what goes with a piece from place to place.

    slide: spot.card          let: filled, be: 0
                       ->     for: spot, in: spots, where: spot.card != none
                                let: free, be: spots[filled]
                                if: free != none and free != spot
                                then: move: all, from: spot.card, to: free.card
                                set: filled, to: filled + 1

Fields with `goes_with` are kept before such a move and given to the new place after it; so they are by a `move` from
one place of a row to another. When a piece leaves the row they go back to their start, by an effect.
"""

from __future__ import annotations

from attrs import evolve

from aodrules.check import problems
from aodrules.check.checked import EffectScope, EnterLeaveEffect, Field
from aodrules.check.context import Context, Scope
from aodrules.check.resolve.bodies import Read, read_move
from aodrules.check.resolve.effects import Effects
from aodrules.check.resolve.paths import whole_kind
from aodrules.check.steps import AnyStep, FieldPlace, FieldTarget, For, If, Let, LocalTarget, Move, SetTo, Steps
from aodrules.lang.expressions import BuiltinCall, Const, Expression, FieldRead, ItemAt, Local, Operation
from aodrules.lang.types import FLAG, NOTHING, NUMBER, Flag, Maybe, Member, Number, Piece, Type, maybe
from aodrules.source.spans import Span
from aodrules.syntax.tree import Mapping, word_of


def is_row(field: Field) -> bool:
    """Whether each member of a kind has a place for one piece in a field."""
    return field.holds is not None and isinstance(field.type, Maybe) and _kind_of(field) is not None


def _kind_of(field: Field) -> str | None:
    first = field.dimensions[0] if len(field.dimensions) == 1 else None
    return first.kind if isinstance(first, Member) else None


def read_slide(scope: Scope, body: Mapping) -> Read:
    """Read a `slide`: the pieces of a row move up to its first places."""
    context, node = scope.context, body.need("slide")
    field = context.fields.get(word_of(node))
    kind = None if field is None else _kind_of(field)
    if field is None or kind is None or not is_row(field):
        help_ = "a row is a field of the members of a kind that holds one piece each, such as `spot.card`"
        context.add(problems.wrong_arguments(f"`{node.plain()}` is no row of places", node.span, help_))
        return None, scope
    return _slide(context, field, kind, context.own_address(f"{scope.address}.slide"), body.key("slide").span), scope


def _slide(context: Context, field: Field, kind: str, word: str, span: Span) -> Steps:
    filled, here, free = (f"{word}:{part}" for part in ("filled", "here", "free"))
    places = whole_kind(context, kind, span)
    member = Member(kind)
    old, new = Local(member, span, here), Local(member, span, free)
    ends = (_place(field, old, span), _place(field, new, span))
    steps = _carry(context, field, Move(span, str(field.holds), None, None, None, *ends, up_to=True, aside=True), word)
    goers = _goers(context, field)
    resets = [SetTo(span, FieldTarget(span, one.name, (old,)), start_of(context, one)) for one in goers]
    number, most = Local(NUMBER, span, filled), Const(NUMBER, span, len(context.kinds[kind].places))
    is_free = Operation(
        FLAG, span, "and", (_is_something(Local(maybe(member), span, free)), Operation(FLAG, span, "!=", (new, old)))
    )
    turn: Steps = (
        Let(span, free, ItemAt(maybe(member), span, places, number)),
        If(span, is_free, (*steps, *resets)),
        SetTo(span, LocalTarget(span, filled), BuiltinCall(NUMBER, span, "min", (_one_more(number), most))),
    )
    held = FieldRead(field.type, span, field.name, (old,))
    return Let(span, filled, Const(NUMBER, span, 0)), For(span, word, here, places, _is_something(held), None, turn)


def _one_more(number: Expression) -> Expression:
    return Operation(NUMBER, number.span, "+", (number, Const(NUMBER, number.span, 1)))


def read_any_move(scope: Scope, body: Mapping) -> Read:
    """Read a `move`; from one place of a row to another it takes along what goes with the piece."""
    step, after = read_move(scope, body)
    if not isinstance(step, Move) or not isinstance(step.source, FieldPlace) or not isinstance(step.target, FieldPlace):
        return step, after
    field = scope.context.fields[step.source.field]
    if step.target.field != field.name or not _goers(scope.context, field):
        return step, after
    word = scope.context.own_address(f"{scope.address}.move")
    before, ends = _fix_ends((step.source, step.target), word)
    return (*before, *_carry(scope.context, field, evolve(step, source=ends[0], target=ends[1]), word)), after


def _fix_ends(ends: tuple[FieldPlace, FieldPlace], word: str) -> tuple[Steps, tuple[FieldPlace, FieldPlace]]:
    """Name the places of a move: after it the same words could mean others."""
    before: list[AnyStep] = []
    found: list[FieldPlace] = []
    for number, end in enumerate(ends):
        index = end.at[0]
        if index is not None and not isinstance(index, Local | Const):
            before.append(Let(end.span, f"{word}:{number}", index))
            end = evolve(end, at=(Local(index.type, end.span, f"{word}:{number}"),))  # noqa: PLW2901 - as it is named now
        found.append(end)
    return tuple(before), (found[0], found[1])


def _carry(context: Context, field: Field, move: Move, word: str) -> Steps:
    """Return a move inside a row, with what goes with the piece."""
    span, goers = move.span, _goers(context, field)
    if not goers:
        return (move,)
    assert isinstance(move.source, FieldPlace)  # both ends are places of the row
    assert isinstance(move.target, FieldPlace)
    old, new = move.source.at[0], move.target.at[0]
    assert old is not None
    assert new is not None
    kept = {one.name: Local(one.type, span, f"{word}:{one.name}") for one in goers}
    lets = [Let(span, kept[one.name].name, FieldRead(one.type, span, one.name, (old,))) for one in goers]
    result = move.result or f"{word}:moved"
    gives = [SetTo(span, FieldTarget(span, one.name, (new,)), kept[one.name]) for one in goers]
    return (*lets, evolve(move, result=result), If(span, _was_moved(context, move, result), tuple(gives)))


def _was_moved(context: Context, move: Move, result: str) -> Expression:
    if not move.result_is_piece:
        return Operation(FLAG, move.span, ">", (Local(NUMBER, move.span, result), Const(NUMBER, move.span, 0)))
    piece: Type = Piece(move.kind) if context.has_owners(move.kind) else Member(move.kind)
    return _is_something(Local(maybe(piece), move.span, result))


def _is_something(thing: Expression) -> Expression:
    return Operation(FLAG, thing.span, "!=", (thing, Const(NOTHING, thing.span, None)))


def _place(field: Field, at: Expression, span: Span) -> FieldPlace:
    return FieldPlace(span, field.name, (at,))


def _goers(context: Context, field: Field) -> list[Field]:
    return [one for one in context.fields.values() if one.goes_with == field.name]


# What goes with a piece is gone with it.


def add_resets(context: Context, effects: Effects) -> None:
    """Let what goes with a piece start anew when the piece leaves the row.

    Pieces of a player who leaves the game go without any effect: where pieces have owners, it starts anew for the next.
    """
    for field in context.fields.values():
        row = context.fields.get(field.goes_with or "")
        if row is None:
            continue
        kind = Member(_kind_of(row) or "")
        target = FieldTarget(field.span, field.name, (Local(kind, field.span, kind.kind),))
        steps = (SetTo(field.span, target, start_of(context, field)),)
        for entering in (False, True) if context.has_owners(str(row.holds)) else (False,):
            effect = EnterLeaveEffect(f"state.{field.name}", EffectScope(), entering, row.name, None, steps, field.span)
            effects.enter_leave_effects.setdefault(row.name, []).append(effect)


def start_of(context: Context, field: Field) -> Expression:
    """Return what a field starts as."""
    if field.start is not None:
        return field.start
    if isinstance(field.type, Number):
        return Const(field.type, field.span, field.type.low)
    if isinstance(field.type, Flag):
        return Const(FLAG, field.span, value=False)
    if isinstance(field.type, Maybe):
        return Const(NOTHING, field.span, None)
    assert isinstance(field.type, Member)  # others do not go with a piece
    return Const(field.type, field.span, context.kinds[field.type.kind].places[0])
