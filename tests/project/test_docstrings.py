"""Every example in a docstring is run, and every module says in one sentence what it is."""

from __future__ import annotations

import ast
import doctest
import importlib
import re

import pytest

from tests.project.modules import CHECKOUT, Module, modules

WITH_EXAMPLES = [module for module in modules("aodrules") if ">>> " in module.path.read_text(encoding="utf-8")]


@pytest.mark.parametrize("module", WITH_EXAMPLES, ids=lambda module: module.name)
def test_the_examples_of_docstrings_are_true(module: Module, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(CHECKOUT)
    result = doctest.testmod(importlib.import_module(module.name))
    assert result.failed == 0


def test_every_module_says_what_it_is() -> None:
    silent = [module.shown for module in modules("aodrules") if not ast.get_docstring(module.tree)]
    assert silent == []


@pytest.mark.parametrize(
    "folder",
    [
        *("authoring", "bots", "cache", "check", "compiler", "compose", "interpreter"),
        *("play", "rpc", "simulate", "source", "syntax", "terminal"),
    ],
)
def test_the_docstring_of_a_folder_names_all_that_is_in_it(folder: str) -> None:
    path = CHECKOUT / "aodrules" / folder
    there = {each.stem for each in path.iterdir() if each.suffix == ".py" or (each / "__init__.py").exists()}
    said = ast.get_docstring(ast.parse((path / "__init__.py").read_text(encoding="utf-8"))) or ""
    words = set(re.findall(r"`(\w+)[`.]", said))
    assert there - words <= {"__init__", "problems"}
