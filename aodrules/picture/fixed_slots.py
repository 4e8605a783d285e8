"""Fields in rooms of a given size: whatever lies there is made as small as it must be to fit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import define

from aodrules.check.checked import Field
from aodrules.lang.types import Flag, ListOf, Member, Number, Piece, Player, SetOf, item_type, present
from aodrules.picture.automatic import squeezed
from aodrules.picture.items import ShownItem
from aodrules.picture.scene import Mark, Node
from aodrules.picture.slots import NONE, Slots, class_name, path_of
from aodrules.picture.style import GAP, Drawn, box, flow, words
from aodrules.picture.table_slots import TableSlots
from aodrules.picture.text_size import fitted, text_width
from aodrules.picture.tokens import HEIGHT, token
from aodrules.picture.values import ShownValue

_LABEL = 12
_GROUND = 4
"""How far what lies in a slot with a ground of its own is from the edge."""
_WAYS = ((12, 1), (11, 1), (11, 2), (10, 2), (10, 3))
"""In which sizes, and on how many lines, the name of a field may stand: the first in which it has room."""
_CARD = 190
_CARD_HEIGHT = 150
_LEAST_CARD = (104, 62)
_LARGEST_SPACE = 1.8
_PITCH = 30
_EDGE = 3
"""How much can be seen of a thing on which another lies."""
_LARGEST = 1.5
_READABLE = 0.75
"""Names are left out where they would be smaller than this."""

Body = Mapping[str, Any]


@define(eq=False)
class FixedSlots:
    """Draws fields and attributes where a layout wants them."""

    slots: Slots

    def drawn(self, field: Field, at: tuple[int, ...], body: Body, size: tuple[int, int], kind: str) -> Drawn:
        """Return the cells of a field from some indices on."""
        style, (width, height), pad = self.slots.style, (float(size[0]), float(size[1])), 0
        label, top, marks = style.labels.field(field.name), 0.0, list[Mark]()
        if "fill" in body or "line" in body:
            line_ = style.colour(body["line"]) if "line" in body else None
            marks.append(box(0, 0, width, height, style.colour(body.get("fill", "slot")), line_, 8))
            pad = _GROUND
            width, height = width - 2 * pad, height - 2 * pad
        if body.get("name", True):
            top = self._add_name(label, width, pad, marks)
        manner, inner = body.get("as", "grid"), height - top
        if "spaces" in body:
            inside = self._on_spaces(field, at, self._spaces(body["spaces"], kind, at), (width, inner, top), marks)
        elif manner == "counter":
            inside = self._number(field, at, (width, inner, top))
        elif manner == "cards":
            inside = self._cards(field, at, (width, inner, top))
        elif manner == "table" and isinstance(item_type(field.type), Member | Piece):
            laid = self._laid(field, body)
            inside = TableSlots(self.slots).drawn(field, at, body, laid, (width, inner, top), marks)
        else:
            inside = self._things(field, at, manner, (width, inner, top), middle=body.get("middle", False))
        if not inside and body.get("name", True) and "spaces" not in body:
            marks.append(words(NONE, pad, pad + top + 12, _LABEL, style.theme.colour("faint")))
        if pad:
            inside = tuple(node.at(node.x + pad, node.y + pad, node.scale) for node in inside)
        id_ = path_of(self.slots.reader, field, at)
        node = Node(id_, ("slot", f"field-{class_name(field)}"), label=label, marks=tuple(marks), inside=inside)
        return Drawn(node, *size)

    def _laid(self, field: Field, body: Body) -> Field | None:
        """Return the field whose pieces lie on the things of a table."""
        return self.slots.style.names.tables.rules.fields.get(laid_on(field, body) or "")

    def _add_name(self, label: str, width: float, pad: float, marks: list[Mark]) -> float:
        """Add what stands above a slot, and return where the slot begins below it."""
        top, (size, lines) = 0.0, fitted(label, width, _WAYS)
        for line in lines:
            marks.append(words(line, pad, pad + top + 11, size, self.slots.style.theme.colour("faint")))
            top += size + 1
        return top + 5

    def value(self, id_: str, name: str, shown: ShownValue, body: Body) -> Drawn:
        """Return what a value of the rules is worth, under its name."""
        style, (width, height), marks = self.slots.style, body["size"], list[Mark]()
        label = style.labels.say(f"value.{name}")
        top = self._add_name(label, width, 0, marks) if body.get("name", True) else 0.0
        type_, value = style.names.tables.rules.values[name].type, shown.value
        said, member = "?" if not shown.is_known else self.slots.said(type_, value), present(type_)
        if isinstance(member, Member) and isinstance(value, str) and style.icon(member.kind, value) is not None:
            mention = token(style, f"{id_}.{value}", ShownItem(value, member.kind, value), small=True)
            inside = mention.node.at(0, top, min(1.5, (height - top) / HEIGHT))
            node = Node(id_, ("slot", f"value-{name}"), label=label, marks=tuple(marks), inside=(inside,))
            return Drawn(node.at(*body["at"]), width, height)
        if shown.is_known and isinstance(type_, ListOf | SetOf) and isinstance(type_.of, Player):
            seats = [token(style, f"{id_}.{seat}", ShownItem(seat, "player", seat)) for seat in value]
            several = squeezed(seats, width, height - top, 0, top, largest=_LARGEST)
            node = Node(id_, ("slot", f"value-{name}"), label=label, marks=tuple(marks), inside=several)
            return Drawn(node.at(*body["at"]), width, height)
        size = min((height - top) * 0.8, height * 0.42, 30.0)
        size = min(size, size * width / max(text_width(said, size, bold=True), 1))
        ink = style.theme.colour("ink" if shown.is_known else "faint")
        number = words(said, 0, height - top - 0.3 * size, round(size, 1), ink, bold=True)
        inner = Node(f"{id_}.value", ("counter",), label=said, marks=(number,)).at(0, top)
        node = Node(id_, ("slot", f"value-{name}"), label=label, marks=tuple(marks), inside=(inner,))
        return Drawn(node.at(*body["at"]), width, height)

    def _things(
        self, field: Field, at: tuple[int, ...], manner: str, room: tuple[float, float, float], *, middle: bool
    ) -> tuple[Node, ...]:
        width, height, top = room
        parts = self.slots.parts(field, at, wide=manner == "track", named=manner == "names", small=manner == "stack")
        if manner == "fan":
            parts = [each._replace(width=each.width * 0.55) for each in parts[:-1]] + parts[-1:]
        elif manner == "stack" and len(parts) > 1:
            parts = self._stacked(parts, field, at)
        if manner == "row":
            # All in one row: a room as high as one thing, and as wide as it must be.
            taken = sum(each.width + GAP for each in parts)
            height = min(height, HEIGHT * width / taken if taken > width else height)
        inside = squeezed(parts, width, height, 0, top, largest=_LARGEST, middle=middle)
        if inside and inside[0].scale < _READABLE and manner != "names":
            small = self.slots.parts(field, at, small=True)
            inside = squeezed(small, width, height, 0, top, largest=_LARGEST, middle=middle)
        return inside

    def _stacked(self, parts: list[Drawn], field: Field, at: tuple[int, ...]) -> list[Drawn]:
        """Return what lies one over the other: of all but the uppermost only edges, and how many there are."""
        uppermost = parts[-1] if "hidden" in parts[-1].node.classes else self.slots.parts(field, at, named=True)[-1]
        edges = [each._replace(node=each.node._replace(marks=each.node.marks[:1]), width=_EDGE - GAP) for each in parts]
        many = self.slots.counted(field, at, sum(each.node.pieces or 1 for each in parts))
        return [*edges[:-1], uppermost, many]

    def _cards(self, field: Field, at: tuple[int, ...], room: tuple[float, float, float]) -> tuple[Node, ...]:
        """Return things as cards side by side, as large as they can be; as names where cards could not be read."""
        width, height, top = room
        many = len(self.slots.parts(field, at))
        for rows in range(1, many + 1):
            columns = -(-many // rows)
            size = (min(_CARD, (width - GAP * (columns - 1)) / columns), (height - GAP * (rows - 1)) / rows)
            size = (size[0], min(size[1], _CARD_HEIGHT))
            if size[1] < _LEAST_CARD[1]:
                break
            parts = self.slots.parts(field, at, size=size) if size[0] >= _LEAST_CARD[0] else []
            if parts and not any(_is_cut(part.node) for part in parts):
                placed, _, _ = flow(parts, width + 1, GAP)
                return tuple(node.at(node.x, top + node.y) for node in placed)
        return self._things(field, at, "names", room, middle=False)

    def _number(self, field: Field, at: tuple[int, ...], room: tuple[float, float, float]) -> tuple[Node, ...]:
        """Return a number as large as there is room for."""
        width, height, top = room
        parts = self.slots.parts(field, at)
        if len(parts) != 1 or not parts[0].node.label:
            return squeezed(parts, width, height, 0, top)
        (one,) = parts
        size = min(height * 0.8, (height + top) * 0.42, 30.0)
        size = min(size, size * width / max(text_width(one.node.label, size, bold=True), 1))
        # All numbers beside each other stand on one line, also where the name of one takes two.
        colour = self.slots.style.theme.colour("ink")
        mark = words(one.node.label, 0, height - 0.3 * size, round(size, 1), colour, bold=True)
        return (one.node._replace(marks=(mark,)).at(0, top),)

    def _spaces(self, wanted: int | str, kind: str, at: tuple[int, ...]) -> int:
        """Return how many spaces there are: as a number, or by an attribute of the member."""
        if isinstance(wanted, int) or not at:
            return wanted if isinstance(wanted, int) else 0
        found = self.slots.style.attribute(kind, wanted)
        value = None if found is None else self.slots.style.names.tables.attributes[found][at[0]]
        return value if isinstance(value, int) else 0

    def _on_spaces(
        self, field: Field, at: tuple[int, ...], many: int, room: tuple[float, float, float], marks: list[Mark]
    ) -> tuple[Node, ...]:
        """Return things on spaces that are drawn whether something lies there or not."""
        parts = self.slots.parts(field, at, small=True)
        width, height, top = room
        many, scale = max(min(many, 60), len(parts)), _LARGEST_SPACE
        while scale > 0.3 and max(1, int(width / (_PITCH * scale))) * int(height / (_PITCH * scale)) < many:
            scale -= 0.05
        pitch, inside = _PITCH * scale, list[Node]()
        columns = max(1, int(width / pitch))
        colour = self.slots.style.theme.colour
        for number in range(many):
            row, column = divmod(number, columns)
            x, y = column * pitch, top + row * pitch
            ring = (("cx", round(x + 13 * scale, 1)), ("cy", round(y + 13 * scale, 1)), ("r", round(12.5 * scale, 1)))
            marks.append(("circle", (*ring, ("fill", colour("slot")), ("stroke", colour("line"))), ""))
            if number < len(parts):
                inside.append(parts[number].node.at(x + scale, y + scale, round(scale, 2)))
        return tuple(inside)

    def attribute(self, kind: str, index: int, name: str, body: Body) -> Node | None:
        """Return what is printed on a member; nothing if that is nothing."""
        style, names = self.slots.style, self.slots.style.names
        address = style.attribute(kind, name)
        if address is None:
            return None
        type_, value = names.tables.rules.attributes[address].type, names.tables.attributes[address][index]
        said, label = names.readable(type_, value), style.labels.attribute(kind, name)
        if not said:
            return None
        id_ = f"{names.tables.rules.kinds[kind].plural}.{names.member(kind, index)}.{name}"
        inner = present(type_)
        if isinstance(inner, Member):
            mention = token(style, f"{id_}.{said}", ShownItem(str(said), inner.kind, str(said)), small=True)
            scale = min(1.0, body["size"][1] / HEIGHT)
            return Node(id_, ("printed",), label=label, title=label, inside=(mention.node.at(0, 0, scale),))
        if body.get("as") == "counter" and isinstance(inner, Number):
            return Node(
                id_,
                ("printed", "counter"),
                label=f"{label}: {said}",
                title=label,
                marks=self._printed(label, said, body),
            )
        text = (
            label
            if isinstance(inner, Flag)
            else str(said)
            if isinstance(inner, Number)
            else style.labels.value(type_, said)
        )
        if body.get("name", True) and isinstance(inner, Number):
            text = f"{label}: {text}"
        size, lines = fitted(text, body["size"][0], _WAYS)
        marks = tuple(
            words(line, 0, 11 + number * (size + 1), size, style.theme.colour("faint"))
            for number, line in enumerate(lines)
        )
        return Node(id_, ("printed",), label=text, title=label, marks=marks)

    def _printed(self, label: str, said: int, body: Body) -> tuple[Mark, ...]:
        """Return a number that is printed somewhere, as large as there is room for, beside what it is."""
        (width, height), colour = body["size"], self.slots.style.theme.colour
        size = min(height * 0.85, 30.0)
        taken = text_width(str(said), size, bold=True) + 8
        number = words(str(said), 0, height / 2 + size * 0.36, round(size, 1), colour("ink"), bold=True)
        if not body.get("name", True):
            return (number,)
        letters, lines = fitted(label, width - taken, _WAYS)
        first = height / 2 + letters * 0.36 - (len(lines) - 1) * (letters + 1) / 2
        return number, *(
            words(line, taken, first + place * (letters + 1), letters, colour("faint"))
            for place, line in enumerate(lines)
        )


def laid_on(field: Field, body: Body) -> str | None:
    """Return the name of the field whose pieces lie on the things of a slot."""
    return f"{field.name.rpartition('.')[0]}.{body['with']}" if "with" in body else None


def _is_cut(node: Node) -> bool:
    """Whether a text on it had no room."""
    return any(text.endswith("…") for _, _, text in node.marks)
