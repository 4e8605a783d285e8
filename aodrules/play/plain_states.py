"""Whole states as plain data: what is to be read where is worked out once for each seat, and then only read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias
from weakref import WeakKeyDictionary

from attrs import frozen

from aodrules.check.checked import Field
from aodrules.facts.state import PlainState
from aodrules.lang.types import Bag, ListOf, SetOf, Type, bits, item_type
from aodrules.play.ids import OUT, PLAYERS, IdTable, dimension_index, dimension_names
from aodrules.play.outline import FieldPart, outline_of

CellReading: TypeAlias = Callable[[PlainState], Any]
"""Reads one cell, or a table of cells, as plain data."""
Fallback: TypeAlias = "Callable[[Field, tuple[int, ...]], CellReading | None]"
"""Says how a cell is read that is not open to a seat; nothing if it is open."""


@frozen(eq=False)
class ReadingPlan:
    """How everything in the states of a game is read for one seat."""

    table: tuple[tuple[str, CellReading], ...]
    things: tuple[tuple[str, tuple[tuple[str, tuple[tuple[str, CellReading], ...]], ...]], ...]
    out: tuple[tuple[str, CellReading], ...]
    used: tuple[tuple[str, CellReading], ...]

    def read(self, state: PlainState) -> dict[str, Any]:
        """Return a state as plain data: texts, numbers, flags, nothing, lists and dictionaries."""
        found: dict[str, Any] = {
            plural: {id_: {name: read(state) for name, read in fields} for id_, fields in things}
            for plural, things in self.things
        }
        # A field of the table is meant where a kind is called alike.
        found |= {name: read(state) for name, read in self.table}
        for name, part in ((OUT, self.out), ("used", self.used)):
            if part:
                found[name] = {inner: read(state) for inner, read in part}
        return found


_KEPT: WeakKeyDictionary[IdTable, dict[int | None, ReadingPlan]] = WeakKeyDictionary()


def plan_of(names: IdTable, seat: int | None, fallback: Fallback) -> ReadingPlan:
    """Return how states are read for a seat; without a seat all of it."""
    kept = _KEPT.setdefault(names, {})
    if seat not in kept:
        kept[seat] = _make_plan(_PlanMaker(names, fallback))
    return kept[seat]


def _make_plan(maker: _PlanMaker) -> ReadingPlan:
    outline = outline_of(maker.names)
    things = tuple(
        (plural, tuple((id_, maker.readings(fields)) for id_, fields in members.items() if fields))
        for plural, members in outline.things.items()
    )
    things = tuple((plural, members) for plural, members in things if members or plural == PLAYERS)
    return ReadingPlan(maker.readings(outline.table), things, maker.readings(outline.out), maker.readings(outline.used))


@frozen(eq=False)
class _PlanMaker:
    names: IdTable
    fallback: Fallback

    def readings(self, parts: Mapping[str, FieldPart]) -> tuple[tuple[str, CellReading], ...]:
        return tuple((name, self._reading(field, at)) for name, (field, at) in parts.items())

    def _reading(self, field: Field, at: tuple[int, ...]) -> CellReading:
        """Return what reads a cell, or a table of cells by the names of the next index."""
        if len(at) == len(field.dimensions):
            return self.fallback(field, at) or self._open(field, at)
        type_, names = field.dimensions[len(at)], self.names
        inner = tuple(
            (name, self._reading(field, (*at, dimension_index(names, type_, name))))
            for name in dimension_names(names, type_)
        )
        return lambda state: {name: read(state) for name, read in inner}

    def _open(self, field: Field, at: tuple[int, ...]) -> CellReading:
        name, offset = field.name, self.names.tables.shapes[field.name].offset(at)
        convert = plain_reader(self.names, field.type)
        return lambda state: convert(state.fields[name][offset])


def plain_reader(names: IdTable, type_: Type) -> Callable[[Any], Any]:
    """Return what makes plain data of the values of a type: as `IdTable.reader`, with lists and dictionaries."""
    if isinstance(type_, Bag):
        members = names.tables.rules.family(type_.kind).members
        return lambda held: {members[place]: count for place, count in enumerate(held) if count} if any(held) else {}
    if isinstance(type_, ListOf | SetOf):
        read = names.reader(item_type(type_))
        items = bits if isinstance(type_, SetOf) else tuple
        return lambda held: [read(item) for item in items(held)]
    return names.reader(type_)
