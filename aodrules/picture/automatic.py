"""A picture made from kinds and state alone: panels for table and players, a tile per member, maps of grids."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator
from functools import partial
from typing import Any, Protocol

from attrs import define, field

from aodrules.check.checked import SEAT, Field, Kind
from aodrules.lang.types import ListOf, Maybe, Member, SetOf, item_type, present
from aodrules.picture.grids import GridPlaces
from aodrules.picture.items import items_of
from aodrules.picture.points import Totals, badge
from aodrules.picture.scene import Mark, Node
from aodrules.picture.slots import Slots, path_of
from aodrules.picture.style import GAP, Drawn, Style, box, flow, path, words
from aodrules.picture.text_size import fitted
from aodrules.picture.theme import mixed, readable_on
from aodrules.play.ids import PLAYERS

MARGIN = 16
_PAD = 10
_TILE = 236
_PLAYER = 310
_LARGEST_CELL = 70
_LARGEST_IN_CELL = 1.6
"""What stands in a cell of a map is drawn up to so large."""
_HEAD = 30
_NAMES = ((13.5, 1), (12.5, 1), (11.5, 1), (10.5, 1))
BADGE = 34
"""How far from the right edge of a panel the points end: behind them is the mark of whom the game waits for."""
_SCALES = (1.5, 1.3, 1.15, 1, 0.9, 0.8, 0.7, 0.6, 0.5, 0.42, 0.35, 0.3, 0.25, 0.2, 0.15, 0.1, 0.05)
_FEW = 3
_FEWEST = 3
"""Tiles are as wide as if there were so many in a row, where there are fewer."""
_RIM = 6
_SHADE_SHARE = 0.22
_SHADE = 0.052
"""How large the icon of a ground is, for each unit of the size of its cell."""


class Keep(Protocol):
    """What draws a part by its id: what was drawn before is kept while nothing changed that it shows."""

    def __call__(
        self, id_: str, fields: Iterable[str], number: int | None, draw: Callable[[], Drawn | None], also: Any = None
    ) -> Drawn | None:
        """Return a part.

        Args:
            id_: What tells it apart from other parts.
            fields: The fields that it shows.
            number: The first index of the cells that it shows; all are shown if there is none.
            draw: Draws it.
            also: What else it shows.
        """


@define(eq=False)
class AutomaticPicture:
    """Draws what no layout places."""

    slots: Slots
    width: float
    asked: str | None
    """The seat that the game waits for."""
    points: Totals
    keep: Keep
    placed: Container[tuple[str, str]] = ()
    """What a layout places: (field, member), with no member for a field of the table or of players."""
    is_rest: bool = field(default=False)
    """Whether it stands beside a layout: then what is empty is left out."""

    @property
    def style(self) -> Style:
        """How everything is drawn."""
        return self.slots.style

    def parts(self) -> Iterator[Drawn]:
        """Iterate over the parts of the picture, each as wide as it, from top to bottom."""
        yield from self._kept("table", self.style.once("table of automatic", self._table_fields), self._table)
        for kind, fields in self.style.once("kinds of automatic", self._kinds):
            yield from self._kept(kind.plural, fields, partial(self._kind, kind, fields))
        fields = self.style.once("players of automatic", self._player_fields)
        panels = [
            panel
            for number, seat in enumerate(self.style.names.seats)
            for panel in self._kept(f"{PLAYERS}.{seat}", fields, partial(self._player, seat, fields), number)
        ]
        if panels:
            yield self._side_by_side(f"{self.mark}{PLAYERS}", panels)

    def _table_fields(self) -> list[Field]:
        return [each for each in self.fields("table") if (each.name, "") not in self.placed]

    def _player_fields(self) -> list[Field]:
        fields = [*self.fields("player"), *self.fields("owner")]
        return [each for each in fields if not self._is_shown(each)]

    def _kinds(self) -> list[tuple[Kind, list[Field]]]:
        """Return the kinds of which there is something to show that a layout does not place."""
        found = []
        for kind in self.style.names.tables.rules.kinds.values():
            of_sides = self.fields("owner") if kind.is_side else []
            fields = [each for each in (*self.fields(kind.name), *of_sides) if not self._is_placed(kind, [each])]
            if fields:
                found.append((kind, fields))
        return found

    def _is_shown(self, one: Field) -> bool:
        """Whether a layout places a field of players, for each of them."""
        return all((one.name, seat) in self.placed for seat in self.style.names.seats)

    @property
    def mark(self) -> str:
        """What the ids of those begin with that the layout shows in part."""
        return "more." if self.is_rest else ""

    def _kept(
        self, id_: str, fields: list[Field], draw: Callable[[], Drawn | None], number: int | None = None
    ) -> Iterator[Drawn]:
        seat = id_.removeprefix(f"{PLAYERS}.")
        also = (seat == self.asked, self.points.get(seat))
        found = self.keep(self.mark + id_, [each.name for each in fields], number, draw, also)
        if found is not None:
            yield found

    def fields(self, owner: str) -> list[Field]:
        """Return the fields of the table, of players or of the members of a kind."""
        fields = self.style.names.tables.rules.fields.values()
        return [each for each in fields if self._is_of(each, owner) and each.name != SEAT]

    def _is_of(self, one: Field, owner: str) -> bool:
        kind, *rest = one.name.split(".")
        return kind == owner and (len(rest) == 1 or (len(rest) == 3 and rest[1] == "remembers"))

    def _table(self) -> Drawn | None:
        fields = self._table_fields()
        if self.is_rest:
            fields = [each for each in fields if not self.slots.is_empty(each, ())]
        if not fields:
            return None
        placed, end = self._filled_first(fields, (), self.width - 2 * _PAD, _PAD, wide=True)
        return self._panel(f"{self.mark}table", ("table",), placed, self.width, end + _PAD)

    def _filled_first(
        self, fields: list[Field], at: tuple[int, ...], width: float, top: float, *, wide: bool = False
    ) -> tuple[tuple[Node, ...], float]:
        """Return fields in rows of a panel, and where these end; below them those in which nothing lies."""
        full = [each for each in fields if not self.slots.says_nothing(each, at)]
        bare = [self.slots.empty(each, at) for each in fields if each not in full]
        drawn = [self._slot(each, at, width, wide=wide) for each in full]
        placed, _, end = flow(drawn, width, 20 if wide else 14, rows=8, left=_PAD, top=top)
        if not bare:
            return placed, end
        below, _, end = flow(bare, width, 14, rows=2, left=_PAD, top=end + 8 if drawn else top)
        return (*placed, *below), end

    def _slot(
        self, one: Field, at: tuple[int, ...], width: float, *, wide: bool = False, name: str | None = None
    ) -> Drawn:
        """Return a field from an index on, or as a whole; kept as it was if nothing in it changed."""
        draw = partial(self.slots.drawn, one, at, width, wide=wide, name=name)
        found = self.keep(f"slot {one.name} {at}", [one.name], at[0] if at else None, draw, (width, name))
        assert found is not None
        return found

    def _panel(
        self, id_: str, classes: tuple[str, ...], placed: tuple[Node, ...], width: float, height: float, *more: Mark
    ) -> Drawn:
        colour = self.style.theme.colour
        ground = box(0, 0, width, height, colour("panel"), colour("line"), 8)
        return Drawn(Node(id_, ("panel", *classes), marks=(ground, *more), inside=placed), width, height)

    # Kinds.

    def _kind(self, kind: Kind, fields: list[Field]) -> Drawn | None:
        graph = self.style.names.tables.rules.graphs.get(kind.name)
        if graph is not None and graph.around:
            return self.grid(kind, fields)
        tiles = [tile for number in kind.places if (tile := self._tile(kind, number, fields))]
        if not tiles:
            return None
        name = words(self.style.labels.kind(kind.name), 0, 14, 15, self.style.theme.colour("ink"), bold=True)
        group = self._side_by_side(f"{self.mark}{kind.plural}", tiles, top=22)
        return group._replace(node=group.node._replace(marks=(name,), classes=("kind", f"kind-{kind.name}")))

    def _is_placed(self, kind: Kind, fields: list[Field]) -> bool:
        members = [self._member(kind, number) for number in kind.places]
        return all((each.name, member) in self.placed for each in fields for member in members)

    def _member(self, kind: Kind, number: int) -> str:
        """Return a member by its number; of a kind not all need be in the game."""
        return self.style.names.tables.rules.family(kind.name).members[number]

    def _side_by_side(self, id_: str, tiles: list[Drawn], top: float = 0) -> Drawn:
        """Return tiles in rows, those of a row equally high."""
        per_row = max(1, int((self.width + GAP * 2) // (tiles[0].width + GAP * 2)))
        placed, y = list[Node](), top
        for start in range(0, len(tiles), per_row):
            row = tiles[start : start + per_row]
            height = max(tile.height for tile in row)
            for number, tile in enumerate(row):
                placed.append(_as_high(tile, height).at(number * (tile.width + GAP * 2), y))
            y += height + GAP * 2
        return Drawn(Node(id_, ("group",), inside=tuple(placed)), self.width, y - GAP * 2)

    def _tile(self, kind: Kind, number: int, fields: list[Field]) -> Drawn | None:
        """Return a member with what lies in its fields; if it cannot hold pieces, only where it says something."""
        at, member = (number,), self._member(kind, number)
        lacking = self.style.names.tables.lacking
        mine = [each for each in fields if self._has(each, member) and at[0] not in lacking.get(each.name, ())]
        own = [(each, self._index(kind, each, number)) for each in mine]
        open_ = [(each, at) for each, at in own if (each.name, member) not in self.placed]
        full = [(each, at) for each, at in open_ if not self.slots.is_empty(each, at)]
        holds = any(each.holds not in (None, "player") for each, _ in open_)
        if not full and (self.is_rest or not holds):
            return None
        most, many = max(1, round(self.width / _TILE)), len(kind.places)
        columns = _columns(many, most) if many > _FEWEST else min(_FEWEST, most)
        width = (self.width - (columns - 1) * GAP * 2) / columns
        inner = width - 2 * _PAD
        # The name of the member stands above: that of a field of its own need not tell it again, nor that of the only
        # one that there is.
        is_single = len({each.name.rpartition(".")[2] for each in fields}) == 1
        names = ("" if is_single else self.style.labels.say(f"state.{each.name}") for each, _ in full)
        drawn = [self._slot(each, at, inner, name=name) for (each, at), name in zip(full, names, strict=True)]
        placed, _, end = flow(drawn, inner, 12, rows=6, left=_PAD, top=_HEAD)
        said = self.style.say(kind.name, member)
        size, (line, *_) = fitted(said, inner, _NAMES, bold=True)
        name = words(line, _PAD, 19, size, self.style.theme.colour("ink"), bold=True)
        tile = self._panel(
            f"{self.mark}{kind.plural}.{member}", ("tile", f"kind-{kind.name}"), placed, width, end + _PAD, name
        )
        return tile._replace(node=tile.node._replace(symbol=self.style.symbol(kind.name, member), title=said))

    def _index(self, kind: Kind, one: Field, number: int) -> tuple[int, ...]:
        """Return where in a field that is for a member is what it has: sides come behind the seats."""
        if ".remembers." in one.name:
            return ()
        names = self.style.names
        is_owned = one.name.startswith("owner.")
        return (len(names.seats) + names.tables.rules.sides.index((kind.family, number)) if is_owned else number,)

    def _has(self, one: Field, member: str) -> bool:
        return ".remembers." not in one.name or one.name.split(".")[1] == member

    def grid(self, kind: Kind, fields: list[Field], size: float = 0) -> Drawn:
        """Return the map of a grid; of the size of its cells if that is given, else as large as fits."""
        rules, width = self.style.names.tables.rules, self.width - 2 * _PAD
        graph = rules.graphs[kind.name]
        unit = GridPlaces(rules, graph, 1).extent
        places = GridPlaces(rules, graph, size or min(width / unit[0], _LARGEST_CELL))
        cells, left = [], 0 if size else (self.width - places.extent[0]) / 2
        for number in kind.places:
            x, y = places.middle(number)
            draw = partial(self._cell, kind, self._member(kind, number), number, fields, places)
            cell = self.keep(f"cell {kind.name} {number}", [each.name for each in fields], number, draw, places.size)
            assert cell is not None
            cells.append(cell.node.at(x + left, y + _PAD))
        node = Node(kind.plural, ("map", f"kind-{kind.name}"), inside=tuple(cells))
        return Drawn(node, self.width, places.extent[1] + 2 * _PAD)

    def _cell(self, kind: Kind, member: str, number: int, fields: list[Field], places: GridPlaces) -> Drawn:
        """Return a cell of a grid with its middle at the origin.

        What it is, or else a single piece that is nobody's, is its ground.
        """
        colour, (width, height) = self.style.theme.colour, places.inner
        full = [one for one in fields if not self.slots.is_empty(one, (number,)) and not _is_link(one, kind)]
        grounds = sorted((one for one in full if isinstance(present(one.type), Member)), key=_maybes_last)
        ground = self._ground(grounds[0], number, places) if grounds else None
        shown = [one for one in full if ground is None or one is not grounds[0]]
        outline = _polygon(places.outline, 1, colour("card"), colour("line"))
        y = (0.62 if places.is_hexagonal else 0.8) * places.size
        ink = colour("faint") if ground is None else readable_on(str(ground.marks[0][1][1][1]))
        drawn = [_counted_in(each, ink) for one in shown for each in self._in_cell(one, (number,))]
        mark = words(member, 0, 3 - y, 9, ink, anchor="middle")
        name = Node(f"{kind.plural}.{member}.its-name", ("name",), label=member, marks=(mark,))
        inside = squeezed(drawn, width, height, -width / 2, -height / 2, largest=_LARGEST_IN_CELL, middle=True)
        address = self.style.symbol(kind.name, member)
        node = Node(
            f"{kind.plural}.{member}", ("cell", f"kind-{kind.name}"), symbol=address, title=member,
            marks=(outline,), inside=(*(() if ground is None else (ground,)), name, *inside),
        )  # fmt: skip
        return Drawn(node, width, height)

    def _in_cell(self, one: Field, at: tuple[int, ...]) -> list[Drawn]:
        """Return what lies in a cell; of many things that are only named there, how many they are."""
        parts = self.slots.parts(one, at, small=True)
        is_long = one.holds in (None, "player") and len(parts) > _FEW
        return [self.slots.counted(one, at, len(parts))] if is_long else parts

    def _ground(self, one: Field, number: int, places: GridPlaces) -> Node | None:
        """Return the piece in a field as the ground of a cell; nothing if it is hidden."""
        reader, id_ = self.slots.reader, path_of(self.slots.reader, one, (number,))
        (item,) = items_of(reader.names, one, (number,), reader.read(one.name, (number,)))
        if item.member is None:
            return None
        said, fill = self.style.say(item.kind, item.member), self.style.ground(item.kind, item.member)
        area = _polygon(places.outline, 0.93, fill, fill)
        icon = self.style.icon(item.kind, item.member)
        if icon is not None:
            # As a shade of the ground, away from the colour of what is written there.
            shade = mixed(fill, readable_on(readable_on(fill)), _SHADE_SHARE)
            scale = round(places.size * _SHADE, 2)
            placed = ("transform", f"translate({-12 * scale:.1f} {-12 * scale:.1f}) scale({scale:g})")
            name = path(icon["icon"], shade, placed)
        else:
            room, y = places.inner[0] * 0.9, (0.66 if places.is_hexagonal else 0.85) * places.size
            name = words(said, 0, y, 9, readable_on(fill), anchor="middle", bold=True, room=room)
        classes = ("piece" if item.is_piece else "mention", f"kind-{item.kind}", "ground")
        symbol = self.style.symbol(item.kind, item.member)
        return Node(f"{id_}.{item.key}", classes, 0, 0, 1, symbol, said, said, int(item.is_piece), (area, name))

    # Players.

    def _player(self, seat: str, fields: list[Field]) -> Drawn | None:
        style = self.style
        columns = _columns(len(style.names.seats), max(1, round(self.width / _PLAYER)))
        width = (self.width - (columns - 1) * GAP * 2) / columns
        at = (style.names.seats.index(seat),)
        if self.is_rest:
            fields = [each for each in fields if not self.slots.is_empty(each, at)]
        if not fields and self.is_rest:
            return None
        placed, end = self._filled_first(sorted(fields, key=_counters_first), at, width - 2 * _PAD, _HEAD + 10)
        panel = self._panel(
            f"{self.mark}{PLAYERS}.{seat}",
            ("player", f"seat-{seat}"),
            placed,
            width,
            end + _PAD,
            *seat_band(style, seat, width, is_asked=seat == self.asked),
        )
        if seat == self.asked:
            ground, *others = panel.node.marks
            panel = panel._replace(node=panel.node._replace(marks=(framed(style, ground, seat), *others)))
        shown = None if self.is_rest else badge(style, seat, self.points, width - BADGE)
        if shown is not None:
            panel = panel._replace(node=panel.node._replace(inside=(*panel.node.inside, shown)))
        node = panel.node._replace(title=style.say("player", seat), label=style.say("player", seat))
        return panel._replace(node=node if seat != self.asked else node._replace(classes=(*node.classes, "asked")))


def seat_band(style: Style, seat: str, width: float, *, is_asked: bool) -> tuple[Mark, ...]:
    """Return the head of a player's panel in colour and pattern of the seat, with its letter and name."""
    look = style.seats[seat]
    dashes = (("stroke-dasharray", look.dashes),) if look.dashes else ()
    marks = [
        path(
            f"M0.5 {_HEAD}V8Q0.5 0.5 8 0.5H{width - 8:.1f}Q{width - 0.5:.1f} 0.5 {width - 0.5:.1f} 8V{_HEAD}Z",
            look.fill,
        ),
        path(f"M6 {_HEAD - 4}H{width - 6:.1f}", "none", ("stroke", look.ink), ("stroke-width", 2), *dashes),
        ("circle", (("cx", 20), ("cy", 14), ("r", 9), ("fill", look.ink)), ""),
        words(look.letter, 20, 18.2, 12, look.fill, anchor="middle", bold=True),
        words(style.heading(seat), 36, 19, 15, look.ink, bold=True, room=width - 80),
    ]
    if is_asked:
        marks.append(path(f"M{width - 26:.1f} 4L{width - 9:.1f} 13L{width - 26:.1f} 22Z", look.ink))
    return tuple(marks)


