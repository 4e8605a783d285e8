"""Moves where nothing is logged: the runtime is told beforehand what is fixed about both places.

draw_top(S, None, "card", 1, deck, hand, False)    →    draw_one(S, 12, 20 + player, C3)
"""

from __future__ import annotations

from attrs import frozen

from aodrules.compiler.formulas import Constant, Formula, Literal, Op
from aodrules.compiler.layout import PlaceLayout
from aodrules.compiler.nodes import CallRuntime
from aodrules.compiler.runtime.quiet_moves import fixed_parts, sight_of

QUIET_MOVES = ("draw_one", "move_named", "move_row")


@frozen(eq=False)
class QuietMove:
    """A function of the runtime, and what it is given."""

    function: str
    arguments: tuple[Formula, ...]
    fixed: Constant


def find_quiet_move(call: CallRuntime) -> QuietMove | None:
    """Return the short way of a move where nothing is logged, if there is one."""
    match call:
        case CallRuntime(_, "draw_top", (_, Literal(_, 1), source, target, _)):
            return _between_lists("draw_one", (), source, target)
        case CallRuntime(_, "move_some", (_, piece, Literal(_, 1), source, target, how)):
            named = _named_by(how)
            return None if named is None else _between_lists("move_named", (piece, named), source, target, secret=True)
        case CallRuntime(_, "move_all", (_, Literal(_, None), source, target, _), None):
            return _between_lists("move_row", (), source, target)
    return None


def _named_by(how: Formula) -> Formula | None:
    """Return the seats that name a piece without an owner."""
    match how:
        case Literal(span, (False, int(named), _)):
            return Literal(span, named)
        case Op(_, "tuple", (Literal(_, False), named, _)) if not (isinstance(named, Literal) and named.value is None):
            return named
    return None


def _between_lists(
    function: str, given: tuple[Formula, ...], source: Formula, target: Formula, *, secret: bool = False
) -> QuietMove | None:
    begin, goal = _place(source), _place(target)
    if begin is None or goal is None:
        return None
    (layout, cell), (end, to) = begin, goal
    are_lists = layout.container == end.container == "list" and layout.base != end.base
    are_alike = not (layout.owner_coded or end.owner_coded or layout.stride or end.stride)
    is_clear = sight_of(layout) is not None and sight_of(end) is not None
    if (
        not are_lists
        or not are_alike
        or not is_clear
        or layout.owner_dimension >= 0
        or (secret and layout.knowledge < 0)
    ):
        return None
    return QuietMove(function, (*given, cell, to), fixed_parts(layout, end))


def _place(place: Formula) -> tuple[PlaceLayout, Formula] | None:
    """Return the layout and the cell of a place, if no piece in it is meant."""
    match place:
        case Literal(span, (PlaceLayout() as layout, int(cell), None)):
            return layout, Literal(span, cell)
        case Op(_, "tuple", (Literal(_, PlaceLayout() as layout), cell, Literal(_, None))):
            return layout, cell
    return None
