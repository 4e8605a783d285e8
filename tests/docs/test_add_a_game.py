"""What the page about adding a game counts is what there is."""

from __future__ import annotations

import re
from pathlib import Path

from aodrules.source.shipped import shipped
from tests.docs.blocks import DOCS

_ROW = re.compile(r"^\| .* \| `([\w/*.]+)` \| (\d+) \|$", re.MULTILINE)
ROOM = 0.15
"""By how much a figure may be out of date."""


def lines_of(place: str) -> int:
    folder, _, rest = place.partition("/")
    root = shipped(folder) / rest.removesuffix("/*.yaml")
    paths = root.glob("*.yaml") if place.endswith("*.yaml") else root.rglob("*.yaml")
    return sum(len(Path(path).read_text(encoding="utf-8").splitlines()) for path in paths)


def test_the_lines_of_tempus_are_counted() -> None:
    rows = _ROW.findall((DOCS / "how-to" / "add-a-game.md").read_text(encoding="utf-8"))
    assert len(rows) == 11
    found = {place: (int(told), lines_of(place)) for place, told in rows}
    assert {place: both for place, both in found.items() if abs(both[0] - both[1]) > ROOM * both[1]} == {}
