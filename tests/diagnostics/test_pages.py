"""Every code has its page, its case and its function, and the examples on the page are as they say."""

from __future__ import annotations

import importlib
import inspect
import re
from pathlib import Path

import pytest

from aodrules.source.diagnostics import Report
from aodrules.source.spans import Source
from aodrules.syntax.from_source import read
from tests.diagnostics.diagnose import diagnose
from tests.diagnostics.test_golden import cases

PAGES = Path(__file__).parent.parent.parent / "docs" / "errors"
STAGES = ("source", "syntax", "check", "testing")
"""The stages whose codes are complete; each later one joins when it is."""
OVER_SMALL_GAME = ("check", "testing")
"""Stages whose examples are additions to the small game."""


def codes_of(stage: str) -> set[str]:
    """Return the codes a stage can report: the public functions of its `problems.py` and `..._problems.py`."""
    folder = Path(importlib.import_module(f"aodrules.{stage}").__path__[0])
    modules = [importlib.import_module(f"aodrules.{stage}.{path.stem}") for path in folder.glob("*problems.py")]
    functions = [(module, *each) for module in modules for each in inspect.getmembers(module, inspect.isfunction)]
    own = {name for module, name, function in functions if function.__module__ == module.__name__}
    return {name.replace("_", "-") for name in own if not name.startswith("_")}


CODES = sorted({code for stage in STAGES for code in codes_of(stage)})


def blocks(code: str, heading: str) -> list[str]:
    """Return the YAML blocks of a section of a page."""
    page = (PAGES / f"{code}.md").read_text(encoding="utf-8")
    section = page.split(f"## {heading}\n")[1].split("\n## ")[0]
    return re.findall(r"```yaml\n(.*?)```", section, re.DOTALL)


def found_in(code: str, text: str, folder: Path) -> set[str]:
    if any(code in codes_of(stage) for stage in OVER_SMALL_GAME):
        text = text if text.startswith("game:") else f"# over the small game\n{text}"
        # A line of hyphens stands between two files.
        pages = [folder / f"page_{number}.yaml" for number in range(text.count("\n---\n") + 1)]
        for page, part in zip(pages, text.split("\n---\n"), strict=True):
            page.write_text(part, encoding="utf-8")
        return {each.code for each in diagnose(pages)}
    report = Report()
    read(Source("page.yaml", text), report)
    return {each.code for each in report}


@pytest.mark.parametrize("code", CODES)
def test_every_code_has_a_page_and_a_case(code: str) -> None:
    assert (PAGES / f"{code}.md").read_text(encoding="utf-8").startswith(f"# {code}\n")
    assert any(case.startswith(f"{code}/") for case in cases())


@pytest.mark.parametrize("code", CODES)
def test_the_wrong_example_has_that_problem_alone(code: str, tmp_path: Path) -> None:
    for text in blocks(code, "Wrong"):
        assert found_in(code, text, tmp_path) == {code}


@pytest.mark.parametrize("code", sorted(set(CODES) - {"control-character"}))
def test_the_right_example_has_no_problem(code: str, tmp_path: Path) -> None:
    for text in blocks(code, "Right"):
        assert found_in(code, text, tmp_path) == set()
