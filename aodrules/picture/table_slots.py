"""A field as a table: a row for each of its cells, a column for each value of an attribute, and what lies on things."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from attrs import define

from aodrules.check.checked import Field
from aodrules.lang.types import Member, kind_of
from aodrules.picture.automatic import squeezed
from aodrules.picture.items import ShownItem, items_of
from aodrules.picture.scene import Mark, Node
from aodrules.picture.slots import Slots, path_of
from aodrules.picture.style import GAP, Drawn, Style, words
from aodrules.picture.text_size import fitted
from aodrules.picture.tokens import HEIGHT, plate, token
from aodrules.play.ids import dimension_index, dimension_names

_HEAD = 15
_BESIDE = 28
"""How much room the icon of a row takes; a word takes more."""
_WORD = 66
_HIGHEST = 58
_LABELS = ((10.5, 1), (9.5, 2), (8.5, 2))

Body = Mapping[str, Any]
Room = tuple[float, float, float]


@define(eq=False)
class TableSlots:
    """Draws fields as tables."""

    slots: Slots

    @property
    def style(self) -> Style:
        """How everything is drawn."""
        return self.slots.style

    def drawn(
        self, field: Field, at: tuple[int, ...], body: Body, laid: Field | None, room: Room, marks: list[Mark]
    ) -> tuple[Node, ...]:
        """Return the things of a field in rows and columns.

        Args:
            field: The field.
            at: The first indices of its cells.
            body: What the layout says of the slot.
            laid: The field whose pieces lie on those things.
            room: Width, height, and where it begins.
            marks: Where the heads of the columns are added.
        """
        width, height, top = room
        rows = [(cell, items) for cell in self._rows(field, at, body) if (items := self._items(field, cell))]
        left = self._beside(field, at)
        heads = self._columns(field, body.get("columns"))
        each = (width - left) / max(1, len(heads))
        for number, (_, said) in enumerate(heads):
            if said:
                marks.append(words(said, left + number * each + 2, top + 10, 10.5, self.style.theme.colour("faint")))
        start = top + (_HEAD if any(said for _, said in heads) else 0)
        rest = self._not_shown(laid, at, rows)
        high = min(_HIGHEST, (top + height - start) / max(1, len(rows) + bool(rest)))
        inside = list[Node]()
        for number, (cell, items) in enumerate(rows):
            y = start + number * high
            inside += self._head_of_row(field, cell, at, (left, high, y))
            for place, (value, _) in enumerate(heads):
                here = [item for item in items if not body.get("columns") or self._value(item, body) == value]
                wide = (each - GAP) / max(1, len(here))
                for step, item in enumerate(here):
                    on = self._on(laid, at, item)
                    id_ = f"{path_of(self.slots.reader, field, cell)}.{item.key}"
                    drawn = plate(self.style, id_, item, (wide - 2, high - GAP), on)
                    inside.append(drawn.node.at(left + place * each + step * wide, y))
        return (*inside, *squeezed(rest, width, high, 0, start + len(rows) * high))

    def _rows(self, field: Field, at: tuple[int, ...], body: Body) -> list[tuple[int, ...]]:
        """Return the cells of a field, in the order that the layout wants."""
        cells, type_ = self.slots.cells(field, at), self._index_type(field, at)
        address = None if type_ is None or "rows" not in body else self.style.attribute(type_.kind, body["rows"])
        if address is None:
            return cells
        held = self.style.names.tables.attributes[address]
        return sorted(cells, key=lambda cell: held[cell[-1]])

    def _items(self, field: Field, cell: tuple[int, ...]) -> tuple[ShownItem, ...]:
        return items_of(self.slots.reader.names, field, cell, self.slots.reader.read(field.name, cell))

    def _index_type(self, field: Field, at: tuple[int, ...]) -> Member | None:
        """Return of what kind the index is that tells rows apart."""
        rest = field.dimensions[len(at) :]
        return rest[0] if len(rest) == 1 and isinstance(rest[0], Member) else None

    def _beside(self, field: Field, at: tuple[int, ...]) -> int:
        """Return how much room rows need for what tells them apart."""
        type_, names = self._index_type(field, at), self.style.names
        if type_ is None:
            return 0
        members = names.tables.rules.kinds[type_.kind].members
        return _BESIDE if all(self.style.icon(type_.kind, each) is not None for each in members) else _WORD

    def _head_of_row(self, field: Field, cell: tuple[int, ...], at: tuple[int, ...], room: Room) -> Iterator[Node]:
        type_, (width, height, y) = self._index_type(field, at), room
        if type_ is None:
            return
        member = str(self.slots.reader.names.index(type_, cell[-1]))
        id_ = f"{path_of(self.slots.reader, field, cell)}.its-name"
        if width == _BESIDE:
            mention = token(self.style, id_, ShownItem(member, type_.kind, member), small=True)
            yield mention.node.at(0, y + (height - GAP - HEIGHT) / 2)
            return
        said = self.style.say(type_.kind, member)
        size, lines = fitted(said, width - GAP, _LABELS)
        faint = self.style.theme.colour("faint")
        first = (height - GAP) / 2 + size * 0.36 - (len(lines) - 1) * size / 2
        marks = tuple(words(line, 0, first + place * (size + 1), size, faint) for place, line in enumerate(lines))
        yield Node(id_, ("name",), y=y, label=said, marks=marks)

    def _columns(self, field: Field, wanted: str | None) -> list[tuple[Any, str]]:
        """Return the values that tell columns apart, each with what it is called; one without a name if none do."""
        kind, tables = kind_of(field.type), self.style.names.tables
        address = None if wanted is None else self.style.attribute(kind, wanted)
        if address is None:
            return [(None, "")]
        family, type_ = tables.rules.family(kind).members, tables.rules.attributes[address].type
        held = tables.attributes[address]
        values = sorted({held[family.index(each)] for each in tables.rules.kinds[kind].members})
        names = self.style.names
        return [(each, self.style.labels.value(type_, names.readable(type_, each))) for each in values]

    def _value(self, item: ShownItem, body: Body) -> Any:
        """Return in which column a thing stands."""
        address, tables = self.style.attribute(item.kind, body["columns"]), self.style.names.tables
        if address is None or item.member is None:
            return None
        return tables.attributes[address][tables.rules.family(item.kind).members.index(item.member)]

    # What lies on things.

    def _on(self, laid: Field | None, at: tuple[int, ...], item: ShownItem) -> list[Drawn]:
        number = None if laid is None else self._number(laid, item)
        return [] if laid is None or number is None else self.slots.parts(laid, (*at, number), small=True)

    def _number(self, laid: Field, item: ShownItem) -> int | None:
        """Return by which index pieces lie on a thing; nothing if none can."""
        names, type_ = self.style.names, laid.dimensions[-1]
        known = item.member is not None and item.member in dimension_names(names, type_)
        return dimension_index(names, type_, item.member) if known and item.member is not None else None

    def _not_shown(
        self, laid: Field | None, at: tuple[int, ...], rows: list[tuple[tuple[int, ...], tuple[ShownItem, ...]]]
    ) -> list[Drawn]:
        """Return what lies on things that are not in the table."""
        if laid is None:
            return []
        shown = {self._number(laid, item) for _, items in rows for item in items}
        return self.slots.parts(laid, at, but=lambda cell: cell[-1] in shown)
