"""How a field of the state looks: its name, and what lies in its cells."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from attrs import define

from aodrules.check.checked import Field
from aodrules.lang.types import Member, Number, Player, Type, present
from aodrules.picture.items import ShownItem, is_scalar, items_of
from aodrules.picture.scene import Mark, Node
from aodrules.picture.style import GAP, Drawn, Style, box, flow, words
from aodrules.picture.text_size import fitted, text_width
from aodrules.picture.tokens import HEIGHT, card, disc, token
from aodrules.play.ids import dimension_index, dimension_names, field_path
from aodrules.play.states import CellReader, Hidden

_LABEL = 11.5
_WAYS = ((_LABEL, 1), (10.5, 1), (10.5, 2), (10, 3))
_LONGEST_TRACK = 12
_WIDEST_HEADED = 210
NONE = "\u2013"
_OWN_IDS = frozenset({"picture", "layout", "more", "table", "state"})
"""What our own ids begin with: where the path of a field does so too, `state` is put before it."""


@define(eq=False)
class Slots:
    """Draws fields for who reads the state by a reader."""

    style: Style
    reader: CellReader

    def drawn(
        self, field: Field, at: tuple[int, ...], width: float, *, wide: bool = False, name: str | None = None
    ) -> Drawn:
        """Return the cells of a field from some indices on, under the name of the field, in so much width at most.

        Args:
            field: The field.
            at: The first indices.
            width: How much room there is from left to right.
            wide: Whether there is room for a track where one can be had.
            name: What stands above; what the field is called if not given, and nothing if it is empty.
        """
        label = self.style.labels.field(field.name) if name is None else name
        parts = self.parts(field, at, wide=wide)
        size, lines = fitted(label, width, _WAYS)
        pitch, colour = size + 1.5, self.style.theme.colour("faint")
        start = 3 + len(lines) * pitch if label else 0
        placed, taken, height = flow(parts, width, GAP, top=start)
        room = max([taken, *(text_width(line, size) for line in lines)])
        marks = tuple(words(line, 0, 10.5 + row * pitch, size, colour) for row, line in enumerate(lines) if line)
        id_ = path_of(self.reader, field, at)
        node = Node(id_, ("slot", f"field-{class_name(field)}"), 0, 0, 1, "", label, "", 0, marks, placed)
        return Drawn(node, room, max(height, start + HEIGHT))

    def empty(self, field: Field, at: tuple[int, ...]) -> Drawn:
        """Return a field in which nothing lies, on one line."""
        label, colour = self.style.labels.field(field.name), self.style.theme.colour("faint")
        text = f"{label} {NONE}"
        mark, id_ = words(text, 0, 11, _LABEL, colour), path_of(self.reader, field, at)
        classes = ("slot", f"field-{class_name(field)}")
        return Drawn(Node(id_, classes, label=label, title=label, marks=(mark,)), text_width(text, _LABEL), 16)

    def is_empty(self, field: Field, at: tuple[int, ...]) -> bool:
        """Whether nothing lies in the cells of a field from some indices on, and no number is other than nought."""
        return all(not self.reader.read(field.name, cell) for cell in self.cells(field, at))

    def says_nothing(self, field: Field, at: tuple[int, ...]) -> bool:
        """Whether the cells of a field from some indices on are empty, and none of them is a number."""
        return not isinstance(present(field.type), Number) and self.is_empty(field, at)

    def parts(
        self,
        field: Field,
        at: tuple[int, ...],
        *,
        wide: bool = False,
        small: bool = False,
        named: bool = False,
        size: tuple[float, float] | None = None,
        but: Callable[[tuple[int, ...]], bool] | None = None,
    ) -> list[Drawn]:
        """Return what lies in the cells of a field from some indices on, side by side.

        If small, they are without names; if named, with them; with a size they are cards of it. Some cells may be
        left out.
        """
        found: list[Drawn] = []
        for cell in self.cells(field, at):
            if but is not None and but(cell):
                continue
            value = self.reader.read(field.name, cell)
            inner = self._told(field, cell, len(at))
            draw = partial(self._card, size=size) if size else partial(self._token, small=small, named=named)
            found += self._cell(field, cell, value, draw, wide=wide and not inner, before=inner, known=len(at))
        return found

    def _card(self, style: Style, id_: str, item: ShownItem, *, size: tuple[float, float]) -> Drawn:
        return card(style, id_, item, size, self._known_of(id_, item))

    def _token(self, style: Style, id_: str, item: ShownItem, *, small: bool, named: bool) -> Drawn:
        """Return a token; if it has its name, what is known of it stands behind it."""
        drawn = token(style, id_, item, small=small, named=named)
        known = self._known_of(id_, item) if named else []
        if not known:
            return drawn
        behind, taken, _ = flow(known, _WIDEST_HEADED, GAP, left=drawn.width + GAP)
        return drawn._replace(node=drawn.node._replace(inside=behind), width=drawn.width + GAP + taken)

    def _known_of(self, id_: str, item: ShownItem) -> list[Drawn]:
        """Return what the fields of a member say that hold no pieces: it stands where the member is shown by name."""
        if item.member is None or item.kind == "player":
            return []
        tables = self.style.names.tables
        number = tables.rules.family(item.kind).members.index(item.member)
        found: list[Drawn] = []
        for field in self.style.known_fields(item.kind):
            at = (number,) if field.dimensions else ()
            is_of_another = not at and field.name.split(".")[1] != item.member
            is_lacking = is_of_another or number in tables.lacking.get(field.name, ())
            value = None if is_lacking else self.reader.read(field.name, at)
            name = f"{id_}.{field.name.rpartition('.')[2]}"
            if not value:
                continue
            label = self.style.labels.say(f"state.{field.name}")
            if value is True:
                found.append(self._word(name, f"✓ {label}"))
            elif is_scalar(field.type) and not isinstance(value, Hidden):
                found.append(self._word(name, f"{label} {value}"))
            else:
                items = items_of(self.reader.names, field, at, value)
                found += [token(self.style, f"{name}.{each.key}", each, small=True) for each in items]
        return found

    def counted(self, field: Field, at: tuple[int, ...], many: int) -> Drawn:
        """Return how many things lie in a field from some indices on."""
        label, colour = f"{self.style.labels.field(field.name)}: {many}", self.style.theme.colour
        width = max(text_width(str(many), 14, bold=True) + 10, 26)
        marks = (
            box(0, 0.5, width, HEIGHT - 1, colour("slot"), colour("line"), 11),
            words(str(many), width / 2, 17, 14, colour("ink"), anchor="middle", bold=True),
        )
        id_ = f"{path_of(self.reader, field, at)}.many"
        return Drawn(Node(id_, ("counter",), label=label, title=label, marks=marks), width, HEIGHT)

    def cells(self, field: Field, at: tuple[int, ...]) -> list[tuple[int, ...]]:
        """Return the indices of the cells of a field from some indices on."""
        names, cells = self.reader.names, [at]
        for type_ in field.dimensions[len(at) :]:
            known = [dimension_index(names, type_, each) for each in dimension_names(names, type_)]
            cells = [(*cell, each) for cell in cells for each in known]
        return cells

    def _told(self, field: Field, cell: tuple[int, ...], known: int) -> str:
        """Return what tells a cell apart from others of its field: the indices that its pieces do not tell."""
        names = self.reader.names
        rest = range(known, len(cell))
        return ", ".join(
            self.style.say(_kind_of(field.dimensions[place]), names.index(field.dimensions[place], cell[place]))
            for place in rest
            if place != field.owner_dimension
        )

    def _cell(
        self,
        field: Field,
        cell: tuple[int, ...],
        value: Any,
        draw: Callable[[Style, str, ShownItem], Drawn],
        *,
        wide: bool,
        before: str,
        known: int,
    ) -> list[Drawn]:
        id_ = path_of(self.reader, field, cell)
        if isinstance(value, Hidden) and field.holds is None:
            return [token(self.style, f"{id_}.hidden", ShownItem("hidden", "value", None))]
        if is_scalar(field.type):
            return [self._scalar(field, id_, value, before, wide=wide, seat=self._seat_alone(field, cell, known))]
        if wide and isinstance(field.type, Member) and len(self._members(field.type)) <= _LONGEST_TRACK:
            return [self._track(id_, self._members(field.type), value, field.type.kind)]
        items = items_of(self.reader.names, field, cell, value)
        found = [
            draw(self.style, f"{id_}.{item.key}", item)
            if item.member is not None or not before
            else token(self.style, f"{id_}.{item.key}", item, small=True)
            for item in items
        ]
        if before and found:
            found[:1] = self._headed(f"{id_}.its-name", before, found[0])
        return found

    def _headed(self, id_: str, before: str, first: Drawn) -> list[Drawn]:
        """Return a word and the first thing behind it: as one, so that no line ends between them."""
        word = self._word(id_, before)
        width = word.width + GAP + first.width
        if width > _WIDEST_HEADED:
            return [word, first]
        inside = (first.node.at(word.width + GAP, 0),)
        return [Drawn(word.node._replace(inside=inside), width, max(word.height, first.height))]

    def _members(self, type_: Member) -> tuple[str, ...]:
        return dimension_names(self.reader.names, type_)

    def _word(self, id_: str, text: str) -> Drawn:
        mark = words(text, 0, 16, _LABEL, self.style.theme.colour("faint"))
        return Drawn(Node(id_, ("name",), marks=(mark,), label=text), text_width(text, _LABEL) + 2, HEIGHT)

    def _seat_alone(self, field: Field, cell: tuple[int, ...], known: int) -> str:
        """Return the seat that alone tells a cell apart from the others; nothing if something else does too."""
        is_seat = len(cell) == known + 1 and isinstance(field.dimensions[known], Player)
        return self.reader.names.seats[cell[known]] if is_seat else ""

    def _scalar(self, field: Field, id_: str, value: Any, before: str, *, wide: bool, seat: str = "") -> Drawn:
        type_ = present(field.type)
        low, high = (type_.low, type_.high) if isinstance(type_, Number) else (None, None)
        if wide and low is not None and high is not None and high - low < _LONGEST_TRACK:
            return self._track(id_, tuple(map(str, range(low, high + 1))), str(value), "")
        shown = self.said(field.type, value)
        size, colour = 16, self.style.theme.colour
        marks, x = [], 0.0
        if seat:
            look = self.style.seats[seat]
            marks += [disc(self.style, seat, 10, 12, 9.5)]
            marks += [words(look.letter, 10, 15.8, 10.5, look.ink, anchor="middle", bold=True)]
            x = 23.0
        elif before:
            marks.append(words(before, 0, 16.5, _LABEL, colour("faint")))
            x = text_width(before, _LABEL) + 4
        width = max(text_width(shown, size, bold=True) + 10, 26)
        marks += [box(x, 0.5, width, HEIGHT - 1, colour("slot"), None)]
        marks += [words(shown, x + width / 2, 18, size, colour("ink"), anchor="middle", bold=True)]
        label = f"{before}: {shown}" if before else shown
        return Drawn(Node(f"{id_}.value", ("counter",), marks=tuple(marks), label=label), x + width, HEIGHT)

    def said(self, type_: Type, value: Any) -> str:
        """Return what people read of a value."""
        if value is None:
            return NONE
        if isinstance(value, bool):
            return "✓" if value else NONE
        return str(value) if isinstance(value, int) else self.style.labels.value(type_, value)

    def _track(self, id_: str, steps: Sequence[str], now: Any, kind: str) -> Drawn:
        """Return a row of spaces of which one is marked."""
        colour, marks, x = self.style.theme.colour, list[Mark](), 0.0
        for step in steps:
            said = self.style.say(kind, step) if kind else step
            width = max(text_width(said, 12, bold=True) + 10, HEIGHT)
            is_here = step == now
            marks.append(box(x, 0.5, width, HEIGHT - 1, colour("accent" if is_here else "slot"), colour("line")))
            ink = colour("panel" if is_here else "faint")
            marks.append(words(said, x + width / 2, 16.5, 12, ink, anchor="middle", bold=is_here))
            x += width + 2
        label = NONE if now is None else self.style.say(kind, str(now)) if kind else str(now)
        return Drawn(Node(f"{id_}.track", ("track",), marks=tuple(marks), label=label, title=label), x - 2, HEIGHT)


def path_of(reader: CellReader, field: Field, at: tuple[int, ...]) -> str:
    """Return the id of the node that shows a field from some indices on: its path in the state."""
    unknown: list[int | None] = [None] * (len(field.dimensions) - len(at))
    path = field_path(reader.names, field.name, [*at, *unknown])
    return f"state.{path}" if path.partition(".")[0] in _OWN_IDS else path


def class_name(field: Field) -> str:
    """Return the name of a field as part of a class."""
    return field.name.replace(".", "-")


def _kind_of(type_: Type) -> str:
    return "player" if isinstance(type_, Player) else type_.kind if isinstance(type_, Member) else ""
