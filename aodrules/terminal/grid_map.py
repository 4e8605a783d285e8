"""A grid as a map of letters: what each cell is made of, what lies there, and which cells can be chosen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any, NamedTuple

from attrs import frozen
from rich.console import Group, RenderableType
from rich.style import Style
from rich.text import Text

from aodrules.check.checked import Field, Kind
from aodrules.lang.types import Member, SetOf, present
from aodrules.picture.grids import GridPlaces
from aodrules.picture.theme import readable_on
from aodrules.play.boards import BoardWords
from aodrules.play.states import Hidden, State

_WIDTHS = (8, 5)
"""How many letters wide a cell is, where there is room for so many; the last is used anyhow."""
_NOTHING = "·"
_OPEN = "*"
_CUT = "…"


class _Lying(NamedTuple):
    """So many equal things in a cell."""

    owner: str
    member: str
    many: int


@frozen(eq=False)
class GridMap:
    """How the cells of a grid are shown on a terminal."""

    words: BoardWords
    kind: Kind
    colours: Mapping[str, Style]
    """The colours of the seats."""

    @cached_property
    def drawn(self) -> list[Field]:
        """The fields of cells that the map shows: their ground, and what lies there."""
        shown = [each for each in self.words.fields(self.kind.name) if each.name not in self._omitted]
        return [each for each in shown if each.holds is not None or each is self._ground]

    @cached_property
    def left(self) -> list[Field]:
        """The fields of cells that are told beside the map; which cells are linked to which is no news."""
        fields = [each for each in self.words.fields(self.kind.name) if each not in self.drawn]
        return [each for each in fields if each.name not in self._omitted and not self._is_link(each)]

    def shown(self, state: State, chosen: Collection[str], width: int) -> RenderableType:
        """Return the map, and under it what its letters mean.

        Args:
            state: The position, as somebody sees it.
            chosen: The cells that an answer may name.
            width: How many letters a line has.
        """
        places = GridPlaces(self.words.context.checked, self.words.context.checked.graphs[self.kind.name], 1)
        where = {id_: places.place(number) for id_, number in zip(self.kind.members, self.kind.places, strict=True)}
        columns = max(column for _, column in where.values()) + 1
        wide = next((each for each in _WIDTHS if columns * each <= width), _WIDTHS[-1])
        rows: dict[int, list[tuple[int, str]]] = {}
        for id_, (row, column) in where.items():
            rows.setdefault(row, []).append((int(column * wide), id_))
        lines = [Text(no_wrap=True) for _ in range(2 * len(rows))]
        cells = state[self.kind.plural]
        for number, row in enumerate(sorted(rows)):
            above, below = lines[2 * number : 2 * number + 2]
            for start, id_ in sorted(rows[row]):
                for line, part in zip((above, below), self._cell(id_, cells[id_], chosen, wide - 1), strict=True):
                    line.pad_right(start - len(line))
                    line.append_text(part)
        return Group(*lines, Text(), *self._legend(state))

    def _cell(self, id_: str, cell: Any, chosen: Collection[str], wide: int) -> tuple[Text, Text]:
        """Return the two lines of a cell: where it is and its ground, and what lies there."""
        ground, style = self._ground_of(cell)
        name = f"{id_}{_OPEN if id_ in chosen else ''}"
        sign = self.grounds.get(ground, "") if wide < _WIDTHS[0] - 1 else self._short_name(ground, wide - 4)
        above = Text(f"{name:<{wide - len(sign)}}{sign}"[:wide], style + Style(bold=id_ in chosen))
        below = Text(style=style)
        for lying in self._lying(cell):
            mark = f"{self._letter(lying.owner)}{self.marks.get(lying.member, lying.member[:1])}"
            below.append(f"{mark}{lying.many if lying.many > 1 else ''} ", style + self._of(lying.owner, style))
        below.rstrip()
        if len(below) > wide:
            below.truncate(wide - 1)
            below.append(_CUT)
        below.pad_right(wide - len(below))
        return above, below

    def _short_name(self, ground: str, most: int) -> str:
        sign = self.grounds.get(ground, "")
        return sign if sign == _NOTHING or self._ground is None else self._name(self._ground, ground)[:most]

    def _of(self, owner: str, ground: Style) -> Style:
        """Return how pieces of a seat are written: in its colour, or on it where the ground has one of its own."""
        colour = self.colours.get(owner)
        if colour is None:
            return Style(bold=True)
        if ground.bgcolor is None or colour.color is None:
            return colour + Style(bold=True)
        return Style(color=readable_on(colour.color.get_truecolor().hex), bgcolor=colour.color, bold=True)

    # What the cells hold.

    @cached_property
    def _ground(self) -> Field | None:
        """The field that says what a cell is made of: the first that holds a member which is no piece."""
        fields = self.words.fields(self.kind.name)
        told = (each for each in fields if each.holds is None and len(each.dimensions) == 1)
        return next((each for each in told if isinstance(each.type, Member) and each.name not in self._omitted), None)

    @cached_property
    def _omitted(self) -> frozenset[str]:
        """The fields that the layout of the game leaves out."""
        parts = self.words.context.checked.layout.values()
        return frozenset(str(each) for part in parts for each in part.get("omit", ()))

    def _is_link(self, field: Field) -> bool:
        type_ = present(field.type)
        return isinstance(type_, SetOf) and isinstance(type_.of, Member) and type_.of.kind == self.kind.name

    def _ground_of(self, cell: Any) -> tuple[str, Style]:
        if self._ground is None:
            return "", Style()
        ground = str(cell.fields().get(self._ground.name.partition(".")[2]))
        return ground, self._fills.get(ground, Style())

    @cached_property
    def _fills(self) -> dict[str, Style]:
        """The colours of grounds, where the layout of the game has them."""
        found = {}
        for part in self.words.context.checked.layout.values():
            fill, of = str(part.get("fill", "")), part.get("of", ())
            for address in of if isinstance(of, list | tuple) else (of,):
                if "icon" in part and fill.startswith("#"):
                    found[str(address).partition(".")[2]] = Style(color="black", bgcolor=fill)
        return found

    def _lying(self, cell: Any) -> Iterator[_Lying]:
        fields = cell.fields()
        for field in self.drawn:
            if field is not self._ground:
                yield from _things(fields.get(field.name.partition(".")[2]))

    # What the letters mean.

    @cached_property
    def grounds(self) -> dict[str, str]:
        """A sign for each ground; nothing for the first, of which cells are made that nothing was said of."""
        if self._ground is None:
            return {}
        type_ = self._ground.type
        assert isinstance(type_, Member)  # grounds are
        family = self.words.context.checked.family(type_.kind)
        names = {id_: self._name(self._ground, id_) for id_ in family.members}
        first, *others = family.members
        return {first: _NOTHING, **_letters({id_: names[id_] for id_ in others}, lambda letter: letter.lower())}

    @cached_property
    def marks(self) -> dict[str, str]:
        """A mark for each thing that can lie in a cell: a letter, and what tells it from others with the same."""
        found: dict[str, str] = {}
        for field in self.drawn:
            if field is self._ground or field.holds in (None, "player"):
                continue
            for id_ in self.words.context.checked.family(str(field.holds)).members:
                found[id_] = self._name(field, id_)
        return {
            id_: _mark(name, [each for other, each in found.items() if other != id_]) for id_, name in found.items()
        }

    def _name(self, field: Field, id_: str) -> str:
        type_ = present(field.type)
        kind = type_.kind if field.holds is None and isinstance(type_, Member) else str(field.holds)
        return str(self.words.labels.member(kind, id_))

    @cached_property
    def _seat_letters(self) -> dict[str, str]:
        seats = {seat: str(self.words.labels.seat(seat)) for seat in self.words.players}
        return _letters(seats, lambda letter: letter.upper())

    def _letter(self, owner: str) -> str:
        return self._seat_letters.get(owner, "")

    def _legend(self, state: State) -> Iterator[Text]:
        """Iterate over lines that say what the letters on the map mean, as far as they stand there."""
        cells = [state[self.kind.plural][id_] for id_ in self.kind.members]
        there = {self._ground_of(cell)[0] for cell in cells}
        lying = {one.member for cell in cells for one in self._lying(cell)}
        owners = {one.owner for cell in cells for one in self._lying(cell)}
        ground = self._ground
        told = [
            [(sign, self._name(ground, id_)) for id_, sign in self.grounds.items() if id_ in there] if ground else [],
            [(self._letter(seat), str(self.words.labels.seat(seat))) for seat in self.words.players if seat in owners],
            [(mark, self._called(id_)) for id_, mark in self.marks.items() if id_ in lying],
        ]
        for pairs in told:
            if pairs:
                yield Text("  ".join(f"{sign} {name}" for sign, name in pairs), "dim")

    def _called(self, id_: str) -> str:
        holding = (each for each in self.drawn if each.holds not in (None, "player"))
        field = next(each for each in holding if id_ in self.words.context.checked.family(str(each.holds)).members)
        return self._name(field, id_)


def _things(value: Any, owner: str = "") -> Iterator[_Lying]:
    """Iterate over what a field of a cell holds, equal things once with how many they are."""
    if isinstance(value, Counter):
        for name, count in value.items():
            whose, _, member = name.rpartition(" ")
            yield _Lying(whose or owner, member, count)
    elif isinstance(value, Mapping):
        for name, part in value.items():
            yield from _things(part, name)
    elif isinstance(value, Hidden):
        yield _Lying(owner, "?", value.count)
    elif isinstance(value, str):
        whose, _, member = value.rpartition(" ")
        yield _Lying(whose or owner, member, 1)
    elif isinstance(value, Iterable):
        yield from _things(Counter(each for each in value if isinstance(each, str)), owner)
        yield from (part for each in value if isinstance(each, Hidden) for part in _things(each, owner))


def _letters(names: Mapping[str, str], written: Any) -> dict[str, str]:
    """Return a letter of each name that no name before it has; the first of them where all are taken."""
    found: dict[str, str] = {}
    for id_, name in names.items():
        own = [written(letter) for letter in name if letter.isalnum()] or ["?"]
        found[id_] = next((letter for letter in own if letter not in found.values()), own[0])
    return found


def _mark(name: str, others: Iterable[str]) -> str:
    """Return the first letter of a name, and the first by which it differs from others that begin alike.

    Example:
        >>> _mark("City (2)", ["City (3)", "piece"]), _mark("piece", ["City (2)"])
        ('c2', 'p')
    """
    alike = [each for each in others if each[:1].lower() == name[:1].lower() and each != name]
    rest = (letter for place, letter in enumerate(name) if letter.isalnum() and place)
    differing = (
        letter for place, letter in enumerate(name)
        if place and letter.isalnum() and all(each[place : place + 1] != letter for each in alike)
    )  # fmt: skip
    return name[:1].lower() + (next(differing, next(rest, "")) if alike else "")
