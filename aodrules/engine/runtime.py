"""All that generated code can see: generated code may use only the names listed here."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any, Final

from aodrules.engine import cellwork, draws, packed
from aodrules.engine.memory import Memory

_PYTHON = (abs, len, max, min, range, tuple)
_PURE = (
    packed.as_tuple,
    packed.bag_counts,
    packed.bag_of,
    packed.bag_size,
    packed.count_members,
    packed.count_of,
    packed.distinct,
    packed.end_item,
    packed.fill_codes,
    packed.holds_member,
    packed.index_of,
    packed.item_at,
    packed.knows_at,
    packed.max_item,
    packed.min_item,
    packed.moved_piece,
    packed.numbers,
    packed.ranked,
    packed.remaining,
    packed.remembered,
    packed.set_of,
    packed.set_size,
    packed.sum_items,
    packed.within,
    packed.without,
)
_CHANGING = (
    cellwork.GameOver,
    cellwork.draw_pieces,
    draws.draw_chance,
    draws.draw_top,
    cellwork.end_game,
    cellwork.leave_game,
    cellwork.move_all,
    cellwork.move_some,
    cellwork.note_bag,
    cellwork.reset_cells,
    cellwork.reveal_pieces,
    cellwork.roll_item,
    cellwork.shuffle_list,
    cellwork.sort_list,
)
_FUNCTIONS: Final = MappingProxyType[str, Any]({one.__name__: one for one in (*_PYTHON, *_PURE, *_CHANGING)})
NAMES: Final = frozenset({*_FUNCTIONS, *Memory.NAMES})
"""The names that generated code may use, beside its own."""


def namespace() -> dict[str, Any]:
    """Return all that the code of one program can see, with memories of its own."""
    return {"__builtins__": {}, **_FUNCTIONS, **Memory().functions()}
