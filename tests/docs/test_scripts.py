"""Everything on a page that can be run is run, in a folder of its own that holds nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.commands import COMMANDS
from tests.docs.blocks import ROOT
from tests.docs.scripts import SCRIPTS, run_page


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    return tmp_path


@pytest.mark.parametrize("page", SCRIPTS, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_what_a_page_runs_does_what_it_shows(page: Path, folder: Path) -> None:
    run_page(page)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_with_an_example_that_names_it(name: str) -> None:
    help_ = COMMANDS[name].help or ""
    assert f"Example: aodrules {name} " in help_
