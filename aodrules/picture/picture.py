"""Pictures of the positions of one game: a scene for each, in which what did not change is what it was before."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from attrs import define, field

from aodrules.picture.automatic import MARGIN, AutomaticPicture, Keep
from aodrules.picture.layout import PictureLayout
from aodrules.picture.scene import Node, Scene, walk
from aodrules.picture.slots import Slots
from aodrules.picture.style import Drawn, Style, box, words
from aodrules.picture.theme import Theme
from aodrules.play.ids import IdTable
from aodrules.play.labels import Labels, Words
from aodrules.play.states import CellReader


@define(eq=False)
class PictureMaker:
    """Makes scenes of the positions of one game, as one reader sees them."""

    style: Style
    language: str
    width: float = 1000
    _kept: dict[str, tuple[Any, Drawn | None]] = field(factory=dict)

    @classmethod
    def of(cls, names: IdTable, language: str, theme: str) -> PictureMaker:
        """Return what makes pictures of games with these names."""
        rules = names.tables.rules
        return cls(
            Style(names, Labels(Words(rules.texts), rules, language), Theme(theme), PictureLayout(rules.layout)),
            language,
        )

    def scene(self, reader: CellReader, asked: str | None) -> Scene:
        """Return the picture of a position."""
        drawing = AutomaticPicture(
            Slots(self.style, reader), self.width - 2 * MARGIN, asked, _keeping(self._kept, reader)
        )
        title = self.style.labels.find("game") or self.style.labels.find("game.name") or ""
        y, placed = MARGIN + 30.0, list[Node]()
        for part in drawing.parts():
            placed.append(part.node.at(MARGIN, y))
            y += part.height + 14
        height = round(y + MARGIN - 14)
        marks = (
            box(0, 0, self.width, height, self.style.theme.colour("ground"), None, 0),
            words(title, MARGIN, MARGIN + 16, 22, self.style.theme.colour("ink"), bold=True),
        )
        root = Node("picture", ("picture",), marks=marks, inside=tuple(placed))
        return Scene(self.width, height, title, _described(root), self.language, root)


def _described(root: Node) -> str:
    """Return in words who plays and what numbers they have, for those who do not see the picture."""
    found = []
    for panel in (each for each in walk(root) if "player" in each.classes):
        slots = (each for each in panel.inside if any("counter" in one.classes for one in each.inside))
        told = (f"{each.label} {', '.join(one.label for one in each.inside)}" for each in slots)
        found.append(f"{panel.label}: {'; '.join(told)}")
    return ". ".join(found)


def _keeping(kept: dict[str, tuple[Any, Drawn | None]], reader: CellReader) -> Keep:
    """Return what draws a part only if something in its fields is another than when it was drawn last."""
    state, shapes = reader.state, reader.names.tables.shapes

    def cells(name: str, number: int | None) -> list[Any]:
        size = shapes[name].strides[0] if number is not None and shapes[name].strides else 0
        part = slice(None) if number is None or not size else slice(number * size, (number + 1) * size)
        return [state.fields[name][part], state.knowledge[name][part] if name in state.knowledge else ()]

    def keep(id_: str, fields: Iterable[str], number: int | None, draw: Callable[[], Drawn | None]) -> Drawn | None:
        now = [cells(name, number) for name in fields]
        before = kept.get(id_)
        if before is None or before[0] != now:
            before = kept[id_] = (now, draw())
        return before[1]

    return keep
