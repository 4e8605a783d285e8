"""A full state that a seat could believe in: what it cannot know is dealt anew among the places it cannot see.

Numbers, flags and members that others keep secret stay as they are: nothing says how likely their values would be.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

from attrs import frozen

from aodrules.check.checked import Field
from aodrules.engine.cells import pack
from aodrules.engine.chance import generator_of, roll
from aodrules.engine.compiled import Compiled
from aodrules.engine.knowledge import known_at
from aodrules.engine.state import PlainState
from aodrules.engine.tables import Tables
from aodrules.lang.types import Bag, ListOf
from aodrules.plan.layout import PLAYER, SITE, STEP


@frozen(eq=False)
class _Position:
    """A place of one piece that a seat cannot see."""

    field: str
    cell: int
    index: int
    kept: bool
    """Whether the seat knows that the piece is somewhere in this cell."""


def sampled(tables: Tables, state: PlainState, seat: int, seed: int) -> PlainState:
    """Return a state that agrees with everything a seat knows; future chance is new too."""
    found = copy.deepcopy(state)
    generator = roll(generator_of(seed), 2)[0]
    for kind in sorted({each.holds for each in _secret_fields(tables)} - {None}, key=str):
        fields = [each for each in _secret_fields(tables) if each.holds == kind]
        dealt = [each for field in fields for each in _positions(tables, state, field, seat)]
        pieces = [piece for _, piece in dealt]
        positions = [position for position, _ in dealt]
        generator = _mix(tables, positions, pieces, generator)
        _put(tables, found, fields, positions, pieces)
    found.generator = generator
    return found


def sampled_machine(machine: Compiled, tables: Tables, seat: int, seed: int) -> Compiled:
    """Return a game that waits at the same question in a state that a seat could believe in."""
    layout, frames = machine.program.plan.layout, machine.program.plan.frames
    cells = pack(layout, sampled(tables, machine.plain(), seat, seed))
    for cell in (SITE, PLAYER, STEP):
        cells[cell] = machine.cells[cell]
    cells[frames.first :] = machine.cells[frames.first :]
    return Compiled(machine.program, cells)


def _secret_fields(tables: Tables) -> list[Field]:
    return [each for each in tables.rules.fields.values() if each.secret and each.holds not in (None, "player")]


def _positions(tables: Tables, state: PlainState, field: Field, seat: int) -> Iterator[tuple[_Position, int]]:
    for cell, at in enumerate(tables.shapes[field.name].indices()):
        if tables.seers(field.name, at) >> seat & 1:
            continue
        for index, piece in enumerate(_pieces(field, state.fields[field.name][cell])):
            if isinstance(field.type, Bag):
                yield _Position(field.name, cell, index, kept=False), piece
                continue
            known = known_at(tables, state, field.name, at, index)
            if not known.which >> seat & 1:
                yield _Position(field.name, cell, index, bool(known.within >> seat & 1)), piece


def _pieces(field: Field, held: Any) -> list[int]:
    if isinstance(field.type, Bag):
        return [member for member, count in enumerate(held) for _ in range(count)]
    if isinstance(field.type, ListOf):
        return list(held)
    return [] if held is None else [held]


def _mix(tables: Tables, positions: list[_Position], pieces: list[int], generator: int) -> int:
    """Swap pieces between positions wherever nothing that is known forbids it."""
    for last in range(len(positions) - 1, 0, -1):
        generator, other = roll(generator, last + 1)
        if _may_swap(tables, positions[last], positions[other], pieces[last], pieces[other]):
            pieces[last], pieces[other] = pieces[other], pieces[last]
    return generator


def _may_swap(tables: Tables, one: _Position, other: _Position, piece: int, another: int) -> bool:
    is_same = (one.field, one.cell) == (other.field, other.cell)
    if (one.kept or other.kept) and not is_same:
        return False
    return all(_back(tables, each.field, piece) == _back(tables, each.field, another) for each in (one, other))


def _back(tables: Tables, name: str, piece: int) -> tuple[Any, ...]:
    """Return what everybody sees of a hidden piece: what its back shows, and whose it is."""
    field = tables.rules.fields[name]
    size = tables.family_size(str(field.holds))
    owner = piece // size if tables.is_owned(str(field.holds)) and not isinstance(field.type, Bag) else 0
    return (owner, *(tables.attributes[attribute][piece % size] for attribute in field.shows))


def _put(tables: Tables, state: PlainState, fields: list[Field], positions: list[_Position], pieces: list[int]) -> None:
    new = {(each.field, each.cell, each.index): piece for each, piece in zip(positions, pieces, strict=True)}
    for field in fields:
        cells = state.fields[field.name]
        for cell, held in enumerate(cells):
            old = _pieces(field, held)
            dealt = [new.get((field.name, cell, index), piece) for index, piece in enumerate(old)]
            cells[cell] = _held(tables, field, dealt)


def _held(tables: Tables, field: Field, pieces: list[int]) -> Any:
    if isinstance(field.type, Bag):
        counts = [0] * tables.family_size(field.type.kind)
        for piece in pieces:
            counts[piece] += 1
        return tuple(counts)
    if isinstance(field.type, ListOf):
        return tuple(pieces)
    return pieces[0] if pieces else None