def framed(style: Style, ground: Mark, seat: str) -> Mark:
    """Return the ground of a panel with a thick rim in the colour of its player."""
    tag, attributes, text = ground
    rim = (("stroke", style.seats[seat].fill), ("stroke-width", _RIM))
    return tag, (*(each for each in attributes if not each[0].startswith("stroke")), *rim), text


def squeezed(
    drawn: list[Drawn],
    width: float,
    height: float,
    left: float,
    top: float,
    *,
    largest: float = 1,
    middle: bool = False,
) -> tuple[Node, ...]:
    """Return things one beside the other in a room, as large as they can be there."""
    for scale in (each for each in _SCALES if each <= largest):
        placed, taken, end = flow(drawn, width / scale, GAP)
        if taken * scale <= width and end * scale <= height:
            break
    if middle:
        left, top = left + (width - taken * scale) / 2, top + (height - end * scale) / 2
    return tuple(node.at(left + node.x * scale, top + node.y * scale, scale) for node in placed)


def _counted_in(drawn: Drawn, ink: str) -> Drawn:
    """Return a thing whose number stands in a colour that can be read where it lies."""
    marks = tuple(
        (tag, tuple((name, ink if name == "fill" else value) for name, value in attributes), text)
        if text.startswith("×")
        else (tag, attributes, text)
        for tag, attributes, text in drawn.node.marks
    )
    return drawn._replace(node=drawn.node._replace(marks=marks))


