"""What all parts of one picture are drawn with: colours, the looks of seats, icons, and what things are called."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import attrs
from attrs import evolve, frozen

from aodrules.check.checked import Field
from aodrules.check.visit import walk
from aodrules.lang.expressions import AttributeRead
from aodrules.lang.types import Flag, Member, present
from aodrules.picture.layout import PictureLayout
from aodrules.picture.scene import Mark, Node
from aodrules.picture.text_size import cut
from aodrules.picture.theme import PATTERNS, SeatLook, Theme, letters, mixed, readable_on, seat_fills
from aodrules.play.ids import IdTable
from aodrules.play.labels import Labels

GAP = 4
"""Between things that lie side by side."""


class Drawn(NamedTuple):
    """A node and how much room it takes."""

    node: Node
    width: float
    height: float


@frozen(eq=False)
class Style:
    """How one picture is drawn, and in which language."""

    names: IdTable
    labels: Labels
    theme: Theme
    layout: PictureLayout
    _made: dict[Any, Any] = attrs.field(factory=dict, init=False, repr=False)
    _sayings: dict[tuple[str, str], str] = attrs.field(factory=dict, init=False, repr=False)

    @cached_property
    def seats(self) -> dict[str, SeatLook]:
        """How each seat looks, and behind them each side; what the layout says of a seat counts."""
        rules = self.names.tables.rules
        names: dict[str, str] = {seat: self.labels.seat(seat) for seat in rules.game.seats}
        for family, number in rules.sides:
            side = rules.kinds[family].members[number]
            names[side] = self.labels.member(family, side)
        fills, chosen = seat_fills(tuple(names)), letters(names)
        found = {
            seat: SeatLook(fills[seat], readable_on(fills[seat]), chosen[seat], PATTERNS[number % len(PATTERNS)])
            for number, seat in enumerate(names)
        }
        for seat, body in self.layout.seats.items():
            if seat not in found:
                continue  # a variant took it away
            fill = self.layout.colour(body.get("fill"), self.theme) or found[seat].fill
            changes = {name: body[name] for name in ("letter", "pattern") if name in body}
            found[seat] = evolve(found[seat], fill=fill, ink=readable_on(fill), **changes)
        return found

    def colour(self, name: str) -> str:
        """Return a colour by its name here or in the layout, or as it is written."""
        return self.layout.colour(name, self.theme) or self.theme.colour("ink")

    def once(self, key: Any, make: Callable[[], Any]) -> Any:
        """Return what is the same in all pictures of this style, made when it is first asked for."""
        if key not in self._made:
            self._made[key] = make()
        return self._made[key]

    def say(self, kind: str, member: str) -> str:
        """Return what a member or a seat is called."""
        key = (kind, member)
        if key not in self._sayings:
            said = self.labels.seat(member) if kind == "player" else self.labels.member(kind, member)
            self._sayings[key] = said
        return self._sayings[key]

    def heading(self, seat: str) -> str:
        """Return what a seat is called, as it stands at the head of something."""
        name = self.say("player", seat)
        return name[:1].upper() + name[1:]

    def about(self, kind: str, member: str) -> str:
        """Return what a member does in one line, if the words of the game say it."""
        found: str = self.once(("about", kind, member), lambda: self.labels.about(kind, member) or "")
        return found

    def printed(self, kind: str, member: str) -> str:
        """Return what is printed on a member: its attributes, without those that only say how many there are of it."""
        return str(self.once(("printed", kind, member), lambda: ", ".join(self._printed(kind, member))))

    def told(self, kind: str, member: str) -> str:
        """Return what a card tells besides what it does: the attributes that the layout wants to be told there."""
        wanted = [self.attribute(kind, str(name)) for name in self._own_look(kind, member).get("tells", ())]
        return str(self.once(("told", kind, member), lambda: ", ".join(self._printed(kind, member, wanted))))

    def _printed(self, kind: str, member: str, wanted: Sequence[str | None] | None = None) -> Iterator[str]:
        tables = self.names.tables
        index = tables.rules.family(kind).members.index(member)
        counting = self.once(("counting", kind), lambda: self._counting(kind))
        for address in tables.rules.attributes if wanted is None else filter(None, wanted):
            attribute, (owner, name) = tables.rules.attributes[address], address.split(".")
            if owner not in self._family(kind) or attribute.per or address in counting:
                continue
            type_, value = present(attribute.type), tables.attributes[address][index]
            if not value and not (value is not None and isinstance(type_, Member)):
                continue
            said = self.labels.value(attribute.type, self.names.readable(attribute.type, value))
            label = self.labels.attribute(owner, name)
            yield label if isinstance(type_, Flag) else said if isinstance(type_, Member) else f"{label} {said}"

    def _family(self, kind: str) -> list[str]:
        kinds = self.names.tables.rules.kinds
        return [each for each in kinds if kinds[each].family == kinds[kind].family]

    def _counting(self, kind: str) -> set[str]:
        """Return the attributes that say how many pieces members of a family have."""
        kinds = self.names.tables.rules.kinds
        counts = (count for each in self._family(kind) if (of := kinds[each].pieces) for count in of.counts)
        return {part.attribute for count in counts for part in walk(count) if isinstance(part, AttributeRead)}

    def short(self, kind: str, member: str) -> str:
        """Return the first letters of what a member is called: two, or three where others begin with the same two."""
        others = [self.say(kind, each) for each in self.names.tables.rules.family(kind).members if each != member]
        name = self.say(kind, member)
        return name[:3] if any(each[:2] == name[:2] for each in others) else name[:2]

    def attribute(self, kind: str, name: str) -> str | None:
        """Return the full name of an attribute of a kind or of another of its family."""
        rules, owners = self.names.tables.rules, [kind, *self._family(kind)]
        return next((f"{each}.{name}" for each in owners if f"{each}.{name}" in rules.attributes), None)

    def known_fields(self, kind: str) -> list[Field]:
        """Return the fields of a family of members that hold no pieces: what is known of each member."""
        return self.once(("known", kind), lambda: list(self._known_fields(kind)))  # type: ignore[no-any-return]

    def _known_fields(self, kind: str) -> Iterator[Field]:
        owners = self._family(kind)
        for each in self.names.tables.rules.fields.values():
            owner, *rest = each.name.split(".")
            is_own = len(rest) == 3 and rest[1] == "remembers" and not each.dimensions
            if owner not in owners or each.holds not in (None, "player"):
                continue
            if is_own or (len(rest) == 1 and len(each.dimensions) == 1):
                yield each

    def symbol(self, kind: str, member: str) -> str:
        """Return what a member is called where it is to be clicked: after the root of its family, as in answers."""
        kinds = self.names.tables.rules.kinds
        return f"{kinds[kind].family if kind in kinds else kind}.{member}"

    def icon(self, kind: str, member: str | None) -> Mapping[str, Any] | None:
        """Return what a member looks like, or the narrowest kind that it is of and that the layout gives a look."""
        if member is None:
            return None
        return self.once(("icon", kind, member), lambda: self._icon(kind, member))  # type: ignore[no-any-return]

    def _own_look(self, kind: str, member: str) -> Mapping[str, Any]:
        """Return what the layout says of a member, or of the narrowest kind that it is of."""
        kinds = self.labels.kinds_of(kind, member) or [kind]
        found = (*map(self.layout.icon, (f"{each}.{member}" for each in kinds)), *map(self.layout.icon, kinds))
        return next(filter(None, found), {})

    def _icon(self, kind: str, member: str) -> Mapping[str, Any] | None:
        own = self._own_look(kind, member)
        if "like" not in own:
            return own or None
        address, tables = self.attribute(kind, str(own["like"])), self.names.tables
        type_ = None if address is None else present(tables.rules.attributes[address].type)
        if address is None or not isinstance(type_, Member):
            return None
        value = tables.attributes[address][tables.rules.family(kind).members.index(member)]
        other = self.names.readable(type_, value)
        return None if other is None or type_.kind == kind else self.icon(type_.kind, str(other))

    def number_on(self, kind: str, member: str) -> int | None:
        """Return the number that the layout wants on a member, beside its icon."""
        wanted = self._own_look(kind, member).get("number")
        address = None if wanted is None else self.attribute(kind, str(wanted))
        if address is None:
            return None
        tables = self.names.tables
        value = tables.attributes[address][tables.rules.family(kind).members.index(member)]
        return value if isinstance(value, int) else None

    def hue(self, kind: str, member: str) -> str:
        """Return a colour for a member among those of its family."""
        icon = self.icon(kind, member)
        chosen = icon and self.layout.colour(icon.get("fill"), self.theme)
        graph = self.names.tables.rules.graphs.get(kind)
        if graph is not None and graph.around:
            return self.theme.colour("line")  # cells of grids are all alike
        return chosen or self.theme.hue(self.names.tables.rules.family(kind).members.index(member))

    def ground(self, kind: str, member: str) -> str:
        """Return a colour for a member on which others stand: a soft one where the layout chooses none."""
        icon = self.icon(kind, member)
        hue = self.hue(kind, member)
        return hue if icon and "fill" in icon else mixed(hue, self.theme.colour("panel"), 0.55)


SERIF = "Georgia, 'Noto Serif', 'DejaVu Serif', serif"


def words(
    text: str,
    x: float,
    y: float,
    size: float,
    fill: str,
    *,
    anchor: str = "start",
    bold: bool = False,
    room: float = 0,
) -> Mark:
    """Return a text that stands on a line at `y`, cut where it has no more room."""
    shown = cut(text, size, room, bold=bold) if room else text
    weight = (("font-weight", "700"),) if bold else ()
    placed = () if anchor == "start" else (("text-anchor", anchor),)
    return (
        "text",
        (("x", round(x, 1)), ("y", round(y, 1)), ("font-size", size), ("fill", fill), *weight, *placed),
        shown,
    )


def in_face(mark: Mark, face: str) -> Mark:
    """Return a text in the letters of a face."""
    tag, attributes, text = mark
    return (tag, (*attributes, ("font-family", SERIF)), text) if face == "serif" else mark


def box(x: float, y: float, width: float, height: float, fill: str, line: str | None = None, bend: float = 4) -> Mark:
    """Return a rectangle with round corners."""
    stroke = () if line is None else (("stroke", line), ("stroke-width", 1))
    sizes = (("x", round(x, 1)), ("y", round(y, 1)), ("width", round(width, 1)), ("height", round(height, 1)))
    return ("rect", (*sizes, ("rx", bend), ("fill", fill), *stroke), "")


def path(data: str, fill: str, *more: tuple[str, str | float]) -> Mark:
    """Return an outline of the grammar of paths."""
    return ("path", (("d", data), ("fill", fill), *more), "")


def flow(
    parts: Sequence[Drawn], width: float, gap: float, *, rows: float = GAP, left: float = 0, top: float = 0
) -> tuple[tuple[Node, ...], float, float]:
    """Return things one beside the other in rows of so much width, the width that they take, and their lower end.

    Between two in a row lies `gap`, between two rows `rows`.
    """
    placed, x, y, row, taken = list[Node](), left, top, 0.0, 0.0
    for node, wide, high in parts:
        if x > left and x + wide > left + width:
            x, y, row = left, y + row + rows, 0.0
        placed.append(node.at(x, y))
        taken = max(taken, x + wide - left)
        x += wide + gap
        row = max(row, high)
    return tuple(placed), taken, y + row
