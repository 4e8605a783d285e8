"""Make what a game begins with: the tables for a number of players, and the first state."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from aodrules.check.checked import Attribute, CheckedRules, Field, Kind
from aodrules.check.for_players import rules_for
from aodrules.facts.chance import generator_of
from aodrules.facts.state import Cell, Facts, Indices, PlainState
from aodrules.interpreter.evaluation import Evaluator
from aodrules.interpreter.executor import try_out
from aodrules.interpreter.places import PieceId, cell, item_of_piece, put_cell
from aodrules.interpreter.tables import Tables
from aodrules.lang.expressions import Expression
from aodrules.lang.types import Bag, Flag, ListOf, Maybe, Member, Number, Owner, Player, SetOf, Type, kind_of


def tables_for(rules: CheckedRules, players: int, facts: Facts | None = None) -> Tables:
    """Return the tables of a game of so many players, begun with these facts."""
    rules = rules_for(rules, players)
    tables = Tables(rules, players, try_out=try_out)
    known = _SetupEvaluator(tables)
    for attribute in rules.attributes.values():
        size = tables.family_size(attribute.name.split(".")[0])
        tables.attributes[attribute.name] = tuple(known.attribute(attribute.name, member) for member in range(size))
    for kind in rules.kinds.values():
        if kind.pieces is not None:
            tables.pieces[kind.name] = tuple(
                known.value(count, _member_names(kind, member)) for member, count in enumerate(kind.pieces.counts)
            )
            tables.pieces_of_sides[kind.name] = tuple(
                tuple(known.value(count, {"self": side}) for count in counts)
                for (_, side), counts in zip(rules.sides, kind.pieces.of_sides, strict=False)
            )
    for field in rules.fields.values():
        if field.only is not None:
            tables.lacking[field.name] = _lacking(known, field, field.only)
        indices = tables.shapes[field.name].indices()
        tables.starts[field.name] = tuple(_start_of(known, field, at) for at in indices)
    tables.starts |= {name: cells for name, cells in (facts or {}).items() if name in rules.fields}
    return tables


def starting_state(tables: Tables, seed: int) -> PlainState:
    """Return the state before anything has been done."""
    state = PlainState(generator=generator_of(seed))
    for field in tables.rules.fields.values():
        state.fields[field.name] = [*tables.starts[field.name]]
    for kind in [*tables.pieces, "player"]:
        _lay_out(tables, state, kind)
    for field in tables.rules.fields.values():
        if field.secret and field.holds and not isinstance(field.type, Bag):
            indices = tables.shapes[field.name].indices()
            state.knowledge[field.name] = [first_knowledge(tables, state, field, at) for at in indices]
    return state


class _SetupEvaluator(Evaluator):
    """Evaluates before there is a state; attributes that are not known yet are found on the way."""

    def __init__(self, tables: Tables) -> None:
        super().__init__(tables, PlainState())
        self._found: dict[tuple[str, int], Any] = {}

    def attribute(self, name: str, member: int) -> Any:
        if name in self.tables.attributes:
            return self.tables.attributes[name][member]
        if (name, member) not in self._found:
            self._found[name, member] = self._compute(self.tables.rules.attributes[name], member)
        return self._found[name, member]

    def _compute(self, attribute: Attribute, member: int) -> Any:
        value = attribute.values[member]
        names = _member_names(self.tables.rules.kinds[attribute.name.split(".")[0]], member)
        if value is None:
            return None
        if isinstance(value, tuple):
            return tuple(self.value(entry, names) for entry in value)
        return self.value(value, names)


def _member_names(kind: Kind, member: int) -> dict[str, int]:
    """Return the names under which an expression about a member may know it."""
    return {"self": member, kind.name: member, kind.family: member}


def _lacking(facts: _SetupEvaluator, field: Field, only: Expression) -> frozenset[int]:
    kind = facts.tables.rules.kinds[kind_of(field.dimensions[0])]
    having = (place for place in kind.places if facts.value(only, _member_names(kind, place)))
    return frozenset(range(facts.tables.family_size(kind.name))) - frozenset(having)


def _start_of(facts: _SetupEvaluator, field: Field, at: Indices) -> Cell:
    tables = facts.tables
    if isinstance(field.type, Bag):
        return (0,) * tables.family_size(field.type.kind)
    if field.holds or (at and at[0] in tables.lacking.get(field.name, ())):
        return empty(field.type)
    if field.start is None:
        return _lowest(tables, field)
    started: Cell = facts.value(field.start, tables.names_at(field.name, at))
    return started


def _lowest(tables: Tables, field: Field) -> Cell:
    if isinstance(field.type, Number):
        return field.type.low or 0
    if isinstance(field.type, Member):
        return tables.rules.kinds[field.type.kind].places[0]
    return 0 if isinstance(field.type, Player | Owner) else empty(field.type)


def empty(type_: Type) -> Cell:
    """Return what a field holds where a member lacks it: 0, false, none or empty. A bag has no counts yet."""
    if isinstance(type_, Number | SetOf):
        return 0
    if isinstance(type_, Flag):
        return False
    return () if isinstance(type_, ListOf | Bag) else None


# Pieces.


def _lay_out(tables: Tables, state: PlainState, kind: str) -> None:
    """Put every piece of a family where it starts: in the first field that takes it, else out of the game."""
    fields = [field for field in tables.rules.fields.values() if field.holds == kind and field.start_all]
    for piece in _all_pieces(tables, kind):
        if not any(_begins_in(tables, state, field, piece) for field in fields):
            out = tables.rules.fields.get(f"out.{kind}")
            if out is not None:
                add_piece(tables, state, out, (piece.owner or 0,) * len(out.dimensions), piece)


def _all_pieces(tables: Tables, kind: str) -> Iterator[PieceId]:
    """Return all pieces of a family, owner by owner, in member order."""
    counts = (1,) * tables.players if kind == "player" else tables.pieces[kind]
    common = tables.common(kind)
    for member in sorted(common):
        yield from (PieceId(member) for _ in range(counts[member]))
    for owner, counted in _counts_by_owner(tables, kind, counts):
        for member, count in enumerate(counted):
            if member not in common:
                yield from (PieceId(member, owner) for _ in range(count))


def _counts_by_owner(
    tables: Tables, kind: str, counts: tuple[int, ...]
) -> Iterator[tuple[int | None, tuple[int, ...]]]:
    """Return how many pieces of each member everybody has: the players alike, then each side."""
    if not tables.is_owned(kind):
        yield None, counts
        return
    yield from ((seat, counts) for seat in range(tables.players))
    yield from enumerate(tables.pieces_of_sides[kind], start=tables.players)


def _begins_in(tables: Tables, state: PlainState, field: Field, piece: PieceId) -> bool:
    """Put a piece into a field if it starts there, and tell whether it does."""
    at = first_place(tables, field, piece)
    if at is None or not _has_room(tables, state, field, at):
        return False
    add_piece(tables, state, field, at, piece)
    return True


def first_place(tables: Tables, field: Field, piece: PieceId) -> Indices | None:
    """Return the indices where a piece starts in a field, or nothing if it does not start there."""
    if field.holds == "player":
        return (0,) * len(field.dimensions)
    kind = tables.rules.kinds[kind_of(field.type)]
    names = _member_names(kind, piece.member)
    facts = _SetupEvaluator(tables)
    if field.is_stock != (piece.owner is None and tables.is_owned(kind.name)):
        return None
    if piece.member not in kind.places or (field.start_if is not None and not facts.value(field.start_if, names)):
        return None
    at = [0] * len(field.dimensions)
    if field.owner_dimension is not None:
        owner = piece.owner or 0
        if owner >= tables.shapes[field.name].sizes[field.owner_dimension]:
            return None  # Only players have a part of it.
        at[field.owner_dimension] = owner
    if field.start_by is not None:
        last = facts.value(field.start_by, names)
        if last is None:
            return None
        at[-1] = last
    return tuple(at)


def _has_room(tables: Tables, state: PlainState, field: Field, at: Indices) -> bool:
    held = cell(tables, state, field.name, at)
    if isinstance(field.type, ListOf):
        return field.type.limit is None or len(held) < field.type.limit
    return not isinstance(field.type, Maybe) or held is None


def add_piece(tables: Tables, state: PlainState, field: Field, at: Indices, piece: PieceId) -> None:
    """Put a piece into a cell, last where there is an order."""
    held, item = cell(tables, state, field.name, at), item_of_piece(tables, field.name, piece)
    if isinstance(field.type, Bag):
        held = (*held[:item], held[item] + 1, *held[item + 1 :])
    else:
        held = (*held, item) if isinstance(field.type, ListOf) else item
    put_cell(tables, state, field.name, at, held)


def first_knowledge(tables: Tables, state: PlainState, field: Field, at: Indices) -> Cell:
    """Everybody knows the components, so what starts in a field is known to be there, but not in which order."""
    known = tables.everybody << tables.players | tables.visible_to(field.name, at)
    held = cell(tables, state, field.name, at)
    if isinstance(held, tuple):
        return (known,) * len(held)
    return 0 if held is None else known
