"""Pictures of the positions of one game: a scene for each, in which what did not change is what it was before."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property, lru_cache, partial
from typing import Any

from attrs import define, field

from aodrules.picture.arranged import ArrangedPicture, Placed
from aodrules.picture.automatic import MARGIN, AutomaticPicture, Keep
from aodrules.picture.layout import PictureLayout
from aodrules.picture.points import Totals, has_points, totals_of
from aodrules.picture.question import ShownQuestion, banner
from aodrules.picture.scene import Mark, Node, Scene
from aodrules.picture.slots import Slots
from aodrules.picture.style import Drawn, Style, box, words
from aodrules.picture.text_size import text_width
from aodrules.picture.theme import Theme
from aodrules.picture.values import KeptValues, Values, cells_of
from aodrules.play.ids import IdTable
from aodrules.play.labels import Labels, Words
from aodrules.play.states import CellReader

_WIDTH = 1000
"""Of a picture without a layout."""
_TITLE = 22
_BANNER = 28


@define(eq=False)
class PictureMaker:
    """Makes scenes of the positions of one game, as one reader sees them."""

    style: Style
    language: str
    _kept: dict[str, tuple[Any, Drawn | None]] = field(factory=dict)

    _tellings: dict[str, tuple[Node, str]] = field(factory=dict)
    """What was told of each panel, and of which node."""

    _values: KeptValues = field(factory=dict)

    _points: tuple[frozenset[str], list[Any], Totals] | None = None

    @cached_property
    def _placed(self) -> Placed:
        found: Placed = self.style.once("placed", lambda: Placed(self.style))
        return found

    def _points_in(self, reader: CellReader) -> Totals:
        """Return the points of the players: those of before while no field on which they depend has changed."""
        if not has_points(self.style):
            return {}
        state = reader.state
        if self._points is not None:
            fields, cells, points = self._points
            if cells == cells_of(state, fields):
                return points
        points, fields = totals_of(reader)
        self._points = (fields, cells_of(state, fields), points)
        return points

    @classmethod
    def of(cls, names: IdTable, language: str, theme: str) -> PictureMaker:
        """Return what makes pictures of games with these names."""
        return cls(_style(names, language, theme), language)

    def _description(self, root: Node) -> str:
        """Return in words who plays and what numbers they have."""
        found = []
        for panel in (one for each in root.inside for one in each.inside if "player" in one.classes):
            before = self._tellings.get(panel.id)
            if before is None or before[0] is not panel:
                before = self._tellings[panel.id] = (panel, _told(panel))
            found.append(before[1])
        return ". ".join(found)

    def scene(self, reader: CellReader, question: ShownQuestion | None) -> Scene:
        """Return the picture of a position, in which something may be asked."""
        page = next(iter(self.style.layout.with_key("page").values()), {})
        width, top = page.get("page", (_WIDTH, 0))
        slots, keep, placed = Slots(self.style, reader), _keeping(self._kept, reader), list[Node]()
        is_rest = bool(page)
        points = self._points_in(reader)
        asked = question and question.seat
        show_question = partial(banner, self.style, question=question, is_over=reader.state.over)
        rest = AutomaticPicture(slots, width - 2 * MARGIN, asked, points, keep, self._placed, is_rest)
        title = self.style.labels.find("game") or self.style.labels.find("game.name") or ""
        marks: tuple[Mark, ...] = ()
        if is_rest:
            placed += ArrangedPicture(slots, asked, keep, rest, show_question, Values(reader, self._values)).parts()
        else:
            room = width - 3 * MARGIN - text_width(title, _TITLE, bold=True)
            shown = show_question("picture.question", size=(room, _BANNER))
            placed.append(shown.node.at(width - MARGIN - shown.width, 9))
            marks = (words(title, MARGIN, MARGIN + 16, _TITLE, self.style.theme.colour("ink"), bold=True),)
        y = top + MARGIN if is_rest else MARGIN + 30.0
        for part in rest.parts():
            placed.append(part.node.at(MARGIN, y))
            y += part.height + 14
        height = top if is_rest and y == top + MARGIN else round(y + MARGIN - 14)
        ground = box(0, 0, width, height, self.style.colour(page.get("fill", "ground")), None, 0)
        root = Node("picture", ("picture",), marks=(ground, *marks), inside=tuple(placed))
        return Scene(width, height, title, self._description(root), self.language, root)


@lru_cache(maxsize=16)
def _style(names: IdTable, language: str, theme: str) -> Style:
    """Return how pictures of games with these names are drawn: of positions it knows nothing."""
    rules = names.tables.rules
    words = Words(rules.texts)
    return Style(names, Labels(words, rules, words.check(language)), Theme(theme), PictureLayout(rules.layout))


def _told(panel: Node) -> str:
    """Return in words what numbers a player has, for those who do not see the picture."""
    slots = (each for each in panel.inside if any("counter" in one.classes for one in each.inside))
    told = [f"{each.label} {', '.join(one.label for one in each.inside)}" for each in slots]
    points = [each.label for each in panel.inside if "points" in each.classes]
    return f"{panel.label}: {'; '.join([*points, *told])}"


def _keeping(kept: dict[str, tuple[Any, Drawn | None]], reader: CellReader) -> Keep:
    """Return what draws a part only if something in its fields is another than when it was drawn last."""
    state, shapes = reader.state, reader.names.tables.shapes

    def cells(name: str, number: int | None) -> list[Any]:
        size = shapes[name].strides[0] if number is not None and shapes[name].strides else 0
        part = slice(None) if number is None or not size else slice(number * size, (number + 1) * size)
        return [state.fields[name][part], state.knowledge[name][part] if name in state.knowledge else ()]

    def keep(
        id_: str, fields: Iterable[str], number: int | None, draw: Callable[[], Drawn | None], also: Any = None
    ) -> Drawn | None:
        now = [also, *(cells(name, number) for name in fields)]
        before = kept.get(id_)
        if before is None or before[0] != now:
            before = kept[id_] = (now, draw())
        return before[1]

    return keep
