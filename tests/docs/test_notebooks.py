"""The notebook of the tutorial runs from top to bottom, and shows pictures, tables and words where it says so."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from tests.docs.blocks import DOCS
from tests.docs.notebooks import Shown, cells_of, run_notebook

NOTEBOOKS = sorted(DOCS.rglob("*.ipynb"))


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> list[Shown]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("IPYTHONDIR", str(tmp_path_factory.mktemp("ipython")))
        return run_notebook(DOCS / "tutorial" / "from-python.ipynb")


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_a_notebook_is_kept_without_what_it_showed(path: Path) -> None:
    cells = [cell for cell in cells_of(path) if cell.cell_type == "code"]
    assert cells
    assert all(cell.outputs == [] and cell.execution_count is None for cell in cells)


@pytest.mark.slow
def test_games_and_views_are_shown_as_pictures_with_tables(shown: list[Shown]) -> None:
    drawn = {cell.source.splitlines()[-1]: cell.forms for cell in shown if "image/svg+xml" in cell.forms}
    assert list(drawn) == ["game", "game.view(me)"]
    for forms in drawn.values():
        assert ET.fromstring(forms["image/svg+xml"]).tag.endswith("svg")
        assert "<svg " in forms["text/html"]
        assert "<table>" in forms["text/html"]
        assert forms["text/plain"].startswith("<")


@pytest.mark.slow
def test_the_cells_show_what_the_text_around_them_says(shown: list[Shown]) -> None:
    told = {cell.source.splitlines()[-1]: cell for cell in shown}
    assert told["print(game)"].printed.startswith("empires: ")
    assert "('en', 'pl', 'ru')" in told["rules.name, rules.players, rules.languages"].forms["text/plain"]
    assert told["    print(reason)"].printed.strip()
    assert " wins " in told["game.result"].forms["text/plain"]
    assert told["again.state == game.state"].forms["text/plain"] == "True"
    assert told['game.state.regions.caribbean == game.state.regions["caribbean"]'].forms["text/plain"] == "True"
