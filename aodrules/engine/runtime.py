"""All that generated code can see: generated code may use only the names listed here."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any, Final

from aodrules.engine import cellwork, draws, packed

_PYTHON = (abs, len, max, min, range, tuple)
_PURE = (
    packed.as_tuple,
    packed.bag_items,
    packed.bag_members,
    packed.bag_of,
    packed.bag_size,
    packed.connected,
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
    packed.packed_sets_worth,
    packed.ranked,
    packed.reach,
    packed.remaining,
    packed.set_items,
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
NAMES: Final = MappingProxyType[str, Any]({one.__name__: one for one in (*_PYTHON, *_PURE, *_CHANGING)})
