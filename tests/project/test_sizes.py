"""Functions and modules stay small enough to be read at once."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from tests.project.modules import CHECKOUT, Module, modules

FOLDERS = ("aodrules", "tests", "benchmarks")
LONGEST_FUNCTION = 60
LONGEST_MODULE = 800
LONGEST_WITH_ONE_CLASS = {"aodrules/game.py": 1000}
"""Modules of one public class, mostly documentation: cut into files it would be harder to read."""


def functions(module: Module) -> Iterator[tuple[str, int]]:
    """Return every function with its place and its length in lines, the docstring counted."""
    for node in ast.walk(module.tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield f"{module.shown}:{node.lineno}: {node.name}", (node.end_lineno or node.lineno) - node.lineno + 1


def test_no_function_has_more_than_60_lines() -> None:
    found = [place for folder in FOLDERS for module in modules(folder) for place in functions(module)]
    assert [(place, length) for place, length in found if length > LONGEST_FUNCTION] == []


def test_no_module_has_more_than_800_lines() -> None:
    found = [(module.shown, module.length) for folder in FOLDERS for module in modules(folder)]
    long = [(place, length) for place, length in found if length > LONGEST_WITH_ONE_CLASS.get(place, LONGEST_MODULE)]
    assert long == []


def test_the_interpreter_is_as_short_as_its_page_says() -> None:
    page = (CHECKOUT / "docs" / "explanation" / "engines.md").read_text(encoding="utf-8")
    (said,) = re.findall(r"its ([\d,]+) lines can be read in an evening", page)
    folder = CHECKOUT / "aodrules" / "interpreter"
    lines = sum(module.length for module in modules("aodrules") if module.path.parent == folder)
    assert round(lines, -2) == int(said.replace(",", ""))
