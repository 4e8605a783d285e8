"""Between the flat list of cells and the plain form of a state."""

from __future__ import annotations

from typing import Any

from aodrules.compiler.layout import GENERATOR, LEFT, OVER, STEP, Layout
from aodrules.facts.state import PlainState


def unpack(layout: Layout, cells: list[Any]) -> PlainState:
    """Return the plain form of a list of cells."""
    state = PlainState(generator=cells[GENERATOR], left=cells[LEFT], over=bool(cells[OVER]))
    state.step = layout.steps[cells[STEP] - 1] if cells[STEP] else None
    for name, field in layout.fields.items():
        held = cells[field.base : field.base + field.size]
        state.fields[name] = [field.bag.unpack(one) for one in held] if field.bag is not None else held
        if field.knowledge is not None:
            state.knowledge[name] = cells[field.knowledge : field.knowledge + field.size]
    return state


def pack(layout: Layout, state: PlainState) -> list[Any]:
    """Return the cells of a plain state; the frames are empty, so no question waits."""
    cells: list[Any] = [0] * layout.size
    cells[GENERATOR], cells[LEFT], cells[OVER] = state.generator, state.left, int(state.over)
    cells[STEP] = layout.steps.index(state.step) + 1 if state.step in layout.steps else 0
    for name, field in layout.fields.items():
        held: list[Any] = state.fields[name]
        packed = [field.bag.pack(one) for one in held] if field.bag is not None else held
        cells[field.base : field.base + field.size] = packed
        if field.knowledge is not None:
            cells[field.knowledge : field.knowledge + field.size] = state.knowledge[name]
    return cells
