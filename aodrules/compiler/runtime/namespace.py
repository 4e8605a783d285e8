"""All that generated code can see: generated code may use only the names listed here."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any, Final

from aodrules.compiler.runtime import moves, quiet_moves, steps, values
from aodrules.compiler.runtime.memo import Memory

_PYTHON = (abs, len, max, min, range, tuple)
_PURE = (
    values.as_tuple,
    values.bag_counts,
    values.bag_of,
    values.bag_size,
    values.between,
    values.copy_cells,
    values.count_members,
    values.count_of,
    values.distinct,
    values.fill_codes,
    values.first_members,
    values.forget_entry,
    values.holds_member,
    values.index_of,
    values.item_at,
    values.knows_at,
    values.moved_piece,
    values.nth_last,
    values.numbers,
    values.places,
    values.ranked,
    values.remaining,
    values.remembered,
    values.set_size,
    values.within,
    values.without,
)
_CHANGING = (
    steps.GameOver,
    moves.draw_pieces,
    moves.draw_chance,
    moves.draw_top,
    steps.end_game,
    steps.leave_game,
    moves.move_all,
    moves.move_some,
    moves.note_bag,
    quiet_moves.draw_one,
    quiet_moves.move_named,
    quiet_moves.move_row,
    steps.reset_cells,
    steps.reveal_pieces,
    steps.roll_item,
    steps.shuffle_list,
    steps.sort_list,
)
_FUNCTIONS: Final = MappingProxyType[str, Any]({one.__name__: one for one in (*_PYTHON, *_PURE, *_CHANGING)})
NAMES: Final = frozenset({*_FUNCTIONS, *Memory.NAMES, "blocks"})
"""The names that generated code may use, beside its own."""


def namespace() -> dict[str, Any]:
    """Return all that the code of one program can see, with memories of its own; its blocks are not there yet."""
    return {"__builtins__": {}, **_FUNCTIONS, **Memory().functions(), "blocks": []}
