"""Every example in a docstring is run, and every module says in one sentence what it is."""

from __future__ import annotations

import ast
import doctest
import importlib

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
