"""A picture as a layout arranges it: what it draws itself, fields of the table, and groups of members or players."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Any, TypeAlias

from attrs import define, frozen

from aodrules.check.checked import Field, Kind
from aodrules.lang.types import Member, Piece, item_type
from aodrules.picture.automatic import BADGE, AutomaticPicture, Keep, framed, seat_band
from aodrules.picture.fixed_slots import FixedSlots, laid_on
from aodrules.picture.points import badge, track
from aodrules.picture.scene import Mark, Node
from aodrules.picture.slots import Slots
from aodrules.picture.style import Drawn, Style, box, in_face, path, words
from aodrules.picture.text_size import fitted
from aodrules.picture.theme import readable_on
from aodrules.picture.values import ShownValue, Values, is_value_of
from aodrules.play.ids import PLAYERS

_GAP = 12
_BY_NAME = ("cards", "names")
_NAMES = ((15, 1), (14, 1), (13, 1), (12, 1))

Body = Mapping[str, Any]


@frozen(eq=False)
class PlacedMember:
    """A member or player that a layout places, and all that is known of it before any position is."""

    id: str
    kind: str
    member: str
    index: int
    body: Body
    place: Body
    fields: list[tuple[Field, Body]]
    printed: list[Node]
    """Its attributes that are shown."""
    beside: tuple[str, ...]
    """The fields that say what is known of those that are shown by name in its slots."""
    values: list[tuple[str, Body]]
    """The values of the rules that are shown with it."""


Show: TypeAlias = "Callable[[ArrangedPicture], Iterator[Node]]"


@define(eq=False)
class ArrangedPicture:
    """Draws what a layout places."""

    slots: Slots
    asked: str | None
    """The seat that the game waits for."""
    keep: Keep
    rest: AutomaticPicture
    """What draws grids, and everything that is not placed here."""
    show_question: Callable[..., Drawn]
    """Draws what the game waits for, given its id and size."""
    values: Values

    @property
    def style(self) -> Style:
        """How everything is drawn."""
        return self.slots.style

    def parts(self) -> Iterator[Node]:
        """Iterate over the nodes of the picture: first what lies below others."""
        yield from self.style.once("drawn", lambda: list(self._all_drawn()))
        for id_, x, y, members in self.style.once("groups", lambda: list(self._all_groups())):
            yield Node(f"layout.{id_}", ("group",), x, y, inside=tuple(node for each in members for node in each(self)))
        for body in self.style.layout.with_key("slot").values():
            yield from self._slot(body)
        for id_, body in self.style.layout.with_key("score").items():
            yield from self._score(f"layout.{id_}", body)
        for id_, body in self.style.layout.with_key("question").items():
            yield self.show_question(f"layout.{id_}", size=body["question"]).node.at(*body["at"])

    def _all_drawn(self) -> Iterator[Node]:
        for id_, body in self.style.layout.parts.items():
            mark = self._drawn(body)
            if mark is not None:
                yield Node(f"layout.{id_}", ("drawn",), marks=(mark,))

    def _all_groups(self) -> Iterator[tuple[str, int, int, list[Show]]]:
        """Iterate over the groups: where each stands, and what shows its members in a picture."""
        for id_, body in self.style.layout.with_key("group").items():
            if body["group"] == "player" or body["group"] in self.style.names.tables.rules.kinds:
                x, y = body["at"]
                yield id_, x, y, list(self._group(body))

    # What is only drawn.

    def _drawn(self, body: Body) -> Mark | None:
        if "rect" in body:
            left, top, width, height = body["rect"]
            mark = box(left, top, width, height, self._fill(body), None, body.get("bend", 0))
        elif "circle" in body:
            x, y, radius = body["circle"]
            mark = ("circle", (("cx", x), ("cy", y), ("r", radius), ("fill", self._fill(body))), "")
        elif "path" in body:
            mark = path(body["path"], self._fill(body))
        elif "words" in body:
            fill, anchor = self.style.colour(body.get("fill", "ink")), body.get("anchor", "start")
            size, said = body.get("size", 16), self.style.labels.say(body["words"])
            x, y = body["at"]
            return in_face(words(said, x, y, size, fill, anchor=anchor, bold=size > 13), body.get("face", ""))
        else:
            return None
        tag, attributes, text = mark
        return (tag, (*attributes, *self._line(body)), text)

    def _fill(self, body: Body) -> str:
        return self.style.colour(body["fill"]) if "fill" in body else "none"

    def _line(self, body: Body) -> tuple[tuple[str, str | float], ...]:
        if "line" not in body:
            return ()
        return (("stroke", self.style.colour(body["line"])), ("stroke-width", body.get("thick", 1)))

    # Fields of the table.

    def _slot(self, body: Body) -> Iterator[Node]:
        name = "table." + str(body["slot"]).removeprefix("table.")
        field = self.style.names.tables.rules.fields.get(name)
        if field is None:
            yield from self._table_value(str(body["slot"]), body)
            return
        draw = partial(self._fixed, field, (), body, body["size"], "")
        beside = self.style.once(("beside", name), lambda: known_beside(self.style, field, body))
        found = self.keep(f"layout {name}", _read_by(field, body), None, draw, self._known(beside))
        if found is not None:
            yield found.node

    def _table_value(self, name: str, body: Body) -> Iterator[Node]:
        """Iterate over the node of a value of the rules; there is none if a variant took away what stood here."""
        if is_value_of(self.style.names.tables.rules, "", name):
            shown = self.values.read(name, ())
            draw = partial(FixedSlots(self.slots).value, name, name, shown, body)
            found = self.keep(f"layout value {name}", (), None, draw, shown)
            if found is not None:
                yield found.node

    def _score(self, id_: str, body: Body) -> Iterator[Node]:
        points = self.rest.points
        draw = partial(track, self.style, id_, points, body["score"])
        found = self.keep(id_, (), None, draw, tuple(points.values())) if points else None
        if found is not None:
            yield found.node.at(*body["at"])

    def _fixed(self, field: Field, at: tuple[int, ...], body: Body, size: tuple[int, int], kind: str) -> Drawn:
        found = FixedSlots(self.slots).drawn(field, at, body, size, kind)
        return found._replace(node=found.node.at(*body["at"]))

    # Groups.

    def _group(self, body: Body) -> Iterator[Show]:
        kind = str(body["group"])
        if kind == "player":
            members: tuple[str, ...] = self.style.names.seats
        else:
            members = self.style.names.tables.rules.kinds[kind].members
        if "cell" in body:
            yield partial(_show_cells, self.style.names.tables.rules.kinds[kind], body["cell"])
            return
        places: Body = body.get("places", {})
        if "size" in body:
            body = self._stretched(body, len(members))
        rows = (
            {each: {"at": self._in_rows(body, number)} for number, each in enumerate(members)} if "each" in body else {}
        )
        # What is written first lies below the others.
        for member, place in {**places, **{each: rows[each] for each in rows if each not in places}}.items():
            if member in members:
                yield partial(_show_member, self._placed(kind, member, body, place))

    def _stretched(self, body: Body, many: int) -> Body:
        """Return a group whose members share its width: all that stands in them is stretched from left to right."""
        (width, _), (before, height), gap = body["size"], body.get("each", body["size"]), body.get("gap", _GAP)
        each = (width - gap * (many - 1)) // many
        by = each / before
        slots = {name: _stretched(slot, by) for name, slot in body.get("slots", {}).items()}
        return {**body, "each": (each, height), "columns": many, "slots": slots}

    def _in_rows(self, body: Body, number: int) -> tuple[int, int]:
        """Return where the next member stands that has no place of its own."""
        width, height = body["each"]
        row, column = divmod(number, max(1, body.get("columns", 1)))
        gap = body.get("gap", _GAP)
        return column * (width + gap), row * (height + gap)

    def _placed(self, kind: str, member: str, body: Body, place: Body) -> PlacedMember:
        """Return all that is known of a member before any position is."""
        names, fields = self.style.names, list[tuple[Field, Body]]()
        if kind == "player":
            id_, index = f"{PLAYERS}.{member}", names.seats.index(member)
        else:
            family = names.tables.rules.family(kind).members
            id_, index = f"{names.tables.rules.kinds[kind].plural}.{member}", family.index(member)
        left, top = place["at"] if "outline" in place else (0, 0)
        printed, values = list[Node](), list[tuple[str, Body]]()
        for name, slot in {**body.get("slots", {}), **place.get("slots", {})}.items():
            field, (x, y) = field_named(self.style, kind, name), slot["at"]
            moved = {**slot, "at": (left + x, top + y)}
            if field is None and is_value_of(names.tables.rules, kind, name):
                values.append((name, moved))
            elif field is None and kind == "player":
                continue  # a variant took it away
            elif field is None:
                node = FixedSlots(self.slots).attribute(kind, index, name, slot)
                printed += [] if node is None else [node.at(left + x, top + y)]
            elif index not in names.tables.lacking.get(field.name, ()):
                fields.append((field, moved))
        beside = {name: None for field, slot in fields for name in known_beside(self.style, field, slot)}
        return PlacedMember(id_, kind, member, index, body, place, fields, printed, tuple(beside), values)

    def member(self, one: PlacedMember) -> Iterator[Node]:
        """Iterate over the one node of a member: kept as it was if nothing in its fields changed."""
        is_player = one.kind == "player"
        shown = [self.values.read(name, (one.index,)) for name, _ in one.values]
        known = (self._known(one.beside), shown)
        also = (known, one.member == self.asked, self.rest.points.get(one.member)) if is_player else known
        fields = [name for each, slot in one.fields for name in _read_by(each, slot)]
        found = self.keep(f"layout {one.id}", fields, one.index, lambda: self._draw_member(one, shown), also)
        if found is not None:
            yield found.node

    def _known(self, beside: Iterable[str]) -> tuple[Any, ...]:
        """Return the cells of the fields that stand beside what is shown by name."""
        if not beside:
            return ()
        state = self.slots.reader.state
        return tuple((state.fields[name][:], state.knowledge.get(name, ())[:]) for name in beside)

    def _draw_member(self, one: PlacedMember, values: list[ShownValue]) -> Drawn:
        kind, member, place = one.kind, one.member, one.place
        said, inside = self.style.say(kind, member), one.printed[:]
        for field, slot in one.fields:
            draw = partial(self._fixed, field, (one.index,), slot, slot["size"], kind)
            also = self._known(one.beside) if slot.get("as") in _BY_NAME else ()
            found = self.keep(f"layout {one.id} {field.name}", _read_by(field, slot), one.index, draw, also)
            if found is not None:
                inside.append(found.node)
        for (name, slot), value in zip(one.values, values, strict=True):
            inside.append(FixedSlots(self.slots).value(f"{one.id}.{name}", name, value, slot).node)
        if kind == "player" and "each" in one.body:
            shown = badge(self.style, member, self.rest.points, one.body["each"][0] - BADGE)
            inside += [] if shown is None else [shown]
        classes = ("panel", "player", f"seat-{member}") if kind == "player" else ("tile", f"kind-{kind}")
        classes = (*classes, "asked") if kind == "player" and member == self.asked else classes
        symbol = "" if kind == "player" else self.style.symbol(kind, member)
        x, y = (0, 0) if "outline" in place else place["at"]
        marks = tuple(self._ground(kind, member, one.body, place))
        return Drawn(Node(one.id, classes, x, y, 1, symbol, said, said, 0, marks, tuple(inside)), 0, 0)

    def _heading(self, kind: str, member: str, said: str, width: float) -> Iterator[Mark]:
        """Iterate over the name of a member, behind its icon if it has one."""
        icon, left = self.style.icon(kind, member), 10
        if icon is not None:
            fill = self.style.hue(kind, member)
            yield box(7, 6, 22, 20, fill, None, 5)
            yield path(icon["icon"], readable_on(fill), ("transform", "translate(9.5 7.500) scale(0.7)"))
            left = 36
        size, (line, *_) = fitted(said, width - left - 8, _NAMES, bold=True)
        yield words(line, left, 21, size, self.style.theme.colour("ink"), bold=True)

    def _ground(self, kind: str, member: str, body: Body, place: Body) -> Iterator[Mark]:
        """Iterate over what lies below the slots of a member: its area, and its name."""
        colour, said = self.style.theme.colour, self.style.say(kind, member)
        look = {**body, **place}
        if "outline" in place:
            line = self.style.colour(look.get("line", "line"))
            fill = self.style.colour(look.get("fill", "land"))
            yield path(place["outline"], fill, ("stroke", line), ("stroke-width", 1.5), ("stroke-linejoin", "round"))
        elif "size" in place or "each" in body:
            width, height = place.get("size") or body["each"]
            rim = self.style.colour(look["line"]) if "line" in look else None
            ground = box(0, 0, width, height, self.style.colour(look.get("fill", "panel")), rim, 8)
            yield framed(self.style, ground, member) if kind == "player" and member == self.asked else ground
            if kind == "player":
                yield from seat_band(self.style, member, width, is_asked=member == self.asked)
                return
            if body.get("name", True) and "name" not in place:
                yield from self._heading(kind, member, said, width)
        if "name" in place:
            left, top = place["at"] if "outline" in place else (0, 0)
            x, y = place["name"]
            name = words(said, left + x, top + y, 15, colour("ink"), anchor="middle", bold=True)
            yield in_face(name, look.get("face", ""))


def _show_member(one: PlacedMember, picture: ArrangedPicture) -> Iterator[Node]:
    return picture.member(one)


def _show_cells(kind: Kind, size: float, picture: ArrangedPicture) -> Iterator[Node]:
    fields = [each for each in picture.rest.fields(kind.name) if each.name not in picture.style.layout.omitted]
    names = [each.name for each in fields]
    drawn = picture.keep(kind.plural, names, None, lambda: picture.rest.grid(kind, fields, size))
    if drawn is not None:
        yield drawn.node


def _stretched(slot: Body, by: float) -> Body:
    (x, y), (width, height) = slot["at"], slot["size"]
    return {**slot, "at": (round(x * by), y), "size": (round(width * by), height)}


def field_named(style: Style, kind: str, name: str) -> Field | None:
    """Return the field of members of a kind, or of players, by its last name."""
    rules = style.names.tables.rules
    if kind == "player":
        return rules.fields.get(f"player.{name}") or rules.fields.get(f"owner.{name}")
    family = rules.kinds[kind].family
    owners = [kind, *(each.name for each in rules.kinds.values() if each.family == family)]
    return next((rules.fields[f"{each}.{name}"] for each in owners if f"{each}.{name}" in rules.fields), None)


def known_beside(style: Style, field: Field, slot: Body) -> tuple[str, ...]:
    """Return the fields whose cells stand beside what lies in a slot: where its members are shown by name."""
    item = item_type(field.type)
    if slot.get("as") not in _BY_NAME or not isinstance(item, Member | Piece):
        return ()
    return tuple(each.name for each in style.known_fields(item.kind))


def _read_by(field: Field, slot: Body) -> list[str]:
    """Return the fields that a slot shows: its own, and the one whose pieces lie on the things there."""
    laid = laid_on(field, slot)
    return [field.name] if laid is None else [field.name, laid]


def _slots_of(style: Style) -> Iterator[tuple[Field, Body]]:
    """Iterate over the slots of a layout with the fields that they show."""
    rules = style.names.tables.rules
    for body in style.layout.with_key("slot").values():
        field = rules.fields.get("table." + str(body["slot"]).removeprefix("table."))
        if field is not None:
            yield field, body
    for body in style.layout.with_key("group").values():
        kind = str(body["group"])
        if kind != "player" and kind not in rules.kinds:
            continue
        for slots in (body, *body.get("places", {}).values()):
            for name, slot in slots.get("slots", {}).items():
                field = field_named(style, kind, name)
                if field is not None:
                    yield field, slot


def _laid_on_the_table(style: Style) -> Iterator[str | None]:
    for field, slot in _slots_of(style):
        if field.name.startswith("table."):
            yield laid_on(field, slot)


def placed_by(style: Style) -> set[tuple[str, str]]:
    """Return what a layout places or leaves out: (field, member), with no member for fields of the table."""
    layout, rules = style.layout, style.names.tables.rules
    found = {("table." + str(body["slot"]).removeprefix("table."), "") for body in layout.with_key("slot").values()}
    found |= {(name, "") for name in filter(None, _laid_on_the_table(style))}
    for field, slot in _slots_of(style):
        found |= {(name, _EVERY) for name in known_beside(style, field, slot)}
    found |= {(each, _EVERY) for each in layout.omitted}
    for body in layout.with_key("group").values():
        kind, places = str(body["group"]), body.get("places", {})
        if kind != "player" and kind not in rules.kinds:
            continue
        members = style.names.seats if kind == "player" else rules.kinds[kind].members
        for member in members:
            if member in places or "each" in body or "cell" in body:
                names = {**body.get("slots", {}), **places.get(member, {}).get("slots", {})}
                fields = [field_named(style, kind, name) for name in names]
                laid = [
                    laid_on(each, names[name]) for each, name in zip(fields, names, strict=True) if each is not None
                ]
                found |= {(name, member) for name in laid if name is not None}
                if "cell" in body:
                    fields = [each for each in rules.fields.values() if each.name.startswith(f"{kind}.")]
                found |= {(each.name, member) for each in fields if each is not None}
    return found


_EVERY = "*"


class Placed:
    """What a layout places, asked for by field and member."""

    def __init__(self, style: Style) -> None:
        self._pairs = placed_by(style)

    def __contains__(self, pair: object) -> bool:
        assert isinstance(pair, tuple)
        return pair in self._pairs or (pair[0], _EVERY) in self._pairs