def _columns(many: int, most: int) -> int:
    """Return in how many columns so many things stand, so that no row is much shorter than the others."""
    rows = max(1, -(-many // most))
    return max(1, -(-many // rows))


def _is_link(one: Field, kind: Kind) -> bool:
    """Whether a field only says to which others of its kind a cell leads."""
    inner = item_type(one.type) if isinstance(one.type, SetOf | ListOf) else one.type
    return one.holds is None and isinstance(inner, Member) and inner.kind == kind.name


def _maybes_last(one: Field) -> bool:
    return isinstance(one.type, Maybe)


def _polygon(corners: tuple[tuple[float, float], ...], scale: float, fill: str, line: str) -> Mark:
    points = " ".join(f"{x * scale:.1f},{y * scale:.1f}" for x, y in corners)
    return ("polygon", (("points", points), ("fill", fill), ("stroke", line), ("stroke-width", 1.5)), "")


def _as_high(tile: Drawn, height: float) -> Node:
    """Return a panel that is as high as others beside it."""
    ground, *rest = tile.node.marks
    tag, attributes, text = ground
    taller = tuple((name, round(height, 1) if name == "height" else value) for name, value in attributes)
    return tile.node._replace(marks=((tag, taller, text), *rest))


def _counters_first(one: Field) -> bool:
    return one.holds is not None or len(one.dimensions) > 1
