"""Moves, draws, shuffles, sorting and revealing, and what happens on the way in and out of fields."""

from __future__ import annotations

from aodrules.check.checked import EnterLeaveEffect
from aodrules.check.steps import Draw, Move, Reveal, Shuffle, Sort
from aodrules.compiler.folding import branch, call_pure, is_none, negation, operation
from aodrules.compiler.lower.planner import bare, item_type
from aodrules.compiler.lower.scope import LoweredPlace, LowerScope, Meaning
from aodrules.compiler.nodes import (
    Assign,
    CallRuntime,
    Constant,
    ForEach,
    Formula,
    Generator,
    Literal,
    Op,
    Reduce,
    Statements,
    Variable,
)
from aodrules.compiler.passes.inline_moves import TransferPlanner
from aodrules.compiler.place_layout import PlaceLayout
from aodrules.lang.expressions import Expression
from aodrules.lang.types import Maybe, Member, Piece, Player, SetOf
from aodrules.source.spans import Span


class MovePlanner(TransferPlanner):
    """Turns what happens to pieces into statements."""

    def move(self, step: Move, scope: LowerScope) -> tuple[Statements, LowerScope]:
        """Return the statements of a `move`, and the names after it."""
        span = step.span
        before, source, target = self._ends(step, scope)
        count = None if step.result is None else self.variable("count", span)
        written = self.written_out(step, source, target, count, scope)
        if written is not None:
            return before + written, scope if count is None else scope.bind(str(step.result), count)
        what = None if step.what is None else self._piece(step, step.what, scope)
        fixed, kept = self.kept_all((what,) if what is not None else (), span)
        moved = self.variable("moved", span)
        flags = Literal(span, self.is_owned(step.kind)), self._knowers(step, scope), Literal(span, step.up_to)
        how = constant_or_tuple(span, flags)
        if step.what is None:
            which: tuple[Formula, ...] = (self._optional(step.owner, scope, span),)
        else:
            which = (*kept, Literal(span, 1) if step.count is None else self.expression(step.count, scope))
        arguments = (Literal(span, step.kind), *which, *self._spots(step, source, target, scope), how)
        function = "move_all" if step.what is None else "move_some"
        statements = self._with_passages(
            CallRuntime(span, function, arguments, moved.name), source, target, moved, step.kind
        )
        if step.what is not None and isinstance(step.what.type, Maybe):
            nothing = Assign(span, moved.name, Literal(span, ()))
            statements = branch(span, negation(is_none(kept[0])), statements, (nothing,) if step.result else ())
        return self._named_result(step, before + fixed + statements, moved, scope)

    def _ends(self, step: Move | Draw, scope: LowerScope) -> tuple[Statements, LoweredPlace, LoweredPlace]:
        first, source = self.kept_place(self.place(step.source, scope))
        second, target = self.kept_place(self.place(step.target, scope))
        return first + second, source, target

    def _piece(self, step: Move, what: Expression, scope: LowerScope) -> Formula:
        """Return the piece that is named: a member, or owner and member in one number."""
        formula = self.expression(what, scope)
        if not self.is_owned(step.kind) or isinstance(bare(what.type), Piece) or step.owner is None:
            return formula
        size = Literal(step.span, self.family_size(step.kind))
        owner = operation(step.span, "*", self.expression(step.owner, scope), size)
        return self.if_present(
            formula, what.type, lambda one: operation(step.span, "+", owner, one), Literal(step.span, None)
        )

    def _knowers(self, step: Move, scope: LowerScope) -> Formula:
        """Return the seats that know which piece is named, as a mask."""
        span = step.span
        if step.open:
            return Literal(span, (1 << self.players) - 1)
        mask: Formula = Literal(span, 0)
        for seat in step.knowers:
            mask = operation(span, "|", mask, operation(span, "<<", Literal(span, 1), self.expression(seat, scope)))
        return mask

    def _optional(self, expression: Expression | None, scope: LowerScope, span: Span) -> Formula:
        return Literal(span, None) if expression is None else self.expression(expression, scope)

    def _spots(
        self, step: Move | Draw, source: LoweredPlace, target: LoweredPlace, scope: LowerScope
    ) -> tuple[Formula, Formula]:
        """Return where pieces come from and where they go, as the runtime wants it."""
        position = target.index
        if step.position is not None or position is None:
            position = self._optional(step.position, scope, step.span)
        return self.spot(source, source.index), self.spot(target, position)

    def spot(self, place: LoweredPlace, index: Formula | None) -> Formula:
        """Return what the runtime must know about a place, its first cell, and an index."""
        first = self.offset(place.cells, place.at, place.span)
        parts = (
            Literal(place.span, self.ground(place)),
            operation(place.span, "+", Literal(place.span, place.cells.base), first),
            index or Literal(place.span, None),
        )
        return constant_or_tuple(place.span, parts)

    def _named_result(
        self, step: Move | Draw, statements: Statements, moved: Variable, scope: LowerScope
    ) -> tuple[Statements, LowerScope]:
        if step.result is None:
            return statements, scope
        span, result = step.span, self.variable(step.result, step.span)
        if isinstance(step, Move) and step.result_is_piece:
            value = call_pure(span, "moved_piece", moved, Literal(span, self.family_size(step.kind)))
        else:
            value = call_pure(span, "len", moved)
        return (*statements, Assign(span, result.name, value)), scope.bind(step.result, result)

    def draw(self, step: Draw, scope: LowerScope) -> tuple[Statements, LowerScope]:
        """Return the statements of a `draw`, and the names after it."""
        span = step.span
        before, source, target = self._ends(step, scope)
        moved = self.variable("moved", span)
        kind, count = Literal(span, step.kind), self.expression(step.count, scope)
        ends = self._spots(step, source, target, scope)
        if self._is_plain_draw(step, source, target):
            function = "draw_chance" if source.cells.container == "bag" else "draw_top"
            arguments: tuple[Formula, ...] = (kind, count, *ends, Literal(span, step.up_to))
        else:
            function = "draw_pieces"
            arguments = (kind, self._optional(step.owner, scope, span), count, *ends, Literal(span, (step.up_to,)))
        drawn = CallRuntime(span, function, arguments, moved.name)
        statements = before + self._with_passages(drawn, source, target, moved, step.kind)
        return self._named_result(step, statements, moved, scope)

    def _is_plain_draw(self, step: Draw, source: LoweredPlace, target: LoweredPlace) -> bool:
        """Whether pieces without owners go from a bag or list into another field."""
        return (
            not self.is_owned(step.kind)
            and source.cells is not target.cells
            and source.cells.container in {"bag", "list"}
            and source.index is None
        )

    # Passages.

    def _with_passages(
        self, performed: CallRuntime, source: LoweredPlace, target: LoweredPlace, moved: Variable, kind: str
    ) -> Statements:
        """Return a move and what happens to each piece that left one place for another."""
        left = self._passing(source, moved, kind, performed.span, entering=False)
        entered = self._passing(target, moved, kind, performed.span, entering=True)
        if not left and not entered:
            return (performed,)
        apart = self._apart(source, target, performed.span)
        return (performed, *branch(performed.span, apart, left + entered))

    def _apart(self, source: LoweredPlace, target: LoweredPlace, span: Span) -> Formula:
        """Return whether two places are not the same."""
        if source.cells is not target.cells:
            return Literal(span, value=True)
        pairs = zip(source.at, target.at, strict=True)
        tests = (operation(span, "!=", one, other) for one, other in pairs if one is not None and other is not None)
        return operation(span, "or", *tests)

    def _passing(self, place: LoweredPlace, moved: Variable, kind: str, span: Span, *, entering: bool) -> Statements:
        """Return what happens for each piece that left or entered a place."""
        piece, member, owner = (self.variable(name, span) for name in ("piece", kind, "whose"))
        body: Statements = ()
        for passage in self.rules.passages.get(place.cells.name, ()):
            if passage.entering is entering and passage.scope.kind in {None, place.cells.field.holds}:
                body += self._passage(passage, place, member, owner)
        if not body:
            return ()
        parts = (
            Assign(span, member.name, Op(span, "item", (piece, Literal(span, 0)))),
            Assign(span, owner.name, Op(span, "item", (piece, Literal(span, 1)))),
        )
        return (ForEach(span, piece.name, moved, parts + body),)

    def _passage(self, passage: EnterLeaveEffect, place: LoweredPlace, member: Variable, owner: Variable) -> Statements:
        span = passage.span
        names = self._passage_names(place, member, owner)
        tests: list[Formula] = []
        if passage.scope.kind is not None:
            names["self"] = member
            if len(passage.scope.members) < self.family_size(passage.scope.kind):
                members = Literal(span, passage.scope.members)
                tests.append(operation(span, "in", member, members))
        if passage.condition is not None:
            tests.append(self.expression(passage.condition, LowerScope(dict(names))))
        formulas = {name: meaning for name, meaning in names.items() if not isinstance(meaning, LoweredPlace)}
        given = self.handed(formulas)
        called = self.called(
            f"passage_{_word(passage.address)}", given, lambda inner: self.steps(passage.body, inner), span
        )
        return branch(span, operation(span, "and", *tests), called) if called else ()

    def _passage_names(self, place: LoweredPlace, member: Variable, owner: Variable) -> dict[str, Meaning]:
        """Return the names that a passage knows: those of the field's indices, and the member under its kind's name."""
        names: dict[str, Meaning] = {}
        for dimension, index in zip(place.cells.field.dimensions, place.at, strict=True):
            meaning = owner if index is None else index
            if isinstance(dimension, Player):
                names["player"] = meaning
            elif isinstance(dimension, Member):
                names |= {dimension.kind: meaning, self.family(dimension.kind): meaning}
        if place.cells.field.tells_owner:
            names["player"] = owner
        inner = item_type(place.cells.field.type)
        for kind in (place.cells.field.holds, getattr(inner, "kind", None)):
            if kind is not None:
                names[kind] = member
        return names

    # Order and knowledge.

    def shuffle(self, step: Shuffle, scope: LowerScope) -> Statements:
        """Return the statements of a `shuffle`."""
        return (CallRuntime(step.span, "shuffle_list", (self.spot(self.place(step.place, scope), None),)),)

    def sort(self, step: Sort, scope: LowerScope) -> Statements:
        """Return the statements of a `sort`."""
        span = step.span
        place = self.place(step.place, scope)
        item = self.variable(step.item, span)
        by = self.expression(step.by, scope.bind(step.item, item))
        items = self.field_read(place.cells, tuple(one for one in place.at if one is not None), span)
        keys = Reduce(span, "list", by, (Generator(item.name, items, ()),))
        return (CallRuntime(span, "sort_list", (self.spot(place, None), keys)),)

    def reveal(self, step: Reveal, scope: LowerScope) -> Statements:
        """Return the statements of a `reveal`."""
        span = step.span
        place = self.place(step.place, scope)
        what = self._optional(step.what, scope, span)
        everybody = Literal(span, (1 << self.players) - 1)
        seats: Formula = everybody if step.to is None else self.expression(step.to, scope)
        if step.to is not None and not isinstance(step.to.type, SetOf):
            seats = operation(span, "<<", Literal(span, 1), seats)
        is_piece = step.what is not None and isinstance(bare(step.what.type), Piece)
        how = Literal(span, (step.what is None, is_piece))
        return (CallRuntime(span, "reveal_pieces", (self.spot(place, place.index), what, seats, how)),)

    def places_to_leave(self) -> Constant:
        """Return every place of pieces, for a player who leaves: each field of a kind, and where its pieces go."""
        places: list[Constant] = []
        for name, field in self.rules.fields.items():
            if field.holds is None or name.startswith("out."):
                continue
            source = self._whole(name)
            target = source if field.holds == "player" else self._whole(f"out.{field.holds}")
            places.append((field.holds, source, target))
        return tuple(places)

    def _whole(self, name: str) -> PlaceLayout:
        """Return what is fixed about a field as a whole."""
        cells = self.layout.fields[name]
        first = Literal(cells.field.span, 0)
        at = tuple(None if number == cells.field.owner_dimension else first for number in range(len(cells.shape)))
        return self.ground(LoweredPlace(cells.field.span, cells, at))


def constant_or_tuple(span: Span, parts: tuple[Formula, ...]) -> Formula:
    """Return several formulas as one, which is a constant if they are."""
    if all(isinstance(part, Literal) for part in parts):
        return Literal(span, tuple(part.value for part in parts if isinstance(part, Literal)))
    return Op(span, "tuple", parts)


def _word(name: str) -> str:
    return "".join(letter if letter.isalnum() and letter.isascii() else "_" for letter in name)
