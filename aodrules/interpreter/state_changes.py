"""Changes of the state: every step that asks nobody, each change with the entry that notes it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from aodrules.check.checked import Field
from aodrules.check.steps import (
    AddTo,
    Draw,
    FieldPlace,
    Let,
    LocalTarget,
    Move,
    Reveal,
    Roll,
    SetTo,
    Shuffle,
    Sort,
    Step,
    Target,
)
from aodrules.facts.chance import roll, shuffled
from aodrules.facts.state import Cause, Indices, LogEntry, PlaceRef, PlainState
from aodrules.interpreter.evaluation import Evaluator
from aodrules.interpreter.moves import Moved, Transfer
from aodrules.interpreter.options import Locals
from aodrules.interpreter.places import (
    PieceId,
    cell,
    is_kept,
    item_of_piece,
    items_at,
    known_at,
    learn,
    numbers_at,
    parts,
    piece_of,
    put_cell,
    put_numbers,
    reordered,
    unpacked,
)
from aodrules.interpreter.tables import Tables
from aodrules.lang.expressions import Expression
from aodrules.lang.types import ListOf, Number, Piece, SetOf, Type, bits, item_type, item_word, mask_of, present


class StateChanges:
    """Makes changes to a state and keeps the log of them."""

    def __init__(self, tables: Tables, state: PlainState) -> None:
        self.tables = tables
        self.state = state
        self.evaluator = Evaluator(tables, state)
        self.log: list[LogEntry] = []
        self.causes: list[Cause | None] = []
        """For each entry of the log: the body that was being done."""
        self._cause: Cause | None = None
        self._makers: dict[type, Callable[[Any, Locals], None]] = {
            SetTo: self._set_to,
            AddTo: self._add_to,
            Let: self._let,
            Roll: self._roll,
            Shuffle: self._shuffle,
            Sort: self._sort,
            Reveal: self._reveal,
        }

    def note(self, entry: LogEntry) -> None:
        """Add an entry to the log."""
        self.log.append(entry)
        self.causes.append(self._cause)

    @contextmanager
    def caused_by(self, cause: Cause | None) -> Iterator[None]:
        """Say which body is being done."""
        around, self._cause = self._cause, cause
        try:
            yield
        finally:
            self._cause = around

    def forget_log(self) -> None:
        """Begin the log anew."""
        self.log.clear()
        self.causes.clear()

    def make(self, step: object, locals_: Locals) -> None:
        """Do a step that neither asks nor moves."""
        self._makers[type(step)](step, locals_)

    def roll(self, sides: int) -> int:
        """Return the next number of the generator."""
        self.state.generator, number = roll(self.state.generator, sides)
        return number

    def reset(self, step: Step) -> None:
        """Put back to their start the fields and counters that belong to a step."""
        resets = self.tables.resets
        for field in dict.fromkeys((*resets.get(step.name, ()), *resets.get(step.address, ()))):
            for at, start in zip(self.tables.shapes[field.name].indices(), self.tables.starts[field.name], strict=True):
                self._put(field.name, at, start)

    def count(self, counter: str, at: Indices) -> None:
        """Count one more use of something limited."""
        self._put(counter, at, cell(self.tables, self.state, counter, at) + 1)

    def _put(self, field: str, at: Indices, new: Any) -> None:
        old = cell(self.tables, self.state, field, at)
        if old != new:
            put_cell(self.tables, self.state, field, at, new)
            self.note(("set", field, at, old, new))

    def _value(self, expression: Expression, locals_: Locals) -> Any:
        return self.evaluator.value(expression, locals_)

    # Numbers, flags, members, sets.

    def _let(self, step: Let, locals_: Locals) -> None:
        locals_[step.name] = self._value(step.value, locals_)
        if step.told:
            self.note(("tell", step.name, locals_[step.name], str(step.value.type)))

    def _set_to(self, step: SetTo, locals_: Locals) -> None:
        self._give(step.target, self._value(step.value, locals_), locals_, up_to=step.up_to)

    def _give(self, target: Target, wanted: Any, locals_: Locals, *, up_to: bool, kept: int = 0) -> Any:
        """Give a target a value, cut to what its type allows, and return what it really got.

        `kept` are members that stay in a set that is cut: those that were there before others were added.
        """
        if isinstance(target, LocalTarget):
            locals_[target.name] = wanted
            return wanted
        at = tuple(self._value(index, locals_) for index in target.at)
        type_ = self.tables.rules.fields[target.field].type
        got = _cut(type_, wanted) if not isinstance(type_, SetOf) else _cut_set(type_, wanted, kept)
        self._put(target.field, at, got)
        if got != wanted and not up_to:
            ends = (wanted, got) if not isinstance(type_, SetOf) else (wanted.bit_count(), got.bit_count())
            self.note(("cut", target.field, at, *ends))
        return got

    def _add_to(self, step: AddTo, locals_: Locals) -> None:
        old, type_ = self._read(step.target, locals_)
        amount = self._value(step.amount, locals_)
        if isinstance(type_, SetOf) or isinstance(step.amount.type, SetOf):
            mask = amount if isinstance(step.amount.type, SetOf) else 0 if amount is None else 1 << amount
            wanted = old | mask if step.sign > 0 else old & ~mask
        else:
            wanted = old + step.sign * amount
        got = self._give(step.target, wanted, locals_, up_to=step.up_to, kept=old)
        if step.result is not None:
            locals_[step.result] = step.sign * (got - old)

    def _read(self, target: Target, locals_: Locals) -> tuple[Any, Type | None]:
        if isinstance(target, LocalTarget):
            return locals_[target.name], None
        at = tuple(self._value(index, locals_) for index in target.at)
        return cell(self.tables, self.state, target.field, at), self.tables.rules.fields[target.field].type

    # Chance and order.

    def _roll(self, step: Roll, locals_: Locals) -> None:
        items = self.evaluator.items(step.items, locals_)
        locals_[step.result] = items[self.roll(len(items))] if items else None
        if items:
            self.note(("roll", locals_[step.result], item_word(step.items.type)))

    def _shuffle(self, step: Shuffle, locals_: Locals) -> None:
        field, at, items = self._list(step.place, locals_)
        self.state.generator, order = shuffled(self.state.generator, range(len(items)))
        self._reorder(field, at, items, order)
        self.note(("shuffle", field, at))

    def _sort(self, step: Sort, locals_: Locals) -> None:
        field, at, items = self._list(step.place, locals_)
        keys = [self._value(step.by, {**locals_, step.item: item}) for item in items]
        self._reorder(field, at, items, tuple(sorted(range(len(items)), key=keys.__getitem__)))
        self.note(("sort", field, at))

    def _list(self, place: FieldPlace, locals_: Locals) -> tuple[str, Indices, tuple[int, ...]]:
        at = self.evaluator.place(place, locals_).of(None)
        return place.field, at, items_at(self.tables, self.state, place.field, at)

    def _reorder(self, field: str, at: Indices, items: tuple[int, ...], order: tuple[int, ...]) -> None:
        """Put a list into a new order; who knew what lay where knows only that it is there."""
        moved = tuple(items[place] for place in order)
        if is_kept(self.state, field):
            numbers = numbers_at(self.tables, self.state, field, at)
            withins = tuple(unpacked(self.tables, numbers[place]).within for place in order)
            put_numbers(self.tables, self.state, field, at, reordered(self.tables, field, at, moved, withins))
        put_cell(self.tables, self.state, field, at, moved)

    # Pieces.

    def move(self, step: Move, locals_: Locals) -> list[Moved]:
        """Move pieces and return those that came to another place."""
        transfer = self._transfer(step, locals_)
        owner = None if step.owner is None else self._value(step.owner, locals_)
        if step.what is None:
            transfer.whole = transfer.source.index is None
            transfer.everything(owner)
        else:
            transfer.named = self._knowers(step, locals_)
            what = self._value(step.what, locals_)
            count = 1 if step.count is None else self._value(step.count, locals_)
            if what is not None:
                transfer.some(self._piece(step.kind, step.what.type, what, owner), count)
        self._finish(transfer, locals_, step.result, up_to=step.up_to, names_piece=step.result_is_piece)
        return transfer.moved

    def draw(self, step: Draw, locals_: Locals) -> list[Moved]:
        """Draw pieces and return those that came to another place."""
        transfer = self._transfer(step, locals_)
        owner = None if step.owner is None else self._value(step.owner, locals_)
        transfer.draw(self._value(step.count, locals_), owner, self.roll)
        self._finish(transfer, locals_, step.result, up_to=step.up_to, names_piece=False)
        return transfer.moved

    def _knowers(self, step: Move, locals_: Locals) -> int:
        """Return who knows which piece is named."""
        if step.open:
            return self.tables.everybody
        seats: set[int] = {self._value(seat, locals_) for seat in step.knowers}
        return sum(1 << seat for seat in seats)

    def _transfer(self, step: Move | Draw, locals_: Locals) -> Transfer:
        source = self.evaluator.place(step.source, locals_)
        target = self.evaluator.place(step.target, locals_)
        position = target.index if step.position is None else self._value(step.position, locals_)
        return Transfer(self.tables, self.state, self.note, step.kind, source, target, position)

    def _finish(
        self, transfer: Transfer, locals_: Locals, result: str | None, *, up_to: bool, names_piece: bool
    ) -> None:
        if not up_to:
            transfer.note_cut()
        if result is not None and names_piece:
            locals_[result] = next((self._item(transfer.kind, piece) for piece in transfer.carried), None)
        elif result is not None:
            locals_[result] = len(transfer.carried)

    def _piece(self, kind: str, type_: Type, what: int, owner: int | None) -> PieceId:
        if isinstance(item_type(present(type_)), Piece):
            owner, what = divmod(what, self.tables.family_size(kind))
        return PieceId(what, owner)

    def _item(self, kind: str, piece: PieceId) -> int:
        """Return a piece as a value of the language."""
        return piece.member if piece.owner is None else piece.owner * self.tables.family_size(kind) + piece.member

    def leave(self, player: int) -> None:
        """Let a player leave: out of all orders, all pieces to `out`."""
        if player in self.state.left:
            return
        self.state.left = (*self.state.left, player)
        self.note(("left", player))
        for field in self.tables.rules.fields.values():
            if field.holds == "player":
                self._leave_list(field, player)
            elif field.holds is not None and not field.name.startswith("out.") and not field.is_stock:
                self._leave_field(field, player)

    def _leave_list(self, field: Field, player: int) -> None:
        for at in self.tables.shapes[field.name].indices():
            order = items_at(self.tables, self.state, field.name, at)
            put_cell(self.tables, self.state, field.name, at, tuple(seat for seat in order if seat != player))

    def _leave_field(self, field: Field, player: int) -> None:
        """Move what belongs to a player out of a field: its own pieces, and all in its own part of the field."""
        owned = self.tables.is_owned(str(field.holds))
        out = PlaceRef(f"out.{field.holds}", (None,) * len(self.tables.rules.fields[f"out.{field.holds}"].dimensions))
        for at in self.tables.shapes[field.name].indices():
            whose = at[field.owner_dimension] if field.owner_dimension is not None else None
            is_part = (player if owned else self.tables.owner_of_field(field.name, at)) == player
            if is_part and whose in (None, player):
                place = PlaceRef(field.name, at)
                Transfer(self.tables, self.state, self.note, str(field.holds), place, out, whole=True).everything(
                    player if owned else None
                )

    def _reveal(self, step: Reveal, locals_: Locals) -> None:
        seats = self._seats(step.to, locals_)
        place = self.evaluator.place(step.place, locals_)
        if self.tables.rules.fields[step.place.field].holds is None:
            self._tell(step, place.of(None), seats, locals_)
            return
        for at in parts(self.tables, place):
            items = items_at(self.tables, self.state, place.field, at)
            for position in self._positions_shown(step, place, items, locals_):
                if 0 <= position < len(items):
                    is_looked_for = step.what is not None and position != place.index
                    knowing = self._who_know_such(place.field, at, items, position) if is_looked_for else 0
                    self._show(place.field, at, position, items[position], seats & ~knowing)

    def _tell(self, step: Reveal, at: Indices, seats: int, locals_: Locals) -> None:
        """Note that seats were told a number, flag or member: they may remember it, but the state does not."""
        field = step.place.field
        new = seats & ~self.tables.visible_to(field, at)
        if new and step.what is not None:  # only of pieces all can be revealed
            self.note(("reveal", field, at, None, self._value(step.what, locals_), None, new))

    def _positions_shown(self, step: Reveal, place: PlaceRef, items: tuple[int, ...], locals_: Locals) -> list[int]:
        if step.what is None:
            return [*range(len(items))] if place.index is None else [place.index]
        what = self._value(step.what, locals_)
        if what is None:
            return []
        piece = self._piece(str(self.tables.rules.fields[place.field].holds), step.what.type, what, None)
        return _positions_of(item_of_piece(self.tables, place.field, piece), items, place.index)

    def _who_know_such(self, field: str, at: Indices, items: tuple[int, ...], position: int) -> int:
        """Return who knows where a piece like that at a position lies: another would show them that there are more."""
        knowing = 0
        for index, item in enumerate(items):
            if item == items[position]:
                knowing |= known_at(self.tables, self.state, field, at, index).which
        return knowing

    def _seats(self, to: Expression | None, locals_: Locals) -> int:
        if to is None:
            return self.tables.everybody
        found: int = self._value(to, locals_)
        return found if isinstance(to.type, SetOf) else 1 << found

    def _show(self, field: str, at: Indices, position: int, item: int, seats: int) -> None:
        new = learn(self.tables, self.state, field, at, position, seats)
        if new:
            piece = piece_of(self.tables, field, at, item)
            index = position if isinstance(self.tables.rules.fields[field].type, ListOf) else None
            self.note(("reveal", field, at, index, piece.member, piece.owner, new))


def _cut(type_: Type, wanted: Any) -> Any:
    """Return a value cut to the range of its type."""
    inner = present(type_)
    if not isinstance(inner, Number) or wanted is None:
        return wanted
    low = wanted if inner.low is None else max(wanted, inner.low)
    return low if inner.high is None else min(low, inner.high)


def _cut_set(type_: SetOf, wanted: int, kept: int) -> int:
    """Return as many members as a set takes: those that are kept, then the first of the others."""
    if type_.limit is None or wanted.bit_count() <= type_.limit:
        return wanted
    return mask_of([*bits(kept), *bits(wanted & ~kept)][: type_.limit])


def _positions_of(item: int, items: tuple[int, ...], index: int | None) -> list[int]:
    """Return where an item lies: at the index, if it is there, else the first position."""
    if index is not None and 0 <= index < len(items) and items[index] == item:
        return [index]
    return [items.index(item)] if item in items else []
